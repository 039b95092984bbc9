//! Landlock: which files may be used at all, and no TCP, no signal and no abstract socket to the
//! outside. Inside the private root it is a second fence; without namespaces it is the only one.

use std::path::PathBuf;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, PathBeneath,
    PathFd, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope,
};

use crate::fault::Fault;
use crate::sys::Access;

/// The newest version whose effect has been tried.
const TRIED: ABI = ABI::V7;

/// The oldest version that is enough by itself: it knows truncation.
const ENOUGH_ALONE: u8 = 3;

/// How much of the fence stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fenced {
    /// Version of the kernel's side; 0 when there is none.
    pub(crate) abi: u8,
    /// True when everything asked for is in force.
    pub(crate) whole: bool,
}

impl Fenced {
    pub(crate) const fn enough_alone(self) -> bool {
        self.abi >= ENOUGH_ALONE
    }

    /// As two bytes, for the pipe between the child and its parent.
    pub(crate) const fn to_bytes(self) -> [u8; 2] {
        [self.abi, self.whole as u8]
    }

    pub(crate) const fn from_bytes(bytes: [u8; 2]) -> Self {
        Self { abi: bytes[0], whole: bytes[1] != 0 }
    }
}

/// Prepares the fence; it closes with [`close`].
pub(crate) fn build(places: &[(PathBuf, Access)]) -> Result<RulesetCreated, Fault> {
    attempt(places).map_err(|error| Fault::Request(format!("preparing Landlock: {error}")))
}

fn attempt(places: &[(PathBuf, Access)]) -> Result<RulesetCreated, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(TRIED))?
        .handle_access(AccessNet::from_all(TRIED))?
        .scope(Scope::from_all(TRIED))?
        .create()?;
    for (path, access) in places {
        // What is not there needs no permission; a program that is missing fails at exec.
        let Ok(fd) = PathFd::new(path) else { continue };
        let mut rights = match access {
            Access::Read => AccessFs::from_read(TRIED),
            Access::Write => AccessFs::from_all(TRIED),
            Access::Device { writable: true } => AccessFs::ReadFile | AccessFs::WriteFile,
            Access::Device { writable: false } => AccessFs::ReadFile.into(),
        };
        if !path.is_dir() {
            rights &= AccessFs::from_file(TRIED);
        }
        ruleset = ruleset.add_rule(PathBeneath::new(fd, rights))?;
    }
    Ok(ruleset)
}

/// Closes the fence around this process for good.
pub(crate) fn close(ruleset: RulesetCreated) -> Result<Fenced, Fault> {
    let status = ruleset
        .restrict_self()
        .map_err(|error| Fault::Request(format!("closing Landlock: {error}")))?;
    Ok(fenced(&status))
}

fn fenced(status: &RestrictionStatus) -> Fenced {
    let abi = match status.landlock {
        LandlockStatus::Available { effective_abi, .. } => effective_abi as u8,
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => 0,
    };
    let in_force = status.ruleset != RulesetStatus::NotEnforced;
    let whole = status.ruleset == RulesetStatus::FullyEnforced;
    Fenced { abi: if in_force { abi } else { 0 }, whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_child_says_is_what_the_parent_hears() {
        for fenced in [Fenced { abi: 7, whole: true }, Fenced::default()] {
            assert_eq!(Fenced::from_bytes(fenced.to_bytes()), fenced);
        }
        assert!(!Fenced { abi: 2, whole: false }.enough_alone());
    }
}
