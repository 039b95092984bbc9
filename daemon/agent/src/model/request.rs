//! What a model is asked.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use vosim_protocol::v1::agent::AgentRole;

use super::reply::Call;

/// One thing to be said next in a conversation that is handed over whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Who is to speak.
    pub role: AgentRole,
    /// The iteration of the task, from 1. No server is told of it; a script's rules may ask for it.
    pub iteration: u32,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// What may be called. Empty: the reply is a text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// The schema of a text that is to be JSON. Whoever asked checks the text all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// What the reply may cost.
    pub limits: Limits,
}

/// Bounds of one reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// How freely a model chooses, in hundredths: 20 is a temperature of 0.2.
    pub temperature_hundredths: u16,
    /// Tokens of the reply at most.
    pub reply_tokens_max: u32,
    /// Time for one try, in seconds.
    pub try_secs: u64,
}

impl Limits {
    /// Time for one try.
    #[must_use]
    pub fn try_within(&self) -> Duration {
        Duration::from_secs(self.try_secs)
    }
}

/// Something that was said.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Message {
    /// What holds for the whole conversation.
    System {
        /// The instructions.
        text: String,
    },
    /// What the model is told.
    User {
        /// The words.
        text: String,
    },
    /// What the model said.
    Model {
        /// The words, possibly none beside a call.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
        /// The call that it asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Call>,
    },
    /// What came of the call in the message before.
    Result {
        /// The call's id.
        call: String,
        /// What the tool answered.
        text: String,
    },
}

impl Message {
    /// The words of it, without a call.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::System { text }
            | Self::User { text }
            | Self::Model { text, .. }
            | Self::Result { text, .. } => text,
        }
    }

    /// Who said it, as an error would name it.
    #[must_use]
    pub fn speaker(&self) -> &'static str {
        match self {
            Self::System { .. } => "system",
            Self::User { .. } => "user",
            Self::Model { .. } => "model",
            Self::Result { .. } => "result",
        }
    }
}

impl fmt::Debug for Message {
    /// Candidates' code and tasks stay out of the daemon's log: the length is enough.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(self.speaker());
        shown.field("bytes", &self.text().len());
        if let Self::Model { call: Some(call), .. } = self {
            shown.field("call", call);
        }
        shown.finish()
    }
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub about: String,
    /// The JSON schema of its arguments, an object.
    pub arguments: Value,
}

/// A conversation that cannot be sent: a fault of the program that made it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// A call without its result, a result without its call, or one that is out of order.
    #[error("message {number}: {told}")]
    Order {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        told: &'static str,
    },
}

impl Request {
    /// How many tokens it has, as a cautious estimate: a third of its bytes, with some for each message.
    ///
    /// Texts and programs have three to four bytes for each token in the vocabularies in use.
    #[must_use]
    pub fn tokens_estimated(&self) -> u64 {
        let messages: usize = self.messages.iter().map(|said| said.bytes() + 16).sum();
        let tools: usize = self
            .tools
            .iter()
            .map(|tool| tool.name.len() + tool.about.len() + tool.arguments.to_string().len() + 32)
            .sum();
        let answer = self.answer.as_ref().map_or(0, |schema| schema.to_string().len());
        (messages + tools + answer).div_ceil(3) as u64
    }

    /// Checks that each call has exactly one result, directly after it, and each result its call.
    ///
    /// A server refuses anything else for the rest of the conversation.
    ///
    /// # Errors
    /// The first message that breaks this.
    pub fn check(&self) -> Result<(), Malformed> {
        let mut open: Option<&str> = None;
        let mut seen = std::collections::BTreeSet::new();
        let numbered = self.messages.iter().enumerate().map(|(at, said)| (at + 1, said));
        for (number, said) in numbered {
            let wrong = |told| Err(Malformed::Order { number, told });
            match (open, said) {
                (Some(id), Message::Result { call, .. }) if call == id => open = None,
                (Some(_), _) => return wrong("the call before it has no result"),
                (None, Message::Result { .. }) => return wrong("a result without a call"),
                (None, Message::Model { call: Some(call), .. }) => {
                    if !seen.insert(call.id.as_str()) {
                        return wrong("the id of an earlier call");
                    }
                    open = Some(&call.id);
                }
                (None, Message::System { .. }) if number > 1 => {
                    return wrong("instructions after the beginning");
                }
                (None, Message::System { .. } | Message::User { .. } | Message::Model { .. }) => {}
            }
        }
        match open {
            Some(_) => Err(Malformed::Order {
                number: self.messages.len(),
                told: "a call without a result",
            }),
            None => Ok(()),
        }
    }

    /// How often the model has spoken since it was last told something by a user's message: 0 at the
    /// beginning of its work.
    #[must_use]
    pub fn turn(&self) -> u32 {
        let spoken =
            self.messages.iter().rev().take_while(|said| !matches!(said, Message::User { .. }));
        let spoken = spoken.filter(|said| matches!(said, Message::Model { .. })).count();
        u32::try_from(spoken).unwrap_or(u32::MAX)
    }
}

impl Request {
    /// The id for the next call. Servers choose ids that come twice or are missing, and one of them
    /// refuses any that are not nine letters and digits, so ids are given here.
    #[must_use]
    pub fn next_call_id(&self) -> String {
        let calls = self.messages.iter();
        let calls =
            calls.filter(|said| matches!(said, Message::Model { call: Some(_), .. })).count();
        format!("call{:05}", calls + 1)
    }
}

impl Message {
    fn bytes(&self) -> usize {
        let call = match self {
            Self::Model { call: Some(call), .. } => call.tool.len() + call.arguments.len(),
            Self::System { .. } | Self::User { .. } | Self::Model { .. } | Self::Result { .. } => 0,
        };
        self.text().len() + call
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user() -> Message {
        Message::User { text: "go".into() }
    }

    fn call(id: &str) -> Message {
        let call = Call { id: id.into(), tool: "list_files".into(), arguments: "{}".into() };
        Message::Model { text: String::new(), call: Some(call) }
    }

    fn result(id: &str) -> Message {
        Message::Result { call: id.into(), text: "none".into() }
    }

    fn request(messages: Vec<Message>) -> Request {
        Request {
            role: AgentRole::Coder,
            iteration: 1,
            messages,
            tools: Vec::new(),
            answer: None,
            limits: Limits { temperature_hundredths: 20, reply_tokens_max: 10, try_secs: 5 },
        }
    }

    #[test]
    fn each_call_has_exactly_one_result_in_order() {
        let system = || Message::System { text: "be brief".into() };
        let said = || Message::Model { text: "yes".into(), call: None };
        let right = [
            vec![],
            vec![system(), user(), said(), user()],
            vec![user(), call("a"), result("a"), call("b"), result("b"), said()],
        ];
        for messages in right {
            assert_eq!(request(messages).check(), Ok(()));
        }
        let wrong = [
            (vec![user(), call("a")], "message 2: a call without a result"),
            (vec![user(), result("a")], "message 2: a result without a call"),
            (vec![call("a"), user(), result("a")], "message 2: the call before it has no result"),
            (vec![call("a"), result("b")], "message 2: the call before it has no result"),
            (vec![call("a"), result("a"), result("a")], "message 3: a result without a call"),
            (
                vec![call("a"), result("a"), call("a"), result("a")],
                "message 3: the id of an earlier call",
            ),
            (vec![user(), system()], "message 2: instructions after the beginning"),
        ];
        for (messages, told) in wrong {
            assert_eq!(request(messages).check().unwrap_err().to_string(), told);
        }
    }

    #[test]
    fn a_turn_counts_what_was_said_since_a_user_spoke() {
        let mut all = request(vec![user(), call("call00001"), result("call00001"), user()]);
        assert_eq!((all.turn(), all.next_call_id().as_str()), (0, "call00002"));
        all.messages.extend([call("call00002"), result("call00002")]);
        assert_eq!((all.turn(), all.next_call_id().as_str()), (1, "call00003"));
    }

    #[test]
    fn what_was_said_stays_out_of_the_daemons_log() {
        let mut all = request(vec![user(), call("a"), result("a")]);
        all.messages.push(Message::Model { text: "secret".into(), call: None });
        let told = format!("{all:?}");
        assert!(!told.contains("secret") && !told.contains("go\""), "{told}");
    }
}
