//! The kinds, one line each: the only place that knows them all.

pub mod attempt;
pub mod drill;
#[cfg(feature = "errand")]
pub mod errand;
pub mod interview;
pub mod task;

use std::collections::BTreeMap;

use vosim_protocol::misfit;
use vosim_protocol::v1::bundle::{EvaluationBundle, ReplayBundle};
use vosim_protocol::v1::events::{self, Content};
use vosim_protocol::v1::guide::{Discussion, Guide};
use vosim_protocol::v1::problem::{DrawnInputs, Problem};
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::session::{Explanation, ReplayReport, SessionCreated};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{Blob, EventId, EventRecord, Hash, Kind, Role, SessionId, Time};

use crate::bundle;
use crate::failure::BundleError;
use crate::failure::LoadError;
use crate::replay;
use crate::report;
use crate::session::{AnySession, Sealed, Session};
use crate::telling;

/// Runs `$body` with `$K` standing for the rules of a kind.
macro_rules! with_kind {
    ($kind:expr, $K:ident => $body:expr) => {
        match $kind {
            Kind::Drill => {
                type $K = drill::Drill;
                $body
            }
            Kind::Interview => {
                type $K = interview::Interview;
                $body
            }
            Kind::Attempt => {
                type $K = attempt::Attempt;
                $body
            }
            Kind::Task => {
                type $K = task::Task;
                $body
            }
            #[cfg(feature = "errand")]
            Kind::Errand => {
                type $K = errand::Errand;
                $body
            }
        }
    };
}

/// A new session of a kind, with its first records.
pub fn create(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    at: Time,
) -> Result<(Box<dyn AnySession>, Vec<Sealed>), LoadError> {
    with_kind!(kind, K => {
        let (session, records) = Session::<K>::create(id, spec, at)?;
        Ok((Box::new(session), records))
    })
}

/// Folds the log of a session.
pub fn load<'a>(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    lines: impl Iterator<Item = &'a [u8]>,
) -> Result<Box<dyn AnySession>, LoadError> {
    with_kind!(kind, K => Ok(Box::new(Session::<K>::load(id, spec, lines)?)))
}

/// Folds a log anew; see [`replay::replay`].
pub fn replay(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    until: Option<EventId>,
    verify: bool,
) -> Result<ReplayReport, LoadError> {
    with_kind!(kind, K => replay::replay::<K>(id, spec, lines, until, verify))
}

/// Explains an event; see [`replay::why`].
pub fn why(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    event_id: EventId,
) -> Result<Option<Explanation>, LoadError> {
    with_kind!(kind, K => replay::why::<K>(id, spec, lines, event_id))
}

/// The replay bundle of an ended session; see [`bundle::replay_bundle`].
pub fn replay_bundle(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    code: BTreeMap<Hash, Blob>,
) -> Result<ReplayBundle, BundleError> {
    with_kind!(kind, K => bundle::replay_bundle::<K>(id, spec, lines, code))
}

/// The evaluation bundle of an ended interview; other kinds have none.
pub fn evaluation_bundle(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
) -> Result<EvaluationBundle, BundleError> {
    with_kind!(kind, K => <K as crate::Kind>::evaluation(id, spec, lines))
}

/// What an ended session teaches; see [`report::report`].
pub fn report(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    discussion: &Discussion,
) -> Result<Report, BundleError> {
    with_kind!(kind, K => report::report::<K>(id, spec, lines, discussion))
}

/// A log in the form that the kind's specification gives it, for a kind that has one; it holds nothing
/// that a candidate may not see.
pub fn plain(
    kind: Kind,
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
) -> Result<Option<Vec<u8>>, LoadError> {
    with_kind!(kind, K => {
        let state = Session::<K>::load(id, spec, lines.iter().map(Vec::as_slice))?.state;
        let mut seen = Vec::new();
        for (place, line) in (1..).zip(lines) {
            let record = misfit::read_bytes::<EventRecord>(line)
                .map_err(|reason| LoadError::Event { event_id: EventId(place), reason })?;
            seen.extend(redact(kind, Role::Candidate, record));
        }
        Ok(<K as crate::Kind>::plain(&state, &seen))
    })
}

/// The problem of a session with the hash of its cases, from its spec; none for a kind that judges
/// nothing.
pub fn exercise(kind: Kind, spec: &[u8]) -> Result<Option<(Problem, Hash)>, LoadError> {
    with_kind!(kind, K => {
        let spec = misfit::read_bytes::<<K as crate::Kind>::Spec>(spec)
            .map_err(|reason| LoadError::Spec { reason })?;
        let exercise = <K as crate::Kind>::exercise(&spec);
        Ok(exercise.map(|(problem, suite)| (problem.clone(), suite)))
    })
}

/// How the hidden inputs of a session are drawn, from its spec; none where they are not.
pub fn draw(kind: Kind, spec: &[u8]) -> Result<Option<DrawnInputs>, LoadError> {
    with_kind!(kind, K => {
        let spec = misfit::read_bytes::<<K as crate::Kind>::Spec>(spec)
            .map_err(|reason| LoadError::Spec { reason })?;
        Ok(<K as crate::Kind>::draw(&spec).cloned())
    })
}

/// What guides through the problem of a session, from its spec; none where nothing does.
pub fn guide(kind: Kind, spec: &[u8]) -> Result<Option<Guide>, LoadError> {
    with_kind!(kind, K => {
        let spec = misfit::read_bytes::<<K as crate::Kind>::Spec>(spec)
            .map_err(|reason| LoadError::Spec { reason })?;
        Ok(<K as crate::Kind>::guide(&spec).cloned())
    })
}

/// The submitted code that a log names.
pub fn code(kind: Kind, lines: &[Vec<u8>]) -> Vec<Hash> {
    with_kind!(kind, K => replay::code::<K>(lines))
}

/// What is erased where that code is: also everything in which it stands.
pub fn erasable(kind: Kind, lines: &[Vec<u8>]) -> Vec<Hash> {
    with_kind!(kind, K => replay::erasable::<K>(lines))
}

/// What the bytes of a hash are, if a role may see an event of the log that names them.
pub fn blob(kind: Kind, role: Role, lines: &[Vec<u8>], hash: Hash) -> Option<Content> {
    with_kind!(kind, K => replay::blobs::<K>(role, lines).find(|blob| blob.hash == hash))
        .map(|blob| blob.content)
        .filter(|content| *content != Content::Sealed)
}

/// What a role may see of a record; none hides it.
pub fn redact(kind: Kind, role: Role, record: EventRecord) -> Option<EventRecord> {
    with_kind!(kind, K => events::seen_by::<<K as crate::Kind>::Event>(role, record))
}

/// A record as a role may see it, with what it says then; none hides it.
///
/// The event is told after the filter, so no sentence can hold what the role may not see.
pub fn told(kind: Kind, role: Role, record: EventRecord) -> Option<ToldRecord> {
    let record = redact(kind, role, record)?;
    let telling = with_kind!(kind, K => telling::tell::<K>(&record));
    Some(ToldRecord { record, telling })
}

/// Kind and spec of a session, from its first record.
pub fn created(record: &EventRecord) -> Result<(Kind, Hash), LoadError> {
    if record.event_type != "SESSION_CREATED" {
        return Err(LoadError::NotCreated);
    }
    let created = misfit::read::<SessionCreated>(&record.payload);
    created
        .map(|created| (created.kind, created.spec))
        .map_err(|reason| LoadError::Event { event_id: record.event_id, reason })
}
