//! The agent's parts against the world outside: servers that misbehave, and real ones.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "all of this binary is tests: what goes wrong fails the test at once"
)]

mod faults;
mod forms;
mod server;
mod support;
mod vectors;
