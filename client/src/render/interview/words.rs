//! Times, reasons and actions of an interview in words.

use vosim_protocol::v1::assistant::Violation;
use vosim_protocol::v1::evaluation::{Detail, FailureType};
use vosim_protocol::v1::interview::{
    AllowedAction, ExitReason, NotSubmitted, Phase, SolutionUnwatched, View,
};
use vosim_protocol::v1::judging::ResultLine;

use crate::render::text::{columns, count};

/// A distance in time: `2 min 3 s`, `14.9 s`, `40 ms`. What is left of the last unit is dropped,
/// so that 14.99 s never reads as the 15 s that would be too late.
pub(crate) fn distance(micros: u64) -> String {
    let seconds = micros / 1_000_000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes, seconds) {
        (0, 0, 0) => format!("{} ms", micros / 1000),
        (0, 0, _) => format!("{seconds}.{} s", micros / 100_000 % 10),
        (0, _, _) => format!("{minutes} min {} s", seconds % 60),
        (_, _, _) => format!("{hours} h {minutes} min {} s", seconds % 60),
    }
}

/// A clock that runs down: `12:57`, `1:02:03`. It shows 0:00 only when nothing is left.
pub(crate) fn clock(millis: u64) -> String {
    let seconds = millis.div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A length of time as a schema has it: `15 min`, `7 min 30 s`, `45 s`.
pub(crate) fn length(millis: u64) -> String {
    let seconds = millis / 1000;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, 0) => format!("{minutes} min"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

/// The beginning of a warning: `Two minutes are left`.
pub(crate) fn left(millis: u64) -> String {
    let seconds = millis / 1000;
    let (minutes, rest) = (seconds / 60, seconds % 60);
    let minutes_text = match minutes {
        1 => "one minute".to_owned(),
        n => format!("{} minutes", small_number(n)),
    };
    let rest_text = count(rest, "second");
    let (text, one) = match (minutes, rest) {
        (0, rest) => (rest_text, rest == 1),
        (minutes, 0) => (minutes_text, minutes == 1),
        (_, _) => (format!("{minutes_text} and {rest_text}"), false),
    };
    capital(&format!("{text} {} left", if one { "is" } else { "are" }))
}

fn small_number(n: u64) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = usize::try_from(n).ok().and_then(|n| WORDS.get(n));
    word.map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

/// The first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Why a section ended, behind `it ended because` or a colon.
pub(crate) fn exit(reason: ExitReason) -> &'static str {
    match reason {
        ExitReason::TimeExpired => "its time was up",
        ExitReason::CoverageSatisfied => "everything was covered",
        ExitReason::CandidateDone => "the candidate was done",
        ExitReason::SystemError => "the interview was broken off",
    }
}

/// Why a file is no longer watched; None when the candidate asked, or it has been submitted.
pub(crate) fn unwatched(event: &SolutionUnwatched) -> Option<&str> {
    event.reason.as_deref().or(match event.not_submitted {
        Some(NotSubmitted::Unchanged) => Some("it was already submitted as it is now"),
        Some(NotSubmitted::Starter) => Some("it holds only the starter, so it is not submitted"),
        Some(NotSubmitted::Nothing) => Some("nothing was saved in it"),
        Some(NotSubmitted::Left) | None => None,
    })
}

/// Where an interview stands.
pub(crate) fn phase(view: &View) -> &'static str {
    match view.phase {
        Phase::NotStarted => "not started; the clock does not run yet",
        Phase::InProgress => "in progress",
        Phase::Paused => "paused, nobody is there; the time runs on",
        Phase::Closing => "the last section's time is up; late messages are still taken",
        Phase::Completed => "completed",
        Phase::Terminated => "ended before its time",
    }
}

/// An action as the command that does it.
pub(crate) fn command(action: AllowedAction) -> &'static str {
    match action {
        AllowedAction::Begin => "interview begin",
        AllowedAction::Chat => "say",
        AllowedAction::Code => "test",
        AllowedAction::Submit => "submit",
        AllowedAction::AskAssistant => "ask",
        AllowedAction::Hint => "hint",
        AllowedAction::Done => "done",
        AllowedAction::End => "end",
    }
}

/// What can be done now, as commands.
pub(crate) fn possible(actions: &[AllowedAction]) -> String {
    let commands: Vec<_> = actions.iter().map(|action| command(*action)).collect();
    if commands.is_empty() { "nothing".to_owned() } else { commands.join(", ") }
}

/// A rule that an answer broke, behind `withheld:`.
pub(crate) fn violation(violation: Violation) -> &'static str {
    match violation {
        Violation::Code => "it held too much code",
        Violation::Reference => "it was too close to the reference solution",
        Violation::Plan => "it was a plan of the implementation",
        Violation::Length => "it was too long",
        Violation::LeakBudget => "the session's budget of code is spent",
    }
}

/// `submission 2: passed, 12 of 12 tests`.
pub(crate) fn verdict(line: &ResultLine) -> String {
    let total = line.tests_passed + line.tests_failed;
    let what = match line.tests_failed {
        0 if total > 0 => "passed".to_owned(),
        _ => format!("failed as {}", class(line.failure_type, line.detail)),
    };
    format!("attempt {}: {what}, {} of {total} tests", line.attempt_number, line.tests_passed)
}

/// `WRONG_ANSWER`, `EXCEPTION (out of memory)`: behind a class stands only what it does not say by
/// itself.
pub(crate) fn class(class: FailureType, detail: Option<Detail>) -> String {
    let more = detail.and_then(|detail| match detail {
        Detail::Time | Detail::Wall => Some("out of time"),
        Detail::Idle => Some("it waited and computed nothing"),
        Detail::Memory => Some("out of memory"),
        Detail::Output => Some("it wrote too much"),
        Detail::Processes => Some("too many processes"),
        Detail::Signal => Some("ended by a signal"),
        Detail::Exit => Some("it left in the middle"),
        Detail::Syntax => Some("a syntax error"),
        Detail::Missing => Some("nothing of that name"),
        Detail::Exception if class == FailureType::ImportError => Some("an exception"),
        Detail::Exception | Detail::Signature | Detail::Value => None,
    });
    more.map_or_else(|| class.to_string(), |more| format!("{class} ({more})"))
}

/// Pads to a number of columns.
pub(crate) fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(columns(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_told_with_what_it_does_not_say_by_itself() {
        let all = [
            class(FailureType::WrongAnswer, Some(Detail::Value)),
            class(FailureType::Exception, Some(Detail::Exception)),
            class(FailureType::Exception, Some(Detail::Memory)),
            class(FailureType::ImportError, Some(Detail::Exception)),
            class(FailureType::PartialPass, None),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        WRONG_ANSWER
        EXCEPTION
        EXCEPTION (out of memory)
        IMPORT_ERROR (an exception)
        PARTIAL_PASS
        ");
    }

    #[test]
    fn distances_never_read_longer_than_they_are() {
        let all = [0, 999, 40_000, 999_999, 14_999_999, 59_999_999, 60_000_000, 123_400_000]
            .map(distance);
        let short = ["0 ms", "0 ms", "40 ms", "999 ms", "14.9 s", "59.9 s", "1 min 0 s"];
        assert_eq!(all[..7], short);
        assert_eq!(all[7], "2 min 3 s");
        assert_eq!(distance(3_723_000_000), "1 h 2 min 3 s");
    }

    #[test]
    fn a_clock_shows_nothing_left_only_at_the_end() {
        let all = [0, 1, 1000, 59_001, 777_000, 3_723_000].map(clock);
        assert_eq!(all, ["0:00", "0:01", "0:01", "1:00", "12:57", "1:02:03"]);
        assert_eq!([900_000, 450_000, 45_000].map(length), ["15 min", "7 min 30 s", "45 s"]);
    }

    #[test]
    fn warnings_are_sentences() {
        let all = [120_000, 60_000, 30_000, 1_000, 150_000, 240_000, 1_500_000].map(left);
        insta::assert_snapshot!(all.join("\n"), @"
        Two minutes are left
        One minute is left
        30 seconds are left
        1 second is left
        Two minutes and 30 seconds are left
        Four minutes are left
        25 minutes are left
        ");
    }
}
