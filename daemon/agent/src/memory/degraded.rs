//! What a task goes on without, as a sentence.

use std::path::PathBuf;

use thiserror::Error;

use super::embedder::{EmbedFault, EmbedderId};

/// Why memory gives less than it might (002 7.3). None of these is an error of a task.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Degraded {
    /// What was there could not be read and has another name now.
    #[error(
        "the memory of earlier tasks could not be read ({why}); it begins anew, and the file is \
         kept as {}",
        .kept.display()
    )]
    SetAside {
        /// What is wrong with the file.
        why: String,
        /// Where it is now.
        kept: PathBuf,
    },
    /// What was there could neither be read nor moved.
    #[error(
        "the memory of earlier tasks can be neither read nor set aside ({why}); nothing is \
         remembered beyond this run of the daemon"
    )]
    Unreadable {
        /// What is wrong with the file.
        why: String,
    },
    /// What was learned is only in the daemon's memory until a later write succeeds.
    #[error("the memory of earlier tasks could not be written ({why})")]
    Unwritten {
        /// What the write failed with.
        why: String,
    },
    /// The configured embedder gave nothing; the built-in one was used.
    #[error("{embedder} gives no vectors ({fault}); earlier tasks are compared by their words")]
    NoVectors {
        /// The one that is configured.
        embedder: EmbedderId,
        /// What it said.
        fault: EmbedFault,
    },
    /// Nothing came in time; what was asked for still runs.
    #[error("the memory of earlier tasks did not answer within {secs} s; the task goes on without")]
    Slow {
        /// How long it was waited for, in seconds.
        secs: u64,
    },
    /// Something that did not end in time, or too much, stands before this question.
    #[error("the memory of earlier tasks is busy; the task goes on without")]
    Busy,
    /// Its thread has ended, which only a fault in it can do.
    #[error("the memory of earlier tasks has stopped; it begins again with the daemon")]
    Stopped,
}
