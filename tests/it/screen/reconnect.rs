//! The screen outlives its daemon, and shows every message once.

use vosim_tests::{Terminal, keys, text_of};

use crate::support::current;

use super::{READY, begun, candidate, row, say};

/// Everything that can be scrolled to, each line once, oldest first.
fn scrolled(terminal: &mut Terminal) -> Vec<u32> {
    let numbers = |screen: &vt100::Screen| -> Vec<u32> {
        let lines = text_of(screen);
        let lines = lines.lines().filter_map(|line| line.split_once("message "));
        lines.filter_map(|(_, rest)| rest.split(' ').next()?.parse().ok()).collect()
    };
    let mut all = numbers(&terminal.screen());
    loop {
        let before = terminal.text();
        terminal.types(keys::PAGE_UP);
        // At the top nothing moves any more; what is drawn anew then tells that the key was read.
        terminal.redraw();
        let here = numbers(&terminal.screen());
        if without_clock(&terminal.text()) == without_clock(&before) {
            return all;
        }
        // One line of a page is seen twice.
        let fresh = here.into_iter().take_while(|number| Some(number) != all.first());
        let fresh: Vec<_> = fresh.collect();
        all.splice(0..0, fresh);
    }
}

fn without_clock(text: &str) -> String {
    text.lines().skip(1).collect()
}

#[test]
fn a_killed_daemon_comes_back_and_the_screen_goes_on_without_gap_or_repeat() {
    let (mut daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    let session = current(&daemon);
    let mut number = 0;
    let mut say_some = |daemon: &vosim_tests::TestDaemon| {
        let mut wire = daemon.wire();
        for _ in 0..8 {
            number += 1;
            say(&mut wire, session, &format!("message {number} of several"));
        }
        number
    };
    let last = say_some(&daemon);
    screen.shows(&format!("message {last} of"));
    for round in ["first", "second"] {
        daemon.kill();
        screen.shows("CONNECTION LOST, reconnecting");
        // Typing goes on, and what is sent meanwhile waits.
        screen.line(&format!("{round} one in between"));
        screen.shows(&format!("your line is sent as soon as it is there: {round}"));
        daemon.start_again();
        screen.hides("CONNECTION LOST");
        screen.shows(&format!("You: {round} one in between"));
        screen.shows(READY);
        let last = say_some(&daemon);
        screen.shows(&format!("message {last} of"));
    }
    let expected: Vec<_> = (1..=24).collect();
    assert_eq!(scrolled(&mut screen), expected);
    screen.types(keys::END);
    screen.shows(&format!("message {} of", 24));
    screen.types(keys::CTRL_C);
    assert_eq!(screen.end().code(), Some(0));
}

#[test]
fn more_than_a_view_holds_while_the_screen_is_stopped_is_read_from_the_log() {
    const MESSAGES: u32 = 700;
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    screen.signal(nix::sys::signal::Signal::SIGSTOP);
    let (mut wire, session) = (daemon.wire(), current(&daemon));
    for number in 1..=MESSAGES {
        say(&mut wire, session, &format!("message {number} of many"));
    }
    screen.signal(nix::sys::signal::Signal::SIGCONT);
    screen.shows(&format!("message {MESSAGES} of"));
    let expected: Vec<_> = (1..=MESSAGES).collect();
    assert_eq!(scrolled(&mut screen), expected);
}

#[test]
fn after_an_event_only_what_came_later_is_shown() {
    let (daemon, _clock) = begun();
    let (mut wire, session) = (daemon.wire(), current(&daemon));
    say(&mut wire, session, "the first one");
    let second = say(&mut wire, session, "the second one");
    say(&mut wire, session, "the third one");
    let words = format!("attach --as candidate --after {}", second.event_id);
    let mut screen = Terminal::start(daemon.home(), &words);
    screen.shows("You: the third one");
    assert!(!screen.text().contains("the second one"), "{}", screen.text());
    assert!(
        row(&screen.screen(), 2).contains("earlier entries: vosimctl log"),
        "{}",
        screen.text()
    );
    screen.types(keys::CTRL_D);
    assert_eq!(screen.end().code(), Some(0));
}
