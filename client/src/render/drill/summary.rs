//! The end of a drill (000: end). It claims nothing that was not measured.

use vosim_protocol::v1::clauses;
use vosim_protocol::v1::drill::{DrillOutcome, SessionEnded, View};

use crate::render::drill::status::{outcome, verdict};
use crate::render::look::{Icon, Look, Tone};
use crate::render::page::{Line, Page, Panel};
use crate::render::sessions::session_id;
use crate::render::text::{clean, columns, duration, hints};

/// `log` is the file that holds the session in the form of 000.
pub(crate) fn summary(view: &View, ended: &SessionEnded, log: Option<&str>, look: &Look) -> String {
    let (tone, final_result) = if ended.outcome == DrillOutcome::Abandoned {
        (Tone::Plain, "nothing was judged".to_owned())
    } else {
        verdict(ended.final_tests_passed, ended.final_tests_failed, look)
    };
    let total = ended.final_tests_passed + ended.final_tests_failed;
    let mut work = vec![
        Line::field("Total Attempts", &ended.total_attempts.to_string()),
        Line::toned_field("Final Result", tone, &final_result),
    ];
    if ended.best_tests_passed > ended.final_tests_passed {
        let best = format!("{}/{total} tests passed", ended.best_tests_passed);
        work.push(Line::field("Best Result", &best));
    }
    work.push(Line::field("Hints Used", &hints(&view.hint_levels)));
    // A path that is cut in two can be neither copied nor opened.
    let (inside, below) = match log {
        Some(log) if columns(log) > Panel::room(look) => (None, Some(log)),
        log => (log, None),
    };
    let panel = Panel::titled("Drill Summary")
        .section(vec![
            Line::field("Session ID", &session_id(view.session_id, look)),
            Line::field("Problem", &view.title),
            Line::field("Duration", &duration(ended.duration_seconds)),
        ])
        .section(work)
        .section(words(view, ended, inside, look));
    let mut page = Page::new(look);
    page.panel(&panel);
    if let Some(log) = below {
        page.blank().say(Tone::Plain, "Session log saved to:").raw(&look.spell(&clean(log)));
    }
    page.finish()
}

fn words(view: &View, ended: &SessionEnded, log: Option<&str>, look: &Look) -> Vec<Line> {
    let success = ended.outcome == DrillOutcome::Success;
    let party = if success { look.icon(Icon::Success) } else { "" };
    let mut lines = vec![Line::field("Outcome", &format!("{}{party}", outcome(ended.outcome)))];
    if ended.assisted {
        lines.push(Line::plain("Solved after the reference solution had been shown."));
    }
    if success && let Some(measured) = &view.growth {
        lines.push(Line::plain(""));
        lines.push(Line::plain(&clauses::growth(measured).text));
    }
    if let Some(log) = log {
        lines.push(Line::plain(""));
        lines.push(Line::plain("Session log saved to:"));
        lines.push(Line::plain(log));
    }
    lines
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::drill::Phase;

    use super::*;
    use crate::render::samples;

    fn drawn(ended: &SessionEnded) -> String {
        let view = samples::view(Phase::Done);
        let log = Some("/home/ada/.local/share/vosim/exports/550e8400.jsonl");
        summary(&view, ended, log, &Look::PLAIN)
    }

    #[test]
    fn a_success_tells_what_was_measured_and_where_the_log_is() {
        insta::assert_snapshot!(drawn(&samples::ended(DrillOutcome::Success)), @r#"
        ╭─────────────────────────────── Drill Summary ───────────────────────────────╮
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000                            │
        │ Problem: LRU Cache                                                          │
        │ Duration: 24m 15s                                                           │
        ├─────────────────────────────────────────────────────────────────────────────┤
        │ Total Attempts: 3                                                           │
        │ Final Result: ✅ Passed: 12/12 tests passed                                 │
        │ Hints Used: 2 (Levels 1, 2)                                                 │
        ├─────────────────────────────────────────────────────────────────────────────┤
        │ Outcome: Success! 🎉                                                        │
        │                                                                             │
        │ Measured time per operation, by capacity: 310 ns at 1,000; 305 ns at 4,000; │
        │ 322 ns at 16,000. It stays constant.                                        │
        │                                                                             │
        │ Session log saved to:                                                       │
        │ /home/ada/.local/share/vosim/exports/550e8400.jsonl                         │
        ╰─────────────────────────────────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn a_partial_success_names_the_best_submission() {
        insta::assert_snapshot!(drawn(&samples::ended(DrillOutcome::PartialSuccess)), @r#"
        ╭─────────────────── Drill Summary ───────────────────╮
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000    │
        │ Problem: LRU Cache                                  │
        │ Duration: 24m 15s                                   │
        ├─────────────────────────────────────────────────────┤
        │ Total Attempts: 3                                   │
        │ Final Result: ❌ Failed: 7/12 tests passed          │
        │ Best Result: 9/12 tests passed                      │
        │ Hints Used: 2 (Levels 1, 2)                         │
        ├─────────────────────────────────────────────────────┤
        │ Outcome: Partial success                            │
        │                                                     │
        │ Session log saved to:                               │
        │ /home/ada/.local/share/vosim/exports/550e8400.jsonl │
        ╰─────────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn a_path_that_does_not_fit_stands_whole_below_the_panel() {
        let path = format!("/home/ada/{}/550e8400.jsonl", "deep/".repeat(20));
        let ended = samples::ended(DrillOutcome::Failure);
        let screen = summary(&samples::view(Phase::Done), &ended, Some(&path), &Look::PLAIN);
        assert!(screen.ends_with(&format!("╯\n\nSession log saved to:\n{path}\n")), "{screen}");
    }

    #[test]
    fn an_abandoned_session() {
        insta::assert_snapshot!(drawn(&samples::ended(DrillOutcome::Abandoned)), @r#"
        ╭─────────────────── Drill Summary ───────────────────╮
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000    │
        │ Problem: LRU Cache                                  │
        │ Duration: 24m 15s                                   │
        ├─────────────────────────────────────────────────────┤
        │ Total Attempts: 3                                   │
        │ Final Result: nothing was judged                    │
        │ Hints Used: 2 (Levels 1, 2)                         │
        ├─────────────────────────────────────────────────────┤
        │ Outcome: Abandoned: nothing was judged              │
        │                                                     │
        │ Session log saved to:                               │
        │ /home/ada/.local/share/vosim/exports/550e8400.jsonl │
        ╰─────────────────────────────────────────────────────╯
        "#);
    }
}
