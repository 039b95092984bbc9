//! The kernel's word that something was done to a name.
//!
//! Folders are watched and not the file: editors save by putting another file under its name. What
//! is watched is the folder of the name, and where the name is a link, the folder of what it leads
//! to. Anything else, such as a link in the middle or a folder further up that is exchanged, is found
//! by the next look.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};

/// What the kernel tells of a watched name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Somebody writes into the file and has it open.
    Written,
    /// Whoever wrote has closed it, or has put a finished file there.
    Closed,
    /// Anything else: made, removed, renamed, another owner; or the kernel has lost count.
    Touched,
}

/// An ear at the kernel, or none.
#[derive(Debug)]
pub(crate) struct Bell {
    inotify: Option<Inotify>,
    arms: Vec<Arm>,
    /// Every folder that there is to watch is watched.
    armed: bool,
}

/// A name in a watched folder.
#[derive(Debug, PartialEq, Eq)]
struct Arm {
    folder: Folder,
    name: OsString,
    watch: WatchDescriptor,
}

/// A folder by its device and inode: another one may come under the same path.
type Folder = (u64, u64);

impl Bell {
    pub(crate) fn new() -> Self {
        let inotify = Inotify::init(InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK);
        // A user has only so many; then looks alone will do.
        Self { inotify: inotify.ok(), ..Self::silent() }
    }

    pub(crate) fn silent() -> Self {
        Self { inotify: None, arms: Vec::new(), armed: false }
    }

    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.inotify.as_ref().map(Inotify::as_fd)
    }

    pub(crate) fn is_armed(&self) -> bool {
        self.armed
    }

    /// Watches the folders in which the file stands now.
    pub(crate) fn arm(&mut self, path: &Path) {
        let Some(inotify) = &self.inotify else { return };
        let real = fs::canonicalize(path).ok();
        let mut places: Vec<(Folder, &Path, &OsStr)> =
            [Some(path), real.as_deref()].into_iter().flatten().filter_map(place).collect();
        places.dedup_by(|one, other| (one.0, one.2) == (other.0, other.2));
        let earlier = std::mem::take(&mut self.arms);
        self.armed = !places.is_empty();
        for (folder, above, name) in places {
            let known = earlier.iter().chain(&self.arms).find(|arm| arm.folder == folder);
            let watch = match known {
                Some(arm) => Ok(arm.watch),
                None => inotify.add_watch(above, wanted()),
            };
            match watch {
                Ok(watch) => self.arms.push(Arm { folder, name: name.to_owned(), watch }),
                Err(_) => self.armed = false,
            }
        }
        for arm in earlier {
            if self.arms.iter().all(|kept| kept.watch != arm.watch) {
                // A folder that is gone has taken its watch along.
                inotify.rm_watch(arm.watch).ok();
            }
        }
    }

    /// What was told since.
    pub(crate) fn signs(&mut self) -> Vec<Sign> {
        let mut signs = Vec::new();
        let Some(inotify) = &self.inotify else { return signs };
        // Read until there is nothing, so that what is left wakes nobody.
        while let Ok(events) = inotify.read_events() {
            for event in events {
                let ours = |arm: &Arm| {
                    arm.watch == event.wd
                        && event.name.as_ref().is_none_or(|name| arm.name == *name)
                };
                let lost_count = event.mask.contains(AddWatchFlags::IN_Q_OVERFLOW);
                if lost_count || self.arms.iter().any(ours) {
                    signs.push(sign(event.mask));
                }
                if event.mask.contains(AddWatchFlags::IN_IGNORED) {
                    self.arms.retain(|arm| arm.watch != event.wd);
                }
            }
        }
        signs
    }
}

/// The folder in which a name stands, and the name.
fn place(path: &Path) -> Option<(Folder, &Path, &OsStr)> {
    let (above, name) = (path.parent()?, path.file_name()?);
    let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
    let folder = above.metadata().ok()?;
    Some(((folder.dev(), folder.ino()), above, name))
}

fn wanted() -> AddWatchFlags {
    AddWatchFlags::IN_MODIFY
        | AddWatchFlags::IN_CLOSE_WRITE
        | AddWatchFlags::IN_ATTRIB
        | AddWatchFlags::IN_CREATE
        | AddWatchFlags::IN_DELETE
        | AddWatchFlags::IN_MOVE
        | AddWatchFlags::IN_DELETE_SELF
        | AddWatchFlags::IN_MOVE_SELF
        | AddWatchFlags::IN_ONLYDIR
}

fn sign(mask: AddWatchFlags) -> Sign {
    if mask.intersects(AddWatchFlags::IN_CLOSE_WRITE | AddWatchFlags::IN_MOVED_TO) {
        Sign::Closed
    } else if mask.contains(AddWatchFlags::IN_MODIFY) {
        Sign::Written
    } else {
        Sign::Touched
    }
}
