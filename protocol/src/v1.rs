//! Version 1 of the vocabulary: what sessions, problems and each kind say.

pub mod commands;
pub mod events;
pub mod session;

#[cfg(feature = "errand")]
pub mod errand;
pub mod evaluation;
pub mod guide;
pub mod judging;
pub mod problem;

pub mod assistant;
pub mod coverage;
pub mod hints;
pub mod talk;

pub mod phrase;
pub mod sentences;

pub mod telling;

pub mod agent;
pub mod effect;

pub mod attempt;
pub mod drill;
pub mod interview;
pub mod task;

pub mod clauses;

pub mod bundle;
pub mod report;

pub mod service;
