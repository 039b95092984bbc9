//! What a server's refusal means: which fault it is, when to try again, and what to do otherwise.

use std::time::Duration;

use chrono::DateTime;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use serde_json::Value;

use super::super::exchange::on_one_line;
use super::super::reply::{Again, FaultKind, ModelFault};
use super::abilities::ServerLesson;

/// How much of a server's words is told on, characters.
const TOLD_MAX_CHARS: usize = 300;

/// A refusal that has been read.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) fault: Box<ModelFault>,
    /// The server's words: a part of the body may be named in them.
    pub(super) words: String,
    /// What would be done otherwise next time.
    pub(super) lesson: Option<ServerLesson>,
}

impl Refusal {
    /// A refusal that teaches nothing.
    pub(super) fn new(fault: ModelFault, words: &str) -> Self {
        Self { fault: Box::new(fault), words: words.to_owned(), lesson: None }
    }
}

/// Reads a refusal by status, headers and body.
pub(super) fn refusal(status: StatusCode, headers: &HeaderMap, body: &str) -> Refusal {
    let json: Value = serde_json::from_str(body).unwrap_or(Value::Null);
    let error = json.get("error").filter(|error| !error.is_null()).unwrap_or(&json);
    let words = words_of(error, body);
    let mut read = read(status.as_u16(), error, &words);
    read.fault.told = format!("{} ({})", read.fault.told, status.as_u16());
    if read.fault.again != Again::Never
        && let Some(wait) = wait_of(headers).or_else(|| wait_in_words(&read.words))
    {
        read.fault.again = Again::after(wait);
    }
    read
}

/// Reads an error that came in the place of a reply, with a status of success.
pub(super) fn refusal_in_reply(error: &Value) -> Refusal {
    let words = words_of(error, &error.to_string());
    let status =
        error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    // Nothing but its words says what kind it is; without a number it may pass.
    let mut read = read(status.unwrap_or(503), error, &words);
    if read.fault.again != Again::Never
        && let Some(wait) = wait_in_words(&read.words)
    {
        read.fault.again = Again::after(wait);
    }
    read
}

fn words_of(error: &Value, body: &str) -> String {
    let words = ["message", "detail", "error"].iter().find_map(|name| {
        let found = error.get(name).filter(|found| !found.is_null())?;
        Some(found.as_str().map_or_else(|| found.to_string(), str::to_owned))
    });
    words.or_else(|| error.as_str().map(str::to_owned)).unwrap_or_else(|| body.to_owned())
}

fn read(status: u16, error: &Value, words: &str) -> Refusal {
    let lower = words.to_lowercase();
    let code =
        |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let codes = format!("{} {}", code("code"), code("type"));
    let (kind, again, told) = match status {
        _ if is_too_long(&lower, &codes) => {
            (FaultKind::TooLong, Again::Never, "the request is too long for the model")
        }
        _ if codes.contains("insufficient_quota") || status == 402 => {
            (FaultKind::Key, Again::Never, "what the key may spend is used up")
        }
        _ if is_unknown_model(status, &lower, &codes) => {
            (FaultKind::UnknownModel, Again::Never, "the server does not have this model")
        }
        401 | 403 => (FaultKind::Key, Again::Never, "the server does not accept the key"),
        404 | 405 => (
            FaultKind::Refused,
            Again::Never,
            "the server has no chat completions at this address, which usually ends in `/v1`",
        ),
        413 => (FaultKind::TooLong, Again::Never, "the request is too long for the server"),
        429 => (FaultKind::RateLimited, Again::Soon, "the server has had too many requests"),
        408 | 409 | 425 => (FaultKind::Unavailable, Again::Soon, "the server could not answer now"),
        503 if lower.contains("loading") => {
            (FaultKind::Unavailable, Again::Soon, "the server is still loading the model")
        }
        500..=599 => (FaultKind::Unavailable, Again::Soon, "the server failed"),
        300..=399 => (
            FaultKind::Refused,
            Again::Never,
            "the server sends us elsewhere, where no key is taken",
        ),
        _ => (FaultKind::Refused, Again::Never, "the server refuses the request"),
    };
    let lesson = (kind == FaultKind::TooLong).then(|| window_in(error, &lower)).flatten();
    let said = shortened(words);
    let told = if said.is_empty() { told.to_owned() } else { format!("{told}: {said}") };
    Refusal { lesson, ..Refusal::new(ModelFault::new(kind, again, told), words) }
}

fn is_too_long(words: &str, codes: &str) -> bool {
    let has = |word: &str| words.contains(word);
    codes.contains("context_length_exceeded")
        || codes.contains("exceed_context_size")
        || (has("context")
            && (has("exceed") || has("maximum") || has("too long") || has("too large")))
        || has("prompt is too long")
}

fn is_unknown_model(status: u16, words: &str, codes: &str) -> bool {
    codes.contains("model_not_found")
        || (matches!(status, 400 | 404)
            && words.contains("model")
            && [
                "not found",
                "does not exist",
                "not exist",
                "unknown model",
                "no such model",
                "invalid model",
            ]
            .iter()
            .any(|told| words.contains(told)))
}

/// The size of the window, by the server's field or its words.
fn window_in(error: &Value, words: &str) -> Option<ServerLesson> {
    let field = error.get("n_ctx").and_then(Value::as_u64);
    let number_after = |mark: &str| {
        let from = words.find(mark)? + mark.len();
        let digits: String = words[from..]
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(|c| c.is_ascii_digit() || *c == ',')
            .filter(char::is_ascii_digit)
            .collect();
        digits.parse().ok()
    };
    let marks =
        ["maximum context length is", "context length of", "context size of", "context size ("];
    field.or_else(|| marks.iter().find_map(|mark| number_after(mark))).map(ServerLesson::Window)
}

/// What the headers say of the next try: milliseconds, seconds or a date.
fn wait_of(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let millis = text(&HeaderName::from_static("retry-after-ms")).and_then(seconds_of);
    if let Some(millis) = millis {
        return Some(millis / 1000);
    }
    let after = text(&RETRY_AFTER)?;
    // A date counts from the server's own clock, which need not be ours.
    seconds_of(after).or_else(|| {
        let due = DateTime::parse_from_rfc2822(after).ok()?;
        let now = DateTime::parse_from_rfc2822(text(&DATE)?).ok()?;
        Some((due - now).to_std().unwrap_or(Duration::ZERO))
    })
}

fn seconds_of(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// A wait that stands in the words only, as in `try again in 1m30.5s` or `in 200ms`.
fn wait_in_words(words: &str) -> Option<Duration> {
    let lower = words.to_lowercase();
    let from = ["try again in ", "retry in ", "retry after "]
        .iter()
        .find_map(|mark| Some(lower.find(mark)? + mark.len()))?;
    let mut rest = lower[from..].trim_start();
    let mut wait = None;
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let Ok(number) = rest[..digits].trim_end_matches('.').parse::<f64>() else { break };
        rest = rest[digits..].trim_start();
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "ms" | "millisecond" | "milliseconds" => 0.001,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "m" | "min" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            _ => break,
        };
        let more = Duration::try_from_secs_f64(number * unit).ok()?;
        wait = Some(wait.unwrap_or(Duration::ZERO) + more);
        rest = rest[letters..].trim_start();
    }
    wait
}

/// A server's words on one line, and not too many.
pub(super) fn shortened(words: &str) -> String {
    let words = words.trim();
    let short: String = words.chars().take(TOLD_MAX_CHARS).collect();
    let more = if words.chars().nth(TOLD_MAX_CHARS).is_some() { "…" } else { "" };
    format!("{}{more}", on_one_line(&short))
}
