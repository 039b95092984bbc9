//! Runs a daemon that has been opened: starts its actors, serves, and takes it apart again.
//!
//! Order matters. [`Daemon::open`] takes the lock, opens the store and reads the clock; here follow
//! the actors and then the socket. Everything ends in the opposite order.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use actix::Actor;
use interprocess::local_socket::tokio::Listener;
use tokio::sync::mpsc;

use crate::actors::presence::keep_presence;
use crate::actors::registry::Registry;
use crate::actors::startup;
use crate::actors::timekeeper::keep_time;
use crate::daemon::Daemon;
use crate::timer::alarm::Alarm;
use crate::{background, server};

/// How many wakes of the timer may wait to be handled.
const WAKES: usize = 64;

/// Whether the daemon made its socket or was given it by a service manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSocket {
    /// The daemon made it.
    Yes,
    /// A service manager made it.
    No,
}

/// Serves until the daemon is told to stop; an error means that it could not go on.
///
/// The future must run on an actix `System`. A socket is unlinked by whoever made it, which
/// `own_socket` tells.
pub async fn run(
    daemon: Daemon,
    listener: Listener,
    own_socket: OwnSocket,
    alarm: impl Alarm + 'static,
) -> anyhow::Result<()> {
    let daemon = Rc::new(daemon);
    let registry = Registry::new(Rc::clone(&daemon)).start();
    startup::resume(&daemon, &registry);
    let (sink, wakes) = mpsc::channel(WAKES);
    let ticking = background::spawn("timer", daemon.timer.clone().run(alarm, sink));
    background::spawn("timekeeper", keep_time(Rc::clone(&daemon), registry.clone(), wakes));
    background::spawn("presence", keep_presence(Rc::clone(&daemon), registry.clone()));
    tracing::info!(sessions = daemon.sessions.count(), "ready");
    server::serve(listener, Rc::clone(&daemon), registry).await;
    ticking.abort();
    if own_socket == OwnSocket::Yes {
        unlink(&daemon.socket);
    }
    let (store, evaluator) = (daemon.store.clone(), Arc::clone(&daemon.evaluator));
    daemon
        .blocking(move |_| {
            evaluator.close();
            store.close();
        })
        .await;
    let fatal = daemon.fatal();
    // Actors and tasks hold the database until the process ends, and only then may another daemon
    // open it. So the lock is left to the kernel to release.
    std::mem::forget(daemon);
    tracing::info!("stopped");
    fatal.map_or(Ok(()), |reason| Err(anyhow::anyhow!(reason)))
}

/// Removes the socket while the lock is held, so that no client finds a dead one.
fn unlink(socket: &Path) {
    if let Err(error) = std::fs::remove_file(socket) {
        tracing::debug!(%error, "the socket had gone already");
    }
}
