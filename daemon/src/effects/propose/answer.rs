//! What a model's reply comes to in the role in which it was asked. Nothing is mended: what is not whole, or
//! is not of the schema, cannot be used, and the model is told why.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;
use vosim_agent::model::{Call, Reply, Said};
use vosim_protocol::misfit;
use vosim_protocol::v1::agent::{AgentRole, Analysis, Confidence, Plan, ToolCall};
use vosim_protocol::v1::effect::{Proposal, Propose};
use vosim_protocol::{Blob, Json, Wire as _};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanAnswer {
    subtasks: Vec<String>,
    #[serde(default)]
    dependencies: BTreeMap<String, Vec<String>>,
    expected_challenges: Vec<String>,
    testing_strategy: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestsAnswer {
    files: Vec<TestFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestFile {
    path: String,
    content: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalysisAnswer {
    root_cause: String,
    fix_hypothesis: String,
    confidence: Confidence,
}

/// What was said, with the bytes that it names.
pub(super) fn read(asked: &Propose, reply: &Reply) -> (Proposal, Vec<Blob>) {
    match (&reply.said, asked.role) {
        (Said::Cut { why, .. }, _) => {
            let reason = format!("it ended before it was whole: {why}. Send less at a time.");
            (Proposal::Unusable { reason }, Vec::new())
        }
        (Said::Call { call, .. }, AgentRole::Coder) => {
            let Call { tool, arguments, .. } = call;
            calls(asked, vec![(tool.clone(), arguments.clone())])
        }
        (Said::Call { .. }, AgentRole::Planner | AgentRole::Tester | AgentRole::Reflector) => {
            unusable("it calls a tool, and there is none here")
        }
        (Said::Text { text }, AgentRole::Coder) => {
            (Proposal::Done { note: text.clone() }, Vec::new())
        }
        (Said::Text { text }, AgentRole::Planner) => match parsed::<PlanAnswer>(text) {
            Ok(plan) if plan.subtasks.is_empty() => unusable("the plan has no subtasks"),
            Ok(answer) => {
                let PlanAnswer { subtasks, dependencies, expected_challenges, testing_strategy } =
                    answer;
                let plan = Plan { subtasks, dependencies, expected_challenges, testing_strategy };
                (Proposal::Plan(plan), Vec::new())
            }
            Err(reason) => unusable(&reason),
        },
        (Said::Text { text }, AgentRole::Tester) => match parsed::<TestsAnswer>(text) {
            Ok(TestsAnswer { files }) if files.is_empty() => unusable("it has no files"),
            Ok(TestsAnswer { files }) => {
                let create = |TestFile { path, content }: TestFile| {
                    let arguments = json!({ "path": path, "content": content });
                    ("create_file".to_owned(), arguments.to_string())
                };
                calls(asked, files.into_iter().map(create).collect())
            }
            Err(reason) => unusable(&reason),
        },
        (Said::Text { text }, AgentRole::Reflector) => match parsed::<AnalysisAnswer>(text) {
            Ok(AnalysisAnswer { root_cause, fix_hypothesis, confidence }) => {
                let analysis = Analysis { root_cause, fix_hypothesis, confidence };
                (Proposal::Analysis(analysis), Vec::new())
            }
            Err(reason) => unusable(&reason),
        },
    }
}

fn unusable(reason: &str) -> (Proposal, Vec<Blob>) {
    (Proposal::Unusable { reason: reason.to_owned() }, Vec::new())
}

/// One JSON object, possibly between the marks of a block of code, which models like to set.
fn parsed<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
    let text = text.trim();
    let inside = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    let text = inside.and_then(|inside| inside.strip_suffix("```")).unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        format!("it is not the JSON that was asked for: {}", misfit::words(&error))
    })
}

/// Calls with ids of their own, since a model's may come twice.
fn calls(asked: &Propose, called: Vec<(String, String)>) -> (Proposal, Vec<Blob>) {
    let before = asked.turns.len();
    let mut blobs = Vec::new();
    let calls = called.into_iter().enumerate().map(|(number, (tool, arguments))| {
        let path = Json::from_bytes(arguments.as_bytes()).ok();
        let path = path.and_then(|arguments| Some(arguments["path"].as_str()?.to_owned()));
        let blob = Blob(arguments.into_bytes());
        let call = ToolCall {
            id: format!("call{:05}", before + number + 1),
            tool,
            path,
            arguments: blob.reference(),
        };
        blobs.push(blob);
        call
    });
    let calls = calls.collect();
    (Proposal::Calls { calls }, blobs)
}
