//! What the machine says of itself: settings, boot words, whether we are in a container. Everything
//! is read below one folder, so that other machines can be laid out as files.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that container engines leave inside.
const CONTAINER_MARKS: [&str; 3] = [".dockerenv", "run/.containerenv", "run/systemd/container"];

/// A machine, by its file system.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    root: PathBuf,
}

impl Machine {
    /// This one.
    pub(super) fn here() -> Self {
        Self::at(Path::new("/"))
    }

    /// One whose files stand below `root`.
    pub(super) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// A setting of the kernel by its dotted name; None where it does not exist.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        self.line(&format!("proc/sys/{}", name.replace('.', "/")))
    }

    /// The kernel's release, for example `6.1.0-18-amd64`.
    pub(super) fn release(&self) -> String {
        self.setting("kernel.osrelease").unwrap_or_else(|| "unknown".to_owned())
    }

    /// The kernel's version; None where the release does not begin with one.
    pub(super) fn version(&self) -> Option<(u32, u32)> {
        let release = self.release();
        let mut parts = release.split(|c: char| !c.is_ascii_digit());
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// True when a system call filter lies upon this process already.
    pub(super) fn filtered(&self) -> bool {
        let status = fs::read_to_string(self.root.join("proc/self/status")).unwrap_or_default();
        let mode = status.lines().find_map(|line| line.strip_prefix("Seccomp:"));
        mode.is_some_and(|mode| mode.trim() == "2")
    }

    pub(super) fn contained(&self) -> bool {
        CONTAINER_MARKS.iter().any(|mark| self.root.join(mark).exists())
    }

    /// Our cgroup of version 2; empty where there is none.
    pub(super) fn cgroup_path(&self) -> String {
        let ours = fs::read_to_string(self.root.join("proc/self/cgroup")).unwrap_or_default();
        ours.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or_default().to_owned()
    }

    /// True when systemd looks after services.
    pub(super) fn has_systemd(&self) -> bool {
        self.root.join("run/systemd/system").exists()
    }

    /// The security modules in force, as the boot word `lsm=` takes them.
    pub(super) fn security_modules(&self) -> Option<String> {
        self.line("sys/kernel/security/lsm")
    }

    /// True where GRUB takes its boot words from small files.
    pub(super) fn has_grub_folder(&self) -> bool {
        self.root.join("etc/default/grub.d").is_dir()
    }

    fn line(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.root.join(path)).ok()?;
        Some(text.trim().to_owned())
    }
}

/// Lays out machines for tests.
#[cfg(test)]
pub(super) mod fake {
    use super::*;

    /// A machine with these files, which live as long as the folder.
    pub(in crate::probe) fn machine(files: &[(&str, &str)]) -> (tempfile::TempDir, Machine) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let machine = Machine::at(dir.path());
        (dir, machine)
    }

    #[test]
    fn a_machine_says_what_stands_in_its_files_and_nothing_of_what_does_not() {
        let (_dir, debian) = machine(&[
            ("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"),
            ("proc/sys/kernel/unprivileged_userns_clone", "0\n"),
            ("proc/self/status", "Name:\tx\nSeccomp:\t0\nSeccomp_filters:\t2\n"),
        ]);
        assert_eq!(debian.setting("kernel.unprivileged_userns_clone").unwrap(), "0");
        assert_eq!(debian.setting("user.max_user_namespaces"), None);
        assert_eq!((debian.release().as_str(), debian.version()), ("6.1.0-18-amd64", Some((6, 1))));
        assert!(!debian.filtered() && !debian.contained() && !debian.has_systemd());

        let (_dir, docker) = machine(&[
            ("proc/sys/kernel/osrelease", "mine"),
            ("proc/self/status", "Seccomp:\t2\n"),
            (".dockerenv", ""),
        ]);
        assert!(docker.filtered() && docker.contained());
        assert_eq!(docker.version(), None);
    }
}
