//! What must be seen at once, over the transcript for some seconds.

use std::time::Duration;

use crate::tui::panel::Alarm;

const SHOWN: Duration = Duration::from_secs(6);
/// For who was granted more.
const SHOWN_LONGER: Duration = Duration::from_secs(12);

/// A line over the transcript, for some seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Banner {
    pub(crate) text: String,
    /// A warning.
    pub(crate) warns: bool,
    /// Three lines high.
    pub(crate) large: bool,
    /// Time since the start at which it goes.
    pub(crate) until: Duration,
}

impl Banner {
    pub(crate) fn of(alarm: Alarm, now: Duration) -> Self {
        let Alarm { text, warns, large } = alarm;
        let shown = if large { SHOWN_LONGER } else { SHOWN };
        Self { text, warns, large, until: now + shown }
    }

    /// Two at once are both read, the newer one last.
    pub(crate) fn after(self, before: &Self) -> Self {
        Self {
            text: format!("{}  {}", last_sentence(&before.text), self.text),
            warns: self.warns || before.warns,
            large: self.large || before.large,
            until: self.until.max(before.until),
        }
    }
}

/// Of a banner that was joined already, its newer half.
fn last_sentence(text: &str) -> &str {
    text.rsplit("  ").next().unwrap_or(text)
}
