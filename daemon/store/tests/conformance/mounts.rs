//! File systems of our own, in a mount namespace of our own: when the process ends, however it
//! ends, the kernel unmounts them and lets go of their loop devices.

use std::path::Path;
use std::process::Command;

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use vosim_needs::{Need, has_root, needs};

/// A file system that is unmounted when this is dropped.
pub(crate) struct Mounted<'a> {
    at: &'a Path,
}

/// Gives this thread, and what it starts, mounts of its own where that can be had.
#[track_caller]
pub(crate) fn has_private_mounts() -> bool {
    has_root() && needs(Need::Mounts, make_private()).is_some()
}

fn make_private() -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWNS).map_err(|errno| format!("unshare: {errno}"))?;
    let flags = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(None::<&str>, "/", None::<&str>, flags, None::<&str>)
        .map_err(|errno| format!("making mounts private: {errno}"))
}

/// An empty ext4 file system in a file.
pub(crate) fn make_image(image: &Path, bytes: u64) -> Result<(), String> {
    let file = std::fs::File::create(image).map_err(|error| error.to_string())?;
    file.set_len(bytes).map_err(|error| error.to_string())?;
    run(Command::new("mkfs.ext4").args(["-q", "-F", "-m", "0"]).arg(image))
}

impl<'a> Mounted<'a> {
    /// Mounts an image; with so long a `commit`, ext4 writes nothing by itself during a test.
    pub(crate) fn image(image: &Path, at: &'a Path) -> Result<Self, String> {
        run(Command::new("mount").args(["-o", "loop,commit=300"]).args([image, at]))?;
        Ok(Self { at })
    }

    /// A file system in memory.
    pub(crate) fn memory(at: &'a Path, size: &str) -> Result<Self, String> {
        let options = format!("size={size}");
        mount(Some("tmpfs"), at, Some("tmpfs"), MsFlags::empty(), Some(&*options))
            .map_err(|errno| format!("mounting a tmpfs: {errno}"))?;
        Ok(Self { at })
    }

    /// What stands at one path once more at another.
    pub(crate) fn again(from: &Path, at: &'a Path) -> Self {
        mount(Some(from), at, None::<&str>, MsFlags::MS_BIND, None::<&str>).unwrap();
        Self { at }
    }

    pub(crate) fn make_read_only(&self) {
        let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
        mount(None::<&str>, self.at, None::<&str>, flags, None::<&str>).unwrap();
    }

    pub(crate) fn resize(&self, size: &str) {
        let options = format!("size={size}");
        let flags = MsFlags::MS_REMOUNT;
        mount(None::<&str>, self.at, None::<&str>, flags, Some(&*options)).unwrap();
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        // Lazily: what a failed test still has open must not keep the mount.
        if let Err(errno) = umount2(self.at, MntFlags::MNT_DETACH) {
            println!("unmounting {}: {errno}", self.at.display());
        }
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}
