//! A reply, put together from the pieces of a stream or taken whole.
//!
//! Every field may be missing, empty or of another type than the protocol says: what can be told is
//! told, and nothing is guessed that somebody would act upon.

use serde_json::Value;
use vosim_protocol::misfit;

use super::super::reply::{Call, Reply, Said, Usage};
use super::super::request::Request;
use super::body::DONE;

/// What has arrived so far.
#[derive(Debug, Default)]
pub(super) struct GatheredReply {
    text: String,
    /// Bytes that a model thought before it spoke.
    thought_bytes: usize,
    calls: Vec<Part>,
    finish: Option<String>,
    usage: Usage,
    model: Option<String>,
    ended: bool,
    refused: Option<String>,
}

/// A call that is being said.
#[derive(Debug, Default)]
struct Part {
    index: Option<u64>,
    id: Option<String>,
    tool: String,
    arguments: String,
}

/// Why a piece is none.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum PieceError {
    /// It is no JSON object.
    #[error("{0}")]
    NoObject(String),
    /// It is the server's word that something failed.
    #[error("the server failed in the middle of its reply")]
    Server(Value),
}

impl GatheredReply {
    /// Takes the data of one event, or a whole reply.
    pub(super) fn take(&mut self, data: &str) -> Result<(), PieceError> {
        let data = data.trim();
        if data == "[DONE]" {
            self.ended = true;
            return Ok(());
        }
        let no_object = |told: String| PieceError::NoObject(told);
        let piece: Value =
            serde_json::from_str(data).map_err(|error| no_object(misfit::words(&error)))?;
        if !piece.is_object() {
            return Err(no_object("a value that is no object".to_owned()));
        }
        if let Some(error) = piece.get("error").filter(|error| !error.is_null()) {
            return Err(PieceError::Server(error.clone()));
        }
        self.take_usage(&piece);
        if let Some(model) = text_of(&piece, "model") {
            self.model = Some(model.to_owned());
        }
        // Of several choices the first: one was asked for.
        let choices = piece.get("choices").and_then(Value::as_array);
        let Some(choice) = choices.and_then(|all| all.first()) else { return Ok(()) };
        let said = ["delta", "message"].iter().find_map(|name| choice.get(name));
        if let Some(said) = said {
            self.take_said(said);
        }
        if let Some(finish) = text_of(choice, "finish_reason") {
            self.finish = Some(finish.to_owned());
        }
        Ok(())
    }

    /// Whether anything of the reply has arrived.
    pub(super) fn has_begun(&self) -> bool {
        !self.text.is_empty() || !self.calls.is_empty() || self.thought_bytes > 0
    }

    /// Whether the server has said that this is all.
    pub(super) fn is_whole(&self) -> bool {
        self.ended || self.finish.is_some()
    }

    /// Whether nothing was said although the reply is whole.
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.calls.is_empty()
    }

    /// The model that the server names.
    pub(super) fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// What the reply took; where the server does not say, an estimate that says so.
    pub(super) fn usage(&self, request: &Request) -> Usage {
        if self.usage.prompt.is_some() && self.usage.completion.is_some() {
            return self.usage;
        }
        let calls: usize =
            self.calls.iter().map(|part| part.tool.len() + part.arguments.len()).sum();
        let bytes = self.text.len() + calls + self.thought_bytes;
        Usage {
            prompt: self.usage.prompt.or(Some(request.tokens_estimated())),
            completion: self.usage.completion.or(Some(bytes.div_ceil(3) as u64)),
            estimated: true,
            ..self.usage
        }
    }

    /// The reply. `by_object`: a call stands in the text.
    pub(super) fn reply(self, request: &Request, by_object: bool) -> Reply {
        let usage = self.usage(request);
        Reply {
            said: self.said(request, by_object),
            usage,
            answered_by: None,
            warnings: Vec::new(),
        }
    }

    fn said(self, request: &Request, by_object: bool) -> Said {
        let first_tool = self.calls.first().map(|part| part.tool.clone());
        let cut = |text: String, tool: Option<String>, why: &str| Said::Cut {
            text,
            tool: tool.filter(|tool| !tool.is_empty()),
            why: why.to_owned(),
        };
        let everything = || {
            let calls = self.calls.iter().map(|part| part.arguments.as_str());
            std::iter::once(self.text.as_str()).chain(calls).collect::<String>()
        };
        match self.finish.as_deref() {
            Some("length" | "max_tokens") => {
                return cut(
                    everything(),
                    first_tool,
                    "it reached the most tokens that a reply may have",
                );
            }
            Some("content_filter") => {
                return cut(everything(), first_tool, "the server's filter ended it");
            }
            Some(_) | None => {}
        }
        if let Some(refused) =
            self.refused.filter(|_| self.text.is_empty() && self.calls.is_empty())
        {
            return Said::Text { text: refused };
        }
        if self.calls.iter().any(|part| is_unfinished(&part.arguments)) {
            return cut(everything(), first_tool, "the arguments of a call end in the middle");
        }
        let left_out = u32::try_from(self.calls.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let id = request.next_call_id();
        if let Some(part) = self.calls.into_iter().next() {
            // A call without arguments is one of a tool that needs none.
            let arguments =
                if part.arguments.trim().is_empty() { "{}".to_owned() } else { part.arguments };
            let call = Call { id, tool: part.tool, arguments };
            return Said::Call { text: self.text, call, left_out };
        }
        if by_object { in_object(self.text, id) } else { spoken(self.text) }
    }

    fn take_said(&mut self, said: &Value) {
        if let Some(content) = said.get("content") {
            push_content(&mut self.text, content);
        }
        for name in ["reasoning_content", "reasoning"] {
            self.thought_bytes += text_of(said, name).map_or(0, str::len);
        }
        if let Some(refused) = text_of(said, "refusal").filter(|refused| !refused.is_empty()) {
            self.refused.get_or_insert_default().push_str(refused);
        }
        let calls = said.get("tool_calls").and_then(Value::as_array);
        for piece in calls.into_iter().flatten() {
            self.take_call(piece);
        }
    }

    fn take_call(&mut self, piece: &Value) {
        let index = piece.get("index").and_then(Value::as_u64);
        let id = text_of(piece, "id").filter(|id| !id.is_empty());
        let function = piece.get("function").unwrap_or(piece);
        let name = text_of(function, "name").unwrap_or_default();
        // A piece belongs to the call of its number. Without a number, another id or a name begins
        // another call.
        let known = match index {
            Some(_) => self.calls.iter().rposition(|part| part.index == index),
            None => self.calls.len().checked_sub(1).filter(|last| {
                let last = &self.calls[*last];
                let other = id.is_some() && last.id.is_some() && id != last.id.as_deref();
                !other && (name.is_empty() || last.tool.is_empty())
            }),
        };
        let at = known.unwrap_or_else(|| {
            self.calls.push(Part { index, ..Part::default() });
            self.calls.len() - 1
        });
        let part = &mut self.calls[at];
        if part.id.is_none() {
            part.id = id.map(str::to_owned);
        }
        // Some servers repeat the name in every piece.
        if part.tool.is_empty() {
            part.tool = name.to_owned();
        }
        match function.get("arguments") {
            Some(Value::String(text)) => part.arguments.push_str(text),
            Some(whole @ (Value::Object(_) | Value::Array(_))) => {
                part.arguments.push_str(&whole.to_string());
            }
            Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => {}
        }
    }

    fn take_usage(&mut self, piece: &Value) {
        let usage = piece.get("usage").unwrap_or(&Value::Null);
        let timings = piece.get("timings").unwrap_or(&Value::Null);
        let number = |of: &Value, names: &[&str]| {
            names.iter().find_map(|name| of.pointer(name).and_then(Value::as_u64))
        };
        let set = |place: &mut Option<u64>, found: Option<u64>| {
            if found.is_some() {
                *place = found;
            }
        };
        let kept = number(timings, &["/cache_n"]);
        let read = number(timings, &["/prompt_n"]).map(|read| read + kept.unwrap_or_default());
        let prompt = number(usage, &["/prompt_tokens", "/input_tokens"]).or(read);
        set(&mut self.usage.prompt, prompt);
        let completion = number(usage, &["/completion_tokens", "/output_tokens"]);
        set(&mut self.usage.completion, completion.or(number(timings, &["/predicted_n"])));
        let cached = ["/prompt_tokens_details/cached_tokens", "/cache_read_input_tokens"];
        set(&mut self.usage.cached, number(usage, &cached).or(kept));
        let thought = ["/completion_tokens_details/reasoning_tokens"];
        set(&mut self.usage.reasoning, number(usage, &thought));
    }
}

/// A text of a field, where it is one.
fn text_of<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    of.get(name).and_then(Value::as_str)
}

/// Content is a text, or a list of parts of which some are texts.
fn push_content(text: &mut String, content: &Value) {
    match content {
        Value::String(more) => text.push_str(more),
        Value::Array(parts) => {
            for part in parts {
                text.push_str(text_of(part, "text").unwrap_or_default());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
    }
}

/// Whether JSON ends in the middle, as against being none.
fn is_unfinished(json: &str) -> bool {
    let read = serde_json::from_str::<serde::de::IgnoredAny>(json);
    !json.trim().is_empty() && read.is_err_and(|error| error.is_eof())
}

fn spoken(text: String) -> Said {
    if text.trim().is_empty() {
        return Said::Cut { text, tool: None, why: "it says nothing".to_owned() };
    }
    Said::Text { text }
}

/// A call that stands in a text as one JSON object. A text that holds none says no call.
fn in_object(text: String, id: String) -> Said {
    let bare = text.trim();
    if bare.starts_with('{') && is_unfinished(bare) {
        return Said::Cut {
            text,
            tool: None,
            why: "its JSON object ends in the middle".to_owned(),
        };
    }
    let Ok(Value::Object(mut object)) = serde_json::from_str(bare) else { return spoken(text) };
    let tool = object.get("tool").and_then(Value::as_str).unwrap_or_default().to_owned();
    let arguments = object.remove("arguments").unwrap_or(Value::Null);
    if tool == DONE {
        let note = text_of(&arguments, "note").filter(|note| !note.trim().is_empty());
        return Said::Text { text: note.unwrap_or("done").to_owned() };
    }
    let call = Call { id, tool, arguments: arguments.to_string() };
    Said::Call { text: String::new(), call, left_out: 0 }
}
