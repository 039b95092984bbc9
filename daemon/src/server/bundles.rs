//! Bundles of ended sessions, in the exports folder (001 2.2). They hold what is hidden from
//! candidates, so none is made before the end; notes of an interviewer are in neither.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use vosim_engine::{BundleError, kinds};
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::bundle::{BUNDLE_MAX_BYTES, Bundle};
use vosim_protocol::{Blob, ErrorCode, ErrorObject, Hash, Head, SessionId};
use vosim_store::{Store, StoreError, write_file};

use crate::actors::registry::read_log;
use crate::daemon::store_error;

/// The file of a session's bundle; the store keeps none of that name.
pub(crate) fn file(data: &Path, id: SessionId, which: Bundle) -> PathBuf {
    data.join("exports").join(format!("{id}.{}.json", which.name()))
}

/// Writes a bundle; blocks.
pub(crate) fn write(
    store: &Store,
    head: &Head,
    which: Bundle,
    data: &Path,
) -> Result<PathBuf, ErrorObject> {
    if !head.ended {
        return Err(refused(head, &BundleError::NotEnded));
    }
    let (id, kind) = (head.session_id, head.kind);
    let lines = read_log(store, id)?;
    let spec = store.blob(head.spec).map_err(|error| store_error(&error))?;
    let json = match which {
        Bundle::Replay => {
            let code = code(store, head, kinds::code(kind, &lines))?;
            let bundle = kinds::replay_bundle(kind, id, &spec, &lines, code);
            encode(&bundle.map_err(|error| refused(head, &error))?, BUNDLE_MAX_BYTES)
        }
        Bundle::Evaluation => {
            let bundle = kinds::evaluation_bundle(kind, id, &spec, &lines);
            let mut bundle = bundle.map_err(|error| refused(head, &error))?;
            let named = kinds::code(kind, &lines);
            bundle.code = code(store, head, named.clone())?;
            bundle.withheld = named;
            bundle.withheld.sort_unstable();
            bundle.withheld.dedup();
            bundle.withheld.retain(|hash| !bundle.code.contains_key(hash));
            encode(&bundle, BUNDLE_MAX_BYTES)
        }
    };
    let bytes = json.map_err(|error| match error.is_io() {
        true => too_large(head),
        false => {
            ErrorObject::new(ErrorCode::Internal, format!("the bundle cannot be written: {error}"))
        }
    })?;
    let path = file(data, id, which);
    write_file(&path, &bytes).map_err(|error| store_error(&error))?;
    Ok(path)
}

/// The code that a log names, as far as it is still there.
fn code(store: &Store, head: &Head, named: Vec<Hash>) -> Result<BTreeMap<Hash, Blob>, ErrorObject> {
    let code = gather(named, BUNDLE_MAX_BYTES, |hash| kept(store, hash));
    code.map_err(|error| store_error(&error))?.ok_or_else(|| too_large(head))
}

fn kept(store: &Store, hash: Hash) -> Result<Option<Vec<u8>>, StoreError> {
    if store.has_blob(hash)? { store.blob(hash).map(Some) } else { Ok(None) }
}

/// The bytes of what is still there; none if a bundle of so many bytes cannot hold them.
fn gather(
    hashes: Vec<Hash>,
    max: u64,
    read: impl Fn(Hash) -> Result<Option<Vec<u8>>, StoreError>,
) -> Result<Option<BTreeMap<Hash, Blob>>, StoreError> {
    let mut code = BTreeMap::new();
    let mut room = max;
    for hash in hashes {
        if code.contains_key(&hash) {
            continue;
        }
        let Some(bytes) = read(hash)? else { continue };
        // A bundle spells at least four characters for three bytes.
        let Some(left) = room.checked_sub(bytes.len() as u64 / 3 * 4) else { return Ok(None) };
        room = left;
        code.insert(hash, Blob(bytes));
    }
    Ok(Some(code))
}

/// The text of a bundle. The error is one of input and output if it has more than so many bytes.
fn encode(bundle: &impl Serialize, max: u64) -> serde_json::Result<Vec<u8>> {
    let mut text = Bounded { bytes: Vec::new(), max };
    serde_json::to_writer_pretty(&mut text, bundle)?;
    text.write_all(b"\n").map_err(serde_json::Error::io)?;
    Ok(text.bytes)
}

/// Takes so many bytes and no more.
struct Bounded {
    bytes: Vec<u8>,
    max: u64,
}

impl Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + more.len()) as u64 > self.max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn too_large(head: &Head) -> ErrorObject {
    let message = format!(
        "session {}: its bundle would have more than {} MiB, the most that can be read again",
        head.session_id.short(),
        BUNDLE_MAX_BYTES / (1024 * 1024)
    );
    ErrorObject::new(ErrorCode::TooLarge, message)
        .next(Next::run("take the records without the code", Action::ExportRecords))
}

/// Removes bundles that were written, if there are any.
pub(crate) fn remove(data: &Path, id: SessionId, which: &[Bundle]) {
    for which in which {
        // They are there only when somebody has asked for them.
        std::fs::remove_file(file(data, id, *which)).ok();
    }
}

/// Why a session is not told as a whole.
pub(crate) fn refused(head: &Head, error: &BundleError) -> ErrorObject {
    let (code, next) = match error {
        BundleError::NotEnded => (
            ErrorCode::InvalidTransition,
            Next::wait_and_see(
                "its end, since a bundle holds what is hidden until then",
                Action::Log,
            ),
        ),
        BundleError::NoEvaluation { .. } => {
            (ErrorCode::WrongKind, Next::run("take the other one", Action::ExportReplay))
        }
        BundleError::Load(_) => {
            (ErrorCode::StoreDamaged, Next::run("see where the log was changed", Action::Verify))
        }
    };
    let id = head.session_id.short();
    let message = match error {
        BundleError::NotEnded => format!("session {id} has not ended"),
        BundleError::NoEvaluation { .. } | BundleError::Load(_) => format!("session {id}: {error}"),
    };
    ErrorObject::new(code, message).next(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_that_could_not_be_read_again_is_not_written() {
        let whole = encode(&["some", "text"], 1_000).unwrap();
        let bytes = whole.len() as u64;
        assert_eq!(encode(&["some", "text"], bytes).unwrap(), whole);
        assert!(encode(&["some", "text"], bytes - 1).unwrap_err().is_io());
    }

    #[test]
    fn code_that_no_bundle_can_hold_is_not_even_kept_in_memory() {
        let hashes: Vec<_> = (0..4_u8).map(|n| Hash::of(&[n])).collect();
        let read = |_| Ok(Some(vec![0; 300]));
        let mut twice = hashes.clone();
        twice.extend(&hashes);
        assert_eq!(gather(twice, 1_600, read).unwrap().map(|code| code.len()), Some(4));
        assert_eq!(gather(hashes.clone(), 1_599, read).unwrap(), None);
        let deleted = gather(hashes, 0, |_| Ok(None)).unwrap();
        assert_eq!(deleted, Some(BTreeMap::new()));
    }
}
