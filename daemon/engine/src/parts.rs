//! Small pure machines that several kinds compose; none of them knows a kind or an event.

pub mod admission;
pub mod approvals;
pub mod asking;
pub mod assistant;
pub mod budget;
pub mod course;
pub mod coverage;
pub mod drawing;
pub mod followups;
pub mod growth;
pub mod hearing;
pub mod hints;
pub mod judging;
mod likeness;
pub mod lists;
pub mod memory;
pub mod naming;
pub mod quoting;
pub mod rewording;
pub mod shown;
pub mod stuck;
pub mod summary;
pub mod text;
pub mod topic;
pub mod verdict;
pub mod wording;
pub mod words;
