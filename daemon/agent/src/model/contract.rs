//! What a model is, and who may be behind it.

use std::fmt;
use std::pin::Pin;

use serde::{Deserialize, Serialize};

use super::reply::{ModelFault, Reply};
use super::request::Request;

/// An answer on its way. Dropping it gives the request up, with the connection that carries it.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<Reply, ModelFault>> + Send + 'a>>;

/// What kind of model speaks. Screens and logs always say it: only one of them shows ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// Rules over what it is told; its successes were written down beforehand.
    Script,
    /// What another model once said, word for word.
    Replay,
    /// Edits of a program that is nearly right, tried one after another.
    Repair,
    /// A server that speaks the protocol of OpenAI's chat completions.
    Openai,
}

impl ModelKind {
    /// The word for it in settings, on screens and in logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Replay => "replay",
            Self::Repair => "repair",
            Self::Openai => "openai",
        }
    }

    /// Whether a success of it says anything of a model's ability.
    #[must_use]
    pub fn shows_ability(self) -> bool {
        match self {
            Self::Script | Self::Replay => false,
            Self::Repair | Self::Openai => true,
        }
    }
}

/// Who answered: the kind, and the name of the script, the recording or the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelId {
    /// What it is.
    pub kind: ModelKind,
    /// Which one.
    pub name: String,
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.is_empty() {
            true => f.write_str(self.kind.name()),
            false => write!(f, "{}:{}", self.kind.name(), self.name),
        }
    }
}

/// Answers requests, each by one try.
///
/// Whoever asks goes through `consult`, which tries again where a fault says that it helps.
pub trait Model: Send + Sync + fmt::Debug {
    /// Who it is.
    fn id(&self) -> ModelId;

    /// How many tokens a request and its reply may have together, as far as is known.
    fn window_tokens(&self) -> Option<u64> {
        None
    }

    /// What it says to a request.
    fn ask<'a>(&'a self, request: &'a Request) -> Answer<'a>;
}
