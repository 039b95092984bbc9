//! Asks a helper for one run, exactly as the daemon does. The helper is a second process of this
//! binary.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use vosim_sandbox_spec::{RunReport, RunSpec};

use crate::options::Options;

/// Returns the report of one run, or None when the helper has only complained on standard error.
pub(crate) fn ask(
    helper: &Path,
    spec: &RunSpec,
    options: &Options,
) -> io::Result<Option<RunReport>> {
    let (mut control, theirs) = UnixStream::pair()?;
    let (_channel, its_channel) = UnixStream::pair()?;
    let mut helper = Command::new(helper)
        .args(options.words())
        .env_clear()
        .envs(vosim_sandbox_spec::places_of())
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(its_channel)))
        .spawn()?;
    let mut line = serde_json::to_vec(spec)?;
    line.push(b'\n');
    control.write_all(&line)?;
    let mut answer = Vec::new();
    BufReader::new(&control).read_until(b'\n', &mut answer)?;
    helper.wait()?;
    if answer.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&answer)?))
}
