//! Notices steps of the wall clock and suspends by comparing each reading with what was known.
//!
//! Every session with a deadline must hear of a step before anything fires or is decided (DECISIONS
//! 8). What is known is saved before that and again afterwards, so that neither a crash in between
//! nor a step while the daemon is down takes time from anybody or gives it. Telling and saving are
//! left to the timer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vosim_protocol::ids::SessionId;
use vosim_protocol::time::Time;
use vosim_protocol::v1::session::ClockStep;

use super::{Clock, Reading};

/// The smallest change that counts. Smaller ones are the clocks' own inaccuracy and add up until
/// they exceed this.
const TOLERANCE_MICROS: i64 = 1_000_000;

/// What the daemon remembers about its clock from one start to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedClock {
    /// The boot that the offset belongs to; offsets of different boots cannot be compared.
    pub boot_id: String,
    /// `CLOCK_REALTIME - CLOCK_BOOTTIME` in microseconds, including all steps up to `sequence`.
    pub offset_micros: i64,
    /// How many steps have been seen since the store was created.
    pub sequence: u64,
    /// Steps that sessions may not know of yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<ClockStep>,
    /// Steps that a session could not record when the others did, oldest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub owed: BTreeMap<SessionId, Vec<ClockStep>>,
}

/// The time, and what a session must be told before it acts at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The time.
    pub at: Time,
    /// Steps that not all sessions know of; a session ignores those that it knows.
    pub steps: Vec<ClockStep>,
}

/// Compares each reading with what was known, and keeps what has not been told yet.
#[derive(Debug)]
pub struct ClockWatch {
    saved: SavedClock,
    /// How much sleep has been accounted for.
    asleep_micros: i64,
    /// How much sleep nobody has been told of yet.
    suspended_micros: u64,
    /// Whether `saved` has been handed out to be saved.
    written: bool,
}

impl ClockWatch {
    /// Continues from what an earlier process has saved, and notices a step in between at once.
    pub fn new(clock: &dyn Clock, saved: Option<SavedClock>) -> Self {
        let reading = clock.now();
        let boot_id = clock.boot_id();
        let comparable =
            saved.as_ref().is_some_and(|saved| !boot_id.is_empty() && saved.boot_id == boot_id);
        let saved = match saved {
            Some(saved) if comparable => saved,
            earlier => SavedClock {
                boot_id: boot_id.to_owned(),
                offset_micros: reading.offset_micros(),
                sequence: earlier.as_ref().map_or(0, |earlier| earlier.sequence),
                pending: earlier.as_ref().map_or_else(Vec::new, |earlier| earlier.pending.clone()),
                owed: earlier.map_or_else(BTreeMap::new, |earlier| earlier.owed),
            },
        };
        let asleep_micros = reading.asleep_micros();
        let mut watch = Self { saved, asleep_micros, suspended_micros: 0, written: comparable };
        watch.compare(reading);
        watch
    }

    /// Takes a reading into account and returns whether there is something to save or tell.
    pub fn compare(&mut self, reading: Reading) -> bool {
        let step_micros = reading.offset_micros().saturating_sub(self.saved.offset_micros);
        if step_micros.saturating_abs() > TOLERANCE_MICROS {
            self.saved.offset_micros = reading.offset_micros();
            self.saved.sequence += 1;
            self.saved.pending.push(ClockStep { sequence: self.saved.sequence, step_micros });
            self.written = false;
        }
        let slept = reading.asleep_micros().saturating_sub(self.asleep_micros);
        if slept > TOLERANCE_MICROS {
            self.asleep_micros = reading.asleep_micros();
            self.suspended_micros += slept.unsigned_abs();
        }
        self.news()
    }

    /// The steps that not all sessions have been told of.
    pub fn pending(&self) -> &[ClockStep] {
        &self.saved.pending
    }

    /// Returns the steps that this session may not know of, oldest first.
    pub(crate) fn unknown_to(&self, session: SessionId) -> Vec<ClockStep> {
        let mut steps = self.saved.owed.get(&session).cloned().unwrap_or_default();
        let last = steps.last().map_or(0, |step| step.sequence);
        steps.extend(self.saved.pending.iter().filter(|step| step.sequence > last));
        steps
    }

    /// What is known now.
    pub fn saved(&self) -> &SavedClock {
        &self.saved
    }

    /// Whether there is something to save or tell.
    pub fn news(&self) -> bool {
        !self.written || self.suspended_micros > 0 || !self.saved.pending.is_empty()
    }

    /// Returns what is to be saved, once for each change.
    pub(crate) fn take_unwritten(&mut self) -> Option<SavedClock> {
        let unwritten = !std::mem::replace(&mut self.written, true);
        unwritten.then(|| self.saved.clone())
    }

    /// Returns how long the machine slept, in microseconds, once for each sleep.
    pub(crate) fn take_suspended(&mut self) -> Option<u64> {
        Some(std::mem::take(&mut self.suspended_micros)).filter(|micros| *micros > 0)
    }

    /// Notes that a session is still to hear of a step, however late that is.
    pub(crate) fn owe(&mut self, session: SessionId, step: ClockStep) {
        self.saved.owed.entry(session).or_default().push(step);
        self.written = false;
    }

    /// Notes that a session knows of the steps up to this one.
    pub(crate) fn heard(&mut self, session: SessionId, sequence: u64) {
        if let Some(steps) = self.saved.owed.get_mut(&session) {
            steps.retain(|step| step.sequence > sequence);
            self.saved.owed.retain(|_, steps| !steps.is_empty());
            self.written = false;
        }
    }

    /// Notes that all sessions know of the steps up to this one, except those to which it is owed.
    pub(crate) fn settle(&mut self, sequence: u64) {
        self.saved.pending.retain(|step| step.sequence > sequence);
        self.written = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    const SECOND: i64 = 1_000_000;

    fn clock() -> ManualClock {
        ManualClock::new(Time::from_micros(1_800_000_000 * SECOND), "boot-1")
    }

    fn watch(clock: &ManualClock) -> ClockWatch {
        let mut watch = ClockWatch::new(clock, None);
        assert!(watch.take_unwritten().is_some(), "the first offset is kept");
        watch
    }

    #[test]
    fn time_that_passes_is_no_news() {
        let clock = clock();
        let mut watch = watch(&clock);
        clock.advance(86_400 * SECOND);
        assert!(!watch.compare(clock.now()));
    }

    #[test]
    fn a_step_in_either_direction_is_seen_once_and_numbered() {
        let clock = clock();
        let mut watch = watch(&clock);
        for (sequence, step_micros) in [(1, 3_600 * SECOND), (2, -7_200 * SECOND)] {
            clock.advance(5 * SECOND);
            clock.step(step_micros);
            assert!(watch.compare(clock.now()));
            watch.compare(clock.now());
            assert_eq!(watch.pending(), [ClockStep { sequence, step_micros }]);
            watch.settle(sequence);
        }
        assert_eq!(watch.pending(), []);
    }

    #[test]
    fn a_second_is_tolerated_and_small_steps_add_up() {
        let clock = clock();
        let mut watch = watch(&clock);
        clock.step(SECOND);
        assert!(!watch.compare(clock.now()));
        clock.step(1);
        assert!(watch.compare(clock.now()));
        assert_eq!(watch.pending()[0].step_micros, SECOND + 1);
    }

    #[test]
    fn a_suspend_is_no_step() {
        let clock = clock();
        let mut watch = watch(&clock);
        clock.suspend(600 * SECOND);
        assert!(watch.compare(clock.now()));
        assert_eq!(watch.pending(), []);
        assert_eq!(watch.take_suspended(), Some(600_000_000));
        assert_eq!(watch.take_suspended(), None);
        assert!(!watch.news());
    }

    #[test]
    fn a_step_while_the_daemon_is_down_is_seen_at_its_next_start_in_the_same_boot() {
        let clock = clock();
        let saved = watch(&clock).saved().clone();
        clock.advance(60 * SECOND);
        clock.step(-300 * SECOND);
        let watch = ClockWatch::new(&clock, Some(saved));
        assert_eq!(watch.pending(), [ClockStep { sequence: 1, step_micros: -300 * SECOND }]);
    }

    #[test]
    fn another_boot_is_not_compared_but_keeps_what_was_not_told() {
        let before = clock();
        let mut watch = watch(&before);
        before.step(60 * SECOND);
        watch.compare(before.now());
        let saved = watch.take_unwritten().unwrap();
        let pending = saved.pending.clone();
        assert_eq!(pending.len(), 1);
        let now = before.now().time.plus_secs(900);
        let later = ManualClock::new(now, "boot-2");
        later.advance(400 * SECOND);
        let watch = ClockWatch::new(&later, Some(saved));
        assert_eq!(watch.saved().boot_id, "boot-2");
        assert_eq!(watch.pending(), pending);
        assert_eq!(watch.saved().sequence, 1);
    }

    #[test]
    fn a_boot_without_a_name_is_never_compared() {
        let unnamed = ManualClock::new(Time::from_micros(0), "");
        let saved = ClockWatch::new(&unnamed, None).saved().clone();
        unnamed.step(60 * SECOND);
        assert_eq!(ClockWatch::new(&unnamed, Some(saved)).pending(), []);
    }

    #[test]
    fn what_is_kept_survives_as_json() {
        let clock = clock();
        let mut watch = watch(&clock);
        clock.step(5 * SECOND);
        watch.compare(clock.now());
        let text = serde_json::to_string(watch.saved()).unwrap();
        assert_eq!(&serde_json::from_str::<SavedClock>(&text).unwrap(), watch.saved());
    }

    #[test]
    fn a_step_that_one_session_is_owed_is_kept_for_it_alone_until_it_has_heard() {
        let clock = clock();
        let mut watch = watch(&clock);
        let [behind, other] = [1, 2].map(|n| SessionId(uuid::Uuid::from_u128(n)));
        let step = |sequence| ClockStep { sequence, step_micros: 60 * SECOND };
        clock.step(60 * SECOND);
        watch.compare(clock.now());
        watch.owe(behind, step(1));
        assert_eq!(watch.unknown_to(behind), [step(1)], "told once, though it is pending too");
        watch.settle(1);
        assert_eq!((watch.unknown_to(behind), watch.unknown_to(other)), (vec![step(1)], vec![]));
        clock.step(60 * SECOND);
        watch.compare(clock.now());
        assert_eq!(watch.unknown_to(behind), [step(1), step(2)]);
        watch.owe(behind, step(2));
        watch.settle(2);
        watch.heard(behind, 1);
        // Another process and another boot know of it too.
        let saved = watch.take_unwritten().unwrap();
        let line = vosim_protocol::Wire::to_line(&saved);
        let saved = vosim_protocol::Wire::from_bytes(&line).unwrap();
        let rebooted = ManualClock::new(clock.now().time, "boot-2");
        let mut watch = ClockWatch::new(&rebooted, Some(saved));
        assert_eq!((watch.unknown_to(behind), watch.pending()), (vec![step(2)], &[][..]));
        watch.heard(behind, 2);
        assert!(watch.take_unwritten().unwrap().owed.is_empty());
    }
}
