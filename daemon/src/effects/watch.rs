//! Watching a candidate's file: when it was saved, and how it stood at a deadline (DECISIONS 11).
//!
//! It is looked at again and again instead of asking the kernel to tell: an editor may write in
//! place, truncate, rename a new file over it or put another folder there, over whatever kind of
//! disk, and a look is right for all of them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::effect::Untaken;
use vosim_protocol::{Blob, Hash, Time};

use crate::daemon::Turns;
use crate::effects::Ended;
use crate::effects::file::{Found, Stamp, look_in_turn};

/// How often a file is looked at. No deadline depends on it: at one the file is read anew.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// Looks that must agree before a file counts as empty: most editors empty it for a moment.
const EMPTY_LOOKS: u32 = 5;
/// The same for any other content.
const LOOKS: u32 = 2;
/// Looks at a file that changes while it is read.
const CAPTURE_LOOKS: usize = 3;
/// How long a disk may take to show a file at a deadline.
const CAPTURE_WITHIN: Duration = Duration::from_secs(10);
/// A file that is read so long after its deadline is said to be captured late.
const LATE_AFTER_MICROS: i64 = 2_000_000;

/// Waits until a file holds other bytes than those known, and has come to rest.
///
/// What is missing, unreadable, too large or being written is waited out; only dropping the future
/// ends that.
pub(crate) async fn watch(
    turns: &Turns,
    file_path: &str,
    known: Option<Hash>,
) -> Result<Ended, String> {
    let path = absolute(file_path)?;
    let mut rest = Rest { known, ..Rest::default() };
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let found = look_in_turn(turns, Arc::clone(&path), rest.left).await;
        if let Some((bytes, stamp)) = rest.take(found, &path) {
            let blob = Blob(bytes);
            let outcome =
                EffectOutcome::Saved { code: blob.reference(), modified: stamp.modified() };
            return Ok(Ended { outcome, blobs: vec![blob] });
        }
    }
}

/// Whether a file that is looked at again and again has come to rest with new bytes.
#[derive(Debug, Default)]
struct Rest {
    /// What it held last.
    known: Option<Hash>,
    /// The stamp under which it needs no further look.
    left: Option<Stamp>,
    /// What it held at the last look, and how many looks have found that.
    seen: Option<(Hash, u32)>,
    /// That it is too large has been said.
    told: bool,
}

impl Rest {
    fn take(&mut self, found: Found, path: &Path) -> Option<(Vec<u8>, Stamp)> {
        let (bytes, stamp) = match found {
            Found::Untouched => return None,
            Found::Bytes(bytes, stamp) => (bytes, stamp),
            Found::TooLarge(stamp) => {
                if !self.told {
                    tracing::info!(path = %path.display(), "a watched file is too large to be taken");
                }
                (self.told, self.left, self.seen) = (true, Some(stamp), None);
                return None;
            }
            Found::Nothing => {
                self.seen = None;
                return None;
            }
        };
        let hash = Hash::of(&bytes);
        if self.known == Some(hash) {
            (self.left, self.seen) = (Some(stamp), None);
            return None;
        }
        let looks = match self.seen {
            Some((seen, looks)) if seen == hash => looks + 1,
            Some(_) | None => 1,
        };
        self.seen = Some((hash, looks));
        let wanted = if bytes.is_empty() { EMPTY_LOOKS } else { LOOKS };
        (looks >= wanted).then_some((bytes, stamp))
    }
}

/// Reads a file as it stood at a deadline.
///
/// Its bytes come along when they are not known yet and count; `now` is the time after reading.
pub(crate) async fn capture(
    turns: &Turns,
    file_path: &str,
    known: Option<Hash>,
    due: Time,
    now: impl FnOnce() -> Time,
) -> Result<Ended, String> {
    let path = absolute(file_path)?;
    let looked = async {
        for _ in 0..CAPTURE_LOOKS {
            let found = look_in_turn(turns, Arc::clone(&path), None).await;
            if found != Found::Nothing {
                return found;
            }
        }
        Found::Nothing
    };
    // A wait for a disk, not a deadline of a session: tokio's clock is the right one.
    let found = tokio::time::timeout(CAPTURE_WITHIN, looked).await.unwrap_or(Found::Nothing);
    let late = now().micros_since(due) > LATE_AFTER_MICROS;
    let (blob, untaken) = match taken(found, known, due) {
        Ok(blob) => (blob, None),
        Err(untaken) => (None, Some(untaken)),
    };
    let code = blob.as_ref().map(Blob::reference);
    let outcome = EffectOutcome::Captured { code, late, untaken };
    Ok(Ended { outcome, blobs: blob.into_iter().collect() })
}

/// What counts of a file at a deadline: its bytes unless they are known, or why they do not.
fn taken(found: Found, known: Option<Hash>, due: Time) -> Result<Option<Blob>, Untaken> {
    let (bytes, stamp) = match found {
        Found::Bytes(bytes, stamp) => (bytes, stamp),
        Found::TooLarge(stamp) if stamp.modified() <= due => return Err(Untaken::TooLarge),
        Found::TooLarge(_) => return Err(Untaken::Changed),
        Found::Untouched | Found::Nothing => return Err(Untaken::Unreadable),
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

/// The daemon stands elsewhere than the candidate.
fn absolute(file_path: &str) -> Result<Arc<Path>, String> {
    let path = Path::new(file_path);
    if path.is_absolute() {
        Ok(path.into())
    } else {
        Err("the path of the watched file is not absolute".to_owned())
    }
}

#[cfg(test)]
mod tests;
