//! The workbench of an attempt as text, and what is filled in on it.

use std::collections::BTreeMap;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use vosim_protocol::v1::attempt::{Command, Mode, View};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Role};

use crate::intent::attempt::Intent;
use crate::intent::request::Answer;
use crate::render::attempt::samples::{self, PLACES};
use crate::render::look::{Charset, Look};
use crate::render::samples as shared;
use crate::tui::app::{self, Dispatch, Opening, Snapshot};
use crate::tui::panel::attempt::AttemptPanel;
use crate::tui::testing::{
    assert_reads_as_in_line_mode, at_sizes, ctrl, enter, key, remark, screen, types,
};

type App = app::App<AttemptPanel>;
type Msg = app::Msg<View>;
type Action = app::Action<Intent>;

const STANDARD: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 60);

/// Before the first event has come.
fn silent(view: View, role: Role, drafts: BTreeMap<String, String>) -> App {
    let panel = AttemptPanel { view, card: shared::card() };
    let (now, cursor, after) = (shared::at(12), EventId(9), EventId::ZERO);
    let opening = Opening { role, panel, now, cursor, after, drafts };
    App::new(Look::PLAIN, STANDARD, opening)
}

fn app_of(view: View, role: Role, drafts: BTreeMap<String, String>) -> App {
    let mut app = silent(view, role, drafts);
    for record in samples::records() {
        app.update(Msg::Event(Box::new(record)));
    }
    app
}

fn at(place: &str) -> App {
    app_of(samples::view(place, Mode::Beginner), Role::Candidate, BTreeMap::new())
}

/// The newest view has come.
fn shows(app: &mut App, view: View) {
    app.update(Msg::View(Box::new(Snapshot { view, now: shared::at(12) })));
}

fn asked(actions: &[Action]) -> &Command {
    let sent = actions.iter().find_map(|action| match action {
        Action::Send(Dispatch::Do(Intent::Ask(command))) => Some(command),
        _ => None,
    });
    sent.unwrap_or_else(|| panic!("{actions:?}"))
}

fn drafts(actions: Vec<Action>) -> Vec<(&'static str, String)> {
    let kept = actions.into_iter().filter_map(|action| match action {
        Action::Keep { form, text } => Some((form, text)),
        _ => None,
    });
    kept.collect()
}

/// Everything that is typed, with the drafts that it leads to.
fn typed(app: &mut App, text: &str) -> Vec<Action> {
    text.chars().flat_map(|c| app.update(key(KeyCode::Char(c)))).collect()
}

fn every_step(mode: Mode, size: (u16, u16)) -> String {
    let shown = PLACES.map(|place| {
        let mut app = app_of(samples::view(place, mode), Role::Candidate, BTreeMap::new());
        format!("{place}\n{}", screen(&mut app, size))
    });
    shown.join("\n")
}

#[test]
fn every_step_of_a_beginner_on_a_small_terminal() {
    insta::assert_snapshot!(every_step(Mode::Beginner, STANDARD));
}

#[test]
fn every_step_of_a_beginner_on_a_large_terminal() {
    insta::assert_snapshot!(every_step(Mode::Beginner, LARGE));
}

#[test]
fn every_step_of_an_expert_on_a_small_terminal() {
    insta::assert_snapshot!(every_step(Mode::Expert, STANDARD));
}

#[test]
fn every_step_of_an_expert_on_a_large_terminal() {
    insta::assert_snapshot!(every_step(Mode::Expert, LARGE));
}

#[test]
fn an_observer_sees_the_same_panels_and_no_form() {
    let view = samples::view("plan, in doubt", Mode::Beginner);
    let mut app = app_of(view, Role::Observer, BTreeMap::new());
    insta::assert_snapshot!(at_sizes(&mut app, &[STANDARD, LARGE]));
}

#[test]
fn on_a_narrow_terminal_the_panels_are_pages_and_a_key_turns_them() {
    let mut app = at("understand, needs work");
    let mut shown = Vec::new();
    for _ in 0..4 {
        shown.push(screen(&mut app, (60, 20)));
        app.update(key(KeyCode::F(6)));
    }
    assert_eq!(screen(&mut app, (60, 20)), shown[0], "the last page leads to the first");
    app.look = Look { charset: Charset::Ascii, ..Look::PLAIN };
    let ascii = screen(&mut app, (60, 20));
    assert!(ascii.is_ascii(), "{ascii}");
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_whole_attempt_reads_on_the_screen_word_by_word_as_in_line_mode() {
    let view = samples::view("complete", Mode::Beginner);
    assert_reads_as_in_line_mode(silent(view, Role::Candidate, BTreeMap::new()));
}

#[test]
fn what_the_panels_show_the_status_of_line_mode_says() {
    for place in PLACES {
        let view = samples::view(place, Mode::Beginner);
        let look = Look { width: 400, ..Look::PLAIN };
        let said = crate::render::attempt::status(&view, &look);
        let panels = [
            crate::render::attempt::artifacts(&view, &look),
            crate::render::attempt::step(&view, &look),
        ];
        let missing: Vec<_> = panels
            .iter()
            .flat_map(|panel| panel.lines())
            .filter(|line| !said.lines().any(|other| other == *line))
            .collect();
        assert!(missing.is_empty(), "{place}: {missing:?}\n{said}");
    }
}

#[test]
fn a_form_is_filled_in_place_and_sent_as_it_stands() {
    let mut app = at("understand");
    let mut actions = Vec::new();
    let texts = samples::explained();
    for name in [
        "explanation",
        "inputOutputDescription",
        "constraintsDescription",
        "exampleWalkthrough",
        "wrongApproach",
    ] {
        for (row, line) in texts[name].lines().enumerate() {
            if row > 0 {
                app.update(key(KeyCode::Enter));
            }
            typed(&mut app, line);
        }
        actions = app.update(key(KeyCode::Tab));
    }
    assert!(matches!(actions[..], []), "Tab sends nothing: {actions:?}");
    let actions = app.update(ctrl('s'));
    let Command::UnderstandSubmit { explanation, wrong_approach, .. } = asked(&actions) else {
        panic!("{actions:?}");
    };
    assert_eq!(explanation, &texts["explanation"]);
    assert_eq!(wrong_approach, &texts["wrongApproach"]);
    // What is sent is in the draft before, and is none any more afterwards.
    let kept = drafts(actions).pop().unwrap();
    let actions = app.update(Msg::Answered(Ok(Answer::Done("Received.".to_owned()))));
    let (form, text) = kept;
    assert_eq!(actions, [Action::Sent { form, text }]);
    assert!(!app.desk.is_touched());
}

#[test]
fn what_is_typed_is_kept_while_it_is_typed_and_comes_back() {
    let mut app = at("understand");
    let mut kept = drafts(typed(&mut app, "It keeps 漢字 👩‍👩‍👧"));
    app.update(Msg::Paste("\r\n# two\r\nlines".to_owned()));
    kept.extend(drafts(app.update(Msg::Tick(Duration::from_secs(1)))));
    let (form, text) = kept.pop().unwrap();
    assert_eq!(form, "understand");
    assert_eq!(app.update(Msg::Tick(Duration::from_secs(2))), [], "it is kept once");
    let again = BTreeMap::from([(form.to_owned(), text)]);
    let view = samples::view("understand", Mode::Beginner);
    let app = app_of(view, Role::Candidate, again);
    let explanation = app.desk.current().unwrap().form.value("explanation").to_owned();
    assert_eq!(explanation, "It keeps 漢字 👩‍👩‍👧\n# two\nlines");
}

#[test]
fn a_new_view_a_resize_and_a_refusal_take_nothing_that_was_typed() {
    let mut app = at("understand");
    typed(&mut app, "Mine.");
    shows(&mut app, samples::view("understand, needs work", Mode::Beginner));
    for size in [(60, 20), (5, 3), LARGE, STANDARD] {
        screen(&mut app, size);
    }
    app.update(key(KeyCode::Tab));
    let actions = app.update(ctrl('s'));
    assert!(!actions.is_empty());
    let refused = ErrorObject::new(ErrorCode::InvalidTransition, "not now");
    app.update(Msg::Answered(Err(refused.into())));
    assert!(remark(&app).starts_with("Not now."), "{}", remark(&app));
    let explained = app.desk.forms.iter().find(|one| one.form.name == "understand").unwrap();
    assert_eq!(explained.form.value("explanation"), "Mine.");
}

#[test]
fn a_form_that_goes_while_it_is_filled_is_there_again_when_it_comes_back() {
    let mut app = at("verify");
    app.update(key(KeyCode::Tab));
    let kept = drafts(typed(&mut app, "mine"));
    assert_eq!(kept.len(), 1, "the rest waits for a moment");
    shows(&mut app, samples::view("implement", Mode::Beginner));
    let (form, text) = drafts(app.update(Msg::Tick(Duration::from_secs(1)))).pop().unwrap();
    assert!(form == "explain" && text.contains("mine"), "{form}: {text}");
    shows(&mut app, samples::view("verify", Mode::Beginner));
    assert_eq!(app.desk.current().unwrap().form.value("why"), "mine");
}

#[test]
fn a_choice_opens_the_gaps_that_hang_on_it() {
    let mut app = at("plan");
    let chosen = |app: &App, name: &str| app.desk.current().unwrap().form.value(name).to_owned();
    app.update(key(KeyCode::Down));
    assert_eq!(chosen(&app, "pattern"), "map_and_linked_list");
    app.update(key(KeyCode::Tab));
    typed(&mut app, "4");
    app.update(key(KeyCode::Tab));
    typed(&mut app, "i");
    assert_eq!(chosen(&app, "made"), "own", "in your own words");
    typed(&mut app, "1");
    assert_eq!(chosen(&app, "made"), "same_keys", "the first");
    let actions = app.update(ctrl('s'));
    assert_eq!(actions, [], "a gap is open");
    assert!(remark(&app).starts_with("Nothing is chosen yet in the field"), "{}", remark(&app));
    app.update(key(KeyCode::Tab));
    typed(&mut app, "1");
    let actions = app.update(ctrl('s'));
    let Command::PlanChoose { pattern_id, confidence, invariant_builder, invariant_text, .. } =
        asked(&actions)
    else {
        panic!("{actions:?}");
    };
    assert_eq!((pattern_id.as_str(), *confidence), ("map_and_linked_list", 4));
    assert_eq!(
        invariant_builder.as_ref().unwrap().choices,
        BTreeMap::from([("relation".into(), 0)])
    );
    assert_eq!(invariant_text, &None);
}

#[test]
fn every_step_can_be_done_from_its_forms() {
    for (place, form, fills) in [
        ("understand, needs work", "answer", &[KeyCode::Tab, KeyCode::Char('x')][..]),
        ("understand, needs work", "understand", &[]),
        ("plan, in doubt", "discover", &[KeyCode::Char('y')]),
        ("plan, in doubt", "choose", &[]),
        ("plan", "suggest", &[]),
        ("implement", "submit", &[KeyCode::Char('a')]),
        ("verify", "explain", &[KeyCode::Tab, KeyCode::Char('x')]),
        ("verify", "notes", &[KeyCode::Char('x')]),
        ("reflect", "reflect", &[KeyCode::Char('x')]),
        ("reflect", "challenge", &[KeyCode::Char('f'), KeyCode::Char('('), KeyCode::Char(')')]),
    ] {
        let mut app = at(place);
        for _ in 0..20 {
            if app.desk.current().unwrap().form.name == form {
                break;
            }
            app.update(key(KeyCode::Tab));
        }
        fills.iter().for_each(|code| drop(app.update(key(*code))));
        let actions = app.update(ctrl('s'));
        let sends = actions.iter().any(|action| matches!(action, Action::Send(_)));
        assert!(sends, "{place}: {form}: {}", remark(&app));
    }
}

#[test]
fn escape_leads_to_the_line_and_tab_back_to_the_form() {
    let mut app = at("implement");
    app.update(key(KeyCode::Esc));
    types(&mut app, "/hint");
    let actions = enter(&mut app);
    assert_eq!(asked(&actions), &Command::Hint {});
    app.update(key(KeyCode::Tab));
    typed(&mut app, "a.py");
    assert_eq!(app.desk.current().unwrap().form.value("file"), "a.py");
}

#[test]
fn an_editor_that_comes_back_has_the_last_word() {
    let mut app = at("understand");
    typed(&mut app, "short");
    let actions = app.update(ctrl('o'));
    let [Action::Edit { form: "understand", text }, ..] = &actions[..] else {
        panic!("{actions:?}")
    };
    let longer = text.replace("short", "short\nand long");
    app.update(Msg::Edited { form: "understand", text: Ok(longer) });
    assert_eq!(app.desk.current().unwrap().form.value("explanation"), "short\nand long");
    app.update(Msg::Edited { form: "understand", text: Ok("== Nothing ==\n".to_owned()) });
    assert!(remark(&app).contains("it has no field 'Nothing'"), "{}", remark(&app));
    assert_eq!(app.desk.current().unwrap().form.value("explanation"), "short\nand long");
}

#[test]
fn a_draft_of_another_terminal_is_followed() {
    let (mut one, mut other) = (at("understand"), at("understand"));
    let kept = drafts(typed(&mut one, "I"));
    let (form, text) = kept.into_iter().next().unwrap();
    other.update(Msg::Draft { form: form.to_owned(), text: Some(text) });
    assert_eq!(other.desk.current().unwrap().form.value("explanation"), "I");
    other.update(Msg::Draft { form: form.to_owned(), text: None });
    shows(&mut other, samples::view("understand", Mode::Beginner));
    assert_eq!(other.desk.current().unwrap().form.value("explanation"), "");
}

#[test]
fn panels_are_moved_by_pages_and_stay_inside() {
    const LOW: (u16, u16) = (80, 16);
    let mut app = at("understand, needs work");
    let top = screen(&mut app, LOW);
    (0..9).for_each(|_| drop(app.update(key(KeyCode::PageDown))));
    let bottom = screen(&mut app, LOW);
    assert_ne!(top, bottom);
    assert!(bottom.contains("A list is too slow."), "{bottom}");
    (0..9).for_each(|_| drop(app.update(key(KeyCode::PageUp))));
    assert_eq!(screen(&mut app, LOW), top);
}
