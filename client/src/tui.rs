//! The live screen of a session: `attach` on a terminal.
//!
//! One frame for every kind: `app.rs` and `update.rs` are a pure state machine, `draw.rs` is a pure
//! picture of it, and `run.rs` joins them to the terminal and the daemon. What a kind adds stands
//! in its file below `panel/`, and nothing else here knows its name.

mod app;
mod aside;
mod banner;
mod bench;
mod clock;
mod decode;
mod desk;
mod draw;
mod editor;
mod entry;
mod feed;
mod hands;
mod input;
mod keeper;
mod keyboard;
mod keys;
mod overlay;
pub(crate) mod panel;
mod run;
mod screen;
mod send;
mod style;
mod transcript;
mod typed;
mod update;
mod viewing;

#[cfg(test)]
mod testing;

pub(crate) use run::{Beginning, run};
