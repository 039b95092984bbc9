//! Tries many candidates of a repair in one sandboxed process, each in a child of its own within a limit for
//! each test. What must come back stays here, as it does when a submission is judged; but a candidate that
//! passes here has only earned to be judged.

use std::collections::{BTreeMap, HashMap};

use vosim_agent::repair::{Bench, Fault, Outcome, Patience, Test};
use vosim_protocol::Json;
use vosim_protocol::trouble::Location;
use vosim_protocol::v1::problem::{Interface, Language, Op, Problem, Suite};
use vosim_sandbox_spec::Limits;

use super::cancel::Cancel;
use super::driver_process::{Exchange, Process};
use super::frames::{self, Heard};
use super::value::Value;
use super::{Calls, End, Evaluator, Ran, Refusal, Submission, profile};
use crate::runtime_dir::trouble;

/// What one test may compute.
const TEST_MICROS: u64 = 250_000;
/// What nearly every test does with.
const SHORT_MICROS: u64 = 40_000;
/// Children that run side by side.
const ABREAST: usize = 2;
/// Candidates of one process.
const PROCESS_MAX: usize = 1_000;

/// How strictly values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// As a submission is judged.
    Exact,
    /// As sets of programs and cases are written that were made for other judges: what an iterator gives
    /// is a list, a tuple or set is one too, and numbers are alike that differ by a millionth.
    Loose,
}

/// What candidates are tried against.
#[derive(Clone, Copy, Debug)]
pub struct Tests<'a> {
    /// What every candidate must define.
    pub interface: &'a Interface,
    /// The candidate's language.
    pub language: Language,
    /// The calls of each test, with what must come back.
    pub tests: &'a [Vec<Op>],
    /// How the two are compared.
    pub reading: Comparison,
}

/// A bench in the sandbox.
#[derive(Debug)]
pub struct SandboxBench<'a> {
    evaluator: &'a Evaluator,
    tests: Tests<'a>,
    cancel: &'a Cancel,
    process: Option<Asked>,
}

/// A process, how often it was asked, and what its candidates have said.
#[derive(Debug)]
struct Asked {
    process: Process,
    seq: u32,
    candidates: usize,
    heard: Vec<Option<Heard>>,
    /// What a text comes to as the answer to a test.
    judged: HashMap<(i64, usize), Test>,
}

/// Why a batch has no outcome.
enum Lost {
    /// Something in it has ended the process.
    Process,
    Fault(Fault),
}

impl Evaluator {
    /// A bench for candidates of one program.
    pub fn bench<'a>(&'a self, tests: Tests<'a>, cancel: &'a Cancel) -> SandboxBench<'a> {
        SandboxBench { evaluator: self, tests, cancel, process: None }
    }
}

impl Evaluator {
    /// Whether a program passes these tests as the usual driver runs them; read loosely, as another bench
    /// does.
    ///
    /// # Errors
    /// If nothing could be run.
    pub fn passes(&self, tests: Tests<'_>, code: &[u8], cancel: &Cancel) -> Result<bool, Refusal> {
        if tests.reading == Comparison::Loose {
            let text = String::from_utf8_lossy(code);
            return match self.bench(tests, cancel).outcomes(&[&text], Patience::Full) {
                Ok(outcomes) => Ok(outcomes.iter().all(Outcome::passed)),
                Err(Fault::Cancelled) => Err(Refusal::Cancelled),
                Err(Fault::Broken(why)) => Err(Refusal::Sandbox(why)),
            };
        }
        let nothing = Suite { cases: Vec::new() };
        let problem = tests.problem();
        let file_path = profile(tests.language).file;
        let submission = Submission {
            problem: &problem,
            suite: &nothing,
            code,
            file_path,
            language: tests.language,
        };
        let calls: Vec<_> = tests.tests.iter().map(|ops| Calls { name: "test", ops }).collect();
        let outcome = self.run(&submission, &calls, cancel)?;
        let passed = |(ops, ran): (&Vec<Op>, &Ran)| matches!(&ran.end, End::Returned(values) if tests.are_right(ops, values));
        Ok(tests.tests.iter().zip(&outcome.cases).all(passed))
    }
}

/// Ten minutes of computing at most, of which a batch takes a small part.
fn limits() -> Limits {
    Limits { cpu_ms: 600_000, wall_ms: 600_000, idle_ms: 60_000, ..Limits::submission() }
}

impl Bench for SandboxBench<'_> {
    fn run(&mut self, candidates: &[String], patience: Patience) -> Result<Vec<Outcome>, Fault> {
        let texts: Vec<_> = candidates.iter().map(String::as_str).collect();
        self.outcomes(&texts, patience)
    }
}

impl SandboxBench<'_> {
    /// A batch that ends its process is halved until it is known which candidate that was.
    fn outcomes(&mut self, texts: &[&str], patience: Patience) -> Result<Vec<Outcome>, Fault> {
        match self.batch(texts, patience) {
            Ok(outcomes) => Ok(outcomes),
            Err(Lost::Fault(fault)) => Err(fault),
            Err(Lost::Process) if texts.len() <= 1 => Ok(vec![self.unloaded(); texts.len()]),
            Err(Lost::Process) => {
                let (first, second) = texts.split_at(texts.len() / 2);
                let mut outcomes = self.outcomes(first, patience)?;
                outcomes.extend(self.outcomes(second, patience)?);
                Ok(outcomes)
            }
        }
    }

    fn unloaded(&self) -> Outcome {
        Outcome { tests: vec![Test::NotRun; self.tests.tests.len()] }
    }

    fn batch(&mut self, texts: &[&str], patience: Patience) -> Result<Vec<Outcome>, Lost> {
        let said = self.ask(texts, patience)?;
        let outcomes = said.iter().map(|said| self.outcome(said.as_deref())).collect();
        Ok(outcomes)
    }

    fn ask(&mut self, texts: &[&str], patience: Patience) -> Result<Vec<Option<Vec<i64>>>, Lost> {
        let mut asked = match self.process.take() {
            Some(asked) if asked.candidates + texts.len() <= PROCESS_MAX => asked,
            _ => self.begin().map_err(Lost::Fault)?,
        };
        asked.seq += 1;
        asked.candidates += texts.len();
        let micros = match patience {
            Patience::Short => SHORT_MICROS,
            Patience::Full => TEST_MICROS,
        };
        asked.process.post(frames::candidates(asked.seq, texts.iter().copied(), micros));
        let answer = match asked.process.answer(asked.seq, None, self.cancel, &mut String::new()) {
            Exchange::Answered(answer) if answer.said.len() == texts.len() => answer,
            Exchange::Cancelled => return Err(Lost::Fault(Fault::Cancelled)),
            Exchange::Answered(_)
            | Exchange::Gone
            | Exchange::Nonsense
            | Exchange::Flooded
            | Exchange::Slow
            | Exchange::Stuck => return Err(Lost::Process),
        };
        asked.heard.extend(answer.texts.iter().map(|text| frames::heard(text)));
        self.process = Some(asked);
        Ok(answer.said)
    }

    fn begin(&self) -> Result<Asked, Fault> {
        let broken = |why: Refusal| Fault::Broken(why.to_string());
        let language = self.tests.language;
        let runtime = self.evaluator.runtime(language).map_err(broken)?;
        let spec = runtime.bench(&limits()).ok_or_else(|| {
            Fault::Broken(format!("programs in {} cannot be repaired", language.title()))
        })?;
        let sandbox = self.evaluator.sandbox();
        let mut process =
            Process::start(&sandbox, self.evaluator.user(), &spec).map_err(|error| {
                let trouble = trouble(&error, &sandbox, Location::Program);
                Fault::Broken(format!("starting {}: {trouble}", sandbox.display()))
            })?;
        let tests: Vec<_> = self.tests.tests.iter().map(Vec::as_slice).collect();
        let how = (self.tests.reading == Comparison::Loose, ABREAST);
        let file = profile(language).file;
        process.post(frames::bench(process.nonce(), file, self.tests.interface, &tests, how));
        Ok(Asked { process, seq: 0, candidates: 0, heard: Vec::new(), judged: HashMap::new() })
    }

    fn outcome(&mut self, said: Option<&[i64]>) -> Outcome {
        let Some(said) = said else { return self.unloaded() };
        let Some(asked) = &mut self.process else { return self.unloaded() };
        let tests = self.tests;
        let mut outcome: Vec<_> = said
            .iter()
            .enumerate()
            .take(tests.tests.len())
            .map(|(at, number)| match number {
                -1 => Test::Slow,
                ..-1 => Test::Raised,
                _ => *asked.judged.entry((*number, at)).or_insert_with(|| {
                    let heard = usize::try_from(*number).ok().and_then(|at| asked.heard.get(at));
                    tests.judge(at, heard.and_then(Option::as_ref))
                }),
            })
            .collect();
        outcome.resize(tests.tests.len(), Test::NotRun);
        Outcome { tests: outcome }
    }
}

impl Tests<'_> {
    fn judge(&self, at: usize, heard: Option<&Heard>) -> Test {
        let (Some(heard), Some(ops)) = (heard, self.tests.get(at)) else { return Test::Wrong };
        if heard.raised {
            return Test::Raised;
        }
        if self.are_right(ops, &heard.returns) { Test::Passed } else { Test::Wrong }
    }

    fn are_right(&self, ops: &[Op], values: &[Value]) -> bool {
        let right = |(op, value): (&Op, &Value)| match (&op.expect, self.reading) {
            (None, _) => true,
            (Some(expect), Comparison::Exact) => value.is(expect, self.language),
            (Some(expect), Comparison::Loose) => is_like(value, expect),
        };
        values.len() == ops.len() && ops.iter().zip(values).all(right)
    }

    /// A problem of which nothing but the interface is known.
    fn problem(&self) -> Problem {
        Problem {
            id: "tests".parse().expect("these are letters"),
            title: String::new(),
            statement: String::new(),
            licence: String::new(),
            rung: 1,
            cpu_ms: Limits::submission().cpu_ms,
            interface: self.interface.clone(),
            starters: BTreeMap::new(),
            cases: Vec::new(),
            runs: Vec::new(),
            limits: Vec::new(),
            issues: Vec::new(),
            solutions: BTreeMap::new(),
            praise: String::new(),
            question: String::new(),
            growth: None,
        }
    }
}

/// Whether a value is what a case means, with the differences left out that JSON cannot write.
fn is_like(value: &Value, expect: &Json) -> bool {
    let all = |items: &[Value], expected: &[Json]| {
        items.len() == expected.len()
            && items.iter().zip(expected).all(|(one, other)| is_like(one, other))
    };
    match (value, expect) {
        (Value::Sequence(kind, items), Json::Array(expected)) if kind != "tuple" => {
            let mut left: Vec<_> = expected.iter().collect();
            items.len() == left.len()
                && items.iter().all(|item| {
                    let found = left.iter().position(|one| is_like(item, one));
                    found.map(|at| left.swap_remove(at)).is_some()
                })
        }
        (Value::List(items) | Value::Sequence(_, items), Json::Array(expected)) => {
            all(items, expected)
        }
        (Value::Int(_) | Value::Float(_), Json::Number(number)) => {
            #[expect(clippy::cast_precision_loss, reason = "a millionth is the measure")]
            let value = match value {
                Value::Int(value) => *value as f64,
                Value::Float(value) => *value,
                _ => return false,
            };
            number
                .as_f64()
                .is_some_and(|expected| (value - expected).abs() <= 1e-6 * expected.abs().max(1.0))
        }
        (Value::Dict(entries), Json::Object(expected)) => {
            entries.len() == expected.len()
                && entries.iter().all(|(key, value)| {
                    let key = match key {
                        Value::Str(key) => key.clone(),
                        Value::Int(key) => key.to_string(),
                        _ => return false,
                    };
                    expected.get(&key).is_some_and(|expected| is_like(value, expected))
                })
        }
        _ => value.is(expect, Language::Python),
    }
}
