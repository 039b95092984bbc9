//! Erased bytes leave the disk with a compaction, which is made once for all that was erased within a
//! while.
//!
//! What was erased before a stop is compacted after the next start: the store remembers it.

use std::rc::Rc;
use std::time::Duration;

use vosim_protocol::Time;
use vosim_store::Store;

use crate::daemon::Daemon;

/// How long erasures are gathered.
const GATHER: Duration = Duration::from_secs(30);

/// By when the bytes of what has been erased are gone from the disk, in seconds.
const GONE_WITHIN_SECS: i64 = 120;

/// How long to wait after a compaction that failed; the wait doubles up to the second.
const RETRY: Duration = Duration::from_secs(30);
const RETRY_MAX: Duration = Duration::from_secs(1800);

/// Tells the compaction of an erasure and returns by when its bytes are gone.
pub(crate) fn note_erasure(daemon: &Daemon) -> Time {
    daemon.erased.notify_one();
    daemon.now().plus_secs(GONE_WITHIN_SECS)
}

/// Compacts the store after erasures, as long as the daemon runs.
pub(crate) async fn give_room_back(daemon: Rc<Daemon>) {
    if daemon.blocking(Store::has_erased_bytes).await.unwrap_or(true) {
        daemon.erased.notify_one();
    }
    let mut pause = RETRY;
    loop {
        daemon.erased.notified().await;
        tokio::time::sleep(GATHER).await;
        match daemon.blocking(Store::compact).await {
            Ok(()) => pause = RETRY,
            Err(error) => {
                tracing::error!(%error, "erased bytes are still on the disk");
                daemon.note_store_error(&error);
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(RETRY_MAX);
                daemon.erased.notify_one();
            }
        }
    }
}
