//! The daemon's one timer: tells when the next deadline of a session is due.
//!
//! A deadline is a point of wall-clock time, never a rest of seconds: tokio's timers stand still
//! while a laptop sleeps, so they keep no deadline here. Nothing about the schedule is stored; it
//! is folded from the logs at each start.
//!
//! Every wake-up is a hint. Whatever caused it, the order is the same (DESIGN 4): look at the
//! clock, tell of a step and wait until all sessions know of it, then tell of what is due in the
//! order of (deadline, session), then set the alarm anew.
//!
//! ```text
//! sessions --set--> schedule            clock
//!                       \                 |  look, before anything else
//!                        timer task <-----+
//!                       /     \
//!             alarm <--arm     Save, ClockStep, Suspended, Due --> registry
//! ```

pub mod alarm;
mod descriptor;
#[doc(hidden)]
pub mod file_alarm;
mod schedule;

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use vosim_protocol::ids::SessionId;
use vosim_protocol::time::Time;
use vosim_protocol::v1::session::ClockStep;

use crate::clock::{Clock, ClockWatch, Look, SavedClock};
use alarm::{Alarm, Ring};
use schedule::Schedule;

pub use schedule::Due;

/// A look at the clock without any cause, in case a wake-up was missed.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// The same where the kernel's alarm does not work.
const LOOK_EVERY_WITHOUT_ALARM: Duration = Duration::from_secs(1);

/// What the timer tells the daemon; each is to be dealt with before the next is received.
#[derive(Debug)]
pub enum Wake {
    /// To be made durable before the next wake is received; given back at the next start.
    Save(SavedClock),
    /// The wall clock was stepped: every open session with a deadline is to be told.
    ClockStep {
        /// The step; a session ignores one it knows.
        step: ClockStep,
        /// Sent or dropped when all have been told but for those to which it is owed
        /// ([`Timer::owe`]); nothing fires before that.
        told: oneshot::Sender<()>,
    },
    /// The machine slept for so many microseconds.
    Suspended(u64),
    /// A deadline is due. It is no longer in the schedule: the session sets its next one.
    Due(Due),
}

/// The daemon's timer. Clones are the same timer.
#[derive(Clone, Debug)]
pub struct Timer {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Wakes the timer task.
    poke: Notify,
}

#[derive(Debug)]
struct State {
    watch: ClockWatch,
    schedule: Schedule,
}

/// What the timer task does next.
enum Next {
    Save(SavedClock),
    Step(ClockStep),
    Suspended(u64),
    Due(Due),
    Wait(Option<Time>),
}

impl Timer {
    /// A timer without deadlines on this clock; `saved` is what the last [`Wake::Save`] carried.
    pub fn new(clock: Arc<dyn Clock>, saved: Option<SavedClock>) -> Self {
        let watch = ClockWatch::new(&*clock, saved);
        let state = Mutex::new(State { watch, schedule: Schedule::default() });
        Self { inner: Arc::new(Inner { clock, state, poke: Notify::new() }) }
    }

    /// Sets or takes away a session's one deadline; one in the past is due at once.
    ///
    /// Never waits, so whoever receives the wakes may call it while the timer waits for them.
    pub fn set(&self, session: SessionId, deadline: Option<Time>) {
        let earlier = self.lock().schedule.set(session, deadline);
        if earlier {
            self.inner.poke.notify_one();
        }
    }

    /// The time, with what a session must be told before it decides anything at that time.
    pub fn look(&self) -> Look {
        let mut state = self.lock();
        let reading = self.inner.clock.now();
        if state.watch.compare(reading) {
            self.inner.poke.notify_one();
        }
        Look { at: reading.time, steps: state.watch.pending().to_vec() }
    }

    /// The same for one session, which may be behind the others.
    pub fn look_for(&self, session: SessionId) -> Look {
        let at = self.look().at;
        Look { at, steps: self.lock().watch.unknown_to(session) }
    }

    /// Keeps a step for a session that cannot take note of it; true for the first one it is owed.
    pub fn owe(&self, session: SessionId, step: ClockStep) -> bool {
        let first = self.owed(session).is_none();
        self.lock().watch.owe(session, step);
        self.inner.poke.notify_one();
        first
    }

    /// The last step that a session is owed.
    pub fn owed(&self, session: SessionId) -> Option<u64> {
        let state = self.lock();
        let last = state.watch.saved().owed.get(&session).and_then(|steps| steps.last());
        last.map(|step| step.sequence)
    }

    /// Sessions that are owed a step.
    pub fn owing(&self) -> Vec<SessionId> {
        self.lock().watch.saved().owed.keys().copied().collect()
    }

    /// A session that was behind knows of the steps up to this one.
    pub fn heard(&self, session: SessionId, sequence: u64) {
        self.lock().watch.heard(session, sequence);
        self.inner.poke.notify_one();
    }

    /// What is known of the clock, for reports.
    pub fn saved(&self) -> SavedClock {
        self.lock().watch.saved().clone()
    }

    /// Deadlines set.
    pub fn len(&self) -> usize {
        self.lock().schedule.len()
    }

    /// True when no deadline is set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The timer task: tells of what happens until nobody receives it any more.
    pub async fn run(self, mut alarm: impl Alarm, sink: mpsc::Sender<Wake>) {
        let mut look_every = LOOK_EVERY;
        loop {
            let told = match self.next() {
                Next::Save(saved) => sink.send(Wake::Save(saved)).await,
                Next::Suspended(micros) => sink.send(Wake::Suspended(micros)).await,
                Next::Due(due) => sink.send(Wake::Due(due)).await,
                Next::Step(step) => self.tell_step(step, &sink).await,
                Next::Wait(first) => {
                    if let Err(error) = alarm.arm(first) {
                        without_alarm(&mut look_every, &error);
                    }
                    tokio::select! {
                        () = sink.closed() => return,
                        () = self.inner.poke.notified() => {}
                        () = tokio::time::sleep(look_every) => {}
                        ring = alarm.ring(), if look_every == LOOK_EVERY => match ring {
                            Ok(Ring::Expired | Ring::ClockSet) => {}
                            Err(error) => without_alarm(&mut look_every, &error),
                        },
                    }
                    Ok(())
                }
            };
            if told.is_err() {
                return;
            }
        }
    }

    /// Looks at the clock and says what comes first.
    fn next(&self) -> Next {
        let mut state = self.lock();
        let reading = self.inner.clock.now();
        state.watch.compare(reading);
        // Written down before anybody is told, so that a crash in between forgets no step.
        if let Some(saved) = state.watch.take_unwritten() {
            return Next::Save(saved);
        }
        if let Some(step) = state.watch.pending().first() {
            return Next::Step(*step);
        }
        if let Some(micros) = state.watch.take_suspended() {
            return Next::Suspended(micros);
        }
        match state.schedule.take_due(reading.time) {
            Some(due) => Next::Due(due),
            None => Next::Wait(state.schedule.first()),
        }
    }

    async fn tell_step(
        &self,
        step: ClockStep,
        sink: &mpsc::Sender<Wake>,
    ) -> Result<(), mpsc::error::SendError<Wake>> {
        let (told, heard) = oneshot::channel();
        sink.send(Wake::ClockStep { step, told }).await?;
        // Dropped unsent means the same: whoever was to be told has been told or is gone.
        drop(heard.await);
        self.lock().watch.settle(step.sequence);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().expect("schedule and clock watch do not panic")
    }
}

fn without_alarm(look_every: &mut Duration, error: &std::io::Error) {
    if *look_every == LOOK_EVERY {
        tracing::warn!(%error, "the kernel's timer does not work; looking at the clock every second");
        *look_every = LOOK_EVERY_WITHOUT_ALARM;
    }
}

#[cfg(test)]
mod tests;
