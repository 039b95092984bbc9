//! Data in, text out: every screen of vosimctl.
//!
//! Nothing here prints, reads a clock, an environment variable or a file (the machine's time
//! zone aside), so every screen can be a snapshot in a test.

pub(crate) mod joiners;
pub(crate) mod look;
pub(crate) mod text;

pub(crate) mod notes;
pub(crate) mod page;
pub(crate) mod picture;

pub(crate) mod presence;
pub(crate) mod telling;

pub(crate) mod playback;

pub(crate) mod markdown;

pub(crate) mod error;
pub(crate) mod evaluation;
pub(crate) mod over_time;
pub(crate) mod problem;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod reports;
pub(crate) mod review;
pub(crate) mod sessions;
pub(crate) mod upkeep;

pub(crate) mod attempt;
pub(crate) mod drill;
pub(crate) mod interview;
pub(crate) mod task;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
