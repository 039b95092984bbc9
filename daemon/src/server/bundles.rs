//! Bundles of ended sessions, in the exports folder (001 2.2). They hold what is hidden from
//! candidates, so none is made before the end; notes of an interviewer are in neither.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use vosim_engine::{BundleError, kinds};
use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::{Blob, ErrorCode, ErrorObject, Hash, Head, SessionId};
use vosim_store::{Store, StoreError, write_file};

use crate::actors::registry::read_log;
use crate::actors::store_error;

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
            let code =
                code(store, kinds::code(kind, &lines)).map_err(|error| store_error(&error))?;
            let bundle = kinds::replay_bundle(kind, id, &spec, &lines, code);
            serde_json::to_vec_pretty(&bundle.map_err(|error| refused(head, &error))?)
        }
        Bundle::Evaluation => {
            let bundle = kinds::evaluation_bundle(kind, id, &spec, &lines);
            serde_json::to_vec_pretty(&bundle.map_err(|error| refused(head, &error))?)
        }
    };
    let mut bytes = json.map_err(|error| {
        ErrorObject::new(ErrorCode::Internal, format!("the bundle cannot be written: {error}"))
    })?;
    bytes.push(b'\n');
    let path = file(data, id, which);
    write_file(&path, &bytes).map_err(|error| store_error(&error))?;
    Ok(path)
}

/// The bytes of what is still there.
fn code(store: &Store, hashes: Vec<Hash>) -> Result<BTreeMap<Hash, Blob>, StoreError> {
    let mut code = BTreeMap::new();
    for hash in hashes {
        if !code.contains_key(&hash) && store.has_blob(hash)? {
            code.insert(hash, Blob(store.blob(hash)?));
        }
    }
    Ok(code)
}

/// Removes bundles that were written, if there are any.
pub(crate) fn remove(data: &Path, id: SessionId, which: &[Bundle]) {
    for which in which {
        // They are there only when somebody has asked for them.
        std::fs::remove_file(file(data, id, *which)).ok();
    }
}

fn refused(head: &Head, error: &BundleError) -> ErrorObject {
    let (code, hint) = match error {
        BundleError::NotEnded => (
            ErrorCode::InvalidTransition,
            "a bundle holds what is hidden until the end; until then: vosimctl log",
        ),
        BundleError::NoEvaluation { .. } => {
            (ErrorCode::WrongKind, "take the other one with: vosimctl export --bundle replay")
        }
        BundleError::Load(_) => {
            (ErrorCode::StoreDamaged, "see where the log was changed with: vosimctl verify")
        }
    };
    let id = head.session_id.short();
    let message = match error {
        BundleError::NotEnded => format!("session {id} has not ended"),
        BundleError::NoEvaluation { .. } | BundleError::Load(_) => format!("session {id}: {error}"),
    };
    ErrorObject::new(code, message).hint(hint)
}
