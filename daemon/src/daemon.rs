//! [`Daemon`]: the one value that every session, effect and connection of a daemon works with.
//!
//! The daemon value holds the lock, the store, the timer and what carries out effects, and it knows
//! about every session what its head says. It decides nothing about a session. Actors, effects and
//! server are built on it and unknown to it; `run.rs` puts them together. It lives on the arbiter's
//! thread.

mod exercise;
pub(crate) mod hub;
pub(crate) mod presence;
mod sessions;
mod spending;
mod turns;

pub(crate) use exercise::Exercise;
pub(crate) use spending::Reserved;
pub(crate) use turns::{Search, Searches, Turns};

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, Notify, oneshot};
use tokio_util::sync::CancellationToken;
use vosim_agent::memory::{Desk, Embedder, SentenceFiles, no_vectors, sentences, served};
use vosim_engine::kinds;
use vosim_engine::parts::budget::{self, Estimate};
use vosim_protocol::next::{Action, Next};
use vosim_protocol::paths::{Holder, Paths};
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::agent::{Caps, Crossing, Per, Price, Spent};
use vosim_protocol::v1::guide::Guide;
use vosim_protocol::v1::problem::{DrawnInputs, Suite};
use vosim_protocol::{ErrorCode, ErrorObject, Hash, Kind, SessionId, Time, Wire as _};
use vosim_store::{Append, Lock, Options, Store, StoreError};

use crate::clock::{Clock, SavedClock};
use crate::config::{Config, MemoryConfig};
use crate::content;
use crate::daemon::exercise::{Exercises, Named, Unread};
use crate::daemon::hub::Hub;
use crate::daemon::presence::Presence;
use crate::daemon::sessions::Sessions;
use crate::daemon::spending::UnderWay;
use crate::evaluator::{self, CancelGuard, Evaluator};
use crate::model::{Assistant, Configured, Model, OfflineAssistant, OfflineModel};
use crate::runtime_dir::Places;
use crate::timer::Timer;

/// The store's setting that names the current session (DECISIONS 30).
const CURRENT_KEY: &str = "current";

/// The store's setting that holds a hash of what a session was asked for with.
pub(crate) fn asked_key(id: SessionId) -> String {
    format!("asked.{id}")
}

/// The file of the memory of earlier tasks, beside the store.
const MEMORY_FILE: &str = "memory.jsonl";
/// The store's setting that holds what sessions of all kinds have used up today.
const SPENT_KEY: &str = "spent";
/// The store's setting that holds what is known of the clock.
const CLOCK_KEY: &str = "clock";

/// A daemon that holds its lock and its store.
pub struct Daemon {
    /// The settings in force.
    pub(crate) config: Config,
    /// The directories.
    pub(crate) paths: Paths,
    /// The socket.
    pub(crate) socket: PathBuf,
    /// The event log.
    pub(crate) store: Store,
    /// Keeps deadlines and tells the time.
    pub(crate) timer: Timer,
    /// Runs candidates' code.
    pub(crate) evaluator: Arc<Evaluator>,
    /// Puts texts into words where a session names no model.
    pub model: Box<dyn Model>,
    /// The server of models that the settings name.
    pub configured: Configured,
    /// Answers candidates' questions where a session names no model, and where a server fails.
    pub assistant: Arc<dyn Assistant>,
    /// The heads of all sessions, and which session is the current one.
    pub(crate) sessions: Sessions,
    /// Carries what sessions publish to their streams.
    pub(crate) hub: RefCell<Hub>,
    /// The terminals that are attached.
    pub(crate) presence: Presence,
    /// Limits how much heavy work is done at once.
    pub(crate) turns: Turns,
    /// What cannot be recorded now, by its session, and why.
    pub(crate) unrecorded: RefCell<BTreeMap<SessionId, String>>,
    /// Told of what has been erased, whose bytes are still on the disk.
    pub(crate) erased: Notify,
    /// Cancelled when the daemon goes down.
    pub shutdown: CancellationToken,
    /// When the daemon started.
    pub(crate) started: Time,
    exercises: Exercises,
    /// Whose turn it is to look at what has been used up, or to add to it.
    spending: Mutex<()>,
    under_way: UnderWay,
    /// Of earlier tasks.
    memory: OnceCell<Desk>,
    /// Why the daemon goes down, if it cannot go on.
    fatal: RefCell<Option<String>>,
    /// Held until the process ends.
    pub(crate) lock: Lock,
}

/// What sessions of all kinds have used up on one day.
#[derive(Debug, Serialize, Deserialize)]
struct DaySpent {
    /// In UTC.
    day: String,
    spent: Spent,
}

/// The day of a moment, in UTC: `2026-01-16`.
fn day(at: Time) -> String {
    at.to_string().chars().take(10).collect()
}

impl fmt::Debug for Daemon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Daemon").field("socket", &self.socket).finish_non_exhaustive()
    }
}

impl Daemon {
    /// Takes the lock, opens the store and reads the heads of all sessions; blocks.
    pub fn open(config: Config, places: &Places, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        let holder = Holder {
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            socket: places.socket.clone(),
        };
        let paths = places.paths.clone();
        let lock = Lock::take(&paths.data, &holder.to_string())?;
        let options = Options { backend: config.store.backend, ..Options::default() };
        let store = Store::open(&paths.data, options)?;
        let saved = store.key(CLOCK_KEY)?.and_then(|bytes| SavedClock::from_bytes(&bytes).ok());
        let timer = Timer::new(clock, saved);
        let heads = store.heads().context("reading the sessions")?;
        let current = store.key(CURRENT_KEY).context("reading the sessions")?;
        Ok(Self {
            paths,
            socket: places.socket.clone(),
            started: timer.look().at,
            timer,
            evaluator: Arc::new(
                evaluator::open(&config.evaluator).keep_warm(config.evaluator.warm),
            ),
            model: Box::new(OfflineModel),
            assistant: Arc::new(OfflineAssistant),
            configured: Configured::new(&config.model),
            sessions: Sessions::new(heads, current.as_deref()),
            hub: RefCell::default(),
            presence: Presence::default(),
            turns: Turns::default(),
            unrecorded: RefCell::default(),
            erased: Notify::new(),
            shutdown: CancellationToken::new(),
            exercises: Exercises::default(),
            spending: Mutex::default(),
            under_way: UnderWay::default(),
            memory: OnceCell::new(),
            fatal: RefCell::default(),
            config,
            store,
            lock,
        })
    }

    /// Returns the time.
    pub(crate) fn now(&self) -> Time {
        self.timer.look().at
    }

    /// Runs work that waits for the disk or a process, on another thread than the arbiter's.
    pub(crate) async fn blocking<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> R + Send + 'static,
    ) -> R {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || work(&store)).await {
            Ok(result) => result,
            // The work panicked, and so does whoever asked for it.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }

    /// Does the same as [`Daemon::blocking`] for work that takes long, as reading a whole log does: it waits for its turn.
    pub(crate) async fn reading<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> R + Send + 'static,
    ) -> R {
        let turn = self.turns.read().await;
        let in_turn = move |store: &Store| {
            // The turn ends with the work, also when nobody waits for it any more.
            let _turn = turn;
            work(store)
        };
        self.blocking(in_turn).await
    }

    /// Does the same as [`Daemon::blocking`], but turns a panic of the work into an error.
    pub(crate) async fn blocking_caught<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> R + Send + 'static,
    ) -> Result<R, ErrorObject> {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || work(&store)).await.map_err(|error| {
            tracing::error!(%error, "work on the store crashed");
            ErrorObject::new(
                ErrorCode::Internal,
                "the session could not be read; nothing was changed",
            )
        })
    }

    /// Makes events durable.
    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.store.append(append, move |done| {
            // Whoever waited may be gone.
            drop(sender.send(done));
        });
        receiver.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Returns the settings that become durable with a session's first events: it is the current one,
    /// and what it was asked for with.
    pub(crate) fn settings_of_new(&self, id: SessionId, asked: Hash) -> Vec<(String, Vec<u8>)> {
        let current = (CURRENT_KEY.to_owned(), id.to_string().into_bytes());
        vec![current, (asked_key(id), asked.to_string().into_bytes())]
    }

    /// Whether a session was asked for in this way.
    pub(crate) async fn was_asked(&self, id: SessionId, asked: Hash) -> Result<bool, ErrorObject> {
        let kept = self.blocking(move |store| store.key(&asked_key(id))).await;
        let kept = kept.map_err(|error| store_error(&error))?;
        // A session from a backup or an export may have lost it.
        Ok(kept.is_none_or(|kept| kept == asked.to_string().into_bytes()))
    }

    /// Makes a session the current one durably.
    pub(crate) async fn set_current(&self, id: Option<SessionId>) -> Result<(), ErrorObject> {
        let value = id.map(|id| id.to_string().into_bytes());
        let written = self.set_key(CURRENT_KEY, value).await;
        written.map_err(|error| store_error(&error))?;
        self.sessions.set_current(id);
        Ok(())
    }

    /// Saves what is known of the clock for the next start.
    pub(crate) async fn save_clock(&self, saved: &SavedClock) -> Result<(), StoreError> {
        self.set_key(CLOCK_KEY, Some(saved.to_line())).await
    }

    /// The folder that is made for a task to work in.
    pub(crate) fn workspace_of(&self, task: SessionId) -> PathBuf {
        self.paths.data.join("workspaces").join(format!("workspace_{task}"))
    }

    /// The folder with the marks of a task's steps.
    pub(crate) fn marks_of(&self, task: SessionId) -> PathBuf {
        self.paths.data.join("tasks").join(task.to_string())
    }

    /// Erases what a session has left beside the store: the workspace that was made for it, its marks, and
    /// what later tasks were to learn from it.
    pub(crate) async fn forget(&self, session: SessionId) {
        self.forget_with(session, vec![self.workspace_of(session), self.marks_of(session)]).await;
    }

    /// Erases what it has left of its code: a mark holds what a step writes, and a lesson is a difference.
    /// The workspace is what the task was for.
    pub(crate) async fn forget_code(&self, session: SessionId) {
        self.forget_with(session, vec![self.marks_of(session)]).await;
    }

    async fn forget_with(&self, session: SessionId, folders: Vec<PathBuf>) {
        let memory = self.paths.data.join(MEMORY_FILE);
        let remembers = self.blocking(move |_| {
            for folder in folders {
                let removed = std::fs::remove_dir_all(&folder);
                if let Err(error) = removed
                    && error.kind() != std::io::ErrorKind::NotFound
                {
                    tracing::warn!(folder = %folder.display(), %error, "a folder is left behind");
                }
            }
            memory.exists()
        });
        if !remembers.await {
            return;
        }
        let forgotten = match self.memory() {
            Ok(desk) => desk.forget(session).await.degraded.first().map(ToString::to_string),
            Err(reason) => Some(reason),
        };
        if let Some(reason) = forgotten {
            tracing::warn!(%session, reason, "something is still remembered of an erased session");
        }
    }

    /// The memory of earlier tasks, opened when somebody asks for it first.
    pub(crate) fn memory(&self) -> Result<&Desk, String> {
        if let Some(desk) = self.memory.get() {
            return Ok(desk);
        }
        let desk = Desk::open_with(self.paths.data.join(MEMORY_FILE), self.embedder())
            .map_err(|error| format!("the memory of earlier tasks cannot be opened: {error}"))?;
        Ok(self.memory.get_or_init(|| desk))
    }

    /// Makes what compares tasks with earlier ones, unless their words do (002 5.3). Files are read where it
    /// is made; the key of the server is read here.
    fn embedder(&self) -> impl FnOnce() -> Option<Box<dyn Embedder>> + Send + use<> {
        let MemoryConfig { model, vocabulary, server_model } = self.config.memory.clone();
        let server = server_model
            .map(|name| self.configured.endpoint(&name).map_err(|error| error.to_string()));
        move || match (model, vocabulary) {
            (Some(model), Some(vocabulary)) => {
                Some(sentences(&SentenceFiles { model, vocabulary }))
            }
            (Some(_), None) | (None, Some(_)) => {
                let why = "memory.model and memory.vocabulary belong together".to_owned();
                Some(no_vectors("the sentence model", why))
            }
            (None, None) => server.map(served),
        }
    }

    /// What sessions of all kinds have used up on the day of a moment.
    async fn spent_on(&self, at: Time) -> Result<Spent, StoreError> {
        let kept = self.blocking(|store| store.key(SPENT_KEY)).await?;
        let kept = kept.and_then(|bytes| DaySpent::from_bytes(&bytes).ok());
        Ok(kept.filter(|kept| kept.day == day(at)).map(|kept| kept.spent).unwrap_or_default())
    }

    /// Sets aside what a request may use up of the day, or tells which of the day's caps it would cross;
    /// what is under way counts as if it had been used up.
    pub(crate) async fn set_aside(
        &self,
        at: Time,
        caps: &Caps,
        estimate: Estimate,
        price: Option<Price>,
    ) -> Result<Result<Reserved, Crossing>, StoreError> {
        let _turn = self.spending.lock().await;
        let spent = self.under_way.after(self.spent_on(at).await?);
        Ok(match budget::crossing(Per::Day, caps, &spent, estimate, price) {
            Some(crossing) => Err(crossing),
            None => Ok(self.under_way.reserve(estimate, price)),
        })
    }

    /// Adds what a request has really taken and returns the new sum. One after the other: sessions ask
    /// models at the same time, and each would keep the sum without the others.
    pub(crate) async fn spend(
        &self,
        at: Time,
        reserved: Reserved,
        add: impl FnOnce(Spent) -> Spent,
    ) -> Result<Spent, StoreError> {
        let spent = self.count(at, add).await?;
        // The sum has it now.
        drop(reserved);
        Ok(spent)
    }

    /// Counts time at work in which no model was asked: that of a run of tests.
    pub(crate) async fn spend_time(&self, at: Time, took_ms: u64) -> Result<Spent, StoreError> {
        let add = |spent: Spent| {
            let wall_ms = spent.wall_ms.saturating_add(took_ms);
            Spent { wall_ms, ..spent }
        };
        self.count(at, add).await
    }

    async fn count(&self, at: Time, add: impl FnOnce(Spent) -> Spent) -> Result<Spent, StoreError> {
        let _turn = self.spending.lock().await;
        let spent = add(self.spent_on(at).await?);
        self.set_key(SPENT_KEY, Some(DaySpent { day: day(at), spent }.to_line())).await?;
        Ok(spent)
    }

    async fn set_key(&self, name: &'static str, value: Option<Vec<u8>>) -> Result<(), StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.store.set_key(name, value, move |done| drop(sender.send(done)));
        receiver.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Returns what the code of sessions with this spec is judged by: this suite, by default the one
    /// that comes with the problem.
    ///
    /// The exercises that were read last are kept for a while: whoever submits once submits again
    /// soon, and reading a suite takes longer than a small run.
    pub(crate) async fn exercise(
        &self,
        kind: Kind,
        spec: Hash,
        suite: Option<Hash>,
    ) -> Result<Arc<Exercise>, String> {
        let named = Named { spec, suite };
        if let Some(exercise) = self.exercises.kept(named) {
            return Ok(exercise);
        }
        let data = self.paths.data.clone();
        let read = move |store: &Store| Exercise::read(store, &data, kind, named);
        let exercise = match (self.blocking(read).await, suite) {
            (Ok(exercise), _) => exercise,
            (Err(Unread::Suite(why)), Some(suite)) => {
                self.drawn_again(kind, (spec, suite), why).await?
            }
            (Err(unread), _) => return Err(unread.into()),
        };
        Ok(self.exercises.keep(named, exercise))
    }

    /// The exercise of a session whose drawn suite cannot be read. The spec has all that it was drawn
    /// with, so it is drawn again; `why` stays where nothing is drawn, or not the very same.
    async fn drawn_again(
        &self,
        kind: Kind,
        (spec, suite): (Hash, Hash),
        why: String,
    ) -> Result<Exercise, String> {
        let Some(draw) = self.drawn_inputs(kind, spec).await? else { return Err(why) };
        let data = self.paths.data.clone();
        let named = Named { spec, suite: None };
        let read = move |store: &Store| Exercise::read(store, &data, kind, named);
        let embedded = Arc::new(self.blocking(read).await?);
        let drawn = self.draw(draw, Arc::clone(&embedded)).await;
        let Some((drawn, bytes)) = drawn.ok().filter(|(_, bytes)| Hash::of(bytes) == suite) else {
            return Err(why);
        };
        let problem = embedded.problem.clone();
        let id = problem.id.clone();
        self.blocking(move |store| exercise::put_back(store, &id, suite, &bytes)).await;
        Ok(Exercise { problem, suite: drawn })
    }

    /// How the hidden inputs of sessions with this spec are drawn; none where the problem has no generator.
    pub(crate) async fn drawn_inputs(
        &self,
        kind: Kind,
        spec: Hash,
    ) -> Result<Option<DrawnInputs>, String> {
        self.blocking(move |store| {
            let spec = store.blob(spec).map_err(|error| error.to_string())?;
            kinds::draw(kind, &spec).map_err(|error| error.to_string())
        })
        .await
    }

    /// Draws hidden inputs when it is their turn: the exercise's suite with them, and its bytes.
    pub(crate) async fn draw(
        &self,
        draw: DrawnInputs,
        exercise: Arc<Exercise>,
    ) -> Result<(Suite, Vec<u8>), String> {
        let _turn = self.turns.run().await;
        let (_guard, cancel) = CancelGuard::new().map_err(|error| cause(&error))?;
        let evaluator = Arc::clone(&self.evaluator);
        self.blocking(move |_| {
            let Exercise { problem, suite } = &*exercise;
            let drawn = evaluator.draw(&draw, problem, suite.clone(), content::check_ops, &cancel);
            let suite = drawn.map_err(|refusal| refusal.to_string())?;
            let bytes = suite.to_line();
            Ok((suite, bytes))
        })
        .await
    }

    /// What guides through the problem of a session; none where nothing does.
    pub(crate) async fn guide(&self, kind: Kind, spec: Hash) -> Result<Option<Guide>, String> {
        self.blocking(move |store| {
            let spec = store.blob(spec).map_err(|error| error.to_string())?;
            kinds::guide(kind, &spec).map_err(|error| error.to_string())
        })
        .await
    }

    /// Shuts the daemon down if its store can no longer write. The service manager or the next
    /// client starts it again, and then it is known what was written.
    pub(crate) fn note_store_error(&self, error: &StoreError) {
        if matches!(error, StoreError::Failed { .. }) {
            self.end(error.to_string());
        }
    }

    /// Shuts the daemon down because it cannot go on.
    pub(crate) fn end(&self, reason: String) {
        tracing::error!(reason, "the daemon cannot go on");
        self.fatal.borrow_mut().get_or_insert(reason);
        self.shutdown.cancel();
    }

    /// Returns why the daemon could not go on, if that is why it goes down.
    pub(crate) fn fatal(&self) -> Option<String> {
        self.fatal.borrow().clone()
    }
}

/// Returns what a client is told about a failure of the store.
pub(crate) fn store_error(error: &StoreError) -> ErrorObject {
    let code = match error {
        StoreError::Unknown { .. } | StoreError::Deleted { .. } => ErrorCode::UnknownSession,
        StoreError::Busy { .. } => ErrorCode::Busy,
        StoreError::Damaged { .. } | StoreError::Hole { .. } | StoreError::Chain { .. } => {
            return ErrorObject::new(ErrorCode::StoreDamaged, error.to_string())
                .next(Next::run("bring back a backup", Action::Restore));
        }
        _ => ErrorCode::StoreUnavailable,
    };
    ErrorObject::new(code, error.to_string())
}
