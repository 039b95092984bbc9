//! A daemon that nobody asks anything: its memory, and how soon it goes.

use std::sync::mpsc::channel;
use std::time::Duration;

use vosim_tests::{TestDaemon, WRONG};

use super::table::{Bar, Series, Table};

const SESSIONS: usize = 10;
const TURNS: usize = 20;
/// The one place where waiting is what is measured (DECISIONS 36).
const LATER: Duration = Duration::from_secs(60);

pub(crate) fn measure(table: &Table) {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    for _ in 0..table.turns(SESSIONS) {
        let session = wire.start_drill();
        wire.submit(session, &WRONG.text());
        wire.wait_for_event("AGENT_RESPONSE");
    }
    drop(wire);
    daemon.stop();
    daemon.start_again();
    let_time_pass(table.lasting(LATER));
    let mib = resident_kib(daemon.pid()) / 1024.0;
    table.figure("idle memory, 10 sessions, one minute", mib, " MiB", Bar::AtMost(12.0, " MiB"));

    let mut exit = Series::new("exit");
    exit.time(|| daemon.stop());
    for _ in 1..table.turns(TURNS) {
        daemon.start_again();
        exit.time(|| daemon.stop());
    }
    let ms = exit.median().as_secs_f64() * 1e3;
    table.figure("SIGTERM to exit, idle", ms, " ms", Bar::AtMost(50.0, " ms"));
}

fn let_time_pass(time: Duration) {
    let (_held, nothing_comes) = channel::<()>();
    nothing_comes.recv_timeout(time).unwrap_err();
}

pub(crate) fn resident_kib(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
