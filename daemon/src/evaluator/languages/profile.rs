//! What is said of each language, and what a runtime says of itself.

use std::path::{Path, PathBuf};

use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{Limits, MemoryBy};

use crate::evaluator::frames::Raised;
use crate::evaluator::places::ToolPaths;
use crate::evaluator::value::Notation;

/// All that is particular to one language.
#[derive(Debug)]
pub(in crate::evaluator) struct Profile {
    pub(in crate::evaluator) language: Language,
    /// Its runtime's name in sentences, which is that of the setting in lower case.
    pub(in crate::evaluator) name: &'static str,
    /// Names of its program in PATH.
    pub(in crate::evaluator) programs: &'static [&'static str],
    /// Where distributions put it.
    pub(in crate::evaluator) usual_places: &'static [&'static str],
    /// The oldest version that is taken of each major one, ascending; every later major one is.
    pub(in crate::evaluator) oldest: &'static [(u32, u32)],
    /// How to come by one, as the beginning of a sentence.
    pub(in crate::evaluator) remedy: &'static str,
    /// The same as a step for whoever looks after the machine.
    pub(in crate::evaluator) fix: &'static str,
    /// The key of the configuration that names another.
    pub(in crate::evaluator) setting: &'static str,
    /// The one that the configuration names.
    pub(in crate::evaluator) configured: fn(&ToolPaths) -> Option<&Path>,
    /// Whether vosim is of no use without it.
    pub(in crate::evaluator) required: bool,
    /// Arguments with which a runtime, or a shim, says in lines who it really is.
    pub(in crate::evaluator) question: &'static [&'static str],
    /// What of the environment must not reach it when it is asked.
    pub(in crate::evaluator) unset: &'static str,
    /// Understands the answer.
    pub(in crate::evaluator) read: fn(&[&str]) -> Result<Installation, String>,
    /// Arguments with which it must end well in the sandbox.
    pub(in crate::evaluator) trial: &'static [&'static str],
    /// The driver: its name in the working directory and its text.
    pub(in crate::evaluator) driver: (&'static str, &'static str),
    /// The driver that tries many candidates in one process, where there is one.
    pub(in crate::evaluator) bench: Option<&'static str>,
    /// Arguments with which it writes its driver, which lies beside it, in a form that starts faster.
    pub(in crate::evaluator) pack: &'static [&'static str],
    /// What a driver that waits is told to read meanwhile; one that is needed at once is not.
    pub(in crate::evaluator) ahead: Option<&'static str>,
    /// Arguments before the driver's name.
    pub(in crate::evaluator) words: fn(&Limits) -> Vec<String>,
    /// The whole environment.
    pub(in crate::evaluator) env: &'static [(&'static str, &'static str)],
    /// What its memory is held against.
    pub(in crate::evaluator) memory_by: MemoryBy,
    /// What it complains of before it ends itself for want of memory.
    pub(in crate::evaluator) out_of_memory: &'static [&'static str],
    /// The usual way to print, for a note about other ways.
    pub(in crate::evaluator) printing: &'static str,
    /// The candidate's file where it has no name that can be shown.
    pub(in crate::evaluator) file: &'static str,
    /// How it writes values.
    pub(in crate::evaluator) notation: &'static Notation,
    /// Kinds of exceptions that a mistake brings about, fewer than sixteen.
    pub(in crate::evaluator) kinds: &'static [&'static str],
    /// What is to be added to an exception whose own words do not help.
    pub(in crate::evaluator) note: fn(&Raised) -> Option<String>,
}

/// What a runtime said of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::evaluator) struct Installation {
    /// Its program, past any shim.
    pub(in crate::evaluator) program: String,
    /// For example `3.11.7`.
    pub(in crate::evaluator) version: String,
    /// What must be visible for it to run, beside the program.
    pub(in crate::evaluator) mounts: Vec<PathBuf>,
}

impl Profile {
    /// The oldest version in words: `3.11`, `18`.
    pub(in crate::evaluator) fn oldest_words(&self) -> String {
        match self.oldest {
            [] => "any version".to_owned(),
            [(major, 0), ..] => major.to_string(),
            [(major, minor), ..] => format!("{major}.{minor}"),
        }
    }

    /// Whether a version is new enough.
    pub(in crate::evaluator) fn takes(&self, version: (u32, u32)) -> bool {
        let of_major = self.oldest.iter().find(|(major, _)| *major == version.0);
        of_major.or(self.oldest.last()).is_none_or(|oldest| version >= *oldest)
    }
}

/// The first two numbers of a version.
pub(in crate::evaluator) fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_its_first_two_numbers() {
        assert_eq!(parse_version("20.19.2"), Some((20, 19)));
        assert_eq!(parse_version("3.13.0rc1"), Some((3, 13)));
        assert_eq!(parse_version("next"), None);
    }
}
