//! `backup`, `restore`, `store`, `config` and `protocol`.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::time::Duration;

use vosim_protocol::v1::service::{
    Backup, ConfigShow, Describe, Nothing, PathParams, PathResult, StoreCompact, StoreStatsGet,
};

use crate::cli::{Config, Protocol, Quarantine, Restore, Store};
use crate::client::Client;
use crate::commands::{Context, absolute, data_folder, unconfirmed};
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

/// How vosimd refuses to replace a store that can be opened.
const SOUND_STORE: &str = "the present store in ";

/// The store must have no owner while it is exchanged, so no daemon does it.
pub(crate) fn restore(args: &Restore, context: &Context) -> Result<Exit, Failure> {
    let backup = args.path.as_deref().map(Input::named).transpose()?;
    let restored = |yes: bool| {
        let mut work = Offline::new(&["restore"])?;
        if let Some(backup) = &backup {
            work = work.path(backup.path())?;
        }
        let work = work.flag("--from-exports", args.from_exports);
        work.flag("--accept-loss", args.accept_loss).flag("--yes", yes).said()
    };
    let said = match restored(args.yes) {
        Err(refused) if refused.to_string().starts_with(SOUND_STORE) => {
            let output = context.output;
            if output.is_json() || !output.terminal.can_ask {
                return Err(unconfirmed("replacing a store that can be opened"));
            }
            if !output.agrees("The present store can be opened. Put it aside all the same?") {
                output.note("Nothing was changed.");
                return Ok(Exit::Done);
            }
            restored(true)?
        }
        other => other?,
    };
    tell(&said, context)
}

pub(crate) fn quarantine(command: Option<Quarantine>, context: &Context) -> Result<Exit, Failure> {
    let (word, number) = match command {
        None | Some(Quarantine::List) => {
            return tell(&Offline::new(&["quarantine", "list"])?.said()?, context);
        }
        Some(Quarantine::PutBack { number }) => ("put-back", number),
        Some(Quarantine::Erase { number, yes }) => {
            let output = context.output;
            if !yes && (output.is_json() || !output.terminal.can_ask) {
                return Err(unconfirmed("erasing"));
            }
            if !yes
                && !output.agrees(&format!("Erase store {number}, which was put aside, for good?"))
            {
                output.note("Nothing was erased.");
                return Ok(Exit::Done);
            }
            ("erase", number)
        }
    };
    tell(&Offline::new(&["quarantine", word, &number.to_string()])?.said()?, context)
}

fn tell(said: &str, context: &Context) -> Result<Exit, Failure> {
    let json = serde_json::json!({ "message": said });
    context.output.data(&json, |look| screens::told(said, look))?;
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
