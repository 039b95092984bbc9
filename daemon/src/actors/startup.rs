//! What a start of the daemon does for sessions that nobody has asked for yet.
//!
//! It reads their heads and no log: those that have nothing to do sleep on (DECISIONS 5).

use std::rc::Rc;

use actix::Addr;

use crate::actors::delivery;
use crate::actors::registry::Registry;
use crate::actors::session::Tick;
use crate::background;
use crate::daemon::Daemon;

/// Goes on with what was under way when the daemon went down. What was asked of the world is still
/// wanted, a file that was watched still is, and what fell due meanwhile fires at its own time.
pub(crate) fn resume(daemon: &Rc<Daemon>, registry: &Addr<Registry>) {
    let archiving = Rc::clone(daemon);
    background::spawn("archives", async move { archive_missing(&archiving).await });
    for head in daemon.sessions.heads() {
        if head.next_deadline.is_some() {
            daemon.timer.set(head.session_id, head.next_deadline);
        }
        if head.busy || head.watching {
            let (daemon, registry) = (Rc::clone(daemon), registry.clone());
            background::spawn("unfinished effects", async move {
                delivery::tell_in_turn(&daemon, &registry, head.session_id, Tick).await;
            });
        }
    }
}

/// Archives what had ended when an earlier daemon went down before it could.
async fn archive_missing(daemon: &Daemon) {
    let heads = daemon.sessions.heads().into_iter();
    let ended: Vec<_> = heads.filter(|head| head.ended).map(|head| head.session_id).collect();
    let failures = daemon.blocking(move |store| {
        let missing = ended.into_iter().filter(|id| store.archive_path(*id).is_none());
        missing.filter_map(|id| store.archive(id).err()).collect::<Vec<_>>()
    });
    for error in failures.await {
        tracing::error!(%error, "an ended session was not archived");
    }
}
