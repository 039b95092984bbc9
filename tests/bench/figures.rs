//! The measured promises, each beside what it is compared with, taken turn by turn in one run.
//!
//! `tests/bench/run.sh` builds what is needed and says where it is. A figure that misses its bar
//! is printed like any other; nothing here is a test.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark talks to a terminal")]

mod figures {
    pub(crate) mod durable;
    pub(crate) mod idle;
    pub(crate) mod start;
    pub(crate) mod submission;
    pub(crate) mod table;
}

use figures::table::Table;

fn main() {
    let mut table = Table::default();
    figures::start::measure(&mut table);
    figures::durable::measure(&mut table);
    figures::submission::measure(&mut table);
    figures::idle::measure(&mut table);
    println!("{table}");
}
