//! Every limit that a client can run into, in one table: the daemon is built with these numbers, and
//! `protocol.describe` tells them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `protocol.describe` tells of one limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limit {
    /// The number.
    pub value: u64,
    /// What is counted, in the plural: `bytes`, `seconds`, `streams`.
    pub unit: String,
    /// What it bounds, and what happens beyond it.
    pub doc: String,
}

/// What limits are counted in.
trait Number {
    fn number(self) -> u64;
}

impl Number for u32 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl Number for u64 {
    fn number(self) -> u64 {
        self
    }
}

impl Number for usize {
    fn number(self) -> u64 {
        self as u64
    }
}

/// Rows read `NAME: type = value, "unit";` for a limit that stands here, and
/// `NAME from path, "unit";` for one that stands beside what it bounds.
macro_rules! limits {
    ($($(#[doc = $doc:literal])* $name:ident $(: $type:ty = $value:expr)? $(, from $path:path)?, $unit:literal;)*) => {
        $(limits!(@declare [$(#[doc = $doc])*] $name $(: $type = $value)? $(, from $path)?);)*

        /// Every limit by its name: those above in lower case.
        pub(super) fn table() -> impl Iterator<Item = (String, Limit)> {
            [$((stringify!($name), $name.number(), $unit, concat!($($doc),*))),*].into_iter().map(
                |(name, value, unit, doc)| {
                    let (unit, doc) = (unit.to_owned(), doc.trim().to_owned());
                    (name.to_lowercase(), Limit { value, unit, doc })
                },
            )
        }
    };
    (@declare [$($doc:tt)*] $name:ident: $type:ty = $value:expr) => {
        $($doc)*
        pub const $name: $type = $value;
    };
    (@declare [$($doc:tt)*] $name:ident, from $path:path) => {
        #[doc(inline)]
        pub use $path as $name;
    };
}

limits! {
    /// Of one frame, its line feed not counted, in either direction. A larger one is answered with `frame_too_large`, and the connection is closed.
    FRAME_MAX_BYTES, from crate::frame::FRAME_MAX_BYTES, "bytes";
    /// Of a text that names a request.
    REQUEST_ID_MAX_BYTES, from crate::message::REQUEST_ID_MAX_BYTES, "bytes";
    /// Of the message of a refusal; a longer one is cut and ends in `…`.
    MESSAGE_MAX_CHARS, from crate::message::MESSAGE_MAX_CHARS, "characters";
    /// Of the path of the socket.
    SOCKET_PATH_MAX_BYTES, from crate::paths::SOCKET_PATH_MAX_BYTES, "bytes";

    /// Connections at one time that have said hello; one more is refused as `busy` and closed
    /// at once. They are fewer where fewer files may be open.
    CONNECTIONS_MAX: u64 = 1024, "connections";
    /// Connections at one time that have not said hello; one more closes the oldest of them.
    SILENT_MAX: usize = 128, "connections";
    /// From the connection to its hello; then it is closed.
    HELLO_SECS: u64 = 5, "seconds";
    /// Nothing could be written to a client: its connection is closed.
    WRITE_SECS: u64 = 30, "seconds";
    /// Requests of one connection that are worked on while others are answered; one more is refused as `busy`.
    UNDER_WAY_MAX: usize = 16, "requests";
    /// Answers and notices that wait for one client to read them. Beyond half of it no further request is looked at until the client reads; one frame may be larger.
    UNREAD_MAX_BYTES: usize = 256 * 1024, "bytes";
    /// Answers of all clients that were made while others went on, and have no room in `unread_max_bytes`; where this is used up as well, `busy` comes in their place.
    UNREAD_MORE_MAX_BYTES: usize = 4 * 1024 * 1024, "bytes";

    /// Streams of one connection; one more is refused as `busy`.
    STREAMS_MAX: usize = 64, "streams";
    /// A stream could tell nothing: it ends with the reason `too_slow`.
    STREAM_SECS: u64 = 25, "seconds";
    /// Between two marks of a stream on which nothing happens.
    MARK_SECS: u64 = 15, "seconds";

    /// Of a file that is submitted, run or asked about.
    SUBMISSION_MAX_BYTES, from crate::blob::SUBMISSION_MAX_BYTES, "bytes";
    /// Of one message, question or answer of a candidate.
    TEXT_MAX_BYTES, from crate::v1::talk::MESSAGE_MAX_BYTES, "bytes";
    /// Of the text of a note.
    NOTE_MAX_BYTES, from super::note::NOTE_MAX_BYTES, "bytes";
    /// Notes of one session.
    NOTES_MAX: u64 = 4096, "notes";
    /// Of one record in a log.
    RECORD_MAX_BYTES, from crate::record::RECORD_MAX_BYTES, "bytes";
    /// Records in one answer of `session.log`.
    LOG_PAGE_MAX_RECORDS: usize = 1024, "records";
    /// Of the records in one answer of `session.log`, as they are stored.
    LOG_PAGE_MAX_BYTES: usize = 256 * 1024, "bytes";
    /// Of one answer of `blob.get`, before it is spelled in base64.
    BLOB_PART_MAX_BYTES: usize = 512 * 1024, "bytes";
    /// Of the notes in one answer of `note.list`, as they are stored.
    NOTE_PAGE_MAX_BYTES: usize = 512 * 1024, "bytes";
    /// Events that are read back for a command that had been carried out before.
    REPLAYED_MAX_EVENTS: usize = 256, "events";
    /// Of a bundle; a session of which more would come is refused as `too_large`.
    BUNDLE_MAX_BYTES, from crate::v1::bundle::BUNDLE_MAX_BYTES, "bytes";

    /// Own cases in one run.
    OWN_CASES_MAX, from crate::v1::judging::OWN_CASES_MAX, "cases";
    /// Calls of all own cases in one run.
    OWN_CALLS_MAX: usize = 20_000, "calls";
    /// Calls of all own cases in one run that an interview takes note of.
    INTERVIEW_CALLS_MAX, from crate::v1::interview::OWN_CALLS_MAX, "calls";
    /// Asked for in `problem.stress`; more is cut to this.
    STRESS_MAX_SECS: u32 = 600, "seconds";

    /// Messages, questions, submissions, runs and hints in one interview.
    INTERVIEW_SENT_MAX, from crate::v1::interview::SENT_MAX, "messages and requests";
    /// Said in one section of an interview.
    SECTION_MAX_BYTES, from crate::v1::interview::SECTION_MAX_BYTES, "bytes";
    /// Saves of a watched file that one interview keeps.
    INTERVIEW_SAVES_MAX, from crate::v1::interview::SAVES_MAX, "saves";
    /// The saves of a watched file that one interview keeps.
    INTERVIEW_SAVES_MAX_BYTES, from crate::v1::interview::SAVES_MAX_BYTES, "bytes";
    /// Of the schema's times that an interview is given at least.
    TIME_PERCENT_MIN, from crate::v1::interview::TIME_PERCENT_MIN, "percent";
    /// Of the schema's times that an interview is given at most.
    TIME_PERCENT_MAX, from crate::v1::interview::TIME_PERCENT_MAX, "percent";
    /// Of a hint that a task is resumed with.
    TASK_HINT_MAX_CHARS, from crate::v1::task::HINT_MAX_CHARS, "characters";
}

// The largest frame waits alone, and a record beside others.
const _: () =
    assert!(UNREAD_MAX_BYTES < FRAME_MAX_BYTES && FRAME_MAX_BYTES < UNREAD_MORE_MAX_BYTES);
const _: () = assert!(RECORD_MAX_BYTES < UNREAD_MAX_BYTES);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_a_name_of_its_own_a_unit_and_a_sentence() {
        let all: Vec<_> = table().collect();
        let names: std::collections::BTreeSet<_> = all.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), all.len());
        for (name, Limit { value, unit, doc }) in &all {
            assert!(*value > 0 && !unit.is_empty() && doc.ends_with('.'), "{name}");
        }
    }
}
