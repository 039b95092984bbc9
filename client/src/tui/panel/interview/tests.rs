//! The screen of an interview as text, and the state machine by its messages.

mod monkey;

use std::collections::BTreeMap;
use std::time::Duration;

use nix::sys::signal::Signal;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Color;
use serde_json::json;
use vosim_protocol::next::{self, Next};
use vosim_protocol::v1::effect::Obstacle;
use vosim_protocol::v1::interview::{Phase, Substate, View};
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::service::{Accepted, PresenceNotice, ProgressNotice, Receipt};
use vosim_protocol::v1::telling::{Channel, Telling, ToldRecord};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Role};

use crate::client::Loss;
use crate::errors::Failure;
use crate::intent::interview::Intent;
use crate::intent::request::Answer;
use crate::render::interview::samples;
use crate::render::look::{Charset, Colour, Look};
use crate::render::samples::{at, record};
use crate::tui::app::{self, Dispatch, Link, Opening};
use crate::tui::draw::draw;
use crate::tui::editor::TEXT_MAX_BYTES;
use crate::tui::panel::interview::InterviewPanel;
use crate::tui::testing::{
    assert_reads_as_in_line_mode, at_sizes, ctrl, enter, key, remark, screen, types,
};

type App = app::App<InterviewPanel>;
type Msg = app::Msg<View>;
type Action = app::Action<Intent>;
type Snapshot = app::Snapshot<View>;

const STANDARD: (u16, u16) = (80, 24);
const SIZES: [(u16, u16); 3] = [STANDARD, (120, 40), (40, 12)];

/// Something that is said at minute 2.
fn told(id: u64, channel: Channel, text: &str) -> ToldRecord {
    let late = text.starts_with("and at most");
    let section_id = Some("frame".to_owned());
    let said = Telling { section_id, late, ..Telling::spoken(channel, Phrase::said(text)) };
    let mut told = record(id, "TOLD", json!({}));
    (told.telling, told.record.timestamp) = (Some(said), at(2));
    told
}

fn comes(record: ToldRecord) -> Msg {
    Msg::Event(Box::new(record))
}

/// A time warning of the first section.
fn warning() -> ToldRecord {
    let warning = |record: &ToldRecord| record.event_type == "SECTION_TIME_WARNING";
    samples::records().into_iter().find(warning).unwrap()
}

fn talk() -> Vec<ToldRecord> {
    vec![
        told(4, Channel::Section, "Section 1 of 2: Frame the problem, 10 min"),
        told(6, Channel::Interviewer, "In your own words: what does `LRUCache` do?"),
        told(7, Channel::Candidate, "It drops the oldest \u{1b}[2Jkey.\nIs 0 a key? 漢字"),
        told(8, Channel::Interviewer, "Yes, 0 is a key."),
        told(12, Channel::System, "2 min left in \"Frame the problem\"."),
        told(15, Channel::Section, "Section 2 of 2: Build and verify, 15 min"),
        told(16, Channel::Candidate, "and at most 1000 keys"),
        told(28, Channel::Ask, "What is a doubly linked list?"),
        told(29, Channel::Assistant, "A list whose nodes know both neighbours."),
    ]
}

fn open() -> View {
    View { evaluating: None, pauses_at: None, accommodation: None, ..samples::view() }
}

fn app_of(view: View, role: Role) -> App {
    app_after(EventId::ZERO, view, role)
}

fn app_after(event: EventId, view: View, role: Role) -> App {
    let mut app = silent_after(event, view, role);
    talk().into_iter().for_each(|record| drop(app.update(comes(record))));
    app
}

/// Before the first event has come.
fn silent(view: View, role: Role) -> App {
    silent_after(EventId::ZERO, view, role)
}

fn silent_after(after: EventId, view: View, role: Role) -> App {
    let Snapshot { view, now } = snapshot(view);
    let (panel, cursor) = (InterviewPanel { view }, EventId::ZERO);
    App::new(
        Look::PLAIN,
        STANDARD,
        Opening { role, panel, now, cursor, after, drafts: BTreeMap::new() },
    )
}

/// A view as it comes from the daemon.
fn snapshot(view: View) -> Snapshot {
    Snapshot { now: view.at, view }
}

fn app() -> App {
    let mut app = app_of(open(), Role::Candidate);
    app.update(Msg::Presence(here()));
    app
}

fn here() -> PresenceNotice {
    PresenceNotice { subscription: 1, candidates: 1, observers: 2, interviewers: 0, agents: 0 }
}

fn all_sizes(app: &mut App) -> String {
    at_sizes(app, &SIZES)
}

fn does(intent: Intent) -> Action {
    Action::Send(Dispatch::Do(intent))
}

/// Sent, as begun in the section that the sample has open.
fn said(text: &str) -> Vec<Action> {
    said_in(Some("build"), text)
}

fn said_in(section: Option<&str>, text: &str) -> Vec<Action> {
    let section = section.map(str::to_owned);
    vec![does(Intent::Say { text: text.to_owned(), section })]
}

fn accepted(events: Vec<ToldRecord>) -> Msg {
    accepted_with(None, events)
}

fn accepted_with(receipt: Option<Receipt>, events: Vec<ToldRecord>) -> Msg {
    let accepted = crate::render::samples::accepted(events);
    let accepted = Accepted { cursor: EventId(40), receipt, ..accepted };
    let accepted = Box::new(accepted);
    Msg::Answered(Ok(Answer::Accepted { what: "Your message", accepted }))
}

fn refused(message: &str) -> Msg {
    let error =
        ErrorObject::new(ErrorCode::InvalidTransition, message).next(Next::edit("try /begin"));
    Msg::Answered(Err(error.into()))
}

#[test]
fn an_open_section_at_every_size() {
    insta::assert_snapshot!(all_sizes(&mut app()));
}

#[test]
fn every_substate_of_a_section() {
    let mut all = String::new();
    for substate in [
        Substate::SectionIntro,
        Substate::SectionQuestionActive,
        Substate::SectionFollowupActive,
        Substate::SectionWrapup,
    ] {
        let mut view = open();
        let at = view.at;
        if let Some(now) = &mut view.current_section {
            now.substate = substate;
            if substate == Substate::SectionIntro {
                now.question = None;
            }
            if substate == Substate::SectionWrapup {
                now.ends_at = Some(at.plus_secs(20));
            }
        }
        all += &format!("{substate:?}\n{}", screen(&mut app_of(view, Role::Candidate), STANDARD));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn every_phase_at_every_size() {
    let all: Vec<_> = samples::views()
        .into_iter()
        .map(|view| {
            let phase = view.phase.name();
            format!("{phase}\n{}", all_sizes(&mut app_of(view, Role::Candidate)))
        })
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn observers_and_interviewers_see_what_they_may_do() {
    let mut observer = app_of(open(), Role::Observer);
    let interviewed = samples::views().remove(1);
    let mut interviewer = app_of(interviewed, Role::Interviewer);
    let all = all_sizes(&mut observer) + &screen(&mut interviewer, STANDARD);
    insta::assert_snapshot!(all);
}

#[test]
fn a_lost_connection_is_told_and_the_clock_goes_on() {
    let mut app = app();
    app.update(Msg::Connection(Link::Lost(Loss::Broken)));
    app.update(Msg::Tick(Duration::from_secs(61)));
    types(&mut app, "still here");
    assert_eq!(enter(&mut app), said("still here"));
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("CONNECTION LOST"), "{text}");
    for size in SIZES {
        assert!(screen(&mut app, size).contains("12:59 left"), "the time is never cut");
    }
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("Waiting for the connection; your line is sent"), "{text}");
    insta::assert_snapshot!(all_sizes(&mut app));
    app.update(Msg::Connection(Link::Up));
    assert!(!screen(&mut app, STANDARD).contains("CONNECTION LOST"));
    app.update(Msg::Connection(Link::Lost(Loss::Stopped)));
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("VOSIMD WAS STOPPED") && !text.contains("reconnecting"), "{text}");
    assert!(text.contains("Whatever is sent next starts it again"), "{text}");
}

#[test]
fn a_warning_is_a_banner_for_some_seconds_and_larger_with_an_accommodation() {
    let mut app = app();
    app.update(Msg::Event(Box::new(warning())));
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("! 2 min left in \"Frame the problem\". !"), "{text}");
    app.update(Msg::Tick(Duration::from_secs(7)));
    assert!(app.banner.is_none());
    let view = View { accommodation: Some("150% time, larger warnings".to_owned()), ..open() };
    let mut app = app_of(view, Role::Candidate);
    app.update(Msg::Event(Box::new(warning())));
    app.update(Msg::Tick(Duration::from_secs(7)));
    insta::assert_snapshot!(screen(&mut app, STANDARD));
}

#[test]
fn two_boundaries_at_once_are_both_read() {
    let mut app = app();
    for name in ["SECTION_ENDED", "SECTION_STARTED"] {
        let record = samples::records().into_iter().find(|r| r.event_type == name).unwrap();
        app.update(Msg::Event(Box::new(record)));
    }
    let text = &app.banner.as_ref().unwrap().text;
    let ended = "\"Frame the problem\" has ended: its time is up.";
    let begun = "Section 1 of 2: Frame the problem, 7 min.";
    assert_eq!(*text, format!("{ended}  {begun}"));
    let text = screen(&mut app, STANDARD);
    let rows: Vec<_> = text.lines().skip(2).map(str::trim).take(2).collect();
    assert_eq!(rows[..2], [ended, begun]);
    let narrow = screen(&mut app, (40, 12));
    assert!(narrow.lines().nth(2).unwrap().contains("Section 1 of 2: Frame"), "{narrow}");
}

#[test]
fn a_late_message_is_told_in_its_receipt_and_in_the_transcript() {
    let mut app = app();
    types(&mut app, "and at most 1000 keys");
    enter(&mut app);
    let late = samples::records()
        .into_iter()
        .find(|r| r.event_type == "CANDIDATE_MESSAGE" && r.payload["late"] == json!(true))
        .unwrap();
    let receipt = Receipt {
        at: late.timestamp,
        part: Some("Frame the problem".to_owned()),
        until_deadline_micros: Some(-14_900_000),
        late: true,
    };
    app.update(accepted_with(Some(receipt), vec![late]));
    assert!(
        remark(&app).contains("14.9 s after the deadline: it counts as late"),
        "{:?}",
        app.remark
    );
    insta::assert_snapshot!(all_sizes(&mut app));
}

#[test]
fn a_run_shows_how_far_it_is() {
    let mut app = app_of(View { evaluating: Some(3), ..open() }, Role::Candidate);
    let progress = ProgressNotice {
        subscription: Some(1),
        text: "eviction".to_owned(),
        done: 2,
        of: Some(12),
        hindered: false,
    };
    app.update(Msg::Progress(progress));
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("Submission 3 is being judged: eviction (3 of 12)"), "{text}");
}

#[test]
fn ascii_terminals_get_ascii_and_nothing_is_only_a_colour() {
    let mut app = app();
    app.look = Look { charset: Charset::Ascii, ..Look::PLAIN };
    app.update(Msg::Paste("größe".to_owned()));
    let text = screen(&mut app, STANDARD);
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!(text);
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal.draw(|frame| draw(&app, frame)).unwrap();
    let plain = |cell: &ratatui::buffer::Cell| cell.fg == Color::Reset && cell.bg == Color::Reset;
    assert!(terminal.backend().buffer().content().iter().all(plain), "NO_COLOR");
    app.look.colour = Colour::On;
    terminal.draw(|frame| draw(&app, frame)).unwrap();
    assert!(!terminal.backend().buffer().content().iter().all(plain));
}

#[test]
fn escape_sequences_never_reach_the_terminal() {
    let mut app = app();
    app.update(Msg::Paste("x\u{1b}[2J\u{202e}\u{7}".to_owned()));
    for size in SIZES {
        app.update(Msg::Resize(size.0, size.1));
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
        terminal.draw(|frame| draw(&app, frame)).unwrap();
        let cells = terminal.backend().buffer().content();
        let obeyed = |c: char| c.is_control() || c == '\u{202e}';
        assert!(cells.iter().all(|cell| !cell.symbol().contains(obeyed)));
    }
    assert!(screen(&mut app, STANDARD).contains("oldest \\x1b[2Jkey."));
}

#[test]
fn a_line_is_sent_once_and_remembered() {
    let mut app = app();
    types(&mut app, "a map");
    assert_eq!(enter(&mut app), said("a map"));
    assert!(app.editor.is_empty());
    assert_eq!(enter(&mut app), [], "an empty line is nothing");
    app.update(accepted(vec![]));
    assert!(app.pending.is_none());
    app.update(key(KeyCode::Up));
    assert_eq!(app.editor.text(), "a map");
}

#[test]
fn a_line_belongs_to_the_section_it_was_begun_in() {
    let mut app = app();
    let mut next = open();
    let section = next.current_section.as_mut().unwrap();
    section.section_id = "close".to_owned();
    let next = || Msg::View(Box::new(snapshot(next.clone())));
    types(&mut app, "begun before");
    app.update(next());
    types(&mut app, " and sent after");
    assert_eq!(enter(&mut app), said_in(Some("build"), "begun before and sent after"));
    // What comes back keeps its place.
    app.update(refused("not now"));
    assert_eq!(enter(&mut app), said_in(Some("build"), "begun before and sent after"));
    app.update(accepted(Vec::new()));
    types(&mut app, "an answer");
    assert_eq!(enter(&mut app), said_in(Some("close"), "an answer"));
    app.update(accepted(Vec::new()));
    // A cleared line begins anew.
    types(&mut app, "x");
    app.update(Msg::View(Box::new(snapshot(open()))));
    app.update(ctrl('c'));
    types(&mut app, "another");
    assert_eq!(enter(&mut app), said("another"));
}

#[test]
fn a_refused_line_is_back_with_the_reason_above_it() {
    let mut app = app();
    types(&mut app, "a map");
    enter(&mut app);
    app.update(refused("the section is over"));
    assert_eq!(app.editor.text(), "a map");
    assert_eq!(remark(&app), "Not sent: The section is over. Try /begin");
    assert!(app.pending.is_none());
    insta::assert_snapshot!(screen(&mut app, STANDARD));
}

#[test]
fn a_receipt_goes_after_a_while_and_a_refusal_stays() {
    let mut app = app();
    types(&mut app, "a map");
    enter(&mut app);
    app.update(accepted(vec![]));
    assert_eq!(remark(&app), "Your message was received.");
    app.update(Msg::Tick(Duration::from_secs(19)));
    assert!(app.remark.is_some());
    app.update(Msg::Tick(Duration::from_secs(20)));
    assert!(app.remark.is_none());
    types(&mut app, "a map");
    enter(&mut app);
    app.update(refused("no"));
    app.update(Msg::Tick(Duration::from_secs(2000)));
    assert!(app.remark.is_some());
}

#[test]
fn a_next_step_is_told_as_it_is_typed_here() {
    let error = ErrorObject::new(ErrorCode::InvalidTransition, "no")
        .next(Next::run("say it in a few sentences", next::Action::Say))
        .next(Next::run("end the section", next::Action::Done));
    let told = crate::tui::app::reason(&Failure::from(error));
    assert_eq!(told, "No. Say it in a few sentences, or use '/done' to end the section");
}

#[test]
fn a_signal_is_kept_for_whoever_started_the_process() {
    let mut app = app();
    assert_eq!(app.update(Msg::Interrupted), [Action::Leave]);
    assert_eq!(app.signalled, None);
    assert_eq!(app.update(Msg::Terminated(Signal::SIGTERM)), [Action::Leave]);
    assert_eq!(app.signalled, Some(Signal::SIGTERM));
}

#[test]
fn a_refused_line_does_not_overwrite_what_was_typed_meanwhile() {
    let mut app = app();
    types(&mut app, "first");
    enter(&mut app);
    types(&mut app, "second");
    app.update(refused("no"));
    assert_eq!(app.editor.text(), "second");
    assert!(remark(&app).ends_with("Press Up to get the line back."));
    app.update(key(KeyCode::Up));
    assert_eq!(app.editor.text(), "first");
    app.update(key(KeyCode::Down));
    assert_eq!(app.editor.text(), "second");
}

#[test]
fn lines_wait_visibly_and_are_sent_one_by_one_in_their_order() {
    let mut app = app();
    types(&mut app, "first");
    assert_eq!(enter(&mut app), said("first"));
    app.update(Msg::Waiting);
    types(&mut app, "second");
    assert_eq!(enter(&mut app), [], "one at a time");
    assert!(app.editor.is_empty(), "what is typed next is a line of its own");
    types(&mut app, "third");
    assert_eq!(enter(&mut app), []);
    types(&mut app, "half");
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("Waiting for the connection"), "{text}");
    assert!(text.contains("2 more lines wait until then."), "{text}");
    assert_eq!(app.unsent(), ["first", "second", "third", "half"]);
    assert_eq!(app.update(accepted(vec![])), said("second"));
    assert_eq!(app.update(refused("the section is over")), said("third"), "each stands for itself");
    assert_eq!(app.update(accepted(vec![])), [typing(false)], "half a line stands there");
    assert_eq!(app.editor.text(), "half");
}

/// A terminal that marks no pastes sends their lines as they would be typed.
#[test]
fn lines_of_an_unmarked_paste_do_not_run_together() {
    let mut app = app();
    let mut actions = Vec::new();
    for c in "one\rtwo\rthree\r".chars() {
        actions.extend(app.update(key(if c == '\r' { KeyCode::Enter } else { KeyCode::Char(c) })));
    }
    for _ in 0..3 {
        actions.extend(app.update(accepted(vec![])));
    }
    actions.retain(|action| !matches!(action, Action::Tell(_)));
    assert_eq!(actions, [said("one"), said("two"), said("three")].concat());
}

#[test]
fn so_many_lines_wait_and_no_more() {
    let mut app = app();
    for _ in 0..65 {
        types(&mut app, "x");
        enter(&mut app);
    }
    types(&mut app, "one too many");
    enter(&mut app);
    assert_eq!(app.editor.text(), "one too many");
    assert!(remark(&app).contains("64 lines have not been sent yet"), "{}", remark(&app));
}

#[test]
fn leaving_with_a_line_on_its_way_asks_once() {
    let mut app = app();
    types(&mut app, "first");
    enter(&mut app);
    assert_eq!(app.update(ctrl('c')), []);
    assert!(remark(&app).contains("not been sent yet"));
    types(&mut app, "x");
    app.update(key(KeyCode::Backspace));
    assert_eq!(app.update(ctrl('d')), [], "typing on takes the question back");
    assert_eq!(app.update(ctrl('d')), [Action::Leave]);
    assert_eq!(app.unsent(), ["first"]);
}

#[test]
fn ctrl_c_clears_the_line_first_and_up_brings_it_back() {
    let mut app = app();
    types(&mut app, "half a thought");
    assert_eq!(app.update(ctrl('c')), []);
    assert!(app.editor.is_empty());
    app.update(key(KeyCode::Up));
    assert_eq!(app.editor.text(), "half a thought");
    app.update(ctrl('c'));
    assert_eq!(app.update(ctrl('c')), [Action::Leave]);
}

#[test]
fn words_behind_a_slash_do_what_they_say() {
    let watched = "/home/ada/lru_cache.py".into();
    for (line, expected) in [
        ("/done", vec![does(Intent::Done { section: Some("build".to_owned()) })]),
        ("/hint", vec![does(Intent::Hint)]),
        ("/submit", vec![does(Intent::Submit { file: Some(watched), again: false })]),
        ("/submit a.py", vec![does(Intent::Submit { file: Some("a.py".into()), again: false })]),
        ("/quit", vec![Action::Leave]),
        ("/help", vec![]),
        ("/frobnicate", vec![]),
        ("/note private", vec![]),
    ] {
        let mut app = app();
        types(&mut app, line);
        assert_eq!(enter(&mut app), expected, "{line}");
    }
    let mut app = app();
    types(&mut app, "/frobnicate");
    enter(&mut app);
    let told = "/frobnicate is not a command here. See the commands with: /help.";
    assert_eq!(remark(&app), format!("{told} Press Up to get the line back."));
    types(&mut app, "It is a map.");
    assert_eq!(enter(&mut app), said("It is a map."), "nothing is said behind a refused word");
    app.update(accepted(vec![]));
    types(&mut app, "/done");
    enter(&mut app);
    app.update(refused("the section is over"));
    assert!(app.editor.is_empty());
    app.update(key(KeyCode::Up));
    assert_eq!(app.editor.text(), "/done");
}

#[test]
fn roles_send_only_what_is_theirs() {
    let mut interviewer = app_of(open(), Role::Interviewer);
    types(&mut interviewer, "hello");
    assert_eq!(enter(&mut interviewer), []);
    assert_eq!(interviewer.editor.text(), "hello");
    assert!(remark(&interviewer).contains("/note TEXT"), "{:?}", interviewer.remark);
    interviewer.update(ctrl('u'));
    types(&mut interviewer, "/note too fast");
    assert_eq!(enter(&mut interviewer), [Action::Send(Dispatch::Note("too fast".to_owned()))]);
    let mut observer = app_of(open(), Role::Observer);
    types(&mut observer, "hello");
    observer.update(Msg::Paste("hello".to_owned()));
    assert_eq!(enter(&mut observer), []);
    assert!(observer.editor.is_empty());
    assert_eq!(observer.update(key(KeyCode::Char('q'))), [Action::Leave]);
}

#[test]
fn a_paste_of_several_lines_is_one_message_and_one_too_long_is_told() {
    let mut app = app();
    app.update(Msg::Paste("one\r\ntwo\rthree".to_owned()));
    assert_eq!(app.editor.text(), "one\ntwo\nthree");
    insta::assert_snapshot!(all_sizes(&mut app));
    app.update(Msg::Paste("x".repeat(TEXT_MAX_BYTES)));
    assert_eq!(app.editor.text(), "one\ntwo\nthree");
    assert!(remark(&app).starts_with("Nothing of the 33792 pasted bytes was taken"));
    assert_eq!(enter(&mut app), said("one\ntwo\nthree"));
}

#[test]
fn scrolling_keeps_its_place_while_entries_come() {
    let line = |n| comes(told(n, Channel::Candidate, &format!("line {n}")));
    let mut app = silent(open(), Role::Candidate);
    (1..60).for_each(|n| drop(app.update(line(n))));
    assert!(screen(&mut app, STANDARD).contains("line 59"));
    app.update(key(KeyCode::PageUp));
    let before = screen(&mut app, STANDARD);
    assert!(!before.contains("line 59"));
    app.update(line(60));
    let after = screen(&mut app, STANDARD);
    assert!(after.contains("1 new entry below; End shows it"), "{after}");
    let lines = |text: &str| {
        text.lines().filter(|l| l.contains("line ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&before), lines(&after));
    app.update(key(KeyCode::End));
    assert!(screen(&mut app, STANDARD).contains("line 60"));
    (0..50).for_each(|_| drop(app.update(key(KeyCode::PageUp))));
    assert!(
        screen(&mut app, STANDARD).contains("You: line 1\n"),
        "the oldest is as far as it goes"
    );
}

#[test]
fn what_came_after_an_event_is_shown_and_what_came_before_is_counted() {
    let mut app = app_after(EventId(16), open(), Role::Candidate);
    let ids: Vec<_> = app.transcript.entries.iter().map(|entry| entry.event_id.0).collect();
    assert_eq!(ids, [28, 29]);
    assert!(screen(&mut app, STANDARD).contains("7 earlier entries: vosimctl log"));
}

#[test]
fn another_store_is_another_log() {
    let mut app = app();
    assert_eq!(app.transcript.entries.len(), talk().len());
    app.update(Msg::Connection(Link::OtherStore));
    assert!(app.transcript.entries.is_empty());
}

#[test]
fn what_is_too_much_to_keep_is_counted_and_not_read_over() {
    let mut app = silent(open(), Role::Candidate);
    (1..=4003).for_each(|n| drop(app.update(comes(told(n, Channel::Candidate, "more")))));
    assert_eq!(app.transcript.entries.len(), 4000);
    app.transcript.older(usize::MAX, &app.viewing(), 9, 0);
    assert!(screen(&mut app, STANDARD).contains("3 earlier entries: vosimctl log"));
}

#[test]
fn help_and_status_lie_over_the_screen_and_any_key_goes_back() {
    let mut app = app();
    app.update(key(KeyCode::F(1)));
    let help = screen(&mut app, STANDARD);
    app.update(key(KeyCode::Esc));
    assert!(app.overlay.is_none() && app.editor.is_empty());
    types(&mut app, "/status");
    enter(&mut app);
    insta::assert_snapshot!(help + &screen(&mut app, STANDARD));
}

#[test]
fn what_is_begun_over_a_page_is_kept_whole_and_what_leaves_it_is_not_typed() {
    let mut app = app();
    let open = |app: &mut App| {
        app.update(key(KeyCode::F(1)));
        assert!(app.overlay.is_some());
    };
    for said_there in ["A map of keys", "quick answer", "? of the keys", "/q"] {
        open(&mut app);
        types(&mut app, said_there);
        assert!(app.overlay.is_none());
        assert_eq!(app.editor.text(), said_there);
        app.update(ctrl('u'));
    }
    for leaves in [KeyCode::Esc, KeyCode::Enter, KeyCode::F(1), KeyCode::Char(' '), KeyCode::Left] {
        open(&mut app);
        assert_eq!(app.update(key(leaves)), []);
        assert!(app.overlay.is_none() && app.editor.is_empty(), "{leaves:?}");
    }
    types(&mut app, "half");
    open(&mut app);
    assert_eq!(app.update(key(KeyCode::Enter)), [], "the Enter that leaves a page sends nothing");
    open(&mut app);
    types(&mut app, " a line");
    assert_eq!(enter(&mut app), said("half a line"));
    app.update(accepted(vec![]));
    open(&mut app);
    let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
    app.update(Msg::Key(KeyEvent::new(KeyCode::Char('@'), alt_gr)));
    assert!(app.overlay.is_none() && app.editor.text() == "@");
    let mut reads = app_of(self::open(), Role::Observer);
    reads.update(key(KeyCode::F(1)));
    assert_eq!(reads.update(key(KeyCode::Char('q'))), [], "who cannot type only goes back");
    assert!(reads.overlay.is_none());
}

#[test]
fn a_screen_that_is_too_small_says_so_with_the_time() {
    let mut app = app();
    types(&mut app, "text");
    insta::assert_snapshot!(screen(&mut app, (20, 5)), @"
    Too small:
    40x10 needed
    14:00 left
    Your text stays.
    ");
}

#[test]
fn the_end_is_told_when_the_session_breaks_off() {
    let mut app = app();
    types(&mut app, "not yet sent");
    assert_eq!(app.update(Msg::Broken(Failure::lost())), [Action::Leave]);
    assert!(app.broken.is_some());
    assert_eq!(app.unsent(), ["not yet sent"]);
    assert_eq!(app.panel.view.phase, Phase::InProgress);
}

#[test]
fn an_event_of_the_future_is_named_as_in_line_mode() {
    let mut app = app();
    app.update(Msg::Event(Box::new(record(50, "OF_THE_FUTURE", json!({ "x": 1 })))));
    assert!(screen(&mut app, STANDARD).contains("  OF_THE_FUTURE.\n"));
}

#[test]
fn a_whole_interview_reads_on_the_screen_word_by_word_as_in_line_mode() {
    for role in [Role::Candidate, Role::Observer, Role::Interviewer] {
        assert_reads_as_in_line_mode(silent(open(), role));
    }
}

fn typing(stopped: bool) -> Action {
    Action::Tell(Intent::Typing { stopped })
}

fn seconds(seconds: u64) -> Msg {
    Msg::Tick(Duration::from_secs(seconds))
}

#[test]
fn the_session_is_told_now_and_then_that_a_line_is_written() {
    let mut app = app();
    assert_eq!(app.update(key(KeyCode::Char('a'))), [typing(false)]);
    assert_eq!(app.update(key(KeyCode::Char('b'))), []);
    assert_eq!(app.update(seconds(9)), []);
    assert_eq!(app.update(key(KeyCode::Char('c'))), []);
    assert_eq!(app.update(seconds(12)), [], "nobody has pressed a key");
    assert_eq!(app.update(key(KeyCode::Char('d'))), [typing(false)]);
    // What is sent ends it; the next line is told of at once.
    assert_eq!(enter(&mut app), said("abcd"));
    app.update(accepted(Vec::new()));
    assert_eq!(app.update(key(KeyCode::Char('e'))), [typing(false)]);
}

#[test]
fn a_line_begun_while_another_is_on_its_way_is_told_of_once_that_is_taken() {
    let mut app = app();
    types(&mut app, "one");
    assert_eq!(enter(&mut app), said("one"));
    assert_eq!(app.update(key(KeyCode::Char('t'))), []);
    assert_eq!(app.update(seconds(1)), []);
    assert_eq!(app.update(accepted(Vec::new())), [typing(false)]);
    assert_eq!(app.update(seconds(2)), [], "once");
    assert_eq!(app.update(key(KeyCode::Backspace)), []);
    assert_eq!(app.update(seconds(6)), [typing(true)]);
}

#[test]
fn a_line_that_was_given_up_is_told_of_after_a_moment() {
    let mut app = app();
    assert_eq!(app.update(key(KeyCode::Char('a'))), [typing(false)]);
    assert_eq!(app.update(key(KeyCode::Backspace)), []);
    assert_eq!(app.update(seconds(2)), []);
    assert_eq!(app.update(key(KeyCode::Char('b'))), [], "another beginning");
    assert_eq!(app.update(key(KeyCode::Backspace)), []);
    assert_eq!(app.update(seconds(4)), []);
    assert_eq!(app.update(seconds(5)), [typing(true)]);
    assert_eq!(app.update(seconds(9)), []);
}

#[test]
fn a_line_that_was_given_up_for_a_command_is_told_of_too() {
    let mut app = app();
    assert_eq!(app.update(key(KeyCode::Char('a'))), [typing(false)]);
    assert_eq!(app.update(key(KeyCode::Backspace)), []);
    types(&mut app, "/result");
    assert_eq!(enter(&mut app).len(), 1);
    assert!(!app.update(seconds(1)).contains(&typing(true)));
    app.update(accepted(Vec::new()));
    assert_eq!(app.update(seconds(5)), [typing(true)]);
}

#[test]
fn commands_observers_and_sections_that_are_not_open_hold_nothing_back() {
    let mut app = app();
    types(&mut app, "/");
    assert_eq!(app.update(key(KeyCode::Char('d'))), []);
    let mut reads = app_of(open(), Role::Interviewer);
    assert_eq!(reads.update(key(KeyCode::Char('a'))), []);
    let closed = View { current_section: None, ..open() };
    let mut app = app_of(closed, Role::Candidate);
    assert_eq!(app.update(key(KeyCode::Char('a'))), []);
}

#[test]
fn a_watched_file_that_is_lost_is_warned_of_until_it_is_back() {
    let view = |lost| {
        let mut view = open();
        view.watched.as_mut().unwrap().lost = lost;
        view
    };
    let mut app = app_of(view(Some(Obstacle::Missing)), Role::Candidate);
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("lru_cache.py is gone; it was saved last at 23:41:50."), "{text}");
    assert!(!text.contains("lru_cache.py saved"), "{text}");
    app.update(Msg::View(Box::new(snapshot(view(None)))));
    let text = screen(&mut app, STANDARD);
    assert!(text.contains("lru_cache.py saved 23:41:50") && !text.contains("is gone"), "{text}");
}

#[test]
fn a_word_behind_a_slash_is_completed() {
    let mut app = app();
    types(&mut app, "/prob");
    app.update(key(KeyCode::Tab));
    assert_eq!(app.editor.text(), "/problem ");
    let mut app = self::app();
    types(&mut app, "/re");
    app.update(key(KeyCode::Tab));
    assert_eq!((app.editor.text(), remark(&app)), ("/re", "/result  /report"));
}

#[test]
fn whoever_reads_along_sees_that_the_candidate_writes_and_the_candidate_what_follows() {
    let view = View { typing_until: Some(at(4)), ..open() };
    let shown = screen(&mut app_of(view, Role::Observer), STANDARD);
    assert!(shown.contains("The candidate is writing."), "{shown}");
    let mut view = View { typing_until: Some(at(4)), ..open() };
    let section = view.current_section.as_mut().unwrap();
    (section.ends_at, section.substate) = (Some(at(3)), Substate::SectionWrapup);
    let shown = screen(&mut app_of(view, Role::Candidate), (120, 40));
    assert!(!shown.contains("is writing"), "{shown}");
    assert!(shown.contains("Shall we go on? /done, or keep talking"), "{shown}");
}
