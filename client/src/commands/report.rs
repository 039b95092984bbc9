//! `report`: what a session teaches that has ended, from the daemon or from a bundle, as text, as data, or
//! as a page for a browser.

use std::collections::BTreeSet;
use std::path::Path;

use vosim_protocol::v1::report::{FileReport, Report};
use vosim_protocol::v1::service::{self, SessionParams};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{Hash, Role, Wire as _};

use crate::call::blob_text;
use crate::cli;
use crate::commands::replay::{Source, bundle};
use crate::commands::{Context, data_folder};
use crate::errors::{Exit, Failure};
use crate::files::{Input, is_pipe};
use crate::launch::Offline;
use crate::log::whole;
use crate::places::Places;
use crate::put::{Kind, Over, Target};
use crate::render::report as screens;
use crate::render::report::html;
use crate::render::report::html::material::{Material, Version};
use crate::render::telling::told;

/// Most states of the code of a page, and most bytes of them.
const VERSIONS_MAX: usize = 100;
const CODE_MAX_BYTES: usize = 2 * 1024 * 1024;

pub(crate) fn run(args: &cli::Report, context: &Context) -> Result<Exit, Failure> {
    let what = args.what.as_deref().map(Input::named).transpose()?;
    match Source::of(what.as_ref().map(Input::path), context.session.as_deref())? {
        Source::Session(session) => of_session(session, &args.page, context),
        Source::File(file) => of_file(file, &args.page, context),
    }
}

fn of_session(
    session: Option<&str>,
    page: &cli::PageFile,
    context: &Context,
) -> Result<Exit, Failure> {
    let params = SessionParams { session: session.map(str::to_owned) };
    let mut client = context.client()?;
    let Some(path) = page.html.as_deref() else {
        let report = client.call::<service::Report>(&params)?;
        context.output.data(&report, |look| screens::report(&report, look))?;
        return Ok(Exit::Done);
    };
    let data = data_folder(&mut client)?;
    put(path, page.force, (&data, context), || {
        let report = client.call::<service::Report>(&params)?;
        let session = report.session_id.to_string();
        let (_, log) = whole(&mut client, Some(session.clone()), Role::Candidate)?;
        drawn(&report, &log, context, &mut |hash| blob_text(&mut client, &session, hash).map(Some))
    })?;
    Ok(Exit::Done)
}

/// Of a bundle from whatever machine; no daemon is needed.
fn of_file(file: &Path, page: &cli::PageFile, context: &Context) -> Result<Exit, Failure> {
    // What cannot be read is told in the same words wherever it is read.
    let bundle = bundle(file)?;
    let FileReport { report, log } = Offline::new(&["report"])?.path(file)?.answered()?;
    let Some(path) = page.html.as_deref() else {
        context.output.data(&report, |look| screens::report(&report, look))?;
        return Ok(Exit::Done);
    };
    let data = Places::from_env()?.paths()?.data.clone();
    put(path, page.force, (&data, context), || {
        drawn(&report, &log, context, &mut |hash| {
            let code = bundle.code.get(&hash);
            Ok(code.map(|blob| String::from_utf8_lossy(&blob.0).into_owned()))
        })
    })?;
    Ok(Exit::Done)
}

/// Puts a page where the user says; what may not be put is not made either.
pub(crate) fn put(
    path: &Path,
    force: bool,
    (data, context): (&Path, &Context),
    page: impl FnOnce() -> Result<String, Failure>,
) -> Result<(), Failure> {
    if is_pipe(path) {
        return context.output.bytes(page()?.as_bytes());
    }
    let over = if force { Over::AnyFile } else { Over::SameKind };
    let target = Target::at(path, Kind::Page, over, data)?;
    target.write(page()?.as_bytes())?;
    context.output.note(&format!("{}: a page for a browser", path.display()));
    Ok(())
}

/// How the text of a piece of code is had; None where it was deleted.
type TextOf<'a> = dyn FnMut(Hash) -> Result<Option<String>, Failure> + 'a;

fn drawn(
    report: &Report,
    log: &[ToldRecord],
    context: &Context,
    text_of: &mut TextOf<'_>,
) -> Result<String, Failure> {
    let (versions, versions_omitted) = versions(log, text_of)?;
    let material = Material { report, log, versions: &versions, versions_omitted };
    Ok(html::page(&material, context.output.look()))
}

/// The states of the code that the events of a log name, newest ones first where there is too little room,
/// and how many there was no room for.
fn versions(
    log: &[ToldRecord],
    text_of: &mut TextOf<'_>,
) -> Result<(Vec<Version>, usize), Failure> {
    let mut seen = BTreeSet::new();
    let named = log.iter().filter_map(|record| Some((record, named_code(record)?)));
    // A state that was there before is not shown again.
    let named: Vec<_> = named.filter(|(_, hash)| seen.insert(*hash)).collect();
    let mut versions = Vec::new();
    let mut room = CODE_MAX_BYTES;
    for (record, hash) in named.iter().rev().take(VERSIONS_MAX) {
        let text = match text_of(*hash) {
            Ok(text) => text,
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
