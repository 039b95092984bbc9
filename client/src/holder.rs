//! The daemon that holds the data, found by the lock whatever has become of its socket.
//!
//! The lock decides whether there is a daemon, and its text says which ([`Holder`]). The text alone
//! proves nothing: a signal goes only to a process that has the lock's file open.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_protocol::paths::Holder;

use crate::errors::{Failure, code, user_error};
use crate::files::NO_WAIT;
use crate::places::Places;

/// Longest text that is read from a lock.
const TEXT_MAX_BYTES: u64 = 4096;

/// Whether somebody holds the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Nobody does, so a daemon can be started.
    Free,
    /// A daemon does.
    By(Holder),
    /// Somebody does who does not say so: a daemon that is just starting, or work on the store.
    Unsigned,
}

/// Who holds the data of these places.
pub(crate) fn held(places: &Places) -> Held {
    let Ok(paths) = places.paths() else { return Held::Free };
    let how = File::options().read(true).custom_flags(NO_WAIT).open(&paths.lock);
    let Ok(mut file) = how else { return Held::Free };
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        Ok(()) | Err(TryLockError::Error(_)) => return Held::Free,
    }
    let mut text = String::new();
    // What cannot be read is not signed.
    drop((&mut file).take(TEXT_MAX_BYTES).read_to_string(&mut text));
    text.trim().parse().map_or(Held::Unsigned, Held::By)
}

/// The daemon was stopped by a signal, as by Ctrl-Z, and goes on by another one.
pub(crate) fn stopped(places: &Places) -> Option<Failure> {
    let Held::By(Holder { pid, .. }) = held(places) else { return None };
    let (state, _) = state_and_start(pid)?;
    let message = format!("vosimd (process {pid}) was stopped by a signal, and answers nobody");
    let failure = user_error(code::DAEMON_UNREACHED, message);
    (state == 'T').then(|| failure.hint(format!("Let it go on: kill -CONT {pid}")))
}

/// A process by its number and its start: after its end the number may be another one's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    start: String,
}

impl Process {
    /// The process that has a number now.
    pub(crate) fn of(pid: u32) -> Option<Self> {
        let (_, start) = state_and_start(pid)?;
        Some(Self { pid, start })
    }

    /// The process that holds the data, if it has the lock open as the lock says.
    pub(crate) fn holding(held: &Held, places: &Places) -> Option<Self> {
        let Held::By(holder) = held else { return None };
        let lock = &places.paths().ok()?.lock;
        has_open(holder.pid, lock).is_ok_and(|open| open).then(|| Self::of(holder.pid)).flatten()
    }

    /// Whether it does nothing any more; it may still wait for its parent to hear of that.
    pub(crate) fn has_ended(&self) -> bool {
        let ended = |(state, start): (char, String)| state == 'Z' || start != self.start;
        state_and_start(self.pid).is_none_or(ended)
    }
}

/// In which state a process is, and when it was started, in ticks since the machine was.
fn state_and_start(pid: u32) -> Option<(char, String)> {
    let processes = Path::new("/proc");
    if !counts_as_we_do(processes) {
        return None;
    }
    let about = std::fs::read_to_string(processes.join(format!("{pid}/stat"))).ok()?;
    // The fields from the third on, the state, follow the program's name, which stands in parentheses and
    // may hold some. The start is the 22nd.
    let mut fields = about.rsplit_once(") ")?.1.split(' ');
    Some((fields.next()?.chars().next()?, fields.nth(18)?.to_owned()))
}

/// Whether processes are shown there by the numbers that they have for us. Made for another namespace, as it is
/// left by `unshare --pid` without `--mount-proc`, it shows others by them.
fn counts_as_we_do(processes: &Path) -> bool {
    let ours = std::process::id().to_string();
    std::fs::read_link(processes.join("self")).is_ok_and(|shown| shown == Path::new(&ours))
}

/// Asks the daemon to stop that has the lock of these places open; false if this process has not. One that
/// was stopped by a signal goes on first: it hears of nothing as it is.
pub(crate) fn ask_to_stop(holder: &Holder, places: &Places) -> io::Result<bool> {
    let Ok(paths) = places.paths() else { return Ok(false) };
    if !has_open(holder.pid, &paths.lock)? {
        return Ok(false);
    }
    let pid = Pid::from_raw(i32::try_from(holder.pid).map_err(io::Error::other)?);
    match kill(pid, Signal::SIGTERM).and_then(|()| kill(pid, Signal::SIGCONT)) {
        Ok(()) => Ok(true),
        Err(Errno::ESRCH) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// Whether what the lock says may be so: false where the process that it names is seen not to have it open, as
/// when another one has locked what a daemon that was killed has left.
pub(crate) fn may_hold(holder: &Holder, places: &Places) -> bool {
    let Ok(paths) = places.paths() else { return true };
    !counts_as_we_do(Path::new("/proc")) || has_open(holder.pid, &paths.lock).unwrap_or(true)
}

/// Whether a process has a file open; the folder of its descriptors is readable for its owner only.
fn has_open(pid: u32, path: &Path) -> io::Result<bool> {
    let wanted = path.metadata()?;
    let descriptors = match std::fs::read_dir(format!("/proc/{pid}/fd")) {
        Ok(descriptors) => descriptors,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    // A descriptor may be closed while it is looked at.
    let open = descriptors.flatten().filter_map(|entry| entry.path().metadata().ok());
    let is_it = |meta: std::fs::Metadata| (meta.dev(), meta.ino()) == (wanted.dev(), wanted.ino());
    Ok(open.into_iter().any(is_it))
}

#[cfg(test)]
mod tests {
    use nix::sys::wait::{Id, WaitPidFlag, waitid};

    use super::*;

    fn places() -> (tempfile::TempDir, Places) {
        let dir = tempfile::tempdir().unwrap();
        let places = Places::in_folder(dir.path());
        std::fs::create_dir_all(&places.paths().unwrap().data).unwrap();
        (dir, places)
    }

    #[test]
    fn the_text_of_a_lock_counts_only_while_it_is_held() {
        let (_dir, places) = places();
        assert_eq!(held(&places), Held::Free);
        let holder = Holder { pid: 7, version: "1".into(), socket: "/s".into() };
        let lock = &places.paths().unwrap().lock;
        std::fs::write(lock, holder.to_string()).unwrap();
        assert_eq!(held(&places), Held::Free);
        let file = File::open(lock).unwrap();
        file.lock().unwrap();
        assert_eq!(held(&places), Held::By(holder));
        std::fs::write(lock, "").unwrap();
        assert_eq!(held(&places), Held::Unsigned);
    }

    #[test]
    fn a_process_has_ended_before_its_parent_hears_of_it_and_whoever_has_its_number_then() {
        let mut other = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let process = Process::of(other.id()).unwrap();
        assert!(!process.has_ended());
        assert!(Process { start: "0".into(), ..process.clone() }.has_ended(), "another's number");
        other.kill().unwrap();
        // Its end is waited for and left to be heard of.
        let it = Id::Pid(Pid::from_raw(i32::try_from(other.id()).unwrap()));
        waitid(it, WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).unwrap();
        assert!(process.has_ended());
        other.wait().unwrap();
        assert!(process.has_ended() && Process::of(other.id()).is_none());
    }

    #[test]
    fn numbers_of_processes_are_looked_up_only_where_ours_is_the_one_that_we_have() {
        assert!(counts_as_we_do(Path::new("/proc")));
        let dir = tempfile::tempdir().unwrap();
        assert!(!counts_as_we_do(dir.path()), "nothing is shown");
        let own = dir.path().join("self");
        std::os::unix::fs::symlink(std::process::id().to_string(), &own).unwrap();
        assert!(counts_as_we_do(dir.path()));
        std::fs::remove_file(&own).unwrap();
        std::os::unix::fs::symlink((std::process::id() + 1).to_string(), &own).unwrap();
        assert!(!counts_as_we_do(dir.path()), "another namespace");
    }

    #[test]
    fn the_process_that_holds_the_data_is_the_one_that_has_the_lock_open() {
        let (_dir, places) = places();
        let lock = &places.paths().unwrap().lock;
        std::fs::write(lock, "").unwrap();
        let pid = std::process::id();
        let held = Held::By(Holder { pid, version: "1".into(), socket: "/s".into() });
        let Held::By(holder) = &held else { panic!("{held:?}") };
        assert_eq!(Process::holding(&held, &places), None);
        assert!(!may_hold(holder, &places));
        let _open = File::open(lock).unwrap();
        assert_eq!(Process::holding(&held, &places), Process::of(pid));
        assert!(may_hold(holder, &places));
        assert_eq!(Process::holding(&Held::Free, &places), None);
    }

    #[test]
    fn a_process_that_has_not_the_lock_open_gets_no_signal() {
        let (_dir, places) = places();
        let lock = places.paths().unwrap().lock.clone();
        std::fs::write(&lock, "").unwrap();
        assert!(!has_open(std::process::id(), &lock).unwrap());
        let mut other = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let holder = Holder { pid: other.id(), version: "1".into(), socket: "/s".into() };
        assert!(!ask_to_stop(&holder, &places).unwrap());
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
        assert!(!ask_to_stop(&holder, &places).unwrap());
        let _open = File::open(&lock).unwrap();
        assert!(has_open(std::process::id(), &lock).unwrap());
    }
}
