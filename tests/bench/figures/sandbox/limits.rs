//! How sharp the end is: past a limit on the clock, and of many processes at once.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use vosim_sandbox_spec::{Limit, RunSpec, Verdict};
use vosimd::evaluator::Runtime;

use super::super::helper::{self, Run};
use super::super::table::{Bar, Series, Table};

const WALL: Duration = Duration::from_millis(200);
const TURNS: usize = 40;
const KILLS: usize = 30;
const PROCESSES: u32 = 60;

pub(super) fn measure(table: &Table, python: &Runtime) {
    overshoot(table, python, "machine idle");
    // One busy thread for each core.
    let over = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        overshoot(table, python, "all cores busy");
        over.store(true, Ordering::Relaxed);
    });
    kill_many(table, python);
}

/// How long after its limit on the clock a program has gone and its report is here, counted from
/// before the helper's start.
fn overshoot(table: &Table, python: &Runtime, when: &str) {
    let request = |code: &str| {
        let mut spec = script(python, code);
        spec.limits.wall_ms = u64::try_from(WALL.as_millis()).unwrap();
        helper::line(&spec)
    };
    let programs = [
        ("sleeps", request("import time; time.sleep(60)")),
        ("spins", request("while True: pass")),
    ];
    let mut series = programs.each_ref().map(|(name, _)| Series::new(name));
    for _ in 0..table.turns(TURNS) {
        for ((_, line), series) in programs.iter().zip(&mut series) {
            let report = series.time(|| Run::start(&helper::sandbox(), line).report());
            let report = helper::read(&report);
            assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Wall }, "{report:?}");
        }
    }
    for series in series {
        let past = |time: Duration| time.saturating_sub(WALL).as_secs_f64() * 1e3;
        let name = format!("past a wall limit of 200 ms, {}, {when}", series.name());
        table.figure(&name, past(series.median()), " ms", Bar::AtMost(10.0, " ms"));
        let name = format!("  the worst of {}", series.len());
        table.figure(&name, past(series.most()), " ms", Bar::AtMost(50.0, " ms"));
    }
}

/// From the word that ends a run until all its processes have gone and the helper is reaped.
fn kill_many(table: &Table, python: &Runtime) {
    let code = format!(
        "import posix, time
for _ in range({PROCESSES} - 1):
    if not posix.fork():
        time.sleep(60)
posix.write(3, b'all\\n')
time.sleep(60)"
    );
    let mut spec = script(python, &code);
    spec.channel = true;
    spec.limits.processes = 2 * PROCESSES;
    let line = helper::line(&spec);
    let mut series = Series::new("killed and reaped");
    for _ in 0..table.turns(KILLS) {
        let run = Run::start(&helper::sandbox(), &line);
        assert_eq!(run.hear(), "all\n");
        series.time(|| run.end());
    }
    let name = format!("{PROCESSES} processes killed and reaped");
    table.figure(&name, series.median().as_secs_f64() * 1e3, " ms", Bar::AtMost(10.0, " ms"));
}

fn script(python: &Runtime, code: &str) -> RunSpec {
    let program = python.path.to_string_lossy().into_owned();
    let argv = [&program, "-I", "-S", "-c", code].map(str::to_owned);
    helper::request(&argv, &python.mounts)
}
