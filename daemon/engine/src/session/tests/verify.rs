//! What a replay finds in a forged log of a kind with deadlines.

use insta::assert_snapshot;
use vosim_protocol::v1::events::Events as _;
use vosim_protocol::v1::session::{ClockAdjusted, SessionEvent, SuspendObserved};
use vosim_protocol::{EventId, EventRecord, Hash};

use super::{Played, SESSION, at, step};
use crate::metronome::Metronome;
use crate::moves::Moves;
use crate::replay::replay;
use crate::session::Input;

fn honest() -> Vec<EventRecord> {
    let mut played = Played::<Metronome>::new();
    played.ask("ring", "{}", at(70));
    played.input(&Input::Suspend(5_000_000), at(130));
    played.input(&step(1, 3_600), at(190 + 3_600));
    played.ask("stop", "{}", at(200 + 3_600));
    played.records.into_iter().map(|sealed| sealed.record).collect()
}

/// What a replay says of the edited log, chained anew.
fn forged(edit: impl Fn(&mut Vec<EventRecord>)) -> String {
    let mut records = honest();
    edit(&mut records);
    let mut prev_hash = Hash::NONE;
    let lines: Vec<_> = (1..)
        .zip(&mut records)
        .map(|(id, record)| {
            (record.event_id, record.prev_hash) = (EventId(id), prev_hash);
            let (line, hash) = record.seal();
            prev_hash = hash;
            line
        })
        .collect();
    let report = replay::<Metronome>(SESSION, &Metronome::spec(), &lines, None, true).unwrap();
    assert_eq!(report.chain, None);
    report.differs.map_or("no difference".to_owned(), |differs| {
        let found = differs.found["event_type"].as_str().unwrap();
        format!("{} {found}: {}", differs.event_id, differs.reason)
    })
}

fn record_of(event: &SessionEvent, like: &EventRecord) -> EventRecord {
    let event_type = event.row().event_type.to_owned();
    EventRecord { event_type, payload: event.payload(), command_id: None, ..like.clone() }
}

#[test]
fn an_honest_log_with_deadlines_and_clock_events_has_no_difference() {
    let types: Vec<_> = honest().into_iter().map(|record| record.event_type).collect();
    assert_snapshot!(types.join(" "), @"SESSION_CREATED WOUND BEAT RANG BEAT SUSPEND_OBSERVED BEAT CLOCK_ADJUSTED STOPPED");
    assert_eq!(forged(|_| {}), "no difference");
}

#[test]
fn a_deadline_that_was_removed_moved_or_invented_is_named() {
    let without = |id: usize| forged(|records| drop(records.remove(id - 1)));
    assert_snapshot!(without(3), @"3 RANG: the deadline 2026-01-05T23:31:00.000000Z comes before it");
    assert_snapshot!(without(5), @"5 SUSPEND_OBSERVED: the deadline 2026-01-05T23:32:00.000000Z comes before it");
    assert_snapshot!(without(7), @"7 CLOCK_ADJUSTED: the deadline 2026-01-05T23:33:00.000000Z comes before it");
    assert_snapshot!(forged(|records| records[2].timestamp = at(61)), @"3 BEAT: it happened at another time");
    assert_snapshot!(forged(|records| records[2].timestamp = at(59)), @"3 BEAT: it happened at another time");
    assert_snapshot!(forged(|records| {
        let beat = EventRecord { timestamp: at(71), ..records[2].clone() };
        records.insert(4, beat);
    }), @"5 BEAT: the same inputs lead to something else");
}

#[test]
fn a_clock_event_that_nobody_could_have_seen_is_named() {
    let inserted = |event: SessionEvent, place: usize| {
        forged(|records| {
            let record = record_of(&event, &records[place - 2]);
            records.insert(place - 1, record);
        })
    };
    let step = SessionEvent::ClockAdjusted(ClockAdjusted { step_micros: 1, sequence: 9 });
    assert_snapshot!(inserted(step, 10), @"10 CLOCK_ADJUSTED: no deadline is open that it could move");
    let suspend = SessionEvent::SuspendObserved(SuspendObserved { suspended_micros: 1 });
    assert_snapshot!(inserted(suspend, 10), @"10 SUSPEND_OBSERVED: nothing happens after the end");
}
