//! A file is tried now and at each save, and nothing is submitted: `test --watch`, `attempt watch`.
//!
//! A save during a run takes its place. It goes on until Ctrl-C, or until the session has ended.

use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::effect::Obstacle;
use vosim_protocol::v1::service::{OwnCase, ProblemCard, View, ViewParams};
use vosim_protocol::{Hash, Kind, Role};
use vosim_watch::{News, Watcher};

use crate::cli;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::test::own_cases;
use crate::commands::{Context, package, session};
use crate::ends::is_end;
use crate::errors::{Exit, Failure};
use crate::files::unreadable;
use crate::follow::{Happening, Stream};
use crate::output::Output;
use crate::render::drill as screens;
use crate::render::look::Tone;
use crate::render::page::Page;
use crate::render::progress;
use crate::render::text::sentence;
use crate::trial::Trial;

pub(crate) fn run(
    tried: &cli::Tried,
    problem: Option<&str>,
    context: &Context,
) -> Result<Exit, Failure> {
    // A name or a case that is wrong from the beginning is a mistake and nothing to wait for.
    let cases = own_cases(tried)?;
    let problem = package::named(problem)?;
    let named = (tried.file.as_deref(), tried.language);
    let (mut client, path, file) = session::with_file(named, problem.as_deref(), context)?;
    client.catch_interrupts()?;
    let mut following = context.client()?;
    following.catch_interrupts()?;
    let followed = match problem {
        Some(_) => None,
        None => {
            let named = ViewParams { session: context.session.clone(), role: Role::Candidate };
            Some(following.call::<View>(&named)?)
        }
    };
    let id = followed.as_ref().map(|found| found.session_id);
    // Whichever session becomes the current one: this one is meant.
    let trial = Trial { problem, session: id.map(|id| id.to_string()), cases };
    let card = trial.card(&mut client)?;
    let watcher = Watcher::new(path.clone(), Some(Hash::of(&file.code.0)));
    let wake = watcher.wake().map(|wake| wake.try_clone_to_owned()).transpose();
    let wake = wake.map_err(|error| unreadable(&path, &error))?;
    let output = context.output;
    let wake = wake.as_ref().map(|wake| wake.as_fd());
    let mut desk = Desk { tried, watcher, output, newest: Some(file.clone()), file };
    let store = following.store_id();
    let stream = followed.map(|found| {
        let (id, after) = (found.session_id, found.cursor);
        let stream = Stream::open_in(store, &mut following, id, after, Role::Candidate)?;
        Ok::<_, Failure>((stream, found.kind))
    });
    watching(&path, output)?;
    match desk.stay((&mut client, wake), (trial, &card), stream.transpose()?) {
        Ok(()) => {
            output.note("The session has ended.");
            Ok(Exit::Done)
        }
        Err(Failure::Interrupted) => Ok(Exit::Done),
        Err(failure) => Err(failure),
    }
}

/// A file that is worked on.
struct Desk<'a> {
    tried: &'a cli::Tried,
    watcher: Watcher,
    output: Output,
    /// As it was tried first.
    file: CodeFile,
    /// What has been saved and not been tried yet.
    newest: Option<CodeFile>,
}

impl Desk<'_> {
    /// Tries what is saved until the session has ended.
    fn stay(
        &mut self,
        (client, wake): (&mut Client, Option<BorrowedFd<'_>>),
        (mut trial, card): (Trial, &ProblemCard),
        mut session: Option<(Stream<'_>, Kind)>,
    ) -> Result<(), Failure> {
        loop {
            if let Some(file) = self.newest.take() {
                self.try_out((client, wake), (&trial, card), file)?;
            } else if let Some((stream, kind)) = &mut session {
                let happened = stream.next_or_typed(self.watcher.due(), wake)?;
                if let Happening::Event(record) = happened
                    && is_end(*kind, &record)
                {
                    return Ok(());
                }
            } else {
                client.pause_until(wake, self.watcher.due())?;
            }
            if self.look().is_none() && self.newest.is_some() {
                trial.cases = self.cases(trial.cases);
            }
        }
    }

    /// Looks at the file; None when it was saved, else when the next look is due.
    fn look(&mut self) -> Option<Duration> {
        match self.watcher.look(Instant::now()) {
            Some(News::Saved(bytes, _)) => {
                self.newest = Some(self.file.holding(bytes));
                return None;
            }
            Some(News::Lost(why)) => self.output.note(&lost(self.watcher.path(), why)),
            None => {}
        }
        Some(self.watcher.due())
    }

    /// One's own cases as their file says now; a slip in it leaves those that were there.
    fn cases(&self, before: Vec<OwnCase>) -> Vec<OwnCase> {
        own_cases(self.tried).unwrap_or_else(|failure| {
            self.output.note(&sentence(&failure.to_string()));
            before
        })
    }

    /// Runs the cases and shows the verdict, unless the file is saved before.
    fn try_out(
        &mut self,
        (client, wake): (&mut Client, Option<BorrowedFd<'_>>),
        (trial, card): (&Trial, &ProblemCard),
        file: CodeFile,
    ) -> Result<(), Failure> {
        let output = self.output;
        let trial = &trial.clone().with_kept(client, card)?;
        let on_progress = |progress| output.progress(&progress::line(&progress, output.look()));
        let wanted = (wake, || self.look());
        let tried = trial.run_while(client, file, on_progress, wanted);
        output.progress_done();
        let Some(evaluation) = tried? else { return Ok(()) };
        let asks = |case: &&OwnCase| case.ops.iter().all(|op| op.expect.is_none());
        let asked: Vec<_> = trial.cases.iter().filter(asks).map(|c| c.name.as_str()).collect();
        output.data(&evaluation, |look| screens::watched(&evaluation, &card.cases, &asked, look))
    }
}

fn watching(path: &Path, output: Output) -> Result<(), Failure> {
    output.screen(|look| {
        let mut page = Page::new(look);
        let path = path.display();
        let text = format!("Watching {path}; nothing is submitted. Ctrl-C ends it.");
        page.say(Tone::Dim, &text);
        page.finish()
    })
}

/// Why a file cannot be tried any more, and what is waited for.
fn lost(path: &Path, why: Obstacle) -> String {
    let path = path.display();
    match why {
        Obstacle::Missing => format!("{path} is gone; waiting for it."),
        Obstacle::NotAFile => format!("{path} is no regular file any more; waiting for one."),
        Obstacle::Unreadable => format!("{path} cannot be read; waiting until it can."),
        Obstacle::TooLarge => format!(
            "{path} has more than {SUBMISSION_MAX_BYTES} bytes (512 KiB), the most that a submission \
             may have; waiting for less."
        ),
    }
}
