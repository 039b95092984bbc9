//! Code with everything needed to judge it.

use std::fmt;
use std::path::Path;

use vosim_protocol::v1::problem::{Language, Problem, Suite};

use super::languages::profile;

/// Code with everything needed to judge it.
#[derive(Clone, Copy)]
pub struct Submission<'a> {
    /// The problem; its cases say what may be shown.
    pub problem: &'a Problem,
    /// What is called and what must come back: all of the problem's cases, or a part of them, or
    /// a user's own (those are found nowhere in the problem and count as visible).
    pub suite: &'a Suite,
    /// The bytes of the candidate's file.
    pub code: &'a [u8],
    /// The candidate's own name for it.
    pub file_path: &'a str,
    /// Its language.
    pub language: Language,
}

/// Shows names and sizes only: neither code nor case data belongs in a log.
impl fmt::Debug for Submission<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Submission")
            .field("problem", &self.problem.id)
            .field("cases", &self.suite.cases.len())
            .field("bytes", &self.code.len())
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

impl<'a> Submission<'a> {
    /// What stands in tracebacks: never a path of anybody's home.
    pub(super) fn file_name(&self) -> &'a str {
        let name = Path::new(self.file_path).file_name().and_then(|name| name.to_str());
        name.unwrap_or(profile(self.language).file)
    }
}
