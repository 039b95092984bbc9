//! The hostile suite: every program of `tests/hostile`, at every level that can be forced, against
//! the one record that its row gives. Nothing is passed over in silence: what was run, what came
//! out otherwise and what could not be tried is counted and printed.

mod left;
mod outside;
mod record;
mod rows;
mod stage;
mod tally;

use std::process::Command;

use vosim_sandbox_spec::Level;

use crate::busy::{cores, while_busy};
use crate::delegated::Delegated;
use crate::hostile::rows::Row;
use crate::hostile::stage::Stage;
use crate::hostile::tally::Tally;

/// Runs side by side on a machine of two cores.
const SIDE_BY_SIDE: usize = 2;

/// Under load, beside a spinner on each core.
const CROWDED: usize = 4;

/// Number of repetitions in the long form of the tests.
const SOAK_ROUNDS: usize = 5;

/// Otherwise one of so many programs is crowded: it takes as long as all levels together.
const SAMPLE: usize = 10;

#[test]
fn every_program_has_one_row_and_every_row_one_program() {
    let rows = rows::all();
    assert!(rows.len() >= 225, "only {} programs", rows.len());
    let faults: Vec<String> = rows.iter().flat_map(Row::faults).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn with_namespaces_every_program_ends_as_its_row_says() {
    alone("with_namespaces_every_program_ends_as_its_row_says", || {
        run_all(Level::B, SIDE_BY_SIDE, rows::all())
    });
}

#[test]
fn with_a_cgroup_every_program_ends_as_its_row_says() {
    if Delegated::whole().is_some() {
        alone("with_a_cgroup_every_program_ends_as_its_row_says", || {
            run_all(Level::A, SIDE_BY_SIDE, rows::all())
        });
    }
}

#[test]
fn without_namespaces_every_program_ends_as_its_row_says() {
    alone("without_namespaces_every_program_ends_as_its_row_says", || {
        run_all(Level::C, SIDE_BY_SIDE, rows::all())
    });
}

#[test]
fn where_nothing_would_hold_no_program_is_started() {
    alone("where_nothing_would_hold_no_program_is_started", || {
        run_all(Level::D, SIDE_BY_SIDE, rows::all())
    });
}

#[test]
fn what_is_denied_inside_works_outside() {
    alone("what_is_denied_inside_works_outside", || outside::control_all(&rows::all()));
}

#[test]
fn four_at_once_on_a_busy_machine_end_the_same() {
    alone("four_at_once_on_a_busy_machine_end_the_same", || {
        let (rounds, every) = if crate::harness::soak() { (SOAK_ROUNDS, 1) } else { (1, SAMPLE) };
        let rows = || rows::all().into_iter().step_by(every).collect();
        while_busy(cores(), || {
            let mut tally = Tally::default();
            for _ in 0..rounds {
                tally.extend(run_all(Level::B, CROWDED, rows()));
                tally.extend(run_all(Level::C, CROWDED, rows()));
            }
            tally
        })
    });
}

/// All of these programs at one level.
fn run_all(level: Level, at_once: usize, rows: Vec<Row>) -> Tally {
    let stage = Stage::set(level);
    let mut tally = Tally::begin(level, at_once, rows.len());
    stage::in_parallel(at_once, &rows, |row| stage.differences(row))
        .into_iter()
        .for_each(|(name, differences)| tally.count(name, differences));
    tally.left(stage.strike());
    tally
}

/// Runs a test's body in a process of its own: whatever is left there at the end, processes,
/// files, mounts, cgroups or open descriptors, was left by it and by no test beside it.
fn alone(test: &str, body: impl FnOnce() -> Tally) {
    const INSIDE: &str = "VOSIM_HOSTILE_ALONE";
    if std::env::var_os(INSIDE).is_some() {
        let before = left::Before::look();
        let mut tally = body();
        tally.left(before.what_is_new());
        return tally.close();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("hostile::{test}"), "--nocapture", "--test-threads=1"])
        .env(INSIDE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let ours = said.lines().filter(|line| line.starts_with(tally::MARK));
    ours.for_each(|line| println!("{line}"));
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
