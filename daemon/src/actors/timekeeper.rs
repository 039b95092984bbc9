//! Carries what the timer tells to the sessions it concerns.

use std::rc::Rc;
use std::sync::Arc;

use actix::{Addr, Handler, Message};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::task::TaskTracker;
use vosim_protocol::{ErrorObject, SessionId, Wire};

use crate::actors::Shared;
use crate::actors::registry::{Awaken, Registry};
use crate::actors::session::{RETRY_FIRST, RETRY_LAST, SessionActor, Suspended, Tick};
use crate::task;
use crate::timer::Wake;

/// Sessions that are told at once what all are told.
const TOLD_AT_ONCE: usize = 64;

/// Name of the setting that holds what is known of the clock.
pub const CLOCK_KEY: &str = "clock";

/// Deals with each wake before it takes the next, except that nobody waits for a deadline to
/// become durable: its session's mailbox keeps the order.
pub async fn keep_time(
    shared: Rc<Shared>,
    registry: Addr<Registry>,
    mut wakes: mpsc::Receiver<Wake>,
) {
    while let Some(wake) = wakes.recv().await {
        match wake {
            Wake::Save(saved) => save(&shared, saved.to_line()).await,
            Wake::ClockStep { step, told } => {
                tracing::warn!(?step, "the wall clock was stepped");
                tell_waiting(&shared, &registry, Tick).await;
                // The timer may have gone meanwhile.
                told.send(()).ok();
            }
            Wake::Suspended(micros) => {
                tracing::info!(micros, "the machine slept");
                tell_waiting(&shared, &registry, Suspended(micros)).await;
            }
            Wake::Due(due) => {
                let registry = registry.clone();
                task::spawn("deadline", async move { tell(&registry, due.session, Tick).await });
            }
        }
    }
}

/// Tells every session that waits for a deadline, and returns when all of them have recorded it.
/// Nothing fires meanwhile, so many are told at once and share the commits.
async fn tell_waiting<M>(shared: &Shared, registry: &Addr<Registry>, message: M)
where
    M: Message<Result = Result<(), ErrorObject>> + Copy + Send + 'static,
    SessionActor: Handler<M>,
{
    let (room, told) = (Arc::new(Semaphore::new(TOLD_AT_ONCE)), TaskTracker::new());
    for session in with_deadline(shared) {
        let place = Arc::clone(&room).acquire_owned().await;
        let registry = registry.clone();
        let telling = async move {
            tell(&registry, session, message).await;
            drop(place);
        };
        task::spawn("told", told.track_future(telling));
    }
    told.close();
    told.wait().await;
}

fn with_deadline(shared: &Shared) -> Vec<SessionId> {
    let heads = shared.heads();
    heads.iter().filter(|head| head.next_deadline.is_some()).map(|head| head.session_id).collect()
}

async fn save(shared: &Shared, value: Vec<u8>) {
    let (sender, receiver) = oneshot::channel();
    shared.store.set_key(CLOCK_KEY, Some(value), move |done| drop(sender.send(done)));
    if let Ok(Err(error)) = receiver.await {
        tracing::error!(%error, "what is known of the clock could not be kept");
        shared.note_store_error(&error);
    }
}

/// Sends a message to a session's actor, waking it first, until it is recorded: the timer does not
/// tell of a deadline twice. A session that is gone or cannot be read is left.
pub(crate) async fn tell<M>(registry: &Addr<Registry>, session: SessionId, message: M)
where
    M: Message<Result = Result<(), ErrorObject>> + Copy + Send + 'static,
    SessionActor: Handler<M>,
{
    let mut pause = RETRY_FIRST;
    loop {
        let Ok(Ok(address)) = registry.send(Awaken(session)).await else { return };
        match address.send(message).await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => {
                tracing::warn!(%session, %error, "a wake-up could not be recorded yet");
            }
            Err(_) => tracing::error!(%session, "the session's actor fell over"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(RETRY_LAST);
    }
}

/// The same for what nobody waits for: the session is woken when it is its turn.
pub(crate) async fn tell_in_turn<M>(
    shared: &Shared,
    registry: &Addr<Registry>,
    session: SessionId,
    message: M,
) where
    M: Message<Result = Result<(), ErrorObject>> + Copy + Send + 'static,
    SessionActor: Handler<M>,
{
    let turn = tokio::select! {
        turn = shared.waking_turn() => turn,
        // The next daemon finds the same.
        () = shared.shutdown.cancelled() => return,
    };
    // Whatever comes of it, it is asked again right away.
    registry.send(Awaken(session)).await.ok();
    drop(turn);
    tell(registry, session, message).await;
}
