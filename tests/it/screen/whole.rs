//! One interview from its first question to its end, at 80 by 24.

use vosim_tests::{CORRECT, WRONG, keys, text_of};

use super::{begun, candidate, left, row, send};

#[test]
fn an_interview_is_held_on_the_screen_from_its_first_question_to_its_end() {
    let (daemon, mut clock) = begun();
    let mut screen = candidate(&daemon);

    // 001 9: section, goal or question, time from the server's deadline, what is to come.
    screen.shows("Question:");
    let now = screen.screen();
    assert!(row(&now, 0).contains("12:00:"), "{}", row(&now, 0));
    assert!(row(&now, 0).contains("section 1 of 4, Frame the problem"), "{}", row(&now, 0));
    assert!(left(&now).is_some_and(|left| (540..=600).contains(&left)), "{}", row(&now, 0));
    assert_eq!(
        row(&now, 1),
        "● Frame the problem now  ○ Design the approach  ○ Build and verify  ○ Look back"
    );
    screen.shows("── 12:00:00  Section 1 of 4: Frame the problem");

    // A message, and what may not be done here is told with the reason and leaves the line.
    send(
        &mut screen,
        "The input is one key, and each operation gives the caller exactly 1 value back, or -1.",
    );
    screen.shows("You: The input is one key");
    send(&mut screen, "/ask What is a doubly linked list?");
    screen.shows("You to the assistant: What is a doubly linked list?");
    screen.shows("Assistant:");
    screen.line("/frobnicate");
    screen.shows("/frobnicate is not a command here");
    send(&mut screen, "/done");
    screen.shows("Still missing");
    send(
        &mut screen,
        "The capacity is at most 1000 keys, so the memory is about 64 mb at the very most.",
    );
    send(
        &mut screen,
        "I would watch the latency per call, and constant time, O(1), is the goal for every get.",
    );
    // It is asked for once; after that the candidate says when a section is over.
    send(&mut screen, "/done");

    // The clock is the daemon's: it moves, and so does what is left.
    screen.shows("Section 2 of 4: ");
    screen.wait_for("section 2 in the header", |s| row(s, 0).contains("section 2 of 4"));
    screen.wait_for("a whole section's time", |s| left(s).is_some_and(|left| left > 840));
    assert!(
        row(&screen.screen(), 1).starts_with("✓ Frame the problem  ● Design the approach now"),
        "{}",
        screen.text()
    );
    clock.advance(15 * 60 - 120);
    screen.shows("2 min left in \"Design the approach\"");
    screen.wait_for("two minutes", |s| left(s).is_some_and(|left| (90..=120).contains(&left)));
    clock.advance(120);
    screen.shows("section 3 of 4");

    daemon.home().file("lru cache.py", WRONG.text());
    send(&mut screen, "/submit lru cache.py");
    screen.wait_for("a verdict", |s| text_of(s).contains(": WRONG_ANSWER, 5 of 12 tests"));
    send(&mut screen, "/hint");
    screen.shows("1 hint");
    daemon.home().file("lru cache.py", CORRECT.text());
    send(&mut screen, "/submit 'lru cache.py'");
    screen.wait_for("a verdict", |s| text_of(s).contains("Submission 2 passed all 12 tests"));
    clock.advance(15 * 60);
    screen.shows("section 4 of 4");
    clock.advance(5 * 60);
    screen.shows("Late messages are still taken");
    clock.advance(16);
    screen.shows("The interview is over: all sections are done.");

    screen.types(keys::CTRL_C);
    assert_eq!(screen.end().code(), Some(0));
    screen.is_given_back();
    assert!(screen.text().contains("What to do next"), "the report stays: {}", screen.text());
}
