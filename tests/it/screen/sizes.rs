//! The screen at every size, with texts of every kind.

use vosim_tests::{STANDARD, Size, Terminal, text_of};

use crate::support::current;

use super::{begun, candidate, say};

/// What is shown, without what moves by itself.
fn still(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

/// Whole at its size: header and input are there, and drawing everything anew changes nothing.
#[track_caller]
fn is_whole(terminal: &mut Terminal, size: Size) {
    terminal.wait_for("a whole screen", |screen| {
        let text = text_of(screen);
        let now = (screen.size().1.get(), screen.size().0.get());
        let rows: Vec<&str> = text.lines().collect();
        let header = rows.first().is_some_and(|row| row.trim_end().ends_with(" left"));
        // The header fills the screen's whole width.
        let wide =
            rows.first().is_some_and(|row| row.trim_end().chars().count() == usize::from(size.0));
        let input = rows.last().is_some_and(|row| row.starts_with("> "));
        now == size && header && wide && input && rows.len() == usize::from(size.1)
    });
    let before = still(&terminal.whole_picture());
    terminal.redraw();
    terminal.wait_for("the same, drawn anew", |screen| still(&text_of(screen)) == before);
}

#[test]
fn every_size_is_drawn_whole_and_back_again() {
    let (daemon, mut clock) = begun();
    let (mut wire, session) = (daemon.wire(), current(&daemon));
    for text in [
        "A short one.".to_owned(),
        "word ".repeat(60),
        "x".repeat(500),
        "漢字".repeat(100),
        "é👩‍👩‍👧 ".repeat(40),
    ] {
        say(&mut wire, session, &text);
    }
    let mut screen = candidate(&daemon);
    screen.shows("The candidate is here.");
    // From now on nothing happens by itself.
    clock.advance(60);
    screen.shows("Follow-up:");
    is_whole(&mut screen, STANDARD);
    for size in [(40, 10), (200, 50), (41, 11), (79, 23), STANDARD, (40, 10), STANDARD] {
        screen.resize(size);
        is_whole(&mut screen, size);
    }
    // Too small for anything but the time.
    for size in [(39, 24), (80, 9), (10, 3), (1, 1)] {
        screen.resize(size);
        screen.wait_for("another picture", |screen| !text_of(screen).contains('>'));
    }
    screen.resize(STANDARD);
    is_whole(&mut screen, STANDARD);
    screen.line("It still works.");
    screen.shows("You: It still works.");
}
