//! What an ended session teaches: one value for every screen and page, made of the log and of what
//! the problem's package says for afterwards.
//!
//! A kind puts in what is its own to tell ([`Kind::report`]); what to do next follows from the whole
//! (`advice`). Nothing here grows with the length of a log: of each list the newest entries are kept.

mod advice;
mod work;

use vosim_protocol::misfit;
use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::v1::report::Report;
use vosim_protocol::{SessionId, Time};

use crate::bundle::Ended;
use crate::failure::{BundleError, LoadError};
use crate::kind::Kind;

pub(crate) use work::{Work, steps};

/// The report of an ended session; `discussion` is what its problem's package says for afterwards.
pub fn report<K: Kind>(
    id: SessionId,
    spec: &[u8],
    lines: &[Vec<u8>],
    discussion: &Discussion,
) -> Result<Report, BundleError> {
    let title = misfit::read_bytes::<K::Spec>(spec)
        .map(|spec| K::title(&spec))
        .map_err(|reason| LoadError::Spec { reason })?;
    let ended = Ended::<K>::read(id, spec, lines)?;
    let at = |record: Option<&vosim_protocol::EventRecord>| {
        record.map_or(Time::from_micros(0), |record| record.timestamp)
    };
    let finished = K::finished(&ended.state);
    let mut report = Report {
        session_id: id,
        kind: K::KIND,
        title,
        problem_id: finished.as_ref().map(|finished| finished.problem.clone()),
        candidate_id: None,
        started: at(ended.records.first()),
        ended: at(ended.records.last()),
        outcome: finished.map(|finished| finished.outcome),
        sections: Vec::new(),
        submissions: Vec::new(),
        submissions_omitted: 0,
        own_runs: Vec::new(),
        growth: None,
        hints: Vec::new(),
        assistant: Vec::new(),
        late: Vec::new(),
        steps: Vec::new(),
        next: Vec::new(),
    };
    K::report(&ended.state, &ended.events, discussion, &mut report);
    report.next = advice::advise(&report, discussion);
    Ok(report)
}
