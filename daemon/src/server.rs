//! The Unix socket: accepts connections of our own user and serves each on its own tasks.

mod afterwards;
mod bundles;
mod client;
mod commands;
mod connection;
mod doorway;
mod exports;
mod notes;
mod open;
mod outgoing;
mod reports;
mod requests;
mod service;
mod streams;
mod subscription;

use std::rc::Rc;
use std::time::Duration;

use actix::Addr;
use tokio_util::task::TaskTracker;
use vosim_protocol::v1::service::EndReason;

use crate::actors::registry::Registry;
use crate::background;
use crate::daemon::Daemon;
use crate::server::open::Open;

pub use doorway::{Doorway, Holding};

/// How long streams may take to tell where to go on from.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long open connections may take to hear the end when the daemon goes down.
const FAREWELL: Duration = Duration::from_secs(2);

/// Serves until the daemon goes down, then says good-bye to every connection.
pub async fn serve(mut doorway: Doorway, daemon: Rc<Daemon>, registry: Addr<Registry>) {
    let (open, tracker) = (Rc::new(Open::default()), TaskTracker::new());
    let mut shut_out = false;
    loop {
        let accepted = tokio::select! {
            () = daemon.shutdown.cancelled() => break,
            accepted = doorway.accept() => accepted,
        };
        match accepted {
            Ok(stream) => {
                shut_out = false;
                let most = open.room.greeted;
                if open.greeted() >= most {
                    tracing::warn!(most, "too many connections: one was closed");
                    background::spawn("refusal", connection::refuse_one_more(stream, most));
                    continue;
                }
                let (daemon, open) = (Rc::clone(&daemon), Rc::clone(&open));
                let served = connection::serve(stream, daemon, registry.clone(), open);
                background::spawn("connection", tracker.track_future(served));
            }
            Err(error) => {
                // Out of descriptors, most likely: give others time to close some. It is said once,
                // since the client waits and is refused ten times a second.
                if !std::mem::replace(&mut shut_out, true) {
                    let reason = vosim_protocol::trouble::cause(&error);
                    tracing::error!(
                        reason,
                        "a connection could not be accepted, and it is tried on"
                    );
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    doorway.close();
    // Requests that wait for an interpreter or a helper are not waited for.
    daemon.evaluator.call_off();
    daemon.hub.borrow_mut().end(None, EndReason::Shutdown);
    open.streams.close();
    // A stream whose client does not listen is cut off with its connection.
    tokio::time::timeout(LAST_WORDS, open.streams.wait()).await.ok();
    open.closing.cancel();
    tracker.close();
    if tokio::time::timeout(FAREWELL, tracker.wait()).await.is_err() {
        tracing::warn!(connections = open.connections.get(), "connections were cut off");
    }
}
