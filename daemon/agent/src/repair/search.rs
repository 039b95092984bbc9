//! The search: which candidate is tried when, and when it ends.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::{Duration, Instant};

use super::bench::{Bench, Fault, Outcome, Patience};
use super::edit::{Edit, lines_changed};
use super::operator::Operator;
use super::operators::edits;
use super::syntax::{Grammar, Syntax};

/// Most candidates that are tried at once.
const BATCH: usize = 200;
/// Candidates of the first batch: often the right one is among them.
const BATCH_FIRST: usize = 25;
/// A batch that takes longer is followed by smaller ones; the order stays the same.
const BATCH_LASTS: Duration = Duration::from_secs(2);
/// Most programs that are changed a second time.
const FIRSTS_MAX: usize = 24;
/// What each of two changes may cost where neither is known to help.
const BLIND_COST: u32 = 13;

/// When a search gives up.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most candidates that are tried.
    pub candidates: u32,
    /// No batch begins after that.
    pub until: Option<Instant>,
}

/// One change of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was done.
    pub operator: Operator,
    /// The first line that changes, from 1.
    pub line: u32,
    /// The lines as they were.
    pub before: String,
    /// The lines as they are.
    pub after: String,
}

/// A program that passes every test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The whole text.
    pub text: String,
    /// What was changed.
    pub steps: Vec<Step>,
    /// How many candidates were tried when it was its turn, itself included.
    pub rank: u32,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// A patch was found.
    Found,
    /// Every test passes as it is.
    NothingWrong,
    /// There was nothing left to try.
    Exhausted,
    /// So many candidates were allowed.
    Candidates,
    /// The time was over.
    Time,
    /// The text is none of the language's.
    Unreadable,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The first patch that passes every test.
    pub patch: Option<Patch>,
    /// Why it ended.
    pub stopped: Stopped,
    /// Candidates that were tried.
    pub tried: u32,
    /// Single changes that the text has.
    pub singles: u32,
    /// How many tests the program passes as it is, and how many there are.
    pub before: (usize, usize),
    /// Most tests that a candidate passed.
    pub best: usize,
}

/// Looks for a small change with which the program passes every test of the bench.
///
/// # Errors
/// The bench's own: nothing is known of the program then.
pub fn repair(
    grammar: Grammar,
    text: &str,
    bench: &mut dyn Bench,
    budget: Budget,
) -> Result<Report, Fault> {
    let given = bench.run(&[text.to_owned()], Patience::Full)?;
    let given = given.into_iter().next().unwrap_or_default();
    let mut search = Search::new(grammar, text, bench, budget, given);
    search.go()?;
    Ok(search.report)
}

/// A program that has been changed once, and what that did.
struct First {
    text: String,
    operator: Operator,
    cost: u32,
    outcome: Outcome,
}

/// A candidate that waits for its turn: where it comes from, and the change that makes it.
struct Waiting<'a> {
    from: Option<&'a First>,
    edit: &'a Edit,
}

struct Search<'a> {
    grammar: Grammar,
    text: &'a str,
    bench: &'a mut dyn Bench,
    budget: Budget,
    given: Outcome,
    seen: BTreeSet<u64>,
    /// Candidates of the next batch.
    batch: usize,
    report: Report,
}

impl<'a> Search<'a> {
    fn new(
        grammar: Grammar,
        text: &'a str,
        bench: &'a mut dyn Bench,
        budget: Budget,
        given: Outcome,
    ) -> Self {
        let before = (given.score(), given.tests.len());
        let report = Report {
            patch: None,
            stopped: Stopped::Exhausted,
            tried: 0,
            singles: 0,
            before,
            best: before.0,
        };
        let seen = BTreeSet::from([hash(text)]);
        Self { grammar, text, bench, budget, given, seen, batch: BATCH_FIRST, report }
    }

    fn go(&mut self) -> Result<(), Fault> {
        if self.given.passed() {
            self.report.stopped = Stopped::NothingWrong;
            return Ok(());
        }
        let Some(singles) = edits_of(self.grammar, self.text) else {
            self.report.stopped = Stopped::Unreadable;
            return Ok(());
        };
        self.report.singles = u32::try_from(singles.len()).unwrap_or(u32::MAX);
        let waiting = singles.iter().map(|edit| Waiting { from: None, edit });
        let firsts = self.try_all(waiting)?;
        if self.is_over() {
            return Ok(());
        }
        self.pairs(firsts, &singles)
    }

    fn is_over(&self) -> bool {
        self.report.stopped != Stopped::Exhausted
    }

    /// Changes once more what has been changed with success; after that, what has been changed by the
    /// likeliest operators in any way.
    fn pairs(&mut self, firsts: Vec<First>, singles: &[Edit]) -> Result<(), Fault> {
        let (mut helped, others): (Vec<_>, Vec<_>) =
            firsts.into_iter().partition(|first| self.helps(&first.outcome));
        helped.sort_by_key(|first| (std::cmp::Reverse(first.outcome.score()), first.cost));
        helped.truncate(FIRSTS_MAX);
        self.second(&helped, u32::MAX)?;
        let blind: Vec<_> = others.into_iter().filter(|first| first.cost <= BLIND_COST).collect();
        if !self.is_over() && singles.iter().any(|edit| edit.cost <= BLIND_COST) {
            self.second(&blind, BLIND_COST)?;
        }
        Ok(())
    }

    /// Whether more tests pass than before, and none that passed does not.
    fn helps(&self, outcome: &Outcome) -> bool {
        use super::bench::Test::Passed;
        let mut both = self.given.tests.iter().zip(&outcome.tests);
        outcome.score() > self.given.score()
            && both.all(|(before, after)| *before != Passed || *after == Passed)
    }

    fn second(&mut self, firsts: &[First], cost_max: u32) -> Result<(), Fault> {
        let changes: Vec<_> = firsts
            .iter()
            .map(|first| edits_of(self.grammar, &first.text).unwrap_or_default())
            .collect();
        let mut waiting: Vec<_> = firsts
            .iter()
            .zip(&changes)
            .flat_map(|(first, edits)| {
                let near = edits.iter().filter(|edit| edit.cost <= cost_max);
                near.map(|edit| Waiting { from: Some(first), edit })
            })
            .collect();
        waiting.sort_by_key(|one| one.from.map_or(0, |first| first.cost) + one.edit.cost);
        self.try_all(waiting.into_iter()).map(drop)
    }

    /// Tries candidates in their order until one passes, or something ends the search. What takes longer
    /// than most programs is tried once more at the end, with all of the time that a test has.
    fn try_all<'w>(
        &mut self,
        waiting: impl Iterator<Item = Waiting<'w>>,
    ) -> Result<Vec<First>, Fault> {
        let mut waiting = waiting.peekable();
        let mut kept = Vec::new();
        let mut slow = Vec::new();
        while waiting.peek().is_some() && !self.is_spent() {
            let mut batch = Vec::new();
            while batch.len() < self.room()
                && let Some(one) = waiting.next()
            {
                let made = one.edit.apply(one.from.map_or(self.text, |first| &first.text));
                if self.seen.insert(hash(&made)) {
                    batch.push((made, one));
                }
            }
            let left = self.try_batch(batch, Patience::Short, &mut kept)?;
            slow.extend(left);
            if self.is_over() {
                return Ok(kept);
            }
        }
        while !slow.is_empty() && !self.is_spent() {
            let rest = slow.split_off(slow.len().min(self.room()));
            let batch = std::mem::replace(&mut slow, rest);
            self.try_batch(batch, Patience::Full, &mut kept)?;
            if self.is_over() {
                break;
            }
        }
        Ok(kept)
    }

    fn room(&self) -> usize {
        let left = self.budget.candidates.saturating_sub(self.report.tried);
        self.batch.min(usize::try_from(left).unwrap_or(BATCH))
    }

    fn is_spent(&mut self) -> bool {
        if self.report.tried >= self.budget.candidates {
            self.report.stopped = Stopped::Candidates;
        } else if self.budget.until.is_some_and(|until| Instant::now() >= until) {
            self.report.stopped = Stopped::Time;
        }
        self.is_over()
    }

    /// Those that were ended by their time come back.
    fn try_batch<'w>(
        &mut self,
        batch: Vec<(String, Waiting<'w>)>,
        patience: Patience,
        kept: &mut Vec<First>,
    ) -> Result<Vec<(String, Waiting<'w>)>, Fault> {
        let (texts, waiting): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let begin = Instant::now();
        let outcomes = self.bench.run(&texts, patience)?;
        self.batch = next_batch(self.batch, begin.elapsed());
        let mut slow = Vec::new();
        for ((text, one), outcome) in texts.into_iter().zip(waiting).zip(outcomes) {
            self.report.tried += 1;
            self.report.best = self.report.best.max(outcome.score());
            if outcome.passed() {
                let steps = self.steps(&one, &text);
                self.report.patch = Some(Patch { text, steps, rank: self.report.tried });
                self.report.stopped = Stopped::Found;
                return Ok(Vec::new());
            }
            if outcome.is_slow() && patience == Patience::Short {
                slow.push((text, one));
            } else if one.from.is_none() && outcome.tests != self.given.tests {
                let Edit { operator, cost, .. } = *one.edit;
                kept.push(First { text, operator, cost, outcome });
            }
        }
        Ok(slow)
    }

    fn steps(&self, one: &Waiting<'_>, text: &str) -> Vec<Step> {
        let step = |operator, before: &str, after: &str| {
            let (line, before, after) = lines_changed(before, after);
            Step { operator, line, before, after }
        };
        match one.from {
            None => vec![step(one.edit.operator, self.text, text)],
            Some(first) => vec![
                step(first.operator, self.text, &first.text),
                step(one.edit.operator, &first.text, text),
            ],
        }
    }
}

/// Half as many after a batch that took too long, twice as many after one that was quick.
fn next_batch(now: usize, took: Duration) -> usize {
    if took > BATCH_LASTS {
        (now / 2).max(8)
    } else if took < BATCH_LASTS / 4 {
        (now * 2).min(BATCH)
    } else {
        now
    }
}

fn edits_of(grammar: Grammar, text: &str) -> Option<Vec<Edit>> {
    Syntax::parse(grammar, text).map(|syntax| edits(&syntax))
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
