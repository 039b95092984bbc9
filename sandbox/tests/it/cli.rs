//! The command for people: what it prints, what its exit status means, what it lays in.

use std::path::Path;
use std::process::{Command, Output};

use vosim_sandbox_spec::{Level, Limit, RunReport, Verdict};

fn by_hand(dir: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vosim-sandbox"))
        .arg("run")
        .args(words)
        .current_dir(dir)
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .output()
        .unwrap()
}

fn dir_with(name: &str, text: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(name), text).unwrap();
    dir
}

fn record(output: &Output) -> RunReport {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_script_here_runs_and_the_record_follows_its_output() {
    let dir = dir_with("solution.py", "import json, sys\nprint(json.dumps(sys.argv))");
    let words = ["--time", "10", "--memory", "512M", "--", "python3", "solution.py", "x"];
    let output = by_hand(dir.path(), &words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "[\"solution.py\", \"x\"]\n", "{said}");
    assert!(said.starts_with("vosim-sandbox: ended with status 0 (level "), "{said}");
    assert!(said.contains("network     enforced"), "{said}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_limit_is_status_1_and_the_json_says_which() {
    let dir = dir_with("solution.py", "while True: pass");
    let words = ["--json", "--time", "0.2", "--wall", "30", "python3", "solution.py"];
    let output = by_hand(dir.path(), &words);
    assert_eq!(record(&output).verdict, Verdict::Limit { limit: Limit::Cpu });
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn files_input_and_variables_are_what_was_named_and_no_more() {
    let code = "import os\nprint(open('a').read(), input(), os.environ['K'], sorted(os.listdir()))";
    let dir = dir_with("text", "laid");
    std::fs::write(dir.path().join("in"), "asked\n").unwrap();
    let words = ["--file", "a=text", "--stdin", "in", "--env", "K=v", "python3", "-c", code];
    let output = by_hand(dir.path(), &words);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "laid asked v ['a']\n");
}

#[test]
fn what_the_user_can_mend_is_one_line_and_status_1() {
    let dir = dir_with("tool", "");
    for (words, hint) in [
        (vec!["no-such-program"], "no program `no-such-program`"),
        (vec!["--mount", "/no/such", "true"], "--mount /no/such"),
        (vec!["--stdin", "none", "true"], "none: No such file"),
        (vec!["--time", "long", "true"], "seconds above 0"),
        (vec!["--mount", "/", "true"], "not the whole machine"),
        (vec!["--processes", "4294967295", "true"], "--processes takes at most "),
        (vec!["--file", "a/b=/etc/hostname", "true"], "`a/b` is not a plain file name"),
        (vec!["--file", "a=/dev/null", "true"], "no regular file"),
    ] {
        let output = by_hand(dir.path(), &words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(hint) && said.lines().count() == 1, "{words:?}: {said}");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
    }
}

#[test]
fn files_and_output_may_hold_any_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let script =
        b"# -*- coding: latin-1 -*-\nimport sys\nprint('\xe4', open(sys.argv[1], 'rb').read())";
    std::fs::write(dir.path().join("a.py"), script).unwrap();
    std::fs::write(dir.path().join("data"), b"\x00\xff").unwrap();
    let output = by_hand(dir.path(), &["--", "python3", "a.py", "data"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said, "ä b'\\x00\\xff'\n", "{}", String::from_utf8_lossy(&output.stderr));
    let output = by_hand(dir.path(), &["--file", "b=data", "--", "python3", "a.py", "b"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), said);
}

#[test]
fn a_link_that_leads_out_of_the_directory_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "secret\n").unwrap();
    let dir = outside.path().join("dir");
    std::fs::create_dir(&dir).unwrap();
    std::os::unix::fs::symlink("../secret", dir.join("sh.py")).unwrap();
    for argument in ["sh.py", "../secret"] {
        let output = by_hand(&dir, &["--", "cat", argument]);
        let said = String::from_utf8_lossy(&output.stderr);
        let line =
            format!("vosim-sandbox: {argument} is not copied in: it leads out of this directory");
        assert!(said.starts_with(&line), "{said}");
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(1)), "{said}");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_no_success() {
    let dir = tempfile::tempdir().unwrap();
    for words in [&["--json", "true"][..], &["echo", "x"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_vosim-sandbox"))
            .arg("run")
            .args(words)
            .current_dir(dir.path())
            .env("PATH", "/usr/bin:/bin")
            .stdout(full)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("writing the result: "), "{words:?}: {said}");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn help_and_version_are_given_wherever_they_are_asked_for() {
    for (words, begins) in [
        (&["--help"][..], "Runs one unknown program"),
        (&["run", "--help"], "Runs one unknown program"),
        (&["run", "--time", "3", "-h"], "Runs one unknown program"),
        (&["probe", "--help"], "Runs one unknown program"),
        (&["-V"], "vosim-sandbox "),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_vosim-sandbox")).args(words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with(begins) && output.status.success(), "{words:?}: {said}");
    }
}

#[test]
fn what_did_not_start_says_the_level_that_it_had_reached() {
    let dir = tempfile::tempdir().unwrap();
    let output = by_hand(dir.path(), &["--json", "--", "/etc/ld.so.cache"]);
    let report = record(&output);
    assert_eq!((report.verdict, report.level), (Verdict::NotStarted, Level::B), "{report:#?}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_level_that_is_not_reached_is_status_2() {
    let dir = tempfile::tempdir().unwrap();
    let output = by_hand(dir.path(), &["--json", "--require-level", "A", "true"]);
    let report = record(&output);
    assert_eq!((report.verdict, report.level), (Verdict::Internal, Level::B));
    assert_eq!(output.status.code(), Some(2));
}
