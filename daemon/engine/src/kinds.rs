//! The kinds, one line each: the only place that knows them all.

pub mod drill;
pub mod interview;

mod because;

use std::collections::BTreeMap;

use vosim_protocol::v1::bundle::{EvaluationBundle, ReplayBundle};
use vosim_protocol::v1::session::{Explanation, ReplayReport, SessionEvent};
use vosim_protocol::{Blob, EventId, EventRecord, Hash, Kind, Role, SessionId, Time};

use crate::bundle::{self, BundleError};
use crate::replay;
use crate::session::{AnySession, Happened, LoadError, Sealed, Session};

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
    match kind {
        Kind::Interview => interview::evaluation(id, spec, lines),
        Kind::Drill => Err(BundleError::NoEvaluation { kind }),
    }
}

/// The submitted code that a log names.
pub fn code(kind: Kind, lines: &[Vec<u8>]) -> Vec<Hash> {
    with_kind!(kind, K => replay::code::<K>(lines))
}

/// What a role may see of a record; none hides it.
pub fn redact(kind: Kind, role: Role, record: EventRecord) -> Option<EventRecord> {
    with_kind!(kind, K => <K as crate::Kind>::redact(role, record))
}

/// Kind and spec of a session, from its first record.
pub fn created(record: &EventRecord) -> Result<(Kind, Hash), LoadError> {
    match Happened::<vosim_protocol::Json>::read(record) {
        Ok(Happened::Session(SessionEvent::SessionCreated { kind, spec, .. })) => Ok((kind, spec)),
        Ok(_) => Err(LoadError::NotCreated),
        Err(reason) => Err(LoadError::Event { event_id: record.event_id, reason }),
    }
}
