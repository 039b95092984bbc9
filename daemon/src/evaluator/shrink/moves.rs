//! The runs that are a little shorter or simpler than one, most promising first.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::Json;
use vosim_protocol::v1::problem::{Interface, Op};

use super::domain::{Domain, params};

/// Up to so many calls each two of them are left out together, too.
const PAIRS_OF: usize = 12;
/// Up to so many parts each part of a list is made smaller by itself.
const PARTS_OF: usize = 24;
/// Most parts in all runs that are proposed at once.
const PARTS_MAX: usize = 400_000;

/// How long and how large a run is: calls, parts of their arguments, and the sum of their numbers.
pub(in crate::evaluator) type Size = (usize, usize, u128);

pub(in crate::evaluator) fn size(run: &[Op]) -> Size {
    let args = || run.iter().flat_map(|op| &op.args);
    let sum = args().map(magnitude).fold(0u128, u128::saturating_add);
    (run.len(), args().map(parts).sum(), sum)
}

/// The elements and letters of a value.
fn parts(value: &Json) -> usize {
    match value {
        Json::String(text) => text.chars().count(),
        Json::Array(items) => items.len() + items.iter().map(parts).sum::<usize>(),
        Json::Object(entries) => entries.len() + entries.values().map(parts).sum::<usize>(),
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}

fn magnitude(value: &Json) -> u128 {
    match value {
        Json::Number(_) => value.as_i64().map_or(u128::MAX / 2, of_number),
        Json::Array(items) => items.iter().map(magnitude).fold(0, u128::saturating_add),
        Json::Bool(value) => u128::from(*value),
        Json::Object(_) | Json::Null | Json::String(_) => 0,
    }
}

/// A negative number counts more than its opposite.
fn of_number(number: i64) -> u128 {
    2 * u128::from(number.unsigned_abs()) + u128::from(number < 0)
}

/// What might be tried instead of a run, smallest first; each is smaller than it.
pub(super) fn smaller(interface: &Interface, domain: &Domain, run: &[Op]) -> Vec<Vec<Op>> {
    let mut found = Vec::new();
    without_calls(interface, run, &mut found);
    without_instances(interface, run, &mut found);
    smaller_from_the_start(interface, domain, run, &mut found);
    with_other_values(interface, domain, run, &mut found);
    let now = size(run);
    let mut sized: Vec<_> = found.into_iter().map(|run| (size(&run), run)).collect();
    sized.retain(|(size, _)| *size < now);
    sized.sort_by_key(|(size, _)| *size);
    sized.into_iter().map(|(_, run)| run).collect()
}

/// Ever smaller stretches of a row: where each begins, and its length.
fn stretches(length: usize) -> impl Iterator<Item = (usize, usize)> {
    let halves =
        std::iter::successors(Some(length), |size| (*size > 1).then_some(size.div_ceil(2)));
    halves
        .filter(|size| *size > 0)
        .flat_map(move |size| (0..length).step_by(size).map(move |at| (at, size.min(length - at))))
}

/// As many of them as may be tried of a row this long, the longest first.
fn cuts(length: usize) -> impl Iterator<Item = (usize, usize)> {
    stretches(length).take(PARTS_MAX / length.max(1))
}

fn without<T: Clone>(row: &[T], at: usize, length: usize) -> Vec<T> {
    row[..at].iter().chain(&row[at + length..]).cloned().collect()
}

fn without_calls(interface: &Interface, run: &[Op], found: &mut Vec<Vec<Op>>) {
    // A class is there before its methods are called.
    let first = usize::from(matches!(interface, Interface::Class { .. }));
    let rest = run.len().saturating_sub(first);
    let mut room = PARTS_MAX;
    for (at, length) in stretches(rest) {
        let shorter = without(run, first + at, length);
        let Some(left) = room.checked_sub(shorter.len()) else { return };
        room = left;
        if !shorter.is_empty() {
            found.push(shorter);
        }
    }
    if rest > PAIRS_OF {
        return;
    }
    for one in first..run.len() {
        for other in one + 1..run.len() {
            let shorter = without(&without(run, other, 1), one, 1);
            if !shorter.is_empty() {
                found.push(shorter);
            }
        }
    }
}

/// Without each of its instances, and all that is done with it.
fn without_instances(interface: &Interface, run: &[Op], found: &mut Vec<Vec<Op>>) {
    let Interface::Class { name, .. } = interface else { return };
    let made = (0..run.len()).filter(|at| run[*at].call == *name);
    let tried = made.take(PARTS_MAX / run.len().max(1));
    found.extend(
        (1..).zip(tried).filter_map(|(number, at)| without_instance(interface, run, number, at)),
    );
}

/// An instance that is constructed smaller often needs a call less: both at once.
fn smaller_from_the_start(
    interface: &Interface,
    domain: &Domain,
    run: &[Op],
    found: &mut Vec<Vec<Op>>,
) {
    let Interface::Class { name, .. } = interface else { return };
    if run.len() > PAIRS_OF + 1 {
        return;
    }
    let made: Vec<_> = (0..run.len()).filter(|at| run[*at].call == *name).collect();
    for at in &made {
        for (place, arg) in run[*at].args.iter().enumerate() {
            for value in instead(domain, &format!("{name}.{place}"), arg) {
                let mut other = run.to_vec();
                other[*at].args[place] = value;
                let shorter = (1..run.len()).map(|call| without(&other, call, 1));
                found.extend(shorter);
            }
        }
    }
}

/// The run without one of its instances, if another one is made before or after it.
fn without_instance(
    interface: &Interface,
    run: &[Op],
    number: usize,
    at: usize,
) -> Option<Vec<Op>> {
    let Interface::Class { name, .. } = interface else { return None };
    let (mut now, mut made) = (0, 0);
    let mut kept = Vec::new();
    for (place, op) in run.iter().enumerate() {
        let back = op.back_to(interface).flatten();
        if op.call == *name {
            made += 1;
            now = made;
        }
        now = back.unwrap_or(now);
        if now == number || place == at {
            continue;
        }
        let renumbered =
            back.filter(|back| *back > number).map(|back| format!("{name}@{}", back - 1));
        kept.push(Op { call: renumbered.unwrap_or_else(|| op.call.clone()), ..op.clone() });
    }
    kept.first().is_some_and(|first| first.call == *name).then_some(kept)
}

fn with_other_values(interface: &Interface, domain: &Domain, run: &[Op], found: &mut Vec<Vec<Op>>) {
    found.extend(with_one_value_for_another(interface, domain, run));
    let mut room = PARTS_MAX;
    for (at, op) in run.iter().enumerate() {
        for (number, arg) in op.args.iter().enumerate() {
            for value in instead(domain, &format!("{}.{number}", op.call), arg) {
                let mut other = run.to_vec();
                other[at].args[number] = value;
                let Some(left) = room.checked_sub(run.len() + size(&other).1) else { return };
                room = left;
                found.push(other);
            }
        }
    }
}

/// Puts one value in place of another wherever a parameter of this name has it.
fn with_one_value_for_another(interface: &Interface, domain: &Domain, run: &[Op]) -> Vec<Vec<Op>> {
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    let of_run = run.iter().flat_map(|op| params(interface, &op.call));
    names.extend(of_run.map(|param| param.name.as_str()));
    for name in names {
        let places =
            || run.iter().flat_map(|op| places_of(interface, op, name).map(move |at| (op, at)));
        let numbers: BTreeSet<i64> = places().filter_map(|(op, at)| op.args[at].as_i64()).collect();
        let spots: BTreeSet<_> = places().map(|(op, at)| format!("{}.{at}", op.call)).collect();
        let known = spots.iter().flat_map(|spot| domain.numbers(spot));
        let known: BTreeSet<i64> = known.filter(|number| *number >= 0).collect();
        let replaced = |with: &dyn Fn(&Json) -> Option<Json>| {
            let mut other = run.to_vec();
            for op in &mut other {
                let places: Vec<_> = places_of(interface, op, name).collect();
                for at in places {
                    if let Some(value) = with(&op.args[at]) {
                        op.args[at] = value;
                    }
                }
            }
            other
        };
        // All at once, in their order: 31 33 38 becomes 0 1 2.
        let order: BTreeMap<_, _> = numbers.iter().copied().zip(known.iter().copied()).collect();
        found.push(replaced(&|value| order.get(&value.as_i64()?).map(|to| (*to).into())));
        // Each for each is too much of many.
        for from in numbers.iter().filter(|_| numbers.len() <= PARTS_OF) {
            let others = numbers.iter().chain(known.iter().take(3));
            for to in others.filter(|to| of_number(**to) < of_number(*from)) {
                found
                    .push(replaced(&|value| (value.as_i64() == Some(*from)).then(|| (*to).into())));
            }
        }
        let texts: BTreeSet<&str> = places().filter_map(|(op, at)| op.args[at].as_str()).collect();
        for from in texts.iter().filter(|_| texts.len() <= PARTS_OF) {
            for to in texts.iter().filter(|to| to.len() < from.len()) {
                found
                    .push(replaced(&|value| (value.as_str() == Some(*from)).then(|| (*to).into())));
            }
        }
    }
    found
}

/// Where a call has a parameter of this name.
fn places_of<'a>(
    interface: &'a Interface,
    op: &Op,
    name: &'a str,
) -> impl Iterator<Item = usize> + use<'a> {
    let given = op.args.len();
    let params = params(interface, &op.call).iter().enumerate();
    params.filter(move |(at, param)| param.name == name && *at < given).map(|(at, _)| at)
}

/// Smaller values for one value.
fn instead(domain: &Domain, place: &str, value: &Json) -> Vec<Json> {
    match value {
        Json::Number(_) => {
            let Some(now) = value.as_i64() else { return Vec::new() };
            let mut known: Vec<_> = domain.numbers(place).collect();
            known.retain(|number| of_number(*number) < of_number(now));
            known.sort_by_key(|number| of_number(*number));
            let picked = [known.first(), known.get(known.len() / 2), known.last()];
            let picked: BTreeSet<i64> = picked.into_iter().flatten().copied().collect();
            picked.into_iter().map(Json::from).collect()
        }
        Json::String(text) => {
            let letters: Vec<char> = text.chars().collect();
            let shorter = cuts(letters.len())
                .map(|(at, length)| without(&letters, at, length).into_iter().collect::<String>());
            shorter.map(Json::from).collect()
        }
        Json::Array(items) => lists(domain, place, items),
        Json::Bool(_) | Json::Null | Json::Object(_) => Vec::new(),
    }
}

fn lists(domain: &Domain, place: &str, items: &[Json]) -> Vec<Json> {
    let mut found: Vec<Json> = Vec::new();
    found.extend(cuts(items.len()).map(|(at, length)| without(items, at, length).into()));
    found.extend(columns(items));
    if items.len() > PARTS_OF {
        return found;
    }
    let inner = format!("{place}[]");
    for (at, item) in items.iter().enumerate() {
        for value in instead(domain, &inner, item) {
            // Everywhere, and here.
            let all = items.iter().map(|it| if it == item { value.clone() } else { it.clone() });
            found.push(all.collect());
            let mut one = items.to_vec();
            one[at] = value;
            found.push(one.into());
        }
    }
    found
}

/// The list without some places of each of its texts.
fn columns(items: &[Json]) -> Vec<Json> {
    let rows: Option<Vec<Vec<char>>> =
        items.iter().map(|item| Some(item.as_str()?.chars().collect())).collect();
    let Some(rows) = rows else { return Vec::new() };
    let width = rows.iter().map(Vec::len).min().unwrap_or(0);
    let narrower = |(at, length): (usize, usize)| {
        let rows = rows.iter().map(|row| without(row, at, length).into_iter().collect::<String>());
        rows.map(Json::from).collect::<Json>()
    };
    stretches(width).take(PARTS_MAX / (rows.len() * width).max(1)).map(narrower).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content;

    #[test]
    fn what_is_proposed_for_a_long_run_stays_within_bounds() {
        let interface = &content::find("lru_cache").unwrap().problem.interface;
        let op = |call: &str, args: Vec<Json>| Op { call: call.to_owned(), args, expect: None };
        let keys = (0..2_500).map(|key| op("put", vec![json!(key), json!(7 * key)]));
        let run: Vec<_> = [op("LRUCache", vec![json!(1_000)])].into_iter().chain(keys).collect();
        let domain = Domain::of(interface, [run.as_slice()]);
        let proposed = smaller(interface, &domain, &run);
        let total: usize = proposed.iter().map(Vec::len).sum();
        // The calls left out and the values replaced, and a run more for each name of a parameter.
        assert!(!proposed.is_empty() && total <= 2 * PARTS_MAX + 10 * run.len(), "{total}");
    }

    #[test]
    fn an_instance_is_left_out_of_a_long_run_too_and_those_behind_it_move_up() {
        let interface = &content::find("lru_cache").unwrap().problem.interface;
        let read = |text: &str| vosim_protocol::v1::problem::read_calls(text).unwrap();
        let puts: String = (0..20).map(|key| format!(" put({key},0)")).collect();
        let run = read(&format!("LRUCache(1) LRUCache(2){puts} LRUCache(1) LRUCache@2() get(1)"));
        let domain = Domain::of(interface, [run.as_slice()]);
        let proposed = smaller(interface, &domain, &run);
        for without in [
            format!("LRUCache(2){puts} LRUCache(1) LRUCache@1() get(1)"),
            format!("LRUCache(1) LRUCache(2){puts} LRUCache@2() get(1)"),
            "LRUCache(1) LRUCache(1)".to_owned(),
        ] {
            assert!(proposed.contains(&read(&without)), "{without}");
        }
    }
}
