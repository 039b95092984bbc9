//! Runs a daemon that has been opened: starts its actors, serves, and takes it apart again.
//!
//! Order matters. [`Daemon::open`] takes the lock, opens the store and reads the clock; here follow
//! the actors and then the socket. Everything ends in the opposite order.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr};
use tokio::sync::mpsc;
use vosim_store::InPlace;

use crate::actors::housekeeping::give_room_back;
use crate::actors::presence::keep_presence;
use crate::actors::registry::Registry;
use crate::actors::startup;
use crate::actors::timekeeper::keep_time;
use crate::background;
use crate::daemon::Daemon;
use crate::server::{self, Doorway};
use crate::timer::alarm::Alarm;

/// How many wakes of the timer may wait to be handled.
const WAKES: usize = 64;

/// How often the daemon looks whether it can go on.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a daemon that has failed may take to its end.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// Serves until the daemon is told to stop; an error means that it could not go on.
///
/// The future must run on an actix `System`.
pub async fn run(
    daemon: Daemon,
    doorway: Doorway,
    alarm: impl Alarm + 'static,
) -> anyhow::Result<()> {
    let daemon = Rc::new(daemon);
    let failing = Rc::clone(&daemon);
    background::on_panic(move |task| fail(&failing, task));
    let registry = Registry::new(Rc::clone(&daemon)).start();
    startup::resume(&daemon, &registry);
    let (sink, wakes) = mpsc::channel(WAKES);
    let ticking = background::spawn("timer", daemon.timer.clone().run(alarm, sink));
    background::spawn("timekeeper", keep_time(Rc::clone(&daemon), registry.clone(), wakes));
    background::spawn("housekeeping", give_room_back(Rc::clone(&daemon)));
    background::spawn("presence", keep_presence(Rc::clone(&daemon), registry.clone()));
    background::spawn("watch", keep_watch(Rc::clone(&daemon), registry.clone()));
    tracing::info!(sessions = daemon.sessions.count(), "ready");
    server::serve(doorway, Rc::clone(&daemon), registry).await;
    ticking.abort();
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

/// Ends the daemon when it can no longer be what it is for.
///
/// When its lock is no longer at its place, another daemon could start in that folder, and what
/// this one accepts would never be found again. A folder that is away as a whole may come back, so
/// that ends nothing; meanwhile the store accepts nothing. Without its registry no session can be
/// reached.
async fn keep_watch(daemon: Rc<Daemon>, registry: Addr<Registry>) {
    while !daemon.shutdown.is_cancelled() {
        if daemon.lock.in_place() == InPlace::Lost {
            let data = daemon.paths.data.display();
            daemon.end(format!("the data folder {data} was emptied or replaced while it ran"));
        } else if !registry.connected() {
            fail(&daemon, "registry");
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Goes down because a part of the daemon has panicked. What the panic was is in the log; what was
/// acknowledged is durable, and the next daemon goes on from there.
fn fail(daemon: &Daemon, part: &str) {
    daemon.end(format!("a fault of vosimd in its task \"{part}\"; the log tells more"));
    // Should the rest not come to its end either.
    std::thread::Builder::new()
        .spawn(|| {
            std::thread::park_timeout(ENDS_WITHIN);
            std::process::abort();
        })
        .ok();
}
