//! The end of an interview. It reports what happened and judges nobody.

use vosim_protocol::v1::interview::{Phase, View};

use crate::render::evaluation::verdict;
use crate::render::interview::status::stepper;
use crate::render::look::{Look, Tone};
use crate::render::page::{Line, Page, Panel};
use crate::render::sessions::session_id;
use crate::render::text::{count, duration, hints};

pub(crate) fn summary(view: &View, look: &Look) -> String {
    let mut about = vec![
        Line::field("Session ID", &session_id(view.session_id, look)),
        Line::field("Problem", &view.title),
        Line::field("Candidate", &view.candidate_id),
    ];
    if let (Some(started), Some(ended)) = (view.started, view.ended) {
        about.push(Line::field("Duration", &duration(ended.secs_since(started))));
    }
    if let Some(granted) = &view.accommodation {
        about.push(Line::field("Accommodation", granted));
    }
    let judged = match view.history.last() {
        None => Line::field("Final verdict", "nothing was judged"),
        Some(last) => {
            let (tone, text) = verdict(last);
            Line::toned_field("Final verdict", tone, &text)
        }
    };
    let assistant = count(view.assistant.queries, "question");
    let withheld = match view.assistant.violations {
        0 => String::new(),
        n => format!(", {} withheld", count(n, "answer")),
    };
    let outcome = match view.phase {
        Phase::Completed => "completed: all sections are over",
        Phase::Terminated => "ended before its time",
        Phase::NotStarted | Phase::InProgress | Phase::Paused | Phase::Closing => "not over yet",
    };
    let panel = Panel::titled("Interview Summary")
        .section(about)
        .section(stepper(view, look))
        .section(vec![
            Line::field("Submissions", &submissions(view).to_string()),
            judged,
            Line::field("Hints", &hints(&view.hint_levels)),
            Line::field("Assistant", &format!("{assistant}{withheld}")),
        ])
        .section(vec![Line::field("Outcome", outcome)]);
    let mut page = Page::new(look);
    page.panel(&panel).blank();
    page.say(Tone::Plain, "See the whole log with: vosimctl log");
    page.say(Tone::Plain, "See why a question was asked or a section ended with: vosimctl why N");
    page.say(
        Tone::Plain,
        "Write all of it for a reviewer with: vosimctl export --bundle evaluation -o FILE",
    );
    page.finish()
}

/// Those that are shown and those before them.
fn submissions(view: &View) -> usize {
    view.history.len() + usize::try_from(view.history_omitted).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::interview::samples;

    #[test]
    fn a_summary_tells_each_section_s_end_and_what_was_used() {
        let ended: Vec<_> = samples::views().into_iter().filter(|v| v.ended.is_some()).collect();
        assert_eq!(ended.len(), 2);
        let all: Vec<_> = ended.iter().map(|view| summary(view, &Look::PLAIN)).collect();
        insta::assert_snapshot!(all.join("\n"));
        insta::assert_snapshot!(summary(&ended[0], &Look { width: 60, ..Look::PLAIN }));
    }
}
