//! `backup`, `restore`, `store`, `config` and `protocol`.

use std::path::Path;
use std::time::Duration;

use vosim_protocol::v1::service::{
    Backup, ConfigShow, Describe, Nothing, PathParams, StoreCompact, StoreStatsGet,
};

use crate::cli::{Config, Protocol, Restore, Store};
use crate::commands::{Context, absolute};
use crate::errors::{Exit, Failure};
use crate::launch::Offline;
use crate::render::upkeep as screens;

/// Work that grows with the store.
const LONG_WORK: Duration = Duration::from_secs(1800);

pub(crate) fn backup(path: &Path, context: &Context) -> Result<Exit, Failure> {
    let params = PathParams { path: absolute(path)? };
    let mut client = context.client()?;
    context.output.progress("Writing a copy of the store ...");
    let written = client.call_for::<Backup>(&params, LONG_WORK, |_| {})?;
    context.output.progress_done();
    context
        .output
        .data(&written, |_| format!("A copy of the store was written: {}\n", written.path))?;
    Ok(Exit::Done)
}

/// The store must have no owner while it is exchanged, so no daemon does it.
pub(crate) fn restore(args: &Restore, context: &Context) -> Result<Exit, Failure> {
    let mut work = Offline::new(&["restore"])?;
    if let Some(path) = &args.path {
        work = work.path(path)?;
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
