//! What to solve again: what is due, then what comes later.

use vosim_protocol::Outcome;
use vosim_protocol::v1::service::{ReviewLine, ReviewResult};

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::count;

/// The problems in the order of their days, those that are due on top.
pub(crate) fn review(result: &ReviewResult, look: &Look) -> String {
    let mut page = Page::new(look);
    let (due, later): (Vec<_>, Vec<_>) = result.problems.iter().partition(|line| line.days <= 0);
    if result.problems.is_empty() {
        page.say(Tone::Plain, "Nothing to solve again: no session about a problem has ended yet.");
        return page.finish();
    }
    if due.is_empty() {
        page.say(Tone::Strong, "Nothing is due.");
    } else {
        page.say(Tone::Strong, "Due:");
    }
    for line in &due {
        page.item(Tone::Plain, &sentence(line, result));
    }
    if !later.is_empty() {
        page.blank().say(Tone::Strong, "Later:");
    }
    for line in &later {
        page.item(Tone::Plain, &sentence(line, result));
    }
    if let Some(first) = due.first() {
        page.blank();
        let problem = &first.problem;
        let more = format!("vosimctl start {problem}, or vosimctl attempt start {problem}");
        page.say(Tone::Plain, &format!("Begin with: {more}"));
    }
    page.finish()
}

fn sentence(line: &ReviewLine, result: &ReviewResult) -> String {
    let when = match line.days {
        ..0 => format!("for {}", count(line.days.unsigned_abs(), "day")),
        0 => "since today".to_owned(),
        days => format!("in {}", count(days.unsigned_abs(), "day")),
    };
    let ago = match result.now.secs_since(line.last.at) / (24 * 60 * 60) {
        0 => "less than a day ago".to_owned(),
        days => format!("{} ago", count(days, "day")),
    };
    let ReviewLine { problem, title, reason, last, .. } = line;
    let (kind, outcome) = (last.kind, outcome(last.outcome));
    format!("{title} ({problem}), {when}: {}. Last: {kind} {ago}, {outcome}.", reason.text)
}

/// How a session came out, in a word or two.
pub(crate) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Unaided => "solved unaided",
        Outcome::Hinted => "solved with hints",
        Outcome::Assisted => "solved with the assistant",
        Outcome::Level4 => "solved after the solution was shown",
        Outcome::Failed => "not solved",
        Outcome::Abandoned => "left",
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::phrase::Phrase;
    use vosim_protocol::v1::service::LastTime;
    use vosim_protocol::{Kind, Time};

    use super::*;
    use crate::render::samples::session;

    const DAY: i64 = 24 * 60 * 60;

    fn line(problem: &str, days: i64, ago: i64, outcome: Outcome) -> ReviewLine {
        ReviewLine {
            problem: problem.parse().unwrap(),
            title: "LRU Cache".to_owned(),
            due: Time::from_micros(0).plus_secs(days * DAY),
            days,
            interval_days: 3,
            reason: Phrase::said("you needed hints the last time"),
            last: LastTime {
                session_id: session(),
                kind: Kind::Attempt,
                outcome,
                at: Time::from_micros(0).plus_secs(-ago * DAY),
            },
            sessions: 2,
        }
    }

    fn screen(problems: Vec<ReviewLine>) -> String {
        review(&ReviewResult { now: Time::from_micros(0), problems }, &Look::PLAIN)
    }

    #[test]
    fn what_is_due_stands_on_top_with_the_command_that_begins_it() {
        let lines = vec![
            line("lru_cache", -2, 5, Outcome::Hinted),
            line("loan_desk", 0, 0, Outcome::Failed),
            line("gift_boxes", 9, 1, Outcome::Unaided),
        ];
        insta::assert_snapshot!(screen(lines), @"
        Due:
          • LRU Cache (lru_cache), for 2 days: you needed hints the last time. Last:
            attempt 5 days ago, solved with hints.
          • LRU Cache (loan_desk), since today: you needed hints the last time. Last:
            attempt less than a day ago, not solved.

        Later:
          • LRU Cache (gift_boxes), in 9 days: you needed hints the last time. Last:
            attempt 1 day ago, solved unaided.

        Begin with: vosimctl start lru_cache, or vosimctl attempt start lru_cache
        ");
    }

    #[test]
    fn that_nothing_is_due_is_said() {
        insta::assert_snapshot!(screen(Vec::new()), @"Nothing to solve again: no session about a problem has ended yet.");
        insta::assert_snapshot!(screen(vec![line("a", 1, 0, Outcome::Level4)]), @"
        Nothing is due.

        Later:
          • LRU Cache (a), in 1 day: you needed hints the last time. Last: attempt less
            than a day ago, solved after the solution was shown.
        ");
    }
}
