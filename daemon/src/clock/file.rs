//! A clock that is read from a file, for the daemon that end-to-end tests build (DECISIONS 14).
//!
//! The shipped program cannot be made to use it. The file outlives a killed daemon, so time can
//! pass, be stepped or include a sleep while the daemon is down.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use vosim_protocol::time::Time;

use super::{Clock, Reading};

/// The clocks in a file of one line: realtime, boottime and monotonic in microseconds, and a boot
/// id.
#[derive(Debug)]
pub struct FileClock {
    path: PathBuf,
    boot_id: String,
    last: Mutex<Reading>,
}

impl FileClock {
    /// Reads the clock of this file.
    pub fn new(path: &Path) -> io::Result<Self> {
        let (reading, boot_id) = read(path)?;
        Ok(Self { path: path.to_owned(), boot_id, last: Mutex::new(reading) })
    }

    /// Sets the clock of a file, whole or not at all.
    pub fn write(path: &Path, reading: Reading, boot_id: &str) -> io::Result<()> {
        let Reading { time, boottime_micros, monotonic_micros } = reading;
        let text = format!("{} {boottime_micros} {monotonic_micros} {boot_id}\n", time.micros());
        let beside = path.with_extension("new");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, path)
    }
}

impl Clock for FileClock {
    /// Reads the file, or returns the last reading where that fails.
    fn now(&self) -> Reading {
        let mut last = self.last.lock().expect("reading a file does not panic");
        if let Ok((reading, _)) = read(&self.path) {
            *last = reading;
        }
        *last
    }

    fn boot_id(&self) -> &str {
        &self.boot_id
    }
}

fn read(path: &Path) -> io::Result<(Reading, String)> {
    let text = std::fs::read_to_string(path)?;
    let mut words = text.split_whitespace();
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a clock file");
    let mut number = || words.next().and_then(|word| word.parse::<i64>().ok()).ok_or_else(wrong);
    let time = Time::from_micros(number()?);
    let (boottime_micros, monotonic_micros) = (number()?, number()?);
    let boot_id = words.next().ok_or_else(wrong)?.to_owned();
    Ok((Reading { time, boottime_micros, monotonic_micros }, boot_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_the_file_moves_the_clock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("clock");
        let reading = |secs: i64| Reading {
            time: Time::from_micros(0).plus_secs(secs),
            boottime_micros: secs * 1_000_000,
            monotonic_micros: secs * 1_000_000,
        };
        FileClock::write(&path, reading(100), "boot-1").unwrap();
        let clock = FileClock::new(&path).unwrap();
        assert_eq!((clock.now(), clock.boot_id()), (reading(100), "boot-1"));
        FileClock::write(&path, reading(200), "boot-1").unwrap();
        assert_eq!(clock.now(), reading(200));
    }

    #[test]
    fn a_file_that_is_no_clock_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("clock");
        assert!(FileClock::new(&path).is_err());
        for text in ["", "1 2 3", "a 2 3 boot"] {
            std::fs::write(&path, text).unwrap();
            assert!(FileClock::new(&path).is_err(), "{text:?}");
        }
    }
}
