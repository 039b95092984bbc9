//! Laws of all screens at once: they fit, and they are harmless.

use vosim_protocol::Role;
use vosim_protocol::v1::drill::{DrillOutcome, Phase};
use vosim_protocol::v1::problem::Language;

use crate::render::look::{Boxes, Charset, Colour, Look};
use crate::render::text::columns;
use crate::render::{drill, interview, problem, samples, sessions, telling};

/// Every screen whose lines can all be broken; commands and paths to copy are left out.
fn screens(look: &Look) -> Vec<String> {
    let infos = samples::infos();
    let phases = [Phase::ProblemPresented, Phase::Evaluating, Phase::AwaitingAction, Phase::Done];
    let mut all: Vec<String> =
        phases.map(|phase| drill::status(&samples::view(phase), look)).into();
    let results = [
        samples::wrong_answer(),
        samples::pass(),
        samples::time_out(),
        samples::import_error(),
        samples::wrong_signature(),
    ];
    all.extend(results.iter().map(|result| drill::result(result, &infos, look)));
    all.push(drill::tested(&samples::wrong_answer().evaluation, &infos, look));
    all.extend((1..=4).map(|level| drill::hint(&samples::hint(level), None, look)));
    all.push(drill::feedback(&samples::feedback(), look));
    let ended = samples::ended(DrillOutcome::Success);
    all.push(drill::summary(&samples::view(Phase::Done), &ended, None, look));
    all.push(drill::started(samples::session(), &samples::card(), Language::Python, look));
    all.push(problem::card(&samples::card(), Language::Python, look));
    all.push(problem::list(&samples::problems(), look));
    all.push(sessions::list(&samples::sessions(), look));
    let line = |record: &_| telling::log_line(record, look);
    all.extend(samples::records().iter().map(line));
    all.extend(interviews(look));
    all
}

fn interviews(look: &Look) -> Vec<String> {
    let mut views = interview::samples::views();
    views.push(interview::samples::view());
    let mut all: Vec<String> = views.iter().map(|view| interview::status(view, look)).collect();
    all.extend(views.iter().map(|view| interview::summary(view, look)));
    all.extend(
        views.iter().filter_map(|view| interview::begun(&interview::samples::turn(view), look)),
    );
    all.push(interview::started(&views[0], &samples::card(), Language::Python, look));
    all.push(interview::held("", look));
    for record in interview::samples::records() {
        all.push(telling::sentence(&record, Role::Candidate, look));
        all.push(telling::log_line(&record, look));
    }
    all
}

#[test]
fn every_screen_fits_every_terminal() {
    for width in [40, 41, 57, 80, 120] {
        for charset in [Charset::Unicode, Charset::Ascii] {
            for boxes in [Boxes::Drawn, Boxes::None] {
                let look = Look { width, charset, boxes, ..Look::PLAIN };
                for screen in screens(&look) {
                    let wide = screen.lines().find(|line| columns(line) > width);
                    assert_eq!(wide, None, "{width} columns, {charset:?}, {boxes:?}:\n{screen}");
                }
            }
        }
    }
}

#[test]
fn ascii_screens_are_ascii_and_no_screen_holds_a_foreign_escape() {
    for screen in screens(&Look { charset: Charset::Ascii, ..Look::PLAIN }) {
        assert!(screen.is_ascii(), "{screen}");
        assert!(screen.chars().all(|c| c == '\n' || !c.is_control()), "{screen}");
    }
}

#[test]
fn colour_changes_no_word() {
    let coloured = screens(&Look { colour: Colour::On, ..Look::PLAIN });
    for (plain, coloured) in screens(&Look::PLAIN).iter().zip(coloured) {
        let mut text = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            text.push_str(before);
            rest = after.split_once('m').map_or("", |(_, after)| after);
        }
        text.push_str(rest);
        assert_eq!(text, *plain);
    }
}
