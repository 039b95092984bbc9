//! What every kind that judges code says of it: the verdict's events and its one-line form.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;
use crate::time::Time;
use crate::v1::evaluation::{Detail, Evaluation, FailureType, Growth, GrowthPoint, LimitHit};
use crate::v1::events::BlobUse;
use crate::v1::problem::Language;

/// Most cases of the candidate's own in one run.
pub const OWN_CASES_MAX: usize = 64;

/// Payload of `CODE_SUBMITTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeSubmitted {
    /// 1, 2, 3 …
    pub attempt_number: u32,
    /// Where the file stands on the candidate's disk.
    pub file_path: String,
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// The lines.
    pub line_count: u64,
    /// The bytes.
    pub bytes: u64,
    /// The language.
    pub language: Language,
    /// True when the same bytes were judged before and the candidate asked for it again; such an
    /// submission pushes no hint level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
}

/// Payload of `SUITE_DRAWN`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuiteDrawn {
    /// The case data that submissions are judged by from now on.
    pub suite: Hash,
    /// Why these are the cases that come with the problem; absent when they were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedded_because: Option<String>,
}

impl SuiteDrawn {
    /// The case data, where they are new.
    pub fn blob(&self) -> Option<BlobUse> {
        self.embedded_because.is_none().then(|| BlobUse::sealed(self.suite))
    }
}

/// Payload of `EVAL_RESULT`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalResult {
    /// Of which submission.
    pub attempt_number: u32,
    /// True when all cases passed.
    pub passed: bool,
    /// The class.
    pub failure_type: FailureType,
    /// Cases that passed.
    pub tests_passed: u32,
    /// All others: together always the number of tests.
    pub tests_failed: u32,
    /// Those others in suite order.
    pub failing_tests: Vec<String>,
    /// The first exception, crash or limit, one line.
    pub exception: Option<String>,
    /// Time on the clock, milliseconds.
    pub runtime_ms: u64,
    /// Why the class applies; absent for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// The limit that ended the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitHit>,
    /// Cases that a limit left without their turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<String>,
    /// The issue that feedback and hints speak of; absent for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// Everything the evaluator found, from which the fields above are computed.
    pub evaluation: Box<Evaluation>,
}

/// Payload of `EVAL_ABORTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvalAborted {
    /// Of which submission; the number is used again.
    pub attempt_number: u32,
    /// One sentence, with what would mend it.
    pub reason: String,
}

/// What becomes of a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// The submission was judged.
    Verdict(Box<EvalResult>),
    /// The submission could not be judged, and does not count.
    Aborted(EvalAborted),
}

/// One verdict in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResultLine {
    /// Of which submission.
    pub attempt_number: u32,
    /// The class.
    pub failure_type: FailureType,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// Cases that passed.
    pub tests_passed: u32,
    /// Cases that did not.
    pub tests_failed: u32,
    /// The judged file.
    pub file_path: String,
    /// The bytes.
    pub code_hash: Hash,
    /// The language.
    pub language: Language,
    /// When it was judged.
    pub at: Time,
    /// True for a repeated judgement of the same bytes, which pushes no hint level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
}

/// Payload of `GROWTH_PROBE_STARTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrowthProbeStarted {
    /// The submission that passed.
    pub attempt_number: u32,
    /// The code.
    pub code_hash: Hash,
    /// The language.
    pub language: Language,
}

/// Payload of `GROWTH_MEASURED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrowthMeasured {
    /// The submission that was measured.
    pub attempt_number: u32,
    /// What the problem calls the size, for example `capacity`.
    pub size: String,
    /// The figures, smallest size first; empty when nothing could be measured.
    pub points: Vec<GrowthPoint>,
    /// What they say.
    pub growth: Growth,
    /// Why nothing could be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
