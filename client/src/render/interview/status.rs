//! Where an interview stands (001 9): section, goal, time left, what comes, what can be done.

use vosim_protocol::v1::clauses;
use vosim_protocol::v1::interview::{
    AllowedAction, CurrentSection, Phase, SectionLine, SectionState, View,
};
use vosim_protocol::v1::phrase::Span;
use vosim_protocol::v1::sentences::span;

use crate::render::evaluation::verdict;
use crate::render::interview::words::{clock, obstacle, padded, phase, possible};
use crate::render::look::{Look, Signs, Tone};
use crate::render::markdown;
use crate::render::page::{Line, Page, Panel};
use crate::render::sessions::session_id;
use crate::render::text::{columns, count, hints};

pub(crate) fn status(view: &View, look: &Look) -> String {
    let mut panel = Panel::titled("Interview Status")
        .section(about(view, look))
        .section(stepper(view, look))
        .section(view.current_section.as_ref().map_or(Vec::new(), |now| current(view, now, look)))
        .section(work(view, look));
    panel = panel.section(standing(view, look));
    let mut page = Page::new(look);
    page.panel(&panel);
    if let Some(question) = view.current_section.as_ref().and_then(|now| now.question.as_ref()) {
        page.blank().say(Tone::Strong, "The open question:");
        markdown::draw(&mut page, question);
    }
    page.finish()
}

fn about(view: &View, look: &Look) -> Vec<Line> {
    let mut lines = vec![
        Line::field("Session ID", &session_id(view.session_id, look)),
        Line::field("Problem", &view.title),
        Line::field("Candidate", &view.candidate_id),
    ];
    if let Some(started) = view.started {
        lines.push(Line::field("Started", &look.moment(started)));
    }
    if let Some(ended) = view.ended {
        lines.push(Line::field("Ended", &look.moment(ended)));
    }
    if let Some(granted) = &view.accommodation {
        lines.push(Line::field("Accommodation", granted));
    }
    lines
}

/// Each section in one line, the open one marked in words.
pub(crate) fn stepper(view: &View, look: &Look) -> Vec<Line> {
    let widest = view.sections.iter().map(|line| columns(&line.title)).max().unwrap_or(0);
    let line = |(at, section): (usize, &SectionLine)| {
        let title = padded(&section.title, widest.min(TITLE_MAX));
        let time = span(Span::ms(section.duration_ms));
        let (tone, state) = match (section.state, section.exit_reason) {
            (SectionState::Upcoming, _) if view.ended.is_some() => {
                (Tone::Dim, "not reached".to_owned())
            }
            (SectionState::Upcoming, _) => (Tone::Plain, format!("to come, {time}")),
            (SectionState::Current, _) => (Tone::Strong, format!("now, {time}")),
            (SectionState::Ended, Some(reason)) => {
                (Tone::Dim, format!("ended: {}", clauses::exit(reason).text))
            }
            (SectionState::Ended, None) => (Tone::Dim, "ended".to_owned()),
        };
        let number = at + 1;
        let mark = match (look.signs, section.state) {
            // The words say which one it is.
            (Signs::None, _) => {
                return Line::toned(tone, &format!("{number}. {}, {state}", section.title));
            }
            (Signs::Drawn, SectionState::Current) => ">",
            (Signs::Drawn, SectionState::Upcoming | SectionState::Ended) => " ",
        };
        Line::toned(tone, &format!("{mark} {number}. {title}  {state}"))
    };
    view.sections.iter().enumerate().map(line).collect()
}

/// Titles beyond this are not lined up, columns.
const TITLE_MAX: usize = 24;

fn current(view: &View, now: &CurrentSection, look: &Look) -> Vec<Line> {
    // The daemon's deadline and the daemon's time: our own clock has no say.
    let left = u64::try_from(now.deadline.micros_since(view.at) / 1000).unwrap_or(0);
    let total = view.sections.len();
    let mut lines = vec![
        Line::field("Section", &format!("{} of {total}, {}", now.number, now.title)),
        Line::field("Goal", &now.goal),
        Line::toned_field(
            "Time left",
            if left <= SOON_MS { Tone::Warn } else { Tone::Strong },
            &format!("{} (until {})", clock(left), look.clock(now.deadline)),
        ),
    ];
    if let Some(ends) = now.ends_at {
        let text = format!("everything is covered; it ends at {}", look.clock(ends));
        lines.push(Line::field("Covered", &text));
    }
    if let (Some(asked), Some(cap)) = (now.followups_asked, now.followup_cap) {
        lines.push(Line::field("Follow-ups", &format!("{asked} of {cap}")));
    }
    if let Some(coverage) = &now.coverage {
        let told: Vec<_> = coverage
            .iter()
            .map(|(dimension, coverage)| {
                let word = match coverage {
                    vosim_protocol::v1::coverage::Coverage::NotCovered => "not yet",
                    vosim_protocol::v1::coverage::Coverage::PartiallyCovered => "partly",
                    vosim_protocol::v1::coverage::Coverage::Covered => "covered",
                };
                let optional = now.required.as_ref().is_some_and(|them| !them.contains(dimension));
                let optional = if optional { " (optional)" } else { "" };
                format!("{}{optional} {word}", dimension.replace('_', " "))
            })
            .collect();
        lines.push(Line::field("Coverage", &told.join(", ")));
    }
    lines
}

/// From here on the time left is a warning, milliseconds (001 5.1).
const SOON_MS: u64 = 120_000;

fn work(view: &View, look: &Look) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(submission) = view.evaluating {
        lines.push(Line::field("Running", &format!("submission {submission} is being judged")));
    }
    if view.testing {
        lines.push(Line::field("Running", "cases of your own"));
    }
    if let Some(last) = view.history.last() {
        let (tone, text) = verdict(last);
        lines.push(Line::toned_field("Last verdict", tone, &text));
    }
    if let Some(own) = &view.own_tests {
        let text = format!("{} of {} as expected", own.passed, own.passed + own.failed);
        lines.push(Line::field("Own cases", &text));
    }
    if !view.hint_levels.is_empty() {
        lines.push(Line::field("Hints", &hints(&view.hint_levels)));
    }
    if let Some(watched) = &view.watched {
        let saves = match watched.last_save {
            Some(last) => {
                format!("{}, last at {}", count(watched.saves, "save"), look.clock(last))
            }
            None => "no save yet".to_owned(),
        };
        let full =
            if watched.full { "; no more are kept, it counts as it stands at the end" } else { "" };
        let path = &watched.file_path;
        lines.push(match watched.lost {
            Some(why) => {
                let text = format!("{path} {} ({saves}{full})", obstacle(why));
                Line::toned_field("Watched", Tone::Warn, &text)
            }
            None => Line::field("Watched", &format!("{path} ({saves}{full})")),
        });
    }
    let assistant = &view.assistant;
    if let Some(kind) = assistant.pending {
        let text = format!("it answers a question ({})", kind.name());
        lines.push(Line::field("Assistant", &text));
    } else if assistant.queries > 0 {
        let withheld = match assistant.violations {
            0 => String::new(),
            n => format!(", {} withheld", count(n, "answer")),
        };
        let asked = count(assistant.queries, "question");
        lines.push(Line::field("Assistant", &format!("{asked}{withheld}")));
    }
    lines
}

fn standing(view: &View, look: &Look) -> Vec<Line> {
    let tone = if view.phase == Phase::Paused { Tone::Warn } else { Tone::Plain };
    let mut lines = vec![Line::toned_field("Status", tone, phase(view))];
    if let Some(until) = view.grace_until.filter(|until| *until > view.at) {
        let left = span(Span::between(view.at, until));
        let text = format!("until {}, for {left} more", look.clock(until));
        lines.push(Line::field("Late messages", &text));
    }
    if let Some(pauses) = view.pauses_at {
        let text = format!("no terminal is attached; it pauses at {}", look.clock(pauses));
        lines.push(Line::toned_field("Presence", Tone::Warn, &text));
    }
    if !view.allowed_actions.is_empty() {
        lines.push(Line::field("You can", &possible(&view.allowed_actions)));
    }
    if view.allowed_actions.contains(&AllowedAction::Begin) {
        lines.push(Line::field("Next", "start the clock with: vosimctl interview begin"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::effect::Obstacle;

    use super::*;
    use crate::render::interview::samples;
    use crate::render::look::{Boxes, Charset};

    #[test]
    fn an_open_section_with_all_that_can_stand_in_it() {
        insta::assert_snapshot!(status(&samples::view(), &Look::PLAIN));
        insta::assert_snapshot!(status(&samples::view(), &Look { width: 60, ..Look::PLAIN }));
        let lines = Look { boxes: Boxes::None, charset: Charset::Ascii, ..Look::PLAIN };
        insta::assert_snapshot!(status(&samples::view(), &lines));
    }

    #[test]
    fn before_the_clock_runs_and_in_each_later_phase() {
        let all: Vec<_> = samples::views().iter().map(|v| status(v, &Look::PLAIN)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn a_watched_file_that_is_lost_is_told_with_its_last_save() {
        let told = |why, saved: bool| {
            let mut view = samples::view();
            let watched = view.watched.as_mut().unwrap();
            (watched.lost, watched.saves) = (Some(why), u32::from(saved));
            watched.last_save = watched.last_save.filter(|_| saved);
            let shown = status(&view, &Look::PLAIN);
            shown.lines().find(|line| line.contains("Watched: ")).unwrap().to_owned()
        };
        let gone = told(Obstacle::Missing, true);
        assert!(gone.contains("lru_cache.py is gone (1 save, last at 23:41:50)"), "{gone}");
        let large = told(Obstacle::TooLarge, false);
        assert!(large.contains("lru_cache.py has more than 512 KiB (no save yet)"), "{large}");
    }

    #[test]
    fn the_time_left_is_the_daemon_s_deadline_less_the_daemon_s_time() {
        let mut view = samples::view();
        let now = view.current_section.as_mut().unwrap();
        now.deadline = view.at.plus_micros(61_000_000);
        // A field that somebody computed earlier is not what is shown.
        now.time_remaining_ms = 5;
        assert!(status(&view, &Look::PLAIN).contains("Time left: 1:01 ("));
        view.current_section.as_mut().unwrap().deadline = view.at.plus_secs(-3);
        assert!(status(&view, &Look::PLAIN).contains("Time left: 0:00 ("));
    }
}
