//! The last probe, in a file of the state folder, together with all that it depends on. A file for
//! another state of the machine, or one that cannot be read, counts as absent.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;
use serde::{Deserialize, Serialize};
use vosim_protocol::time::Time;
use vosim_protocol::trouble::Location;
use vosim_sandbox_spec::ProbeReport;

use super::helper::{ANSWER_MAX_BYTES, Helper};
use crate::doctor::remedy::PROFILE;
use crate::runtime_dir::make_private_dir;

/// The name in the state folder.
const FILE: &str = "sandbox-probe.json";

/// Files whose text decides what a machine gives. They are small and cheap to read.
const DECIDING: [&str; 4] = [
    "proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "proc/sys/kernel/unprivileged_userns_clone",
    "proc/sys/user/max_user_namespaces",
    "proc/self/cgroup",
];

/// What an approved network is made of.
const OF_NETWORKS: [&str; 3] = ["usr/bin/slirp4netns", "usr/local/bin/slirp4netns", "dev/net/tun"];

/// Mount points of cgroup v2.
const CGROUPS: [&str; 2] = ["sys/fs/cgroup", "sys/fs/cgroup/unified"];

/// All that a report depends on: with another key it means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Key {
    kernel: String,
    boot_id: String,
    helper: PathBuf,
    helper_bytes: u64,
    /// Nanoseconds since 1970.
    helper_changed: i128,
    /// Our account, and the one that root changes to.
    account: String,
    /// The settings that the advice of doctor changes, so that following it leads to a new probe.
    settings: Vec<String>,
}

/// A report with its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) key: Key,
    pub(super) probed: Time,
    pub(super) report: ProbeReport,
}

impl Key {
    /// Returns the current key; None where the helper cannot be examined.
    pub(super) fn here(helper: Helper<'_>, boot_id: &str) -> Option<Self> {
        Self::below(Path::new("/"), helper, boot_id)
    }

    fn below(root: &Path, helper: Helper<'_>, boot_id: &str) -> Option<Self> {
        let about = fs::metadata(helper.program).ok()?;
        Some(Self {
            kernel: text(&root.join("proc/sys/kernel/osrelease")),
            boot_id: boot_id.to_owned(),
            helper: helper.program.to_owned(),
            helper_bytes: about.len(),
            helper_changed: nanoseconds(about.mtime(), about.mtime_nsec()),
            account: format!("{} {}", geteuid(), helper.user.unwrap_or_default()),
            settings: settings(root),
        })
    }
}

fn settings(root: &Path) -> Vec<String> {
    let mut settings: Vec<_> = DECIDING.iter().map(|file| text(&root.join(file))).collect();
    settings.push(stamp(&root.join(below_root(PROFILE))));
    settings.extend(OF_NETWORKS.iter().map(|path| stamp(&root.join(path))));
    let status = text(&root.join("proc/self/status"));
    let filter = status.lines().find(|line| line.starts_with("Seccomp:"));
    settings.push(filter.unwrap_or_default().to_owned());
    // A unit that is restarted has another folder at the same path.
    let cgroup = text(&root.join("proc/self/cgroup"));
    let path = cgroup.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    settings.extend(CGROUPS.iter().map(|mount| stamp(&root.join(mount).join(path))));
    settings
}

fn below_root(path: &str) -> &str {
    path.trim_start_matches('/')
}

/// Returns the text of a file; empty where there is none.
fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

/// Returns identity, owner and time of change of a file; empty where there is none.
fn stamp(path: &Path) -> String {
    let Ok(about) = fs::metadata(path) else { return String::new() };
    let changed = nanoseconds(about.ctime(), about.ctime_nsec());
    format!("{} {} {changed}", about.ino(), about.uid())
}

fn nanoseconds(seconds: i64, rest: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(rest)
}

/// Returns the report that was kept with exactly this key.
pub(super) fn read(state: &Path, key: &Key) -> Option<Kept> {
    let mut bytes = Vec::new();
    let file = File::open(state.join(FILE)).ok()?;
    file.take(2 * ANSWER_MAX_BYTES as u64).read_to_end(&mut bytes).ok()?;
    let kept: Kept = serde_json::from_slice(&bytes).ok()?;
    (kept.key == *key).then_some(kept)
}

/// Replaces the kept report; a reader finds the old one or the new one, whole.
pub(super) fn write(state: &Path, kept: &Kept) -> io::Result<()> {
    make_private_dir(state, Location::Log).map_err(io::Error::other)?;
    let beside = state.join(format!("{FILE}.{}", std::process::id()));
    let written = write_new(&beside, &serde_json::to_vec(kept)?)
        .and_then(|()| fs::rename(&beside, state.join(FILE)));
    if written.is_err() {
        // Also the file of a crash, so that the next report can be written.
        fs::remove_file(&beside).ok();
    }
    written
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::probe::tests::report;
    use vosim_sandbox_spec::Level;

    fn helper(program: &Path) -> Helper<'_> {
        Helper { program, user: None }
    }

    fn kept(key: Key) -> Kept {
        Kept { key, probed: Time::from_micros(1), report: report(Level::B) }
    }

    /// A state folder, which is made when something is kept.
    fn state() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        (dir, state)
    }

    fn key() -> Key {
        Key::here(helper(Path::new("/bin/sh")), "boot").unwrap()
    }

    #[test]
    fn what_is_kept_is_found_under_its_key_alone_and_is_ours_alone() {
        let (_dir, state) = state();
        let kept = kept(key());
        assert_eq!(read(&state, &kept.key), None);
        write(&state, &kept).unwrap();
        assert_eq!(read(&state, &kept.key).as_ref(), Some(&kept));
        let mode = fs::metadata(state.join(FILE)).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
        let other = Key { boot_id: "another".to_owned(), ..kept.key.clone() };
        assert_eq!(read(&state, &other), None);
        let names = fs::read_dir(&state).unwrap().count();
        assert_eq!(names, 1, "nothing is left beside it");
    }

    #[test]
    fn a_damaged_file_is_no_file_and_is_replaced() {
        let (_dir, state) = state();
        let kept = kept(key());
        write(&state, &kept).unwrap();
        let whole = fs::read(state.join(FILE)).unwrap();
        for cut in [0, 1, whole.len() / 2, whole.len() - 1] {
            fs::write(state.join(FILE), &whole[..cut]).unwrap();
            assert_eq!(read(&state, &kept.key), None, "{cut} bytes");
        }
        fs::write(state.join(FILE), [0xff; 64]).unwrap();
        assert_eq!(read(&state, &kept.key), None);
        write(&state, &kept).unwrap();
        assert_eq!(read(&state, &kept.key), Some(kept));
    }

    #[test]
    fn what_a_crash_has_left_beside_it_stands_in_the_way_once_at_most() {
        let (_dir, state) = state();
        let kept = kept(key());
        make_private_dir(&state, Location::Log).unwrap();
        fs::write(state.join(format!("{FILE}.{}", std::process::id())), "half").unwrap();
        assert!(write(&state, &kept).is_err());
        write(&state, &kept).unwrap();
        assert_eq!(read(&state, &kept.key), Some(kept));
    }

    #[test]
    fn following_an_advice_changes_the_key() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("proc/self/cgroup", "0::/app.slice/vosimd.service\n");
        put("proc/self/status", "Seccomp:\t2\n");
        put("sys/fs/cgroup/app.slice/vosimd.service/cgroup.procs", "");
        put("proc/sys/user/max_user_namespaces", "0\n");
        let program = Path::new("/bin/sh");
        let key = || Key::below(root.path(), helper(program), "boot").unwrap();
        let mut before = key();
        assert_eq!(key(), before, "nothing has changed");
        let changes: [&dyn Fn(); 6] = [
            &|| put("usr/bin/slirp4netns", ""),
            &|| put("proc/sys/user/max_user_namespaces", "15000\n"),
            &|| put(below_root(PROFILE), "profile"),
            &|| put("proc/self/status", "Seccomp:\t0\n"),
            &|| put("proc/self/cgroup", "0::/app.slice/run-7.scope\n"),
            &|| put("sys/fs/cgroup/app.slice/run-7.scope/cgroup.procs", ""),
        ];
        for (at, change) in changes.into_iter().enumerate() {
            change();
            let now = key();
            assert_ne!(now, before, "change {at}");
            before = now;
        }
    }
}
