//! Writes what was exported to where the user wants it, never over anything else of theirs.

use std::fs::{File, OpenOptions, rename};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::errors::{Failure, code, user_error};
use crate::files::{is_directory, not_a_file, unwritable};

/// How everything that `export` writes begins: the bundles, and each line of a log.
const BEGINNINGS: [&[u8]; 2] = [b"{\n  \"bundle\":", b"{\"session_id\":"];

/// Writes what was exported to the place that the user has named. A file that is there is replaced
/// where it is an earlier export or holds nothing: a slip at the name must not cost anybody's code.
pub(crate) fn write_export(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    match path.metadata() {
        Ok(meta) if meta.is_dir() => return Err(is_directory(path)),
        // A device or a pipe would be renamed over, and nobody wants that.
        Ok(meta) if !meta.is_file() => return Err(not_a_file(path)),
        Ok(_) if !force && !is_ours(path) => return Err(taken(path)),
        Ok(_) | Err(_) => {}
    }
    write_file(path, bytes)
}

fn taken(path: &Path) -> Failure {
    let shown = path.display();
    let message = format!("{shown} already exists and is not an export; it was left as it is");
    user_error(code::FILE_EXISTS, message)
        .hint("Name another file, or replace this one with: --force")
}

fn is_ours(path: &Path) -> bool {
    beginning(path).is_ok_and(|begins| {
        begins.is_empty() || BEGINNINGS.iter().any(|known| begins.starts_with(known))
    })
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut begins = Vec::new();
    File::open(path)?.take(32).read_to_end(&mut begins)?;
    Ok(begins)
}

/// Writes a whole file or none: beside its place, synced, then renamed.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes).map_err(|error| unwritable(path, &error))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let mut partial = name.to_os_string();
    partial.push(format!(".{}.partial", std::process::id()));
    let partial = folder.join(partial);
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&partial)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| rename(&partial, path));
    if written.is_err() {
        // What is left of it is of no use; the first error is the one to tell.
        std::fs::remove_file(&partial).ok();
    }
    written?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        write_file(&path, b"one").unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1);
        assert!(write_file(dir.path(), b"x").is_err());
    }

    #[test]
    fn an_export_replaces_an_earlier_one_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lru_cache.py");
        let export = |force| write_export(&path, b"{\"session_id\":\"2\"}\n", force);
        export(false).unwrap();
        for earlier in ["{\n  \"bundle\": \"replay\"\n}\n", "{\"session_id\":\"1\"}\n", ""] {
            std::fs::write(&path, earlier).unwrap();
            export(false).unwrap();
        }
        for foreign in ["class LRUCache:\n    pass\n", "{\"bundles\": 1}", "\n"] {
            std::fs::write(&path, foreign).unwrap();
            assert!(export(false).unwrap_err().is(code::FILE_EXISTS), "{foreign}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign);
        }
        export(true).unwrap();
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("{\"session_id\""));
        let device = write_export(Path::new("/dev/zero"), b"x", false);
        assert!(device.unwrap_err().to_string().starts_with("this is not a regular file"));
        let folder = write_export(dir.path(), b"x", false).unwrap_err().to_string();
        assert!(folder.starts_with("this is a directory, not a file"), "{folder}");
    }
}
