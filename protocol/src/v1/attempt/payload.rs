//! The payloads of 003, field for field, and the answers of its endpoints.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Mode, Step};
use crate::time::Time;
use crate::v1::hints::HintGiven;

/// The fields that 003 adds to an attempt (003: data model contract).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptV2 {
    /// The mode.
    pub mode: Mode,
    /// The step; null in the flow before 003.
    pub v2_step: Option<Step>,
    /// What UNDERSTAND holds.
    pub understand_payload: Option<UnderstandPayload>,
    /// What PLAN holds.
    pub plan_payload: Option<PlanPayload>,
    /// What VERIFY holds.
    pub verify_payload: Option<VerifyPayload>,
    /// What REFLECT holds.
    pub reflect_payload: Option<ReflectPayload>,
    /// Most hints of this rung.
    pub hint_budget: u32,
    /// Hints given.
    pub hints_used_count: u32,
}

/// What UNDERSTAND holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnderstandPayload {
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
    /// What was said of it; null while the examples are being run.
    pub ai_assessment: Option<AiAssessment>,
    /// The questions that were answered.
    pub followups: Vec<QuestionAnswered>,
}

/// What was said of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiAssessment {
    /// Whether it will do.
    pub status: Status,
    /// What is good about it.
    pub strengths: Vec<String>,
    /// What is missing or wrong.
    pub gaps: Vec<String>,
    /// What is asked.
    pub followup_questions: Vec<String>,
}

/// Whether an explanation will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// It will.
    Pass,
    /// Something is missing or wrong.
    NeedsWork,
}

/// How near a text comes to giving the solution away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LeakRisk {
    /// It shares no run of five words with a solution.
    Low,
    /// A sentence did, and was left out.
    Medium,
    /// It does.
    High,
}

/// A question that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionAnswered {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// When.
    pub timestamp: Time,
}

/// What PLAN holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanPayload {
    /// The patterns that were suggested, best first.
    pub suggested_patterns: Vec<SuggestedPattern>,
    /// The one that was chosen.
    pub chosen_pattern: Option<String>,
    /// How sure the candidate is, 1 to 5.
    pub user_confidence: Option<u8>,
    /// What holds after each call.
    pub invariant: Option<Invariant>,
    /// What it will cost.
    pub complexity: Option<String>,
    /// True once doubt has led to questions.
    pub discovery_triggered: bool,
}

/// A pattern that was suggested, as the payload of PLAN has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedPattern {
    /// The id.
    pub pattern_id: String,
    /// The name.
    pub name: String,
    /// Why it comes into question.
    pub reason: String,
    /// How much the candidate's own words speak for it, 0 to 1.
    pub ai_confidence: f64,
}

/// What holds after each call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invariant {
    /// The sentence.
    pub text: String,
    /// True where it was made of a template.
    pub builder_used: bool,
    /// The template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// The choices, by the name of the gap, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_choices: Option<BTreeMap<String, usize>>,
}

/// What VERIFY holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyPayload {
    /// The tests of the last run, in suite order.
    pub test_results: Vec<TestResultData>,
    /// What was said of tests that failed.
    pub failure_explanations: Vec<FailureExplanation>,
    /// Notes on a trace.
    pub trace_notes: Option<String>,
}

/// A test of the last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestResultData {
    /// Its place, counted from 0.
    pub test_index: u32,
    /// The name.
    pub name: String,
    /// What it is about.
    pub category: String,
    /// Whether it passed.
    pub passed: bool,
    /// False for one whose data stay hidden.
    pub visible: bool,
}

/// What was said of a test that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailureExplanation {
    /// The test.
    pub test_index: u32,
    /// By the candidate, first.
    pub user_explanation: String,
    /// And then by us.
    pub ai_guidance: String,
    /// When.
    pub timestamp: Time,
}

/// What REFLECT holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReflectPayload {
    /// What to look out for next time.
    pub cues_next_time: Vec<String>,
    /// What held after each call.
    pub invariant_summary: String,
    /// The micro-lesson: the id of a pattern.
    pub micro_lesson_id: Option<String>,
    /// Whether an input of the candidate's has caught a wrong program.
    pub adversary_challenge_completed: bool,
}

/// What `understand.submit` and `understand.followup` answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    /// Whether it will do.
    pub status: Status,
    /// What is good about it.
    pub strengths: Vec<String>,
    /// What is missing or wrong.
    pub gaps: Vec<String>,
    /// What is asked.
    pub followup_questions: Vec<String>,
    /// How near these texts come to giving the solution away.
    pub solution_leak_risk: LeakRisk,
}

/// What `plan.suggest` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// Two or three patterns, best first.
    pub candidates: Vec<CandidatePattern>,
    /// What to do now.
    pub recommended_next_action: String,
}

/// A pattern that comes into question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CandidatePattern {
    /// The id.
    pub pattern_id: String,
    /// The name.
    pub name: String,
    /// Why.
    pub reason: String,
    /// How much the candidate's own words speak for it, 0 to 1.
    pub confidence: f64,
}

/// An invariant made of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvariantBuilder {
    /// The template.
    pub template_id: String,
    /// The choices, by the name of the gap, counted from 0.
    pub choices: BTreeMap<String, usize>,
}

/// What `plan.choose` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanAssessment {
    /// Whether the plan is taken.
    pub accepted: bool,
    /// How the pattern fits.
    #[serde(rename = "match")]
    pub fit: Match,
    /// Why.
    pub rationale: String,
    /// Whether some questions would help first.
    pub discovery_recommended: bool,
    /// What is to be said of the invariant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant_feedback: Option<String>,
}

/// How a pattern fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Match {
    /// It meets every requirement.
    Good,
    /// It gives right answers at a cost.
    Maybe,
    /// It misleads.
    Mismatch,
}

/// What `verify.explain_failure` answers; never code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailureGuidance {
    /// What sort of slip it may be.
    pub likely_bug_type: String,
    /// What happened in the failing case.
    pub failing_case_explanation: String,
    /// What to look at next.
    pub suggested_next_debug_step: String,
}

/// What `hint` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HintTaken {
    /// The hint.
    #[serde(flatten)]
    pub given: HintGiven,
    /// Most hints of this rung.
    #[serde(rename = "hintBudget")]
    pub hint_budget: u32,
    /// Hints given, this one included.
    #[serde(rename = "hintsUsedCount")]
    pub hints_used_count: u32,
}
