//! The problems that a session can be about, by their id.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use vosim_protocol::ids::ProblemId;
use vosim_protocol::next::Next;
use vosim_protocol::{ErrorCode, ErrorObject};

use super::files::Files;
use super::package::Package;
use super::{embedded, read};

static CATALOG: OnceLock<Catalog> = OnceLock::new();

/// Returns the problems that come with the binary, each read when it is first asked for.
pub fn catalog() -> &'static Catalog {
    CATALOG.get_or_init(|| {
        let entry = |files| {
            let id = read::id(&files).expect(READABLE);
            (id, Entry { files, package: OnceLock::new() })
        };
        Catalog { entries: embedded::packages().map(entry).collect() }
    })
}

/// Why a package of the binary can be read.
const READABLE: &str = "a test reads every package of the binary";

/// Replaces the binary's problems, for the daemon that end-to-end tests build. Returns the others
/// unused if the binary's problems have been read already.
#[doc(hidden)]
pub fn replace_catalog(catalog: Catalog) -> Result<(), Catalog> {
    CATALOG.set(catalog)
}

/// Returns the problem that a user named.
pub fn find(name: &str) -> Result<Arc<Package>, UnknownProblem> {
    let found = name.parse().ok().and_then(|id| catalog().get(&id));
    found.ok_or_else(|| UnknownProblem { name: name.to_owned(), own: Vec::new() })
}

/// There is no problem of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no problem '{name}'")]
pub struct UnknownProblem {
    /// The name.
    pub name: String,
    /// The problems of people's own that could have been named as well.
    pub own: Vec<ProblemId>,
}

impl UnknownProblem {
    /// What to do then.
    pub fn remedy(&self) -> String {
        let names: Vec<_> = catalog().ids().chain(&self.own).map(ProblemId::as_str).collect();
        format!("name one of the problems: {}", names.join(", "))
    }
}

impl From<UnknownProblem> for ErrorObject {
    fn from(error: UnknownProblem) -> Self {
        Self::new(ErrorCode::UnknownProblem, error.to_string()).next(Next::edit(error.remedy()))
    }
}

/// Problems by their id.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: BTreeMap<ProblemId, Entry>,
}

/// The files of a package, and the package once it was read.
#[derive(Debug, Default)]
struct Entry {
    files: Files,
    package: OnceLock<Arc<Package>>,
}

impl Entry {
    fn package(&self) -> &Arc<Package> {
        self.package.get_or_init(|| Arc::new(read::package(&self.files).expect(READABLE)))
    }
}

impl Catalog {
    /// Makes a catalog of these packages; of two with the same id the later one stays.
    pub fn of(packages: impl IntoIterator<Item = Package>) -> Self {
        let entry = |package: Package| {
            let id = package.problem.id.clone();
            (id, Entry { files: Files::default(), package: Arc::new(package).into() })
        };
        Self { entries: packages.into_iter().map(entry).collect() }
    }

    /// Returns every package, by id.
    pub fn list(&self) -> impl Iterator<Item = &Arc<Package>> {
        self.entries.values().map(Entry::package)
    }

    /// Returns the ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = &ProblemId> {
        self.entries.keys()
    }

    /// Whether there is a package with this id.
    pub fn holds(&self, id: &ProblemId) -> bool {
        self.entries.contains_key(id)
    }

    /// Whether a package bears the id of one of these and is another one: how a session about it came out
    /// would be told of the one that comes with vosim.
    pub fn is_mistaken_for(&self, package: &Package) -> bool {
        let one = self.get(&package.problem.id);
        one.is_some_and(|one| {
            one.problem != package.problem || one.suite_blob != package.suite_blob
        })
    }

    /// Returns the package with this id.
    pub fn get(&self, id: &ProblemId) -> Option<Arc<Package>> {
        self.entries.get(id).map(|entry| Arc::clone(entry.package()))
    }
}
