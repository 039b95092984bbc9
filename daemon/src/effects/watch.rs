//! Watches a candidate's file for its next save (DECISIONS 11).

use std::future::pending;

use tokio::time::{Instant, sleep};
use vosim_protocol::Blob;
use vosim_protocol::v1::effect::{Noticed, Saved, Watch};
use vosim_watch::{News, Watcher};

use crate::daemon::Turns;
use crate::effects::file::{absolute, in_turn};
use crate::effects::{CarryOut, Done, Run};
use crate::timer::Descriptor;

impl CarryOut for Watch {
    async fn carry_out(self, run: &Run) -> Result<Done<Noticed>, String> {
        watch(&run.daemon.turns, &self).await
    }
}

/// Waits until a file holds other bytes than those known, or can be taken again, and has come to rest,
/// or until it can no longer be taken.
///
/// What an editor does for a moment is waited out. No deadline depends on it: at one the file is read anew.
async fn watch(turns: &Turns, effect: &Watch) -> Result<Done<Noticed>, String> {
    let path = absolute(&effect.file_path)?.to_path_buf();
    let ear = turns.ear();
    let mut watcher = match ear {
        Some(_) => Watcher::new(path, effect.known),
        None => Watcher::by_looks(path, effect.known),
    }
    .having_told(effect.told);
    let wake = watcher.wake().and_then(|wake| wake.try_clone_to_owned().ok());
    // Without one the looks will do.
    let wake = wake.and_then(|wake| Descriptor::new(wake).ok());
    loop {
        let now = Instant::now().into_std();
        let looked = in_turn(turns, move || {
            let news = watcher.look(now);
            (watcher, news)
        });
        let news;
        (watcher, news) = looked.await.ok_or("looking at the watched file has failed")?;
        match news {
            Some(News::Saved(bytes, stamp)) => {
                let blob = Blob(bytes);
                let saved = Saved { code: blob.reference(), modified: stamp.modified() };
                return Ok(Done { outcome: Noticed::Saved(saved), blobs: vec![blob] });
            }
            Some(News::Lost(why)) => return Ok(Done::from(Noticed::Lost(why))),
            None => {}
        }
        tokio::select! {
            () = sleep(watcher.due()) => {}
            () = rung(wake.as_ref()) => {}
        }
    }
}

/// Waits until the kernel has told something.
async fn rung(wake: Option<&Descriptor>) {
    match wake {
        Some(wake) if wake.readable().await.is_ok() => {}
        Some(_) | None => pending().await,
    }
}

#[cfg(test)]
mod tests;
