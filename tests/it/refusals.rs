//! What cannot be done now: each refusal with the sentence and exit status of 000's error table,
//! and the next step.

use vosim_tests::{CORRECT, Home, TestDaemon, WRONG};

use crate::support::types;

#[test]
fn refusals_say_what_to_do_next_and_exit_with_one() {
    let daemon = TestDaemon::start();
    daemon.home().file("right.py", CORRECT.text());
    daemon.home().file("wrong.py", WRONG.text());
    let refused = |words: &str| {
        let ran = daemon.ctl(words);
        ran.refused();
        ran.to_string()
    };
    let mut screens = String::new();
    for words in ["submit right.py", "hint", "status", "end", "log", "give-up", "diff"] {
        screens += &refused(words);
    }
    daemon.ctl("start --no-file").ok();
    for words in ["start", "hint", "give-up", "start no_such_problem --new", "submit missing.py"] {
        screens += &refused(words);
    }
    daemon.ctl("submit wrong.py").ok();
    for words in ["submit wrong.py", "give-up", "diff", "why 99", "status --session zzz"] {
        screens += &refused(words);
    }
    daemon.ctl("submit right.py").ok();
    screens += &refused("hint");
    daemon.ctl("end").ok();
    for words in ["submit wrong.py", "hint --level 2 --session zzz", "end", "use 00000000"] {
        screens += &refused(words);
    }
    insta::assert_snapshot!("refusals", screens);
}

#[test]
fn a_refusal_leaves_no_trace_in_the_log() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let before = types(&daemon);
    daemon.ctl("hint").refused();
    daemon.ctl("give-up --yes").refused();
    assert_eq!(types(&daemon), before);
}

#[test]
fn a_mistyped_command_line_exits_with_one_and_help_with_zero() {
    let home = Home::new();
    for words in
        ["frobnicate", "use", "why x", "start --language cobol", "start --session 1f", "--session"]
    {
        let ran = vosim_tests::Ctl::new(&home, words.split_whitespace()).run();
        assert_eq!(ran.status, 1, "{ran}");
        assert!(ran.stdout.is_empty() && ran.stderr.contains("Error: "), "{ran}");
    }
    let help = vosim_tests::Ctl::new(&home, ["--help"]).run();
    assert!(help.ok().contains("Practice:"), "{help}");
}

#[test]
fn without_a_daemon_the_socket_is_named_and_how_to_start_one() {
    let home = Home::new();
    let ran = vosim_tests::Ctl::new(&home, ["status"]).run();
    insta::assert_snapshot!(ran, @r"
    $ vosimctl status
    ❌ Error: The daemon is not running: nothing listens on HOME/run/vosim/vosimd.sock
    Start it with: vosimctl daemon start
    (status 1)
    ");
}

#[test]
fn the_client_starts_the_daemon_when_none_runs_and_stops_it_on_request() {
    let home = Home::new();
    let ctl = |words: &str| vosim_tests::Ctl::new(&home, words.split_whitespace());
    ctl("start --no-file").may_start().run().ok();
    assert!(ctl("daemon status").run().ok().contains("vosimd"));
    ctl("daemon stop").run().ok();
    assert!(!home.paths().socket.exists());
    ctl("status").run().refused();
    // One that is going down still holds its lock when the next is wanted.
    for _ in 0..5 {
        ctl("status").may_start().run().ok();
        ctl("daemon stop").run().ok();
    }
    assert!(ctl("daemon stop").run().ok().contains("not running"), "done already");
}

#[test]
fn a_second_start_names_the_session_in_progress_and_new_opens_one_beside_it() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let refused = daemon.ctl("start");
    assert!(refused.refused().contains("ession already in progress"), "{refused}");
    assert!(refused.stderr.contains("vosimctl end"), "{refused}");
    // Whichever kind was asked for.
    let refused = daemon.ctl("interview start");
    assert!(refused.refused().contains("run it again with --new"), "{refused}");
    assert!(!daemon.home().work().join("lru_cache.py").exists(), "nothing was started");
    daemon.ctl("start --no-file --new").ok();
    let sessions = daemon.ctl("list --json").json();
    assert_eq!(sessions.len(), 2);
    // A unique beginning of an id is enough.
    let oldest = sessions[1]["session_id"].as_str().unwrap();
    daemon.ctl(&format!("use {}", &oldest[..8])).ok();
    let status = daemon.ctl("status");
    assert!(status.ok().contains(oldest), "{status}");
}
