//! Statements that are too many, in the wrong order, or in the wrong block.

use tree_sitter::Node;

use super::gathered::Edits;
use crate::repair::operator::Operator;
use crate::repair::syntax::{Role, field, is_value, parts, tokens};

pub(super) fn add(edits: &mut Edits<'_, '_>) {
    for node in edits.program.statements.clone() {
        drop_statement(edits, node);
        shift(edits, node);
        deliver(edits, node);
        if let Some(next) = next(edits, node)
            && is_inside(edits, node)
        {
            swap(edits, node, next);
        }
    }
    for node in edits.program.nodes.clone() {
        if matches!(edits.program.role(node), Role::If | Role::While) {
            branch(edits, node);
        }
    }
}

fn is_inside<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> bool {
    edits.program.function(node).is_some()
        && !matches!(edits.program.role(node), Role::Function | Role::Class)
}

fn next<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> Option<Node<'t>> {
    let next = node.next_named_sibling()?;
    edits.program.statements.iter().any(|one| one.id() == next.id()).then_some(next)
}

fn previous<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> Option<Node<'t>> {
    let before = node.prev_named_sibling()?;
    edits.program.statements.iter().any(|one| one.id() == before.id()).then_some(before)
}

/// A statement's text with another indentation.
pub(super) fn indented<'t>(edits: &Edits<'_, 't>, node: Node<'t>, indent: &str) -> String {
    let own = edits.program.syntax.indent(node);
    let mut lines = edits.program.of(node).lines();
    let mut text = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let rest = line.strip_prefix(own.as_str()).unwrap_or_else(|| line.trim_start());
        text.push('\n');
        if !rest.trim().is_empty() {
            text.push_str(indent);
            text.push_str(rest);
        }
    }
    text
}

fn swap<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>, next: Node<'t>) {
    edits.swap(Operator::SwapStatements, 0, node, next);
}

/// The whole lines of a statement with others beside it; `pass` or nothing where it is alone.
fn removal<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> (std::ops::Range<usize>, String) {
    let alone = previous(edits, node).is_none() && next(edits, node).is_none();
    if alone {
        let nothing = if edits.is_python() { "pass" } else { "" };
        return (node.byte_range(), nothing.to_owned());
    }
    let text = edits.program.syntax.text;
    let line = text[..node.start_byte()].rfind('\n').map_or(0, |end| end + 1);
    let own_line = text[line..node.start_byte()].trim().is_empty();
    let rest = &text[node.end_byte()..];
    let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
    if own_line && rest[..end].trim().is_empty() {
        (line..node.end_byte() + end, String::new())
    } else {
        (node.byte_range(), if edits.is_python() { "pass" } else { "" }.to_owned())
    }
}

fn drop_statement<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    if !is_inside(edits, node) || edits.program.role(node) == Role::Jump {
        return;
    }
    let removal = removal(edits, node);
    let lines = u32::try_from(edits.program.of(node).lines().count()).unwrap_or(u32::MAX);
    edits.push(Operator::DropStatement, lines.min(6) - 1, vec![removal]);
    // What was done under a condition or in a loop, done once and always.
    if let Some(body) = body(edits, node).filter(|_| node.kind() != "elif_clause") {
        let indent = edits.program.syntax.indent(node);
        let inner: Vec<_> =
            parts(body).into_iter().map(|one| indented(edits, one, &indent)).collect();
        edits.put(Operator::DropStatement, 4, node, inner.join(&format!("\n{indent}")));
    }
    // Without what is done otherwise.
    for other in parts(node).into_iter().filter(|part| part.kind() == "else_clause") {
        edits.put(Operator::DropStatement, 3, other, "");
    }
}

fn body<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> Option<Node<'t>> {
    let holds = matches!(edits.program.role(node), Role::If | Role::While | Role::For);
    let body = holds.then(|| field(node, &["body", "consequence"]))??;
    (edits.program.role(body) == Role::Block).then_some(body)
}

/// The text that puts a statement before or behind another one.
pub(super) fn before(text: &str, indent: &str) -> String {
    format!("{text}\n{indent}")
}

pub(super) fn behind(text: &str, indent: &str) -> String {
    format!("\n{indent}{text}")
}

/// A statement at the end of a block goes behind it, one at the start before it; one beside a block
/// goes in.
fn shift<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    if !is_inside(edits, node) {
        return;
    }
    let removal = removal(edits, node);
    let block = node.parent();
    let owner = block.and_then(|block| owner(edits, block));
    if let Some(owner) = owner {
        let indent = edits.program.syntax.indent(owner);
        let text = indented(edits, node, &indent);
        if next(edits, node).is_none() {
            let end = owner.end_byte();
            // The removal may end with the owner's last line.
            let end = end.max(removal.0.end);
            let text = if end > owner.end_byte() {
                format!("{indent}{text}\n")
            } else {
                behind(&text, &indent)
            };
            edits.push(Operator::Shift, 0, vec![removal.clone(), (end..end, text)]);
        }
        if previous(edits, node).is_none() {
            let start = owner.start_byte();
            let text = before(&indented(edits, node, &indent), &indent);
            edits.push(Operator::Shift, 1, vec![(start..start, text), removal.clone()]);
        }
    }
    let neighbours = [(previous(edits, node), false), (next(edits, node), true)];
    for (neighbour, comes_after) in neighbours {
        let Some(block) = neighbour.and_then(|one| body(edits, one)) else { continue };
        let inner = parts(block);
        let (Some(first), Some(last)) = (inner.first().copied(), inner.last().copied()) else {
            continue;
        };
        let indent = edits.program.syntax.indent(first);
        let text = indented(edits, node, &indent);
        let part = if comes_after {
            (first.start_byte()..first.start_byte(), before(&text, &indent))
        } else {
            (last.end_byte()..last.end_byte(), behind(&text, &indent))
        };
        edits.push(Operator::Shift, 2, vec![removal.clone(), part]);
    }
}

/// The statement that a block belongs to, where it can be left: no function and no class.
fn owner<'t>(edits: &Edits<'_, 't>, block: Node<'t>) -> Option<Node<'t>> {
    let mut owner = block.parent()?;
    while matches!(owner.kind(), "elif_clause" | "else_clause") {
        owner = owner.parent()?;
    }
    let role = edits.program.role(owner);
    (matches!(role, Role::If | Role::While | Role::For)).then_some(owner)
}

/// What is returned, yielded or thrown away.
fn deliver<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let role = edits.program.role(node);
    let values = parts(node);
    let Some(first) = values.first().copied() else { return };
    match role {
        Role::Return if edits.is_python() => {
            let text = edits.program.of(first);
            edits.put(Operator::Deliver, 4, node, format!("yield {text}"));
            edits.put(Operator::Deliver, 5, node, text);
        }
        Role::Bare if edits.program.role(first) == Role::Call => {
            edits.put(Operator::Deliver, 0, first, format!("return {}", edits.program.of(first)));
        }
        Role::Bare if edits.program.role(first) == Role::Yield => {
            let text = edits.program.of(first);
            let whole = if edits.is_python() { "yield from " } else { "yield* " };
            let other = if let Some(rest) = text.strip_prefix(whole) {
                format!("yield {rest}")
            } else {
                format!("{whole}{}", text.trim_start_matches("yield").trim_start())
            };
            edits.put(Operator::Deliver, 0, first, other);
            if let Some(value) = parts(first).first() {
                let text = edits.program.of(*value);
                edits.put(Operator::Deliver, 3, first, format!("return {text}"));
                // A value where it is made by a call of the function itself.
                let arguments = edits.program.arguments(*value);
                if let &[only] = arguments.as_slice() {
                    edits.put(
                        Operator::Deliver,
                        1,
                        first,
                        format!("yield {}", edits.program.of(only)),
                    );
                }
            }
        }
        _ => {}
    }
}

/// `if` for `while`, `elif` for `if`, and conditions that always or never hold.
fn branch<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let keyword = tokens(node).first().copied();
    if let Some(keyword) = keyword {
        match edits.program.of(keyword) {
            "if" => {
                edits.put(Operator::Loop, 1, keyword, "while");
                let follows = node
                    .prev_named_sibling()
                    .is_some_and(|before| edits.program.role(before) == Role::If);
                if follows {
                    let other = if edits.is_python() { "elif" } else { "else if" };
                    edits.put(Operator::Loop, 0, keyword, other);
                }
            }
            "while" => edits.put(Operator::Loop, 0, keyword, "if"),
            "elif" => edits.put(Operator::Loop, 0, keyword, "if"),
            _ => {}
        }
    }
    let condition = field(node, &["condition"]).and_then(|one| edits.program.bare(one));
    let Some(condition) = condition.filter(|one| is_value(edits.program.role(*one))) else {
        return;
    };
    let [yes, no] = if edits.is_python() { ["True", "False"] } else { ["true", "false"] };
    edits.put(Operator::Fix, 0, condition, yes);
    edits.put(Operator::Fix, 1, condition, no);
}
