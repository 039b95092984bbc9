//! Tries two programs of a candidate's own on drawn inputs until they differ (003: VERIFY).
//!
//! The inputs are drawn for nobody: the seeds count from 1, and the session's own is left out.

use std::time::{Duration, Instant};

use vosim_protocol::v1::service::Stressed;

use super::cancel::Cancel;
use super::runner::Refusal;
use super::shrink::Differing;
use super::{Evaluator, shrink};

/// Seeds whose inputs go through the same processes.
const SEEDS: u64 = 4;

/// How long is looked for a difference.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Most seeds.
    pub rounds: u32,
    /// Longest time.
    pub wall: Duration,
}

impl Evaluator {
    /// Looks for inputs on which both differ, and makes the run as short as it will go; `progress` hears
    /// how many seeds they agree on.
    pub fn stress(
        &self,
        differing: Differing<'_>,
        bounds: Bounds,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u32),
    ) -> Result<Stressed, Refusal> {
        let until = Instant::now() + bounds.wall;
        let mut found = Stressed::default();
        let mut seeds = shrink::seeds(differing.draw);
        while found.rounds < bounds.rounds && Instant::now() < until {
            let left = u64::from(bounds.rounds - found.rounds).min(SEEDS);
            let these: Vec<u64> = seeds.by_ref().take(usize::try_from(left).unwrap_or(1)).collect();
            let numbered = self.drawn_runs(differing, &these, cancel)?;
            let all: Vec<_> = numbered.iter().map(|(_, ops)| ops.clone()).collect();
            if found.rounds == 0
                && let Some(first) = all.first()
            {
                self.loads(differing, first, cancel)?;
            }
            let compared = self.compare(differing, &all, cancel)?;
            let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            found.skipped += count(compared.skipped);
            if let Some(at) = compared.differs {
                found.seed = Some(numbered[at].0);
                found.trace = self.shrink(differing, &all[at], cancel)?.map(Box::new);
                return Ok(found);
            }
            let nothing_yet = found.agreed == 0 && compared.skipped == all.len();
            if nothing_yet && !all.is_empty() {
                let (file, runs) = (differing.right.file_path, all.len());
                return Err(Refusal::Unusable(format!(
                    "{file} came to its end on none of {runs} inputs, so there is nothing to compare with"
                )));
            }
            found.agreed += count(all.len() - compared.skipped);
            found.rounds += count(these.len());
            progress(found.rounds);
        }
        Ok(found)
    }
}
