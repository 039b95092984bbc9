//! Power cuts: what the disk holds at one instant, and nothing else, must be enough.
//!
//! The store lies on an ext4 image of its own. The writer is stopped in its tracks, what it has
//! acknowledged is read to the end, the image is copied as it is, mounted elsewhere (which replays
//! the file system's journal, as a start after a power cut does) and opened. What was only in the
//! page cache is not in the copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use tempfile::TempDir;
use vosim_store::{BackendKind, Durability};

use crate::mounts::{Mounted, has_private_mounts, make_image};
use crate::support::{Random, check_acknowledged, rounds, try_open};
use crate::writer::{Work, Writer};

const IMAGE_BYTES: u64 = 64 * 1024 * 1024;
/// How many cuts the negative control may survive by luck.
const CONTROL_CUTS_MAX: u32 = 20;

/// One machine whose power can be cut.
struct Machine {
    dir: TempDir,
    acked: BTreeMap<u32, u64>,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["disk", "after"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        let machine = Self { dir, acked: BTreeMap::new() };
        make_image(&machine.path("image"), IMAGE_BYTES).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Lets a writer work for so many acknowledgements, cuts the power and says what was lost.
    ///
    /// The image goes on from what the disk held at the cut, as a machine would.
    fn cut(
        &mut self,
        backend: BackendKind,
        durability: Durability,
        work: Work,
        acks: u64,
    ) -> Result<(), String> {
        let (image, copy) = (self.path("image"), self.path("copy"));
        let (disk, after) = (self.path("disk"), self.path("after"));
        {
            let _disk = Mounted::image(&image, &disk).unwrap();
            let mut writer = Writer::start(&disk.join("data"), backend, durability, work);
            writer.wait_for(acks, &mut self.acked);
            stop(&writer);
            writer.drain(&mut self.acked);
            fs::copy(&image, &copy).unwrap();
            writer.kill();
        }
        fs::rename(&copy, &image).unwrap();
        let _after = Mounted::image(&image, &after).expect("the file system itself is whole");
        let store = try_open(&after.join("data")).map_err(|error| error.to_string())?;
        check_acknowledged(&store, &self.acked)
    }
}

/// Stops a process and returns when it has stopped.
fn stop(writer: &Writer) {
    let pid = Pid::from_raw(i32::try_from(writer.child.id()).unwrap());
    kill(pid, Signal::SIGSTOP).unwrap();
    waitpid(pid, Some(WaitPidFlag::WUNTRACED)).unwrap();
}

fn survives(backend: BackendKind) {
    if !has_private_mounts() {
        return;
    }
    let mut random = Random::seeded("power cuts");
    let mut machine = Machine::new();
    for round in 0..rounds(5, 40) {
        // A new machine every few cuts, so that the first moments of a store are cut as well.
        if round % 8 == 4 {
            machine = Machine::new();
        }
        let work = if round % 2 == 0 { Work::Append } else { Work::AppendAndKeepHouse };
        machine
            .cut(backend, Durability::Disk, work, 1 + random.below(1_000))
            .unwrap_or_else(|lost| panic!("cut {round}: {lost}"));
    }
}

#[test]
fn sled_keeps_every_acknowledged_event_over_power_cuts() {
    survives(BackendKind::Sled);
}

#[cfg(feature = "store-redb")]
#[test]
fn redb_keeps_every_acknowledged_event_over_power_cuts() {
    survives(BackendKind::Redb);
}

/// Shows that the tests above can fail.
#[test]
fn sled_without_the_fdatasync_loses_acknowledged_events() {
    if !has_private_mounts() {
        return;
    }
    let mut random = Random::seeded("power cuts without fdatasync");
    for cut in 1..=CONTROL_CUTS_MAX {
        let mut machine = Machine::new();
        let acks = 50 + random.below(500);
        if let Err(lost) = machine.cut(BackendKind::Sled, Durability::Unsafe, Work::Append, acks) {
            println!("cut {cut}: {lost}");
            return;
        }
    }
    panic!("{CONTROL_CUTS_MAX} cuts and nothing lost: the power-cut test shows nothing");
}
