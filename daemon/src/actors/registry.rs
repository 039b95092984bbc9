//! [`Registry`]: wakes sessions from their logs and knows which of them are awake.
//!
//! An actor that has panicked has a closed address, and the next request wakes its session again
//! from the log. actix's own `Supervisor` would not do that: it does not restart after a panic. The
//! registry never changes a session; it hands out the addresses of their actors.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use actix::fut::wrap_future;
use actix::{Actor, ActorFutureExt, Addr, AsyncContext, Context, Handler, Message, ResponseFuture};
use tokio::sync::oneshot;
use vosim_engine::AnySession;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Head, SessionId};
use vosim_store::Store;

use crate::actors::session::{Asleep, SessionActor, Stop};
use crate::daemon::{Daemon, store_error};

/// How many records and bytes are read at once while a log is folded.
const READ_EVENTS: usize = 1024;
const READ_BYTES: usize = 4 * 1024 * 1024;

/// The sessions that are awake or are being woken.
pub struct Registry {
    pub(crate) daemon: Rc<Daemon>,
    sessions: BTreeMap<SessionId, Entry>,
    /// How many of these are awake.
    awake: usize,
}

enum Entry {
    Awake(Addr<SessionActor>),
    /// The session's log is being folded; these requests wait for it.
    Waking(Vec<oneshot::Sender<Woken>>),
    /// The session is being erased; nobody may wake it meanwhile.
    Leaving,
}

type Woken = Result<Addr<SessionActor>, ErrorObject>;

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("awake", &self.awake).finish_non_exhaustive()
    }
}

/// Asks for the address of a session's actor, which is woken if it sleeps.
#[derive(Clone, Copy, Debug)]
pub struct Awaken(pub SessionId);

impl Message for Awaken {
    type Result = Woken;
}

/// Ends a session's actor and keeps it from being woken until [`Erased`].
#[derive(Clone, Copy, Debug)]
pub struct Dismiss(pub SessionId);

impl Message for Dismiss {
    type Result = ();
}

/// Says that a dismissed session has been erased, or could not be erased and may be woken again.
#[derive(Clone, Copy, Debug)]
pub struct Erased(pub SessionId);

impl Message for Erased {
    type Result = ();
}

/// Asks how many sessions are awake.
#[derive(Clone, Copy, Debug)]
pub struct CountAwake;

impl Message for CountAwake {
    type Result = usize;
}

impl Registry {
    /// Makes a registry in which every session sleeps.
    pub fn new(daemon: Rc<Daemon>) -> Self {
        Self { daemon, sessions: BTreeMap::new(), awake: 0 }
    }

    /// Replaces a session's entry and returns the previous one.
    fn note(&mut self, id: SessionId, entry: Option<Entry>) -> Option<Entry> {
        let awake = |entry: &Option<Entry>| usize::from(matches!(entry, Some(Entry::Awake(_))));
        let now = awake(&entry);
        let before = match entry {
            Some(entry) => self.sessions.insert(id, entry),
            None => self.sessions.remove(&id),
        };
        self.awake = self.awake + now - awake(&before);
        before
    }

    /// Folds a session's log on another thread, then starts its actor and answers those who wait.
    fn wake(&mut self, id: SessionId, ctx: &mut Context<Self>) -> oneshot::Receiver<Woken> {
        let (sender, receiver) = oneshot::channel();
        match self.sessions.get_mut(&id) {
            Some(Entry::Awake(address)) if address.connected() => {
                // The receiver is still here, so this cannot fail.
                drop(sender.send(Ok(address.clone())));
                return receiver;
            }
            Some(Entry::Waking(waiting)) => {
                waiting.push(sender);
                return receiver;
            }
            Some(Entry::Leaving) => {
                drop(sender.send(Err(unknown(id))));
                return receiver;
            }
            Some(Entry::Awake(_)) | None => {}
        }
        self.note(id, Some(Entry::Waking(vec![sender])));
        let head = self.daemon.sessions.head(id);
        let daemon = Rc::clone(&self.daemon);
        let folded = async move {
            let head = head.ok_or_else(|| unknown(id))?;
            let _turn = daemon.turns.fold().await;
            daemon.blocking_caught(move |store| fold(store, &head)).await?
        };
        ctx.spawn(wrap_future(folded).map(move |folded, registry: &mut Self, ctx| {
            // If it was dismissed while it was being folded, those who waited have been answered.
            if matches!(registry.sessions.get(&id), Some(Entry::Waking(_))) {
                match folded {
                    Ok(session) => registry.start(id, session, ctx),
                    Err(error) => registry.give_up(id, &error),
                }
            }
        }));
        receiver
    }

    fn start(&mut self, id: SessionId, session: Box<dyn AnySession>, ctx: &mut Context<Self>) {
        self.daemon.sessions.set(session.head());
        let actor = SessionActor::new(Rc::clone(&self.daemon), ctx.address().recipient(), session);
        let address = actor.start();
        let waiting = self.note(id, Some(Entry::Awake(address.clone())));
        tell_all(waiting, &Ok(address));
    }

    fn give_up(&mut self, id: SessionId, error: &ErrorObject) {
        if error.code == ErrorCode::StoreDamaged {
            tracing::error!(session = %id, %error, "a session could not be woken");
        }
        tell_all(self.note(id, None), &Err(error.clone()));
    }
}

fn tell_all(entry: Option<Entry>, woken: &Woken) {
    let Some(Entry::Waking(waiting)) = entry else { return };
    for sender in waiting {
        // Whoever asked may be gone.
        drop(sender.send(woken.clone()));
    }
}

/// Reads a session's log and spec and folds them; blocks.
fn fold(store: &Store, head: &Head) -> Result<Box<dyn AnySession>, ErrorObject> {
    let id = head.session_id;
    let lines = read_log(store, id)?;
    let spec = store.blob(head.spec).map_err(|error| store_error(&error))?;
    vosim_engine::load(head.kind, id, &spec, lines.iter().map(Vec::as_slice)).map_err(|error| {
        ErrorObject::new(ErrorCode::StoreDamaged, format!("session {id} cannot be read: {error}"))
            .next(Next::run("see where", Action::Verify))
            .next(Next::run("bring back a backup", Action::Restore))
    })
}

/// Reads a session's whole log; blocks.
pub fn read_log(store: &Store, id: SessionId) -> Result<Vec<Vec<u8>>, ErrorObject> {
    let mut lines = Vec::new();
    loop {
        let after = EventId(lines.len() as u64);
        let more = store.read(id, after, READ_EVENTS, READ_BYTES);
        let more = more.map_err(|error| store_error(&error))?;
        if more.is_empty() {
            return Ok(lines);
        }
        lines.extend(more);
    }
}

/// Returns the error for an id that names no session.
pub(crate) fn unknown(id: SessionId) -> ErrorObject {
    ErrorObject::new(ErrorCode::UnknownSession, format!("no session {id}"))
        .next(Next::run("see them all", Action::List))
}

/// Returns the error for a session whose actor has ended in the middle of its work: a fault of ours.
pub(crate) fn crashed(id: SessionId) -> ErrorObject {
    let message = format!("the daemon failed at session {id}; its recorded events are untouched");
    ErrorObject::new(ErrorCode::Internal, message)
}

impl Actor for Registry {
    type Context = Context<Self>;
}

impl Handler<Awaken> for Registry {
    type Result = ResponseFuture<Woken>;

    fn handle(&mut self, Awaken(id): Awaken, ctx: &mut Context<Self>) -> Self::Result {
        let woken = self.wake(id, ctx);
        Box::pin(async move { woken.await.unwrap_or_else(|_| Err(crashed(id))) })
    }
}

impl Handler<Asleep> for Registry {
    type Result = ();

    fn handle(&mut self, Asleep(id): Asleep, _: &mut Context<Self>) {
        // The session may have been woken again already.
        if matches!(self.sessions.get(&id), Some(Entry::Awake(address)) if !address.connected()) {
            self.note(id, None);
        }
    }
}

impl Handler<Dismiss> for Registry {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, Dismiss(id): Dismiss, _: &mut Context<Self>) -> Self::Result {
        self.daemon.timer.set(id, None);
        let entry = self.note(id, Some(Entry::Leaving));
        Box::pin(async move {
            match entry {
                // An actor whose address is closed has already ended.
                Some(Entry::Awake(address)) => address.send(Stop).await.unwrap_or_default(),
                waking => tell_all(waking, &Err(unknown(id))),
            }
        })
    }
}

impl Handler<Erased> for Registry {
    type Result = ();

    fn handle(&mut self, Erased(id): Erased, _: &mut Context<Self>) {
        if matches!(self.sessions.get(&id), Some(Entry::Leaving)) {
            self.note(id, None);
        }
    }
}

impl Handler<CountAwake> for Registry {
    type Result = usize;

    fn handle(&mut self, _: CountAwake, _: &mut Context<Self>) -> usize {
        self.awake
    }
}
