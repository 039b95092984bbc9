//! Reads the settings from the file and the environment, and shows where each comes from.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use toml::de::{DeTable, DeValue};
use tracing::Level;
use vosim_protocol::trouble::{Location, Trouble};
use vosim_protocol::v1::service::{ConfigResult, Setting};

use super::error::ConfigError;
use super::given::Given;
use super::settings::{self, Known, SETTINGS};
use super::values::{
    AttemptConfig, Config, EvaluatorConfig, LogConfig, MemoryConfig, ModelConfig, SessionsConfig,
    Source, StoreConfig, TaskConfig,
};
use crate::runtime_dir::{check_obeyed, quoted, trouble};
use crate::toml_text;

/// Largest configuration file, bytes.
const FILE_MAX_BYTES: u64 = 64 * 1024;

impl Config {
    /// Loads the settings of this file and this process's environment.
    pub fn load(file: &Path) -> Result<Self, ConfigError> {
        Self::load_with(file, &|name| std::env::var_os(name))
    }

    /// Loads the settings with another environment.
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

    /// Returns the defaults; `file` is named by `config show`.
    pub fn defaults(file: &Path) -> Self {
        Self {
            store: StoreConfig::default(),
            evaluator: EvaluatorConfig { warm: 2, ..EvaluatorConfig::default() },
            sessions: SessionsConfig { idle_sleep_secs: 600 },
            attempt: AttemptConfig::default(),
            log: LogConfig { level: Level::INFO, keep_files: 5, file_max_bytes: 5 * 1024 * 1024 },
            model: ModelConfig::default(),
            task: TaskConfig::default(),
            memory: MemoryConfig::default(),
            file: file.to_owned(),
            sources: vec![Source::Default; SETTINGS.len()],
        }
    }

    /// Returns the answer of `config.show`.
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
        let line = |start| toml_text::line_at(text, start);
        let root = DeTable::parse(text).map_err(|error| {
            let (line, reason) = toml_text::fault(text, &error);
            ConfigError::Syntax { path: path.clone(), line, reason }
        })?;
        for (section, content) in root.get_ref() {
            let DeValue::Table(table) = content.get_ref() else {
                return Err(unknown(&path, line(section.span().start), section.get_ref()));
            };
            // An empty section with an unknown name is a mistake as well.
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
            // A key that stands in the wrong place is not repeated.
            let secret = settings::may_hold_a_key(key);
            let found = if secret { "what stands there".to_owned() } else { given.to_string() };
            return Err(ConfigError::Value { origin: origin(), key, accepted, found });
        }
        self.sources[position] = source;
        Ok(())
    }
}

fn unknown(path: &Path, line: usize, key: &str) -> ConfigError {
    let advice = settings::advice(key);
    ConfigError::UnknownKey { path: path.to_owned(), line, key: key.to_owned(), advice }
}

/// Returns the file's text; None when there is no file.
fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    let unreadable = |error: io::Error| ConfigError::Unreadable {
        path: path.to_owned(),
        trouble: trouble(&error, path, Location::Configuration),
    };
    check_obeyed(path).map_err(|why| ConfigError::Untrusted { path: path.to_owned(), why })?;
    let size = match path.metadata() {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(metadata) => {
            let cause = if metadata.is_dir() { "it is a folder" } else { "it is not a file" };
            let named = quoted(path);
            let mend = Some(format!("move it away: mv {named} {named}.old"));
            let trouble = Trouble { cause: cause.to_owned(), mend };
            return Err(ConfigError::Unreadable { path: path.to_owned(), trouble });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if size > FILE_MAX_BYTES {
        let reason = format!("it has {size} bytes, more than the {FILE_MAX_BYTES} allowed");
        return Err(unreadable(io::Error::other(reason)));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = toml_text::line_at(error.as_bytes(), valid);
        let reason = "this is not UTF-8 text".to_owned();
        ConfigError::Syntax { path: path.to_owned(), line, reason }
    })
}
