//! Replay bundles: a session with everything that is needed to check it elsewhere (001 2.2).

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::misfit;
use vosim_protocol::v1::bundle::{
    Bundle, CodeOrigin, CodeVersion, FORMAT, ReplayBundle, TimelineEntry, Verdict,
};
use vosim_protocol::v1::judging::{CodeSubmitted, EvalResult};
use vosim_protocol::v1::telling::{Entry, Telling};
use vosim_protocol::{Blob, EventId, EventRecord, Hash, SessionId, Time};

use crate::failure::{BundleError, LoadError};
use crate::kind::{Kind, Recorded};
use crate::replay;
use crate::session::{AnySession, Happened, Session};
use crate::telling;

/// What a replay bundle says of itself.
const NOTICE: &str = "This bundle holds what is hidden from candidates: the names of hidden tests, pools of \
    questions, hints, reference solutions and withheld answers.";

/// An ended session, read for a bundle.
pub(crate) struct Ended<K: Kind> {
    pub(crate) state: K::State,
    /// Hash of the last record.
    pub(crate) head: Hash,
    pub(crate) records: Vec<EventRecord>,
    /// The kind's own events.
    pub(crate) events: Vec<Recorded<K::Event>>,
    /// What each record says.
    tellings: Vec<Telling>,
}

impl<K: Kind> Ended<K> {
    pub(crate) fn read(id: SessionId, spec: &[u8], lines: &[Vec<u8>]) -> Result<Self, BundleError> {
        let session = Session::<K>::load(id, spec, lines.iter().map(Vec::as_slice))?;
        if !session.head().ended {
            return Err(BundleError::NotEnded);
        }
        let head = lines.last().map_or(Hash::NONE, |line| Hash::of(line));
        let state = session.state;
        let (records, events, tellings) = (Vec::new(), Vec::new(), Vec::new());
        let mut ended = Self { state, head, records, events, tellings };
        for (place, line) in (1..).zip(lines) {
            let unreadable =
                |reason| LoadError::Event { event_id: vosim_protocol::EventId(place), reason };
            let record = misfit::read_bytes::<EventRecord>(line).map_err(unreadable)?;
            let (id, at) = (record.event_id, record.timestamp);
            let telling = match Happened::<K::Event>::read(&record).map_err(unreadable)? {
                Happened::Session(event) => telling::of_session(&event),
                Happened::Kind(event) => {
                    let event = Recorded { id, at, event };
                    let telling = K::tell(&event);
                    ended.events.push(event);
                    telling
                }
            };
            ended.tellings.push(telling);
            ended.records.push(record);
        }
        Ok(ended)
    }
}

/// The replay bundle of an ended session; of `code` only what the log names is taken.
pub fn replay_bundle<K: Kind>(
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    mut code: BTreeMap<Hash, Blob>,
) -> Result<ReplayBundle, BundleError> {
    let ended = Ended::<K>::read(id, spec, lines)?;
    let named: BTreeSet<Hash> = replay::code::<K>(lines).into_iter().collect();
    code.retain(|hash, _| named.contains(hash));
    let withheld = named.iter().filter(|hash| !code.contains_key(hash)).copied().collect();
    let start = ended.records.first().map_or(Time::from_micros(0), |record| record.timestamp);
    let told = ended.records.iter().zip(&ended.tellings);
    let entry = |(record, telling): (&EventRecord, &Telling)| {
        Entry::of(record.event_id, record.timestamp, telling.clone())
    };
    let transcript = told.clone().filter_map(entry).collect();
    let timeline = told.map(|(record, told)| in_one_line(record, told.clone(), start)).collect();
    Ok(ReplayBundle {
        bundle: Bundle::Replay,
        format: FORMAT,
        session_id: id,
        kind: K::KIND,
        head: ended.head,
        contains_hidden: true,
        notice: NOTICE.to_owned(),
        // Both were read as JSON before, so nothing is lost.
        records: lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect(),
        spec: String::from_utf8_lossy(spec).into_owned(),
        code,
        withheld,
        timeline,
        transcript,
        code_history: K::code_history(&ended.events),
        attempt: K::attempt(&ended.state),
    })
}

fn in_one_line(record: &EventRecord, telling: Telling, start: Time) -> TimelineEntry {
    let at = record.timestamp;
    TimelineEntry {
        event_id: record.event_id,
        at,
        offset_ms: u64::try_from(at.micros_since(start) / 1_000).unwrap_or(0),
        event_type: record.event_type.clone(),
        actor: record.actor,
        telling,
    }
}

/// A submission as bundles have it, not judged yet.
pub(crate) fn submission(event_id: EventId, at: Time, code: &CodeSubmitted) -> CodeVersion {
    CodeVersion {
        event_id,
        at,
        submission: Some(code.attempt_number),
        origin: CodeOrigin::Candidate,
        file_path: Some(code.file_path.clone()),
        code_hash: code.code_hash,
        bytes: code.bytes,
        verdict: None,
    }
}

/// Puts a verdict to its submission. An aborted submission's number is given again, and the later one
/// is judged.
pub(crate) fn put_verdict(versions: &mut [CodeVersion], event: EventId, result: &EvalResult) {
    let number = Some(result.attempt_number);
    if let Some(of) = versions.iter_mut().rev().find(|one| one.submission == number) {
        of.verdict = Some(verdict(event, result));
    }
}

/// A verdict as bundles have it.
pub(crate) fn verdict(event: EventId, result: &EvalResult) -> Verdict {
    Verdict {
        event_id: event,
        failure_type: result.failure_type,
        tests_passed: result.tests_passed,
        tests_failed: result.tests_failed,
        failing_tests: result.failing_tests.clone(),
        detail: result.detail,
        issue: result.issue.clone(),
    }
}
