//! Checks that the limits of a statement stand in it, and that the package's own inputs keep them.

use vosim_protocol::v1::problem::{Problem, StatedLimit, Suite, ValuePlace};

use super::rules::spaced;
use crate::content::files::ContentError;
use crate::content::layout::LIMITS;

/// Most limits of a problem, and most places of one.
const LIMITS_MAX: usize = 100;
const PLACES_MAX: usize = 32;

pub(super) fn check(problem: &Problem, suite: &Suite) -> Result<(), ContentError> {
    if problem.limits.len() > LIMITS_MAX {
        return Err(ContentError::invalid(LIMITS, "limit", "must be at most 100"));
    }
    let statement = spaced(&problem.statement);
    for (number, limit) in (1..).zip(&problem.limits) {
        let wrong = |key: &str, problem: &str| {
            ContentError::invalid(LIMITS, format!("limit {number}.{key}"), problem)
        };
        if limit.text.trim().is_empty() || !statement.contains(&spaced(&limit.text)) {
            return Err(wrong("text", "does not stand in the statement"));
        }
        let fits = |at: &String| fits(problem, limit, at);
        if limit.at.is_empty() || limit.at.len() > PLACES_MAX || !limit.at.iter().all(fits) {
            return Err(wrong("at", "must be places such as put.1, f.0[] or f.0[][2]"));
        }
        let ordered = limit.numbers.is_none_or(|[least, most]| least <= most)
            && limit.sizes.is_none_or(|[least, most]| least <= most)
            && limit.letters.is_none_or(|[first, last]| first <= last);
        if !ordered {
            return Err(wrong("numbers", "the greatest must not be below the least"));
        }
    }
    own_inputs(problem, suite)
}

fn fits(problem: &Problem, limit: &StatedLimit, at: &str) -> bool {
    let signatures = problem.interface.signatures();
    ValuePlace::read(at).is_some_and(|place| {
        let known = signatures.iter().find(|(name, _)| *name == place.call);
        known.is_some_and(|(_, params)| {
            place.argument < params.len() && limit.up_to.is_none_or(|other| other < params.len())
        })
    })
}

fn own_inputs(problem: &Problem, suite: &Suite) -> Result<(), ContentError> {
    let cases =
        suite.cases.iter().flat_map(|case| [(&case.name, &case.ops), (&case.name, &case.twin)]);
    let runs = problem.runs.iter().map(|run| (&run.name, &run.ops));
    cases.chain(runs).try_for_each(|(name, ops)| match problem.beyond(ops) {
        None => Ok(()),
        Some((at, limit)) => {
            let why = format!("call {} goes beyond \"{}\"", at + 1, limit.text);
            Err(ContentError::invalid(LIMITS, name.as_str(), why))
        }
    })
}
