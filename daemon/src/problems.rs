//! The problems that a session can be about: those of the binary, and people's own packages, which are
//! proved before anything is started with them.
//!
//! A proof is remembered by the hash of the package's bytes and by what judged them: this program, the
//! sandbox's helper and the interpreters. Whatever changes one of these makes it worth nothing. A
//! session keeps all it needs in its spec, so a package that is changed or taken away concerns only
//! those to come.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::guide::Fit;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{Added, BrokenPackage, ProblemLine, ProblemListResult, Proof};
use vosim_protocol::{ErrorCode, ErrorObject, Hash, Outcome, ProblemId, Time, Wire};
use vosim_store::{Store, StoreError};

use crate::background;
use crate::content::{ContentError, Folder, Package, Shelf, UnknownProblem, catalog};
use crate::daemon::hub::Progress;
use crate::daemon::{Daemon, store_error};
use crate::evaluator::{CancelGuard, Evaluator};
use crate::proving::{self, Proven, Step};

/// The store's setting that holds the proofs.
const PROOFS_KEY: &str = "proofs";
/// Most proofs that are remembered; the oldest are forgotten.
const PROOFS_MAX: usize = 256;
/// With how many draws of hidden inputs a package is proved before it is started.
const SEEDS: u64 = 1;
/// How long a proof may take.
const PROOF_WITHIN: Duration = Duration::from_secs(10 * 60);
/// Steps of progress that may wait to be shown; more are left out.
const PROGRESS_WAITING: usize = 16;

/// A problem that was found.
pub(crate) enum FoundProblem {
    /// It comes with the binary, where a test has proved it.
    BuiltIn(Arc<Package>),
    /// Somebody's own, with the place where it stands.
    Own(PathBuf, Folder),
}

impl FoundProblem {
    /// The package, whether it is proved or not.
    pub(crate) fn package(&self) -> &Arc<Package> {
        match self {
            Self::BuiltIn(package) => package,
            Self::Own(_, folder) => &folder.package,
        }
    }
}

fn shelf(daemon: &Daemon) -> Shelf {
    Shelf::of(&daemon.paths.data)
}

/// Finds a problem by its id, or a package by the absolute path of its folder.
pub(crate) async fn find(daemon: &Daemon, name: &str) -> Result<FoundProblem, ErrorObject> {
    let shelf = shelf(daemon);
    if name.contains('/') {
        let place = PathBuf::from(name);
        if !place.is_absolute() {
            let message = format!("the folder of a package needs an absolute path: {name}");
            return Err(ErrorObject::new(ErrorCode::BadPath, message));
        }
        let found = read(daemon, place.clone(), move || Folder::read(&place)).await?;
        return match catalog().is_mistaken_for(found.package()) {
            true => Err(built_in(&found.package().problem.id)),
            false => Ok(found),
        };
    }
    let Ok(id) = name.parse::<ProblemId>() else { return Err(unknown(daemon, name).await) };
    if let Some(package) = catalog().get(&id) {
        return Ok(FoundProblem::BuiltIn(package));
    }
    let place = shelf.place(&id);
    let looked_at = place.clone();
    if !daemon.blocking(move |_| looked_at.exists()).await {
        return Err(unknown(daemon, name).await);
    }
    read(daemon, place, move || shelf.read(&id)).await
}

async fn read(
    daemon: &Daemon,
    place: PathBuf,
    read: impl FnOnce() -> Result<Folder, ContentError> + Send + 'static,
) -> Result<FoundProblem, ErrorObject> {
    match daemon.blocking(move |_| read()).await {
        Ok(folder) => Ok(FoundProblem::Own(place, folder)),
        Err(error @ ContentError::Read { .. }) => Err(unproved(line(&error))),
        Err(error @ (ContentError::Missing { .. } | ContentError::Invalid { .. })) => {
            Err(unproved(format!("{}: {}", place.display(), line(&error))))
        }
    }
}

async fn unknown(daemon: &Daemon, name: &str) -> ErrorObject {
    UnknownProblem { name: name.to_owned(), own: own(daemon).await }.into()
}

/// The ids of people's own packages.
async fn own(daemon: &Daemon) -> Vec<ProblemId> {
    let shelf = shelf(daemon);
    daemon.blocking(move |_| shelf.ids()).await
}

fn unproved(message: String) -> ErrorObject {
    ErrorObject::new(ErrorCode::ProblemUnproved, message)
        .next(Next::run("see everything that is wrong", Action::CheckProblem))
}

/// A mistake of a package with its cause, in one line.
fn line(error: &ContentError) -> String {
    let source = std::error::Error::source(error);
    let told = |source: &(dyn std::error::Error + 'static)| match source
        .downcast_ref::<std::io::Error>()
    {
        Some(system) => cause(system),
        None => source.to_string(),
    };
    source.map_or_else(|| error.to_string(), |source| format!("{error}: {}", told(source)))
}

/// Returns the package with which a session is started; one that is not proved is refused.
pub(crate) async fn proved(daemon: &Daemon, name: &str) -> Result<Arc<Package>, ErrorObject> {
    match find(daemon, name).await? {
        FoundProblem::BuiltIn(package) => Ok(package),
        FoundProblem::Own(_, folder) if is_proved(daemon, &folder).await? => Ok(folder.package),
        FoundProblem::Own(place, folder) => {
            let title = &folder.package.problem.title;
            Err(unproved(format!("{title} is not proved yet: {}", place.display())))
        }
    }
}

/// Proves a package, unless that was done before. Dropping the future ends it.
pub(crate) async fn prove(
    daemon: &Daemon,
    name: &str,
    show: impl Fn(Progress) + 'static,
) -> Result<Proof, ErrorObject> {
    let found = find(daemon, name).await?;
    let problem = &found.package().problem;
    let known = Proof {
        id: problem.id.clone(),
        title: problem.title.clone(),
        path: None,
        fault: None,
        broken: 0,
        programs: u32::try_from(found.package().programs.len()).unwrap_or(u32::MAX),
        remembered: true,
    };
    let FoundProblem::Own(place, folder) = found else { return Ok(known) };
    let known = Proof { path: Some(place.display().to_string()), ..known };
    if is_proved(daemon, &folder).await? {
        return Ok(known);
    }
    let judge = judge(daemon).await;
    let proven = run(daemon, Arc::clone(&folder.package), show).await?;
    let faults = proven.faults();
    let broken = u32::try_from(faults.len()).unwrap_or(u32::MAX);
    let fault = faults.into_iter().next();
    if fault.is_none() {
        let proof = Remembered { package: folder.hash, judge };
        let kept = daemon.blocking(move |store| remember(store, proof)).await;
        kept.map_err(|error| store_error(&error))?;
    }
    Ok(Proof { fault, broken, remembered: false, ..known })
}

/// Runs all programs of a package on a thread of its own; each waits for a turn among the submissions.
async fn run(
    daemon: &Daemon,
    package: Arc<Package>,
    show: impl Fn(Progress) + 'static,
) -> Result<Proven, ErrorObject> {
    let (_guard, cancel) = CancelGuard::new().map_err(|error| {
        ErrorObject::new(ErrorCode::SandboxFailed, format!("nothing can be run: {error}"))
    })?;
    let (sender, mut receiver) = mpsc::channel(PROGRESS_WAITING);
    background::spawn("progress", async move {
        while let Some(progress) = receiver.recv().await {
            show(progress);
        }
    });
    let (search, evaluator) =
        (daemon.turns.searches().begin().await, Arc::clone(&daemon.evaluator));
    let until = Instant::now() + PROOF_WITHIN;
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let proven = daemon.blocking(move |_| {
        let begin = |Step { done, of, program }: Step<'_>| {
            if Instant::now() >= until {
                return Err("all of them together take more than 10 minutes".to_owned());
            }
            let text = program.to_owned();
            // Whoever shows progress can miss a step of it.
            drop(sender.try_send(Progress { text, done: count(done), of: Some(count(of)) }));
            Ok(search.turn())
        };
        proving::prove(&package, SEEDS, (evaluator.as_ref(), cancel.as_ref()), begin)
    });
    Ok(proven.await)
}

/// A proof that is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Remembered {
    package: Hash,
    judge: Hash,
}

fn remembered(store: &Store) -> Result<Vec<Remembered>, StoreError> {
    let kept = store.key(PROOFS_KEY)?;
    // What cannot be read is proved again.
    Ok(kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
}

fn remember(store: &Store, proof: Remembered) -> Result<(), StoreError> {
    let mut proofs = remembered(store)?;
    proofs.retain(|other| *other != proof);
    proofs.insert(0, proof);
    proofs.truncate(PROOFS_MAX);
    store.set_key_blocking(PROOFS_KEY, Some(serde_json::json!(proofs).to_line()))
}

async fn is_proved(daemon: &Daemon, folder: &Folder) -> Result<bool, ErrorObject> {
    let proof = Remembered { package: folder.hash, judge: judge(daemon).await };
    let proofs = daemon.blocking(remembered).await.map_err(|error| store_error(&error))?;
    Ok(proofs.contains(&proof))
}

/// What a verdict depends on besides the package.
async fn judge(daemon: &Daemon) -> Hash {
    let evaluator = Arc::clone(&daemon.evaluator);
    daemon.reading(move |_| judge_of(&evaluator)).await
}

fn judge_of(evaluator: &Evaluator) -> Hash {
    let version = |language| match evaluator.runtime(language) {
        Ok(runtime) => format!("{} {}", runtime.path.display(), runtime.version),
        Err(_) => "none".to_owned(),
    };
    let mut parts = vec![
        env!("CARGO_PKG_VERSION").to_owned(),
        stamp(Path::new("/proc/self/exe")),
        stamp(&evaluator.sandbox()),
    ];
    parts.extend(Language::ALL.map(version));
    Hash::of(parts.join("\n").as_bytes())
}

/// Size and time of change of a program; a newer one has others.
fn stamp(program: &Path) -> String {
    fs::metadata(program).map_or_else(
        |_| "none".to_owned(),
        |about| format!("{} {} {}", about.len(), about.mtime(), about.mtime_nsec()),
    )
}

/// Keeps a proved package among the problems.
pub(crate) async fn add(daemon: &Daemon, path: &str) -> Result<Added, ErrorObject> {
    let (place, folder) = match find(daemon, path).await? {
        FoundProblem::Own(place, folder) => (place, folder),
        FoundProblem::BuiltIn(package) => return Err(built_in(&package.problem.id)),
    };
    let (id, title) = (folder.package.problem.id.clone(), folder.package.problem.title.clone());
    if catalog().holds(&id) {
        return Err(built_in(&id));
    }
    if !is_proved(daemon, &folder).await? {
        return Err(unproved(format!("{title} is not proved yet: {}", place.display())));
    }
    let shelf = shelf(daemon);
    let replayed = daemon.blocking(move |_| put(&shelf, &folder)).await?;
    Ok(Added { id, title, replayed })
}

/// Puts a package on the shelf; true where the very same one stands there already.
fn put(shelf: &Shelf, folder: &Folder) -> Result<bool, ErrorObject> {
    let id = &folder.package.problem.id;
    if !shelf.place(id).exists() {
        let put = shelf.put(folder).map(|()| false);
        return put.map_err(|error| {
            let message =
                format!("{} cannot be written: {}", shelf.place(id).display(), cause(&error));
            ErrorObject::new(ErrorCode::BadPath, message)
        });
    }
    if shelf.read(id).is_ok_and(|there| there.hash == folder.hash) {
        return Ok(true);
    }
    Err(ErrorObject::new(
        ErrorCode::ProblemExists,
        format!("there is another problem '{id}' already"),
    )
    .next(Next::run("take that one away first", Action::RemoveProblem))
    .next(Next::edit("give this one another id in .vosim/interface.toml")))
}

fn built_in(id: &ProblemId) -> ErrorObject {
    ErrorObject::new(ErrorCode::ProblemBuiltIn, format!("'{id}' comes with vosim"))
        .next(Next::edit("give yours another id in .vosim/interface.toml"))
}

/// Takes a package of somebody's own away.
pub(crate) async fn remove(daemon: &Daemon, id: ProblemId) -> Result<(), ErrorObject> {
    if catalog().holds(&id) {
        let message = format!("'{id}' comes with vosim and stays");
        return Err(ErrorObject::new(ErrorCode::ProblemBuiltIn, message)
            .next(Next::run("see which ones are yours", Action::Problems)));
    }
    let shelf = shelf(daemon);
    let (place, name) = (shelf.place(&id), id.clone());
    let removed = daemon.blocking(move |_| place.exists().then(|| shelf.remove(&name))).await;
    let Some(removed) = removed else { return Err(unknown(daemon, id.as_str()).await) };
    removed.map_err(|error| {
        ErrorObject::new(ErrorCode::BadPath, format!("'{id}' cannot be removed: {}", cause(&error)))
    })
}

/// Returns whether a session can be started with an id alone.
pub(crate) async fn known(daemon: &Daemon) -> impl Fn(&ProblemId) -> bool + use<> {
    let own = own(daemon).await;
    move |id| catalog().holds(id) || own.contains(id)
}

/// Lists the problems, those of the binary first, with how the last session about each came out.
pub(crate) async fn list(daemon: &Daemon) -> Result<ProblemListResult, ErrorObject> {
    let mut last: BTreeMap<ProblemId, (Time, Outcome)> = BTreeMap::new();
    for head in daemon.sessions.heads() {
        let Some(finished) = head.finished else { continue };
        let entry = last.entry(finished.problem).or_insert((head.last, finished.outcome));
        if head.last >= entry.0 {
            *entry = (head.last, finished.outcome);
        }
    }
    let judge = judge(daemon).await;
    let shelf = shelf(daemon);
    let listed = daemon.reading(move |store| -> Result<_, StoreError> {
        let outcome = |id: &ProblemId| last.get(id).map(|(_, outcome)| *outcome);
        let built_in = catalog().list().map(|package| of(package, outcome(&package.problem.id)));
        let mut result = ProblemListResult { problems: built_in.collect(), unreadable: Vec::new() };
        let proofs = remembered(store)?;
        for id in shelf.ids() {
            match shelf.read(&id) {
                Ok(Folder { package, hash, .. }) => result.problems.push(ProblemLine {
                    own: true,
                    unproved: !proofs.contains(&Remembered { package: hash, judge }),
                    ..of(&package, outcome(&id))
                }),
                Err(error) => result.unreadable.push(BrokenPackage { id, reason: line(&error) }),
            }
        }
        Ok(result)
    });
    listed.await.map_err(|error| store_error(&error))
}

fn of(package: &Package, last: Option<Outcome>) -> ProblemLine {
    let problem = &package.problem;
    let fits = package.coaching.patterns.iter().filter(|pattern| pattern.fit == Fit::Good);
    ProblemLine {
        id: problem.id.clone(),
        title: problem.title.clone(),
        languages: problem.starters.keys().copied().collect(),
        cases: u32::try_from(problem.cases.len()).unwrap_or(u32::MAX),
        licence: problem.licence.clone(),
        rung: problem.rung,
        patterns: fits.map(|pattern| pattern.name.clone()).collect(),
        own: false,
        unproved: false,
        last,
    }
}
