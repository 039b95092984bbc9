//! What an autonomous candidate works with (002): who proposes, what is proposed, what came of it. The
//! kind `task`, its effects and its screens share these.

mod run_caps;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::{Hash, Kind, SessionId};
use crate::v1::problem::Language;

pub use run_caps::{RunBounds, RunCaps};

/// In what a task is solved (002 7.1: python or node).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskLanguage {
    /// Python with pytest.
    #[default]
    Python,
    /// JavaScript with Node's own test runner.
    Node,
}

impl TaskLanguage {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Python, Self::Node];

    /// The word on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Node => "node",
        }
    }
}

/// As what a problem is sat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sitting {
    /// As a drill: each run of the tests is a submission.
    #[default]
    Drill,
    /// As an attempt, whose steps are gone through by commands.
    Attempt,
    /// As a whole interview.
    Interview,
}

impl Sitting {
    /// The kind of the session.
    pub fn kind(self) -> Kind {
        match self {
            Self::Drill => Kind::Drill,
            Self::Attempt => Kind::Attempt,
            Self::Interview => Kind::Interview,
        }
    }

    /// Whether it is gone through by commands that a tool gives.
    pub fn is_talk(self) -> bool {
        match self {
            Self::Drill => false,
            Self::Attempt | Self::Interview => true,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    pub(crate) fn is_drill(&self) -> bool {
        !self.is_talk()
    }
}

/// A session about a problem that an agent sits in a candidate's place, through the public protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exam {
    /// The session that judges.
    pub session: SessionId,
    /// What it is.
    #[serde(default, rename = "as", skip_serializing_if = "Sitting::is_drill")]
    pub sitting: Sitting,
    /// The problem.
    pub problem: String,
    /// The file that is submitted, from the workspace on.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// What a candidate is given to begin with.
    pub starter: String,
}

impl Exam {
    /// The session that a task sits. Its id follows from the task's, so that what an agent did is never taken
    /// for a person's.
    pub fn session_of(task: SessionId) -> SessionId {
        let named = Hash::of(format!("sat by {task}").as_bytes());
        let mut id = [0; 16];
        id.copy_from_slice(&named.0[..16]);
        SessionId(uuid::Builder::from_random_bytes(id).into_uuid())
    }
}

/// What sort of model proposes. Screens and logs always say it: a script's success is no ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelSort {
    /// Rules that were written down beforehand.
    Script,
    /// What another model once said, word for word.
    Replay,
    /// Edits of a program that is nearly right, tried one after another.
    Repair,
    /// A server that speaks the protocol of OpenAI's chat completions.
    Openai,
}

impl ModelSort {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Script, Self::Replay, Self::Repair, Self::Openai];

    /// The word on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Replay => "replay",
            Self::Repair => "repair",
            Self::Openai => "openai",
        }
    }

    /// Whether a success says that something was solved by whoever proposed it.
    pub fn shows_ability(self) -> bool {
        match self {
            Self::Script | Self::Replay => false,
            Self::Repair | Self::Openai => true,
        }
    }
}

/// Who proposes: `script:pass_at_3`, `openai:some-model`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelName {
    /// What sort.
    pub sort: ModelSort,
    /// Which script, recording or model; empty for `repair`, of which there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.is_empty() {
            true => f.write_str(self.sort.name()),
            false => write!(f, "{}:{}", self.sort.name(), self.name),
        }
    }
}

impl FromStr for ModelName {
    type Err = String;

    /// As it is shown.
    fn from_str(word: &str) -> Result<Self, String> {
        let (sort, name) = word.split_once(':').unwrap_or((word, ""));
        let sort = ModelSort::ALL.into_iter().find(|known| known.name() == sort);
        let sort = sort.ok_or("it begins with script:, replay: or openai:, or is repair")?;
        if (sort == ModelSort::Repair) != name.is_empty() {
            let why = "script, replay and openai have a name behind a colon, repair has none";
            return Err(why.to_owned());
        }
        Ok(Self { sort, name: name.to_owned() })
    }
}

/// As what a model is asked (002 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentRole {
    /// Breaks the task down, once.
    Planner,
    /// Writes the code.
    Coder,
    /// Writes the tests.
    Tester,
    /// Says why tests failed.
    Reflector,
}

impl AgentRole {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Coder => "coder",
            Self::Tester => "tester",
            Self::Reflector => "reflector",
        }
    }
}

/// What the planner makes of a task (002 3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Its parts, in their order.
    pub subtasks: Vec<String>,
    /// Which parts need which others: `subtask_2` needs `subtask_1`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dependencies: BTreeMap<String, Vec<String>>,
    /// What may go wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected_challenges: Vec<String>,
    /// How it is to be tested.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub testing_strategy: String,
}

/// How sure the reflector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Rather not.
    Low,
    /// Somewhat.
    Medium,
    /// Very.
    High,
}

impl Confidence {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What the reflector makes of failed tests (002 3.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// Why they failed.
    pub root_cause: String,
    /// What to change.
    pub fix_hypothesis: String,
    /// How sure that is.
    pub confidence: Confidence,
}

/// One call of a tool that a model asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// Names the call in the conversation.
    pub id: String,
    /// Which tool.
    pub tool: String,
    /// The file it is about, where the arguments say so in a way that can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The arguments as the model spelled them; they may be no JSON at all.
    pub arguments: BlobRef,
}

/// What a model was asked and said, in order: each call has exactly one result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolTurn {
    /// What was called.
    pub call: ToolCall,
    /// What the tool answered; absent where it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<BlobRef>,
    /// What is told in the place of an answer: that the call was interrupted, or could not be made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// Whether it did what was asked.
    pub ok: bool,
}

/// What one exchange took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens that went in.
    pub prompt: u64,
    /// Tokens that came out.
    pub completion: u64,
    /// True where the server gave no figures and they were estimated here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Usage {
    /// Both together.
    pub fn tokens(&self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}

/// What tokens cost, in millionths of a dollar for a million of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Of those that go in.
    pub prompt_micros: u64,
    /// Of those that come out.
    pub completion_micros: u64,
}

/// What a task may use up, each cap on its own; an absent one does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Calls of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Money, in millionths of a dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// Time at work, seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_secs: Option<u64>,
}

/// What has been used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spent {
    /// Tokens that went into models.
    pub prompt: u64,
    /// Tokens that came out of them.
    pub completion: u64,
    /// Calls of a model.
    pub calls: u64,
    /// Money, in millionths of a dollar, as far as prices are known.
    pub cost_micros: u64,
    /// Calls of which nobody knows the cost; with any of these the sum is no cost at all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unpriced: u64,
    /// Time at work, milliseconds.
    pub wall_ms: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Which cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    /// Tokens.
    Tokens,
    /// Calls.
    Calls,
    /// Money.
    Cost,
    /// Time at work.
    Wall,
}

/// Over which stretch a cap holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Per {
    /// One task.
    Task,
    /// All tasks of one day.
    Day,
}

/// A cap that the next call would cross, so that it is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Crossing {
    /// Which.
    pub cap: Cap,
    /// Of a task or of a day.
    pub per: Per,
    /// Where it stands: tokens, calls, millionths of a dollar, or milliseconds.
    pub limit: u64,
    /// What has been used up.
    pub spent: u64,
    /// What would have been after the call.
    pub would: u64,
}

/// What a scan says of a place in the code (002 6.1, 6.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ScanVerdict {
    /// To be known.
    Note,
    /// To be allowed by a person first.
    Ask,
    /// Never run.
    Deny,
}

/// What a place in the code would do, as far as a person is asked about it (002 6.3).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Reach the network.
    Network,
    /// Start another program.
    Process,
    /// Install something.
    Install,
    /// Run code that is put together while it runs.
    DynamicCode,
    /// Read or write files elsewhere.
    Files,
    /// Something else that a scanner warns of.
    Other,
}

impl Category {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Process => "process",
            Self::Install => "install",
            Self::DynamicCode => "dynamic_code",
            Self::Files => "files",
            Self::Other => "other",
        }
    }
}

/// How bad it can be (002 6.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// One place that a scan speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What it says.
    pub verdict: ScanVerdict,
    /// Which rule.
    pub rule: String,
    /// What the place would do.
    pub category: Category,
    /// With what, in one spelling: `requests`, `subprocess.run`.
    pub subject: String,
    /// How bad that can be.
    pub risk: Risk,
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The code there.
    pub snippet: String,
}

/// What an answer to an approval allows (002 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Allow {
    /// The next run of the tests alone.
    Once,
    /// Every run of this task.
    Always,
    /// Nothing.
    No,
}

/// Why an approval was answered as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// Somebody said so.
    #[default]
    Said,
    /// The input ended before an answer: that is a no.
    EndOfInput,
    /// The answer was none of those asked for: that is a no.
    NoAnswer,
}

/// What stopped a run of the tests from outside (002 6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunLimit {
    /// Processor time.
    Cpu,
    /// Memory.
    Memory,
    /// Time.
    Wall,
    /// Processes.
    Processes,
    /// What it wrote.
    Output,
    /// A signal.
    Signal,
    /// Nothing: it ended before it had told of all tests.
    Early,
    /// Something else than the tests wrote where they tell how they ended.
    Foreign,
}

/// One test that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestError {
    /// Which.
    pub test: String,
    /// `KeyError`.
    pub error_type: String,
    /// What it said.
    pub message: String,
    /// The workspace's own function at the top of the trace, and where it stands.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// Whose tests they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestsOf {
    /// The agent's own, or those that lay in the workspace: "self-tested".
    Workspace,
    /// The hidden cases of a problem.
    Problem,
}

/// How a run of the tests went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestReport {
    /// Whose.
    pub of: TestsOf,
    /// How many were expected; their ids were fixed before the run.
    pub total: u32,
    /// How many of these passed.
    pub passed: u32,
    /// How many of these failed.
    pub failed: u32,
    /// Expected tests that never told how they ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What failed, the first first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<TestError>,
    /// What stopped the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<RunLimit>,
    /// How many mutants of the code the tests let pass: with any, the tests are too weak to say much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survivors: Option<u32>,
    /// How much of the program the tests ran, in hundredths of its lines; known once all have passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<u32>,
    /// True where files changed after the tests had begun, so that they say nothing of the newest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outdated: bool,
}

impl TestReport {
    /// Whether it proves that the task is done (002 2.2: a pass rate of 100 %): some tests were expected, and
    /// each of them ran and passed.
    pub fn proves(&self) -> bool {
        self.total > 0
            && self.passed == self.total
            && self.failed == 0
            && self.missing.is_empty()
            && self.stopped.is_none()
            && !self.outdated
    }
}

/// A file that a tool wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Written {
    /// Which, from the workspace on.
    pub path: String,
    /// What it held before; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Hash>,
    /// What it holds now; absent where it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Hash>,
    /// Its size now, bytes.
    pub bytes: u64,
    /// Its lines now.
    pub lines: u32,
}

/// Something of an earlier task that is like this one (002 5.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// The session of that task.
    pub from: SessionId,
    /// What it was: a task, or an error.
    pub about: String,
    /// What solved it; empty where nothing has.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub solution: String,
    /// How alike, in hundredths.
    pub similarity: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(total: u32, passed: u32) -> TestReport {
        TestReport {
            of: TestsOf::Workspace,
            total,
            passed,
            failed: total - passed,
            missing: Vec::new(),
            errors: Vec::new(),
            stopped: None,
            survivors: None,
            coverage: None,
            outdated: false,
        }
    }

    #[test]
    fn a_model_is_named_by_its_sort_and_its_name() {
        for name in ["script:passes", "repair", "openai:a:b"] {
            assert_eq!(name.parse::<ModelName>().unwrap().to_string(), name);
        }
        for bad in ["", "gpt", "script", "script:", "repair:x", "Script:x"] {
            bad.parse::<ModelName>().unwrap_err();
        }
    }

    #[test]
    fn nothing_but_a_whole_run_of_some_tests_proves_that_a_task_is_done() {
        assert!(report(3, 3).proves());
        assert!(!report(0, 0).proves(), "no test was collected");
        assert!(!report(3, 2).proves());
        assert!(!TestReport { missing: vec!["test_a".to_owned()], ..report(3, 3) }.proves());
        assert!(!TestReport { stopped: Some(RunLimit::Wall), ..report(3, 3) }.proves());
        assert!(!TestReport { outdated: true, ..report(3, 3) }.proves());
    }
}
