//! The laws of a session: what holds for every kind, whatever is asked and whenever.

mod laws;
mod verify;

use insta::assert_snapshot;
use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::session::ClockStep;
use vosim_protocol::{
    Blob, BlobRef, CommandId, EffectId, EventId, EventRecord, Hash, Json, Role, SessionId, Time,
    Wire,
};

use super::{Advance, Answer, AnySession, CommandInput, Input, Sealed, Session, check_blobs};
use crate::failure::LoadError;
use crate::kinds::drill::Drill;
use crate::metronome::Metronome;
use crate::moves::Moves;
use crate::rejection::Rejection;

const SESSION: SessionId = SessionId(uuid::Uuid::from_u128(7));

fn start() -> Time {
    "2026-01-05T23:30:00Z".parse().unwrap()
}

/// So many seconds after the start.
fn at(secs: i64) -> Time {
    start().plus_secs(secs)
}

fn command_id(n: u128) -> CommandId {
    CommandId(uuid::Uuid::from_u128(n))
}

/// A session with everything it made durable.
struct Played<K: Moves> {
    session: Session<K>,
    records: Vec<Sealed>,
    commands: u128,
}

impl<K: Moves> Played<K> {
    fn new() -> Self {
        let (session, records) = Session::create(SESSION, &K::spec(), start()).unwrap();
        Self { session, records, commands: 0 }
    }

    fn input(&mut self, input: &Input<'_>, at: Time) -> Answer {
        let Advance { next, records, answer, .. } = self.session.advance(input, at);
        self.session = next;
        self.records.extend(records);
        answer
    }

    /// A command under a new id.
    fn ask(&mut self, name: &str, args: &str, at: Time) -> Answer {
        self.commands += 1;
        let (id, args) = (command_id(self.commands), Json::from_bytes(args.as_bytes()).unwrap());
        let input = CommandInput {
            id,
            if_cursor: None,
            name,
            args: &args,
            blobs: &[],
            role: Role::Candidate,
        };
        self.input(&Input::Command(input), at)
    }

    fn lines(&self) -> Vec<Vec<u8>> {
        self.records.iter().map(|sealed| sealed.line.clone()).collect()
    }

    /// The exact bytes of the log.
    fn text(&self) -> String {
        let line = |sealed: &Sealed| String::from_utf8(sealed.line.clone()).unwrap() + "\n";
        self.records.iter().map(line).collect()
    }

    /// The log from an event on, with seconds since the start.
    fn log(&self, from: u64) -> String {
        let told = |record: &EventRecord| {
            let secs = record.timestamp.micros_since(start()) / 1_000_000;
            let (id, event_type) = (record.event_id, &record.event_type);
            format!("{id} {secs} s {event_type} {}\n", record.payload)
        };
        let records = self.records.iter().map(|sealed| &sealed.record);
        records.filter(|record| record.event_id.0 >= from).map(told).collect()
    }
}

#[test]
fn records_have_this_exact_form() {
    let mut played = Played::<Metronome>::new();
    played.ask("whisper", r#"{"text":"hush"}"#, at(1));
    let records = &played.records;
    let line = |n: usize| String::from_utf8(records[n].line.clone()).unwrap();
    assert_snapshot!(line(0), @r#"{"session_id":"00000000-0000-0000-0000-000000000007","event_id":1,"timestamp":"2026-01-05T23:30:00.000000Z","actor":"system","event_type":"SESSION_CREATED","payload":{"kind":"drill","title":"10 beats","spec":"sha256:8515a8f111e191647ab2b666ac483d544e2a4958c43755bb9621759fdaeee138"},"v":1,"prev_hash":"sha256:0000000000000000000000000000000000000000000000000000000000000000"}"#);
    assert_snapshot!(line(1), @r#"{"session_id":"00000000-0000-0000-0000-000000000007","event_id":2,"timestamp":"2026-01-05T23:30:00.000000Z","actor":"system","event_type":"WOUND","payload":{"first":"2026-01-05T23:31:00.000000Z"},"v":1,"prev_hash":"sha256:2d7c447f95879f3b3fd858d60b7e3a11a8b75945e08c43382da9e85913c6fb20"}"#);
    assert_snapshot!(line(2), @r#"{"session_id":"00000000-0000-0000-0000-000000000007","event_id":3,"timestamp":"2026-01-05T23:30:01.000000Z","actor":"interviewer","event_type":"WHISPERED","payload":{"text":"hush"},"v":1,"command_id":"00000000-0000-0000-0000-000000000001","command_hash":"sha256:3511b3652c8a353635c9cd5a7d8dd0dc3d5950b470965b1058c5155d578e7054","prev_hash":"sha256:cc915a093639faba388c93458a26e3252eb2aac571762bca2e98841faca6eb34"}"#);
    assert_snapshot!(line(3), @r#"{"session_id":"00000000-0000-0000-0000-000000000007","event_id":4,"timestamp":"2026-01-05T23:30:01.000000Z","actor":"interviewer","event_type":"SIGHED","payload":{},"v":1,"command_id":"00000000-0000-0000-0000-000000000001","prev_hash":"sha256:280b8206dd725750deb213b316a7c94d5c14a72a291063a1a6b986259ed016b8"}"#);
    for Sealed { record, line, .. } in records {
        assert_eq!(&EventRecord::from_bytes(line).unwrap(), record);
    }
}

#[test]
fn a_command_bears_its_id_on_every_event_and_its_hash_on_the_first() {
    let mut played = Played::<Metronome>::new();
    played.ask("whisper", r#"{"text":"hush"}"#, at(1));
    let records = &played.records[2..];
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|sealed| sealed.record.command_id == Some(command_id(1))));
    assert!(records[0].record.command_hash.is_some());
    assert_eq!(records[1].record.command_hash, None);
    assert_eq!(played.session.caused_by(command_id(1)), Some((EventId(3), EventId(4))));
    assert_eq!(played.session.caused_by(command_id(2)), None);
}

#[test]
fn deadlines_fire_first_each_at_its_own_time_and_then_the_command_is_decided() {
    let mut played = Played::<Metronome>::new();
    played.ask("alarm", r#"{"secs":70}"#, at(5));
    assert_eq!(played.ask("ring", "{}", at(190)), Answer::Accepted { events: 1 });
    assert_snapshot!(played.log(3), @r#"
    3 5 s ALARM_SET {"due":"2026-01-05T23:31:15.000000Z"}
    4 60 s BEAT {"number":1}
    5 75 s ALARM_RANG {"due":"2026-01-05T23:31:15.000000Z"}
    6 120 s BEAT {"number":2}
    7 180 s BEAT {"number":3}
    8 190 s RANG {"micros_left":50000000}
    "#);
    // A refusal does not take back what had become due before it.
    let refused = played.ask("alarm", r#"{"secs":0}"#, at(245));
    assert!(matches!(refused, Answer::Refused(Rejection::InvalidInput { .. })));
    assert_snapshot!(played.log(9), @r#"9 240 s BEAT {"number":4}"#);
}

#[test]
fn a_deadline_fires_at_its_own_instant_and_not_before() {
    let mut played = Played::<Metronome>::new();
    assert_eq!(played.session.next_deadline(), Some(at(60)));
    played.input(&Input::Tick, at(60).plus_micros(-1));
    assert_eq!(played.records.len(), 2);
    played.input(&Input::Tick, at(60));
    assert_snapshot!(played.log(3), @r#"3 60 s BEAT {"number":1}"#);
}

#[test]
fn after_the_end_nothing_is_due_wanted_or_recorded() {
    let mut played = Played::<Metronome>::new();
    played.ask("ask", "{}", at(1));
    let [(effect, _)] = played.session.wanted_effects()[..] else { panic!("one question") };
    played.ask("stop", "{}", at(2));
    let head = played.session.head();
    assert!(head.ended && !head.wants_waking && head.next_deadline.is_none());
    assert_eq!(played.session.next_deadline(), None);
    assert!(played.session.wanted_effects().is_empty());
    let records = played.records.len();
    played.input(&Input::Tick, at(7_000));
    played.input(&step(1, 5), at(7_000));
    played.input(&Input::Suspend(5), at(7_000));
    let outcome = EffectOutcome::Word(Ok("late".to_owned()));
    played.input(&Input::Outcome(effect, outcome), at(7_000));
    assert_eq!(
        played.ask("ring", "{}", at(7_000)),
        Answer::Refused(Rejection::SessionEnded { next: Vec::new() })
    );
    assert_eq!(played.records.len(), records);
}

#[test]
fn a_sleep_of_the_machine_is_recorded_after_what_fell_due_meanwhile() {
    let mut played = Played::<Metronome>::new();
    played.input(&Input::Suspend(100_000_000), at(110));
    assert_snapshot!(played.log(3), @r#"
    3 60 s BEAT {"number":1}
    4 110 s SUSPEND_OBSERVED {"suspended_micros":100000000}
    "#);
    let mut drill = Played::<Drill>::new();
    drill.input(&Input::Suspend(1), at(1));
    assert_snapshot!(drill.log(3), @r#"3 1 s SUSPEND_OBSERVED {"suspended_micros":1}"#);
}

fn step(sequence: u64, secs: i64) -> Input<'static> {
    Input::ClockStep(ClockStep { sequence, step_micros: secs * 1_000_000 })
}

#[test]
fn a_step_of_the_clock_moves_the_deadline_and_leaves_the_time_that_is_left() {
    let mut played = Played::<Metronome>::new();
    // Forward by an hour, ten seconds after the start.
    played.input(&step(1, 3_600), at(3_610));
    assert_eq!(played.session.next_deadline(), Some(at(3_660)));
    // Told again after a crash: heard once.
    played.input(&step(1, 3_600), at(3_611));
    assert_eq!(played.session.next_deadline(), Some(at(3_660)));
    // Back by two hours: the clock shows less than the last event's time.
    played.input(&step(2, -7_200), at(3_620 - 7_200));
    assert_eq!(played.session.next_deadline(), Some(at(3_660 - 7_200)));
    played.ask("ring", "{}", at(3_630 - 7_200));
    played.ask("alarm", r#"{"secs":20}"#, at(3_630 - 7_200));
    assert_eq!(played.session.next_deadline(), Some(at(3_650 - 7_200)));
    assert_eq!(left(&played, at(3_640 - 7_200)), 20);
    // Forward again by three hours.
    played.input(&step(3, 10_800), at(3_640 + 3_600));
    assert_eq!(played.session.next_deadline(), Some(at(3_650 + 3_600)));
    played.input(&Input::Tick, at(3_660 + 3_600));
    assert_snapshot!(played.log(3), @r#"
    3 3610 s CLOCK_ADJUSTED {"step_micros":3600000000,"sequence":1}
    4 3620 s CLOCK_ADJUSTED {"step_micros":-7200000000,"sequence":2}
    5 3630 s RANG {"micros_left":30000000}
    6 3630 s ALARM_SET {"due":"2026-01-06T00:30:50.000000Z"}
    7 7240 s CLOCK_ADJUSTED {"step_micros":10800000000,"sequence":3}
    8 7250 s ALARM_RANG {"due":"2026-01-06T01:30:50.000000Z"}
    9 7260 s BEAT {"number":1}
    "#);
}

fn left(played: &Played<Metronome>, at: Time) -> i64 {
    let view = played.session.view(Role::Candidate, at);
    view["micros_left"].as_i64().unwrap() / 1_000_000
}

/// A clock that is slowed down may show a little less than before, without any step.
#[test]
fn time_does_not_fall_with_a_clock_that_is_set_back_a_little() {
    let mut played = Played::<Metronome>::new();
    played.ask("ring", "{}", at(10));
    played.ask("ring", "{}", at(9));
    played.input(&step(1, 0), at(8));
    assert_eq!(left(&played, at(8)), 50);
    assert_snapshot!(played.log(3), @r#"
    3 10 s RANG {"micros_left":50000000}
    4 10 s RANG {"micros_left":50000000}
    5 10 s CLOCK_ADJUSTED {"step_micros":0,"sequence":1}
    "#);
}

#[test]
fn a_session_without_a_deadline_takes_no_note_of_the_clock() {
    let mut played = Played::<Drill>::new();
    played.input(&step(1, -3_600), at(10 - 3_600));
    assert_eq!(played.records.len(), 2);
    played.ask("end", "{}", at(20 - 3_600));
    assert_eq!(played.records[2].record.timestamp, start());
}

#[test]
fn a_command_for_another_cursor_is_refused_unless_it_is_a_repetition() {
    let mut played = Played::<Metronome>::new();
    let ring = |id: u128, cursor: u64| CommandInput {
        id: command_id(id),
        if_cursor: Some(EventId(cursor)),
        name: "ring",
        args: &Json::Null,
        blobs: &[],
        role: Role::Candidate,
    };
    let conflict = Rejection::Conflict { expected: EventId(1), actual: EventId(2) };
    assert_eq!(played.input(&Input::Command(ring(1, 1)), at(1)), Answer::Refused(conflict));
    let accepted = Answer::Accepted { events: 1 };
    assert_eq!(played.input(&Input::Command(ring(1, 2)), at(1)), accepted);
    let replayed = Answer::Replayed { first: EventId(3), last: EventId(3) };
    assert_eq!(played.input(&Input::Command(ring(1, 2)), at(2)), replayed);
    assert_eq!(played.records.len(), 3);
}

#[test]
fn what_is_no_command_is_refused_with_the_reason() {
    let mut played = Played::<Drill>::new();
    let mut refused = |name: &str, args: &str| {
        let answer = played.ask(name, args, at(1));
        let Answer::Refused(rejection) = answer else { panic!("{answer:?}") };
        rejection.to_string()
    };
    assert_snapshot!(refused("shout", "{}"), @r#"a drill has no command "shout"; its commands are submit, hint, give_up, say, end"#);
    assert_snapshot!(refused("", "null"), @r#"a drill has no command ""; its commands are submit, hint, give_up, say, end"#);
    assert_snapshot!(refused("submit", "{}"), @"submit: missing field `file_path`");
    assert_snapshot!(refused("hint", r#"{"confirm":"yes"}"#), @r#"hint: expected true or false, given the text "yes""#);
    assert_snapshot!(refused("hint", r#"{"confrim":true}"#), @"hint: unknown field `confrim`, expected `confirm` or `level`");
    assert_snapshot!(refused("end", "[]"), @"end: its arguments are not an object");
    assert_eq!(played.records.len(), 2);
}

#[test]
fn bytes_that_a_command_describes_wrongly_are_not_called_missing() {
    let blob = Blob(b"one\ntwo\n".to_vec());
    let named = blob.reference();
    let wrong = BlobRef { line_count: 3, ..named };
    let brought = std::slice::from_ref(&blob);
    assert_eq!(check_blobs(&[named], brought), Ok(()));
    assert_eq!(check_blobs(&[named], &[]), Err(Rejection::BlobMissing));
    assert_eq!(check_blobs(&[], brought), Err(Rejection::BlobUnnamed));
    let told = Rejection::BlobMisdescribed { hash: named.hash, bytes: 8, lines: 2 };
    assert_eq!(check_blobs(&[wrong], brought), Err(told));
}

#[test]
fn a_log_that_does_not_fit_together_is_not_loaded() {
    let mut played = Played::<Metronome>::new();
    played.ask("ring", "{}", at(1));
    let lines = played.lines();
    let error = |id: SessionId, spec: &[u8], lines: &[Vec<u8>]| {
        let lines = lines.iter().map(Vec::as_slice);
        Session::<Metronome>::load(id, spec, lines).unwrap_err().to_string()
    };
    let spec = Metronome::spec();
    assert_snapshot!(error(SESSION, &spec, &[]), @"the session has no events");
    assert_snapshot!(error(SESSION, b"{", &lines), @"the session's spec cannot be read: it is no valid JSON, from its byte 1 on");
    assert_snapshot!(error(SESSION, &crate::metronome::spec(9), &lines), @"the session's spec cannot be read: it is not the one of the first event");
    assert_snapshot!(error(SESSION, &spec, &lines[1..]), @"event 2: an event is missing before it");
    assert_snapshot!(error(SESSION, &spec, &[lines[0].clone(), lines[2].clone()]), @"event 3: an event is missing before it");
    assert_snapshot!(error(SessionId(uuid::Uuid::nil()), &spec, &lines), @"event 1: belongs to another session");
    assert_snapshot!(error(SESSION, &spec, &[lines[0].clone(), b"{}".to_vec()]), @"event 2: missing field `session_id`");
    let edited = |edit: &dyn Fn(&mut EventRecord)| {
        let mut record = played.records[2].record.clone();
        edit(&mut record);
        let lines = [lines[0].clone(), lines[1].clone(), record.to_line()];
        error(SESSION, &spec, &lines)
    };
    assert_snapshot!(edited(&|record| record.timestamp = at(-1)), @"event 3: its time lies before the event in front of it");
    assert_snapshot!(edited(&|record| record.prev_hash = Hash::NONE), @"event 3: it does not name the record before it");
    assert_snapshot!(edited(&|record| record.v = 2), @"event 3: written by a newer vosim");
    assert_snapshot!(edited(&|record| record.payload = Json::Null), @"event 3: expected an object, given null");
    assert!(matches!(
        Session::<Drill>::create(SESSION, b"{}", start()),
        Err(LoadError::Spec { .. })
    ));
}

#[test]
fn an_event_is_hidden_from_a_role_and_keeps_its_place() {
    let mut played = Played::<Metronome>::new();
    played.ask("whisper", r#"{"text":"hush"}"#, at(1));
    let seen = |role: Role| {
        let records = played.records.iter().map(|sealed| sealed.record.clone());
        let seen = records.filter_map(|record| played.session.redact(role, record));
        seen.map(|record| record.event_id.0).collect::<Vec<_>>()
    };
    assert_eq!(seen(Role::Interviewer), [1, 2, 3, 4]);
    assert_eq!(seen(Role::Candidate), [1, 2, 4]);
}

#[test]
fn the_end_of_an_effect_that_is_not_wanted_changes_nothing() {
    let mut played = Played::<Metronome>::new();
    played.ask("ask", "{}", at(1));
    let answer = |text: &str| EffectOutcome::Word(Ok(text.to_owned()));
    played.input(&Input::Outcome(EffectId(EventId(5)), answer("early")), at(2));
    played.input(&Input::Outcome(EffectId(EventId(3)), answer("one")), at(2));
    played.input(&Input::Outcome(EffectId(EventId(3)), answer("twice")), at(3));
    played.input(&Input::Outcome(EffectId(EventId(2)), answer("never asked")), at(3));
    played.ask("ask", "{}", at(3));
    played.input(&Input::Outcome(EffectId(EventId(5)), answer("two")), at(4));
    assert_snapshot!(played.log(4), @r#"
    4 2 s ANSWERED {"text":"one"}
    5 3 s ASKED {}
    6 4 s ANSWERED {"text":"two"}
    "#);
}
