//! The kinds of mistakes that are looked for, and how likely each is.

/// One way to change a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    Compare,
    Arithmetic,
    Logic,
    Number,
    Constant,
    Text,
    Jump,
    Accumulate,
    Extreme,
    Variable,
    Target,
    Member,
    Callee,
    SwapArguments,
    SwapOperands,
    DropArgument,
    AddArgument,
    DropTerm,
    Regroup,
    Unwrap,
    Wrap,
    Part,
    Negate,
    Fix,
    OffByOne,
    SliceBound,
    Initial,
    Iterate,
    Access,
    DropStatement,
    SwapStatements,
    Shift,
    Loop,
    Deliver,
    Widen,
    Narrow,
    Condition,
    Expression,
    Repeat,
    Update,
    Guard,
}

impl Operator {
    /// Every operator with its name, what it does in words, and what its first change costs.
    const TABLE: [(Self, &'static str, &'static str, u32); 41] = [
        (Self::Compare, "compare", "another comparison", 10),
        (Self::Arithmetic, "arithmetic", "another operator between two values", 11),
        (Self::Logic, "logic", "and in place of or, or the other way round", 10),
        (Self::Number, "number", "another number", 11),
        (Self::Constant, "constant", "another truth value", 11),
        (Self::Text, "text", "another text", 16),
        (Self::Jump, "jump", "break, continue or neither", 13),
        (Self::Accumulate, "accumulate", "a value is added to or takes the place of another", 13),
        (Self::Extreme, "extreme", "the largest or smallest value so far is kept", 14),
        (Self::Variable, "variable", "another variable is read", 12),
        (Self::Target, "target", "another variable is written", 15),
        (Self::Member, "member", "another attribute of the file", 13),
        (Self::Callee, "callee", "a function of the same family", 12),
        (Self::SwapArguments, "swap-arguments", "two arguments change places", 11),
        (Self::SwapOperands, "swap-operands", "two values change places", 12),
        (Self::DropArgument, "drop-argument", "an argument less", 16),
        (Self::AddArgument, "add-argument", "an argument more", 19),
        (Self::DropTerm, "drop-term", "one side of an operator alone", 14),
        (Self::Regroup, "regroup", "other parentheses", 13),
        (Self::Unwrap, "unwrap", "what a call was given, without the call", 15),
        (Self::Wrap, "wrap", "a function is applied to a value", 19),
        (Self::Part, "part", "a part of a value in place of all of it", 18),
        (Self::Negate, "negate", "the opposite of a condition", 12),
        (Self::Fix, "fix", "a condition that always or never holds", 22),
        (Self::OffByOne, "off-by-one", "one more or one less", 12),
        (Self::SliceBound, "slice-bound", "other bounds of a slice", 14),
        (Self::Initial, "initial", "another value to begin with", 15),
        (Self::Iterate, "iterate", "a loop over other parts of the same values", 17),
        (Self::Access, "access", "a key that may be missing", 18),
        (Self::DropStatement, "drop-statement", "a statement less", 19),
        (Self::SwapStatements, "swap-statements", "two statements change places", 14),
        (Self::Shift, "shift", "a statement goes into a block or leaves it", 15),
        (Self::Loop, "loop", "a branch becomes a loop, or a loop a branch", 16),
        (Self::Deliver, "deliver", "a value is returned, yielded or handed on", 14),
        (Self::Widen, "widen", "a condition that holds more often", 21),
        (Self::Narrow, "narrow", "a condition that holds less often", 21),
        (Self::Condition, "condition", "another condition", 21),
        (Self::Expression, "expression", "another expression of the file", 20),
        (Self::Repeat, "repeat", "a statement of the file once more", 22),
        (Self::Update, "update", "a variable is brought up to date", 23),
        (Self::Guard, "guard", "a case is left out at the beginning", 24),
    ];

    /// All operators, in the order in which equally likely changes are tried.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::TABLE.into_iter().map(|(operator, ..)| operator)
    }

    /// Its name, for tables.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// What it does, as a phrase.
    pub fn phrase(self) -> &'static str {
        self.row().2
    }

    pub(super) fn cost(self) -> u32 {
        self.row().3
    }

    fn row(self) -> (Self, &'static str, &'static str, u32) {
        Self::TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_has_the_row_of_its_number() {
        for (at, operator) in Operator::all().enumerate() {
            assert_eq!(operator as usize, at, "{operator:?}");
        }
        let names: std::collections::BTreeSet<_> = Operator::all().map(Operator::name).collect();
        assert_eq!(names.len(), Operator::TABLE.len());
    }
}
