//! What a session remembers of its submissions and hints: the observations that policies decide on.

use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::hints::{HintGiven, HintRequested, SOLUTION_LEVEL};
use vosim_protocol::v1::judging::{CodeSubmitted, EvalResult, ResultLine};
use vosim_protocol::{EventId, Hash, Time};

use crate::parts::shown::newest;
use crate::parts::wording::Wording;
use crate::parts::words::json_len;

/// Most submissions of a view.
const SHOWN_MAX: usize = 200;
/// Most bytes of them, as JSON spells them.
const SHOWN_BYTES_MAX: usize = 128 * 1024;
/// What a submission takes beside its path, at most.
const LINE_BYTES: usize = 384;

/// A judged submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedSubmission {
    /// The event of its verdict.
    pub event: EventId,
    /// What the verdict was.
    pub result: ResultLine,
    /// The issue it was put down to; none for a pass.
    pub issue: Option<String>,
}

/// A verdict in one line, with the submission that it is about.
pub fn result_line(result: &EvalResult, submitted: CodeSubmitted, at: Time) -> ResultLine {
    ResultLine {
        attempt_number: result.attempt_number,
        failure_type: result.failure_type,
        detail: result.detail,
        tests_passed: result.tests_passed,
        tests_failed: result.tests_failed,
        file_path: submitted.file_path,
        code_hash: submitted.code_hash,
        language: submitted.language,
        at,
        repeated: submitted.repeated,
    }
}

/// All judged submissions, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submissions(Vec<JudgedSubmission>);

impl Submissions {
    /// Remembers one more; of two that were judged at once the verdict of the later one may come
    /// first.
    pub fn insert(&mut self, submission: JudgedSubmission) {
        let number = submission.result.attempt_number;
        let place = self.0.partition_point(|other| other.result.attempt_number <= number);
        self.0.insert(place, submission);
    }

    /// All of them.
    pub fn all(&self) -> &[JudgedSubmission] {
        &self.0
    }

    /// The newest verdicts that fit into a view, and how many came before.
    pub fn newest(&self) -> (Vec<ResultLine>, u32) {
        let size =
            |submission: &JudgedSubmission| json_len(&submission.result.file_path) + LINE_BYTES;
        let shown = newest(&self.0, SHOWN_MAX, SHOWN_BYTES_MAX, size);
        let omitted = u32::try_from(self.0.len() - shown.len()).unwrap_or(u32::MAX);
        (shown.iter().map(|submission| submission.result.clone()).collect(), omitted)
    }

    /// The last one.
    pub fn last(&self) -> Option<&JudgedSubmission> {
        self.0.last()
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Those that push hint levels: a repeated judgement of the same bytes does not
    /// (DECISIONS 15).
    pub fn distinct(&self) -> impl DoubleEndedIterator<Item = &JudgedSubmission> {
        self.0.iter().filter(|submission| !submission.result.repeated)
    }

    /// The submission that judged these bytes.
    pub fn of_code(&self, code: Hash) -> Option<&JudgedSubmission> {
        self.0.iter().rev().find(|submission| submission.result.code_hash == code)
    }

    /// The first submission that passed.
    pub fn first_passed(&self) -> Option<&JudgedSubmission> {
        self.0.iter().find(|submission| submission.result.failure_type == FailureType::Pass)
    }

    /// What was remembered before an event.
    #[must_use]
    pub fn before(&self, event: EventId) -> Self {
        Self(self.0.iter().filter(|submission| submission.event < event).cloned().collect())
    }

    /// Most cases any submission passed.
    pub fn best_passed(&self) -> Option<u32> {
        self.0.iter().map(|submission| submission.result.tests_passed).max()
    }

    /// True when the last submission passed.
    pub fn solved(&self) -> bool {
        self.last().is_some_and(|a| a.result.failure_type == FailureType::Pass)
    }
}

/// A hint that was asked for.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The event that asked for it.
    pub requested: EventId,
    /// What was asked for.
    pub request: HintRequested,
    /// Until its words are there.
    pub wording: Option<Wording>,
    /// What was told, once it was.
    pub given: Option<HintGiven>,
}

/// All hints, oldest first; one at a time is on its way.
#[derive(Clone, Debug, Default)]
pub struct Hints(Vec<Hint>);

impl Hints {
    /// Remembers a hint that an event asks for.
    pub fn ask(&mut self, requested: EventId, request: HintRequested) {
        let wording = Some(Wording::new(requested));
        self.0.push(Hint { requested, request, wording, given: None });
    }

    /// Takes the words of the hint that is on its way; none when there is no such hint.
    pub fn give(&mut self, given: &HintGiven) -> Option<Wording> {
        let hint = self.0.last_mut()?;
        let wording = hint.wording.take()?;
        hint.given = Some(given.clone());
        Some(wording)
    }

    /// The last one.
    pub fn last(&self) -> Option<&Hint> {
        self.0.last()
    }

    /// The last one on an issue below the reference solution.
    pub fn last_on(&self, issue: &str) -> Option<&Hint> {
        let on =
            |hint: &&Hint| hint.request.issue == issue && hint.request.hint_level < SOLUTION_LEVEL;
        self.0.iter().rev().find(on)
    }

    /// What was told of an issue at a level, last.
    pub fn told(&self, issue: &str, level: u8) -> Option<&HintGiven> {
        let mut told = self.0.iter().rev().filter_map(|hint| hint.given.as_ref());
        told.find(|given| given.issue == issue && given.hint_level == level)
    }

    /// The hint whose words are on their way.
    pub fn pending(&self) -> Option<(&HintRequested, &Wording)> {
        self.last().and_then(|hint| Some((&hint.request, hint.wording.as_ref()?)))
    }

    /// The words that are on their way.
    pub fn wording_mut(&mut self) -> Option<&mut Wording> {
        self.0.last_mut()?.wording.as_mut()
    }

    /// Those that were given.
    pub fn given(&self) -> impl Iterator<Item = &Hint> {
        self.0.iter().filter(|hint| hint.wording.is_none())
    }

    /// Those that were asked for before an event.
    #[must_use]
    pub fn before(&self, event: EventId) -> Self {
        Self(self.0.iter().filter(|hint| hint.requested < event).cloned().collect())
    }

    /// How many were given.
    pub fn given_count(&self) -> u32 {
        u32::try_from(self.given().count()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::problem::Language;

    use super::*;

    fn submission(event: u64, attempt_number: u32) -> JudgedSubmission {
        let result = ResultLine {
            attempt_number,
            failure_type: FailureType::WrongAnswer,
            detail: None,
            tests_passed: 5,
            tests_failed: 7,
            file_path: "/a.py".to_owned(),
            code_hash: Hash::NONE,
            language: Language::Python,
            at: Time::from_micros(0),
            repeated: false,
        };
        JudgedSubmission { event: EventId(event), result, issue: None }
    }

    #[test]
    fn the_last_submission_is_the_one_with_the_highest_number_whichever_verdict_came_last() {
        let mut submissions = Submissions::default();
        for (event, number) in [(7, 1), (9, 3), (10, 2)] {
            submissions.insert(submission(event, number));
        }
        let numbers: Vec<_> = submissions.all().iter().map(|a| a.result.attempt_number).collect();
        assert_eq!(numbers, [1, 2, 3]);
        assert_eq!(submissions.last().unwrap().event, EventId(9));
    }
}
