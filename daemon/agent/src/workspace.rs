//! The one folder that an autonomous candidate works in, and the four tools by which a model does so
//! (002 4). It refuses to touch anything outside of the folder, whatever a path or a link says; to
//! write over what somebody else has changed; and to mend arguments that are not what they should be.
//!
//! ```text
//!  name + arguments ── FileCall::parse ──▶ Workspace::foresee ──▶ Foreseen: the answer for the model,
//!   of a tool call      (strict)            (looks, never writes)   and the change, where there is one
//!                                                                       │
//!                                           Workspace::carry_out ◀──────┘  (done twice is done once)
//! ```
//!
//! Whoever keeps the change before it is carried out can do so again after a crash. [`rewind()`] takes
//! back a row of changes, as a plan first, and never what is not the candidate's own.

mod beneath;
mod calls;
mod listing;
mod name;
mod refusal;
mod rewind;
mod text;
mod tools;

#[cfg(test)]
mod tests;

pub use beneath::{FILE_MAX_BYTES, FileChange, Workspace};
pub use calls::{FileCall, FileTool, described};
pub use name::FileName;
pub use refusal::FileRefusal;
pub use rewind::{FileEdit, KeptBack, PutBack, rewind};
pub use tools::{FileAnswer, Foreseen, Seen};
