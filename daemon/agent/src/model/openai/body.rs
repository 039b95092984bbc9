//! A request as the body of a chat completion.
//!
//! Where a server has no field for tools, one JSON object stands for a call: the model is told its form,
//! and the server holds it to a schema where it can.

use serde_json::{Map, Value, json};

use super::super::reply::Call;
use super::super::request::{Message, Request, Tool};
use super::abilities::{Abilities, Extra};

/// The tool by which a model says, in one JSON object, that it calls no other.
pub(super) const DONE: &str = "done";

/// What is sent, and which parts of it the server may not know.
pub(super) struct Body {
    pub(super) json: Value,
    pub(super) extras: Vec<Extra>,
}

/// Whether the calls of this request go as one JSON object.
pub(super) fn by_object(request: &Request, abilities: &Abilities) -> bool {
    !request.tools.is_empty() && !abilities.has(Extra::NativeTools)
}

/// The body of a request.
pub(super) fn body(request: &Request, model: &str, abilities: &Abilities) -> Body {
    let mut fields = Map::new();
    let mut extras = Vec::new();
    let by_object = by_object(request, abilities);
    fields.insert("model".into(), model.into());
    fields.insert("messages".into(), messages(request, by_object).into());
    let mut extra = |extra: Extra, fields: &mut Map<String, Value>, name: &str, value: Value| {
        if abilities.has(extra) {
            fields.insert(name.into(), value);
            extras.push(extra);
        }
    };
    extra(Extra::Stream, &mut fields, "stream", true.into());
    if abilities.has(Extra::Stream) {
        let options = json!({ "include_usage": true });
        extra(Extra::StreamOptions, &mut fields, "stream_options", options);
    }
    let temperature = f64::from(request.limits.temperature_hundredths) / 100.0;
    extra(Extra::Temperature, &mut fields, "temperature", temperature.into());
    let most: Value = request.limits.reply_tokens_max.into();
    extra(Extra::MaxTokens, &mut fields, "max_tokens", most.clone());
    if !request.tools.is_empty() && !by_object {
        let tools = request.tools.iter().map(native).collect();
        extra(Extra::NativeTools, &mut fields, "tools", tools);
        extra(Extra::SingleCall, &mut fields, "parallel_tool_calls", false.into());
    }
    let schema =
        if by_object { Some(action_schema(&request.tools)) } else { request.answer.clone() };
    if let Some(schema) = schema {
        let form =
            json!({ "type": "json_schema", "json_schema": { "name": "answer", "schema": schema } });
        extra(Extra::AnswerSchema, &mut fields, "response_format", form);
    }
    if !abilities.has(Extra::MaxTokens) {
        fields.insert("max_completion_tokens".into(), most);
    }
    Body { json: fields.into(), extras }
}

fn native(tool: &Tool) -> Value {
    let function =
        json!({ "name": tool.name, "description": tool.about, "parameters": tool.arguments });
    json!({ "type": "function", "function": function })
}

/// The schema of one JSON object that stands for a call, or for none.
fn action_schema(tools: &[Tool]) -> Value {
    let form = |name: &str, arguments: Value| {
        json!({
            "type": "object",
            "properties": { "tool": { "const": name }, "arguments": arguments },
            "required": ["tool", "arguments"],
            "additionalProperties": false,
        })
    };
    let done = json!({
        "type": "object",
        "properties": { "note": { "type": "string" } },
        "required": ["note"],
        "additionalProperties": false,
    });
    let calls = tools.iter().map(|tool| form(&tool.name, tool.arguments.clone()));
    let all: Vec<_> = calls.chain([form(DONE, done)]).collect();
    json!({ "anyOf": all })
}

/// What a model is told of the form of its calls.
fn action_text(tools: &[Tool]) -> String {
    let listed = tools.iter().map(|tool| {
        format!("- {}: {} Arguments, as a JSON schema: {}\n", tool.name, tool.about, tool.arguments)
    });
    format!(
        "Answer with exactly one JSON object and nothing around it:\n\
         {{\"tool\": NAME, \"arguments\": {{...}}}}\n\
         The tools:\n{}- {DONE}: say that you need no further call. Arguments: {{\"note\": TEXT}}\n\
         What a tool answers comes back as the next message.",
        listed.collect::<String>()
    )
}

fn messages(request: &Request, by_object: bool) -> Vec<Value> {
    let mut system = String::new();
    let mut all: Vec<(&str, Value)> = Vec::new();
    for said in &request.messages {
        match said {
            Message::System { text } => system.push_str(text),
            Message::User { text } => add_user(&mut all, text),
            Message::Model { text, call: None } => {
                all.push(("assistant", json!({ "role": "assistant", "content": text })));
            }
            Message::Model { call: Some(call), .. } if by_object => {
                all.push(("assistant", json!({ "role": "assistant", "content": object(call) })));
            }
            Message::Model { text, call: Some(call) } => {
                let content = if text.is_empty() { Value::Null } else { text.as_str().into() };
                let function = json!({ "name": call.tool, "arguments": sendable(&call.arguments).to_string() });
                let calls = json!([{ "id": call.id, "type": "function", "function": function }]);
                all.push((
                    "assistant",
                    json!({ "role": "assistant", "content": content, "tool_calls": calls }),
                ));
            }
            Message::Result { text, .. } if by_object => add_user(&mut all, text),
            Message::Result { call, text } => {
                all.push((
                    "tool",
                    json!({ "role": "tool", "tool_call_id": call, "content": text }),
                ));
            }
        }
    }
    if by_object {
        if !system.is_empty() {
            system.push_str("\n\n");
        }
        system.push_str(&action_text(&request.tools));
    }
    let first = (!system.is_empty()).then(|| json!({ "role": "system", "content": system }));
    first.into_iter().chain(all.into_iter().map(|(_, said)| said)).collect()
}

/// Adds what a user says. Two such messages become one: templates of some models want the two speakers
/// to take turns.
fn add_user(all: &mut Vec<(&str, Value)>, text: &str) {
    if let Some(("user", last)) = all.last_mut() {
        let before = last["content"].as_str().unwrap_or_default();
        last["content"] = format!("{before}\n\n{text}").into();
    } else {
        all.push(("user", json!({ "role": "user", "content": text })));
    }
}

fn object(call: &Call) -> String {
    json!({ "tool": call.tool, "arguments": sendable(&call.arguments) }).to_string()
}

/// Arguments that a server can read. It refuses a whole conversation for one that holds no JSON object,
/// so what was no object before, and was told to be none, goes as a text inside one.
fn sendable(arguments: &str) -> Value {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        Ok(_) | Err(_) => {
            let start: String = arguments.chars().take(800).collect();
            json!({ "unreadable": start })
        }
    }
}
