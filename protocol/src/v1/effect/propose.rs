//! Having a model propose the next thing in a task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::Hash;
use crate::v1::agent::{
    AgentRole, Analysis, Caps, Crossing, Exam, Hit, ModelName, Plan, Price, Spent, TaskLanguage,
    TestReport, ToolCall, ToolTurn, Usage,
};

/// Ask a model in one of its roles (002 3), with retries of the same question and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Propose {
    /// Who is asked.
    pub model: ModelName,
    /// As what.
    pub role: AgentRole,
    /// What is asked for.
    pub task: String,
    /// In what it is solved.
    pub language: TaskLanguage,
    /// The absolute path of the folder that is worked in.
    pub workspace: String,
    /// The session that judges; absent where the task's own tests do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<Exam>,
    /// Which iteration it is, from 1, counted over the life of the task.
    pub iteration: u32,
    /// What the planner said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// How the last run of the tests went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestReport>,
    /// What that run printed, with the traces of its failures: for whom these are to be explained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<BlobRef>,
    /// What the reflector said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    /// What earlier tasks have to say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remembered: Vec<Hit>,
    /// The files that the agent has written, with what they hold: for roles that have no tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, Hash)>,
    /// What has happened beside the conversation: steps that were interrupted, what a person refused,
    /// what a person hinted at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was called in this state of the task, and what came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<ToolTurn>,
    /// Most tokens that may come out.
    pub completion_max: u64,
    /// What this task may use up, and what it has: how much a question really takes is known once it is put
    /// together.
    #[serde(default)]
    pub caps: Caps,
    /// What it has used up.
    #[serde(default)]
    pub spent: Spent,
    /// What all tasks of a day may use up together.
    pub day: Caps,
    /// What tokens cost, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// What a model said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum Proposal {
    /// A plan.
    Plan(Plan),
    /// Calls of tools, in this order.
    Calls {
        /// At least one.
        calls: Vec<ToolCall>,
    },
    /// That it has nothing more to call.
    Done {
        /// In its own words.
        note: String,
    },
    /// What it makes of a failure.
    Analysis(Analysis),
    /// Something that is none of what was asked for, or was cut off; nothing of it is carried out.
    Unusable {
        /// Why.
        reason: String,
    },
}

/// How an exchange with a model ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum Proposed {
    /// With an answer.
    Answer {
        /// What it said.
        proposal: Proposal,
        /// What it took.
        usage: Usage,
        /// Question and answer whole, from which a replay answers.
        exchange: BlobRef,
        /// What all tasks of the day have used up, this exchange included.
        today: Spent,
        /// What is to be known of the answer: another model than the one that was asked has given it, or
        /// it was asked less than it should have been.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
    /// Not at all: it would have crossed a cap of the day.
    Withheld {
        /// Which.
        crossing: Crossing,
    },
    /// With a fault that trying again does not mend, or not soon.
    Fault {
        /// One sentence.
        reason: String,
        /// When the server wants to be asked again, seconds; absent where that would not help.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_secs: Option<u64>,
        /// What was taken all the same, in all tries; absent where no server said anything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// By the end of the daemon: it was asked, and nobody knows what it said and took.
    Interrupted {},
}
