//! Draws small inputs that a statement allows: runs of the problem's own, changed step by step, of which each
//! goes beyond no limit. The same for the same seed; nothing depends on a clock.
//!
//! A number comes from an edge of what is stated for its place, from near other numbers of the run, or from
//! the same place of another run. Where nothing is stated, only what occurs there is taken.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::Json;
use vosim_protocol::v1::problem::{
    Interface, Language, Op, Problem, StatedLimit, Suite, ValuePlace,
};

use super::Evaluator;
use super::cancel::Cancel;
use super::draw::answers_are_wanted;
use super::limits::InputLimits;
use super::runner::Refusal;
use super::shrink::moves::size;
use super::stress::size_of;
use super::value::Value;

/// Runs that are tried for each one that is wanted.
const ATTEMPTS: usize = 4;
/// Calls of the beginning of a run of which others are made, and most parts in its arguments.
const CALLS_MAX: usize = 12;
const PARTS_MAX: usize = 120;
/// Most changes of one run that are tried.
const CHANGES_MAX: usize = 16;
/// Most values that are known of one place.
const VALUES_MAX: usize = 500;
/// Up to such a greatest length a text may become as long as it is allowed to be.
const LONG_MAX: usize = 64;
/// Runs that the right program answers in one process.
const AT_ONCE: usize = 500;

impl Evaluator {
    /// So many runs at most that the statement allows, the small ones first, with the answers of a right
    /// program. Those are left out with which it does not come to its end.
    ///
    /// # Errors
    /// If nothing could be run.
    pub fn allowed(
        &self,
        problem: &Problem,
        suite: &Suite,
        (code, language): (&str, Language),
        (seed, most): (u64, usize),
        cancel: &Cancel,
    ) -> Result<Vec<Vec<Op>>, Refusal> {
        let mut answered = Vec::new();
        for runs in allowed(problem, suite, seed, most).chunks(AT_ONCE) {
            let answers = self.answers(problem, code, language, runs, cancel)?;
            let each = runs.iter().zip(answers);
            let with = |(ops, values): (&Vec<Op>, Option<Vec<Value>>)| {
                with_answers(&problem.interface, ops, values?)
            };
            answered.extend(each.filter_map(with));
        }
        Ok(answered)
    }
}

/// The calls with their answers; none where one cannot be written down.
fn with_answers(interface: &Interface, ops: &[Op], values: Vec<Value>) -> Option<Vec<Op>> {
    let answered = |(op, value): (&Op, Value)| {
        let expect = match value {
            _ if !answers_are_wanted(interface, &op.call) => None,
            // JavaScript's other nothing.
            Value::Undefined => Some(Json::Null),
            value => Some(value.into_json()?),
        };
        Some(Op { expect, ..op.clone() })
    };
    ops.iter().zip(values).map(answered).collect()
}

/// So many runs at most, each once, the small ones first.
fn allowed(problem: &Problem, suite: &Suite, seed: u64, most: usize) -> Vec<Vec<Op>> {
    let mut drawing = Drawing::new(problem, suite, seed);
    let mut seen = BTreeSet::new();
    let mut runs = Vec::new();
    for _ in 0..most.saturating_mul(ATTEMPTS) {
        if runs.len() == most {
            break;
        }
        let Some(run) = drawing.run() else { break };
        let is_new = seen.insert(serde_json::to_string(&run).unwrap_or_default());
        if is_new && drawing.limits.keep(&run) {
            runs.push(run);
        }
    }
    runs.sort_by_cached_key(|run| size_of(run));
    runs
}

/// What runs are made of.
struct Drawing<'a> {
    problem: &'a Problem,
    limits: InputLimits<'a>,
    /// The beginnings of the problem's own runs, and each call of a function by itself.
    models: Vec<Vec<Op>>,
    /// The calls of methods in them.
    calls: Vec<Op>,
    /// What stands at each place of them: `f.0`, `f.0[]`.
    values: BTreeMap<String, Vec<Json>>,
    chance: Chance,
}

/// Where a value stands.
struct Place {
    call: String,
    argument: usize,
    /// Which item of each list on the way to it.
    way: Vec<usize>,
}

/// What else stands in a run.
#[derive(Default)]
struct Near {
    numbers: Vec<i64>,
    texts: Vec<String>,
}

impl<'a> Drawing<'a> {
    fn new(problem: &'a Problem, suite: &Suite, seed: u64) -> Self {
        let models = models(problem, suite);
        let mut calls = Vec::new();
        let mut values = BTreeMap::new();
        for op in models.iter().flatten() {
            if let Interface::Class { name, .. } = &problem.interface
                && !op.call.starts_with(name.as_str())
            {
                calls.push(op.clone());
            }
            for (argument, value) in op.args.iter().enumerate() {
                learn(&mut values, &format!("{}.{argument}", op.call), value);
            }
        }
        let limits = InputLimits::of(problem, suite);
        Self { problem, limits, models, calls, values, chance: Chance(seed) }
    }

    /// A changed run; none where there is nothing to make it of.
    fn run(&mut self) -> Option<Vec<Op>> {
        let mut run = self.chance.one_of(&self.models)?.clone();
        let is_class = matches!(self.problem.interface, Interface::Class { .. });
        for _ in 0..=self.chance.below(CHANGES_MAX) {
            let mut changed = run.clone();
            if is_class && self.chance.below(2) == 0 {
                self.change_calls(&mut changed);
            } else {
                self.change_value(&mut changed);
            }
            // Of many changes together hardly any would keep what must hold for a whole run.
            if self.limits.keep(&changed) {
                run = changed;
            }
        }
        Some(run)
    }

    /// Leaves calls out, adds one or exchanges two. The first one constructs what they are made to.
    fn change_calls(&mut self, run: &mut Vec<Op>) {
        let at = 1 + self.chance.below(run.len());
        match self.chance.below(4) {
            0 => {
                let end = (at + 1 + self.chance.below(4)).min(run.len());
                run.drain(at.min(end)..end);
            }
            1 if at + 1 < run.len() => run.swap(at, at + 1),
            _ => put(run, at, self.chance.one_of(&self.calls)),
        }
    }

    fn change_value(&mut self, run: &mut [Op]) {
        let near = Near::of(run);
        let at = self.chance.below(run.len());
        let Some(op) = run.get_mut(at) else { return };
        let argument = self.chance.below(op.args.len());
        let Some(value) = op.args.get_mut(argument) else { return };
        let mut place = Place { call: op.call.clone(), argument, way: Vec::new() };
        self.change(&mut place, value, &near);
    }

    fn change(&mut self, place: &mut Place, value: &mut Json, near: &Near) {
        let bounds = self.bounds(place);
        let is_unbounded = value.is_number() && bounds.is_none();
        if self.chance.below(6) == 0 || is_unbounded {
            if let Some(known) = self.values.get(&place.name())
                && let Some(other) = self.chance.one_of(known)
            {
                *value = other.clone();
            }
            return;
        }
        match value {
            Json::Number(_) => {
                if let Some(bounds) = bounds {
                    *value = self.number(bounds, near).into();
                }
            }
            Json::Bool(truth) => *truth = !*truth,
            Json::String(text) => *text = self.text(place, text, near),
            Json::Array(items) => self.list(place, items, near),
            Json::Null | Json::Object(_) => {}
        }
    }

    /// A number at an edge, small, or near another one of the run or the sum or difference of two.
    fn number(&mut self, [least, most]: [i64; 2], near: &Near) -> i64 {
        let one = self.chance.one_of(&near.numbers).copied().unwrap_or(least);
        let other = self.chance.one_of(&near.numbers).copied().unwrap_or(most);
        let step = i64::try_from(self.chance.below(4)).unwrap_or(0);
        let number = match self.chance.below(6) {
            0 => least.saturating_add(step),
            1 => most.saturating_sub(step),
            2 => step - 1,
            3 => one.saturating_add(other).saturating_add(step - 1),
            4 => one.saturating_sub(other).saturating_add(step - 1),
            _ => one.saturating_add(step - 1),
        };
        number.min(most).max(least)
    }

    fn text(&mut self, place: &Place, text: &str, near: &Near) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        let at = self.chance.below(letters.len() + 1);
        match self.chance.below(6) {
            0 => {
                let end = (at + 1 + self.chance.below(4)).min(letters.len());
                letters.drain(at..end);
            }
            1 | 2 => put(&mut letters, at, self.letter(place).as_ref()),
            3 => {
                if let (Some(here), Some(letter)) = (letters.get_mut(at), self.letter(place)) {
                    *here = letter;
                }
            }
            4 => {
                let longest = self.sizes(place).map(|[_, most]| most).filter(|it| *it <= LONG_MAX);
                let longest = longest.unwrap_or(letters.len());
                letters = letters.iter().copied().cycle().take(longest).collect();
            }
            _ => return self.chance.one_of(&near.texts).cloned().unwrap_or_default(),
        }
        letters.into_iter().collect()
    }

    /// A letter at an edge of what is stated, or one that occurs there.
    fn letter(&mut self, place: &Place) -> Option<char> {
        let stated = self.stated(place).filter_map(|limit| limit.letters);
        let edges: Vec<char> = stated.flatten().collect();
        if self.chance.below(4) == 0 && !edges.is_empty() {
            return self.chance.one_of(&edges).copied();
        }
        let text = self.chance.one_of(self.values.get(&place.name())?)?.as_str()?;
        let letters: Vec<char> = text.chars().collect();
        self.chance.one_of(&letters).copied()
    }

    fn list(&mut self, place: &mut Place, items: &mut Vec<Json>, near: &Near) {
        let at = self.chance.below(items.len() + 1);
        let is_free = self.sizes(place).is_none_or(|[least, most]| least < most);
        match self.chance.below(8) {
            0 if is_free => {
                let end = (at + 1 + self.chance.below(items.len() + 1)).min(items.len());
                items.drain(at..end);
            }
            1 if is_free => {
                let known = self.values.get(&format!("{}[]", place.name()));
                put(items, at, known.and_then(|known| self.chance.one_of(known)));
            }
            2 if is_free => {
                let copied = self.chance.one_of(items.as_slice()).cloned();
                put(items, at, copied.as_ref());
            }
            3 if at + 1 < items.len() => items.swap(at, at + 1),
            _ => {
                let Some(item) = items.get_mut(at) else { return };
                place.way.push(at);
                self.change(place, item, near);
                place.way.pop();
            }
        }
    }

    fn bounds(&self, place: &Place) -> Option<[i64; 2]> {
        let both = |[least, most]: [i64; 2], [other_least, other_most]: [i64; 2]| {
            [least.max(other_least), most.min(other_most)]
        };
        self.stated(place).filter_map(|limit| limit.numbers).reduce(both)
    }

    fn sizes(&self, place: &Place) -> Option<[usize; 2]> {
        self.stated(place).find_map(|limit| limit.sizes)
    }

    /// What the statement says of a place.
    fn stated<'s>(&'s self, place: &'s Place) -> impl Iterator<Item = &'s StatedLimit> {
        self.problem.limits.iter().filter(move |limit| limit.at.iter().any(|at| place.is(at)))
    }
}

impl Place {
    /// As values are learned by it.
    fn name(&self) -> String {
        format!("{}.{}{}", self.call, self.argument, "[]".repeat(self.way.len()))
    }

    fn is(&self, at: &str) -> bool {
        ValuePlace::read(at).is_some_and(|it| it.is_at(&self.call, self.argument, &self.way))
    }
}

impl Near {
    fn of(run: &[Op]) -> Self {
        let mut near = Self::default();
        run.iter().flat_map(|op| &op.args).for_each(|value| near.take(value));
        near
    }

    fn take(&mut self, value: &Json) {
        match value {
            Json::Number(number) => self.numbers.extend(number.as_i64()),
            Json::String(text) => self.texts.push(text.clone()),
            Json::Array(items) => items.iter().for_each(|item| self.take(item)),
            Json::Null | Json::Bool(_) | Json::Object(_) => {}
        }
    }
}

fn put<T: Clone>(row: &mut Vec<T>, at: usize, item: Option<&T>) {
    if let Some(item) = item {
        row.insert(at, item.clone());
    }
}

/// The beginnings of the problem's own runs, and each call of a function by itself, without answers.
fn models(problem: &Problem, suite: &Suite) -> Vec<Vec<Op>> {
    let cases = suite.cases.iter().flat_map(|case| [&case.ops, &case.twin]);
    let all = cases.chain(problem.runs.iter().map(|run| &run.ops));
    let parts = all.flat_map(|ops| match &problem.interface {
        Interface::Function(_) => ops.chunks(1).collect::<Vec<_>>(),
        Interface::Class { .. } => vec![&ops[..ops.len().min(CALLS_MAX)]],
    });
    let small = parts.filter(|ops| !ops.is_empty() && size(ops).1 <= PARTS_MAX);
    let bare = |ops: &[Op]| ops.iter().map(|op| Op { expect: None, ..op.clone() }).collect();
    small.map(bare).collect()
}

fn learn(values: &mut BTreeMap<String, Vec<Json>>, place: &str, value: &Json) {
    let known = values.entry(place.to_owned()).or_default();
    if known.len() < VALUES_MAX {
        known.push(value.clone());
    }
    if let Json::Array(items) = value {
        items.iter().for_each(|item| learn(values, &format!("{place}[]"), item));
    }
}

/// A row of numbers that depends on its seed alone.
struct Chance(u64);

impl Chance {
    /// A number below a bound, or 0 where none is.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let bound = bound.max(1) as u64;
        usize::try_from((mixed ^ (mixed >> 31)) % bound).unwrap_or(0)
    }

    fn one_of<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::catalog;

    #[test]
    fn what_is_drawn_goes_beyond_no_limit_and_depends_on_the_seed_alone() {
        for package in catalog().list() {
            let (problem, suite) = (&package.problem, package.suite());
            let runs = allowed(problem, &suite, 1, 40);
            let limits = InputLimits::of(problem, &suite);
            assert!(!runs.is_empty(), "{}", problem.id);
            for run in &runs {
                assert_eq!(limits.passed_at(run), None, "{}: {run:?}", problem.id);
            }
            assert_eq!(runs, allowed(problem, &suite, 1, 40), "{}", problem.id);
            assert_ne!(runs, allowed(problem, &suite, 2, 40), "{}", problem.id);
        }
    }

    #[test]
    fn numbers_come_up_to_both_edges_of_what_is_stated() {
        let package = catalog().list().find(|one| one.problem.id.as_str() == "tower_peak").unwrap();
        let runs = allowed(&package.problem, &package.suite(), 1, 400);
        let numbers: BTreeSet<_> = runs.iter().flat_map(|run| Near::of(run).numbers).collect();
        assert_eq!((numbers.first(), numbers.last()), (Some(&0), Some(&1_000_000_000)));
    }
}
