//! A problem package in memory. Nothing here reads or judges one.

use std::borrow::Cow;
use std::fmt;

use uuid::Uuid;
use vosim_protocol::Wire;
use vosim_protocol::v1::evaluation::{Detail, FailureType};
use vosim_protocol::v1::problem::{Language, Problem, Suite};

use super::forms::Coaching;

/// One problem package, read and checked. It counts as installed only when
/// [`prove`](super::prove()) agrees.
pub struct Package {
    /// The problem's identity across names and versions.
    pub uuid: Uuid,
    /// What a session keeps of it.
    pub problem: Problem,
    /// Its case data as one canonical JSON text; a blob of its own beside the session's spec.
    pub suite_blob: Vec<u8>,
    /// Starters, right and wrong programs, with what each promises.
    pub programs: Vec<Program>,
    /// What interviews and guided practice say about this problem.
    pub coaching: Coaching,
}

impl Package {
    /// The case data. Parsed anew at each call, so that an idle daemon holds only the text.
    pub fn suite(&self) -> Suite {
        Suite::from_bytes(&self.suite_blob).expect("the blob was written from a suite")
    }

    /// The starter files: what a candidate begins with, and what must not pass.
    pub fn stubs(&self) -> impl Iterator<Item = &Program> {
        self.programs.iter().filter(|program| program.role == ProgramRole::Stub)
    }
}

// Case data and reference programs stay out of logs.
impl fmt::Debug for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Package")
            .field("id", &self.problem.id)
            .field("programs", &self.programs)
            .finish_non_exhaustive()
    }
}

/// A program of a package.
#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    /// Its path in the package.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Its bytes.
    pub source: Cow<'static, [u8]>,
    /// What it is there for.
    pub role: ProgramRole,
    /// What becomes of it when it is judged.
    pub promise: Promise,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("path", &self.path)
            .field("bytes", &self.source.len())
            .field("promise", &self.promise)
            .finish_non_exhaustive()
    }
}

/// What a program of a package is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramRole {
    /// A starter file.
    Stub,
    /// A solution.
    Right,
    /// A planted mistake.
    Wrong,
}

/// What a program promises; what is absent does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Its class.
    pub failure_type: FailureType,
    /// Why the class applies.
    pub detail: Option<Detail>,
    /// Cases that pass.
    pub passed: Option<u32>,
    /// The issue that feedback and hints speak of.
    pub issue: Option<String>,
}
