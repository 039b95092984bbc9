//! Problem packages: those in the binary and those in folders, read, checked and proved.
//!
//! Nothing here runs a program or remembers a session: judging is the caller's, by a closure.
//! What is read is trusted no further than its checks; each mistake is one line with file and key.

mod check;
mod embedded;
mod files;
mod forms;
pub mod interview;
mod lint;
mod metadata;
mod prove;
mod read;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use uuid::Uuid;
use vosim_protocol::ids::ProblemId;
use vosim_protocol::next::Next;
use vosim_protocol::v1::evaluation::{Detail, FailureType};
use vosim_protocol::v1::problem::{Language, Problem, Suite};
use vosim_protocol::{ErrorCode, ErrorObject, Wire};

pub use check::check_ops;
pub use files::ContentError;
pub use forms::{Clarification, Coaching, Fit, Gap, InvariantTemplate, Pattern};
#[cfg(test)]
pub(crate) use lint::References;
pub use lint::{Finding, lint};
pub use prove::{compare, prove};

static CATALOG: OnceLock<Catalog> = OnceLock::new();

/// The problems that come with the binary, read at the first call.
pub fn catalog() -> &'static Catalog {
    CATALOG.get_or_init(|| {
        Catalog::of(
            embedded::packages().map(|files| {
                read::package(&files).expect("a test reads every package of the binary")
            }),
        )
    })
}

/// Puts other problems in the place of the binary's; for the daemon that end-to-end tests build.
/// Gives them back where somebody has looked at the binary's already.
#[doc(hidden)]
pub fn replace_catalog(catalog: Catalog) -> Result<(), Catalog> {
    CATALOG.set(catalog)
}

/// The problem that a user named.
pub fn find(name: &str) -> Result<Arc<Package>, UnknownProblem> {
    let found = name.parse().ok().and_then(|id| catalog().get(&id));
    found.ok_or_else(|| UnknownProblem { name: name.to_owned() })
}

/// There is no problem of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no problem '{name}'")]
pub struct UnknownProblem {
    /// The name.
    pub name: String,
}

impl From<UnknownProblem> for ErrorObject {
    fn from(error: UnknownProblem) -> Self {
        let names: Vec<_> = catalog().list().map(|p| p.problem.id.as_str()).collect();
        Self::new(ErrorCode::UnknownProblem, error.to_string())
            .next(Next::edit(format!("name one of the problems: {}", names.join(", "))))
    }
}

/// Problems by their id.
#[derive(Debug, Default)]
pub struct Catalog {
    packages: BTreeMap<ProblemId, Arc<Package>>,
}

impl Catalog {
    /// A catalog of these packages; of two with one id the later stays.
    pub fn of(packages: impl IntoIterator<Item = Package>) -> Self {
        let packages = packages
            .into_iter()
            .map(|package| (package.problem.id.clone(), Arc::new(package)))
            .collect();
        Self { packages }
    }

    /// Every package, by id.
    pub fn list(&self) -> impl Iterator<Item = &Arc<Package>> {
        self.packages.values()
    }

    /// The package of this id.
    pub fn get(&self, id: &ProblemId) -> Option<Arc<Package>> {
        self.packages.get(id).cloned()
    }
}

/// One problem package, read and checked. It counts as installed only when [`prove()`] agrees.
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
    /// Reads a package from a folder (`problems check DIR`); bounded in files and bytes, and no
    /// link is followed.
    pub fn from_dir(dir: &Path) -> Result<Self, ContentError> {
        read::package(&files::Files::from_dir(dir)?)
    }

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
