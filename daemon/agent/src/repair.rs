//! Repairs a program that is nearly right: makes small changes, the likeliest first, and has each of them
//! tried against the tests until one passes them all. It invents no program, it looks at no test, and it
//! says what it has tried.
//!
//! ```text
//! text ── syntax ── operators ── edits by cost ──┐
//!            ▲                                   ├── batches ── Bench ── outcomes
//!            └── the best so far, once more ◄────┘
//! ```
//! One change is tried at every place before two are; of two, the first is one that has made more tests
//! pass. The order depends on the text and the outcomes alone.

mod bench;
mod edit;
mod operator;
mod operators;
mod search;
mod syntax;

pub use bench::{Bench, Fault, Outcome, Patience, Test};
pub use operator::Operator;
pub use search::{Budget, Patch, Report, Step, Stopped, repair};
pub use syntax::Grammar;

/// Every program that one change makes of this one, the likeliest first, each once.
pub fn mutants(grammar: Grammar, text: &str) -> Vec<Mutant> {
    let Some(syntax) = syntax::Syntax::parse(grammar, text) else { return Vec::new() };
    let mut seen = std::collections::BTreeSet::from([text.to_owned()]);
    let mutant = |edit: edit::Edit| {
        let made = edit.apply(text);
        let (line, ..) = edit::lines_changed(text, &made);
        seen.insert(made.clone()).then_some(Mutant { operator: edit.operator, line, text: made })
    };
    operators::edits(&syntax).into_iter().filter_map(mutant).collect()
}

impl Mutant {
    /// The number of the first line that differs from the program of which it was made, and the lines
    /// before and after.
    pub fn change(&self, made_of: &str) -> (u32, String, String) {
        edit::lines_changed(made_of, &self.text)
    }
}

/// A program that differs from another by one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What made it.
    pub operator: Operator,
    /// The first line that changes, from 1.
    pub line: u32,
    /// The whole program.
    pub text: String,
}

#[cfg(test)]
mod tests;
