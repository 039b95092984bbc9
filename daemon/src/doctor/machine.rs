//! Events of the machine that end a daemon: kills, logouts.

use std::path::Path;

use nix::unistd::{User, geteuid};
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::service::Check;

use super::check::{ok, warn};
use crate::lifecycle::run_mark;
use crate::lifecycle::unit::Starter;
use crate::logging;
use crate::runtime_dir::quoted;

/// The folder in which systemd-logind keeps the users whose services survive a logout.
const LINGERING: &str = "/var/lib/systemd/linger";

/// Whether the last run of the daemon was killed.
pub(super) fn last_stop(state: &Path, boot_id: &str) -> Check {
    const NAME: &str = "last stop";
    let run = match run_mark::last_unclean(state) {
        Ok(None) => return ok(NAME, "every recorded run ended normally"),
        Ok(Some(run)) => run,
        Err(error) => {
            return warn(NAME, format!("the record cannot be read: {}", cause(&error)), None);
        }
    };
    let found = format!(
        "the run that began {} (pid {}) was killed; everything it had confirmed is kept",
        run.started, run.pid
    );
    // Another boot: the machine went down with it, and there is nothing to look for.
    if run.boot_id == boot_id {
        let log = state.join(logging::FILE_NAME);
        warn(NAME, found, Some(format!("see {}", quoted(&log))))
    } else {
        ok(NAME, found)
    }
}

/// The starter of the asking daemon.
pub(super) fn starter(starter: &Starter) -> Check {
    const NAME: &str = "started";
    let found = match starter {
        Starter::Systemd(Some(unit)) => format!("by systemd, as {unit}"),
        Starter::Systemd(None) => "by systemd".to_owned(),
        Starter::Other => "by hand or by vosimctl, not by systemd".to_owned(),
    };
    ok(NAME, found)
}

/// Whether a logout ends the daemon; None where systemd does not manage sessions.
pub(super) fn logout() -> Option<Check> {
    const NAME: &str = "logout";
    if !Path::new("/run/systemd/system").exists() {
        return None;
    }
    let user = User::from_uid(geteuid()).ok().flatten()?;
    Some(if Path::new(LINGERING).join(&user.name).exists() {
        ok(NAME, "the daemon keeps running after you log out")
    } else {
        let found = "the daemon may be stopped when you log out; clocks keep counting, and \
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
    fn a_run_that_was_killed_in_this_boot_is_a_warning_and_in_another_is_not() {
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
        assert!(check.fix.unwrap().ends_with("vosimd.log"));
        assert_eq!(last_stop(state.path(), "boot-2").status, CheckStatus::Ok);
    }
}
