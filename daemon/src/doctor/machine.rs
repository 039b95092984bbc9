//! What the machine does to a daemon: kills, logouts.

use std::path::Path;

use nix::unistd::{User, geteuid};
use vosim_protocol::v1::service::Check;

use super::check::{ok, warn};
use crate::lifecycle::run_mark;
use crate::lifecycle::unit::Starter;
use crate::logging;
use crate::runtime_dir::quoted;

/// Users whose services live on after logout, as systemd-logind keeps them.
const LINGERING: &str = "/var/lib/systemd/linger";

/// How the last run ended that did not end by itself.
pub(super) fn last_stop(state: &Path, boot_id: &str) -> Check {
    const NAME: &str = "last stop";
    let run = match run_mark::last_unclean(state) {
        Ok(None) => return ok(NAME, "every run on record ended by itself"),
        Ok(Some(run)) => run,
        Err(error) => return warn(NAME, format!("the record cannot be read: {error}"), None),
    };
    let found = format!(
        "the run that began {} (pid {}) was cut off; what it had answered is kept",
        run.started, run.pid
    );
    // Another boot: the machine went down with it, and there is nothing to look for.
    if run.boot_id == boot_id {
        let log = state.join(logging::FILE_NAME);
        warn(NAME, found, Some(format!("look into {}", quoted(&log))))
    } else {
        ok(NAME, found)
    }
}

/// Who has started the daemon that asks.
pub(super) fn starter(starter: &Starter) -> Check {
    const NAME: &str = "started";
    let found = match starter {
        Starter::Systemd(Some(unit)) => format!("by systemd, as {unit}"),
        Starter::Systemd(None) => "by systemd".to_owned(),
        Starter::Other => "by hand or by vosimctl, not by systemd".to_owned(),
    };
    ok(NAME, found)
}

/// Whether a logout ends the daemon; nothing where systemd does not look after sessions.
pub(super) fn logout() -> Option<Check> {
    const NAME: &str = "logout";
    if !Path::new("/run/systemd/system").exists() {
        return None;
    }
    let user = User::from_uid(geteuid()).ok().flatten()?;
    Some(if Path::new(LINGERING).join(&user.name).exists() {
        ok(NAME, "the daemon lives on after you log out")
    } else {
        let found = "the daemon may be ended when you log out; clocks go on all the same, and \
             `loginctl enable-linger` keeps it running";
        ok(NAME, found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifecycle::run_mark::{DaemonRun, RunMark};
    use vosim_protocol::Time;
    use vosim_protocol::v1::service::CheckStatus;

    #[test]
    fn a_run_that_was_cut_off_in_this_boot_is_a_warning_and_in_another_is_not() {
        let state = tempfile::tempdir().unwrap();
        assert_eq!(last_stop(state.path(), "boot-1").status, CheckStatus::Ok);
        let run = |pid| DaemonRun {
            pid,
            version: "0.1.0".to_owned(),
            started: Time::from_micros(0),
            boot_id: "boot-1".to_owned(),
        };
        drop(RunMark::begin(state.path(), &run(7)).unwrap());
        drop(RunMark::begin(state.path(), &run(8)).unwrap());
        let check = last_stop(state.path(), "boot-1");
        assert_eq!(check.status, CheckStatus::Warn);
        assert!(check.found.contains("pid 7"), "{}", check.found);
        assert!(check.mend.unwrap().ends_with("vosimd.log"));
        assert_eq!(last_stop(state.path(), "boot-2").status, CheckStatus::Ok);
    }
}
