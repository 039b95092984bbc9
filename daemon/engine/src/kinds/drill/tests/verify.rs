//! A replay decides every decision again and names the event that is not what it would be.

use insta::assert_snapshot;
use proptest::prelude::*;
use vosim_protocol::v1::session::ReplayReport;
use vosim_protocol::{Actor, CommandId, EventId, EventRecord, Hash, Json, Kind, Wire};

use super::script::{SESSION, Script};
use crate::failure::LoadError;
use crate::kinds;

/// Every type of event, a model's words, and feedback that came out of order.
pub(super) const HONEST: &str = "
    00:01 submit a.py #1
    00:02 abort no interpreter was found
    00:03 submit a.py #1
    00:04 verdict 5/12
    00:05 hint
    00:06 words hint Mind capacity_one, at level 1.
    00:07 submit a.py #2
    00:08 verdict 3/12 limit=time
    00:09 words @10 timeout: `test_eviction_order_simple` used up the 10 s of computing time of all tests and was stopped. 3 of 12 tests pass, and 8 tests had no turn.
    00:10 words @6
    00:11 submit a.py #3
    00:12 verdict 11/12 failing=test_capacity_one
    00:13 words feedback
    00:14 hint
    00:15 words hint
    00:16 give-up confirm
    00:17 submit a.py #4
    00:18 verdict 12/12
    00:19 words
    00:20 growth 300 310 350
    00:30 end
";

/// The ids that the tests below speak of.
#[test]
fn the_honest_log_holds_every_type_of_event() {
    assert_snapshot!(Script::play(&format!("00:00 start\n{HONEST}")).output(), @r#"
    1 SESSION_CREATED
    2 SESSION_STARTED lru_cache 3.11.5
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_ABORTED attempt 1 "no interpreter was found"
    5 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    6 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    7 HINT_REQUESTED attempt 1 level 1 first_hint_request issue=capacity_one
    8 HINT_GIVEN level 1 first_hint_request issue=capacity_one Model "Mind capacity_one, at level 1."
    9 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    10 EVAL_RESULT attempt 2 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    11 AGENT_RESPONSE attempt 2 EXCEPTION timeout Model "timeout: `test_eviction_order_simple` used up the 10 s of computing time of all tests and was stopped. 3 of 12 tests pass, and 8 tests had no turn."
    12 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    13 CODE_SUBMITTED attempt 3 python a.py lines=1 bytes=2
    14 EVAL_RESULT attempt 3 11/12 PARTIAL_PASS detail="value" issue="capacity_one"
    15 AGENT_RESPONSE attempt 3 PARTIAL_PASS capacity_one Problem "capacity_one: 11 of 12 tests pass."
    16 HINT_REQUESTED attempt 3 level 2 attempts_min_2 issue=capacity_one
    17 HINT_GIVEN level 2 attempts_min_2 issue=capacity_one Problem "capacity_one, level 2"
    18 HINT_REQUESTED attempt 3 level 4 give_up issue=capacity_one give_up=true
    19 HINT_GIVEN level 4 give_up issue=capacity_one Problem "solution, python"
    20 CODE_SUBMITTED attempt 4 python a.py lines=1 bytes=2
    21 EVAL_RESULT attempt 4 12/12 PASS
    22 GROWTH_PROBE_STARTED attempt 4 python
    23 AGENT_RESPONSE attempt 4 PASS none Problem "All 12 tests pass."
    24 GROWTH_MEASURED attempt 4 Constant points=3
    25 SESSION_ENDED success attempts=4 final=12/12 best=12 hints=3 duration=30 assisted=true
    "#);
}

fn verify(script: &Script, lines: &[Vec<u8>]) -> Result<ReplayReport, LoadError> {
    replay(script, lines, None, true)
}

fn replay(
    script: &Script,
    lines: &[Vec<u8>],
    until: Option<EventId>,
    verify: bool,
) -> Result<ReplayReport, LoadError> {
    kinds::replay(Kind::Drill, SESSION, &script.spec, lines, until, verify)
}

#[test]
fn an_honest_log_has_no_difference_and_every_decision_is_recomputed() {
    let script = Script::play(HONEST);
    let report = verify(&script, &script.lines).unwrap();
    assert_eq!((report.differs, report.chain), (None, None));
    assert_eq!(report.events, script.lines.len() as u64);
    // All but three: SESSION_STARTED, GROWTH_PROBE_STARTED and the solution follow from others.
    assert_eq!(report.recomputed, report.events - 3);
    assert_eq!(report.phase, "done");
    assert_eq!(report.view["ended"]["outcome"], "success");
}

#[test]
fn a_replay_stops_where_it_is_told_even_between_two_events_of_one_decision() {
    let script = Script::play(HONEST);
    let until = |id| replay(&script, &script.lines, Some(EventId(id)), true).unwrap();
    for id in 1..=script.lines.len() as u64 {
        let report = until(id);
        assert_eq!((report.events, report.differs, report.chain), (id, None, None));
    }
    assert_eq!(until(5).phase, "evaluating");
    assert_eq!(until(9_999), until(script.lines.len() as u64));
}

/// Edits the records of an honest log and chains them anew, as a forger would who knows how.
fn forged(edit: impl Fn(&mut Vec<EventRecord>)) -> String {
    let script = Script::play(HONEST);
    let mut records = read(&script.lines);
    edit(&mut records);
    let lines = chained(records);
    match verify(&script, &lines) {
        Ok(report) => {
            assert_eq!(report.chain, None);
            let differs = report.differs.unwrap();
            let found = differs.found["event_type"].as_str().unwrap();
            format!("{} {found}: {}", differs.event_id, differs.reason)
        }
        Err(error) => format!("error: {error}"),
    }
}

/// The records under new ids, each chained to the one before it.
fn chained(records: Vec<EventRecord>) -> Vec<Vec<u8>> {
    let mut prev_hash = Hash::NONE;
    let renumbered = (1..).zip(records).map(|(id, mut record)| {
        (record.event_id, record.prev_hash) = (EventId(id), prev_hash);
        let (line, hash) = record.seal();
        prev_hash = hash;
        line
    });
    renumbered.collect()
}

fn read(lines: &[Vec<u8>]) -> Vec<EventRecord> {
    lines.iter().map(|line| EventRecord::from_bytes(line).unwrap()).collect()
}

/// Edits one field of the payload of an event.
fn set(id: usize, field: &str, value: impl Into<Json>) -> String {
    let value = value.into();
    forged(|records| records[id - 1].payload[field] = value.clone())
}

#[test]
fn an_edited_decision_is_named_even_when_the_chain_was_made_anew() {
    assert_snapshot!(set(1, "title", "Another"), @"1 SESSION_CREATED: the same inputs lead to something else");
    assert_snapshot!(set(2, "python_version", "3.12.0"), @"2 SESSION_STARTED: the same inputs lead to something else");
    assert_snapshot!(set(5, "attempt_number", 2), @"5 CODE_SUBMITTED: the same inputs lead to something else");
    assert_snapshot!(set(6, "passed", true), @"6 EVAL_RESULT: the same inputs lead to something else");
    assert_snapshot!(set(6, "failure_type", "PARTIAL_PASS"), @"6 EVAL_RESULT: the same inputs lead to something else");
    assert_snapshot!(set(6, "tests_passed", 6), @"6 EVAL_RESULT: the same inputs lead to something else");
    assert_snapshot!(set(6, "issue", "general"), @"6 EVAL_RESULT: the same inputs lead to something else");
    assert_snapshot!(set(7, "hint_level", 2), @"7 HINT_REQUESTED: the same inputs lead to something else");
    assert_snapshot!(set(7, "trigger_reason", "attempts_min_2"), @"7 HINT_REQUESTED: the same inputs lead to something else");
    assert_snapshot!(set(11, "failure_type", "WRONG_ANSWER"), @"11 AGENT_RESPONSE: the same inputs lead to something else");
    assert_snapshot!(set(12, "message", "Well done."), @"12 AGENT_RESPONSE: the same inputs lead to something else");
    assert_snapshot!(set(16, "hint_level", 1), @"16 HINT_REQUESTED: the same inputs lead to something else");
    assert_snapshot!(set(19, "hint_text", "another solution"), @"19 HINT_GIVEN: the same inputs lead to something else");
    assert_snapshot!(set(24, "growth", "linear"), @"24 GROWTH_MEASURED: the same inputs lead to something else");
    assert_snapshot!(set(25, "outcome", "failure"), @"25 SESSION_ENDED: the same inputs lead to something else");
    assert_snapshot!(set(25, "assisted", false), @"25 SESSION_ENDED: the same inputs lead to something else");
    assert_snapshot!(set(25, "duration_seconds", 10), @"25 SESSION_ENDED: the same inputs lead to something else");
}

#[test]
fn an_inserted_removed_or_moved_event_is_named() {
    // A copy of an event at another place, at the time of the event in front of it.
    let copy = |from: usize, to: usize| {
        forged(|records| {
            let mut copied = records[from - 1].clone();
            copied.timestamp = records[to - 2].timestamp;
            records.insert(to - 1, copied);
        })
    };
    assert_snapshot!(copy(1, 5), @"5 SESSION_CREATED: the session was created before");
    assert_snapshot!(copy(2, 4), @"4 SESSION_STARTED: the session had begun before");
    assert_snapshot!(copy(4, 7), @"7 EVAL_ABORTED: the same inputs lead to nothing");
    assert_snapshot!(copy(6, 7), @"7 EVAL_RESULT: the same inputs lead to nothing");
    assert_snapshot!(copy(8, 9), @"9 HINT_GIVEN: the same inputs lead to nothing");
    assert_snapshot!(copy(12, 13), @"13 AGENT_RESPONSE: the same inputs lead to nothing");
    assert_snapshot!(copy(19, 20), @"20 HINT_GIVEN: nothing before it leads to it");
    assert_snapshot!(copy(22, 24), @"24 GROWTH_PROBE_STARTED: nothing before it leads to it");
    assert_snapshot!(copy(24, 25), @"25 GROWTH_MEASURED: the same inputs lead to nothing");
    assert_snapshot!(copy(25, 26), @"26 SESSION_ENDED: this session has ended");
    assert_snapshot!(copy(3, 26), @"26 CODE_SUBMITTED: this session has ended");
    let without = |id: usize| forged(|records| drop(records.remove(id - 1)));
    assert_snapshot!(without(1), @"error: the first event is not SESSION_CREATED");
    assert_snapshot!(without(2), @"2 CODE_SUBMITTED: the same inputs lead to something else");
    assert_snapshot!(without(3), @"3 EVAL_ABORTED: the same inputs lead to nothing");
    assert_snapshot!(without(6), @"6 HINT_REQUESTED: cannot request hint in current state: a submission is being judged");
    assert_snapshot!(without(7), @"7 HINT_GIVEN: the same inputs lead to nothing");
    assert_snapshot!(without(19), @"19 CODE_SUBMITTED: the same inputs lead to something else");
    assert_snapshot!(without(22), @"22 AGENT_RESPONSE: the same inputs lead to something else");
    // Records of one decision are made durable together: a log never ends between them.
    let cut_after = |id: usize| forged(|records| records.truncate(id));
    assert_snapshot!(cut_after(1), @"1 SESSION_CREATED: what follows from it is missing");
    assert_snapshot!(cut_after(18), @"18 HINT_REQUESTED: what follows from it is missing");
    assert_snapshot!(cut_after(21), @"21 EVAL_RESULT: what follows from it is missing");
    assert_snapshot!(forged(|records| records.swap(6, 7)), @"7 HINT_GIVEN: the same inputs lead to nothing");
}

/// What becomes of an edited log that is folded without being decided anew, as a daemon loads it.
fn loaded(edit: impl Fn(&mut Vec<EventRecord>)) -> String {
    let script = Script::play(HONEST);
    let mut records = read(&script.lines);
    let end = records[records.len() - 1].timestamp;
    edit(&mut records);
    records.iter_mut().skip(2).for_each(|record| record.timestamp = end);
    replay(&script, &chained(records), None, false).unwrap_err().to_string()
}

#[test]
fn an_event_that_cannot_follow_from_the_ones_before_it_is_named_when_it_is_folded() {
    let without = |id: usize| loaded(|records| drop(records.remove(id - 1)));
    assert_snapshot!(without(3), @"event 3: a verdict on a submission that is not being judged");
    assert_snapshot!(without(7), @"event 7: a hint that nobody waits for");
    assert_snapshot!(without(22), @"event 23: figures that nobody waits for");
    let copy = |from: usize, to: usize| {
        loaded(|records| records.insert(to - 1, records[from - 1].clone()))
    };
    assert_snapshot!(copy(3, 4), @"event 4: a submission while another one is being judged");
    assert_snapshot!(copy(7, 8), @"event 8: a hint while another one is on its way");
    assert_snapshot!(copy(7, 6), @"event 6: a hint without a verdict that it is about");
    assert_snapshot!(copy(12, 13), @"event 13: feedback that nobody waits for");
    assert_snapshot!(copy(22, 4), @"event 4: a measurement of code that was not judged");
    assert_snapshot!(copy(3, 26), @"event 26: an event after the end of the session");
    assert_snapshot!(loaded(|records| records[5].payload["attempt_number"] = Json::from(9)), @"event 6: a verdict on a submission that is not being judged");
}

#[test]
fn an_edited_time_actor_or_command_is_named() {
    assert_snapshot!(forged(|records| records[5].timestamp = records[2].timestamp), @"6 EVAL_RESULT: it happened at another time");
    assert_snapshot!(forged(|records| records[18].timestamp = records[19].timestamp), @"19 HINT_GIVEN: it happened at another time");
    assert_snapshot!(forged(|records| records[5].actor = Actor::Candidate), @"6 EVAL_RESULT: somebody else does this");
    assert_snapshot!(forged(|records| records[6].command_id = None), @"7 HINT_REQUESTED: it does not name the command that caused it");
    let other = CommandId(uuid::Uuid::from_u128(99));
    assert_snapshot!(forged(|records| records[18].command_id = Some(other)), @"19 HINT_GIVEN: it does not name the command that caused it");
    assert_snapshot!(forged(|records| records[5].command_id = records[4].command_id), @"6 EVAL_RESULT: it does not name the command that caused it");
    assert_snapshot!(forged(|records| records[5].v = 2), @"6 EVAL_RESULT: written by a newer vosim");
    assert_snapshot!(forged(|records| records[5].event_type = "NEWS".to_owned()), @"6 NEWS: there is no event NEWS");
}

#[test]
fn a_broken_chain_is_reported_with_what_still_makes_sense() {
    let script = Script::play(HONEST);
    let with = |id: usize, from: &str, to: &str| {
        let mut lines = script.lines.clone();
        let text = String::from_utf8(lines[id - 1].clone()).unwrap();
        assert!(text.contains(from), "{text}");
        lines[id - 1] = text.replacen(from, to, 1).into_bytes();
        let report = verify(&script, &lines).unwrap();
        let differs =
            report.differs.map(|differs| format!("{}: {}", differs.event_id, differs.reason));
        format!("{} | {} | {differs:?}", report.chain.unwrap(), report.events)
    };
    assert_snapshot!(with(8, "\"hint_level\":1", "\"hint_level\":2"), @r#"event 8: it is not the record that the next one names | 8 | Some("8: the same inputs lead to something else")"#);
    assert_snapshot!(with(8, "Mind", "Mend"), @"event 8: it is not the record that the next one names | 8 | None");
    assert_snapshot!(with(9, "{", ""), @"event 9: not a record: it is no valid JSON, from its byte 13 on | 8 | None");
    assert_snapshot!(with(9, "\"timestamp\":\"2026", "\"timestamp\":\"in 2026"), @"event 9: not a record: `timestamp`: a time is written like 2026-01-05T23:30:00.123456Z | 8 | None");
    assert_snapshot!(with(9, "\"event_id\":9", "\"event_id\":10"), @"event 9: found event 10 in its place | 8 | None");
    let mut lines = script.lines.clone();
    lines.remove(4);
    let chain = verify(&script, &lines).unwrap().chain.unwrap();
    assert_snapshot!(chain, @"event 5: found event 6 in its place");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Any order and choice of real events: a replay says what it thinks of it and never fails
    /// on it.
    #[test]
    fn no_log_however_wild_makes_a_replay_panic(places in prop::collection::vec(0..25_usize, 0..40)) {
        let script = Script::play(HONEST);
        let honest = read(&script.lines);
        let end = honest[honest.len() - 1].timestamp;
        let mut records = honest[..2].to_vec();
        records.extend(places.iter().map(|&place| honest[place].clone()));
        records[2..].iter_mut().for_each(|record| record.timestamp = end);
        let lines = chained(records);
        let report = verify(&script, &lines).unwrap();
        prop_assert!(report.events >= 2);
        prop_assert!(replay(&script, &lines, Some(EventId(report.events)), true).is_ok());
        for id in [2, 9, 17, 25].map(EventId) {
            drop(kinds::why(Kind::Drill, SESSION, &script.spec, &lines, id));
        }
    }
}

#[test]
fn a_log_that_is_none_or_of_another_spec_is_an_error() {
    let script = Script::play(HONEST);
    let error = |spec: &[u8], lines: &[Vec<u8>]| {
        let error = kinds::replay(Kind::Drill, SESSION, spec, lines, None, true).unwrap_err();
        error.to_string()
    };
    let other = String::from_utf8(script.spec.clone()).unwrap().replace("3.11.5", "3.12.0");
    assert_snapshot!(error(&script.spec, &[]), @"the session has no events");
    assert_snapshot!(error(&script.spec, &[b"garbage".to_vec()]), @"event 1: not a record: it is no valid JSON, from its byte 1 on");
    assert_snapshot!(error(other.as_bytes(), &script.lines), @"the session's spec cannot be read: it is not the one of the first event");
    assert_snapshot!(error(b"{}", &script.lines), @"the session's spec cannot be read: missing field `problem`");
}

#[test]
fn the_code_a_log_names_can_be_listed() {
    let script = Script::play(HONEST);
    let code = kinds::code(Kind::Drill, &script.lines);
    let of = |text: &str| Hash::of(text.as_bytes());
    assert_eq!(code, [of("#1"), of("#1"), of("#2"), of("#3"), of("#4")]);
    let first = EventRecord::from_bytes(&script.lines[0]).unwrap();
    assert_eq!(kinds::created(&first).unwrap(), (Kind::Drill, Hash::of(&script.spec)));
    let second = EventRecord::from_bytes(&script.lines[1]).unwrap();
    assert!(matches!(kinds::created(&second), Err(LoadError::NotCreated)));
}
