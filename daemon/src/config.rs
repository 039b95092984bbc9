//! The settings: defaults, then `config.toml`, then the environment; the last one to speak wins.
//!
//! A file that is not there is fine. One that cannot be used is refused with one sentence that
//! names key, line and what is accepted; no setting is ever guessed or silently left out.

mod given;
mod settings;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};
use tracing::Level;
use vosim_protocol::v1::service::{ConfigResult, Setting};
use vosim_store::BackendKind;

use given::Given;
use settings::{Known, SETTINGS};

/// Largest configuration file, bytes.
const FILE_MAX_BYTES: u64 = 64 * 1024;

/// The settings in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// The event log.
    pub store: StoreConfig,
    /// Running code.
    pub evaluator: EvaluatorConfig,
    /// Sessions.
    pub sessions: SessionsConfig,
    /// The daemon's own log.
    pub log: LogConfig,
    /// Putting texts into words.
    pub model: ModelConfig,
    /// The file, whether it exists or not.
    file: PathBuf,
    /// Where each of [`SETTINGS`] comes from.
    sources: Vec<Source>,
}

/// `[store]`: the event log.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreConfig {
    /// The database of a store that is made anew; an existing one keeps its own.
    pub backend: BackendKind,
}

/// `[evaluator]`: running code. What is not set is looked for.
#[derive(Clone, Debug, Default)]
pub struct EvaluatorConfig {
    /// The Python interpreter.
    pub python: Option<PathBuf>,
    /// The Node.js interpreter.
    pub node: Option<PathBuf>,
    /// The program `vosim-sandbox`.
    pub sandbox: Option<PathBuf>,
    /// Whom code runs as when the daemon runs as root; 65534 if it is not set (DECISIONS 24).
    pub user: Option<Account>,
    /// Interpreters of each language that wait, already isolated, for the next submission; 0 to 8.
    /// They are started after the first one of their language and take some 7 MB each (Node.js
    /// some 25).
    pub warm: usize,
}

/// An account that is not root, shown as `vosim-sandbox --user` takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// User id, above 0.
    pub uid: u32,
    /// Group id, above 0.
    pub gid: u32,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.uid, self.gid)
    }
}

/// `[sessions]`.
#[derive(Clone, Copy, Debug)]
pub struct SessionsConfig {
    /// A session that nobody has spoken to for so many seconds is put to sleep; 1 to 86,400.
    pub idle_sleep_secs: u64,
}

/// `[log]`: the daemon's own log.
#[derive(Clone, Copy, Debug)]
pub struct LogConfig {
    /// The least important messages that are kept.
    pub level: Level,
    /// Files kept, the one being written included; 1 to 100.
    pub keep_files: u32,
    /// Largest size of one file, bytes; 64 KiB to 1 GiB.
    pub file_max_bytes: u64,
}

/// `[model]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelConfig {
    /// Which model.
    pub kind: ModelKind,
}

/// Which model puts texts into words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelKind {
    /// The problem's own texts, as they are.
    #[default]
    Offline,
}

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Default,
    File,
    Environment,
}

/// Why the settings cannot be used; each is one sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is there but cannot be read.
    #[error("{} cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's answer.
        cause: io::Error,
    },
    /// The file is not TOML.
    #[error("{}, line {line}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A key that means nothing.
    #[error("{}, line {line}: there is no setting {key}; there are {accepted}", path.display())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key, with dots.
        key: String,
        /// The keys that mean something there.
        accepted: String,
    },
    /// A value that is not accepted.
    #[error("{origin}: {key} takes {accepted}, not {found}")]
    Value {
        /// File and line, or the variable.
        origin: String,
        /// The key, with dots.
        key: &'static str,
        /// What is accepted.
        accepted: &'static str,
        /// What was found.
        found: String,
    },
}

impl Config {
    /// The settings of this file and this process's environment.
    pub fn load(file: &Path) -> Result<Self, ConfigError> {
        Self::load_with(file, &|name| std::env::var_os(name))
    }

    /// The same with another environment.
    pub fn load_with(
        file: &Path,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self::defaults(file);
        if let Some(text) = read(file)? {
            config.apply_file(&text)?;
        }
        config.apply_environment(variable)?;
        Ok(config)
    }

    /// The defaults alone; `file` is what `config show` names.
    pub fn defaults(file: &Path) -> Self {
        Self {
            store: StoreConfig::default(),
            evaluator: EvaluatorConfig { warm: 2, ..EvaluatorConfig::default() },
            sessions: SessionsConfig { idle_sleep_secs: 600 },
            log: LogConfig { level: Level::INFO, keep_files: 5, file_max_bytes: 5 * 1024 * 1024 },
            model: ModelConfig::default(),
            file: file.to_owned(),
            sources: vec![Source::Default; SETTINGS.len()],
        }
    }

    /// What `config.show` answers.
    pub fn show(&self) -> ConfigResult {
        let settings = SETTINGS.iter().zip(&self.sources).map(|(known, source)| Setting {
            key: known.key.to_owned(),
            value: (known.show)(self),
            source: match source {
                Source::Default => "default",
                Source::File => "file",
                Source::Environment => "environment",
            }
            .to_owned(),
        });
        ConfigResult { file: self.file.display().to_string(), settings: settings.collect() }
    }

    fn apply_file(&mut self, text: &str) -> Result<(), ConfigError> {
        let path = self.file.clone();
        let line = |start: usize| 1 + text[..start].matches('\n').count();
        let root = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            path: path.clone(),
            line: line(error.span().map_or(0, |span| span.start)),
            reason: error.message().lines().next().unwrap_or("not TOML").to_owned(),
        })?;
        for (section, content) in root.get_ref() {
            let DeValue::Table(table) = content.get_ref() else {
                return Err(unknown(&path, line(section.span().start), section.get_ref()));
            };
            // An empty section of a name that means nothing is a mistake as well.
            if !settings::is_section(section.get_ref()) {
                return Err(unknown(&path, line(section.span().start), section.get_ref()));
            }
            for (key, value) in table {
                let at = line(key.span().start);
                let key = format!("{}.{}", section.get_ref(), key.get_ref());
                let Some(position) = settings::position(&key) else {
                    return Err(unknown(&path, at, &key));
                };
                let origin = || format!("{}, line {at}", path.display());
                self.set(position, &Given::Toml(value.get_ref()), Source::File, &origin)?;
            }
        }
        Ok(())
    }

    fn apply_environment(
        &mut self,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<(), ConfigError> {
        for (position, known) in SETTINGS.iter().enumerate() {
            let Some(name) = known.variable else { continue };
            // As everywhere on the command line, an empty variable is an unset one.
            let Some(value) = variable(name).filter(|value| !value.is_empty()) else { continue };
            let origin = || name.to_owned();
            self.set(position, &Given::Variable(&value), Source::Environment, &origin)?;
        }
        Ok(())
    }

    fn set(
        &mut self,
        position: usize,
        given: &Given<'_>,
        source: Source,
        origin: &dyn Fn() -> String,
    ) -> Result<(), ConfigError> {
        let Known { key, accepted, apply, .. } = SETTINGS[position];
        if apply(self, given).is_none() {
            let found = given.to_string();
            return Err(ConfigError::Value { origin: origin(), key, accepted, found });
        }
        self.sources[position] = source;
        Ok(())
    }
}

fn unknown(path: &Path, line: usize, key: &str) -> ConfigError {
    let accepted = settings::keys_near(key);
    ConfigError::UnknownKey { path: path.to_owned(), line, key: key.to_owned(), accepted }
}

/// The file's text; nothing when there is no file.
fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    let unreadable = |cause| ConfigError::Unreadable { path: path.to_owned(), cause };
    let size = match path.metadata() {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Err(unreadable(io::Error::other("it is not a file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if size > FILE_MAX_BYTES {
        let reason = format!("it has {size} bytes, and {FILE_MAX_BYTES} are the most");
        return Err(unreadable(io::Error::other(reason)));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count();
        let reason = "this is not UTF-8 text".to_owned();
        ConfigError::Syntax { path: path.to_owned(), line, reason }
    })
}

#[cfg(test)]
mod tests;
