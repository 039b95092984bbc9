//! Changes made of what the file has elsewhere: expressions, conditions and statements that are there
//! already, and short ones made of its variables.

use tree_sitter::Node;

use super::gathered::{BORROWED_MAX, Edits};
use super::statements::{before, behind, indented};
use crate::repair::operator::Operator;
use crate::repair::syntax::{Role, field, is_value, parts, push_new};

/// Most variables of which conditions and updates are made.
const VARIABLES_MAX: usize = 10;

pub(super) fn add(edits: &mut Edits<'_, '_>) {
    conditions(edits);
    expressions(edits);
    for node in edits.program.statements.clone() {
        if edits.program.function(node).is_some() {
            repeat(edits, node);
            update(edits, node);
        }
    }
    guards(edits);
}

/// Conditions that can be made of the variables of a place, the simplest first.
fn made<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> Vec<(u32, String)> {
    let variables: Vec<_> = edits.variables(node).into_iter().take(VARIABLES_MAX).collect();
    let python = edits.is_python();
    let mut made = Vec::new();
    let mut add = |more: u32, text: String| made.push((more, text));
    for one in &variables {
        if python {
            add(0, (*one).to_owned());
            add(0, format!("not {one}"));
            add(1, format!("{one} is None"));
            add(1, format!("{one} is not None"));
            add(2, format!("len({one}) > 1"));
            add(2, format!("len({one}) <= 1"));
        } else {
            add(0, (*one).to_owned());
            add(0, format!("!{one}"));
            add(1, format!("{one} == null"));
            add(1, format!("{one} != null"));
            // What is empty there is as true as anything else.
            add(1, format!("{one}.length === 0"));
            add(2, format!("{one}.length > 1"));
            add(2, format!("{one}.length <= 1"));
        }
        let equal = if python { ["==", "!="] } else { ["===", "!=="] };
        for sign in equal.into_iter().chain(["<", ">", "<=", ">="]) {
            add(1, format!("{one} {sign} 0"));
            if sign.len() > 1 {
                add(2, format!("{one} {sign} 1"));
            }
        }
        for other in variables.iter().filter(|other| *other != one) {
            for sign in equal.into_iter().chain(["<", "<="]) {
                add(3, format!("{one} {sign} {other}"));
            }
            if python {
                add(3, format!("{one} in {other}"));
                add(3, format!("{one} not in {other}"));
            } else {
                add(3, format!("{other}.includes({one})"));
            }
        }
    }
    made
}

fn conditions(edits: &mut Edits<'_, '_>) {
    let all = edits.program.conditions();
    let mut known = Vec::new();
    for node in edits.values(&[Role::Compare, Role::Not]).into_iter().chain(all.iter().copied()) {
        if edits.program.of(node).len() <= BORROWED_MAX {
            push_new(&mut known, edits.program.of(node));
        }
    }
    for node in all {
        let text = edits.program.of(node);
        let (and, or) = if edits.is_python() { ("and", "or") } else { ("&&", "||") };
        let whole = if edits.program.role(node) == Role::Logic
            || edits.program.role(node) == Role::Choice
        {
            format!("({text})")
        } else {
            text.to_owned()
        };
        let mut others: Vec<(u32, String)> = emptiness(edits, node);
        others.extend(known.iter().map(|other| (0, (*other).to_owned())));
        others.extend(made(edits, node));
        for (more, other) in others {
            if other == text {
                continue;
            }
            let simple = !other.contains([' ']) || !other.contains(and) && !other.contains(or);
            let other = if simple { other } else { format!("({other})") };
            edits.put_value(Operator::Widen, more, node, format!("{other} {or} {whole}"));
            edits.put_value(Operator::Narrow, more, node, format!("{other} {and} {whole}"));
            // What is asked later may rest on what was asked before.
            edits.put_value(Operator::Narrow, more + 2, node, format!("{whole} {and} {other}"));
            edits.put_value(Operator::Condition, more, node, other);
        }
    }
}

/// Whether one of the objects that a condition reads is there at all.
fn emptiness<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> Vec<(u32, String)> {
    let mut objects = Vec::new();
    let mut stack = vec![node];
    while let Some(one) = stack.pop() {
        let object = match edits.program.role(one) {
            Role::Member | Role::Index => field(one, &["object", "value"]),
            _ => None,
        };
        if let Some(object) = object.filter(|object| is_value(edits.program.role(*object))) {
            push_new(&mut objects, edits.program.of(object));
        }
        stack.extend(parts(one));
    }
    let tests = |object: &str| {
        if edits.is_python() {
            [format!("not {object}"), format!("{object} is None"), object.to_owned()]
        } else {
            [format!("!{object}"), format!("{object} == null"), object.to_owned()]
        }
    };
    objects.into_iter().flat_map(tests).map(|text| (0, text)).collect()
}

/// Other expressions of the file, near ones of the same sort sooner.
fn expressions(edits: &mut Edits<'_, '_>) {
    let mut known: Vec<Node<'_>> = Vec::new();
    for node in &edits.program.values {
        let text = edits.program.of(*node);
        let fits = text.len() <= BORROWED_MAX
            && !text.contains('\n')
            && !matches!(edits.program.role(*node), Role::Group | Role::Text)
            && !edits.program.defined.contains(&text);
        if fits && !known.iter().any(|one| edits.program.of(*one) == text) {
            known.push(*node);
        }
    }
    let readable = |role| is_value(role) && role != Role::Group;
    for node in edits.program.values.clone() {
        let role = edits.program.role(node);
        let is_name = |role| role == Role::Name;
        if !readable(role) || edits.around(node) == Role::Call || edits.around(node) == Role::Bare {
            continue;
        }
        for other in &known {
            let theirs = edits.program.role(*other);
            // One variable for another is an operator of its own.
            if is_name(role) && is_name(theirs) || inside(*other, node) && inside(node, *other) {
                continue;
            }
            let more = if role == theirs { 0 } else { 2 };
            edits.put_node(Operator::Expression, more, node, *other);
        }
    }
}

fn inside(inner: Node<'_>, outer: Node<'_>) -> bool {
    outer.start_byte() <= inner.start_byte() && inner.end_byte() <= outer.end_byte()
}

/// Simple statements of the same function once more, before or behind another.
fn repeat<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let function = edits.program.function(node).map(|function| function.id());
    let indent = edits.program.syntax.indent(node);
    let mut known = Vec::new();
    for other in edits.program.statements.clone() {
        let simple = matches!(edits.program.role(other), Role::Bare | Role::Return | Role::Jump);
        let same = edits.program.function(other).map(|function| function.id()) == function;
        if simple && same && edits.program.of(other).len() <= BORROWED_MAX {
            let text = indented(edits, other, &indent);
            if !known.contains(&text) {
                known.push(text);
            }
        }
    }
    for text in known {
        put_beside(edits, Operator::Repeat, 0, node, &text, &indent);
    }
}

fn put_beside<'t>(
    edits: &mut Edits<'_, 't>,
    operator: Operator,
    more: u32,
    node: Node<'t>,
    text: &str,
    indent: &str,
) {
    let (start, end) = (node.start_byte(), node.end_byte());
    edits.push(operator, more, vec![(start..start, before(text, indent))]);
    // Before the next one is the same place.
    if node.next_named_sibling().is_none() {
        edits.push(operator, more, vec![(end..end, behind(text, indent))]);
    }
}

/// Short statements that bring a variable up to date.
fn update<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let indent = edits.program.syntax.indent(node);
    let variables: Vec<_> = edits.variables(node).into_iter().take(VARIABLES_MAX).collect();
    let end = if edits.is_python() { "" } else { ";" };
    for one in &variables {
        for sign in ["+= 1", "-= 1"] {
            put_beside(edits, Operator::Update, 0, node, &format!("{one} {sign}{end}"), &indent);
        }
        for other in variables.iter().filter(|other| *other != one) {
            let calls: &[&str] =
                if edits.is_python() { &["append", "add"] } else { &["push", "add"] };
            for call in calls {
                let text = format!("{one}.{call}({other}){end}");
                put_beside(edits, Operator::Update, 1, node, &text, &indent);
            }
            let text = format!("{one} = {other}{end}");
            put_beside(edits, Operator::Update, 2, node, &text, &indent);
        }
    }
}

/// A case that is left out at the beginning of a function or of a round of a loop.
fn guards(edits: &mut Edits<'_, '_>) {
    for node in edits.program.nodes.clone() {
        let role = edits.program.role(node);
        let body = field(node, &["body"]).filter(|body| edits.program.role(*body) == Role::Block);
        let Some(body) = body else { continue };
        let is_program = |one: &Node<'_>| !edits.program.holds_docstring(*one);
        let Some(first) = parts(body).into_iter().find(is_program) else { continue };
        let indent = edits.program.syntax.indent(first);
        let ends: Vec<String> = match role {
            Role::Function => results(edits, node, first),
            Role::For | Role::While => vec!["continue".to_owned(), "break".to_owned()],
            _ => continue,
        };
        let mut conditions: Vec<String> = made_before(edits, node, first);
        conditions.dedup();
        let start = first.start_byte();
        for condition in conditions {
            for (more, end) in (0..).zip(&ends) {
                let text = if edits.is_python() {
                    format!("if {condition}:\n{indent}    {end}\n{indent}")
                } else {
                    format!("if ({condition}) {end};\n{indent}")
                };
                edits.push(Operator::Guard, 1 + more.min(6), vec![(start..start, text)]);
            }
        }
    }
}

/// Conditions of what is known at the start of a block: for a function, of its parameters.
fn made_before<'t>(edits: &Edits<'_, 't>, node: Node<'t>, first: Node<'t>) -> Vec<String> {
    let parameters =
        field(node, &["parameters", "parameter"]).map(|one| edits.program.of(one).to_owned());
    let known = made(edits, first);
    let of_parameters = |text: &str| {
        parameters.as_ref().is_none_or(|parameters| {
            let word = |part: &str| !part.is_empty() && part.parse::<i64>().is_err();
            let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
            let mut words = words.filter(|part| word(part));
            words.all(|part| {
                matches!(part, "not" | "is" | "None" | "len" | "in")
                    || matches!(part, "null" | "length" | "includes")
                    || parameters
                        .split(|sign: char| !sign.is_alphanumeric() && sign != '_')
                        .any(|p| p == part)
            })
        })
    };
    let kept = known.into_iter().filter(|(more, text)| *more < 3 && of_parameters(text));
    kept.map(|(_, text)| text).collect()
}

/// What a function may return at once: what it returns elsewhere, what it was given, and simple values.
fn results<'t>(edits: &Edits<'_, 't>, function: Node<'t>, first: Node<'t>) -> Vec<String> {
    let mut results: Vec<String> = Vec::new();
    let mut push = |text: &str| {
        let text = format!("return {text}");
        if !results.contains(&text) {
            results.push(text);
        }
    };
    for node in edits.program.all(Role::Return) {
        let own = edits.program.function(node).map(|one| one.id()) == Some(function.id());
        if let (Some(value), true) = (parts(node).first(), own)
            && edits.program.of(*value).len() <= 20
        {
            push(edits.program.of(*value));
        }
    }
    let simple: &[&str] = if edits.is_python() {
        &["[]", "0", "False", "True", "None", "1", "''", "-1", "[[]]"]
    } else {
        &["[]", "0", "false", "true", "null", "1", "''", "-1", "[[]]"]
    };
    simple.iter().for_each(|text| push(text));
    for name in edits.variables(first).into_iter().take(4) {
        push(name);
    }
    results
}
