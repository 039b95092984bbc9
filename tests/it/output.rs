//! Output as programs and odd terminals meet it.

use std::io::Write as _;
use std::process::Stdio;

use vosim_tests::{Home, TestDaemon, WRONG};

use crate::support::wait_for;

fn with_a_submission() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("start").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    wait_for(&daemon, "AGENT_RESPONSE");
    daemon.ctl("hint").ok();
    daemon
}

/// Every command that prints data.
const DATA: [&str; 15] = [
    "status",
    "list",
    "log",
    "why 4",
    "replay",
    "verify",
    "problems",
    "problem show",
    "doctor",
    "config show",
    "store stats",
    "daemon status",
    "protocol describe",
    "socket-path",
    "test a.py",
];

#[test]
fn json_is_one_object_a_line_and_nothing_else() {
    let daemon = with_a_submission();
    for words in DATA {
        let ran = daemon.ctl(&format!("{words} --json"));
        assert!(!ran.json().is_empty(), "{ran}");
        assert!(!ran.stdout.contains('\u{1b}'), "{ran}");
    }
    daemon.home().file("b.py", WRONG.variant(1));
    let submitted = daemon.ctl("submit b.py --json").json();
    assert_eq!(submitted[0]["event_type"], "CODE_SUBMITTED");
    assert!(submitted.iter().any(|record| record["event_type"] == "EVAL_RESULT"));
    daemon.ctl("problem discussion").refused();
    let ended = daemon.ctl("end --json").json();
    assert_eq!(ended[0]["event_type"], "SESSION_ENDED");
    let read = daemon.ctl("problem discussion --json").json();
    let solution = read[0]["solutions"]["python"].as_str().unwrap();
    assert!(solution.contains("class LRUCache"), "{solution}");
}

#[test]
fn a_verdict_and_the_hints_can_be_seen_again_as_they_were_shown() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.ctl("result").refused();
    assert!(daemon.ctl("result --hints").ok().contains("No hint"));
    daemon.home().file("a.py", WRONG.text());
    let submitted = daemon.ctl("submit a.py");
    let hint = daemon.ctl("hint");
    daemon.home().file("b.py", WRONG.variant(1));
    daemon.ctl("submit b.py").ok();
    let again = daemon.ctl("result 1");
    assert!(again.ok().contains("Failing Tests:") && again.stdout.contains("Feedback:"));
    let (shown, by) = again.stdout.trim_end().rsplit_once("\n\n").unwrap();
    assert!(submitted.ok().contains(shown), "{submitted}\n{again}");
    assert!(by.starts_with("Judged by Python 3.") && by.ends_with("(cold)."), "{by}");
    // What would raise the level was true then.
    let seen = daemon.ctl("result --hints");
    assert!(seen.ok().contains("Why this level") && hint.ok().starts_with(seen.ok()), "{seen}");
    let types = |words: &str| -> Vec<_> {
        daemon.ctl(words).json().iter().map(|record| record["event_type"].clone()).collect()
    };
    assert_eq!(types("result --json"), ["CODE_SUBMITTED", "EVAL_RESULT", "AGENT_RESPONSE"]);
    assert_eq!(types("result --hints --json"), ["HINT_GIVEN"]);
}

#[test]
fn errors_as_json_have_code_message_and_hint_and_the_same_status() {
    let daemon = TestDaemon::start();
    daemon.home().file("empty", "");
    for (words, code) in [
        ("status --json", "no_active_session"),
        ("submit missing.py --json", "file_not_found"),
        ("frobnicate --json", "usage"),
        ("use --json", "usage"),
        ("verify missing.jsonl --json", "file_not_found"),
        ("problems check missing --json", "file_not_found"),
        ("verify empty --json", "refused"),
        ("problems check . --json", "refused"),
        ("restore empty --json", "refused"),
        ("schema check missing --json", "file_not_found"),
        ("schema check . --json", "refused"),
        ("schema show empty --json", "refused"),
    ] {
        let ran = daemon.ctl(words);
        assert_eq!(ran.status, 1, "{ran}");
        assert_eq!(ran.stderr.lines().count(), 1, "{ran}");
        let error: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
        assert_eq!(error["code"], code, "{ran}");
        assert!(error["message"].is_string(), "{ran}");
    }
}

#[test]
fn work_without_the_daemon_is_refused_in_the_same_form() {
    let home = Home::new();
    home.file("empty", "");
    for words in [&["verify", "empty"][..], &["problems", "check", "."], &["restore", "empty"]] {
        let ran = vosim_tests::Ctl::new(&home, words).run();
        assert!(ran.refused().contains("Error: "), "{ran}");
        assert!(!ran.stderr.contains("vosimd: "), "{ran}");
    }
    let unknown = vosim_tests::Ctl::new(&home, ["problems", "harden", "nosuch"]).run();
    let told = unknown.refused();
    assert!(
        told.contains("no problem 'nosuch'; name one of the problems: beacon_ring, "),
        "{told}"
    );
}

#[test]
fn a_pipe_gets_no_escape_bytes_and_no_boxes() {
    let daemon = with_a_submission();
    for words in DATA {
        let ran = daemon.ctl(words);
        assert!(!ran.ok().contains(['\u{1b}', '\r', '╭', '│']), "{ran}");
        assert!(!ran.stderr.contains('\u{1b}'), "{ran}");
    }
}

#[test]
fn a_reader_who_has_gone_ends_a_command_quietly() {
    let daemon = with_a_submission();
    for words in ["log", "log --json", "status", "problem show", "protocol describe"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = daemon
            .home()
            .program("vosimctl")
            .args(words.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
        assert!(output.stderr.is_empty(), "{words}: {output:?}");
    }
}

#[test]
fn a_disk_that_takes_no_output_is_an_error_and_not_a_lie() {
    let daemon = with_a_submission();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = daemon.home().program("vosimctl").arg("log").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot write the output") || said.contains("Cannot write"), "{said}");
}

#[test]
fn an_interview_begins_whether_or_not_anybody_reads_how() {
    let daemon = TestDaemon::start();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut start = daemon.home().program("vosimctl");
    let output = start.args(["interview", "start", "--no-watch"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(daemon.ctl("log").ok().matches("INTERVIEW_STARTED").count(), 1);
}

/// The command on a terminal of its own, on which nothing is typed.
fn on_a_terminal(home: &Home, words: &str, variables: &[(&str, &str)]) -> String {
    typed_on_a_terminal(home, words, variables, "")
}

/// The command on a terminal of its own, on which this is typed.
pub(crate) fn typed_on_a_terminal(
    home: &Home,
    words: &str,
    variables: &[(&str, &str)],
    typed: &str,
) -> String {
    let vosimctl = vosim_tests::program("vosimctl");
    let mut script = std::process::Command::new("script");
    let given = home.program("vosimctl");
    script.env_clear().envs(given.get_envs().filter_map(|(k, v)| Some((k, v?))));
    let mut child = script
        .envs(variables.iter().copied())
        .env("TERM", "xterm")
        .args(["-q", "-e", "-c"])
        .arg(format!("'{}' {words}", vosimctl.display()))
        .arg("/dev/null")
        .current_dir(home.work())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Held open until the end: a terminal does not close because nobody types.
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(keys);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_terminal_gets_panels_and_colour_and_no_color_takes_the_colour_away() {
    let daemon = with_a_submission();
    let coloured = on_a_terminal(daemon.home(), "status", &[]);
    assert!(coloured.contains('╭') && coloured.contains("\u{1b}["), "{coloured}");
    let plain = on_a_terminal(daemon.home(), "status", &[("NO_COLOR", "1")]);
    assert!(plain.contains('╭') && !plain.contains('\u{1b}'), "{plain}");
    assert!(plain.contains("5/12"), "words and not colour alone: {plain}");
    let ascii = on_a_terminal(daemon.home(), "status", &[("LANG", "C"), ("NO_COLOR", "1")]);
    assert!(ascii.is_ascii() && ascii.contains("Failed"), "{ascii}");
}

#[test]
fn on_a_terminal_a_run_says_which_test_is_running() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    let screen = on_a_terminal(daemon.home(), "submit a.py", &[("NO_COLOR", "1")]);
    assert!(
        screen.contains("\r\u{1b}[2K") && screen.contains("test_repeated_operations"),
        "{screen}"
    );
}

#[test]
fn the_reference_is_shown_on_a_terminal_only_after_a_yes() {
    let daemon = with_a_submission();
    let no = typed_on_a_terminal(daemon.home(), "give-up", &[], "n\n");
    assert!(no.contains("[y/N]") && no.contains("Nothing was shown"), "{no}");
    let yes = typed_on_a_terminal(daemon.home(), "give-up", &[], "y\n");
    assert!(yes.contains("Level 4") && yes.contains("class LRUCache"), "{yes}");
}

#[test]
fn completions_are_scripts_that_their_shells_can_read() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = vosim_tests::Ctl::new(&home, ["completions", shell]).run();
        // The words come from the program itself, whenever Tab is pressed.
        assert!(ran.ok().contains("VOSIMCTL_COMPLETE="), "{shell}: {ran}");
        if shell == "bash" {
            let script = home.file("complete.bash", &ran.stdout);
            let checked = std::process::Command::new("bash").arg("-n").arg(script).status();
            assert!(checked.is_ok_and(|status| status.success()), "{shell}");
        }
    }
}
