//! Several terminals on one interview.

use nix::sys::signal::Signal;
use vosim_tests::{Terminal, keys, text_of};

use crate::support::current;

use super::{begun, candidate, say};

#[test]
fn two_terminals_show_the_same_and_an_observer_sends_nothing() {
    let (daemon, _clock) = begun();
    let mut mine = candidate(&daemon);
    let mut theirs = Terminal::start(daemon.home(), "attach --as observer");
    theirs.shows("You are only watching");
    mine.shows("1 observer");
    theirs.shows("1 candidate");
    mine.line("A map and a list, I think.");
    mine.shows("You: A map and a list, I think.");
    theirs.shows("Candidate: A map and a list, I think.");
    // What an observer types goes nowhere.
    theirs.types("hello\r");
    mine.line("And then?");
    theirs.shows("Candidate: And then?");
    assert!(!theirs.text().contains("hello") && !mine.text().contains("hello"));
    theirs.types("q");
    assert_eq!(theirs.end().code(), Some(0));
    theirs.is_given_back();
    mine.hides("1 observer");
}

#[test]
fn what_a_terminal_would_obey_is_shown_harmlessly_on_the_other_one() {
    let (daemon, _clock) = begun();
    let mine = candidate(&daemon);
    let theirs = Terminal::start(daemon.home(), "attach --as observer");
    theirs.shows("You are only watching");
    // Clears the screen, sets the title, moves the cursor, sounds the bell, goes back a line,
    // turns the direction of writing, and the same as one byte of C1.
    let said =
        "before \u{1b}[2J\u{1b}]0;pwned\u{7}\u{1b}[1;1Hdeep\r\u{8}\u{202e}\u{9b}31mred after";
    say(&mut daemon.wire(), current(&daemon), said);
    for terminal in [&mine, &theirs] {
        terminal.shows("after");
        assert!(terminal.text().contains("\\x1b[2J"), "{}", terminal.text());
        let bytes = String::from_utf8_lossy(&terminal.bytes()).into_owned();
        for evil in ["\u{1b}]0;", "\u{7}", "\u{1b}[1;1Hdeep", "\u{8}", "\u{202e}", "\u{9b}"] {
            assert!(!bytes.contains(evil), "{evil:?} has come through");
        }
    }
}

#[test]
fn typed_escape_sequences_are_spelled_out_and_a_paste_is_one_message() {
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    screen.types("\u{1b}[200~first line\rsecond \u{1b}[31mline\u{1b}[201~");
    screen.wait_for("both lines in the input", |s| {
        text_of(s).contains("> first line") && text_of(s).contains("  second ")
    });
    screen.types(keys::ENTER);
    screen.shows("You: first line");
    let said = crate::support::wait_for(&daemon, "CANDIDATE_MESSAGE");
    assert!(said.payload["text"].as_str().unwrap().starts_with("first line\nsecond "));
}

#[test]
fn a_stopped_terminal_delays_nobody_and_a_killed_one_leaves_the_daemon_well() {
    const MESSAGES: usize = 31;
    let (daemon, _clock) = begun();
    let mut mine = candidate(&daemon);
    let mut stopped = Terminal::start(daemon.home(), "attach --as observer");
    stopped.shows("You are only watching");
    stopped.signal(Signal::SIGSTOP);
    let (mut wire, session) = (daemon.wire(), current(&daemon));
    // More than the kernel and the daemon keep for one reader: control characters travel as six
    // bytes each.
    let long = "\u{1}".repeat(8_000);
    for number in 0..MESSAGES {
        say(&mut wire, session, &format!("{long} number {number}."));
    }
    mine.shows(&format!("number {}.", MESSAGES - 1));
    mine.line("Still here.");
    mine.shows("You: Still here.");
    stopped.signal(Signal::SIGCONT);
    stopped.shows("Candidate: Still here.");
    stopped.signal(Signal::SIGKILL);
    stopped.end();
    mine.signal(Signal::SIGKILL);
    mine.end();
    assert!(daemon.ctl("status").ok().contains("in progress"));
    let again = candidate(&daemon);
    again.shows("You: Still here.");
}
