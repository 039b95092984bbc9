//! A drill from its beginning to its end, without leaving the screen.

use vosim_tests::{CORRECT, Terminal, TestDaemon, WRONG, keys, text_of};

use crate::support::{log, types};

use super::row;

const F2: &str = "\x1bOQ";

/// What the empty input line says.
const READY: &str = "> /submit FILE judges a file";

fn started() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon
}

/// Sends a line and waits until it is taken: one is sent at a time.
fn send(terminal: &mut Terminal, line: &str) {
    terminal.line(line);
    terminal.wait_for("a receipt and an empty line", |screen| {
        let text = text_of(screen);
        text.contains(" was received") && text.contains(READY)
    });
}

#[test]
fn a_drill_is_worked_on_from_the_statement_to_the_summary() {
    let daemon = started();
    let mut screen = Terminal::start(daemon.home(), "attach --as candidate");
    screen.shows(READY);
    screen.shows("Problem: LRU Cache");
    screen.wait_for("the title and the time used", |screen| {
        let header = row(screen, 0);
        header.contains("LRU Cache") && header.trim_end().ends_with(" used")
    });
    screen.shows("You can: /submit [FILE]  /test [FILE]  /end");

    daemon.home().file("my lru.py", WRONG.text());
    screen.line("/test my lru.py --case LRUCache(1) put(1,1) get(1)==1");
    screen.shows("own case 1: passed");
    screen.types(" ");
    screen.shows(READY);
    assert_eq!(types(&daemon).len(), 2, "a trial is no submission");

    send(&mut screen, "/submit my lru.py");
    screen.shows("✗ 1 failed 5/12");
    screen.shows("Submission 1: WRONG_ANSWER");
    screen.line("/result");
    screen.wait_for("the verdict over everything", |s| row(s, 0).contains("Evaluation Result"));
    screen.types(" ");
    send(&mut screen, "/hint");
    screen.shows("Hint (level 1): ");
    screen.shows("1 hint (level 1)");

    screen.line("/give-up");
    screen.shows("Press y for yes, any other key for no.");
    screen.types("n");
    screen.shows("Nothing was done.");
    screen.line("/give-up");
    screen.shows("Press y for yes, any other key for no.");
    screen.types("y");
    screen.shows("2 hints (levels 1, 4)");

    screen.line("/problem");
    screen.wait_for("the problem over everything", |s| row(s, 0).starts_with("Problem: LRU"));
    screen.types(" ");
    screen.line("/frobnicate");
    screen.shows("/frobnicate is not a command here");
    daemon.home().file("my lru.py", CORRECT.text());
    send(&mut screen, "/submit 'my lru.py'");
    screen.shows("✗ 1 failed 5/12  ✓ 2 passed 12/12");
    screen.line("/end");
    screen.shows("The drill is over. Success!");
    screen.shows("The session's log was saved to:");
    screen.types(keys::CTRL_C);
    assert_eq!(screen.end().code(), Some(0));
    screen.is_given_back();
    screen.shows("Drill Summary");
}

#[test]
fn a_large_terminal_has_the_problem_beside_the_transcript() {
    let daemon = started();
    let mut screen = Terminal::start_sized(daemon.home(), "attach --as candidate", (200, 60));
    screen.shows(READY);
    screen.shows("│ Problem: LRU Cache");
    screen.shows("│ … F2 shows all of it");
    screen.shows("│ Public tests, 6 of 12:");
    screen.types(F2);
    screen.shows("PageUp and PageDown move");
    screen.types(" ");
    screen.resize((80, 24));
    screen.hides("│");
    screen.shows("Public tests, 6 of 12:");
}

#[test]
fn two_terminals_see_the_same_drill_through_a_killed_daemon() {
    let mut daemon = started();
    let mut mine = Terminal::start(daemon.home(), "attach --as candidate");
    let mut theirs = Terminal::start(daemon.home(), "attach --as observer");
    mine.shows("1 observer");
    theirs.shows("You are only watching");
    daemon.home().file("a.py", WRONG.text());
    send(&mut mine, "/submit a.py");
    theirs.shows("✗ 1 failed 5/12");
    daemon.kill();
    mine.shows("CONNECTION LOST, reconnecting");
    mine.line("/hint");
    mine.shows("your line is sent as soon as it is there: /hint");
    daemon.start_again();
    mine.hides("CONNECTION LOST");
    for screen in [&mine, &theirs] {
        screen.shows("1 hint (level 1)");
    }
    let given = log(&daemon).into_iter().filter(|record| record.event_type == "HINT_GIVEN");
    assert_eq!(given.count(), 1);
    theirs.types("q");
    assert_eq!(theirs.end().code(), Some(0));
    theirs.shows("The drill continues.");
}
