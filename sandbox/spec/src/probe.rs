//! The probe's answer: which mechanisms this machine gives, how a whole run went at each level,
//! and for what is missing the one step that mends it.

use serde::{Deserialize, Serialize};

use crate::{Enforcement, Layer, Level, Verdict};

/// Version of [`ProbeReport`]. It only gains, so a reader takes every version from 1 on.
pub const PROBE_VERSION: u32 = 1;

/// What a machine gives to the account that runs programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// [`PROBE_VERSION`] of the writer.
    pub version: u32,
    /// The best level at which a whole run went well; D where none did.
    pub level: Level,
    /// Release of the kernel, as `uname -r` prints it.
    pub kernel: String,
    /// Path of the helper that was probed; bytes that are not UTF-8 are replaced.
    pub helper: String,
    /// The account that runs programs.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// Each mechanism, in the order in which a run needs them.
    pub mechanisms: Vec<Probed>,
    /// The whole runs, best level first.
    pub runs: Vec<ProbedRun>,
}

/// One mechanism, really tried in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probed {
    /// Which.
    pub mechanism: Mechanism,
    /// How far it holds.
    pub held: Layer,
    /// What was seen: the effect where it holds, the step and the kernel's answer where not.
    pub found: String,
    /// The mechanism without which this one was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Mechanism>,
    /// What would mend it, where something would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<Mend>,
}

/// A part of the machinery that keeps a run apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// A user namespace can be made.
    UserNamespace,
    /// The account can be mapped into it.
    AccountMap,
    /// A file system of its own becomes the root.
    PrivateRoot,
    /// Parts of the host's file system are shown in it, read-only.
    Binds,
    /// Processes outside are out of sight.
    PidNamespace,
    /// No interface is up.
    NetNamespace,
    /// No message queue or shared memory of the host.
    IpcNamespace,
    /// A host name of its own.
    UtsNamespace,
    /// Landlock closes the files.
    Landlock,
    /// The system call filter is taken and answers.
    Seccomp,
    /// Limits of each process.
    ResourceLimits,
    /// The number of processes is counted for each run by itself.
    ProcessCount,
    /// A cgroup v2 of the account's own.
    Cgroup,
}

impl Mechanism {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserNamespace => "user namespace",
            Self::AccountMap => "account map",
            Self::PrivateRoot => "private root",
            Self::Binds => "read-only binds",
            Self::PidNamespace => "pid namespace",
            Self::NetNamespace => "net namespace",
            Self::IpcNamespace => "ipc namespace",
            Self::UtsNamespace => "uts namespace",
            Self::Landlock => "Landlock",
            Self::Seccomp => "call filter",
            Self::ResourceLimits => "resource limits",
            Self::ProcessCount => "process count",
            Self::Cgroup => "cgroup",
        }
    }
}

/// One step that gives what is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mend {
    /// A line for a shell, or a few words where no command does it.
    pub step: String,
    /// What to write where the step opens an editor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A whole run, made as every run is: a program that ends at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedRun {
    /// The level that it was made at; D where it would have been held by nothing.
    pub level: Level,
    /// How it ended; everything but `ok` means that no program can be run at this level.
    pub verdict: Verdict,
    /// From the request to the record.
    pub wall_us: u64,
    /// Why it did not go well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// For each control what held, as in every record.
    pub enforced: Vec<Enforcement>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_is_left_out_and_a_reader_takes_fields_it_does_not_know() {
        let probed = Probed {
            mechanism: Mechanism::NetNamespace,
            held: Layer::Enforced,
            found: "no interface is up".to_owned(),
            needs: None,
            mend: None,
        };
        let text = serde_json::to_string(&probed).unwrap();
        let wanted =
            r#"{"mechanism":"net_namespace","held":"enforced","found":"no interface is up"}"#;
        assert_eq!(text, wanted);
        let newer = text.replace("\"held\"", "\"since\":7,\"held\"");
        assert_eq!(serde_json::from_str::<Probed>(&newer).unwrap(), probed);
    }
}
