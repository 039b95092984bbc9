//! What becomes of a log that no interview has written.

use proptest::prelude::*;
use vosim_protocol::{EventId, EventRecord, Hash, Kind};

use super::script::{SESSION, Script};
use super::why::FLOW;
use crate::kinds;

/// The records under new ids, at times that do not fall, each chained to the one before it.
fn chained(records: Vec<EventRecord>) -> Vec<Vec<u8>> {
    let (mut prev_hash, mut last) = (Hash::NONE, records[0].timestamp);
    let renumbered = (1..).zip(records).map(|(id, mut record)| {
        last = last.max(record.timestamp);
        (record.event_id, record.prev_hash, record.timestamp) = (EventId(id), prev_hash, last);
        let (line, hash) = record.seal();
        prev_hash = hash;
        line
    });
    renumbered.collect()
}

/// Why an edited log is not loaded.
fn misfit(edit: impl Fn(&mut Vec<EventRecord>)) -> String {
    let played = Script::play(FLOW);
    let mut records = played.events();
    edit(&mut records);
    let lines = chained(records);
    let replayed =
        kinds::replay(Kind::Interview, SESSION, &played.spec, &lines, None, false).unwrap_err();
    replayed.to_string().split_once(": ").unwrap().1.to_owned()
}

fn first(records: &[EventRecord], event_type: &str) -> usize {
    records.iter().position(|record| record.event_type == event_type).unwrap()
}

#[test]
fn an_event_whose_cause_is_missing_is_named() {
    for (missing, expected) in [
        ("INTERVIEW_STARTED", "a section that begins while another one is open"),
        ("SECTION_STARTED", "something in a section that is not open"),
        ("FOLLOWUP_SELECTED", "a follow-up that was not chosen"),
        ("SECTION_ENDED", "a section that begins while another one is open"),
        ("CANDIDATE_CODE_SUBMISSION", "a verdict on a submission that is not being judged"),
        ("OWN_TESTS_STARTED", "a result of own cases that are not being run"),
        ("HINT_REQUESTED", "a hint that nobody waits for"),
        ("ASSISTANT_QUERY", "an answer to a question that nobody asked"),
        ("SOLUTION_WATCHED", "a save of a file that nobody watches"),
        ("CANDIDATE_CONNECTED", "the leaving of somebody who is not there"),
        ("CANDIDATE_DISCONNECTED", "a pause for somebody who is not away"),
    ] {
        let named = misfit(|records| drop(records.remove(first(records, missing))));
        assert_eq!(named, expected, "without {missing}");
    }
}

#[test]
fn an_event_that_comes_twice_is_named() {
    for (doubled, expected) in [
        ("INTERVIEW_STARTED", "the beginning of an interview that has begun"),
        ("SECTION_STARTED", "a section that begins while another one is open"),
        ("PROMPT_PRESENTED", "a prompt that was presented before"),
        ("FOLLOWUP_SELECTED", "a follow-up while another question is on its way"),
        ("FOLLOWUP_PRESENTED", "a follow-up that was not chosen"),
        ("SECTION_ENDED", "something in a section that is not open"),
        ("SECTION_SUMMARIZED", "the artifact of a section that waits for none"),
        ("EVAL_RESULT", "a verdict on a submission that is not being judged"),
        ("OWN_TESTS_STARTED", "own cases while others are being run"),
        ("OWN_TESTS_RESULT", "a result of own cases that are not being run"),
        ("HINT_REQUESTED", "a hint while another one is on its way"),
        ("HINT_GIVEN", "a hint that nobody waits for"),
        ("ASSISTANT_QUERY", "a question while the assistant is answering one"),
        ("ASSISTANT_RESPONSE", "an answer to a question that nobody asked"),
        ("CANDIDATE_RECONNECTED", "the return of somebody who is not away"),
        ("INTERVIEW_TERMINATED", "an event after the end of the session"),
    ] {
        let named = misfit(|records| {
            let place = first(records, doubled);
            records.insert(place, records[place].clone());
        });
        assert_eq!(named, expected, "{doubled} twice");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Any order and choice of real events: a replay says what it thinks of it and never fails
    /// on it.
    #[test]
    fn no_log_however_wild_makes_a_replay_panic(
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        kept in any::<prop::sample::Index>(),
    ) {
        let played = Script::play(FLOW);
        let honest = played.events();
        let mut records = honest[..2 + kept.index(honest.len() - 2)].to_vec();
        records.extend(places.iter().map(|place| place.get(&honest).clone()));
        let lines = chained(records);
        let replay = |verify, until| {
            kinds::replay(Kind::Interview, SESSION, &played.spec, &lines, until, verify)
        };
        let report = replay(true, None).unwrap();
        prop_assert!(replay(true, Some(EventId(report.events))).is_ok());
        drop(replay(false, None));
        for id in (1..=lines.len() as u64).map(EventId) {
            drop(kinds::why(Kind::Interview, SESSION, &played.spec, &lines, id));
        }
    }
}
