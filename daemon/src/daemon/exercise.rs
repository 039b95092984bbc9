//! [`Exercise`]: what code is judged by, as a session's spec names it.
//!
//! An exercise is read from blobs and kept for a while, and a suite that is damaged there comes back from
//! what it was made of. Running and judging code is the evaluator's work.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use vosim_engine::kinds;
use vosim_protocol::misfit;
use vosim_protocol::v1::problem::{Problem, Suite};
use vosim_protocol::{Hash, Kind, ProblemId};
use vosim_store::Store;

use crate::background;
use crate::content::{self, Package, Shelf};

/// How long an exercise is kept in memory after it was read.
const KEPT: Duration = Duration::from_secs(20);
/// How many are kept at most: a session judges with the suite that was drawn for it, and measures and
/// tries with the one that comes with the problem.
const KEPT_MAX: usize = 2;

/// By which names an exercise is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The spec that holds the problem.
    pub(crate) spec: Hash,
    /// The suite; by default the one that comes with the problem.
    pub(crate) suite: Option<Hash>,
}

/// A problem and its cases, by which code is judged.
#[derive(Debug)]
pub(crate) struct Exercise {
    pub(crate) problem: Problem,
    pub(crate) suite: Suite,
}

/// Why an exercise cannot be read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// Its suite is damaged, and no package has the same.
    Suite(String),
    /// Something else of it.
    Other(String),
}

impl From<Unread> for String {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Suite(why) | Unread::Other(why) => why,
        }
    }
}

impl Exercise {
    /// Reads an exercise; blocks. `data` is where people's own problems are: a suite that is damaged in
    /// the store is taken from the package that it came with.
    pub(crate) fn read(
        store: &Store,
        data: &Path,
        kind: Kind,
        named: Named,
    ) -> Result<Self, Unread> {
        let spec = store.blob(named.spec).map_err(|error| Unread::Other(error.to_string()))?;
        let exercise =
            kinds::exercise(kind, &spec).map_err(|error| Unread::Other(error.to_string()))?;
        let Some((problem, embedded)) = exercise else {
            let why = format!("{} has no problem to solve", kind.with_article());
            return Err(Unread::Other(why));
        };
        let suite = named.suite.unwrap_or(embedded);
        let bytes = match store.blob(suite) {
            Ok(bytes) => bytes,
            Err(error) => mended(store, data, &problem.id, suite)
                .ok_or_else(|| Unread::Suite(error.to_string()))?,
        };
        let suite = misfit::read_bytes::<Suite>(&bytes)
            .map_err(|why| Unread::Other(format!("the session's cases cannot be read: {why}")))?;
        Ok(Self { problem, suite })
    }
}

/// Returns the bytes of a suite that cannot be read, if the problem's package still holds the same, and
/// writes them anew: one damaged file must not end the judging of all sessions that share it.
fn mended(store: &Store, data: &Path, problem: &ProblemId, suite: Hash) -> Option<Vec<u8>> {
    let shipped = content::catalog().get(problem);
    let own = || Shelf::of(data).read(problem).ok().map(|folder| folder.package);
    let holds = |package: &Arc<Package>| Hash::of(&package.suite_blob) == suite;
    let package = shipped.filter(holds).or_else(|| own().filter(holds))?;
    put_back(store, problem, suite, &package.suite_blob);
    Some(package.suite_blob.clone())
}

/// Writes a damaged suite anew. Where that cannot be done, it is as good for this time.
pub(super) fn put_back(store: &Store, problem: &ProblemId, suite: Hash, bytes: &[u8]) {
    match store.mend_blob(suite, bytes) {
        Ok(()) => tracing::warn!(%suite, %problem, "a damaged suite was written anew"),
        Err(error) => {
            let reason = error.to_string();
            tracing::warn!(%suite, %problem, reason, "a damaged suite could not be written anew");
        }
    }
}

/// The exercises that were read last.
#[derive(Debug, Default)]
pub(crate) struct Exercises(Rc<RefCell<VecDeque<Kept>>>);

#[derive(Debug)]
struct Kept {
    named: Named,
    exercise: Arc<Exercise>,
}

impl Exercises {
    /// Returns the exercise that is kept under these names, if there is one.
    pub(crate) fn kept(&self, named: Named) -> Option<Arc<Exercise>> {
        let kept = self.0.borrow();
        let kept = kept.iter().find(|kept| kept.named == named)?;
        Some(Arc::clone(&kept.exercise))
    }

    /// Keeps an exercise for a while.
    pub(crate) fn keep(&self, named: Named, exercise: Exercise) -> Arc<Exercise> {
        let exercise = Arc::new(exercise);
        let mut kept = self.0.borrow_mut();
        kept.truncate(KEPT_MAX - 1);
        kept.push_front(Kept { named, exercise: Arc::clone(&exercise) });
        let (place, this) = (Rc::clone(&self.0), Arc::downgrade(&exercise));
        background::spawn("exercise kept", async move {
            tokio::time::sleep(KEPT).await;
            // Another one may be kept in its place by now.
            place
                .borrow_mut()
                .retain(|kept| !std::ptr::eq(Arc::as_ptr(&kept.exercise), this.as_ptr()));
        });
        exercise
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::LocalSet;

    use super::*;

    /// An exercise of no use, under these names.
    fn keep(exercises: &Exercises, named: Named) {
        let package = crate::content::find("lru_cache").unwrap();
        let suite = Suite { cases: Vec::new() };
        exercises.keep(named, Exercise { problem: package.problem.clone(), suite });
    }

    #[tokio::test(start_paused = true)]
    async fn the_drawn_suite_and_the_package_s_own_are_kept_beside_each_other_and_for_a_while() {
        let exercises = Exercises::default();
        let named = |suite: Option<&str>| Named {
            spec: Hash::of(b"spec"),
            suite: suite.map(|suite| Hash::of(suite.as_bytes())),
        };
        let all = [named(None), named(Some("drawn")), named(Some("of another session"))];
        let kept = |exercises: &Exercises| all.map(|named| exercises.kept(named).is_some());
        LocalSet::new()
            .run_until(async {
                keep(&exercises, all[0]);
                keep(&exercises, all[1]);
                assert_eq!(kept(&exercises), [true, true, false]);
                tokio::time::sleep(KEPT / 2).await;
                keep(&exercises, all[2]);
                assert_eq!(kept(&exercises), [false, true, true]);
                tokio::time::sleep(KEPT / 2 + Duration::from_secs(1)).await;
                assert_eq!(kept(&exercises), [false, false, true]);
                tokio::time::sleep(KEPT).await;
                assert_eq!(kept(&exercises), [false; 3]);
            })
            .await;
    }
}
