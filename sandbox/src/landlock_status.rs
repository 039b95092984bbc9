//! The part of Landlock that is in force around a program, as the program's process tells its
//! parent.

use vosim_sandbox_spec::Shortfall;

/// The oldest version that is enough by itself, since it controls truncation.
const ENOUGH_ALONE: u8 = 3;

/// The part of Landlock that is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LandlockStatus {
    /// Version of the kernel's side; 0 when there is none.
    pub(crate) abi: u8,
    pub(crate) standing: Standing,
}

/// The degree to which the kernel enforces the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// All rules are in force.
    Whole,
    /// The kernel's Landlock is too old for some of the rules.
    Partial,
    /// The kernel has Landlock and was booted without it.
    Disabled,
    /// The kernel has no Landlock.
    Unknown,
}

impl LandlockStatus {
    /// Whether this is enough where nothing else hides the files.
    pub(crate) const fn enough_alone(self) -> bool {
        self.abi >= ENOUGH_ALONE
    }

    /// Returns the shortfall for the report.
    pub(crate) const fn shortfall(self) -> Option<Shortfall> {
        match self.standing {
            Standing::Whole => None,
            Standing::Partial => Some(Shortfall::LandlockPartial { abi: self.abi }),
            Standing::Disabled => Some(Shortfall::LandlockDisabled),
            Standing::Unknown => Some(Shortfall::LandlockUnknown),
        }
    }

    /// Encodes the status for the pipe between the child and its parent.
    pub(crate) const fn to_bytes(self) -> [u8; 2] {
        [self.abi, self.standing as u8]
    }

    pub(crate) const fn from_bytes(bytes: [u8; 2]) -> Self {
        let standing = match bytes[1] {
            0 => Standing::Whole,
            1 => Standing::Partial,
            2 => Standing::Disabled,
            _ => Standing::Unknown,
        };
        Self { abi: bytes[0], standing }
    }
}

impl Default for LandlockStatus {
    fn default() -> Self {
        Self { abi: 0, standing: Standing::Unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_child_says_is_what_the_parent_hears() {
        use Standing::{Disabled, Partial, Unknown, Whole};
        for standing in [Whole, Partial, Disabled, Unknown] {
            let status = LandlockStatus { abi: 7, standing };
            assert_eq!(LandlockStatus::from_bytes(status.to_bytes()), status);
        }
        assert!(!LandlockStatus { abi: 2, standing: Partial }.enough_alone());
    }
}
