//! The files of one package, from the binary or from a folder, within bounds.
//!
//! Only the known parts are read, and no test data of other judges.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use nix::fcntl::OFlag;
use vosim_protocol::ids::Hash;

/// Most files and folders of a package that are looked at.
const ENTRIES_MAX: usize = 1_000;
/// Most bytes of one file.
const FILE_BYTES_MAX: u64 = 8 << 20;
/// Most bytes of all files together.
const PACKAGE_BYTES_MAX: u64 = 64 << 20;
/// Deepest folder below the package.
const DEPTH_MAX: usize = 6;

/// The parts of a folder that are read; the others may be there for other judges.
const PARTS: [&str; 5] =
    ["problem.yaml", "statement", "attachments/templates", "submissions", ".vosim"];

/// Whether a file of a package's folder is read.
pub(super) fn is_part(path: &str) -> bool {
    PARTS.iter().any(|part| Path::new(path).starts_with(part))
}

/// The reason why a package cannot be used: one line that names the file and the place in it.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// A file or folder cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The path.
        path: String,
        /// The reason.
        #[source]
        source: io::Error,
    },
    /// A required file is missing.
    #[error("{file}: is missing")]
    Missing {
        /// The path in the package.
        file: String,
    },
    /// A file has a value that cannot be used.
    #[error("{file}: {key}: {problem}")]
    Invalid {
        /// The path in the package.
        file: String,
        /// The key or line.
        key: String,
        /// The mistake, and what is needed.
        problem: String,
    },
}

impl ContentError {
    pub(super) fn invalid(
        file: impl Into<String>,
        key: impl Into<String>,
        problem: impl Into<String>,
    ) -> Self {
        Self::Invalid { file: file.into(), key: key.into(), problem: problem.into() }
    }
}

/// The files of one package by their path in it.
#[derive(Debug, Default)]
pub(super) struct Files {
    entries: BTreeMap<String, Cow<'static, [u8]>>,
}

impl Files {
    pub(super) fn embedded(
        entries: impl Iterator<Item = &'static (&'static str, &'static [u8])>,
    ) -> Self {
        let entry = |(path, bytes): &(&'static str, &'static [u8])| {
            ((*path).to_owned(), Cow::Borrowed(*bytes))
        };
        Self { entries: entries.map(entry).collect() }
    }

    /// Reads the known parts of a folder. No link below it is followed, and nothing that may keep
    /// its reader waiting is opened.
    pub(super) fn from_dir(dir: &Path) -> Result<Self, ContentError> {
        let mut walk = Walk { files: Self::default(), bytes: 0, entries: 0 };
        fs::read_dir(dir).map_err(|source| read_error(dir, source))?;
        for part in PARTS {
            if is_there(dir, part)? {
                walk.visit(&dir.join(part), part, 0)?;
            }
        }
        Ok(walk.files)
    }

    /// Returns every file with its path, in the order of the paths.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Cow<'static, [u8]>)> {
        self.entries.iter().map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// Returns the hash of all files with their paths.
    pub(super) fn hash(&self) -> Hash {
        let lines = self.all().map(|(path, bytes)| format!("{} {path}\n", Hash::of(bytes)));
        Hash::of(lines.collect::<String>().as_bytes())
    }

    /// Returns a text that every package has.
    pub(super) fn text(&self, path: &str) -> Result<&str, ContentError> {
        self.find_text(path)?.ok_or_else(|| ContentError::Missing { file: path.to_owned() })
    }

    /// Returns a text, if it is there.
    pub(super) fn find_text(&self, path: &str) -> Result<Option<&str>, ContentError> {
        let Some(bytes) = self.entries.get(path) else {
            return Ok(None);
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(ContentError::invalid(path, "text", "must be UTF-8")),
        }
    }

    /// Returns every file below a folder.
    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = (&str, &Cow<'static, [u8]>)> {
        let prefix = format!("{folder}/");
        self.entries
            .iter()
            .filter(move |(path, _)| path.starts_with(&prefix))
            .map(|(path, bytes)| (path.as_str(), bytes))
    }

    #[cfg(test)]
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    #[cfg(test)]
    pub(super) fn put(&mut self, path: &str, text: String) {
        self.entries.insert(path.to_owned(), Cow::Owned(text.into_bytes()));
    }

    #[cfg(test)]
    pub(super) fn remove(&mut self, path: &str) {
        assert!(self.entries.remove(path).is_some(), "{path} is there");
    }
}

/// Whether a part of a package is there; the folders on the way to it must be folders themselves.
fn is_there(dir: &Path, part: &str) -> Result<bool, ContentError> {
    for (end, _) in part.match_indices('/').chain([(part.len(), "")]) {
        let (name, path) = (&part[..end], dir.join(&part[..end]));
        match fs::symlink_metadata(&path) {
            Ok(data) if end == part.len() || data.is_dir() => {}
            Ok(_) => return Err(special(name)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(source) => return Err(read_error(&path, source)),
        }
    }
    Ok(true)
}

struct Walk {
    files: Files,
    bytes: u64,
    entries: usize,
}

impl Walk {
    fn visit(&mut self, path: &Path, name: &str, depth: usize) -> Result<(), ContentError> {
        let data = fs::symlink_metadata(path).map_err(|source| read_error(path, source))?;
        if data.is_dir() {
            return self.visit_folder(path, name, depth);
        }
        if !data.is_file() {
            return Err(special(name));
        }
        let bytes = self.read(path, name)?;
        self.files.entries.insert(name.to_owned(), Cow::Owned(bytes));
        Ok(())
    }

    /// Reads a regular file, whatever has taken its place since it was looked at.
    fn read(&mut self, path: &Path, name: &str) -> Result<Vec<u8>, ContentError> {
        let failed = |source| read_error(path, source);
        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        let file = File::options().read(true).custom_flags(flags.bits()).open(path);
        let file = file.map_err(failed)?;
        let data = file.metadata().map_err(failed)?;
        if !data.is_file() {
            return Err(special(name));
        }
        let most = FILE_BYTES_MAX.min(PACKAGE_BYTES_MAX - self.bytes);
        let mut bytes = Vec::new();
        if data.len() <= most {
            file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
        }
        let read = bytes.len() as u64;
        if data.len() > most || read > most {
            return Err(ContentError::invalid(name, "size", "at most 8 MiB a file, 64 MiB in all"));
        }
        self.bytes += read;
        Ok(bytes)
    }

    fn visit_folder(&mut self, path: &Path, name: &str, depth: usize) -> Result<(), ContentError> {
        if depth == DEPTH_MAX {
            return Err(ContentError::invalid(name, "folder", "is nested too deeply"));
        }
        for entry in fs::read_dir(path).map_err(|source| read_error(path, source))? {
            let entry = entry.map_err(|source| read_error(path, source))?;
            self.entries += 1;
            if self.entries > ENTRIES_MAX {
                let problem = "at most 1,000 files and folders in a package";
                return Err(ContentError::invalid(name, "count", problem));
            }
            let file_name = entry.file_name();
            let Some(file_name) = file_name.to_str() else {
                return Err(ContentError::invalid(name, "name", "has a name that is not UTF-8"));
            };
            // The format ignores names that begin with a dot.
            if !file_name.starts_with('.') {
                self.visit(&entry.path(), &format!("{name}/{file_name}"), depth + 1)?;
            }
        }
        Ok(())
    }
}

fn special(name: &str) -> ContentError {
    ContentError::invalid(name, "file", "is a link or a special file")
}

fn read_error(path: &Path, source: io::Error) -> ContentError {
    ContentError::Read { path: path.display().to_string(), source }
}
