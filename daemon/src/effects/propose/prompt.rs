//! What a model is told in each role (002 3): who it is, and what there is to know.

use std::fmt::Write as _;

use vosim_agent::model::{Call, EARLIER, Limits, Message, Request, Tool};
use vosim_agent::workspace::described;
use vosim_protocol::v1::agent::{AgentRole, Exam, ModelSort, TaskLanguage, TestReport};
use vosim_protocol::v1::effect::Propose;
use vosim_protocol::{Json, cut};

use crate::effects::sitting;

/// Time for one try; what looks for changes here ends by itself long before.
const TRY_SECS: u64 = 120;
const REPAIR_SECS: u64 = 600;
/// Most failed tests that are told.
const ERRORS_TOLD: usize = 5;
/// Most bytes that are told of what a run printed: its failures come last.
const PRINTED_TOLD: usize = 6_000;

/// A request of everything that the task knows: the files by name and text, the arguments and results of
/// the turns, and what the last run of the tests printed.
pub(super) fn request(
    asked: &Propose,
    files: &[(String, String)],
    texts: &[(String, String)],
    printed: Option<&str>,
) -> Request {
    let system = Message::System { text: role_text(asked.role).to_owned() };
    let told = material(asked, files, printed.unwrap_or_default());
    let mut messages = vec![system, Message::User { text: told }];
    for (number, (turn, (arguments, result))) in asked.turns.iter().zip(texts).enumerate() {
        // A request's ids are its own: a model may have used one twice.
        let id = format!("call{:05}", number + 1);
        let call =
            Call { id: id.clone(), tool: turn.call.tool.clone(), arguments: arguments.clone() };
        messages.push(Message::Model { text: String::new(), call: Some(call) });
        messages.push(Message::Result { call: id, text: result.clone() });
    }
    let temperature_hundredths = match asked.role {
        AgentRole::Planner | AgentRole::Tester => 30,
        AgentRole::Coder | AgentRole::Reflector => 20,
    };
    let try_secs = match asked.model.sort {
        ModelSort::Repair => REPAIR_SECS,
        ModelSort::Script | ModelSort::Replay | ModelSort::Openai => TRY_SECS,
    };
    let reply_tokens_max = u32::try_from(asked.completion_max).unwrap_or(u32::MAX);
    Request {
        role: asked.role,
        iteration: asked.iteration,
        messages,
        tools: if asked.role == AgentRole::Coder { tools(asked.exam.as_ref()) } else { Vec::new() },
        answer: schema(asked.role),
        limits: Limits { temperature_hundredths, reply_tokens_max, try_secs },
    }
}

fn tools(exam: Option<&Exam>) -> Vec<Tool> {
    let tool = |tool: vosim_agent::workspace::FileTool| Tool {
        name: tool.name.to_owned(),
        about: tool.text.to_owned(),
        arguments: tool.schema,
    };
    let session = exam.map(|exam| {
        let (about, arguments) = sitting::described(exam.sitting);
        Tool { name: sitting::TOOL.to_owned(), about, arguments }
    });
    described().into_iter().map(tool).chain(session).collect()
}

fn role_text(role: AgentRole) -> &'static str {
    match role {
        AgentRole::Planner => {
            "You plan how a small program is written. Take the task apart into two to five parts, each \
             of which can be tested, in the order in which they can be built; say which part needs \
             which, what may go wrong, and how the whole is to be tested. Answer with one JSON object \
             of the given schema and nothing else."
        }
        AgentRole::Coder => {
            "You write a small program in one folder, by calls of the tools you are given, one at a \
             time. Look at what is there before you change it. Keep what a person has written unless \
             the task needs it changed. Handle wrong input, give names that say what things are, and \
             document what is public. Do not change a test to make it pass. When the program is \
             written, say so in one sentence and call nothing more."
        }
        AgentRole::Tester => {
            "You write tests for a program that is in front of you: for ordinary use, for edge cases \
             such as empty and wrong input, for errors, and for properties that hold for every input \
             where there are any. Test what the task asks for, not what the program happens to do. \
             Answer with one JSON object of the given schema, the files of the tests, and nothing else."
        }
        AgentRole::Reflector => {
            "You find out why tests of a program failed. Say the cause, not the symptom, and one \
             change that would mend it: which file, which place, what instead. Say how sure you are. \
             Answer with one JSON object of the given schema and nothing else."
        }
    }
}

/// What a text must look like, as a schema.
fn schema(role: AgentRole) -> Option<Json> {
    let text = || serde_json::json!({ "type": "string" });
    let texts = || serde_json::json!({ "type": "array", "items": { "type": "string" } });
    let object = |properties: Json, required: &[&str]| {
        serde_json::json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    };
    match role {
        AgentRole::Planner => {
            let needs = serde_json::json!({ "type": "object", "additionalProperties": texts() });
            let properties = serde_json::json!({
                "subtasks": texts(),
                "dependencies": needs,
                "expected_challenges": texts(),
                "testing_strategy": text(),
            });
            Some(object(properties, &["subtasks", "expected_challenges", "testing_strategy"]))
        }
        AgentRole::Coder => None,
        AgentRole::Tester => {
            let file = object(
                serde_json::json!({ "path": text(), "content": text() }),
                &["path", "content"],
            );
            let files = serde_json::json!({ "files": { "type": "array", "items": file } });
            Some(object(files, &["files"]))
        }
        AgentRole::Reflector => {
            let sure = serde_json::json!({ "enum": ["high", "medium", "low"] });
            let properties = serde_json::json!({
                "root_cause": text(),
                "fix_hypothesis": text(),
                "confidence": sure,
            });
            Some(object(properties, &["root_cause", "fix_hypothesis", "confidence"]))
        }
    }
}

/// What there is to know, from the most lasting to the newest.
fn material(asked: &Propose, files: &[(String, String)], printed: &str) -> String {
    let mut text = String::new();
    let runner = match asked.language {
        TaskLanguage::Python => "Python 3; its tests are run by pytest, hypothesis is there",
        TaskLanguage::Node => "JavaScript for Node; its tests are run by node --test",
    };
    say(&mut text, "Task", &asked.task);
    say(&mut text, "Language", runner);
    if let Some(plan) = &asked.plan {
        let numbered = plan.subtasks.iter().enumerate();
        let parts: Vec<_> = numbered.map(|(at, part)| format!("{}. {part}", at + 1)).collect();
        say(&mut text, "Plan", &parts.join("\n"));
        say(&mut text, "How to test", &plan.testing_strategy);
    }
    if !asked.remembered.is_empty() {
        let [begin, end] = EARLIER;
        writeln!(text, "{begin}").ok();
        for hit in &asked.remembered {
            let what = format!("Something alike ({} %)", hit.similarity);
            say(&mut text, &what, &format!("{}\n{}", hit.about, hit.solution));
        }
        writeln!(text, "{end}\n").ok();
    }
    for (path, content) in files {
        say(&mut text, &format!("File {path}"), content);
    }
    if let Some(tests) = &asked.tests {
        say(&mut text, "Last run of the tests", &steady(&run(tests)));
    }
    say(&mut text, "What it printed last", steady(cut::end(printed, PRINTED_TOLD)).trim());
    if let Some(analysis) = &asked.analysis {
        say(&mut text, "Why they failed", &analysis.root_cause);
        say(&mut text, "What to change", &analysis.fix_hypothesis);
    }
    for note in &asked.notes {
        say(&mut text, "To be known", note);
    }
    text
}

fn say(text: &mut String, what: &str, said: &str) {
    if !said.is_empty() {
        // Writing to a string does not fail.
        writeln!(text, "{what}:\n{said}\n").ok();
    }
}

fn run(tests: &TestReport) -> String {
    let mut text = format!("{} of {} passed.", tests.passed, tests.total);
    for error in tests.errors.iter().take(ERRORS_TOLD) {
        let (test, kind, message) = (&error.test, &error.error_type, &error.message);
        writeln!(text, "\n{test}: {kind}: {message} {}", error.place).ok();
    }
    text
}

/// A text without what differs from run to run: addresses, and how long something took. The same task asks the
/// same, so that what was once said can be said again.
fn steady(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines().filter(|line| !line.contains("duration_ms")) {
        let line =
            line.rsplit_once(" in ").filter(|(_, time)| is_time(time)).map_or(line, |it| it.0);
        let mut parts = line.split("0x");
        kept.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let digits = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
            kept.push_str("0x");
            kept.push_str(if digits >= ADDRESS_DIGITS { "0" } else { &part[..digits] });
            kept.push_str(&part[digits..]);
        }
        kept.push('\n');
    }
    kept
}

/// A number with fewer digits than this is no address.
const ADDRESS_DIGITS: usize = 6;

/// `0.11s`, as pytest ends its last line.
fn is_time(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '=']);
    text.strip_suffix('s').is_some_and(|secs| secs.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_told_to_no_model() {
        let of = |address: &str, secs: &str| {
            format!(
                "E  where 3 = <function run at 0x{address}>(0xff, 2)\n\
                 found in 2 places\n  duration_ms: {secs}\n\
                 ===== 2 failed, 1 passed in {secs}s =====\n1 failed in {secs}s\n"
            )
        };
        let told = steady(&of("7f497cf62e80", "0.11"));
        assert_eq!(told, steady(&of("7fb0aa14c040", "12.5")));
        assert_eq!(
            told,
            "E  where 3 = <function run at 0x0>(0xff, 2)\nfound in 2 places\n\
             ===== 2 failed, 1 passed\n1 failed\n"
        );
    }
}
