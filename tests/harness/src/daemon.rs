//! [`TestDaemon`]: a daemon in a home of its own, ready when it says so, always reaped.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::ctl::{Ctl, Ran};
use crate::home::Home;
use crate::lines::{Lines, PATIENCE};
use crate::wire::Wire;

/// What a daemon says on its standard output once it can be asked.
const READY: &str = "ready";

/// How it is started: so that it says so.
pub const RUN: [&str; 2] = ["run", "--detached"];

/// A daemon that runs, or has been stopped and can be started again.
#[derive(Debug)]
pub struct TestDaemon {
    home: Home,
    program: String,
    arguments: Vec<String>,
    running: Option<Child>,
}

/// A daemon that did not want to start.
#[derive(Debug)]
pub struct Refused {
    /// Its home, to try again.
    pub home: Home,
    /// Its exit status.
    pub status: i32,
    /// What it wrote to standard output and error.
    pub said: String,
}

impl Default for TestDaemon {
    fn default() -> Self {
        Self::start()
    }
}

impl TestDaemon {
    /// A daemon in a clean home.
    pub fn start() -> Self {
        Self::start_in(Home::new())
    }

    /// A daemon in this home.
    pub fn start_in(home: Home) -> Self {
        Self::try_start(home).unwrap_or_else(|refused| panic!("no daemon: {}", refused.said))
    }

    /// A daemon in this home, or what it said instead.
    pub fn try_start(home: Home) -> Result<Self, Refused> {
        Self::try_start_as(home, "vosimd", &[])
    }

    /// The same with another program of the workspace and further arguments.
    pub fn try_start_as(home: Home, program: &str, more: &[&str]) -> Result<Self, Refused> {
        let arguments = RUN.iter().chain(more).map(|&word| word.to_owned()).collect();
        let mut daemon = Self { home, program: program.to_owned(), arguments, running: None };
        let mut command = daemon.home.program(&daemon.program);
        command.args(&daemon.arguments);
        match daemon.launch(command) {
            Ok(()) => Ok(daemon),
            Err((status, said)) => {
                let home = std::mem::take(&mut daemon.home);
                Err(Refused { home, status, said })
            }
        }
    }

    /// The same by a command that ends in becoming the daemon of this home.
    pub fn start_by(home: Home, command: Command) -> Self {
        let mut daemon = Self {
            home,
            program: "vosimd".into(),
            arguments: RUN.map(str::to_owned).to_vec(),
            running: None,
        };
        daemon.launch(command).unwrap_or_else(|(_, said)| panic!("no daemon: {said}"));
        daemon
    }

    /// Starts it again after it was stopped or killed.
    pub fn start_again(&mut self) {
        assert!(self.running.is_none(), "it still runs");
        let mut command = self.home.program(&self.program);
        command.args(&self.arguments);
        self.launch(command).unwrap_or_else(|(_, said)| panic!("no daemon: {said}"));
    }

    fn launch(&mut self, mut command: Command) -> Result<(), (i32, String)> {
        let errors = OpenOptions::new().create(true).append(true).open(self.stderr_file()).unwrap();
        let before = errors.metadata().unwrap().len();
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).spawn().unwrap();
        let mut stdout = Lines::of("vosimd", child.stdout.take().unwrap());
        while let Some(line) = stdout.next_line() {
            if line == READY {
                self.running = Some(child);
                return Ok(());
            }
        }
        let status = end_of(child).code().unwrap_or(-1);
        let errors = fs::read(self.stderr_file()).unwrap();
        let errors = &errors[usize::try_from(before).unwrap()..];
        Err((status, String::from_utf8_lossy(errors).into_owned()))
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.running.as_ref().expect("it runs").id()
    }

    /// Its home.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Its socket.
    pub fn socket(&self) -> PathBuf {
        self.home.paths().socket
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.pid()).unwrap();
        kill(Pid::from_raw(pid), signal).unwrap();
    }

    /// Kills it on the spot (`kill -9`).
    pub fn kill(&mut self) {
        let mut child = self.running.take().expect("it runs");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Asks it to go (SIGTERM) and waits until it has gone.
    pub fn stop(&mut self) -> ExitStatus {
        self.signal(Signal::SIGTERM);
        self.wait()
    }

    /// Waits until it has gone by itself.
    pub fn wait(&mut self) -> ExitStatus {
        end_of(self.running.take().expect("it runs"))
    }

    /// `vosimctl` with these arguments, to be run.
    pub fn command<A: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Ctl {
        Ctl::new(&self.home, arguments)
    }

    /// Runs `vosimctl` with these words.
    pub fn ctl(&self, words: &str) -> Ran {
        self.command(words.split_whitespace()).run()
    }

    /// A client on the bare wire that has said hello.
    pub fn wire(&self) -> Wire {
        Wire::connect(&self.socket())
    }

    /// A client on the bare wire that has said nothing yet.
    pub fn raw(&self) -> Wire {
        Wire::raw(&self.socket())
    }

    /// What it wrote to standard error, over all its starts.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.stderr_file()).unwrap_or_default()).into_owned()
    }

    fn stderr_file(&self) -> PathBuf {
        stderr_file(self.home.path())
    }
}

/// Waits for the end of a process, at most [`PATIENCE`].
pub(crate) fn end_of(mut child: Child) -> ExitStatus {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let (sender, ended) = channel();
    std::thread::spawn(move || sender.send(child.wait()));
    ended.recv_timeout(PATIENCE).map_or_else(
        |_| {
            kill(pid, Signal::SIGKILL).unwrap();
            panic!("process {pid} has not ended within {PATIENCE:?}");
        },
        Result::unwrap,
    )
}

fn stderr_file(home: &Path) -> PathBuf {
    home.join("vosimd.stderr")
}

impl Drop for TestDaemon {
    fn drop(&mut self) {
        if let Some(mut child) = self.running.take() {
            // It may have died already; reaping is what matters.
            child.kill().ok();
            child.wait().ok();
        }
        if std::thread::panicking() {
            eprintln!("--- standard error of vosimd\n{}\n{}", self.stderr(), self.home.logs());
        }
    }
}
