//! What must be seen at once, over the transcript for some seconds.

use std::time::Duration;

use vosim_protocol::v1::telling::{ToldRecord, Tone};

const SHOWN: Duration = Duration::from_secs(6);
/// What is raised within so long is read together; later it replaces what is there.
const TOGETHER: Duration = Duration::from_secs(2);
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
    /// Time since the start at which it was raised; of joined ones the first.
    since: Duration,
    /// Time since the start at which it goes.
    pub(crate) until: Duration,
}

impl Banner {
    pub(crate) fn new(text: &str, warns: bool, large: bool, now: Duration) -> Self {
        let shown = if large { SHOWN_LONGER } else { SHOWN };
        Self { text: text.to_owned(), warns, large, since: now, until: now + shown }
    }

    /// What an event must show at once; `larger` is for who was granted larger warnings.
    pub(crate) fn of(record: &ToldRecord, larger: bool, now: Duration) -> Option<Self> {
        let telling = record.telling.as_ref()?;
        let warns = match telling.tone {
            Tone::Notice => false,
            Tone::Warning => true,
            Tone::Plain | Tone::Good | Tone::Bad => return None,
        };
        Some(Self::new(first_sentence(&telling.line.as_ref()?.text), warns, warns && larger, now))
    }

    /// Whether another one belongs to it.
    pub(crate) fn is_new(&self, now: Duration) -> bool {
        now < self.since + TOGETHER
    }

    /// Two at once are both read, the newer one last.
    pub(crate) fn after(self, before: &Self) -> Self {
        let text = match last_sentence(&before.text) {
            same if same == self.text => self.text,
            other => format!("{other}  {}", self.text),
        };
        Self {
            text,
            warns: self.warns || before.warns,
            large: self.large || before.large,
            since: before.since,
            until: self.until.max(before.until),
        }
    }
}

/// What a banner has room for; the transcript has the rest.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| &line[..=end])
}

/// Of a banner that was joined already, its newer half.
fn last_sentence(text: &str) -> &str {
    text.rsplit("  ").next().unwrap_or(text)
}
