//! What a session remembers of its attempts: the observations that policies decide on.

use vosim_protocol::v1::drill::ResultLine;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::{EventId, Hash};

use crate::parts::shown::newest;
use crate::parts::words::json_len;

/// Most attempts of a view.
const SHOWN_MAX: usize = 200;
/// Most bytes of them, as JSON spells them.
const SHOWN_BYTES_MAX: usize = 128 * 1024;
/// What an attempt takes beside its path, at most.
const LINE_BYTES: usize = 384;

/// A judged attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The event of its verdict.
    pub event: EventId,
    /// What the verdict was.
    pub result: ResultLine,
    /// The issue it was put down to; none for a pass.
    pub issue: Option<String>,
}

/// All judged attempts, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempts(Vec<Attempt>);

impl Attempts {
    /// Remembers one more.
    pub fn push(&mut self, attempt: Attempt) {
        self.0.push(attempt);
    }

    /// All of them.
    pub fn all(&self) -> &[Attempt] {
        &self.0
    }

    /// The newest verdicts that fit into a view, and how many came before.
    pub fn newest(&self) -> (Vec<ResultLine>, u32) {
        let size = |attempt: &Attempt| json_len(&attempt.result.file_path) + LINE_BYTES;
        let shown = newest(&self.0, SHOWN_MAX, SHOWN_BYTES_MAX, size);
        let omitted = u32::try_from(self.0.len() - shown.len()).unwrap_or(u32::MAX);
        (shown.iter().map(|attempt| attempt.result.clone()).collect(), omitted)
    }

    /// The last one.
    pub fn last(&self) -> Option<&Attempt> {
        self.0.last()
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Those that push hint levels: a repeated judgement of the same bytes does not
    /// (DECISIONS 15).
    pub fn distinct(&self) -> impl DoubleEndedIterator<Item = &Attempt> {
        self.0.iter().filter(|attempt| !attempt.result.repeated)
    }

    /// The attempt that judged these bytes.
    pub fn of_code(&self, code: Hash) -> Option<&Attempt> {
        self.0.iter().rev().find(|attempt| attempt.result.code_hash == code)
    }

    /// The first attempt that passed.
    pub fn first_passed(&self) -> Option<&Attempt> {
        self.0.iter().find(|attempt| attempt.result.failure_type == FailureType::Pass)
    }

    /// What was remembered before an event.
    #[must_use]
    pub fn before(&self, event: EventId) -> Self {
        Self(self.0.iter().filter(|attempt| attempt.event < event).cloned().collect())
    }

    /// Most cases any attempt passed.
    pub fn best_passed(&self) -> Option<u32> {
        self.0.iter().map(|attempt| attempt.result.tests_passed).max()
    }

    /// True when the last attempt passed.
    pub fn solved(&self) -> bool {
        self.last().is_some_and(|a| a.result.failure_type == FailureType::Pass)
    }
}
