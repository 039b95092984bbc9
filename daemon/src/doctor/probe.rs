//! What `vosim-sandbox probe` says of this machine. Its answer is kept for as long as nothing has
//! changed that it depends on; keeping it can fail and looking can not be made to wait for ever.

mod kept;

use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use vosim_protocol::time::Time;
use vosim_sandbox_spec::ProbeReport;

use self::kept::{Kept, Key};
use super::Probing;

/// Longest time for a probe: it makes several runs, on a machine that may be busy.
const PROBE_WITHIN: Duration = Duration::from_secs(60);

/// Longest answer; a real one has some 4 KiB.
const ANSWER_MAX_BYTES: u64 = 1024 * 1024;

/// Whom to ask, and as whom it runs programs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Helper<'a> {
    /// The program `vosim-sandbox`.
    pub(super) program: &'a Path,
    /// The configured account for when we are root.
    pub(super) user: Option<&'a str>,
}

/// An answer, and whether it is one of now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) report: ProbeReport,
    pub(super) probed: Time,
    pub(super) source: Source,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It was kept from an earlier probe.
    Kept,
    /// It was probed now.
    Now,
}

/// The kept answer while it still holds, else a new one, which is kept in the folder `state`.
pub(super) fn probe(
    helper: Helper<'_>,
    state: Option<&Path>,
    boot_id: &str,
    now: Time,
    probing: Probing,
) -> Result<Told, String> {
    let place = state.zip(Key::here(helper, boot_id));
    if let (Some((state, key)), Probing::Kept) = (&place, probing)
        && let Some(Kept { report, probed, .. }) = kept::read(state, key)
    {
        return Ok(Told { report, probed, source: Source::Kept });
    }
    let report = ask(helper)?;
    if let Some((state, key)) = place {
        // Without it the next look is a probe again, and nothing else is lost.
        kept::write(state, &Kept { key, probed: now, report: report.clone() }).ok();
    }
    Ok(Told { report, probed: now, source: Source::Now })
}

fn ask(Helper { program, user }: Helper<'_>) -> Result<ProbeReport, String> {
    let shown = program.display();
    let mut child = Command::new(program)
        .args(["probe", "--json"])
        .args(user.map(|user| ["--user", user]).into_iter().flatten())
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{shown} cannot be run: {error}"))?;
    let answer = answer(&mut child, PROBE_WITHIN);
    // It has ended, or it has had its time; either way it is waited for.
    child.kill().ok();
    child.wait().ok();
    let answer = answer.map_err(|error| format!("{shown} probe: {error}"))?;
    serde_json::from_slice(&answer)
        .map_err(|_| format!("{shown} probe gives no answer that can be read"))
}

/// All that it says up to its end.
fn answer(child: &mut Child, within: Duration) -> io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    let Some(mut said) = child.stdout.take() else { return Ok(answer) };
    let deadline = Instant::now() + within;
    let mut chunk = [0; 16 * 1024];
    while (answer.len() as u64) < ANSWER_MAX_BYTES {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left.as_millis()).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(said.as_fd(), PollFlags::POLLIN)], timeout) {
            Ok(0) => return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not end")),
            Ok(_) => match said.read(&mut chunk)? {
                0 => return Ok(answer),
                count => answer.extend_from_slice(&chunk[..count]),
            },
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, "it says too much"))
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::PathBuf;

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

        fn tell(&self, user: Option<&str>, boot_id: &str, probing: Probing) -> Source {
            let helper = Helper { program: &self.program, user };
            let now = Time::from_micros(7);
            let state = self.dir.path().join("state");
            probe(helper, Some(&state), boot_id, now, probing).unwrap().source
        }

        fn asked(&self) -> Vec<String> {
            let text = fs::read_to_string(self.dir.path().join("asked")).unwrap();
            text.lines().map(str::to_owned).collect()
        }
    }

    /// Another process writes it: one that is open for writing here, while another test forks,
    /// could not be executed.
    fn script(dir: &Path, text: &str) -> PathBuf {
        let program = dir.join("helper");
        let write = "printf '#!/bin/sh\n%s\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
        let written = Command::new("/bin/sh").args(["-c", write]).arg(&program).arg(text).status();
        assert!(written.unwrap().success());
        program
    }

    #[test]
    fn a_machine_is_probed_once_until_something_changes_or_somebody_insists() {
        let helper = Counting::new();
        assert_eq!(helper.tell(None, "boot-1", Probing::Kept), Source::Now);
        assert_eq!(helper.tell(None, "boot-1", Probing::Kept), Source::Kept);
        assert_eq!(helper.tell(None, "boot-1", Probing::Fresh), Source::Now);
        assert_eq!(helper.tell(None, "boot-1", Probing::Kept), Source::Kept);
        assert_eq!(helper.tell(None, "boot-2", Probing::Kept), Source::Now, "another boot");
        assert_eq!(helper.tell(Some("7"), "boot-2", Probing::Kept), Source::Now, "another account");
        assert_eq!(helper.tell(Some("7"), "boot-2", Probing::Kept), Source::Kept);
        let wanted = ["probe --json", "probe --json", "probe --json", "probe --json --user 7"];
        assert_eq!(helper.asked(), wanted);
    }

    #[test]
    fn another_helper_at_the_same_path_is_asked_anew() {
        let helper = Counting::new();
        assert_eq!(helper.tell(None, "boot", Probing::Kept), Source::Now);
        let text = fs::read_to_string(&helper.program).unwrap();
        script(helper.dir.path(), text.trim_start_matches("#!/bin/sh\n"));
        assert_eq!(helper.tell(None, "boot", Probing::Kept), Source::Now);
    }

    #[test]
    fn where_nothing_can_be_kept_every_look_is_a_probe_and_no_error() {
        let helper = Counting::new();
        let file = helper.dir.path().join("a file");
        fs::write(&file, "").unwrap();
        for state in [None, Some(file.as_path())] {
            let helper = Helper { program: &helper.program, user: None };
            let told = probe(helper, state, "boot", Time::from_micros(7), Probing::Kept).unwrap();
            assert_eq!((told.source, told.probed), (Source::Now, Time::from_micros(7)));
        }
    }

    #[test]
    fn a_helper_that_cannot_be_asked_is_one_sentence() {
        let told = |program: &Path| ask(Helper { program, user: None }).unwrap_err();
        let missing = told(Path::new("/no/such/helper"));
        assert!(missing.starts_with("/no/such/helper cannot be run: No such file"), "{missing}");
        let dir = tempfile::tempdir().unwrap();
        let mute = told(&script(dir.path(), "exit 1"));
        assert!(mute.ends_with("gives no answer that can be read"), "{mute}");
        let endless = told(&script(dir.path(), "exec yes"));
        assert!(endless.ends_with("it says too much"), "{endless}");
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
