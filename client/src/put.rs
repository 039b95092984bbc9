//! The one way in which a command puts a file where the user wants it.
//!
//! A slip at the name must not cost anybody's work: only a file of the same kind is replaced, or an
//! empty one, and nothing that is no regular file. What belongs to the store is never replaced,
//! since the daemon alone writes there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use vosim_protocol::Json;

use crate::errors::{Failure, code, user_error};
use crate::files::{is_directory, not_a_file, not_in_the_store, opened, unreadable, unwritable};

/// How a copy of the store begins.
const BACKUP: &[u8] = b"vosim-backup ";

/// How the bundles begin.
const BUNDLE: &[u8] = b"{\n  \"bundle\":";

/// What a page for a browser names as its maker, and how it says so in its first line.
pub(crate) const PAGE: &str = "vosimctl";
const MADE: &str = "<meta name=\"generator\" content=\"vosimctl\">";

/// As much of a file as its first line may have to be recognised.
const LINE_MAX_BYTES: u64 = 256 * 1024;

/// What is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What `export` writes.
    Export,
    /// What `backup` writes.
    Backup,
    /// What `--html` writes.
    Page,
    /// What somebody types, until it is sent.
    Draft,
}

/// What may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// An earlier file of the same kind.
    SameKind,
    /// Any regular file, as the user insists.
    AnyFile,
}

/// A place where a file may be put.
#[derive(Debug)]
pub(crate) struct Target {
    /// Where the file goes. A link is followed, so that it stays what it is.
    path: PathBuf,
    /// A name beside it that nothing bears.
    beside: PathBuf,
    replaces: bool,
}

impl Target {
    /// Looks at what is there and changes nothing; `data` is the store's folder.
    pub(crate) fn at(named: &Path, kind: Kind, over: Over, data: &Path) -> Result<Self, Failure> {
        let is_folder = named.is_dir() || named.as_os_str().as_bytes().ends_with(b"/");
        if is_folder || named.file_name().is_none() {
            return Err(is_directory(named).hint("Name a file in it"));
        }
        let is_link = named.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        let path = match fs::canonicalize(named) {
            Ok(path) => path,
            // A link that leads nowhere is somebody's all the same.
            Err(_) if is_link => return Err(not_a_file(named).hint(ELSEWHERE)),
            Err(_) => named.to_owned(),
        };
        not_in_the_store(&path, data).map_err(|failure| failure.hint(ELSEWHERE))?;
        let replaces = match path.metadata() {
            Ok(meta) if !meta.is_file() => return Err(not_a_file(named).hint(ELSEWHERE)),
            Ok(_) if over == Over::SameKind && !is_ours(&path, kind) => {
                return Err(taken(named, kind));
            }
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(cannot_put(named, &error)),
        };
        let beside = free_name(&path);
        let beside = beside.ok_or_else(|| cannot_put(named, &io::ErrorKind::NotFound.into()))?;
        Ok(Self { path, beside, replaces })
    }

    /// Where whoever writes the file writes it first. Nothing is there.
    pub(crate) fn beside(&self) -> &Path {
        &self.beside
    }

    /// Writes a whole file or none.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.beside);
        let written = file.and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        match written {
            Ok(()) => self.take(),
            Err(error) => {
                self.give_up();
                Err(cannot_put(&self.path, &error))
            }
        }
    }

    /// Puts the file that was written beside into its place.
    pub(crate) fn take(&self) -> Result<(), Failure> {
        let put = if self.replaces {
            fs::rename(&self.beside, &self.path)
        } else {
            put_new(&self.beside, &self.path)
        };
        let folder = self.path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        put.and_then(|()| File::open(folder)?.sync_all()).map_err(|error| {
            self.give_up();
            cannot_put(&self.path, &error)
        })
    }

    /// Removes what was written beside, which is of no use.
    pub(crate) fn give_up(&self) {
        // The error that led here is the one to tell.
        fs::remove_file(&self.beside).ok();
    }
}

const ELSEWHERE: &str = "Name another file, or - for standard output";

/// What keeps a file from being put somewhere, and what would help.
fn cannot_put(path: &Path, error: &io::Error) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            "Name a file in a folder that exists, or - for standard output"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "Name a file in a folder where you may write, or - for standard output"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Make room, or name a file on another disk"
        }
        io::ErrorKind::FileTooLarge => "Raise the limit (ulimit -f), or name - for standard output",
        _ => ELSEWHERE,
    };
    unwritable(path, error).hint(hint)
}

/// Gives a file its name unless something bears it by now.
fn put_new(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Not every file system knows hard links.
        Err(_) => fs::rename(from, to),
    }
}

fn free_name(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?;
    (0..u32::MAX).find_map(|n| {
        let mut beside = name.to_os_string();
        beside.push(format!(".{}-{n}.partial", std::process::id()));
        let beside = path.with_file_name(beside);
        beside.symlink_metadata().is_err().then_some(beside)
    })
}

fn taken(path: &Path, kind: Kind) -> Failure {
    let shown = path.display();
    match kind {
        Kind::Export => {
            let message = format!(
                "the file {shown} already exists and is not an export; it was left as it is"
            );
            user_error(code::FILE_EXISTS, message)
                .hint("Name another file, or replace this one with: --force")
        }
        Kind::Backup => {
            let message = format!(
                "the file {shown} already exists and is not a copy of a store; it was left as it is"
            );
            user_error(code::FILE_EXISTS, message).hint("Name another file")
        }
        Kind::Page => {
            let message = format!(
                "the file {shown} already exists and is no page of vosimctl; it was left as it is"
            );
            user_error(code::FILE_EXISTS, message)
                .hint("Name another file, or replace this one with: --force")
        }
        Kind::Draft => user_error(code::FILE_EXISTS, format!("the file {shown} already exists")),
    }
}

/// Whether a file holds what is put, or nothing.
fn is_ours(path: &Path, kind: Kind) -> bool {
    let Ok(line) = first_line(path) else { return false };
    line.is_empty()
        || match kind {
            Kind::Export => is_bundle(path) || is_record(&line),
            Kind::Backup => line.starts_with(BACKUP),
            Kind::Page => is_page(&line),
            // Whose folder it is, nobody else's files are in.
            Kind::Draft => true,
        }
}

fn is_page(line: &[u8]) -> bool {
    line.starts_with(b"<!DOCTYPE html>") && String::from_utf8_lossy(line).contains(MADE)
}

fn is_bundle(path: &Path) -> bool {
    let mut begins = vec![0; BUNDLE.len()];
    let Ok(mut file) = opened(path) else { return false };
    file.read_exact(&mut begins).is_ok() && begins == BUNDLE
}

/// Whether a line is a record, or an event in the form of 000.
fn is_record(line: &[u8]) -> bool {
    let Ok(Json::Object(fields)) = serde_json::from_slice(line) else { return false };
    ["session_id", "timestamp", "event_type", "payload"].iter().all(|key| fields.contains_key(*key))
}

fn first_line(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut line = Vec::new();
    let read = BufReader::new(opened(path)?).take(LINE_MAX_BYTES).read_until(b'\n', &mut line);
    read.map_err(|error| unreadable(path, &error))?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const RECORD: &str =
        "{\"session_id\":\"1\",\"timestamp\":\"\",\"event_type\":\"X\",\"payload\":{}}\n";

    fn put(path: &Path, kind: Kind, over: Over) -> Result<(), Failure> {
        Target::at(path, kind, over, Path::new("/no/such/data"))?.write(b"new")
    }

    #[test]
    fn a_file_is_replaced_whole_by_its_kind_alone_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lru_cache.py");
        let export = |over| put(&path, Kind::Export, over);
        export(Over::SameKind).unwrap();
        for earlier in ["{\n  \"bundle\": \"replay\"\n}\n", RECORD, ""] {
            fs::write(&path, earlier).unwrap();
            export(Over::SameKind).unwrap();
        }
        let foreign = [
            "class LRUCache:\n    pass\n",
            "{\"bundles\": 1}",
            "\n",
            "vosim-backup 2\n",
            "{\"session_id\":\"1\",\"mine\":true}\n",
        ];
        for foreign in foreign {
            fs::write(&path, foreign).unwrap();
            assert!(export(Over::SameKind).unwrap_err().is(code::FILE_EXISTS), "{foreign}");
            assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
        }
        assert!(put(&path, Kind::Backup, Over::SameKind).is_err());
        fs::write(&path, "vosim-backup 1\n").unwrap();
        put(&path, Kind::Backup, Over::SameKind).unwrap();
        fs::write(&path, "precious").unwrap();
        export(Over::AnyFile).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(put(&path, Kind::Page, Over::SameKind).is_err());
        fs::write(&path, format!("<!DOCTYPE html><html><head>{MADE}</head></html>")).unwrap();
        put(&path, Kind::Page, Over::SameKind).unwrap();
        assert_eq!(dir.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn nothing_but_a_file_is_replaced_however_much_somebody_insists() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        symlink(at("nowhere"), at("dangling")).unwrap();
        symlink(at("pipe"), at("to_pipe")).unwrap();
        let special = ["socket", "pipe", "dangling", "to_pipe"].map(at);
        for path in special.iter().map(PathBuf::as_path).chain([Path::new("/dev/zero")]) {
            for kind in [Kind::Export, Kind::Backup] {
                let refused = put(path, kind, Over::AnyFile).unwrap_err().to_string();
                assert!(refused.starts_with("this is not a regular file"), "{refused}");
            }
        }
        for folder in [dir.path().to_owned(), at("new/"), at("socket/"), at(".."), "/".into()] {
            let refused = put(&folder, Kind::Export, Over::AnyFile).unwrap_err().to_string();
            assert!(refused.starts_with("this is a directory, not a file"), "{refused}");
        }
        assert_eq!(dir.path().read_dir().unwrap().count(), 4);
    }

    #[test]
    fn a_link_stays_and_what_it_leads_to_is_what_counts() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        symlink(&file, &link).unwrap();
        fs::write(&file, "precious").unwrap();
        assert!(put(&link, Kind::Export, Over::SameKind).is_err());
        fs::write(&file, RECORD).unwrap();
        put(&link, Kind::Export, Over::SameKind).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn the_store_s_own_folder_is_nobody_s_to_write_in() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        fs::create_dir_all(data.join("exports")).unwrap();
        let archive = data.join("exports/1.jsonl");
        fs::write(&archive, RECORD).unwrap();
        symlink(&archive, dir.path().join("link")).unwrap();
        symlink(&data, dir.path().join("folder")).unwrap();
        let names = [
            archive,
            data.join("new"),
            dir.path().join("link"),
            dir.path().join("folder/x"),
            data.join("exports/../new"),
            data.join("no/such/folder/x"),
        ];
        for name in names {
            let refused = Target::at(&name, Kind::Export, Over::AnyFile, &data).unwrap_err();
            assert!(refused.to_string().contains("the store's own folder"), "{refused}");
        }
    }

    #[test]
    fn what_comes_in_between_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let place = Target::at(&path, Kind::Backup, Over::SameKind, Path::new("/no/data")).unwrap();
        fs::write(&path, "somebody was faster").unwrap();
        assert!(place.write(b"new").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "somebody was faster");
        assert_eq!(dir.path().read_dir().unwrap().count(), 1);
    }
}
