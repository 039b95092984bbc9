//! The daemon's one timer, which says when a session's deadline is due.
//!
//! A deadline is a point of wall-clock time and never a number of seconds that remain. tokio's
//! timers stop while a laptop sleeps, so none of them keeps a deadline. The schedule is not stored;
//! it is filled from the sessions' heads at each start. What a deadline means is for its session to
//! decide.
//!
//! A wake-up is only a hint. Whatever caused it, the order is the same (DESIGN 4): look at the
//! clock, tell of a step and wait until all sessions know of it, tell of what is due in the order
//! of (deadline, session), and set the alarm again.
//!
//! ```text
//! sessions --set--> schedule            clock
//!                       \                 |  look, before anything else
//!                        timer task <-----+
//!                       /     \
//!             alarm <--arm     Save, ClockStep, Suspended, Due --> timekeeper
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

pub(crate) use descriptor::Descriptor;
pub use schedule::Due;

/// How often to look at the clock without any cause, in case a wake-up was missed.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// How often to look at the clock where the kernel's alarm does not work.
const LOOK_EVERY_WITHOUT_ALARM: Duration = Duration::from_secs(1);

/// What the timer tells the daemon; each wake must be handled before the next is received.
#[derive(Debug)]
pub enum Wake {
    /// What is known of the clock, to be made durable now and given back at the next start.
    Save(SavedClock),
    /// The wall clock was stepped, and every open session with a deadline must be told.
    ClockStep {
        /// The step; a session ignores one that it knows.
        step: ClockStep,
        /// To be sent or dropped once all have been told, except those to which the step is owed
        /// ([`Timer::owe`]). Nothing fires before that.
        told: oneshot::Sender<()>,
    },
    /// The machine slept for this many microseconds.
    Suspended(u64),
    /// A deadline is due. It has left the schedule; the session sets its next one.
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
    /// Makes a timer without deadlines; `saved` is what the last [`Wake::Save`] carried.
    pub fn new(clock: Arc<dyn Clock>, saved: Option<SavedClock>) -> Self {
        let watch = ClockWatch::new(&*clock, saved);
        let state = Mutex::new(State { watch, schedule: Schedule::default() });
        Self { inner: Arc::new(Inner { clock, state, poke: Notify::new() }) }
    }

    /// Sets or removes a session's one deadline; one in the past is due at once.
    ///
    /// The call never waits, so whoever receives the wakes may make it while the timer waits for
    /// them.
    pub fn set(&self, session: SessionId, deadline: Option<Time>) {
        let earlier = self.lock().schedule.set(session, deadline);
        if earlier {
            self.inner.poke.notify_one();
        }
    }

    /// Returns the time, with the steps that sessions must be told of before they decide anything.
    pub fn look(&self) -> Look {
        let mut state = self.lock();
        let reading = self.inner.clock.now();
        if state.watch.compare(reading) {
            self.inner.poke.notify_one();
        }
        Look { at: reading.time, steps: state.watch.pending().to_vec() }
    }

    /// Returns the time, with the steps that this session must be told of; it may be owed some that
    /// the others know.
    pub fn look_for(&self, session: SessionId) -> Look {
        let at = self.look().at;
        Look { at, steps: self.lock().watch.unknown_to(session) }
    }

    /// Keeps a step for a session that cannot record it now; returns whether it is the first one
    /// that the session is owed.
    pub fn owe(&self, session: SessionId, step: ClockStep) -> bool {
        let first = self.owed(session).is_none();
        self.lock().watch.owe(session, step);
        self.inner.poke.notify_one();
        first
    }

    /// Returns the last step that a session is owed.
    pub fn owed(&self, session: SessionId) -> Option<u64> {
        let state = self.lock();
        let last = state.watch.saved().owed.get(&session).and_then(|steps| steps.last());
        last.map(|step| step.sequence)
    }

    /// Returns the sessions that are owed a step.
    pub fn owing(&self) -> Vec<SessionId> {
        self.lock().watch.saved().owed.keys().copied().collect()
    }

    /// Notes that a session which was behind knows of the steps up to this one.
    pub fn heard(&self, session: SessionId, sequence: u64) {
        self.lock().watch.heard(session, sequence);
        self.inner.poke.notify_one();
    }

    /// Returns what is known of the clock, for reports.
    pub fn saved(&self) -> SavedClock {
        self.lock().watch.saved().clone()
    }

    /// The number of deadlines that are set.
    pub fn len(&self) -> usize {
        self.lock().schedule.len()
    }

    /// Whether no deadline is set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs the timer: sends wakes until nobody receives them any more.
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
        // This is saved before anybody is told, so that a crash in between forgets no step.
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
        // If it was dropped unsent, those who were to be told are gone, which is as good.
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
