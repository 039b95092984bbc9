//! Watches a candidate's file for its next save (DECISIONS 11).
//!
//! The file is looked at again and again instead of asking the kernel to tell: an editor may write
//! in place, truncate, rename a new file over it or put another folder there, over whatever kind of
//! disk, and a look is right for all of them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use vosim_protocol::v1::effect::{Saved, Watch};
use vosim_protocol::{Blob, Hash};

use crate::daemon::Turns;
use crate::effects::file::{Found, Stamp, absolute, look_in_turn};
use crate::effects::{CarryOut, Done, Run};

/// How often a file is looked at. No deadline depends on it: at one the file is read anew.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// Looks that must agree before a file counts as empty: most editors empty it for a moment.
const EMPTY_LOOKS: u32 = 5;
/// The same for any other content.
const LOOKS: u32 = 2;

impl CarryOut for Watch {
    async fn carry_out(self, run: &Run) -> Result<Done<Saved>, String> {
        watch(&run.daemon.turns, &self).await
    }
}

/// Waits until a file holds other bytes than those known, and has come to rest.
///
/// What is missing, unreadable, too large or being written is waited out; only dropping the future
/// ends that.
async fn watch(turns: &Turns, effect: &Watch) -> Result<Done<Saved>, String> {
    let (path, known) = (absolute(&effect.file_path)?, effect.known);
    let mut rest = Rest { known, ..Rest::default() };
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let found = look_in_turn(turns, Arc::clone(&path), rest.left).await;
        if let Some((bytes, stamp)) = rest.take(found, &path) {
            let blob = Blob(bytes);
            let outcome = Saved { code: blob.reference(), modified: stamp.modified() };
            return Ok(Done { outcome, blobs: vec![blob] });
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

#[cfg(test)]
mod tests;
