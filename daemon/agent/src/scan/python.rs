//! What a Python program uses. Other names for a module or a function are followed to their own.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::uses::{
    Gathered, Sort, Use, broken, is_secret_name, is_sql, leads_out, nodes, text_use, tree,
};

/// Names of the language itself that matter wherever they stand.
const LOADED_NAMES: [&str; 4] = ["eval", "exec", "__import__", "__builtins__"];
/// Members by which a program reaches what it has not imported.
const LOADED_MEMBERS: [&str; 9] = [
    "__subclasses__",
    "__globals__",
    "__builtins__",
    "__code__",
    "__closure__",
    "__mro__",
    "__bases__",
    "__loader__",
    "gi_frame",
];
/// Calls that load a module by the name that they are given.
const IMPORTERS: [&str; 4] =
    ["importlib.import_module", "importlib.__import__", "__import__", "builtins.__import__"];
/// Calls that open a file by the path that they are given first.
const OPENERS: [&str; 8] = [
    "open",
    "io.open",
    "os.open",
    "pathlib.Path",
    "os.listdir",
    "os.remove",
    "os.chdir",
    "shutil.rmtree",
];

pub(super) fn uses(text: &str) -> Vec<Use> {
    let Some(tree) = tree(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let mut gathered = Gathered { text, uses: Vec::new() };
    let nodes = nodes(&tree);
    if let Some(broken) = broken(&tree) {
        gathered.push(Sort::File, "unreadable", broken);
    }
    coding(&mut gathered, tree.root_node());
    let mut names = BTreeMap::new();
    for node in &nodes {
        match node.kind() {
            "import_statement" => imported(&mut gathered, &mut names, *node),
            "import_from_statement" => imported_from(&mut gathered, &mut names, *node),
            _ => {}
        }
    }
    for node in nodes {
        match node.kind() {
            "call" => called(&mut gathered, &names, node),
            "identifier" => named(&mut gathered, &names, node),
            "attribute" => member(&mut gathered, &names, node),
            "string" => {
                if let Some(content) = literal(&gathered, node) {
                    text_use(&mut gathered, content, node);
                }
            }
            "assignment" | "keyword_argument" | "default_parameter" => given(&mut gathered, node),
            _ => {}
        }
    }
    gathered.uses
}

/// A file in another encoding reads differently than it looks.
fn coding(gathered: &mut Gathered<'_>, root: Node<'_>) {
    let mut cookies = gathered.text.lines().take(2).filter(|line| line.trim().starts_with('#'));
    let other = cookies.any(|line| {
        let said =
            line.split_once("coding").map(|(_, said)| said.trim_start_matches([':', '=', ' ']));
        said.is_some_and(|said| {
            let name: String =
                said.chars().take_while(|it| it.is_alphanumeric() || "-_.".contains(*it)).collect();
            let name = name.to_lowercase().replace('_', "-");
            !["utf-8", "utf8", "ascii", "us-ascii", "latin-1", "iso-8859-1", "iso-8859-15", ""]
                .contains(&name.as_str())
        })
    });
    if other {
        gathered.push(Sort::File, "coding", root);
    }
}

type Names<'t> = BTreeMap<&'t str, String>;

fn imported<'t>(gathered: &mut Gathered<'t>, names: &mut Names<'t>, node: Node<'_>) {
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        let (module, own) = match child.kind() {
            "aliased_import" => {
                (child.child_by_field_name("name"), child.child_by_field_name("alias"))
            }
            _ => (Some(child), None),
        };
        let Some(module) = module.map(|module| gathered.of(module)) else { continue };
        gathered.push(Sort::Module, module, node);
        match own {
            Some(own) => drop(names.insert(gathered.of(own), module.to_owned())),
            None => {
                let first = module.split('.').next().unwrap_or(module);
                names.insert(first, first.to_owned());
            }
        }
    }
}

fn imported_from<'t>(gathered: &mut Gathered<'t>, names: &mut Names<'t>, node: Node<'_>) {
    let Some(module) = node.child_by_field_name("module_name") else { return };
    let module = gathered.of(module);
    gathered.push(Sort::Module, module, node);
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        let (name, own) = match child.kind() {
            "aliased_import" => {
                (child.child_by_field_name("name"), child.child_by_field_name("alias"))
            }
            _ => (Some(child), None),
        };
        let Some(name) = name else { continue };
        let full = format!("{module}.{}", gathered.of(name));
        // What is taken from a module may be a module too.
        gathered.push(Sort::Module, full.clone(), node);
        names.insert(gathered.of(own.unwrap_or(name)), full);
    }
}

/// The full name of an expression that is a name or a chain of members.
fn full_name(gathered: &Gathered<'_>, names: &Names<'_>, node: Node<'_>) -> Option<String> {
    match node.kind() {
        "identifier" => {
            let name = gathered.of(node);
            Some(names.get(name).cloned().unwrap_or_else(|| name.to_owned()))
        }
        "attribute" => {
            let object = full_name(gathered, names, node.child_by_field_name("object")?)?;
            Some(format!("{object}.{}", gathered.of(node.child_by_field_name("attribute")?)))
        }
        "parenthesized_expression" => full_name(gathered, names, node.named_child(0)?),
        "call" => {
            let function = full_name(gathered, names, node.child_by_field_name("function")?)?;
            let module = arguments(node).first().and_then(|first| literal(gathered, *first));
            module.filter(|_| IMPORTERS.contains(&function.as_str())).map(str::to_owned)
        }
        _ => None,
    }
}

fn called(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let arguments = arguments(node);
    let first = arguments.first().copied();
    let text = first.and_then(|first| literal(gathered, first));
    let last = function.child_by_field_name("attribute").map(|last| gathered.of(last));
    if matches!(last, Some("execute" | "executemany" | "executescript"))
        && first.is_some_and(|first| is_made_of_data(gathered, first))
    {
        gathered.push(Sort::Argument, "execute made-of-data", node);
    }
    let Some(name) = full_name(gathered, names, function) else { return };
    match (name.as_str(), text) {
        (name, Some(module)) if IMPORTERS.contains(&name) => {
            gathered.push(Sort::Module, module, node);
        }
        (name, None) if IMPORTERS.contains(&name) => {
            gathered.push(Sort::Computed, "import", node);
        }
        ("getattr" | "builtins.getattr", _) => got(gathered, names, node, &arguments),
        (name, Some(path)) if OPENERS.contains(&name) && leads_out(path) => {
            gathered.push(Sort::Argument, format!("{name} outside"), node);
        }
        _ => {}
    }
    for argument in arguments.iter().filter(|it| it.kind() == "keyword_argument") {
        let part = |field| argument.child_by_field_name(field).map(|part| gathered.of(part));
        if let (Some(key), Some(value)) = (part("name"), part("value")) {
            gathered.push(Sort::Argument, format!("{key}={value}"), node);
        }
    }
    gathered.push(Sort::Call, name, node);
}

/// `getattr` on a module that was loaded, or on what holds the language's own names.
fn got(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>, arguments: &[Node<'_>]) {
    let [of, name, ..] = arguments else { return };
    let Some(object) = full_name(gathered, names, *of) else { return };
    match literal(gathered, *name) {
        Some(name) => gathered.push(Sort::Call, format!("{object}.{name}"), node),
        None if names.values().any(|known| *known == object) || object == "__builtins__" => {
            gathered.push(Sort::Computed, "member", node);
        }
        None => {}
    }
}

fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let Some(list) = call.child_by_field_name("arguments") else { return Vec::new() };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect()
}

fn named(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>) {
    let name = gathered.of(node);
    let parent = node.parent();
    let called = parent.is_some_and(|parent| {
        parent.kind() == "call" && parent.child_by_field_name("function") == Some(node)
    });
    // The name of something of the program's own.
    let is_own = parent.is_some_and(|parent| {
        let field = if parent.kind() == "attribute" { "attribute" } else { "name" };
        parent.child_by_field_name(field) == Some(node) || parent.kind() == "parameters"
    });
    if !called && !is_own && LOADED_NAMES.contains(&name) && !names.contains_key(name) {
        gathered.push(Sort::Name, name, node);
    }
}

fn member(gathered: &mut Gathered<'_>, names: &Names<'_>, node: Node<'_>) {
    let Some(last) = node.child_by_field_name("attribute") else { return };
    let last = gathered.of(last);
    if LOADED_MEMBERS.contains(&last) {
        gathered.push(Sort::Name, last, node);
    } else if let Some(name) = full_name(gathered, names, node)
        && ["sys.modules", "builtins.eval", "builtins.exec", "os.environ"].contains(&name.as_str())
    {
        gathered.push(Sort::Name, name, node);
    }
}

/// `name = "text"`, where the name says that it is secret.
fn given(gathered: &mut Gathered<'_>, node: Node<'_>) {
    let part = |fields: [&str; 2]| fields.into_iter().find_map(|it| node.child_by_field_name(it));
    let (Some(name), Some(value)) = (part(["left", "name"]), part(["right", "value"])) else {
        return;
    };
    let name = gathered.of(name);
    if is_secret_name(name) && literal(gathered, value).is_some_and(|text| text.len() >= 4) {
        gathered.push(Sort::Given, name, node);
    }
}

/// Whether a text of a database is put together with data.
fn is_made_of_data(gathered: &Gathered<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "string" => {
            let mut cursor = node.walk();
            let filled = node.named_children(&mut cursor).any(|it| it.kind() == "interpolation");
            filled && is_sql(gathered.of(node).trim_start_matches(['f', 'F', 'r', 'R', '"', '\'']))
        }
        "binary_operator" => node.child_by_field_name("left").is_some_and(|left| {
            literal(gathered, left).is_some_and(is_sql) || is_made_of_data(gathered, left)
        }),
        "call" => node.child_by_field_name("function").is_some_and(|function| {
            let of = |field| function.child_by_field_name(field);
            of("attribute").is_some_and(|it| gathered.of(it) == "format")
                && of("object").is_some_and(|it| literal(gathered, it).is_some_and(is_sql))
        }),
        _ => false,
    }
}

/// The content of a plain text; nothing for one that is filled in.
fn literal<'t>(gathered: &Gathered<'t>, node: Node<'_>) -> Option<&'t str> {
    if node.kind() != "string" {
        return None;
    }
    let mut cursor = node.walk();
    let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    match parts[..] {
        [_, content, _] if content.kind() == "string_content" => Some(gathered.of(content)),
        [_, _] => Some(""),
        _ => None,
    }
}
