//! Runs calls with the reference and with planted wrong programs, and says where they differ (003:
//! UNDERSTAND, REFLECT). No answer leaves the evaluator.

use vosim_protocol::v1::effect::{Examined, ExaminedRun};
use vosim_protocol::v1::guide::Planted;
use vosim_protocol::v1::problem::{Language, Op, Problem, Suite};

use super::Evaluator;
use super::cancel::Cancel;
use super::draw::answers_are_wanted;
use super::limits::{InputLimits, is_shown};
use super::outcome::End;
use super::runner::{Calls, Refusal};
use super::submission::Submission;
use super::value::Value;

/// What one program answers in each run; none where it does not come to the end of it.
pub(super) type Answers = Vec<Option<Vec<Value>>>;

impl Evaluator {
    /// Runs examples with the reference and the planted programs. One that goes beyond the
    /// problem's inputs catches nothing; one that the statement or a visible case shows is marked.
    pub fn examine(
        &self,
        problem: &Problem,
        suite: &Suite,
        reference: &str,
        planted: &[Planted],
        runs: &[Vec<Op>],
        cancel: &Cancel,
    ) -> Result<Examined, Refusal> {
        let right = self.answers(problem, reference, Language::Python, runs, cancel)?;
        let limits = InputLimits::of(problem, suite);
        let of_one = |ops: &Vec<Op>| (is_shown(problem, suite, ops), limits.passed_at(ops));
        let placed: Vec<_> = runs.iter().map(of_one).collect();
        let counts = |at: usize| !placed[at].0 && placed[at].1.is_none();
        let mut catches = vec![0u32; runs.len()];
        let mut caught = 0;
        let wrong = self.wrong_answers(problem, planted, runs, cancel)?;
        for answers in &wrong {
            let differs = |at: &usize| {
                !same(problem, &runs[*at], right[*at].as_deref(), answers[*at].as_deref())
            };
            let found: Vec<_> = (0..runs.len()).filter(differs).collect();
            caught += u32::from(found.iter().any(|at| counts(*at)));
            found.into_iter().filter(|at| placed[*at].1.is_none()).for_each(|at| catches[at] += 1);
        }
        let each = runs.iter().zip(&right).zip(catches).zip(&placed);
        let examined = each.map(|(((ops, answers), catches), (shown, passed))| {
            let (outside, limit) = passed.clone().unzip();
            let (shown, limit) = (*shown, limit.flatten());
            let at = answers.as_deref().and_then(|answers| disagreement(ops, answers));
            let holds = at.is_none() && answers.is_some();
            let differs_at = at.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX));
            ExaminedRun { holds, differs_at, catches, shown, outside, limit }
        });
        let planted = u32::try_from(wrong.len()).unwrap_or(u32::MAX);
        Ok(Examined { runs: examined.collect(), planted, caught })
    }

    /// Puts in what the reference gives where an answer is open and is wanted. A run that it does not
    /// come to the end of stays as it is.
    pub fn complete(
        &self,
        problem: &Problem,
        reference: &str,
        runs: &mut [Vec<Op>],
        cancel: &Cancel,
    ) -> Result<(), Refusal> {
        let right = self.answers(problem, reference, Language::Python, runs, cancel)?;
        for (ops, answers) in runs.iter_mut().zip(right) {
            for (op, answer) in ops.iter_mut().zip(answers.into_iter().flatten()) {
                if op.expect.is_none() && answers_are_wanted(&problem.interface, &op.call) {
                    op.expect = answer.into_json();
                }
            }
        }
        Ok(())
    }

    /// What the planted programs answer, as far as there is something to run them with.
    pub(super) fn wrong_answers(
        &self,
        problem: &Problem,
        planted: &[Planted],
        runs: &[Vec<Op>],
        cancel: &Cancel,
    ) -> Result<Vec<Answers>, Refusal> {
        planted
            .iter()
            .map(|program| self.answers(problem, &program.source, program.language, runs, cancel))
            .collect()
    }

    pub(super) fn answers(
        &self,
        problem: &Problem,
        code: &str,
        language: Language,
        runs: &[Vec<Op>],
        cancel: &Cancel,
    ) -> Result<Answers, Refusal> {
        let nothing = Suite { cases: Vec::new() };
        let file_path = format!("program.{}", language.extension());
        let submission = Submission {
            problem,
            suite: &nothing,
            code: code.as_bytes(),
            file_path: &file_path,
            language,
        };
        let calls: Vec<_> = runs.iter().map(|ops| Calls { name: "example", ops }).collect();
        let outcome = self.run(&submission, &calls, cancel)?;
        let mut answers: Answers = outcome
            .cases
            .into_iter()
            .map(|ran| if let End::Returned(values) = ran.end { Some(values) } else { None })
            .collect();
        answers.resize_with(runs.len(), || None);
        Ok(answers)
    }
}

/// The first call whose given answer is another one.
fn disagreement(ops: &[Op], answers: &[Value]) -> Option<usize> {
    let mut both = ops.iter().zip(answers);
    both.position(|(op, answer)| {
        op.expect.as_ref().is_some_and(|expect| !answer.is(expect, Language::Python))
    })
}

/// Whether two programs answer alike where an answer matters.
fn same(problem: &Problem, ops: &[Op], right: Option<&[Value]>, other: Option<&[Value]>) -> bool {
    let (Some(right), Some(other)) = (right, other) else {
        return right.is_none() && other.is_none();
    };
    let mut all = ops.iter().zip(right.iter().zip(other));
    all.all(|(op, (right, other))| {
        !answers_are_wanted(&problem.interface, &op.call)
            || right.clone().into_json() == other.clone().into_json()
    })
}
