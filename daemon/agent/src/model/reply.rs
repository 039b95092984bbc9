//! What a model may answer, and why it may not have.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// What was said.
    pub said: Said,
    /// What it took.
    pub usage: Usage,
    /// The model that the server says has answered, where it is not the one that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// What the client noticed about the server, in sentences for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What was said. Only what arrived whole is a text or a call.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Said {
    /// Words, to whoever asked.
    Text {
        /// They.
        text: String,
    },
    /// One call of a tool.
    Call {
        /// Words beside it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
        /// The call.
        call: Call,
        /// Further calls of the same reply, which are left out: one step is one call.
        #[serde(default)]
        left_out: u32,
    },
    /// The reply ended before it was whole. Nothing in it may be carried out, and it is not mended.
    Cut {
        /// What arrived, for the record.
        text: String,
        /// The tool that it was about to call, as far as that was said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// Why it ended, in a sentence.
        why: String,
    },
}

impl fmt::Debug for Said {
    /// The words are in the record and in no other log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { text } => f.debug_struct("Text").field("bytes", &text.len()).finish(),
            Self::Call { text, call, left_out } => f
                .debug_struct("Call")
                .field("bytes", &text.len())
                .field("call", call)
                .field("left_out", left_out)
                .finish(),
            Self::Cut { text, tool, why } => f
                .debug_struct("Cut")
                .field("bytes", &text.len())
                .field("tool", tool)
                .field("why", why)
                .finish(),
        }
    }
}

/// A call of a tool, as the model asked for it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Names the call within its conversation.
    pub id: String,
    /// Which tool.
    pub tool: String,
    /// Its arguments as text, as they came. Whoever carries the call out reads them strictly.
    pub arguments: String,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.arguments.len();
        f.debug_struct("Call").field("tool", &self.tool).field("bytes", &bytes).finish()
    }
}

/// Tokens of one reply. What a server did not say is not known, which is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub prompt: Option<u64>,
    /// Of these, those that the server had kept from before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Tokens of the reply.
    pub completion: Option<u64>,
    /// Of these, those that were thought and not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// Whether a figure is our estimate, since the server gave none.
    #[serde(default)]
    pub estimated: bool,
}

impl Usage {
    /// What nothing was asked of.
    pub const NOTHING: Self = Self {
        prompt: Some(0),
        cached: None,
        completion: Some(0),
        reasoning: None,
        estimated: false,
    };

    /// This and another together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let sum = |one: Option<u64>, two: Option<u64>| match (one, two) {
            (None, None) => None,
            (one, two) => Some(one.unwrap_or_default().saturating_add(two.unwrap_or_default())),
        };
        Self {
            prompt: sum(self.prompt, other.prompt),
            cached: sum(self.cached, other.cached),
            completion: sum(self.completion, other.completion),
            reasoning: sum(self.reasoning, other.reasoning),
            estimated: self.estimated || other.estimated,
        }
    }

    /// Tokens of request and reply together.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        Some(self.prompt?.saturating_add(self.completion?))
    }
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{told}")]
pub struct ModelFault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// Whether the same request may be answered later.
    pub again: Again,
    /// What happened, in a sentence for a person. No key is ever in it.
    pub told: String,
    /// What a reply that had begun and was thrown away has taken, as an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

impl ModelFault {
    /// A fault before anything of a reply was there.
    #[must_use]
    pub fn new(kind: FaultKind, again: Again, told: impl Into<String>) -> Self {
        Self { kind, again, told: told.into(), usage: None }
    }
}

/// Kinds of faults (002 7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Nobody answers at the address.
    Unreachable,
    /// No answer within the time for one try.
    TimedOut,
    /// The server is there and cannot answer now.
    Unavailable,
    /// Too many requests.
    RateLimited,
    /// The key is missing, wrong or spent.
    Key,
    /// The server does not have the model.
    UnknownModel,
    /// The request does not fit into the model's window.
    TooLong,
    /// The server refuses the request as it is.
    Refused,
    /// What came back is not what the protocol says.
    Garbled,
    /// The script has no rule, or the recording no exchange, for this.
    Exhausted,
    /// The conversation is not one that may be sent.
    Malformed,
}

impl FaultKind {
    /// The word for it in logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Unavailable => "unavailable",
            Self::RateLimited => "rate_limited",
            Self::Key => "key",
            Self::UnknownModel => "unknown_model",
            Self::TooLong => "too_long",
            Self::Refused => "refused",
            Self::Garbled => "garbled",
            Self::Exhausted => "exhausted",
            Self::Malformed => "malformed",
        }
    }
}

/// Whether and when it helps to ask the same again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Again {
    /// It does not.
    Never,
    /// After a wait of our own choice.
    Soon,
    /// Not before the server says: milliseconds from the fault on.
    AfterMillis(u64),
}

impl Again {
    /// As the server's wait, in whole milliseconds.
    #[must_use]
    pub fn after(wait: Duration) -> Self {
        Self::AfterMillis(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX))
    }

    /// What the server asked to wait, where it did.
    #[must_use]
    pub fn wait(self) -> Option<Duration> {
        match self {
            Self::Never | Self::Soon => None,
            Self::AfterMillis(millis) => Some(Duration::from_millis(millis)),
        }
    }
}
