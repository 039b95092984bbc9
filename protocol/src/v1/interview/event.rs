//! What happens in an interview (001 3.2), one payload type each.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Accommodation;
use crate::ids::{EventId, Hash, ProblemId};
use crate::time::Time;
use crate::v1::drill::{EvalAborted, EvalResult, HintGiven, HintRequested, Words};
use crate::v1::evaluation::Evaluation;
use crate::v1::problem::{Language, Op};

/// What happened in an interview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event_type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Event {
    /// The plan: sections, times, caps, what was granted.
    InterviewCreated(InterviewCreated),
    /// The clock runs.
    InterviewStarted(InterviewStarted),
    /// A section began; asks for the words of its prompt.
    SectionStarted(SectionStarted),
    /// The interviewer's opening question.
    PromptPresented(PromptPresented),
    /// The candidate said something.
    CandidateMessage(CandidateMessage),
    /// A clarifying question was answered from a card.
    ClarificationGiven(ClarificationGiven),
    /// A follow-up was chosen; asks for its words.
    FollowupSelected(FollowupSelected),
    /// The follow-up.
    FollowupPresented(FollowupPresented),
    /// A model could not word a text; asks for them again.
    WordingFailed(WordingFailed),
    /// A file was taken for judging; asks for an evaluation.
    CandidateCodeSubmission(CandidateCodeSubmission),
    /// The verdict.
    EvalResult(EvalResult),
    /// The evaluation failed for reasons that are not the candidate's.
    EvalAborted(EvalAborted),
    /// Cases of the candidate's own are being run; asks for it.
    OwnTestsStarted(OwnTestsStarted),
    /// What they gave.
    OwnTestsResult(OwnTestsResult),
    /// They could not be run.
    OwnTestsAborted(OwnTestsAborted),
    /// A hint was asked for; asks for its words.
    HintRequested(HintRequested),
    /// The hint.
    HintGiven(HintGiven),
    /// A file is being watched; asks for its saves.
    SolutionWatched(SolutionWatched),
    /// It was saved; asks for the next save.
    SolutionSaved(SolutionSaved),
    /// It is no longer watched.
    SolutionUnwatched(SolutionUnwatched),
    /// The assistant was asked; asks for its answer.
    AssistantQuery(AssistantQuery),
    /// The assistant's answer, as far as the rules let it through.
    AssistantResponse(AssistantResponse),
    /// So much is left.
    SectionTimeWarning(SectionTimeWarning),
    /// There is too little to end the section yet (001 6.4); once in a section.
    ContentRequested(ContentRequested),
    /// Everything required is covered; the section ends soon (DECISIONS 13).
    CoverageSatisfied(CoverageSatisfied),
    /// A section ended.
    SectionEnded(SectionEnded),
    /// Its artifact is sealed.
    SectionSummarized(SectionSummarized),
    /// A terminal of the candidate is there.
    CandidateConnected(CandidateConnected),
    /// The last one has gone.
    CandidateDisconnected(CandidateDisconnected),
    /// Nobody came back; time runs on (001 5.3).
    InterviewPaused(InterviewPaused),
    /// The candidate is back.
    CandidateReconnected(CandidateReconnected),
    /// All sections are over.
    InterviewCompleted(InterviewCompleted),
    /// It ended before its time.
    InterviewTerminated(InterviewTerminated),
}

/// How far a dimension is covered (001 6.2).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Nothing was said of it.
    #[default]
    NotCovered,
    /// Touched.
    PartiallyCovered,
    /// Said with a specific, or shown by evidence.
    Covered,
}

/// How far each dimension of a section is covered.
pub type CoverageMap = BTreeMap<String, Coverage>;

/// Groups of signals that were hit, by dimension; a group is named by its place, from 0.
pub type Signals = BTreeMap<String, BTreeSet<u8>>;

/// A change of coverage, with the rule that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageChange {
    /// Which dimension.
    pub dimension: String,
    /// Before.
    pub from: Coverage,
    /// After.
    pub to: Coverage,
    /// Why.
    pub rule: CoverageRule,
}

/// The rule that changed a coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoverageRule {
    /// One group of signals was hit.
    OneGroup,
    /// Two groups in one message of at least 8 words with a specific.
    TwoGroupsInOneMessage,
    /// Three groups over the section, and a specific.
    ThreeGroupsOverTheSection,
    /// A clarifying question was asked.
    ClarificationAsked,
    /// Cases of the candidate's own were run, or the verdict was told.
    TestsOrVerdict,
    /// Both.
    TestsAndVerdict,
}

/// Why a message counts less than its words, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Mostly the statement or a question again: nothing counts.
    Echo,
    /// Mostly signal words: at most partly.
    Stuffing,
    /// The candidate declined the question.
    Declined,
    /// It came in the grace: never counts (DECISIONS 10).
    Late,
}

/// Payload of `INTERVIEW_CREATED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewCreated {
    /// Which schema.
    pub schema_id: String,
    /// Its version.
    pub schema_version: u32,
    /// Which problem.
    pub problem_id: ProblemId,
    /// Who is interviewed, or a token.
    pub candidate_id: String,
    /// The sections with the times that are granted.
    pub sections: Vec<PlannedSection>,
    /// Their sum, milliseconds.
    pub total_ms: u64,
    /// How long late messages are taken, seconds.
    pub grace_seconds: u32,
    /// What was granted.
    pub accommodation: Accommodation,
    /// The Python that will judge.
    pub python_version: String,
}

/// A section of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedSection {
    /// Its id.
    pub section_id: String,
    /// Its name on screens.
    pub title: String,
    /// Its duration, milliseconds.
    pub duration_ms: u64,
    /// Most follow-ups.
    pub followup_cap: u32,
}

/// Payload of `INTERVIEW_STARTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewStarted {
    /// The latest moment at which the last section ends.
    pub ends_by: Time,
}

/// Payload of `SECTION_STARTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionStarted {
    /// Its id.
    pub section_id: String,
    /// Its place, from 1.
    pub number: u32,
    /// Its name on screens.
    pub title: String,
    /// What it is for.
    pub goal: String,
    /// When its time is up.
    pub deadline: Time,
    /// Follow-ups it may spend.
    pub followup_budget: u32,
    /// What it must cover, most important first.
    pub required: Vec<String>,
}

/// Payload of `PROMPT_PRESENTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptPresented {
    /// Of which section.
    pub section_id: String,
    /// What the candidate reads.
    pub text: String,
    /// Where the words come from.
    pub words: Words,
}

/// Payload of `CANDIDATE_MESSAGE`; section, late flag and distance are the receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateMessage {
    /// The section it belongs to.
    pub section_id: String,
    /// What was said.
    pub text: String,
    /// True when it came within the grace after the section's time (001 5.2).
    #[serde(default)]
    pub late: bool,
    /// Microseconds to the section's deadline; negative after it.
    pub until_deadline_micros: i64,
    /// The section the candidate named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// Its words.
    pub word_count: u32,
    /// Which groups of signals it hit, by dimension.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub signals: Signals,
    /// True when it holds a specific: a number, a cost, a named call or edge value, a reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub specific: bool,
    /// True when it tells the latest verdict as it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tells_verdict: bool,
    /// What held it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
    /// The dimension that the candidate declined and is not asked about again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<String>,
    /// What it covered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<CoverageChange>,
}

/// Payload of `CLARIFICATION_GIVEN`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClarificationGiven {
    /// In which section.
    pub section_id: String,
    /// Which card.
    pub card: String,
    /// Its answer.
    pub text: String,
    /// What asking covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageChange>,
}

/// The rule that chose a follow-up (001 6.3).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FollowupRule {
    /// Rule 1: a required dimension that is not covered.
    UncoveredFirst,
    /// Rule 2: a required dimension that is partly covered.
    DeepenPartial,
}

/// Payload of `FOLLOWUP_SELECTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FollowupSelected {
    /// In which section.
    pub section_id: String,
    /// What it asks about.
    pub dimension: String,
    /// Its place in the dimension's pool, from 0.
    pub pool_index: u32,
    /// The pool's text.
    pub question: String,
    /// How far each dimension was covered then.
    pub coverage_before: CoverageMap,
    /// The rule that chose it.
    pub rule: FollowupRule,
    /// Follow-ups left before this one.
    pub budget_before: u32,
}

/// Payload of `FOLLOWUP_PRESENTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FollowupPresented {
    /// In which section.
    pub section_id: String,
    /// What it asks about.
    pub dimension: String,
    /// Its place in the dimension's pool, from 0.
    pub pool_index: u32,
    /// What the candidate reads.
    pub text: String,
    /// Where the words come from.
    pub words: Words,
    /// How far each dimension was covered when it was chosen.
    pub coverage_before: CoverageMap,
    /// The rule that chose it.
    pub rule: FollowupRule,
    /// Follow-ups left after this one.
    pub budget_remaining: u32,
}

/// Payload of `WORDING_FAILED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WordingFailed {
    /// The event that asked for the words first.
    pub request: EventId,
    /// One sentence.
    pub reason: String,
}

/// Why code was submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The candidate submitted it.
    Candidate,
    /// The watched file as it stood at the section's deadline (DECISIONS 11).
    Deadline,
}

/// Payload of `CANDIDATE_CODE_SUBMISSION`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateCodeSubmission {
    /// In which section.
    pub section_id: String,
    /// 1, 2, 3 …
    pub attempt_number: u32,
    /// Where the file stands on the candidate's disk.
    pub file_path: String,
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// Its lines.
    pub line_count: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Its language.
    pub language: Language,
    /// Why.
    pub origin: Origin,
    /// True when the file was read after the deadline because the daemon was down then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured_late: bool,
    /// True when the same bytes were judged before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    /// Microseconds to the section's deadline; negative after it.
    pub until_deadline_micros: i64,
}

/// Payload of `OWN_TESTS_STARTED`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTestsStarted {
    /// In which section.
    pub section_id: String,
    /// Where the file stands on the candidate's disk.
    pub file_path: String,
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// Its lines.
    pub line_count: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Its language.
    pub language: Language,
    /// The cases.
    pub cases: Vec<Vec<Op>>,
}

/// Payload of `OWN_TESTS_RESULT`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTestsResult {
    /// The event that asked.
    pub request: EventId,
    /// Cases whose answers were as the candidate expected.
    pub passed: u32,
    /// All others.
    pub failed: u32,
    /// What they covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageChange>,
    /// Everything the evaluator found.
    pub evaluation: Box<Evaluation>,
}

/// Payload of `OWN_TESTS_ABORTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTestsAborted {
    /// The event that asked.
    pub request: EventId,
    /// One sentence.
    pub reason: String,
}

/// Payload of `SOLUTION_WATCHED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionWatched {
    /// Where the file stands.
    pub file_path: String,
    /// Its language.
    pub language: Language,
}

/// Payload of `SOLUTION_SAVED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionSaved {
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// Its lines.
    pub line_count: u64,
    /// Its bytes.
    pub bytes: u64,
    /// When the file was changed, as its disk says.
    pub modified: Time,
}

/// Payload of `SOLUTION_UNWATCHED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionUnwatched {
    /// Why the daemon gave up; absent when the candidate asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What kind of help is asked of the assistant (001 8.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// What a thing is or how it behaves.
    Concept,
    /// What an error message means.
    Error,
    /// A question about the candidate's own code.
    Code,
}

impl AskKind {
    /// The word on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Concept => "concept",
            Self::Error => "error",
            Self::Code => "code",
        }
    }
}

/// Payload of `ASSISTANT_QUERY`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantQuery {
    /// In which section it was asked.
    pub section_id: String,
    /// What kind of help.
    pub kind: AskKind,
    /// The question.
    pub question: String,
    /// The code it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<Hash>,
    /// Its lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_count: Option<u64>,
    /// Its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A rule that an answer of the assistant broke (001 8.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Violation {
    /// More lines of code than an answer may hold.
    Code,
    /// Five tokens in a row that stand in the reference.
    Reference,
    /// A numbered or ordered plan of the implementation.
    Plan,
    /// Longer than an answer may be.
    Length,
    /// The whole session's budget of code and reference tokens is spent.
    LeakBudget,
}

/// Payload of `ASSISTANT_RESPONSE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantResponse {
    /// The query it answers.
    pub request: EventId,
    /// What the candidate reads.
    pub text: String,
    /// The rules the answer broke; it was withheld then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// What was withheld; for the interviewer's eyes and the bundles of an ended interview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<String>,
    /// True when there was no answer to show: none was known, or the assistant failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswered: bool,
    /// Tokens of code and of the reference released so far, this answer included.
    pub released_tokens: u32,
}

/// Payload of `SECTION_TIME_WARNING`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionTimeWarning {
    /// Of which section.
    pub section_id: String,
    /// Milliseconds left.
    pub left_ms: u64,
    /// When its time is up.
    pub deadline: Time,
}

/// Payload of `CONTENT_REQUESTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContentRequested {
    /// In which section.
    pub section_id: String,
    /// What the candidate reads.
    pub text: String,
    /// What is missing, one phrase each.
    pub missing: Vec<String>,
}

/// Payload of `COVERAGE_SATISFIED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageSatisfied {
    /// Which section.
    pub section_id: String,
    /// When it ends unless something is said, saved or run before.
    pub ends_at: Time,
}

/// Why a section ended (001 3.3).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ExitReason {
    /// Its time was up.
    TimeExpired,
    /// Everything required was covered.
    CoverageSatisfied,
    /// The candidate said so.
    CandidateDone,
    /// It could not go on, or the interview was left.
    SystemError,
}

/// Payload of `SECTION_ENDED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionEnded {
    /// Which section.
    pub section_id: String,
    /// Why.
    pub reason: ExitReason,
    /// Milliseconds it would still have had; they are not carried over.
    pub unused_ms: u64,
    /// Until when late messages still belong to it; only after `time_expired`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<Time>,
}

/// Payload of `SECTION_SUMMARIZED`: the section's artifact without what the log holds anyway
/// (001 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionSummarized {
    /// Which section.
    pub section_id: String,
    /// Why it ended.
    pub exit_reason: ExitReason,
    /// How far each dimension was covered.
    pub coverage_flags: CoverageMap,
    /// Dimensions the candidate declined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<String>,
    /// What was said, in the candidate's own sentences (001 7.1).
    pub bounded_context_summary: Vec<Sentence>,
    /// Follow-ups asked.
    pub followups_asked: u32,
    /// Messages, late ones included.
    pub messages: u32,
    /// Messages that came in the grace.
    #[serde(default)]
    pub late_messages: u32,
    /// Submissions, for the coding section.
    #[serde(default)]
    pub submissions: u32,
}

/// A sentence of a summary, taken from the transcript word for word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sentence {
    /// The dimension it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// The sentence.
    pub text: String,
    /// The message it stands in.
    pub event_id: EventId,
}

/// Payload of `CANDIDATE_CONNECTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateConnected {}

/// Payload of `CANDIDATE_DISCONNECTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateDisconnected {
    /// When the interview pauses unless somebody comes back.
    pub pauses_at: Time,
}

/// Payload of `INTERVIEW_PAUSED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewPaused {}

/// How a candidate came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReturnedBy {
    /// A terminal attached.
    Terminal,
    /// A command was given.
    Command,
}

/// Payload of `CANDIDATE_RECONNECTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateReconnected {
    /// How.
    pub by: ReturnedBy,
    /// How long nobody was there, milliseconds.
    pub away_ms: u64,
    /// True when the interview had paused meanwhile.
    pub was_paused: bool,
}

/// Payload of `INTERVIEW_COMPLETED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewCompleted {
    /// Why each section ended, in order.
    pub exits: Vec<ExitReason>,
    /// Cases the last judged submission passed, and all; absent when nothing was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests_passed: Option<(u32, u32)>,
    /// Hints given.
    pub hints_used: u32,
    /// Questions to the assistant.
    pub assistant_queries: u32,
    /// Answers of the assistant that broke a rule and were withheld.
    pub assistant_violations: u32,
    /// From the start of the clock to this event, milliseconds.
    pub duration_ms: u64,
}

/// Why an interview ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerminationReason {
    /// The candidate left it.
    Abandoned,
    /// The engine could not go on (001 10.2).
    SystemError,
}

/// Payload of `INTERVIEW_TERMINATED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewTerminated {
    /// Why.
    pub reason: TerminationReason,
    /// The section that was open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
}
