//! Delivers to sessions what they must record, and wakes them for it.
//!
//! A message is sent until it is recorded, because neither the timer nor a terminal repeats itself.
//! What the message means is for the session to decide.

use actix::{Addr, Handler, Message};
use vosim_protocol::{ErrorCode, ErrorObject, SessionId};

use crate::actors::registry::{Awaken, Registry, crashed};
use crate::actors::retry::Retry;
use crate::actors::session::SessionActor;
use crate::daemon::Daemon;

/// Sends a message to a session's actor, waking it first, until it is recorded. Gives up on a
/// session that is gone or cannot be read.
pub(crate) async fn tell<M>(registry: &Addr<Registry>, session: SessionId, message: M)
where
    M: Message<Result = Result<(), ErrorObject>> + Copy + Send + 'static,
    SessionActor: Handler<M>,
{
    let mut retry = Retry::default();
    loop {
        let error = match registry.send(Awaken(session)).await {
            Ok(Ok(address)) => match address.send(message).await {
                Ok(Ok(())) => return retry.recorded(session),
                Ok(Err(error)) => error,
                Err(_) => crashed(session),
            },
            Ok(Err(error)) if is_gone(&error) => return,
            Ok(Err(error)) => error,
            // The daemon goes down.
            Err(_) => return,
        };
        retry.after(session, &error).await;
    }
}

/// Whether no later attempt can succeed.
fn is_gone(error: &ErrorObject) -> bool {
    matches!(error.code, ErrorCode::UnknownSession | ErrorCode::StoreDamaged)
}

/// Does the same as [`tell`] where nobody waits for it: the session is woken when its turn comes.
pub(crate) async fn tell_in_turn<M>(
    daemon: &Daemon,
    registry: &Addr<Registry>,
    session: SessionId,
    message: M,
) where
    M: Message<Result = Result<(), ErrorObject>> + Copy + Send + 'static,
    SessionActor: Handler<M>,
{
    let turn = tokio::select! {
        turn = daemon.turns.wake() => turn,
        // The next daemon finds the same reason to tell.
        () = daemon.shutdown.cancelled() => return,
    };
    // The answer does not matter: `tell` asks again right away.
    registry.send(Awaken(session)).await.ok();
    drop(turn);
    tell(registry, session, message).await;
}
