//! The screens of a drill, as 000 draws them.

mod growth;
mod result;
mod start;
mod status;
mod summary;
mod talk;

pub(crate) use growth::growth;
pub(crate) use result::{judged_by, next_step, result, tested, watched};
pub(crate) use start::{file_note, started};
pub(crate) use status::{outcome, status};
pub(crate) use summary::summary;
pub(crate) use talk::{answered, feedback, hint, variation};
