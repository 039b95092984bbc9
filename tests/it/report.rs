//! What an interview teaches that has ended, on the real programs: in words, as data, and as a page in a
//! real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use vosim_needs::browser;
use vosim_protocol::v1::report::Report;
use vosim_protocol::wire::{Json, Wire as _};
use vosim_tests::{Ctl, Home, TestDaemon};

/// What a browser finds on pages.
fn looked_at(program: &str, axe: &Path, pages: &[PathBuf]) -> Vec<Json> {
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("browser/check.mjs");
    let ran = Command::new("node").arg(check).args([Path::new(program), axe]).args(pages).output();
    let ran = ran.unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

/// The interview of a daemon has ended: it is told the same everywhere, and nothing is put over a file of
/// somebody else's.
pub(crate) fn teaches(daemon: &TestDaemon) {
    let told = daemon.ctl("report").ok().to_owned();
    for said in ["heard (event", "What to do next", "Cause: eviction"] {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert_eq!(daemon.ctl("status").ok(), told);
    let json = daemon.ctl("report --json").ok().to_owned();
    let report = Report::from_bytes(json.trim_end().as_bytes()).unwrap();
    assert_eq!((report.sections.len(), report.next.len()), (4, 3));
    let session = report.session_id;
    assert!(daemon.ctl(&format!("report {session} --session x")).refused().contains("twice"));

    // A bundle tells the same, where there is no daemon and never was one.
    let bundle = daemon.ctl("export --bundle replay").ok().to_owned();
    let away = Home::new();
    away.file("r.json", &bundle);
    away.file("changed.json", bundle.replacen("\\\"text\\\":\\\"", "\\\"text\\\":\\\"x", 1));
    away.file("log.jsonl", daemon.ctl("export --format records").ok());
    let report = |words: &[&str]| Ctl::new(&away, words).run();
    assert_eq!(report(&["report", "r.json"]).ok(), told);
    assert_eq!(report(&["report", "r.json", "--json"]).ok(), json);
    let page = report(&["report", "r.json", "--html", "-"]);
    assert_eq!(page.ok(), daemon.ctl("report --html -").ok());
    assert!(report(&["report", "changed.json"]).refused().contains("has been changed at event"));
    assert!(report(&["report", "log.jsonl"]).refused().contains("export --bundle replay"));
    assert!(report(&["report", "none.json"]).refused().contains("File not found"));

    daemon.home().file("mine.html", "mine");
    assert!(daemon.ctl("report --html mine.html").refused().contains("left as it is"));
    for page in ["report --html report.html", "progress --html progress.html"] {
        daemon.ctl(page).ok();
        daemon.ctl(page).ok();
    }
    assert!(daemon.ctl("progress").ok().contains("interview, LRU Cache: solved with hints"));
    let Some((program, axe)) = browser() else { return };
    let bad =
        "<html><script>console.log(1)</script><img src='http://vosim.invalid/'><a href='#x'>x</a>";
    daemon.home().file("bad.html", bad);
    let at = |name: &str| daemon.home().work().join(name);
    let pages = ["report.html", "progress.html", "bad.html"].map(at);
    let found = looked_at(program, &axe, &pages);
    let [report, progress, bad] = found.as_slice() else { panic!("{found:?}") };
    for page in [report, progress] {
        for wrong in ["console", "asked", "axe", "lost"] {
            assert_eq!(page[wrong], Json::from(Vec::<Json>::new()), "{wrong}: {page}");
        }
        assert!(page["paper"].as_u64() > Some(1_000), "{page}");
    }
    assert_eq!(report["title"], "Interview Report: LRU Cache");
    assert!(report["links"].as_u64() > Some(40), "{report}");
    // What is looked for can be found.
    for wrong in ["console", "asked", "axe", "lost"] {
        assert!(bad[wrong].as_array().is_some_and(|found| !found.is_empty()), "{wrong}: {bad}");
    }
}
