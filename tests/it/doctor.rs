//! `doctor` and the sandbox: the level with what is missing, probed once and told again, with a
//! daemon and without one.

use std::fs;

use vosim_protocol::wire::Json;
use vosim_tests::{CORRECT, Ctl, Home, TestDaemon};

/// What is said where the last probe is told again.
const KEPT: &str = "`vosimctl doctor --fresh` probes again";

/// What a call of doctor found.
fn checks(home: &Home, words: &[&str]) -> Vec<Json> {
    let words = ["doctor", "--json"].iter().chain(words);
    let ran = Ctl::new(home, words).run();
    let result: Json = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| {
        panic!("{error}: {ran:?}");
    });
    result["checks"].as_array().unwrap().clone()
}

/// What it found about the sandbox, its level first.
fn sandbox(home: &Home, words: &[&str]) -> Vec<Json> {
    let all = checks(home, words).into_iter();
    all.filter(|it| it["name"].as_str().unwrap().starts_with("sandbox")).collect()
}

/// What it found about the blobs.
fn blobs(home: &Home) -> Json {
    checks(home, &[]).into_iter().find(|it| it["name"] == "blobs").unwrap()
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

#[test]
fn a_damaged_blob_is_told_with_what_brings_it_back_by_a_daemon_and_without_one() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    // As large as this it is a file of its own.
    daemon.home().file("big.py", CORRECT.text() + &"# nothing\n".repeat(20_000));
    daemon.ctl("submit big.py").ok();
    let log = daemon.ctl("log --json").json();
    let blob_of = |hash: &Json| {
        let hex = hash.as_str().unwrap().strip_prefix("sha256:").unwrap();
        daemon.home().paths().data.join("blobs").join(&hex[..2]).join(hex)
    };
    let submitted = log.iter().find(|it| it["event_type"] == "CODE_SUBMITTED").unwrap();
    let code = blob_of(&submitted["payload"]["code_hash"]);
    let spec = blob_of(&log[0]["payload"]["spec"]);
    let ways = [
        (&code, "warn", " submit --again FILE"),
        (&spec, "fail", "vosimctl daemon stop && vosimctl restore BACKUP"),
    ];
    for (path, status, step) in ways {
        daemon.stop();
        let whole = fs::read(path).unwrap();
        fs::write(path, "x").unwrap();
        let without = blobs(daemon.home());
        daemon.start_again();
        assert_eq!(blobs(daemon.home()), without, "whoever is asked");
        assert_eq!(without["status"], status, "{without:#?}");
        assert!(without["fix"].as_str().unwrap().contains(step), "{without:#?}");
        let backup = daemon.ctl("backup copy");
        assert!(backup.refused().contains("is damaged"), "{backup}");
        assert!(!backup.stderr.contains("does not exist yet"), "no other place helps: {backup}");
        fs::write(path, whole).unwrap();
    }
    fs::remove_file(&code).unwrap();
    daemon.ctl("submit --again big.py").ok();
    assert_eq!(blobs(daemon.home())["status"], "ok");
}
