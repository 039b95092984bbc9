//! Reads a candidate's file as it stood at a deadline (DECISIONS 11).

use std::sync::Arc;
use std::time::Duration;

use vosim_protocol::v1::effect::{Capture, Captured, Untaken};
use vosim_protocol::{Blob, Hash, Time};
use vosim_watch::Found;

use crate::daemon::Turns;
use crate::effects::file::{absolute, look_in_turn};
use crate::effects::{CarryOut, Done, Run};

/// Looks at a file that changes while it is read.
const LOOKS: usize = 3;
/// How long a disk may take to show a file at a deadline.
const WITHIN: Duration = Duration::from_secs(10);
/// A file that is read so long after its deadline is said to be captured late.
const LATE_AFTER_MICROS: i64 = 2_000_000;

impl CarryOut for Capture {
    async fn carry_out(self, run: &Run) -> Result<Done<Captured>, String> {
        capture(&run.daemon.turns, &self, || run.daemon.now()).await
    }
}

/// Reads a file as it stood at a deadline.
///
/// The bytes come along when they are not known yet and count; `now` is the time after reading.
async fn capture(
    turns: &Turns,
    effect: &Capture,
    now: impl FnOnce() -> Time,
) -> Result<Done<Captured>, String> {
    let Capture { file_path, known, due } = effect;
    let (path, known, due) = (absolute(file_path)?, *known, *due);
    let looked = async {
        for _ in 0..LOOKS {
            let found = look_in_turn(turns, Arc::clone(&path)).await;
            if !matches!(found, None | Some(Found::Changing | Found::Nothing(_))) {
                return found;
            }
        }
        None
    };
    // A wait for a disk, not a deadline of a session: tokio's clock is the right one.
    let found = tokio::time::timeout(WITHIN, looked).await.ok().flatten();
    let late = now().micros_since(due) > LATE_AFTER_MICROS;
    let (blob, untaken) = match taken(found, known, due) {
        Ok(blob) => (blob, None),
        Err(untaken) => (None, Some(untaken)),
    };
    let code = blob.as_ref().map(Blob::reference);
    let outcome = Captured { code, late, untaken };
    Ok(Done { outcome, blobs: blob.into_iter().collect() })
}

/// What counts of a file at a deadline: its bytes unless they are known, or why they do not.
fn taken(found: Option<Found>, known: Option<Hash>, due: Time) -> Result<Option<Blob>, Untaken> {
    let (bytes, stamp) = match found {
        Some(Found::Bytes(bytes, stamp)) => (bytes, stamp),
        Some(Found::TooLarge(stamp)) if stamp.modified() <= due => return Err(Untaken::TooLarge),
        Some(Found::TooLarge(_)) => return Err(Untaken::Changed),
        Some(Found::Untouched | Found::Changing | Found::Nothing(_)) | None => {
            return Err(Untaken::Unreadable);
        }
    };
    if Some(Hash::of(&bytes)) == known {
        return Ok(None);
    }
    if stamp.modified() > due {
        return Err(Untaken::Changed);
    }
    // One that has stayed empty is known as such; else an editor is about to write.
    if bytes.is_empty() {
        return Err(Untaken::Empty);
    }
    Ok(Some(Blob(bytes)))
}

#[cfg(test)]
mod tests;
