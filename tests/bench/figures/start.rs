//! How soon a daemon is ready, and a whole `vosimctl status` against its peers and against the least a
//! program can do.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use vosim_tests::{Home, TestDaemon, WRONG, new_session};

use super::interviews::mould::{Mould, fill};
use super::interviews::now;
use super::table::{Bar, Series, Table};

/// Turns; each runs every program once.
const TURNS: usize = 300;
/// Sessions in the store of a daemon that is started, how often it is, and until they are due.
const SESSIONS: usize = 1_000;
const STARTS: usize = 30;
const FAR_MICROS: i64 = 3_600_000_000;
/// Attempts until a peer's daemon answers, a few milliseconds each.
const TRIES: usize = 2_000;

/// One program with a daemon behind it, as a user would call it.
struct Contender {
    series: Series,
    command: Command,
    bar: Bar,
}

impl Contender {
    fn new(name: &str, mut command: Command, bar: Bar) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self { series: Series::new(name), command, bar }
    }

    fn turn(&mut self) {
        let command = &mut self.command;
        assert!(self.series.time(|| command.status().unwrap()).success(), "{command:?}");
    }
}

pub(crate) fn measure(table: &Table) {
    measure_ready(table);
    measure_status(table);
}

/// From the start of a daemon's program until it says that it is ready.
fn measure_ready(table: &Table) {
    let home = Home::new();
    let [sessions] = table.numbers([SESSIONS]);
    let (mould, deadline) = (Mould::of_events(1), now().plus_micros(FAR_MICROS));
    fill(&home, (0..sessions).map(|_| mould.cast(new_session(), deadline)));
    let mut daemon = TestDaemon::start_in(home);
    let mut ready = Series::new("ready");
    for _ in 0..table.turns(STARTS) {
        daemon.stop();
        ready.time(|| daemon.start_again());
    }
    let name = format!("ready after a stop, {sessions} sessions");
    table.quantile(&name, &ready, 50, Bar::AtMost(50.0, " ms"));
    let database = daemon.home().paths().data.join("db-1");
    assert!(database.is_dir(), "a copy of the database was made after an ordinary stop");
}

fn measure_status(table: &Table) {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    let mut status = daemon.home().program("vosimctl");
    status.arg("status");
    let mut ours = Contender::new("vosimctl", status, Bar::AtMost(0.0, ""));
    let mut others = Vec::new();
    let tmux = Tmux::start();
    match &tmux {
        Some(tmux) => {
            others.push(Contender::new("tmux", tmux.command(&["display", "-p", "x"]), below()));
        }
        None => table.skipped("status against tmux display -p x", "there is no tmux"),
    }
    let pueue = Pueue::start();
    match &pueue {
        Some(pueue) => others.push(Contender::new("pueue", pueue.status(), below())),
        None => table.skipped("status against pueue status", "pueue could not be built"),
    }
    match std::env::var_os("VOSIM_BENCH_BARE") {
        Some(bare) => {
            others.push(Contender::new("bare", Command::new(bare), Bar::AtMost(1.5, "")));
        }
        None => table.skipped("status against a bare program", "VOSIM_BENCH_BARE names none"),
    }
    for _ in 0..table.turns(TURNS) {
        ours.turn();
        others.iter_mut().for_each(Contender::turn);
    }
    for other in others {
        let name = format!("vosimctl status against {}", other.series.name());
        table.ratio(&name, &ours.series, &other.series, other.bar);
    }
}

fn below() -> Bar {
    Bar::AtMost(1.0, "")
}

/// A tmux server of our own with one session; it ends with this.
struct Tmux {
    home: Home,
}

impl Tmux {
    fn start() -> Option<Self> {
        let tmux = Self { home: Home::new() };
        let started = tmux.command(&["-f", "/dev/null", "new-session", "-d", "cat"]).status();
        started.is_ok_and(|status| status.success()).then_some(tmux)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.home.path().join("tmux")).args(arguments).env_remove("TMUX");
        command
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        // It may have gone by itself.
        self.command(&["kill-server"]).status().ok();
    }
}

/// A pueue daemon of our own; it ends with this.
struct Pueue {
    home: Home,
    folder: PathBuf,
    daemon: Child,
}

impl Pueue {
    fn start() -> Option<Self> {
        let folder = PathBuf::from(std::env::var_os("VOSIM_BENCH_PUEUE")?);
        let home = Home::new();
        let daemon = Self::of(&home, folder.join("pueued"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let pueue = Self { home, folder, daemon };
        let answers = || pueue.quiet_status().status().is_ok_and(|status| status.success());
        (0..TRIES).any(|_| answers()).then_some(pueue)
    }

    fn of(home: &Home, program: PathBuf) -> Command {
        let mut command = Command::new(program);
        let vosim = home.program("vosimctl");
        command.env_clear().envs(vosim.get_envs().filter_map(|(k, v)| Some((k, v?))));
        command
    }

    fn status(&self) -> Command {
        let mut command = Self::of(&self.home, self.folder.join("pueue"));
        command.arg("status");
        command
    }

    fn quiet_status(&self) -> Command {
        let mut command = self.status();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

impl Drop for Pueue {
    fn drop(&mut self) {
        self.daemon.kill().ok();
        self.daemon.wait().ok();
    }
}
