//! Landlock: which files may be used at all, and no TCP unless it was approved, no signal and no
//! abstract socket to the outside. Inside the private root it is a second barrier; without namespaces
//! it is the only one.

use std::path::PathBuf;

use ::landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope,
};

use vosim_sandbox_spec::Network;

use crate::fault::Fault;
use crate::landlock_status::{LandlockStatus, Standing};
use crate::sys::Access;

/// The newest version whose effect has been tried.
const TRIED: ABI = ABI::V7;

/// Prepares the rules, which hold from [`enforce`] on.
pub(crate) fn prepare(
    places: &[(PathBuf, Access)],
    network: Network,
) -> Result<RulesetCreated, Fault> {
    attempt(places, network).map_err(|error| Fault::Request(format!("preparing Landlock: {error}")))
}

fn attempt(places: &[(PathBuf, Access)], network: Network) -> Result<RulesetCreated, RulesetError> {
    let tcp = match network {
        Network::None => AccessNet::from_all(TRIED),
        // Its rules know ports and no addresses: those are held elsewhere.
        Network::Outside => AccessNet::BindTcp.into(),
    };
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(TRIED))?
        .handle_access(tcp)?
        .scope(Scope::from_all(TRIED))?
        .create()?;
    for (path, access) in places {
        // A missing path needs no permission; a missing program fails at exec.
        let Ok(fd) = PathFd::new(path) else { continue };
        let mut rights = match access {
            Access::Names => AccessFs::ReadDir.into(),
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

/// Enforces the rules on this process for good.
pub(crate) fn enforce(ruleset: RulesetCreated) -> Result<LandlockStatus, Fault> {
    let status = ruleset
        .restrict_self()
        .map_err(|error| Fault::Request(format!("enforcing Landlock: {error}")))?;
    Ok(status_of(&status))
}

fn status_of(status: &RestrictionStatus) -> LandlockStatus {
    use ::landlock::LandlockStatus as Kernel;
    match (status.landlock, &status.ruleset) {
        (Kernel::NotImplemented, _) => LandlockStatus::default(),
        (Kernel::NotEnabled, _) => LandlockStatus { abi: 0, standing: Standing::Disabled },
        (Kernel::Available { .. }, RulesetStatus::NotEnforced) => {
            LandlockStatus { abi: 0, standing: Standing::Partial }
        }
        (Kernel::Available { effective_abi, .. }, enforced) => {
            let whole = *enforced == RulesetStatus::FullyEnforced;
            let standing = if whole { Standing::Whole } else { Standing::Partial };
            LandlockStatus { abi: effective_abi as u8, standing }
        }
    }
}
