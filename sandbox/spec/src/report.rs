//! The answer: how the run ended, what it used, which layers really held.

use serde::{Deserialize, Serialize};

/// The end of a run, what it used, and what held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// [`VERSION`](crate::VERSION) of the writer.
    pub version: u32,
    /// The end in one word. Where several apply, the first of this order is taken: internal,
    /// output, memory, wall, idle, cpu, processes, signal, exit.
    pub verdict: Verdict,
    /// The limit that probably caused a bad end, where nothing proves it: `memory` beside the
    /// verdict `signal` or `exit`; `processes` beside the verdict of that limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspected: Option<Limit>,
    /// Exit status of a program that ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Signal that ended the program, ours included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Resources used; for a program on standby, time and computing since the go signal.
    pub usage: Usage,
    /// Present once a program on standby was given the go signal; absent where it ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<Waited>,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// For each control, what was wanted and what held.
    pub enforced: Vec<Enforcement>,
    /// The layers that held in part or not at all, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shortfalls: Vec<Shortfall>,
    /// The level reached.
    pub level: Level,
    /// The reason why the run was not made, for `internal` and `not_started`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "end")]
pub enum Verdict {
    /// The program exited with status 0.
    Ok,
    /// The program exited with another status.
    Exit,
    /// A signal that was not ours ended the program.
    Signal,
    /// The run reached a limit, or the program failed when it was refused more processes.
    Limit {
        /// The limit.
        limit: Limit,
    },
    /// The program could not be started, which is not the candidate's fault.
    NotStarted,
    /// The sandbox failed, which is not the candidate's fault.
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

/// Resources that a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Time on the clock.
    pub wall_us: u64,
    /// Computing time of all processes in user mode.
    pub cpu_user_us: u64,
    /// Computing time of all processes in the kernel.
    pub cpu_sys_us: u64,
    /// Most memory resident at one time, as far as observed.
    pub peak_memory: u64,
    /// Most processes at one time, as far as observed.
    pub processes_peak: u32,
}

/// Resources that a program on standby used before the go signal. They count towards no limit of
/// the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waited {
    /// Time on the clock.
    pub wall_us: u64,
    /// Computing time of all processes.
    pub cpu_us: u64,
}

/// One of the two output streams.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Bytes written in all.
    pub bytes: u64,
    /// The first bytes; those that are not UTF-8 are replaced, a cut character is left out.
    pub head: String,
    /// The last bytes, when something between was dropped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
    /// Whether something between head and tail was dropped.
    #[serde(default)]
    pub truncated: bool,
}

/// The degree of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Namespaces, and a control group with both bounds.
    A,
    /// Namespaces without such a control group.
    B,
    /// No namespaces; Landlock and seccomp alone.
    C,
    /// Nothing that would hold, so unknown code is refused.
    D,
}

/// One control of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforcement {
    /// The control.
    pub control: Control,
    /// The aim; for a limit its value with its unit.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub wanted: String,
    /// The degree to which it held.
    pub held: Layer,
    /// The mechanism, for example `network namespace` or `RLIMIT_AS`.
    pub by: String,
    /// The reason why it did not hold in full, or another remark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A thing that is controlled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// The account the program runs as.
    User,
    /// No network.
    Network,
    /// Files that can be seen and written.
    Files,
    /// Other processes out of sight and reach.
    Isolation,
    /// System calls that are refused.
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
    /// All that was started is ended before the report.
    Cleanup,
}

/// The degree to which a control held, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// As wanted.
    Enforced,
    /// In part; the note says to what degree.
    Degraded,
    /// Not at all; the note gives the reason.
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
        /// The step that failed, and the answer.
        why: String,
    },
}

/// A step of the set-up that the kernel refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The attempt, for example [`MAKING_NAMESPACES`].
    pub step: String,
    /// The kernel's answer.
    pub errno: i32,
}

/// The first step of the set-up; every other one is taken inside the namespaces.
pub const MAKING_NAMESPACES: &str = "making namespaces";

/// The step at which a program is refused where the kernel cannot filter system calls.
pub const INSTALLING_FILTER: &str = "installing the system call filter";

/// Part of an error that names a limit of whoever started the helper.
pub const TOO_STRICT: &str = "is all that may be had here";

/// Beginning of the error where the run should have a network that cannot be held to what was
/// approved.
pub const NO_NETWORK: &str = "no approved network";

/// End of that error where the program is missing that leads such a network outside.
pub const NOT_INSTALLED: &str = "slirp4netns is not installed";

/// Part of the error where Landlock alone would have to hold the program, and is too old.
pub const LANDLOCK_TOO_WEAK: &str = "Landlock ABI 3 is needed without namespaces";
