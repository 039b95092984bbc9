//! Everything that one driver is started with. Two drivers of equal orders are interchangeable:
//! which one runs a submission makes no difference to it.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use vosim_sandbox_spec::{Limits, RunSpec, Standby};

use super::driver_process::Process;
use super::frames;
use super::runtime::Runtime;

/// How long a driver waits before another takes its place.
pub(super) const AGE_MAX: Duration = Duration::from_secs(10 * 60);
/// What a driver may compute while it prepares itself: a start takes a twentieth of that.
const PREPARING_CPU_MS: u64 = 5_000;

/// How a driver is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    sandbox: PathBuf,
    user: Option<String>,
    spec: RunSpec,
    program: Option<FileId>,
    ahead: Option<&'static str>,
}

impl Order {
    pub(super) fn new(
        sandbox: PathBuf,
        user: Option<&str>,
        runtime: &Runtime,
        limits: &Limits,
    ) -> Self {
        let mut spec = runtime.request(limits);
        // The pool's own end of waiting comes first.
        let wait_ms = u64::try_from(AGE_MAX.as_millis()).unwrap_or(u64::MAX) + 60_000;
        spec.standby = Some(Standby { wait_ms, cpu_ms: PREPARING_CPU_MS });
        let program = FileId::of(&runtime.path);
        let ahead = runtime.profile().ahead;
        Self { sandbox, user: user.map(str::to_owned), spec, program, ahead }
    }

    /// Starts a driver, which waits on standby.
    pub(super) fn start(&self) -> io::Result<Process> {
        Process::start(&self.sandbox, self.user.as_deref(), &self.spec)
    }

    /// Has a driver use the time for which it waits. One that has gone is met when it is taken.
    pub(super) fn prepare(&self, process: &mut Process) {
        if let Some(text) = self.ahead {
            process.post(frames::ahead(text));
        }
    }

    pub(super) fn sandbox(&self) -> &Path {
        &self.sandbox
    }
}

/// Which file a path names just now: another one after the runtime was installed anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId {
    place: (u64, u64),
    changed: (i64, i64),
    size: u64,
}

impl FileId {
    /// None when it has gone.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok()?;
        let (place, changed) = ((about.dev(), about.ino()), (about.mtime(), about.mtime_nsec()));
        Some(Self { place, changed, size: about.len() })
    }
}
