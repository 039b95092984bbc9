//! Folds a log anew, decides every decision again from its inputs, and explains events.
//!
//! Only recorded inputs go in: what a command asked, how an effect ended, which deadline came.
//! What comes out is compared with the log, event by event.

use vosim_protocol::misfit;
use vosim_protocol::record::{ChainBreak, check_chain};
use vosim_protocol::v1::events::{BlobUse, Content, Events, seen_by};
use vosim_protocol::v1::session::{
    ClockAdjusted, ClockStep, Divergence, Explanation, ReplayReport, SessionEvent,
};
use vosim_protocol::{EventId, EventRecord, Hash, Json, Role, SessionId, Time, Wire};

use crate::because::{self, Because};
use crate::failure::LoadError;
use crate::kind::{Cause, Kind, Recorded};
use crate::session::{self, AnySession, Happened, Sealed, Session};
use crate::telling;

/// Folds `lines` up to `until` and, if asked, computes every decision anew.
///
/// A log that was tampered with is a finding in the report, not an error: the fold goes as far as
/// records make sense.
pub fn replay<K: Kind>(
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    until: Option<EventId>,
    verify: bool,
) -> Result<ReplayReport, LoadError> {
    let taken = until
        .map_or(lines.len(), |id| usize::try_from(id.0).unwrap_or(usize::MAX).min(lines.len()));
    let whole = taken == lines.len();
    let lines = &lines[..taken];
    let chain = check_chain(lines.iter().map(Vec::as_slice)).err();
    let records = readable(lines, chain.as_ref())?;
    let mut fold = Fold::<K>::start(id, spec, records, whole)?;
    for (index, line) in lines.iter().enumerate().take(fold.records.len()) {
        if verify && fold.differs.is_none() {
            fold.recompute(index);
        }
        match fold.session.take(&fold.records[index], line) {
            Ok(()) => {}
            Err(LoadError::Event { .. }) if chain.is_some() => break,
            Err(LoadError::Event { reason, .. }) if verify => {
                fold.differ(index, None, reason);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(fold.report(chain))
}

/// The records before the first line that is none; that one breaks the chain.
fn readable(lines: &[Vec<u8>], chain: Option<&ChainBreak>) -> Result<Vec<EventRecord>, LoadError> {
    let records: Vec<_> =
        lines.iter().map_while(|line| EventRecord::from_bytes(line).ok()).collect();
    match (records.is_empty(), chain) {
        (true, Some(ChainBreak { event_id, reason })) => {
            Err(LoadError::Event { event_id: *event_id, reason: reason.clone() })
        }
        (true, None) => Err(LoadError::Empty),
        (false, _) => Ok(records),
    }
}

struct Fold<K: Kind> {
    session: Session<K>,
    records: Vec<EventRecord>,
    /// False when the log goes on after the last of them.
    whole: bool,
    /// Events from here on must follow from a new input.
    explained: usize,
    recomputed: u64,
    differs: Option<Divergence>,
}

impl<K: Kind> Fold<K> {
    fn start(
        id: SessionId,
        spec: &[u8],
        records: Vec<EventRecord>,
        whole: bool,
    ) -> Result<Self, LoadError> {
        let first = records.first().ok_or(LoadError::Empty)?;
        let session = Session::before_first(id, spec, first.timestamp)?;
        Ok(Self { session, records, whole, explained: 0, recomputed: 0, differs: None })
    }

    /// Decides anew what begins at `index`, unless it follows from what was decided before.
    fn recompute(&mut self, index: usize) {
        if index < self.explained {
            return;
        }
        self.explained = index + 1;
        let record = &self.records[index];
        let decided = match Happened::<K::Event>::read(record) {
            Ok(Happened::Session(event)) => self.decide_session(&event, record.timestamp),
            Ok(Happened::Kind(event)) => self.decide_kind(record, event),
            // What cannot be read is refused when it is taken.
            Err(_) => return,
        };
        match decided {
            Ok(decided) => self.compare(index, &decided),
            Err(reason) => self.differ(index, None, reason),
        }
    }

    fn decide_session(&self, event: &SessionEvent, at: Time) -> Result<Vec<Sealed>, String> {
        let session = &self.session;
        match event {
            SessionEvent::SessionCreated(_) if session.cursor() > EventId::ZERO => {
                Err("the session was created before".to_owned())
            }
            SessionEvent::SessionCreated(_) => Ok(session.clone().open(at)),
            SessionEvent::ClockAdjusted(ClockAdjusted { step_micros, sequence }) => {
                self.nothing_due(session.before_step(*step_micros, at))?;
                session.open_deadline().ok_or("no deadline is open that it could move")?;
                let step = ClockStep { sequence: *sequence, step_micros: *step_micros };
                let wall = session.wall(at, *step_micros);
                Ok(session.advance(&session::Input::ClockStep(step), wall).records)
            }
            SessionEvent::SuspendObserved(_) if K::ended(&session.state) => {
                Err("nothing happens after the end".to_owned())
            }
            SessionEvent::SuspendObserved(suspend) => {
                self.nothing_due(at)?;
                let input = session::Input::Suspend(suspend.suspended_micros);
                Ok(session.advance(&input, session.wall(at, 0)).records)
            }
        }
    }

    fn decide_kind(&self, record: &EventRecord, event: K::Event) -> Result<Vec<Sealed>, String> {
        let (session, at) = (&self.session, record.timestamp);
        let input = match K::cause(&session.state, &Recorded { id: record.event_id, at, event }) {
            Cause::Opening => return Err("the session had begun before".to_owned()),
            Cause::Consequence => return Err("nothing before it leads to it".to_owned()),
            Cause::Command(command) => {
                self.nothing_due(at)?;
                return self.decide_command(record, &command);
            }
            Cause::Outcome(effect, outcome) => {
                self.nothing_due(at)?;
                session::Input::Outcome(effect, outcome)
            }
            Cause::Presence(here) => {
                self.nothing_due(at)?;
                if K::present(&session.state) == here {
                    return Err("nobody came or went".to_owned());
                }
                session::Input::Presence(here)
            }
            Cause::Deadline => {
                let due = session.open_deadline().ok_or("no deadline is open")?;
                // At its own time, so that it is seen when the record has another.
                return Ok(session.advance(&session::Input::Tick, session.wall(due, 0)).records);
            }
        };
        Ok(session.advance(&input, session.wall(at, 0)).records)
    }

    fn decide_command(
        &self,
        record: &EventRecord,
        command: &K::Command,
    ) -> Result<Vec<Sealed>, String> {
        let id = record.command_id.ok_or("it does not name the command that caused it")?;
        let bearer = (id, record.command_hash.unwrap_or(Hash::NONE));
        let mut records = Vec::new();
        let decided = self.session.clone().decide(command, bearer, record.timestamp, &mut records);
        decided.map_err(|rejection| rejection.to_string())?;
        Ok(records)
    }

    /// Deadlines that are due fire before anything else (invariant 5).
    fn nothing_due(&self, at: Time) -> Result<(), String> {
        match self.session.open_deadline().filter(|due| *due <= at) {
            Some(due) => Err(format!("the deadline {due} comes before it")),
            None => Ok(()),
        }
    }

    fn compare(&mut self, index: usize, decided: &[Sealed]) {
        if decided.is_empty() {
            return self.differ(index, None, "the same inputs lead to nothing".to_owned());
        }
        self.recomputed += 1;
        self.explained = index + decided.len();
        for (index, Sealed { record: computed, .. }) in (index..).zip(decided) {
            let shown = || Some(tagged(&computed.event_type, computed.payload.clone()));
            let Some(record) = self.records.get(index) else {
                if self.whole {
                    let reason = "what follows from it is missing".to_owned();
                    self.differ(index - 1, shown(), reason);
                }
                return;
            };
            let event = |record: &EventRecord| (record.event_type.clone(), record.payload.clone());
            let differs = if event(record) != event(computed) {
                "the same inputs lead to something else"
            } else if record.actor != computed.actor {
                "somebody else does this"
            } else if record.timestamp != computed.timestamp {
                "it happened at another time"
            } else if record.command_id != computed.command_id {
                "it does not name the command that caused it"
            } else {
                continue;
            };
            return self.differ(index, shown(), differs.to_owned());
        }
    }

    fn differ(&mut self, index: usize, computed: Option<Json>, reason: String) {
        let record = &self.records[index];
        let found = tagged(&record.event_type, record.payload.clone());
        let event_id = record.event_id;
        self.differs.get_or_insert(Divergence { event_id, found, computed, reason });
    }

    fn report(self, chain: Option<ChainBreak>) -> ReplayReport {
        let head = self.session.head();
        ReplayReport {
            events: head.cursor.0,
            phase: head.phase,
            view: K::view(&self.session.state, Role::Candidate, self.session.last()),
            recomputed: self.recomputed,
            differs: self.differs,
            chain,
            code_withheld: 0,
        }
    }
}

fn tagged(event_type: &str, payload: Json) -> Json {
    Json::from_iter([
        ("event_type".to_owned(), Json::from(event_type)),
        ("payload".to_owned(), payload),
    ])
}

/// The submitted code that a log names, in order; a hash may come twice.
pub fn code<K: Kind>(lines: &[Vec<u8>]) -> Vec<Hash> {
    let code = blobs::<K>(Role::Interviewer, lines).filter(|blob| blob.content == Content::Code);
    code.map(|blob| blob.hash).collect()
}

/// What goes with the code that a log names, in order; a hash may come twice.
pub fn erasable<K: Kind>(lines: &[Vec<u8>]) -> Vec<Hash> {
    let named = blobs::<K>(Role::Interviewer, lines);
    named.filter(|blob| blob.content.goes_with_code()).map(|blob| blob.hash).collect()
}

/// The bytes that a log names in what a role may see of it, in order; a hash may come twice.
pub fn blobs<K: Kind>(role: Role, lines: &[Vec<u8>]) -> impl Iterator<Item = BlobUse> {
    lines
        .iter()
        .filter_map(|line| EventRecord::from_bytes(line).ok())
        .filter_map(move |record| seen_by::<K::Event>(role, record))
        .filter_map(|record| K::Event::read(&record.event_type, record.payload).ok())
        .flat_map(|event| event.blobs())
}

/// Why an event is as it is; none when the log has no such event.
pub fn why<K: Kind>(
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    event_id: EventId,
) -> Result<Option<Explanation>, LoadError> {
    let mut session: Option<Session<K>> = None;
    for (place, line) in (1..).zip(lines) {
        let record = misfit::read_bytes::<EventRecord>(line)
            .map_err(|reason| LoadError::Event { event_id: EventId(place), reason })?;
        let session = match &mut session {
            Some(session) => session,
            None => session.insert(Session::before_first(id, spec, record.timestamp)?),
        };
        if record.event_id == event_id {
            return explain(session, &record).map(Some);
        }
        session.take(&record, line)?;
    }
    Ok(None)
}

fn explain<K: Kind>(session: &Session<K>, record: &EventRecord) -> Result<Explanation, LoadError> {
    let happened = Happened::<K::Event>::read(record)
        .map_err(|reason| LoadError::Event { event_id: record.event_id, reason })?;
    let (telling, because) = match happened {
        Happened::Kind(event) => {
            let recorded = Recorded { id: record.event_id, at: record.timestamp, event };
            (K::tell(&recorded), K::why(&session.state, &recorded))
        }
        Happened::Session(event) => (telling::of_session(&event), because::of_session(&event)),
    };
    let Because { rule, inputs, not_taken } = because;
    let (event_id, event_type) = (record.event_id, record.event_type.clone());
    Ok(Explanation { event_id, event_type, telling, rule, inputs, not_taken })
}
