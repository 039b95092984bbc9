//! Whole runs, each asked of this binary as the daemon asks it. The weaker levels are had by taking
//! away what the better one stands on, as a machine without it would.

use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nix::libc::CLONE_NEWUSER;
use vosim_sandbox_spec::{Level, Limits, Mount, ProbedRun, RunReport, RunSpec, VERSION, Verdict};

use super::apart::{Apart, Trouble};
use super::effects;
use crate::account::Account;
use crate::fault::At as _;
use crate::hand;
use crate::terms::Terms;

/// Programs that end well at once, tried when this binary itself cannot be run: as another account
/// it may be out of reach.
const SYSTEM: [&str; 2] = ["/usr/bin/true", "/bin/true"];

/// Named as the place for control groups, so that there is none.
const NO_PLACE: &str = "/proc";

/// Longest time of one run on the clock, milliseconds.
const WALL_MS: u64 = 10_000;

/// A request that shows nothing but what this binary and installed software need.
pub(super) fn request(program: &Path) -> RunSpec {
    let mounts = hand::surroundings(program);
    RunSpec {
        version: VERSION,
        argv: vec![program.display().to_string(), "--version".to_owned()],
        env: Default::default(),
        files: Default::default(),
        mounts: mounts.into_iter().map(|path| Mount { path, writable: false }).collect(),
        stdin: None,
        channel: false,
        limits: Limits { wall_ms: WALL_MS, ..Limits::submission() },
        hold: None,
        require_level: None,
    }
}

/// One run for each level that can be had here, best first.
pub(super) fn runs(helper: &Path, terms: &Terms, outside: Account) -> Vec<ProbedRun> {
    let programs = [helper.to_owned()].into_iter().chain(SYSTEM.map(PathBuf::from));
    let programs: Vec<_> = programs.filter(|program| program.is_file()).collect();
    let best = first_that_ends_well(&programs, |spec| Ok(one(helper, spec, terms)));
    let level = best.level;
    let mut runs = vec![best];
    // However it ends, each of these stands for the level that was wanted.
    if level < Level::B {
        let without = Terms { place: Some(NO_PLACE.into()), ..terms.clone() };
        let run = |spec: &RunSpec| Ok(one(helper, spec, &without));
        runs.push(ProbedRun { level: Level::B, ..first_that_ends_well(&programs, run) });
    }
    if level < Level::C {
        let run = |spec: &RunSpec| without_namespaces(helper, spec, terms, outside);
        runs.push(ProbedRun { level: Level::C, ..first_that_ends_well(&programs, run) });
    }
    runs
}

/// In a user namespace that allows no further one.
fn without_namespaces(
    helper: &Path,
    spec: &RunSpec,
    terms: &Terms,
    outside: Account,
) -> Result<ProbedRun, Trouble> {
    let closed = Apart { account: terms.account, namespaces: CLONE_NEWUSER };
    // Below a closed home only root can open it, and whoever has it open can start it.
    let open = || File::open(helper).at("opening the helper");
    closed.run_prepared(open, |opened| {
        effects::close_namespaces(outside)?;
        let helper = format!("/proc/self/fd/{}", opened.as_raw_fd());
        Ok(one(Path::new(&helper), spec, terms))
    })
}

fn first_that_ends_well(
    programs: &[PathBuf],
    run: impl Fn(&RunSpec) -> Result<ProbedRun, Trouble>,
) -> ProbedRun {
    let mut first = None;
    for program in programs {
        let ran = run(&request(program)).unwrap_or_else(|trouble| failed(trouble.said));
        if ran.verdict == Verdict::Ok {
            return ran;
        }
        first.get_or_insert(ran);
    }
    first.unwrap_or_else(|| failed("there is no program to be run".to_owned()))
}

fn one(helper: &Path, spec: &RunSpec, terms: &Terms) -> ProbedRun {
    let started = Instant::now();
    let answer = hand::ask(helper, spec, terms);
    let wall_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    match answer {
        Ok(Some(report)) => probed(report, wall_us),
        Ok(None) => failed("the helper ended without a record".to_owned()),
        Err(error) => failed(format!("asking the helper: {error}")),
    }
}

fn probed(report: RunReport, wall_us: u64) -> ProbedRun {
    let RunReport { level, verdict, error, enforced, .. } = report;
    ProbedRun { level, verdict, wall_us, error, enforced }
}

fn failed(why: String) -> ProbedRun {
    let verdict = Verdict::Internal;
    ProbedRun { level: Level::D, verdict, wall_us: 0, error: Some(why), enforced: Vec::new() }
}
