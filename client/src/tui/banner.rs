//! What must be seen at once: boundaries of sections, warnings of time, pauses. It stays for some
//! seconds; the transcript keeps it.

use std::time::Duration;

use vosim_protocol::EventRecord;
use vosim_protocol::v1::interview::{Event, View};

use crate::render::interview::Told;
use crate::render::interview::words::{exit, left, length};

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
    pub(crate) fn new(text: &str, warns: bool, large: bool, now: Duration) -> Self {
        let shown = if large { SHOWN_LONGER } else { SHOWN };
        Self { text: text.to_owned(), warns, large, until: now + shown }
    }

    /// What an event must show at once.
    pub(crate) fn of(record: &EventRecord, view: &View, now: Duration) -> Option<Self> {
        let title = |id: &str| {
            let known = view.sections.iter().find(|line| line.section_id == id);
            known.map_or_else(|| id.to_owned(), |line| line.title.clone())
        };
        let Some(Told::Interview(event)) = Told::read(record) else { return None };
        let (text, warns) = match *event {
            Event::SectionTimeWarning(e) => {
                (format!("{} in '{}'.", left(e.left_ms), title(&e.section_id)), true)
            }
            Event::SectionStarted(e) => {
                let time = length(
                    u64::try_from(e.deadline.micros_since(record.timestamp) / 1000).unwrap_or(0),
                );
                let (number, of) = (e.number, view.sections.len());
                (format!("Section {number} of {of} begins: '{}', {time}.", e.title), false)
            }
            Event::SectionEnded(e) => {
                (format!("'{}' has ended: {}.", title(&e.section_id), exit(e.reason)), false)
            }
            Event::InterviewPaused(_) => (
                "Paused: no terminal of the candidate is there; the time runs on.".to_owned(),
                true,
            ),
            Event::CandidateReconnected(_) => ("The candidate is back.".to_owned(), false),
            Event::InterviewCompleted(_) => ("The interview is over.".to_owned(), false),
            Event::InterviewTerminated(_) => ("The interview was ended.".to_owned(), true),
            _ => return None,
        };
        let large = warns && view.accommodation.is_some();
        Some(Self::new(&text, warns, large, now))
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
