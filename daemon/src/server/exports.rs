//! A session's log as a file in the data folder, as it is stored or in the form of its specification.
//!
//! Nothing is written anywhere else: whoever asked copies the file to where it is wanted.

use std::io;
use std::path::{Path, PathBuf};

use vosim_engine::kinds;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::service::ExportForm;
use vosim_protocol::{ErrorCode, ErrorObject, Head, SessionId};
use vosim_store::{Store, write_file};

use crate::actors::registry::read_log;
use crate::daemon::store_error;
use crate::server::reports::{damaged, may_leave};

/// Writes a log in a form, or in the one that is usual for its kind; blocks.
pub(crate) fn write(
    store: &Store,
    head: &Head,
    form: Option<ExportForm>,
    data: &Path,
) -> Result<PathBuf, ErrorObject> {
    if form == Some(ExportForm::Records) {
        return write_records(store, head, data);
    }
    match (write_plain(store, head, data)?, form) {
        (Some(path), _) => Ok(path),
        (None, Some(_)) => Err(no_plain_form(head)),
        (None, None) => write_records(store, head, data),
    }
}

/// Nothing for a kind that has no such form.
fn write_plain(store: &Store, head: &Head, data: &Path) -> Result<Option<PathBuf>, ErrorObject> {
    let (kind, id) = (head.kind, head.session_id);
    let lines = read_log(store, id)?;
    let spec = store.blob(head.spec).map_err(|error| store_error(&error))?;
    let text = kinds::plain(kind, id, &spec, &lines).map_err(|error| damaged(id, &error))?;
    let Some(text) = text else { return Ok(None) };
    let path = plain_file(data, id);
    write_file(&path, &text).map_err(|error| store_error(&error))?;
    Ok(Some(path))
}

fn write_records(store: &Store, head: &Head, data: &Path) -> Result<PathBuf, ErrorObject> {
    may_leave(store, head)?;
    store.export(head.session_id, &data.join("exports")).map_err(|error| store_error(&error))
}

fn no_plain_form(head: &Head) -> ErrorObject {
    let (id, kind) = (head.session_id.short(), head.kind.with_article());
    let message = format!("session {id} is {kind}, which has no form jsonl");
    ErrorObject::new(ErrorCode::WrongKind, message)
        .next(Next::run("export it", Action::ExportRecords))
}

/// The file of a session in the form of 000 (000: file system layout). The folder `exports` beside
/// its own is the store's.
fn plain_file(data: &Path, id: SessionId) -> PathBuf {
    data.join("sessions").join(format!("{id}.jsonl"))
}

/// Removes the file in the form of 000; most sessions have none.
pub(crate) fn remove_plain(data: &Path, id: SessionId) -> Result<(), ErrorObject> {
    let path = plain_file(data, id);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            let message = format!("cannot remove {}: {}", path.display(), cause(&error));
            Err(ErrorObject::new(ErrorCode::StoreUnavailable, message))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
