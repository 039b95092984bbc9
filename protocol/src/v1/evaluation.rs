//! What the evaluator found out about one submission, and the words for it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::problem::Language;

/// The six classes of 000, in upper case on the wire (DECISIONS 16).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureType {
    /// All cases passed.
    Pass,
    /// At least half of them passed, none raised.
    PartialPass,
    /// Fewer than half passed, none raised.
    WrongAnswer,
    /// An exception, a crash or an exhausted limit in a case.
    Exception,
    /// The class is there, a method is missing or cannot be called as needed.
    WrongSignature,
    /// The file cannot be loaded, or does not define what is needed.
    ImportError,
}

impl fmt::Display for FailureType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pass => "PASS",
            Self::PartialPass => "PARTIAL_PASS",
            Self::WrongAnswer => "WRONG_ANSWER",
            Self::Exception => "EXCEPTION",
            Self::WrongSignature => "WRONG_SIGNATURE",
            Self::ImportError => "IMPORT_ERROR",
        })
    }
}

/// Why a class applies, in one word that the user is told.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Computing time used up.
    Time,
    /// Time on the clock used up.
    Wall,
    /// A stretch of the clock without computing.
    Idle,
    /// Memory used up.
    Memory,
    /// More written than may be.
    Output,
    /// More processes than may be.
    Processes,
    /// Ended by a signal.
    Signal,
    /// Left by itself in the middle.
    Exit,
    /// An exception in a case, or while the file was loaded.
    Exception,
    /// A syntax error.
    Syntax,
    /// The needed class or function is not defined.
    Missing,
    /// A method is missing or takes other arguments.
    Signature,
    /// A returned value differs.
    Value,
}

impl Detail {
    /// The word on the wire and on screens.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Wall => "wall",
            Self::Idle => "idle",
            Self::Memory => "memory",
            Self::Output => "output",
            Self::Processes => "processes",
            Self::Signal => "signal",
            Self::Exit => "exit",
            Self::Exception => "exception",
            Self::Syntax => "syntax",
            Self::Missing => "missing",
            Self::Signature => "signature",
            Self::Value => "value",
        }
    }
}

/// What became of a submission: everything the engine needs to classify it.
///
/// Data of hidden cases is not in here, so it can be kept in the log and shown to every role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// Whether the file could be used at all.
    pub load: Load,
    /// Every case of the suite, in its order.
    pub cases: Vec<CaseResult>,
    /// The limit that ended the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitHit>,
    /// Time on the clock from the start of the run to its end, milliseconds.
    pub runtime_ms: u64,
    /// Computing time, milliseconds.
    #[serde(default)]
    pub cpu_ms: u64,
    /// Most memory resident at one time, bytes, as far as it was seen.
    #[serde(default)]
    pub peak_memory: u64,
    /// The language it was judged in.
    pub language: Language,
    /// The interpreter, for example `3.11.7`.
    pub runtime: String,
    /// Whether its processes were started for it or had been waiting; absent where none was given
    /// the code, and in older records. It makes no difference to the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Started>,
    /// What it did in the problem's small runs, which tell causes apart; absent for a pass, and where
    /// none came to an end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub small_runs: Option<SmallRuns>,
    /// Whatever the user should also know, each a full sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The evidence that tells causes apart: which of the problem's small runs did not come out right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SmallRuns {
    /// How many there are.
    pub number: u32,
    /// Those that did not come out right, in their order.
    pub wrong: Vec<WrongRun>,
}

/// A small run that did not come out right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrongRun {
    /// Which.
    pub name: String,
    /// What its calls with an answer gave, between blanks, with `!` where one raised; absent where
    /// it came to no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
}

/// How the processes of a run came up. Isolation and limits are the same.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Started {
    /// Each was started for this run.
    Cold,
    /// Each had been waiting, isolated and without any code inside.
    Warm,
    /// Some had been waiting, others were started.
    Mixed,
}

impl Started {
    /// The word on the wire and on screens.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
            Self::Mixed => "mixed",
        }
    }
}

/// Whether a candidate's file could be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "load")]
pub enum Load {
    /// The file defines what is needed.
    Loaded,
    /// The file could not be loaded, or the class or function is not there (000: IMPORT_ERROR).
    ImportError {
        /// Why, in one word.
        detail: Detail,
        /// What the interpreter said, or what is missing; the candidate's file and line only.
        message: String,
    },
    /// The process went away, or a limit was reached, while the file was being loaded
    /// (000: EXCEPTION).
    Crashed {
        /// Signal, exit, or the limit.
        detail: Detail,
        /// One line.
        message: String,
    },
    /// A method is missing or takes other arguments (000: WRONG_SIGNATURE).
    WrongSignature {
        /// For example `found Get, needed get(key)`.
        message: String,
    },
}

/// The limit that ended a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LimitHit {
    /// Which: time, wall, idle, memory, output or processes.
    pub detail: Detail,
    /// The value with its unit, for example `10 s` or `512 MB`.
    pub value: String,
    /// The case that was running; absent while the file was being loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
}

/// What became of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseResult {
    /// The name.
    pub name: String,
    /// How it ended.
    pub outcome: CaseOutcome,
    /// The time, microseconds.
    #[serde(default)]
    pub micros: u64,
    /// The failing call of a visible case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Difference>,
    /// The failing call of a hidden case's public twin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<Difference>,
    /// What its calls returned, for a case of the user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<String>,
    /// What the candidate's code printed meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prints: Option<Prints>,
}

/// How one case ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "end")]
pub enum CaseOutcome {
    /// Every answer was right.
    Passed,
    /// An answer was wrong.
    Failed,
    /// The candidate's code raised; the text names the candidate's file and line only.
    Raised {
        /// For example `ZeroDivisionError: division by zero (solution.py, line 7, in get)`.
        exception: String,
    },
    /// The process went away: by a signal or by leaving.
    Crashed {
        /// Signal or exit.
        detail: Detail,
        /// For example `ended by signal 11 (SIGSEGV)`.
        message: String,
    },
    /// The case was running when a limit was reached.
    Limit {
        /// Which.
        detail: Detail,
    },
    /// A limit was reached before the case's turn.
    NotRun,
}

impl CaseOutcome {
    /// True for a pass.
    pub fn passed(&self) -> bool {
        *self == Self::Passed
    }
}

/// A call whose answer differs, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The calls that lead to it, for example `LRUCache(2)  put(1, 1)  get(1)`; cut in the middle where
    /// they take more than 4 KiB.
    pub input: String,
    /// Which call of the case it is, from 1.
    pub call: u64,
    /// What it must return.
    pub expected: String,
    /// What it returned.
    pub actual: String,
    /// Where the two texts differ first, in characters from 0.
    #[serde(default)]
    pub column: u64,
}

/// What a candidate's code printed during one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prints {
    /// The text, cut.
    pub text: String,
    /// The whole length, bytes.
    pub bytes: u64,
    /// True when some of it was dropped.
    #[serde(default)]
    pub truncated: bool,
}

/// Time per operation at growing sizes, measured in the sandbox after a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrowthPoint {
    /// The size.
    pub size: u64,
    /// Nanoseconds for one operation, the least of several rounds.
    pub nanos: u64,
}

/// What a growth probe says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// The time does not depend on the size.
    Constant,
    /// The time grows with the size; looks O(n).
    Linear,
    /// Neither can be said.
    Unclear,
}
