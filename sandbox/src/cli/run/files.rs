//! The files that go into a run: those that `--file` and `--stdin` name, and arguments that are
//! regular files in this directory or below. No other file is read, whatever links there are.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use vosim_sandbox_spec::Content;

/// Largest file that is copied in, bytes.
const FILE_MAX: u64 = 4 * 1024 * 1024;

/// Longest time until a pipe must end.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Flags with which opening never waits, and no terminal becomes the controlling one.
const OPENED: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Reads the text of `--stdin` from a regular file, or from a pipe that ends in time.
pub(super) fn input(path: &str, patience: Duration) -> Result<String, String> {
    let told = |error: io::Error| format!("--stdin {path}: {error}");
    let mut file = open(path).map_err(told)?;
    let kind = file.metadata().map_err(told)?.file_type();
    let bytes = if kind.is_file() {
        whole(&mut file).map_err(told)?
    } else if kind.is_fifo() {
        piped(&mut file, patience).map_err(told)?
    } else {
        return Err(format!("--stdin {path} is neither a regular file nor a pipe"));
    };
    String::from_utf8(bytes).map_err(|_| format!("--stdin {path} is no text in UTF-8"))
}

/// Reads the files of `--file`.
pub(super) fn named(wanted: &[(String, String)]) -> Result<BTreeMap<String, Content>, String> {
    let mut files = BTreeMap::new();
    for (name, path) in wanted {
        let told = |error: io::Error| format!("--file {name}={path}: {error}");
        let mut file = open(path).map_err(told)?;
        if !file.metadata().map_err(told)?.is_file() {
            return Err(format!("--file {name}={path}: that is no regular file"));
        }
        if files.insert(name.clone(), whole(&mut file).map_err(told)?.into()).is_some() {
            return Err(format!("two files are called {name}"));
        }
    }
    Ok(files)
}

fn open(path: &str) -> io::Result<File> {
    let flags = OPENED.difference(OFlags::CLOEXEC).bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Reads to the end, and refuses a file that is too large.
fn whole(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(FILE_MAX + 1).read_to_end(&mut bytes)?;
    within_bounds(&bytes)?;
    Ok(bytes)
}

fn within_bounds(bytes: &[u8]) -> io::Result<()> {
    if bytes.len() as u64 > FILE_MAX {
        return Err(io::Error::other(format!("more than {FILE_MAX} bytes")));
    }
    Ok(())
}

/// Reads a pipe until all its writers have closed it. Without a writer the wait is the longest.
fn piped(pipe: &mut File, patience: Duration) -> io::Result<Vec<u8>> {
    let deadline = Instant::now() + patience;
    let mut bytes = Vec::new();
    let mut chunk = [0; 64 * 1024];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        if poll(&mut [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)], timeout)? == 0 {
            let why = format!("no end of it came within {} s", patience.as_secs());
            return Err(io::Error::new(ErrorKind::TimedOut, why));
        }
        match pipe.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
        within_bounds(&bytes)?;
    }
}

/// The arguments as the program gets them, and remarks for the user.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Laid {
    pub(super) arguments: Vec<String>,
    /// Files that were left out although they seem to be meant.
    pub(super) notes: Vec<String>,
}

/// Copies every argument that is a file in `dir` or below into the working directory. Any other
/// argument, and a file that cannot be read, stays a plain word.
pub(super) fn lay(
    dir: &Path,
    arguments: &[String],
    files: &mut BTreeMap<String, Content>,
) -> Result<Laid, String> {
    let mut laid: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut told = Laid::default();
    for argument in arguments {
        let path = PathBuf::from(argument);
        let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        // A name that `--file` has given means that file.
        let free = |name: &String| !files.contains_key(name) || laid.contains_key(name);
        let wanted = !argument.starts_with('-') && path.is_relative();
        let Some(name) = name.filter(|name| wanted && free(name)) else {
            told.arguments.push(argument.clone());
            continue;
        };
        match below(dir, &path) {
            Ok(Some(content)) => {
                if laid.get(&name).is_some_and(|other| *other != path) {
                    return Err(format!("two files are called {name}; name one with --file"));
                }
                files.insert(name.clone(), content.into());
                laid.insert(name.clone(), path);
                told.arguments.push(name);
            }
            Ok(None) => told.arguments.push(argument.clone()),
            Err(why) => {
                if dir.join(&path).is_file() {
                    told.notes.push(format!("{argument} is not copied in: {why}"));
                }
                told.arguments.push(argument.clone());
            }
        }
    }
    Ok(told)
}

/// Reads a regular file in a directory or below; no link and no `..` leads out of it.
fn below(dir: &Path, path: &Path) -> Result<Option<Vec<u8>>, String> {
    let told = |error: io::Error| error.to_string();
    let from = (!dir.as_os_str().is_empty()).then(|| File::open(dir)).transpose().map_err(told)?;
    let from = from.as_ref().map_or(CWD, |dir| dir.as_fd());
    let resolve = ResolveFlags::BENEATH.union(ResolveFlags::NO_MAGICLINKS);
    let mut file = match openat2(from, path, OPENED, Mode::empty(), resolve) {
        Ok(file) => File::from(file),
        Err(rustix::io::Errno::XDEV) => {
            return Err("it leads out of this directory; --file names any file".to_owned());
        }
        Err(errno) => return Err(told(errno.into())),
    };
    if !file.metadata().map_err(told)?.is_file() {
        return Ok(None);
    }
    whole(&mut file).map(Some).map_err(told)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn an_argument_is_a_file_of_this_directory_whatever_links_there_are() {
        let outside = tempfile::tempdir().unwrap();
        let dir = outside.path().join("dir");
        fs::create_dir_all(dir.join("sub")).unwrap();
        fs::write(outside.path().join("outer"), "secret").unwrap();
        fs::write(dir.join("sub/inner"), b"\xe4").unwrap();
        symlink(outside.path().join("outer"), dir.join("absolute")).unwrap();
        symlink("../outer", dir.join("relative")).unwrap();
        symlink("sub/inner", dir.join("within")).unwrap();
        symlink("/proc/self/exe", dir.join("magic")).unwrap();
        symlink("..", dir.join("up")).unwrap();
        let out = ["absolute", "relative", "../outer", "up/outer", "magic"];
        let plain = ["sub", "..", "none", "-x", "/etc/passwd", "", "up"];
        let asked = words(&[&out[..], &plain, &["sub/inner", "within"]].concat());
        let mut files = BTreeMap::new();
        let laid = lay(&dir, &asked, &mut files).unwrap();
        let inside = words(&[&out[..], &plain, &["inner", "within"]].concat());
        assert_eq!(laid.arguments, inside);
        let why = "is not copied in: it leads out of this directory; --file names any file";
        assert_eq!(laid.notes, out.map(|argument| format!("{argument} {why}")));
        let bytes = Content::Bytes(vec![0xe4]);
        assert_eq!(
            files,
            [("inner", bytes.clone()), ("within", bytes)]
                .map(|(name, content)| (name.to_owned(), content))
                .into()
        );
    }

    #[test]
    fn a_name_that_was_given_is_kept_and_one_that_is_meant_twice_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("a"), "here").unwrap();
        fs::write(dir.path().join("sub/a"), "below").unwrap();
        let mut files = BTreeMap::from([("a".to_owned(), Content::default())]);
        let laid = lay(dir.path(), &words(&["a"]), &mut files).unwrap();
        assert_eq!((laid.arguments, files["a"].as_ref()), (words(&["a"]), &b""[..]));
        files.clear();
        let told = lay(dir.path(), &words(&["a", "sub/a"]), &mut files).unwrap_err();
        assert!(told.contains("two files are called a"), "{told}");
    }

    #[test]
    fn what_is_too_large_stays_a_word_and_is_named() {
        let dir = tempfile::tempdir().unwrap();
        File::create(dir.path().join("big")).unwrap().set_len(FILE_MAX + 1).unwrap();
        let laid = lay(dir.path(), &words(&["big"]), &mut BTreeMap::new()).unwrap();
        assert_eq!(laid.notes, ["big is not copied in: more than 4194304 bytes"]);
    }

    #[test]
    fn nothing_that_is_named_is_waited_for_without_end() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let path = fifo.to_str().unwrap().to_owned();
        let told = named(&[("a".to_owned(), path.clone())]).unwrap_err();
        assert!(told.contains("no regular file"), "{told}");
        let told = input(&path, Duration::ZERO).unwrap_err();
        assert!(told.contains("no end of it came within 0 s"), "{told}");
        let told = input("/dev/zero", Duration::ZERO).unwrap_err();
        assert!(told.contains("neither a regular file nor a pipe"), "{told}");
    }
}
