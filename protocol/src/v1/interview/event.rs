//! What happens in an interview (001 3.2), one payload type each.

mod assistant;
mod code;
mod presence;
mod section;
mod talk;
mod whole;

use crate::events;
use crate::v1::events::BlobUse;
use crate::v1::judging::{EvalAborted, EvalResult, GrowthMeasured, GrowthProbeStarted, SuiteDrawn};
use crate::v1::talk::{VariationAsked, WordingFailed};

use crate::v1::hints::{HintGiven, HintRequested};

pub use assistant::{AssistantQuery, AssistantResponse};
pub use code::{
    CandidateCodeSubmission, NotSubmitted, Origin, OwnTestsAborted, OwnTestsResult,
    OwnTestsStarted, SolutionLost, SolutionSaved, SolutionUnwatched, SolutionWatched,
};
pub use presence::{
    CandidateConnected, CandidateDisconnected, CandidateReconnected, CandidateTyping,
    CandidateTypingEnded, InterviewPaused, ReturnedBy,
};
pub use section::{
    ContentRequested, CoverageSatisfied, ExitReason, SectionEnded, SectionStarted,
    SectionSummarized, SectionTimeWarning,
};
pub use talk::{
    CandidateMessage, ClarificationGiven, FollowupPresented, FollowupSelected, Inquiry,
    InquiryAnswered, MessageHeard, PromptPresented, QuestionsOver, Reworded,
};
pub use whole::{
    InterviewCompleted, InterviewCreated, InterviewStarted, InterviewTerminated, PlannedSection,
    TerminationReason,
};

events! {
    /// What happens in an interview.
    pub enum Event {
        /// The plan: sections, times, caps, what was granted.
        InterviewCreated(InterviewCreated): "INTERVIEW_CREATED" by System for Everyone;
        /// The clock runs.
        InterviewStarted(InterviewStarted): "INTERVIEW_STARTED" by System for Everyone;
        /// A section began; asks for the words of its prompt.
        SectionStarted(SectionStarted): "SECTION_STARTED" by System for Everyone;
        /// The interviewer's opening question.
        PromptPresented(PromptPresented): "PROMPT_PRESENTED" by InterviewerAi for Everyone;
        /// The candidate said something; may ask a model what it covers.
        CandidateMessage(CandidateMessage): "CANDIDATE_MESSAGE" by Candidate for Everyone;
        /// A model has said what a message covers, beside what was heard without it (001 6.2).
        MessageHeard(MessageHeard): "MESSAGE_HEARD" by System for Everyone;
        /// A clarifying question was answered from a card.
        ClarificationGiven(ClarificationGiven): "CLARIFICATION_GIVEN" by InterviewerAi for Everyone;
        /// A question that no card answers was answered.
        InquiryAnswered(InquiryAnswered): "INQUIRY_ANSWERED" by InterviewerAi for Everyone;
        /// A follow-up was chosen; asks for its words.
        FollowupSelected(FollowupSelected): "FOLLOWUP_SELECTED" by System for Everyone;
        /// The follow-up.
        FollowupPresented(FollowupPresented): "FOLLOWUP_PRESENTED" by InterviewerAi for Everyone;
        /// Nothing is left to ask about in a section; once in each.
        QuestionsOver(QuestionsOver): "QUESTIONS_OVER" by InterviewerAi for Everyone;
        /// Code has passed, and a change of the problem is asked about.
        VariationAsked(VariationAsked): "VARIATION_ASKED" by InterviewerAi for Everyone;
        /// A model could not word a text; asks for them again.
        WordingFailed(WordingFailed): "WORDING_FAILED" by System for Everyone;
        /// A file was taken for judging; asks for an evaluation, or first for hidden inputs.
        CandidateCodeSubmission(CandidateCodeSubmission): "CANDIDATE_CODE_SUBMISSION" by Candidate for Everyone,
            naming |submission| [BlobUse::code(submission.code_hash)],
            or System when |submission| submission.origin != Origin::Candidate;
        /// Hidden inputs were drawn, or could not be; asks for the evaluation that waits for them.
        SuiteDrawn(SuiteDrawn): "SUITE_DRAWN" by System for Everyone,
            naming SuiteDrawn::blob;
        /// The verdict.
        EvalResult(EvalResult): "EVAL_RESULT" by System for Everyone;
        /// The evaluation failed for reasons that are not the candidate's.
        EvalAborted(EvalAborted): "EVAL_ABORTED" by System for Everyone;
        /// The time per operation of what has passed is being measured; asks for the probe.
        GrowthProbeStarted(GrowthProbeStarted): "GROWTH_PROBE_STARTED" by System for Everyone;
        /// The time per operation; the report shows it.
        GrowthMeasured(GrowthMeasured): "GROWTH_MEASURED" by System for Everyone;
        /// Cases of the candidate's own are being run; asks for it.
        OwnTestsStarted(OwnTestsStarted): "OWN_TESTS_STARTED" by Candidate for Everyone,
            naming |run| [BlobUse::code(run.code_hash)];
        /// What they gave.
        OwnTestsResult(OwnTestsResult): "OWN_TESTS_RESULT" by System for Everyone;
        /// The candidate's cases could not be run.
        OwnTestsAborted(OwnTestsAborted): "OWN_TESTS_ABORTED" by System for Everyone;
        /// A hint was asked for; asks for its words.
        HintRequested(HintRequested): "HINT_REQUESTED" by Candidate for Everyone;
        /// The hint.
        HintGiven(HintGiven): "HINT_GIVEN" by InterviewerAi for Everyone;
        /// A file is being watched; asks for its saves.
        SolutionWatched(SolutionWatched): "SOLUTION_WATCHED" by Candidate for Everyone;
        /// The watched file was saved; asks for the next save.
        SolutionSaved(SolutionSaved): "SOLUTION_SAVED" by System for Everyone,
            naming |saved| [BlobUse::code(saved.code_hash)];
        /// The watched file cannot be taken as it stands; asks for the next save.
        SolutionLost(SolutionLost): "SOLUTION_LOST" by System for Everyone;
        /// The file is no longer watched.
        SolutionUnwatched(SolutionUnwatched): "SOLUTION_UNWATCHED" by System for Everyone;
        /// The assistant was asked; asks for its answer.
        AssistantQuery(AssistantQuery): "ASSISTANT_QUERY" by Candidate for Everyone,
            naming |query| query.code_hash.map(BlobUse::code);
        /// The assistant's answer, as far as the rules let it through.
        AssistantResponse(AssistantResponse): "ASSISTANT_RESPONSE" by AssistantAi for Without(&["withheld"]);
        /// So much of the section's time is left.
        SectionTimeWarning(SectionTimeWarning): "SECTION_TIME_WARNING" by System for Everyone;
        /// There is too little to end the section yet (001 6.4); once in a section.
        ContentRequested(ContentRequested): "CONTENT_REQUESTED" by InterviewerAi for Everyone;
        /// Everything required is covered; the section ends soon (DECISIONS 13).
        CoverageSatisfied(CoverageSatisfied): "COVERAGE_SATISFIED" by System for Everyone;
        /// A section ended.
        SectionEnded(SectionEnded): "SECTION_ENDED" by System for Everyone;
        /// The artifact is sealed.
        SectionSummarized(SectionSummarized): "SECTION_SUMMARIZED" by System for Everyone;
        /// A terminal of the candidate is there.
        CandidateConnected(CandidateConnected): "CANDIDATE_CONNECTED" by System for Everyone;
        /// The candidate's last terminal has gone.
        CandidateDisconnected(CandidateDisconnected): "CANDIDATE_DISCONNECTED" by System for Everyone;
        /// The candidate writes a line; nothing is asked meanwhile (DECISIONS 39).
        CandidateTyping(CandidateTyping): "CANDIDATE_TYPING" by Candidate for Everyone;
        /// The line was given up, or is still not sent after a minute.
        CandidateTypingEnded(CandidateTypingEnded): "CANDIDATE_TYPING_ENDED" by System for Everyone;
        /// Nobody came back; time runs on (001 5.3).
        InterviewPaused(InterviewPaused): "INTERVIEW_PAUSED" by System for Everyone;
        /// The candidate is back.
        CandidateReconnected(CandidateReconnected): "CANDIDATE_RECONNECTED" by System for Everyone;
        /// All sections are over.
        InterviewCompleted(InterviewCompleted): "INTERVIEW_COMPLETED" by System for Everyone;
        /// The interview ended before its time.
        InterviewTerminated(InterviewTerminated): "INTERVIEW_TERMINATED" by System for Everyone;
    }
}
