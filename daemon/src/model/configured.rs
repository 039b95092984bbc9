//! The server of models that the settings name. Nothing is asked of it unless they do.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use vosim_agent::model::{ClientError, Endpoint, EndpointError, Openai, Secret, SecretError};

use vosim_protocol::v1::agent::Price;
use vosim_protocol::v1::talk::ModelUse;

use crate::config::{ModelConfig, ModelKind};

/// What the settings say of a server. It is looked at when somebody first wants to ask.
#[derive(Debug)]
pub struct Configured {
    config: ModelConfig,
    /// By the names of models. Kept, since each remembers what the server turned out not to know.
    servers: Mutex<BTreeMap<String, Arc<Openai>>>,
    /// How often each was silent in a row, and until when it is left alone for that.
    silent: Mutex<BTreeMap<String, (u32, Instant)>>,
}

/// After so many tries without an answer in a row a server is left alone for a while: whoever waits for
/// words waits twice for a server that hangs, not each time.
const SILENT_MAX: u32 = 2;
const LEFT_ALONE: Duration = Duration::from_secs(60);

/// Why nobody can be asked. A key is in none of these.
#[derive(Debug, thiserror::Error)]
pub enum Unconfigured {
    /// The settings name no server.
    #[error(
        "no model is configured: `[model]` in the settings takes kind = \"openai\", address and name"
    )]
    Offline,
    /// They do not say enough.
    #[error("`[model]` in the settings lacks {lacks}")]
    Lacks {
        /// What is missing.
        lacks: &'static str,
    },
    /// They say too much.
    #[error("`[model]` in the settings has key_variable and key_file: take one of them away")]
    TwoKeys,
    /// The key cannot be had.
    #[error(transparent)]
    Key(#[from] SecretError),
    /// The address does not do.
    #[error(transparent)]
    Address(#[from] EndpointError),
    /// Nothing can be sent.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// Nobody has answered lately.
    #[error(
        "the server has not answered {SILENT_MAX} times in a row and is left alone for a while"
    )]
    LeftAlone,
}

impl Configured {
    /// What the settings say; nothing is read or asked yet.
    pub fn new(config: &ModelConfig) -> Self {
        Self { config: config.clone(), servers: Mutex::default(), silent: Mutex::default() }
    }

    /// Whether the settings name a server.
    pub fn is_set(&self) -> bool {
        match self.config.kind {
            ModelKind::Offline => false,
            ModelKind::Openai => true,
        }
    }

    /// What the server calls the model, where one is configured.
    pub fn name(&self) -> Option<&str> {
        match self.config.kind {
            ModelKind::Offline => None,
            ModelKind::Openai => self.config.name.as_deref(),
        }
    }

    /// What a new session asks of it; nothing where no server is named, or it is named for tasks alone.
    pub fn used(&self) -> Option<ModelUse> {
        let ModelConfig { wording, assistant, hearing, .. } = self.config;
        let name = self.name().unwrap_or_default().to_owned();
        let used = ModelUse { name, wording, assistant, hearing };
        Some(used).filter(|_| self.is_set() && (wording || assistant || hearing))
    }

    /// What tokens of a model cost; of the one of the settings, where somebody has said so.
    pub fn price(&self, model: &str) -> Option<Price> {
        let prices = self.config.prompt_price_micros.zip(self.config.completion_price_micros);
        let prices = prices.filter(|_| self.name() == Some(model));
        prices.map(|(prompt_micros, completion_micros)| Price { prompt_micros, completion_micros })
    }

    /// Whether a session may ask for a text: not while the server is left alone.
    pub fn may_be_asked(&self, model: &str) -> Result<(), Unconfigured> {
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        match silent.get(model) {
            Some((times, until)) if *times >= SILENT_MAX && Instant::now() < *until => {
                Err(Unconfigured::LeftAlone)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Takes note of whether somebody has answered.
    pub fn note(&self, model: &str, was_silent: bool) {
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        if !was_silent {
            silent.remove(model);
            return;
        }
        let until = Instant::now() + LEFT_ALONE;
        let times = silent.get(model).map_or(0, |(times, _)| *times).saturating_add(1);
        silent.insert(model.to_owned(), (times, until));
    }

    /// The server with the model of the settings, and its key read.
    pub fn server(&self) -> Result<Arc<Openai>, Unconfigured> {
        self.server_with(self.name().unwrap_or_default())
    }

    /// The server with another of its models. A failure is not kept: who mends the file need not start anew.
    pub fn server_with(&self, model: &str) -> Result<Arc<Openai>, Unconfigured> {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = servers.get(model) {
            return Ok(Arc::clone(server));
        }
        let server = Arc::new(Openai::new(self.endpoint(model)?)?);
        servers.insert(model.to_owned(), Arc::clone(&server));
        Ok(server)
    }

    /// Where a model of the server is asked, with the key read.
    pub fn endpoint(&self, model: &str) -> Result<Endpoint, Unconfigured> {
        let config = &self.config;
        match config.kind {
            ModelKind::Offline => return Err(Unconfigured::Offline),
            ModelKind::Openai => {}
        }
        let address = config.address.as_ref().ok_or(Unconfigured::Lacks { lacks: "an address" })?;
        if model.is_empty() {
            return Err(Unconfigured::Lacks { lacks: "a name" });
        }
        let key = match (&config.key_variable, &config.key_file) {
            (None, None) => None,
            (Some(variable), None) => Some(Secret::from_variable(variable)?),
            (None, Some(file)) => Some(Secret::from_file(file)?),
            (Some(_), Some(_)) => return Err(Unconfigured::TwoKeys),
        };
        let endpoint = Endpoint::new(address, model, key)?;
        Ok(endpoint.with_window(config.window_tokens).with_tools(config.tools))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn config() -> ModelConfig {
        ModelConfig {
            kind: ModelKind::Openai,
            address: Some("http://127.0.0.1:8080/v1".to_owned()),
            name: Some("small".to_owned()),
            ..ModelConfig::default()
        }
    }

    fn refusal(config: &ModelConfig) -> String {
        Configured::new(config).server().unwrap_err().to_string()
    }

    #[test]
    fn a_server_is_there_where_the_settings_name_one() {
        let configured = Configured::new(&config());
        assert_eq!(configured.name(), Some("small"));
        let server = configured.server().unwrap();
        assert!(Arc::ptr_eq(&server, &configured.server().unwrap()));
        let offline = ModelConfig { kind: ModelKind::Offline, ..config() };
        assert_eq!(Configured::new(&offline).name(), None);
        assert!(refusal(&offline).starts_with("no model is configured: "));
        let lacks = ModelConfig { address: None, ..config() };
        assert_eq!(refusal(&lacks), "`[model]` in the settings lacks an address");
        let lacks = ModelConfig { name: None, ..config() };
        assert_eq!(refusal(&lacks), "`[model]` in the settings lacks a name");
    }

    #[test]
    fn a_session_asks_for_what_the_settings_say() {
        let used = Configured::new(&config()).used().unwrap();
        assert_eq!(used.name, "small");
        assert!(used.wording && used.assistant && used.hearing);
        let words = ModelConfig { assistant: false, hearing: false, ..config() };
        let used = Configured::new(&words).used().unwrap();
        assert!(used.wording && !used.assistant && !used.hearing);
        let tasks_alone = ModelConfig { wording: false, ..words };
        assert_eq!(Configured::new(&tasks_alone).used(), None);
        assert_eq!(Configured::new(&ModelConfig::default()).used(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_silent_twice_is_left_alone_for_a_minute() {
        let configured = Configured::new(&config());
        let may = || configured.may_be_asked("small").is_ok();
        configured.note("small", true);
        assert!(may());
        configured.note("small", true);
        assert!(!may() && configured.may_be_asked("other").is_ok());
        tokio::time::advance(LEFT_ALONE).await;
        assert!(may());
        configured.note("small", true);
        assert!(!may(), "one more try was enough to know");
        configured.note("small", false);
        assert!(may());
    }

    #[test]
    fn a_key_comes_from_a_file_of_its_owner_alone() {
        const KEY: &str = "sk-canary-1234567890";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        let with_file = ModelConfig { key_file: Some(file.clone()), ..config() };
        assert!(refusal(&with_file).starts_with("the key cannot be read from "));
        std::fs::write(&file, format!("{KEY}\n")).unwrap();
        let mode = |mode| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(0o640);
        let refused = refusal(&with_file);
        let name = file.display();
        assert_eq!(
            refused,
            format!(
                "others may read the key in {name}, whose mode is 640: `chmod 600 {name}` ends that"
            )
        );
        mode(0o600);
        let configured = Configured::new(&with_file);
        let server = configured.server().unwrap();
        assert!(!format!("{configured:?} {server:?}").contains("canary"));
        std::fs::write(&file, format!("{KEY}\n{KEY}\n")).unwrap();
        let refused = refusal(&with_file);
        assert!(
            refused.ends_with("is no key: a key is one line of visible characters"),
            "{refused}"
        );
        let both = ModelConfig { key_variable: Some("KEY".to_owned()), ..with_file };
        assert!(refusal(&both).starts_with("`[model]` in the settings has key_variable and"));
        let variable =
            ModelConfig { key_variable: Some("VOSIM_TEST_NO_KEY".to_owned()), ..config() };
        let told = "the variable VOSIM_TEST_NO_KEY of the environment holds no key";
        assert_eq!(refusal(&variable), told);
    }
}
