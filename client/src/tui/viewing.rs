//! For whom, how wide and at which moment a part of the screen is drawn.

use std::time::Duration;

use vosim_protocol::v1::service::ProgressNotice;
use vosim_protocol::{Role, Time};

use crate::render::look::Look;
use crate::tui::clock::Clock;

/// Who looks at a session, how, and when.
#[derive(Clone, Debug)]
pub(crate) struct Viewing {
    /// As wide as the part that is drawn.
    pub(crate) look: Look,
    pub(crate) role: Role,
    pub(crate) clock: Clock,
    /// Time since the start of this terminal.
    pub(crate) now: Duration,
    /// How far the run is that is under way.
    pub(crate) progress: Option<ProgressNotice>,
}

impl Viewing {
    /// Milliseconds until a deadline.
    pub(crate) fn left(&self, deadline: Time) -> u64 {
        self.clock.left(deadline, self.now)
    }

    /// What is being run, with how far it is where that is known.
    pub(crate) fn with_progress(&self, what: String) -> String {
        match &self.progress {
            Some(p) => {
                let of = p.of.map_or(String::new(), |of| format!(" of {of}"));
                format!("{what}: {} ({}{of})", p.text, p.done.saturating_add(1))
            }
            None => what,
        }
    }

    /// Time since the view was made.
    pub(crate) fn since_view(&self) -> Duration {
        self.now.saturating_sub(self.clock.learned)
    }
}
