//! `version`, and the manual pages that an installation comes with.

use std::fs::create_dir_all;
use std::path::Path;

use serde::Serialize;

use crate::cli::grammar;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::files::unwritable;

/// What this program is.
#[derive(Serialize)]
struct ProgramVersion {
    name: &'static str,
    version: &'static str,
}

pub(crate) fn version(context: &Context) -> Result<Exit, Failure> {
    let version = ProgramVersion { name: "vosimctl", version: env!("CARGO_PKG_VERSION") };
    context.output.data(&version, |_| format!("{} {}\n", version.name, version.version))?;
    Ok(Exit::Done)
}

/// Writes a page for each command into a folder.
pub(crate) fn manual(dir: &Path) -> Result<Exit, Failure> {
    create_dir_all(dir)
        .and_then(|()| clap_mangen::generate_to(grammar(), dir))
        .map_err(|error| unwritable(dir, &error))?;
    Ok(Exit::Done)
}
