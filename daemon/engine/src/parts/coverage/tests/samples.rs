//! Answers as people write them, with what they are worth; written for these tests.

use super::*;

/// A single answer: the dimension it is meant for, what it covers alone (`+`, `~`, `-`), the text.
const ANSWERS: [(&str, char, &str); 56] = [
    (
        "requirements",
        '+',
        "The input is a key, and get returns -1 when it is missing; what if put is called with the same key?",
    ),
    (
        "requirements",
        '+',
        "So there are two operations, and the output of `get` is the stored number, or minus one.",
    ),
    (
        "requirements",
        '+',
        "For instance when I call put(1, 1) twice, the second call only replaces the value.",
    ),
    ("requirements", '~', "It takes some input, I think."),
    (
        "requirements",
        '~',
        "I would like to clarify a few things about the keys before I go on with this.",
    ),
    ("requirements", '-', "That sounds clear to me, let us go on."),
    ("constraints", '+', "I plan for up to 1,000 keys, so memory is no problem at that size."),
    (
        "constraints",
        '+',
        "Are keys integers, and is there more than one thread at a time? I go from 1 caller.",
    ),
    (
        "constraints",
        '+',
        "The array is sorted and holds at most a million numbers, which may be negative.",
    ),
    ("constraints", '~', "There could be a large number of them."),
    ("constraints", '-', "I do not see any limits in there worth naming here."),
    ("metrics", '+', "The goal is O(1) for both methods, and I look at the 99th percentile."),
    (
        "metrics",
        '+',
        "A good hit rate matters, but the latency of a get below 1 millisecond matters most.",
    ),
    (
        "metrics",
        '+',
        "Correctness comes first, then complexity, because a wrong answer is worth nothing to anybody.",
    ),
    ("metrics", '~', "It should be good enough."),
    ("metrics", '-', "I would ask the product team about that one."),
    (
        "approach",
        '+',
        "A dictionary that points into a linked list; the map gives me the node, so that every move is cheap.",
    ),
    (
        "approach",
        '~',
        "I use a heap of size k: push each number, and when it has more than k elements pop the smallest.",
    ),
    (
        "approach",
        '+',
        "Binary search on the answer: first set lo = 0, then halve until both ends meet.",
    ),
    ("approach", '+', "Two pointers from both ends, since the array never gets unsorted."),
    ("approach", '~', "Some kind of tree maybe."),
    ("approach", '~', "I would take a graph and look at the neighbours of what I have there."),
    ("approach", '-', "I will just start coding and see where it leads me today."),
    (
        "complexity",
        '+',
        "Each get is O(1), because the dictionary finds the node and relinking touches four pointers.",
    ),
    (
        "complexity",
        '+',
        "In the worst case it is quadratic, when all 10 numbers are the same value.",
    ),
    ("complexity", '+', "Extra space is linear in the capacity: one node per key, 8 bytes a link."),
    ("complexity", '~', "O(n log n)"),
    ("complexity", '~', "It needs some more memory than the other way of doing this."),
    ("complexity", '-', "It is quick enough on my machine, I tried it yesterday."),
    (
        "tradeoffs",
        '+',
        "An alternative is to scan a list, which is simpler, but takes O(n) per eviction.",
    ),
    (
        "tradeoffs",
        '+',
        "I choose the heap rather than sorting, because only k numbers are wanted in the end.",
    ),
    (
        "tradeoffs",
        '+',
        "Brute force would be slower: 10^12 steps for the largest input we agreed on.",
    ),
    ("tradeoffs", '~', "One could do it with recursion instead."),
    ("tradeoffs", '-', "This one seems to be what people do."),
    ("failure_modes", '+', "An empty cache and a capacity of zero would crash on the eviction."),
    (
        "failure_modes",
        '+',
        "I check for a missing key before I unlink, otherwise None has no `prev`.",
    ),
    (
        "failure_modes",
        '+',
        "With a single element the loop must not run over the end; I handle that with a sentinel.",
    ),
    ("failure_modes", '~', "It could crash."),
    ("failure_modes", '-', "I do not expect that anything goes wrong there in practice."),
    (
        "correctness",
        '+',
        "The invariant is that the map and the ring hold the same keys before and after put, because both change together.",
    ),
    ("correctness", '+', "In the loop on line 12 lo is always at or below the answer."),
    (
        "correctness",
        '+',
        "The branch for a known key moves the node to the front, therefore eviction drops the right one.",
    ),
    ("correctness", '~', "The function is fine."),
    ("correctness", '-', "It works, I have tried it twice."),
    (
        "verification",
        '~',
        "I ran the test with the empty cache and expected -1, and that is what I got.",
    ),
    ("verification", '~', "All cases pass."),
    ("verification", '-', "I have looked at it closely."),
    (
        "reflection",
        '+',
        "Next time I write the eviction case down first, since I forgot that update counts as use.",
    ),
    (
        "reflection",
        '+',
        "My mistake was the order of 2 lines; the pattern is similar to a queue with random access.",
    ),
    ("reflection", '+', "I would change the names and measure it with 1,000,000 keys."),
    ("reflection", '~', "There was a bug somewhere."),
    ("reflection", '~', "I would refactor the whole thing into smaller pieces when there is time."),
    ("reflection", '-', "It went well, thank you for the interview."),
    ("approach", '-', "fine"),
    ("approach", '-', "asdf qwer zxcv hjkl uiop vbnm tzui 1234"),
    (
        "approach",
        '~',
        "\u{1b}[31mhash\u{1b}[0m \0\u{7}\u{8}\u{202e} map\r\n\u{9b}2J of nodes and edges",
    ),
];

#[test]
fn answers_cover_what_they_say() {
    let mut wrong = Vec::new();
    for (id, expected, text) in ANSWERS {
        let dimensions = section_of(id);
        let mut ledger = Ledger::new(&dimensions);
        say(&mut ledger, &dimensions, text);
        let level = match ledger.level(id) {
            Coverage::NotCovered => '-',
            Coverage::PartiallyCovered => '~',
            Coverage::Covered => '+',
        };
        if level != expected {
            let heard = hear(text, &dimensions, &[TOLD, QUESTION]);
            wrong.push(format!("{id} {level} not {expected}: {text}\n    {heard:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn guards_hold_back_what_is_no_answer() {
    let design = section_of("approach");
    for (expected, text) in [
        // The question or the statement again.
        (
            Some(Guard::Echo),
            "What is the cost of put in the worst case, and which step dominates it?",
        ),
        (Some(Guard::Echo), "the cost of put in the worst case, hm, which step dominates it"),
        (
            Some(Guard::Echo),
            "We build a cache with a fixed capacity that drops its least recently used key.",
        ),
        (
            Some(Guard::Echo),
            "GET(KEY) RETURNS the value stored under key or -1 if the key is not in the cache!",
        ),
        (
            None,
            "put writes at one end and drops at the other, so its cost is O(1) in the worst case",
        ),
        // Signals without a sentence around them.
        (Some(Guard::Stuffing), "hash map list tree then always o(1) because worst extra memory"),
        (
            Some(Guard::Stuffing),
            "first then finally invariant, empty null check instead faster prefer readable",
        ),
        (None, "I use a hash map with a linked list, and both are kept in step by put"),
        // Declined.
        (Some(Guard::Declined), "I don't know"),
        (Some(Guard::Declined), "i dont know."),
        (Some(Guard::Declined), "Sorry, I really don’t know that."),
        (Some(Guard::Declined), "pass"),
        (Some(Guard::Declined), "Pass!"),
        (Some(Guard::Declined), "No idea, sorry."),
        (Some(Guard::Declined), "I can't think of an alternative"),
        (Some(Guard::Declined), "Hmm, I cannot think of anything that would break it."),
        (Some(Guard::Declined), "idk"),
        (Some(Guard::Declined), "No clue. Next question please"),
        (Some(Guard::Declined), "I have nothing to add"),
        (Some(Guard::Declined), "Can we skip this?"),
        (Some(Guard::Declined), "I don't know the complexity"),
        // Not declined.
        (None, "I don't know, maybe a hash map with a second structure"),
        (None, "I do not know whether keys can be negative"),
        (Some(Guard::Question), "I don't know, what is the capacity?"),
        (None, "all of my tests pass"),
        (None, "we pass over the array twice"),
        (None, "it has no idea of time, so I keep a counter for each of the keys there"),
        (
            None,
            "I don't know the exact figure, but a lookup is O(1) and the list moves one node only",
        ),
        (None, "fine"),
        (None, ""),
        (None, "\u{0}\u{1b}"),
    ] {
        assert_eq!(hear(text, &design, &[TOLD, QUESTION]).guard, expected, "{text}");
    }
}

#[test]
fn specifics_are_numbers_growths_names_edges_and_reasons() {
    for text in [
        "at 3 places",
        "in O(n)",
        "the `head`",
        "the \"head\" of it",
        "the ‘x’ or 'head' there",
        "I call move_to_end(key)",
        "an empty one",
        "because it is",
        "so that it holds",
        "“head”",
    ] {
        assert!(hear(text, &[], &[]).specific, "{text}");
    }
    for text in [
        "it's John's and Mary's",
        "the key(s) there",
        "a (small) thing",
        "`",
        "\" \"",
        "so it holds",
        "an unclosed \"quotation",
        "rock 'n roll",
        "fine",
    ] {
        assert!(!hear(text, &[], &[]).specific, "{text}");
    }
}

#[test]
fn a_verdict_is_told_when_the_words_are_true() {
    for (passed, total, texts) in [
        (
            12,
            12,
            &[
                "All tests pass.",
                "all 12 pass now",
                "12/12",
                "12 of 12 tests are green",
                "It passes",
                "everything passed",
                "nothing fails any more",
                "no failures",
                "none of them fail",
                "At first two failed, but now all of them pass",
                "12 out of 12 passed",
                "The whole suite is green, because the eviction is right",
                "I expected the capacity case to fail, all pass",
                "all twelve pass, I should stop",
            ][..],
        ),
        (
            10,
            12,
            &[
                "10 of 12 pass",
                "10/12",
                "two tests fail",
                "2 failed",
                "it still fails",
                "all but two pass",
                "everything passes except 2",
                "not all pass",
                "The submission failed",
                "the tests do not pass yet",
                "ten of the 12 pass, the others do not",
                "2 of 12 fail: eviction and update",
                "two of them don't pass",
                "10 pass and 2 fail",
            ],
        ),
        (
            11,
            12,
            &["all but one pass", "one test is red", "everything is green except the last one"],
        ),
        (
            0,
            12,
            &[
                "none pass",
                "no test passes",
                "all fail",
                "0 of 12",
                "every test fails",
                "12 failed",
            ],
        ),
    ] {
        for text in texts {
            assert!(tells_verdict(text, passed, total), "{passed} of {total}: {text}");
        }
    }
}

#[test]
fn a_verdict_is_not_told_by_other_words() {
    for (passed, total, texts) in [
        (
            12,
            12,
            &[
                "11 of 12 pass",
                "two tests fail",
                "all but one pass",
                "not all pass",
                "done",
                "fine",
                "all tests should pass",
                "I expect that it passes",
                "does it pass?",
                "none pass",
                "if all tests pass I am done",
                "it will pass",
                "",
                "12",
                "they failed",
            ][..],
        ),
        (
            10,
            12,
            &[
                "all tests pass",
                "12/12",
                "9 of 12",
                "three fail",
                "all but one pass",
                "it passes",
                "everything fails",
                "none pass",
                "all green",
                "first it failed",
                "why does it fail?",
                "10 fail",
                "2 pass",
                "no failures",
            ],
        ),
        (0, 0, &["all tests pass", "it fails", "0 of 0", "none pass"]),
    ] {
        for text in texts {
            assert!(!tells_verdict(text, passed, total), "{passed} of {total}: {text}");
        }
    }
}
