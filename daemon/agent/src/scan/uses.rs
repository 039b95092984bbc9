//! What a program uses, in words that fit more than one language.

use tree_sitter::{Language, Node, Parser, Tree};

/// A sort of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A module is loaded.
    Module,
    /// Something is called.
    Call,
    /// A name stands somewhere else, also as a value.
    Name,
    /// A text.
    Text,
    /// A module or a member whose name is computed.
    Computed,
    /// A call with such an argument, as `call argument`.
    Argument,
    /// A text is given to a name.
    Given,
    /// The file itself.
    File,
}

/// One use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) sort: Sort,
    /// Its full name where there is one, for example `os.system`.
    pub(super) thing: String,
    pub(super) line: u32,
}

/// The uses of a text as they are gathered.
pub(super) struct Gathered<'t> {
    pub(super) text: &'t str,
    pub(super) uses: Vec<Use>,
}

impl<'t> Gathered<'t> {
    pub(super) fn of(&self, node: Node<'_>) -> &'t str {
        &self.text[node.byte_range()]
    }

    pub(super) fn push(&mut self, sort: Sort, thing: impl Into<String>, node: Node<'_>) {
        let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
        self.uses.push(Use { sort, thing: thing.into(), line });
    }
}

/// Parses a text; nothing where the grammar cannot be loaded.
pub(super) fn tree(language: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    parser.parse(text, None)
}

/// The smallest part of a tree that holds what is no program, if there is any.
pub(super) fn broken(tree: &Tree) -> Option<Node<'_>> {
    let mut at = Some(tree.root_node()).filter(Node::has_error)?;
    let mut cursor = tree.walk();
    while let Some(below) = at.children(&mut cursor).find(|it| it.has_error() || it.is_missing()) {
        at = below;
    }
    Some(at)
}

/// Every node of a tree, each before those in it.
pub(super) fn nodes(tree: &Tree) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![tree.root_node()];
    let mut cursor = tree.walk();
    while let Some(node) = waiting.pop() {
        found.push(node);
        let first = waiting.len();
        waiting.extend(node.named_children(&mut cursor));
        waiting[first..].reverse();
    }
    found
}

/// Adds what a text itself says, whatever the language.
pub(super) fn text_use(gathered: &mut Gathered<'_>, content: &str, node: Node<'_>) {
    let special = ["/proc/", "/dev/mem", "/dev/kmem", "/dev/kcore", "/sys/kernel"];
    if let Some(place) = special.iter().find(|place| content.starts_with(**place)) {
        gathered.push(Sort::Text, place.trim_end_matches('/'), node);
    }
    let words: Vec<&str> = content.split_whitespace().take(4).collect();
    if let [tool @ ("pip" | "pip3" | "npm" | "yarn" | "pnpm"), "install" | "i" | "add", ..] =
        words[..]
    {
        gathered.push(Sort::Text, format!("{tool} install"), node);
    }
}

/// Whether a path leads out of the workspace as it is written.
pub(super) fn leads_out(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.split(['/', '\\']).any(|part| part == "..")
}

/// Whether a name says that what it is given is secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    let name = name.to_lowercase();
    ["password", "passwd", "secret", "api_key", "apikey", "access_token", "private_key"]
        .iter()
        .any(|word| name.ends_with(word))
}

/// Whether a text begins a statement that changes or reads a database.
pub(super) fn is_sql(text: &str) -> bool {
    let text = text.trim_start().to_uppercase();
    ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "].iter().any(|word| text.starts_with(word))
}
