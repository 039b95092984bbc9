//! Folds a log anew, decides every decision again from its inputs, and explains events.
//!
//! Only recorded inputs go in: what a command asked, how an effect ended, which deadline came.
//! What comes out is compared with the log, event by event.

use vosim_protocol::record::{ChainBreak, check_chain};
use vosim_protocol::v1::session::{Divergence, Explanation, Input, ReplayReport, SessionEvent};
use vosim_protocol::{EventId, EventRecord, Hash, Role, SessionId, Wire};

use crate::kind::{Cause, Kind, Recorded};
use crate::session::{AnySession, Happened, LoadError, Session};

/// Folds `lines` up to `until` and, if asked, computes every decision anew.
pub fn replay<K: Kind>(
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    until: Option<EventId>,
    verify: bool,
) -> Result<ReplayReport, LoadError> {
    let taken = until
        .map_or(lines.len(), |id| usize::try_from(id.0).unwrap_or(usize::MAX).min(lines.len()));
    let lines = &lines[..taken];
    let chain = check_chain(lines.iter().map(Vec::as_slice)).err();
    let records = lines.iter().map(|line| read(line)).collect::<Result<Vec<_>, _>>()?;
    let mut fold = Fold::<K>::start(id, spec, &records)?;
    for (index, line) in lines.iter().enumerate() {
        if verify && fold.differs.is_none() {
            fold.recompute(&records, index);
        }
        if chain.is_some() && !fold.session_takes(&records[index], line) {
            break;
        }
        if chain.is_none() {
            fold.session.take(&records[index], line)?;
        }
    }
    Ok(fold.report(chain))
}

fn read(line: &[u8]) -> Result<EventRecord, LoadError> {
    EventRecord::from_bytes(line)
        .map_err(|error| LoadError::Event { event_id: EventId::ZERO, reason: error.to_string() })
}

struct Fold<K: Kind> {
    session: Session<K>,
    /// Events from here on must follow from a new input.
    explained: usize,
    recomputed: u64,
    differs: Option<Divergence>,
}

impl<K: Kind> Fold<K> {
    fn start(id: SessionId, spec: &[u8], records: &[EventRecord]) -> Result<Self, LoadError> {
        let first = records.first().ok_or(LoadError::Empty)?;
        let session = Session::before_first(id, spec, first.timestamp)?;
        Ok(Self { session, explained: 0, recomputed: 0, differs: None })
    }

    /// With a broken chain the fold goes as far as records still make sense.
    fn session_takes(&mut self, record: &EventRecord, line: &[u8]) -> bool {
        self.session.take(record, line).is_ok()
    }

    /// Decides anew what begins at `index`, unless it follows from what was decided before.
    fn recompute(&mut self, records: &[EventRecord], index: usize) {
        if index < self.explained {
            return;
        }
        self.explained = index + 1;
        let record = &records[index];
        let Ok(Happened::Kind(event)) = Happened::<K::Event>::read(record) else { return };
        let recorded = Recorded { id: record.event_id, at: record.timestamp, event };
        let decided = match K::cause(&self.session.state, &recorded) {
            Cause::Opening => Ok(K::opening(&self.session.state, recorded.at)),
            Cause::Command(command) => K::decide(&self.session.state, &command, recorded.at)
                .map_err(|rejection| rejection.to_string()),
            Cause::Outcome(effect, outcome) => {
                Ok(K::conclude(&self.session.state, effect, &outcome, recorded.at))
            }
            Cause::Deadline => self.at_deadline(recorded.at),
            Cause::Consequence => Err("nothing before it leads to it".to_owned()),
        };
        match decided {
            Ok(events) => self.compare(records, index, &events),
            Err(reason) => self.differ(record, None, reason),
        }
    }

    fn at_deadline(&self, at: vosim_protocol::Time) -> Result<Vec<K::Event>, String> {
        match K::next_deadline(&self.session.state) {
            Some(due) if due <= at => Ok(K::on_deadline(&self.session.state, due)),
            Some(due) => Err(format!("its deadline is {due}")),
            None => Err("no deadline is open".to_owned()),
        }
    }

    fn compare(&mut self, records: &[EventRecord], index: usize, events: &[K::Event]) {
        self.recomputed += 1;
        self.explained = index + events.len().max(1);
        for (offset, event) in events.iter().enumerate() {
            let json = event.to_json();
            let Some(record) = records.get(index + offset) else { return };
            if json["event_type"] != record.event_type.as_str() || json["payload"] != record.payload
            {
                let reason = "the same inputs lead to something else".to_owned();
                return self.differ(record, Some(json), reason);
            }
        }
        if events.is_empty() {
            self.differ(&records[index], None, "the same inputs lead to nothing".to_owned());
        }
    }

    fn differ(
        &mut self,
        record: &EventRecord,
        computed: Option<vosim_protocol::Json>,
        reason: String,
    ) {
        let found = vosim_protocol::Json::from_iter([
            ("event_type".to_owned(), record.event_type.as_str().into()),
            ("payload".to_owned(), record.payload.clone()),
        ]);
        self.differs = Some(Divergence { event_id: record.event_id, found, computed, reason });
    }

    fn report(self, chain: Option<ChainBreak>) -> ReplayReport {
        let head = self.session.head();
        ReplayReport {
            events: head.cursor.0,
            phase: head.phase,
            view: self.session.view(Role::Candidate, head.last),
            recomputed: self.recomputed,
            differs: self.differs,
            chain,
            code_withheld: 0,
        }
    }
}

/// The submitted code that a log names, in order; a hash may come twice.
pub fn code<K: Kind>(lines: &[Vec<u8>]) -> Vec<Hash> {
    lines
        .iter()
        .filter_map(|line| EventRecord::from_bytes(line).ok())
        .filter_map(|record| match Happened::<K::Event>::read(&record) {
            Ok(Happened::Kind(event)) => K::code(&event),
            Ok(Happened::Session(_)) | Err(_) => None,
        })
        .collect()
}

/// Why an event is as it is; none when the log has no such event.
pub fn why<K: Kind>(
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    event_id: EventId,
) -> Result<Option<Explanation>, LoadError> {
    let mut session: Option<Session<K>> = None;
    for line in lines {
        let record = read(line)?;
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
    Ok(match happened {
        Happened::Kind(event) => {
            let recorded = Recorded { id: record.event_id, at: record.timestamp, event };
            K::why(&session.state, &recorded)
        }
        Happened::Session(event) => explain_session(record, &event),
    })
}

fn explain_session(record: &EventRecord, event: &SessionEvent) -> Explanation {
    let (decision, rule, input) = match event {
        SessionEvent::SessionCreated { spec, .. } => (
            "the session began".to_owned(),
            "a log explains itself: it names the hash of everything its rules depend on",
            ("spec", spec.to_json()),
        ),
        SessionEvent::ClockAdjusted { step_micros, .. } => (
            "open deadlines were moved with the wall clock".to_owned(),
            "a step of the clock neither steals nor gives time",
            ("step_micros", (*step_micros).into()),
        ),
        SessionEvent::SuspendObserved { suspended_micros } => (
            "the machine slept; time went on".to_owned(),
            "001 5.3: the timer continues running",
            ("suspended_micros", (*suspended_micros).into()),
        ),
    };
    Explanation {
        event_id: record.event_id,
        event_type: record.event_type.clone(),
        decision,
        rule: rule.to_owned(),
        inputs: vec![Input { name: input.0.to_owned(), value: input.1, event_id: None }],
        not_taken: Vec::new(),
    }
}
