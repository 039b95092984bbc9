//! What a terminal may show of an interview (001 9: the UI state contract).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{ExitReason, OwnTestsResult};
use crate::ids::{Hash, ProblemId, SessionId};
use crate::time::Time;
use crate::v1::assistant::AskKind;
use crate::v1::coverage::{CoverageMap, Sentence};
use crate::v1::effect::Obstacle;
use crate::v1::judging::ResultLine;
use crate::v1::problem::Language;

/// Where an interview stands (001 4.1; `closing` is the grace of the last section, DECISIONS 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The clock is not running yet.
    NotStarted,
    /// A section is open.
    InProgress,
    /// A section is open and nobody is there; its time runs on.
    Paused,
    /// The last section's time was up; its late messages are still taken.
    Closing,
    /// All sections are over.
    Completed,
    /// The interview ended before its time.
    Terminated,
}

impl Phase {
    /// The name on the wire and on screens.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotStarted => "not_started",
            Self::InProgress => "in_progress",
            Self::Paused => "paused",
            Self::Closing => "closing",
            Self::Completed => "completed",
            Self::Terminated => "terminated",
        }
    }
}

/// Where a section stands (001 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Substate {
    /// The goal is shown; the prompt is on its way.
    SectionIntro,
    /// The prompt is presented.
    SectionQuestionActive,
    /// A follow-up is presented.
    SectionFollowupActive,
    /// Everything required is covered; it ends soon.
    SectionWrapup,
}

impl Substate {
    /// The name on the wire and on screens.
    pub fn name(self) -> &'static str {
        match self {
            Self::SectionIntro => "section_intro",
            Self::SectionQuestionActive => "section_question_active",
            Self::SectionFollowupActive => "section_followup_active",
            Self::SectionWrapup => "section_wrapup",
        }
    }
}

/// What a terminal may show of an interview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The session.
    pub session_id: SessionId,
    /// Which problem.
    pub problem_id: ProblemId,
    /// The name.
    pub title: String,
    /// Who is interviewed.
    pub candidate_id: String,
    /// Where it stands.
    pub phase: Phase,
    /// The engine's time of this view. Deadlines are of the same clock.
    pub at: Time,
    /// When the clock began to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Time>,
    /// The open section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_section: Option<CurrentSection>,
    /// All sections in order, each with where it stands.
    pub sections: Vec<SectionLine>,
    /// The names of those to come.
    pub upcoming_sections: Vec<String>,
    /// Until when a message may still be late for the section before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<Time>,
    /// When the interview pauses unless the candidate comes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pauses_at: Option<Time>,
    /// Until when a line that the candidate writes holds back questions and ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typing_until: Option<Time>,
    /// What can be asked for now.
    pub allowed_actions: Vec<AllowedAction>,
    /// The submission that is being judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluating: Option<u32>,
    /// The judged submissions, oldest first; the newest that fit.
    pub history: Vec<ResultLine>,
    /// Submissions before those, which `log` shows.
    #[serde(default)]
    pub history_omitted: u32,
    /// True while cases of the candidate's own are being run.
    #[serde(default)]
    pub testing: bool,
    /// What they gave last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_tests: Option<OwnTestsResult>,
    /// Levels of the hints given, in order.
    pub hint_levels: Vec<u8>,
    /// The file that is watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watched: Option<WatchView>,
    /// The assistant channel.
    pub assistant: AssistantView,
    /// True while an accommodation is in force, as a screen says it, for example `150% time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accommodation: Option<String>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Time>,
}

/// The open section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CurrentSection {
    /// The id.
    pub section_id: String,
    /// The name.
    pub title: String,
    /// The place, from 1.
    pub number: u32,
    /// What it is for.
    pub goal: String,
    /// Where it stands.
    pub substate: Substate,
    /// When it began.
    pub started: Time,
    /// When its time is up.
    pub deadline: Time,
    /// Milliseconds left at the view's time, derived from the deadline.
    pub time_remaining_ms: u64,
    /// The question that is open, prompt or follow-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// When it ends because everything is covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Time>,
    /// True for the coding section.
    #[serde(default)]
    pub coding: bool,
    /// Follow-ups asked; for the interviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followups_asked: Option<u32>,
    /// Most follow-ups; for the interviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followup_cap: Option<u32>,
    /// How far each dimension is covered; for the interviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageMap>,
    /// The dimensions that must be covered (001 6.2); for the interviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<Vec<String>>,
}

/// One section in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionLine {
    /// The id.
    pub section_id: String,
    /// The name.
    pub title: String,
    /// The duration, milliseconds.
    pub duration_ms: u64,
    /// Where it stands.
    pub state: SectionState,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_reason: Option<ExitReason>,
    /// What is kept of it: the candidate's own sentences (001 7.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summary: Vec<Sentence>,
}

/// Where a section stands in the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SectionState {
    /// To come.
    Upcoming,
    /// Open.
    Current,
    /// Over.
    Ended,
}

/// What can be asked for (001 9).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AllowedAction {
    /// Start the clock.
    Begin,
    /// Talk.
    Chat,
    /// Write code and run own cases.
    Code,
    /// Submit.
    Submit,
    /// Ask the assistant.
    AskAssistant,
    /// Ask for a hint.
    Hint,
    /// End the section.
    Done,
    /// Leave the interview.
    End,
}

/// The assistant channel in short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantView {
    /// Questions asked.
    pub queries: u32,
    /// Answers withheld because they broke a rule.
    pub violations: u32,
    /// The question that is being answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<AskKind>,
}

/// The file that is watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchView {
    /// Where it stands.
    pub file_path: String,
    /// The language.
    pub language: Language,
    /// Saves seen.
    pub saves: u32,
    /// True when so much was saved that no more saves are kept; at the end of its section the file
    /// counts as it stands all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
    /// The last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_save: Option<Time>,
    /// The bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<Hash>,
    /// Why it cannot be taken as it stands; absent where it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Obstacle>,
}
