//! The settings as types. Nothing here knows where a value comes from.

use std::fmt;
use std::path::PathBuf;

use tracing::Level;
use vosim_store::BackendKind;

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
    pub(super) file: PathBuf,
    /// Where each setting comes from, in the order in which they are shown.
    pub(super) sources: Vec<Source>,
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
pub(super) enum Source {
    Default,
    File,
    Environment,
}
