//! What the end-to-end tests stand on: a daemon of one's own, vosimctl, and the bare wire.
//!
//! Every wait is for an event and bounded; nothing here lets time pass. A harness fails its test
//! with a panic that shows what daemon and client said.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "all of this library belongs to tests: what goes wrong fails the test at once"
)]

mod clock;
mod ctl;
mod daemon;
mod home;
mod lines;
mod plain;
mod programs;
mod terminal;
mod wire;

pub use clock::TestClock;
pub use ctl::{Ctl, Following, Ran};
pub use daemon::{RUN, Refused, TestDaemon};
pub use home::Home;
pub use lines::{Lines, PATIENCE};
pub use plain::plain;
pub use programs::{CORRECT, Program, WRONG};
pub use terminal::{STANDARD, Size, Terminal, keys, text_of};
pub use vosim_needs::program;
pub use wire::{Wire, command, named, new_session, params, submit_params};
