//! Checks that the cases can be run, each can fail, and a hidden one has a twin to show.

use std::collections::BTreeSet;

use vosim_protocol::v1::problem::{CaseData, CaseInfo, Interface, Op, Problem, Suite};

use crate::content::files::ContentError;
use crate::content::layout::{CASES, is_name};

/// Most cases of a problem.
const CASES_MAX: usize = 200;
/// Most calls of one case.
const OPS_MAX: usize = 20_000;
/// Most calls of a public twin, which people are to read.
const TWIN_OPS_MAX: usize = 200;
/// Most instances that one case makes.
const INSTANCES_MAX: usize = 64;
/// Most bytes of the suite as JSON.
const SUITE_BYTES_MAX: usize = 4 << 20;

pub(super) fn check(problem: &Problem, suite: &Suite) -> Result<(), ContentError> {
    if problem.cases.is_empty() || problem.cases.len() > CASES_MAX {
        return Err(ContentError::invalid(CASES, "cases", "must be 1 to 200"));
    }
    let mut seen = BTreeSet::new();
    for (info, data) in problem.cases.iter().zip(&suite.cases) {
        let wrong = |key: &str, problem: &str| {
            ContentError::invalid(CASES, format!("{}.{key}", info.name), problem)
        };
        if !is_name(&info.name) || !seen.insert(&info.name) {
            return Err(wrong("name", "must be a name that no other case has"));
        }
        words(info).map_err(|key| wrong(key, "must be one line of text"))?;
        ops(problem, info, data)?;
    }
    let bytes = vosim_protocol::Wire::to_line(suite).len();
    if bytes > SUITE_BYTES_MAX {
        return Err(ContentError::invalid(CASES, "cases", "must be at most 4 MiB of data"));
    }
    Ok(())
}

fn words(info: &CaseInfo) -> Result<(), &'static str> {
    let one_line = |text: &str| !text.trim().is_empty() && !text.contains('\n') && text.len() < 200;
    if !one_line(&info.category) {
        return Err("category");
    }
    if one_line(&info.description) { Ok(()) } else { Err("description") }
}

fn ops(problem: &Problem, info: &CaseInfo, data: &CaseData) -> Result<(), ContentError> {
    let wrong =
        |problem: &str| ContentError::invalid(CASES, format!("{}.twin", info.name), problem);
    sequence(&problem.interface, &info.name, "ops", &data.ops, OPS_MAX)?;
    match (info.visible, data.twin.is_empty()) {
        (true, true) => Ok(()),
        (true, false) => Err(wrong("a visible case needs no twin")),
        (false, true) => Err(wrong("a hidden case needs a public twin")),
        (false, false) if data.twin == data.ops => Err(wrong("gives the hidden case away")),
        (false, false) => {
            sequence(&problem.interface, &info.name, "twin", &data.twin, TWIN_OPS_MAX)
        }
    }
}

fn sequence(
    interface: &Interface,
    case: &str,
    field: &str,
    ops: &[Op],
    ops_max: usize,
) -> Result<(), ContentError> {
    let wrong = |at: String, problem: String| {
        ContentError::invalid(CASES, format!("{case}.{field}{at}"), problem)
    };
    if ops.is_empty() || ops.len() > ops_max {
        return Err(wrong(String::new(), format!("must be 1 to {ops_max} calls")));
    }
    if ops.iter().all(|op| op.expect.is_none()) {
        return Err(wrong(String::new(), "expects no answer, so it cannot fail".to_owned()));
    }
    calls(interface, ops).map_err(|(at, problem)| wrong(format!("[{at}]"), problem))
}

/// Returns the first call that the interface does not allow, by its position, and the reason.
pub(super) fn calls(interface: &Interface, ops: &[Op]) -> Result<(), (usize, String)> {
    let mut made = 0;
    for (at, op) in ops.iter().enumerate() {
        if constructs(interface, op) {
            made += 1;
        }
        let checked = match op.back_to(interface) {
            Some(number) => back(op, number, made),
            None => call(interface, at == 0, op),
        };
        checked.map_err(|problem| (at, problem))?;
    }
    if made > INSTANCES_MAX && matches!(interface, Interface::Class { .. }) {
        return Err((0, format!("makes more than {INSTANCES_MAX} instances")));
    }
    Ok(())
}

fn constructs(interface: &Interface, op: &Op) -> bool {
    matches!(interface, Interface::Class { name, .. } if *name == op.call)
}

/// Checks a way back to an earlier instance, of which so many have been made.
fn back(op: &Op, number: Option<usize>, made: usize) -> Result<(), String> {
    if number.is_none_or(|number| number == 0 || number > made) {
        return Err(format!("'{}' goes back to an instance that was not made", op.call));
    }
    if !op.args.is_empty() || op.expect.is_some() {
        return Err(format!("'{}' takes nothing and answers nothing", op.call));
    }
    Ok(())
}

/// Checks a call. The first call of a case constructs the class; a later constructor call makes a
/// fresh instance.
fn call(interface: &Interface, first: bool, op: &Op) -> Result<(), String> {
    let (constructs, params) = match interface {
        Interface::Class { name, constructor, .. } if *name == op.call => {
            (true, Some(constructor.len()))
        }
        Interface::Class { methods, .. } => {
            let method = methods.iter().find(|method| method.name == op.call);
            (false, method.map(|method| method.params.len()))
        }
        Interface::Function(function) => {
            (true, (function.name == op.call).then_some(function.params.len()))
        }
    };
    let Some(params) = params else {
        return Err(format!("the interface has no '{}'", op.call));
    };
    if first && !constructs {
        return Err("the first call must construct the class".to_owned());
    }
    if params != op.args.len() {
        let arguments = if params == 1 { "argument" } else { "arguments" };
        return Err(format!("'{}' takes {params} {arguments}, not {}", op.call, op.args.len()));
    }
    Ok(())
}
