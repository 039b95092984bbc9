//! What a server really can, found out by two short questions and its list of models: for a person who
//! wants to know before a task begins.

use serde_json::{Value, json};
use vosim_protocol::v1::agent::AgentRole;

use super::{Openai, WHOLE_MAX_BYTES, bearer, limited, trial};
use crate::model::reply::{Again, ModelFault, Reply, Said};
use crate::model::request::{Limits, Message, Request};

/// Bounds of each question.
const LIMITS: Limits = Limits { temperature_hundredths: 0, reply_tokens_max: 64, try_secs: 30 };
/// What servers of different makes call the size of a model's window.
const WINDOWS: [&str; 4] = ["max_model_len", "context_length", "context_window", "n_ctx"];

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// It calls tools by a field of their own; else calls go as one JSON object.
    pub tools: bool,
    /// It keeps to the schema of an answer.
    pub schema: bool,
    /// Tokens of a request and its reply together, where that is set or the server says it.
    pub window_tokens: Option<u64>,
    /// Sentences for a person.
    pub warnings: Vec<String>,
}

impl Openai {
    /// Asks the server what it can. That takes two short replies, which are paid for where replies are.
    ///
    /// # Errors
    /// If it cannot be asked, or gives no whole reply.
    pub async fn probe(&self) -> Result<Probed, ModelFault> {
        let trial = trial(&asked("Begin.", None));
        let reply = self.ask_for_probe(&trial).await?;
        let tools =
            matches!(&reply.said, Said::Call { call, .. } if call.tool == trial.tools[0].name);
        let mut warnings = reply.warnings;
        let answer = json!({
            "type": "object",
            "properties": { "sure": { "enum": ["yes", "no"] } },
            "required": ["sure"],
            "additionalProperties": false,
        });
        let reply = self.ask_for_probe(&asked("Are you sure?", Some(answer))).await?;
        let schema = match &reply.said {
            Said::Text { text } => keeps_to_it(text),
            Said::Call { .. } | Said::Cut { .. } => false,
        };
        warnings.extend(reply.warnings);
        warnings.dedup();
        let window_tokens = match self.abilities().window_tokens() {
            Some(known) => Some(known),
            None => self.window_told().await,
        };
        Ok(Probed { tools, schema, window_tokens, warnings })
    }

    /// A fault that may pass is tried once more: some servers close connections that they have kept open.
    async fn ask_for_probe(&self, request: &Request) -> Result<Reply, ModelFault> {
        match self.ask_as_known(request).await {
            Err(fault) if fault.again == Again::Soon => self.ask_as_known(request).await,
            asked => asked,
        }
    }

    /// What its list of models says of this one; it need not have a list.
    async fn window_told(&self) -> Option<u64> {
        let mut get = self.client.get(self.endpoint.at("models"));
        if let Some(key) = self.endpoint.key() {
            get = get.header(reqwest::header::AUTHORIZATION, bearer(key));
        }
        let response = get.timeout(LIMITS.try_within()).send().await.ok()?;
        let list = limited(response, WHOLE_MAX_BYTES).await.ok()?;
        let list: Value = serde_json::from_slice(&list).ok()?;
        let models = list["data"].as_array()?;
        let mine = models.iter().find(|model| model["id"] == self.endpoint.model());
        let model = mine.or(match models.as_slice() {
            [only] => Some(only),
            _ => None,
        })?;
        WINDOWS.iter().find_map(|name| model[name].as_u64().or(model["meta"][name].as_u64()))
    }
}

fn asked(text: &str, answer: Option<Value>) -> Request {
    Request {
        role: AgentRole::Reflector,
        iteration: 1,
        messages: vec![Message::User { text: text.to_owned() }],
        tools: Vec::new(),
        answer,
        limits: LIMITS,
    }
}

fn keeps_to_it(text: &str) -> bool {
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    matches!(answer["sure"].as_str(), Some("yes" | "no"))
        && answer.as_object().is_some_and(|fields| fields.len() == 1)
}
