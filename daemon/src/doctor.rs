//! Checks of this machine for vosim: each says what was found and the one step that fixes it.
//!
//! Nothing is changed but the note of the last probe, and what a start would change. The checks wait for disks and processes, so
//! the daemon runs them off its own thread; without a daemon `vosimctl` runs `vosimd doctor` as a
//! child (DECISIONS 32).

mod blobs;
mod check;
mod disk;
mod host;
mod machine;
mod model;
mod probe;
mod programs;
mod remedy;
mod sandbox;
mod sockets;
mod start;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use vosim_protocol::SessionId;
use vosim_protocol::hello::VERSIONS;
use vosim_protocol::trouble::{Location, size};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{Check, CheckStatus, DoctorResult, StoreStats};
use vosim_store::{Store, StoreError};

use self::check::{fail, ok, warn};
use self::host::Host;
pub use self::probe::Probing;
use crate::clock::{Clock as _, SavedClock, SystemClock};
use crate::config::{Config, ConfigError};
use crate::daemon::Daemon;
use crate::evaluator::{self, Evaluator};
use crate::lifecycle::unit::Starter;
use crate::model::Configured;
use crate::runtime_dir::{Places, quoted};

/// Size from which on a compaction of the store is worthwhile, bytes.
const SMALL_STORE_BYTES: u64 = 64 * 1024 * 1024;

/// Ratio of disk bytes to live bytes from which on a compaction is advised.
const BLOAT: u64 = 4;

/// Runs the checks of a running daemon.
pub async fn with_daemon(daemon: &Daemon, stats: &StoreStats, probing: Probing) -> Vec<Check> {
    let evaluator = Arc::clone(&daemon.evaluator);
    let data = daemon.paths.data.clone();
    let is_there = data.exists();
    let mut checks = daemon.blocking(move |_| of_machine(Some(&data), &evaluator, probing)).await;
    checks.extend(model::server(&daemon.configured).await);
    checks.push(machine::starter(&Starter::of_this_process(Path::new("/"))));
    checks.push(store(stats));
    checks.extend(unrecorded(&daemon.unrecorded.borrow()));
    // What cannot be reached is not damaged.
    if is_there {
        checks.push(logs(daemon.blocking(Store::damaged_values).await));
        checks.push(daemon.blocking(blobs::check).await);
    }
    checks.push(clock(&daemon.timer.saved()));
    checks.push(ok("protocol", format!("versions {} to {}", VERSIONS.0, VERSIONS.1)));
    checks
}

/// Runs the checks that need no daemon; blocks.
pub fn without_daemon(probing: Probing) -> Vec<Check> {
    let places = Places::from_env().ok();
    let config = places.as_ref().and_then(|it| Config::load(&it.paths.config).ok());
    let config = config.unwrap_or_else(|| Config::defaults(Path::new("config.toml")));
    let mut checks = of_machine(None, &evaluator::open(&config.evaluator), probing);
    checks.extend(places.into_iter().flat_map(|places| start::store(&places, &config)));
    let configured = Configured::new(&config.model);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // A machine that has no threads for it is told of elsewhere.
    checks.extend(runtime.ok().and_then(|it| it.block_on(model::server(&configured))));
    checks
}

/// Whether something will not work.
pub fn fails(checks: &[Check]) -> bool {
    checks.iter().any(|check| check.status == CheckStatus::Fail)
}

/// Returns the checks as text for people.
pub fn text(result: &DoctorResult) -> String {
    let width = result.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Check { name, status, found, fix } in &result.checks {
        let word = match status {
            CheckStatus::Ok => "ok  ",
            CheckStatus::Warn => "warn",
            CheckStatus::Fail => "FAIL",
        };
        // Writing to a string does not fail.
        writeln!(text, "{word}  {name:width$}  {found}").ok();
        if let Some(fix) = fix {
            writeln!(text, "      {:width$}  fix: {fix}", "").ok();
        }
    }
    text
}

/// Runs the checks that look from outside; `running` is the data directory of the asking daemon.
fn of_machine(running: Option<&Path>, evaluator: &Evaluator, probing: Probing) -> Vec<Check> {
    let mut checks = Vec::new();
    let clock = SystemClock::new();
    let mut state = None;
    match Places::from_env() {
        Ok(places) => {
            checks.push(configuration(&places.paths.config));
            checks.extend(match running {
                Some(data) if !data.exists() => vec![disk::gone(data)],
                Some(data) => of_data(data, sockets::held_by_us(data, &places.socket)),
                None => {
                    let data = &places.paths.data;
                    of_data(data, sockets::held_by_whom(data, &places.socket))
                }
            });
            checks.push(disk::log(&places.paths.state));
            checks.push(sockets::directory(&places));
            checks.push(machine::last_stop(&places.paths.state, clock.boot_id()));
            state = Some(places.paths.state);
        }
        Err(error) => checks.push(fail("folders", error.to_string(), error.remedy())),
    }
    checks.extend(Language::ALL.map(|language| {
        programs::interpreter(language, &evaluator.runtime(language), evaluator.wanted(language))
    }));
    let program = evaluator.sandbox();
    let helper = probe::Helper { program: &program, user: evaluator.user() };
    let now = clock.now().time;
    let cancel = evaluator.until_closed().map_err(|refusal| refusal.to_string());
    let told = cancel.and_then(|cancel| {
        probe::probe(helper, state.as_deref(), clock.boot_id(), now, probing, &cancel)
    });
    checks.extend(sandbox::checks(&told, &Host::at(Path::new("/")), &program));
    checks.push(sandbox::network(&told));
    checks.extend(machine::logout());
    checks
}

/// The checks of a data folder and of who works in it.
fn of_data(data: &Path, holder: Check) -> Vec<Check> {
    vec![disk::folder("data folder", data, Location::Data), disk::space(data), holder]
}

/// Reads the settings anew, so that a mistake is found before the next start refuses it.
fn configuration(file: &Path) -> Check {
    const NAME: &str = "configuration";
    match Config::load(file) {
        Ok(_) if !file.exists() => {
            ok(NAME, format!("{} does not exist, so the defaults apply", file.display()))
        }
        Ok(_) => ok(NAME, format!("{} is valid", file.display())),
        Err(error) => {
            let fix = match &error {
                ConfigError::Value { origin, .. } if !origin.contains(" line ") => {
                    Some(format!("unset {origin}"))
                }
                // The step stands behind the reason.
                ConfigError::Unreadable { .. } => None,
                ConfigError::Untrusted { why, .. } => Some(why.remedy(file)),
                ConfigError::Syntax { .. }
                | ConfigError::UnknownKey { .. }
                | ConfigError::Value { .. } => Some(format!("edit {}", quoted(file))),
            };
            fail(NAME, error.to_string(), fix)
        }
    }
}

fn store(stats: &StoreStats) -> Check {
    const NAME: &str = "store";
    let StoreStats { backend, sessions, live_bytes, disk_bytes } = stats;
    let (live, disk) = (size(*live_bytes), size(*disk_bytes));
    let found = format!("{backend}, sessions: {sessions}, live {live}, on disk {disk}");
    if *disk_bytes > SMALL_STORE_BYTES && *disk_bytes / BLOAT > *live_bytes {
        warn(NAME, found, Some("vosimctl store compact".to_owned()))
    } else {
        ok(NAME, found)
    }
}

/// What cannot be recorded now, if there is something: whoever waits for it waits until it can.
fn unrecorded(waiting: &BTreeMap<SessionId, String>) -> Option<Check> {
    let (session, why) = waiting.first_key_value()?;
    let session = session.short();
    let found = format!("what came of session {session} cannot be recorded yet: {why}");
    Some(fail("recording", found, None))
}

/// Whether all values that were read are whole, else which of them are not.
fn logs(damaged: Result<Vec<String>, StoreError>) -> Check {
    const NAME: &str = "logs";
    let found = match damaged.as_deref() {
        Ok([]) => return ok(NAME, "all of them are whole"),
        Ok([one, more @ ..]) => {
            let others =
                if more.is_empty() { String::new() } else { format!(", {} more", more.len()) };
            format!("damaged or missing: {one}{others}; sessions that need them cannot go on")
        }
        Err(error) => error.to_string(),
    };
    fail(NAME, found, Some(blobs::RESTORE.to_owned()))
}

fn clock(saved: &SavedClock) -> Check {
    const NAME: &str = "clock";
    let found = match saved.sequence {
        0 => "the wall clock has never been stepped".to_owned(),
        1 => "the wall clock was stepped once, and open deadlines moved with it".to_owned(),
        times => {
            format!("the wall clock was stepped {times} times, and open deadlines moved with it")
        }
    };
    match (saved.pending.len(), saved.owed.len()) {
        (0, 0) => ok(NAME, found),
        (0, behind) => {
            let found = format!("{found}; sessions that have not recorded it yet: {behind}");
            warn(NAME, found, Some("see the daemon's log for the reason".to_owned()))
        }
        _ => warn(NAME, format!("{found}; sessions are being told of the last step"), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_protocol::v1::session::ClockStep;

    #[test]
    fn what_cannot_be_recorded_is_told_with_its_cause() {
        let mut waiting = BTreeMap::new();
        assert!(unrecorded(&waiting).is_none());
        waiting.insert(SessionId(uuid::Uuid::nil()), "the disk is full".to_owned());
        let told = unrecorded(&waiting).unwrap();
        assert!(told.found.ends_with("cannot be recorded yet: the disk is full"), "{}", told.found);
    }

    #[test]
    fn a_store_is_to_be_compacted_when_it_is_large_and_mostly_dead() {
        let fix = |live_bytes, disk_bytes| {
            let backend = "sled".to_owned();
            store(&StoreStats { backend, sessions: 3, live_bytes, disk_bytes }).fix
        };
        assert_eq!(fix(1_000, 60 << 20), None);
        assert_eq!(fix(50 << 20, 190 << 20), None);
        assert_eq!(fix(40 << 20, 190 << 20).unwrap(), "vosimctl store compact");
    }

    #[test]
    fn a_mistake_in_the_file_is_found_before_the_next_start_and_a_missing_file_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        assert_eq!(configuration(&file).status, CheckStatus::Ok);
        std::fs::write(&file, "[log]\nlevel = 7").unwrap();
        let check = configuration(&file);
        assert_eq!(check.status, CheckStatus::Fail);
        assert!(check.found.contains("line 2: log.level takes"), "{}", check.found);
        assert_eq!(check.fix.unwrap(), format!("edit {}", file.display()));
    }

    #[test]
    fn a_step_that_sessions_have_not_recorded_is_a_warning() {
        let mut saved = SavedClock {
            boot_id: String::new(),
            offset_micros: 0,
            sequence: 2,
            pending: Vec::new(),
            owed: BTreeMap::new(),
        };
        assert_eq!(clock(&saved).status, CheckStatus::Ok);
        assert!(clock(&saved).found.contains("2 times"));
        saved.pending.push(ClockStep { sequence: 2, step_micros: 5_000_000 });
        assert_eq!(clock(&saved).status, CheckStatus::Warn);
        saved.owed.insert(SessionId(uuid::Uuid::nil()), std::mem::take(&mut saved.pending));
        let check = clock(&saved);
        assert_eq!(check.status, CheckStatus::Warn);
        assert!(check.found.ends_with("have not recorded it yet: 1"), "{}", check.found);
    }

    #[test]
    fn a_failure_is_told_with_the_step_that_fixes_it() {
        let checks = vec![ok("a", "fine"), fail("longer", "broken", Some("do this".to_owned()))];
        assert!(fails(&checks) && !fails(&checks[..1]));
        let text = text(&DoctorResult { checks });
        assert_eq!(text, "ok    a       fine\nFAIL  longer  broken\n              fix: do this\n");
    }
}
