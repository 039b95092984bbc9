//! The tool by which an agent gives the commands of the session that it sits. It is told of each what a
//! candidate is told: what happened in the session, and where that stands.

use serde::Deserialize;
use serde_json::json;
use vosim_protocol::misfit;
use vosim_protocol::schemars::SchemaGenerator;
use vosim_protocol::v1::agent::{Exam, Sitting, ToolCall};
use vosim_protocol::v1::commands::{CommandSchema, Commands as _};
use vosim_protocol::v1::effect::Acted;
use vosim_protocol::v1::service::{View, ViewParams};
use vosim_protocol::v1::telling::{Channel, Entry, ToldRecord};
use vosim_protocol::v1::{attempt, drill, interview};
use vosim_protocol::{Blob, BlobRef, Json, Role, Wire as _};

use super::seat::{GivenCommand, NoAnswer, Seat};
use super::{file, params};
use crate::effects::{Done, Run};

/// What it is called.
pub(in crate::effects) const TOOL: &str = "session";
/// Arguments that the tool fills in: the file is the one in the workspace.
const FILLED: [&str; 3] = ["file_path", "code", "language"];
/// What is told of a view: the rest is known, or is for screens.
const TOLD: [&str; 10] = [
    "phase",
    "v2Step",
    "mode",
    "current_section",
    "allowed",
    "allowed_actions",
    "discovery_question",
    "templates",
    "lesson",
    "own_cases",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    command: String,
    #[serde(default)]
    args: Json,
}

/// The commands of the session that an agent may give, with what each needs.
fn commands(sitting: Sitting) -> Vec<(String, CommandSchema)> {
    let generator = &mut SchemaGenerator::default();
    let all = match sitting {
        Sitting::Drill => drill::Command::schemas(generator),
        Sitting::Attempt => attempt::Command::schemas(generator),
        Sitting::Interview => interview::Command::schemas(generator),
    };
    let mine = |(name, schema): &(String, CommandSchema)| {
        // In a drill the run of the tests submits, and a pass ends it.
        let by_itself = !sitting.is_talk() && matches!(name.as_str(), "submit" | "end");
        schema.may.contains(&Role::Agent) && !by_itself
    };
    all.into_iter().filter(mine).collect()
}

/// The tool as a model is told of it: text, and the schema of its arguments.
pub(in crate::effects) fn described(sitting: Sitting) -> (String, Json) {
    let commands = commands(sitting);
    let kind = sitting.kind();
    let mut text = format!(
        "Give a command of the {kind} that you sit. The answer says what happened and what can be given \
         next. A command that takes a file takes the solution as it stands. The commands, each with \
         its args:"
    );
    for (name, schema) in &commands {
        let required = schema.args["required"].as_array();
        let needed = |field: &str| required.is_some_and(|all| all.iter().any(|one| one == field));
        let fields = schema.args["properties"].as_object().into_iter().flatten();
        let fields = fields.filter(|(field, _)| !FILLED.contains(&field.as_str()));
        let fields: Vec<_> = fields
            .map(|(field, about)| {
                let optional = if needed(field) { "" } else { "?" };
                let about = about["description"].as_str().unwrap_or_default();
                format!("{field}{optional}: {about}")
            })
            .collect();
        text += &format!("\n{name} {{{}}} {}", fields.join(" "), schema.doc);
    }
    let names: Vec<_> = commands.iter().map(|(name, _)| name.as_str()).collect();
    let arguments = json!({
        "type": "object",
        "properties": { "command": { "enum": names }, "args": { "type": "object" } },
        "required": ["command"],
        "additionalProperties": false,
    });
    (text, arguments)
}

/// Carries out a call of the tool.
pub(in crate::effects) async fn take_part(
    run: &Run,
    exam: &Exam,
    workspace: &str,
    call: &ToolCall,
) -> Result<Done<Acted>, String> {
    let text = run.code(call.arguments.hash).await?;
    let (command, args) = match serde_json::from_slice(&text) {
        Ok(Arguments { command, args }) => (command, args),
        Err(error) => {
            let why = format!("the arguments are not the tool's: {}", misfit::words(&error));
            return Ok(refused(TOOL, &why, &Json::Null));
        }
    };
    let commands = commands(exam.sitting);
    let Some((_, schema)) = commands.iter().find(|(name, _)| *name == command) else {
        let names: Vec<_> = commands.iter().map(|(name, _)| name.as_str()).collect();
        let why = format!("there is no command `{command}`; there are {}", names.join(", "));
        return Ok(refused(TOOL, &why, &Json::Null));
    };
    let (args, blobs) = filled(run, exam, workspace, schema, args).await?;
    let mut seat = Seat::take(&run.daemon.socket).await?;
    let given = seat.give(&params(run, exam, TOOL, &command, args, blobs)).await;
    if let Err(NoAnswer::Lost(why)) = given {
        return Err(why);
    }
    let session = ViewParams { session: Some(exam.session.to_string()), role: Role::Agent };
    let view = seat.ask::<View>(&session).await?.view;
    Ok(match given {
        Ok(given) => answered(&command, given, &view),
        Err(none) => refused(&command, &String::from(none), &view),
    })
}

/// A command that takes a file takes the solution.
async fn filled(
    run: &Run,
    exam: &Exam,
    workspace: &str,
    schema: &CommandSchema,
    args: Json,
) -> Result<(Json, Vec<Blob>), String> {
    let mut args = if args.is_null() { json!({}) } else { args };
    let takes = |field: &str| schema.args["properties"].get(field).is_some();
    let Some(fields) = args.as_object_mut().filter(|_| takes("code")) else {
        return Ok((args, Vec::new()));
    };
    let code = file(run, exam, workspace).await?;
    let reference: BlobRef = code.reference();
    let filled = [
        ("file_path", Json::from(exam.file.clone())),
        ("code", reference.to_json()),
        ("language", exam.language.to_json()),
    ];
    for (field, value) in filled.into_iter().filter(|(field, _)| takes(field)) {
        fields.insert(field.to_owned(), value);
    }
    Ok((args, vec![code]))
}

fn answered(command: &str, given: GivenCommand, view: &Json) -> Done<Acted> {
    let said = given.events.into_iter().filter_map(said).collect::<Vec<_>>();
    let last = said.last().map_or("", String::as_str);
    let gist = format!("{command}: {}", last.lines().next().unwrap_or_default());
    let told = json!({
        "success": true,
        "happened": said,
        "result": given.result,
        "session": stands(view),
    });
    ended(true, &told, gist.trim_end_matches(": ").to_owned())
}

/// Where the session stands.
fn stands(view: &Json) -> Json {
    let told = TOLD.iter().filter_map(|name| Some(((*name).to_owned(), view.get(name)?.clone())));
    Json::Object(told.filter(|(_, value)| !value.is_null()).collect())
}

/// One entry of the transcript.
fn said(told: ToldRecord) -> Option<String> {
    let ToldRecord { record, telling } = told;
    let entry = Entry::of(record.event_id, record.timestamp, telling?)?;
    let who = match entry.telling.channel {
        Channel::Section => "section",
        Channel::Interviewer => "interviewer",
        Channel::Candidate | Channel::Ask => "you",
        Channel::Assistant => "assistant",
        Channel::System => "system",
    };
    Some(format!("{who}: {}", entry.text()))
}

fn refused(command: &str, why: &str, view: &Json) -> Done<Acted> {
    let told = json!({ "success": false, "error": why, "session": stands(view) });
    ended(false, &told, format!("{command}: {why}"))
}

fn ended(ok: bool, told: &Json, gist: String) -> Done<Acted> {
    let result = Blob(told.to_line());
    let outcome = Acted {
        ok,
        result: result.reference(),
        gist,
        written: None,
        seen: Default::default(),
        interrupted: false,
    };
    Done { outcome, blobs: vec![result] }
}
