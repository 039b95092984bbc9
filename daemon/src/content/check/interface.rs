//! Checks that the interface can be called, and that the growth probe calls existing methods.

use std::collections::BTreeSet;

use vosim_protocol::v1::problem::{Function, GrowthProbe, Interface, Param, Problem};

use crate::content::files::ContentError;
use crate::content::layout::{INTERFACE, is_name};

/// Most methods, or parameters of one of them.
const COUNT_MAX: usize = 32;
/// How hard a problem may be (003).
const RUNGS: std::ops::RangeInclusive<u8> = 1..=4;
/// Largest size the growth probe may ask for.
const PROBE_SIZE_MAX: u64 = 1_000_000;
/// Numbers of sizes that it compares.
const PROBE_SIZES: std::ops::RangeInclusive<usize> = 2..=5;

pub(super) fn check(problem: &Problem) -> Result<(), ContentError> {
    if !RUNGS.contains(&problem.rung) {
        return Err(wrong("rung", "must be 1 to 4"));
    }
    match &problem.interface {
        Interface::Class { name, constructor, methods } => {
            named(name, "interface.name")?;
            params(constructor, "interface.constructor")?;
            all_methods(methods)?;
        }
        Interface::Function(function) => {
            named(&function.name, "interface.name")?;
            params(&function.params, "interface.params")?;
        }
    }
    problem.growth.as_ref().map_or(Ok(()), |probe| growth(probe, &problem.interface))
}

fn all_methods(methods: &[Function]) -> Result<(), ContentError> {
    if methods.is_empty() || methods.len() > COUNT_MAX {
        return Err(wrong("interface.methods", "must be 1 to 32"));
    }
    let mut seen = BTreeSet::new();
    for (at, method) in methods.iter().enumerate() {
        let key = format!("interface.methods[{at}]");
        named(&method.name, &format!("{key}.name"))?;
        params(&method.params, &format!("{key}.params"))?;
        if !seen.insert(&method.name) {
            return Err(wrong(&format!("{key}.name"), "occurs twice"));
        }
    }
    Ok(())
}

fn params(params: &[Param], key: &str) -> Result<(), ContentError> {
    if params.len() > COUNT_MAX {
        return Err(wrong(key, "must be at most 32"));
    }
    let mut seen = BTreeSet::new();
    for (at, param) in params.iter().enumerate() {
        named(&param.name, &format!("{key}[{at}].name"))?;
        if !seen.insert(&param.name) {
            return Err(wrong(&format!("{key}[{at}].name"), "occurs twice"));
        }
    }
    Ok(())
}

fn named(name: &str, key: &str) -> Result<(), ContentError> {
    if is_name(name) { Ok(()) } else { Err(wrong(key, "must be a name of at most 64 characters")) }
}

fn growth(probe: &GrowthProbe, interface: &Interface) -> Result<(), ContentError> {
    let Interface::Class { constructor, methods, .. } = interface else {
        return Err(wrong("growth", "needs a class"));
    };
    if constructor.len() != 1 {
        return Err(wrong("growth", "needs a constructor that takes the size alone"));
    }
    let ascending = probe.sizes.windows(2).all(|pair| pair[0] < pair[1]);
    let bounded = probe.sizes.iter().all(|size| (1..=PROBE_SIZE_MAX).contains(size));
    if !ascending || !bounded || !PROBE_SIZES.contains(&probe.sizes.len()) {
        return Err(wrong("growth.sizes", "must be 2 to 5 ascending sizes up to 1,000,000"));
    }
    for (key, name, count) in [("write", &probe.write, 2), ("read", &probe.read, 1)] {
        let fits = |method: &Function| &method.name == name && method.params.len() == count;
        if !methods.iter().any(fits) {
            let problem = format!("there is no method '{name}' with {count} parameters");
            return Err(wrong(&format!("growth.{key}"), &problem));
        }
    }
    Ok(())
}

fn wrong(key: &str, problem: &str) -> ContentError {
    ContentError::invalid(INTERFACE, key, problem)
}
