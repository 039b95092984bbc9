//! The bundles of 001 2.2: made of ended sessions only, whole in themselves, without notes.

use std::os::unix::fs::PermissionsExt as _;

use vosim_protocol::v1::bundle::{EvaluationBundle, ReplayBundle};
use vosim_protocol::wire::Wire as _;
use vosim_tests::{CORRECT, TestDaemon, WRONG};

use crate::support::{current, log, wait_for};

/// A drill with a failure and a pass, still going on.
fn drilled() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("start").ok();
    for program in [WRONG, CORRECT] {
        daemon.home().file("lru_cache.py", program.text());
        daemon.ctl("submit lru_cache.py").ok();
    }
    wait_for(&daemon, "GROWTH_MEASURED");
    daemon
}

fn read(daemon: &TestDaemon, name: &str) -> Vec<u8> {
    std::fs::read(daemon.home().work().join(name)).unwrap()
}

#[test]
fn a_replay_bundle_of_an_ended_drill_is_whole_and_goes_with_its_code() {
    let daemon = drilled();
    let refused = daemon.ctl("export --bundle replay");
    assert_eq!(refused.status, 1, "{refused}");
    assert!(refused.to_string().contains("has not ended"), "{refused}");
    assert!(!refused.stdout.contains("reference"), "{refused}");
    daemon.ctl("end").ok();

    daemon.ctl("export --bundle replay --output r.json").ok();
    let bundle = ReplayBundle::from_bytes(&read(&daemon, "r.json")).unwrap();
    let records: Vec<_> = log(&daemon).iter().map(vosim_protocol::wire::Wire::to_line).collect();
    assert_eq!(bundle.records.iter().map(String::as_bytes).collect::<Vec<_>>(), records);
    let code: Vec<_> = bundle.code.values().map(|blob| blob.0.clone()).collect();
    assert_eq!(code.len(), 2);
    assert!([WRONG, CORRECT].iter().all(|program| code.contains(&program.text().into_bytes())));
    assert!(bundle.contains_hidden && bundle.withheld.is_empty());

    let evaluation = daemon.ctl("export --bundle evaluation");
    assert_eq!(evaluation.status, 1, "{evaluation}");
    assert!(evaluation.to_string().contains("export --bundle replay"), "{evaluation}");

    let session = current(&daemon);
    let kept = daemon.home().paths().data.join(format!("exports/{session}.replay.json"));
    assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    daemon.ctl(&format!("delete {session} --code --yes")).ok();
    assert!(!kept.exists(), "the code would outlive its erasure");
    daemon.ctl("export --bundle replay --output r.json").ok();
    let bundle = ReplayBundle::from_bytes(&read(&daemon, "r.json")).unwrap();
    assert_eq!((bundle.code.len(), bundle.withheld.len()), (0, 2));
}

#[test]
fn the_bundles_of_an_interview_hold_no_note_and_go_with_their_session() {
    const SECRET: &str = "curlew-nest-17";
    let daemon = TestDaemon::start();
    daemon.ctl("interview start --no-watch").ok();
    wait_for(&daemon, "PROMPT_PRESENTED");
    daemon.ctl("say What should get return when the key is not in the cache?").ok();
    daemon.ctl(&format!("note {SECRET}")).ok();
    daemon.ctl("end --yes").ok();
    daemon.ctl(&format!("note {SECRET}")).ok();
    for which in ["replay", "evaluation"] {
        let ran = daemon.ctl(&format!("export --bundle {which} --output {which}.json"));
        assert!(ran.to_string().contains("hidden"), "{ran}");
        let bytes = read(&daemon, &format!("{which}.json"));
        assert!(!String::from_utf8_lossy(&bytes).contains(SECRET), "{which}");
        assert_eq!(daemon.ctl(&format!("export --bundle {which}")).ok().as_bytes(), bytes);
    }
    let bundle = EvaluationBundle::from_bytes(&read(&daemon, "evaluation.json")).unwrap();
    assert_eq!((bundle.sections.len(), bundle.terminated.is_some()), (1, true));
    let session = current(&daemon);
    daemon.ctl(&format!("delete {session} --yes")).ok();
    let left = std::fs::read_dir(daemon.home().paths().data.join("exports")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(&session.to_string())));
}
