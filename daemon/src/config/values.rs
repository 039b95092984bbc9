//! The settings as types. Nothing here knows where a value comes from.

use std::fmt;
use std::path::PathBuf;

use tracing::Level;
use vosim_agent::model::ToolForm;
use vosim_protocol::v1::agent::{Caps, ModelName, RunCaps};
use vosim_store::BackendKind;

/// The settings in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// The event log.
    pub store: StoreConfig,
    /// The evaluator.
    pub evaluator: EvaluatorConfig,
    /// Sessions.
    pub sessions: SessionsConfig,
    /// Attempts.
    pub attempt: AttemptConfig,
    /// The daemon's own log.
    pub log: LogConfig,
    /// The model.
    pub model: ModelConfig,
    /// Tasks.
    pub task: TaskConfig,
    /// The memory of tasks.
    pub memory: MemoryConfig,
    /// The file, whether it exists or not.
    pub(super) file: PathBuf,
    /// Where each setting comes from, in the order in which they are shown.
    pub(super) sources: Vec<Source>,
}

/// `[store]`: the event log.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreConfig {
    /// The database of a new store; an existing one keeps its own.
    pub backend: BackendKind,
}

/// `[evaluator]`: running code. Programs that are not set are searched for.
#[derive(Clone, Debug, Default)]
pub struct EvaluatorConfig {
    /// The Python interpreter.
    pub python: Option<PathBuf>,
    /// The Node.js interpreter.
    pub node: Option<PathBuf>,
    /// The program `vosim-sandbox`.
    pub sandbox: Option<PathBuf>,
    /// The accounts that run code when the daemon runs as root, one for each run that is under way
    /// (DECISIONS 24); 1900000000 to 1900000255 if not set.
    pub user: Option<Account>,
    /// Number of interpreters of each language that wait, already isolated, for the next
    /// submission; 0 to 8. They are started after the first submission in their language and take
    /// about 7 MB each (Node.js about 25).
    pub warm: usize,
}

/// Accounts that are not root, shown as `vosim-sandbox --user` takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// First user id, above 0.
    pub uid: u32,
    /// Last user id; the first where there is one alone, which all runs share.
    pub last: u32,
    /// Group id, above 0.
    pub gid: u32,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { uid, last, gid } = self;
        if uid == last { write!(f, "{uid}:{gid}") } else { write!(f, "{uid}-{last}:{gid}") }
    }
}

/// `[attempt]`: new attempts (003: feature flags); those that have begun keep what they began with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptConfig {
    /// Five steps; else the three of the flow before 003: approach, code, test.
    pub attempt_v2_flow: bool,
    /// A new attempt is a beginner's, unless it says otherwise.
    pub beginner_mode_default: bool,
}

impl Default for AttemptConfig {
    fn default() -> Self {
        Self { attempt_v2_flow: true, beginner_mode_default: true }
    }
}

/// `[sessions]`.
#[derive(Clone, Copy, Debug)]
pub struct SessionsConfig {
    /// Seconds without a request after which a session is put to sleep; 1 to 86,400.
    pub idle_sleep_secs: u64,
}

/// `[log]`: the daemon's own log.
#[derive(Clone, Copy, Debug)]
pub struct LogConfig {
    /// The least important level of messages that are kept.
    pub level: Level,
    /// Number of files kept, including the one being written; 1 to 100.
    pub keep_files: u32,
    /// Largest size of one file, bytes; 64 KiB to 1 GiB.
    pub file_max_bytes: u64,
}

/// `[model]`: who is asked where a task names no model of its own, and what sessions ask it for.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// The kind of model.
    pub kind: ModelKind,
    /// The server, by its address up to and with the version.
    pub address: Option<String>,
    /// What the server calls the model.
    pub name: Option<String>,
    /// The variable of the environment that holds the key. The key itself is no setting.
    pub key_variable: Option<String>,
    /// The file that holds the key, readable by its owner alone.
    pub key_file: Option<PathBuf>,
    /// Tokens that a request and its reply may have together; 1,024 to 10,000,000.
    pub window_tokens: Option<u64>,
    /// How calls of tools are sent.
    pub tools: ToolForm,
    /// Whether new drills and interviews have it put texts into words; they keep what they began with.
    pub wording: bool,
    /// Whether it answers as the assistant of new interviews.
    pub assistant: bool,
    /// Whether it hears the answers of new interviews, beside their own weights.
    pub hearing: bool,
    /// What a million tokens of a request cost, in millionths of a dollar; unknown where not set.
    pub prompt_price_micros: Option<u64>,
    /// What a million tokens of a reply cost, in millionths of a dollar; unknown where not set.
    pub completion_price_micros: Option<u64>,
}

impl Default for ModelConfig {
    /// No server; one that is named without more is asked for all that it can be asked for.
    fn default() -> Self {
        Self {
            kind: ModelKind::default(),
            address: None,
            name: None,
            key_variable: None,
            key_file: None,
            window_tokens: None,
            tools: ToolForm::default(),
            wording: true,
            assistant: true,
            hearing: true,
            prompt_price_micros: None,
            completion_price_micros: None,
        }
    }
}

/// `[task]`: new tasks; those that have begun keep what they began with. A cap that is not set does not hold.
#[derive(Clone, Debug)]
pub struct TaskConfig {
    /// What one task may use up.
    pub caps: Caps,
    /// What all tasks of a day may use up together.
    pub day: Caps,
    /// What each run of the tests may use up.
    pub run: RunCaps,
    /// Iterations at the start and with each `resume`; 1 to 100.
    pub iterations: u32,
    /// Who proposes where the task's own model is stuck or cannot be reached.
    pub fallback: Option<ModelName>,
}

impl Default for TaskConfig {
    /// No cap holds for money: a price is known only where somebody has set one.
    fn default() -> Self {
        let day = Caps { tokens: Some(10_000_000), calls: Some(4_000), ..Caps::default() };
        Self {
            caps: Caps {
                tokens: Some(2_000_000),
                calls: Some(400),
                wall_secs: Some(7_200),
                ..Caps::default()
            },
            day,
            // 002 6.4.
            run: RunCaps::default(),
            // 002 2.1.
            iterations: 15,
            fallback: None,
        }
    }
}

/// `[memory]`: how tasks are compared with earlier ones; by their words where nothing is set.
#[derive(Clone, Debug, Default)]
pub struct MemoryConfig {
    /// The sentence model to be run in this process, as ONNX.
    pub model: Option<PathBuf>,
    /// Its vocabulary.
    pub vocabulary: Option<PathBuf>,
    /// What the server of `[model]` calls the model that makes vectors there.
    pub server_model: Option<String>,
}

/// The kinds of model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelKind {
    /// None; the problem's own texts are used as they are.
    #[default]
    Offline,
    /// A server that speaks the protocol of OpenAI's chat completions.
    Openai,
}

/// The origin of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Default,
    File,
    Environment,
}
