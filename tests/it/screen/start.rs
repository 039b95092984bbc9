//! `interview start` on a terminal: the problem first, then the clock, then the live screen; and what is
//! told while somebody writes.

use vosim_tests::{Terminal, TestClock, TestDaemon};

use super::{READY, START, begun, candidate};
use crate::support::wait_for;

const ASKED: &str = "Press Enter to start the clock";

/// The types of the current session's events.
fn events(daemon: &TestDaemon) -> Vec<String> {
    let records = daemon.ctl("log --json").json();
    records.iter().map(|it| it["event_type"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_clock_runs_once_the_candidate_says_so_and_the_live_screen_opens() {
    let (daemon, _clock) = TestClock::start_daemon(START);
    let mut terminal = Terminal::start(daemon.home(), "interview start --schema short --time 50");
    terminal.shows(ASKED);
    let created = daemon.ctl("log --json").json().pop().unwrap();
    assert_eq!(created["event_type"], "INTERVIEW_CREATED");
    assert_eq!(created["payload"]["total_ms"], 10 * 60_000, "{created}");
    terminal.line("");
    terminal.shows(READY);
    wait_for(&daemon, "PROMPT_PRESENTED");
    terminal.shows("section 1 of 4");
    terminal.line("/problem");
    terminal.shows("other keys go back");
    assert!(terminal.text().contains("capacity"), "{}", terminal.text());
    terminal.types(" ");
    terminal.shows(READY);
    terminal.line("/report");
    terminal.shows("Not sent");
}

#[test]
fn who_leaves_before_the_clock_runs_has_begun_nothing() {
    let (daemon, _clock) = TestClock::start_daemon(START);
    let mut terminal = Terminal::start(daemon.home(), "interview start");
    terminal.shows(ASKED);
    terminal.line("q");
    terminal.shows("Nothing has begun, and nothing counts.");
    assert!(terminal.end().success());
    assert!(!events(&daemon).contains(&"INTERVIEW_STARTED".to_owned()));
    let review = daemon.ctl("review");
    assert!(!review.ok().contains("abandoned"), "{review}");
    // A new one can begin at once, without a word that an old one goes on.
    daemon.ctl("interview start --no-watch").ok();
}

#[test]
fn whoever_reads_along_sees_that_a_line_is_written_and_the_log_has_it_once() {
    let (daemon, _clock) = begun();
    let mut writes = candidate(&daemon);
    let reads = Terminal::start(daemon.home(), "attach --as observer");
    reads.shows("section 1 of 4");
    writes.types("It maps");
    reads.shows("The candidate is writing.");
    writes.types(" keys to values, and drops the oldest one.\r");
    reads.hides("The candidate is writing.");
    let typing = events(&daemon).iter().filter(|it| *it == "CANDIDATE_TYPING").count();
    assert_eq!(typing, 1);
}
