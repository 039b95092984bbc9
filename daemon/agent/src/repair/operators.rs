//! All single changes of a program. Each file below has operators of one sort; none knows a test.

mod gathered;
mod names;
mod shapes;
mod signs;
mod statements;
mod supply;
mod values;

use super::edit::Edit;
use super::syntax::{Program, Syntax};
use gathered::Edits;

/// Every change of a program, the likeliest first; the same for the same text.
pub(super) fn edits(syntax: &Syntax<'_>) -> Vec<Edit> {
    let program = Program::new(syntax);
    let mut edits = Edits { program: &program, list: Vec::new() };
    signs::add(&mut edits);
    names::add(&mut edits);
    shapes::add(&mut edits);
    values::add(&mut edits);
    statements::add(&mut edits);
    supply::add(&mut edits);
    let mut list = edits.list;
    list.sort_by_key(|edit| (edit.cost, edit.at(), edit.operator));
    list
}
