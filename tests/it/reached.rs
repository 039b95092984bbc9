//! A daemon is found, reached and stopped whatever has become of its socket and its folders.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use nix::sys::signal::Signal;
use regex::Regex;
use vosim_needs::has_root;
use vosim_protocol::EventId;
use vosim_protocol::v1::service::{Nothing, Status};
use vosim_tests::{Ctl, Home, Lines, RUN, Terminal, TestClock, TestDaemon, command, params};

use crate::support::{count, current, log, stopped, stored, until};

fn folder_of_the_socket(daemon: &TestDaemon) -> PathBuf {
    daemon.socket().parent().unwrap().to_owned()
}

fn pid_in(shown: &str) -> u32 {
    let line = shown.lines().find_map(|line| line.strip_prefix("Process")).unwrap();
    line.trim_start_matches([':', ' ']).parse().unwrap()
}

#[test]
fn a_socket_that_was_removed_is_made_again_and_no_command_sees_the_difference() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let mut open = daemon.wire();
    // What a cleaner of temporary files does, and what a logout does.
    fs::remove_file(daemon.socket()).unwrap();
    assert_eq!(pid_in(daemon.ctl("daemon status").ok()), daemon.pid());
    fs::remove_dir_all(folder_of_the_socket(&daemon)).unwrap();
    daemon.ctl("list").ok();
    fs::remove_dir_all(folder_of_the_socket(&daemon)).unwrap();
    let found = daemon.ctl("doctor");
    assert!(!found.stdout.contains("kill"), "{found}");
    assert_eq!(open.ask::<Status>(&Nothing {}).unwrap().pid, daemon.pid(), "open ones stay");
    fs::remove_dir_all(folder_of_the_socket(&daemon)).unwrap();
    let stopped = daemon.ctl("daemon stop");
    assert!(stopped.ok().contains("has stopped"), "{stopped}");
    assert!(daemon.wait().success());
    assert!(!daemon.socket().exists());
}

#[test]
fn what_somebody_else_has_put_in_the_place_of_the_socket_stays() {
    let mut daemon = TestDaemon::start();
    let socket = daemon.socket();
    fs::remove_file(&socket).unwrap();
    fs::write(&socket, "mine").unwrap();
    let status = daemon.ctl("daemon status");
    assert!(status.refused().contains("where its socket belongs"), "{status}");
    assert!(daemon.stop().success());
    assert_eq!(fs::read(&socket).unwrap(), b"mine");
}

// As under ssh, cron and su, where a variable of the desktop is missing or another one.
#[test]
fn a_daemon_in_whose_socket_s_place_something_else_stands_is_told_of_and_stopped() {
    let mut daemon = TestDaemon::start();
    let pid = daemon.pid();
    fs::remove_file(daemon.socket()).unwrap();
    fs::write(daemon.socket(), "mine").unwrap();
    let told = daemon.ctl("daemon status");
    assert!(told.refused().contains(&pid.to_string()), "{told}");
    assert!(daemon.ctl("daemon stop").ok().contains("has stopped"));
    daemon.wait();
    assert_eq!(fs::read_to_string(daemon.socket()).unwrap(), "mine");
}

/// The runtime folder is looked at before the store is opened, which writes.
#[test]
fn a_start_that_refuses_for_its_runtime_folder_has_made_no_store() {
    let home = Home::new();
    let paths = home.paths();
    let folder = paths.socket.parent().unwrap();
    fs::remove_dir_all(folder).ok();
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::write(folder, "mine").unwrap();
    let refused = Ctl::new(&home, ["daemon", "start"]).may_start().run();
    assert!(refused.refused().contains("is not a directory"), "{refused}");
    assert!(!paths.data.join("store.json").exists());
}

#[test]
fn a_client_that_looks_for_another_socket_reaches_the_daemon_of_its_data() {
    let mut daemon = TestDaemon::start();
    let socket = daemon.socket().display().to_string();
    let other = daemon.home().path().join("other");
    fs::create_dir(&other).unwrap();
    fs::set_permissions(&other, Permissions::from_mode(0o700)).unwrap();
    let asked = |words: [&str; 2]| {
        let words = words.into_iter().filter(|word| !word.is_empty());
        daemon.command(words).env("XDG_RUNTIME_DIR", &other)
    };
    asked(["list", ""]).may_start().run().ok();
    let status = asked(["daemon", "status"]).run();
    assert_eq!(pid_in(status.ok()), daemon.pid());
    assert!(status.stdout.contains(&socket), "{status}");
    let doctor = asked(["doctor", ""]).run();
    assert!(doctor.stdout.contains(&socket) && !doctor.stdout.contains("kill"), "{doctor}");
    // Who has named a socket is told of the right one.
    let named = other.join("s.sock").display().to_string();
    let ran = asked(["list", ""]).env("VOSIM_SOCKET", named).may_start().run();
    assert!(ran.refused().contains(&format!("VOSIM_SOCKET={socket} vosimctl")), "{ran}");
    asked(["list", ""]).env("VOSIM_SOCKET", &socket).run().ok();
    assert!(asked(["daemon", "stop"]).run().ok().contains("has stopped"));
    assert!(daemon.wait().success());
}

// As where HOME is another one for a moment, while the runtime folder stays that of the login.
#[test]
fn a_client_of_another_data_folder_says_whose_it_reads_and_changes_nothing_there() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let data = daemon.home().paths().data;
    let other = daemon.home().path().join("other");
    let asked = |words: &[&str]| daemon.command(words).env("XDG_DATA_HOME", &other);
    let (theirs, ours) = (data.display(), other.join("vosim"));
    let told =
        format!("works in {theirs}, and the data of this environment is in {}", ours.display());
    let listed = asked(&["list", "--json"]).run();
    assert_eq!(listed.json().len(), 1);
    assert_eq!(listed.stderr.matches(&told).count(), 1, "{listed}");
    let created = asked(&["start", "--new", "--no-file"]).run();
    assert_eq!(created.status, 1, "{created}");
    let chosen = format!("VOSIM_SOCKET={} vosimctl", daemon.socket().display());
    assert!(created.stderr.contains(&chosen) && created.stderr.contains(&told), "{created}");
    assert_eq!(daemon.ctl("list --json").json().len(), 1, "nothing was made");
    assert!(!ours.exists());
    // Who has named the socket has chosen, and a folder by another name is the same one.
    let named = asked(&["list"]).env("VOSIM_SOCKET", daemon.socket()).run();
    assert_eq!((named.status, named.stderr.as_str()), (0, ""), "{named}");
    std::os::unix::fs::symlink(data.parent().unwrap(), &other).unwrap();
    assert_eq!(asked(&["list"]).run().stderr, "");
    fs::remove_file(&other).unwrap();
    asked(&["daemon", "stop"]).run().ok();
    assert!(daemon.wait().success());
}

#[test]
fn a_daemon_that_cannot_be_asked_is_named_and_stopped_by_its_process() {
    let mut daemon = TestDaemon::start();
    let folder = folder_of_the_socket(&daemon);
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "a file where the folder was").unwrap();
    let pid = daemon.pid();
    let status = daemon.ctl("daemon status");
    assert!(status.refused().contains(&format!("process {pid}")), "{status}");
    let stopped = daemon.ctl("daemon stop");
    assert!(stopped.ok().contains("has stopped"), "{stopped}");
    assert!(daemon.wait().success());
    assert!(daemon.ctl("daemon stop").ok().contains("is not running"));
}

#[test]
fn a_daemon_that_was_stopped_by_a_signal_goes_on_to_its_end_when_it_is_to_stop() {
    let mut daemon = TestDaemon::start();
    daemon.signal(Signal::SIGSTOP);
    let stopped = daemon.ctl("daemon stop");
    assert!(stopped.ok().contains("has stopped"), "{stopped}");
    assert!(daemon.wait().success());
}

/// Holds the data as a daemon does, hears of no end, and waits until its input is closed.
const HANGS: &str = "trap '' TERM; exec 9>\"$0\"; flock 9; \
                     echo \"pid $$, vosimd 0.1.0, socket $0.sock\" >&9; echo held; read end";

#[test]
fn a_daemon_that_hangs_is_named_with_the_signal_that_ends_it() {
    let home = Home::new();
    fs::create_dir_all(home.paths().data).unwrap();
    let mut hangs = home.system("sh");
    hangs.args(["-c", HANGS]).arg(home.paths().lock).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut hangs = hangs.spawn().unwrap();
    assert_eq!(Lines::of("hangs", hangs.stdout.take().unwrap()).next_line().unwrap(), "held");
    let stopped = Ctl::new(&home, ["daemon", "stop"]).run();
    assert!(stopped.refused().contains(&format!("kill -9 {}", hangs.id())), "{stopped}");
    // Its input is closed before it is waited for.
    assert!(!hangs.wait().unwrap().success());
}

/// What is in the data's folder, and the lock with it.
fn throw_data_away(daemon: &TestDaemon) {
    for entry in fs::read_dir(daemon.home().paths().data).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
}

/// Whether the daemon's process is no more than what its parent, this test, has not heard of yet.
fn has_ended(daemon: &TestDaemon) -> bool {
    let about = fs::read_to_string(format!("/proc/{}/stat", daemon.pid())).unwrap();
    about.rsplit_once(") ").unwrap().1.starts_with('Z')
}

#[test]
fn a_daemon_that_is_said_to_have_stopped_is_gone_also_without_its_data() {
    let mut daemon = TestDaemon::start();
    assert!(daemon.ctl("daemon stop").ok().contains("has stopped"));
    assert!(has_ended(&daemon));
    daemon.wait();
    daemon.start_again();
    throw_data_away(&daemon);
    // The daemon may have found it first, which is seen by its socket being gone.
    let stopped = daemon.ctl("daemon stop");
    assert!(!stopped.ok().contains("has stopped") || has_ended(&daemon), "{stopped}");
    daemon.wait();
}

#[test]
fn a_daemon_whose_data_was_thrown_away_ends_and_the_next_one_begins_anew() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    throw_data_away(&daemon);
    assert!(!daemon.wait().success());
    let said = daemon.stderr();
    assert!(said.contains("was emptied or replaced while it ran"), "{said}");
    let none = daemon.command(["list"]).may_start().run();
    assert!(!none.ok().contains("LRU"), "{none}");
    daemon.ctl("daemon stop").ok();
}

#[test]
fn a_data_folder_that_is_away_takes_nothing_and_a_deadline_meanwhile_fires_when_it_is_back() {
    let (daemon, mut clock) = TestClock::start_daemon("2026-01-05T12:00:00Z");
    daemon.ctl("interview start --no-watch").ok();
    let session = current(&daemon);
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    until(&mut wire, "SECTION_STARTED");
    let (data, away) = (daemon.home().paths().data, daemon.home().path().join("away"));
    fs::rename(&data, &away).unwrap();
    let said = params(session, command(), serde_json::json!({ "text": "Is this kept?" }));
    let refused = daemon.wire().interview("say", &said).unwrap_err();
    assert!(refused.message.contains("cannot be reached"), "{refused:?}");
    let doctor = daemon.ctl("doctor");
    let found = doctor.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(found.contains("FAIL data folder") && !found.contains("restore"), "{doctor}");
    // Every deadline of the section is due, and each view asks for what is due as well.
    clock.advance(3_600);
    for _ in 0..20 {
        daemon.ctl("status").refused();
    }
    fs::rename(&away, &data).unwrap();
    let fired = until(&mut wire, "SECTION_ENDED");
    let end = fired.last().unwrap().timestamp.to_string();
    assert!(end.starts_with("2026-01-05T12:"), "its own time: {end}");
    assert_eq!(count(&log(&daemon), "CANDIDATE_MESSAGE"), 0, "what was refused is not there");
    daemon.ctl("replay --verify").ok();
}

#[test]
fn with_too_few_threads_a_daemon_says_so_instead_of_hanging() {
    if !has_root() {
        return;
    }
    let daemon = stopped();
    let (home, before) = (daemon.home(), stored(daemon.home()));
    let owned = home.system("chown").args(["-R", "61234:61234"]).arg(home.path()).status();
    assert!(owned.unwrap().success());
    let program = home.path().join("vosimd");
    fs::copy(home.program("vosimd").get_program(), &program).unwrap();
    // Nobody on this machine, so that a limit on the processes of the account counts ours only.
    let as_nobody = ["--reuid=61234", "--regid=61234", "--clear-groups"];
    for limit in [1, 2, 3, 4, 5, 6, 8, 12, 16, 20] {
        let limit = format!("--nproc={limit}");
        let mut command = home.system("setpriv");
        command.args(as_nobody).args(["prlimit", &limit]).arg(&program).args(RUN);
        let ran = command.output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{limit}: {said}");
        assert_eq!(said.lines().count(), 1, "{limit}: {said}");
        assert!(said.contains("more threads can be started"), "{limit}: {said}");
        assert_eq!(stored(home), before, "{limit}");
    }
}

#[test]
fn below_a_limit_that_it_needs_a_daemon_names_it_instead_of_falling_over() {
    let daemon = stopped();
    let (home, before) = (daemon.home(), stored(daemon.home()));
    for (limit, sentence) in [
        ("--as=268435456", "256 MiB of memory may be used here and 1024 are needed; .*ulimit -v"),
        ("--as=1048576000", "1000 MiB of memory may be used here and 1024 are needed; .*ulimit -v"),
        ("--data=20480000", "19 MiB of data may be held here and 256 are needed; .*ulimit -d"),
        ("--nofile=10", "10 files may be open at once here and 128 are needed; .*ulimit -n"),
        (
            "--fsize=102400",
            "100 KiB may be written to a file here and 256 MiB are needed; .*ulimit -f",
        ),
        ("--fsize=0", "0 MiB may be written to a file here and 256 are needed; .*ulimit -f"),
        ("--cpu=60", "60 s of computing may be used here and 3600 are needed; .*ulimit -t"),
        ("--stack=65536", "64 KiB of stack may be used here and 8192 are needed; .*ulimit -s"),
        ("--nproc=5", "[0-9]+ .* here and [0-9]+ are needed.*; .*ulimit -u"),
    ] {
        let ran = Ctl::program_by(home, &["prlimit", limit], "vosimd", RUN).run();
        let sentence = Regex::new(&format!("^vosimd: only {sentence}")).unwrap();
        assert_eq!(ran.status, 1, "{ran}");
        assert!(sentence.is_match(&ran.stderr), "{ran}");
        assert_eq!(ran.stderr.lines().count(), 1, "{ran}");
        assert_eq!(stored(home), before, "{limit}");
    }
    let short = Ctl::program_by(home, &["prlimit", "--stack=65536"], "vosimctl", ["list"]).run();
    assert_eq!(short.status, 1, "{short}");
    assert!(short.stderr.starts_with("Error: Only 64 KiB of stack may be used here"), "{short}");
    let fewest = ["prlimit", "--data=1024000"];
    let fallen = Ctl::program_by(home, &fewest, "vosimctl", ["list"]).run();
    assert!(fallen.refused().contains("only 1000 KiB of data may be held here; "), "{fallen}");
    // As a program it is larger than this where it is built for tests, so it is not even loaded.
    let small = ["prlimit", "--as=61440000"];
    for (limit, what) in [(fewest, "of data may be held"), (small, "of memory may be used")] {
        for words in [["list", "--json"], ["doctor", "--json"]] {
            let ran = Ctl::program_by(home, &limit, "vosimctl", words).run();
            assert_eq!(ran.status, 1, "{ran}");
            let told = format!("{}{}", ran.stdout, ran.stderr);
            assert!(told.contains(what) && told.contains("raise the limit (ulimit"), "{ran}");
        }
    }
    let new = ["problems", "new", "mine"];
    let full = Ctl::program_by(home, &["prlimit", "--fsize=0"], "vosimctl", new).run();
    assert_eq!(full.status, 1, "{full}");
    assert!(full.stderr.contains("larger than a file may be"), "{full}");
}

#[test]
fn attached_terminals_start_a_daemon_again_that_has_died() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let mut plain = daemon.command(["attach", "--plain"]).may_start().spawn();
    let mut screen = Terminal::shell(daemon.home());
    screen.shows("shell>");
    screen.line("vosimctl attach");
    screen.shows("LRU");
    plain.stdout.wait_for(|line| line.contains("LRU"));
    let killed = daemon.pid();
    daemon.kill();
    screen.shows("Connected again");
    let status = daemon.ctl("daemon status");
    assert_ne!(pid_in(status.ok()), killed);
    // The next command is heard by both.
    daemon.ctl("end").ok();
    plain.stdout.wait_for(|line| line.contains("The session has ended"));
    assert_eq!(plain.end().status, 0);
    screen.shows("The drill is over");
    screen.types("q");
    screen.shows("Drill Summary");
    daemon.ctl("daemon stop").ok();
}

#[test]
fn who_only_follows_leaves_a_daemon_stopped_and_the_next_command_starts_it() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let mut plain = daemon.command(["attach", "--plain"]).may_start().spawn();
    plain.stdout.wait_for(|line| line.contains("LRU"));
    daemon.ctl("daemon stop").ok();
    daemon.wait();
    plain.stderr.wait_for(|line| line.contains("vosimd was stopped after event"));
    daemon.ctl("list").refused();
    daemon.command(["list"]).may_start().run().ok();
    plain.stderr.wait_for(|line| line.contains("Connected again"));
    daemon.ctl("end").ok();
    assert_eq!(plain.end().status, 0);
    daemon.ctl("daemon stop").ok();
}
