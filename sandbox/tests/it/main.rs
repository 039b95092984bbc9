//! Hostile programs are really run, by the real binary. Each test says what must become of one
//! kind of program; limits are short, so that the whole takes seconds.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "all of this binary is tests"
)]

mod busy;
mod delegated;
mod harness;

mod cli;
mod escapes;
mod fuzz;
mod group;
mod hostile;
mod level_c;
mod limits;
mod network;
mod nothing;
mod probe;
mod process;
mod standby;
mod streams;
