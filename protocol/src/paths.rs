//! Where things stand, as pure functions of the environment (XDG base directories).
//!
//! Nothing here touches the disk: whether a directory may be trusted is the caller's check.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::ids::Hash;

/// Longest path of a Unix socket, bytes, without its terminating zero.
pub const SOCKET_PATH_MAX_BYTES: usize = 107;

/// The lock file in the data directory.
pub const LOCK_FILE: &str = "vosim.lock";

/// Who holds the lock of a data directory, as the text in the lock says.
///
/// By it a daemon is found whose socket stands elsewhere or has gone. The text counts only as long
/// as the lock is held; it stays after a daemon that was killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The process id.
    pub pid: u32,
    /// The daemon's version.
    pub version: String,
    /// Where it listens.
    pub socket: PathBuf,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, version, socket } = self;
        write!(f, "pid {pid}, vosimd {version}, socket {}", socket.display())
    }
}

/// A lock's text that does not say who holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it does not say who it is")]
pub struct Unsigned;

impl FromStr for Holder {
    type Err = Unsigned;

    fn from_str(text: &str) -> Result<Self, Unsigned> {
        let parts = || {
            let (pid, rest) = text.strip_prefix("pid ")?.split_once(", vosimd ")?;
            let (version, socket) = rest.split_once(", socket ")?;
            // Process 0 would be a whole group, and 1 is nobody's daemon.
            let pid = pid.parse().ok().filter(|&pid: &u32| pid > 1)?;
            Some(Self { pid, version: version.to_owned(), socket: socket.into() })
        };
        parts().ok_or(Unsigned)
    }
}

/// Variables by which a service manager speaks to one process and to none that this one starts.
pub const MANAGERS_VARIABLES: [&str; 23] = [
    "CACHE_DIRECTORY",
    "CONFIGURATION_DIRECTORY",
    "CREDENTIALS_DIRECTORY",
    "FDSTORE",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "LISTEN_FDNAMES",
    "LISTEN_FDS",
    "LISTEN_PID",
    "LISTEN_PIDFDID",
    "LOGS_DIRECTORY",
    "MAINPID",
    "MAINPIDFDID",
    "MANAGERPID",
    "MANAGERPIDFDID",
    "MEMORY_PRESSURE_WATCH",
    "MEMORY_PRESSURE_WRITE",
    "NOTIFY_SOCKET",
    "RUNTIME_DIRECTORY",
    "STATE_DIRECTORY",
    "SYSTEMD_EXEC_PID",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
];

/// The variables that decide where things stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub data_home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub config_home: Option<PathBuf>,
    /// `XDG_STATE_HOME`.
    pub state_home: Option<PathBuf>,
    /// `XDG_RUNTIME_DIR`; None when it is unset or not a private directory of ours.
    pub runtime_dir: Option<PathBuf>,
    /// Our effective user id.
    pub uid: u32,
}

/// Where things stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Log, blobs, exports, lock.
    pub data: PathBuf,
    /// The lock of the data: its holder is the daemon, and its text says who that is ([`Holder`]).
    pub lock: PathBuf,
    /// `config.toml`.
    pub config: PathBuf,
    /// The daemon's own log files.
    pub state: PathBuf,
    /// The directory of the socket; private to us.
    pub runtime: PathBuf,
    /// The socket.
    pub socket: PathBuf,
}

/// Why no paths can be given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathsError {
    /// Neither `HOME` nor the XDG variables say where to store anything.
    #[error("neither HOME nor XDG_DATA_HOME is set to an absolute path")]
    NoHome,
}

impl Paths {
    /// The paths for an environment; relative values are ignored, as XDG asks.
    pub fn new(env: &Environment) -> Result<Self, PathsError> {
        let home = absolute(env.home.as_ref());
        let base = |own: Option<&PathBuf>, fallback: &str| {
            absolute(own)
                .or_else(|| home.as_ref().map(|home| home.join(fallback)))
                .ok_or(PathsError::NoHome)
        };
        let data = base(env.data_home.as_ref(), ".local/share")?.join("vosim");
        let config = base(env.config_home.as_ref(), ".config")?.join("vosim");
        let state = base(env.state_home.as_ref(), ".local/state")?.join("vosim");
        let runtime = runtime(env, &data);
        let socket = runtime.join("vosimd.sock");
        let lock = data.join(LOCK_FILE);
        Ok(Self { data, lock, config: config.join("config.toml"), state, runtime, socket })
    }
}

/// The private runtime directory; a short one of our own where there is none or its path is long.
///
/// The data directory is part of that name, so two of them never meet on one socket.
fn runtime(env: &Environment, data: &Path) -> PathBuf {
    let own = absolute(env.runtime_dir.as_ref()).map(|dir| dir.join("vosim"));
    let fits = |dir: &PathBuf| dir.join("vosimd.sock").as_os_str().len() <= SOCKET_PATH_MAX_BYTES;
    own.filter(fits).unwrap_or_else(|| {
        let name = Hash::of(data.as_os_str().as_encoded_bytes()).hex();
        PathBuf::from(format!("/tmp/vosim-{}-{}", env.uid, &name[..8]))
    })
}

/// Quotes a path for a shell.
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    match text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

fn absolute(path: Option<&PathBuf>) -> Option<PathBuf> {
    path.filter(|path| path.is_absolute()).cloned()
}

/// The home that would be made for this missing directory: a name for an account without one, and no
/// place for anything. `is_there` looks at the disk.
pub fn missing_home<'a>(
    dir: &Path,
    home: Option<&'a Path>,
    is_there: impl Fn(&Path) -> bool,
) -> Option<&'a Path> {
    home.filter(|home| home.is_absolute() && dir.starts_with(home) && !is_there(home))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_that_is_not_there_is_not_one_to_make_things_in() {
        let missing = |dir: &str, home: &str| {
            missing_home(Path::new(dir), Some(Path::new(home)), |at| at == Path::new("/homes/ada"))
                .is_some()
        };
        assert!(missing("/nonexistent/.local/share/vosim", "/nonexistent"));
        assert!(!missing("/homes/ada/.local/share/vosim", "/homes/ada"));
        // Somebody has named another place.
        assert!(!missing("/data/vosim", "/nonexistent"));
        assert!(!missing("/nonexistent/.local", "nonexistent"));
        assert_eq!(missing_home(Path::new("/data"), None, |_| false), None);
    }

    fn env() -> Environment {
        Environment { home: Some("/home/ada".into()), uid: 1000, ..Environment::default() }
    }

    #[test]
    fn xdg_variables_win_over_home_and_relative_ones_are_ignored() {
        let env = Environment {
            data_home: Some("/data".into()),
            config_home: Some("relative".into()),
            runtime_dir: Some("/run/user/1000".into()),
            ..env()
        };
        let paths = Paths::new(&env).unwrap();
        assert_eq!(paths.data, Path::new("/data/vosim"));
        assert_eq!(paths.config, Path::new("/home/ada/.config/vosim/config.toml"));
        assert_eq!(paths.socket, Path::new("/run/user/1000/vosim/vosimd.sock"));
    }

    #[test]
    fn a_socket_path_that_is_too_long_moves_to_a_short_directory() {
        let long = format!("/run/{}", "x".repeat(100));
        let paths = Paths::new(&Environment { runtime_dir: Some(long.into()), ..env() }).unwrap();
        assert!(paths.socket.as_os_str().len() <= SOCKET_PATH_MAX_BYTES);
        assert!(paths.socket.starts_with("/tmp"));
        let other = Environment { data_home: Some("/other".into()), ..env() };
        assert_ne!(Paths::new(&other).unwrap().socket, paths.socket);
    }

    #[test]
    fn a_holder_is_read_from_what_it_has_written_and_from_nothing_else() {
        let holder = Holder { pid: 7, version: "0.1.0".into(), socket: "/run/a, b/s.sock".into() };
        assert_eq!(holder.to_string().parse(), Ok(holder));
        for text in ["", "pid 7", "pid 0, vosimd 1, socket /s", "pid -1, vosimd 1, socket /s"] {
            assert_eq!(text.parse::<Holder>(), Err(Unsigned), "{text}");
        }
    }

    #[test]
    fn without_a_home_there_is_a_sentence() {
        assert_eq!(Paths::new(&Environment::default()), Err(PathsError::NoHome));
    }
}
