//! What to solve again, and when: FSRS over how the sessions of each problem came out.
//!
//! The ledger is the heads: how a session came out stands in its head, which becomes durable with the
//! event that ends it and is erased with it. So nothing can be lost between an end and the ledger,
//! and nothing is written here.
//!
//! ```text
//! unaided            good     lengthens the interval
//! hinted             hard     lengthens it less
//! assisted, level 4  again    never lengthens it
//! failed             again    never lengthens it
//! abandoned          tells nothing
//! ```
//! Of FSRS the model of memory is taken, with its published weights; the steps of minutes that it has
//! for new cards are of no use for problems. The shortest interval is a day.

use std::collections::{BTreeMap, BTreeSet};

use rs_fsrs::{Parameters, Rating};
use vosim_protocol::phrase;
use vosim_protocol::v1::agent::Exam;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::service::{LastTime, ReviewLine, ReviewResult};
use vosim_protocol::{Head, Outcome, ProblemId, Time};

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;
/// Longest interval, days.
const INTERVAL_DAYS_MAX: i32 = 365;

/// What is remembered of a problem after a session about it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Memory {
    /// Days after which nine of ten such things are still known.
    stability: f64,
    /// 1 to 10.
    difficulty: f64,
    /// When it was last tried.
    at: Time,
}

/// Proposes what to solve again, of the problems that `known` knows, the longest due first.
pub(crate) fn propose(
    heads: Vec<Head>,
    known: impl Fn(&ProblemId) -> bool,
    now: Time,
) -> ReviewResult {
    let mut of_problem: BTreeMap<ProblemId, Vec<(Head, Outcome)>> = BTreeMap::new();
    // What an agent has solved says nothing of a person.
    let sat: BTreeSet<_> = heads.iter().map(|head| Exam::session_of(head.session_id)).collect();
    for head in heads.into_iter().filter(|head| !sat.contains(&head.session_id)) {
        if let Some(finished) = head.finished.clone().filter(|it| known(&it.problem)) {
            of_problem.entry(finished.problem).or_default().push((head, finished.outcome));
        }
    }
    let lines =
        of_problem.into_iter().filter_map(|(problem, sessions)| line(problem, sessions, now));
    let mut problems: Vec<_> = lines.collect();
    problems.sort_by(|a, b| (a.due, &a.problem).cmp(&(b.due, &b.problem)));
    ReviewResult { now, problems }
}

fn line(problem: ProblemId, mut sessions: Vec<(Head, Outcome)>, now: Time) -> Option<ReviewLine> {
    sessions.sort_by_key(|(head, _)| (head.last, head.session_id));
    let parameters = parameters();
    let memory = sessions.iter().fold(None, |memory, (head, outcome)| {
        after(&parameters, memory, *outcome, head.last).or(memory)
    });
    let (head, outcome) = sessions.last()?;
    let interval_days = memory.map_or(0, |memory| interval(&parameters, memory));
    let from = memory.map_or(head.last, |memory| memory.at);
    let due = from.plus_micros(i64::from(interval_days) * DAY_MICROS);
    Some(ReviewLine {
        title: head.title.clone(),
        due,
        days: days_until(due, now),
        interval_days,
        reason: reason(*outcome),
        last: LastTime {
            session_id: head.session_id,
            kind: head.kind,
            outcome: *outcome,
            at: head.last,
        },
        sessions: u32::try_from(sessions.len()).unwrap_or(u32::MAX),
        problem,
    })
}

/// Why it should be solved again.
fn reason(outcome: Outcome) -> Phrase {
    match outcome {
        Outcome::Unaided => phrase!("review.unaided"),
        Outcome::Hinted => phrase!("review.hinted"),
        Outcome::Assisted => phrase!("review.assisted"),
        Outcome::Level4 => phrase!("review.shown"),
        Outcome::Failed => phrase!("review.failed"),
        Outcome::Abandoned => phrase!("review.abandoned"),
    }
}

fn parameters() -> Parameters {
    Parameters { maximum_interval: INTERVAL_DAYS_MAX, ..Parameters::default() }
}

/// What is remembered after one more session; none where it tells nothing.
fn after(
    parameters: &Parameters,
    before: Option<Memory>,
    outcome: Outcome,
    at: Time,
) -> Option<Memory> {
    let rating = match outcome {
        Outcome::Unaided => Rating::Good,
        Outcome::Hinted => Rating::Hard,
        Outcome::Assisted | Outcome::Level4 | Outcome::Failed => Rating::Again,
        Outcome::Abandoned => return None,
    };
    let Some(Memory { stability, difficulty, at: last }) = before else {
        return Some(Memory {
            stability: parameters.init_stability(rating),
            difficulty: parameters.init_difficulty(rating),
            at,
        });
    };
    let retrievability = Parameters::forgetting_curve(days_between(last, at), stability);
    let next = match rating {
        Rating::Again => {
            let lapsed = parameters.next_forget_stability(difficulty, stability, retrievability);
            lapsed.min(stability)
        }
        Rating::Hard | Rating::Good | Rating::Easy => {
            parameters.next_recall_stability(difficulty, stability, retrievability, rating)
        }
    };
    Some(Memory { stability: next, difficulty: parameters.next_difficulty(difficulty, rating), at })
}

/// How long it can wait, whole days.
fn interval(parameters: &Parameters, memory: Memory) -> u32 {
    let days = parameters.next_interval(memory.stability, 0);
    // At least 1 and at most what the parameters say, so nothing is cut off.
    (1..=INTERVAL_DAYS_MAX.unsigned_abs()).rev().find(|day| f64::from(*day) <= days).unwrap_or(1)
}

/// Days from one time to another, never negative: after a clock that was set back, none.
fn days_between(from: Time, to: Time) -> f64 {
    // Beyond 2^32 seconds (136 years) the difference makes none.
    let secs = u32::try_from(to.secs_since(from)).unwrap_or(u32::MAX);
    f64::from(secs) / 86_400.0
}

/// Days until a time, counted up.
fn days_until(due: Time, now: Time) -> i64 {
    due.micros_since(now).div_euclid(DAY_MICROS)
        + i64::from(due.micros_since(now).rem_euclid(DAY_MICROS) > 0)
}

#[cfg(test)]
mod tests;
