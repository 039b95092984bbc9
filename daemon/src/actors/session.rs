//! [`SessionActor`]: the one owner of one session (invariant 6).
//!
//! The actor knows no kind. For every input it asks the engine for a step, waits until the step's
//! records are durable, and only then keeps the new state, publishes and answers (invariant 2).
//! `AtomicResponse` keeps other messages out meanwhile. What the state then wants of the world
//! is started, and what it no longer wants is cancelled.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::fut::wrap_future;
use actix::{
    Actor, ActorContext, ActorFuture, ActorFutureExt, AsyncContext, AtomicResponse, Context,
    Handler, Message, Recipient, SpawnHandle,
};
use tokio_util::sync::CancellationToken;
use vosim_engine::{Answer, AnySession, CommandInput, Input, Rejection, Sealed, Settling, Step};
use vosim_protocol::misfit;
use vosim_protocol::v1::effect::{Effect, Failure};
use vosim_protocol::v1::service::DoParams;
use vosim_protocol::v1::service::limits::REPLAYED_MAX_EVENTS;
use vosim_protocol::{
    Blob, EffectId, ErrorObject, EventId, EventRecord, Hash, Json, Kind, Role, SessionId, Time,
    Wire,
};
use vosim_store::{Append, StoreError};

use crate::actors::retry::Retry;
use crate::background;
use crate::clock::Look;
use crate::daemon::hub::Published;
use crate::daemon::{Daemon, store_error};
use crate::effects::{self, Ended};

/// Bytes of an old command's events that are read back for whoever asks again.
const REPLAYED_BYTES_MAX: usize = 512 * 1024;

/// The owner of one session that is awake.
pub struct SessionActor {
    daemon: Rc<Daemon>,
    registry: Recipient<Asleep>,
    id: SessionId,
    kind: Kind,
    spec: Hash,
    session: Box<dyn AnySession>,
    /// What is under way in the world.
    running: BTreeMap<EffectId, CancellationToken>,
    /// The run that waits for inputs to be drawn is called off before it can begin.
    called_off: bool,
    sleep: Option<SpawnHandle>,
}

impl fmt::Debug for SessionActor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionActor").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Somebody asks for something.
#[derive(Debug)]
pub struct Ask(pub Arc<DoParams>);

impl Message for Ask {
    type Result = Result<Caused, ErrorObject>;
}

/// What a command caused, before anybody's filter.
#[derive(Debug)]
pub struct Caused {
    /// The session's last event.
    pub cursor: EventId,
    /// True when the command had been carried out before.
    pub replayed: bool,
    /// The events.
    pub records: Vec<EventRecord>,
    /// The command on its way to its result; absent for one that had been carried out before.
    pub settling: Option<Box<dyn Settling>>,
}

/// A command as the engine takes it.
pub(crate) fn input(params: &DoParams) -> CommandInput<'_> {
    CommandInput {
        id: params.command_id,
        if_cursor: params.if_cursor,
        name: &params.command,
        args: &params.args,
        blobs: &params.blobs,
        role: params.role,
    }
}

/// Time has passed, or the clock was stepped.
#[derive(Clone, Copy, Debug)]
pub struct Tick;

impl Message for Tick {
    type Result = Result<(), ErrorObject>;
}

/// The machine slept for so many microseconds.
#[derive(Clone, Copy, Debug)]
pub struct Suspended(pub u64);

impl Message for Suspended {
    type Result = Result<(), ErrorObject>;
}

/// The candidate's first terminal has come, or the last one gone: which, stands in
/// the daemon's table of terminals when this arrives.
#[derive(Clone, Copy, Debug)]
pub struct Attended;

impl Message for Attended {
    type Result = Result<(), ErrorObject>;
}

/// Something asked of the world ended.
#[derive(Debug)]
struct EffectEnded(EffectId, Ended);

impl Message for EffectEnded {
    type Result = Result<(), ErrorObject>;
}

/// What may be seen of a session now.
#[derive(Clone, Copy, Debug)]
pub struct Show(pub Role);

/// What [`Show`] shows.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The view.
    pub view: Json,
    /// The last event it shows.
    pub cursor: EventId,
    /// When.
    pub at: Time,
}

impl Message for Show {
    type Result = Result<Seen, ErrorObject>;
}

/// What a command caused, if it was carried out.
#[derive(Clone, Copy, Debug)]
pub struct CausedBy(pub vosim_protocol::CommandId);

impl Message for CausedBy {
    type Result = Result<Option<Caused>, ErrorObject>;
}

/// The registry is told that this session's actor has gone.
#[derive(Clone, Copy, Debug)]
pub struct Asleep(pub SessionId);

impl Message for Asleep {
    type Result = ();
}

/// Whether something that was asked of the world for the session is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Works;

impl Message for Works {
    type Result = Result<bool, ErrorObject>;
}

/// Calls off one run of the candidate's code, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallOff;

/// What became of a [`CallOff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CalledOff {
    /// A run has ended without a verdict; there may be another one.
    Run,
    /// A run that was about to begin will not.
    Waiting,
    /// There was none.
    Nothing,
}

impl Message for CallOff {
    type Result = Result<CalledOff, ErrorObject>;
}

/// Ends the actor; whatever it runs is cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Stop;

impl Message for Stop {
    type Result = ();
}

impl SessionActor {
    /// An actor for a session that has been folded.
    pub fn new(
        daemon: Rc<Daemon>,
        registry: Recipient<Asleep>,
        session: Box<dyn AnySession>,
    ) -> Self {
        let head = session.head();
        Self {
            daemon,
            registry,
            id: head.session_id,
            kind: head.kind,
            spec: head.spec,
            session,
            running: BTreeMap::new(),
            called_off: false,
            sleep: None,
        }
    }

    /// Asks the engine for a step. Steps of the clock come first; the session itself knows which
    /// of them it has heard of (DECISIONS 8).
    fn step(&self, input: &Input<'_>) -> Step {
        let Look { at, steps } = self.daemon.timer.look_for(self.id);
        let mut before = Vec::new();
        let mut session: Option<Box<dyn AnySession>> = None;
        for clock_step in steps {
            let current = session.as_deref().unwrap_or(self.session.as_ref());
            let step = current.step(&Input::ClockStep(clock_step), at);
            before.extend(step.records);
            session = Some(step.next);
        }
        let current = session.as_deref().unwrap_or(self.session.as_ref());
        let mut step = current.step(input, at);
        before.append(&mut step.records);
        step.records = before;
        step
    }

    /// Makes a step durable, keeps its state and then answers.
    fn carry_out<R: 'static>(
        &mut self,
        step: Step,
        blobs: Vec<Blob>,
        answer: impl FnOnce(&mut Self, Result<(Answer, Vec<Arc<Sealed>>), ErrorObject>) -> R + 'static,
    ) -> AtomicResponse<Self, R> {
        let answered = step.answer.clone();
        let kept = self.make_durable(step, blobs);
        AtomicResponse::new(Box::pin(kept.map(move |kept, actor: &mut Self, _| {
            answer(actor, kept.map(|records| (answered, records)))
        })))
    }

    /// Makes a step durable and keeps its state.
    fn make_durable(
        &self,
        step: Step,
        blobs: Vec<Blob>,
    ) -> impl ActorFuture<Self, Output = Result<Vec<Arc<Sealed>>, ErrorObject>> + use<> {
        let Step { records, next, .. } = step;
        let append = (!records.is_empty()).then(|| Append {
            session: self.id,
            expected: self.session.head().cursor,
            lines: records.iter().map(|sealed| sealed.line.clone()).collect(),
            head: next.head(),
            blobs,
            settings: Vec::new(),
        });
        let daemon = Rc::clone(&self.daemon);
        let durable = async move {
            match append {
                Some(append) => daemon.append(append).await,
                None => Ok(()),
            }
        };
        wrap_future(durable).map(move |durable, actor: &mut Self, ctx: &mut Context<Self>| {
            let kept = durable.map(|()| actor.keep(records, next, ctx));
            kept.map_err(|error| actor.unwritten(error, ctx))
        })
    }

    /// The records are durable: the new state becomes the state, and everybody is told.
    fn keep(
        &mut self,
        records: Vec<Sealed>,
        next: Box<dyn AnySession>,
        ctx: &mut Context<Self>,
    ) -> Vec<Arc<Sealed>> {
        let left = self.session.head().phase;
        self.session = next;
        let records: Vec<_> = records.into_iter().map(Arc::new).collect();
        for sealed in &records {
            let event = Published::Event(Arc::clone(sealed));
            self.daemon.hub.borrow().publish(self.id, event);
        }
        if !records.is_empty() {
            self.log_step(&left, &records);
            self.note_head();
        }
        self.daemon.timer.set(self.id, self.session.next_deadline());
        self.tend_effects(ctx);
        records
    }

    /// What the daemon's own log tells of a step (002 10.1): names of events and phases, and nothing of what
    /// stands in them.
    fn log_step(&self, from_state: &str, records: &[Arc<Sealed>]) {
        let id = self.id;
        for sealed in records {
            let (event, event_id) = (sealed.record.event_type.as_str(), sealed.record.event_id.0);
            tracing::debug!(session = %id, event, event_id, "recorded");
        }
        let to_state = self.session.head().phase;
        if to_state != from_state {
            let (kind, event) = (self.kind, "state_transition");
            tracing::info!(session = %id, %kind, event, from_state, to_state, "on to another state");
        }
    }

    /// What the daemon's own log tells of a command that was refused: what does not fit the phase in words of
    /// the program, and of everything else only the code, since its sentence may name what somebody wrote.
    fn log_refusal(&self, rejection: &Rejection) {
        let (id, kind, phase) = (self.id, self.kind, self.session.head().phase);
        let code = rejection.code();
        if let Rejection::InvalidTransition { command, because, .. } = rejection {
            tracing::info!(session = %id, %kind, phase, %code, command, because, "a command was refused");
        } else {
            tracing::info!(session = %id, %kind, phase, %code, "a command was refused");
        }
    }

    /// What lists show. A session that has just ended is archived: one file, its permanent record.
    fn note_head(&self) {
        let head = self.session.head();
        if head.ended {
            let (daemon, id) = (Rc::clone(&self.daemon), self.id);
            background::spawn("archive", async move {
                if let Err(error) = daemon.blocking(move |store| store.archive(id)).await {
                    tracing::error!(session = %id, %error, "an ended session was not archived");
                }
            });
        }
        self.daemon.sessions.set(head);
    }

    /// Nothing was recorded. The state is still the old one; where even that is not sure, the
    /// actor goes and the next question folds the log anew.
    fn unwritten(&self, error: StoreError, ctx: &mut Context<Self>) -> ErrorObject {
        tracing::debug!(session = %self.id, %error, "a step could not be recorded");
        if !error.passes() {
            ctx.stop();
        }
        self.daemon.note_store_error(&error);
        store_error(&error)
    }

    /// Starts what is wanted and not under way; cancels what is under way and not wanted.
    fn tend_effects(&mut self, ctx: &mut Context<Self>) {
        let wanted = self.session.wanted_effects();
        self.running.retain(|id, cancel| {
            let keep = wanted.iter().any(|(wanted, _)| wanted == id);
            if !keep {
                cancel.cancel();
            }
            keep
        });
        // Inputs that are there give what has waited for them an effect of its own: it is known by
        // being the next, and not by an id.
        let drawing = wanted.iter().any(|(_, effect)| matches!(effect, Effect::Draw(_)));
        let called_off = !drawing && mem::take(&mut self.called_off);
        for (id, effect) in wanted {
            if self.running.contains_key(&id) {
                continue;
            }
            let cancel = self.daemon.shutdown.child_token();
            self.running.insert(id, cancel.clone());
            let run = effects::Run {
                daemon: Rc::clone(&self.daemon),
                session: self.id,
                effect: id,
                kind: self.kind,
                spec: self.spec,
            };
            let (address, session, daemon) = (ctx.address(), self.id, Rc::clone(&self.daemon));
            let called_off = called_off && effects::may_be_called_off(&effect);
            background::spawn("effect", async move {
                let ended = match called_off {
                    true => Ended::from(effect.failed(cancelled())),
                    false => tokio::select! {
                        ended = run.carry_out(effect) => ended,
                        () = cancel.cancelled() => return,
                    },
                };
                deliver(&daemon, &address, (session, id), ended, &cancel).await;
                daemon.unrecorded.borrow_mut().remove(&session);
            });
        }
    }

    /// Sleeps after a while without questions: the log holds everything.
    fn stay_awake(&mut self, ctx: &mut Context<Self>) {
        if let Some(handle) = self.sleep.take() {
            ctx.cancel_future(handle);
        }
        let idle = Duration::from_secs(self.daemon.config.sessions.idle_sleep_secs);
        self.sleep = Some(ctx.run_later(idle, |actor, ctx| {
            if actor.running.is_empty() {
                ctx.stop();
            } else {
                actor.stay_awake(ctx);
            }
        }));
    }

    /// Answers a command whose step is durable and has just been kept.
    fn caused(
        &self,
        events: usize,
        records: &[Arc<Sealed>],
        settling: Option<Box<dyn Settling>>,
    ) -> Caused {
        let caused = records.iter().skip(records.len().saturating_sub(events));
        let records = caused.map(|sealed| sealed.record.clone()).collect();
        Caused { cursor: self.session.cursor(), replayed: false, records, settling }
    }
}

impl Actor for SessionActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        self.daemon.timer.set(self.id, self.session.next_deadline());
        self.tend_effects(ctx);
        self.stay_awake(ctx);
        tracing::debug!(session = %self.id, "awake");
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        for cancel in self.running.values() {
            cancel.cancel();
        }
        // A full mailbox is no harm: the registry sees the closed address when it asks next.
        drop(self.registry.try_send(Asleep(self.id)));
        tracing::debug!(session = %self.id, "asleep");
    }
}

impl Handler<Ask> for SessionActor {
    type Result = AtomicResponse<Self, Result<Caused, ErrorObject>>;

    fn handle(&mut self, ask: Ask, ctx: &mut Context<Self>) -> Self::Result {
        self.stay_awake(ctx);
        let Ask(params) = ask;
        let mut step = self.step(&Input::Command(input(&params)));
        match &step.answer {
            Answer::Replayed { first, last } => {
                let (first, last) = (*first, *last);
                self.carry_out_then_read(step, first, last)
            }
            Answer::Refused(rejection) => {
                let rejection = rejection.clone();
                self.log_refusal(&rejection);
                self.carry_out(step, Vec::new(), move |actor, kept| {
                    kept.and_then(|_| Err(refused(&rejection, actor.session.head().cursor)))
                })
            }
            Answer::Accepted { .. } | Answer::None => {
                let (blobs, settling) = (params.blobs.clone(), step.settling.take());
                self.carry_out(step, blobs, move |actor, kept| {
                    let (answer, records) = kept?;
                    let events = match answer {
                        Answer::Accepted { events } => events,
                        Answer::Replayed { .. } | Answer::Refused(_) | Answer::None => 0,
                    };
                    Ok(actor.caused(events, &records, settling))
                })
            }
        }
    }
}

impl SessionActor {
    /// A command that was carried out before: its events are read back from the log.
    fn carry_out_then_read(
        &mut self,
        step: Step,
        first: EventId,
        last: EventId,
    ) -> AtomicResponse<Self, Result<Caused, ErrorObject>> {
        let kept = self.make_durable(step, Vec::new());
        AtomicResponse::new(Box::pin(kept.then(move |kept, actor: &mut Self, _| {
            let (daemon, session) = (Rc::clone(&actor.daemon), actor.id);
            let cursor = actor.session.head().cursor;
            wrap_future(async move {
                kept?;
                let records = read_back(&daemon, session, first, last).await?;
                Ok(Caused { cursor, replayed: true, records, settling: None })
            })
        })))
    }
}

/// Hands an outcome to its session until it is recorded: a full disk must not cost a verdict. While
/// it is not, the effect counts as under way. If the actor has gone, the effect is wanted again
/// when it comes back. Who follows the session sees meanwhile what it waits for, and so does the doctor.
async fn deliver(
    daemon: &Daemon,
    address: &actix::Addr<SessionActor>,
    (session, id): (SessionId, EffectId),
    ended: Ended,
    cancel: &CancellationToken,
) {
    let mut retry = Retry::default();
    while let Ok(Err(error)) = address.send(EffectEnded(id, ended.clone())).await {
        let text = format!("what came of it cannot be recorded yet: {}", error.message);
        daemon.hub.borrow().publish(session, Published::Hindered(text));
        daemon.unrecorded.borrow_mut().insert(session, error.message.clone());
        tokio::select! {
            () = retry.after(session, &error) => {}
            () = cancel.cancelled() => return,
        }
    }
    retry.recorded(session);
}

/// The events from one to another.
async fn read_back(
    daemon: &Daemon,
    session: SessionId,
    first: EventId,
    last: EventId,
) -> Result<Vec<EventRecord>, ErrorObject> {
    let after = EventId(first.0.saturating_sub(1));
    let count = usize::try_from(last.0 - after.0).unwrap_or(REPLAYED_MAX_EVENTS);
    let count = count.min(REPLAYED_MAX_EVENTS);
    let lines = daemon
        .blocking(move |store| store.read(session, after, count, REPLAYED_BYTES_MAX))
        .await
        .map_err(|error| store_error(&error))?;
    lines.iter().map(|line| EventRecord::from_bytes(line).map_err(|e| unreadable(&e))).collect()
}

fn unreadable(error: &vosim_protocol::wire::WireError) -> ErrorObject {
    ErrorObject::new(
        vosim_protocol::ErrorCode::StoreDamaged,
        format!("a record cannot be read: {}", misfit::words(error)),
    )
}

fn refused(rejection: &Rejection, cursor: EventId) -> ErrorObject {
    ErrorObject::from(rejection.clone())
        .data(Json::from_iter([("cursor".to_owned(), cursor.to_json())]))
}

impl Handler<Tick> for SessionActor {
    type Result = AtomicResponse<Self, Result<(), ErrorObject>>;

    fn handle(&mut self, _: Tick, _: &mut Context<Self>) -> Self::Result {
        let due = self.session.next_deadline();
        let step = self.step(&Input::Tick);
        if let Some(due) = due.filter(|_| !step.records.is_empty()) {
            let late_micros = self.daemon.now().micros_since(due);
            tracing::debug!(session = %self.id, late_micros, "a deadline fires");
        }
        self.carry_out(step, Vec::new(), |_, kept| kept.map(drop))
    }
}

impl Handler<Suspended> for SessionActor {
    type Result = AtomicResponse<Self, Result<(), ErrorObject>>;

    fn handle(&mut self, suspended: Suspended, _: &mut Context<Self>) -> Self::Result {
        let step = self.step(&Input::Suspend(suspended.0));
        self.carry_out(step, Vec::new(), |_, kept| kept.map(drop))
    }
}

impl Handler<Attended> for SessionActor {
    type Result = AtomicResponse<Self, Result<(), ErrorObject>>;

    fn handle(&mut self, _: Attended, ctx: &mut Context<Self>) -> Self::Result {
        self.stay_awake(ctx);
        let here = self.daemon.presence.of(self.id).candidates > 0;
        let step = self.step(&Input::Presence(here));
        self.carry_out(step, Vec::new(), |_, kept| kept.map(drop))
    }
}

impl Handler<EffectEnded> for SessionActor {
    type Result = AtomicResponse<Self, Result<(), ErrorObject>>;

    fn handle(&mut self, outcome: EffectEnded, ctx: &mut Context<Self>) -> Self::Result {
        self.stay_awake(ctx);
        let EffectEnded(effect, Ended { outcome, blobs }) = outcome;
        let step = self.step(&Input::Outcome(effect, outcome));
        let blobs = named(blobs, &step.records);
        self.carry_out(step, blobs, |_, kept| kept.map(drop))
    }
}

/// The bytes that records name: an outcome that nobody waits for any more leaves nothing behind.
fn named(mut blobs: Vec<Blob>, records: &[Sealed]) -> Vec<Blob> {
    blobs.retain(|blob| {
        let hash = Hash::of(&blob.0);
        records.iter().flat_map(|sealed| &sealed.blobs).any(|named| named.hash == hash)
    });
    blobs
}

impl Handler<Show> for SessionActor {
    type Result = AtomicResponse<Self, Result<Seen, ErrorObject>>;

    fn handle(&mut self, show: Show, ctx: &mut Context<Self>) -> Self::Result {
        self.stay_awake(ctx);
        // A view shows no time that a deadline has passed: what is due fires first.
        let step = self.step(&Input::Tick);
        self.carry_out(step, Vec::new(), move |actor, kept| {
            kept.map(|_| {
                let at = actor.daemon.now();
                let cursor = actor.session.head().cursor;
                Seen { view: actor.session.view(show.0, at), cursor, at }
            })
        })
    }
}

impl Handler<CausedBy> for SessionActor {
    type Result = AtomicResponse<Self, Result<Option<Caused>, ErrorObject>>;

    fn handle(&mut self, asked: CausedBy, ctx: &mut Context<Self>) -> Self::Result {
        self.stay_awake(ctx);
        let caused = self.session.caused_by(asked.0);
        let (daemon, session, cursor) =
            (Rc::clone(&self.daemon), self.id, self.session.head().cursor);
        AtomicResponse::new(Box::pin(wrap_future(async move {
            let Some((first, last)) = caused else { return Ok(None) };
            let records = read_back(&daemon, session, first, last).await?;
            Ok(Some(Caused { cursor, replayed: true, records, settling: None }))
        })))
    }
}

impl Handler<Works> for SessionActor {
    type Result = Result<bool, ErrorObject>;

    fn handle(&mut self, _: Works, ctx: &mut Context<Self>) -> Self::Result {
        self.stay_awake(ctx);
        Ok(self.session.wanted_effects().iter().any(|(_, effect)| effect.is_work()))
    }
}

impl Handler<CallOff> for SessionActor {
    type Result = AtomicResponse<Self, Result<CalledOff, ErrorObject>>;

    fn handle(&mut self, _: CallOff, ctx: &mut Context<Self>) -> Self::Result {
        self.stay_awake(ctx);
        let wanted = self.session.wanted_effects();
        let run = wanted.iter().find(|(_, effect)| effects::may_be_called_off(effect));
        if let Some((id, effect)) = run {
            let step = self.step(&Input::Outcome(*id, effect.failed(cancelled())));
            return self.carry_out(step, Vec::new(), |_, kept| kept.map(|_| CalledOff::Run));
        }
        // Inputs that are being drawn are for the whole session; the run behind them is not begun.
        self.called_off = wanted.iter().any(|(_, effect)| matches!(effect, Effect::Draw(_)));
        let called_off = if self.called_off { CalledOff::Waiting } else { CalledOff::Nothing };
        AtomicResponse::new(Box::pin(wrap_future(async move { Ok(called_off) })))
    }
}

/// Why a run has no verdict that was called off.
fn cancelled() -> Failure {
    Failure::new("it was cancelled")
}

impl Handler<Stop> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: Stop, ctx: &mut Context<Self>) {
        ctx.stop();
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use vosim_protocol::Actor as Doer;
    use vosim_protocol::v1::events::BlobUse;

    use super::*;

    fn naming(code: Option<Hash>) -> Sealed {
        let blobs = code.map(BlobUse::code).into_iter().collect();
        let record = EventRecord {
            session_id: SessionId(Uuid::nil()),
            event_id: EventId(1),
            timestamp: Time::from_micros(0),
            actor: Doer::System,
            event_type: "X".to_owned(),
            payload: Json::Null,
            v: 1,
            command_id: None,
            command_hash: None,
            prev_hash: Hash::NONE,
        };
        Sealed { record, line: Vec::new(), blobs }
    }

    #[test]
    fn only_bytes_that_a_record_names_are_kept() {
        let [saved, dropped] = ["saved", "dropped"].map(|text| Blob(text.as_bytes().to_vec()));
        let records = [naming(None), naming(Some(Hash::of(&saved.0)))];
        let kept = named(vec![dropped, saved.clone()], &records);
        assert_eq!(kept, std::slice::from_ref(&saved));
        assert_eq!(named(vec![saved], &records[..1]), []);
    }
}
