//! Where a drill stands (000: status).

use vosim_protocol::v1::drill::{DrillOutcome, Phase, View};
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::judging::ResultLine;

use crate::render::look::{Icon, Look, Tone};
use crate::render::page::{Line, Page, Panel};
use crate::render::sessions::session_id;
use crate::render::text::{duration, hints};

pub(crate) fn status(view: &View, look: &Look) -> String {
    let mut work = vec![
        // 000: the label of its panel, as in `end`.
        Line::field("Attempts", &view.submissions.to_string()),
        last_result(view.last_result.as_ref(), look),
        Line::field("Hints Used", &hints(&view.hint_levels)),
    ];
    if view.history.len() > 1 {
        work.push(Line::plain("History:"));
        if view.history_omitted > 0 {
            let text = format!("  {} before these, in the log", view.history_omitted);
            work.push(Line::plain(&text));
        }
        work.extend(view.history.iter().map(|line| history(line, look)));
    }
    let panel = Panel::titled("Session Status")
        .section(vec![
            Line::field("Session ID", &session_id(view.session_id, look)),
            Line::field("Problem", &view.title),
            Line::field("Started", &look.moment(view.started)),
            Line::field("Duration", &duration(view.duration_seconds)),
        ])
        .section(work)
        .section(vec![Line::field("Status", &standing(view))]);
    let mut page = Page::new(look);
    page.panel(&panel);
    page.finish()
}

/// `❌ Failed: 5/12 tests passed`.
pub(crate) fn verdict(passed: u32, failed: u32, look: &Look) -> (Tone, String) {
    let total = passed + failed;
    let (tone, icon, word) = if failed == 0 && total > 0 {
        (Tone::Good, Icon::Pass, "Passed")
    } else {
        (Tone::Bad, Icon::Fail, "Failed")
    };
    (tone, format!("{}{word}: {passed}/{total} tests passed", look.icon(icon)))
}

/// How a drill went, in words.
pub(crate) fn outcome(outcome: DrillOutcome) -> &'static str {
    match outcome {
        DrillOutcome::Success => "Success!",
        DrillOutcome::PartialSuccess => "Partial success",
        DrillOutcome::Failure => "Not solved",
        DrillOutcome::Abandoned => "Abandoned: nothing was judged",
    }
}

fn last_result(last: Option<&ResultLine>, look: &Look) -> Line {
    match last {
        None => Line::field("Last Result", "none yet"),
        Some(line) => {
            let (tone, text) = verdict(line.tests_passed, line.tests_failed, look);
            Line::toned_field("Last Result", tone, &text)
        }
    }
}

fn history(line: &ResultLine, look: &Look) -> Line {
    let total = line.tests_passed + line.tests_failed;
    let again = if line.repeated { ", the same file again" } else { "" };
    let text = format!(
        "  #{} {} {}/{total} ({}{again})",
        line.attempt_number,
        line.failure_type,
        line.tests_passed,
        look.clock(line.at)
    );
    let tone = if line.failure_type == FailureType::Pass { Tone::Good } else { Tone::Plain };
    Line::toned(tone, &text)
}

fn standing(view: &View) -> String {
    match view.phase {
        Phase::ProblemPresented => "Awaiting first submission".to_owned(),
        Phase::Evaluating => match view.evaluating {
            Some(submission) => format!("Evaluating submission {submission}"),
            None => "Evaluating".to_owned(),
        },
        Phase::AwaitingAction => {
            let passed = view.last_result.as_ref().is_some_and(|line| line.tests_failed == 0);
            if passed {
                "Solved: end it, or submit another solution"
            } else {
                "Awaiting next submission or hint"
            }
            .to_owned()
        }
        Phase::Done => match &view.ended {
            Some(ended) => format!("Ended: {}", outcome(ended.outcome)),
            None => "Ended".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::look::{Boxes, Charset, Colour};
    use crate::render::samples;

    #[test]
    fn before_the_first_submission() {
        insta::assert_snapshot!(status(&samples::view(Phase::ProblemPresented), &Look::PLAIN), @r#"
        ╭───────────────── Session Status ─────────────────╮
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000 │
        │ Problem: LRU Cache                               │
        │ Started: 2026-01-05 23:30:00                     │
        │ Duration: 15m 32s                                │
        ├──────────────────────────────────────────────────┤
        │ Attempts: 0                                      │
        │ Last Result: none yet                            │
        │ Hints Used: 0                                    │
        ├──────────────────────────────────────────────────┤
        │ Status: Awaiting first submission                │
        ╰──────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn while_a_submission_is_judged() {
        insta::assert_snapshot!(status(&samples::view(Phase::Evaluating), &Look::PLAIN), @r#"
        ╭───────────────── Session Status ─────────────────╮
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000 │
        │ Problem: LRU Cache                               │
        │ Started: 2026-01-05 23:30:00                     │
        │ Duration: 15m 32s                                │
        ├──────────────────────────────────────────────────┤
        │ Attempts: 1                                      │
        │ Last Result: ❌ Failed: 3/12 tests passed        │
        │ Hints Used: 2 (Levels 1, 2)                      │
        ├──────────────────────────────────────────────────┤
        │ Status: Evaluating submission 2                  │
        ╰──────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn after_a_verdict() {
        insta::assert_snapshot!(status(&samples::view(Phase::AwaitingAction), &Look::PLAIN), @r#"
        ╭────────────────── Session Status ───────────────────╮
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000    │
        │ Problem: LRU Cache                                  │
        │ Started: 2026-01-05 23:30:00                        │
        │ Duration: 15m 32s                                   │
        ├─────────────────────────────────────────────────────┤
        │ Attempts: 3                                         │
        │ Last Result: ❌ Failed: 5/12 tests passed           │
        │ Hints Used: 2 (Levels 1, 2)                         │
        │ History:                                            │
        │   #1 EXCEPTION 3/12 (23:31:00)                      │
        │   #2 EXCEPTION 3/12 (23:32:00, the same file again) │
        │   #3 WRONG_ANSWER 5/12 (23:33:00)                   │
        ├─────────────────────────────────────────────────────┤
        │ Status: Awaiting next submission or hint            │
        ╰─────────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn after_the_end() {
        insta::assert_snapshot!(status(&samples::view(Phase::Done), &Look::PLAIN), @r#"
        ╭───────────────── Session Status ─────────────────╮
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000 │
        │ Problem: LRU Cache                               │
        │ Started: 2026-01-05 23:30:00                     │
        │ Duration: 15m 32s                                │
        ├──────────────────────────────────────────────────┤
        │ Attempts: 2                                      │
        │ Last Result: ✅ Passed: 12/12 tests passed       │
        │ Hints Used: 2 (Levels 1, 2)                      │
        │ History:                                         │
        │   #1 WRONG_ANSWER 5/12 (23:31:00)                │
        │   #3 PASS 12/12 (23:33:00)                       │
        ├──────────────────────────────────────────────────┤
        │ Status: Ended: Success!                          │
        ╰──────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn narrow_ascii_and_without_boxes() {
        let view = samples::view(Phase::AwaitingAction);
        let narrow = Look { width: 40, charset: Charset::Ascii, ..Look::PLAIN };
        let plain = Look { boxes: Boxes::None, charset: Charset::Ascii, ..Look::PLAIN };
        insta::assert_snapshot!(status(&view, &narrow) + &status(&view, &plain), @r#"
        +----------- Session Status -----------+
        | Session ID: 550e8400...              |
        | Problem: LRU Cache                   |
        | Started: 2026-01-05 23:30:00         |
        | Duration: 15m 32s                    |
        +--------------------------------------+
        | Attempts: 3                          |
        | Last Result:                         |
        |   Failed: 5/12 tests passed          |
        | Hints Used: 2 (Levels 1, 2)          |
        | History:                             |
        |   #1 EXCEPTION 3/12 (23:31:00)       |
        |   #2 EXCEPTION 3/12 (23:32:00, the   |
        | same file again)                     |
        |   #3 WRONG_ANSWER 5/12 (23:33:00)    |
        +--------------------------------------+
        | Status:                              |
        |   Awaiting next submission or hint   |
        +--------------------------------------+
        == Session Status ==
        Session ID: 550e8400-e29b-41d4-a716-446655440000
        Problem: LRU Cache
        Started: 2026-01-05 23:30:00
        Duration: 15m 32s
        Attempts: 3
        Last Result: Failed: 5/12 tests passed
        Hints Used: 2 (Levels 1, 2)
        History:
          #1 EXCEPTION 3/12 (23:31:00)
          #2 EXCEPTION 3/12 (23:32:00, the same file again)
          #3 WRONG_ANSWER 5/12 (23:33:00)
        Status: Awaiting next submission or hint
        "#);
    }

    #[test]
    fn colour_adds_to_the_words_and_replaces_none() {
        let view = samples::view(Phase::AwaitingAction);
        let coloured = status(&view, &Look { colour: Colour::On, ..Look::PLAIN });
        assert!(coloured.contains("\u{1b}[31m❌ Failed: 5/12 tests passed"));
    }
}
