//! A right submission, from the call of `vosimctl submit` to its verdict, against the same driver
//! under a bare interpreter: with a daemon that starts each driver when it is needed, and with one
//! whose drivers wait.
//!
//! Ours starts the client, makes the submission and its verdict durable, isolates the driver, asks
//! the visible cases, the small runs and the twins that would explain a failure, and the hidden cases
//! with the session's own numbers, and compares every answer. The bare driver loads the program and
//! answers the cases of the package, one question at a time: no small run, no twin, no comparison.

use vosim_protocol::v1::problem::Language;
use vosim_tests::{CORRECT, Home, Program, TestDaemon};

use super::bare_driver::BareDriver;
use super::quiet::wait_until_quiet;
use super::table::{Bar, Series, Table};

const TURNS: usize = 30;
/// Waiting drivers of one language, as by default.
const WARM: usize = 2;
const RIGHT: [(Language, &str, Program); 2] = [
    (Language::Python, "a.py", CORRECT),
    (Language::Javascript, "a.js", Program("accepted/map_order.js")),
];

pub(crate) fn measure(table: &Table) {
    for (language, file, right) in RIGHT {
        let name = format!("right {language:?} submission to its verdict");
        // A language at a time: what waits for the other would count as well.
        let daemons = [0, WARM].map(|warm| {
            let home = Home::new();
            home.config(&format!("[evaluator]\nwarm = {warm}\n"));
            home.file(file, right.text());
            let daemon = TestDaemon::start_in(home);
            daemon.ctl("start --no-file").ok();
            (daemon, warm)
        });
        let home = Home::new();
        let Some(bare) = BareDriver::new(&home, language, file, &right.text()) else {
            table.skipped(&name, "its interpreter was not found");
            continue;
        };
        // What is found out only once, and the first that fills the pool.
        for (daemon, warm) in &daemons {
            submit(daemon, *warm, file, &mut Series::new("first"));
        }
        let mut ours = ["cold", "from the pool"].map(Series::new);
        let mut baseline = Series::new("bare driver");
        for _ in 0..table.turns(TURNS) {
            baseline.time(|| bare.run());
            for ((daemon, warm), series) in daemons.iter().zip(&mut ours) {
                submit(daemon, *warm, file, series);
            }
        }
        for (series, bar) in ours.iter().zip([1.2, 1.0]) {
            let name = format!("{name}, {}", series.name());
            table.ratio(&name, series, &baseline, Bar::AtMost(bar, ""));
        }
    }
}

/// One submission; returns when nothing of it is left to do.
fn submit(daemon: &TestDaemon, warm: usize, file: &str, series: &mut Series) {
    let mut submit = None;
    series.time(|| {
        let call = daemon.command(["submit", file, "--again", "--json"]);
        let running = submit.insert(call.spawn());
        running.stdout.wait_for(|line| line.contains("\"EVAL_RESULT\""));
    });
    // The measurement of the time per call belongs to no verdict.
    submit.unwrap().end().ok();
    wait_until_quiet(daemon.pid(), warm);
}
