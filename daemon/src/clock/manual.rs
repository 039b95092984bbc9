//! A clock that stands still until a test moves it.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;
use vosim_protocol::time::Time;

use super::{Clock, Reading};

/// A clock that stands still until it is moved. Clones are the same clock.
#[derive(Clone, Debug)]
pub struct ManualClock {
    reading: Arc<Mutex<Reading>>,
    boot_id: Arc<str>,
    steps: Arc<watch::Sender<u64>>,
}

impl ManualClock {
    /// Makes a clock at this time, in a boot with this id that began 1,000 s ago without sleep
    /// since.
    pub fn new(time: Time, boot_id: &str) -> Self {
        let micros = 1_000_000_000;
        let reading = Reading { time, boottime_micros: micros, monotonic_micros: micros };
        Self {
            reading: Arc::new(Mutex::new(reading)),
            boot_id: boot_id.into(),
            steps: Arc::new(watch::Sender::new(0)),
        }
    }

    /// Lets time pass.
    pub fn advance(&self, micros: i64) {
        {
            let mut reading = self.lock();
            reading.time = reading.time.plus_micros(micros);
            reading.boottime_micros += micros;
            reading.monotonic_micros += micros;
        }
        self.moved(0);
    }

    /// Steps the wall clock.
    pub fn step(&self, micros: i64) {
        {
            let mut reading = self.lock();
            reading.time = reading.time.plus_micros(micros);
        }
        self.moved(1);
    }

    /// Lets the machine sleep and wake up.
    pub fn suspend(&self, micros: i64) {
        {
            let mut reading = self.lock();
            reading.time = reading.time.plus_micros(micros);
            reading.boottime_micros += micros;
        }
        self.moved(0);
    }

    /// Returns a receiver that is told of every move; its value counts the steps.
    pub(crate) fn moves(&self) -> watch::Receiver<u64> {
        self.steps.subscribe()
    }

    fn moved(&self, steps: u64) {
        self.steps.send_modify(|count| *count += steps);
    }

    fn lock(&self) -> MutexGuard<'_, Reading> {
        self.reading.lock().expect("arithmetic on times does not panic")
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Reading {
        *self.lock()
    }

    fn boot_id(&self) -> &str {
        &self.boot_id
    }
}
