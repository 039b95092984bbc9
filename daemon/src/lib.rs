//! The daemon: the shell around the engine. It holds the clocks, the log and the sockets, and
//! carries out what sessions ask of the world.

pub mod plain_text;
mod toml_text;

pub mod config;
pub mod logging;
pub mod runtime_dir;

pub mod clock;
pub mod timer;

pub mod background;
pub mod lifecycle;

pub mod content;
pub mod evaluator;
pub mod model;

mod review;

pub mod proving;

pub mod daemon;

mod effects;
mod problems;
mod specs;

pub mod actors;

pub mod doctor;

pub mod server;

pub mod run;

pub mod offline;
