//! The findings of `vosim-sandbox probe` on this machine. A report is kept until something changes
//! that it depends on. Failing to keep it is no error, and a helper that hangs is given up.

mod helper;
mod kept;

use std::path::Path;

use vosim_protocol::time::Time;
use vosim_sandbox_spec::ProbeReport;

pub(super) use self::helper::Helper;
use self::helper::ask;
use self::kept::{Kept, Key};
use crate::evaluator::Cancel;

/// Whether the last probe of the sandbox is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probing {
    /// Yes, as long as nothing has changed that it depends on.
    Kept,
    /// No, the sandbox is probed now.
    Fresh,
}

impl Probing {
    /// Returns `Fresh` if that was asked for.
    pub const fn wanted(fresh: bool) -> Self {
        if fresh { Self::Fresh } else { Self::Kept }
    }
}

/// A report, with its age.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) report: ProbeReport,
    pub(super) probed: Time,
    pub(super) freshness: Freshness,
}

/// Whether a report is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// The report was kept from an earlier probe.
    Kept,
    /// The report was made now.
    Now,
}

/// Returns the kept report while it still holds, else a new one, which is kept in `state`.
pub(super) fn probe(
    helper: Helper<'_>,
    state: Option<&Path>,
    boot_id: &str,
    now: Time,
    probing: Probing,
    cancel: &Cancel,
) -> Result<Told, String> {
    let place = state.zip(Key::here(helper, boot_id));
    if let (Some((state, key)), Probing::Kept) = (&place, probing)
        && let Some(Kept { report, probed, .. }) = kept::read(state, key)
    {
        return Ok(Told { report, probed, freshness: Freshness::Kept });
    }
    let report = ask(helper, cancel)?;
    if let Some((state, key)) = place {
        // If this fails the next call probes again, and nothing else is lost.
        kept::write(state, &Kept { key, probed: now, report: report.clone() }).ok();
    }
    Ok(Told { report, probed: now, freshness: Freshness::Now })
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::helper::tests::script;
    use super::*;
    use serde_json::json;
    use vosim_sandbox_spec::Level;

    /// A run at this level that ended well.
    pub(in crate::doctor) fn report(level: Level) -> ProbeReport {
        let usage = json!({
            "wall_us": 0, "cpu_user_us": 0, "cpu_sys_us": 0, "peak_memory": 0, "processes_peak": 0,
        });
        let output = json!({ "bytes": 0, "head": "" });
        let run = json!({
            "version": 1, "verdict": { "end": "ok" }, "usage": usage, "stdout": output,
            "stderr": output, "enforced": [], "level": format!("{level:?}"),
        });
        let report =
            json!({ "version": 1, "kernel": "6.1.0", "uid": 1000, "gid": 1000, "run": run });
        serde_json::from_value(report).unwrap()
    }

    /// A helper that counts how often it was asked.
    struct Counting {
        dir: tempfile::TempDir,
        program: PathBuf,
    }

    impl Counting {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let line = serde_json::to_string(&report(Level::B)).unwrap();
            let asked = dir.path().join("asked");
            let text = format!("echo \"$*\" >> {}\necho '{line}'\nexit 2", asked.display());
            let program = script(dir.path(), &text);
            Self { dir, program }
        }

        fn tell(&self, user: Option<&str>, boot_id: &str, probing: Probing) -> Freshness {
            let helper = Helper { program: &self.program, user };
            let now = Time::from_micros(7);
            let state = self.dir.path().join("state");
            let cancel = Cancel::new().unwrap();
            probe(helper, Some(&state), boot_id, now, probing, &cancel).unwrap().freshness
        }

        fn asked(&self) -> Vec<String> {
            let text = fs::read_to_string(self.dir.path().join("asked")).unwrap();
            text.lines().map(str::to_owned).collect()
        }
    }

    #[test]
    fn a_machine_is_probed_once_until_something_changes_or_fresh_is_wanted() {
        let helper = Counting::new();
        assert_eq!(helper.tell(None, "boot-1", Probing::Kept), Freshness::Now);
        assert_eq!(helper.tell(None, "boot-1", Probing::Kept), Freshness::Kept);
        assert_eq!(helper.tell(None, "boot-1", Probing::Fresh), Freshness::Now);
        assert_eq!(helper.tell(None, "boot-1", Probing::Kept), Freshness::Kept);
        assert_eq!(helper.tell(None, "boot-2", Probing::Kept), Freshness::Now, "another boot");
        assert_eq!(
            helper.tell(Some("7"), "boot-2", Probing::Kept),
            Freshness::Now,
            "another account"
        );
        assert_eq!(helper.tell(Some("7"), "boot-2", Probing::Kept), Freshness::Kept);
        let wanted = ["probe --json", "probe --json", "probe --json", "probe --json --user 7"];
        assert_eq!(helper.asked(), wanted);
    }

    #[test]
    fn another_helper_at_the_same_path_is_asked_anew() {
        let helper = Counting::new();
        assert_eq!(helper.tell(None, "boot", Probing::Kept), Freshness::Now);
        let text = fs::read_to_string(&helper.program).unwrap();
        script(helper.dir.path(), text.trim_start_matches("#!/bin/sh\n"));
        assert_eq!(helper.tell(None, "boot", Probing::Kept), Freshness::Now);
    }

    #[test]
    fn where_nothing_can_be_kept_every_look_is_a_probe_and_no_error() {
        let helper = Counting::new();
        let file = helper.dir.path().join("a file");
        fs::write(&file, "").unwrap();
        for state in [None, Some(file.as_path())] {
            let helper = Helper { program: &helper.program, user: None };
            let (now, cancel) = (Time::from_micros(7), Cancel::new().unwrap());
            let told = probe(helper, state, "boot", now, Probing::Kept, &cancel).unwrap();
            assert_eq!((told.freshness, told.probed), (Freshness::Now, Time::from_micros(7)));
        }
    }
}
