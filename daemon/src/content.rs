//! Problem packages: those in the binary and those in folders, read, checked and proved.
//!
//! Nothing here runs a program or remembers a session: judging is the caller's, by a closure.
//! Content is trusted no further than its checks go; each mistake is one line with file and key.

mod answers;
mod catalog;
mod check;
mod common;
mod embedded;
mod extended;
mod files;
mod folder;
mod forms;
pub mod interview;
mod layout;
mod lint;
mod metadata;
mod missing;
mod package;
mod prove;
mod read;
#[cfg(test)]
mod tests;

pub use answers::unanswered;
pub use catalog::{Catalog, UnknownProblem, catalog, find, replace_catalog};
pub use check::check_ops;
pub use common::{catalogue, fields, pattern};
pub use files::ContentError;
pub use folder::{Folder, Shelf};
pub use forms::{Clarification, Coaching};
#[cfg(test)]
pub(crate) use lint::References;
pub use lint::{Finding, lint};
pub use missing::missing;
pub use package::{Package, Program, ProgramRole, Promise};
pub use prove::{compare, prove};
