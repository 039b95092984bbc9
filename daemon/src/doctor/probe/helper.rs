//! Asks `vosim-sandbox probe` for its report, within bounds of time and size.

use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use vosim_protocol::trouble::{Location, cause};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use vosim_sandbox_spec::ProbeReport;

use crate::runtime_dir::{check_started, trouble};

/// Longest time for a probe, on a machine that may be busy.
const PROBE_WITHIN: Duration = Duration::from_secs(60);

/// Longest answer; a real one has about 4 KiB.
pub(super) const ANSWER_MAX_BYTES: u64 = 1024 * 1024;

/// The helper, and the account as which it runs programs.
#[derive(Clone, Copy, Debug)]
pub(in crate::doctor) struct Helper<'a> {
    /// The program `vosim-sandbox`.
    pub(in crate::doctor) program: &'a Path,
    /// The configured account, for a daemon that is root.
    pub(in crate::doctor) user: Option<&'a str>,
}

/// Returns the report, or one sentence on why there is none.
pub(super) fn ask(Helper { program, user }: Helper<'_>) -> Result<ProbeReport, String> {
    let shown = program.display();
    check_started(program).map_err(|why| format!("{shown} is not started: {why}"))?;
    let mut child = Command::new(program)
        .args(["probe", "--json"])
        .args(user.map(|user| ["--user", user]).into_iter().flatten())
        .env_clear()
        .envs(vosim_sandbox_spec::places_of())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| {
            format!("{shown} cannot be run: {}", trouble(&error, program, Location::Program))
        })?;
    let answer = answer(&mut child, PROBE_WITHIN);
    // The helper has ended, or its time is up; in both cases it must be reaped.
    child.kill().ok();
    child.wait().ok();
    let answer = answer.map_err(|error| format!("{shown} probe: {}", cause(&error)))?;
    serde_json::from_slice(&answer).map_err(|_| format!("{shown} probe gave no readable answer"))
}

/// Reads the answer to its end.
fn answer(child: &mut Child, within: Duration) -> io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    let Some(mut said) = child.stdout.take() else { return Ok(answer) };
    let deadline = Instant::now() + within;
    let mut chunk = [0; 16 * 1024];
    while (answer.len() as u64) < ANSWER_MAX_BYTES {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left.as_millis()).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(said.as_fd(), PollFlags::POLLIN)], timeout) {
            Ok(0) => return Err(io::Error::new(io::ErrorKind::TimedOut, "it did not end in time")),
            Ok(_) => match said.read(&mut chunk)? {
                0 => return Ok(answer),
                count => answer.extend_from_slice(&chunk[..count]),
            },
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, "its answer is too long"))
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
        let told = |program: &Path| ask(Helper { program, user: None }).unwrap_err();
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
        let mut child = Command::new(script(dir.path(), "exec tail -f /dev/null"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let given_up = answer(&mut child, Duration::ZERO).unwrap_err();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(given_up.kind(), io::ErrorKind::TimedOut);
    }
}
