//! When the session is told that a line is being written, so that nobody is interrupted (DECISIONS 39).
//!
//! A line that is said to somebody counts, a command does not. It is told once in a while for as long as
//! keys come, and that it was given up once the line has been empty for a moment: who deletes a beginning
//! mostly writes another one. What becomes of it is for the session to decide.

use std::time::Duration;

/// Between two times at which it is told while keys come.
const EVERY: Duration = Duration::from_secs(10);
/// How long a line is empty that was given up.
const EMPTY: Duration = Duration::from_secs(3);

/// What the session was told last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineTold {
    /// When it was told that somebody writes; None when nobody does.
    writes: Option<Duration>,
    /// Since when the line is empty.
    empty: Option<Duration>,
    /// True when keys came while another line was on its way.
    unseen: bool,
}

/// True for a line that is said to somebody.
fn speaks(line: &str) -> bool {
    !line.trim().is_empty() && (!line.starts_with('/') || line.starts_with("//"))
}

impl LineTold {
    /// A line is on its way, and until it has been taken nothing is told of the next one. What was said ends what
    /// was told; a command does not: a line that was given up for it is still told of.
    pub(crate) fn sends(&mut self, line: &str, changed: bool) {
        let unseen = self.unseen || changed;
        if speaks(line) {
            *self = Self::default();
        }
        self.unseen = unseen;
    }

    /// What is to be told of the line now: false that it is being written, true that it no longer is.
    /// `changed` is whether a key or a paste has changed it.
    pub(crate) fn tells(&mut self, line: &str, changed: bool, now: Duration) -> Option<bool> {
        let changed = std::mem::take(&mut self.unseen) || changed;
        if speaks(line) {
            self.empty = None;
            let due = changed && self.writes.is_none_or(|at| now >= at + EVERY);
            return due.then(|| {
                self.writes = Some(now);
                false
            });
        }
        self.writes?;
        let since = *self.empty.get_or_insert(now);
        (now >= since + EMPTY).then(|| {
            *self = Self::default();
            true
        })
    }
}
