//! Problems as a candidate may see them, and runs that no session takes note of.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::ids::{Kind, ProblemId};
use crate::record::Outcome;
use crate::v1::effect::Trace;
use crate::v1::evaluation::FailureType;
use crate::v1::guide::Discussion;
use crate::v1::problem::{CaseInfo, Interface, Language, Op};

/// What `problem.list` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemListResult {
    /// The problems by id, those that come with vosim first.
    pub problems: Vec<ProblemLine>,
    /// What stands among one's own problems and cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<BrokenPackage>,
}

/// A package of one's own that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenPackage {
    /// The name of its folder.
    pub id: ProblemId,
    /// Why, in one line.
    pub reason: String,
}

/// One problem in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemLine {
    /// The id.
    pub id: ProblemId,
    /// The title.
    pub title: String,
    /// The languages it can be solved in.
    pub languages: Vec<Language>,
    /// The cases.
    pub cases: u32,
    /// Under which terms its text may be used.
    pub licence: String,
    /// How hard it is, 1 to 4.
    pub rung: u8,
    /// The patterns that fit it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// True for a package of one's own, which does not come with vosim.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
    /// True for a package of one's own that is still to be proved, at its next start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unproved: bool,
    /// How the last session about it came out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Outcome>,
}

/// Parameters of `problem.prove` and `problem.add`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackageParams {
    /// The absolute path of a package's folder, or the id of a problem.
    pub package: String,
}

/// What `problem.prove` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// The id.
    pub id: ProblemId,
    /// The title.
    pub title: String,
    /// The package's folder; absent for a problem that comes with vosim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Why it is not proved: the first program that does not keep its promise. Absent where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// How many programs do not keep their promises.
    pub broken: u32,
    /// How many programs there are.
    pub programs: u32,
    /// True when it was known before: the same bytes were proved by the same judge.
    pub remembered: bool,
}

/// What `problem.add` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Added {
    /// The id under which it can be started from now on.
    pub id: ProblemId,
    /// The title.
    pub title: String,
    /// True when the very same package was there before.
    pub replayed: bool,
}

/// Parameters of `problem.remove`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RemoveParams {
    /// The id.
    pub id: ProblemId,
}

/// Parameters of `problem.show`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemShowParams {
    /// The problem; absent: the one of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// What `problem.discuss` answers: what everybody may read when a session is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemDiscussed {
    /// The id.
    pub id: ProblemId,
    /// The title.
    pub title: String,
    /// The idea, changed problems, and good answers.
    #[serde(flatten)]
    pub discussion: Discussion,
    /// A right program by language.
    pub solutions: BTreeMap<Language, String>,
    /// The hints of each cause, most telling cause first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<CauseHints>,
    /// The tests with their data as the session was judged by, in suite order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<ReadCase>,
}

/// The hints of a cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CauseHints {
    /// The cause.
    pub issue: String,
    /// Levels 1, 2 and 3.
    pub hints: [String; 3],
}

/// A test with its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadCase {
    /// The name.
    pub name: String,
    /// One line.
    pub description: String,
    /// False for one whose data was hidden until the end.
    pub visible: bool,
    /// What is called and what must come back; of a long test the beginning.
    pub ops: Vec<Op>,
    /// Calls behind those.
    #[serde(default)]
    pub omitted: u64,
}

/// A problem as a candidate may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemCard {
    /// The id.
    pub id: ProblemId,
    /// The title.
    pub title: String,
    /// The task, in Markdown.
    pub statement: String,
    /// What the candidate's file must define.
    pub interface: Interface,
    /// The file to start from, by language.
    pub starters: BTreeMap<Language, String>,
    /// The cases.
    pub cases: Vec<CaseInfo>,
    /// Under which terms the text may be used.
    pub licence: String,
    /// The kind of the session whose problem it is; absent where the problem was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
}

/// Parameters of `problem.test`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemTestParams {
    /// The problem; absent: the one of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The candidate's own name for the file.
    pub file_path: String,
    /// The bytes.
    pub code: Blob,
    /// The language.
    pub language: Language,
    /// Own cases, run after the visible ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<OwnCase>,
}

/// A case of the user's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnCase {
    /// The name.
    pub name: String,
    /// What is done, and what must come back where it is said.
    pub ops: Vec<Op>,
    /// Whether the rest must be what the reference gives, which is not told; only in an attempt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_reference: bool,
}

/// Parameters of `problem.stress`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StressParams {
    /// The session whose problem it is; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The program in doubt.
    pub program: Sent,
    /// A slow and simple one of the same author's.
    pub against: Sent,
    /// Most seeds that are tried.
    pub rounds: u32,
    /// Longest time until a difference is found, seconds, at most 600.
    pub seconds: u32,
}

/// A program of the candidate's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sent {
    /// The candidate's own name for the file.
    pub file_path: String,
    /// The bytes.
    pub code: Blob,
    /// The language.
    pub language: Language,
}

/// What `problem.stress` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stressed {
    /// Seeds on whose inputs both programs agree.
    pub rounds: u32,
    /// Runs in these on which they agree.
    pub agreed: u32,
    /// Runs with which the slow program did not come to an end.
    pub skipped: u32,
    /// The seed on whose inputs they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The difference, made as short as it will go; what the slow program gives is taken for right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<Trace>>,
}

/// What became of one program of a problem package; printed by `problems check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvedProgram {
    /// The path in the package.
    pub program: String,
    /// The class it promises.
    pub promised: FailureType,
    /// The class it got, or why it got none.
    pub got: String,
    /// True when they agree.
    pub ok: bool,
}

/// A program one change away from a problem's reference that its cases let pass; printed by
/// `problems harden`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hole {
    /// The language of the program.
    pub language: Language,
    /// What was changed, as a phrase.
    pub operator: String,
    /// The first line that differs, from 1.
    pub line: u32,
    /// The lines of the reference.
    pub before: String,
    /// The lines in their place.
    pub after: String,
    /// How many of the draws that were looked at catch it.
    pub caught: u64,
    /// Where it differs from the reference; without that it may be equivalent.
    pub differs: Option<String>,
    /// Calls that the statement allows and that it answers otherwise, with the right answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<Op>,
    /// The whole program.
    pub program: String,
}

/// What became of one sentence with gaps of a problem package; printed by `problems check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvedInvariant {
    /// Its name in the package.
    pub invariant: String,
    /// What was found, in words.
    pub got: String,
    /// The wrong programs that contradict it with its right choices.
    pub catches: Vec<String>,
    /// True when no right program contradicts its right choices and a run refutes each other one.
    pub ok: bool,
}
