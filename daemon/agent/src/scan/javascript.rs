//! What a JavaScript program uses. Names that stand for a module, or for a part of one, are followed.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::uses::{
    Gathered, Sort, Use, broken, is_secret_name, is_sql, leads_out, nodes, text_use, tree,
};

/// Names of the language or of its surroundings that matter wherever they stand.
const LOADED_NAMES: [&str; 6] =
    ["eval", "Function", "fetch", "WebSocket", "XMLHttpRequest", "EventSource"];

type Names<'t> = BTreeMap<&'t str, String>;

pub(super) fn uses(text: &str) -> Vec<Use> {
    let Some(tree) = tree(&tree_sitter_javascript::LANGUAGE.into(), text) else {
        return Vec::new();
    };
    let mut gathered = Gathered { text, uses: Vec::new() };
    let nodes = nodes(&tree);
    if let Some(broken) = broken(&tree) {
        gathered.push(Sort::File, "unreadable", broken);
    }
    let mut names = BTreeMap::new();
    for node in &nodes {
        match node.kind() {
            "import_statement" => imported(&mut gathered, &mut names, *node),
            "variable_declarator" => declared(&gathered, &mut names, *node),
            _ => {}
        }
    }
    for node in nodes {
        match node.kind() {
            "call_expression" => called(&mut gathered, &names, node, "function"),
            "new_expression" => called(&mut gathered, &names, node, "constructor"),
            "identifier" => named(&mut gathered, &names, node),
            "member_expression" => member(&mut gathered, &names, node),
            "subscript_expression" => computed(&mut gathered, &names, node),
            "string" => {
                if let Some(content) = literal(&gathered, node) {
                    text_use(&mut gathered, content, node);
                }
            }
            "assignment_expression" | "pair" => given(&mut gathered, node),
            _ => {}
        }
        if node.kind() == "variable_declarator" {
            given(&mut gathered, node);
        }
    }
    gathered.uses
}

fn module(text: &str) -> String {
    text.strip_prefix("node:").unwrap_or(text).to_owned()
}

fn imported<'t>(gathered: &mut Gathered<'t>, names: &mut Names<'t>, node: Node<'_>) {
    let source = node.child_by_field_name("source").and_then(|it| literal(gathered, it));
    let Some(source) = source.map(module) else { return };
    gathered.push(Sort::Module, source.clone(), node);
    let Some(clause) = node.named_child(0).filter(|it| it.kind() == "import_clause") else {
        return;
    };
    let mut cursor = clause.walk();
    for part in clause.named_children(&mut cursor) {
        match part.kind() {
            "identifier" => drop(names.insert(gathered.of(part), source.clone())),
            "namespace_import" => {
                if let Some(name) = part.named_child(0) {
                    names.insert(gathered.of(name), source.clone());
                }
            }
            "named_imports" => {
                let mut cursor = part.walk();
                for one in part.named_children(&mut cursor) {
                    let Some(name) = one.child_by_field_name("name") else { continue };
                    let own = one.child_by_field_name("alias").unwrap_or(name);
                    let full = format!("{source}.{}", gathered.of(name));
                    names.insert(gathered.of(own), full);
                }
            }
            _ => {}
        }
    }
}

/// `const a = require('b')` and `const { c } = require('b')`.
fn declared<'t>(gathered: &Gathered<'t>, names: &mut Names<'t>, node: Node<'_>) {
    let part = |field| node.child_by_field_name(field);
    let (Some(name), Some(value)) = (part("name"), part("value")) else { return };
    let Some(full) = full_name(gathered, names, value) else { return };
    match name.kind() {
        "identifier" => drop(names.insert(gathered.of(name), full)),
        "object_pattern" => {
            let mut cursor = name.walk();
            for one in name.named_children(&mut cursor) {
                let (member, own) = match one.kind() {
                    "shorthand_property_identifier_pattern" => (one, one),
                    "pair_pattern" => {
                        let part = |field| one.child_by_field_name(field);
                        let (Some(key), Some(own)) = (part("key"), part("value")) else { continue };
                        (key, own)
                    }
                    _ => continue,
                };
                names.insert(gathered.of(own), format!("{full}.{}", gathered.of(member)));
            }
        }
        _ => {}
    }
}

/// The full name of a name, a chain of members or a module that is loaded in place.
fn full_name(gathered: &Gathered<'_>, names: &Names<'_>, node: Node<'_>) -> Option<String> {
    match node.kind() {
        "identifier" => {
            let name = gathered.of(node);
            Some(names.get(name).cloned().unwrap_or_else(|| name.to_owned()))
        }
        "member_expression" => {
            let object = full_name(gathered, names, node.child_by_field_name("object")?)?;
            let member = gathered.of(node.child_by_field_name("property")?);
            Some(match object.as_str() {
                "globalThis" | "global" => member.to_owned(),
                _ => format!("{object}.{member}"),
            })
        }
        "call_expression" => {
            let function = gathered.of(node.child_by_field_name("function")?);
            let first = node.child_by_field_name("arguments")?.named_child(0)?;
            let loads = matches!(function, "require" | "import");
            loads.then(|| literal(gathered, first).map(module)).flatten()
        }
        "await_expression" | "parenthesized_expression" => {
            full_name(gathered, names, node.named_child(0)?)
        }
        _ => None,
    }
}

fn called(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>, field: &str) {
    let Some(function) = node.child_by_field_name(field) else { return };
    let arguments = node.child_by_field_name("arguments");
    let first = arguments.and_then(|arguments| arguments.named_child(0));
    let text = first.and_then(|first| literal(gathered, first));
    if matches!(gathered.of(function), "require" | "import") && first.is_some() {
        match text {
            Some(text) => gathered.push(Sort::Module, module(text), node),
            None => gathered.push(Sort::Computed, "import", node),
        }
        return;
    }
    let last = function.child_by_field_name("property").map(|last| gathered.of(last));
    let made_of_data = |first: Node<'_>| {
        let text = gathered.of(first);
        let filled = first.kind() == "template_string" && text.contains("${");
        (filled || first.kind() == "binary_expression")
            && is_sql(text.trim_start_matches(['`', '"', '\'']))
    };
    if matches!(last, Some("query" | "execute")) && first.is_some_and(made_of_data) {
        gathered.push(Sort::Argument, "execute made-of-data", node);
    }
    let Some(name) = full_name(gathered, names, function) else { return };
    if matches!(name.as_str(), "setTimeout" | "setInterval")
        && first.is_some_and(|it| matches!(it.kind(), "string" | "template_string"))
    {
        gathered.push(Sort::Argument, format!("{name} text"), node);
    }
    if (name.starts_with("fs.") || name.starts_with("fs/promises.")) && text.is_some_and(leads_out)
    {
        gathered.push(Sort::Argument, "fs outside", node);
    }
    gathered.push(Sort::Call, name, node);
}

fn named(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>) {
    let name = gathered.of(node);
    if LOADED_NAMES.contains(&name) && !names.contains_key(name) {
        gathered.push(Sort::Name, name, node);
    }
}

fn member(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>) {
    let last = node.child_by_field_name("property").map(|last| gathered.of(last));
    let before = node.child_by_field_name("object");
    let constructor = |node: Node<'_>| {
        node.child_by_field_name("property").is_some_and(|it| gathered.of(it) == "constructor")
    };
    if last == Some("constructor") && before.is_some_and(constructor) {
        gathered.push(Sort::Name, "constructor.constructor", node);
        return;
    }
    let Some(name) = full_name(gathered, names, node) else { return };
    let loaded = ["process.binding", "process.dlopen", "process.env", "process._linkedBinding"];
    if loaded.contains(&name.as_str()) || LOADED_NAMES.contains(&name.as_str()) {
        gathered.push(Sort::Name, name, node);
    }
}

/// `globalThis[name]`, and the like on a module.
fn computed(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>) {
    let part = |field| node.child_by_field_name(field);
    let (Some(object), Some(index)) = (part("object"), part("index")) else { return };
    let Some(name) = full_name(gathered, names, object) else { return };
    if index.kind() == "number" {
        return;
    }
    let is_module = names.values().any(|known| *known == name) && !name.contains('.');
    let loaded = ["globalThis", "global", "process", "window", "self"].contains(&name.as_str());
    match literal(gathered, index) {
        Some(member) if loaded || is_module => {
            let full = match name.as_str() {
                "globalThis" | "global" | "window" | "self" => member.to_owned(),
                _ => format!("{name}.{member}"),
            };
            gathered.push(Sort::Name, full.clone(), node);
            gathered.push(Sort::Call, full, node);
        }
        None if loaded => gathered.push(Sort::Computed, "member", node),
        Some(_) | None => {}
    }
}

/// `name = "text"`, where the name says that it is secret.
fn given(gathered: &mut Gathered<'_>, node: Node<'_>) {
    let part = |fields: [&str; 3]| fields.into_iter().find_map(|it| node.child_by_field_name(it));
    let (Some(name), Some(value)) =
        (part(["left", "name", "key"]), part(["right", "value", "value"]))
    else {
        return;
    };
    let name = gathered.of(name);
    if is_secret_name(name) && literal(gathered, value).is_some_and(|text| text.len() >= 4) {
        gathered.push(Sort::Given, name, node);
    }
}

/// The content of a plain text; nothing for one that is filled in.
fn literal<'t>(gathered: &Gathered<'t>, node: Node<'_>) -> Option<&'t str> {
    let text = gathered.of(node);
    let plain = match node.kind() {
        "string" => true,
        "template_string" => !text.contains("${"),
        _ => false,
    };
    plain.then(|| text.get(1..text.len().saturating_sub(1)).unwrap_or_default())
}
