//! What is seen of a task; every role sees the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::events::{Because, Circle, IterationEnded, TestEdit};
use super::state::State;
use crate::ids::{EventId, SessionId};
use crate::time::Time;
use crate::v1::agent::{
    Analysis, Caps, Finding, Hit, ModelName, Plan, RunCaps, Spent, TaskLanguage, TestReport,
};

/// What a task waits for from a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PendingApproval {
    /// The event that asks.
    pub event_id: EventId,
    /// What the code would do.
    pub finding: Finding,
    /// In how many places.
    pub places: u32,
}

/// A file that the agent has written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileLine {
    /// Which, from the workspace on.
    pub path: String,
    /// Its lines.
    pub lines: u32,
    /// Whether the agent made it.
    pub created: bool,
}

/// Figures of several iterations, summed (002 2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IterationSums {
    /// How many iterations.
    pub iterations: u32,
    /// How long they lasted, milliseconds.
    pub duration_ms: u64,
    /// Tokens that went into models.
    pub prompt: u64,
    /// Tokens that came out of them.
    pub completion: u64,
    /// Files that were made.
    pub created: u64,
    /// Files that were changed.
    pub modified: u64,
    /// Tests that passed.
    pub passed: u64,
    /// Tests that did not.
    pub failed: u64,
    /// How often earlier tasks were asked.
    pub memory_asked: u64,
    /// How often they had something to say.
    pub memory_hits: u64,
    /// How often a person was asked.
    pub approvals: u64,
}

impl IterationSums {
    /// With other ones.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            iterations: self.iterations.saturating_add(other.iterations),
            duration_ms: self.duration_ms.saturating_add(other.duration_ms),
            prompt: self.prompt.saturating_add(other.prompt),
            completion: self.completion.saturating_add(other.completion),
            created: self.created.saturating_add(other.created),
            modified: self.modified.saturating_add(other.modified),
            passed: self.passed.saturating_add(other.passed),
            failed: self.failed.saturating_add(other.failed),
            memory_asked: self.memory_asked.saturating_add(other.memory_asked),
            memory_hits: self.memory_hits.saturating_add(other.memory_hits),
            approvals: self.approvals.saturating_add(other.approvals),
        }
    }
}

impl From<&IterationEnded> for IterationSums {
    fn from(ended: &IterationEnded) -> Self {
        Self {
            iterations: 1,
            duration_ms: ended.duration_ms,
            prompt: ended.prompt,
            completion: ended.completion,
            created: ended.created.len() as u64,
            modified: ended.modified.len() as u64,
            passed: ended.passed.into(),
            failed: ended.failed.into(),
            memory_asked: ended.memory_asked.into(),
            memory_hits: ended.memory_hits.into(),
            approvals: ended.approvals.into(),
        }
    }
}

/// A task as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// Which session.
    pub session_id: SessionId,
    /// What is to be done.
    pub task: String,
    /// In what.
    pub language: TaskLanguage,
    /// Who proposes.
    pub model: ModelName,
    /// The session that judges, where a problem is sat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_by: Option<SessionId>,
    /// Where it is worked.
    pub workspace: String,
    /// Where it stands.
    pub state: State,
    /// The state that it goes on in, where it is paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goes_on_in: Option<State>,
    /// Why it rests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// What failed, where it rests for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// True once nothing more can happen.
    pub over: bool,
    /// The session's time.
    pub at: Time,
    /// Which iteration it is, from 1, counted over the life of the task.
    pub iteration: u32,
    /// The last iteration that is granted.
    pub until: u32,
    /// Whether something is under way.
    pub busy: bool,
    /// Whether a pause is asked for.
    pub pausing: bool,
    /// What it waits for from a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<PendingApproval>,
    /// What the planner said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// How the last run of the tests went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestReport>,
    /// What the reflector said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    /// The most alike of earlier tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered: Option<Hit>,
    /// What is to be known of the model's last answer: which other model has given it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How the agent goes round in circles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circle: Option<Circle>,
    /// What was used up.
    pub spent: Spent,
    /// What may be.
    pub caps: Caps,
    /// What each run of the tests may use up.
    #[serde(default, skip_serializing_if = "RunCaps::is_usual")]
    pub run: RunCaps,
    /// What the agent has written.
    pub files: Vec<FileLine>,
    /// Tests that were changed after they had failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_edits: Vec<TestEdit>,
    /// The newest iterations in figures.
    pub iterations: Vec<IterationEnded>,
    /// Those before them, where they are too many to be told one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<IterationSums>,
}

impl View {
    /// All iterations that have ended.
    pub fn sums(&self) -> IterationSums {
        let newest = self.iterations.iter().map(IterationSums::from);
        newest.fold(self.earlier.unwrap_or_default(), IterationSums::and)
    }
}
