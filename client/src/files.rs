//! Files that a user has named: read with a bound, and told in one wording where that fails.
//!
//! What a file is for, and so what it must hold, is its reader's business.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::errors::{Failure, code, user_error};

/// What a regular file holds, and one byte more than the limit of one that is too large.
pub(crate) fn regular_file(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let unreadable = |error| unreadable(path, &error);
    // A named pipe would block at opening, a device never end.
    let meta = path.metadata().map_err(unreadable)?;
    if meta.is_dir() {
        return Err(is_directory(path));
    }
    if !meta.is_file() {
        return Err(not_a_file(path));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// The path that stands for a pipe: standard output, or standard input.
const PIPE: &str = "-";

/// Whether a path stands for a pipe.
pub(crate) fn is_pipe(path: &Path) -> bool {
    path == Path::new(PIPE)
}

/// A file to be read. Standard input becomes one as long as this lives, since it is read twice.
#[derive(Debug)]
pub(crate) struct Input {
    path: PathBuf,
    is_ours: bool,
}

impl Input {
    pub(crate) fn named(path: &Path) -> Result<Self, Failure> {
        if !is_pipe(path) {
            return Ok(Self { path: path.to_owned(), is_ours: false });
        }
        let name = format!("vosimctl-{}-standard-input", std::process::id());
        let path = std::env::temp_dir().join(name);
        let unwritable = |error| unwritable(&path, &error);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let mut file = file.map_err(unwritable)?;
        let input = Self { path: path.clone(), is_ours: true };
        io::copy(&mut io::stdin().lock(), &mut file).map_err(unwritable)?;
        Ok(input)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        if self.is_ours {
            // What is left in the folder for temporary files harms nobody.
            fs::remove_file(&self.path).ok();
        }
    }
}

/// 000: error messages.
pub(crate) fn missing(path: &Path) -> Failure {
    user_error(code::FILE_NOT_FOUND, format!("File not found: {}", path.display()))
}

pub(crate) fn is_directory(path: &Path) -> Failure {
    let message = format!("this is a directory, not a file: {}", path.display());
    user_error(code::FILE_UNREADABLE, message)
}

pub(crate) fn not_a_file(path: &Path) -> Failure {
    user_error(code::FILE_UNREADABLE, format!("this is not a regular file: {}", path.display()))
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => missing(path),
        _ => user_error(code::FILE_UNREADABLE, format!("cannot read {}: {error}", path.display())),
    }
}

pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    user_error(code::WRITE_FAILED, format!("cannot write {}: {error}", path.display()))
}
