//! A daemon keeps nothing by accident of whoever started it: a shell's open files, a program's signals
//! that it wanted to hear nothing of, the word of a service manager to somebody else.
//!
//! What cannot be left behind, such as a hard limit, is not told of here: what is needed of limits is
//! checked in `needs.rs`.

use std::os::fd::{AsRawFd as _, BorrowedFd, RawFd};

use nix::libc;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::{Mode, umask};
use nix::unistd::close;
use sd_notify::NotifyState;
use signal_hook::consts::FORBIDDEN;
use vosim_protocol::trouble::cause;

use super::Waiting;

/// Descriptors that are looked for where there is no list of them.
const UNLISTED: RawFd = 1024;

/// Makes blocked and ignored signals what they are for a process that nobody has prepared.
///
/// A parent that ignores SIGCHLD leaves us a life in which no child can be waited for, and one that
/// blocks SIGTERM a daemon that nobody can stop. An ignored signal gets a handler that does nothing: to
/// us that is the same, and programs that we start begin with the default.
pub fn reset_signals() {
    // What is too large for a file is an error of that write, and not the end of this process.
    SigSet::from(Signal::SIGXFSZ).thread_set_mask().ok();
    for signal in Signal::iterator() {
        let number = signal as i32;
        // Rust ignores SIGPIPE itself, and gives it back to what it starts; stops and ends by a person
        // are the business of whoever asked for them.
        let keeps = matches!(
            signal,
            Signal::SIGPIPE
                | Signal::SIGINT
                | Signal::SIGQUIT
                | Signal::SIGHUP
                | Signal::SIGTERM
                | Signal::SIGTSTP
                | Signal::SIGTTIN
                | Signal::SIGTTOU
        );
        if !keeps && !FORBIDDEN.contains(&number) && is_ignored(signal) {
            signal_hook::flag::register(number, Default::default()).ok();
        }
    }
}

/// Whether this process ignores a signal.
pub fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignores(&status, signal)
}

fn ignores(status: &str, signal: Signal) -> bool {
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let set = set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    set.is_some_and(|set| set >> (signal as i32 - 1) & 1 == 1)
}

/// Closes every descriptor but the first three and `keep`: a lock that a shell holds on one would stay
/// held, and a disk that one is on could not be unmounted.
///
/// Call it before anything has been opened that is to last.
pub fn close_others(keep: Option<BorrowedFd<'_>>) {
    let keep = keep.map(|keep| keep.as_raw_fd());
    for descriptor in open_descriptors() {
        if descriptor > 2 && Some(descriptor) != keep {
            // That of the list itself is closed already.
            close(descriptor).ok();
        }
    }
}

fn open_descriptors() -> Vec<RawFd> {
    let Ok(list) = std::fs::read_dir("/proc/self/fd") else { return (3..UNLISTED).collect() };
    let numbers = list.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.collect()
}

/// Leaves the folder of whoever started us, whose disk could not be unmounted, and makes new files
/// private whatever mask was set. Paths must be absolute from now on.
pub fn leave_folder() {
    umask(Mode::S_IRWXG | Mode::S_IRWXO);
    // A root that cannot be entered keeps nobody from serving.
    std::env::set_current_dir("/").ok();
}

/// Takes the usual priority again where that is allowed. Call it before any thread is started.
///
/// # Errors
/// The system's answer where another priority has to be kept.
pub fn take_usual_priority() -> Result<(), (i32, std::io::Error)> {
    let now = rustix::process::getpriority_process(None).unwrap_or(0);
    if now == 0 {
        return Ok(());
    }
    rustix::process::setpriority_process(None, 0).map_err(|errno| (now, errno.into()))
}

/// Takes the usual way to be given a processor again where that is allowed: as one that runs when nothing else
/// does, a daemon keeps people waiting, and as one that goes before all others, code that it judges does. Call
/// it before any thread is started.
///
/// # Errors
/// The system's answer where another policy has to be kept.
pub fn take_usual_policy() -> Result<(), (i32, std::io::Error)> {
    #[expect(unsafe_code, reason = "a number only")]
    let now = unsafe { libc::sched_getscheduler(0) };
    // Where the system does not tell there is nothing to take back.
    if now < 0 || now == libc::SCHED_OTHER {
        return Ok(());
    }
    let usual = libc::sched_param { sched_priority: 0 };
    #[expect(unsafe_code, reason = "the call reads what stands there, and keeps nothing of it")]
    let refused = unsafe { libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const usual) };
    if refused == 0 { Ok(()) } else { Err((now, std::io::Error::last_os_error())) }
}

/// Tells and sets whether a process is ended before others when memory runs out.
const OOM_SCORE: &str = "/proc/self/oom_score_adj";

/// Is ended no sooner than others again when memory runs out, where that is allowed: whoever started us may
/// be a thing that can be done without.
///
/// # Errors
/// The system's answer where another score has to be kept.
pub fn take_usual_oom_score() -> Result<(), (i32, std::io::Error)> {
    let now = std::fs::read_to_string(OOM_SCORE).unwrap_or_default();
    match now.trim().parse::<i32>().unwrap_or(0) {
        0 => Ok(()),
        now => std::fs::write(OOM_SCORE, "0").map_err(|error| (now, error)),
    }
}

/// The service manager that started this very process, if one did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager {
    /// It hears of us by `NOTIFY_SOCKET`, if it wants to.
    Ours,
    /// What its variables say was meant for another process, from which we have inherited them.
    AnothersOrNone,
}

impl Manager {
    /// Returns the manager of this process. One whose start a client waits for has none.
    pub fn of_this_process(waiting: Waiting) -> Self {
        let named = std::env::var("SYSTEMD_EXEC_PID").ok();
        Self::new(waiting, named.as_deref(), std::process::id())
    }

    /// Before version 248 systemd does not say which process it means.
    fn new(waiting: Waiting, named: Option<&str>, pid: u32) -> Self {
        let meant = named.is_none_or(|named| named.parse() == Ok(pid));
        match waiting {
            Waiting::Nobody if meant => Self::Ours,
            Waiting::Nobody | Waiting::OnStandardOutput => Self::AnothersOrNone,
        }
    }

    /// Tells it something. One that does not hear it must not keep a daemon from its work.
    pub fn tell(self, what: NotifyState<'_>) {
        if self == Self::Ours
            && let Err(error) = sd_notify::notify(&[what])
        {
            tracing::warn!(reason = cause(&error), "the service manager could not be told");
        }
    }

    /// Tells it for ever that the serving thread is alive, if the unit has a watchdog; three times
    /// within the watchdog's limit.
    pub async fn show_life(self) {
        let limit = match self {
            Self::Ours => sd_notify::watchdog_enabled(),
            Self::AnothersOrNone => None,
        };
        let Some(limit) = limit else { return };
        loop {
            self.tell(NotifyState::Watchdog);
            tokio::time::sleep(limit / 3).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_ignored_where_its_bit_is_set() {
        let status = "SigBlk:\tffffffffffffffff\nSigIgn:\t0000000000010000\n";
        assert!(ignores(status, Signal::SIGCHLD));
        assert!(!ignores(status, Signal::SIGTERM));
        assert!(!ignores("", Signal::SIGCHLD));
        assert!(is_ignored(Signal::SIGPIPE), "as in every program in Rust");
    }

    #[test]
    fn a_manager_that_speaks_to_another_process_is_not_ours() {
        let of = |waiting, named| Manager::new(waiting, named, 7);
        assert_eq!(of(Waiting::Nobody, None), Manager::Ours);
        assert_eq!(of(Waiting::Nobody, Some("7")), Manager::Ours);
        assert_eq!(of(Waiting::Nobody, Some("8")), Manager::AnothersOrNone);
        assert_eq!(of(Waiting::OnStandardOutput, Some("7")), Manager::AnothersOrNone);
    }
}
