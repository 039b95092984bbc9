//! Asks `vosim-sandbox probe` for its report, within bounds of time and size.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use vosim_protocol::trouble::{Location, cause};

use vosim_sandbox_spec::ProbeReport;

use crate::evaluator::{Cancel, Questioned};
use crate::runtime_dir::{check_started, trouble};

/// Longest time for a probe, on a machine that may be busy: whoever asks the doctor waits half a minute.
const PROBE_WITHIN: Duration = Duration::from_secs(15);

/// Longest answer; a real one has about 4 KiB.
pub(super) const ANSWER_MAX_BYTES: usize = 1024 * 1024;

/// The helper, and the account as which it runs programs.
#[derive(Clone, Copy, Debug)]
pub(in crate::doctor) struct Helper<'a> {
    /// The program `vosim-sandbox`.
    pub(in crate::doctor) program: &'a Path,
    /// The configured account, for a daemon that is root.
    pub(in crate::doctor) user: Option<&'a str>,
}

/// Returns the report, or one sentence on why there is none.
pub(super) fn ask(helper: Helper<'_>, cancel: &Cancel) -> Result<ProbeReport, String> {
    ask_within(PROBE_WITHIN, helper, cancel)
}

fn ask_within(
    within: Duration,
    Helper { program, user }: Helper<'_>,
    cancel: &Cancel,
) -> Result<ProbeReport, String> {
    let shown = program.display();
    check_started(program).map_err(|why| format!("{shown} is not started: {why}"))?;
    let mut question = Command::new(program);
    question
        .args(["probe", "--json"])
        .args(user.map(|user| ["--user", user]).into_iter().flatten())
        .env_clear()
        .envs(vosim_sandbox_spec::places_of())
        .current_dir("/");
    let asked = Questioned::start(&mut question).map_err(|error| {
        format!("{shown} cannot be run: {}", trouble(&error, program, Location::Program))
    })?;
    let answer = asked.answer(within, ANSWER_MAX_BYTES, cancel);
    let (answer, _) = answer.map_err(|error| format!("{shown} probe: {}", cause(&error)))?;
    serde_json::from_slice(&answer).map_err(|_| format!("{shown} probe gave no readable answer"))
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Another process writes it: one that is open for writing here, while another test forks,
    /// could not be executed.
    pub(in crate::doctor::probe) fn script(dir: &Path, text: &str) -> PathBuf {
        let program = dir.join("helper");
        let write = "printf '#!/bin/sh\n%s\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
        let written = Command::new("/bin/sh").args(["-c", write]).arg(&program).arg(text).status();
        assert!(written.unwrap().success());
        program
    }

    #[test]
    fn a_helper_that_cannot_be_asked_is_one_sentence() {
        let told = |program: &Path| {
            ask(Helper { program, user: None }, &Cancel::new().unwrap()).unwrap_err()
        };
        let missing = told(Path::new("/no/such/helper"));
        assert!(missing.starts_with("/no/such/helper cannot be run: it is not there"), "{missing}");
        let dir = tempfile::tempdir().unwrap();
        let mute = told(&script(dir.path(), "exit 1"));
        assert!(mute.ends_with("gave no readable answer"), "{mute}");
        let endless = told(&script(dir.path(), "exec yes"));
        assert!(endless.ends_with("its answer is too long"), "{endless}");
    }

    #[test]
    fn a_helper_that_hangs_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let helper = Helper { program: &script(dir.path(), "tail -f /dev/null"), user: None };
        let cancel = Cancel::new().unwrap();
        let given_up = ask_within(Duration::ZERO, helper, &cancel).unwrap_err();
        assert!(given_up.ends_with("helper probe: it did not answer within 0 s"), "{given_up}");
    }
}
