//! A control group as a service manager delegates it, made for a test where this account may make
//! one. It takes no process but those that a test starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::mount::{MsFlags, mount, umount};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{AccessFlags, access};
use vosim_needs::{Need, needs};
use vosim_sandbox_spec::{RunReport, RunSpec};

use crate::harness::{HELPER, Helper};

/// The leaf in which whoever starts the helper stands.
pub(crate) const CALLER: &str = "vosimd";

/// In the names of all that is made here.
pub(crate) const MARK: &str = "delegated-test";

/// Together with the need, the words of DECISIONS 25.
const MISSING: &str = "no controllers";

/// Enters the leaf of the group in $0.
const ENTER: &str = "echo $$ > \"$0/vosimd/cgroup.procs\" && exec \"$@\"";

/// A control group as a service manager delegates it, with a leaf for the caller.
#[derive(Debug)]
pub(crate) struct Delegated {
    pub(crate) dir: PathBuf,
    // Gone last.
    _mount: Option<Mounted>,
}

impl Delegated {
    /// Makes one where this account may.
    #[track_caller]
    pub(crate) fn make() -> Option<Self> {
        needs(Need::LevelA, Self::try_make().ok_or(MISSING))
    }

    /// The same, but only with the controllers that level A needs.
    #[track_caller]
    pub(crate) fn whole() -> Option<Self> {
        needs(Need::LevelA, Self::try_make().filter(Self::has_controllers).ok_or(MISSING))
    }

    fn try_make() -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (around, mount) = match writable_group() {
            Some(around) => (around, None),
            None => Mounted::make().map(|mount| (mount.0.clone(), Some(mount)))?,
        };
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = around.join(format!("{MARK}-{}-{count}", std::process::id()));
        fs::create_dir(&dir).ok()?;
        let delegated = Self { dir, _mount: mount };
        fs::create_dir(delegated.dir.join(CALLER)).ok()?;
        Some(delegated)
    }

    pub(crate) fn has_controllers(&self) -> bool {
        let there = fs::read_to_string(self.dir.join("cgroup.controllers")).unwrap();
        ["memory", "pids"].iter().all(|name| there.split_whitespace().any(|word| word == *name))
    }

    /// The words that enter the caller's leaf and become what follows.
    pub(crate) fn entering(&self) -> [&str; 4] {
        ["/bin/sh", "-c", ENTER, self.dir.to_str().unwrap()]
    }

    /// The word that tells a helper the place.
    pub(crate) fn told(&self) -> [&str; 2] {
        ["--cgroup", self.dir.to_str().unwrap()]
    }

    /// A helper whose caller stands in the leaf; it is told the place, or finds it.
    pub(crate) fn helper(&self, told: bool) -> Helper {
        let entering = self.entering();
        let mut command = Command::new(entering[0]);
        command.args(&entering[1..]).arg(HELPER);
        if told {
            command.args(self.told());
        }
        Helper::start_by(command.env_clear())
    }

    pub(crate) fn run(&self, spec: &RunSpec) -> RunReport {
        let mut helper = self.helper(true);
        helper.ask(spec);
        let report = helper.report();
        assert_eq!(self.runs(), [] as [PathBuf; 0], "{report:#?}");
        report
    }

    /// The groups of runs that are there.
    pub(crate) fn runs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.dir).unwrap().filter_map(Result::ok);
        let paths = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
        paths.filter(|path| !path.ends_with(CALLER)).collect()
    }
}

impl Drop for Delegated {
    fn drop(&mut self) {
        fs::remove_dir(self.dir.join(CALLER)).ok();
        fs::remove_dir(&self.dir).ok();
    }
}

/// The nearest control group around us in which others may be made.
fn writable_group() -> Option<PathBuf> {
    let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(Path::new);
    let mount = mounts.into_iter().find(|dir| dir.join("cgroup.controllers").exists())?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    // The nearest that has no process in it, or the root of all, where that does not matter.
    let usable = |dir: &&Path| {
        access(*dir, AccessFlags::W_OK).is_ok()
            && (*dir == mount
                || fs::read_to_string(dir.join("cgroup.procs")).is_ok_and(|all| all.is_empty()))
    };
    let own = mount.join(own);
    own.ancestors().take_while(|dir| dir.starts_with(mount)).find(usable).map(Path::to_path_buf)
}

/// The tree where nothing is mounted, as root in a mount namespace of this thread's own.
#[derive(Debug)]
struct Mounted(PathBuf);

impl Mounted {
    fn make() -> Option<Self> {
        unshare(CloneFlags::CLONE_NEWNS).ok()?;
        let none: Option<&str> = None;
        mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none).ok()?;
        let dir = tempfile::tempdir().unwrap().keep();
        let mounted = mount(Some("none"), &dir, Some("cgroup2"), MsFlags::empty(), none);
        if mounted.is_err() {
            fs::remove_dir(&dir).unwrap();
        }
        mounted.is_ok().then_some(Self(dir))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        umount(&self.0).ok();
        // Never with what is inside: those are the machine's own groups.
        fs::remove_dir(&self.0).ok();
    }
}
