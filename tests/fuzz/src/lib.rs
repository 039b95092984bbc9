//! Fuzzing without a nightly toolchain: inputs made from valid ones by small damage, in rounds with
//! a seed each.
//!
//! A target is a test in a module named `fuzz`: it takes a strategy of valid JSON, breaks what that
//! gives by [`near`], and says of each input what came of it. `make test` plays one short round of
//! each, `make fuzz` plays rounds for `VOSIM_FUZZ_SECS` seconds; `VOSIM_FUZZ_SEED` plays one again.
//! Random bytes alone are not offered: a reader refuses them at the first one.

#![expect(
    clippy::panic,
    reason = "all of this library belongs to tests: what goes wrong fails the test at once"
)]

mod damage;
mod input;
mod mutation;
mod schema;
mod target;
mod tree;

pub use damage::pieces;
pub use input::{Input, near, near_beside};
pub use proptest;
pub use schema::Described;
pub use target::{Fails, Target};
