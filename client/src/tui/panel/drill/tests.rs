//! The screen of a drill as text, and what its lines do.

use std::collections::BTreeMap;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use vosim_protocol::v1::drill::{Phase, View};
use vosim_protocol::v1::service::ProgressNotice;
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Role};

use crate::errors::{code, user_error};
use crate::intent::FileMeant;
use crate::intent::drill::Intent;
use crate::intent::request::Answer;
use crate::render::look::{Charset, Look};
use crate::render::picture::Picture;
use crate::render::samples;
use crate::tui::app::{self, Dispatch, Opening};
use crate::tui::panel::drill::DrillPanel;
use crate::tui::testing::{
    assert_reads_as_in_line_mode, at_sizes, ctrl, enter, key, remark, screen, types,
};

type App = app::App<DrillPanel>;
type Msg = app::Msg<View>;
type Action = app::Action<Intent>;

const STANDARD: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 60);

fn view(phase: Phase) -> View {
    let allowed: &[&str] = match phase {
        Phase::ProblemPresented => &["submit", "end"],
        Phase::Evaluating => &["end"],
        Phase::AwaitingAction => &["submit", "hint", "give_up", "end"],
        Phase::Done => &[],
    };
    View {
        allowed: allowed.iter().map(|word| (*word).to_owned()).collect(),
        ..samples::view(phase)
    }
}

fn app_of(phase: Phase, role: Role) -> App {
    let mut app = silent(phase, role);
    let over = phase == Phase::Done;
    for record in samples::records().into_iter().filter(|r| over || r.event_type != "SESSION_ENDED")
    {
        app.update(Msg::Event(Box::new(record)));
    }
    app
}

/// Before the first event has come.
fn silent(phase: Phase, role: Role) -> App {
    let panel = DrillPanel { view: view(phase), card: samples::card() };
    let (now, cursor, after) = (samples::at(12), EventId(9), EventId::ZERO);
    App::new(
        Look::PLAIN,
        STANDARD,
        Opening { role, panel, now, cursor, after, drafts: BTreeMap::new() },
    )
}

fn app() -> App {
    app_of(Phase::AwaitingAction, Role::Candidate)
}

fn does(intent: Intent) -> Vec<Action> {
    vec![Action::Send(Dispatch::Do(intent))]
}

#[test]
fn every_phase_on_a_small_and_a_large_terminal() {
    let phases = [Phase::ProblemPresented, Phase::Evaluating, Phase::AwaitingAction, Phase::Done];
    let all: Vec<_> = phases
        .into_iter()
        .map(|phase| {
            let shown = at_sizes(&mut app_of(phase, Role::Candidate), &[STANDARD, LARGE]);
            format!("{}\n{shown}", phase.name())
        })
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_narrow_ascii_terminal_and_an_observer() {
    let mut app = app_of(Phase::AwaitingAction, Role::Observer);
    app.look = Look { charset: Charset::Ascii, ..Look::PLAIN };
    let text = screen(&mut app, (40, 12));
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_new_drill_begins_with_its_problem() {
    let mut app = app_of(Phase::ProblemPresented, Role::Candidate);
    let text = screen(&mut app, (80, 16));
    assert_eq!(text.lines().nth(2), Some("Problem: LRU Cache"), "{text}");
    (0..9).for_each(|_| drop(app.update(key(KeyCode::PageDown))));
    let text = screen(&mut app, (80, 16));
    assert!(!text.contains("Problem: LRU Cache"), "{text}");
    (0..9).for_each(|_| drop(app.update(key(KeyCode::PageUp))));
    assert!(screen(&mut app, (80, 16)).contains("Problem: LRU Cache"));
}

#[test]
fn the_time_used_goes_on_until_the_end() {
    let mut app = app();
    app.update(Msg::Tick(Duration::from_secs(30)));
    assert!(screen(&mut app, STANDARD).lines().next().unwrap().ends_with("16m 02s used"));
    let mut app = app_of(Phase::Done, Role::Candidate);
    app.update(Msg::Tick(Duration::from_secs(30)));
    assert!(screen(&mut app, STANDARD).lines().next().unwrap().ends_with("15m 32s used"));
}

#[test]
fn words_behind_a_slash_do_what_the_commands_do() {
    let file = || FileMeant::Known("a.py".into());
    let last = || FileMeant::Known("/home/ada/lru_cache.py".into());
    for (line, expected) in [
        ("/submit a.py", Intent::Submit { file: file(), again: false }),
        ("/submit", Intent::Submit { file: last(), again: false }),
        ("/submit --again", Intent::Submit { file: last(), again: true }),
        ("/test a.py", Intent::Test { file: file(), cases: Vec::new() }),
        ("/test", Intent::Test { file: last(), cases: Vec::new() }),
        ("/hint", Intent::Hint { confirm: false }),
        ("/give-up", Intent::GiveUp { confirm: false }),
        ("/result", Intent::Result),
        ("/problem", Intent::Problem),
        ("/end", Intent::End),
    ] {
        let mut app = app();
        types(&mut app, line);
        assert_eq!(enter(&mut app), does(expected), "{line}");
    }
    let mut app = app();
    assert_eq!(app.update(key(KeyCode::F(2))), does(Intent::Problem));
    let mut app = self::app();
    types(&mut app, "hello");
    assert_eq!(enter(&mut app), does(Intent::Say("hello".to_owned())), "it may be an answer");
}

#[test]
fn the_solution_is_shown_after_a_yes_alone() {
    let refused = || {
        let error = ErrorObject::new(ErrorCode::ConfirmationRequired, "this would show it");
        Msg::Answered(Err(error.into()))
    };
    let asked = || {
        let mut app = app();
        types(&mut app, "/give-up");
        enter(&mut app);
        app.update(refused());
        app
    };
    let mut app = asked();
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("This would show it Press y for yes, any other key for no."), "{text}");
    assert_eq!(app.update(key(KeyCode::Char('y'))), does(Intent::GiveUp { confirm: true }));
    for no in [key(KeyCode::Char('n')), key(KeyCode::Enter), ctrl('c'), ctrl('y')] {
        let mut app = asked();
        assert_eq!(app.update(no), []);
        assert_eq!(remark(&app), "Nothing was done.");
        assert!(app.pending.is_none() && app.question.is_none());
    }
}

/// Who types a whole word says no more than who presses one key, and nothing of it reaches anybody.
#[test]
fn a_question_takes_a_whole_word_and_no_more_than_that() {
    let asked = || {
        let mut app = app();
        types(&mut app, "/give-up");
        enter(&mut app);
        let error = ErrorObject::new(ErrorCode::ConfirmationRequired, "this would show it");
        app.update(Msg::Answered(Err(error.into())));
        app
    };
    for (typed, agrees) in [("y", true), ("yes", true), ("YES", true), ("n", false), ("no", false)]
    {
        let mut app = asked();
        let mut actions = Vec::new();
        for c in typed.chars() {
            actions.extend(app.update(key(KeyCode::Char(c))));
        }
        actions.extend(enter(&mut app));
        let expected = if agrees { does(Intent::GiveUp { confirm: true }) } else { vec![] };
        assert_eq!(actions, expected, "{typed}");
        assert!(app.editor.is_empty(), "{typed}");
        types(&mut app, "ok");
        assert_eq!(app.editor.text(), "ok", "{typed}");
    }
    let mut app = asked();
    for c in "yesterday".chars() {
        app.update(key(KeyCode::Char(c)));
    }
    assert_eq!(app.editor.text(), "esterday", "only what completes the word belongs to it");
    let mut app = asked();
    types(&mut app, "What is a map?");
    assert_eq!(remark(&app), "Nothing was done.");
    assert_eq!(app.editor.text(), "What is a map?");
}

#[test]
fn a_trial_shows_how_far_it_is_and_then_its_cases() {
    let mut app = app();
    types(&mut app, "/test a.py");
    enter(&mut app);
    let progress = ProgressNotice {
        subscription: None,
        text: "eviction".to_owned(),
        done: 2,
        of: Some(12),
        hindered: false,
    };
    app.update(Msg::Progress(progress));
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("Running: /test a.py: eviction (3 of 12)"), "{text}");
    let lines = |look: &Look| {
        let case = |number| format!("case {number} of {} columns\n", look.width);
        (1..=40).map(case).collect::<String>()
    };
    app.update(Msg::Answered(Ok(Answer::Page(Picture::new(lines)))));
    let text = screen(&mut app, STANDARD);
    assert!(text.starts_with("case 1 of 80 columns\n"), "{text}");
    assert!(text.contains("Lines 1 to 23 of 40; PageUp and PageDown move"), "{text}");
    app.update(key(KeyCode::PageDown));
    assert!(screen(&mut app, STANDARD).contains("case 40 of 80 columns\n"));
    assert!(screen(&mut app, (60, 50)).contains("case 1 of 60 columns\n"));
    assert!(screen(&mut app, (60, 50)).contains("Any key goes back; what you type is kept."));
    app.update(key(KeyCode::Esc));
    assert!(app.overlay.is_none() && app.progress.is_none() && app.editor.is_empty());
}

#[test]
fn a_whole_drill_reads_on_the_screen_word_by_word_as_in_line_mode() {
    for role in [Role::Candidate, Role::Observer, Role::Interviewer] {
        assert_reads_as_in_line_mode(silent(Phase::Done, role));
    }
}

/// The steps of a run may be minutes apart, so the first one must not be lost.
#[test]
fn what_is_heard_of_a_run_stays_until_the_run_has_ended() {
    let mut app = app();
    types(&mut app, "/submit a.py");
    enter(&mut app);
    let progress = ProgressNotice {
        subscription: Some(1),
        text: "eviction".to_owned(),
        done: 2,
        of: Some(12),
        hindered: false,
    };
    app.update(Msg::Progress(progress));
    let snapshot =
        |phase| Msg::View(Box::new(app::Snapshot { view: view(phase), now: samples::at(13) }));
    let accepted = Box::new(samples::accepted(Vec::new()));
    app.update(Msg::Answered(Ok(Answer::Accepted { what: "Your submission", accepted })));
    app.update(snapshot(Phase::AwaitingAction));
    app.update(snapshot(Phase::Evaluating));
    assert!(screen(&mut app, STANDARD).contains("eviction (3 of 12)"));
    app.update(snapshot(Phase::AwaitingAction));
    assert!(app.progress.is_none());
}

#[test]
fn a_hint_of_two_lines_reads_as_two_sentences() {
    let hint = "Submit first\nA question to begin with: why?";
    let failure = user_error(code::USAGE, "nothing is there").hint(hint);
    let shown = "Nothing is there. Submit first. A question to begin with: why?";
    assert_eq!(app::reason(&failure), shown);
}
