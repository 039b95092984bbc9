//! Parts of an expression that change places, are left out, or belong together in another way.

use tree_sitter::Node;

use super::gathered::Edits;
use crate::repair::operator::Operator;
use crate::repair::syntax::{Role, field, is_value, operator, parts, tokens};

pub(super) fn add(edits: &mut Edits<'_, '_>) {
    for node in edits.program.nodes.clone() {
        match edits.program.role(node) {
            Role::Arithmetic | Role::Logic => {
                two_sides(edits, node);
                regroup(edits, node);
            }
            Role::Compare => comparison(edits, node),
            Role::Call => call(edits, node),
            Role::Pair | Role::List => elements(edits, node),
            Role::Index => index(edits, node),
            Role::Sign => sign(edits, node),
            Role::Group => group(edits, node),
            Role::Choice => choice(edits, node),
            _ => {}
        }
    }
    negate(edits);
}

fn sides<'t>(node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    Some((field(node, &["left"])?, field(node, &["right"])?))
}

fn two_sides<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let Some((left, right)) = sides(node) else { return };
    // Where the order cannot matter it is still another order of evaluation.
    let more = match operator(node).map(|sign| edits.program.of(sign)) {
        Some("*" | "&" | "|" | "^") => return drop_term(edits, node, left, right),
        Some("-" | "/" | "//" | "%" | "**" | "<<" | ">>" | "+") => 0,
        _ => 6,
    };
    edits.swap(Operator::SwapOperands, more, left, right);
    drop_term(edits, node, left, right);
}

fn drop_term<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>, left: Node<'t>, right: Node<'t>) {
    edits.put_node(Operator::DropTerm, 0, node, left);
    edits.put_node(Operator::DropTerm, 1, node, right);
}

fn comparison<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let operands: Vec<_> =
        parts(node).into_iter().filter(|part| is_value(edits.program.role(*part))).collect();
    if let &[left, right] = operands.as_slice() {
        edits.swap(Operator::SwapOperands, 2, left, right);
    }
}

/// `a + (b * c)` as `(a + b) * c`, and the other way round.
fn regroup<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let (Some((left, right)), Some(sign)) = (sides(node), operator(node)) else { return };
    let of = |node: Node<'t>| edits.program.of(node);
    let inner = |node: Node<'t>| {
        let node =
            if edits.program.role(node) == Role::Group { *parts(node).first()? } else { node };
        let fits = matches!(edits.program.role(node), Role::Arithmetic | Role::Logic);
        let (one, other) = sides(node)?;
        fits.then(|| operator(node).map(|sign| (one, sign, other)))?
    };
    let mut made = Vec::new();
    if let Some((one, second, other)) = inner(right) {
        made.push(format!("({} {} {}) {} {}", of(left), of(sign), of(one), of(second), of(other)));
    }
    if let Some((one, first, other)) = inner(left) {
        made.push(format!("{} {} ({} {} {})", of(one), of(first), of(other), of(sign), of(right)));
    }
    for text in made {
        edits.put_value(Operator::Regroup, 0, node, text);
    }
}

fn call<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let arguments = edits.program.arguments(node);
    for (at, one) in arguments.iter().enumerate() {
        for (more, other) in (0..).zip(&arguments[at + 1..]) {
            edits.swap(Operator::SwapArguments, more, *one, *other);
        }
        edits.put_node(Operator::Unwrap, u32::from(arguments.len() > 1), node, *one);
    }
    let all = field(node, &["arguments"]).map(parts).unwrap_or_default();
    for at in 0..all.len() {
        drop_part(edits, Operator::DropArgument, &all, at);
    }
    let is_method = field(node, &["function"])
        .filter(|function| edits.program.role(*function) == Role::Member)
        .and_then(|function| field(function, &["object"]));
    if let Some(object) = is_method {
        edits.put_node(Operator::Unwrap, 3, node, object);
    }
    add_argument(edits, node, &all);
}

/// Takes out one part of a list with the comma beside it.
fn drop_part<'t>(edits: &mut Edits<'_, 't>, operator: Operator, all: &[Node<'t>], at: usize) {
    let one = all[at];
    let range = match (all.get(at + 1), at.checked_sub(1).and_then(|before| all.get(before))) {
        (Some(next), _) => one.start_byte()..next.start_byte(),
        (None, Some(before)) => before.end_byte()..one.end_byte(),
        (None, None) => one.byte_range(),
    };
    edits.push(operator, 0, vec![(range, String::new())]);
}

fn add_argument<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>, all: &[Node<'t>]) {
    let Some(list) = field(node, &["arguments"]) else { return };
    if edits.program.role(list) != Role::Arguments {
        return;
    }
    let name = edits.program.callee(node).map(|name| edits.program.of(name));
    let constants: &[&str] = match name {
        Some("sorted" | "sort") if edits.is_python() => &["reverse=True"],
        Some("pop") if edits.is_python() => &["0", "-1", "None"],
        Some("get") if edits.is_python() => &["0", "[]", "''"],
        Some("range") => &["-1", "2"],
        _ => &["0", "1"],
    };
    let variables = edits.variables(node);
    let (end, start) = (list.end_byte() - 1, list.start_byte() + 1);
    let put =
        constants.iter().map(|text| (0, *text)).chain(variables.iter().map(|text| (2, *text)));
    for (more, text) in put.collect::<Vec<_>>() {
        let behind = if all.is_empty() { text.to_owned() } else { format!(", {text}") };
        edits.push(Operator::AddArgument, more, vec![(end..end, behind)]);
        if !all.is_empty() && all.len() < 3 && !text.contains('=') {
            let before = format!("{text}, ");
            edits.push(Operator::AddArgument, more + 1, vec![(start..start, before)]);
        }
    }
}

/// Elements of a list or a pair change places or are left out.
fn elements<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let all = parts(node);
    for pair in all.windows(2) {
        edits.swap(Operator::SwapOperands, 1, pair[0], pair[1]);
    }
    if edits.program.role(node) == Role::List {
        for at in 0..all.len() {
            drop_part(edits, Operator::Initial, &all, at);
        }
        if let &[only] = all.as_slice() {
            edits.put_node(Operator::Unwrap, 2, node, only);
        }
    }
}

fn index<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    if let Some(whole) = field(node, &["value", "object"]) {
        edits.put_node(Operator::Unwrap, 1, node, whole);
        // What is looked up in what, the other way round.
        if let Some(key) = field(node, &["subscript", "index"])
            && matches!(edits.program.role(key), Role::Name | Role::Index | Role::Member)
        {
            edits.put(Operator::Unwrap, 4, node, edits.program.of(key));
        }
    }
}

fn sign<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    if let Some(value) = field(node, &["argument"]) {
        edits.put_node(Operator::Unwrap, 0, node, value);
    }
}

/// Without its parentheses a sum binds in another way.
fn group<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let within =
        matches!(edits.around(node), Role::Arithmetic | Role::Logic | Role::Not | Role::Sign);
    if let (Some(inner), true) = (parts(node).first(), within) {
        edits.put(Operator::Regroup, 0, node, edits.program.of(*inner));
    }
}

fn choice<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let all = parts(node);
    let arms = if edits.is_python() { [0, 2] } else { [1, 2] };
    let [Some(yes), Some(no)] = arms.map(|at| all.get(at).copied()) else { return };
    edits.swap(Operator::SwapOperands, 0, yes, no);
    edits.put_node(Operator::Fix, 0, node, yes);
    edits.put_node(Operator::Fix, 0, node, no);
}

fn negate(edits: &mut Edits<'_, '_>) {
    for node in edits.values(&[Role::Not]) {
        let inner = field(node, &["argument"]).or_else(|| tokens(node).last().copied());
        if let Some(inner) = inner {
            edits.put_node(Operator::Negate, 0, node, inner);
        }
    }
    let mut conditions = edits.program.conditions();
    for node in edits.values(&[Role::Logic]) {
        conditions.extend(sides(node).into_iter().flat_map(|(left, right)| [left, right]));
    }
    for node in edits.program.all(Role::Return).collect::<Vec<_>>() {
        conditions
            .extend(parts(node).first().filter(|value| is_value(edits.program.role(**value))));
    }
    for node in conditions {
        match edits.program.role(node) {
            Role::Not => {}
            // An operator of its own says the opposite.
            Role::Compare => {
                let opposite = edits.opposite(node);
                edits.put_value(Operator::Negate, 6, node, opposite);
            }
            _ => {
                let opposite = edits.opposite(node);
                edits.put_value(Operator::Negate, 0, node, opposite);
            }
        }
    }
}
