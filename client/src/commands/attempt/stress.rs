//! `attempt stress`: two files of one's own, tried on drawn inputs until they differ.

use std::path::Path;
use std::time::Duration;

use vosim_protocol::v1::service::{PROGRESS, ProblemStress, ProgressNotice, Sent, StressParams};

use crate::cli::Stress;
use crate::code_file::CodeFile;
use crate::commands::Context;
use crate::connection::{ASK_EVERY, Notice};
use crate::errors::{Exit, Failure};
use crate::follow::read;
use crate::render::attempt::failing as screens;
use crate::render::progress;

/// Beside the time that was asked for: a turn, and making the difference short.
const MORE: Duration = Duration::from_secs(120);

pub(super) fn run(args: &Stress, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let params = StressParams {
        session: context.session.clone(),
        program: sent(&args.file)?,
        against: sent(&args.against)?,
        rounds: args.rounds,
        seconds: args.seconds,
    };
    let mut client = context.client()?;
    let told = |notice: &Notice| {
        if notice.method == PROGRESS
            && let Ok(told) = read::<ProgressNotice>(notice)
        {
            output.progress(&progress::line(&told, output.look()));
        }
    };
    let wait = Duration::from_secs(args.seconds.into()) + MORE;
    let always = (None, || Some(ASK_EVERY));
    let found = client.call_while::<ProblemStress>(&params, wait, told, always);
    output.progress_done();
    let found = found?.ok_or_else(Failure::lost)?;
    output.data(&found, |look| screens::stressed(&found, &args.file, &args.against, look))?;
    Ok(Exit::Done)
}

fn sent(path: &Path) -> Result<Sent, Failure> {
    let CodeFile { path: file_path, code, language, .. } = CodeFile::read(path, None)?;
    Ok(Sent { file_path, code, language })
}
