//! One request and what came of it, as it is kept; and the key by which it is found again.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use vosim_protocol::ids::Hash;

use super::contract::ModelId;
use super::reply::{ModelFault, Reply};
use super::request::{Message, Request};

/// A request and its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The key of the request.
    pub key: Hash,
    /// Who was asked.
    pub model: ModelId,
    /// What was asked.
    pub request: Request,
    /// The faults of the tries before the last, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ModelFault>,
    /// How the last try ended.
    #[serde(with = "ending")]
    pub ending: Result<Reply, ModelFault>,
}

impl Exchange {
    /// The exchange as bytes to be kept: one line of JSON.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("an exchange is made of texts and numbers")
    }
}

/// `{"reply": …}` or `{"fault": …}`.
mod ending {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{ModelFault, Reply};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Ending {
        Reply(Reply),
        Fault(ModelFault),
    }

    pub(super) fn serialize<S: Serializer>(
        ending: &Result<Reply, ModelFault>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match ending {
            Ok(reply) => Ending::Reply(reply.clone()),
            Err(fault) => Ending::Fault(fault.clone()),
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Result<Reply, ModelFault>, D::Error> {
        Ok(match Ending::deserialize(from)? {
            Ending::Reply(reply) => Ok(reply),
            Ending::Fault(fault) => Err(fault),
        })
    }
}

/// The key of a request: equal for requests that ask the same.
///
/// It covers role, messages, tools and the schema of the answer. Ids of calls count by their order,
/// arguments by their value, line ends and blanks at the ends of lines not at all. Limits and the
/// number of the iteration do not change what is asked.
#[must_use]
pub fn key(request: &Request) -> Hash {
    let tools: Vec<_> = request
        .tools
        .iter()
        .map(|tool| json!({ "name": tool.name, "about": tool.about, "arguments": sorted(&tool.arguments) }))
        .collect();
    let normal = json!({
        "role": request.role.name(),
        "messages": normal_messages(&request.messages),
        "tools": tools,
        "answer": request.answer.as_ref().map(sorted),
    });
    Hash::of(sorted(&normal).to_string().as_bytes())
}

/// The messages in the form in which the key compares them.
pub(super) fn normal_messages(messages: &[Message]) -> Vec<Value> {
    let mut ids = BTreeMap::new();
    messages
        .iter()
        .map(|said| match said {
            Message::User { text } => {
                json!({ "from": said.speaker(), "text": normal_text(&without_earlier(text)) })
            }
            Message::System { .. } | Message::Model { call: None, .. } => {
                json!({ "from": said.speaker(), "text": normal_text(said.text()) })
            }
            Message::Model { text, call: Some(call) } => {
                let number = ids.len();
                ids.insert(call.id.as_str(), number);
                json!({
                    "from": said.speaker(),
                    "text": normal_text(text),
                    "call": number,
                    "tool": call.tool,
                    "arguments": normal_arguments(&call.arguments),
                })
            }
            Message::Result { call, text } => {
                let number = ids.get(call.as_str());
                json!({ "from": said.speaker(), "text": normal_text(text), "call": number })
            }
        })
        .collect()
}

/// A text for the middle of a sentence: no line ends and nothing that a terminal obeys.
pub(super) fn on_one_line(text: &str) -> String {
    text.chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect()
}

/// Between these stands what earlier tasks have to say. It is no part of a key: who asks the same once more
/// has one more earlier task.
pub const EARLIER: [&str; 2] = ["<earlier_tasks>", "</earlier_tasks>"];

fn without_earlier(text: &str) -> Cow<'_, str> {
    let [begin, end] = EARLIER;
    match (text.find(begin), text.rfind(end)) {
        (Some(from), Some(to)) if from < to => {
            Cow::Owned(format!("{}{}", &text[..from], text[to + end.len()..].trim_start()))
        }
        _ => Cow::Borrowed(text),
    }
}

fn normal_text(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Arguments that are JSON compare by value, others as they came.
fn normal_arguments(text: &str) -> Value {
    serde_json::from_str(text).map_or_else(|_| Value::from(text), |value: Value| sorted(&value))
}

/// The same value with the keys of its objects in one order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> =
                fields.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::reply::Call;
    use vosim_protocol::v1::agent::AgentRole;

    use super::super::request::{Limits, Tool};
    use super::*;

    fn request(id: &str, arguments: &str, told: &str) -> Request {
        let call = Call { id: id.into(), tool: "read_file".into(), arguments: arguments.into() };
        Request {
            role: AgentRole::Coder,
            iteration: 1,
            messages: vec![
                Message::User { text: told.into() },
                Message::Model { text: String::new(), call: Some(call) },
                Message::Result { call: id.into(), text: "x = 1\n".into() },
            ],
            tools: vec![Tool {
                name: "read_file".into(),
                about: "Reads.".into(),
                arguments: json!({ "type": "object", "required": ["path"] }),
            }],
            answer: None,
            limits: Limits { temperature_hundredths: 20, reply_tokens_max: 10, try_secs: 5 },
        }
    }

    #[test]
    fn what_asks_the_same_has_the_same_key() {
        let one = request("call_1", r#"{"path": "a.py", "from": 1}"#, "go\non");
        let mut two = request("zzz", r#"{"from":1,"path":"a.py"}"#, "go \r\non\n");
        two.iteration = 7;
        two.limits.reply_tokens_max = 11;
        two.tools[0].arguments = json!({ "required": ["path"], "type": "object" });
        assert_eq!(key(&one), key(&two));
    }

    #[test]
    fn what_earlier_tasks_say_is_no_part_of_the_key() {
        let [begin, end] = EARLIER;
        let with = |earlier: &str| request("a", "{}", &format!("go\n\n{earlier}on"));
        let keys = ["", &format!("{begin}\nsorted\n{end}\n\n"), &format!("{begin}{end}{end}\n")]
            .map(|earlier| key(&with(earlier)));
        assert!(keys.iter().all(|one| *one == keys[0]));
        assert_ne!(key(&with(begin)), keys[0], "a mark alone marks nothing");
    }

    #[test]
    fn what_asks_something_else_has_another_key() {
        let one = request("a", r#"{"path":"a.py"}"#, "go");
        let mut others = vec![
            request("a", r#"{"path":"b.py"}"#, "go"),
            request("a", r#"{"path":"a.py""#, "go"),
            request("a", r#"{"path":"a.py"}"#, " go"),
        ];
        let change = |change: &dyn Fn(&mut Request)| {
            let mut other = one.clone();
            change(&mut other);
            other
        };
        others.push(change(&|other| other.role = AgentRole::Tester));
        others.push(change(&|other| other.tools.clear()));
        others.push(change(&|other| other.answer = Some(json!({}))));
        others.push(change(&|other| other.messages.truncate(1)));
        let keys: std::collections::BTreeSet<_> =
            others.iter().chain([&one]).map(|request| key(request).hex()).collect();
        assert_eq!(keys.len(), others.len() + 1);
    }

    #[test]
    fn an_exchange_reads_back_as_it_was_kept() {
        use super::super::contract::{ModelId, ModelKind};
        use super::super::reply::{Again, FaultKind, Said, Usage};
        let request = request("a", "{}", "go");
        let fault = ModelFault::new(FaultKind::Unavailable, Again::AfterMillis(2000), "loading");
        let reply = Reply {
            said: Said::Text { text: "done".into() },
            usage: Usage::NOTHING,
            answered_by: None,
            warnings: Vec::new(),
        };
        for ending in [Ok(reply), Err(fault.clone())] {
            let model = ModelId { kind: ModelKind::Openai, name: "small".into() };
            let kept = Exchange {
                key: key(&request),
                model,
                request: request.clone(),
                faults: vec![fault.clone()],
                ending,
            };
            let line = kept.to_line();
            assert!(!line.contains(&b'\n'));
            assert_eq!(serde_json::from_slice::<Exchange>(&line).unwrap(), kept);
        }
    }
}
