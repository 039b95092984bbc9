//! A model of rules: the first that fits the state and what was said last gives the reply.
//!
//! It is used by name only, and is deterministic: the reply follows from the request alone. That a
//! task succeeds with it shows that the loop works, and nothing else.

use serde::Deserialize;
use serde_json::Value;
use vosim_protocol::v1::agent::AgentRole;

use super::contract::{Answer, Model, ModelId, ModelKind};
use super::exchange::on_one_line;
use super::reply::{Again, Call, FaultKind, ModelFault, Reply, Said, Usage};
use super::request::Request;

/// The scripts in the program, by name.
const SHIPPED: &[(&str, &str)] = &[
    ("passes", include_str!("script/passes.toml")),
    ("fixes", include_str!("script/fixes.toml")),
    ("stuck", include_str!("script/stuck.toml")),
    ("never", include_str!("script/never.toml")),
    ("network", include_str!("script/network.toml")),
];

/// Rules over what a model is told.
#[derive(Debug, PartialEq)]
pub struct Script {
    name: String,
    rules: Vec<Rule>,
}

/// One rule: what it fits, and what is said then.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    role: AgentRole,
    /// From which iteration to which; any without.
    #[serde(default)]
    iteration: Option<[u32; 2]>,
    /// How often the model has spoken since a user's message; any without.
    #[serde(default)]
    turn: Option<u32>,
    /// What stands in the last message; anything without.
    #[serde(default)]
    seen: Option<String>,
    /// Tokens of request and reply, for what counts them.
    #[serde(default)]
    tokens: Option<[u64; 2]>,
    then: Then,
}

/// What a rule says.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Then {
    /// A text.
    Say(String),
    /// A call.
    Call { tool: String, arguments: Value },
    /// Arguments as they stand, for what no well-behaved model says.
    CallRaw { tool: String, arguments: String },
    /// A reply that ends in the middle.
    Cut(String),
    /// No reply.
    Fault { kind: FaultKind, told: String, again: Again },
}

/// Why a script cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// There is none of this name.
    #[error("there is no script `{name}`; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// It is no script.
    #[error("the script `{name}` cannot be read: {told}")]
    Unreadable {
        /// Its name.
        name: String,
        /// What is wrong with it.
        told: String,
    },
}

impl Script {
    /// A script that is part of the program.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn shipped(name: &str) -> Result<Self, ScriptError> {
        let Some((name, text)) = SHIPPED.iter().find(|(known, _)| *known == name) else {
            let known: Vec<_> = Self::names().collect();
            return Err(ScriptError::Unknown { name: name.to_owned(), known: known.join(", ") });
        };
        Self::read(name, text)
    }

    /// The names of the scripts in the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// Reads a script: a list of `[[rule]]` in TOML.
    ///
    /// # Errors
    /// If it is not one.
    pub fn read(name: &str, text: &str) -> Result<Self, ScriptError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            #[serde(rename = "rule")]
            rules: Vec<Rule>,
        }
        let file: File = toml::from_str(text).map_err(|error| ScriptError::Unreadable {
            name: name.to_owned(),
            told: error.to_string().trim_end().to_owned(),
        })?;
        Ok(Self { name: name.to_owned(), rules: file.rules })
    }

    fn answer(&self, request: &Request) -> Result<Reply, ModelFault> {
        let rule = self.rules.iter().find(|rule| rule.fits(request));
        let rule = rule.ok_or_else(|| self.no_rule(request))?;
        let call = |tool: &String, arguments: String| Said::Call {
            text: String::new(),
            call: Call { id: request.next_call_id(), tool: tool.clone(), arguments },
            left_out: 0,
        };
        let said = match &rule.then {
            Then::Say(text) => Said::Text { text: text.clone() },
            Then::Call { tool, arguments } => call(tool, arguments.to_string()),
            Then::CallRaw { tool, arguments } => call(tool, arguments.clone()),
            Then::Cut(text) => Said::Cut {
                text: text.clone(),
                tool: None,
                why: "the script ends the reply here".to_owned(),
            },
            Then::Fault { kind, told, again } => {
                return Err(ModelFault::new(*kind, *again, told.clone()));
            }
        };
        let usage = rule.tokens.map_or(Usage::NOTHING, |[prompt, completion]| Usage {
            prompt: Some(prompt),
            completion: Some(completion),
            ..Usage::NOTHING
        });
        Ok(Reply { said, usage, answered_by: None, warnings: Vec::new() })
    }

    fn no_rule(&self, request: &Request) -> ModelFault {
        let last = request.messages.last().map_or("", |said| said.text());
        let last: String = last.chars().take(80).collect();
        ModelFault::new(
            FaultKind::Exhausted,
            Again::Never,
            format!(
                "the script `{}` has no rule for the {} in iteration {}, turn {}, after `{}`",
                self.name,
                request.role.name(),
                request.iteration,
                request.turn(),
                on_one_line(&last)
            ),
        )
    }
}

impl Rule {
    fn fits(&self, request: &Request) -> bool {
        let last = request.messages.last().map_or("", |said| said.text());
        self.role == request.role
            && self.iteration.is_none_or(|[from, to]| (from..=to).contains(&request.iteration))
            && self.turn.is_none_or(|turn| turn == request.turn())
            && self.seen.as_ref().is_none_or(|seen| last.contains(seen))
    }
}

impl Model for Script {
    fn id(&self) -> ModelId {
        ModelId { kind: ModelKind::Script, name: self.name.clone() }
    }

    fn ask<'a>(&'a self, request: &'a Request) -> Answer<'a> {
        Box::pin(std::future::ready(self.answer(request)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, Message};
    use super::*;

    const RULES: &str = r#"
        [[rule]]
        role = "coder"
        iteration = [2, 3]
        then.say = "later"
        [[rule]]
        role = "coder"
        turn = 0
        tokens = [7, 3]
        then.call = { tool = "read_file", arguments = { path = "a.py" } }
        [[rule]]
        role = "coder"
        seen = "No such file"
        then.call_raw = { tool = "create_file", arguments = '{"path":' }
        [[rule]]
        role = "tester"
        then.cut = '{"files"'
        [[rule]]
        role = "planner"
        then.fault = { kind = "unavailable", told = "loading", again = { after_millis = 5 } }
    "#;

    fn request(role: AgentRole, iteration: u32, messages: Vec<Message>) -> Request {
        let limits = Limits { temperature_hundredths: 0, reply_tokens_max: 1, try_secs: 1 };
        Request { role, iteration, messages, tools: Vec::new(), answer: None, limits }
    }

    fn user(text: &str) -> Message {
        Message::User { text: text.to_owned() }
    }

    fn script() -> Script {
        Script::read("mine", RULES).unwrap()
    }

    fn said(request: &Request) -> Said {
        script().answer(request).unwrap().said
    }

    #[test]
    fn the_first_rule_that_fits_answers() {
        let later = said(&request(AgentRole::Coder, 3, vec![user("go")]));
        assert_eq!(later, Said::Text { text: "later".into() });
        let start = request(AgentRole::Coder, 1, vec![user("go")]);
        let reply = script().answer(&start).unwrap();
        assert_eq!(reply.usage.total(), Some(10));
        let Said::Call { call, .. } = reply.said else { panic!("{:?}", reply.said) };
        assert_eq!(
            (call.id.as_str(), call.arguments.as_str()),
            ("call00001", r#"{"path":"a.py"}"#)
        );
        let mut messages = start.messages;
        messages.push(Message::Model { text: String::new(), call: Some(call) });
        messages.push(Message::Result { call: "call00001".into(), text: "No such file".into() });
        let next = said(&request(AgentRole::Coder, 1, messages));
        let Said::Call { call, .. } = next else { panic!("{next:?}") };
        assert_eq!((call.id.as_str(), call.arguments.as_str()), ("call00002", r#"{"path":"#));
        assert!(matches!(said(&request(AgentRole::Tester, 1, vec![])), Said::Cut { .. }));
        let fault = script().answer(&request(AgentRole::Planner, 1, vec![])).unwrap_err();
        assert_eq!((fault.again, fault.to_string()), (Again::AfterMillis(5), "loading".into()));
    }

    #[test]
    fn a_state_without_a_rule_is_named() {
        let messages = vec![user("go"), Message::Model { text: "a".into(), call: None }];
        let fault = script().answer(&request(AgentRole::Coder, 1, messages)).unwrap_err();
        insta::assert_snapshot!(fault, @"the script `mine` has no rule for the coder in iteration 1, turn 1, after `a`");
        assert_eq!(fault.again, Again::Never);
    }

    #[test]
    fn a_script_that_cannot_be_read_is_refused_with_the_place() {
        let wrong = [
            ("no rules", "name = 1"),
            ("unknown field", "[[rule]]\nrole = \"coder\"\nwhen = 1\nthen.say = \"a\""),
            ("two endings", "[[rule]]\nrole = \"coder\"\nthen.say = \"a\"\nthen.cut = \"a\""),
            ("nothing said", "[[rule]]\nrole = \"coder\""),
        ];
        for (what, text) in wrong {
            let error = Script::read("mine", text).unwrap_err().to_string();
            assert!(error.starts_with("the script `mine` cannot be read: "), "{what}: {error}");
        }
        let error = Script::shipped("winner").unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no script `winner`; there are passes, fixes, stuck, never, network"
        );
    }

    #[test]
    fn every_script_in_the_program_can_be_read() {
        for name in Script::names() {
            let script = Script::shipped(name).unwrap();
            assert_eq!(script.id().to_string(), format!("script:{name}"));
        }
    }
}
