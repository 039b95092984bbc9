//! What was said and what happened, in the order in which a terminal shows it (001 7.1: the raw
//! transcript). The log holds everything; this is the part that people read.

use std::sync::Arc;

use vosim_protocol::Wire as _;
use vosim_protocol::v1::interview::Event;
use vosim_protocol::v1::telling::Entry;

use super::tell;
use crate::kind::Recorded;
use crate::parts::shown::newest;

/// Most entries of a view.
const SHOWN_MAX: usize = 400;
/// Most bytes of them, as JSON spells them; a frame holds 1 MiB.
const SHOWN_BYTES_MAX: usize = 256 * 1024;

/// The entries so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript(Vec<Arc<Noted>>);

/// An entry and how many bytes of JSON it is.
#[derive(Debug)]
struct Noted {
    entry: Entry,
    bytes: usize,
}

impl Transcript {
    /// Notes an event, if it is one that people read.
    pub(super) fn take(&mut self, event: &Recorded<Event>) {
        let Some(entry) = Entry::of(event.id, event.at, tell::tell(event)) else { return };
        let bytes = entry.to_line().len() + 1;
        self.0.push(Arc::new(Noted { entry, bytes }));
    }

    /// The newest entries that fit into a view, and how many came before.
    pub(super) fn newest(&self) -> (Vec<Entry>, u32) {
        let shown = newest(&self.0, SHOWN_MAX, SHOWN_BYTES_MAX, |sized| sized.bytes);
        let omitted = self.0.len() - shown.len();
        let entries = shown.iter().map(|sized| sized.entry.clone()).collect();
        (entries, u32::try_from(omitted).unwrap_or(u32::MAX))
    }
}
