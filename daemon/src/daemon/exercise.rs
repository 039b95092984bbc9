//! [`Exercise`]: what code is judged by, as a session's spec names it.
//!
//! An exercise is read from blobs and kept for a while. Running and judging code is the evaluator's
//! work.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use vosim_engine::kinds;
use vosim_protocol::v1::problem::{Problem, Suite};
use vosim_protocol::{Hash, Kind, Wire as _};
use vosim_store::Store;

use crate::background;

/// How long an exercise is kept in memory after it was read.
const KEPT: Duration = Duration::from_secs(20);

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

impl Exercise {
    /// Reads an exercise; blocks.
    pub(crate) fn read(store: &Store, kind: Kind, named: Named) -> Result<Self, String> {
        let read = |hash| store.blob(hash).map_err(|error| error.to_string());
        let exercise =
            kinds::exercise(kind, &read(named.spec)?).map_err(|error| error.to_string())?;
        let Some((problem, embedded)) = exercise else {
            return Err(format!("{} has no problem to solve", kind.with_article()));
        };
        let suite = Suite::from_bytes(&read(named.suite.unwrap_or(embedded))?)
            .map_err(|error| format!("the session's cases cannot be read: {error}"))?;
        Ok(Self { problem, suite })
    }
}

/// The exercise that was read last.
#[derive(Debug, Default)]
pub(crate) struct Exercises(Rc<RefCell<Option<Kept>>>);

#[derive(Debug)]
struct Kept {
    named: Named,
    exercise: Arc<Exercise>,
}

impl Exercises {
    /// Returns the exercise that is kept, if it has these names.
    pub(crate) fn kept(&self, named: Named) -> Option<Arc<Exercise>> {
        let kept = self.0.borrow();
        let kept = kept.as_ref().filter(|kept| kept.named == named)?;
        Some(Arc::clone(&kept.exercise))
    }

    /// Keeps an exercise for a while.
    pub(crate) fn keep(&self, named: Named, exercise: Exercise) -> Arc<Exercise> {
        let exercise = Arc::new(exercise);
        *self.0.borrow_mut() = Some(Kept { named, exercise: Arc::clone(&exercise) });
        let (place, this) = (Rc::clone(&self.0), Arc::downgrade(&exercise));
        background::spawn("exercise kept", async move {
            tokio::time::sleep(KEPT).await;
            // Another one may be kept by now.
            place
                .borrow_mut()
                .take_if(|kept| std::ptr::eq(Arc::as_ptr(&kept.exercise), this.as_ptr()));
        });
        exercise
    }
}
