//! Draws the hidden inputs of a session (DECISIONS 41).
//!
//! The package's generator gives inputs and knows no answer; the reference gives the answers, in
//! another process. No candidate's code shares either of them. What the generator gives is checked
//! like the cases of any package.

use std::collections::BTreeMap;

use vosim_protocol::Json;
use vosim_protocol::v1::problem::{
    DrawnInputs, Function, Interface, Language, Op, Param, Problem, Suite,
};

use super::cancel::Cancel;
use super::outcome::End;
use super::runner::{Calls, Refusal};
use super::submission::Submission;
use super::value::Value;
use super::{Evaluator, judge, words};

/// Most calls of one case.
const OPS_MAX: usize = 20_000;

/// Calls without their answers, by the name of their case.
pub(super) type Inputs = BTreeMap<String, Vec<Op>>;

impl Evaluator {
    /// The suite with drawn inputs in place of those that the generator gives anew; the same for the
    /// same seed. `check` says why calls cannot be made through an interface.
    pub fn draw(
        &self,
        draw: &DrawnInputs,
        problem: &Problem,
        embedded: Suite,
        check: impl Fn(&Interface, &[Op]) -> Result<(), String>,
        cancel: &Cancel,
    ) -> Result<Suite, Refusal> {
        let inputs = self.generate(&draw.generator, &[draw.seed], problem, cancel)?;
        let inputs = inputs.into_iter().next().unwrap_or_default();
        for (name, ops) in &inputs {
            let checked = hidden(problem, name, ops).and_then(|()| check(&problem.interface, ops));
            checked.map_err(|why| fault("generator", &format!("{name}: {why}")))?;
        }
        let mut suite = embedded;
        for case in &mut suite.cases {
            if let Some(ops) = inputs.get(&case.name) {
                case.ops.clone_from(ops);
            }
        }
        self.answer(draw, problem, &mut suite, &inputs, cancel)?;
        Ok(suite)
    }

    /// What the generator gives for each of these seeds.
    pub(super) fn generate(
        &self,
        generator: &str,
        seeds: &[u64],
        problem: &Problem,
        cancel: &Cancel,
    ) -> Result<Vec<Inputs>, Refusal> {
        let seed = Param { name: "seed".to_owned(), kind: "int".to_owned() };
        let generate = Function { name: "generate".to_owned(), params: vec![seed], returns: None };
        let problem_of_its_own = Problem {
            interface: Interface::Function(generate),
            cases: Vec::new(),
            issues: Vec::new(),
            ..problem.clone()
        };
        let call = |seed: &u64| {
            vec![Op { call: "generate".to_owned(), args: vec![(*seed).into()], expect: None }]
        };
        let calls: Vec<_> = seeds.iter().map(call).collect();
        let calls: Vec<_> = calls.iter().map(Vec::as_slice).collect();
        let values = self.values("generator", generator, &problem_of_its_own, &calls, cancel)?;
        let inputs = values.into_iter().map(|values| {
            let given = values.into_iter().next().and_then(Value::into_json);
            given
                .and_then(|json| serde_json::from_value(json).ok())
                .ok_or_else(|| fault("generator", "it gives no calls by the names of cases"))
        });
        inputs.collect()
    }

    /// Puts in the answers of the reference, as far as the interface says that there is one.
    fn answer(
        &self,
        draw: &DrawnInputs,
        problem: &Problem,
        suite: &mut Suite,
        inputs: &Inputs,
        cancel: &Cancel,
    ) -> Result<(), Refusal> {
        let drawn = suite.cases.iter_mut().filter(|case| inputs.contains_key(&case.name));
        let mut drawn: Vec<_> = drawn.map(|case| &mut case.ops).collect();
        let calls: Vec<Vec<Op>> = drawn.iter().map(|ops| (*ops).clone()).collect();
        let calls: Vec<_> = calls.iter().map(Vec::as_slice).collect();
        let answers = self.values("reference", &draw.reference, problem, &calls, cancel)?;
        for (ops, answers) in drawn.iter_mut().zip(answers) {
            for (op, answer) in ops.iter_mut().zip(answers) {
                if !answers_are_wanted(&problem.interface, &op.call) {
                    continue;
                }
                let answer = answer.into_json();
                op.expect =
                    Some(answer.ok_or_else(|| fault("reference", "an answer is no plain value"))?);
            }
        }
        Ok(())
    }

    /// What the calls of several cases return; every one of them must.
    fn values(
        &self,
        part: &str,
        code: &str,
        problem: &Problem,
        cases: &[&[Op]],
        cancel: &Cancel,
    ) -> Result<Vec<Vec<Value>>, Refusal> {
        let file_path = format!("{part}.py");
        let nothing = Suite { cases: Vec::new() };
        let submission = Submission {
            problem,
            suite: &nothing,
            code: code.as_bytes(),
            file_path: &file_path,
            language: Language::Python,
        };
        let calls: Vec<_> = cases.iter().map(|ops| Calls { name: part, ops }).collect();
        let outcome = self.run(&submission, &calls, cancel)?;
        let unusable = judge::unusable(&submission, &outcome, &self.limits_of(&submission));
        if let Some(why) = unusable {
            return Err(fault(part, &why));
        }
        let returned = outcome.cases.into_iter().map(|ran| match ran.end {
            End::Returned(values) => Ok(values),
            End::Raised(_, raised) => Err(fault(part, &words::exception(&raised, &file_path))),
            End::Limit(_) | End::Signal(_) | End::Exit(_) | End::Nonsense | End::NotRun => {
                Err(fault(part, "it did not come to its end"))
            }
        });
        returned.collect()
    }
}

fn fault(part: &str, why: &str) -> Refusal {
    Refusal::Draw(format!("the problem's {part} failed: {why}"))
}

/// Whether these are calls without answers for a hidden case.
fn hidden(problem: &Problem, name: &str, ops: &[Op]) -> Result<(), String> {
    if !problem.cases.iter().any(|case| case.name == name && !case.visible) {
        return Err("there is no hidden case of this name".to_owned());
    }
    if ops.len() > OPS_MAX {
        return Err(format!("it has more than {OPS_MAX} calls"));
    }
    if ops.iter().any(|op| op.expect.is_some()) {
        return Err("it gives answers, which are the reference's".to_owned());
    }
    if let Some((at, limit)) = problem.beyond(ops) {
        return Err(format!("its call {} goes beyond \"{}\"", at + 1, limit.text));
    }
    Ok(())
}

pub(super) fn answers_are_wanted(interface: &Interface, call: &str) -> bool {
    match interface {
        Interface::Class { methods, .. } => {
            methods.iter().any(|method| method.name == call && method.returns.is_some())
        }
        Interface::Function(_) => true,
    }
}

impl Value {
    /// As case data have it; none where they cannot.
    pub(super) fn into_json(self) -> Option<Json> {
        let all = |items: Vec<Self>| {
            items.into_iter().map(Self::into_json).collect::<Option<Vec<_>>>().map(Json::Array)
        };
        Some(match self {
            Self::Null => Json::Null,
            Self::Bool(value) => value.into(),
            Self::Int(value) => value.into(),
            Self::Float(value) => serde_json::Number::from_f64(value)?.into(),
            Self::Str(text) => text.into(),
            Self::List(items) => all(items)?,
            Self::Sequence(kind, items) if kind == "tuple" => all(items)?,
            Self::Dict(entries) => {
                let entry = |(key, value): (Self, Self)| match key {
                    Self::Str(key) => Some((key, value.into_json()?)),
                    _ => None,
                };
                Json::Object(entries.into_iter().map(entry).collect::<Option<_>>()?)
            }
            Self::Undefined
            | Self::BigInt(_)
            | Self::Sequence(..)
            | Self::Map(_)
            | Self::Other { .. } => return None,
        })
    }
}
