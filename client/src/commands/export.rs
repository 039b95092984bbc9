//! `export`: a session's log or a bundle of it, which the daemon writes, as a file or to standard
//! output.

use std::path::PathBuf;
use std::time::Duration;

use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::v1::service::{self, BundleParams, ExportForm, ExportParams};

use crate::cli::{self, ExportFormat};
use crate::client::Client;
use crate::commands::{Context, data_folder};
use crate::errors::{Exit, Failure};
use crate::files::{is_pipe, unreadable};
use crate::put::{Kind, Over, Target};
use crate::render::text::count;

/// A long log takes a while to be folded.
const LONG: Duration = Duration::from_secs(300);

pub(crate) fn run(args: &cli::Export, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    // What may not be written is not made either.
    let over = if args.force { Over::AnyFile } else { Over::SameKind };
    let named = args.output.as_deref().filter(|path| !is_pipe(path));
    let target = named
        .map(|path| Target::at(path, Kind::Export, over, &data_folder(&mut client)?))
        .transpose()?;
    let written = written(args, context, &mut client)?;
    let bytes = std::fs::read(&written).map_err(|error| unreadable(&written, &error))?;
    match (named, target) {
        (Some(path), Some(target)) => {
            target.write(&bytes)?;
            context.output.note(&format!("{}: {}", path.display(), what(args.bundle, &bytes)));
        }
        (_, _) => context.output.bytes(&bytes)?,
    }
    Ok(Exit::Done)
}

/// Where the daemon has written it, in its data folder.
fn written(args: &cli::Export, context: &Context, client: &mut Client) -> Result<PathBuf, Failure> {
    let session = context.session.clone();
    let written = match args.bundle {
        Some(which) => {
            let params = BundleParams { session, which };
            client.call_for::<service::MakeBundle>(&params, LONG, |_| {})?
        }
        None => {
            let form = args.format.map(|format| match format {
                ExportFormat::Jsonl => ExportForm::Jsonl,
                ExportFormat::Records => ExportForm::Records,
            });
            client.call_for::<service::Export>(&ExportParams { session, form }, LONG, |_| {})?
        }
    };
    Ok(written.path.into())
}

fn what(bundle: Option<Bundle>, bytes: &[u8]) -> String {
    match bundle {
        Some(which) => format!("the {} bundle; it holds what is hidden", which.name()),
        None => count(bytes.iter().filter(|&&byte| byte == b'\n').count() as u64, "line"),
    }
}
