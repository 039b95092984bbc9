//! The programs of the LRU Cache package that candidates hand in.

use std::path::{Path, PathBuf};

/// A program of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program(pub &'static str);

/// Passes all twelve tests.
pub const CORRECT: Program = Program("accepted/ordered_dict.py");
/// Evicts the wrong key; passes five of twelve.
pub const WRONG: Program = Program("wrong_answer/wrong_eviction.py");

impl Program {
    /// Where it stands.
    pub fn path(self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../daemon/content/problems/lrucache/submissions")
            .join(self.0)
    }

    /// Its text.
    pub fn text(self) -> String {
        std::fs::read_to_string(self.path()).unwrap()
    }

    /// The same program as other bytes: a further submission that fails in the same way.
    pub fn variant(self, number: u32) -> String {
        format!("{}\n# variant {number}\n", self.text())
    }
}
