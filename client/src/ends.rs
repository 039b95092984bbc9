//! The events that end a session, of every kind.

use vosim_protocol::{EventRecord, Kind};

/// True for the event after which nothing comes.
pub(crate) fn is_end(kind: Kind, record: &EventRecord) -> bool {
    let ends: &[&str] = match kind {
        Kind::Drill => &["SESSION_ENDED"],
        Kind::Interview => &["INTERVIEW_COMPLETED", "INTERVIEW_TERMINATED"],
        Kind::Attempt => &["ATTEMPT_COMPLETED"],
        Kind::Task => &["TASK_SUCCEEDED", "TASK_CLOSED"],
        #[cfg(feature = "errand")]
        Kind::Errand => &["WORK_TAKEN", "ERRAND_EXPIRED"],
    };
    ends.contains(&record.event_type.as_str())
}
