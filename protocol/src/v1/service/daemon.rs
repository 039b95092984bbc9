//! The daemon itself: how it stands, what it is set to, what is checked, how large its store is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hello::Software;
use crate::ids::SessionId;
use crate::time::Time;
use crate::v1::problem::Language;
use crate::wire::Json;

/// What `status` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatusResult {
    /// The daemon.
    pub daemon: Software,
    /// The process.
    pub pid: u32,
    /// When it started.
    pub started: Time,
    /// The data directory.
    pub data: String,
    /// Sessions in the store.
    pub sessions: u64,
    /// Sessions whose actor is awake.
    pub awake: u64,
    /// Connections, this one included.
    pub connections: u64,
    /// The current session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<SessionId>,
}

/// What `config.show` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfigResult {
    /// The file, whether it exists or not.
    pub file: String,
    /// The settings in force.
    pub settings: Vec<Setting>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// The key, with dots.
    pub key: String,
    /// The value.
    pub value: Json,
    /// Where it comes from: default, file or environment.
    pub source: String,
}

/// What `runtime.find` is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuntimeParams {
    /// The language.
    pub language: Language,
}

/// What `runtime.find` answers; where there is none, it is refused with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuntimeFound {
    /// The program, absolute.
    pub path: String,
    /// For example `3.11.7`.
    pub version: String,
}

/// What `doctor` is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorParams {
    /// Probes the sandbox anew, though the last probe may still hold.
    #[serde(default)]
    pub fresh: bool,
}

/// What `doctor` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorResult {
    /// The checks, in order.
    pub checks: Vec<Check>,
}

/// One check of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it stands.
    pub status: CheckStatus,
    /// What was found, one line.
    pub found: String,
    /// The one command or step that fixes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// How a check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// As it should be.
    Ok,
    /// What is checked works, but not as well as it could.
    Warn,
    /// Something will not work.
    Fail,
}

/// What `store.stats` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoreStats {
    /// The backend.
    pub backend: String,
    /// Sessions.
    pub sessions: u64,
    /// Bytes of what lives.
    pub live_bytes: u64,
    /// Bytes on the disk.
    pub disk_bytes: u64,
}

/// A file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathParams {
    /// Absolute.
    pub path: String,
}

/// A file or folder that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathResult {
    /// Absolute.
    pub path: String,
}
