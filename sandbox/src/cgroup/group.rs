//! One run's group: made with its bounds, entered by the program alone, ended, removed. pid 1 of
//! the run stays outside, so that it can still report when all processes inside were ended.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, open, openat};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::Mode;
use vosim_sandbox_spec::Limits;

use super::files::{about, put};
use super::name::Owner;
use super::place::{Controllers, Place};

/// Largest file of a group that is read, bytes; memory.events and cpu.stat stay far below it.
const FILE_MAX: usize = 4096;

/// Number of attempts at removing a group while its last process is still ending, and the wait
/// between two of them, milliseconds.
const REMOVE_TRIES: usize = 100;
const REMOVE_WAIT_MS: u8 = 10;

/// The group of a run, or the reason why it has none.
pub(crate) type Given = Result<Group, String>;

/// A group of our own, which is removed with this value.
///
/// A forked child has a copy of the value, which it must not drop.
#[derive(Debug)]
pub(crate) struct Group {
    path: PathBuf,
    dir: OwnedFd,
    /// The bounds that are set.
    pub(crate) bounds: Controllers,
    /// Whether memory is kept from being moved to disk, where the bound does not count it.
    pub(crate) swap_bound: bool,
    /// The reason why some bound is not set; empty when all are.
    pub(crate) lacking: String,
}

impl Group {
    /// Removes the groups that killed helpers have left in the place, and makes one there.
    pub(crate) fn make(place: &Place, limits: &Limits) -> Result<Self, String> {
        let we = Owner::current(&place.root).ok_or("/proc does not tell about this process")?;
        sweep(place, we);
        let (enabled, lacking) = place.enable();
        let path = place.dir.join(we.group_name());
        match fs::create_dir(&path) {
            Ok(()) => {}
            // The name belongs to this process alone, so the group is ours from before.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(about(&path, &error)),
        }
        let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let dir = open(&path, flags, Mode::empty()).map_err(|errno| {
            drop(remove(&path));
            about(&path, &errno.into())
        })?;
        let bounds = Controllers::default();
        let mut group = Self { path, dir, bounds, swap_bound: false, lacking };
        group.bound(enabled, limits);
        Ok(group)
    }

    /// Removes the groups that killed helpers have left in the place, whoever made them.
    pub(crate) fn sweep_all(place: &Place) {
        if let Some(we) = Owner::current(&place.root) {
            sweep(place, we);
        }
    }

    /// Sets the bounds. One that the kernel does not take does not count as set.
    fn bound(&mut self, enabled: Controllers, limits: &Limits) {
        if enabled.memory {
            self.bounds.memory = self.set("memory.max", limits.memory);
            // The first file is absent where swap is not accounted for, the second where the kernel
            // cannot end a group as a whole: neither is needed for the bound itself.
            self.swap_bound = self.put("memory.swap.max", "0").is_ok();
            self.put("memory.oom.group", "1").ok();
        }
        if enabled.pids {
            self.bounds.pids = self.set("pids.max", limits.processes.into());
        }
    }

    fn set(&mut self, file: &str, value: u64) -> bool {
        let done = self.put(file, &value.to_string());
        if let Err(error) = &done {
            let before = if self.lacking.is_empty() { "" } else { "; " };
            self.lacking.push_str(&format!("{before}{file} cannot be set: {error}"));
        }
        done.is_ok()
    }

    /// Returns the directory, for a child that is to be born inside.
    pub(crate) fn entrance(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }

    /// Ends all processes inside at once, and returns whether the kernel can (from Linux 5.14).
    pub(crate) fn kill(&self) -> bool {
        self.put("cgroup.kill", "1").is_ok()
    }

    /// Returns the text of one of the group's files; None when there is no such file.
    pub(super) fn read(&self, file: &str) -> Option<String> {
        let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC;
        let mut text = [0; FILE_MAX];
        let mut file = File::from(openat(&self.dir, file, flags, Mode::empty()).ok()?);
        let count = file.read(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text[..count]).into_owned())
    }

    fn put(&self, file: &str, text: &str) -> io::Result<()> {
        let flags = OFlag::O_WRONLY | OFlag::O_CLOEXEC;
        let file = openat(&self.dir, file, flags, Mode::empty())?;
        File::from(file).write_all(text.as_bytes())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // If this fails, the next run tries again.
        drop(remove(&self.path));
    }
}

/// Removes the groups of helpers that have ended, with all processes that are still in them.
fn sweep(place: &Place, we: Owner) {
    let Ok(entries) = fs::read_dir(&place.dir) else { return };
    for entry in entries.filter_map(Result::ok) {
        let owner = entry.file_name().to_str().and_then(Owner::of);
        if owner.is_some_and(|owner| owner.dead(we, &place.root)) {
            drop(remove(&entry.path()));
        }
    }
}

fn remove(path: &Path) -> io::Result<()> {
    for _ in 0..REMOVE_TRIES {
        match fs::remove_dir(path) {
            Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                put(&path.join("cgroup.kill"), "1").ok();
                wait_for_change(path)?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            done => return done,
        }
    }
    Err(ErrorKind::ResourceBusy.into())
}

/// Waits for the kernel's sign that the group has changed. A change before this call gives no sign,
/// so the wait is short.
fn wait_for_change(path: &Path) -> io::Result<()> {
    let mut events = File::open(path.join("cgroup.events"))?;
    events.read_to_string(&mut String::new())?;
    let mut fds = [PollFd::new(events.as_fd(), PollFlags::POLLPRI)];
    poll(&mut fds, PollTimeout::from(REMOVE_WAIT_MS))?;
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A directory that stands for a machine with one delegated group. Where the kernel would make
    /// the files of a run's group, they are made beforehand.
    pub(crate) struct Tree {
        temp: tempfile::TempDir,
        mount: PathBuf,
        pub(crate) dir: PathBuf,
    }

    impl Tree {
        pub(crate) fn new(mount: &str, group: &str) -> Self {
            let temp = tempfile::tempdir().unwrap();
            let mount = temp.path().join(mount);
            let dir = mount.join(group);
            fs::create_dir_all(&dir).unwrap();
            let tree = Self { temp, mount, dir };
            let own = tree.root().join("proc/self");
            fs::create_dir_all(own.join("ns")).unwrap();
            std::os::unix::fs::symlink("pid:[11]", own.join("ns/pid")).unwrap();
            fs::write(own.join("stat"), stat(7, 99)).unwrap();
            fs::write(tree.mount.join("cgroup.controllers"), "memory pids\n").unwrap();
            tree.file("cgroup.type", "domain\n");
            tree.file("cgroup.controllers", "memory pids\n");
            tree.file("cgroup.subtree_control", "memory pids\n");
            fs::create_dir(tree.leaf()).unwrap();
            for file in ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"] {
                tree.leaf_file(file, "");
            }
            tree
        }

        pub(crate) fn root(&self) -> &Path {
            self.temp.path()
        }

        pub(crate) fn place(&self) -> Place {
            Place { dir: self.dir.clone(), root: self.root().to_path_buf() }
        }

        pub(crate) fn group(&self) -> Group {
            Group::make(&self.place(), &Limits::submission()).unwrap()
        }

        pub(crate) fn stand_in(&self, path: &str) {
            let groups = format!("4:memory:/x\n0::{path}\n");
            fs::write(self.root().join("proc/self/cgroup"), groups).unwrap();
        }

        pub(crate) fn file(&self, name: &str, text: &str) {
            fs::write(self.dir.join(name), text).unwrap();
        }

        pub(crate) fn read(&self, name: &str) -> String {
            fs::read_to_string(self.dir.join(name)).unwrap()
        }

        pub(crate) fn leaf(&self) -> PathBuf {
            self.dir.join("vosim-run-11-7-99")
        }

        pub(crate) fn leaf_file(&self, name: &str, text: &str) {
            fs::write(self.leaf().join(name), text).unwrap();
        }

        fn leaf_read(&self, name: &str) -> String {
            fs::read_to_string(self.leaf().join(name)).unwrap()
        }
    }

    fn stat(pid: u32, start: u64) -> String {
        format!("{pid} (x) S 1 7 7 0 -1 4194304 94 0 0 0 3 4 5 6 20 0 2 0 {start} 2500000 321 1\n")
    }

    #[test]
    fn the_bounds_are_those_of_the_run() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        let group = tree.group();
        assert!(group.bounds.all() && group.swap_bound && group.lacking.is_empty());
        let files = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"];
        assert_eq!(files.map(|file| tree.leaf_read(file)), ["536870912", "0", "1", "32"]);
    }

    #[test]
    fn a_bound_that_cannot_be_set_is_not_counted() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        fs::remove_file(tree.leaf().join("pids.max")).unwrap();
        fs::remove_file(tree.leaf().join("memory.swap.max")).unwrap();
        let group = tree.group();
        assert_eq!(group.bounds, Controllers { memory: true, pids: false });
        assert!(!group.swap_bound);
        assert!(group.lacking.starts_with("pids.max cannot be set: "), "{}", group.lacking);
    }

    #[test]
    fn only_groups_of_our_dead_are_swept() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        fs::create_dir_all(tree.root().join("proc/8")).unwrap();
        fs::write(tree.root().join("proc/8/stat"), stat(8, 50)).unwrap();
        let (dead, reused) = ("vosim-run-11-9-60", "vosim-run-11-8-49");
        let kept = ["vosim-run-11-8-50", "vosim-run-12-9-60", "other", "vosimd"];
        for name in kept.iter().chain(&[dead, reused]) {
            fs::create_dir(tree.dir.join(name)).unwrap();
        }
        let _group = tree.group();
        assert!(!tree.dir.join(dead).exists() && !tree.dir.join(reused).exists());
        assert!(kept.iter().all(|name| tree.dir.join(name).exists()));
    }

    #[test]
    fn a_group_goes_with_its_value_and_twice_is_no_fault() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        let group = tree.group();
        // The kernel's files go with the directory; these are ours.
        for file in fs::read_dir(tree.leaf()).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
        drop(group);
        assert!(!tree.leaf().exists());
        remove(&tree.leaf()).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_is_the_reason() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        let place = Place { dir: "/proc".into(), root: tree.root().to_path_buf() };
        let why = Group::make(&place, &Limits::submission()).unwrap_err();
        assert!(why.starts_with("/proc/vosim-run-11-7-99: "), "{why}");
    }
}
