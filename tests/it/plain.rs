//! Line mode on the real programs: words alone, in full sentences, for screen readers and pipes.

use vosim_tests::{TestClock, WRONG};

use crate::support::wait_for;

/// Nothing that a terminal obeys, and nothing that only decorates and would be read aloud.
#[track_caller]
fn in_words(text: &str) {
    let decorates =
        |c: char| (c != '\n' && c.is_control()) || "❌✅💡💬🎯📥🧪📈🎉•│─╭╮╰╯├┤".contains(c);
    assert!(!text.is_empty() && !text.contains(decorates), "{text}");
    assert!(!text.lines().any(|line| line.starts_with(['=', '>', '*', '|'])), "{text}");
}

#[test]
fn plain_attach_tells_an_interview_in_sentences_and_its_errors_too() {
    let (daemon, mut clock) = TestClock::start_daemon("2026-01-05T12:00:00Z");
    daemon.ctl("interview start --no-watch").ok();
    wait_for(&daemon, "PROMPT_PRESENTED");
    let mut observer = daemon.command(["attach", "--plain"]).spawn();
    observer.stdout.wait_for(|line| line.contains("Interviewer: The problem is LRU Cache."));
    clock.advance(8 * 60);
    let warned = observer.stdout.wait_for(|line| line.contains("2 min left"));
    assert_eq!(warned, "12:08:00  2 min left in \"Frame the problem\".");
    let typed = daemon.command(["attach", "--as", "candidate", "--plain"]);
    let typed = typed.input("/frobnicate\n/submit missing.py\n/hint\n/status\n/quit\n").run();
    assert_eq!(typed.stderr.matches("Error: ").count(), 3, "{typed}");
    in_words(&typed.stderr);
    in_words(&typed.stdout);
    daemon.ctl("end --yes").ok();
    in_words(&observer.end().stdout);

    let refused = daemon.ctl("attach --plain --session zzz");
    assert!(refused.refused().starts_with("Error: "), "{refused}");
}

#[test]
fn with_the_variable_every_command_is_in_words() {
    let (daemon, _clock) = TestClock::start_daemon("2026-01-05T12:00:00Z");
    let plain = |words: &str| {
        let command = daemon.command(words.split_whitespace());
        let ran = command.env("VOSIM_PLAIN", "1").run();
        format!("{}{}", ran.stdout, ran.stderr)
    };
    in_words(&plain("interview start --no-watch"));
    for words in ["status", "hint", "done", "say Hello.", "why 3", "log", "end --yes", "result"] {
        in_words(&plain(words));
    }
    daemon.home().file("a.py", WRONG.text());
    plain("start --no-file");
    in_words(&plain("submit a.py"));
    for words in ["status", "hint", "result", "end"] {
        in_words(&plain(words));
    }
}
