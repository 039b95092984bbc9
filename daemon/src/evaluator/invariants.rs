//! Asks a package's checker whether sentences about its problem hold on runs of right and of wrong
//! programs (003: PLAN). No answer leaves the evaluator.

use std::collections::BTreeMap;

use vosim_protocol::Json;
use vosim_protocol::v1::effect::Checked;
use vosim_protocol::v1::guide::{Guide, InvariantTemplate};
use vosim_protocol::v1::problem::{Function, Interface, Language, Op, Param, Problem, Suite};

use super::Evaluator;
use super::cancel::Cancel;
use super::examine::Answers;
use super::runner::Refusal;
use super::value::Value;

/// Most calls of a run on which an invariant is checked.
const CHECKED_OPS_MAX: usize = 60;
/// Most calls of a hidden case on which the right choices of an invariant are proved.
const PROVED_OPS_MAX: usize = 200;

/// The choices that fill the gaps of a sentence.
type Choices = BTreeMap<String, usize>;

/// Runs of a problem's calls, each with its name.
struct Runs {
    names: Vec<String>,
    ops: Vec<Vec<Op>>,
}

/// A program that invariants are proved with.
#[derive(Clone, Copy, Debug)]
pub struct ProvedWith<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The language.
    pub language: Language,
    /// The program.
    pub source: &'a str,
}

/// What runs say of one sentence of a package with its right choices, and with one of them exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedInvariant {
    /// The sentence's name.
    pub template: String,
    /// On how many runs of right programs it was found to hold.
    pub holds: usize,
    /// The right program and the run that contradict it.
    pub contradicted_by: Option<(String, String)>,
    /// The choices that no run of the reference refutes, each with its gap.
    pub unrefuted: Vec<(String, String)>,
    /// How many other choices were tried.
    pub others: usize,
    /// The wrong programs that it notices.
    pub catches: Vec<String>,
}

impl Evaluator {
    /// Checks an invariant on the cases whose data may be shown: on runs of the reference, and of the
    /// planted programs.
    pub fn check_invariant(
        &self,
        problem: &Problem,
        suite: &Suite,
        guide: &Guide,
        template: &str,
        choices: &Choices,
        cancel: &Cancel,
    ) -> Result<Checked, Refusal> {
        let runs = shown(problem, suite);
        let right = self.answers(problem, &guide.reference, Language::Python, &runs.ops, cancel)?;
        let wrong = self.wrong_answers(problem, &guide.planted, &runs.ops, cancel)?;
        // One question for each run of each program, all in one process.
        let all = std::iter::once(&right).chain(&wrong);
        let asked: Vec<_> = all.flat_map(|it| questions(template, choices, &runs, it)).collect();
        let told = self.ask_checker(problem, &guide.checker, &asked, cancel)?;
        let (of_right, of_wrong) = told.split_at(runs.ops.len());
        let contradicted = of_right.iter().position(|told| *told == Some(false));
        let spoken = of_right.iter().filter(|told| told.is_some()).count();
        let broken = of_wrong.chunks(runs.ops.len().max(1));
        let broken = broken.filter(|told| told.contains(&Some(false))).count();
        Ok(Checked {
            runs: u32::try_from(spoken).unwrap_or(u32::MAX),
            contradicted_by: contradicted.map(|at| runs.names[at].clone()),
            catches: u32::try_from(broken).unwrap_or(u32::MAX),
        })
    }

    /// Proves every sentence of a package, on the runs with which a session checks it; right programs
    /// also on hidden cases.
    pub fn prove_invariants(
        &self,
        problem: &Problem,
        suite: &Suite,
        guide: &Guide,
        right: &[ProvedWith<'_>],
        wrong: &[ProvedWith<'_>],
        cancel: &Cancel,
    ) -> Result<Vec<ProvedInvariant>, Refusal> {
        let mut runs = shown(problem, suite);
        let of_session = runs.ops.len();
        let hidden = suite.cases.iter().filter(|case| !is_visible(problem, &case.name));
        for case in hidden.filter(|case| (1..=PROVED_OPS_MAX).contains(&case.ops.len())) {
            runs.names.push(case.name.clone());
            runs.ops.push(case.ops.clone());
        }
        let answers = |programs: &[ProvedWith<'_>]| -> Result<Vec<Answers>, Refusal> {
            let of = |it: &ProvedWith<'_>| {
                self.answers(problem, it.source, it.language, &runs.ops, cancel)
            };
            programs.iter().map(of).collect()
        };
        let reference =
            self.answers(problem, &guide.reference, Language::Python, &runs.ops, cancel)?;
        let (of_right, of_wrong) = (answers(right)?, answers(wrong)?);
        let prove = |template: &InvariantTemplate| {
            let chosen: Choices =
                template.gaps.iter().map(|gap| (gap.name.clone(), gap.right)).collect();
            let others = exchanged(template, &chosen);
            let programs = of_right.iter().chain(&of_wrong);
            let fitting = programs.flat_map(|it| questions(&template.id, &chosen, &runs, it));
            let exchanged =
                others.iter().flat_map(|(.., it)| questions(&template.id, it, &runs, &reference));
            let asked: Vec<_> = fitting.chain(exchanged).collect();
            let told = self.ask_checker(problem, &guide.checker, &asked, cancel)?;
            let mut told = told.chunks(runs.ops.len().max(1));
            let holding: Vec<_> = told.by_ref().take(right.len()).collect();
            let noticed = told.by_ref().take(wrong.len());
            let catches = wrong.iter().zip(noticed);
            let catches = catches.filter(|(_, told)| told[..of_session].contains(&Some(false)));
            let catches = catches.map(|(program, _)| program.name.to_owned()).collect();
            let unrefuted = others.iter().zip(told);
            let unrefuted =
                unrefuted.filter(|(_, told)| !told[..of_session].contains(&Some(false)));
            Ok(ProvedInvariant {
                template: template.id.clone(),
                holds: holding.concat().iter().filter(|told| **told == Some(true)).count(),
                contradicted_by: right.iter().zip(&holding).find_map(|(program, told)| {
                    let at = told.iter().position(|told| *told == Some(false))?;
                    Some((program.name.to_owned(), runs.names[at].clone()))
                }),
                unrefuted: unrefuted
                    .map(|((gap, choice, _), _)| (gap.clone(), choice.clone()))
                    .collect(),
                others: others.len(),
                catches,
            })
        };
        guide.invariants.iter().map(prove).collect()
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

fn is_visible(problem: &Problem, name: &str) -> bool {
    problem.cases.iter().any(|case| case.name == name && case.visible)
}

/// The runs on which a session checks a sentence: what may be shown of each case, and the small runs.
fn shown(problem: &Problem, suite: &Suite) -> Runs {
    let shown = suite.cases.iter().map(|case| {
        (&case.name, if is_visible(problem, &case.name) { &case.ops } else { &case.twin })
    });
    let shown = shown.filter(|(_, ops)| (1..=CHECKED_OPS_MAX).contains(&ops.len()));
    let small = problem.runs.iter().map(|run| (&run.name, &run.ops));
    let (names, ops) = shown.chain(small).map(|(name, ops)| (name.clone(), ops.clone())).unzip();
    Runs { names, ops }
}

/// The right choices with one of them exchanged for another, in every way: the gap, the choice, and all.
fn exchanged(template: &InvariantTemplate, right: &Choices) -> Vec<(String, String, Choices)> {
    let of_gap = |gap: &vosim_protocol::v1::guide::Gap| {
        let name = gap.name.clone();
        let others: Vec<_> = (0..gap.choices.len()).filter(|choice| *choice != gap.right).collect();
        let one = move |(choice, text): (usize, String)| {
            let mut choices = right.clone();
            choices.insert(name.clone(), choice);
            (name.clone(), text, choices)
        };
        let texts: Vec<_> = others.into_iter().map(|at| (at, gap.choices[at].clone())).collect();
        texts.into_iter().map(one)
    };
    template.gaps.iter().flat_map(of_gap).collect()
}

/// One question for each run of a program; none for a run that it does not come to the end of.
fn questions(template: &str, choices: &Choices, runs: &Runs, answers: &Answers) -> Vec<Option<Op>> {
    let both = runs.ops.iter().zip(answers);
    let asked = both.map(|(ops, answers)| {
        let answers = answers.as_deref().and_then(plain)?;
        Some(question(template, choices, ops, answers))
    });
    asked.collect()
}

fn question(template: &str, choices: &Choices, ops: &[Op], answers: Vec<Json>) -> Op {
    let calls = ops.iter().map(|op| serde_json::json!([op.call, op.args])).collect();
    let args =
        vec![template.into(), serde_json::json!(choices), Json::Array(calls), Json::Array(answers)];
    Op { call: "check".to_owned(), args, expect: None }
}

fn plain(answers: &[Value]) -> Option<Vec<Json>> {
    answers.iter().map(|answer| answer.clone().into_json()).collect()
}
