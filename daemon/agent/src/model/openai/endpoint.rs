//! Where a server is and what it is asked for.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use super::secret::Secret;

/// How calls of tools go over the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolForm {
    /// By the protocol's own field; by one JSON object where the server refuses that.
    #[default]
    Auto,
    /// By the protocol's own field only.
    Native,
    /// By one JSON object only, held to a schema.
    Json,
}

/// A server, the model to ask it for, and the key it wants.
#[derive(Clone)]
pub struct Endpoint {
    base: Url,
    model: String,
    key: Option<Secret>,
    tools: ToolForm,
    window_tokens: Option<u64>,
}

/// Why an address cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is none.
    #[error("`{address}` is no address of a server: {told}")]
    Address {
        /// What was given, without what may be a key.
        address: String,
        /// What is wrong.
        told: String,
    },
    /// The key would go over the network for everybody to read.
    #[error(
        "the key would go to {host} unencrypted: give an address that begins with https, or no key"
    )]
    Unencrypted {
        /// Where to.
        host: String,
    },
    /// There is no name of a model.
    #[error("the model has no name")]
    NoModel,
}

impl Endpoint {
    /// A server by its address up to and with the version, as in `http://127.0.0.1:8080/v1`.
    ///
    /// # Errors
    /// If it is no http or https address, holds a key itself, or would have the key sent unencrypted
    /// to another machine.
    pub fn new(address: &str, model: &str, key: Option<Secret>) -> Result<Self, EndpointError> {
        let wrong = |told: &str| EndpointError::Address {
            // What stands before an `@` or after a `?` may be a key.
            address: address
                .rsplit('@')
                .next()
                .unwrap_or("")
                .split('?')
                .next()
                .unwrap_or("")
                .to_owned(),
            told: told.to_owned(),
        };
        let mut base = Url::parse(address.trim()).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(wrong("it begins with neither http nor https"));
        }
        if !base.username().is_empty() || base.password().is_some() || base.query().is_some() {
            return Err(wrong("a key does not belong into it"));
        }
        base.set_fragment(None);
        if model.trim().is_empty() {
            return Err(EndpointError::NoModel);
        }
        // What is joined to it later comes below its last part, not in its place.
        let path = format!("{}/", base.path().trim_end_matches('/'));
        let path = path.strip_suffix("chat/completions/").map_or(path.clone(), str::to_owned);
        base.set_path(&path);
        let this = Self {
            base,
            model: model.trim().to_owned(),
            key,
            tools: ToolForm::Auto,
            window_tokens: None,
        };
        if this.key.is_some() && !this.is_encrypted() && !this.is_here() {
            return Err(EndpointError::Unencrypted { host: this.host().to_owned() });
        }
        Ok(this)
    }

    /// With the size of the model's window, in tokens, where it is known.
    #[must_use]
    pub fn with_window(self, window_tokens: Option<u64>) -> Self {
        Self { window_tokens, ..self }
    }

    /// With a form for the calls of tools.
    #[must_use]
    pub fn with_tools(self, tools: ToolForm) -> Self {
        Self { tools, ..self }
    }

    /// The model that is asked for.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    pub(super) fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }

    pub(super) fn tools(&self) -> ToolForm {
        self.tools
    }

    pub(super) fn window_tokens(&self) -> Option<u64> {
        self.window_tokens
    }

    /// An address below the server's.
    pub(super) fn at(&self, path: &str) -> Url {
        self.base.join(path).expect("a path below an address is an address")
    }

    /// The server's name.
    pub(super) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// Whether nobody on the way can read along.
    pub(super) fn is_encrypted(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// Whether the server is on this machine.
    pub(super) fn is_here(&self) -> bool {
        let host = self.host();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// A text without the key.
    pub(super) fn hide_key(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("base", &self.base.as_str())
            .field("model", &self.model)
            .field("key", &self.key)
            .field("tools", &self.tools)
            .field("window_tokens", &self.window_tokens)
            .finish()
    }
}
