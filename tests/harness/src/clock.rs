//! [`TestClock`]: the time of a daemon that was started on a file, moved by hand.

use std::path::PathBuf;

use vosim_protocol::Time;
use vosimd::clock::Reading;
use vosimd::clock::file::FileClock;

use crate::daemon::TestDaemon;
use crate::home::Home;

/// The clocks of one machine.
#[derive(Debug)]
pub struct TestClock {
    file: PathBuf,
    reading: Reading,
    boot: u32,
}

impl TestClock {
    /// A daemon whose clock stands at this time until it is moved.
    pub fn start_daemon(time: &str) -> (TestDaemon, Self) {
        Self::start_daemon_in(Home::new(), time)
    }

    /// The same in a home that has been prepared.
    pub fn start_daemon_in(mut home: Home, time: &str) -> (TestDaemon, Self) {
        let folder = home.path().join("clock");
        std::fs::create_dir(&folder).unwrap();
        let reading = Reading {
            time: time.parse::<Time>().unwrap(),
            boottime_micros: 3_600_000_000,
            monotonic_micros: 3_600_000_000,
        };
        let clock = Self { file: folder.join("now"), reading, boot: 1 };
        clock.write();
        home.set("VOSIM_TEST_CLOCK", &clock.file);
        let daemon = TestDaemon::try_start_as(home, "vosimd-clocked", &[]);
        (daemon.unwrap_or_else(|refused| panic!("no daemon: {}", refused.said)), clock)
    }

    /// Time goes on.
    pub fn advance(&mut self, secs: i64) {
        self.advance_micros(secs * 1_000_000);
    }

    /// Time goes on, by microseconds.
    pub fn advance_micros(&mut self, micros: i64) {
        self.reading.time = self.reading.time.plus_micros(micros);
        self.reading.boottime_micros += micros;
        self.reading.monotonic_micros += micros;
        self.write();
    }

    /// Somebody sets the wall clock on or back; no time passes.
    pub fn step(&mut self, secs: i64) {
        self.reading.time = self.reading.time.plus_secs(secs);
        self.write();
    }

    /// The machine sleeps.
    pub fn sleep(&mut self, secs: i64) {
        self.reading.time = self.reading.time.plus_secs(secs);
        self.reading.boottime_micros += secs * 1_000_000;
        self.write();
    }

    /// The machine starts anew; the daemon should be down.
    pub fn reboot(&mut self) {
        self.boot += 1;
        (self.reading.boottime_micros, self.reading.monotonic_micros) = (1_000_000, 1_000_000);
        self.write();
    }

    fn write(&self) {
        FileClock::write(&self.file, self.reading, &format!("boot-{}", self.boot)).unwrap();
    }
}
