//! The socket, its directory, and the holder of the data directory.

use std::fs::Metadata;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use vosim_protocol::paths::{Holder, LOCK_FILE, SOCKET_PATH_MAX_BYTES};
use vosim_protocol::trouble::{Location, cause};
use vosim_protocol::v1::service::Check;
use vosim_store::Lock;

use super::check::{fail, ok, warn};
use super::disk;
use crate::runtime_dir::{AtSocket, PlaceError, Places, at_socket, check_private_dir, quoted};

const SOCKET: &str = "socket";

/// How long a daemon may take to say anything.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// Ends a daemon that does not answer, whatever has become of its socket.
const STOP: &str = "vosimctl daemon stop";

/// Whether the socket's directory is private, and which one was chosen.
pub(super) fn directory(places: &Places) -> Check {
    const NAME: &str = "runtime directory";
    let bytes = places.socket.as_os_str().len();
    if bytes > SOCKET_PATH_MAX_BYTES {
        let error = PlaceError::SocketPathTooLong { path: places.socket.clone(), bytes };
        return fail(NAME, error.to_string(), error.remedy());
    }
    let dir = places.socket.parent().unwrap_or(Path::new("/"));
    if places.socket != places.paths.socket {
        return match places.check_socket_dir() {
            Ok(()) => disk::unmakeable(NAME, dir, Location::Socket)
                .unwrap_or_else(|| ok(NAME, format!("{}, set by VOSIM_SOCKET", dir.display()))),
            Err(error) => fail(NAME, error.to_string(), error.remedy()),
        };
    }
    let why = match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(base) if dir.starts_with(&base) => "".to_owned(),
        Some(base) => {
            let base = Path::new(&base).display();
            format!(", since {base} is not private or its path is too long")
        }
        None => ", since XDG_RUNTIME_DIR is not set".to_owned(),
    };
    match check_private_dir(dir, Location::Runtime) {
        Ok(()) => disk::unusable(NAME, dir, Location::Runtime)
            .unwrap_or_else(|| ok(NAME, format!("{} is private{why}", dir.display()))),
        Err(_) if is_missing(dir) => {
            disk::unmakeable(NAME, dir, Location::Runtime).unwrap_or_else(|| {
                ok(NAME, format!("{} will be created when needed{why}", dir.display()))
            })
        }
        Err(error) => fail(NAME, error.to_string(), error.remedy()),
    }
}

fn is_missing(dir: &Path) -> bool {
    dir.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Whether clients find the daemon that asks and holds the lock; it makes a socket that is gone
/// again by itself.
pub(super) fn held_by_us(data: &Path, socket: &Path) -> Check {
    let holder = Lock::holder(data).unwrap_or_else(|| "nobody".to_owned());
    match at_socket(socket) {
        Ok(AtSocket::Socket) => ok(SOCKET, format!("{} ({holder})", socket.display())),
        Ok(AtSocket::Nothing) => {
            warn(SOCKET, format!("{} is gone and will be made again", socket.display()), None)
        }
        Ok(AtSocket::Other) | Err(_) => {
            let found =
                format!("{} is no socket, so new clients look here in vain", socket.display());
            warn(SOCKET, found, Some(format!("move {} away", quoted(socket))))
        }
    }
}

/// Whether the next daemon can start, where none could be asked.
pub(super) fn held_by_whom(data: &Path, socket: &Path) -> Check {
    let shown = socket.display();
    if let Some(holder) = Lock::holder(data) {
        return held_by(&holder, data, socket);
    }
    match at_socket(socket) {
        Ok(AtSocket::Nothing) => ok(SOCKET, format!("no daemon is running; {shown} is free")),
        Ok(AtSocket::Socket) => {
            ok(SOCKET, format!("no daemon is running; the next one will replace the stale {shown}"))
        }
        Ok(AtSocket::Other) => {
            let fix = format!("move {} away", quoted(socket));
            fail(
                SOCKET,
                format!("{shown} is not a socket, and no daemon will replace it"),
                Some(fix),
            )
        }
        Err(error) => fail(SOCKET, format!("{shown} cannot be examined: {}", cause(&error)), None),
    }
}

/// Whether the daemon that a lock names answers. What it says stands there after a daemon that was killed, too, so
/// it is no word about whoever holds it now if that one does not answer and has not the lock open.
fn held_by(holder: &str, data: &Path, socket: &Path) -> Check {
    let said: Option<Holder> = holder.parse().ok();
    let found = format!("{} is held by {holder}", data.display());
    let lock = data.join(LOCK_FILE);
    let named = said.as_ref().map(|holder| holder.pid).filter(|&pid| has_open(pid, &lock));
    if let Some(pid) = named.filter(|&pid| is_stopped(pid)) {
        let found = format!("{found}, which was stopped by a signal and answers nobody");
        return fail(SOCKET, found, Some(format!("let it go on: kill -CONT {pid}")));
    }
    let theirs = said.map_or(socket.to_owned(), |holder| holder.socket);
    if answers(&theirs) {
        return ok(SOCKET, format!("{found}; it answers"));
    }
    match named {
        Some(_) => fail(SOCKET, format!("{found}, but it does not answer"), Some(STOP.to_owned())),
        // A daemon that is just starting, work on the store, or no program of ours.
        None => {
            let found = format!(
                "{} is held by a process that is no daemon or does not say which it is",
                data.display()
            );
            fail(SOCKET, found, Some(format!("see which it is: fuser {}", quoted(&lock))))
        }
    }
}

/// Whether a process has a file open, as far as we may see that.
fn has_open(pid: u32, path: &Path) -> bool {
    let Ok(wanted) = path.metadata() else { return false };
    let same = |open: Metadata| (open.dev(), open.ino()) == (wanted.dev(), wanted.ino());
    // A descriptor may be closed while it is looked at.
    let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd"));
    descriptors
        .is_ok_and(|all| all.flatten().filter_map(|one| one.path().metadata().ok()).any(same))
}

/// Whether somebody answers there: the kernel connects in the name of one that does nothing.
fn answers(socket: &Path) -> bool {
    let asked = || {
        let mut stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(ANSWERS_WITHIN))?;
        // Before hello it is refused, which is an answer.
        stream.write_all(b"{\"id\":0,\"method\":\"status\"}\n")?;
        stream.read(&mut [0])
    };
    asked().is_ok_and(|bytes: usize| bytes > 0)
}

/// Whether a process was stopped by a signal, as by Ctrl-Z.
fn is_stopped(pid: u32) -> bool {
    let about = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The state follows the program's name, which stands in parentheses and may hold some.
    about.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;
    use vosim_protocol::v1::service::CheckStatus;

    #[test]
    fn a_stale_socket_is_no_obstacle_and_a_file_in_its_place_is() {
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("s");
        assert!(held_by_whom(dir.path(), &socket).found.ends_with("is free"));
        drop(UnixListener::bind(&socket).unwrap());
        let left = held_by_whom(dir.path(), &socket);
        assert!(left.status == CheckStatus::Ok && left.found.contains("stale"));
        std::fs::remove_file(&socket).unwrap();
        std::fs::write(&socket, "precious").unwrap();
        let file = held_by_whom(dir.path(), &socket);
        assert_eq!(file.status, CheckStatus::Fail);
        assert_eq!(file.fix.unwrap(), format!("move {} away", socket.display()));
    }

    #[test]
    fn a_daemon_that_holds_the_data_but_does_not_answer_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("s");
        let pid = std::process::id();
        let holder = Holder { pid, version: "0.1.0".into(), socket: socket.clone() };
        let _lock = Lock::take(dir.path(), &holder.to_string()).unwrap();
        let check = held_by_whom(dir.path(), &socket);
        assert_eq!(check.status, CheckStatus::Fail);
        assert!(check.found.contains(&format!("is held by pid {pid}, vosimd")), "{}", check.found);
        assert_eq!(check.fix.unwrap(), STOP);
        let listener = UnixListener::bind(&socket).unwrap();
        let silent = held_by_whom(dir.path(), &socket);
        assert_eq!(silent.status, CheckStatus::Fail, "the kernel connects, and nobody answers");
        let answering = std::thread::spawn(move || {
            for stream in listener.incoming().take(2) {
                // The first is the one that was left in the queue.
                stream.unwrap().write_all(b"{}\n").ok();
            }
        });
        assert_eq!(held_by_whom(dir.path(), &socket).status, CheckStatus::Ok);
        answering.join().unwrap();
    }

    #[test]
    fn who_holds_the_data_without_a_true_word_can_be_looked_up() {
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let left = format!("pid {}, vosimd 0.1.0, socket /nowhere/s", ended.id());
        for said in ["", "pid 1, vosimd 0.1.0, socket /nowhere/s", "mine", &left] {
            let dir = tempfile::tempdir().unwrap();
            let _lock = Lock::take(dir.path(), said).unwrap();
            let check = held_by_whom(dir.path(), &dir.path().join("s"));
            assert_eq!(check.status, CheckStatus::Fail);
            let told = "is held by a process that is no daemon or does not say which it is";
            assert!(check.found.ends_with(told), "{said}: {}", check.found);
            let lock = dir.path().join(LOCK_FILE);
            assert_eq!(check.fix.unwrap(), format!("see which it is: fuser {}", lock.display()));
        }
    }

    #[test]
    fn a_socket_path_that_the_kernel_refuses_fails_with_the_way_out() {
        let long = format!("/{}", "x".repeat(120));
        let places = Places::new(&|name| match name {
            "HOME" => Some("/home/ada".into()),
            "VOSIM_SOCKET" => Some(long.clone().into()),
            _ => None,
        });
        let check = directory(&places.unwrap());
        assert_eq!(check.status, CheckStatus::Fail);
        assert_eq!(check.fix.unwrap(), "name a shorter path in VOSIM_SOCKET");
    }
}
