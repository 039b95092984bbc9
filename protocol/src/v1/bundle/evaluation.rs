//! The evaluation bundle: an interview as those read it who judge it (001 2.2, 3.3).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Bundle;
use super::code::{CodeVersion, Verdict};
use crate::blob::Blob;
use crate::ids::{EventId, Hash, ProblemId, SessionId};
use crate::time::Time;
use crate::v1::assistant::{AskKind, Violation};
use crate::v1::coverage::{CoverageMap, FollowupRule, Sentence};
use crate::v1::effect::Untaken;
use crate::v1::hints::TriggerReason;
use crate::v1::interview::{Accommodation, ExitReason, Origin, ReturnedBy, TerminationReason};
use crate::v1::telling::Entry;

/// What an ended interview leaves for its evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluationBundle {
    /// `evaluation`.
    pub bundle: Bundle,
    /// Version of the format: 1.
    pub format: u32,
    /// The session.
    pub session_id: SessionId,
    /// Hash of the last record: the log that this was made from.
    pub head: Hash,
    /// True: not for somebody who is still to be asked about this problem.
    pub contains_hidden: bool,
    /// What is hidden from candidates and stands here, one sentence.
    pub notice: String,
    /// How far its judgements can be trusted: `rule-based, not calibrated`.
    pub label: String,
    /// The interview's plan.
    pub schema: SchemaName,
    /// The problem.
    pub problem_id: ProblemId,
    /// Who was interviewed, or a token.
    pub candidate_id: String,
    /// What was granted.
    pub accommodation: Accommodation,
    /// When the clock began to run; absent when it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Time>,
    /// When the interview ended.
    pub ended: Time,
    /// From the one to the other, milliseconds; 0 when the clock never ran.
    pub duration_ms: u64,
    /// Why each section ended, in order.
    pub exits: Vec<ExitReason>,
    /// Why the interview ended before its time; absent when it was completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminated: Option<TerminationReason>,
    /// The event that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminated_event: Option<EventId>,
    /// The sections that began, in order.
    pub sections: Vec<SectionArtifact>,
    /// What was submitted, with the verdicts.
    pub submissions: Vec<Submission>,
    /// Runs of the candidate's own cases.
    pub own_tests: Vec<OwnTests>,
    /// The hints given.
    pub hints: Vec<HintTold>,
    /// What was asked of the assistant and what it answered.
    pub assistant: Assistant,
    /// When nobody was there for so long that the interview paused.
    pub pauses: Vec<Pause>,
    /// The code that the rest of this names, by its hash.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub code: BTreeMap<Hash, Blob>,
    /// Code that it names and that has been deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Hash>,
}

/// Names a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SchemaName {
    /// The id.
    pub id: String,
    /// The version.
    pub version: u32,
}

/// What a section leaves (001 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionArtifact {
    /// The id.
    pub section_id: String,
    /// The name on screens.
    pub title: String,
    /// When it began.
    pub started: Time,
    /// When its time was up, as it was planned at its start.
    pub deadline: Time,
    /// The time it was given, milliseconds.
    pub given_ms: u64,
    /// The time it took of that, milliseconds.
    pub used_ms: u64,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Time>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_reason: Option<ExitReason>,
    /// What people read while it was open, and late messages that answer it.
    pub raw_transcript: Vec<Entry>,
    /// The states of the code; only in the coding section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub code_history: Vec<CodeVersion>,
    /// What was said, in the candidate's own sentences (001 7.1): of each dimension that was heard the best
    /// one that still held at the end.
    pub bounded_context_summary: Vec<Sentence>,
    /// What it was to cover, most important first.
    pub dimensions: Vec<NamedDimension>,
    /// How far each dimension was covered.
    pub coverage_flags: CoverageMap,
    /// Dimensions the candidate declined.
    pub declined: Vec<String>,
    /// Most follow-ups.
    pub followup_cap: u32,
    /// The follow-ups that were asked.
    pub followups: Vec<Followup>,
    /// What the candidate asked of the problem that it leaves open, and was to assume.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
    /// The events that the rest of this rests on.
    #[serde(default)]
    pub events: SectionEvents,
}

/// Names a dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedDimension {
    /// The id.
    pub id: String,
    /// The name on screens.
    pub title: String,
    /// False for one that never keeps a section open and is never asked for.
    pub required: bool,
}

/// The events that tell how a section went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionEvents {
    /// The one that began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<EventId>,
    /// The one that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<EventId>,
    /// The one that tells its summary, its coverage and what was declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summarized: Option<EventId>,
    /// The one that covered a dimension as far as it is; absent where nothing has touched it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub coverage: BTreeMap<String, EventId>,
    /// The one that declined a dimension.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub declined: BTreeMap<String, EventId>,
}

/// A question that the problem leaves open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    /// The event that answered it.
    pub event_id: EventId,
    /// The question, in the candidate's words.
    pub question: String,
}

/// A follow-up that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Followup {
    /// The event that chose it.
    pub selected: EventId,
    /// The event that asked it.
    pub presented: EventId,
    /// What it asks about.
    pub dimension: String,
    /// The place in the dimension's pool, from 0.
    pub pool_index: u32,
    /// What the candidate read.
    pub question: String,
    /// The rule that chose it.
    pub rule: FollowupRule,
}

/// A submission with what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Submission {
    /// The event that took it.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// In which section.
    pub section_id: String,
    /// 1, 2, 3 …
    pub submission: u32,
    /// Why.
    pub origin: Origin,
    /// True when the file was read after the deadline because the daemon was down then.
    pub captured_late: bool,
    /// Why the last save stands in for the watched file; absent when it is the file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untaken: Option<Untaken>,
    /// True when it came in the grace after the section's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// Where the file stands on the candidate's disk.
    pub file_path: String,
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// The bytes.
    pub bytes: u64,
    /// What the judge said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Why it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aborted: Option<String>,
    /// The event that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aborted_event: Option<EventId>,
}

/// A run of the candidate's own cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTests {
    /// The event that asked for it.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// In which section.
    pub section_id: String,
    /// SHA-256 of the code they ran on.
    pub code_hash: Hash,
    /// Cases.
    pub cases: u32,
    /// What they gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
    /// Why they could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aborted: Option<String>,
    /// The event that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aborted_event: Option<EventId>,
}

/// What a run of own cases gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Told {
    /// The event that tells it.
    pub event_id: EventId,
    /// Cases whose answers were as the candidate expected.
    pub passed: u32,
    /// All others.
    pub failed: u32,
}

/// A hint that was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HintTold {
    /// The event.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// 1 to 3, from a nudge to nearly the answer.
    pub level: u8,
    /// What the candidate read.
    pub text: String,
    /// Why it was given.
    pub trigger_reason: TriggerReason,
    /// What it is about.
    pub issue: String,
}

/// The assistant's channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assistant {
    /// Most tokens of code and of the reference that all answers together may release.
    pub released_tokens_max: u32,
    /// What was asked.
    pub queries: Vec<Query>,
    /// What the candidate read.
    pub answers: Vec<Answer>,
    /// Answers that broke a rule.
    pub violations: Vec<Broken>,
}

/// A question to the assistant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Query {
    /// The event.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// In which section.
    pub section_id: String,
    /// What kind of help.
    pub kind: AskKind,
    /// The question.
    pub question: String,
    /// The code it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<Hash>,
}

/// An answer of the assistant, as far as the rules let it through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The event.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// The query it answers.
    pub request: EventId,
    /// What the candidate read.
    pub text: String,
    /// True when there was no answer to show.
    pub unanswered: bool,
    /// Tokens of code and of the reference released so far.
    pub released_tokens: u32,
}

/// An answer that broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Broken {
    /// The event of the answer.
    pub event_id: EventId,
    /// The query it answers.
    pub request: EventId,
    /// The rules it broke.
    pub rules: Vec<Violation>,
    /// What was withheld from the candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<String>,
}

/// A time in which nobody was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pause {
    /// The event that paused.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// When the candidate came back; absent when nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// The event that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_event: Option<EventId>,
    /// How.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ReturnedBy>,
}
