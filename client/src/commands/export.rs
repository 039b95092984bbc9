//! `export`: a session's log or a bundle of it, which the daemon writes, as a file or to standard
//! output.

use std::path::PathBuf;
use std::time::Duration;

use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::v1::service::{self, BundleParams, ExportForm, ExportParams};

use crate::cli::{self, ExportFormat};
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::export::write_export;
use crate::files::unreadable;

/// A long log takes a while to be folded.
const LONG: Duration = Duration::from_secs(300);

pub(crate) fn run(args: &cli::Export, context: &Context) -> Result<Exit, Failure> {
    let written = written(args, context)?;
    let bytes = std::fs::read(&written).map_err(|error| unreadable(&written, &error))?;
    match &args.output {
        None => context.output.bytes(&bytes)?,
        Some(path) => {
            write_export(path, &bytes, args.force)?;
            context.output.note(&format!("{}: {}", path.display(), what(args.bundle, &bytes)));
        }
    }
    Ok(Exit::Done)
}

/// Where the daemon has written it, in its data folder.
fn written(args: &cli::Export, context: &Context) -> Result<PathBuf, Failure> {
    let mut client = context.client()?;
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
        None => format!("{} lines", bytes.iter().filter(|&&byte| byte == b'\n').count()),
    }
}
