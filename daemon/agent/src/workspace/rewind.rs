//! Taking back what the candidate wrote since some point, and nothing that anybody else wrote: which
//! files go back to which content follows from the row of changes and from what is there now.

use serde::{Deserialize, Serialize};
use vosim_protocol::ids::Hash;

use super::beneath::FileChange;
use super::name::FileName;

/// A change by its hashes, as a log keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEdit {
    /// The file.
    pub path: FileName,
    /// What it held; nothing if it was not there.
    pub before: Option<Hash>,
    /// What it held then; nothing if it was removed.
    pub after: Option<Hash>,
}

/// A file that goes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutBack {
    /// The file.
    pub path: FileName,
    /// What it holds now.
    pub now: Option<Hash>,
    /// What it is to hold; nothing if it is to go.
    pub to: Option<Hash>,
}

/// Why a file does not go all the way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeptBack {
    /// Somebody else has changed it since the last change here; it stays as it is.
    ChangedSince,
    /// Somebody else has changed it between two changes here; it goes back to what they left.
    ChangedBetween,
}

impl FileChange {
    /// The change by its hashes.
    pub fn edit(&self) -> FileEdit {
        let of =
            |blob: &Option<vosim_protocol::blob::Blob>| blob.as_ref().map(|blob| Hash::of(&blob.0));
        FileEdit { path: self.path.clone(), before: of(&self.before), after: of(&self.after) }
    }
}

/// Plans to take back these changes, given in their order; `now` says what a file holds.
///
/// Returns what is put back, and the files that do not go all the way.
pub fn rewind(
    edits: &[FileEdit],
    mut now: impl FnMut(&FileName) -> Option<Hash>,
) -> (Vec<PutBack>, Vec<(FileName, KeptBack)>) {
    let mut paths: Vec<&FileName> = edits.iter().map(|edit| &edit.path).collect();
    paths.sort();
    paths.dedup();
    let (mut back, mut kept) = (Vec::new(), Vec::new());
    for path in paths {
        let present = now(path);
        let mut to = present;
        let mut taken = 0;
        for edit in edits.iter().rev().filter(|edit| edit.path == *path) {
            if edit.after == to {
                to = edit.before;
                taken += 1;
                continue;
            }
            let since = taken == 0;
            let why = if since { KeptBack::ChangedSince } else { KeptBack::ChangedBetween };
            kept.push((path.clone(), why));
            break;
        }
        if to != present {
            back.push(PutBack { path: path.clone(), now: present, to });
        }
    }
    (back, kept)
}
