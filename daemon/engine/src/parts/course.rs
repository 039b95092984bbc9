//! How solving a problem came out, from what happened on the way.

use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::{Finished, Outcome, ProblemId, Standing};

use crate::parts::memory::{Hints, Submissions};

/// What happened on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Something was judged, or the session was gone through to its end.
    pub tried: bool,
    /// The last submission passed.
    pub solved: bool,
    /// The highest level of a hint that was given; 0 where there was none.
    pub hint_level: u8,
    /// The assistant has answered a question.
    pub assisted: bool,
}

impl Course {
    /// What submissions and hints tell of it.
    pub fn of(submissions: &Submissions, hints: &Hints) -> Self {
        Self {
            tried: !submissions.all().is_empty(),
            solved: submissions.solved(),
            hint_level: hints.given().map(|hint| hint.request.hint_level).max().unwrap_or_default(),
            assisted: false,
        }
    }

    /// How it came out. The most that was given away counts.
    pub fn outcome(self) -> Outcome {
        match self {
            Self { solved: false, tried: false, .. } => Outcome::Abandoned,
            Self { solved: false, tried: true, .. } => Outcome::Failed,
            Self { hint_level: SOLUTION_LEVEL.., .. } => Outcome::Level4,
            Self { assisted: true, .. } => Outcome::Assisted,
            Self { hint_level: 0, .. } => Outcome::Unaided,
            Self { hint_level: 1.., .. } => Outcome::Hinted,
        }
    }

    /// The same with the problem it was about.
    pub fn finished(self, problem: &ProblemId) -> Finished {
        Finished { problem: problem.clone(), outcome: self.outcome() }
    }
}

/// How it stands with a problem, for lists.
pub fn standing(problem: &ProblemId, submissions: &Submissions, hints: &Hints) -> Standing {
    let last = submissions.last().map(|last| &last.result);
    Standing {
        problem: problem.clone(),
        submissions: submissions.count(),
        tests_passed: last.map(|last| last.tests_passed),
        tests: last.map(|last| last.tests_passed + last.tests_failed),
        hints: hints.given_count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_that_was_given_away_counts_and_only_where_it_was_solved() {
        let course = |tried, solved, hint_level, assisted| {
            Course { tried, solved, hint_level, assisted }.outcome()
        };
        for (outcome, expected) in [
            (course(true, true, 0, false), Outcome::Unaided),
            (course(true, true, 1, false), Outcome::Hinted),
            (course(true, true, 3, false), Outcome::Hinted),
            (course(true, true, 0, true), Outcome::Assisted),
            (course(true, true, 2, true), Outcome::Assisted),
            (course(true, true, 4, false), Outcome::Level4),
            (course(true, true, 4, true), Outcome::Level4),
            (course(true, false, 4, true), Outcome::Failed),
            (course(true, false, 0, false), Outcome::Failed),
            (course(false, false, 4, false), Outcome::Abandoned),
        ] {
            assert_eq!(outcome, expected);
        }
    }
}
