//! The beginning of an interview: its plan, the statement, and then the first section.

use std::path::Path;

use vosim_protocol::v1::interview::{Turn, View};
use vosim_protocol::v1::phrase::Span;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::sentences::span;
use vosim_protocol::v1::service::ProblemCard;

use crate::render::interview::status::stepper;
use crate::render::interview::words::possible;
use crate::render::look::{Look, Tone};
use crate::render::markdown;
use crate::render::page::{Line, Page, Panel};
use crate::render::problem::statement;
use crate::render::sessions::session_id;
use crate::starter::Starter;

/// The plan and the problem, before the clock runs.
pub(crate) fn started(view: &View, card: &ProblemCard, language: Language, look: &Look) -> String {
    let total = view.sections.iter().map(|section| section.duration_ms).sum();
    let mut about = vec![
        Line::toned(Tone::Strong, &format!("Interview: {}", view.title)),
        Line::field("Session ID", &session_id(view.session_id, look)),
        Line::field("Candidate", &view.candidate_id),
        Line::field("Time", &span(Span::ms(total))),
    ];
    if let Some(granted) = &view.accommodation {
        about.push(Line::field("Accommodation", granted));
    }
    let mut page = Page::new(look);
    page.panel(&Panel::default().section(about).section(stepper(view, look))).blank();
    statement(&mut page, card, language);
    page.finish()
}

/// What became of the file to work in.
pub(crate) fn file_note(starter: Option<&Starter>, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank();
    match starter {
        Some(Starter::Written(path)) => {
            let text = format!("A file to work in was written: {}", path.display());
            page.say(Tone::Plain, &text);
        }
        Some(Starter::Same(path)) => {
            page.say(
                Tone::Plain,
                &format!("The file to work in already exists: {}", path.display()),
            );
        }
        Some(Starter::Taken { path, .. }) => {
            let text = format!("{} exists already and was left as it is.", path.display());
            page.say(Tone::Warn, &text);
        }
        None => {
            page.say(Tone::Plain, "Work in a file of your own, and have it watched with:");
            page.raw("  vosimctl interview watch FILE");
        }
    }
    page.finish()
}

/// A file that is watched from now on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watching<'w> {
    pub(crate) path: &'w Path,
    /// Nothing has that name: perhaps a slip.
    pub(crate) missing: bool,
    /// Another file that was watched until now.
    pub(crate) instead_of: Option<&'w str>,
}

impl<'w> Watching<'w> {
    /// The file as it is now.
    pub(crate) fn of(path: &'w Path) -> Self {
        Self { path, missing: !path.exists(), instead_of: None }
    }
}

/// What it means that a file is watched.
pub(crate) fn watching(watching: &Watching<'_>, look: &Look) -> String {
    let Watching { path, missing, instead_of } = watching;
    let mut page = Page::new(look);
    let text = format!(
        "{} is watched: each save is noted, and when the coding section ends it is submitted as \
         it stands.",
        path.display()
    );
    page.say(Tone::Plain, &text);
    if let Some(before) = instead_of {
        page.say(Tone::Warn, &format!("It replaces {before}."));
    }
    if *missing {
        page.say(Tone::Warn, "It does not exist yet; it counts from its first save on.");
    }
    page.finish()
}

/// What to do while the clock does not run yet.
pub(crate) fn held(session_flag: &str, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank().say(Tone::Plain, "The clock is not running yet. Start it with:");
    page.raw(&format!("  vosimctl {session_flag}interview begin"));
    page.finish()
}

/// How to go on from the first question: by single commands, or on the live screen.
pub(crate) fn onwards(session_flag: &str, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank().say(Tone::Plain, "Answer with single commands, such as:");
    page.raw(&format!("  vosimctl {session_flag}say 'TEXT'"));
    page.say(Tone::Plain, "or on a live screen, in this terminal or another one:");
    page.raw(&format!("  vosimctl {session_flag}attach --as candidate"));
    page.finish()
}

/// The boundary to a section: its goal, its deadline, its question, what can be done (001 9).
pub(crate) fn begun(turn: &Turn, look: &Look) -> Option<String> {
    let now = turn.opened.as_ref()?;
    let total = turn.sections;
    // A section that began a moment ago has its whole time.
    let time = span(Span::ms(now.time_remaining_ms.div_ceil(1000) * 1000));
    let deadline = look.clock(now.deadline);
    let panel = Panel::titled(&format!("Section {} of {total}", now.number))
        .section(vec![
            Line::toned(Tone::Strong, &now.title),
            Line::field("Goal", &now.goal),
            Line::field("Time", &format!("{time}, until {deadline}")),
        ])
        .section(vec![Line::field("You can", &possible(&turn.allowed_actions))]);
    let mut page = Page::new(look);
    page.blank().panel(&panel).blank();
    match &now.question {
        Some(question) => {
            page.say(Tone::Strong, "Interviewer:");
            markdown::draw(&mut page, question);
        }
        None => {
            page.say(Tone::Plain, "The first question is on its way: vosimctl status");
        }
    }
    Some(page.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::interview::samples;
    use crate::render::look::Boxes;
    use crate::render::samples::card;

    #[test]
    fn the_plan_and_the_statement_are_shown_whole() {
        let view = samples::views().remove(0);
        let drawn = started(&view, &card(), Language::Python, &Look::PLAIN);
        let path = Path::new("lru_cache.py");
        let file = file_note(Some(&Starter::Written(path.into())), &Look::PLAIN);
        let told = Watching { path, missing: false, instead_of: None };
        let watched = watching(&told, &Look::PLAIN);
        let held = held("--session 550e8400 ", &Look::PLAIN);
        insta::assert_snapshot!(drawn + &file + &watched + &held);
    }

    #[test]
    fn a_file_that_is_there_is_left_and_none_is_no_end() {
        let told = |starter: Option<&Starter>| file_note(starter, &Look::PLAIN);
        let path = || "my code/a.py".into();
        let all = [
            told(Some(&Starter::Taken { path: path(), free: None })),
            told(Some(&Starter::Same(path()))),
            told(None),
        ];
        insta::assert_snapshot!(all.concat(), @"

        my code/a.py exists already and was left as it is.

        The file to work in already exists: my code/a.py

        Work in a file of your own, and have it watched with:
          vosimctl interview watch FILE
        ");
    }

    #[test]
    fn a_file_that_is_not_there_and_one_that_is_left_are_told() {
        let path = Path::new("nofile.py");
        let told = Watching { path, missing: true, instead_of: Some("/home/ada/lru_cache.py") };
        insta::assert_snapshot!(watching(&told, &Look::PLAIN), @"
        nofile.py is watched: each save is noted, and when the coding section ends it is
        submitted as it stands.
        It replaces /home/ada/lru_cache.py.
        It does not exist yet; it counts from its first save on.
        ");
    }

    #[test]
    fn a_section_begins_with_a_clear_boundary() {
        let draw = |look: &Look| begun(&samples::turn(&samples::view()), look).unwrap();
        insta::assert_snapshot!(draw(&Look::PLAIN));
        let lines = Look { width: 60, boxes: Boxes::None, ..Look::PLAIN };
        insta::assert_snapshot!(draw(&lines));
        assert_eq!(begun(&samples::turn(&samples::views()[0]), &Look::PLAIN), None);
    }

    #[test]
    fn a_question_that_has_no_words_yet_is_said_to_come() {
        let mut view = samples::view();
        view.current_section.as_mut().unwrap().question = None;
        assert!(begun(&samples::turn(&view), &Look::PLAIN).unwrap().contains("is on its way"));
    }
}
