//! What daemon and driver say to each other, on the driver's descriptor 3: JSON objects. Those of the
//! driver stand on a line each. Each of the daemon's comes behind its size in bytes, of ten digits, which
//! is not shown here; so the driver takes the same steps however its bytes arrive.
//!
//! ```text
//! daemon  {"ahead":"…"}                             to a driver that waits; it has no answer
//! daemon  {"nonce":"5e…","file":"solution.py","code":"…","interface":{…}}
//! driver  {"nonce":"5e…","seq":0,"load":"ok","prints":{…}}
//! daemon  {"seq":1,"ops":[["LRUCache",[2]],["put",[1,1]],["get",[1]]]}
//! driver  {"nonce":"5e…","seq":1,"print":"text\n"}                     while the case runs
//! driver  {"nonce":"5e…","seq":1,"returns":[null,null,1],"micros":12,"prints":{…}}
//! daemon  {"seq":2,"end":true}
//! driver  {"nonce":"5e…","seq":2,"end":1,"prints":{…}}
//! daemon  {"seq":3,"probe":{"sizes":[100,1000],"write":"put","read":"get"}}
//! driver  {"nonce":"5e…","seq":3,"nanos":[310,320],"prints":{…}}
//! ```
//! A bench is asked otherwise: for many candidates at once, each of which runs every test in a process of
//! its own. What they say is text, sent once however many say it, and named by its number; -1 stands for a
//! test that took too long, -2 for one that did not come to its end, `null` for a candidate that cannot be
//! loaded.
//!
//! ```text
//! daemon  {"nonce":"5e…","file":"a.py","interface":{…},"runs":[[["f",[2]]],…],"drain":false,"abreast":2}
//! daemon  {"seq":1,"code":["…","…","…"],"micros":250000}
//! driver  {"nonce":"5e…","seq":1,"texts":["{\"returns\":[1]}"],"said":[[0,0],[0,-1],null],"prints":{…}}
//! ```
//! The nonce is the process's own, 122 random bits. Every question has its number, and its answer
//! must bear both: so each case comes back once and in order. The questions of a group are sent at
//! once, and those of the next when this one is sealed. `end` is asked for after the last
//! case that may be shown and after the last of all, and answered with the count of cases that were
//! run; where it does not come, the case before has broken the conversation. What is printed for a
//! question before an end mark and arrives after it is refused.
//!
//! The code's bytes travel as the characters U+0000 to U+00FF. `load` is `ok`, `raised` (with
//! `error`), `missing` (with the names `found` instead, and the type that what has the right name `is`
//! of), `signature` (with `problems`) or, of a driver that has waited, `anew`: this program may come to
//! see where objects lie, and is given to a fresh one. A case
//! that raised has `error` beside the `returns` up to there: type, message, the candidate's own
//! lines as `trace`; `syntax` is the line of a syntax error, `status` what `sys.exit` was given,
//! `short_of` says `memory` of a MemoryError, and `processes` or `{"threads":31}` where no further one could be
//! started. An operation named like the class makes an instance, to which the
//! operations after it go.
//!
//! Values carry their types (see [`Value`]): plain JSON for None,
//! bool, int, str and list; `{"float":"0.1"}`, `{"int":"…"}` beyond 64 bits, `{"tuple":[…]}`,
//! `{"set":[…]}`, `{"frozenset":[…]}`, `{"dict":[[key,value],…]}`, and `{"type":…,"repr":…}` for
//! anything else. `prints` holds the count of all bytes printed and the part that was not sent
//! while the case ran.
//!
//! The driver of JavaScript has `{}` for undefined and `{"map":[[key,value],…]}` besides. Its
//! numbers are whole numbers where they have no fraction, and -0 is 0; a bigint is one only beyond
//! 2^53, where a number could not hold it, and within it is anything else. An object counts as a
//! dictionary when it is plain, an array as a list when it is no subclass.
//!
//! The candidate's code lives in the driver's process and may write here too. That gains it
//! nothing, since no expected value is inside; what does not fit the conversation ends the case.

use serde::{Deserialize, Serialize};
use vosim_protocol::Json;
use vosim_protocol::v1::problem::{GrowthProbe, Interface, Op, Param};

use super::value::Value;

/// Longest line from the driver: the largest suite's answers are far below it.
pub(super) const FRAME_MAX_BYTES: usize = 8 * 1024 * 1024;
/// Most bytes from one driver in all.
pub(super) const CHANNEL_MAX_BYTES: usize = 64 * 1024 * 1024;

/// Most parts of one frame, in which every value, key and entry is one: so many take some 50 MB
/// here.
pub(super) const PARTS_MAX: usize = 400_000;

/// How much of one case's prints the driver sends at once; of more it keeps the tail.
pub(super) const PRINTS_HEAD_BYTES: usize = 16 * 1024;

/// What one process's frames bear. It holds no secret back from the program, which lives in the
/// same process: it tells a frame of this conversation from one of any other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Nonce(String);

impl Nonce {
    /// From the operating system's random numbers.
    pub(super) fn new() -> Self {
        Self(uuid::Uuid::new_v4().simple().to_string())
    }

    #[cfg(test)]
    pub(super) fn known(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// The first frame.
#[derive(Debug, Serialize)]
struct Start<'a> {
    nonce: &'a Nonce,
    file: &'a str,
    code: String,
    interface: Wanted<'a>,
}

/// The frame before the first, with what a driver reads while it waits.
pub(super) fn ahead(text: &str) -> Vec<u8> {
    #[derive(Serialize)]
    struct Ahead<'a> {
        ahead: &'a str,
    }
    sized(&Ahead { ahead: text })
}

/// The interface in the few words that the driver needs.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Wanted<'a> {
    Class { name: &'a str, constructor: usize, methods: Vec<Self> },
    Function { name: &'a str, params: usize },
}

/// The first frame of a process.
pub(super) fn start(nonce: &Nonce, file: &str, code: &[u8], interface: &Interface) -> Vec<u8> {
    sized(&Start { nonce, file, code: characters(code), interface: wanted(interface) })
}

fn wanted(interface: &Interface) -> Wanted<'_> {
    match interface {
        Interface::Class { name, constructor, methods } => Wanted::Class {
            name,
            constructor: constructor.len(),
            methods: methods.iter().map(|one| function(&one.name, &one.params)).collect(),
        },
        Interface::Function(one) => function(&one.name, &one.params),
    }
}

fn function<'a>(name: &'a str, params: &[Param]) -> Wanted<'a> {
    Wanted::Function { name, params: params.len() }
}

/// The frame of one case.
pub(super) fn case(seq: u32, ops: &[Op]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Case<'a> {
        seq: u32,
        ops: Vec<(&'a str, &'a [Json])>,
    }
    sized(&Case { seq, ops: calls(ops) })
}

/// The frame that asks for the end mark.
pub(super) fn end(seq: u32) -> Vec<u8> {
    #[derive(Serialize)]
    struct End {
        seq: u32,
        end: bool,
    }
    sized(&End { seq, end: true })
}

/// The frame of a growth probe.
pub(super) fn probe(seq: u32, probe: &GrowthProbe) -> Vec<u8> {
    #[derive(Serialize)]
    struct Probe<'a> {
        seq: u32,
        probe: &'a GrowthProbe,
    }
    sized(&Probe { seq, probe })
}

/// The first frame of a bench: what every candidate must define, and the calls of every test.
pub(super) fn bench(
    nonce: &Nonce,
    file: &str,
    interface: &Interface,
    tests: &[&[Op]],
    (drain, abreast): (bool, usize),
) -> Vec<u8> {
    #[derive(Serialize)]
    struct Bench<'a> {
        nonce: &'a Nonce,
        file: &'a str,
        interface: Wanted<'a>,
        runs: Vec<Vec<(&'a str, &'a [Json])>>,
        drain: bool,
        abreast: usize,
    }
    let runs = tests.iter().map(|ops| calls(ops)).collect();
    sized(&Bench { nonce, file, interface: wanted(interface), runs, drain, abreast })
}

/// The frame of some candidates, each of whose tests may take so long.
pub(super) fn candidates<'a>(
    seq: u32,
    candidates: impl Iterator<Item = &'a str>,
    micros: u64,
) -> Vec<u8> {
    #[derive(Serialize)]
    struct Candidates {
        seq: u32,
        code: Vec<String>,
        micros: u64,
    }
    let code = candidates.map(|text| characters(text.as_bytes())).collect();
    sized(&Candidates { seq, code, micros })
}

/// Bytes as the characters U+0000 to U+00FF.
fn characters(code: &[u8]) -> String {
    code.iter().copied().map(char::from).collect()
}

/// Without what must come back: that stays here.
fn calls(ops: &[Op]) -> Vec<(&str, &[Json])> {
    ops.iter().map(|op| (op.call.as_str(), op.args.as_slice())).collect()
}

fn sized(frame: &impl Serialize) -> Vec<u8> {
    let frame = serde_json::to_string(frame).expect("frames have string keys and no float");
    format!("{:010}{frame}", frame.len()).into_bytes()
}

/// A frame of the driver's that fits the conversation.
#[derive(Debug)]
pub(super) enum Said {
    /// Printed just now, while this question was on.
    Print(u32, String),
    /// The answer.
    Answer(Box<Answer>),
}

/// The answer to one frame.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) load: Option<Loaded>,
    /// The program must be given to a driver that has not waited.
    pub(super) anew: bool,
    pub(super) returns: Vec<Value>,
    pub(super) nanos: Vec<u64>,
    /// The end mark: how many cases were run.
    pub(super) end: Option<u32>,
    pub(super) micros: u64,
    pub(super) error: Option<Raised>,
    pub(super) printed: u64,
    pub(super) tail: String,
    /// What candidates of a bench have said for the first time, each as a text of its own.
    pub(super) texts: Vec<String>,
    /// What each candidate of a bench has said, by the numbers of such texts; none of one that cannot
    /// be loaded.
    pub(super) said: Vec<Option<Vec<i64>>>,
}

/// What a candidate of a bench has said of one test.
#[derive(Debug, PartialEq)]
pub(super) struct Heard {
    pub(super) returns: Vec<Value>,
    pub(super) raised: bool,
}

/// Reads what a candidate has said; none where it is nothing that a bench says.
pub(super) fn heard(text: &str) -> Option<Heard> {
    #[derive(Deserialize)]
    struct Raw {
        returns: Vec<Json>,
        #[serde(default)]
        raised: bool,
    }
    if parts(text.as_bytes()) > PARTS_MAX {
        return None;
    }
    let Raw { returns, raised } = serde_json::from_str(text).ok()?;
    let returns = returns.into_iter().map(Value::read).collect::<Option<_>>()?;
    Some(Heard { returns, raised })
}

/// Whether the candidate's file could be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LoadWord {
    Ok,
    Raised,
    Missing,
    Signature,
    Anew,
}

/// What loading came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// The file defines what is needed.
    Ok,
    /// The file raised this error while it was loaded.
    Raised(Raised),
    /// The class or function is not there; these names are. What has the right name is of this type.
    Missing { found: Vec<String>, is: Option<String> },
    /// The class or function is there, but not as needed.
    Signature(Vec<Problem>),
}

/// One thing that is not as the interface says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// The name that is needed.
    pub need: String,
    /// What there is instead.
    #[serde(default)]
    pub found: Option<String>,
    /// What else is defined there.
    #[serde(default)]
    pub others: Vec<String>,
}

/// An exception of the candidate's code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Raised {
    /// The type's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text.
    pub message: String,
    /// Lines of the candidate's file it went through, outermost first, with the function.
    #[serde(default)]
    pub trace: Vec<(u64, String)>,
    /// Present for a syntax error: its line, where it is in the candidate's file.
    #[serde(default, deserialize_with = "present")]
    pub syntax: Option<Option<u64>>,
    /// What `sys.exit` was given.
    #[serde(default)]
    pub status: Option<i32>,
    /// What was not to be had any more.
    #[serde(default)]
    pub short_of: Option<Shortage>,
}

/// What a program asks for and is refused when there is no more of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shortage {
    /// Memory.
    Memory,
    /// Another process.
    Processes,
    /// Another thread, besides so many that the runtime knew of. It may also lack the memory for its stack.
    Threads(u32),
}

fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::<u64>::deserialize(from).map(Some)
}

/// The driver's frame as it stands on the line.
#[derive(Debug, Deserialize)]
struct Raw {
    nonce: String,
    seq: u32,
    print: Option<String>,
    load: Option<LoadWord>,
    #[serde(default)]
    found: Vec<String>,
    is: Option<String>,
    #[serde(default)]
    problems: Vec<Problem>,
    returns: Option<Vec<Json>>,
    nanos: Option<Vec<u64>>,
    end: Option<u32>,
    #[serde(default)]
    micros: u64,
    error: Option<Raised>,
    prints: Option<PrintsEnd>,
    #[serde(default)]
    texts: Vec<String>,
    #[serde(default)]
    said: Vec<Option<Vec<i64>>>,
}

#[derive(Debug, Deserialize)]
struct PrintsEnd {
    bytes: u64,
    tail: String,
}

/// Reads a line of the driver's; None when it does not fit what was asked.
pub(super) fn read(line: &[u8], nonce: &Nonce, seq: u32) -> Option<Said> {
    if parts(line) > PARTS_MAX {
        return None;
    }
    let raw: Raw = serde_json::from_slice(line).ok()?;
    if raw.nonce != nonce.0 {
        return None;
    }
    match raw.print {
        // A thread of the candidate's may have begun it while the case before was on.
        Some(text) if raw.seq <= seq => return Some(Said::Print(raw.seq, text)),
        None if raw.seq == seq => {}
        Some(_) | None => return None,
    }
    let prints = raw.prints?;
    let returns = raw.returns.unwrap_or_default();
    let mut answer = Answer {
        load: None,
        anew: false,
        returns: returns.into_iter().map(Value::read).collect::<Option<_>>()?,
        nanos: raw.nanos.unwrap_or_default(),
        end: raw.end,
        micros: raw.micros,
        error: raw.error,
        printed: prints.bytes,
        tail: prints.tail,
        texts: raw.texts,
        said: raw.said,
    };
    answer.load = match raw.load {
        Some(LoadWord::Ok) => Some(Loaded::Ok),
        Some(LoadWord::Raised) => Some(Loaded::Raised(answer.error.take()?)),
        Some(LoadWord::Missing) => Some(Loaded::Missing { found: raw.found, is: raw.is }),
        Some(LoadWord::Signature) => Some(Loaded::Signature(raw.problems)),
        Some(LoadWord::Anew) => {
            answer.anew = true;
            None
        }
        None => None,
    };
    Some(Said::Answer(Box::new(answer)))
}

/// At least as many as a JSON text has values and keys; what stands inside strings is left out.
fn parts(line: &[u8]) -> usize {
    let (mut count, mut text, mut escaped) = (1, false, false);
    for byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = text,
            b'"' => text = !text,
            b',' | b':' | b'[' | b'{' if !text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn expected_values_do_not_leave() {
        let ops: Vec<Op> = serde_json::from_value(json!([["get", [1], 4711]])).unwrap();
        let frame = String::from_utf8(case(3, &ops)).unwrap();
        assert_eq!(frame, "0000000029{\"seq\":3,\"ops\":[[\"get\",[1]]]}");
    }

    fn fits(line: &str, of: &str, seq: u32) -> bool {
        read(line.as_bytes(), &Nonce::known(of), seq).is_some()
    }

    #[test]
    fn a_frame_for_another_question_does_not_fit() {
        let line = r#"{"nonce":"a","seq":2,"returns":[1],"prints":{"bytes":0,"tail":""}}"#;
        assert!(fits(line, "a", 2));
        assert!(!fits(line, "a", 3) && !fits(line, "a", 1) && !fits(line, "b", 2));
        assert!(!fits("PASSED", "a", 2));
        assert!(!fits(r#"{"nonce":"a","seq":2,"returns":[1]}"#, "a", 2));
    }

    #[test]
    fn no_two_processes_have_the_same_nonce() {
        let (first, second) = (Nonce::new(), Nonce::new());
        assert_ne!(first, second);
        assert_eq!(first.0.len(), 32);
        assert!(first.0.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }

    fn answer(value: &str) -> String {
        format!(r#"{{"nonce":"a","seq":1,"returns":[{value}],"prints":{{"bytes":0,"tail":""}}}}"#)
    }

    #[test]
    fn deep_values_end_the_conversation_and_not_the_daemon() {
        let deep = |depth: usize| answer(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        assert!(fits(&deep(100), "a", 1));
        for depth in [200, 1_000, 1_000_000] {
            assert!(!fits(&deep(depth), "a", 1), "{depth}");
        }
    }

    #[test]
    fn values_of_too_many_parts_end_the_conversation() {
        let many = |count: usize| answer(&format!("[{}0]", "0,".repeat(count)));
        assert!(fits(&many(PARTS_MAX - 100), "a", 1));
        assert!(!fits(&many(PARTS_MAX), "a", 1));
        let text = answer(&format!("\"{}\"", "[,{:\\\"".repeat(200_000)));
        assert!(fits(&text, "a", 1), "what stands in a text is no part");
    }

    #[test]
    fn every_byte_of_the_code_arrives() {
        let interface = Interface::Function(vosim_protocol::v1::problem::Function {
            name: "f".to_owned(),
            params: Vec::new(),
            returns: None,
        });
        let bytes: Vec<u8> = (0..=255).collect();
        let frame: Json =
            serde_json::from_slice(&start(&Nonce::known("a"), "a.py", &bytes, &interface)[10..])
                .unwrap();
        let code = frame["code"].as_str().unwrap();
        let back: Vec<u8> = code.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        assert_eq!(back, bytes);
    }
}
