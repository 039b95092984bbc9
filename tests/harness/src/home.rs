//! A home of one's own: folders, environment, and where the programs are.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, TryLockError};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_needs::program;
use vosim_protocol::paths::{Environment, Holder, Paths};

/// The folders and the environment of one user who has nothing but vosim.
#[derive(Debug)]
pub struct Home {
    dir: tempfile::TempDir,
    variables: Vec<(OsString, OsString)>,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// A clean home.
    pub fn new() -> Self {
        Self::with_temp_prefix("vosim-it-")
    }

    /// A clean home whose path begins like this; blanks and foreign letters are welcome.
    pub fn with_temp_prefix(prefix: &str) -> Self {
        let dir = tempfile::Builder::new().prefix(prefix).tempdir().unwrap();
        for name in ["work", "data", "config", "state"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        DirBuilder::new().mode(0o700).create(dir.path().join("run")).unwrap();
        let own = |name: &str| dir.path().join(name).into_os_string();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let variables = [
            ("PATH", path),
            ("HOME", dir.path().as_os_str().to_owned()),
            ("XDG_DATA_HOME", own("data")),
            ("XDG_CONFIG_HOME", own("config")),
            ("XDG_STATE_HOME", own("state")),
            ("XDG_RUNTIME_DIR", own("run")),
            ("LANG", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
        ];
        let variables = variables.map(|(name, value)| (name.into(), value)).to_vec();
        Self { dir, variables }
    }

    /// Sets a variable of the environment.
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
    }

    /// Takes a variable out of the environment.
    pub fn unset(&mut self, name: &str) {
        self.variables.retain(|(known, _)| known != name);
    }

    /// The home's folder.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Where commands are run and the candidate's files stand.
    pub fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    /// Writes a file into the work folder.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes the settings.
    pub fn config(&self, toml: &str) {
        let file = self.paths().config;
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, toml).unwrap();
    }

    /// Where the daemon keeps and finds things, as the protocol crate says.
    pub fn paths(&self) -> Paths {
        let value = |name: &str| {
            let found = self.variables.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| PathBuf::from(value))
        };
        let env = Environment {
            home: value("HOME"),
            data_home: value("XDG_DATA_HOME"),
            config_home: value("XDG_CONFIG_HOME"),
            state_home: value("XDG_STATE_HOME"),
            runtime_dir: value("XDG_RUNTIME_DIR"),
            uid: nix::unistd::geteuid().as_raw(),
        };
        Paths::new(&env).unwrap()
    }

    /// A program of vosim in this home: nothing of the caller's environment but the path.
    pub fn program(&self, name: &str) -> Command {
        self.wrapped(&[], name)
    }

    /// The same behind a program that ends in becoming it, like `setpriv`.
    pub fn wrapped(&self, wrapper: &[&str], name: &str) -> Command {
        let program = program(name);
        match wrapper {
            [] => self.system(program),
            [first, rest @ ..] => {
                let mut command = self.system(first);
                command.args(rest).arg(program);
                command
            }
        }
    }

    /// A program of the machine in this home.
    pub fn system(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(self.variables.iter().map(|(k, v)| (k, v)))
            .current_dir(self.work());
        command
    }

    /// Everything the daemon wrote to its own log files.
    pub fn logs(&self) -> String {
        let mut text = String::new();
        for file in files_below(&self.paths().state) {
            let content = fs::read(&file).unwrap_or_default();
            text += &format!("--- {}\n{}", file.display(), String::from_utf8_lossy(&content));
        }
        text
    }
}

impl Drop for Home {
    /// Ends a daemon that a client has started here, if a failed test left one.
    fn drop(&mut self) {
        let lock = self.paths().lock;
        let Ok(file) = File::open(&lock) else { return };
        if !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
            return;
        }
        let holder = fs::read_to_string(&lock).unwrap_or_default();
        if let Ok(Holder { pid, .. }) = holder.trim().parse() {
            // It may have ended in between.
            kill(Pid::from_raw(pid.cast_signed()), Signal::SIGKILL).ok();
        }
    }
}

/// Every file in a folder and its folders; none where there is no folder.
pub(crate) fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}
