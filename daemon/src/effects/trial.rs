//! Runs cases of the candidate's own, alone or behind the visible ones; no submission.

use std::rc::Rc;
use std::sync::Arc;

use vosim_protocol::v1::effect::Try;
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::guide::Guide;
use vosim_protocol::v1::problem::{CaseData, Language, Op, Problem, Suite};
use vosim_protocol::v1::service::OwnCase;
use vosim_protocol::v1::service::limits::{OWN_CALLS_MAX, OWN_CASES_MAX};

use crate::content;
use crate::daemon::{Daemon, Exercise};
use crate::effects::judging::{self, Judging};
use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::Refusal;

/// What stands in place of an answer of the reference that is not told.
const REFERENCE_S: &str = "what the reference gives";

/// What is run besides the candidate's own cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    /// The visible cases, in front of them.
    Visible,
    /// Nothing.
    Nothing,
}

/// Code and the cases it is tried with.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) code: Vec<u8>,
    pub(crate) file_path: String,
    pub(crate) language: Language,
    pub(crate) beside: Beside,
    pub(crate) own: Vec<OwnCase>,
}

/// Why there is nothing to run.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TrialFault {
    /// Not one of the problem's languages.
    #[error("{title} cannot be solved in {language}")]
    Language {
        /// The problem.
        title: String,
        /// The language.
        language: Language,
    },
    /// More than anybody types.
    #[error("at most {OWN_CASES_MAX} own cases of {OWN_CALLS_MAX} calls in all")]
    TooMany,
    /// A name that stands for something else.
    #[error("{name} is a case of the problem; give yours another name")]
    Taken {
        /// The name.
        name: String,
    },
    /// A case that does not fit the problem's interface.
    #[error("{name}: {reason}")]
    Misfit {
        /// The name.
        name: String,
        /// Why not.
        reason: String,
        /// The calls that there are.
        calls: String,
    },
}

impl CarryOut for Try {
    /// The candidate's own cases, and nothing else.
    async fn carry_out(self, run: &Run) -> Result<Done<Box<Evaluation>>, String> {
        let Self { code, file_path, language, cases } = self;
        let exercise = run.daemon.exercise(run.kind, run.spec, None).await?;
        let code = run.code(code).await?;
        let named = |(index, ops): (usize, Vec<Op>)| OwnCase {
            name: format!("own case {}", index + 1),
            ops,
            by_reference: true,
        };
        let own = cases.into_iter().enumerate().map(named).collect();
        let (daemon, guide) = (&run.daemon, run.daemon.guide(run.kind, run.spec).await?);
        let own = with_answers(daemon, &exercise, guide, own).await.map_err(|it| it.to_string())?;
        let trial = Trial { code, file_path, language, beside: Beside::Nothing, own };
        let judging = trial.judging(exercise.problem.clone(), Suite { cases: Vec::new() });
        run.judge(judging.map_err(|fault| fault.to_string())?).await.map(Done::from)
    }
}

/// Puts in what the reference gives where a case leaves an answer open and is to be compared with it.
pub(crate) async fn with_answers(
    daemon: &Rc<Daemon>,
    exercise: &Arc<Exercise>,
    guide: Option<Guide>,
    mut own: Vec<OwnCase>,
) -> Result<Vec<OwnCase>, Refusal> {
    let interface = &exercise.problem.interface;
    let open = |case: &OwnCase| {
        let mut ops = case.ops.iter();
        case.by_reference
            && ops.any(|op| op.expect.is_none())
            && content::check_ops(interface, &case.ops).is_ok()
    };
    let open: Vec<_> = (0..own.len()).filter(|at| open(&own[*at])).collect();
    let Some(guide) = guide.filter(|_| !open.is_empty() && own.len() <= OWN_CASES_MAX) else {
        return Ok(own);
    };
    let mut runs: Vec<_> = open.iter().map(|at| own[*at].ops.clone()).collect();
    let exercise = Arc::clone(exercise);
    let runs = judging::at_judge(daemon, drop, move |evaluator, cancel, _| {
        evaluator.complete(&exercise.problem, &guide.reference, &mut runs, cancel)?;
        Ok(runs)
    });
    for (at, ops) in open.into_iter().zip(runs.await?) {
        own[at].ops = ops;
    }
    Ok(own)
}

/// Takes the reference's answers out of what is told of cases that leave them open.
pub(crate) fn without_answers(evaluation: &mut Evaluation, own: &[OwnCase]) {
    for case in own.iter().filter(|case| case.by_reference) {
        let told = evaluation.cases.iter_mut().find(|told| told.name == case.name);
        let Some(shown) = told.and_then(|told| told.shown.as_mut()) else { continue };
        let at = usize::try_from(shown.call).unwrap_or(usize::MAX).saturating_sub(1);
        if case.ops.get(at).is_some_and(|op| op.expect.is_none()) {
            REFERENCE_S.clone_into(&mut shown.expected);
        }
    }
}

impl Trial {
    /// What is judged in the end: hidden cases are never part of it.
    pub(crate) fn judging(self, problem: Problem, suite: Suite) -> Result<Judging, TrialFault> {
        let Self { code, file_path, language, beside, own } = self;
        let mut problem = problem;
        if !problem.starters.contains_key(&language) {
            return Err(TrialFault::Language { title: problem.title, language });
        }
        let suite = open_and_own(&mut problem, suite, beside, own)?;
        let exercise = Arc::new(Exercise { problem, suite });
        Ok(Judging { exercise, code, file_path, language })
    }
}

/// Keeps what may be seen and adds the user's own cases, which need not say what must come back; a
/// case that the problem does not know is the user's.
fn open_and_own(
    problem: &mut Problem,
    suite: Suite,
    beside: Beside,
    own: Vec<OwnCase>,
) -> Result<Suite, TrialFault> {
    let ops = own.iter().map(|case| case.ops.len()).sum::<usize>();
    if own.len() > OWN_CASES_MAX || ops > OWN_CALLS_MAX {
        return Err(TrialFault::TooMany);
    }
    problem.cases.retain(|case| case.visible && beside == Beside::Visible);
    let known = |name: &str| problem.cases.iter().any(|case| case.name == name);
    let mut cases = suite.cases;
    cases.retain(|case| known(&case.name));
    for OwnCase { name, ops, .. } in own {
        if known(&name) {
            return Err(TrialFault::Taken { name });
        }
        if let Err(error) = content::check_ops(&problem.interface, &ops) {
            let calls = problem.interface.calls();
            return Err(TrialFault::Misfit { name, reason: error, calls });
        }
        cases.push(CaseData { name, ops, twin: Vec::new() });
    }
    Ok(Suite { cases })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vosim_protocol::wire::Wire as _;

    use super::*;

    fn own(name: &str, call: &str) -> OwnCase {
        let ops = json!([["LRUCache", [1]], [call, [1], -1]]);
        let ops = Vec::<Op>::from_json(ops).unwrap();
        OwnCase { name: name.to_owned(), ops, by_reference: false }
    }

    fn names(beside: Beside, own: Vec<OwnCase>) -> Result<Vec<String>, TrialFault> {
        let package = content::find("lru_cache").unwrap();
        let trial = Trial {
            code: Vec::new(),
            file_path: "a.py".to_owned(),
            language: Language::Python,
            beside,
            own,
        };
        let judging = trial.judging(package.problem.clone(), package.suite())?;
        Ok(judging.exercise.suite.cases.iter().map(|case| case.name.clone()).collect())
    }

    #[test]
    fn own_cases_run_alone_or_behind_the_visible_ones_and_never_beside_hidden_ones() {
        let package = content::find("lru_cache").unwrap();
        let cases = &package.problem.cases;
        let visible = cases.iter().filter(|case| case.visible).map(|case| case.name.clone());
        let mut expected: Vec<_> = visible.collect();
        assert!(!expected.is_empty() && expected.len() < cases.len());
        expected.push("mine".to_owned());
        assert_eq!(names(Beside::Visible, vec![own("mine", "get")]), Ok(expected));
        assert_eq!(names(Beside::Nothing, vec![own("mine", "get")]), Ok(vec!["mine".to_owned()]));
    }

    #[test]
    fn what_cannot_be_run_is_said() {
        let taken = names(Beside::Visible, vec![own("test_capacity_one", "get")]).unwrap_err();
        assert!(taken.to_string().contains("another name"), "{taken}");
        let misfit = names(Beside::Nothing, vec![own("mine", "fetch")]).unwrap_err();
        assert!(misfit.to_string().starts_with("mine: call 2: "), "{misfit}");
        let many = (0..=OWN_CASES_MAX).map(|n| own(&n.to_string(), "get")).collect();
        assert_eq!(names(Beside::Nothing, many), Err(TrialFault::TooMany));
    }
}
