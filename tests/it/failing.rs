//! What a candidate does about a failure in an attempt: the trace, cases of one's own, a script, and two
//! files against each other.

use vosim_tests::{CORRECT, Home, TestDaemon, WRONG};

/// An attempt at the code, with a file that fails.
fn coding() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("attempt start lru_cache --mode expert --no-file").ok();
    daemon.ctl("attempt skip").ok();
    daemon.ctl("attempt skip").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon
}

#[test]
fn a_failing_submission_is_told_call_by_call_and_can_be_stepped_through() {
    let daemon = coding();
    let submitted = daemon.ctl("submit a.py");
    let told = submitted.ok();
    assert!(told.contains("<- first difference"), "{told}");
    let traced = daemon.ctl("attempt trace --json").json();
    let calls = traced[0]["trace"]["calls"].as_array().unwrap();
    assert!(calls.len() <= 10, "{calls:?}");
    let differs: Vec<_> = calls.iter().map(|call| call["differs"] == true).collect();
    assert!(differs.ends_with(&[true]) && differs.iter().filter(|it| **it).count() == 1);
    for page in ["attempt trace", "status"] {
        let page = daemon.ctl(page);
        assert!(page.ok().contains("> get("), "{page}");
    }
    let noted = daemon.ctl("attempt note by_hand");
    assert!(noted.ok().contains("Your notes are kept"), "{noted}");
    assert!(daemon.ctl("status").ok().contains("by_hand"));
    // Nothing that stands there is written over.
    daemon.home().file("debug_a.py", "mine");
    let written = daemon.ctl("attempt debug");
    assert!(written.ok().contains("debug_a_2.py"), "{written}");
    let work = daemon.home().work();
    assert_eq!(std::fs::read_to_string(work.join("debug_a.py")).unwrap(), "mine");
    let steps = daemon.home().file("steps", "c\n");
    let stepped = std::process::Command::new("python3")
        .arg(work.join("debug_a_2.py"))
        .stdin(std::fs::File::open(steps).unwrap())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&stepped.stdout);
    assert!(told.contains(" gives ") && told.contains(" and must give "), "{told}");
    daemon.ctl("attempt trace 0").refused();
    daemon.ctl("attempt retry").ok();
    let verified = daemon.ctl("replay --verify");
    assert!(verified.ok().contains("all as in the log"), "{verified}");
    exports_hold_what_the_view_has(&daemon);
}

/// The payloads of 003, field for field, while the attempt goes on and when it has ended.
fn exports_hold_what_the_view_has(daemon: &TestDaemon) {
    let seen = || {
        let mut view = daemon.ctl("status --json").json().remove(0)["view"].take();
        let fields = view.as_object_mut().unwrap();
        fields.retain(|name, _| {
            name == "mode" || name.contains(char::is_uppercase) || name == "v2Step"
        });
        assert!(fields.len() == 8 && fields["verifyPayload"]["testResults"].is_array(), "{view}");
        view
    };
    let exported = |form: &str| daemon.ctl(&format!("export {form}")).json();
    let plain = exported("");
    assert_eq!(plain.last(), Some(&seen()));
    assert_eq!(plain[0]["event_type"], "SESSION_CREATED");
    daemon.ctl("end").ok();
    assert_eq!(exported("--format jsonl").last(), Some(&seen()));
    let bundle = daemon.ctl("export --bundle replay --output r.json");
    bundle.ok();
    let path = daemon.home().work().join("r.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let bundle: vosim_protocol::wire::Json = serde_json::from_str(&text).unwrap();
    assert_eq!(bundle["attempt"], seen());
    daemon.ctl("verify r.json").ok();
    // Its payloads follow from the records.
    std::fs::write(&path, text.replace("\"hintsUsedCount\": 0", "\"hintsUsedCount\": 1")).unwrap();
    assert!(daemon.ctl("verify r.json").to_string().contains("has been changed"));
    assert!(daemon.ctl("export --bundle evaluation").refused().contains("an attempt has no"));
}

#[test]
fn an_attempt_of_three_steps_is_told_to_be_over_with_the_pass() {
    let home = Home::new();
    home.config("[attempt]\nattempt_v2_flow = false\n");
    let daemon = TestDaemon::start_in(home);
    daemon.ctl("attempt start lru_cache --no-file").ok();
    daemon.ctl("attempt approach map").ok();
    daemon.home().file("a.py", CORRECT.text());
    let submitted = daemon.ctl("submit a.py");
    let over = "The attempt is complete, without a hint.";
    assert!(submitted.ok().contains(over), "{submitted}");
    let status = daemon.ctl("status");
    assert!(status.ok().contains(over), "{status}");
    assert_eq!(status.stdout.matches("passed all 12 tests").count(), 1, "{status}");
}

#[test]
fn cases_of_one_s_own_run_with_every_test_and_submission_and_never_count() {
    let daemon = coding();
    let add = |case: &str| daemon.command(["attempt", "case", "add", case]).run();
    assert!(add("LRUCache(1) put(1,1) get(1) -> 1").ok().contains("Own case 1 is kept"));
    let wrong = add("LRUCache(1) put(1,1) get(1) -> 5");
    assert!(wrong.stdout.contains("The reference disagrees with call 3"), "{wrong}");
    let headless = add("put(1,1) get(1) -> 1");
    assert!(headless.refused().contains("a run begins with LRUCache(...)"), "{headless}");
    assert_eq!(wrong.status, 1, "what is not kept is no success");
    add("get(x)").refused();
    assert!(add("LRUCache(0) get(1) -> -1").stdout.contains("Call 1 of it goes beyond"));
    // Without an answer it is compared with the reference, whose own is not told before a submission.
    add("LRUCache(2) put(1,1) put(2,2) put(3,3) get(1)").ok();
    let tested = daemon.ctl("test a.py --json").json();
    let cases = tested[0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6 + 2);
    let shown = &cases[7]["shown"];
    assert_eq!((&shown["call"], &shown["actual"]), (&5.into(), &"1".into()));
    assert_eq!(shown["expected"], "what the reference gives");
    let submitted = daemon.ctl("submit a.py");
    assert!(submitted.ok().contains("own cases"), "{submitted}");
    let listed = daemon.ctl("attempt case list --json").json();
    assert!(listed.len() == 2 && listed[0]["passed"].is_boolean(), "{listed:?}");
    daemon.ctl("attempt case remove 3").refused();
    daemon.ctl("attempt case remove 1").ok();
    daemon.ctl("attempt retry").ok();
    daemon.home().file("b.py", CORRECT.text());
    let passed = daemon.ctl("submit b.py");
    assert!(passed.ok().contains("12"), "{passed}");
    assert!(passed.ok().contains("1 own case passed"), "{passed}");
}

#[test]
fn two_files_are_tried_against_each_other_until_they_differ() {
    let daemon = coding();
    daemon.home().file("slow.py", CORRECT.text());
    let agree = daemon.ctl("attempt stress slow.py --against slow.py --rounds 2");
    assert!(agree.ok().contains("agree in 2 rounds"), "{agree}");
    let differ = daemon.ctl("attempt stress a.py --against slow.py");
    assert!(differ.ok().contains("attempt case add 'LRUCache("), "{differ}");
    daemon.ctl("attempt stress a.py --against nowhere.py").refused();
    // What answers nothing is told at once, not compared until the time is up.
    daemon.home().file("broken.py", "def LRUCache(:\n");
    let lazy = CORRECT.text().replacen("self.capacity = ", "1 / 0; self.capacity = ", 1);
    daemon.home().file("lazy.py", &lazy);
    for (files, why) in [
        ("broken.py --against slow.py", "broken.py cannot be called: SyntaxError"),
        ("a.py --against broken.py", "broken.py cannot be called: SyntaxError"),
        ("a.py --against lazy.py", "lazy.py came to its end on none of"),
    ] {
        let told = daemon.ctl(&format!("attempt stress {files}"));
        let told = told.refused();
        assert!(told.contains(why) && told.contains("Mend the file"), "{told}");
    }
}

#[test]
fn a_file_that_the_session_knows_need_not_be_named() {
    let daemon = coding();
    // Neither the session nor the folder has one yet.
    assert!(daemon.ctl("submit").refused().contains("knows of no file"));
    daemon.home().file("lru_cache.py", CORRECT.text());
    daemon.home().file("lru_cache.js", "class LRUCache {}");
    assert!(daemon.ctl("test").refused().contains("are both here"));
    daemon.ctl("test a.py").ok();
    daemon.ctl("submit a.py").ok();
    // What was submitted last is meant from then on, from any folder.
    daemon.home().file("a.py", CORRECT.text());
    daemon.ctl("attempt retry").ok();
    assert!(daemon.ctl("submit").ok().contains("12/12"));
}

#[test]
fn a_form_is_filled_in_the_editor_where_nothing_is_said_on_the_command_line() {
    let daemon = TestDaemon::start();
    daemon.ctl("attempt start lru_cache --mode expert --no-file").ok();
    daemon.ctl("attempt skip").ok();
    // Before patterns are proposed there is nothing to choose, and no editor is opened.
    assert!(daemon.ctl("attempt choose").refused().contains("nothing to fill in"));
    // How fast it must be speaks for no pattern.
    let bound = daemon.ctl("attempt plan each call takes constant time");
    assert!(!bound.ok().contains("You said"), "{bound}");
    daemon.ctl("attempt plan a map finds the entry and a list keeps the order of use").ok();
    let choose = |edits: &str| {
        let editor = format!("sed -i {edits}");
        daemon.command(["attempt", "choose"]).env("EDITOR", editor).run()
    };
    // Who leaves the editor without a change has nothing sent.
    let unchanged = daemon.command(["attempt", "choose"]).env("EDITOR", "true").run();
    assert!(unchanged.refused().contains("as it was, so nothing was sent"), "{unchanged}");
    let empty = choose("-e p");
    assert!(empty.refused().contains("Nothing is chosen yet"), "{empty}");
    assert!(empty.stderr.contains("What you wrote is kept in"), "{empty}");
    let view = daemon.ctl("status --json").json();
    let pattern =
        view[0]["view"]["planPayload"]["suggestedPatterns"][0]["patternId"].as_str().unwrap();
    let below = |heading: &str, text: &str| format!("-e '/^== {heading} ==$/a {text}' ");
    let filled = below("The pattern", pattern)
        + &below("How sure you are", "4")
        + &below("What holds after each call is said", "own")
        + &below("What holds after each call", "The map and the list hold the same keys.");
    choose(&filled).ok();
    assert_eq!(daemon.ctl("status --json").json()[0]["view"]["v2Step"], "IMPLEMENT");
    // What was sent is no draft any more.
    let drafts = daemon.home().path().join("state/vosim/drafts");
    let left: Vec<_> = std::fs::read_dir(drafts).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn after_a_file_that_cannot_be_used_that_is_what_is_told() {
    let daemon = coding();
    daemon.home().file("broken.py", "class LRUCache(:\n");
    daemon.ctl("submit broken.py").ok();
    let told = daemon.ctl("attempt explain 0 a slip of the pen");
    for part in ["No test could be run", "invalid syntax (broken.py", "Mend that first"] {
        assert!(told.ok().contains(part), "{told}");
    }
    // What cannot be traced is not offered.
    assert!(!daemon.ctl("status").ok().contains("attempt trace"));
    assert!(
        daemon.ctl("attempt trace 0").refused().contains("Nothing was run that could be shown")
    );
}
