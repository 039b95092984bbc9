//! What to solve again, over a clock that is moved: the ledger is what the sessions' heads say.

use serde_json::json;
use vosim_tests::{CORRECT, TestClock, TestDaemon, WRONG};

/// Each problem with its last outcome, its interval, and in how many days it is due.
fn proposed(daemon: &TestDaemon) -> Vec<(String, String, i64, i64)> {
    let lines = daemon.ctl("review --json").json();
    let text = |json: &serde_json::Value| json.as_str().unwrap().to_owned();
    let line = |line: &serde_json::Value| {
        let (interval, days) = (line["interval_days"].as_i64(), line["days"].as_i64());
        let outcome = text(&line["last"]["outcome"]);
        (text(&line["problem"]), outcome, interval.unwrap(), days.unwrap())
    };
    lines.iter().map(line).collect()
}

fn is(problem: &str, outcome: &str, interval: i64, days: i64) -> (String, String, i64, i64) {
    (problem.to_owned(), outcome.to_owned(), interval, days)
}

const DAY: i64 = 24 * 60 * 60;

#[test]
fn what_ended_is_proposed_again_when_it_is_due_and_neither_a_kill_nor_a_restart_loses_it() {
    let (mut daemon, mut clock) = TestClock::start_daemon("2026-01-05T10:00:00Z");
    daemon.home().file("right.py", CORRECT.text());
    daemon.home().file("wrong.py", WRONG.text());
    assert!(daemon.ctl("review").ok().starts_with("Nothing to solve again"));
    let play = |daemon: &TestDaemon, commands: &[&str]| {
        for words in commands {
            daemon.ctl(words).ok();
        }
    };
    play(&daemon, &["start --no-file", "submit right.py"]);
    assert!(proposed(&daemon).is_empty(), "it has not ended");
    play(&daemon, &["end", "start gift_boxes --no-file", "end"]);
    // Right behind the end.
    daemon.kill();
    daemon.start_again();
    let expected = [is("gift_boxes", "abandoned", 0, 0), is("lru_cache", "unaided", 3, 3)];
    assert_eq!(proposed(&daemon), expected);
    let outcome = json!({ "problem": "lru_cache", "outcome": "unaided" });
    let heads = daemon.ctl("list --json").json();
    let solved = heads.iter().find(|head| head["title"] == "LRU Cache").unwrap();
    assert_eq!(solved["finished"], outcome);

    clock.advance(4 * DAY);
    let due = daemon.ctl("review");
    let told = due.ok().split_whitespace().collect::<Vec<_>>().join(" ");
    let solved = "LRU Cache (lru_cache), for 1 day: you solved it by yourself; this keeps it fresh. \
                  Last: drill 4 days ago, solved unaided.";
    assert!(told.starts_with("Due:") && told.contains(solved), "{told}");
    assert!(told.ends_with("vosimctl attempt start gift_boxes"), "{told}");
    play(&daemon, &["start --no-file", "submit wrong.py", "hint", "submit right.py", "end"]);
    let [_, (.., hinted, _)] = &proposed(&daemon)[..] else { panic!("two problems") };
    assert!(*hinted >= 3, "{hinted}");

    // With the solution before one's eyes it is no sign of knowing it.
    clock.advance(20 * DAY);
    play(
        &daemon,
        &["start --no-file", "submit wrong.py", "give-up --confirm", "submit right.py", "end"],
    );
    let [_, (_, outcome, seen, _)] = &proposed(&daemon)[..] else { panic!("two problems") };
    assert!(outcome == "level_4" && seen <= hinted, "{outcome}: {seen} after {hinted}");

    // What is erased is gone from here as well.
    for session in daemon.ctl("list --json").json() {
        if session["title"] == "LRU Cache" {
            play(&daemon, &[&format!("delete {} --yes", session["session_id"].as_str().unwrap())]);
        }
    }
    assert_eq!(proposed(&daemon), [is("gift_boxes", "abandoned", 0, -24)]);
}
