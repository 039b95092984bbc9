//! The Unix socket: accepts connections of our own user and serves each on its own tasks.

mod bundles;
mod client;
mod commands;
mod connection;
mod exports;
mod notes;
mod open;
mod reports;
mod requests;
mod service;
mod streams;
mod subscription;

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use actix::Addr;
use interprocess::local_socket::tokio::{Listener, prelude::*};
use interprocess::local_socket::{GenericFilePath, ListenerOptions, ToFsName};
use interprocess::os::unix::local_socket::ListenerOptionsExt;
use interprocess::os::unix::uds_local_socket;
use tokio_util::task::TaskTracker;
use vosim_protocol::v1::service::EndReason;

use crate::actors::registry::Registry;
use crate::background;
use crate::daemon::Daemon;
use crate::server::open::Open;

/// Connections at one time; more are closed at once.
const CONNECTIONS_MAX: u64 = 1024;
/// How long streams may take to tell where to go on from.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long open connections may take to hear the end when the daemon goes down.
const FAREWELL: Duration = Duration::from_secs(2);

/// Binds the socket, readable for us alone; a left-over one is replaced.
///
/// Only the holder of the data directory's lock may call this: the socket of a daemon that is
/// alive would be taken over too.
pub fn bind(path: &Path) -> io::Result<Listener> {
    let name = path.to_fs_name::<GenericFilePath>()?;
    ListenerOptions::new()
        .name(name)
        .mode(0o600)
        .try_overwrite(true)
        .reclaim_name(false)
        .create_tokio()
}

/// The socket that the service manager opened for us.
pub fn inherited(socket: OwnedFd) -> io::Result<Listener> {
    uds_local_socket::tokio::Listener::try_from(socket).map(Listener::from)
}

/// Serves until the daemon goes down, then says good-bye to every connection.
pub async fn serve(listener: Listener, daemon: Rc<Daemon>, registry: Addr<Registry>) {
    let (open, tracker) = (Rc::new(Open::default()), TaskTracker::new());
    loop {
        let accepted = tokio::select! {
            () = daemon.shutdown.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok(stream) => {
                if open.connections.get() >= CONNECTIONS_MAX {
                    tracing::warn!(CONNECTIONS_MAX, "too many connections: one was closed");
                    continue;
                }
                let (daemon, open) = (Rc::clone(&daemon), Rc::clone(&open));
                let served = connection::serve(stream, daemon, registry.clone(), open);
                background::spawn("connection", tracker.track_future(served));
            }
            Err(error) => {
                // Out of descriptors, most likely: give others time to close some.
                tracing::error!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
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
