//! Stories on the real binaries, one module for each; the harness stands beside.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "all of this binary is tests, and a test may say what it has skipped"
)]

mod support;

mod bad_input;
mod bank;
mod blind;
mod bundles;
mod commands;
mod compat;
mod crashes;
mod disk;
mod doctor;
mod drawing;
mod erasing;
#[cfg(feature = "errand")]
mod errand;
mod everyday;
mod failing;
mod figures;
mod fuzz;
mod input;
mod instance;
mod interview;
mod killed;
mod languages;
mod llama;
mod many;
mod model;
mod notes;
mod output;
mod packages;
mod plain;
mod plans;
mod presence;
mod protocol;
mod python_client;
mod reached;
mod records;
mod refusals;
mod replay;
mod report;
mod requests;
mod review;
mod roles;
mod runtime;
mod schema;
mod screen;
mod secrets;
mod sections;
mod surroundings;
mod systemd;
mod task;
mod task_runs;
mod terminals;
mod tidy;
mod time;
mod trial;
