//! Looking at a candidate's file, where waiting for a disk is no harm.

use std::path::Path;
use std::sync::Arc;

use vosim_watch::{Found, look};

use crate::daemon::Turns;

/// Looks at a file when it is its turn; None where the look itself has failed.
pub(crate) async fn look_in_turn(turns: &Turns, path: Arc<Path>) -> Option<Found> {
    in_turn(turns, move || look(&path, None)).await
}

/// The same for whatever else looks at a file.
pub(crate) async fn in_turn<T: Send + 'static>(
    turns: &Turns,
    look: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let turn = turns.look().await;
    let looked = tokio::task::spawn_blocking(move || {
        // The turn ends with the look, also when nobody waits for it any more.
        let _turn = turn;
        look()
    });
    looked.await.ok()
}

/// The daemon stands elsewhere than the candidate.
pub(super) fn absolute(file_path: &str) -> Result<Arc<Path>, String> {
    let path = Path::new(file_path);
    if path.is_absolute() {
        Ok(path.into())
    } else {
        Err("the path of the watched file is not absolute".to_owned())
    }
}
