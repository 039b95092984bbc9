//! The autonomous candidate (002): what starts a task, its commands, its events, and what is seen of it.

mod events;
mod state;
mod view;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands;
use crate::ids::EventId;
use crate::v1::agent::{
    Allow, Answered, Caps, Exam, ModelName, Price, RunCaps, Sitting, TaskLanguage,
};

pub use events::*;
pub use state::State;
pub use view::{FileLine, IterationSums, PendingApproval, View};

/// Fewest and most characters of a task in a person's own words (002 8.1).
pub const TASK_CHARS: std::ops::RangeInclusive<usize> = 10..=500;

/// The phase in lists of a task that waits for an answer to an approval.
pub const AWAITS_APPROVAL: &str = "awaits approval";

/// Most characters of a hint that a task is resumed with.
pub const HINT_MAX_CHARS: usize = 500;

/// What a person asks for to start a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// What is to be done, in 10 to 500 characters; empty where a problem is named.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub task: String,
    /// A problem that is sat, under the rules and with the judge of any candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// As what it is sat.
    #[serde(default, rename = "as", skip_serializing_if = "Sitting::is_drill")]
    pub sitting: Sitting,
    /// In what.
    #[serde(default)]
    pub language: TaskLanguage,
    /// Who proposes; absent for the model of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelName>,
    /// Who proposes where that one is stuck or cannot be reached; absent for the one of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<ModelName>,
    /// The absolute path of a folder to work in; absent for one that is made for the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// What it may use up, where that is less or more than the settings say.
    #[serde(default)]
    pub caps: Caps,
    /// What each run of its tests may use up, where that is less or more than the settings say.
    #[serde(default, skip_serializing_if = "RunCaps::is_none")]
    pub run: RunCaps,
}

/// How many iterations there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rounds {
    /// Granted at the start and by each `resume`: 15.
    pub grant: u32,
    /// After so many of a grant a warning is told, once: 12.
    pub warn_at: u32,
}

impl Rounds {
    /// So many at a time, with a warning when four fifths of them are used.
    pub fn of(grant: u32) -> Self {
        Self { grant, warn_at: (grant * 4 / 5).max(1) }
    }
}

impl Default for Rounds {
    /// 002 2.1: a warning at 12, a hard stop at 15.
    fn default() -> Self {
        Self { grant: 15, warn_at: 12 }
    }
}

/// Everything the rules of a task depend on; kept as a blob beside the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    /// What is to be done.
    pub task: String,
    /// In what.
    pub language: TaskLanguage,
    /// Who proposes.
    pub model: ModelName,
    /// Who proposes where that one is stuck or cannot be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<ModelName>,
    /// What their tokens cost, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// The absolute path of the folder that is worked in.
    pub workspace: String,
    /// Whether the folder is made for this task.
    pub own_workspace: bool,
    /// The session that judges; absent where the task's own tests do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<Exam>,
    /// How many iterations there are.
    pub rounds: Rounds,
    /// What the task may use up.
    pub caps: Caps,
    /// What all tasks of a day may use up together.
    pub day: Caps,
    /// What each run of the tests may use up.
    #[serde(default, skip_serializing_if = "RunCaps::is_usual")]
    pub run: RunCaps,
}

commands! {
    /// What is asked of a task.
    pub enum Command of Task, settled as Settled {
        /// Pause it: after the step that is under way, or at once.
        Pause {
            /// At once; what is under way is given up, and the model is told so.
            #[serde(default)]
            now: bool,
        }: "pause" -> PauseAsked, by Candidate | Interviewer;
        /// Go on with a task that is paused or has failed, with 15 more iterations.
        Resume {
            /// What to tell the model.
            #[serde(default)]
            hint: Option<String>,
            /// What the task may use up from now on, where that is to change.
            #[serde(default)]
            caps: Caps,
            /// What each run of the tests may use up from now on, where that is to change.
            #[serde(default, skip_serializing_if = "RunCaps::is_none")]
            run: RunCaps,
        }: "resume" -> TaskResumed, by Candidate | Interviewer;
        /// Answer what the task waits for.
        Approve {
            /// The event that asks.
            approval: EventId,
            /// What is allowed.
            answer: Allow,
            /// Why.
            #[serde(default)]
            because: Answered,
        }: "approve" -> ApprovalGiven, by Candidate | Interviewer;
        /// Put the agent's edits back to an earlier event, and go on from there. The task must rest.
        Rewind {
            /// The event.
            to: EventId,
        }: "rewind" -> TaskRewound, by Candidate | Interviewer;
        /// Give the task up for good.
        End {}: "end" -> TaskClosed, by Candidate | Interviewer;
    }
}

/// Whether a file holds tests, by its name: as pytest and `node --test` see it.
pub fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let python = name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
    let stem = name.rsplit_once('.').filter(|(_, end)| matches!(*end, "js" | "mjs" | "cjs"));
    let node = stem.is_some_and(|(stem, _)| {
        stem == "test"
            || stem.starts_with("test-")
            || [".test", "-test", "_test"].iter().any(|end| stem.ends_with(end))
    });
    python || node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tests_are_told_by_their_names() {
        let python = ["test_a.py", "tests/test_a.py", "a_test.py"];
        let node = ["a.test.js", "test.mjs", "lib/a-test.cjs", "test-a.js"];
        assert!(python.iter().chain(&node).all(|name| is_test(name)));
        assert!(
            !["main.py", "tests/conftest.py", "latest.js", "test_a.txt"]
                .iter()
                .any(|name| is_test(name))
        );
    }
}
