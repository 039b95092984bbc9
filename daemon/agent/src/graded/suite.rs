//! The tests of a run, with the names that must come back: read from the text of the tests, before any
//! of it runs.

use std::collections::BTreeSet;

use tree_sitter::{Language, Node, Parser};
use vosim_protocol::v1::agent::TaskLanguage;

use crate::repair::Grammar;

/// A language whose tests can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestLanguage {
    /// Python, by pytest with hypothesis.
    Python,
    /// JavaScript, by `node:test`.
    Javascript,
}

impl From<TaskLanguage> for TestLanguage {
    fn from(language: TaskLanguage) -> Self {
        match language {
            TaskLanguage::Python => Self::Python,
            TaskLanguage::Node => Self::Javascript,
        }
    }
}

impl TestLanguage {
    /// How the programs that are tested are read and changed.
    pub const fn grammar(self) -> Grammar {
        match self {
            Self::Python => Grammar::Python,
            Self::Javascript => Grammar::Javascript,
        }
    }

    /// Whether a file is written in it, by its name.
    pub fn has_file(self, path: &str) -> bool {
        let ending = path.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| self.endings().contains(&ending))
    }

    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["py"],
            Self::Javascript => &["js", "mjs", "cjs"],
        }
    }
}

/// One file of tests, as it is before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFile {
    /// From the workspace on.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// Tests that are fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    pub(super) language: TestLanguage,
    pub(super) files: Vec<TestFile>,
    pub(super) expected: BTreeSet<String>,
}

/// Whether a file holds tests by its name, as pytest and `node --test` have it.
pub fn is_test_file(language: TestLanguage, path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    match language {
        TestLanguage::Python => name
            .strip_suffix(".py")
            .is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test")),
        TestLanguage::Javascript => {
            let stem = language.endings().iter().find_map(|ending| {
                name.strip_suffix(ending).and_then(|stem| stem.strip_suffix('.'))
            });
            stem.is_some_and(|stem| {
                stem == "test"
                    || stem.starts_with("test-")
                    || [".test", "-test", "_test"].iter().any(|end| stem.ends_with(end))
                    || folders.split('/').any(|folder| folder == "test")
            })
        }
    }
}

impl Suite {
    /// Fixes tests. Those whose names are computed are run too, and nothing is expected of them.
    pub fn fix(language: TestLanguage, files: Vec<TestFile>) -> Self {
        let named = |file: &TestFile| match language {
            TestLanguage::Python => python(file),
            TestLanguage::Javascript => javascript(file),
        };
        let expected = files.iter().flat_map(named).collect();
        Self { language, files, expected }
    }

    /// The language.
    pub const fn language(&self) -> TestLanguage {
        self.language
    }

    /// The names that must come back, without the parameters behind them.
    pub const fn expected(&self) -> &BTreeSet<String> {
        &self.expected
    }
}

fn parsed(language: &Language, text: &str) -> Option<tree_sitter::Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    parser.parse(text, None)
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

fn python(file: &TestFile) -> Vec<String> {
    let Some(tree) = parsed(&tree_sitter_python::LANGUAGE.into(), &file.text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    python_block(&file.text, tree.root_node(), &file.path, &mut found);
    found
}

/// The tests of a block, also those of the classes in it.
fn python_block(text: &str, block: Node<'_>, above: &str, found: &mut Vec<String>) {
    for statement in children(block) {
        let (definition, decorated) = match statement.child_by_field_name("definition") {
            Some(definition) => (definition, true),
            None => (statement, false),
        };
        let Some(name) = definition.child_by_field_name("name") else { continue };
        let name = &text[name.byte_range()];
        let full = format!("{above}::{name}");
        match definition.kind() {
            "function_definition" if name.starts_with("test") => {
                // A fixture may be called like a test.
                let before = &text[statement.start_byte()..definition.start_byte()];
                if !(decorated && before.contains("fixture")) {
                    found.push(full);
                }
            }
            "class_definition" => {
                let parents = definition.child_by_field_name("superclasses");
                let parents = parents.map_or("", |parents| &text[parents.byte_range()]);
                if let Some(body) = definition.child_by_field_name("body")
                    && (name.starts_with("Test") || parents.contains("TestCase"))
                {
                    python_block(text, body, &full, found);
                }
            }
            _ => {}
        }
    }
}

fn javascript(file: &TestFile) -> Vec<String> {
    let Some(tree) = parsed(&tree_sitter_javascript::LANGUAGE.into(), &file.text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    javascript_block(&file.text, tree.root_node(), &file.path, &mut found);
    found
}

/// The calls of `test`, `it` and `describe` with a plain name that stand as statements of a block.
fn javascript_block(text: &str, block: Node<'_>, above: &str, found: &mut Vec<String>) {
    for statement in children(block) {
        let mut call = match statement.kind() {
            "expression_statement" => statement.named_child(0),
            _ => None,
        };
        if let Some(awaited) = call.filter(|call| call.kind() == "await_expression") {
            call = awaited.named_child(0);
        }
        let Some(call) = call.filter(|call| call.kind() == "call_expression") else { continue };
        let part = |field| call.child_by_field_name(field);
        let (Some(function), Some(arguments)) = (part("function"), part("arguments")) else {
            continue;
        };
        let arguments = children(arguments);
        let Some(name) = arguments.first().filter(|first| first.kind() == "string") else {
            continue;
        };
        let name = text[name.byte_range()].trim_matches(['"', '\'']);
        if name.contains('\\') {
            continue;
        }
        let full = format!("{above} > {name}");
        match &text[function.byte_range()] {
            "test" | "it" => found.push(full),
            "describe" | "suite" => {
                let body = arguments.last().and_then(|last| last.child_by_field_name("body"));
                if let Some(body) = body {
                    javascript_block(text, body, &full, found);
                }
            }
            _ => {}
        }
    }
}
