//! `doctor` and the sandbox: the level with what is missing, probed once and told again, with a
//! daemon and without one.

use std::fs;

use vosim_protocol::wire::Json;
use vosim_tests::{Ctl, Home, TestDaemon};

/// What is said where the last probe is told again.
const KEPT: &str = "`vosimctl doctor --fresh` probes again";

/// What a call of doctor found about the sandbox, its level first.
fn sandbox(home: &Home, words: &[&str]) -> Vec<Json> {
    let words = ["doctor", "--json"].iter().chain(words);
    let ran = Ctl::new(home, words).run();
    let result: Json = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| {
        panic!("{error}: {ran:?}");
    });
    let checks = result["checks"].as_array().unwrap().clone();
    checks.into_iter().filter(|it| it["name"].as_str().unwrap().starts_with("sandbox")).collect()
}

fn found(checks: &[Json]) -> &str {
    checks[0]["found"].as_str().unwrap()
}

/// The whole story, whoever is asked.
fn a_probe_is_told_again_until_somebody_insists(home: &Home) {
    let first = sandbox(home, &[]);
    assert!(found(&first).starts_with("level "), "{first:#?}");
    assert!(found(&first).contains("; probed 20"), "{first:#?}");
    assert!(!found(&first).contains(KEPT), "{first:#?}");
    for missing in &first[1..] {
        assert!(missing["name"].as_str().unwrap().starts_with("sandbox: "), "{missing:#?}");
    }
    let again = sandbox(home, &[]);
    assert!(found(&again).ends_with(KEPT), "{again:#?}");
    assert_eq!(again[1..], first[1..], "what is missing is told again as well");
    let fresh = sandbox(home, &["--fresh"]);
    assert!(!found(&fresh).contains(KEPT), "{fresh:#?}");

    let file = home.paths().state.join("sandbox-probe.json");
    fs::write(&file, "{\"key\":").unwrap();
    assert!(!found(&sandbox(home, &[])).contains(KEPT), "a damaged file is no file");
    assert!(found(&sandbox(home, &[])).ends_with(KEPT), "and it was replaced");
}

#[test]
fn a_running_daemon_probes_the_sandbox_once_and_tells_its_level() {
    let daemon = TestDaemon::start();
    a_probe_is_told_again_until_somebody_insists(daemon.home());
    let text = daemon.ctl("doctor");
    assert!(text.stdout.contains("\nok    sandbox"), "{text}");
    assert!(text.stdout.contains("\nok    approved network"), "{text}");
}

#[test]
fn without_a_daemon_the_probe_is_kept_as_well() {
    let home = Home::new();
    a_probe_is_told_again_until_somebody_insists(&home);
}
