//! Changes of one program as operators find them: puts texts in the places of nodes, with the parentheses
//! that they need there.

use tree_sitter::Node;

use crate::repair::edit::Edit;
use crate::repair::operator::Operator;
use crate::repair::syntax::{Grammar, Program, Role, field, is_value};

/// Longest text of another place that is put somewhere else.
pub(super) const BORROWED_MAX: usize = 80;

/// Changes of one program, as they are found.
pub(super) struct Edits<'p, 't> {
    pub(super) program: &'p Program<'t>,
    pub(super) list: Vec<Edit>,
}

impl<'p, 't> Edits<'p, 't> {
    pub(super) fn push(
        &mut self,
        operator: Operator,
        more: u32,
        parts: Vec<(std::ops::Range<usize>, String)>,
    ) {
        self.list.push(Edit { operator, cost: operator.cost() + more, parts });
    }

    /// Puts a text in the place of a node as it is.
    pub(super) fn put(
        &mut self,
        operator: Operator,
        more: u32,
        node: Node<'t>,
        text: impl Into<String>,
    ) {
        let text = text.into();
        if text != self.program.of(node) {
            self.push(operator, more, vec![(node.byte_range(), text)]);
        }
    }

    /// Puts a value made of several in the place of a node, in parentheses where it needs them.
    pub(super) fn put_value(
        &mut self,
        operator: Operator,
        more: u32,
        node: Node<'t>,
        text: impl Into<String>,
    ) {
        let text = text.into();
        let text = if self.binds(node) { format!("({text})") } else { text };
        self.put(operator, more, node, text);
    }

    /// Puts the text of another value there.
    pub(super) fn put_node(
        &mut self,
        operator: Operator,
        more: u32,
        node: Node<'t>,
        other: Node<'t>,
    ) {
        let text = self.program.of(other);
        match self.program.role(other) {
            Role::Compare
            | Role::Arithmetic
            | Role::Logic
            | Role::Not
            | Role::Sign
            | Role::Choice => self.put_value(operator, more, node, text),
            _ => self.put(operator, more, node, text),
        }
    }

    /// Exchanges two nodes.
    pub(super) fn swap(&mut self, operator: Operator, more: u32, one: Node<'t>, other: Node<'t>) {
        let (first, second) = (self.program.of(one), self.program.of(other));
        let compound = |node| {
            matches!(
                self.program.role(node),
                Role::Compare | Role::Arithmetic | Role::Logic | Role::Not | Role::Choice
            )
        };
        let fit = |text: &str, from: Node<'t>, to: Node<'t>| {
            if compound(from) && !compound(to) && self.binds(to) {
                format!("({text})")
            } else {
                text.to_owned()
            }
        };
        if first != second {
            let parts = vec![
                (one.byte_range(), fit(second, other, one)),
                (other.byte_range(), fit(first, one, other)),
            ];
            self.push(operator, more, parts);
        }
    }

    /// Whether what stands around a node would tear a value of several parts apart.
    fn binds(&self, node: Node<'t>) -> bool {
        let Some(parent) = node.parent() else { return false };
        let inner =
            |names: &[&str]| field(parent, names).is_some_and(|child| child.id() == node.id());
        match self.program.role(parent) {
            Role::Compare
            | Role::Arithmetic
            | Role::Logic
            | Role::Not
            | Role::Sign
            | Role::Choice => true,
            Role::Member => true,
            Role::Index => inner(&["value", "object"]),
            Role::Call => inner(&["function"]),
            _ => false,
        }
    }

    /// Values of some roles, outside of parentheses that only hold them.
    pub(super) fn values(&self, roles: &'static [Role]) -> Vec<Node<'t>> {
        let program = self.program;
        let of = |node: &Node<'t>| roles.contains(&program.role(*node));
        program.values.iter().copied().filter(of).collect()
    }

    /// What a value may be built of: names, members, indexes, calls and sums.
    pub(super) fn operands(&self) -> Vec<Node<'t>> {
        let program = self.program;
        let called = |node: &Node<'t>| {
            node.parent().is_some_and(|parent| {
                program.role(parent) == Role::Call
                    && field(parent, &["function"])
                        .is_some_and(|function| function.id() == node.id())
            })
        };
        self.values(&[Role::Name, Role::Member, Role::Index, Role::Call, Role::Arithmetic])
            .into_iter()
            .filter(|node| !called(node))
            .collect()
    }

    /// The role of what is around a node.
    pub(super) fn around(&self, node: Node<'t>) -> Role {
        node.parent().map_or(Role::Other, |parent| self.program.role(parent))
    }

    /// The names that stand for no function of the file.
    pub(super) fn variables(&self, node: Node<'t>) -> Vec<&'t str> {
        self.program.variables(node)
    }

    pub(super) fn is_python(&self) -> bool {
        self.program.grammar() == Grammar::Python
    }

    /// The opposite of a condition.
    pub(super) fn opposite(&self, node: Node<'t>) -> String {
        let text = self.program.of(node);
        let tight = is_value(self.program.role(node))
            && !matches!(
                self.program.role(node),
                Role::Compare | Role::Logic | Role::Arithmetic | Role::Choice
            );
        match (self.is_python(), tight) {
            (true, true) => format!("not {text}"),
            (true, false) => format!("not ({text})"),
            (false, true) => format!("!{text}"),
            (false, false) => format!("!({text})"),
        }
    }
}
