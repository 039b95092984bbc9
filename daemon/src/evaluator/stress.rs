//! Tries two programs of a candidate's own on drawn inputs until they differ (003: VERIFY).
//!
//! The inputs are drawn for nobody: the seeds count from 1, and the session's own is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use vosim_protocol::Json;
use vosim_protocol::v1::problem::{Interface, Op};
use vosim_protocol::v1::service::Stressed;

use super::cancel::Cancel;
use super::runner::Refusal;
use super::shrink::Differing;
use super::shrink::domain::Domain;
use super::shrink::moves::{Size, size};
use super::{Evaluator, shrink};

/// Seeds whose inputs go through the same processes.
const SEEDS: u64 = 4;
/// Calls of the short beginning of a run.
const SMALL_CALLS: usize = 24;

/// How long is looked for a difference.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Most seeds.
    pub rounds: u32,
    /// Longest time.
    pub wall: Duration,
}

impl Evaluator {
    /// Looks for inputs on which both differ, and makes the run as short as it will go; `progress` hears
    /// how many seeds they agree on.
    pub fn stress(
        &self,
        differing: Differing<'_>,
        bounds: Bounds,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u32),
    ) -> Result<Stressed, Refusal> {
        let until = Instant::now() + bounds.wall;
        let mut found = Stressed::default();
        let mut seeds = shrink::seeds(differing.draw);
        let known = differing.known.iter().map(Vec::as_slice);
        let rules = Domain::of(&differing.problem.interface, known);
        while found.rounds < bounds.rounds && Instant::now() < until {
            let left = u64::from(bounds.rounds - found.rounds).min(SEEDS);
            let these: Vec<u64> = seeds.by_ref().take(usize::try_from(left).unwrap_or(1)).collect();
            let drawn = self.drawn_runs(differing, &these, cancel)?;
            let parts = smallest(differing, &rules, drawn);
            if found.rounds == 0
                && let Some((_, first)) = parts.iter().flatten().next()
            {
                self.loads(differing, first, cancel)?;
            }
            // The small ones have their answers before the slow program meets a large one.
            for part in parts {
                let runs: Vec<_> = part.iter().map(|(_, ops)| ops.clone()).collect();
                let compared = self.compare(differing, &runs, until, cancel)?;
                found.skipped += count(compared.skipped);
                if let Some(at) = compared.differs {
                    found.seed = Some(part[at].0);
                    found.trace = self.shrink(differing, &runs[at], cancel)?.map(Box::new);
                    return Ok(found);
                }
                found.agreed += count(runs.len() - compared.skipped);
            }
            if found.agreed == 0 && found.skipped > 0 {
                let (file, runs) = (differing.right.file_path, found.skipped);
                return Err(Refusal::Unusable(format!(
                    "{file} came to its end on none of {runs} inputs, so there is nothing to compare with"
                )));
            }
            found.rounds += count(these.len());
            progress(found.rounds);
        }
        Ok(found)
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The runs with their seeds, those first that a slow program gets through: of each run a short beginning,
/// and each call of a function by itself, with small numbers; then the calls and runs as they were drawn.
fn smallest(
    differing: Differing<'_>,
    rules: &Domain,
    runs: Vec<(u64, Vec<Op>)>,
) -> [Vec<(u64, Vec<Op>)>; 2] {
    let interface = &differing.problem.interface;
    let (mut small, mut drawn) = (Vec::new(), Vec::new());
    for (seed, ops) in runs {
        let short = ops[..ops.len().min(SMALL_CALLS)].to_vec();
        let single = ops.iter().filter(|_| matches!(interface, Interface::Function(_)));
        let single: Vec<_> = single.map(|op| vec![op.clone()]).collect();
        let parts = single.iter().chain([&short]).map(|ops| with_small_numbers(ops));
        let fit = parts.filter(|ops| {
            (differing.check)(interface, ops).is_ok() && rules.keeps_rules(interface, ops)
        });
        small.extend(fit.map(|ops| (seed, ops)));
        drawn.extend(single.into_iter().chain([ops]).map(|ops| (seed, ops)));
    }
    for runs in [&mut small, &mut drawn] {
        runs.sort_by_key(|(_, ops)| size_of(ops));
        runs.dedup_by(|one, other| one.1 == other.1);
    }
    [small, drawn]
}

/// A call with many values is no small run.
pub(super) fn size_of(ops: &[Op]) -> (usize, u128) {
    let (calls, parts, values): Size = size(ops);
    (calls + parts, values)
}

/// The same run with numbers that lie side by side: their order and their signs stay as they are.
fn with_small_numbers(ops: &[Op]) -> Vec<Op> {
    let mut numbers = BTreeSet::new();
    ops.iter().flat_map(|op| &op.args).for_each(|arg| collect(arg, &mut numbers));
    let (below, above): (Vec<i64>, Vec<i64>) =
        numbers.into_iter().filter(|number| *number != 0).partition(|number| *number < 0);
    let below = below.into_iter().rev().zip((1..).map(|rank: i64| -rank));
    let small: BTreeMap<i64, i64> = above.into_iter().zip(1..).chain(below).collect();
    let of =
        |op: &Op| Op { args: op.args.iter().map(|arg| put(arg, &small)).collect(), ..op.clone() };
    ops.iter().map(of).collect()
}

fn collect(value: &Json, numbers: &mut BTreeSet<i64>) {
    match value {
        Json::Number(number) => numbers.extend(number.as_i64()),
        Json::Array(items) => items.iter().for_each(|item| collect(item, numbers)),
        Json::Null | Json::Bool(_) | Json::String(_) | Json::Object(_) => {}
    }
}

fn put(value: &Json, small: &BTreeMap<i64, i64>) -> Json {
    match value {
        Json::Number(number) => {
            let rank = number.as_i64().and_then(|number| small.get(&number));
            rank.map_or_else(|| value.clone(), |rank| (*rank).into())
        }
        Json::Array(items) => items.iter().map(|item| put(item, small)).collect(),
        Json::Null | Json::Bool(_) | Json::String(_) | Json::Object(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::problem::read_calls;

    use super::*;

    #[test]
    fn small_numbers_keep_their_order_and_their_signs() {
        let run = read_calls("f([700, -5, 0, 700], 12) g(-90, true)").unwrap();
        let small = read_calls("f([2, -1, 0, 2], 1) g(-2, true)").unwrap();
        assert_eq!(with_small_numbers(&run), small);
    }
}
