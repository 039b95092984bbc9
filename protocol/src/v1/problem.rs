//! A problem as a session keeps it: statement, interface, cases, feedback and hints.
//!
//! The [`Problem`] is part of a session's spec blob; its case data is a second blob, the
//! [`Suite`], which only the evaluator opens. Neither leaves the daemon while a session is open.

mod language;
mod op;
mod stated;
mod written;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::ProblemId;
use crate::v1::evaluation::{Detail, FailureType};

pub use language::{Language, Syntax};
pub use op::Op;
pub use stated::{StatedLimit, ValuePlace};
pub use written::{plain_zeros, read_answer, read_call, read_calls};

/// A problem without its case data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// The name on the command line.
    pub id: ProblemId,
    /// The name on screens.
    pub title: String,
    /// The task, in Markdown.
    pub statement: String,
    /// Under which terms the text may be used.
    pub licence: String,
    /// How hard it is, 1 to 4 (003: rung).
    pub rung: u8,
    /// CPU time of a whole submission, milliseconds (DECISIONS 17).
    pub cpu_ms: u64,
    /// What the candidate's file must define.
    pub interface: Interface,
    /// What `start` writes for the candidate to fill in.
    pub starters: BTreeMap<Language, String>,
    /// The cases in suite order; names are public.
    pub cases: Vec<CaseInfo>,
    /// Small programs of calls that tell causes apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<SmallRun>,
    /// What its inputs may be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<StatedLimit>,
    /// What can be wrong with a submission, most telling first; the last one matches always.
    pub issues: Vec<Issue>,
    /// Level 4 of every ladder: a reference program with what there is to learn from it.
    pub solutions: BTreeMap<Language, String>,
    /// What is said of a pass.
    pub praise: String,
    /// One question about the statement, for whoever asks for a hint before anything was submitted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// How the time of an operation is measured after a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<GrowthProbe>,
}

impl Problem {
    /// The first call that goes beyond a limit of the statement, by its position, and that limit.
    pub fn beyond(&self, ops: &[Op]) -> Option<(usize, &StatedLimit)> {
        let broken = |op: &Op| self.limits.iter().find(|limit| !limit.allows(op));
        ops.iter().enumerate().find_map(|(at, op)| Some((at, broken(op)?)))
    }

    /// The usual name of a candidate's file in each language on offer: "`a.py` or `a.js`".
    pub fn file_names(&self) -> String {
        let name = |language: &Language| format!("`{}.{}`", self.id, language.extension());
        // Who writes in a language that extends another knows where its files go.
        let own = self.starters.keys().filter(|language| language.extends().is_none());
        let names: Vec<_> = own.map(name).collect();
        if names.is_empty() { "a file of your own".to_owned() } else { listed(&names, "or") }
    }
}

/// Items as a sentence lists them: "a, b and c".
pub fn listed(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}

/// How the hidden inputs of a session are drawn (DECISIONS 41).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrawnInputs {
    /// What they depend on, and nothing else; another one for each session.
    pub seed: u64,
    /// A program in Python: `generate(seed)` gives calls without their answers by the name of the
    /// hidden case, for those that are drawn.
    pub generator: String,
    /// The program in Python that gives the answers.
    pub reference: String,
}

/// What a candidate's file must define.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum Interface {
    /// A class: an operation of its name constructs a fresh one, the others call its methods.
    Class {
        /// The name.
        name: String,
        /// Parameters of its constructor.
        constructor: Vec<Param>,
        /// The methods.
        methods: Vec<Function>,
    },
    /// One function: every operation calls it.
    Function(Function),
}

impl Interface {
    /// Every call with its parameters, the constructor first.
    pub fn signatures(&self) -> Vec<(&str, &[Param])> {
        fn of(function: &Function) -> (&str, &[Param]) {
            (&function.name, &function.params)
        }
        match self {
            Self::Class { name, constructor, methods } => {
                let new = (name.as_str(), constructor.as_slice());
                std::iter::once(new).chain(methods.iter().map(of)).collect()
            }
            Self::Function(function) => vec![of(function)],
        }
    }

    /// The calls as they are written, between commas: `Shelf(width), put(book), get()`.
    pub fn calls(&self) -> String {
        let all = self.signatures();
        all.iter().map(|(name, params)| signature(name, params)).collect::<Vec<_>>().join(", ")
    }
}

/// One call with the names of its parameters: `put(book)`.
pub fn signature(name: &str, params: &[Param]) -> String {
    let params: Vec<_> = params.iter().map(|param| param.name.as_str()).collect();
    format!("{name}({})", params.join(", "))
}

/// A method or function of an [`Interface`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The parameters.
    pub params: Vec<Param>,
    /// What it returns, in the statement's own words; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
}

/// A parameter of a [`Function`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Param {
    /// The name.
    pub name: String,
    /// The type, in the statement's own words.
    #[serde(rename = "type")]
    pub kind: String,
}

/// What may be known of a case: everything but its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaseInfo {
    /// The name, for example `test_capacity_one`.
    pub name: String,
    /// What it is about, for example `Eviction`.
    pub category: String,
    /// One line.
    pub description: String,
    /// True when its data may be shown (DECISIONS 19).
    pub visible: bool,
}

/// The data of all cases of a problem, in suite order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Suite {
    /// One for each [`CaseInfo`], in the same order.
    pub cases: Vec<CaseData>,
}

/// The data of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseData {
    /// The name of its [`CaseInfo`].
    pub name: String,
    /// What is done and what must come back.
    pub ops: Vec<Op>,
    /// For a hidden case: another case of the same category whose data may be shown. It is run
    /// only when this one fails and never counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub twin: Vec<Op>,
}

impl Op {
    /// Which instance of a class the operation goes back to, counted from 1, if it is of that form;
    /// nothing inside where it names none.
    pub fn back_to(&self, interface: &Interface) -> Option<Option<usize>> {
        let Interface::Class { name, .. } = interface else { return None };
        let number = self.call.strip_prefix(name.as_str())?.strip_prefix('@')?;
        Some(number.parse().ok())
    }
}

/// A small program of calls, whose answers tell one cause from another. It counts for nothing, and its
/// data may be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmallRun {
    /// The name.
    pub name: String,
    /// What happens in it, a clause.
    pub about: String,
    /// The calls with the right answers.
    pub ops: Vec<Op>,
}

/// The id of the issue that a failure is put down to where nothing tells what is wrong. It has hints like any other,
/// and names no cause.
pub const GENERAL_ISSUE: &str = "general";

/// One thing that can be wrong, how to recognise it, and what is said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Issue {
    /// The name, for example `eviction_logic`.
    pub id: String,
    /// When it is the one.
    #[serde(default)]
    pub when: IssueMatch,
    /// What the candidate is told after the verdict.
    pub feedback: String,
    /// Hints of levels 1, 2 and 3.
    pub hints: [String; 3],
    /// How candidates say that this is what went wrong; they are compared with, and never shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<String>,
}

/// Recognises an [`Issue`]; a list that is empty does not matter, the others must all agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct IssueMatch {
    /// The class is one of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failure_types: Vec<FailureType>,
    /// The detail is one of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// One of these cases did not pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<String>,
    /// All of these cases passed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passing: Vec<String>,
    /// When true, no test was reached: it ended while the file was being loaded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub while_loading: bool,
    /// The exception is one of these kinds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
    /// One of these is what the small runs show: for each run `right`, `wrong`, or its answers between
    /// blanks, with `*` for any and `!` for an exception.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shows: Vec<BTreeMap<String, String>>,
    /// When true, every run that is not named in what is shown came out right.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only: bool,
    /// When true, all small runs came out right.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub all_right: bool,
}

/// How the time of one operation is measured at growing sizes, for problems that store values by
/// key: an instance is constructed with the size, filled, and then read and written in turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrowthProbe {
    /// The sizes, ascending; each is the one argument of the constructor.
    pub sizes: Vec<u64>,
    /// The method that stores: called with a key and a value, both whole numbers.
    pub write: String,
    /// The method that finds: called with a key.
    pub read: String,
}
