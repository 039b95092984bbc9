//! The kind `interview` (001): timed sections, follow-ups, an assistant channel, a coding section.
//!
//! [`Schema`] is what an author writes, [`Spec`] what one session keeps of it, [`Command`] what can
//! be asked, [`Event`] what can happen and [`View`] what a terminal may show.

mod event;
mod schema;
mod view;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::commands;
use crate::ids::Hash;
use crate::time::Time;
use crate::v1::assistant::AskKind;
use crate::v1::guide::Variation;
use crate::v1::hints::HintAnswer;
use crate::v1::judging::Judged;
use crate::v1::problem::{DrawnInputs, Language, Op, Problem};
use crate::v1::talk::ModelUse;

pub use event::{
    AssistantQuery, AssistantResponse, CandidateCodeSubmission, CandidateConnected,
    CandidateDisconnected, CandidateMessage, CandidateReconnected, CandidateTyping,
    CandidateTypingEnded, ClarificationGiven, ContentRequested, CoverageSatisfied, Event,
    ExitReason, FollowupPresented, FollowupSelected, Inquiry, InquiryAnswered, InterviewCompleted,
    InterviewCreated, InterviewPaused, InterviewStarted, InterviewTerminated, MessageHeard,
    NotSubmitted, Origin, OwnTestsAborted, OwnTestsResult, OwnTestsStarted, PlannedSection,
    PromptPresented, QuestionsOver, ReturnedBy, Reworded, SectionEnded, SectionStarted,
    SectionSummarized, SectionTimeWarning, SolutionLost, SolutionSaved, SolutionUnwatched,
    SolutionWatched, TerminationReason,
};
pub use schema::{Clarification, Minimum, Schema, SchemaFault, SchemaReport, Section};
pub use view::{
    AllowedAction, AssistantView, CurrentSection, Phase, SectionLine, SectionState, Substate, View,
    WatchView,
};

/// The least and the most time that a candidate is given, percent of the schema's times.
pub const TIME_PERCENT_MIN: u32 = 25;
/// See [`TIME_PERCENT_MIN`].
pub const TIME_PERCENT_MAX: u32 = 400;

/// The ids of the schemas that come with vosim; the first is used where none is named.
pub const SHIPPED_SCHEMAS: [&str; 2] = ["standard", "short"];

/// Most messages, questions, submissions, runs and hints of one interview: nobody types more, a
/// script might.
pub const SENT_MAX: u32 = 5_000;

/// Most bytes that are said in one section: nobody types as much, and whoever seals the section
/// weighs every sentence of it.
pub const SECTION_MAX_BYTES: usize = 256 * 1024;

/// Most saves of one interview: nobody saves so often, a script might.
pub const SAVES_MAX: u32 = 5_000;

/// After how many bytes no more saves are kept.
pub const SAVES_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Most calls of all own cases in one run.
pub const OWN_CALLS_MAX: usize = 2_000;

/// What a person asks for to start an interview.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Which problem: its id or the unique beginning of one; absent: LRU Cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The id of a schema that comes with vosim, or a schema of the person's own, as TOML; absent:
    /// the standard one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Who is interviewed, or a token that stands for them; absent: `anonymous`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// Another share of the schema's times, and larger warnings; absent: neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accommodation: Option<Accommodation>,
}

/// What is granted to a candidate who needs more time, or wants less; set at the start and recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accommodation {
    /// The times of sections and their warnings, percent of the schema's: 25 to 400.
    pub time_percent: u32,
    /// True for one more warning, twice as early as the schema's first.
    #[serde(default)]
    pub larger_warnings: bool,
}

impl Default for Accommodation {
    fn default() -> Self {
        Self { time_percent: 100, larger_warnings: false }
    }
}

/// The revision of the rules that a session is decided by, for ever: the one of its beginning.
///
/// There is one until the first version tag, and whatever changes a rule records the golden logs
/// anew (DECISIONS 43). From then on a change of a rule is a variant of its own.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// Those of the first version.
    First,
}

impl Rules {
    /// Those of a new session.
    pub const CURRENT: Self = Self::First;
}

/// Everything the rules of one interview depend on; the session's spec blob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    /// The schema with its texts filled for the problem.
    pub schema: Schema,
    /// The problem as it was at the start.
    pub problem: Problem,
    /// The case data, which only the evaluator opens.
    pub suite: Hash,
    /// How hidden inputs are drawn; absent where the problem has no generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawnInputs>,
    /// The problem's clarification cards.
    pub clarifications: Vec<Clarification>,
    /// Changed problems to ask about once code has passed, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// Ways of asking for what the problem leaves open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_open: Vec<String>,
    /// Ways of asking for what its statement says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_statement: Vec<String>,
    /// Who is interviewed.
    pub candidate: String,
    /// What was granted.
    pub accommodation: Accommodation,
    /// The Python that will judge; `unknown` where none was found.
    pub python_version: String,
    /// The weights that answers are heard by; absent: by groups of signals alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hearing: Option<Hash>,
    /// What a server of models is asked for; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelUse>,
    /// The rules themselves.
    pub rules: Rules,
}

commands! {
    /// What a candidate asks of an interview.
    pub enum Command of Interview, settled as Settled {
        /// Start the clock of the first section.
        Begin {}: "begin" -> Turn, by Candidate | Agent;
        /// Say something to the interviewer.
        Say {
            /// The text.
            text: String,
            /// The section it answers; absent: the current one, or within the grace after a section
            /// whose time expired, that one (DECISIONS 10).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            section: Option<String>,
        }: "say" -> Turn, by Candidate | Agent;
        /// A line is being written on an attached screen, or no longer is (DECISIONS 39). Nothing is asked
        /// meanwhile, for a minute at most. While that holds, to say it again leads to no event.
        Typing {
            /// True when the line was given up.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            stopped: bool,
        }: "typing" -> Typed;
        /// The current section is finished from the candidate's side.
        Done {
            /// The section that is meant; absent: the one that is open. A word that was begun before
            /// its end does not end the next one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            section: Option<String>,
        }: "done" -> Turn, by Candidate | Agent;
        /// Judge a file; only in a coding section, and in the grace after its time (001 5.2).
        Submit {
            /// Where it stands on the candidate's disk.
            file_path: String,
            /// Its bytes.
            code: BlobRef,
            /// Its language.
            language: Language,
            /// Judge it although the same bytes were judged before.
            #[serde(default)]
            again: bool,
        }: "submit" -> Judged, by Candidate | Agent;
        /// Run cases of the candidate's own; only in a coding section.
        Test {
            /// Where the file stands on the candidate's disk.
            file_path: String,
            /// Its bytes.
            code: BlobRef,
            /// Its language.
            language: Language,
            /// The cases, each a list of operations.
            cases: Vec<Vec<Op>>,
        }: "test" -> Tested, by Candidate | Agent;
        /// Take note of each save of a file, and submit it when the coding section ends.
        Watch {
            /// Where it stands, an absolute path.
            file_path: String,
            /// Its language.
            language: Language,
        }: "watch" -> SolutionWatched;
        /// Stop watching.
        Unwatch {}: "unwatch" -> SolutionUnwatched;
        /// Ask the assistant.
        Ask {
            /// What kind of help.
            kind: AskKind,
            /// The question.
            question: String,
            /// The code it is about.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            code: Option<BlobRef>,
        }: "ask" -> AssistantResponse, by Candidate | Agent;
        /// Ask for a hint; only in a coding section, levels 1 to 3.
        Hint {}: "hint" -> HintAnswer, by Candidate | Agent;
        /// Leave before the end.
        End {}: "end" -> Turn, by Candidate | Agent;
    }
}

/// Where an interview stands after a command that may move it on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// The section that it opened, as it stands now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<CurrentSection>,
    /// How many sections there are.
    pub sections: u32,
    /// What can be asked for now.
    pub allowed_actions: Vec<AllowedAction>,
    /// True when the interview is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub over: bool,
}

/// What it comes to that somebody writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Typed {
    /// Until when nothing is asked and no covered section ends; absent when nobody writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
}

/// What becomes of a run of the candidate's own cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tested {
    /// They were run.
    Cases(OwnTestsResult),
    /// They could not be run.
    Aborted(OwnTestsAborted),
}
