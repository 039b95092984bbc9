//! `submit --watch`: the visible cases now and at each save. Nothing is submitted.

use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::cli;
use crate::code_file::CodeFile;
use crate::commands::Context;
use crate::commands::test::Trial;
use crate::errors::{Exit, Failure};
use crate::render::look::Tone;
use crate::render::page::Page;

/// How often the file is looked at. Editors save by renaming, which a watch on the file itself
/// would lose.
const LOOK_EVERY: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &cli::Submit, context: &Context) -> Result<Exit, Failure> {
    let path = args.file()?;
    let output = context.output;
    let mut client = context.client()?;
    client.catch_interrupts()?;
    let trial = Trial { problem: None, session: context.session.clone(), cases: Vec::new() };
    let mut seen = None;
    let mut told = false;
    loop {
        let now = state(path);
        if now.is_some() && now != seen {
            seen = now;
            let tried = CodeFile::read(path, args.language)
                .map_err(Failure::from)
                .and_then(|file| trial.run(&mut client, file, output));
            match tried {
                Ok(_) => {}
                Err(Failure::Interrupted) => return Ok(Exit::Done),
                // A file in the middle of being saved is tried again at its next change.
                Err(Failure::Fault(fault)) if seen != state(path) => {
                    output.note(&fault.to_string());
                }
                Err(failure) => return Err(failure),
            }
            output.screen(|look| {
                let mut page = Page::new(look);
                let text = format!("Watching {}; Ctrl-C ends.", path.display());
                page.say(Tone::Dim, &text).blank();
                page.finish()
            })?;
            told = false;
        } else if now.is_none() {
            if seen.is_none() {
                CodeFile::read(path, args.language)?;
            }
            if !std::mem::replace(&mut told, true) {
                output.note(&format!("{} is gone; waiting for it.", path.display()));
            }
        }
        match client.pause(LOOK_EVERY) {
            Ok(()) => {}
            Err(Failure::Interrupted) => return Ok(Exit::Done),
            Err(failure) => return Err(failure),
        }
    }
}

/// What changes when a file is saved.
fn state(path: &Path) -> Option<(SystemTime, u64)> {
    let meta = path.metadata().ok()?;
    Some((meta.modified().ok()?, meta.len()))
}
