//! Runs of tests whose outcome is believed (002 6.4; forging tricks are in the tests). What is to be
//! run is fixed before the run: the text of each test and the names that must come back. The run has its
//! word from outside and says each outcome with it on a channel of its own; a test of which nothing is
//! heard has not passed, and nothing of the workspace says how tests are found or counted.
//!
//! Tests that the candidate has written run in one process with its program, which could forge their
//! outcome from inside; so a pass of them is called self-tested and no more. Problems of the bank are
//! judged by the evaluator, which compares returned values outside of the sandbox.
//!
//! ```text
//! files ── Suite::fix ──▶ Suite ── plan ──▶ what the sandbox runs ── heard ──▶ GradedRun
//!                           └── weak::changes ── plan_changes ── heard_changes ──▶ Strength
//! ```

mod heard;
mod plan;
mod suite;
mod weak;

#[cfg(test)]
mod tests;

pub use heard::{FailedTest, GradedRun, RunEnd, Tried};
pub use plan::{GradedPlace, GradedPlan, limits};
pub use suite::{Suite, TestFile, TestLanguage, is_test_file};
pub use weak::{Covered, Strength, changes};
