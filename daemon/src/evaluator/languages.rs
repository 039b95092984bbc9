//! The languages that code can be written in: one entry each says how its runtime is found and
//! started and what is special about it. Nothing else here or elsewhere asks for a language's name
//! to decide how to run it.

mod node;
mod python;

use std::path::PathBuf;

use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{Limits, MemoryBy};

/// All that is particular to one language.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) language: Language,
    /// Its runtime's name in sentences, which is that of the setting in lower case.
    pub(super) name: &'static str,
    /// Names of its program in PATH.
    pub(super) programs: &'static [&'static str],
    /// Where distributions put it.
    pub(super) usual_places: &'static [&'static str],
    /// The oldest version that is taken.
    pub(super) oldest: (u32, u32),
    /// Debian's package.
    pub(super) package: &'static str,
    /// The key of the configuration that names another.
    pub(super) setting: &'static str,
    /// Arguments with which a runtime, or a shim, says in lines who it really is.
    pub(super) question: &'static [&'static str],
    /// What of the environment must not reach it when it is asked.
    pub(super) unset: &'static str,
    /// Understands the answer.
    pub(super) read: fn(&[&str]) -> Result<Answer, String>,
    /// Arguments with which it must end well in the sandbox.
    pub(super) trial: &'static [&'static str],
    /// The driver: its name in the working directory and its text.
    pub(super) driver: (&'static str, &'static str),
    /// Arguments with which it writes its driver, which lies beside it, in a form that starts faster.
    pub(super) pack: &'static [&'static str],
    /// What a driver that waits is told to read meanwhile; one that is needed at once is not.
    pub(super) ahead: Option<&'static str>,
    /// Arguments before the driver's name.
    pub(super) words: fn(&Limits) -> Vec<String>,
    /// The whole environment.
    pub(super) env: &'static [(&'static str, &'static str)],
    /// What its memory is held against.
    pub(super) memory_by: MemoryBy,
    /// What it complains of before it ends itself for want of memory.
    pub(super) out_of_memory: &'static [&'static str],
    /// The usual way to print, for a note about other ways.
    pub(super) printing: &'static str,
    /// The candidate's file where it has no name that can be shown.
    pub(super) file: &'static str,
}

/// What a runtime said of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// Its program, past any shim.
    pub(super) program: String,
    /// For example `3.11.7`.
    pub(super) version: String,
    /// What must be visible for it to run, beside the program.
    pub(super) mounts: Vec<PathBuf>,
}

/// The entry of a language.
pub(super) const fn entry(language: Language) -> &'static Entry {
    match language {
        Language::Python => &python::ENTRY,
        Language::Javascript => &node::ENTRY,
    }
}

impl Entry {
    /// The oldest version in words: `3.11`, `18`.
    pub(super) fn oldest_words(&self) -> String {
        match self.oldest {
            (major, 0) => major.to_string(),
            (major, minor) => format!("{major}.{minor}"),
        }
    }
}

/// The first two numbers of a version.
pub(super) fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_entry_that_bears_its_name() {
        for language in Language::ALL {
            assert_eq!(entry(language).language, language);
            assert!(entry(language).file.ends_with(&format!(".{}", language.extension())));
        }
        let oldest = Language::ALL.map(|language| entry(language).oldest_words());
        assert_eq!(oldest, ["3.11", "18"]);
    }

    #[test]
    fn a_version_is_its_first_two_numbers() {
        assert_eq!(parse_version("20.19.2"), Some((20, 19)));
        assert_eq!(parse_version("3.13.0rc1"), Some((3, 13)));
        assert_eq!(parse_version("next"), None);
    }
}
