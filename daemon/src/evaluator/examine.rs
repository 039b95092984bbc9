//! Runs calls with the reference and with planted wrong programs, and says where they differ (003:
//! UNDERSTAND, PLAN, REFLECT). No answer leaves this module.

use std::collections::BTreeMap;

use vosim_protocol::Json;
use vosim_protocol::v1::effect::{Checked, Examined, ExaminedRun};
use vosim_protocol::v1::guide::Guide;
use vosim_protocol::v1::problem::{Function, Interface, Language, Op, Param, Problem, Suite};

use super::Evaluator;
use super::cancel::Cancel;
use super::outcome::End;
use super::runner::{Calls, Refusal};
use super::submission::Submission;
use super::value::Value;

/// Most calls of a run on which an invariant is checked.
const CHECKED_OPS_MAX: usize = 60;

/// What one program answers in each run; none where it does not come to the end of it.
type Answers = Vec<Option<Vec<Value>>>;

impl Evaluator {
    /// Runs examples with the reference and the planted programs.
    pub fn examine(
        &self,
        problem: &Problem,
        guide: &Guide,
        runs: &[Vec<Op>],
        cancel: &Cancel,
    ) -> Result<Examined, Refusal> {
        let right = self.answers(problem, &guide.reference, Language::Python, runs, cancel)?;
        let mut catches = vec![0u32; runs.len()];
        let mut caught = 0;
        let wrong = self.wrong_answers(problem, guide, runs, cancel)?;
        for answers in &wrong {
            let differs = |at: &usize| {
                !same(problem, &runs[*at], right[*at].as_deref(), answers[*at].as_deref())
            };
            let found: Vec<_> = (0..runs.len()).filter(differs).collect();
            caught += u32::from(!found.is_empty());
            found.into_iter().for_each(|at| catches[at] += 1);
        }
        let examined = runs.iter().zip(&right).zip(catches).map(|((ops, answers), catches)| {
            let at = answers.as_deref().and_then(|answers| disagreement(ops, answers));
            let holds = at.is_none() && answers.is_some();
            let differs_at = at.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX));
            ExaminedRun { holds, differs_at, catches }
        });
        let planted = u32::try_from(wrong.len()).unwrap_or(u32::MAX);
        Ok(Examined { runs: examined.collect(), planted, caught })
    }

    /// Checks an invariant on the cases whose data may be shown: on runs of the reference, and of the
    /// planted programs.
    pub fn check_invariant(
        &self,
        problem: &Problem,
        suite: &Suite,
        guide: &Guide,
        template: &str,
        choices: &BTreeMap<String, usize>,
        cancel: &Cancel,
    ) -> Result<Checked, Refusal> {
        let visible =
            |name: &str| problem.cases.iter().any(|case| case.name == name && case.visible);
        let shown = suite
            .cases
            .iter()
            .map(|case| (&case.name, if visible(&case.name) { &case.ops } else { &case.twin }));
        let shown = shown.filter(|(_, ops)| (1..=CHECKED_OPS_MAX).contains(&ops.len()));
        let small = problem.runs.iter().map(|run| (&run.name, &run.ops));
        let (names, runs): (Vec<_>, Vec<_>) =
            shown.chain(small).map(|(name, ops)| (name.clone(), ops.clone())).unzip();
        let right = self.answers(problem, &guide.reference, Language::Python, &runs, cancel)?;
        let wrong = self.wrong_answers(problem, guide, &runs, cancel)?;
        // One question for each run of each program, all in one process.
        let all: Vec<_> = std::iter::once(&right).chain(&wrong).collect();
        let mut asked = Vec::new();
        for answers in &all {
            for (ops, answers) in runs.iter().zip(answers.iter()) {
                let answers = answers.as_deref().and_then(plain);
                asked.push(answers.map(|answers| question(template, choices, ops, answers)));
            }
        }
        let told = self.ask_checker(problem, &guide.checker, &asked, cancel)?;
        let (of_right, of_wrong) = told.split_at(runs.len());
        let contradicted = of_right.iter().position(|told| *told == Some(false));
        let spoken = of_right.iter().filter(|told| told.is_some()).count();
        let broken = of_wrong.chunks(runs.len().max(1));
        let broken = broken.filter(|told| told.contains(&Some(false))).count();
        Ok(Checked {
            runs: u32::try_from(spoken).unwrap_or(u32::MAX),
            contradicted_by: contradicted.map(|at| names[at].clone()),
            catches: u32::try_from(broken).unwrap_or(u32::MAX),
        })
    }

    /// What the planted programs answer, as far as there is something to run them with.
    fn wrong_answers(
        &self,
        problem: &Problem,
        guide: &Guide,
        runs: &[Vec<Op>],
        cancel: &Cancel,
    ) -> Result<Vec<Answers>, Refusal> {
        let planted = guide.planted.iter();
        planted
            .map(|program| self.answers(problem, &program.source, program.language, runs, cancel))
            .collect()
    }

    fn answers(
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

    /// What the checker says to each question; none where it says nothing, and where there is none.
    fn ask_checker(
        &self,
        problem: &Problem,
        checker: &str,
        asked: &[Option<Op>],
        cancel: &Cancel,
    ) -> Result<Vec<Option<bool>>, Refusal> {
        let param = |name: &str| Param { name: name.to_owned(), kind: "any".to_owned() };
        let params = ["template", "choices", "calls", "answers"].map(param).into();
        let check = Function { name: "check".to_owned(), params, returns: None };
        let of_its_own = Problem {
            interface: Interface::Function(check),
            cases: Vec::new(),
            issues: Vec::new(),
            ..problem.clone()
        };
        let runs: Vec<Vec<Op>> = asked.iter().flatten().map(|op| vec![op.clone()]).collect();
        let told = self.answers(&of_its_own, checker, Language::Python, &runs, cancel)?;
        if !told.is_empty() && told.iter().all(Option::is_none) {
            let why = "the problem's invariants failed: no run could be checked".to_owned();
            return Err(Refusal::Draw(why));
        }
        let mut told = told.into_iter();
        let said = |asked: &Option<Op>| {
            asked.as_ref()?;
            match told.next()??.first()? {
                Value::Bool(said) => Some(*said),
                _ => None,
            }
        };
        Ok(asked.iter().map(said).collect())
    }
}

fn question(
    template: &str,
    choices: &BTreeMap<String, usize>,
    ops: &[Op],
    answers: Vec<Json>,
) -> Op {
    let calls = ops.iter().map(|op| serde_json::json!([op.call, op.args])).collect();
    let args =
        vec![template.into(), serde_json::json!(choices), Json::Array(calls), Json::Array(answers)];
    Op { call: "check".to_owned(), args, expect: None }
}

fn plain(answers: &[Value]) -> Option<Vec<Json>> {
    answers.iter().map(|answer| answer.clone().into_json()).collect()
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
        !super::draw::answers_are_wanted(&problem.interface, &op.call)
            || right.clone().into_json() == other.clone().into_json()
    })
}
