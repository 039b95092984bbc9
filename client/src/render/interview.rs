//! The screens of an interview: where it stands, what happens, how it ended.
//!
//! Clocks are computed from the daemon's deadlines and the daemon's time, never from ours
//! (001 5.1).

mod receipt;
mod start;
mod status;
mod summary;
pub(crate) mod words;

pub(crate) use receipt::received;
pub(crate) use start::{Watching, begun, file_note, held, onwards, started, watching};
pub(crate) use status::status;
pub(crate) use summary::summary;

#[cfg(test)]
pub(crate) mod samples;
