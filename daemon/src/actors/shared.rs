//! [`Shared`]: what every actor and connection needs; it lives on the arbiter's thread.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::iter;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;
use vosim_protocol::v1::service::ListResult;
use vosim_protocol::{ErrorCode, ErrorObject, Hash, Head, SessionId, Time};
use vosim_store::{Append, Store, StoreError};

use crate::actors::hub::Hub;
use crate::actors::presence::Presence;
use crate::clock::Look;
use crate::config::Config;
use crate::effects::Task;
use crate::effects::file::Readers;
use crate::evaluator::Evaluator;
use crate::model::{Assistant, Model};
use crate::timer::Timer;

/// Name of the setting that holds the current session (DECISIONS 30).
const CURRENT_KEY: &str = "current";

/// Hexadecimal digits of an id.
const ID_DIGITS: usize = 32;

/// Sessions in one page of a list; a head has at most some hundred bytes.
const LIST_PAGE: usize = 1000;
/// Sessions that are being woken at a time without anybody waiting for it.
const WAKINGS: usize = 4;
/// How often it is looked whether a step of the clock has been told, and for how long.
const SETTLE_STEP: Duration = Duration::from_millis(2);
const SETTLE_PATIENCE: Duration = Duration::from_secs(5);

/// What every actor and connection needs.
pub struct Shared {
    /// The settings in force.
    pub config: Config,
    /// The data directory.
    pub data: PathBuf,
    /// The event log.
    pub store: Store,
    /// Runs candidates' code.
    pub evaluator: Arc<Evaluator>,
    /// Puts texts into words.
    pub model: Box<dyn Model>,
    /// Answers candidates' questions.
    pub assistant: Arc<dyn Assistant>,
    /// Where deadlines are set and the time comes from.
    pub timer: Timer,
    /// What sessions publish.
    pub hub: RefCell<Hub>,
    /// Who is attached.
    pub presence: Presence,
    /// Look at candidates' files.
    pub(crate) readers: Readers,
    /// Cancelled when the daemon goes down.
    pub shutdown: CancellationToken,
    /// Cancelled a little later, when streams have been told: connections close.
    pub closing: CancellationToken,
    /// The streams that are open.
    pub streams: TaskTracker,
    /// Set when it goes down because it cannot go on.
    pub fatal: RefCell<Option<String>>,
    /// Connections that are open.
    pub connections: Cell<u64>,
    started: Time,
    heads: RefCell<BTreeMap<SessionId, Head>>,
    current: Cell<Option<SessionId>>,
    turns: Semaphore,
    folds: Semaphore,
    wakings: Semaphore,
    creations: Semaphore,
    /// What code was judged by last, with the spec it comes from.
    task: RefCell<Option<(Hash, Arc<Task>)>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("heads", &self.heads.borrow().len()).finish_non_exhaustive()
    }
}

/// What a [`Shared`] is made of.
#[derive(Debug)]
pub struct Parts {
    /// The settings in force.
    pub config: Config,
    /// The data directory.
    pub data: PathBuf,
    /// The event log.
    pub store: Store,
    /// Where deadlines are set and the time comes from.
    pub timer: Timer,
    /// Runs candidates' code.
    pub evaluator: Arc<Evaluator>,
    /// Puts texts into words.
    pub model: Box<dyn Model>,
    /// Answers candidates' questions.
    pub assistant: Arc<dyn Assistant>,
}

impl Shared {
    /// Reads the heads of all sessions; blocks.
    pub fn new(parts: Parts, started: Time) -> Result<Self, StoreError> {
        let heads = parts.store.heads()?;
        for session in &heads.damaged {
            tracing::error!(%session, "a session's head cannot be read");
        }
        let heads: BTreeMap<_, _> =
            heads.heads.into_iter().map(|head| (head.session_id, head)).collect();
        let current = parts.store.key(CURRENT_KEY)?.and_then(|name| parse_id(&name));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            config: parts.config,
            data: parts.data,
            store: parts.store,
            evaluator: parts.evaluator,
            model: parts.model,
            assistant: parts.assistant,
            timer: parts.timer,
            hub: RefCell::default(),
            presence: Presence::default(),
            readers: Readers::default(),
            shutdown: CancellationToken::new(),
            closing: CancellationToken::new(),
            streams: TaskTracker::new(),
            fatal: RefCell::default(),
            connections: Cell::new(0),
            started,
            heads: RefCell::new(heads),
            current: Cell::new(current),
            turns: Semaphore::new(cores),
            folds: Semaphore::new(cores),
            wakings: Semaphore::new(WAKINGS),
            creations: Semaphore::new(1),
            task: RefCell::default(),
        })
    }

    /// The time, and which steps of the clock this session must hear of before it acts on it.
    pub fn look_for(&self, session: SessionId) -> Look {
        self.timer.look_for(session)
    }

    /// The time.
    pub fn now(&self) -> Time {
        self.timer.look().at
    }

    /// The time, once every open session has heard of all steps of the clock or is owed them: a
    /// session that is born now must not hear of a step that lies behind it.
    pub async fn settled_time(&self) -> Result<Time, ErrorObject> {
        let settled = async {
            loop {
                let Look { at, steps } = self.timer.look();
                if steps.is_empty() {
                    return at;
                }
                tokio::time::sleep(SETTLE_STEP).await;
            }
        };
        tokio::time::timeout(SETTLE_PATIENCE, settled).await.map_err(|_| {
            ErrorObject::new(ErrorCode::Busy, "the clock was set just now").hint("ask again")
        })
    }

    /// When the daemon started.
    pub fn started(&self) -> Time {
        self.started
    }

    /// Runs something that waits for the disk or a process, off the arbiter's thread.
    pub async fn blocking<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> R + Send + 'static,
    ) -> R {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || work(&store)).await {
            Ok(result) => result,
            // The work panicked: whoever asked for it panics with it and answers for it.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }

    /// The same for work whose panic must not be that of whoever asked for it.
    pub async fn blocking_caught<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> R + Send + 'static,
    ) -> Result<R, ErrorObject> {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || work(&store)).await.map_err(|error| {
            tracing::error!(%error, "work on the store fell over");
            ErrorObject::new(ErrorCode::Internal, "the session could not be read")
                .hint("nothing was changed; look into the daemon's log: vosimctl doctor")
        })
    }

    /// Makes events durable.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.store.append(append, move |done| {
            // Whoever waited may have gone.
            drop(sender.send(done));
        });
        receiver.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Waits for a turn to run code: as many at a time as there are cores.
    pub async fn turn(&self) -> SemaphorePermit<'_> {
        self.turns.acquire().await.expect("the semaphore is never closed")
    }

    /// Waits for a turn to fold a log: as many at a time as there are cores, so that a thousand
    /// sessions that wake at once take neither a thread nor a log's memory each.
    pub(crate) async fn fold_turn(&self) -> SemaphorePermit<'_> {
        self.folds.acquire().await.expect("the semaphore is never closed")
    }

    /// Waits for a turn to wake a session that nobody asks for, of which there may be thousands
    /// right after the start: whoever asks waits for a few of them at most.
    pub(crate) async fn waking_turn(&self) -> SemaphorePermit<'_> {
        self.wakings.acquire().await.expect("the semaphore is never closed")
    }

    /// What code was judged by last, if it comes from this spec.
    pub(crate) fn kept_task(&self, spec: Hash) -> Option<Arc<Task>> {
        let kept = self.task.borrow();
        kept.as_ref().filter(|(of, _)| *of == spec).map(|(_, task)| Arc::clone(task))
    }

    pub(crate) fn keep_task(&self, spec: Hash, task: &Arc<Task>) {
        *self.task.borrow_mut() = Some((spec, Arc::clone(task)));
    }

    /// Forgets a task, unless another one is kept by now.
    pub(crate) fn forget_task(&self, task: &Weak<Task>) {
        let mut kept = self.task.borrow_mut();
        if kept.as_ref().is_some_and(|(_, kept)| std::ptr::eq(Arc::as_ptr(kept), task.as_ptr())) {
            *kept = None;
        }
    }

    /// Waits until no other session is being created, so that two of them cannot both find that
    /// none is in progress.
    pub async fn creation(&self) -> SemaphorePermit<'_> {
        self.creations.acquire().await.expect("the semaphore is never closed")
    }

    /// Every session's head.
    pub fn heads(&self) -> Vec<Head> {
        self.heads.borrow().values().cloned().collect()
    }

    /// How many sessions there are.
    pub fn count_heads(&self) -> usize {
        self.heads.borrow().len()
    }

    /// One session's head.
    pub fn head(&self, id: SessionId) -> Option<Head> {
        self.heads.borrow().get(&id).cloned()
    }

    /// Keeps a session's new head.
    pub fn set_head(&self, head: Head) {
        self.heads.borrow_mut().insert(head.session_id, head);
    }

    /// Forgets a session.
    pub fn remove_head(&self, id: SessionId) {
        self.heads.borrow_mut().remove(&id);
    }

    /// The current session.
    pub fn current(&self) -> Option<SessionId> {
        self.current.get()
    }

    /// Makes a session the current one, durably.
    pub async fn set_current(&self, id: Option<SessionId>) -> Result<(), ErrorObject> {
        let (sender, receiver) = oneshot::channel();
        let value = id.map(|id| id.to_string().into_bytes());
        self.store.set_key(CURRENT_KEY, value, move |done| drop(sender.send(done)));
        let written = receiver.await.unwrap_or(Err(StoreError::Closed));
        written.map_err(|error| store_error(&error))?;
        self.current.set(id);
        Ok(())
    }

    /// The current session, if it has not ended.
    pub fn in_progress(&self) -> Option<Head> {
        self.current().and_then(|id| self.head(id)).filter(|head| !head.ended)
    }

    /// A page of the sessions, newest first.
    pub fn list(&self, skip: u64) -> ListResult {
        let heads = self.heads.borrow();
        let mut sessions: Vec<_> = heads.values().collect();
        sessions.sort_by_key(|head| (Reverse(head.started), head.session_id));
        let total = sessions.len() as u64;
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        let sessions = sessions.into_iter().skip(skip).take(LIST_PAGE).cloned().collect();
        ListResult { sessions, current: self.current(), total }
    }

    /// Finds a session by its id or the unique beginning of one; without a name the current one.
    pub fn locate(&self, name: Option<&str>) -> Result<Head, ErrorObject> {
        let Some(name) = name else {
            return self.current().and_then(|id| self.head(id)).ok_or_else(|| {
                ErrorObject::new(ErrorCode::NoActiveSession, "no active interview session")
                    .hint("start a new session with: vosimctl start")
            });
        };
        let heads = self.heads.borrow();
        let mut found = beginning(name).into_iter().flat_map(|ids| heads.range(ids));
        match (found.next(), found.next()) {
            (Some((_, head)), None) => Ok(head.clone()),
            (Some(_), Some(_)) => Err(ErrorObject::new(
                ErrorCode::AmbiguousSession,
                format!("several sessions begin with {name:?}"),
            )
            .hint("give more of the id: vosimctl list")),
            _ => Err(ErrorObject::new(
                ErrorCode::UnknownSession,
                format!("no session begins with {name:?}"),
            )
            .hint("see them all with: vosimctl list")),
        }
    }

    /// A store that can write no more ends the daemon: its supervisor or the next client starts
    /// it again, and then it is known what was written.
    pub fn note_store_error(&self, error: &StoreError) {
        if matches!(error, StoreError::Failed { .. }) {
            self.fatal.borrow_mut().get_or_insert_with(|| error.to_string());
            self.shutdown.cancel();
        }
    }
}

/// The ids that begin with these digits, dashes or none: one question to the map, however many
/// sessions there are. Nothing for what no id begins with.
fn beginning(name: &str) -> Option<RangeInclusive<SessionId>> {
    let digits: Vec<u8> = name.bytes().filter(|byte| *byte != b'-').collect();
    if digits.is_empty() || digits.len() > ID_DIGITS {
        return None;
    }
    let padded = |with: u8| {
        let bytes: Vec<u8> =
            digits.iter().copied().chain(iter::repeat(with)).take(ID_DIGITS).collect();
        Uuid::try_parse_ascii(&bytes).ok().map(SessionId)
    };
    Some(padded(b'0')?..=padded(b'f')?)
}

fn parse_id(text: &[u8]) -> Option<SessionId> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// What a client is told of a failure of the store.
pub fn store_error(error: &StoreError) -> ErrorObject {
    let code = match error {
        StoreError::Unknown { .. } | StoreError::Deleted { .. } => ErrorCode::UnknownSession,
        StoreError::Busy { .. } => ErrorCode::Busy,
        StoreError::Damaged { .. } | StoreError::Hole { .. } | StoreError::Chain { .. } => {
            ErrorCode::StoreDamaged
        }
        _ => ErrorCode::StoreUnavailable,
    };
    ErrorObject::new(code, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begins(name: &str, id: u128) -> bool {
        beginning(name).is_some_and(|ids| ids.contains(&SessionId(Uuid::from_u128(id))))
    }

    #[test]
    fn an_id_is_found_by_any_beginning_of_it_however_it_is_spelled() {
        let id = 0x1f2e_3d4c_5b6a_4798_8a9b_acbd_cedf_e0f1;
        let (plain, dashed) = (format!("{id:032x}"), Uuid::from_u128(id).to_string());
        for digits in 1..=plain.len() {
            assert!(begins(&plain[..digits], id), "{digits}");
            assert!(begins(&plain[..digits].to_uppercase(), id), "{digits}");
        }
        for letters in 1..=dashed.len() {
            assert!(begins(&dashed[..letters], id), "{letters}");
        }
    }

    #[test]
    fn ids_next_to_those_that_begin_so_are_not_among_them() {
        let first = 0x1f20 << 112;
        let last = first | (u128::MAX >> 16);
        assert!(begins("1f20", first) && begins("1f20", last));
        assert!(!begins("1f20", first - 1) && !begins("1f20", last + 1));
        assert!(begins("0", 0) && begins("f", u128::MAX));
        assert!(!begins(&format!("{first:032x}"), first + 1));
    }

    #[test]
    fn what_no_id_begins_with_finds_nothing() {
        for name in ["", "-", "g", "+1", " 1", "1 ", "ä", "0x1", &"0".repeat(33)] {
            assert_eq!(beginning(name), None, "{name:?}");
        }
    }
}
