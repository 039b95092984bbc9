//! What to solve again, and when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{Kind, ProblemId, SessionId};
use crate::record::Outcome;
use crate::time::Time;
use crate::v1::phrase::Phrase;

/// What `review` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewResult {
    /// When this was proposed.
    pub now: Time,
    /// The problems that were tried before, those that are due longest first.
    pub problems: Vec<ReviewLine>,
}

/// One problem to solve again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewLine {
    /// The problem.
    pub problem: ProblemId,
    /// Its title.
    pub title: String,
    /// From when on.
    pub due: Time,
    /// In how many days that is, counted up; 0 and less: it is due.
    pub days: i64,
    /// How long it can wait after the last time, days; 0 where it was never really tried.
    pub interval_days: u32,
    /// Why.
    pub reason: Phrase,
    /// How it went the last time.
    pub last: LastTime,
    /// How many sessions about it have ended.
    pub sessions: u32,
}

/// How a problem went the last time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastTime {
    /// The session.
    pub session_id: SessionId,
    /// Its kind.
    pub kind: Kind,
    /// How it came out.
    pub outcome: Outcome,
    /// When it ended.
    pub at: Time,
}
