//! The one file of memory: a head that names version and checksum, then one entry a line.
//!
//! It is written beside its place, synced and renamed, so a reader finds the old one or the new one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};

/// The most bytes of all entries with their line ends.
pub(super) const ENTRIES_BYTES_MAX: usize = 16 * 1024 * 1024;

/// No longer file is read.
const BYTES_MAX: usize = ENTRIES_BYTES_MAX + 1_024;

const HEAD: &str = "vosim-memory 1";

/// How many files that were set aside are kept; a further one takes the place of the last.
const ASIDE_MAX: u32 = 3;

/// Returns the entries that a file holds; none where there is no file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(path: &Path) -> Result<Vec<String>, String> {
    let text = match contents(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let (head, entries) = text.split_once('\n').unwrap_or((&text, ""));
    let Some(sum) = head.strip_prefix(HEAD).and_then(|rest| rest.strip_prefix(' ')) else {
        return Err(if head.starts_with("vosim-memory ") {
            "it was written by another version of vosim".to_owned()
        } else {
            "it is no memory of vosim".to_owned()
        });
    };
    if sum != checksum(entries) {
        return Err("its contents do not agree with their checksum".to_owned());
    }
    Ok(entries.lines().map(str::to_owned).collect())
}

fn contents(path: &Path) -> io::Result<String> {
    // Nothing but a file is opened to be read: a pipe would be waited for.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    if about.len() > BYTES_MAX as u64 {
        return Err(io::Error::other(format!("it has {} bytes", about.len())));
    }
    let mut text = String::new();
    file.take(BYTES_MAX as u64).read_to_string(&mut text)?;
    Ok(text)
}

/// Replaces the file by one with these entries.
pub(super) fn write(path: &Path, entries: &[String]) -> io::Result<()> {
    let mut body = entries.join("\n");
    body.push('\n');
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    let beside = with_ending(path, "unfinished");
    // What a crash has left; another daemon does not write here.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    write!(file, "{HEAD} {}\n{body}", checksum(&body))?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    File::open(parent)?.sync_all()
}

/// Gives whatever has the name another one.
pub(super) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let names = (1..=ASIDE_MAX).map(|number| with_ending(path, &format!("aside-{number}")));
    let free = |name: &PathBuf| fs::symlink_metadata(name).is_err();
    let last = with_ending(path, &format!("aside-{ASIDE_MAX}"));
    let kept = names.into_iter().find(free).unwrap_or(last);
    fs::rename(path, &kept)?;
    Ok(kept)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, symlink};

    use super::*;

    fn place() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/memory");
        (dir, path)
    }

    fn entries(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("{{\"ä\":{number}}}")).collect()
    }

    #[test]
    fn what_is_written_is_read_and_is_ours_alone() {
        let (_dir, path) = place();
        assert_eq!(read(&path), Ok(Vec::new()));
        for count in [0, 1, 3] {
            write(&path, &entries(count)).unwrap();
            let read = read(&path).unwrap();
            assert_eq!(
                read.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
                entries(count)
            );
        }
        let mode = fs::metadata(&path).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        // What a crash has left is in nobody's way.
        fs::write(with_ending(&path, "unfinished"), "half").unwrap();
        write(&path, &entries(1)).unwrap();
        assert_eq!(read(&path), Ok(entries(1)));
    }

    #[test]
    fn every_cut_and_every_other_byte_is_noticed() {
        let (_dir, path) = place();
        write(&path, &entries(2)).unwrap();
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            fs::write(&path, &whole[..at]).unwrap();
            assert!(read(&path).is_err(), "cut at {at}");
            let mut other = whole.clone();
            other[at] ^= 1;
            fs::write(&path, &other).unwrap();
            assert!(read(&path).is_err(), "byte {at}");
        }
    }

    #[test]
    fn what_is_foreign_is_said() {
        let (_dir, path) = place();
        fs::create_dir(path.parent().unwrap()).unwrap();
        for (bytes, why) in [
            (&b"hello\n"[..], "it is no memory of vosim"),
            (b"", "it is no memory of vosim"),
            (b"vosim-memory 2 x\n", "it was written by another version of vosim"),
            (&[0xff; 9], "stream did not contain valid UTF-8"),
        ] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(read(&path), Err(why.to_owned()));
        }
        fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        assert!(read(&path).unwrap_err().contains("symbolic link"));
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(read(&path), Err("it is no file".to_owned()));
    }

    #[test]
    fn three_that_were_set_aside_are_kept() {
        let (_dir, path) = place();
        fs::create_dir(path.parent().unwrap()).unwrap();
        let set_aside_one = |bytes: &str| {
            fs::write(&path, bytes).unwrap();
            set_aside(&path).unwrap()
        };
        let kept = ["a", "b", "c", "d"].map(set_aside_one);
        let named = [1, 2, 3, 3].map(|number| with_ending(&path, &format!("aside-{number}")));
        assert_eq!(kept, named);
        assert_eq!(fs::read_to_string(&named[2]).unwrap(), "d");
        assert!(!path.exists());
    }

    #[test]
    fn a_pipe_and_a_file_without_end_are_not_waited_for() {
        let (_dir, path) = place();
        fs::create_dir(path.parent().unwrap()).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        assert_eq!(read(&path), Err("it is no file".to_owned()));
        fs::remove_file(&path).unwrap();
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path), Err("it has 1099511627776 bytes".to_owned()));
    }
}
