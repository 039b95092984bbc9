//! Interviews: the schemas that say what is asked and when, and the spec of a new session.
//!
//! A schema is TOML (docs/interview-schema.md). It is read whole or not at all; the mistakes in
//! its content are a list of faults, each with its place.

mod check;
mod faults;
mod fill;
mod read;
mod report;
mod spec;
pub(crate) mod standard;
#[cfg(test)]
mod tests;

pub use check::check;
pub use fill::fill;
pub use read::{SCHEMA_BYTES_MAX, read};
pub use report::{named, report, sound};
pub use spec::{CANDIDATE_CHARS_MAX, interview};
pub use standard::{SHORT, STANDARD, shipped, standard};
