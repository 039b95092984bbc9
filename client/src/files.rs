//! Files that a user has named: read with a bound, and told in one wording where that fails.
//!
//! What a file is for, and so what it must hold, is its reader's business.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use vosim_protocol::ErrorCode;
use vosim_protocol::paths::missing_home;
use vosim_protocol::trouble::{Location, Onlooker, Seen, Trouble};
use vosim_watch::is_plain;

use crate::errors::{Failure, code, usage_error, user_error};

/// Opening a file so never waits for somebody at its other end.
pub(crate) const NO_WAIT: i32 = OFlag::O_NONBLOCK.union(OFlag::O_NOCTTY).bits();

/// A regular file, open to be read.
pub(crate) fn opened(path: &Path) -> Result<File, Failure> {
    let unreadable = |error| unreadable(path, &error);
    // A named pipe would block, a device never end.
    let meta = path.metadata().map_err(unreadable)?;
    if meta.is_dir() {
        return Err(is_directory(path));
    }
    if !is_plain(path, &meta) {
        return Err(not_a_file(path));
    }
    OpenOptions::new().read(true).custom_flags(NO_WAIT).open(path).map_err(unreadable)
}

/// What a regular file holds, and one byte more than the limit of one that is too large.
pub(crate) fn regular_file(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = opened(path)?.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(path, &error))?;
    Ok(bytes)
}

/// The text in a regular file; `what` it is stands at the beginning of a sentence.
pub(crate) fn text_file(path: &Path, what: &str, limit: u64) -> Result<String, Failure> {
    let bytes = regular_file(path, limit)?;
    let shown = path.display();
    if bytes.len() as u64 > limit {
        let message = format!("{what} has at most {limit} bytes: {shown}");
        return Err(user_error(ErrorCode::TooLarge, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        usage_error(format!("this is not UTF-8 text, its byte {at} is not: {shown}"))
    })
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

/// The one guard of the store's folder `data`, for every file that is put anywhere.
pub(crate) fn not_in_the_store(path: &Path, data: &Path) -> Result<(), Failure> {
    if !is_inside(path, data) {
        return Ok(());
    }
    let message = format!(
        "this is in the store's own folder, where only the daemon writes: {}",
        path.display()
    );
    Err(user_error(code::FILE_EXISTS, message))
}

/// Whether a path, whose file need not exist, lies in a folder.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    let Ok(path) = std::path::absolute(path) else { return false };
    let there = path.ancestors().find_map(|above| fs::canonicalize(above).ok());
    there.is_some_and(|there| there.starts_with(folder))
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
        _ => refused(code::FILE_UNREADABLE, "read", path, error, Location::Named),
    }
}

pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    unwritable_at(Location::Named, path, error)
}

/// The same of a file of ours, which may stand elsewhere.
pub(crate) fn unwritable_at(place: Location, path: &Path, error: &io::Error) -> Failure {
    refused(code::WRITE_FAILED, "write", path, error, place)
}

fn refused(code: &str, doing: &str, path: &Path, error: &io::Error, place: Location) -> Failure {
    let Trouble { cause, mend } = trouble(path, error, place);
    let failure = user_error(code, format!("cannot {doing} {}: {cause}", path.display()));
    match mend {
        Some(mend) => failure.hint(sentence(&mend)),
        None => failure,
    }
}

/// Why the system refused something at a path, as far as this process can see.
pub(crate) fn trouble(path: &Path, error: &io::Error, place: Location) -> Trouble {
    let look = |path: &Path| {
        path.metadata().ok().map(|meta| Seen { owner: meta.uid(), mode: meta.mode() })
    };
    let uid = nix::unistd::geteuid().as_raw();
    Trouble::of(error, path, place, Onlooker { uid, look: &look })
}

/// Makes a folder of ours with those above it, private to us. Root makes none in somebody's home: that
/// person could not use it any more.
pub(crate) fn make_folder(dir: &Path, place: Location) -> Result<(), Failure> {
    let is_root = nix::unistd::geteuid().is_root();
    let there = dir.ancestors().find_map(|above| above.metadata().ok());
    if let Some(owner) = there.map(|there| there.uid()).filter(|&owner| is_root && owner != 0)
        && !dir.exists()
    {
        let message = format!(
            "you are root, and {} is in a folder of user {owner}, who could not use what root \
             makes there",
            dir.display()
        );
        return Err(user_error(code::WRITE_FAILED, message)
            .hint("Set HOME to root's own home (sudo -H), or be that user"));
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    if let Some(home) = missing_home(dir, home.as_deref(), Path::exists).filter(|_| is_root) {
        let message =
            format!("HOME is {}, which is not there, and root makes no home", home.display());
        return Err(
            user_error(code::WRITE_FAILED, message).hint("Set HOME to root's own home (sudo -H)")
        );
    }
    let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.map_err(|error| unwritable_at(place, dir, &error))
}

/// A step as a sentence that stands alone.
pub(crate) fn sentence(step: &str) -> String {
    let mut letters = step.chars();
    // A command stays as it is typed.
    let is_command = ["chmod ", "sudo ", "mv "].iter().any(|command| step.starts_with(command));
    match letters.next() {
        Some(first) if !is_command => first.to_uppercase().chain(letters).collect(),
        _ => format!("Run: {step}"),
    }
}
