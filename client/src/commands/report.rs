//! `report`: what a session teaches that has ended, as text, as data, or as a page for a browser.

use std::collections::BTreeSet;
use std::path::Path;

use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::{self, SessionParams};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{Hash, Role, Wire as _};

use crate::call::blob_text;
use crate::cli;
use crate::client::Client;
use crate::commands::{Context, data_folder};
use crate::errors::{Exit, Failure, usage_error};
use crate::files::is_pipe;
use crate::log::whole;
use crate::put::{Kind, Over, Target};
use crate::render::report as screens;
use crate::render::report::html;
use crate::render::report::html::material::{Material, Version};
use crate::render::telling::told;

/// Most states of the code of a page, and most bytes of them.
const VERSIONS_MAX: usize = 100;
const CODE_MAX_BYTES: usize = 2 * 1024 * 1024;

pub(crate) fn run(args: &cli::Report, context: &Context) -> Result<Exit, Failure> {
    let params = SessionParams { session: named(args, context)? };
    let mut client = context.client()?;
    let Some(path) = args.page.html.as_deref() else {
        let report = client.call::<service::Report>(&params)?;
        context.output.data(&report, |look| screens::report(&report, look))?;
        return Ok(Exit::Done);
    };
    put(path, args.page.force, context, &mut client, |client| {
        let report = client.call::<service::Report>(&params)?;
        page(client, &report, context)
    })?;
    Ok(Exit::Done)
}

/// The session that is meant; None for the current one.
fn named(args: &cli::Report, context: &Context) -> Result<Option<String>, Failure> {
    match (&args.id, &context.session) {
        (Some(_), Some(_)) => Err(usage_error("the session was named twice")),
        (Some(id), None) | (None, Some(id)) => Ok(Some(id.clone())),
        (None, None) => Ok(None),
    }
}

/// Puts a page where the user says; what may not be put is not made either.
pub(crate) fn put(
    path: &Path,
    force: bool,
    context: &Context,
    client: &mut Client,
    page: impl FnOnce(&mut Client) -> Result<String, Failure>,
) -> Result<(), Failure> {
    if is_pipe(path) {
        let page = page(client)?;
        return context.output.bytes(page.as_bytes());
    }
    let over = if force { Over::AnyFile } else { Over::SameKind };
    let target = Target::at(path, Kind::Page, over, &data_folder(client)?)?;
    target.write(page(client)?.as_bytes())?;
    context.output.note(&format!("{}: a page for a browser", path.display()));
    Ok(())
}

fn page(client: &mut Client, report: &Report, context: &Context) -> Result<String, Failure> {
    let session = report.session_id.to_string();
    let (_, log) = whole(client, Some(session.clone()), Role::Candidate)?;
    let (versions, versions_omitted) = versions(client, &session, &log)?;
    let material = Material { report, log: &log, versions: &versions, versions_omitted };
    Ok(html::page(&material, context.output.look()))
}

/// The states of the code that the events of a log name, newest ones first where there is too little room,
/// and how many there was no room for.
fn versions(
    client: &mut Client,
    session: &str,
    log: &[ToldRecord],
) -> Result<(Vec<Version>, usize), Failure> {
    let mut seen = BTreeSet::new();
    let named = log.iter().filter_map(|record| Some((record, named_code(record)?)));
    // A state that was there before is not shown again.
    let named: Vec<_> = named.filter(|(_, hash)| seen.insert(*hash)).collect();
    let mut versions = Vec::new();
    let mut room = CODE_MAX_BYTES;
    for (record, hash) in named.iter().rev().take(VERSIONS_MAX) {
        let text = match blob_text(client, session, *hash) {
            Ok(text) => Some(text),
            Err(Failure::Told(_)) => None,
            Err(failure) => return Err(failure),
        };
        let Some(left) = room.checked_sub(text.as_ref().map_or(0, String::len)) else { break };
        room = left;
        let (event, at, what) = (record.event_id, record.timestamp, told(record));
        versions.push(Version { event, at, what, code: text });
    }
    versions.reverse();
    let omitted = named.len() - versions.len();
    Ok((versions, omitted))
}

/// The code that an event took note of.
fn named_code(record: &ToldRecord) -> Option<Hash> {
    Hash::from_json(record.payload.get("code_hash")?.clone()).ok()
}
