//! The report's lines on each control: what was wanted, whether it held and by what. Nothing is
//! measured here: every line comes from a step that did or did not work.

use crate::cgroup::{Controllers, Group};
use crate::fault;
use crate::landlock_status::{LandlockStatus, Standing};
use vosim_sandbox_spec::{
    Control, Enforcement, Layer, Level, Limits, MemoryBy, Network, Refusal, Shortfall,
};

/// The layers that held in this run.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) level: Level,
    /// For example `uid 65534, 1000 inside`.
    pub(crate) account: String,
    /// Whether computing and memory of all processes can be seen in /proc.
    pub(crate) sees_processes: bool,
    /// Whether the system call filter is in place.
    pub(crate) filter: bool,
    /// The part of Landlock that is in force.
    pub(crate) landlock: LandlockStatus,
    /// The refusal of namespaces.
    pub(crate) refused: Option<Refusal>,
    pub(crate) group: Grouped,
    /// What the run has of the network.
    pub(crate) network: Network,
}

impl Held {
    /// Begins with the account alone in place.
    pub(crate) fn new(level: Level, account: String, refused: Option<Refusal>) -> Self {
        let (landlock, group) = (LandlockStatus::default(), Grouped::default());
        Self {
            level,
            account,
            sees_processes: false,
            filter: false,
            landlock,
            refused,
            group,
            network: Network::None,
        }
    }

    /// Takes note of the control group, which with namespaces makes level A or B.
    pub(crate) fn enter(&mut self, group: Grouped) {
        if self.level <= Level::B {
            self.level = if group.bounds.all() { Level::A } else { Level::B };
        }
        self.group = group;
    }
}

/// The effects of the run's own control group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grouped {
    /// Whether it counts computing and can be ended as a whole.
    entered: bool,
    bounds: Controllers,
    swap_bound: bool,
    /// The reason why there is none, or what it lacks.
    lacking: String,
}

impl Grouped {
    pub(crate) fn of(group: &Result<&Group, String>) -> Self {
        match group {
            Ok(group) => Self {
                entered: group.cpu().is_some(),
                bounds: group.bounds,
                swap_bound: group.swap_bound,
                lacking: group.lacking.clone(),
            },
            Err(why) => Self { lacking: why.clone(), ..Self::default() },
        }
    }

    fn shortfall(&self) -> Option<Shortfall> {
        let held = if self.entered { Layer::Degraded } else { Layer::Absent };
        let short = Shortfall::ControlGroup { held, why: self.lacking.clone() };
        (!self.bounds.all()).then_some(short)
    }
}

/// Returns the layers that held in part or not at all.
pub(crate) fn shortfalls(held: &Held) -> Vec<Shortfall> {
    let namespaces = held.refused.clone().map(Shortfall::Namespaces);
    let filter = (!held.filter).then_some(Shortfall::CallFilter);
    let all = [namespaces, held.landlock.shortfall(), filter, held.group.shortfall()];
    all.into_iter().flatten().collect()
}

/// Returns one line for each control.
pub(crate) fn enforced(held: &Held, limits: &Limits) -> Vec<Enforcement> {
    let mut lines = vec![
        line(
            Control::User,
            "no account with rights",
            Layer::Enforced,
            "own account",
            &held.account,
        ),
        line(
            Control::Privileges,
            "none, and none to be had",
            Layer::Enforced,
            "no_new_privs, empty capability sets",
            "",
        ),
        line(
            Control::Inheritance,
            "what the request names",
            Layer::Enforced,
            "close_range, given environment",
            "",
        ),
        syscalls(held),
        cpu(held, limits),
        memory(held, limits),
        processes(held, limits),
    ];
    lines.extend(surroundings(held));
    lines.extend(amounts(limits));
    lines.sort_by_key(|line| line.control);
    lines
}

fn line(control: Control, wanted: &str, held: Layer, by: &str, note: &str) -> Enforcement {
    let [wanted, by, note] = [wanted, by, note].map(str::to_owned);
    Enforcement { control, wanted, held, by, note }
}

fn syscalls(held: &Held) -> Enforcement {
    let (wanted, by) = ("a list of them refused", "seccomp filter");
    if held.filter {
        return line(Control::Syscalls, wanted, Layer::Enforced, by, "");
    }
    let note = "the call numbers of this architecture are not known";
    line(Control::Syscalls, wanted, Layer::Absent, by, note)
}

fn surroundings(held: &Held) -> [Enforcement; 4] {
    let files = "what the request names, read-only";
    let (isolation, cleanup) = ("no other process to be seen or reached", "no process left");
    let note = held.refused.as_ref().map(fault::words).unwrap_or_default();
    let landlock = landlock_words(held.landlock);
    let with_group = |by: &str| {
        if held.group.entered { format!("{by}, cgroup.kill") } else { by.to_owned() }
    };
    if held.level <= Level::B {
        let (apart, ended) = ("pid, ipc and uts namespaces", with_group("pid namespace"));
        return [
            reach(held.network),
            line(Control::Files, files, Layer::Enforced, "private root", &landlock),
            line(Control::Isolation, isolation, Layer::Enforced, apart, ""),
            line(Control::Cleanup, cleanup, Layer::Enforced, &ended, ""),
        ];
    }
    let seen = format!("names and sizes of files outside can be seen; {landlock}; {note}");
    let guessed = "which process numbers are in use can be found out";
    let apart = "seccomp filter, Landlock";
    let ended = with_group("no process can be started, sweep");
    [
        line(Control::Network, OFFLINE, Layer::Enforced, "seccomp filter", "no socket can be made"),
        line(Control::Files, files, Layer::Degraded, "Landlock", &seen),
        line(Control::Isolation, isolation, Layer::Degraded, apart, guessed),
        line(Control::Cleanup, cleanup, Layer::Enforced, &ended, ""),
    ]
}

/// The aim for the network of a run that has none.
const OFFLINE: &str = "none";

fn reach(network: Network) -> Enforcement {
    let apart = "network namespace";
    let (wanted, by) = match network {
        Network::None => (OFFLINE, apart.to_owned()),
        Network::Outside => {
            ("outside, without this machine", format!("{apart}, filter of its device, slirp4netns"))
        }
    };
    line(Control::Network, wanted, Layer::Enforced, &by, "")
}

fn landlock_words(landlock: LandlockStatus) -> String {
    match landlock {
        LandlockStatus { abi: 0, .. } => "no Landlock".to_owned(),
        LandlockStatus { abi, standing: Standing::Whole } => format!("Landlock ABI {abi}"),
        LandlockStatus { abi, .. } => format!("Landlock ABI {abi}, in part"),
    }
}

fn cpu(held: &Held, limits: &Limits) -> Enforcement {
    let wanted = format!("{} ms", limits.cpu_ms);
    let (layer, by, note) = match (held.group.entered, held.sees_processes) {
        (true, _) => (Layer::Enforced, "cpu.stat every 10 ms, RLIMIT_CPU", ""),
        (false, true) => (Layer::Enforced, "sum in /proc every 10 ms, RLIMIT_CPU", ""),
        (false, false) => (Layer::Degraded, "RLIMIT_CPU of each process", BLIND),
    };
    line(Control::Cpu, &wanted, layer, by, note)
}

/// The reason why sums cannot be watched.
const BLIND: &str = "/proc shows no children";

fn memory(held: &Held, limits: &Limits) -> Enforcement {
    let wanted = format!("{} bytes", limits.memory);
    let each = match limits.memory_by {
        MemoryBy::AddressSpace => "RLIMIT_AS",
        MemoryBy::Data => "RLIMIT_DATA of 1 GiB more",
    };
    let group = &held.group;
    if group.bounds.memory {
        let note = if group.swap_bound { "" } else { "swap is not bounded" };
        return line(
            Control::Memory,
            &wanted,
            Layer::Enforced,
            &format!("memory.max, {each}"),
            note,
        );
    }
    let (by, note) = if held.sees_processes {
        (format!("{each}, resident sum every 10 ms"), group.lacking.clone())
    } else {
        (each.to_owned(), format!("each process alone: {BLIND}; {}", group.lacking))
    };
    line(Control::Memory, &wanted, Layer::Degraded, &by, &note)
}

fn processes(held: &Held, limits: &Limits) -> Enforcement {
    let wanted = limits.processes.to_string();
    let (layer, by, note) = if held.group.bounds.pids {
        (Layer::Enforced, "pids.max", "")
    } else if held.level <= Level::B {
        (Layer::Enforced, "RLIMIT_NPROC in a user namespace", "refusals are not counted")
    } else {
        (Layer::Degraded, "RLIMIT_NPROC", "shared with the account; threads only")
    };
    line(Control::Processes, &wanted, layer, by, note)
}

fn amounts(limits: &Limits) -> [Enforcement; 4] {
    let kept = format!("{} kept of each stream", limits.output_keep);
    let bytes = |count: u64| format!("{count} bytes");
    let held = |control: Control, wanted: String, by: &str, note: &str| {
        line(control, &wanted, Layer::Enforced, by, note)
    };
    [
        held(Control::Wall, format!("{} ms", limits.wall_ms), "clock", ""),
        held(Control::Output, bytes(limits.output_max), "bounded reader", &kept),
        held(Control::FileSize, bytes(limits.file_size), "RLIMIT_FSIZE", ""),
        held(Control::OpenFiles, limits.open_files.to_string(), "RLIMIT_NOFILE", ""),
    ]
}
