//! `completions`: a script for a shell.

use clap_complete::Shell;

use crate::cli::grammar;
use crate::commands::Context;
use crate::errors::{Exit, Failure};

pub(crate) fn run(shell: Shell, context: &Context) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut grammar(), "vosimctl", &mut script);
    context.output.bytes(&script)?;
    Ok(Exit::Done)
}
