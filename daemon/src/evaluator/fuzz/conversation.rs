//! A whole conversation with a driver and its helper that had an accident: frames damaged, said
//! twice, too early or in another's place, broken off, a report that cannot be. Each case is asked
//! once and in order, and passes only where the driver said so in answer to it.

use std::collections::BTreeMap;
use std::io::{BufReader, ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value as Json, json};
use vosim_fuzz::proptest;
use vosim_fuzz::proptest::collection::vec;
use vosim_fuzz::proptest::prelude::*;
use vosim_fuzz::proptest::sample::Index;
use vosim_fuzz::{Fails, Input, Target, near, pieces};
use vosim_protocol::v1::evaluation::{CaseOutcome, Evaluation, Load};
use vosim_protocol::v1::problem::{Language, Problem, Suite};
use vosim_sandbox_spec::Limits;

use super::WORDS;
use crate::evaluator::cancel::Cancel;
use crate::evaluator::driver_process::{HEAD_MAX_BYTES, Process};
use crate::evaluator::judge::Running;
use crate::evaluator::order::Order;
use crate::evaluator::pool::Pool;
use crate::evaluator::runner::{Refusal, Runner, Solution};
use crate::evaluator::runtime::Runtime;
use crate::evaluator::supply::Supply;
use crate::evaluator::{Submission, judge};

/// Stands in made frames where the process's nonce belongs.
const NONCE: &str = "00000000000000000000000000000000";
/// Stands where the number of the question belongs, and where that of the cases that were run.
const SEQ: u64 = 770_077_001;
const COUNT: u64 = 770_077_002;

const CASES: usize = 4;
const VISIBLE: usize = 2;
/// As many as it takes when every case breaks its process.
const PROCESSES: usize = CASES;
/// When a helper that nobody asks ends the run, as the real one does: an accident may have made a
/// frame of the answer to which no other question follows.
const IDLE: Duration = Duration::from_millis(400);

/// What a right driver returns for a case.
fn returns(case: usize) -> Json {
    json!([null, 10 + case, [20 + case, "text"]])
}

/// Cases 0 and 2 want what the driver returns, the others what it never says.
fn suite() -> Suite {
    let wanted = |case: usize| if is_right(case) { 20 + case } else { 47_110 + case };
    let ops = |case: usize| {
        json!([["LRUCache", [1]], ["get", [1], 10 + case], ["all", [], [wanted(case), "text"]]])
    };
    let cases: Vec<_> =
        (0..CASES).map(|case| json!({ "name": name(case), "ops": ops(case) })).collect();
    serde_json::from_value(json!({ "cases": cases })).unwrap()
}

fn is_right(case: usize) -> bool {
    case.is_multiple_of(2)
}

fn name(case: usize) -> String {
    format!("case{case}")
}

/// The number of a case's question: the end mark of the visible cases is one too.
fn seq_of(case: usize) -> u64 {
    if case < VISIBLE { 1 + case as u64 } else { 2 + case as u64 }
}

fn problem() -> Problem {
    let case = |case: usize| json!({ "name": name(case), "category": "c", "description": "d", "visible": case < VISIBLE });
    serde_json::from_value(json!({
        "id": "p", "title": "P", "statement": "s", "licence": "l", "rung": 2,
        "cpu_ms": 10_000, "starters": {}, "solutions": {},
        "praise": "p", "question": "q", "issues": [], "cases": (0..CASES).map(case).collect::<Vec<_>>(),
        "interface": { "form": "class", "name": "LRUCache", "constructor": [], "methods": [] },
    }))
    .unwrap()
}

/// What a driver is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Load,
    Case(usize),
    End,
}

const QUESTIONS: [Asked; CASES + 2] =
    [Asked::Load, Asked::Case(0), Asked::Case(1), Asked::Case(2), Asked::Case(3), Asked::End];

impl Asked {
    /// The right answer.
    fn answer(self) -> Json {
        let mut answer = match self {
            Self::Load => json!({ "load": "ok" }),
            Self::Case(case) => json!({ "returns": returns(case), "micros": 5 }),
            Self::End => json!({ "end": COUNT }),
        };
        answer["nonce"] = json!(NONCE);
        answer["seq"] = match self {
            Self::Load => json!(0),
            Self::Case(case) => json!(seq_of(case)),
            Self::End => json!(SEQ),
        };
        answer["prints"] = json!({ "bytes": 0, "tail": "" });
        answer
    }
}

/// What a driver does with a question.
#[derive(Clone, Debug)]
enum Does {
    Right,
    /// Says something like the right answer.
    Near(Input),
    /// Says it twice.
    Twice,
    /// Says it, and at once the answer to what may be asked later.
    Ahead(Index),
    /// Answers another question.
    Instead(Index),
    /// Says something of that length on the way.
    Prints(usize),
    /// Says part of it and is gone.
    Cut(Index),
}

fn does(asked: Asked) -> BoxedStrategy<Does> {
    let index = any::<Index>;
    prop_oneof![
        50 => Just(Does::Right),
        6 => near(Just(asked.answer()), WORDS).prop_map(Does::Near),
        1 => Just(Does::Twice),
        1 => index().prop_map(Does::Ahead),
        1 => index().prop_map(Does::Instead),
        2 => (0usize..40).prop_map(Does::Prints),
        1 => (HEAD_MAX_BYTES - 2..HEAD_MAX_BYTES + 3).prop_map(Does::Prints),
        1 => index().prop_map(Does::Cut),
    ]
    .boxed()
}

/// One driver with its helper.
#[derive(Clone, Debug)]
struct Plan {
    does: BTreeMap<Asked, Does>,
    cuts: Vec<Index>,
    report: Option<Input>,
}

impl Plan {
    fn is_right(&self) -> bool {
        let right = |does: &Does| match does {
            Does::Right => true,
            Does::Prints(bytes) => *bytes <= HEAD_MAX_BYTES,
            Does::Near(input) => input.is_sound(),
            Does::Twice | Does::Ahead(_) | Does::Instead(_) | Does::Cut(_) => false,
        };
        self.does.values().all(right) && self.report.as_ref().is_none_or(Input::is_sound)
    }
}

fn plan() -> BoxedStrategy<Plan> {
    let each = QUESTIONS.map(|asked| does(asked).prop_map(move |does| (asked, does)).boxed());
    let report =
        proptest::option::weighted(0.1, near(Just(report()), &["limit", "ok", "exit_code"]));
    let parts = (each.to_vec(), vec(any::<Index>(), 0..4), report);
    let one = parts.prop_map(|(does, cuts, report)| Plan {
        does: does.into_iter().collect(),
        cuts,
        report,
    });
    one.boxed()
}

fn report() -> Json {
    let output = json!({ "bytes": 0, "head": "" });
    let usage = json!({ "wall_us": 9, "cpu_user_us": 5, "cpu_sys_us": 1, "peak_memory": 77, "processes_peak": 1 });
    json!({
        "version": 1, "verdict": { "end": "exit" }, "exit_code": 3, "usage": usage,
        "waited": { "wall_us": 1, "cpu_us": 1 }, "stdout": output, "stderr": output,
        "enforced": [], "level": "B",
    })
}

/// The other ends of both connections.
struct Helper {
    control: UnixStream,
    channel: BufReader<UnixStream>,
    ran: usize,
    said: Said,
}

/// What went over a channel.
#[derive(Default)]
struct Said {
    nonce: String,
    bytes: Vec<u8>,
    /// The run was ended for idleness.
    idle: bool,
}

impl Helper {
    /// Answers until there is no more question, then reports.
    fn play(mut self, plan: &Plan) -> Said {
        while let Some(question) = self.question() {
            if !self.answer(plan, &question) {
                break;
            }
        }
        // Whoever talked with us may have had enough already.
        self.channel.get_ref().shutdown(Shutdown::Both).ok();
        let report = plan
            .report
            .as_ref()
            .map_or_else(|| report().to_string().into(), |input| input.to_vec());
        self.control.write_all(&[report, b"\n".to_vec()].concat()).ok();
        self.control.shutdown(Shutdown::Write).ok();
        std::io::copy(&mut self.control, &mut std::io::sink()).ok();
        self.said
    }

    fn question(&mut self) -> Option<Json> {
        let frame = self.frame();
        self.said.idle = frame.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        let question: Json = serde_json::from_slice(&frame.ok()?).ok()?;
        // What may be read while waiting is answered by nobody.
        if question["ahead"].is_string() { self.question() } else { Some(question) }
    }

    fn frame(&mut self) -> std::io::Result<Vec<u8>> {
        let mut size = [0; 10];
        self.channel.read_exact(&mut size)?;
        let mut frame = vec![0; std::str::from_utf8(&size).unwrap().parse().unwrap()];
        self.channel.read_exact(&mut frame)?;
        Ok(frame)
    }

    /// False when it is gone after that.
    fn answer(&mut self, plan: &Plan, question: &Json) -> bool {
        let seq = question["seq"].as_u64().unwrap_or_default();
        let asked = if let Some(nonce) = question["nonce"].as_str() {
            self.said.nonce = nonce.to_owned();
            Asked::Load
        } else if question["end"] == true {
            Asked::End
        } else {
            self.ran += 1;
            Asked::Case((0..CASES).find(|case| seq_of(*case) == seq).unwrap())
        };
        let right = || [asked.answer().to_string().as_bytes(), b"\n"].concat();
        let other =
            |at: Index| [at.get(&QUESTIONS).answer().to_string().as_bytes(), b"\n"].concat();
        let (bytes, stays) = match &plan.does[&asked] {
            Does::Right => (right(), true),
            Does::Near(input) => (input.line(), true),
            Does::Twice => ([right(), right()].concat(), true),
            Does::Ahead(at) => ([right(), other(*at)].concat(), true),
            Does::Instead(at) => (other(*at), true),
            Does::Prints(bytes) => {
                let print = json!({ "nonce": NONCE, "seq": SEQ, "print": "p".repeat(*bytes) });
                ([print.to_string().as_bytes(), b"\n", &right()].concat(), true)
            }
            Does::Cut(at) => {
                let right = right();
                (right[..at.index(right.len())].to_vec(), false)
            }
        };
        let bytes = self.filled(bytes, seq);
        let said = pieces(&bytes, &plan.cuts)
            .into_iter()
            .try_for_each(|piece| self.channel.get_ref().write_all(piece));
        self.said.bytes.extend(bytes);
        said.is_ok() && stays
    }

    /// The same with the numbers of this process.
    fn filled(&self, bytes: Vec<u8>, seq: u64) -> Vec<u8> {
        let places = [
            (NONCE.to_owned(), self.said.nonce.clone()),
            (SEQ.to_string(), seq.to_string()),
            (COUNT.to_string(), self.ran.to_string()),
        ];
        places.iter().fold(bytes, |bytes, (place, text)| replaced(&bytes, place.as_bytes(), text))
    }
}

fn replaced(bytes: &[u8], place: &[u8], text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(place.len()).position(|window| window == place) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(text.as_bytes());
        rest = &rest[at + place.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// A driver of the product's whose other end is played.
fn start(plan: Plan) -> (Process, JoinHandle<Said>) {
    let (control, its_control) = UnixStream::pair().unwrap();
    let (channel, its_channel) = UnixStream::pair().unwrap();
    its_channel.set_read_timeout(Some(IDLE)).unwrap();
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    let process = Process::over(child, control, channel, Duration::from_secs(30)).unwrap();
    let channel = BufReader::new(its_channel);
    let helper = Helper { control: its_control, channel, ran: 0, said: Said::default() };
    (process, std::thread::spawn(move || helper.play(&plan)))
}

/// What a submission comes to, which cases were asked, and what each process said.
struct Played {
    outcome: Result<Evaluation, Refusal>,
    asked: Vec<usize>,
    said: Vec<Said>,
}

fn play(plans: &[Plan]) -> Played {
    let (problem, suite, limits) = (problem(), suite(), Limits::submission());
    let submission = Submission {
        problem: &problem,
        suite: &suite,
        code: b"",
        file_path: "a.py",
        language: Language::Python,
    };
    let runtime = Runtime {
        language: Language::Python,
        path: "/no/such/python".into(),
        version: "3.11.0".to_owned(),
        mounts: Vec::new(),
        passed_over: Vec::new(),
        packed: None,
    };
    let order = Arc::new(Order::new("/no/such/helper".into(), None, &runtime, &limits));
    let pool = Pool::new(plans.len());
    let mut helpers = Vec::new();
    for plan in plans {
        let (process, helper) = start(plan.clone());
        pool.place(Language::Python, &order, process);
        helpers.push(helper);
    }
    let mut asked = Vec::new();
    let mut progress = |at: usize, _: &str| asked.push(at);
    let cancel = Cancel::new().unwrap();
    let runner = Runner {
        supply: Supply::new(Language::Python, order, Some(&pool)),
        out_of_memory: &[],
        limits: limits.clone(),
        solution: Solution { file: "a.py", code: b"", interface: &problem.interface },
        cancel: &cancel,
        progress: &mut progress,
    };
    let running = Running::of(&submission);
    let outcome = runner
        .run(&running.groups(&submission))
        .map(|outcome| judge::judge(&submission, &running, outcome, &limits, &runtime));
    pool.close();
    let said = helpers.into_iter().map(|helper| helper.join().unwrap()).collect();
    Played { outcome, asked, said }
}

/// Whether a process gave the values that are wanted as its answer to this case.
fn was_said(said: &Said, case: usize) -> bool {
    let lines = said.bytes.split(|byte| *byte == b'\n');
    let mut frames = lines.filter_map(|line| serde_json::from_slice::<Json>(line).ok());
    let wanted = returns(case);
    frames.any(|frame| {
        frame["nonce"] == said.nonce
            && frame["seq"] == seq_of(case)
            // Of the call that makes the instance nothing is wanted.
            && (1..3).all(|call| frame["returns"][call] == wanted[call])
    })
}

fn converses(plans: &[Plan]) -> Fails {
    let Played { outcome, asked, said } = play(plans);
    prop_assert!(asked.is_sorted_by(|a, b| a < b), "asked in this order: {asked:?}");
    let right = plans.iter().all(Plan::is_right) && !said.iter().any(|said| said.idle);
    let evaluation = match outcome {
        Ok(evaluation) => evaluation,
        Err(refusal) => {
            prop_assert!(!right, "a right conversation was refused: {refusal}");
            return Ok("refused");
        }
    };
    let names: Vec<_> = evaluation.cases.iter().map(|case| case.name.clone()).collect();
    prop_assert_eq!(names, (0..CASES).map(name).collect::<Vec<_>>());
    for (at, case) in evaluation.cases.iter().enumerate() {
        let passed = case.outcome == CaseOutcome::Passed;
        prop_assert!(case.prints.as_ref().is_none_or(|prints| prints.text.len() <= HEAD_MAX_BYTES));
        prop_assert!(!passed || evaluation.load == Load::Loaded, "passed without being loaded");
        // Of the hidden ones only the first is told.
        prop_assert!(
            !passed || asked.contains(&at.min(VISIBLE)),
            "case {at} passed and was not asked"
        );
        prop_assert!(!passed || is_right(at), "case {at} passed, whose values nobody said");
        let told = said.iter().any(|said| was_said(said, at));
        prop_assert!(!passed || told, "case {at} passed without an answer");
        prop_assert!(!right || passed == is_right(at), "{:?}", case.outcome);
    }
    let broken = evaluation
        .cases
        .iter()
        .any(|case| !matches!(case.outcome, CaseOutcome::Passed | CaseOutcome::Failed));
    Ok(if broken { "broken" } else { "whole" })
}

#[test]
fn in_any_conversation_a_case_is_asked_once_and_passes_only_where_it_was_answered() {
    let outcomes = &["whole", "broken", "refused"];
    let target = Target { name: "driver-conversation", inputs: 150, outcomes };
    target.run(&vec(plan(), PROCESSES), |plans| converses(&plans));
}
