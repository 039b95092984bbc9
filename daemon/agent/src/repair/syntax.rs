//! A parsed program, in words that fit more than one language: what a node is for, not how its grammar
//! calls it. Only this file knows the names of node kinds.

use std::collections::BTreeMap;

use tree_sitter::{Node, Parser, Tree};

/// A language whose programs can be repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// Python 3.
    Python,
    /// JavaScript.
    Javascript,
}

/// What a node is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// `a < b`, also a chain of them.
    Compare,
    /// `a + b`, and what else makes a value of two.
    Arithmetic,
    /// `a and b`.
    Logic,
    /// `not a`.
    Not,
    /// `-a`.
    Sign,
    /// `a += b`.
    Augment,
    /// `a++`.
    Step,
    /// `a = b`.
    Assign,
    Number,
    Text,
    /// A truth value or nothing.
    Constant,
    Name,
    /// `a.b`.
    Member,
    Call,
    Arguments,
    /// `a[b]`.
    Index,
    /// `a:b` in an index.
    Slice,
    List,
    /// `a, b` and `(a, b)`.
    Pair,
    /// Dictionaries, comprehensions, lambdas and other values that are taken as they are.
    Opaque,
    /// `a if b else c`.
    Choice,
    /// `(a)`.
    Group,
    If,
    While,
    For,
    /// `for a in b` inside a comprehension.
    Clause,
    /// `if a` inside a comprehension.
    Filter,
    Return,
    Yield,
    /// `break` and its like.
    Jump,
    /// A value that stands as a statement.
    Bare,
    Block,
    Function,
    Class,
    Parameters,
    /// A statement of another sort.
    Statement,
    /// Imports, decorators, annotations and comments: nothing in them is changed.
    Fixed,
    /// Whatever is between the nodes that matter.
    Other,
}

/// A program that was parsed.
#[derive(Debug)]
pub(super) struct Syntax<'t> {
    pub(super) grammar: Grammar,
    pub(super) text: &'t str,
    tree: Tree,
}

impl<'t> Syntax<'t> {
    /// None where the grammar cannot be loaded or the text has no tree.
    pub(super) fn parse(grammar: Grammar, text: &'t str) -> Option<Self> {
        let language = match grammar {
            Grammar::Python => tree_sitter_python::LANGUAGE,
            Grammar::Javascript => tree_sitter_javascript::LANGUAGE,
        };
        let mut parser = Parser::new();
        parser.set_language(&language.into()).ok()?;
        let tree = parser.parse(text, None)?;
        Some(Self { grammar, text, tree })
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(super) fn of(&self, node: Node<'_>) -> &'t str {
        &self.text[node.byte_range()]
    }

    pub(super) fn role(&self, node: Node<'_>) -> Role {
        match self.grammar {
            Grammar::Python => python(node.kind()),
            Grammar::Javascript => self.javascript(node),
        }
    }

    fn javascript(&self, node: Node<'_>) -> Role {
        match node.kind() {
            "binary_expression" => match operator(node).map(|token| self.of(token)) {
                Some("&&" | "||" | "??") => Role::Logic,
                Some(
                    "<" | "<=" | ">" | ">=" | "==" | "!=" | "===" | "!==" | "in" | "instanceof",
                ) => Role::Compare,
                Some(_) | None => Role::Arithmetic,
            },
            "unary_expression" => match operator(node).map(|token| self.of(token)) {
                Some("!") => Role::Not,
                Some("-" | "+" | "~") => Role::Sign,
                Some(_) | None => Role::Opaque,
            },
            "variable_declarator" if self.is_required(node) => Role::Fixed,
            "assignment_expression" if self.is_exported(node) => Role::Fixed,
            kind => javascript(kind),
        }
    }

    /// `a = require("a")`: what a module takes from others.
    fn is_required(&self, declarator: Node<'_>) -> bool {
        let called = field(declarator, &["value"]).and_then(|value| field(value, &["function"]));
        called.is_some_and(|called| self.of(called) == "require")
    }

    /// `module.exports = { a }`: what it gives to others, where it is made elsewhere.
    fn is_exported(&self, assignment: Node<'_>) -> bool {
        let part = |name| field(assignment, &[name]);
        part("left").is_some_and(|left| self.of(left) == "module.exports")
            && part("right").is_some_and(|right| matches!(right.kind(), "object" | "identifier"))
    }

    /// The spaces or tabs before a statement; of one behind something else, as many spaces as its column.
    pub(super) fn indent(&self, node: Node<'_>) -> String {
        let before = &self.text[..node.start_byte()];
        let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        if line.trim().is_empty() { line.to_owned() } else { " ".repeat(line.len()) }
    }
}

fn python(kind: &str) -> Role {
    match kind {
        "comparison_operator" => Role::Compare,
        "binary_operator" => Role::Arithmetic,
        "boolean_operator" => Role::Logic,
        "not_operator" => Role::Not,
        "unary_operator" => Role::Sign,
        "augmented_assignment" => Role::Augment,
        "assignment" => Role::Assign,
        "integer" | "float" => Role::Number,
        "string" | "concatenated_string" => Role::Text,
        "true" | "false" | "none" => Role::Constant,
        "identifier" => Role::Name,
        "attribute" => Role::Member,
        "call" => Role::Call,
        "argument_list" => Role::Arguments,
        "subscript" => Role::Index,
        "slice" => Role::Slice,
        "list" => Role::List,
        "tuple" | "expression_list" => Role::Pair,
        "dictionary"
        | "set"
        | "lambda"
        | "list_comprehension"
        | "set_comprehension"
        | "dictionary_comprehension"
        | "generator_expression"
        | "await" => Role::Opaque,
        "conditional_expression" => Role::Choice,
        "parenthesized_expression" => Role::Group,
        "if_statement" | "elif_clause" => Role::If,
        "while_statement" => Role::While,
        "for_statement" => Role::For,
        "for_in_clause" => Role::Clause,
        "if_clause" => Role::Filter,
        "return_statement" => Role::Return,
        "yield" => Role::Yield,
        "break_statement" | "continue_statement" | "pass_statement" => Role::Jump,
        "expression_statement" => Role::Bare,
        "block" | "module" => Role::Block,
        "function_definition" => Role::Function,
        "class_definition" => Role::Class,
        "parameters" | "lambda_parameters" => Role::Parameters,
        "try_statement" | "with_statement" | "raise_statement" | "assert_statement"
        | "delete_statement" | "match_statement" => Role::Statement,
        "import_statement"
        | "import_from_statement"
        | "future_import_statement"
        | "decorator"
        | "type"
        | "comment"
        | "global_statement"
        | "nonlocal_statement" => Role::Fixed,
        _ => Role::Other,
    }
}

fn javascript(kind: &str) -> Role {
    match kind {
        "augmented_assignment_expression" => Role::Augment,
        "assignment_expression" | "variable_declarator" => Role::Assign,
        "number" => Role::Number,
        "string" | "template_string" => Role::Text,
        "true" | "false" | "null" | "undefined" => Role::Constant,
        "identifier" => Role::Name,
        "member_expression" => Role::Member,
        "call_expression" => Role::Call,
        "arguments" => Role::Arguments,
        "subscript_expression" => Role::Index,
        "array" => Role::List,
        "sequence_expression" => Role::Pair,
        "update_expression" => Role::Step,
        "object" | "new_expression" | "regex" | "await_expression" | "this" => Role::Opaque,
        "ternary_expression" => Role::Choice,
        "parenthesized_expression" => Role::Group,
        "if_statement" => Role::If,
        "while_statement" | "do_statement" => Role::While,
        "for_statement" | "for_in_statement" => Role::For,
        "return_statement" => Role::Return,
        "yield_expression" => Role::Yield,
        "break_statement" | "continue_statement" => Role::Jump,
        "expression_statement" => Role::Bare,
        "statement_block" | "program" | "class_body" => Role::Block,
        "function_declaration"
        | "generator_function_declaration"
        | "method_definition"
        | "arrow_function"
        | "function_expression"
        | "generator_function" => Role::Function,
        "class_declaration" => Role::Class,
        "formal_parameters" => Role::Parameters,
        "lexical_declaration"
        | "variable_declaration"
        | "try_statement"
        | "throw_statement"
        | "switch_statement" => Role::Statement,
        "import_statement" | "export_clause" | "comment" => Role::Fixed,
        _ => Role::Other,
    }
}

/// The operator of a node with one.
pub(super) fn operator(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("operator")
}

/// The named children, comments left out.
pub(super) fn parts<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// All children, signs and keywords too.
pub(super) fn tokens<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The child in the first of these fields that there is.
pub(super) fn field<'t>(node: Node<'t>, names: &[&str]) -> Option<Node<'t>> {
    names.iter().find_map(|name| node.child_by_field_name(name))
}

/// A program and what can be said of it without running it.
#[derive(Debug)]
pub(super) struct Program<'t> {
    pub(super) syntax: &'t Syntax<'t>,
    /// Every node that may be changed, in the order of the text.
    pub(super) nodes: Vec<Node<'t>>,
    /// Values: expressions that are read, not written to.
    pub(super) values: Vec<Node<'t>>,
    /// Statements that stand in a block.
    pub(super) statements: Vec<Node<'t>>,
    /// What each function binds, by where it begins; what the module binds is at `None`.
    bound: BTreeMap<Option<usize>, Vec<&'t str>>,
    /// Functions and classes of the file.
    pub(super) defined: Vec<&'t str>,
}

impl<'t> Program<'t> {
    pub(super) fn new(syntax: &'t Syntax<'t>) -> Self {
        let mut program = Self {
            syntax,
            nodes: Vec::new(),
            values: Vec::new(),
            statements: Vec::new(),
            bound: BTreeMap::new(),
            defined: Vec::new(),
        };
        program.gather(syntax.root());
        program
    }

    fn gather(&mut self, node: Node<'t>) {
        let role = self.role(node);
        if role == Role::Fixed {
            return;
        }
        if node.is_named() {
            self.nodes.push(node);
            let place = place(self.syntax, node);
            if is_value(role) && place == Place::Read && !self.is_docstring(node) {
                self.values.push(node);
            }
            if place == Place::Written && role == Role::Name {
                self.bind(node);
            }
            if matches!(role, Role::Function | Role::Class)
                && let Some(name) = field(node, &["name"])
            {
                push_new(&mut self.defined, self.syntax.of(name));
            }
            let in_block = node.parent().is_some_and(|block| self.role(block) == Role::Block);
            if in_block && role != Role::Other && !self.holds_docstring(node) {
                self.statements.push(node);
            }
        }
        for child in tokens(node) {
            self.gather(child);
        }
    }

    fn bind(&mut self, node: Node<'t>) {
        let function = self.function(node).map(|function| function.start_byte());
        let name = self.syntax.of(node);
        if !matches!(name, "self" | "cls" | "_") {
            push_new(self.bound.entry(function).or_default(), name);
        }
    }

    /// A text that stands alone says what the program is for.
    fn is_docstring(&self, node: Node<'_>) -> bool {
        self.role(node) == Role::Text
            && node.parent().is_some_and(|parent| self.role(parent) == Role::Bare)
    }

    /// The statement that such a text is: taken away or written twice it changes nothing.
    pub(super) fn holds_docstring(&self, node: Node<'_>) -> bool {
        node.named_child(0).is_some_and(|only| self.is_docstring(only))
    }

    pub(super) fn role(&self, node: Node<'_>) -> Role {
        self.syntax.role(node)
    }

    pub(super) fn of(&self, node: Node<'_>) -> &'t str {
        self.syntax.of(node)
    }

    pub(super) fn grammar(&self) -> Grammar {
        self.syntax.grammar
    }

    /// The function around a node.
    pub(super) fn function(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut around = node.parent();
        while let Some(one) = around {
            if self.role(one) == Role::Function {
                return Some(one);
            }
            around = one.parent();
        }
        None
    }

    /// The variables that can be used here: those of the function, then of those around it.
    pub(super) fn variables(&self, node: Node<'t>) -> Vec<&'t str> {
        let mut names = Vec::new();
        let mut at = node;
        while let Some(function) = self.function(at) {
            for name in self.bound.get(&Some(function.start_byte())).into_iter().flatten() {
                push_new(&mut names, name);
            }
            at = function;
        }
        for name in self.bound.get(&None).into_iter().flatten() {
            push_new(&mut names, name);
        }
        names
    }

    /// Nodes of one role, in the order of the text.
    pub(super) fn all(&self, role: Role) -> impl Iterator<Item = Node<'t>> + '_ {
        self.nodes.iter().copied().filter(move |node| self.role(*node) == role)
    }

    /// Conditions: of branches and loops, of choices, and of filters.
    pub(super) fn conditions(&self) -> Vec<Node<'t>> {
        let condition = |node: Node<'t>| match self.role(node) {
            Role::If | Role::While | Role::For => self.bare(field(node, &["condition"])?),
            Role::Choice => match self.grammar() {
                Grammar::Python => parts(node).get(1).copied(),
                Grammar::Javascript => field(node, &["condition"]),
            },
            Role::Filter => parts(node).first().copied(),
            _ => None,
        };
        let found = self.nodes.iter().filter_map(|node| condition(*node));
        found.filter(|node| is_value(self.role(*node))).collect()
    }

    /// What stands in the parentheses that a grammar wants around a condition.
    pub(super) fn bare(&self, node: Node<'t>) -> Option<Node<'t>> {
        match (self.grammar(), self.role(node)) {
            (Grammar::Javascript, Role::Group) => parts(node).first().copied(),
            _ => Some(node),
        }
    }

    /// The arguments of a call, keywords left out.
    pub(super) fn arguments(&self, call: Node<'t>) -> Vec<Node<'t>> {
        let Some(list) = field(call, &["arguments"]) else { return Vec::new() };
        if self.role(list) != Role::Arguments {
            return Vec::new();
        }
        parts(list).into_iter().filter(|part| is_value(self.role(*part))).collect()
    }

    /// The name of what is called: of a method, the last one.
    pub(super) fn callee(&self, call: Node<'t>) -> Option<Node<'t>> {
        let function = field(call, &["function"])?;
        match self.role(function) {
            Role::Name => Some(function),
            Role::Member => field(function, &["attribute", "property"]),
            _ => None,
        }
    }
}

/// Whether nodes of this role have a value.
pub(super) const fn is_value(role: Role) -> bool {
    matches!(
        role,
        Role::Compare
            | Role::Arithmetic
            | Role::Logic
            | Role::Not
            | Role::Sign
            | Role::Step
            | Role::Number
            | Role::Text
            | Role::Constant
            | Role::Name
            | Role::Member
            | Role::Call
            | Role::Index
            | Role::List
            | Role::Pair
            | Role::Opaque
            | Role::Choice
            | Role::Group
    )
}

/// What is done with a node where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Read,
    Written,
    /// It is a name of something else: of a member, a keyword or a definition.
    Label,
}

pub(super) fn place(syntax: &Syntax<'_>, node: Node<'_>) -> Place {
    let Some(parent) = node.parent() else { return Place::Read };
    let is = |names: &[&str]| field(parent, names).is_some_and(|child| child.id() == node.id());
    match syntax.role(parent) {
        Role::Assign if is(&["left", "name"]) => Place::Written,
        Role::Augment | Role::For | Role::Clause if is(&["left"]) => Place::Written,
        Role::Member if is(&["attribute", "property"]) => Place::Label,
        Role::Step => Place::Written,
        Role::Function | Role::Class if is(&["name"]) => Place::Label,
        // A parameter without parentheses.
        Role::Function if is(&["parameter"]) => Place::Written,
        Role::Parameters => Place::Written,
        Role::List | Role::Pair => Place::Read,
        _ => match parent.kind() {
            "keyword_argument" | "pair" if is(&["name", "key"]) && node.kind() != "string" => {
                if parent.kind() == "pair" {
                    Place::Read
                } else {
                    Place::Label
                }
            }
            "default_parameter" | "typed_default_parameter" if is(&["name"]) => Place::Written,
            "typed_parameter" => Place::Written,
            "assignment_pattern" if is(&["left"]) => Place::Written,
            "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "array_pattern"
            | "rest_pattern"
            | "dictionary_splat_pattern" => {
                let above = place(syntax, parent);
                if above == Place::Read { Place::Written } else { above }
            }
            _ => Place::Read,
        },
    }
}

pub(super) fn push_new<'t>(names: &mut Vec<&'t str>, name: &'t str) {
    if !names.contains(&name) {
        names.push(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_no_value_and_is_bound() {
        let text =
            "def f(a, b=1):\n    c, d[a] = b, 2\n    for e in d: d.x = e\n    return f(a, k=c)\n";
        let syntax = Syntax::parse(Grammar::Python, text).unwrap();
        let program = Program::new(&syntax);
        let names = program.values.iter().filter(|node| program.role(**node) == Role::Name);
        let names: Vec<_> = names.map(|node| program.of(*node)).collect();
        assert_eq!(names, ["d", "a", "b", "d", "d", "e", "f", "a", "c"]);
        let last = *program.statements.last().unwrap();
        assert_eq!(program.variables(last), ["a", "b", "c", "e"]);
    }

    #[test]
    fn the_roles_of_both_languages_agree() {
        let roles = |grammar, text| {
            let syntax = Syntax::parse(grammar, text).unwrap();
            let program = Program::new(&syntax);
            let roles: Vec<_> = program.values.iter().map(|node| program.role(*node)).collect();
            (roles, program.conditions().len())
        };
        let python =
            "def f(n):\n    while n > 0 and not g(n[1]):\n        n = n - 1\n    return -n\n";
        let javascript = "function f(n) {\n  while (n > 0 && !g(n[1])) {\n    n = n - 1;\n  }\n  return -n;\n}\n";
        let (mut script, conditions) = roles(Grammar::Javascript, javascript);
        // A condition has its parentheses there.
        script.retain(|role| *role != Role::Group);
        assert_eq!(roles(Grammar::Python, python), (script, conditions));
    }
}
