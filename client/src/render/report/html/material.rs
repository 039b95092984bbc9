//! What the page of a report is made of.

use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Time};

/// What a page is made of.
#[derive(Debug)]
pub(crate) struct Material<'a> {
    pub(crate) report: &'a Report,
    /// The session's log.
    pub(crate) log: &'a [ToldRecord],
    /// The states of the code, oldest first.
    pub(crate) versions: &'a [Version],
    /// States of the code that there was no room for.
    pub(crate) versions_omitted: usize,
}

/// A state of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) event: EventId,
    pub(crate) at: Time,
    /// What it was taken for, as the event says it.
    pub(crate) what: String,
    /// The text; None where it has been deleted.
    pub(crate) code: Option<String>,
}
