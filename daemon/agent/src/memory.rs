//! What earlier tasks have taught (002 5): failures with what ended them, and solutions that worked,
//! found again by how much their texts have in common with the present one.
//!
//! - [`Desk`] is how the daemon uses it: a thread of its own owns the [`Memory`], and whoever asks
//!   waits at most [`PATIENCE`] and then goes on without, with a sentence to show (002 7.3). Nothing
//!   that goes wrong here is an error of a task.
//! - A failure is kept as unsolved. It becomes a lesson only when a later run of its task has passed,
//!   and what was learned is the difference between the files of the two.
//! - An [`Embedder`] makes vectors of texts: of their words, which needs nothing; or a sentence model does,
//!   in this process ([`sentences()`]) or behind a server ([`served()`]). Each vector is kept under the name of its embedder, and
//!   only vectors of one name are compared; a [`Scale`] turns what comes out into a score that means
//!   the same with every embedder.
//! - Everything is one file of bounded size. One that is damaged or foreign is set aside.
//!
//! Memory is for tasks alone: no interview, drill or attempt reads it or writes to it (001 7.2).

mod words;

mod cached;
mod embedder;
mod fitting;
mod hashed;
mod samples;
mod sentences;
mod served;
mod vectors;
#[cfg(any(test, feature = "sentences"))]
mod wordpiece;

mod book;
mod degraded;
mod desk;
mod failure;
mod file;
mod pattern;

pub use book::{Memory, Recalled};
pub use degraded::Degraded;
pub use desk::{Desk, Noted, PATIENCE};
pub use embedder::{EmbedFault, Embedder, EmbedderId, Scale, Score, Vector};
pub use failure::{Failure, Lesson, Run};
pub use fitting::{Figures, figures, fit};
pub use hashed::Hashed;
pub use pattern::{Partly, Pattern, Recipe};
pub use sentences::{SentenceFiles, no_vectors, sentences};
pub use served::served;
