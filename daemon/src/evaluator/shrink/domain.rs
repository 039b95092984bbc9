//! What inputs of a problem look like, learned from those that may be shown, so that a run stays a valid
//! input while it is made shorter: which numbers occur, how short lists are, what is sorted, what never
//! falls from call to call.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::Json;
use vosim_protocol::v1::problem::{Interface, Op, Param};

/// So many samples make a habit into a rule; fewer may be chance.
const SAMPLES: usize = 5;

/// What holds for a set of runs.
#[derive(Clone, Debug, Default)]
pub(in crate::evaluator) struct Domain {
    /// By place: `get.0`, `f.1[]`.
    places: BTreeMap<String, Facts>,
    /// Of two numbers beside each other: how often, and whether the first is below, or not above.
    orders: BTreeMap<String, Order>,
    /// By the name of a parameter: whether it never falls within an instance.
    rising: BTreeMap<String, Rising>,
}

/// What holds for the values of one place.
#[derive(Clone, Debug)]
struct Facts {
    numbers: BTreeSet<i64>,
    letters: BTreeSet<char>,
    shortest: usize,
    /// Lists or texts with at least two parts.
    samples: usize,
    sorted: bool,
    distinct: bool,
    /// All texts of a list have one length.
    even: bool,
    /// Letters that occur once in each text, or in each list of texts.
    once: Option<BTreeSet<char>>,
}

#[derive(Clone, Copy, Debug)]
struct Order {
    samples: usize,
    below: bool,
    not_above: bool,
}

#[derive(Clone, Copy, Debug)]
struct Rising {
    samples: usize,
    holds: bool,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            numbers: BTreeSet::new(),
            letters: BTreeSet::new(),
            shortest: usize::MAX,
            samples: 0,
            sorted: true,
            distinct: true,
            even: true,
            once: None,
        }
    }
}

impl Domain {
    /// What holds for all of these runs.
    pub(in crate::evaluator) fn of<'a>(
        interface: &Interface,
        runs: impl IntoIterator<Item = &'a [Op]>,
    ) -> Self {
        let mut domain = Self::default();
        for run in runs {
            domain.learn(interface, run);
        }
        domain
    }

    /// Whether a run looks like those that this was learned from.
    pub(super) fn fits(&self, interface: &Interface, run: &[Op]) -> bool {
        let other = Self::of(interface, [run]);
        let places = other
            .places
            .iter()
            .all(|(place, facts)| self.places.get(place).is_some_and(|known| known.allows(facts)));
        let orders = other.orders.iter().all(|(place, order)| {
            let known = self.orders.get(place).filter(|known| known.samples >= SAMPLES);
            known.is_none_or(|known| {
                (!known.below || order.below) && (!known.not_above || order.not_above)
            })
        });
        places && orders && self.rises(&other)
    }

    /// Whether a run keeps the rules of those that this was learned from: lists that are sorted, texts of
    /// a list that are all different or of one length, letters that stand in them once, and what never
    /// falls from call to call.
    pub(in crate::evaluator) fn keeps_rules(&self, interface: &Interface, run: &[Op]) -> bool {
        let other = Self::of(interface, [run]);
        let kept = other.places.iter().all(|(place, facts)| {
            let known = self.places.get(place).filter(|known| known.samples >= SAMPLES);
            // Numbers and lists that are all different may be so by chance.
            let texts = other.places.get(&format!("{place}[]"));
            let texts = texts.is_some_and(|texts| !texts.letters.is_empty());
            known.is_none_or(|known| {
                (facts.sorted || !known.sorted)
                    && (!texts || facts.distinct || !known.distinct)
                    && (!texts || facts.even || !known.even)
                    && (!texts || known.has_once(facts))
            })
        });
        kept && self.rises(&other)
    }

    fn rises(&self, other: &Self) -> bool {
        other.rising.iter().all(|(name, rising)| {
            let known = self.rising.get(name).filter(|known| known.samples >= SAMPLES);
            rising.holds || known.is_none_or(|known| !known.holds)
        })
    }

    /// The numbers that occur at a place.
    pub(super) fn numbers(&self, place: &str) -> impl Iterator<Item = i64> {
        self.places.get(place).into_iter().flat_map(|facts| facts.numbers.iter().copied())
    }

    /// Takes another run for one of those.
    pub(super) fn learn(&mut self, interface: &Interface, run: &[Op]) {
        let mut instance = 0usize;
        let mut made = 0usize;
        let mut last: BTreeMap<(usize, &str), i64> = BTreeMap::new();
        for op in run {
            if let Some(number) = op.back_to(interface) {
                instance = number.unwrap_or(0);
                continue;
            }
            let params = params(interface, &op.call);
            if let Interface::Class { name, .. } = interface
                && *name == op.call
            {
                made += 1;
                instance = made;
            } else if matches!(interface, Interface::Class { .. }) {
                for (param, arg) in params.iter().zip(&op.args) {
                    let Some(value) = arg.as_i64() else { continue };
                    let before = last.insert((instance, param.name.as_str()), value);
                    let Some(before) = before else { continue };
                    let rising = self.rising.entry(param.name.clone());
                    let rising = rising.or_insert(Rising { samples: 0, holds: true });
                    rising.samples += 1;
                    rising.holds &= before <= value;
                }
            }
            for (at, arg) in op.args.iter().enumerate() {
                self.value(&format!("{}.{at}", op.call), arg);
            }
            self.pairs(&op.call, &op.args);
        }
    }

    /// Each two numbers of a short list.
    fn pairs(&mut self, place: &str, values: &[Json]) {
        for (at, one) in values.iter().enumerate() {
            for (other_at, other) in values.iter().enumerate().skip(at + 1) {
                let (Some(one), Some(other)) = (one.as_i64(), other.as_i64()) else { continue };
                let order = self.orders.entry(format!("{place}({at},{other_at})"));
                let order = order.or_insert(Order { samples: 0, below: true, not_above: true });
                order.samples += 1;
                order.below &= one < other;
                order.not_above &= one <= other;
            }
        }
    }

    fn value(&mut self, place: &str, value: &Json) {
        match value {
            Json::Number(_) => {
                if let Some(number) = value.as_i64() {
                    self.facts(place).numbers.insert(number);
                }
            }
            Json::String(text) => {
                let facts = self.facts(place);
                facts.letters.extend(text.chars());
                facts.shortest = facts.shortest.min(text.chars().count());
                facts.take_once(std::iter::once(text.as_str()));
            }
            Json::Array(items) => self.list(place, items),
            Json::Null | Json::Bool(_) | Json::Object(_) => {}
        }
    }

    fn list(&mut self, place: &str, items: &[Json]) {
        let facts = self.facts(place);
        facts.shortest = facts.shortest.min(items.len());
        let texts = || items.iter().filter_map(Json::as_str);
        // One without texts has none of the letters; one without anything says nothing.
        if !items.is_empty() {
            facts.take_once(texts());
        }
        if items.len() >= 2 {
            facts.samples += 1;
            let spelled: BTreeSet<_> = items.iter().map(Json::to_string).collect();
            facts.distinct &= spelled.len() == items.len();
            let numbers: Option<Vec<_>> = items.iter().map(Json::as_i64).collect();
            let rising = |all: Vec<i64>| all.is_sorted();
            facts.sorted &= numbers.is_some_and(rising)
                || texts().count() == items.len() && texts().is_sorted();
            let lengths: BTreeSet<_> = texts().map(|text| text.chars().count()).collect();
            facts.even &= lengths.len() == 1;
        }
        for item in items {
            self.value(&format!("{place}[]"), item);
            if let Json::Array(inner) = item
                && inner.len() <= 4
            {
                self.pairs(&format!("{place}[]"), inner);
            }
        }
    }

    fn facts(&mut self, place: &str) -> &mut Facts {
        self.places.entry(place.to_owned()).or_default()
    }
}

impl Facts {
    /// Whether others have once what these have once.
    fn has_once(&self, other: &Self) -> bool {
        let mut once = self.once.iter().filter(|once| !once.is_empty());
        once.all(|once| other.once.as_ref().is_some_and(|it| once.is_subset(it)))
    }

    fn allows(&self, other: &Self) -> bool {
        let habit = self.samples >= SAMPLES;
        other.numbers.is_subset(&self.numbers)
            && other.letters.is_subset(&self.letters)
            && other.shortest >= self.shortest
            && (!habit || !self.sorted || other.sorted)
            && (!habit || !self.distinct || other.distinct)
            && (!habit || !self.even || other.even)
            && (!habit || self.has_once(other))
    }

    fn take_once<'a>(&mut self, texts: impl Iterator<Item = &'a str>) {
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for letter in texts.flat_map(str::chars) {
            *counts.entry(letter).or_default() += 1;
        }
        let now = counts.into_iter().filter(|(_, count)| *count == 1).map(|(letter, _)| letter);
        let now: BTreeSet<_> = now.collect();
        self.once = Some(match self.once.take() {
            Some(before) => before.intersection(&now).copied().collect(),
            None => now,
        });
    }
}

/// The parameters of a call.
pub(super) fn params<'a>(interface: &'a Interface, call: &str) -> &'a [Param] {
    match interface {
        Interface::Function(function) => &function.params,
        Interface::Class { name, constructor, .. } if name == call => constructor,
        Interface::Class { methods, .. } => methods
            .iter()
            .find(|method| method.name == call)
            .map_or(&[], |method| method.params.as_slice()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::catalog;
    use crate::evaluator::public_runs;

    /// Else nothing that is made of a run is taken for an input, and a failure is never made shorter.
    #[test]
    fn the_runs_of_every_package_look_like_themselves_and_so_does_each_call_of_a_function() {
        for package in catalog().list() {
            let problem = &package.problem;
            let runs = public_runs(problem, &package.suite());
            let domain = Domain::of(&problem.interface, runs.iter().map(Vec::as_slice));
            let one_by_one = runs.iter().flatten().map(std::slice::from_ref);
            let calls = one_by_one.filter(|_| matches!(problem.interface, Interface::Function(_)));
            for run in runs.iter().map(Vec::as_slice).chain(calls) {
                assert!(domain.fits(&problem.interface, run), "{}: {run:?}", problem.id);
                assert!(domain.keeps_rules(&problem.interface, run), "{}: {run:?}", problem.id);
            }
        }
    }
}
