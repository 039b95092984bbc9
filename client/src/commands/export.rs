//! `export`: a session's log in the form of 000, or its records exactly as they are stored.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use vosim_protocol::v1::service::{self, BundleParams, Nothing, SessionParams, Status};
use vosim_protocol::{ErrorCode, Role, SessionId};

use crate::any_view::AnyView;
use crate::cli::{self, ExportFormat};
use crate::client::Client;
use crate::commands::Context;
use crate::commands::log::whole;
use crate::commands::session::find;
use crate::errors::{Exit, Failure, user_error};
use crate::export::{jsonl, write_export, write_file};
use crate::files::{unreadable, unwritable};

/// A long log takes a while to be folded.
const LONG: Duration = Duration::from_secs(300);

pub(crate) fn run(args: &cli::Export, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let session = context.session.clone();
    if let Some(which) = args.bundle {
        let written = client.call_for::<service::MakeBundle>(
            &BundleParams { session, which },
            LONG,
            |_| {},
        )?;
        let bytes = read(&written.path)?;
        match &args.output {
            None => context.output.bytes(&bytes)?,
            Some(path) => {
                write_export(path, &bytes, args.force)?;
                let (path, which) = (path.display(), which.name());
                context
                    .output
                    .note(&format!("{path}: the {which} bundle; it holds what is hidden"));
            }
        }
        return Ok(Exit::Done);
    }
    let view = find(&mut client, session, Role::Candidate)?;
    // Whatever becomes of the current session.
    let session = Some(view.session_id().to_string());
    let bytes = match (args.format, &view) {
        (Some(ExportFormat::Jsonl), AnyView::Interview(view)) => {
            let id = view.session_id.short();
            let message =
                format!("session {id} is an interview, and the form jsonl is the drill's");
            return Err(
                user_error(ErrorCode::WrongKind, message).hint("Export it with: --format records")
            );
        }
        (Some(ExportFormat::Jsonl) | None, AnyView::Drill(_)) => {
            let (_, records) = whole(&mut client, session, Role::Candidate)?;
            jsonl(&records)
        }
        (Some(ExportFormat::Records), _) | (None, AnyView::Interview(_)) => {
            stored(&mut client, session)?
        }
    };
    match &args.output {
        None => context.output.bytes(&bytes)?,
        Some(path) => {
            write_export(path, &bytes, args.force)?;
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
            context.output.note(&format!("{}: {lines} lines", path.display()));
        }
    }
    Ok(Exit::Done)
}

/// The daemon writes the records into its exports folder; they are taken from there unchanged.
fn stored(client: &mut Client, session: Option<String>) -> Result<Vec<u8>, Failure> {
    let written = client.call::<service::Export>(&SessionParams { session })?;
    read(&written.path)
}

fn read(path: &str) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| unreadable(Path::new(path), &error))
}

/// Writes the form of 000 into the daemon's data directory and tells where.
pub(crate) fn save(client: &mut Client, id: SessionId) -> Result<String, Failure> {
    let (_, records) = whole(client, Some(id.to_string()), Role::Candidate)?;
    let path = saved_at(client, id)?;
    if let Some(folder) = path.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| unwritable(folder, &error))?;
    }
    write_file(&path, &jsonl(&records))?;
    Ok(path.display().to_string())
}

/// The file of a session in the form of 000 (000: file system layout). The folder `exports`
/// beside it is the store's own.
pub(crate) fn saved_at(client: &mut Client, id: SessionId) -> Result<PathBuf, Failure> {
    let data = client.call::<Status>(&Nothing {})?.data;
    Ok(Path::new(&data).join("sessions").join(format!("{id}.jsonl")))
}
