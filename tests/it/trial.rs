//! Trying a file without a submission being counted: visible cases, own cases, at every save.

use vosim_tests::{CORRECT, Program, TestDaemon, WRONG};

use crate::support::types;

fn started() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon
}

#[test]
fn a_trial_runs_visible_and_own_cases_and_leaves_the_session_alone() {
    let daemon = started();
    daemon.home().file(
        "cases.txt",
        "# two of my own\nfirst: LRUCache(1) put(1,1) get(1)==1\nLRUCache(1) get(5)==7\n",
    );
    let before = types(&daemon);
    let ran = daemon
        .command([
            "test",
            "a.py",
            "--case",
            "LRUCache(2) put(1,1) get(1)==1 get(9)",
            "--cases",
            "cases.txt",
        ])
        .run();
    assert!(ran.ok().contains("not a submission"), "{ran}");
    let json = daemon.command(["test", "a.py", "--json", "--cases", "cases.txt"]).run().json();
    let cases = json[0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6 + 2, "six visible cases and two own ones");
    assert_eq!(cases[6]["name"], "first");
    assert_eq!(cases[6]["outcome"]["end"], "passed");
    assert_eq!(cases[7]["outcome"]["end"], "failed");
    assert_eq!(types(&daemon), before);
}

#[test]
fn cases_that_cannot_be_read_or_do_not_fit_are_refused_with_an_example() {
    let daemon = started();
    for case in ["get(1", "LRUCache(1) fetch(1)", "LRUCache(1) get(1,2,3)", "[[1]]", ""] {
        let ran = daemon.command(["test", "a.py", "--case", case]).run();
        let told = ran.refused();
        let shown =
            ["LRUCache(1) put(1,1) get(1)==1", "LRUCache(capacity), get(key), put(key, value)"];
        assert!(shown.iter().any(|how| told.contains(how)), "{case:?}: {ran}");
    }
    daemon.ctl("test a.py --cases missing.txt").refused();
}

#[test]
fn the_exit_status_of_a_trial_is_the_verdict_only_when_asked_for() {
    let daemon = started();
    assert_eq!(daemon.ctl("test a.py").status, 0);
    assert_eq!(daemon.ctl("test a.py --exit-code").status, 1);
    assert_eq!(daemon.ctl("submit a.py").status, 0, "a failing submission is a result");
    daemon.home().file("b.py", CORRECT.text());
    assert_eq!(daemon.ctl("test b.py --exit-code").status, 0);
    assert_eq!(daemon.ctl("submit b.py --exit-code").status, 0);
    daemon.home().file("c.py", Program("rejected/empty.py").text());
    assert_eq!(daemon.ctl("submit c.py --exit-code").status, 1);
}

#[test]
fn a_watched_file_is_tried_at_every_save_and_submits_nothing() {
    let daemon = started();
    let before = types(&daemon);
    daemon.home().file("cases.txt", "LRUCache(1) put(1,1) get(1)==1\n");
    let mut watch = daemon.command(["test", "--watch", "a.py", "--cases", "cases.txt"]).spawn();
    watch.stdout.wait_for(|line| line.starts_with("Watching a.py; nothing is submitted"));
    watch.stdout.wait_for(|line| line.contains("Failed: 5 of 7 cases"));
    watch.stdout.wait_for(|line| line.contains("expected: "));
    // Editors write beside and rename.
    daemon.home().file("cases.txt", "LRUCache(1) put(1,1) get(1)==1\nLRUCache(1) get(5)\n");
    let beside = daemon.home().file("a.py.new", CORRECT.text());
    std::fs::rename(beside, daemon.home().work().join("a.py")).unwrap();
    watch.stdout.wait_for(|line| line.contains("Passed: 8 of 8 cases"));
    let returned = watch.stdout.wait_for(|line| line.contains("returned: "));
    assert!(returned.contains("-1"), "{returned}");
    let ran = watch.interrupt();
    assert_eq!(ran.status, 0, "{ran}");
    assert_eq!(types(&daemon), before);
    // The end of the session ends it too.
    let mut watch = daemon.command(["submit", "--watch", "a.py"]).spawn();
    watch.stdout.wait_for(|line| line.contains("Passed: 6 of 6 cases"));
    daemon.ctl("end").ok();
    let ran = watch.end();
    assert_eq!((ran.status, ran.stderr.as_str()), (0, "The session has ended.\n"));
}

#[test]
fn an_attempt_has_a_watch_of_its_own_which_counts_nothing() {
    let daemon = started();
    let refused = daemon.ctl("attempt watch a.py");
    assert!(refused.refused().contains("The session is no attempt"), "{refused}");
    daemon.ctl("attempt start --new --no-file --mode expert").ok();
    daemon.ctl("attempt skip").ok();
    daemon.ctl("attempt skip").ok();
    let before = types(&daemon);
    let mut watch = daemon.command(["attempt", "watch", "a.py"]).spawn();
    watch.stdout.wait_for(|line| line.contains("Failed: 4 of 6 cases"));
    daemon.home().file("a.py", CORRECT.text());
    watch.stdout.wait_for(|line| line.contains("Passed: 6 of 6 cases"));
    assert_eq!(types(&daemon), before);
    // Whichever session becomes the current one, the watch stays with its own.
    daemon.ctl("start --new --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    watch.stdout.wait_for(|line| line.contains("Failed: 4 of 6 cases"));
    assert_eq!(watch.interrupt().status, 0);
}

/// Whether a process has another below it: the daemon has while it judges.
fn has_a_child(pid: u32) -> bool {
    let parent = |stat: &str| Some(stat.rsplit_once(") ")?.1.split(' ').nth(1)?.to_owned());
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        parent(&stat) == Some(pid.to_string())
    })
}

#[test]
fn a_watch_leaves_a_run_that_nobody_waits_for_and_judges_a_save_that_is_no_text() {
    let daemon = started();
    daemon.home().file("a.py", "while True: pass\n");
    let mut watch = daemon.command(["submit", "--watch", "a.py"]).spawn();
    let begun = std::time::Instant::now();
    let save = |text: &[u8]| {
        let beside = daemon.home().file("a.py.new", text);
        std::fs::rename(beside, daemon.home().work().join("a.py")).unwrap();
    };
    while !has_a_child(daemon.pid()) {
        assert!(begun.elapsed().as_secs() < 10, "the run has begun");
        std::thread::yield_now();
    }
    save(CORRECT.text().as_bytes());
    watch.stdout.wait_for(|line| line.contains("6 of 6"));
    assert!(begun.elapsed().as_secs() < 10, "the endless run has ten seconds");
    save(b"\0\0");
    watch.stdout.wait_for(|line| line.contains("null bytes"));
    save(WRONG.text().as_bytes());
    watch.stdout.wait_for(|line| line.contains("Failed"));
    assert_eq!(watch.interrupt().status, 0);
}

#[test]
fn what_a_case_prints_is_shown_beside_it_and_changes_no_answer() {
    let daemon = started();
    let shouting = "    print('loading the class')\n\n    def put(";
    let noisy = CORRECT.text().replace("    def put(", shouting);
    daemon.home().file("noisy.py", noisy);
    daemon.home().file("very_noisy.py", Program("accepted/noisy.py").text());
    assert!(daemon.ctl("submit noisy.py").ok().contains("12/12"));
    assert!(daemon.ctl("submit very_noisy.py").ok().contains("12/12"));
}
