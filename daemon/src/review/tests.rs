//! The laws of the ledger, over histories of sessions.

use vosim_fuzz::proptest::prelude::*;
use vosim_protocol::{EventId, Hash, Kind, SessionId};

use super::*;

/// A session that ended so many hours after 1970.
fn head(number: u128, problem: &str, outcome: Outcome, hours: i64) -> Head {
    let at = Time::from_micros(0).plus_secs(hours * 3600);
    Head {
        session_id: SessionId(uuid::Uuid::from_u128(number)),
        kind: Kind::Drill,
        phase: "done".to_owned(),
        ended: true,
        cursor: EventId(9),
        next_deadline: None,
        wants_waking: false,
        title: problem.to_uppercase(),
        started: at,
        last: at,
        spec: Hash::NONE,
        finished: Some(vosim_protocol::Finished { problem: problem.parse().unwrap(), outcome }),
        standing: None,
    }
}

fn hours(hours: i64) -> Time {
    Time::from_micros(0).plus_secs(hours * 3600)
}

/// The sessions of one problem: hours since the one before, and how each came out.
fn histories() -> impl Strategy<Value = Vec<(i64, Outcome)>> {
    let outcome = prop::sample::select(&Outcome::ALL);
    prop::collection::vec((0..24 * 400_i64, outcome), 0..12)
}

fn proposed(history: &[(i64, Outcome)]) -> Option<ReviewLine> {
    let mut at = 0;
    let heads = history.iter().zip(1..).map(|((gap, outcome), number)| {
        at += gap;
        head(number, "a", *outcome, at)
    });
    let heads: Vec<_> = heads.collect();
    propose(heads, |_| true, hours(at)).problems.pop()
}

fn interval_of(history: &[(i64, Outcome)]) -> Option<u32> {
    proposed(history).map(|line| line.interval_days).filter(|days| *days > 0)
}

proptest! {
    #[test]
    fn what_somebody_did_not_solve_alone_never_lengthens_an_interval(
        mut history in histories(),
        gap in 0..24 * 400_i64,
        help in prop::sample::select(&[Outcome::Assisted, Outcome::Level4, Outcome::Failed]),
    ) {
        let before = interval_of(&history);
        history.push((gap, help));
        let after = interval_of(&history).unwrap();
        prop_assert!(before.is_none_or(|before| after <= before), "{before:?} {after}");
        prop_assert!(before.is_some() || after == 1);
    }

    #[test]
    fn what_was_solved_again_never_shortens_it_and_alone_it_grows_more_than_with_hints(
        history in histories(),
        gap in 0..24 * 400_i64,
    ) {
        let with = |outcome| interval_of(&[&history[..], &[(gap, outcome)]].concat()).unwrap();
        let (hinted, unaided) = (with(Outcome::Hinted), with(Outcome::Unaided));
        prop_assert!(hinted <= unaided);
        prop_assert!(interval_of(&history).is_none_or(|before| before <= hinted));
    }

    #[test]
    fn what_was_left_changes_nothing_but_the_reason(history in histories(), gap in 0..24 * 400_i64) {
        let left = [&history[..], &[(gap, Outcome::Abandoned)]].concat();
        prop_assert_eq!(interval_of(&history), interval_of(&left));
        prop_assert_eq!(proposed(&left).unwrap().last.outcome, Outcome::Abandoned);
    }

    #[test]
    fn intervals_have_a_day_and_a_year_as_bounds_and_the_order_of_heads_does_not_matter(
        history in histories(),
        turn in 0..12_usize,
    ) {
        prop_assert!(interval_of(&history).is_none_or(|days| (1..=365).contains(&days)));
        let mut heads: Vec<_> = history.iter().zip(1..)
            .map(|((gap, outcome), number)| head(number, "a", *outcome, *gap)).collect();
        let one = propose(heads.clone(), |_| true, hours(0));
        let middle = turn.min(heads.len());
        heads.rotate_left(middle);
        prop_assert_eq!(one, propose(heads, |_| true, hours(0)));
    }
}

#[test]
fn what_is_due_longest_comes_first_with_its_reason() {
    use Outcome::{Abandoned, Failed, Unaided};
    let heads = vec![
        head(1, "fresh", Unaided, 100),
        head(2, "failed", Failed, 24),
        head(3, "left", Abandoned, 50),
        head(4, "gone", Failed, 0),
    ];
    let mut going = head(5, "failed", Failed, 99);
    (going.ended, going.finished) = (false, None);
    let heads = [heads, vec![going]].concat();
    let now = hours(103);
    let result = propose(heads, |problem| problem.as_str() != "gone", now);
    let told = result.problems.iter().map(|line| {
        format!("{} {} {} {}", line.problem, line.days, line.interval_days, line.reason.text)
    });
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @"
    failed -2 1 you did not solve it the last time
    left -2 0 you began it and left before anything was judged
    fresh 3 3 you solved it by yourself; this keeps it fresh
    ");
    // At the very end of the interval it is due.
    let due = result.problems[2].due;
    assert_eq!((days_until(due, due), days_until(due, due.plus_secs(-1))), (0, 1));
}

#[test]
fn an_interval_grows_from_days_to_months_while_it_is_solved_alone_when_due() {
    let mut history: Vec<(i64, Outcome)> = vec![(0, Outcome::Unaided)];
    let mut grown = Vec::new();
    for _ in 0..5 {
        let days = interval_of(&history).unwrap();
        grown.push(days);
        history.push((i64::from(days) * 24, Outcome::Unaided));
    }
    assert_eq!(grown, [3, 11, 36, 105, 277]);
    history.push((24 * 300, Outcome::Assisted));
    assert!(interval_of(&history).unwrap() < 30);
}
