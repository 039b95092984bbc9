//! `schema check` and `schema show`, which need no daemon.

use vosim_tests::{Ctl, Home};

#[test]
fn the_standard_schema_is_printed_checked_and_edited_by_hand() {
    let home = Home::new();
    let run = |words: &[&str]| Ctl::new(&home, words).run();
    let shown = run(&["schema", "show"]);
    home.file("own.toml", shown.ok());
    assert_eq!(run(&["schema", "show", "own.toml"]).ok(), shown.ok());
    for name in ["standard", "short"] {
        assert_eq!(run(&["schema", "show", name, "--json"]).json()[0]["id"], name);
    }
    assert!(run(&["schema", "check", "own.toml"]).ok().ends_with("standard 1: no faults\n"));

    home.file("bad.toml", shown.ok().replace("grace_seconds = 15", "grace_seconds = 99"));
    let checked = run(&["schema", "check", "bad.toml"]);
    assert_eq!(checked.status, 1, "{checked}");
    assert_eq!(checked.stdout, "line 11, grace_seconds: is 99; it must be 0 to 60\n");
    let checked = run(&["schema", "check", "bad.toml", "--json"]);
    assert_eq!(checked.status, 1, "{checked}");
    let report: serde_json::Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!(report["faults"][0]["place"], "grace_seconds");
    run(&["schema", "show", "bad.toml"]).refused();
}

#[test]
fn a_file_that_is_no_schema_is_refused_in_one_line() {
    let home = Home::new();
    home.file("large.toml", "#".repeat(2 << 20));
    home.file("bytes.toml", b"\xff\xfe");
    for (file, says) in [
        ("missing.toml", "missing.toml"),
        (".", "not a regular file"),
        ("large.toml", "at most 256 KiB"),
        ("bytes.toml", "not UTF-8"),
    ] {
        let ran = Ctl::new(&home, ["schema", "check", file]).run();
        assert!(ran.refused().contains(says), "{ran}");
    }
}
