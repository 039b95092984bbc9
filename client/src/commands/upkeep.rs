//! `backup`, `restore`, `store`, `config` and `protocol`.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::time::Duration;

use vosim_protocol::v1::service::{
    Backup, ConfigShow, Describe, Nothing, PathParams, PathResult, StoreCompact, StoreStatsGet,
};

use crate::cli::{Config, Protocol, Restore, Store};
use crate::client::Client;
use crate::commands::{Context, absolute, data_folder};
use crate::errors::{Exit, Failure, usage_error};
use crate::files::{Input, is_pipe, unreadable};
use crate::launch::Offline;
use crate::places::Places;
use crate::put::{Kind, Over, Target};
use crate::render::text::clean;
use crate::render::upkeep as screens;

/// Work that grows with the store.
const LONG_WORK: Duration = Duration::from_secs(1800);

pub(crate) fn backup(path: &Path, context: &Context) -> Result<Exit, Failure> {
    if is_pipe(path) {
        return backup_to_pipe(context);
    }
    let mut client = context.client()?;
    let target = Target::at(path, Kind::Backup, Over::SameKind, &data_folder(&mut client)?)?;
    written(&mut client, &target, context)?;
    target.take()?;
    let written = PathResult { path: absolute(path)? };
    context.output.data(&written, |_| {
        format!("A copy of the store was written: {}\n", clean(&written.path))
    })?;
    Ok(Exit::Done)
}

/// The daemon cannot write to our pipe, so the copy is first a file of our own.
fn backup_to_pipe(context: &Context) -> Result<Exit, Failure> {
    if io::stdout().is_terminal() {
        return Err(usage_error("a copy of the store is nothing for a terminal; redirect it"));
    }
    let mut client = context.client()?;
    let state = Places::from_env()?.paths()?.state.join("backup");
    let target = Target::at(&state, Kind::Backup, Over::SameKind, &data_folder(&mut client)?)?;
    let copied = written(&mut client, &target, context).and_then(|()| {
        let mut file = File::open(target.beside()).map_err(|e| unreadable(target.beside(), &e))?;
        context.output.copied(&mut file)
    });
    target.give_up();
    copied.map(|()| Exit::Done)
}

/// Has the daemon write a copy of the store beside its target.
fn written(client: &mut Client, target: &Target, context: &Context) -> Result<(), Failure> {
    let params = PathParams { path: absolute(target.beside())? };
    context.output.progress("Writing a copy of the store ...");
    let written = client.call_for::<Backup>(&params, LONG_WORK, |_| {});
    context.output.progress_done();
    written.map(drop)
}

/// The store must have no owner while it is exchanged, so no daemon does it.
pub(crate) fn restore(args: &Restore, context: &Context) -> Result<Exit, Failure> {
    let mut work = Offline::new(&["restore"])?;
    let backup = args.path.as_deref().map(Input::named).transpose()?;
    if let Some(backup) = &backup {
        work = work.path(backup.path())?;
    }
    let work = work.flag("--from-exports", args.from_exports);
    let said = work.flag("--accept-loss", args.accept_loss).said()?;
    let json = serde_json::json!({ "message": said });
    context.output.data(&json, |look| screens::told(&said, look))?;
    Ok(Exit::Done)
}

pub(crate) fn store(command: Store, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let stats = match command {
        Store::Compact => {
            context.output.progress("Compacting the store ...");
            let stats = client.call_for::<StoreCompact>(&Nothing {}, LONG_WORK, |_| {})?;
            context.output.progress_done();
            stats
        }
        Store::Stats => client.call::<StoreStatsGet>(&Nothing {})?,
    };
    context.output.data(&stats, |look| screens::store(&stats, look))?;
    Ok(Exit::Done)
}

pub(crate) fn config(Config::Show: Config, context: &Context) -> Result<Exit, Failure> {
    let result = context.client()?.call::<ConfigShow>(&Nothing {})?;
    context.output.data(&result, |look| screens::config(&result, look))?;
    Ok(Exit::Done)
}

pub(crate) fn protocol(Protocol::Describe: Protocol, context: &Context) -> Result<Exit, Failure> {
    let description = context.client()?.call::<Describe>(&Nothing {})?;
    let pretty = serde_json::to_string_pretty(&description).map_err(anyhow::Error::from)?;
    context.output.data(&description, |_| pretty + "\n")?;
    Ok(Exit::Done)
}
