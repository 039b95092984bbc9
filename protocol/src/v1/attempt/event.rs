//! What happens in an attempt.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    AiAssessment, Assessment, FailureGuidance, InvariantBuilder, Mode, PlanAssessment, Status,
    Step, Suggestions,
};
use crate::events;
use crate::ids::ProblemId;
use crate::v1::effect::{Checked, Examined, Trace};
use crate::v1::evaluation::Evaluation;
use crate::v1::events::BlobUse;
use crate::v1::hints::{HintGiven, HintRequested};
use crate::v1::judging::{CodeSubmitted, EvalAborted, EvalResult, SuiteDrawn};
use crate::v1::problem::Op;

events! {
    /// What happens in an attempt.
    pub enum Event {
        /// The problem was presented.
        AttemptStarted(AttemptStarted): "ATTEMPT_STARTED" by System for Everyone;
        /// The mode was set.
        ModeSet(ModeSet): "MODE_SET" by Candidate for Everyone;
        /// The problem was explained; asks for the examples to be run.
        UnderstandingSubmitted(UnderstandingSubmitted): "UNDERSTANDING_SUBMITTED" by Candidate
            for Everyone;
        /// A question was answered; asks for the examples to be run again.
        FollowupAnswered(FollowupAnswered): "UNDERSTANDING_ANSWERED" by Candidate for Everyone;
        /// The explanation was assessed.
        UnderstandingAssessed(UnderstandingAssessed): "UNDERSTANDING_ASSESSED" by InterviewerAi
            for Everyone;
        /// Patterns were suggested.
        PatternsSuggested(PatternsSuggested): "PATTERNS_SUGGESTED" by InterviewerAi for Everyone;
        /// A question of pattern discovery was answered.
        DiscoveryAnswered(DiscoveryAnswered): "DISCOVERY_ANSWERED" by Candidate for Everyone;
        /// A pattern and an invariant were chosen; asks for the invariant to be checked.
        PatternChosen(PatternChosen): "PATTERN_CHOSEN" by Candidate for Everyone;
        /// The choice was assessed.
        PlanAssessed(PlanAssessed): "PLAN_ASSESSED" by InterviewerAi for Everyone;
        /// The approach was written down, in the flow before 003.
        ApproachTaken(ApproachTaken): "APPROACH_TAKEN" by Candidate for Everyone;
        /// A file was taken for judging; asks for an evaluation, or first for hidden inputs.
        CodeSubmitted(CodeSubmitted): "CODE_SUBMITTED" by Candidate for Everyone,
            naming |submitted| [BlobUse::code(submitted.code_hash)];
        /// Hidden inputs were drawn, or could not be; asks for the evaluation that waits for them.
        SuiteDrawn(SuiteDrawn): "SUITE_DRAWN" by System for Everyone,
            naming SuiteDrawn::blob;
        /// The verdict.
        EvalResult(EvalResult): "EVAL_RESULT" by System for Everyone;
        /// The evaluation failed for reasons that are not the candidate's (DECISIONS 15).
        EvalAborted(EvalAborted): "EVAL_ABORTED" by System for Everyone;
        /// A hint was asked for; asks for its words.
        HintRequested(HintRequested): "HINT_REQUESTED" by Candidate for Everyone;
        /// The hint.
        HintGiven(HintGiven): "HINT_GIVEN" by InterviewerAi for Everyone;
        /// A failed test was explained, by both.
        FailureExplained(FailureExplained): "FAILURE_EXPLAINED" by Candidate for Everyone;
        /// A failed test is to be traced; asks for its shortest run.
        TraceRequested(TraceRequested): "TRACE_REQUESTED" by Candidate for Everyone;
        /// A failure was made as short as it will go.
        FailureTraced(FailureTraced): "FAILURE_TRACED" by System for Everyone;
        /// A case of the candidate's own was given; asks for it to be run with the reference.
        OwnCaseGiven(OwnCaseGiven): "OWN_CASE_GIVEN" by Candidate for Everyone;
        /// Whether it is kept.
        OwnCaseChecked(OwnCaseChecked): "OWN_CASE_CHECKED" by System for Everyone;
        /// A case of the candidate's own was dropped.
        OwnCaseRemoved(OwnCaseRemoved): "OWN_CASE_REMOVED" by Candidate for Everyone;
        /// The cases of the candidate's own were run with a submission; they do not count.
        OwnCasesRun(OwnCasesRun): "OWN_CASES_RUN" by System for Everyone;
        /// Notes on a trace were kept.
        NotesKept(NotesKept): "TRACE_NOTES_KEPT" by Candidate for Everyone;
        /// A step was left for another one, without an answer of ours.
        StepTaken(StepTaken): "STEP_TAKEN" by Candidate for Everyone;
        /// An input for the planted wrong programs was given; asks for them to be run.
        ChallengeTried(ChallengeTried): "CHALLENGE_TRIED" by Candidate for Everyone;
        /// What it has caught.
        ChallengeScored(ChallengeScored): "CHALLENGE_SCORED" by System for Everyone;
        /// What is taken along was written down.
        ReflectionSubmitted(ReflectionSubmitted): "REFLECTION_SUBMITTED" by Candidate for Everyone;
        /// The end.
        AttemptCompleted(AttemptCompleted): "ATTEMPT_COMPLETED" by System for Everyone;
    }
}

/// Payload of `ATTEMPT_STARTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptStarted {
    /// Which problem.
    pub problem_id: ProblemId,
    /// The name on screens.
    pub title: String,
    /// How much guidance there is.
    pub mode: Mode,
    /// False for the flow before 003.
    pub v2_flow: bool,
    /// The Python that will judge.
    pub python_version: String,
}

/// Payload of `MODE_SET`, and what `mode` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModeSet {
    /// The mode.
    pub mode: Mode,
}

/// Payload of `UNDERSTANDING_SUBMITTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnderstandingSubmitted {
    /// The problem in plain words.
    pub explanation: String,
    /// What goes in and what comes out.
    pub input_output_description: String,
    /// What bounds it.
    pub constraints_description: String,
    /// One example walked through.
    pub example_walkthrough: String,
    /// One way that would not do.
    pub wrong_approach: String,
}

/// Payload of `UNDERSTANDING_ANSWERED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FollowupAnswered {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// Payload of `UNDERSTANDING_ASSESSED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnderstandingAssessed {
    /// What is said of it.
    #[serde(flatten)]
    pub assessment: Assessment,
    /// What became of the examples; absent where there were none to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examples: Option<Examined>,
    /// Why the examples could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
}

impl UnderstandingAssessed {
    /// The assessment as the payload of UNDERSTAND has it.
    pub fn kept(&self) -> AiAssessment {
        let Assessment { status, strengths, gaps, followup_questions, .. } =
            self.assessment.clone();
        AiAssessment { status, strengths, gaps, followup_questions }
    }

    /// Whether the explanation will do.
    pub fn passes(&self) -> bool {
        self.assessment.status == Status::Pass
    }
}

/// Payload of `PATTERNS_SUGGESTED`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PatternsSuggested {
    /// What was asked with; empty where UNDERSTAND was meant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explanation: String,
    /// The answer.
    #[serde(flatten)]
    pub suggestions: Suggestions,
}

/// Payload of `DISCOVERY_ANSWERED`, and what `plan.discover` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiscoveryAnswered {
    /// The question.
    pub question: String,
    /// The candidate's answer.
    pub answer: bool,
    /// Whether it is right.
    pub right: bool,
    /// What there is to say about it.
    pub explanation: String,
    /// The pattern that the right answer speaks for.
    pub suggests: String,
    /// The next question; absent after the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_question: Option<String>,
}

/// Payload of `PATTERN_CHOSEN`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatternChosen {
    /// Which pattern.
    pub pattern_id: String,
    /// How sure the candidate is, 1 to 5.
    pub confidence: u8,
    /// An invariant in the candidate's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant_text: Option<String>,
    /// An invariant made of a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant_builder: Option<InvariantBuilder>,
    /// What it will cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complexity: Option<String>,
}

/// Payload of `PLAN_ASSESSED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanAssessed {
    /// What is said of it.
    #[serde(flatten)]
    pub assessment: PlanAssessment,
    /// The question that comes first, where there is doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// What runs of the reference and of wrong programs say of the invariant; absent where it was not
    /// checked on any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
    /// Why it could not be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_checked: Option<String>,
}

/// Payload of `APPROACH_TAKEN`, and what `approach` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApproachTaken {
    /// The approach.
    pub text: String,
}

/// Payload of `FAILURE_EXPLAINED`, and what `verify.explain_failure` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailureExplained {
    /// The test.
    pub test_index: u32,
    /// What was called.
    pub test_input: String,
    /// What had to come back.
    pub expected: String,
    /// What came back.
    pub actual: String,
    /// What the candidate thinks went wrong.
    pub user_explanation: String,
    /// The answer.
    #[serde(flatten)]
    pub guidance: FailureGuidance,
}

/// Payload of `TRACE_REQUESTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceRequested {
    /// The test, counted from 0 in the last run; the own cases come behind the problem's.
    pub test_index: u32,
}

/// Payload of `FAILURE_TRACED`, and what `verify.trace` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureTraced {
    /// The case that failed.
    pub case: String,
    /// The shortest run that fails, call by call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<Trace>>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_traced: Option<String>,
}

/// Payload of `OWN_CASE_GIVEN`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnCaseGiven {
    /// The calls, each perhaps with the answer it must give.
    pub ops: Vec<Op>,
}

/// Payload of `OWN_CASE_CHECKED`, and what `case.add` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnCaseChecked {
    /// Its number among those that are kept; absent where it is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Calls of it with an answer; without any, the reference's are compared.
    #[serde(default)]
    pub answers: u32,
    /// The first call on which the reference disagrees, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs_at: Option<u32>,
    /// The first call that goes beyond what the statement allows, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<u32>,
    /// The words of the statement that say so, where there are such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Why it could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
}

/// Payload of `OWN_CASE_REMOVED`, and what `case.remove` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnCaseRemoved {
    /// Which, counted from 1; those behind it move up.
    pub number: u32,
}

/// Payload of `OWN_CASES_RUN`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnCasesRun {
    /// What became of them, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Box<Evaluation>>,
    /// Why they could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
}

/// Payload of `TRACE_NOTES_KEPT`, and what `note` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotesKept {
    /// The notes.
    pub trace_notes: String,
}

/// Payload of `STEP_TAKEN`, and what `skip` and `retry` answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepTaken {
    /// The step that was left.
    pub from: Step,
    /// The step that it led to.
    pub to: Step,
}

/// Payload of `CHALLENGE_TRIED`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChallengeTried {
    /// The run of calls.
    pub ops: Vec<Op>,
}

/// Payload of `CHALLENGE_SCORED`, and what `reflect.challenge` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChallengeScored {
    /// The planted wrong programs that it has caught.
    pub caught: u32,
    /// All of them.
    pub planted: u32,
    /// False where an expected answer is not the reference's.
    pub holds: bool,
    /// Why it could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
}

/// Payload of `REFLECTION_SUBMITTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReflectionSubmitted {
    /// What to look out for next time.
    pub cues_next_time: Vec<String>,
    /// What held after each call.
    pub invariant_summary: String,
}

/// Payload of `ATTEMPT_COMPLETED`, and what `reflect.submit` and `end` answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptCompleted {
    /// How it went.
    pub outcome: AttemptOutcome,
    /// The step in which it ended; absent in the flow before 003.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
    /// Judged submissions.
    pub submissions: u32,
    /// Cases the last one passed.
    pub tests_passed: u32,
    /// Cases it did not pass.
    pub tests_failed: u32,
    /// Hints given.
    pub hints_used: u32,
    /// From the first event to this one, seconds.
    pub duration_seconds: u64,
}

/// How an attempt went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// All tests passed and no hint was taken.
    Unaided,
    /// All tests passed, with hints.
    Hinted,
    /// It was left before all tests passed.
    Left,
}
