//! What the daemon does at its start for sessions that nobody has asked for yet.
//!
//! Only heads are looked at and no log is read here: a session that has nothing to do stays asleep
//! (DECISIONS 5).

use std::rc::Rc;

use actix::Addr;

use crate::actors::delivery;
use crate::actors::registry::Registry;
use crate::actors::session::Attended;
use crate::background;
use crate::daemon::Daemon;

/// Resumes what was under way when the last daemon went down: effects that are still wanted, files
/// that are still watched, and deadlines, which fire with their own time however long ago they were
/// due. No terminal is attached yet, and each session whose log says otherwise is told so.
pub(crate) fn resume(daemon: &Rc<Daemon>, registry: &Addr<Registry>) {
    let archiving = Rc::clone(daemon);
    background::spawn("archives", async move { archive_missing(&archiving).await });
    for head in daemon.sessions.heads() {
        if head.next_deadline.is_some() {
            daemon.timer.set(head.session_id, head.next_deadline);
        }
        if head.wants_waking {
            let (daemon, registry) = (Rc::clone(daemon), registry.clone());
            background::spawn("unfinished effects", async move {
                delivery::tell_in_turn(&daemon, &registry, head.session_id, Attended).await;
            });
        }
    }
}

/// Archives ended sessions that an earlier daemon could not archive before it went down.
async fn archive_missing(daemon: &Daemon) {
    let heads = daemon.sessions.heads().into_iter();
    let ended: Vec<_> = heads.filter(|head| head.ended).collect();
    let failures = daemon.blocking(move |store| {
        let missing = ended.iter().filter(|it| store.lacks_archive(it.session_id, it.cursor));
        missing.filter_map(|it| store.archive(it.session_id).err()).collect::<Vec<_>>()
    });
    for error in failures.await {
        tracing::error!(%error, "an ended session was not archived");
    }
}
