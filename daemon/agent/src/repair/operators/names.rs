//! Names that were taken for others: variables, members and functions.

use tree_sitter::Node;

use super::gathered::Edits;
use crate::repair::operator::Operator;
use crate::repair::syntax::{Place, Role, field, place, push_new};

/// Functions that are taken for each other. Of a family any may stand in the place of any.
const FAMILIES: [&[&str]; 36] = [
    &["min", "max"],
    &["any", "all"],
    &["some", "every"],
    &["sorted", "reversed", "list", "set"],
    &["sort", "reverse"],
    &["floor", "ceil", "round", "trunc", "int"],
    &["int", "round", "float"],
    &["append", "extend", "add", "appendleft", "insert"],
    &["pop", "popleft"],
    &["push", "unshift"],
    &["pop", "shift"],
    &["extend", "extendleft", "update"],
    &["startswith", "endswith"],
    &["startsWith", "endsWith"],
    &["upper", "lower"],
    &["toUpperCase", "toLowerCase"],
    &["isupper", "islower"],
    &["isalpha", "isdigit", "isalnum", "isspace"],
    &["find", "rfind", "index", "rindex"],
    &["indexOf", "lastIndexOf"],
    &["strip", "lstrip", "rstrip"],
    &["trim", "trimStart", "trimEnd"],
    &["keys", "values", "items"],
    &["union", "intersection", "difference", "symmetric_difference"],
    &["discard", "remove", "add"],
    &["sum", "max", "min", "len"],
    &["bisect_left", "bisect_right"],
    &["issubset", "issuperset"],
    &["get", "setdefault", "pop"],
    &["slice", "splice"],
    &["keys", "values", "entries"],
    &["map", "filter", "flatMap"],
    &["find", "findLast", "findIndex", "filter"],
    &["indexOf", "findIndex", "includes"],
    &["parseInt", "parseFloat", "Number"],
    &["substring", "substr", "slice"],
];

pub(super) fn add(edits: &mut Edits<'_, '_>) {
    variables(edits);
    members(edits);
    for call in edits.values(&[Role::Call]) {
        callees(edits, call);
    }
}

fn variables(edits: &mut Edits<'_, '_>) {
    let names: Vec<_> = edits.program.all(Role::Name).collect();
    for node in names {
        let text = edits.program.of(node);
        let (operator, is_use) = match place(edits.program.syntax, node) {
            Place::Read => (Operator::Variable, is_called(edits, node)),
            Place::Written if is_parameter(edits, node) => continue,
            Place::Written => (Operator::Target, false),
            Place::Label => continue,
        };
        let variables = edits.variables(node);
        if is_use || !variables.contains(&text) {
            continue;
        }
        for (more, other) in (0..).zip(variables.into_iter().filter(|name| *name != text)) {
            // Those of the function itself come first.
            edits.put(operator, u32::from(more > 7), node, other);
        }
    }
}

fn is_parameter<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> bool {
    matches!(edits.around(node), Role::Parameters | Role::Function)
}

fn is_called<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> bool {
    node.parent().is_some_and(|parent| {
        edits.program.role(parent) == Role::Call
            && field(parent, &["function"]).is_some_and(|function| function.id() == node.id())
    })
}

/// Members of the file that are called, or that are not, for others of that sort.
fn members(edits: &mut Edits<'_, '_>) {
    let all: Vec<_> = edits.program.all(Role::Member).collect();
    let sort = |called: bool| {
        let mut names = Vec::new();
        for node in all.iter().filter(|node| is_called(edits, **node) == called) {
            if let Some(name) = field(*node, &["attribute", "property"]) {
                push_new(&mut names, edits.program.of(name));
            }
        }
        names
    };
    let (called, read) = (sort(true), sort(false));
    for node in all.iter().copied() {
        let Some(name) = field(node, &["attribute", "property"]) else { continue };
        let (names, more) = if is_called(edits, node) { (&called, 3) } else { (&read, 0) };
        for other in names {
            edits.put(Operator::Member, more, name, *other);
        }
        // An object for what is kept in it.
        if let Some(object) = field(node, &["object"])
            && !is_called(edits, node)
        {
            edits.put_node(Operator::Member, 4, node, object);
        }
    }
    // What is kept in an object for the object.
    for node in edits.values(&[Role::Name]) {
        let text = edits.program.of(node);
        let is_object = all.iter().any(|member| {
            !is_called(edits, *member)
                && field(*member, &["object"]).is_some_and(|of| edits.program.of(of) == text)
        });
        if is_object && edits.around(node) != Role::Member {
            for name in &read {
                edits.put(Operator::Member, 5, node, format!("{text}.{name}"));
            }
        }
    }
}

fn callees<'t>(edits: &mut Edits<'_, 't>, call: Node<'t>) {
    let Some(name) = edits.program.callee(call) else { return };
    let text = edits.program.of(name);
    for (more, family) in FAMILIES.iter().enumerate() {
        if family.contains(&text) {
            for other in *family {
                edits.put(Operator::Callee, u32::from(more > 20), name, *other);
            }
        }
    }
    if edits.program.defined.contains(&text) {
        for other in edits.program.defined.clone() {
            edits.put(Operator::Callee, 2, name, other);
        }
    }
}
