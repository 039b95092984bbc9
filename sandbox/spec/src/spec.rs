//! The request: what to run, with which files, under which limits.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::Content;

/// The working directory inside the sandbox, which holds the run's own files.
pub const WORK_DIR: &str = "/work";

/// The variables of its caller's environment that the helper looks at: where a home and vosim's own
/// folders are, which no run may see.
pub const PLACES: [&str; 5] =
    ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"];

/// Returns these variables of this process, for the otherwise empty environment of a helper.
pub fn places_of() -> impl Iterator<Item = (&'static str, std::ffi::OsString)> {
    PLACES.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}

/// Longest time for which a program may be on standby, milliseconds.
pub const STANDBY_MAX_MS: u64 = 60 * 60 * 1000;

/// One program to run.
///
/// The helper is started with its descriptors used like this: 0 is the control channel (in come the
/// request and, for a program on standby, the go signal; out goes the report; its end means kill),
/// 1 is handed to the program as descriptor 3 when [`channel`](Self::channel) is set, 2 takes the
/// helper's own complaints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSpec {
    /// [`VERSION`](crate::VERSION) of the writer.
    pub version: u32,
    /// Absolute path of the program, then its arguments.
    pub argv: Vec<String>,
    /// The whole environment; nothing is inherited.
    #[serde(default, deserialize_with = "each_once")]
    pub env: BTreeMap<String, String>,
    /// Files laid into the working directory before the start, read-only: plain name to content.
    #[serde(default, deserialize_with = "each_once")]
    pub files: BTreeMap<String, Content>,
    /// Parts of the host's file system that may be read, beyond the program itself.
    #[serde(default)]
    pub mounts: Vec<Mount>,
    /// Text for the standard input; absent means empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// Hands the caller's channel to the program as descriptor 3.
    #[serde(default)]
    pub channel: bool,
    /// What of the network may be reached.
    #[serde(default, skip_serializing_if = "Network::is_none")]
    pub network: Network,
    /// The bounds.
    pub limits: Limits,
    /// Starts the program with every layer in place, but counts the limits only from the caller's
    /// [`Go`] on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standby: Option<Standby>,
    /// The weakest level at which the run is still wanted; below it the answer is `internal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require_level: Option<crate::Level>,
}

/// What of the network a program may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nothing.
    #[default]
    None,
    /// What this machine reaches outside, and nothing that listens on this machine itself: only
    /// for the program of a task whose user has approved it (002). Where that cannot be held to,
    /// the answer is `not_started`, with an error that begins with [`NO_NETWORK`](crate::NO_NETWORK).
    Outside,
}

impl Network {
    const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// Bounds of a program on standby: it runs, so that it may prepare itself, until a line with a
/// [`Go`] comes on the control channel. Memory, output, processes and files are bounded as in the
/// run. The end of the channel ends the program, before the go signal and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standby {
    /// Longest time until the go signal, milliseconds, at most [`STANDBY_MAX_MS`]; past it the run
    /// ends at the limit `wall`.
    pub wait_ms: u64,
    /// Computing time until the go signal, milliseconds; past it the run ends at the limit `cpu`.
    pub cpu_ms: u64,
}

/// The go signal for a program on standby: from here on the limits count. Limits that it names are
/// lowered for this run, and never raised. Each later signal lowers limits once more, which go on
/// counting from the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Go {
    /// Computing time, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
    /// Time on the clock, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    /// Time on the clock without any computing, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_ms: Option<u64>,
}

/// A part of the host's file system that the program may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount {
    /// Absolute path, the same inside.
    pub path: PathBuf,
    /// Whether it may be written to: only the one workspace of an agent (002).
    #[serde(default)]
    pub writable: bool,
}

/// The bounds of a run, summed over all its processes unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Computing time, milliseconds.
    pub cpu_ms: u64,
    /// Time on the clock, milliseconds.
    pub wall_ms: u64,
    /// Time on the clock without any computing, milliseconds; 0 means no such limit.
    #[serde(default)]
    pub idle_ms: u64,
    /// Memory in bytes.
    pub memory: u64,
    /// The kernel's bound for each process, which backs that one up.
    #[serde(default, skip_serializing_if = "MemoryBy::is_usual")]
    pub memory_by: MemoryBy,
    /// Bytes kept of standard output and of standard error, each; half from the head, half from
    /// the tail. The bytes between are counted and dropped.
    pub output_keep: u64,
    /// Bytes of standard output and error together after which the run is ended.
    pub output_max: u64,
    /// Processes and threads at one time.
    pub processes: u32,
    /// Open files of one process.
    pub open_files: u32,
    /// Largest file in bytes; 0 means that nothing can be written.
    pub file_size: u64,
    /// Whether all of it shares one processor (002 6.4).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_core: bool,
}

/// The measure by which the kernel bounds the memory of one process. The sum of resident memory is
/// watched in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryBy {
    /// All addresses that the process reserves (RLIMIT_AS).
    #[default]
    AddressSpace,
    /// Only private writable memory (RLIMIT_DATA, 1 GiB above the limit), for runtimes
    /// such as V8, which reserve gigabytes of addresses and touch little of them.
    Data,
}

impl MemoryBy {
    const fn is_usual(&self) -> bool {
        matches!(self, Self::AddressSpace)
    }
}

impl Limits {
    /// 000: 10 s of computing, 512 MB, nothing writable (DECISIONS 17).
    pub fn submission() -> Self {
        Self {
            cpu_ms: 10_000,
            wall_ms: 30_000,
            idle_ms: 10_000,
            memory: 512 * 1024 * 1024,
            memory_by: MemoryBy::AddressSpace,
            output_keep: 64 * 1024,
            output_max: 64 * 1024 * 1024,
            processes: 32,
            open_files: 64,
            file_size: 0,
            one_core: false,
        }
    }
}

/// Reads a map and refuses a name that occurs twice, since one of its two texts would be lost.
fn each_once<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<BTreeMap<String, T>, D::Error> {
    struct EachOnce<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for EachOnce<T> {
        type Value = BTreeMap<String, T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("values by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut values = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, T>()? {
                if values.contains_key(&name) {
                    return Err(A::Error::custom(format_args!("`{name}` occurs twice")));
                }
                values.insert(name, value);
            }
            Ok(values)
        }
    }

    from.deserialize_map(EachOnce(PhantomData))
}
