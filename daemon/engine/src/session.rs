//! One session: the order of its events, their chain, idempotency, catch-up and effects.
//!
//! [`AnySession::step`] is a pure function from a state and an input to records and a next state.
//! Whoever calls it makes the records durable and only then keeps the next state (invariant 2).
//!
//! ```text
//!  create             step: command, outcome, presence, suspend, tick, clock step
//!    |              +-------------------------------------------------------------+
//!    v              v                                                             |
//! SESSION_CREATED, RUNNING --> what is due fires first, --> the input is decided --+
//! the kind's opening   ^       each at its own time         and settled            |
//!                      |                                                           |
//!  load: each record is taken, or is the                                           v
//!  LoadError that names the event                       ENDED, once the kind says so
//! ```
//! After the end nothing is due, wanted or recorded, and every command is refused; one that was
//! carried out before is still answered from its events, and one that only reads from the state
//! ([`Kind::recalled`]).
//!
//! # The session's time
//!
//! A step of the wall clock neither steals nor gives time (DESIGN 4), timestamps never fall
//! (DECISIONS 8), and deadlines are compared with timestamps. So a step forward moves the open
//! deadlines, and a step back moves nothing: the session goes on counting where it was and runs
//! ahead of the wall clock by that step, until a step forward makes up for it. Kinds know only the
//! session's time; what leaves through [`AnySession`] and [`Head`] as a deadline is wall time.

use std::fmt;

use vosim_protocol::misfit;
use vosim_protocol::v1::commands::{Commands as _, Unread};
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::events::{BlobUse, Events, Row, seen_by};
use vosim_protocol::v1::service::{Awaited, Receipt};
use vosim_protocol::v1::session::{
    ClockAdjusted, ClockStep, SessionCreated, SessionEvent, SuspendObserved,
};
use vosim_protocol::{
    Actor, Blob, CommandId, EffectId, EventId, EventRecord, Hash, Head, Json, Role, SessionId,
    Time, Wire,
};

use crate::carried::CarriedOut;
use crate::draft::{Draft, Record};
use crate::failure::LoadError;
use crate::kind::{Kind, Misfit, Recorded};
use crate::rejection::Rejection;
use crate::settling::{Settling, Unsettled};
use crate::wanted::Wanted;

/// Version of the payloads this build writes.
const PAYLOAD_VERSION: u32 = 1;

/// A record with its exact bytes, which its successor is chained to.
#[derive(Clone, Debug, PartialEq)]
pub struct Sealed {
    /// The record.
    pub record: EventRecord,
    /// The bytes.
    pub line: Vec<u8>,
    /// The bytes that it names.
    pub blobs: Vec<BlobUse>,
}

/// Something that reaches a session.
#[derive(Debug)]
pub enum Input<'a> {
    /// Somebody asks.
    Command(CommandInput<'a>),
    /// Something asked of the outside ended.
    Outcome(EffectId, EffectOutcome),
    /// The first terminal of the candidate has come, or the last one has gone.
    Presence(bool),
    /// Time has passed.
    Tick,
    /// The wall clock was stepped.
    ClockStep(ClockStep),
    /// The machine slept for so many microseconds.
    Suspend(u64),
}

/// A command on its way to a session.
#[derive(Debug)]
pub struct CommandInput<'a> {
    /// The user intention.
    pub id: CommandId,
    /// Refuse if the session has moved on since.
    pub if_cursor: Option<EventId>,
    /// The name within the kind, for example `submit`.
    pub name: &'a str,
    /// The arguments.
    pub args: &'a Json,
    /// The bytes it names.
    pub blobs: &'a [Blob],
    /// The role of the one who asks.
    pub role: Role,
}

/// What an input leads to.
pub struct Step {
    /// To be made durable, in this order; may be empty.
    pub records: Vec<Sealed>,
    /// To be kept once they are.
    pub next: Box<dyn AnySession>,
    /// For whoever asked.
    pub answer: Answer,
    /// The command on its way to its result, if it was accepted.
    pub settling: Option<Box<dyn Settling>>,
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("records", &self.records.len())
            .field("answer", &self.answer)
            .finish_non_exhaustive()
    }
}

/// What whoever asked is told, once the step is durable.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The command caused the last so many records of the step.
    Accepted {
        /// The number; none when it is answered by what was told before.
        events: usize,
    },
    /// The command had been carried out before.
    Replayed {
        /// The first event it caused.
        first: EventId,
        /// The last one.
        last: EventId,
    },
    /// The command is refused. Deadlines that fired before it are in the step all the same.
    Refused(Rejection),
    /// Nobody waits for an answer.
    None,
}

/// A session of whatever kind, as the actor and the replay handle it.
pub trait AnySession: Send {
    /// What lists show and what is kept beside the log.
    fn head(&self) -> Head;
    /// What an input leads to at a time; changes nothing.
    fn step(&self, input: &Input<'_>, at: Time) -> Step;
    /// When it must be ticked next, by the wall clock.
    fn next_deadline(&self) -> Option<Time>;
    /// What is asked of the outside and has not ended.
    fn wanted_effects(&self) -> Vec<(EffectId, Effect)>;
    /// What a role may see at a time.
    fn view(&self, role: Role, at: Time) -> Json;
    /// The last event.
    fn cursor(&self) -> EventId;
    /// What a command id caused.
    fn caused_by(&self, id: CommandId) -> Option<(EventId, EventId)>;
    /// A command that had been accepted before, on its way to its result, given the events it
    /// caused, which must be the session's last ones.
    fn settling(
        &self,
        input: &CommandInput<'_>,
        caused: Vec<EventRecord>,
    ) -> Result<Box<dyn Settling>, Rejection>;
    /// What a role may see of one of the session's records.
    fn redact(&self, role: Role, record: EventRecord) -> Option<EventRecord>;
}

/// The fold of one session's log.
pub struct Session<K: Kind> {
    id: SessionId,
    title: String,
    spec: Hash,
    started: Time,
    last: Time,
    cursor: EventId,
    prev_hash: Hash,
    carried: CarriedOut,
    /// The last clock step it has heard of.
    clock_steps: u64,
    /// How far the session's time runs ahead of the wall clock, never negative.
    ahead_micros: i64,
    pub(crate) state: K::State,
}

impl<K: Kind> Clone for Session<K> {
    fn clone(&self) -> Self {
        Self {
            id: self.id,
            title: self.title.clone(),
            spec: self.spec,
            started: self.started,
            last: self.last,
            cursor: self.cursor,
            prev_hash: self.prev_hash,
            carried: self.carried.clone(),
            clock_steps: self.clock_steps,
            ahead_micros: self.ahead_micros,
            state: self.state.clone(),
        }
    }
}

impl<K: Kind> fmt::Debug for Session<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.id)
            .field("cursor", &self.cursor)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// An event of a log: the session's own or the kind's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Happened<E> {
    Session(SessionEvent),
    Kind(E),
}

impl<E: Events> Happened<E> {
    /// Reads an event out of its record.
    pub(crate) fn read(record: &EventRecord) -> Result<Self, String> {
        if record.v > PAYLOAD_VERSION {
            return Err("written by a newer vosim".to_owned());
        }
        let (event_type, payload) = (record.event_type.as_str(), record.payload.clone());
        let of_session = SessionEvent::TABLE.iter().any(|row| row.event_type == event_type);
        let read = if of_session {
            SessionEvent::read(event_type, payload).map(Self::Session)
        } else {
            E::read(event_type, payload).map(Self::Kind)
        };
        read.map_err(|error| misfit::words(&error))
    }

    /// What is known of it by its type alone.
    pub(crate) fn row(&self) -> &'static Row {
        match self {
            Self::Session(event) => event.row(),
            Self::Kind(event) => event.row(),
        }
    }

    /// Who did it.
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Session(event) => event.actor(),
            Self::Kind(event) => event.actor(),
        }
    }

    /// The payload, as records hold it.
    pub(crate) fn payload(&self) -> Json {
        match self {
            Self::Session(event) => event.payload(),
            Self::Kind(event) => event.payload(),
        }
    }

    /// The bytes it names.
    pub(crate) fn blobs(&self) -> Vec<BlobUse> {
        match self {
            Self::Session(event) => event.blobs(),
            Self::Kind(event) => event.blobs(),
        }
    }
}

/// The command that a record carries with the hash of its payload; none for what no command caused.
type Bearer = Option<(CommandId, Hash)>;

/// Records the facts of a draft in a session.
struct Recording<'s, K: Kind> {
    session: &'s mut Session<K>,
    records: &'s mut Vec<Sealed>,
    bearer: Bearer,
}

impl<K: Kind> Record<K::State, K::Event> for Recording<'_, K> {
    fn state(&self) -> &K::State {
        &self.session.state
    }

    fn cursor(&self) -> EventId {
        self.session.cursor
    }

    fn record(&mut self, event: K::Event, at: Time) -> EventId {
        let sealed = self.session.append(Happened::Kind(event), at, self.bearer);
        let id = sealed.record.event_id;
        self.records.push(sealed);
        id
    }
}

/// What an input leads to, in a session of a known kind.
pub(crate) struct Advance<K: Kind> {
    pub(crate) next: Session<K>,
    pub(crate) records: Vec<Sealed>,
    pub(crate) answer: Answer,
    /// The command, if it was accepted.
    pub(crate) accepted: Option<K::Command>,
}

impl<K: Kind> Session<K> {
    /// A new session and its first records.
    pub fn create(id: SessionId, spec: &[u8], at: Time) -> Result<(Self, Vec<Sealed>), LoadError> {
        let mut session = Self::before_first(id, spec, at)?;
        let records = session.open(at);
        Ok((session, records))
    }

    /// The first records of a session that has none.
    pub(crate) fn open(&mut self, at: Time) -> Vec<Sealed> {
        let created = Happened::Session(self.created());
        let mut records = vec![self.append(created, at, None)];
        let mut recording = Recording { session: self, records: &mut records, bearer: None };
        let mut draft = Draft::new(&mut recording, at);
        K::opening(&mut draft);
        K::settle(&mut draft);
        records
    }

    /// The session's first event.
    fn created(&self) -> SessionEvent {
        let (title, spec) = (self.title.clone(), self.spec);
        SessionEvent::SessionCreated(SessionCreated { kind: K::KIND, title, spec })
    }

    /// Folds a log; the chain is checked on the way.
    pub fn load<'a>(
        id: SessionId,
        spec: &[u8],
        lines: impl Iterator<Item = &'a [u8]>,
    ) -> Result<Self, LoadError> {
        let mut session = None;
        for line in lines {
            let event_id = session.as_ref().map_or(EventId::ZERO, |s: &Self| s.cursor).next();
            let record = misfit::read_bytes::<EventRecord>(line)
                .map_err(|reason| LoadError::Event { event_id, reason })?;
            let session = match &mut session {
                Some(session) => session,
                None => session.insert(Self::before_first(id, spec, record.timestamp)?),
            };
            session.take(&record, line)?;
        }
        session.ok_or(LoadError::Empty)
    }

    pub(crate) fn before_first(id: SessionId, spec: &[u8], at: Time) -> Result<Self, LoadError> {
        let parsed =
            misfit::read_bytes::<K::Spec>(spec).map_err(|reason| LoadError::Spec { reason })?;
        K::check(&parsed).map_err(|reason| LoadError::Spec { reason })?;
        Ok(Self {
            id,
            title: K::title(&parsed),
            spec: Hash::of(spec),
            started: at,
            last: at,
            cursor: EventId::ZERO,
            prev_hash: Hash::NONE,
            carried: CarriedOut::default(),
            clock_steps: 0,
            ahead_micros: 0,
            state: K::initial(id, parsed),
        })
    }

    /// Takes one recorded event, after checking that it fits behind the last.
    pub(crate) fn take(&mut self, record: &EventRecord, line: &[u8]) -> Result<(), LoadError> {
        let misfit = |reason: &str| LoadError::Event {
            event_id: record.event_id,
            reason: reason.to_owned(),
        };
        if record.session_id != self.id {
            return Err(misfit("belongs to another session"));
        }
        if record.event_id != self.cursor.next() {
            return Err(misfit("an event is missing before it"));
        }
        if record.prev_hash != self.prev_hash {
            return Err(misfit("it does not name the record before it"));
        }
        if record.timestamp < self.last {
            return Err(misfit("its time lies before the event in front of it"));
        }
        let happened = Happened::read(record).map_err(|reason| misfit(&reason))?;
        let creates = matches!(happened, Happened::Session(SessionEvent::SessionCreated(_)));
        if record.event_id == EventId::ZERO.next() {
            self.check_created(&happened)?;
        } else if creates {
            return Err(misfit("the session was created before"));
        }
        let bearer = record.command_id.map(|id| (id, record.command_hash));
        let folded = self.fold(&happened, record.timestamp, bearer, Hash::of(line));
        folded.map_err(|Misfit(reason)| misfit(reason))
    }

    fn check_created(&self, happened: &Happened<K::Event>) -> Result<(), LoadError> {
        match happened {
            Happened::Session(SessionEvent::SessionCreated(created)) => {
                if created.kind != K::KIND {
                    Err(LoadError::OtherKind { kind: created.kind })
                } else if created.spec != self.spec {
                    let reason = "it is not the one of the first event".to_owned();
                    Err(LoadError::Spec { reason })
                } else {
                    Ok(())
                }
            }
            Happened::Session(_) | Happened::Kind(_) => Err(LoadError::NotCreated),
        }
    }

    /// Seals an event behind the last and takes it.
    fn append(&mut self, happened: Happened<K::Event>, at: Time, bearer: Bearer) -> Sealed {
        let at = at.max(self.last);
        let first_of_command =
            bearer.filter(|(id, _)| self.carried.get(*id).is_none()).map(|(_, hash)| hash);
        let record = EventRecord {
            session_id: self.id,
            event_id: self.cursor.next(),
            timestamp: at,
            actor: happened.actor(),
            event_type: happened.row().event_type.to_owned(),
            payload: happened.payload(),
            v: PAYLOAD_VERSION,
            command_id: bearer.map(|(id, _)| id),
            command_hash: first_of_command,
            prev_hash: self.prev_hash,
        };
        let (line, hash) = record.seal();
        let bearer = bearer.map(|(id, hash)| (id, Some(hash)));
        self.fold(&happened, at, bearer, hash).expect("a decision fits the state it was made on");
        Sealed { record, line, blobs: happened.blobs() }
    }

    fn fold(
        &mut self,
        happened: &Happened<K::Event>,
        at: Time,
        bearer: Option<(CommandId, Option<Hash>)>,
        hash: Hash,
    ) -> Result<(), Misfit> {
        let cursor = self.cursor.next();
        match happened {
            Happened::Session(SessionEvent::SessionCreated(_)) => self.started = at,
            Happened::Session(SessionEvent::ClockAdjusted(step)) => {
                self.clock_steps = step.sequence;
                let (ahead_micros, shift_micros) = after_step(self.ahead_micros, step.step_micros);
                self.ahead_micros = ahead_micros;
                if shift_micros != 0 {
                    K::shift_deadlines(&mut self.state, shift_micros);
                }
            }
            Happened::Session(SessionEvent::SuspendObserved(_)) => {}
            Happened::Kind(event) => {
                let event = Recorded { id: cursor, at, event: event.clone() };
                K::evolve(&mut self.state, &event)?;
            }
        }
        self.cursor = cursor;
        self.last = at;
        self.prev_hash = hash;
        if let Some((id, hash)) = bearer {
            self.carried.note(id, hash, cursor);
        }
        Ok(())
    }

    /// Fires what is due at `at`, in order, each at its own time (invariant 5).
    fn catch_up(&mut self, at: Time, records: &mut Vec<Sealed>) {
        while let Some(due) = self.open_deadline().filter(|due| *due <= at) {
            let before = records.len();
            let mut recording = Recording { session: self, records, bearer: None };
            let mut draft = Draft::new(&mut recording, due);
            K::on_deadline(&mut draft);
            K::settle(&mut draft);
            assert!(records.len() > before, "a deadline that is due makes something happen");
        }
    }

    fn command(
        &mut self,
        input: &CommandInput<'_>,
        at: Time,
        records: &mut Vec<Sealed>,
    ) -> Result<(Answer, Option<K::Command>), Rejection> {
        // Whoever may not give the command is told so before anything that it takes.
        let row = K::Command::TABLE.iter().find(|row| row.name == input.name);
        if let Some(row) = row.filter(|row| !row.may.contains(&input.role)) {
            let (role, command, may) = (input.role, input.name.to_owned(), row.may);
            return Err(Rejection::RoleForbidden { role, command, may });
        }
        let command = read_command::<K>(input)?;
        let hash = Hash::of(&command.spelled().to_line());
        // The id is looked up before the cursor is compared: a repeated request is not a
        // conflict with what it has itself caused.
        if let Some(carried) = self.carried.get(input.id) {
            return if carried.hash == hash {
                Ok((Answer::Replayed { first: carried.first, last: carried.last }, None))
            } else {
                Err(Rejection::CommandIdReused)
            };
        }
        if let Some(expected) = input.if_cursor.filter(|expected| *expected != self.cursor) {
            return Err(Rejection::Conflict { expected, actual: self.cursor });
        }
        if K::recalled(&self.state, &command).is_some() {
            return Ok((Answer::Accepted { events: 0 }, Some(command)));
        }
        self.goes_on()?;
        check_blobs(&K::blobs(&command), input.blobs)?;
        let events = self.decide(&command, (input.id, hash), at, records)?;
        Ok((Answer::Accepted { events }, Some(command)))
    }

    /// Refuses whatever is asked after the end.
    fn goes_on(&self) -> Result<(), Rejection> {
        if K::ended(&self.state) {
            Err(Rejection::SessionEnded { next: K::after_the_end() })
        } else {
            Ok(())
        }
    }

    /// Decides a command; how many events it led to.
    pub(crate) fn decide(
        &mut self,
        command: &K::Command,
        bearer: (CommandId, Hash),
        at: Time,
        records: &mut Vec<Sealed>,
    ) -> Result<usize, Rejection> {
        self.goes_on()?;
        let before = records.len();
        let mut recording = Recording { session: self, records, bearer: Some(bearer) };
        let mut draft = Draft::new(&mut recording, at);
        let decided = K::decide(&mut draft, command);
        if decided.is_ok() {
            K::settle(&mut draft);
        }
        let events = records.len() - before;
        assert_eq!(
            decided.is_ok(),
            events > 0,
            "what is accepted, and nothing else, leaves a trace"
        );
        decided.map(|()| events)
    }

    /// What an input leads to.
    pub(crate) fn advance(&self, input: &Input<'_>, wall: Time) -> Advance<K> {
        let mut next = self.clone();
        let mut records = Vec::new();
        let mut accepted = None;
        if let Input::ClockStep(step) = input {
            next.step_clock(step, wall, &mut records);
        }
        let at = next.time(wall);
        next.catch_up(at, &mut records);
        let answer = match input {
            Input::Command(command) => {
                let decided = next.command(command, at, &mut records);
                let (answer, command) =
                    decided.unwrap_or_else(|rejection| (Answer::Refused(rejection), None));
                accepted = command;
                answer
            }
            Input::Outcome(effect, outcome) => {
                next.conclude(*effect, outcome, at, &mut records);
                Answer::None
            }
            Input::Presence(here) => {
                if !K::ended(&next.state) && K::present(&next.state) != *here {
                    let mut recording =
                        Recording { session: &mut next, records: &mut records, bearer: None };
                    let mut draft = Draft::new(&mut recording, at);
                    K::presence(&mut draft, *here);
                    K::settle(&mut draft);
                }
                Answer::None
            }
            Input::Suspend(suspended_micros) => {
                if !K::ended(&next.state) {
                    let suspended_micros = *suspended_micros;
                    let event = SessionEvent::SuspendObserved(SuspendObserved { suspended_micros });
                    records.push(next.append(Happened::Session(event), at, None));
                }
                Answer::None
            }
            Input::Tick | Input::ClockStep(_) => Answer::None,
        };
        Advance { next, records, answer, accepted }
    }

    /// A command on its way to its result, given the events it caused, which are the last ones.
    pub(crate) fn follow(
        &self,
        command: K::Command,
        caused: Vec<EventRecord>,
    ) -> Box<dyn Settling> {
        let unsettled = Unsettled::<K>::new(command, caused);
        let receipt = unsettled.receipt(&self.state);
        // Nothing is asked of it that other commands have done.
        let session = Self { carried: CarriedOut::default(), ..self.clone() };
        Box::new(Followed { session, unsettled, receipt })
    }

    /// Takes note of a step of the wall clock that shows `wall` now, unless it is known.
    ///
    /// What had fallen due before the step fires first, at its own time: otherwise the log would
    /// depend on how often somebody looked (invariant 5). Everything else sees the step first.
    fn step_clock(&mut self, step: &ClockStep, wall: Time, records: &mut Vec<Sealed>) {
        let ClockStep { sequence, step_micros } = *step;
        if sequence <= self.clock_steps {
            return;
        }
        self.catch_up(self.time(wall.plus_micros(step_micros.saturating_neg())), records);
        if self.open_deadline().is_some() {
            let (ahead_micros, _) = after_step(self.ahead_micros, step_micros);
            let event = SessionEvent::ClockAdjusted(ClockAdjusted { step_micros, sequence });
            let at = wall.plus_micros(ahead_micros);
            records.push(self.append(Happened::Session(event), at, None));
        }
    }

    /// What the end of an effect leads to; nothing for a late or doubled end, since such an effect
    /// is no longer wanted.
    fn conclude(
        &mut self,
        effect: EffectId,
        outcome: &EffectOutcome,
        at: Time,
        records: &mut Vec<Sealed>,
    ) {
        let wanted = self.wanted().into_iter().find(|wanted| wanted.id == effect);
        let Some(wanted) = wanted else { return };
        let before = records.len();
        let mut recording = Recording { session: self, records, bearer: None };
        let mut draft = Draft::new(&mut recording, at);
        if wanted.conclude(&mut draft, outcome) {
            K::settle(&mut draft);
            assert!(records.len() > before, "the end of a wanted effect is an event");
            // A deadline may have waited for it alone.
            self.catch_up(at, records);
        }
    }

    /// What is asked of the outside. Nothing is after the end.
    fn wanted(&self) -> Vec<Wanted<K::State, K::Event>> {
        if K::ended(&self.state) { Vec::new() } else { K::wanted(&self.state) }
    }

    /// The session's time when the wall clock shows `wall`; never before its last event.
    fn time(&self, wall: Time) -> Time {
        wall.plus_micros(self.ahead_micros).max(self.last)
    }

    /// The next deadline in the session's time. Nothing is due after the end.
    pub(crate) fn open_deadline(&self) -> Option<Time> {
        if K::ended(&self.state) { None } else { K::next_deadline(&self.state) }
    }

    /// The session's time right before a step that it took note of at `at`.
    pub(crate) fn before_step(&self, step_micros: i64, at: Time) -> Time {
        at.plus_micros(-after_step(self.ahead_micros, step_micros).1)
    }

    /// What the wall clock showed at a time of the session, after a step if one is named.
    pub(crate) fn wall(&self, at: Time, step_micros: i64) -> Time {
        at.plus_micros(-after_step(self.ahead_micros, step_micros).0)
    }

    /// Where the session's time stands: at its last event.
    pub(crate) fn last(&self) -> Time {
        self.last
    }
}

/// A step of the wall clock: how far the session's time is ahead of it then, and by how much
/// deadlines move.
fn after_step(ahead_micros: i64, step_micros: i64) -> (i64, i64) {
    if step_micros < 0 {
        (ahead_micros.saturating_sub(step_micros), 0)
    } else {
        let made_up = ahead_micros.min(step_micros);
        (ahead_micros - made_up, step_micros - made_up)
    }
}

/// The one place where what came in a frame becomes a command of the kind.
fn read_command<K: Kind>(input: &CommandInput<'_>) -> Result<K::Command, Rejection> {
    K::Command::read(input.name, input.args).map_err(|unread| match unread {
        Unread::Unknown => Rejection::UnknownCommand {
            kind: K::KIND,
            command: input.name.to_owned(),
            known: K::Command::TABLE.iter().map(|row| row.name).collect(),
        },
        Unread::Args(error) => Rejection::InvalidParams {
            command: input.name.to_owned(),
            reason: misfit::words(&error),
        },
    })
}

/// What comes along is just what the command names: other bytes would be kept for nobody.
fn check_blobs(named: &[vosim_protocol::BlobRef], brought: &[Blob]) -> Result<(), Rejection> {
    let brought: Vec<_> = brought.iter().map(Blob::reference).collect();
    if let Some(blob) = named.iter().find(|blob| !brought.contains(blob)) {
        let same = brought.iter().find(|there| there.hash == blob.hash);
        let &vosim_protocol::BlobRef { hash, bytes, line_count: lines } =
            same.ok_or(Rejection::BlobMissing)?;
        return Err(Rejection::BlobMisdescribed { hash, bytes, lines });
    }
    if !brought.iter().all(|blob| named.contains(blob)) {
        return Err(Rejection::BlobUnnamed);
    }
    Ok(())
}

impl<K: Kind> AnySession for Session<K> {
    fn head(&self) -> Head {
        let missable = !K::ended(&self.state) && K::present(&self.state);
        Head {
            session_id: self.id,
            kind: K::KIND,
            phase: K::phase(&self.state).to_owned(),
            ended: K::ended(&self.state),
            cursor: self.cursor,
            next_deadline: self.next_deadline(),
            wants_waking: !self.wanted().is_empty() || missable,
            title: self.title.clone(),
            started: self.started,
            last: self.last,
            spec: self.spec,
            finished: K::finished(&self.state),
            standing: K::standing(&self.state),
        }
    }

    fn step(&self, input: &Input<'_>, at: Time) -> Step {
        let Advance { next, records, answer, accepted } = self.advance(input, at);
        let settling = accepted.map(|command| {
            let caused = records.iter().map(|sealed| &sealed.record);
            let caused = caused.filter(|record| record.command_id.is_some());
            next.follow(command, caused.cloned().collect())
        });
        Step { records, next: Box::new(next), answer, settling }
    }

    fn next_deadline(&self) -> Option<Time> {
        self.open_deadline().map(|due| due.plus_micros(-self.ahead_micros))
    }

    fn wanted_effects(&self) -> Vec<(EffectId, Effect)> {
        let in_wall_time = |mut wanted: Wanted<K::State, K::Event>| {
            wanted.effect.shift(-self.ahead_micros);
            (wanted.id, wanted.effect)
        };
        self.wanted().into_iter().map(in_wall_time).collect()
    }

    fn cursor(&self) -> EventId {
        self.cursor
    }

    fn view(&self, role: Role, at: Time) -> Json {
        K::view(&self.state, role, self.time(at))
    }

    fn caused_by(&self, id: CommandId) -> Option<(EventId, EventId)> {
        self.carried.get(id).map(|carried| (carried.first, carried.last))
    }

    fn settling(
        &self,
        input: &CommandInput<'_>,
        caused: Vec<EventRecord>,
    ) -> Result<Box<dyn Settling>, Rejection> {
        Ok(self.follow(read_command::<K>(input)?, caused))
    }

    fn redact(&self, role: Role, record: EventRecord) -> Option<EventRecord> {
        seen_by::<K::Event>(role, record)
    }
}

/// A command that is followed, with the session as it stands after the last record that was seen,
/// or as it stood when the command had settled.
#[derive(Debug)]
struct Followed<K: Kind> {
    session: Session<K>,
    unsettled: Unsettled<K>,
    receipt: Option<Receipt>,
}

impl<K: Kind> Settling for Followed<K> {
    fn take(&mut self, record: &EventRecord, line: &[u8]) -> Result<(), LoadError> {
        // A result may tell where the session stands: that is where it stood then.
        if self.awaits().is_none() {
            return Ok(());
        }
        self.unsettled.take(&self.session.state, self.session.cursor, record);
        self.session.take(record, line)
    }

    fn receipt(&self) -> Option<Receipt> {
        self.receipt.clone()
    }

    fn awaits(&self) -> Option<Awaited> {
        let Self { session, unsettled, .. } = self;
        unsettled.awaits(&session.state, session.cursor, &session.wanted())
    }

    fn result(&self, role: Role) -> Option<Json> {
        self.unsettled.result(&self.session.state, role).filter(|_| self.awaits().is_none())
    }
}

#[cfg(test)]
mod tests;
