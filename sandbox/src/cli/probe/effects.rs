//! The view of the program that the probe runs: a layer that the kernel accepts and that has no
//! effect does not hold.

use std::fs::{self, File};
use std::os::unix::net::UnixDatagram;
use std::thread;

use nix::sys::prctl::get_no_new_privs;
use nix::unistd::{geteuid, gethostname, getppid};
use serde::{Deserialize, Serialize};
use vosim_sandbox_spec::{Control, Layer, Limits};

use crate::init::INSIDE;

/// The argument that makes this binary look for the effects.
pub(super) const WORD: &str = "--effects";

/// A control that is weaker than the report says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Weaker {
    pub(super) control: Control,
    pub(super) held: Layer,
    pub(super) note: String,
}

/// Returns every such control, as JSON.
pub(super) fn weaker(limits: &Limits) -> Vec<u8> {
    use Layer::{Absent, Degraded};
    let memory = usize::try_from(limits.memory).unwrap_or(usize::MAX);
    let open: Vec<_> = (0..limits.open_files).map(|_| File::open("/dev/null")).collect();
    let all_open = open.iter().all(Result::is_ok);
    drop(open);
    let started = threads_up_to(limits.processes);
    let tried = [
        (UnixDatagram::unbound().is_ok(), Control::Syscalls, Absent, "a socket can be made"),
        (!privileges_are_closed(), Control::Privileges, Absent, "no_new_privs has no effect"),
        // The private root hides /proc of the host, or Landlock closes it.
        (reads("/proc/self/status"), Control::Files, Absent, "a file of the host can be read"),
        (makes_a_file(), Control::Files, Absent, "a file can be made"),
        // At level C the report says so already.
        (!is_alone(), Control::Isolation, Degraded, "the namespaces have no effect"),
        (reserves(memory), Control::Memory, Degraded, "the limit of a process has no effect"),
        (all_open, Control::OpenFiles, Absent, "more files can be opened"),
        (started >= limits.processes, Control::Processes, Absent, "more threads can be started"),
        (
            started + 1 < limits.processes,
            Control::Processes,
            Degraded,
            "what the account runs elsewhere counts too; Linux 5.14 counts each run by itself",
        ),
    ];
    let found = tried.into_iter().filter(|(weaker, ..)| *weaker);
    let weaker: Vec<_> = found
        .map(|(_, control, held, note)| Weaker { control, held, note: note.to_owned() })
        .collect();
    // Plain strings: serializing cannot fail.
    serde_json::to_vec(&weaker).unwrap_or_default()
}

fn privileges_are_closed() -> bool {
    get_no_new_privs() == Ok(true)
}

fn reads(path: &str) -> bool {
    File::open(path).is_ok()
}

fn makes_a_file() -> bool {
    const NAME: &str = "vosim-probe";
    // Given on the command line, outside of a run, the argument leaves nothing behind.
    File::create_new(NAME).is_ok_and(|_| fs::remove_file(NAME).is_ok())
}

fn reserves(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Whether this process is below a pid 1, with the account and the host name of every run.
fn is_alone() -> bool {
    getppid().as_raw() == 1
        && geteuid().as_raw() == INSIDE
        && gethostname().is_ok_and(|name| name == "vosim")
}

/// Counts how many more threads can be started, up to `most`. The threads end with this process.
fn threads_up_to(most: u32) -> u32 {
    let park = || {
        loop {
            thread::park();
        }
    };
    let start = || thread::Builder::new().stack_size(64 * 1024).spawn(park);
    let started = (0..most).take_while(|_| start().is_ok());
    u32::try_from(started.count()).unwrap_or(most)
}
