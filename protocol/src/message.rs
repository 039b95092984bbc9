//! The envelope of the wire: requests, responses, notices and the error object.
//!
//! JSON-RPC 2.0 in shape; error codes are words. A request without a known `method` is refused
//! before its parameters are looked at, so that an old client hears "upgrade", not "field missing".

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::next::{self, Next};
use crate::wire::{Json, Wire as _};

/// Longest text that names a request, bytes.
pub const REQUEST_ID_MAX_BYTES: usize = 256;

/// Names a request on its connection: a number, or a text of at most 256 bytes. It comes back as it
/// was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RequestId {
    /// A number.
    Number(#[schemars(with = "f64")] serde_json::Number),
    /// A text.
    Text(#[schemars(length(max = 256))] String),
}

impl From<u64> for RequestId {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

/// From here on not every number has a place among those with a fraction, so one that was sent might
/// come back as another.
const INEXACT_FROM: f64 = 9_007_199_254_740_992.0;

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor)
    }
}

/// Reads an id; what cannot come back as it was sent is refused.
struct IdVisitor;

impl serde::de::Visitor<'_> for IdVisitor {
    type Value = RequestId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an id: a number, or a text of at most {REQUEST_ID_MAX_BYTES} bytes")
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<RequestId, E> {
        Ok(number.into())
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<RequestId, E> {
        Ok(RequestId::Number(number.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<RequestId, E> {
        let exact = serde_json::Number::from_f64(number).filter(|_| number.abs() < INEXACT_FROM);
        exact.map(RequestId::Number).ok_or_else(|| {
            E::custom(
                "an id has a number that would not come back as it was sent: send it as a text",
            )
        })
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RequestId, E> {
        match text.len() <= REQUEST_ID_MAX_BYTES {
            true => Ok(RequestId::Text(text.to_owned())),
            false => Err(E::custom(format_args!("an id has at most {REQUEST_ID_MAX_BYTES} bytes"))),
        }
    }
}

/// Asks for something; answered by one [`Response`] with the same id, perhaps out of order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// `2.0`; not looked at.
    #[serde(default = "two")]
    pub jsonrpc: String,
    /// Chosen by the client.
    pub id: RequestId,
    /// What is asked.
    pub method: String,
    /// The details.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub params: Json,
}

/// Answers a [`Request`]: either a result or an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// `2.0`.
    #[serde(default = "two")]
    pub jsonrpc: String,
    /// Of the request; null when it could not be read.
    pub id: Option<RequestId>,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    /// The refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

/// Tells something that nobody asked for just now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// `2.0`.
    #[serde(default = "two")]
    pub jsonrpc: String,
    /// What it tells.
    pub method: String,
    /// The details.
    pub params: Json,
}

/// What a daemon may send.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FromDaemon {
    /// Without an id: a notice.
    Notice(Notice),
    /// With an id, or an error about a frame that could not be read.
    Response(Response),
}

fn two() -> String {
    "2.0".to_owned()
}

impl Request {
    /// A request.
    pub fn new(id: impl Into<RequestId>, method: &str, params: Json) -> Self {
        Self { jsonrpc: two(), id: id.into(), method: method.to_owned(), params }
    }
}

impl Response {
    /// An answer.
    pub fn ok(id: RequestId, result: Json) -> Self {
        Self { jsonrpc: two(), id: Some(id), result: Some(result), error: None }
    }

    /// The line of an answer whose result is spelled already, without its end.
    pub fn ok_line(id: &RequestId, result: &[u8]) -> Vec<u8> {
        let id = id.to_line();
        [br#"{"jsonrpc":"2.0","id":"#, &id[..], br#","result":"#, result, b"}"].concat()
    }

    /// A refusal.
    pub fn error(id: Option<RequestId>, error: ErrorObject) -> Self {
        Self { jsonrpc: two(), id, result: None, error: Some(error) }
    }
}

impl Notice {
    /// A notice.
    pub fn new(method: &str, params: Json) -> Self {
        Self { jsonrpc: two(), method: method.to_owned(), params }
    }
}

/// Longest message of a refusal, in characters.
pub const MESSAGE_MAX_CHARS: usize = 1000;

/// Why something was refused (frozen forever).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorObject {
    /// The reason as a word for programs.
    pub code: ErrorCode,
    /// The reason as one sentence that names no program.
    pub message: String,
    /// What can be done about it, alternatives of each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "next::known")]
    pub next: Vec<Next>,
    /// More for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Box<Json>>,
}

impl ErrorObject {
    /// A refusal without a next step. A message beyond 1000 characters is cut: what it quotes of a request
    /// can be as large as a frame.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if let Some((end, _)) = message.char_indices().nth(MESSAGE_MAX_CHARS) {
            message.truncate(end);
            message.push('…');
        }
        Self { code, message, next: Vec::new(), data: None }
    }

    /// Adds something that can be done about it.
    #[must_use]
    pub fn next(mut self, next: Next) -> Self {
        self.next.push(next);
        self
    }

    /// Adds data for programs.
    #[must_use]
    pub fn data(mut self, data: Json) -> Self {
        self.data = Some(Box::new(data));
        self
    }
}

impl fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ErrorObject {}

/// Whether a request that was refused can be repeated as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Again {
    /// It would be refused again: the request must be changed, or something done first.
    Changed,
    /// It may be taken later; nothing has come of it so far.
    Later,
    /// It may be taken later, and something may have come of it all the same: it is repeated under
    /// the id that it had.
    Unknown,
}

/// What `protocol.describe` tells of one reason for a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorSchema {
    /// When it comes.
    pub doc: String,
    /// Whether to repeat.
    pub again: Again,
}

/// Rows read `Name = "word", Again;`.
macro_rules! error_codes {
    ($($(#[doc = $doc:literal])* $name:ident = $word:literal, $again:ident;)*) => {
        /// Every reason for a refusal. Codes are never reused or renamed.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum ErrorCode {
            $($(#[doc = $doc])* $name,)*
            /// A code of a newer daemon.
            Other(String),
        }

        impl ErrorCode {
            /// Every code of this version.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word on the wire.
            pub fn word(&self) -> &str {
                match self {
                    $(Self::$name => $word,)*
                    Self::Other(word) => word,
                }
            }

            /// Whether a request that was refused for it can be repeated as it stands; one of a newer
            /// daemon can not.
            pub fn again(&self) -> Again {
                match self {
                    $(Self::$name => Again::$again,)*
                    Self::Other(_) => Again::Changed,
                }
            }

            /// What is told of every code, by its word.
            pub fn schemas() -> impl Iterator<Item = (String, ErrorSchema)> {
                let schema = |doc: &str, again| ErrorSchema { doc: doc.trim().to_owned(), again };
                [$(($word.to_owned(), schema(concat!($($doc),*), Again::$again))),*].into_iter()
            }
        }

        impl From<&str> for ErrorCode {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$name,)*
                    _ => Self::Other(word.to_owned()),
                }
            }
        }
    };
}

error_codes! {
    /// A frame is not a JSON request.
    InvalidRequest = "invalid_request", Changed;
    /// A frame is larger than one may be; the connection is closed.
    FrameTooLarge = "frame_too_large", Changed;
    /// The first request must be `hello`.
    HelloRequired = "hello_required", Changed;
    /// No version in common.
    ProtocolMismatch = "protocol_mismatch", Changed;
    /// A capability the client cannot do without is not there.
    CapabilityMissing = "capability_missing", Changed;
    /// The other side runs as another user.
    WrongUser = "wrong_user", Changed;
    /// No such method.
    UnknownMethod = "unknown_method", Changed;
    /// The parameters are not those of the method.
    InvalidParams = "invalid_params", Changed;
    /// Too much at once: requests that are under way, answers that were not read, streams.
    Busy = "busy", Later;
    /// The daemon is going down.
    ShuttingDown = "shutting_down", Unknown;
    /// No session is current (000: NoActiveSessionError).
    NoActiveSession = "no_active_session", Changed;
    /// A session is in progress already (000: SessionAlreadyActiveError).
    SessionAlreadyActive = "session_already_active", Changed;
    /// No session has this id.
    UnknownSession = "unknown_session", Changed;
    /// Several sessions begin like this.
    AmbiguousSession = "ambiguous_session", Changed;
    /// The session follows other rules than the command.
    WrongKind = "wrong_kind", Changed;
    /// The session's kind has no such command; the message names those it has.
    UnknownCommand = "unknown_command", Changed;
    /// The command is not possible in this phase (000: InvalidStateTransitionError).
    InvalidTransition = "invalid_transition", Changed;
    /// The session is over.
    SessionEnded = "session_ended", Changed;
    /// The reference solution needs an explicit yes.
    ConfirmationRequired = "confirmation_required", Changed;
    /// The same bytes were judged before.
    IdenticalSubmission = "identical_submission", Changed;
    /// A starter file without any work in it.
    StarterUntouched = "starter_untouched", Changed;
    /// A hint after a pass.
    AlreadyPassed = "already_passed", Changed;
    /// The last hint is still being written.
    HintPending = "hint_pending", Later;
    /// A text that says nothing, or that cannot be used.
    InvalidInput = "invalid_input", Changed;
    /// An interview schema with faults.
    InvalidSchema = "invalid_schema", Changed;
    /// A text or file is larger than it may be.
    TooLarge = "too_large", Changed;
    /// A language in which the problem cannot be solved.
    LanguageNotOffered = "language_not_offered", Changed;
    /// A blob that a command names did not come with it.
    BlobMissing = "blob_missing", Changed;
    /// The bytes are no longer kept.
    CodeWithheld = "code_withheld", Changed;
    /// A known command id with another payload.
    CommandIdReused = "command_id_reused", Changed;
    /// The session has moved on since the cursor that was given.
    Conflict = "conflict", Changed;
    /// No such event.
    UnknownEvent = "unknown_event", Changed;
    /// Events before the cursor are no longer kept.
    CursorExpired = "cursor_expired", Changed;
    /// No such problem.
    UnknownProblem = "unknown_problem", Changed;
    /// A problem package that is not proved.
    ProblemUnproved = "problem_unproved", Changed;
    /// Another problem has this id.
    ProblemExists = "problem_exists", Changed;
    /// A problem that comes with vosim.
    ProblemBuiltIn = "problem_built_in", Changed;
    /// A case that cannot be read or does not fit the interface.
    InvalidCase = "invalid_case", Changed;
    /// No interpreter for the language.
    NoRuntime = "no_runtime", Changed;
    /// The sandbox could not do its work.
    SandboxFailed = "sandbox_failed", Later;
    /// The log cannot be written now, and the message says why.
    StoreUnavailable = "store_unavailable", Unknown;
    /// The log of the session cannot be read.
    StoreDamaged = "store_damaged", Changed;
    /// The role may not do this.
    RoleForbidden = "role_forbidden", Changed;
    /// A path cannot be used.
    BadPath = "bad_path", Changed;
    /// The daemon that a service manager was to start cannot; the message says why. It comes instead of an answer to hello.
    DaemonStartFailed = "daemon_start_failed", Changed;
    /// A fault of vosim itself.
    Internal = "internal", Unknown;
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Ok(Self::from(&*word))
    }
}

impl JsonSchema for ErrorCode {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "examples": Self::WORDS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::next::Action;

    #[test]
    fn an_unknown_error_code_is_kept_not_refused() {
        let error = ErrorObject::from_bytes(br#"{"code":"of_the_future","message":"m","x":1}"#);
        assert_eq!(error.unwrap().code, ErrorCode::Other("of_the_future".to_owned()));
    }

    #[test]
    fn a_next_step_of_a_newer_daemon_is_left_out_and_the_others_stay() {
        let error = ErrorObject::from_bytes(
            br#"{"code":"busy","message":"m","next":[
                {"do":"fly"},
                {"do":"run","to":"go","action":"teleport"},
                {"do":"wait","until":"its verdict","seen_by":"status"}
            ]}"#,
        );
        let verdict = Next::wait_and_see("its verdict", Action::Status);
        assert_eq!(error.unwrap().next, [verdict]);
    }

    #[test]
    fn a_request_is_named_by_a_number_or_a_short_text() {
        let named = |id: &str| {
            let frame = format!(r#"{{"id":{id},"method":"status"}}"#);
            Request::from_bytes(frame.as_bytes()).map(|request| request.id)
        };
        assert_eq!(named("7").unwrap(), 7.into());
        let large = "18446744073709551615";
        for id in ["-1", "1.5", r#""hint""#, r#""""#, "9007199254740993", large] {
            assert_eq!(serde_json::to_string(&named(id).unwrap()).unwrap(), id);
        }
        assert!(named(&format!(r#""{}""#, "x".repeat(256))).is_ok());
        for id in [&format!(r#""{}""#, "x".repeat(257)), "null", "[1]", "true"] {
            assert!(named(id).is_err(), "{id}");
        }
        for id in ["18446744073709551616", "-1e300", "123456789012345678901234567890"] {
            let told = named(id).unwrap_err().to_string();
            assert!(told.contains("send it as a text"), "{id}: {told}");
        }
    }

    #[test]
    fn an_answer_is_one_line_however_it_was_spelled() {
        let result = Json::from(vec![Json::from("é\n"), Json::Null, Json::from(1.5)]);
        for id in [7.into(), RequestId::Text("a \"b\"".to_owned())] {
            let line = Response::ok_line(&id, &result.to_line());
            assert_eq!(line, Response::ok(id, result.clone()).to_line());
        }
    }

    #[test]
    fn a_message_that_quotes_too_much_is_cut() {
        let message = ErrorObject::new(ErrorCode::InvalidRequest, "é".repeat(2000)).message;
        assert_eq!((message.chars().count(), message.ends_with("é…")), (1001, true));
        let message = ErrorObject::new(ErrorCode::InvalidRequest, "é".repeat(1000)).message;
        assert_eq!(message, "é".repeat(1000));
    }

    #[test]
    fn every_code_reads_back() {
        for word in ErrorCode::WORDS {
            let code = ErrorCode::from(*word);
            assert!(!matches!(code, ErrorCode::Other(_)), "{word}");
            assert_eq!(code.word(), *word);
        }
    }

    #[test]
    fn a_frame_with_an_id_is_a_response_and_one_with_a_method_a_notice() {
        let response = FromDaemon::from_bytes(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#).unwrap();
        assert!(matches!(response, FromDaemon::Response(Response { id: Some(_), .. })));
        let notice = FromDaemon::from_bytes(br#"{"method":"event","params":{}}"#).unwrap();
        assert!(matches!(notice, FromDaemon::Notice(_)));
    }
}
