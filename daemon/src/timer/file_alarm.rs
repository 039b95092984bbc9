//! The alarm for a clock that is read from a file, for the daemon that end-to-end tests build.

use std::io;
use std::path::Path;

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use vosim_protocol::time::Time;

use super::alarm::{Alarm, Ring};
use super::descriptor::Descriptor;

/// An alarm that rings whenever the clock's file is set; the timer then finds out what is due.
#[derive(Debug)]
pub struct FileAlarm {
    changes: Descriptor,
}

impl FileAlarm {
    /// Makes an alarm for the clock in this file; needs a tokio runtime with I/O.
    pub fn new(path: &Path) -> io::Result<Self> {
        let inotify = Inotify::init(InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK)?;
        let dir = path.parent().unwrap_or(Path::new("."));
        inotify.add_watch(dir, AddWatchFlags::IN_MOVED_TO)?;
        Ok(Self { changes: Descriptor::new(inotify.into())? })
    }
}

impl Alarm for FileAlarm {
    fn arm(&mut self, _at: Option<Time>) -> io::Result<()> {
        Ok(())
    }

    async fn ring(&mut self) -> io::Result<Ring> {
        let mut changes = [0; 4096];
        self.changes.read(&mut changes).await?;
        Ok(Ring::ClockSet)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::Reading;
    use crate::clock::file::FileClock;

    #[tokio::test]
    async fn it_rings_when_the_file_is_set() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("clock");
        let mut alarm = FileAlarm::new(&path).unwrap();
        let time = Time::from_micros(0);
        let reading = Reading { time, boottime_micros: 0, monotonic_micros: 0 };
        FileClock::write(&path, reading, "boot-1").unwrap();
        let ring = tokio::time::timeout(Duration::from_secs(10), alarm.ring()).await;
        assert_eq!(ring.unwrap().unwrap(), Ring::ClockSet);
    }
}
