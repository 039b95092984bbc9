//! `submit --watch`: the visible cases now and at each save. Nothing is submitted.

use std::path::Path;
use std::time::{Duration, SystemTime};

use vosim_protocol::ErrorCode;

use crate::cli;
use crate::code_file::CodeFile;
use crate::commands::Context;
use crate::commands::test::try_out;
use crate::errors::{Exit, Failure, code};
use crate::output::Output;
use crate::render::look::Tone;
use crate::render::page::Page;
use crate::render::text::sentence;
use crate::trial::Trial;

/// How often the file is looked at. Editors save by renaming, which a watch on the file itself
/// would lose.
const LOOK_EVERY: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &cli::Submit, context: &Context) -> Result<Exit, Failure> {
    let path = args.file()?;
    let output = context.output;
    let mut client = context.client()?;
    client.catch_interrupts()?;
    let trial = Trial { problem: None, session: context.session.clone(), cases: Vec::new() };
    let (mut seen, mut told) = (state(path), false);
    // A name that is wrong from the beginning is a mistake and nothing to wait for.
    let mut file = CodeFile::read(path, args.language).map(Ok)?;
    let card = trial.card(&mut client)?;
    loop {
        match file.and_then(|file| {
            let wanted = || state(path).is_none_or(|s| Some(s) == seen);
            try_out((&trial, &card), &mut client, file, output, wanted)
        }) {
            Ok(Some(_)) => watching(path, output)?,
            // A newer text is there; what becomes of the older one is of no use.
            Ok(None) => {}
            Err(Failure::Interrupted) => return Ok(Exit::Done),
            // Half a save, or a slip in the editor: the next save may be better.
            Err(failure) if is_of_the_file(&failure) => {
                output.note(&sentence(&failure.to_string()));
            }
            Err(failure) => return Err(failure),
        }
        loop {
            let now = state(path);
            if now.is_some() && now != seen {
                (seen, told) = (now, false);
                break;
            }
            if now.is_none() && !std::mem::replace(&mut told, true) {
                output.note(&format!("{} is gone; waiting for it.", path.display()));
            }
            match client.pause(LOOK_EVERY) {
                Ok(()) => {}
                Err(Failure::Interrupted) => return Ok(Exit::Done),
                Err(failure) => return Err(failure),
            }
        }
        file = CodeFile::read(path, args.language);
    }
}

/// True where another content of the file would do.
fn is_of_the_file(failure: &Failure) -> bool {
    let not_read = [code::FILE_NOT_FOUND, code::FILE_UNREADABLE];
    failure.is(ErrorCode::TooLarge) || not_read.iter().any(|&code| failure.is(code))
}

fn watching(path: &Path, output: Output) -> Result<(), Failure> {
    output.screen(|look| {
        let mut page = Page::new(look);
        let text = format!("Watching {}; Ctrl-C ends.", path.display());
        page.say(Tone::Dim, &text).blank();
        page.finish()
    })
}

/// What changes when a file is saved.
fn state(path: &Path) -> Option<(SystemTime, u64)> {
    let meta = path.metadata().ok()?;
    Some((meta.modified().ok()?, meta.len()))
}
