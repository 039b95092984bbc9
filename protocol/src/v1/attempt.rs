//! The kind `attempt` (003): understand, plan, implement, verify, reflect.
//!
//! What 003 names keeps its names and their spelling: the fields of [`AttemptV2`], of the payloads, and of
//! the commands, each of which is one of its endpoints.

mod event;
mod payload;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::commands;
use crate::ids::{Hash, ProblemId, SessionId};
use crate::time::Time;
use crate::v1::coverage::Dimension;
use crate::v1::guide::Guide;
use crate::v1::judging::{Judged, ResultLine};
use crate::v1::problem::{DrawnInputs, Language, Op, Problem};

pub use event::*;
pub use payload::*;

/// What a person asks for to start an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Which problem: its id or the unique beginning of one; absent: LRU Cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How much guidance there is; absent: what the setting says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
}

/// Everything the rules of one attempt depend on; the session's spec blob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    /// The problem as it was at the start.
    pub problem: Problem,
    /// The case data, which only the evaluator opens.
    pub suite: Hash,
    /// How hidden inputs are drawn; absent where the problem has no generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawnInputs>,
    /// What guides through the problem.
    pub guide: Guide,
    /// The fields of UNDERSTAND, each with what is listened for and what is asked where it is missing.
    pub fields: Vec<Dimension>,
    /// The weights that the fields are heard by; absent: by groups of signals alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hearing: Option<Hash>,
    /// False for the flow before 003: approach, code, test (`attempt_v2_flow`).
    pub v2_flow: bool,
    /// The mode at the start (`beginner_mode_default`).
    pub mode: Mode,
    /// The Python that will judge, for example `3.11.7`; `unknown` where none was found.
    pub python_version: String,
}

/// How much guidance there is (003: mode behavior).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Mode {
    /// Every step is taken; doubt about the pattern leads to questions.
    Beginner,
    /// UNDERSTAND and PLAN may be skipped.
    Expert,
}

impl Mode {
    /// The word on screens and in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Expert => "expert",
        }
    }
}

/// The steps of 003.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Step {
    /// Say what the problem is.
    Understand,
    /// Choose a pattern and say what holds after each call.
    Plan,
    /// Write the code.
    Implement,
    /// Have it judged; explain what failed.
    Verify,
    /// Say what to take along.
    Reflect,
    /// Over.
    Complete,
}

impl Step {
    /// Every step, in order.
    pub const ALL: [Self; 6] = [
        Self::Understand,
        Self::Plan,
        Self::Implement,
        Self::Verify,
        Self::Reflect,
        Self::Complete,
    ];

    /// The word on screens and in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Understand => "understand",
            Self::Plan => "plan",
            Self::Implement => "implement",
            Self::Verify => "verify",
            Self::Reflect => "reflect",
            Self::Complete => "complete",
        }
    }
}

commands! {
    /// What a candidate asks of an attempt; the endpoints of 003 and what its table of states names.
    pub enum Command of Attempt, settled as Settled {
        /// Set the mode; possible until UNDERSTAND was submitted. `POST /mode`.
        Mode {
            /// The mode.
            mode: Mode,
        }: "mode" -> ModeSet, by Candidate | Agent;
        /// Explain the problem. `POST /understand/submit`.
        UnderstandSubmit {
            /// The problem in plain words.
            explanation: String,
            /// What goes in and what comes out.
            #[serde(rename = "inputOutputDescription")]
            input_output_description: String,
            /// What bounds it.
            #[serde(rename = "constraintsDescription")]
            constraints_description: String,
            /// One example walked through; a line that is a run of calls is run against the reference.
            #[serde(rename = "exampleWalkthrough")]
            example_walkthrough: String,
            /// One way that would not do, and why.
            #[serde(rename = "wrongApproach")]
            wrong_approach: String,
        }: "understand.submit" -> Assessment, by Candidate | Agent;
        /// Answer one of the assessment's questions. `POST /understand/followup`.
        UnderstandFollowup {
            /// The question, word for word.
            question: String,
            /// The answer.
            answer: String,
        }: "understand.followup" -> Assessment, by Candidate | Agent;
        /// Ask which patterns come into question. `POST /plan/suggest`.
        PlanSuggest {
            /// What one has understood; empty: what UNDERSTAND holds.
            #[serde(default)]
            explanation: String,
        }: "plan.suggest" -> Suggestions, by Candidate | Agent;
        /// Answer the next question of pattern discovery.
        PlanDiscover {
            /// Yes is true.
            answer: bool,
        }: "plan.discover" -> DiscoveryAnswered, by Candidate | Agent;
        /// Choose a pattern and an invariant. `POST /plan/choose`.
        PlanChoose {
            /// Which pattern.
            #[serde(rename = "patternId")]
            pattern_id: String,
            /// How sure one is, 1 to 5.
            confidence: u8,
            /// An invariant in one's own words.
            #[serde(default, rename = "invariantText", skip_serializing_if = "Option::is_none")]
            invariant_text: Option<String>,
            /// An invariant made of a template.
            #[serde(default, rename = "invariantBuilder", skip_serializing_if = "Option::is_none")]
            invariant_builder: Option<InvariantBuilder>,
            /// What it will cost.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            complexity: Option<String>,
        }: "plan.choose" -> PlanAssessment, by Candidate | Agent;
        /// Say in free words how one will go about it; the flow before 003 alone has it.
        Approach {
            /// The approach.
            text: String,
        }: "approach" -> ApproachTaken;
        /// Have code judged.
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
        /// Ask for the next hint; each takes one from the budget.
        Hint {}: "hint" -> HintTaken, by Candidate | Agent;
        /// Say why a test failed, and hear what it may be. `POST /verify/explain-failure`.
        VerifyExplainFailure {
            /// The test, counted from 0 in the last run.
            #[serde(rename = "testIndex")]
            test_index: u32,
            /// What was called; the log's own where it is left out.
            #[serde(default, rename = "testInput")]
            test_input: String,
            /// What had to come back; the log's own where it is left out.
            #[serde(default)]
            expected: String,
            /// What came back; the log's own where it is left out.
            #[serde(default)]
            actual: String,
            /// What one thinks went wrong.
            #[serde(rename = "userExplanation")]
            user_explanation: String,
        }: "verify.explain_failure" -> FailureGuidance, by Candidate | Agent;
        /// Have a failed test made as short as it will go, and see it call by call.
        VerifyTrace {
            /// The test, counted from 0 in the last run; the own cases come behind the problem's.
            #[serde(rename = "testIndex")]
            test_index: u32,
        }: "verify.trace" -> FailureTraced, by Candidate | Agent;
        /// Keep a case of one's own, which runs with every submission and never counts.
        CaseAdd {
            /// The calls, each perhaps with the answer it must give.
            ops: Vec<Op>,
        }: "case.add" -> OwnCaseChecked, by Candidate | Agent;
        /// Drop a case of one's own.
        CaseRemove {
            /// Which, counted from 1.
            number: u32,
        }: "case.remove" -> OwnCaseRemoved, by Candidate | Agent;
        /// Keep notes on a trace.
        Note {
            /// All of them; the earlier ones are replaced.
            #[serde(rename = "traceNotes")]
            trace_notes: String,
        }: "note" -> NotesKept, by Candidate | Agent;
        /// Go back to the code after a failed test.
        Retry {}: "retry" -> StepTaken, by Candidate | Agent;
        /// Try an input of one's own on the planted wrong programs.
        Challenge {
            /// A run of calls.
            ops: Vec<Op>,
        }: "reflect.challenge" -> ChallengeScored, by Candidate | Agent;
        /// Say what to take along. `POST /reflect/submit`.
        ReflectSubmit {
            /// What to look out for next time.
            #[serde(rename = "cuesNextTime")]
            cues_next_time: Vec<String>,
            /// What held after each call.
            #[serde(rename = "invariantSummary")]
            invariant_summary: String,
        }: "reflect.submit" -> AttemptCompleted, by Candidate | Agent;
        /// Go on without doing the step.
        Skip {}: "skip" -> StepTaken, by Candidate | Agent;
        /// Leave the attempt as it is.
        End {}: "end" -> AttemptCompleted, by Candidate | Agent;
    }
}

/// What every role sees of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The session.
    pub session_id: SessionId,
    /// Which problem.
    pub problem_id: ProblemId,
    /// The name.
    pub title: String,
    /// How hard it is, 1 to 4.
    pub rung: u8,
    /// The calls of the problem with the names of their parameters, between commas.
    #[serde(default)]
    pub calls: String,
    /// Where it stands, as lists show it.
    pub phase: String,
    /// When it began.
    pub started: Time,
    /// How long it has lasted, or lasted, seconds.
    pub duration_seconds: u64,
    /// The attempt in the words of 003.
    #[serde(flatten)]
    pub attempt: AttemptV2,
    /// The steps that were skipped, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Step>,
    /// The approach, in the flow before 003.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approach: Option<String>,
    /// The question of pattern discovery that waits for an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovery_question: Option<String>,
    /// Sentences with gaps for the invariant builder, with the choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<Template>,
    /// The submission being judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluating: Option<u32>,
    /// The judged submissions, oldest first; the newest that fit.
    pub history: Vec<ResultLine>,
    /// Submissions before those, which `log` shows.
    #[serde(default)]
    pub history_omitted: u32,
    /// The last failure call by call, until something else is submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<FailureTraced>,
    /// The cases of the candidate's own, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_cases: Vec<KeptCase>,
    /// The micro-lesson, once the step is reached that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<AttemptCompleted>,
    /// Whether what was asked for last is being looked at; until then only `end` is taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// What the role can ask for now, as commands are spelled.
    pub allowed: Vec<String>,
}

/// A case of the candidate's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeptCase {
    /// The calls.
    pub ops: Vec<Op>,
    /// Whether the last submission passed it; absent where it did not run with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
}

/// A template of an invariant, as a candidate may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Template {
    /// The name.
    pub id: String,
    /// The sentence with its gaps, each written `{name}`.
    pub text: String,
    /// The choices by the name of the gap, in the order of the sentence.
    pub gaps: Vec<TemplateGap>,
}

/// A gap of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TemplateGap {
    /// The name.
    pub name: String,
    /// What it can be filled with.
    pub choices: Vec<String>,
}

#[cfg(test)]
mod tests {
    use crate::Json;
    use crate::v1::service::{Description, describe};

    /// The endpoints of 003 by the name that a command's description has.
    const ENDPOINTS: [&str; 7] = [
        "/mode",
        "/understand/submit",
        "/understand/followup",
        "/plan/suggest",
        "/plan/choose",
        "/verify/explain-failure",
        "/reflect/submit",
    ];
    const DOCS: &str = include_str!("../../../docs/attempt.md");

    /// The fields of a type in their order, with a mark where one may be left out.
    fn fields(described: &Description, schema: &Json) -> String {
        let name = schema["$ref"].as_str().and_then(|to| to.strip_prefix("#/$defs/"));
        let schema = name.map_or(schema, |name| &described.definitions[name]);
        let required: Vec<_> =
            schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let names = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
        let marked = names.map(|name| {
            let mark = if required.contains(&name.as_str()) { "" } else { "?" };
            format!("`{name}{mark}`")
        });
        marked.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_table_of_endpoints_in_the_documents_is_that_of_the_commands() {
        let described = describe();
        let commands = &described.kinds["attempt"].commands;
        for endpoint in ENDPOINTS {
            let mark = format!("`POST {endpoint}`");
            let of_it: Vec<_> = commands.iter().filter(|(_, it)| it.doc.contains(&mark)).collect();
            let [(name, command)] = of_it[..] else { panic!("{endpoint}: {of_it:?}") };
            let (args, result) =
                (fields(&described, &command.args), fields(&described, &command.result));
            let row = format!("| `{endpoint}` | `{name}` | {args} | {result} |");
            assert!(DOCS.contains(&row), "docs/attempt.md lacks\n{row}");
        }
        let rows = DOCS.lines().filter(|line| line.starts_with("| `/")).count();
        let endpoints = commands.values().filter(|command| command.doc.contains("`POST /"));
        assert_eq!((rows, endpoints.count()), (ENDPOINTS.len(), ENDPOINTS.len()));
        let hint = fields(&described, &commands["hint"].result);
        assert!(hint.contains("`hintBudget`") && hint.contains("`hintsUsedCount`"), "{hint}");
    }
}
