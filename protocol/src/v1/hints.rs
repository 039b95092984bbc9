//! Hints, in every kind that gives them: the events and the rules that choose a level.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::phrase::Phrase;
use crate::v1::talk::Words;

/// The level of the reference solution.
pub const SOLUTION_LEVEL: u8 = 4;

/// Payload of `HINT_REQUESTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HintRequested {
    /// The last submission.
    pub attempt_number: u32,
    /// True when the candidate gave up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub give_up: bool,
    /// The level that was chosen, 1 to 4.
    pub hint_level: u8,
    /// The rule that chose it.
    pub trigger_reason: TriggerReason,
    /// The issue the hint will speak of.
    pub issue: String,
}

/// The rule that chose a hint level (000: hint escalation; DECISIONS 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TriggerReason {
    /// Rule 1: the first request about an issue gives level 1.
    FirstHintRequest,
    /// Rule 2: a new, different submission failed over the same issue since the last hint on it.
    SameFailureRepeated,
    /// Rule 3: three submissions, at least level 2.
    #[serde(rename = "attempts_min_2")]
    SubmissionsMin2,
    /// Rule 4: five submissions, at least level 3.
    #[serde(rename = "attempts_min_3")]
    SubmissionsMin3,
    /// Rule 5: seven submissions, level 4.
    #[serde(rename = "attempts_level_4")]
    SubmissionsLevel4,
    /// Rule 5: given up, level 4.
    GiveUp,
    /// The next level of an attempt, whose hints have a budget (003).
    Progressive,
    /// After the end everything may be read; never in an event, since none comes after the end
    /// (DECISIONS 45).
    AfterEnd,
}

/// Payload of `HINT_GIVEN`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HintGiven {
    /// 1 to 4.
    pub hint_level: u8,
    /// What the candidate reads.
    pub hint_text: String,
    /// The rule that chose the level.
    pub trigger_reason: TriggerReason,
    /// The issue it speaks of.
    pub issue: String,
    /// Where the words come from.
    pub words: Words,
    /// What the server calls the model whose words they are; absent where they are not a model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// What a request for a hint results in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HintAnswer {
    /// The hint.
    #[serde(flatten)]
    pub given: HintGiven,
    /// What leads to the next level; absent for the highest one, and after the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Phrase>,
}
