//! The measured promises, each beside what it is compared with, taken turn by turn in one run.
//!
//! `tests/bench/run.sh` builds what is needed and says where it is. A figure that misses its bar
//! is printed like any other; nothing here is a test. Words name the groups that are wanted;
//! without any, all are.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark talks to a terminal")]

mod figures {
    pub(crate) mod bare_driver;
    pub(crate) mod delete;
    pub(crate) mod durable;
    pub(crate) mod helper;
    pub(crate) mod idle;
    pub(crate) mod interviews;
    pub(crate) mod memory;
    pub(crate) mod pool;
    pub(crate) mod quiet;
    pub(crate) mod repair;
    pub(crate) mod sandbox;
    pub(crate) mod start;
    pub(crate) mod submission;
    pub(crate) mod table;
    pub(crate) mod task;
    pub(crate) mod watch;
}

pub(crate) use figures::table::Table;

/// A group's name and what fills its rows.
pub(crate) type Group = (&'static str, fn(&Table));

pub(crate) const GROUPS: [Group; 12] = [
    ("start", figures::start::measure),
    ("durable", figures::durable::measure),
    ("delete", figures::delete::measure),
    ("sandbox", figures::sandbox::measure),
    ("pool", figures::pool::measure),
    ("submission", figures::submission::measure),
    ("watch", figures::watch::measure),
    ("idle", figures::idle::measure),
    ("interviews", figures::interviews::measure),
    ("memory", figures::memory::measure),
    ("repair", figures::repair::measure),
    ("task", figures::task::measure),
];

fn main() -> std::process::ExitCode {
    use std::process::ExitCode;

    // Cargo adds options of its own.
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let names = GROUPS.map(|(name, _)| name);
    if let Some(unknown) = words.iter().find(|word| !names.contains(&word.as_str())) {
        println!("There is no group `{unknown}`; there are: {}.", names.join(", "));
        return ExitCode::from(2);
    }
    let table = Table::begin(false);
    for (name, measure) in GROUPS {
        if words.is_empty() || words.iter().any(|word| word == name) {
            measure(&table);
        }
    }
    ExitCode::SUCCESS
}
