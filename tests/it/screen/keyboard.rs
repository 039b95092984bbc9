//! Every key counts, and what the terminal says by itself is none.

use vosim_tests::{Terminal, keys};

use super::{READY, begun, candidate, send};

/// What terminals answer to questions that somebody has asked them, or say unasked.
const REPLIES: [&str; 6] = [
    "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
    "\x1bP>|XTerm(380)\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
    "\x1b[>0q",
    "\x1b[?62;22c",
    "\x1b[24;80R",
];

#[test]
fn what_a_terminal_answers_is_never_typed_however_it_is_cut() {
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    for (number, reply) in REPLIES.iter().enumerate() {
        let (begin, end) = reply.split_at(reply.len() / 2);
        screen.types(&format!("a{number}"));
        screen.types(begin);
        screen.types(end);
        screen.types(&format!("b{number}"));
        screen.shows(&format!("> a{number}b{number}"));
        screen.types(keys::CTRL_U);
        screen.shows(READY);
    }
}

/// A change of the size comes at the very moment of a key, again and again.
#[test]
fn no_key_waits_for_the_next_one_while_the_size_changes() {
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    for round in 0..50_u8 {
        let size = if round % 2 == 0 { (100, 30) } else { (80, 24) };
        let letter = char::from(b'a' + round % 26);
        screen.resize(size);
        screen.types(&letter.to_string());
        screen.shows(&format!("> {letter}"));
        screen.types(keys::CTRL_U);
        screen.shows(READY);
    }
}

/// A terminal that marks no pastes sends their lines as they would be typed.
#[test]
fn lines_of_an_unmarked_paste_are_messages_of_their_own() {
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    screen.types("It maps keys.\rIt drops the oldest.\rIt is bounded.\r");
    for line in ["You: It maps keys.", "You: It drops the oldest.", "You: It is bounded."] {
        screen.shows(line);
    }
    screen.shows(READY);
}

#[test]
fn what_is_typed_over_a_page_is_said_whole_or_not_at_all() {
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    screen.line("/help");
    screen.shows("other keys go back");
    screen.types("It maps keys.");
    screen.shows("> It maps keys.");
    screen.types(keys::CTRL_U);
    screen.shows(READY);
    send(&mut screen, "It is a cache.");
    screen.shows("You: It is a cache.");
    let log = daemon.ctl("log");
    assert!(!log.ok().contains("maps"), "{log}");
}

#[test]
fn a_refused_word_leaves_the_line() {
    let (daemon, _clock) = begun();
    let mut screen: Terminal = candidate(&daemon);
    screen.line("/frobnicate");
    screen.shows("/frobnicate is not a command here.");
    screen.shows(READY);
    screen.types(keys::UP);
    screen.shows("> /frobnicate");
}
