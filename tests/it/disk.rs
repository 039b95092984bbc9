//! A full disk: one clear sentence, nothing lost, and on it goes when there is room.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};
use vosim_needs::has_root;
use vosim_protocol::{EventId, SessionId};
use vosim_tests::{Ctl, Home, RUN, TestDaemon, WRONG};

use crate::support::{assert_gapless, stopped, stored, until};

/// Gives the daemon a small file system of its own as its data folder; it goes with the daemon.
const ON_A_SMALL_DISK: &str =
    r#"mount -t tmpfs -o size=24m tmpfs "$XDG_DATA_HOME" && exec "$0" "$@""#;

/// Mounts the data folder above itself, for reading alone; and takes that away again.
const READ_ONLY: &str = r#"mount --bind "$XDG_DATA_HOME" "$XDG_DATA_HOME" && mount -o remount,bind,ro "$XDG_DATA_HOME""#;
const WRITABLE: &str = r#"umount "$XDG_DATA_HOME""#;

/// Runs a line of the shell among the daemon's mounts.
fn among_its_mounts(daemon: &TestDaemon, line: &str) {
    let pid = daemon.pid().to_string();
    let mut command = daemon.home().system("nsenter");
    let ran = command.args(["-m", "-t", &pid, "sh", "-c", line]).status().unwrap();
    assert!(ran.success(), "{line}: {ran}");
}

/// That folder as seen from outside.
fn data(daemon: &TestDaemon) -> PathBuf {
    let inside = daemon.home().path().join("data");
    Path::new(&format!("/proc/{}/root", daemon.pid())).join(inside.strip_prefix("/").unwrap())
}

/// Moves the data folder of a home to a small disk of its own and fills that, for this thread alone.
const FULL_FROM_NOW_ON: &str = r#"
    cp -a "$XDG_DATA_HOME" kept && mount --make-rprivate / &&
    mount -t tmpfs -o size=24m tmpfs "$XDG_DATA_HOME" && cp -a kept/. "$XDG_DATA_HOME""#;

#[test]
fn a_start_without_room_is_refused_in_one_line_and_changes_no_byte() {
    if !has_root() {
        return;
    }
    let daemon = stopped();
    let (home, before) = (daemon.home(), stored(daemon.home()));
    unshare(CloneFlags::CLONE_NEWNS).unwrap();
    let moved = home.system("sh").args(["-c", FULL_FROM_NOW_ON]).status().unwrap();
    assert!(moved.success(), "{moved}");
    assert_eq!(stored(home), before);
    fill(&home.paths().data.join("all.filler"));
    let ran = Ctl::program(home, "vosimd", RUN).run();
    assert_eq!((ran.status, ran.stderr.lines().count()), (1, 1), "{ran}");
    assert!(ran.stderr.contains("make room"), "{ran}");
    assert_eq!(stored(home), before);
}

/// Fills what is left.
fn fill(path: &Path) {
    let mut file = File::create(path).unwrap();
    let block = vec![0; 64 * 1024];
    while file.write_all(&block).is_ok() {}
}

#[test]
fn a_disk_that_is_full_is_named_and_the_daemon_goes_on_when_there_is_room() {
    if !has_root() {
        return;
    }
    let home = Home::new();
    let mut command = home.wrapped(&["unshare", "-m", "sh", "-c", ON_A_SMALL_DISK], "vosimd");
    command.args(RUN);
    let daemon = TestDaemon::start_by(home, command);
    daemon.ctl("start --no-file").ok();
    let file = daemon.home().file("a.py", WRONG.text());
    let filler = data(&daemon).join("filler");
    fill(&filler);

    let ran = daemon.command([Path::new("submit"), &file]).run();
    assert!(ran.refused().contains("he disk is full: 0 bytes are free"), "{ran}");
    assert!(ran.stderr.contains("make room and try again"), "{ran}");
    let status = daemon.ctl("status");
    assert!(status.ok().contains("first submission"), "reading goes on: {status}");

    std::fs::remove_file(filler).unwrap();
    let ran = daemon.command([Path::new("submit"), &file]).run();
    assert!(ran.ok().contains("5/12"), "{ran}");
    let session: SessionId = crate::support::current(&daemon);
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    assert_gapless(&until(&mut wire, "AGENT_RESPONSE"));
    daemon.ctl("replay --verify").ok();
}

#[test]
fn a_disk_that_becomes_read_only_is_named_and_the_daemon_goes_on_when_it_can_write() {
    if !has_root() {
        return;
    }
    let home = Home::new();
    let mut command = home.wrapped(&["unshare", "-m", "sh", "-c", ON_A_SMALL_DISK], "vosimd");
    command.args(RUN);
    let daemon = TestDaemon::start_by(home, command);
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    among_its_mounts(&daemon, READ_ONLY);
    for words in ["submit a.py", "submit a.py", "end --yes", "start --new --no-file"] {
        let ran = daemon.ctl(words);
        let told = ran.refused().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("its file system is mounted read-only"), "{words}: {told}");
        assert!(told.contains("mount -o remount,rw"), "{words}: {told}");
    }
    assert!(daemon.ctl("status").ok().contains("first submission"), "reading goes on");
    among_its_mounts(&daemon, WRITABLE);
    assert!(daemon.ctl("submit a.py").ok().contains("5/12"));
    daemon.ctl("replay --verify").ok();
    daemon.ctl("verify").ok();
}

/// Takes so long that a disk can become read-only meanwhile.
const SLOW: &str = r#"
import time
until = time.process_time() + 0.5
while time.process_time() < until:
    pass
"#;

#[test]
fn a_run_whose_outcome_cannot_be_recorded_is_told_on_every_terminal_and_ends_when_it_can() {
    if !has_root() {
        return;
    }
    let home = Home::new();
    let mut command = home.wrapped(&["unshare", "-m", "sh", "-c", ON_A_SMALL_DISK], "vosimd");
    command.args(RUN);
    let daemon = TestDaemon::start_by(home, command);
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", [SLOW, &WRONG.text()].concat());
    let mut watching = [&["attach", "--plain"][..], &["log", "--follow"]]
        .map(|words| daemon.command(words).spawn());
    watching.iter_mut().for_each(|it| {
        it.stdout.wait_for(|line| line.contains("LRU"));
    });
    let mut sent = daemon.command(["submit", "a.py"]).spawn();
    crate::support::wait_for(&daemon, "CODE_SUBMITTED");
    among_its_mounts(&daemon, READ_ONLY);
    let hindered = |line: &str| line.contains("mounted read-only");
    sent.stderr.wait_for(hindered);
    watching.iter_mut().for_each(|it| {
        it.stderr.wait_for(hindered);
    });
    among_its_mounts(&daemon, WRITABLE);
    assert!(sent.end().ok().contains("5/12"));
    daemon.ctl("end --yes").ok();
    for it in watching {
        let ran = it.end();
        ran.ok();
        let told = ran.stderr.lines().filter(|line| hindered(line)).count();
        assert_eq!(told, 1, "it is told once: {ran}");
    }
    daemon.ctl("verify").ok();
}
