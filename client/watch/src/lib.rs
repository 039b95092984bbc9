//! Notices when a candidate's file is saved: woken by the kernel, confirmed by a look.
//!
//! The kernel tells at once that something was done to a name, and whether whoever wrote has closed
//! the file; what it holds is always read from the file itself. So a save counts whichever way it is
//! made: in place, emptied first, renamed over the old one, beside a file put aside for a moment, at
//! the end of a link, in a folder that was away. Half a save does not count. Where the kernel tells
//! nothing, as of a file that somebody changes on another machine, the looks alone find it.
//!
//! Nothing here waits, and the time comes from outside: whoever watches waits until [`Watcher::wake`]
//! can be read or [`Watcher::due`] has passed, then asks [`Watcher::look`].

#![warn(missing_docs)]

mod bell;
mod look;
mod rest;

use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vosim_protocol::Hash;
use vosim_protocol::v1::effect::Obstacle;

pub use look::{Found, Stamp, is_plain, look};
pub use rest::News;

use bell::Bell;
use rest::Rest;

/// Watches one file, which need not exist yet.
#[derive(Debug)]
pub struct Watcher {
    path: PathBuf,
    bell: Bell,
    rest: Rest,
    /// When it is to be looked at, whatever is told until then; at once before the first look.
    next: Option<Instant>,
    due: Duration,
}

impl Watcher {
    /// Watches a file that held the `known` bytes last. The kernel is asked to tell, if it can.
    pub fn new(path: PathBuf, known: Option<Hash>) -> Self {
        Self::with(Bell::new(), path, known)
    }

    /// The same without the kernel, of which a process has only so many ears: looks alone.
    pub fn by_looks(path: PathBuf, known: Option<Hash>) -> Self {
        Self::with(Bell::silent(), path, known)
    }

    fn with(bell: Bell, path: PathBuf, known: Option<Hash>) -> Self {
        Self { path, bell, rest: Rest::new(known), next: None, due: Duration::ZERO }
    }

    /// The same, where it has been told why the file cannot be taken.
    #[must_use]
    pub fn having_told(mut self, told: Option<Obstacle>) -> Self {
        self.rest.told(told);
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Can be read as soon as something is done to the file; None where only looks will tell.
    pub fn wake(&self) -> Option<BorrowedFd<'_>> {
        self.bell.descriptor()
    }

    /// How long after the last look the next one is due, although nothing can be read.
    pub fn due(&self) -> Duration {
        self.due
    }

    /// Looks at the file, if there is reason to. It reads a disk, and waits for nothing else.
    pub fn look(&mut self, now: Instant) -> Option<News> {
        let signs = self.bell.signs();
        for sign in &signs {
            self.rest.sign(*sign, now);
        }
        if !signs.is_empty() {
            self.next = Some(now + self.rest.pause());
        }
        if let Some(next) = self.next.filter(|next| now < *next) {
            self.due = next - now;
            return None;
        }
        // What happens between this and the look is in the look, and rings all the same.
        self.bell.arm(&self.path);
        let found = look(&self.path, self.rest.left());
        let news = self.rest.take(found, now);
        self.due = self.rest.due(now, self.bell.is_armed());
        self.next = Some(now + self.due);
        news
    }
}

#[cfg(test)]
mod tests;
