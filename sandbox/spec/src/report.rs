//! The answer: how the run ended, what it used, which layers really held.

use serde::{Deserialize, Serialize};

/// How a run ended and what it used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// [`VERSION`](crate::VERSION) of the writer.
    pub version: u32,
    /// The one word for the end. Where several apply the first of this order is taken:
    /// internal, output, memory, wall, idle, cpu, processes, signal, exit.
    pub verdict: Verdict,
    /// The limit that probably stands behind a bad end, where nothing proves it: `memory` beside the
    /// verdict `signal` or `exit`; `processes` beside the verdict of that limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspected: Option<Limit>,
    /// Status of the program when it left by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Signal that ended it, ours included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// What was used; for a program on standby, time and computing since the go signal.
    pub usage: Usage,
    /// Present once a program on standby was given the go signal; absent where it ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<Waited>,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// For each control what was wanted and what held.
    pub enforced: Vec<Enforcement>,
    /// The layers that held in part or not at all, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shortfalls: Vec<Shortfall>,
    /// The level reached.
    pub level: Level,
    /// Why the run could not be done, for `internal` and `not_started`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "end")]
pub enum Verdict {
    /// Left with status 0.
    Ok,
    /// Left with another status.
    Exit,
    /// Ended by a signal that was not ours.
    Signal,
    /// Ended at a limit, or went wrong when it was refused more processes.
    Limit {
        /// Which.
        limit: Limit,
    },
    /// The program could not be started: not the candidate's fault.
    NotStarted,
    /// The sandbox failed: not the candidate's fault.
    Internal,
}

/// A bound that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Computing time.
    Cpu,
    /// Time on the clock.
    Wall,
    /// Time in a row without computing.
    Idle,
    /// Memory.
    Memory,
    /// Bytes written to standard output and error.
    Output,
    /// Processes.
    Processes,
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Time on the clock.
    pub wall_us: u64,
    /// Computing in user mode, all processes.
    pub cpu_user_us: u64,
    /// Computing in the kernel, all processes.
    pub cpu_sys_us: u64,
    /// Most memory resident at one time, as far as it was seen.
    pub peak_memory: u64,
    /// Most processes at one time, as far as they were seen.
    pub processes_peak: u32,
}

/// What a program on standby used before the go signal. It counts towards no limit of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waited {
    /// Time on the clock.
    pub wall_us: u64,
    /// Computing, all processes.
    pub cpu_us: u64,
}

/// One of the two output streams.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Bytes written in all.
    pub bytes: u64,
    /// The first of them; bytes that are not UTF-8 are replaced, a cut character is left out.
    pub head: String,
    /// The last of them, when something between was dropped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
    /// True when something between head and tail was dropped.
    #[serde(default)]
    pub truncated: bool,
}

/// How much isolation a machine gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Everything, with a cgroup.
    A,
    /// Namespaces, without a cgroup.
    B,
    /// No namespaces: Landlock and seccomp.
    C,
    /// Neither: unknown code is refused.
    D,
}

/// One control of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforcement {
    /// Which control.
    pub control: Control,
    /// What was wanted, for a limit its value with its unit.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub wanted: String,
    /// How far it held.
    pub held: Layer,
    /// By which mechanism, for example `network namespace` or `RLIMIT_AS`.
    pub by: String,
    /// Why it did not hold in full, or what else should be known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What is controlled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// The account the program runs as.
    User,
    /// No network.
    Network,
    /// Which files can be seen and written.
    Files,
    /// Other processes out of sight and reach.
    Isolation,
    /// System calls refused.
    Syscalls,
    /// No new privileges, no capabilities.
    Privileges,
    /// Inherited descriptors and environment removed.
    Inheritance,
    /// Computing time.
    Cpu,
    /// Time on the clock.
    Wall,
    /// Memory.
    Memory,
    /// Number of processes.
    Processes,
    /// Output.
    Output,
    /// Size of a file.
    FileSize,
    /// Open files of one process.
    OpenFiles,
    /// Everything started is ended before the report.
    Cleanup,
}

/// How far a control held, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// As wanted.
    Enforced,
    /// In part; the note says how far.
    Degraded,
    /// Not at all; the note says why.
    Absent,
}

/// A layer that held in part or not at all, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "layer")]
pub enum Shortfall {
    /// The kernel refused to make namespaces, or refused a step inside them: level C at best.
    Namespaces(Refusal),
    /// The kernel does not know Landlock.
    LandlockUnknown,
    /// The kernel knows Landlock and was booted without it.
    LandlockDisabled,
    /// The kernel has an older Landlock than the sandbox asks for.
    LandlockPartial {
        /// Version of the kernel's side.
        abi: u8,
    },
    /// The call numbers of this architecture are not known, so there is no call filter.
    CallFilter,
    /// The run has no control group, or one without all bounds.
    ControlGroup {
        /// `absent` or `degraded`.
        held: Layer,
        /// What was attempted, and the answer.
        why: String,
    },
}

/// A step of the set-up that the kernel refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What was attempted, for example [`MAKING_NAMESPACES`].
    pub step: String,
    /// The kernel's answer.
    pub errno: i32,
}

/// The first step of a [`Refusal`]; every other one is taken inside the namespaces.
pub const MAKING_NAMESPACES: &str = "making namespaces";

/// The step at which a program is refused where the kernel cannot filter system calls.
pub const INSTALLING_FILTER: &str = "installing the system call filter";
