//! A model that says again what was once said to the same request.
//!
//! A request that was not recorded is an error that names the first message in which it differs from
//! the nearest one that was.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use vosim_protocol::ids::Hash;
use vosim_protocol::misfit;

use super::contract::{Answer, Model, ModelId, ModelKind};
use super::exchange::{Exchange, key, normal_messages, on_one_line};
use super::reply::{Again, FaultKind, ModelFault, Reply};
use super::request::{Message, Request};

/// Recorded exchanges, by the key of what was asked.
pub struct Replay {
    name: String,
    exchanges: Vec<Exchange>,
    /// For each key the exchanges in their order, and how many of them were used.
    by_key: HashMap<Hash, Vec<usize>>,
    used: Mutex<HashMap<Hash, usize>>,
}

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A line is no exchange.
    #[error("line {line} of the recording `{name}` is no exchange: {told}")]
    Line {
        /// The recording.
        name: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        told: String,
    },
    /// A line's key is not that of its request.
    #[error(
        "line {line} of the recording `{name}` was changed: its key is not that of its request"
    )]
    Changed {
        /// The recording.
        name: String,
        /// Which line, from 1.
        line: usize,
    },
}

impl Replay {
    /// A recording of exchanges in their order.
    #[must_use]
    pub fn new(name: &str, exchanges: Vec<Exchange>) -> Self {
        let mut by_key: HashMap<_, Vec<_>> = HashMap::new();
        for (at, exchange) in exchanges.iter().enumerate() {
            by_key.entry(exchange.key).or_default().push(at);
        }
        Self { name: name.to_owned(), exchanges, by_key, used: Mutex::default() }
    }

    /// Reads a recording: one exchange on each line.
    ///
    /// # Errors
    /// The first line that is none.
    pub fn read(name: &str, text: &str) -> Result<Self, ReplayError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let exchanges = lines.map(|(at, line)| {
            let exchange: Exchange =
                serde_json::from_str(line).map_err(|error| ReplayError::Line {
                    name: name.to_owned(),
                    line: at + 1,
                    told: misfit::words(&error),
                })?;
            if key(&exchange.request) != exchange.key {
                return Err(ReplayError::Changed { name: name.to_owned(), line: at + 1 });
            }
            Ok(exchange)
        });
        Ok(Self::new(name, exchanges.collect::<Result<_, _>>()?))
    }

    fn answer(&self, request: &Request) -> Result<Reply, ModelFault> {
        let key = key(request);
        let Some(places) = self.by_key.get(&key) else { return Err(self.missing(request)) };
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let count = used.entry(key).or_default();
        // The same question may have had several answers: that of the same iteration is meant, and the last
        // stands for any further asking.
        let last = places.len() - 1;
        let iteration = |at: &usize| self.exchanges[*at].request.iteration;
        let first = places.iter().position(|at| iteration(at) >= request.iteration);
        let place = places[first.unwrap_or(last).max(*count).min(last)];
        *count += 1;
        self.exchanges[place].ending.clone()
    }

    fn missing(&self, request: &Request) -> ModelFault {
        ModelFault::new(
            FaultKind::Exhausted,
            Again::Never,
            format!(
                "the recording `{}` has no exchange for this request of the {}: {}",
                self.name,
                request.role.name(),
                self.difference(request)
            ),
        )
    }

    /// The first difference from the recorded request that agrees for longest.
    fn difference(&self, request: &Request) -> String {
        let asked = normal_messages(&request.messages);
        let nearest = self
            .exchanges
            .iter()
            .enumerate()
            .filter(|(_, exchange)| exchange.request.role == request.role)
            .map(|(at, exchange)| {
                let recorded = normal_messages(&exchange.request.messages);
                let alike = recorded.iter().zip(&asked).take_while(|(one, two)| one == two).count();
                // One that goes on at this place can show what was expected there.
                (alike, recorded.len() > alike, at)
            })
            // Of those that agree equally long the first, which tells most to who reads from there.
            .max_by_key(|(alike, goes_on, at)| (*alike, *goes_on, std::cmp::Reverse(*at)));
        let Some((alike, _, at)) = nearest else {
            return "nothing of this role was recorded".to_owned();
        };
        let recorded = &self.exchanges[at].request;
        let (number, place) = (alike + 1, at + 1);
        match (request.messages.get(alike), recorded.messages.get(alike)) {
            (Some(here), Some(there)) => {
                let (here, there) = apart(here, there);
                format!(
                    "message {number} differs first from exchange {place}: recorded `{there}`, asked `{here}`"
                )
            }
            (Some(here), None) => {
                let here = shown(&whole(here), 0);
                format!("message {number} is one more than exchange {place} has: `{here}`")
            }
            (None, Some(there)) => {
                let there = shown(&whole(there), 0);
                format!("message {number} of exchange {place} is not there: `{there}`")
            }
            (None, None) => {
                format!(
                    "the messages are those of exchange {place}, and the tools or the answer's schema differ"
                )
            }
        }
    }
}

/// A message as a reader would see it: the speaker, the words and the call.
fn whole(said: &Message) -> String {
    let call = match said {
        Message::Model { call: Some(call), .. } => format!(" {} {}", call.tool, call.arguments),
        Message::System { .. }
        | Message::User { .. }
        | Message::Model { .. }
        | Message::Result { .. } => String::new(),
    };
    format!("{}: {}", said.speaker(), format!("{}{call}", said.text()).trim_start())
}

/// Two messages, each from shortly before the place where they part.
fn apart(one: &Message, two: &Message) -> (String, String) {
    let (one, two) = (whole(one), whole(two));
    let alike = one.chars().zip(two.chars()).take_while(|(one, two)| one == two).count();
    let from = alike.saturating_sub(24);
    (shown(&one, from), shown(&two, from))
}

/// At most 80 characters of a text from a place on, on one line.
fn shown(text: &str, from: usize) -> String {
    let part: String = text.chars().skip(from).take(80).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if text.chars().nth(from + 80).is_some() { "…" } else { "" };
    format!("{before}{}{after}", on_one_line(&part))
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exchanges = self.exchanges.len();
        f.debug_struct("Replay").field("name", &self.name).field("exchanges", &exchanges).finish()
    }
}

impl Model for Replay {
    fn id(&self) -> ModelId {
        ModelId { kind: ModelKind::Replay, name: self.name.clone() }
    }

    fn ask<'a>(&'a self, request: &'a Request) -> Answer<'a> {
        Box::pin(std::future::ready(self.answer(request)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::reply::{Call, Said, Usage};
    use vosim_protocol::v1::agent::AgentRole;

    use super::super::request::Limits;
    use super::*;

    fn call(id: &str, path: &str) -> Message {
        let arguments = format!(r#"{{"path":"{path}"}}"#);
        let call = Call { id: id.into(), tool: "read_file".into(), arguments };
        Message::Model { text: String::new(), call: Some(call) }
    }

    fn conversation(id: &str, path: &str, found: &str) -> Request {
        Request {
            role: AgentRole::Coder,
            iteration: 1,
            messages: vec![
                Message::User { text: "go".into() },
                call(id, path),
                Message::Result { call: id.into(), text: found.into() },
            ],
            tools: Vec::new(),
            answer: None,
            limits: Limits { temperature_hundredths: 20, reply_tokens_max: 10, try_secs: 5 },
        }
    }

    fn said(text: &str) -> Result<Reply, ModelFault> {
        Ok(Reply {
            said: Said::Text { text: text.into() },
            usage: Usage::NOTHING,
            answered_by: None,
            warnings: Vec::new(),
        })
    }

    fn exchange(request: Request, answer: &str) -> Exchange {
        let model = ModelId { kind: ModelKind::Openai, name: "small".into() };
        Exchange { key: key(&request), model, request, faults: Vec::new(), ending: said(answer) }
    }

    fn recording() -> Replay {
        let first = Request {
            messages: vec![Message::User { text: "go".into() }],
            ..conversation("", "", "")
        };
        let exchanges = [
            exchange(first, "begun"),
            exchange(conversation("a", "main.py", "x = 1"), "one"),
            exchange(conversation("a", "main.py", "x = 1"), "two"),
        ];
        let lines: Vec<_> =
            exchanges.iter().map(|kept| String::from_utf8(kept.to_line()).unwrap()).collect();
        Replay::read("mine", &lines.join("\n")).unwrap()
    }

    #[test]
    fn the_same_request_has_its_answers_in_their_order() {
        let replay = recording();
        let request = conversation("other", "main.py", "x = 1\r\n");
        let answers: Vec<_> = (0..3).map(|_| replay.answer(&request)).collect();
        assert_eq!(answers, [said("one"), said("two"), said("two")]);
    }

    #[test]
    fn a_later_iteration_has_the_answer_that_it_had() {
        let in_iteration = |iteration, text| {
            let asked = conversation("a", "main.py", "x = 1");
            exchange(Request { iteration, ..asked }, text)
        };
        let told = [in_iteration(1, "one"), in_iteration(2, "two"), in_iteration(4, "four")];
        // Opened anew for each question, as a daemon does.
        let answers = [1, 2, 3, 4, 5].map(|iteration| {
            let asked = conversation("b", "main.py", "x = 1");
            Replay::new("mine", told.to_vec()).answer(&Request { iteration, ..asked })
        });
        assert_eq!(answers, ["one", "two", "four", "four", "four"].map(said));
    }

    #[test]
    fn a_request_that_was_not_recorded_is_told_by_its_first_difference() {
        let replay = recording();
        let mut longer = conversation("a", "main.py", "x = 1");
        longer.messages.push(Message::User { text: "and?".into() });
        let shorter = Request { messages: longer.messages[..2].to_vec(), ..longer.clone() };
        let other_role = Request { role: AgentRole::Tester, ..longer.clone() };
        let mut tools = conversation("a", "main.py", "x = 1");
        tools.answer = Some(serde_json::json!({}));
        let all = [
            conversation("a", "mine.py", "x = 1"),
            conversation("a", "main.py", "the first line is as it was, then x = 2"),
            longer,
            shorter,
            other_role,
            tools,
        ];
        let told: Vec<_> =
            all.iter().map(|request| replay.answer(request).unwrap_err().told).collect();
        let told: Vec<_> = told
            .iter()
            .map(|told| {
                told.replace("the recording `mine` has no exchange for this request of", "…")
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        … the coder: message 2 differs first from exchange 2: recorded `…el: read_file {"path":"main.py"}`, asked `…el: read_file {"path":"mine.py"}`
        … the coder: message 3 differs first from exchange 2: recorded `result: x = 1`, asked `result: the first line is as it was, then x = 2`
        … the coder: message 4 is one more than exchange 2 has: `user: and?`
        … the coder: message 3 of exchange 2 is not there: `result: x = 1`
        … the tester: nothing of this role was recorded
        … the coder: the messages are those of exchange 2, and the tools or the answer's schema differ
        "#);
    }

    #[test]
    fn a_recording_that_was_changed_or_damaged_is_refused() {
        let kept = exchange(conversation("a", "main.py", "x = 1"), "one").to_line();
        let kept = String::from_utf8(kept).unwrap();
        let changed = Replay::read("mine", &kept.replace("x = 1", "x = 2")).unwrap_err();
        assert_eq!(
            changed.to_string(),
            "line 1 of the recording `mine` was changed: its key is not that of its request"
        );
        let damaged = Replay::read("mine", &format!("{kept}\n\n{{}}")).unwrap_err();
        assert!(damaged.to_string().starts_with("line 3 of the recording `mine` is no exchange: "));
    }
}
