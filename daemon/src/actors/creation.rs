//! [`Create`]: starts a session.
//!
//! Sessions are created one at a time, so that two requests cannot both find that none is in
//! progress. A repeated request finds the session that it has already created. What a session of a
//! kind is made of is left to `specs.rs`, and the first events to the engine.

use std::rc::Rc;
use std::time::Duration;

use actix::{Addr, AsyncContext, Context, Handler, Message, ResponseFuture};
use vosim_engine::Sealed;
use vosim_protocol::next::{Action, Next, Switch};
use vosim_protocol::v1::service::CreateParams;
use vosim_protocol::{
    Blob, ErrorCode, ErrorObject, EventId, EventRecord, Hash, Head, Json, Role, Time, Wire,
};
use vosim_store::Append;

use crate::actors::delivery;
use crate::actors::registry::{Awaken, Registry, crashed};
use crate::actors::session::{Show, Tick};
use crate::clock::Look;
use crate::daemon::{Daemon, store_error};
use crate::specs;
use crate::timer::Timer;

/// How many of a session's first events a repeated request is answered with, and their most bytes.
const REPLAYED_EVENTS: usize = 2;
const REPLAYED_BYTES: usize = 4 * 1024 * 1024;

/// How often, and for how long at most, to check whether all sessions know of a step of the clock.
const SETTLE_STEP: Duration = Duration::from_millis(2);
const SETTLE_PATIENCE: Duration = Duration::from_secs(5);

/// Starts a session.
#[derive(Debug)]
pub struct Create(pub CreateParams);

impl Message for Create {
    type Result = Result<Begun, ErrorObject>;
}

/// A session that has begun, before anybody's filter.
#[derive(Debug)]
pub struct Begun {
    /// What lists show of it.
    pub head: Head,
    /// True when the request had been carried out before.
    pub replayed: bool,
    /// The first events.
    pub records: Vec<EventRecord>,
    /// What the candidate may see of it.
    pub view: Json,
}

impl Handler<Create> for Registry {
    type Result = ResponseFuture<Result<Begun, ErrorObject>>;

    fn handle(&mut self, Create(params): Create, ctx: &mut Context<Self>) -> Self::Result {
        let daemon = Rc::clone(&self.daemon);
        let registry = ctx.address();
        Box::pin(async move { create(&daemon, &registry, params).await })
    }
}

async fn create(
    daemon: &Rc<Daemon>,
    registry: &Addr<Registry>,
    params: CreateParams,
) -> Result<Begun, ErrorObject> {
    let id = params.session_id;
    if id.0.get_version_num() != 4 {
        let message = "session_id is not a UUID of version 4";
        return Err(ErrorObject::new(ErrorCode::InvalidParams, message));
    }
    let _turn = daemon.turns.create().await;
    let asked = Hash::of(&serde_json::json!([params.kind, params.args]).to_line());
    if let Some(head) = daemon.sessions.head(id) {
        if !daemon.was_asked(id, asked).await? {
            let message = format!("session {} was made with other arguments", id.short());
            return Err(ErrorObject::new(ErrorCode::CommandIdReused, message)
                .next(Next::edit("ask for a new session under an id of its own")));
        }
        return again(daemon, registry, head).await;
    }
    if let Some(head) = daemon.sessions.in_progress().filter(|_| !params.beside) {
        return Err(ErrorObject::new(
            ErrorCode::SessionAlreadyActive,
            format!("session already in progress ({}...)", head.session_id.short()),
        )
        .next(Next::run("finish it first", Action::End))
        .next(Next::repeat("open one beside it", Switch::Beside)));
    }
    let spec = specs::spec(daemon, params.kind, params.session_id, &params.args).await?;
    let at = settled_time(&daemon.timer).await?;
    let (session, records) =
        vosim_engine::create(params.kind, id, &spec.bytes, at).map_err(|error| {
            ErrorObject::new(ErrorCode::Internal, format!("a spec of our own: {error}"))
        })?;
    let head = session.head();
    let mut blobs = spec.blobs;
    blobs.push(Blob(spec.bytes));
    let append = Append {
        session: id,
        expected: EventId::ZERO,
        lines: records.iter().map(|sealed| sealed.line.clone()).collect(),
        head: head.clone(),
        blobs,
        settings: daemon.settings_of_new(id, asked),
    };
    daemon.append(append).await.map_err(|error| {
        daemon.note_store_error(&error);
        store_error(&error)
    })?;
    daemon.sessions.set(head.clone());
    daemon.sessions.set_current(Some(id));
    if head.wants_waking || head.next_deadline.is_some() {
        delivery::tell(registry, id, Tick).await;
    }
    Ok(Begun {
        head,
        replayed: false,
        records: records.into_iter().map(|Sealed { record, .. }| record).collect(),
        view: session.view(Role::Candidate, at),
    })
}

/// Waits until every open session knows of all steps of the clock or is owed them, and returns the
/// time: a new session must not be told of a step from before its beginning.
async fn settled_time(timer: &Timer) -> Result<Time, ErrorObject> {
    let settled = async {
        loop {
            let Look { at, steps } = timer.look();
            if steps.is_empty() {
                return at;
            }
            tokio::time::sleep(SETTLE_STEP).await;
        }
    };
    tokio::time::timeout(SETTLE_PATIENCE, settled).await.map_err(|_| {
        ErrorObject::new(ErrorCode::Busy, "the clock was set just now")
            .next(Next::wait("a moment, then ask again"))
    })
}

/// Answers a request that was carried out before: the session exists already.
async fn again(
    daemon: &Rc<Daemon>,
    registry: &Addr<Registry>,
    head: Head,
) -> Result<Begun, ErrorObject> {
    let id = head.session_id;
    let closed = |_| crashed(id);
    let address = registry.send(Awaken(id)).await.map_err(closed)??;
    let seen = address.send(Show(Role::Candidate)).await.map_err(closed)??;
    let lines = daemon
        .blocking(move |store| store.read(id, EventId::ZERO, REPLAYED_EVENTS, REPLAYED_BYTES))
        .await
        .map_err(|error| store_error(&error))?;
    let records = lines.iter().filter_map(|line| EventRecord::from_bytes(line).ok()).collect();
    Ok(Begun { head, replayed: true, records, view: seen.view })
}
