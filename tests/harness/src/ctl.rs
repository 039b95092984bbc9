//! [`Ctl`]: vosimctl as a user's shell runs it, with everything it said.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_protocol::wire::Json;

use crate::home::Home;
use crate::lines::Lines;
use crate::plain::plain;

/// A call of vosimctl that has not begun.
#[derive(Debug)]
pub struct Ctl {
    command: Command,
    name: String,
    words: Vec<OsString>,
    home: String,
    input: Option<Vec<u8>>,
    no_start: bool,
}

impl Ctl {
    /// vosimctl with these arguments in this home; it starts no daemon by itself.
    pub fn new<A: AsRef<OsStr>>(home: &Home, arguments: impl IntoIterator<Item = A>) -> Self {
        Self { no_start: true, ..Self::program(home, "vosimctl", arguments) }
    }

    /// Another program in this home, for example a second daemon.
    pub fn program<A: AsRef<OsStr>>(
        home: &Home,
        name: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self::program_by(home, &[], name, arguments)
    }

    /// The same behind a program that ends in becoming it, like `setpriv`.
    pub fn program_by<A: AsRef<OsStr>>(
        home: &Home,
        wrapper: &[&str],
        name: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let command = home.wrapped(wrapper, name);
        let words = arguments.into_iter().map(|word| word.as_ref().to_owned()).collect();
        let home = home.path().display().to_string();
        Self { command, name: name.to_owned(), words, home, input: None, no_start: false }
    }

    /// Lets it start the daemon.
    #[must_use]
    pub fn may_start(mut self) -> Self {
        self.no_start = false;
        self
    }

    /// What it reads from its standard input; nothing without this.
    #[must_use]
    pub fn input(mut self, text: &str) -> Self {
        self.input = Some(text.into());
        self
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it in another folder.
    #[must_use]
    pub fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Runs it to its end.
    pub fn run(self) -> Ran {
        self.spawn().end()
    }

    /// Starts it, to be watched while it runs.
    pub fn spawn(mut self) -> Following {
        if self.no_start {
            self.command.arg("--no-start");
        }
        self.command.args(&self.words);
        let stdin = if self.input.is_some() { Stdio::piped() } else { Stdio::null() };
        let mut child = self
            .command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if let (Some(mut pipe), Some(input)) = (child.stdin.take(), self.input) {
            // It may not want to know.
            pipe.write_all(&input).ok();
        }
        let words: Vec<_> = self.words.iter().map(|word| word.to_string_lossy()).collect();
        let call = format!("{} {}", self.name, words.join(" "));
        let stdout = Lines::of(&call, child.stdout.take().unwrap());
        let stderr = Lines::of(&call, child.stderr.take().unwrap());
        Following { child: Some(child), call, stdout, stderr, home: self.home }
    }
}

/// A call of vosimctl that is under way; killed when it is dropped.
#[derive(Debug)]
pub struct Following {
    child: Option<Child>,
    call: String,
    /// What it prints.
    pub stdout: Lines,
    /// What it says beside.
    pub stderr: Lines,
    home: String,
}

impl Following {
    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = self.child.as_ref().expect("it runs").id();
        kill(Pid::from_raw(i32::try_from(pid).unwrap()), signal).unwrap();
    }

    /// Waits for its end.
    pub fn end(mut self) -> Ran {
        let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect();
        let stdout = text(self.stdout.to_end());
        let stderr = text(self.stderr.to_end());
        let status = self.child.take().expect("it runs").wait().unwrap();
        let status = status.code().unwrap_or(-1);
        Ran { call: self.call.clone(), status, stdout, stderr, home: self.home.clone() }
    }

    /// Ctrl-C, then waits for its end.
    pub fn interrupt(self) -> Ran {
        self.signal(Signal::SIGINT);
        self.end()
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended already; reaping is what matters.
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// What a call of vosimctl came to.
#[derive(Clone, Debug)]
pub struct Ran {
    call: String,
    /// Its exit status.
    pub status: i32,
    /// What it printed.
    pub stdout: String,
    /// What it said beside.
    pub stderr: String,
    home: String,
}

impl Ran {
    /// What it printed, having done what it was asked.
    #[track_caller]
    pub fn ok(&self) -> &str {
        assert_eq!(self.status, 0, "{self:?}");
        &self.stdout
    }

    /// What it said, having refused in a way the user can mend: one sentence, and a next step.
    #[track_caller]
    pub fn refused(&self) -> &str {
        assert_eq!(self.status, 1, "{self:?}");
        assert_eq!(self.stdout, "", "a refusal prints nothing: {self:?}");
        // What there is to think about meanwhile has a line of its own.
        let told =
            self.stderr.lines().filter(|line| !line.starts_with("A question to begin with:"));
        let lines = told.count();
        assert!((1..=2).contains(&lines), "one clear line and a hint: {self:?}");
        &self.stderr
    }

    /// What it printed as one JSON object a line.
    #[track_caller]
    pub fn json(&self) -> Vec<Json> {
        let parse = |line: &str| match serde_json::from_str(line) {
            Ok(json @ Json::Object(_)) => json,
            other => panic!("not one object a line: {other:?} in {self:?}"),
        };
        self.ok().lines().map(parse).collect()
    }
}

/// The whole call for a snapshot: what was typed, both outputs, and a status that is not 0.
impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("$ {}\n{}{}", self.call, self.stdout, self.stderr);
        if self.status != 0 {
            text += &format!("(status {})\n", self.status);
        }
        f.write_str(&plain(&text, &self.home))
    }
}
