//! The live screen of an interview: `attach` on a terminal.
//!
//! `app.rs` is a pure state machine and `draw.rs` a pure picture of it; `run.rs` joins them to the
//! terminal and the daemon.

mod app;
mod banner;
mod clock;
mod draw;
mod editor;
mod gap;
mod input;
mod keys;
mod overlay;
mod run;
mod screen;
mod send;
mod stepper;
mod transcript;

pub(crate) use run::run;

#[cfg(test)]
mod tests;
