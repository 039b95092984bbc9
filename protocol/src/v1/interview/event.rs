//! What happens in an interview (001 3.2), one payload type each.

mod assistant;
mod code;
mod presence;
mod section;
mod talk;
mod whole;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::judging::{EvalAborted, EvalResult};

use crate::v1::hints::{HintGiven, HintRequested};

pub use assistant::{AssistantQuery, AssistantResponse};
pub use code::{
    CandidateCodeSubmission, NotSubmitted, Origin, OwnTestsAborted, OwnTestsResult,
    OwnTestsStarted, SolutionSaved, SolutionUnwatched, SolutionWatched,
};
pub use presence::{
    CandidateConnected, CandidateDisconnected, CandidateReconnected, InterviewPaused, ReturnedBy,
};
pub use section::{
    ContentRequested, CoverageSatisfied, ExitReason, SectionEnded, SectionStarted,
    SectionSummarized, SectionTimeWarning,
};
pub use talk::{
    CandidateMessage, ClarificationGiven, FollowupPresented, FollowupSelected, PromptPresented,
    WordingFailed,
};
pub use whole::{
    InterviewCompleted, InterviewCreated, InterviewStarted, InterviewTerminated, PlannedSection,
    TerminationReason,
};

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
