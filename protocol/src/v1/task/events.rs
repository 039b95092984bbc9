//! What happens in a task, and what each event holds.
//!
//! What is asked of the outside is an event before it happens, and an event with all that came back when
//! it ends; so a replay needs neither model nor sandbox.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::State;
use crate::events;
use crate::ids::EventId;
use crate::v1::agent::{
    AgentRole, Allow, Answered, Caps, Category, Crossing, Finding, ModelName, RunCaps, Spent,
    TaskLanguage, ToolCall,
};
use crate::v1::effect::{
    Acted, Memory, Prepared, Proposal, Proposed, PutBack, Recalled, Remember, Remembered, Restored,
    Scanned, TestsRun,
};
use crate::v1::events::BlobUse;

events! {
    /// What happens in a task.
    pub enum Event {
        /// Somebody wants it done.
        TaskOpened(TaskOpened): "TASK_OPENED" by System for Everyone;
        /// It goes from one state to another.
        StateChanged(StateChanged): "STATE_CHANGED" by System for Everyone;
        /// The workspace is to be made ready.
        WorkspaceAsked(WorkspaceAsked): "WORKSPACE_ASKED" by System for Everyone;
        /// It is, or cannot be.
        WorkspaceReady(Ended<Prepared>): "WORKSPACE_READY" by System for Everyone;
        /// Earlier tasks are asked.
        MemoryAsked(MemoryAsked): "MEMORY_ASKED" by System for Everyone;
        /// What they say.
        MemoryAnswered(Ended<Recalled>): "MEMORY_ANSWERED" by System for Everyone;
        /// A model is asked.
        ModelCalled(ModelCalled): "MODEL_CALLED" by System for Everyone;
        /// It has said something, or nothing.
        ModelAnswered(Ended<Proposed>): "MODEL_ANSWERED" by Agent for Everyone,
            naming |answered| proposed(answered.outcome.as_ref());
        /// Another model goes on.
        ModelSwitched(ModelSwitched): "MODEL_SWITCHED" by System for Everyone;
        /// A tool is called.
        ToolCalled(ToolCalled): "TOOL_CALLED" by Agent for Everyone;
        /// It has ended.
        ToolEnded(Ended<Acted>): "TOOL_ENDED" by System for Everyone,
            naming |ended| acted(ended.outcome.as_ref());
        /// The code is looked through.
        ScanAsked(ScanAsked): "SCAN_ASKED" by System for Everyone;
        /// What was found.
        ScanEnded(Ended<Scanned>): "SCAN_ENDED" by System for Everyone;
        /// A person is asked.
        ApprovalAsked(ApprovalAsked): "APPROVAL_ASKED" by System for Everyone;
        /// A person has answered.
        ApprovalGiven(ApprovalGiven): "APPROVAL_GIVEN" by Candidate for Everyone;
        /// An earlier answer holds here too.
        ApprovalHeld(ApprovalHeld): "APPROVAL_HELD" by System for Everyone;
        /// The code is not run.
        RunBlocked(RunBlocked): "RUN_BLOCKED" by System for Everyone;
        /// The tests are run.
        TestsAsked(TestsAsked): "TESTS_ASKED" by System for Everyone;
        /// How they went.
        TestsEnded(Ended<TestsRun>): "TESTS_ENDED" by System for Everyone,
            naming |ended| tested(ended.outcome.as_ref());
        /// Something is kept for later tasks.
        LessonAsked(LessonAsked): "LESSON_ASKED" by System for Everyone;
        /// It is, or could not be.
        LessonKept(Ended<Remembered>): "LESSON_KEPT" by System for Everyone;
        /// The agent goes round in circles.
        StuckFound(StuckFound): "STUCK_FOUND" by System for Everyone;
        /// One iteration is over.
        IterationEnded(IterationEnded): "ITERATION_ENDED" by System for Everyone;
        /// Few iterations are left.
        IterationsLow(IterationsLow): "ITERATIONS_LOW" by System for Everyone;
        /// The next call of a model would cross a cap, so it is not made.
        BudgetReached(BudgetReached): "BUDGET_REACHED" by System for Everyone;
        /// The time at work is used up.
        TimeRanOut(TimeRanOut): "TIME_RAN_OUT" by System for Everyone;
        /// Somebody wants a pause.
        PauseAsked(PauseAsked): "PAUSE_ASKED" by Candidate for Everyone;
        /// It goes on.
        TaskResumed(TaskResumed): "TASK_RESUMED" by Candidate for Everyone;
        /// The agent's edits are to be put back.
        RewindAsked(RewindAsked): "REWIND_ASKED" by Candidate for Everyone;
        /// They are.
        TaskRewound(TaskRewound): "TASK_REWOUND" by System for Everyone;
        /// All tests have passed.
        TaskSucceeded(TaskSucceeded): "TASK_SUCCEEDED" by System for Everyone;
        /// It has failed, for now.
        TaskFailed(TaskFailed): "TASK_FAILED" by System for Everyone;
        /// It was given up for good.
        TaskClosed(TaskClosed): "TASK_CLOSED" by Candidate for Everyone;
    }
}

/// How something ended that was asked of the outside: one of the two is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ended<T> {
    /// What came back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<T>,
    /// Why nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// Somebody wants something done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskOpened {
    /// What.
    pub task: String,
    /// In what.
    pub language: TaskLanguage,
    /// Who proposes.
    pub model: ModelName,
    /// Where it is worked.
    pub workspace: String,
    /// How many iterations it has.
    pub iterations: u32,
    /// What it may use up.
    pub caps: Caps,
}

/// Why a task left a state in which it was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// Somebody asked for a pause.
    Asked,
    /// A cap would have been crossed.
    Budget,
    /// No model could be asked.
    Model,
    /// Something of this machine failed: a folder, the sandbox.
    System,
    /// The iterations are used up.
    Iterations,
    /// The agent goes round in circles.
    Stuck,
    /// The model's answers cannot be used.
    Unusable,
}

/// From one state to another, with what the one that was left has taken (002 2.3, 10.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateChanged {
    /// Which was left.
    pub from: State,
    /// Which was entered.
    pub to: State,
    /// Which iteration it is, from 1, counted over the life of the task.
    pub iteration: u32,
    /// How long the state that was left has lasted, milliseconds.
    pub duration_ms: u64,
    /// The tokens that it took.
    pub tokens: u64,
    /// The event that had asked for what was under way and is given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<EventId>,
    /// Why, where the state had not come to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
}

/// A folder is to be made ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceAsked {
    /// Its absolute path.
    pub workspace: String,
}

/// Earlier tasks are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryAsked {
    /// What for.
    pub what: Memory,
}

/// A model is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelCalled {
    /// Which.
    pub model: ModelName,
    /// As what.
    pub role: AgentRole,
    /// Which call of the task it is, from 1.
    pub call: u64,
    /// The most tokens it is thought to take.
    pub estimate: u64,
}

/// Another model goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelSwitched {
    /// From which.
    pub from: ModelName,
    /// To which.
    pub to: ModelName,
    /// Why.
    pub because: Because,
}

/// A tool is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCalled {
    /// How.
    pub call: ToolCall,
}

/// The code is looked through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScanAsked {}

/// A person is asked (002 6.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalAsked {
    /// What the code would do, with the place of the first line that does.
    pub finding: Finding,
    /// In how many places it does.
    pub places: u32,
    /// By which rules: "always" holds for these.
    pub rules: u32,
}

/// A person has answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalGiven {
    /// What asked.
    pub approval: EventId,
    /// What is allowed.
    pub answer: Allow,
    /// Why.
    pub because: Answered,
}

/// An earlier answer holds here too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalHeld {
    /// The event of the answer.
    pub given: EventId,
    /// What it was.
    pub answer: Allow,
    /// For what.
    pub category: Category,
    /// With what.
    pub subject: String,
}

/// The code is not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunBlocked {
    /// What keeps it from running.
    pub finding: Finding,
    /// True where a person has refused it, false where no person may allow it, or where one has in vain.
    pub refused: bool,
    /// True where a person has allowed what no run can be given on this machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unavailable: bool,
}

/// The tests are run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestsAsked {
    /// What a person has allowed for this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Category>,
}

/// Something is kept for later tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LessonAsked {
    /// What.
    pub lesson: Remember,
}

/// How an agent goes round in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Circle {
    /// The same error, iteration after iteration (002 9.2).
    SameError,
    /// The same call with the same result.
    SameCall,
    /// Two calls in turn, with the same results.
    BackAndForth,
    /// Nothing was changed although tests had failed.
    NoChange,
}

/// The agent goes round in circles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StuckFound {
    /// How.
    pub circle: Circle,
    /// How often.
    pub times: u32,
    /// What came again.
    pub what: String,
}

/// How long a state lasted and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateTime {
    /// Which.
    pub state: State,
    /// How long, milliseconds.
    pub duration_ms: u64,
    /// Tokens.
    pub tokens: u64,
}

/// One iteration in figures (002 2.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IterationEnded {
    /// Which, from 1, counted over the life of the task.
    pub iteration: u32,
    /// Its states in their order.
    pub states: Vec<StateTime>,
    /// How long it lasted, milliseconds.
    pub duration_ms: u64,
    /// Tokens that went into models.
    pub prompt: u64,
    /// Tokens that came out of them.
    pub completion: u64,
    /// Files that were made.
    pub created: Vec<String>,
    /// Files that were changed.
    pub modified: Vec<String>,
    /// Tests that passed.
    pub passed: u32,
    /// Tests that did not.
    pub failed: u32,
    /// What failed, in short.
    pub errors: Vec<String>,
    /// How often earlier tasks were asked.
    pub memory_asked: u32,
    /// How often they had something to say.
    pub memory_hits: u32,
    /// How often a person was asked.
    pub approvals: u32,
}

/// Few iterations are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IterationsLow {
    /// How many of the grant are used up.
    pub used: u32,
    /// How many there are.
    pub of: u32,
}

/// The next call of a model would cross a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetReached {
    /// Which, and by how much.
    pub crossing: Crossing,
}

/// The time at work is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimeRanOut {
    /// How much there was, seconds.
    pub wall_secs: u64,
}

/// Somebody wants a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PauseAsked {
    /// At once.
    pub now: bool,
}

/// It goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskResumed {
    /// So many more iterations.
    pub grant: u32,
    /// How many iterations there may have been at their end, counted over the life of the task.
    pub until: u32,
    /// How many there have been.
    pub iterations: u32,
    /// What the model is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What changes in what it may use up.
    #[serde(default)]
    pub caps: Caps,
    /// What changes in what each run of the tests may use up.
    #[serde(default, skip_serializing_if = "RunCaps::is_none")]
    pub run: RunCaps,
}

/// The agent's edits are to be put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RewindAsked {
    /// To this event.
    pub to: EventId,
    /// Which files that concerns.
    pub files: Vec<PutBack>,
}

/// The agent's edits are put back. The event carries the state that the task returns to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskRewound {
    /// To this event.
    pub to: EventId,
    /// The state that the task goes on in.
    pub state: State,
    /// What came of the files.
    #[serde(flatten)]
    pub ended: Ended<Restored>,
}

/// A test file that was changed after a run of it had failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestEdit {
    /// Which.
    pub path: String,
    /// What it held when it failed first.
    pub before: crate::ids::Hash,
    /// What it holds now; absent where it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<crate::ids::Hash>,
}

/// All tests have passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSucceeded {
    /// After how many iterations.
    pub iterations: u32,
    /// What was used up.
    pub spent: Spent,
    /// Who proposed last.
    pub model: ModelName,
    /// Whether that says anything of its ability.
    pub shows_ability: bool,
    /// The tests that passed.
    pub passed: u32,
    /// True where these were the agent's own.
    pub self_tested: bool,
    /// Tests that were changed after they had failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_edits: Vec<TestEdit>,
}

/// It has failed, for now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskFailed {
    /// Why.
    pub because: Because,
    /// After how many iterations.
    pub iterations: u32,
    /// What was used up.
    pub spent: Spent,
    /// The last error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

/// It was given up for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskClosed {
    /// After how many iterations.
    pub iterations: u32,
}

/// The bytes that an answer of a model names: files stand in what it was asked and in what it calls.
fn proposed(outcome: Option<&Proposed>) -> Vec<BlobUse> {
    let Some(Proposed::Answer { proposal, exchange, .. }) = outcome else { return Vec::new() };
    let calls = match proposal {
        Proposal::Calls { calls } => calls.as_slice(),
        Proposal::Plan(_)
        | Proposal::Done { .. }
        | Proposal::Analysis(_)
        | Proposal::Unusable { .. } => &[],
    };
    let arguments = calls.iter().map(|call| BlobUse::around_code(call.arguments.hash));
    arguments.chain([BlobUse::around_code(exchange.hash)]).collect()
}

/// The bytes that the end of a tool names: a file as it was, as it is, and what the model reads of it.
fn acted(outcome: Option<&Acted>) -> Vec<BlobUse> {
    let Some(acted) = outcome else { return Vec::new() };
    let before = acted.written.iter().filter_map(|written| written.before);
    let after = acted.written.iter().filter_map(|written| written.after).map(BlobUse::code);
    let around = before.chain([acted.result.hash]).map(BlobUse::around_code);
    after.chain(around).collect()
}

/// The bytes that the end of a run of tests names: both tell lines of code.
fn tested(outcome: Option<&TestsRun>) -> Vec<BlobUse> {
    let Some(tested) = outcome else { return Vec::new() };
    let told = tested.trace.iter().chain([&tested.output]);
    told.map(|told| BlobUse::around_code(told.hash)).collect()
}
