//! Where the daemon's socket and folders stand, read from the environment.
//!
//! The rules are the protocol crate's; this file only looks at the disk for them.

use std::env;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use vosim_protocol::ErrorCode;
use vosim_protocol::paths::{Environment, Paths, PathsError};

use crate::errors::{Failure, user_error};

/// Names a socket to use instead of the one in the runtime folder.
pub(crate) const SOCKET_VARIABLE: &str = "VOSIM_SOCKET";

/// Where things stand.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The socket.
    pub(crate) socket: PathBuf,
    /// Somebody has named the socket in `VOSIM_SOCKET`.
    pub(crate) socket_is_named: bool,
    /// The folders; only a start of the daemon needs them when the socket is named.
    paths: Result<Paths, PathsError>,
}

impl Places {
    /// `VOSIM_SOCKET` names a socket of one's own; else the XDG directories decide.
    pub(crate) fn from_env() -> Result<Self, Failure> {
        let paths = Paths::new(&environment());
        let named = env::var_os(SOCKET_VARIABLE).filter(|value| !value.is_empty());
        let socket_is_named = named.is_some();
        let socket = match (named, &paths) {
            (Some(named), _) => std::path::absolute(named).map_err(|_| no_home())?,
            (None, Ok(paths)) => paths.socket.clone(),
            (None, Err(PathsError::NoHome)) => return Err(no_home()),
        };
        Ok(Self { socket, socket_is_named, paths })
    }

    pub(crate) fn paths(&self) -> Result<&Paths, Failure> {
        self.paths.as_ref().map_err(|PathsError::NoHome| no_home())
    }

    /// Our own data folder, where a daemon that was found, and not named, works with another one.
    pub(crate) fn other_than(&self, theirs: &str) -> Option<&Path> {
        let ours = self.paths.as_ref().ok().filter(|_| !self.socket_is_named)?.data.as_path();
        let file = |folder: &Path| folder.metadata().ok().map(|meta| (meta.dev(), meta.ino()));
        let same = ours.display().to_string() == theirs
            || file(ours).is_some_and(|ours| file(Path::new(theirs)) == Some(ours));
        (!same).then_some(ours)
    }

    /// A socket in a folder, for tests.
    #[cfg(test)]
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let env = Environment { home: Some(folder.into()), ..Environment::default() };
        let socket = folder.join("s.sock");
        Self { socket, socket_is_named: true, paths: Paths::new(&env) }
    }
}

fn no_home() -> Failure {
    let message = "neither HOME nor XDG_DATA_HOME is set to an absolute path";
    user_error(ErrorCode::BadPath, message).hint("Set HOME")
}

fn environment() -> Environment {
    let path = |name| env::var_os(name).map(PathBuf::from);
    let uid = nix::unistd::geteuid().as_raw();
    Environment {
        home: path("HOME"),
        data_home: path("XDG_DATA_HOME"),
        config_home: path("XDG_CONFIG_HOME"),
        state_home: path("XDG_STATE_HOME"),
        runtime_dir: path("XDG_RUNTIME_DIR").filter(|dir| is_private(dir, uid)),
        uid,
    }
}

/// Under `su` and `sudo` the variable may name another user's folder.
fn is_private(dir: &Path, uid: u32) -> bool {
    dir.metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == uid && meta.mode() & 0o077 == 0)
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn another_data_folder_is_another_one_on_disk_unless_the_socket_was_named() {
        let dir = tempfile::tempdir().unwrap();
        let mut places = Places::in_folder(dir.path());
        let ours = places.paths().unwrap().data.clone();
        assert_eq!(places.other_than("/elsewhere"), None);
        places.socket_is_named = false;
        assert_eq!(places.other_than("/elsewhere"), Some(ours.as_path()));
        assert_eq!(places.other_than(ours.to_str().unwrap()), None, "neither is there yet");
        std::fs::create_dir_all(&ours).unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&ours, &link).unwrap();
        assert_eq!(places.other_than(link.to_str().unwrap()), None);
        assert_eq!(places.other_than(dir.path().to_str().unwrap()), Some(ours.as_path()));
    }

    #[test]
    fn a_runtime_folder_that_others_can_open_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let uid = nix::unistd::geteuid().as_raw();
        set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        assert!(!is_private(dir.path(), uid));
        set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
        assert!(is_private(dir.path(), uid));
        assert!(!is_private(dir.path(), uid + 1));
        assert!(!is_private(&dir.path().join("missing"), uid));
    }
}
