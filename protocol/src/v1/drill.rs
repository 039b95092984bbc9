//! The kind `drill` (000): one problem, submissions, hints, a summary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::{Hash, ProblemId, SessionId};
use crate::time::Time;
use crate::v1::evaluation::FailureType;
use crate::v1::events::BlobUse;
use crate::v1::guide::Variation;
use crate::v1::hints::{HintAnswer, HintGiven, HintRequested};
use crate::v1::judging::{
    CodeSubmitted, EvalAborted, EvalResult, GrowthMeasured, GrowthProbeStarted, Judged, ResultLine,
    SuiteDrawn,
};
use crate::v1::problem::{DrawnInputs, Language, Problem};
use crate::v1::talk::{ModelUse, VariationAnswered, VariationAsked, WordingFailed, Words};
use crate::{commands, events};

/// What a person asks for to start a drill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Which problem: its id or the unique beginning of one; absent: LRU Cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Everything the rules of one drill depend on; the session's spec blob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    /// The problem as it was at the start.
    pub problem: Problem,
    /// The case data, which only the evaluator opens.
    pub suite: Hash,
    /// How hidden inputs are drawn; absent where the problem has no generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawnInputs>,
    /// Changes of the problem that are asked about once it is solved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// The Python that will judge, for example `3.11.7`; `unknown` where none was found.
    pub python_version: String,
    /// What a server of models is asked for; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelUse>,
}

commands! {
    /// What a candidate asks of a drill.
    pub enum Command of Drill, settled as Settled {
        /// Judge a file.
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
        }: "submit" -> Submitted, by Candidate | Agent;
        /// Ask for a hint. One that was given before is told again, without an event.
        Hint {
            /// Agrees to level 4, the reference solution, where it is offered.
            #[serde(default)]
            confirm: bool,
            /// A level that was given before, or after the end any; absent: the next one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            level: Option<u8>,
        }: "hint" -> HintAnswer, by Candidate | Agent;
        /// Ask for the reference solution.
        GiveUp {
            /// Agrees to see it.
            #[serde(default)]
            confirm: bool,
        }: "give_up" -> HintAnswer;
        /// Answer what is asked about a change of the problem, once it is solved.
        Say {
            /// What is said.
            text: String,
        }: "say" -> Discussed, by Candidate | Agent;
        /// End the session.
        End {}: "end" -> SessionEnded, by Candidate | Agent;
    }
}

/// What a submission results in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Submitted {
    /// What the judge says of it.
    #[serde(flatten)]
    pub judged: Judged,
    /// The feedback, in words; absent when the session ended before it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<AgentResponse>,
    /// The time per operation of a pass, where the problem has it measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<GrowthMeasured>,
    /// What is asked about a change of the problem, after the first pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<VariationAsked>,
}

/// What an answer results in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Discussed {
    /// What was answered.
    pub answered: VariationAnswered,
    /// What is asked next; absent after the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<VariationAsked>,
}

events! {
    /// What happens in a drill.
    pub enum Event {
        /// The problem was presented.
        SessionStarted(SessionStarted): "SESSION_STARTED" by System for Everyone;
        /// A file was taken for judging; asks for an evaluation, or first for hidden inputs.
        CodeSubmitted(CodeSubmitted): "CODE_SUBMITTED" by Candidate for Everyone,
            naming |submitted| [BlobUse::code(submitted.code_hash)];
        /// Hidden inputs were drawn, or could not be; asks for the evaluation that waits for them.
        SuiteDrawn(SuiteDrawn): "SUITE_DRAWN" by System for Everyone,
            naming SuiteDrawn::blob;
        /// The verdict; asks for the feedback's words.
        EvalResult(EvalResult): "EVAL_RESULT" by System for Everyone;
        /// The evaluation failed for reasons that are not the candidate's (DECISIONS 15).
        EvalAborted(EvalAborted): "EVAL_ABORTED" by System for Everyone;
        /// A hint was asked for; asks for its words.
        HintRequested(HintRequested): "HINT_REQUESTED" by Candidate for Everyone;
        /// The hint.
        HintGiven(HintGiven): "HINT_GIVEN" by InterviewerAi for Everyone;
        /// Feedback after a verdict.
        AgentResponse(AgentResponse): "AGENT_RESPONSE" by InterviewerAi for Everyone;
        /// A change of the problem is asked about.
        VariationAsked(VariationAsked): "VARIATION_ASKED" by InterviewerAi for Everyone;
        /// What the candidate says to it; nothing is judged of it.
        VariationAnswered(VariationAnswered): "VARIATION_ANSWERED" by Candidate for Everyone;
        /// A model could not word a text; asks for its words again.
        WordingFailed(WordingFailed): "WORDING_FAILED" by System for Everyone;
        /// The time per operation is being measured; asks for the probe.
        GrowthProbeStarted(GrowthProbeStarted): "GROWTH_PROBE_STARTED" by System for Everyone;
        /// The time per operation.
        GrowthMeasured(GrowthMeasured): "GROWTH_MEASURED" by System for Everyone;
        /// The end.
        SessionEnded(SessionEnded): "SESSION_ENDED" by Candidate for Everyone;
    }
}

/// Payload of `SESSION_STARTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionStarted {
    /// Which problem.
    pub problem_id: ProblemId,
    /// The name on screens.
    pub title: String,
    /// The Python that will judge.
    pub python_version: String,
    /// What a server of models is asked for; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelUse>,
}

/// Payload of `AGENT_RESPONSE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentResponse {
    /// What it is.
    pub response_type: ResponseType,
    /// What the candidate reads.
    pub message: String,
    /// What it rests on.
    pub metadata: ResponseMetadata,
}

/// What an `AGENT_RESPONSE` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseType {
    /// Feedback after a verdict.
    Feedback,
}

/// What an `AGENT_RESPONSE` rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResponseMetadata {
    /// The class it answers.
    pub failure_type: FailureType,
    /// The issue it speaks of; `none` for a pass.
    pub primary_issue: String,
    /// The submission it answers.
    pub attempt_number: u32,
    /// Where the words come from.
    pub words: Words,
    /// What the server calls the model whose words they are; absent where they are not a model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Payload of `SESSION_ENDED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionEnded {
    /// How it went.
    pub outcome: DrillOutcome,
    /// Judged submissions.
    pub total_attempts: u32,
    /// Cases the last judged submission passed.
    pub final_tests_passed: u32,
    /// Cases it did not pass.
    pub final_tests_failed: u32,
    /// Hints given.
    pub hints_used: u32,
    /// From the first event to this one, seconds.
    pub duration_seconds: u64,
    /// Most cases any submission passed.
    #[serde(default)]
    pub best_tests_passed: u32,
    /// True when it was solved after the reference solution had been shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assisted: bool,
}

/// How a drill went (DECISIONS 21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrillOutcome {
    /// The last judged submission passed.
    Success,
    /// The last judged submission passed at least half of the cases.
    PartialSuccess,
    /// The last judged submission passed fewer than half.
    Failure,
    /// Nothing was judged.
    Abandoned,
}

/// Where a drill stands (000: session states).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The problem is shown, nothing has been submitted.
    ProblemPresented,
    /// A submission is being judged.
    Evaluating,
    /// There is a verdict; the next move is the candidate's.
    AwaitingAction,
    /// Over.
    Done,
}

impl Phase {
    /// The name on the wire and on screens.
    pub fn name(self) -> &'static str {
        match self {
            Self::ProblemPresented => "problem_presented",
            Self::Evaluating => "evaluating",
            Self::AwaitingAction => "awaiting_action",
            Self::Done => "done",
        }
    }
}

/// What a terminal may show of a drill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The session.
    pub session_id: SessionId,
    /// Which problem.
    pub problem_id: ProblemId,
    /// The name.
    pub title: String,
    /// Where it stands.
    pub phase: Phase,
    /// When it began.
    pub started: Time,
    /// How long it has lasted, or lasted, seconds.
    pub duration_seconds: u64,
    /// Judged submissions.
    pub submissions: u32,
    /// The submission being judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluating: Option<u32>,
    /// The last verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_result: Option<ResultLine>,
    /// Most cases any submission passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_tests_passed: Option<u32>,
    /// Levels of the hints given, in order.
    pub hint_levels: Vec<u8>,
    /// The judged submissions, oldest first; the newest that fit.
    pub history: Vec<ResultLine>,
    /// Submissions before those, which `log` shows.
    #[serde(default)]
    pub history_omitted: u32,
    /// The last growth probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<GrowthMeasured>,
    /// What was asked about a change of the problem and has not been answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<VariationAsked>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<SessionEnded>,
    /// What the role can ask for now, as commands are spelled.
    pub allowed: Vec<String>,
}
