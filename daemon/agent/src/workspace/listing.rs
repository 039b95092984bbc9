//! The files of a workspace: the upper folders first, what nobody reads left out but counted, and
//! never more than a model can use.

use std::collections::VecDeque;

use rustix::fs::{AtFlags, Dir, FileType, statat};
use serde::Serialize;

use super::beneath::Workspace;
use super::name::{DEPTH_MAX, FileName, UNFINISHED};

/// Most files that a model is told of.
pub(super) const TOLD_MAX: usize = 500;
/// Most entries that are looked at, also of the folders that are left out.
const LOOKED_AT_MAX: usize = 50_000;

/// Folders of tools, which nobody means by the files of a project.
const LEFT_OUT: [&str; 14] = [
    ".git",
    ".hg",
    ".hypothesis",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "node_modules",
    "site-packages",
    "venv",
];

/// What `list_files` answers. When a file was changed is left out, so that a recorded answer of a model
/// is found again.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Listing {
    pub(super) files: Vec<ListedFile>,
    /// Also those that are not named.
    total_files: usize,
    /// Folders that were not entered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// Links, pipes and the like, which the tools do not touch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    no_files: Vec<String>,
    /// Set when there was more than could be looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct ListedFile {
    pub(super) path: String,
    size: u64,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct LeftOut {
    path: String,
    /// Entries in it and below.
    entries: usize,
}

/// How a folder is walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    Named,
    /// For the folder of `left_out` with this index.
    Counted(usize),
}

/// Whether a file is in such a folder, where nothing is written: it would be neither listed nor scanned.
pub(super) fn is_left_out(name: &FileName) -> bool {
    name.folders().any(|folder| LEFT_OUT.contains(&folder))
}

/// Lists a workspace and names at most so many of its files.
pub(super) fn list(workspace: &Workspace, most: usize) -> Listing {
    let mut listing = Listing::default();
    let mut looked_at = 0;
    let mut folders = VecDeque::from([(String::new(), 0, Walk::Named)]);
    while let Some((path, depth, walk)) = folders.pop_front() {
        for Entry { name, kind, size } in entries(workspace, &path) {
            looked_at += 1;
            if looked_at > LOOKED_AT_MAX {
                listing.more = true;
                return listing;
            }
            let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            if kind == FileType::Directory && depth < DEPTH_MAX {
                let next = listing.enter(walk, &name, &below);
                folders.push_back((below, depth + 1, next));
                continue;
            }
            listing.note(walk, most, (below, kind, size));
        }
    }
    listing
}

impl Listing {
    /// How the folder `name` is walked, met on such a walk.
    fn enter(&mut self, walk: Walk, name: &str, path: &str) -> Walk {
        match walk {
            Walk::Counted(of) => {
                self.left_out[of].entries += 1;
                walk
            }
            Walk::Named if LEFT_OUT.contains(&name) => {
                self.left_out.push(LeftOut { path: path.to_owned(), entries: 0 });
                Walk::Counted(self.left_out.len() - 1)
            }
            Walk::Named => walk,
        }
    }

    fn note(&mut self, walk: Walk, most: usize, (path, kind, size): (String, FileType, u64)) {
        match (walk, kind) {
            (Walk::Counted(of), _) => self.left_out[of].entries += 1,
            (Walk::Named, FileType::RegularFile) => {
                self.total_files += 1;
                if self.files.len() < most {
                    self.files.push(ListedFile { path, size });
                }
            }
            (Walk::Named, _) if self.no_files.len() < most => self.no_files.push(path),
            (Walk::Named, _) => {}
        }
    }
}

struct Entry {
    name: String,
    kind: FileType,
    size: u64,
}

/// The entries of a folder by name; one that cannot be entered has none.
fn entries(workspace: &Workspace, path: &str) -> Vec<Entry> {
    let Ok(folder) = workspace.subfolder(path) else { return Vec::new() };
    let Ok(dir) = Dir::read_from(&folder) else { return Vec::new() };
    let mut found: Vec<Entry> = dir
        .map_while(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name();
            let stat = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            Some(Entry {
                name: name.to_string_lossy().into_owned(),
                kind: FileType::from_raw_mode(stat.st_mode),
                size: u64::try_from(stat.st_size).unwrap_or_default(),
            })
        })
        .filter(|entry| !matches!(entry.name.as_str(), "." | ".." | UNFINISHED))
        .take(LOOKED_AT_MAX)
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}
