//! Carries the timer's wakes to the sessions that they concern.
//!
//! The timekeeper decides nothing about time: the timer says when something is due, the session
//! what follows.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{Addr, Handler, Message};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::task::TaskTracker;
use vosim_protocol::{ErrorObject, SessionId};

use crate::actors::delivery::tell;
use crate::actors::registry::Registry;
use crate::actors::session::{SessionActor, Suspended, Tick};
use crate::background;
use crate::clock::SavedClock;
use crate::daemon::Daemon;
use crate::timer::Wake;

/// How many sessions are told at once of something that concerns all of them.
const TOLD_AT_ONCE: usize = 64;

/// How long the timer waits for a session to record what concerns all of them. A session that
/// cannot record for so long cannot keep a deadline either.
const RECORDED_WITHIN: Duration = Duration::from_secs(10);

/// Handles each wake before it takes the next one, except that it does not wait for a deadline to
/// become durable: the session's mailbox keeps the order.
pub async fn keep_time(
    daemon: Rc<Daemon>,
    registry: Addr<Registry>,
    mut wakes: mpsc::Receiver<Wake>,
) {
    for session in daemon.timer.owing() {
        remind(&daemon, &registry, session);
    }
    let told = Rc::new(RefCell::new(BTreeMap::new()));
    while let Some(wake) = wakes.recv().await {
        match wake {
            Wake::Save(saved) => save(&daemon, &saved).await,
            Wake::ClockStep { step, told } => {
                tracing::warn!(?step, "the wall clock was stepped");
                for session in tell_waiting(&daemon, &registry, Tick).await {
                    tracing::error!(%session, ?step, "a session is behind a step of the clock");
                    if daemon.timer.owe(session, step) {
                        remind(&daemon, &registry, session);
                    }
                }
                // The timer may have ended meanwhile.
                told.send(()).ok();
            }
            Wake::Suspended(micros) => {
                tracing::info!(micros, "the machine slept");
                // No deadline depends on a suspend, so a session may go without recording it.
                for session in tell_waiting(&daemon, &registry, Suspended(micros)).await {
                    tracing::error!(%session, micros, "a session has not recorded a suspend");
                }
            }
            Wake::Due(due) => tell_due(&told, &registry, due.session),
        }
    }
}

/// The sessions that are being told that something is due, with whether it was due once more since.
type Told = Rc<RefCell<BTreeMap<SessionId, bool>>>;

/// Tells a session that something is due. Where that cannot be recorded for a while, a session that
/// is woken again and again sets its deadline each time: one message waits for all of these.
fn tell_due(told: &Told, registry: &Addr<Registry>, session: SessionId) {
    if let Some(again) = told.borrow_mut().get_mut(&session) {
        *again = true;
        return;
    }
    told.borrow_mut().insert(session, false);
    let (told, registry) = (Rc::clone(told), registry.clone());
    background::spawn("deadline", async move {
        loop {
            tell(&registry, session, Tick).await;
            let mut told = told.borrow_mut();
            match told.get_mut(&session) {
                Some(again) if *again => *again = false,
                Some(_) | None => {
                    told.remove(&session);
                    return;
                }
            }
        }
    });
}

/// Tells every session that waits for a deadline, waits until they have recorded it, and returns
/// those that could not. A session that is already behind is not waited for again.
async fn tell_waiting<M>(daemon: &Daemon, registry: &Addr<Registry>, message: M) -> Vec<SessionId>
where
    M: Message<Result = Result<(), ErrorObject>> + Copy + Send + 'static,
    SessionActor: Handler<M>,
{
    let sessions = with_deadline(daemon).into_iter();
    let (mut behind, sessions): (Vec<_>, Vec<_>) =
        sessions.partition(|session| daemon.timer.owed(*session).is_some());
    let telling = |session| {
        let registry = registry.clone();
        async move { tell(&registry, session, message).await }
    };
    behind.extend(all_in_time(sessions, telling).await);
    behind
}

/// Does something for each session, waits until it is done for all of them, and returns those for
/// which it took too long. Nothing fires meanwhile, so many are told at once and share commits.
async fn all_in_time<F>(
    sessions: Vec<SessionId>,
    telling: impl Fn(SessionId) -> F,
) -> Vec<SessionId>
where
    F: Future<Output = ()> + 'static,
{
    let (room, told) = (Arc::new(Semaphore::new(TOLD_AT_ONCE)), TaskTracker::new());
    let late = Rc::new(RefCell::new(Vec::new()));
    for session in sessions {
        let place = Arc::clone(&room).acquire_owned().await;
        let (telling, late) = (telling(session), Rc::clone(&late));
        let in_time = async move {
            // This waits for the disk and is no deadline of a session, so tokio's clock will do.
            if tokio::time::timeout(RECORDED_WITHIN, telling).await.is_err() {
                late.borrow_mut().push(session);
            }
            drop(place);
        };
        background::spawn("told", told.track_future(in_time));
    }
    told.close();
    told.wait().await;
    late.take()
}

/// Tells a session that is behind of the steps it is owed, as soon as it can record them.
fn remind(daemon: &Rc<Daemon>, registry: &Addr<Registry>, session: SessionId) {
    let (daemon, registry) = (Rc::clone(daemon), registry.clone());
    background::spawn("behind", async move {
        while let Some(sequence) = daemon.timer.owed(session) {
            tell(&registry, session, Tick).await;
            daemon.timer.heard(session, sequence);
        }
    });
}

fn with_deadline(daemon: &Daemon) -> Vec<SessionId> {
    let heads = daemon.sessions.heads();
    heads.iter().filter(|head| head.next_deadline.is_some()).map(|head| head.session_id).collect()
}

async fn save(daemon: &Daemon, clock: &SavedClock) {
    if let Err(error) = daemon.save_clock(clock).await {
        tracing::error!(%error, "what is known of the clock could not be kept");
        daemon.note_store_error(&error);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tokio::task::LocalSet;
    use uuid::Uuid;

    use super::*;

    fn sessions(n: u128) -> Vec<SessionId> {
        (0..n).map(|n| SessionId(Uuid::from_u128(n))).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn sessions_that_can_never_record_hold_up_the_others_for_a_while_and_are_named() {
        let all = sessions(200);
        // More of them than may be told at once.
        let stuck: BTreeSet<_> = all.iter().copied().take(2 * TOLD_AT_ONCE).collect();
        let told = Rc::new(RefCell::new(BTreeSet::new()));
        let telling = |session| {
            let (stuck, told) = (stuck.contains(&session), Rc::clone(&told));
            async move {
                if stuck {
                    std::future::pending::<()>().await;
                }
                told.borrow_mut().insert(session);
            }
        };
        let start = tokio::time::Instant::now();
        let late = LocalSet::new().run_until(all_in_time(all.clone(), telling)).await;
        assert_eq!(start.elapsed(), 2 * RECORDED_WITHIN);
        assert_eq!(late.into_iter().collect::<BTreeSet<_>>(), stuck);
        let others: BTreeSet<_> = all.into_iter().filter(|id| !stuck.contains(id)).collect();
        assert_eq!(*told.borrow(), others);
    }
}
