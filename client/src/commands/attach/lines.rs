//! Line mode: what happens in full sentences, and lines that are typed as messages.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use vosim_protocol::v1::service::{Accepted, PresenceNotice, View, ViewParams, ViewResult};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Kind, Role, SessionId};

use crate::call;
use crate::client::Client;
use crate::commands::attach::act::{Step, act};
use crate::commands::following::{Followed, IDLE, interruption};
use crate::commands::settle::Hindrance;
use crate::ends::is_end;
use crate::errors::{Exit, Failure};
use crate::follow::{Happening, Stream};
use crate::intent::request::Answer;
use crate::intent::{Words, words};
use crate::kinds::{standing, summary, with_kind};
use crate::log::{Pages, pages};
use crate::output::Output;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::presence::presence;
use crate::render::telling::sentence;
use crate::spelling::Spelling;
use crate::tui::panel::KindPanel;
use crate::typing::Typing;

/// Follows a session until it ends, the user leaves, or Ctrl-C.
pub(crate) fn attach(
    client: &mut Client,
    what: Followed,
    plain: bool,
    output: Output,
) -> Result<Exit, Failure> {
    match Lines::run(client, what, plain, output) {
        Ok(()) | Err(Failure::Interrupted) => Ok(Exit::Done),
        Err(failure) => Err(failure),
    }
}

/// One terminal in line mode.
struct Lines {
    output: Output,
    kind: Kind,
    session: SessionId,
    role: Role,
    /// Messages of this terminal: their sender has a receipt and need not read them again.
    own: BTreeSet<EventId>,
    presence: Option<(u32, u32, u32, u32)>,
}

impl Lines {
    fn run(
        client: &mut Client,
        what: Followed,
        plain: bool,
        output: Output,
    ) -> Result<(), Failure> {
        let Followed { session, after, role, .. } = what;
        let ViewResult { session_id: session, kind, .. } =
            client.call::<View>(&ViewParams { session, role })?;
        let output = output.in_lines(plain);
        let mut typing = match role {
            // An observer has nothing to say, so nothing is taken from them either.
            Role::Observer => None,
            Role::Candidate | Role::Interviewer | Role::Agent => {
                Typing::from_stdin().map_err(anyhow::Error::from)?
            }
        };
        let own = BTreeSet::new();
        let mut lines = Self { output, kind, session, role, own, presence: None };
        let store = client.store_id();
        let mut over = false;
        let Pages { last, whole, .. } =
            pages(client, Some(session.to_string()), after, role, |record| {
                over |= is_end(kind, record);
                lines.tell(record)
            })?;
        // Pages of two stores are no log: the end of one need not be the end of the other.
        over &= whole && client.store_id() == store;
        if typing.as_ref().is_some_and(Typing::is_terminal) && !over {
            output.note("Type a line and press Enter; /help shows what can be typed.");
        }
        let mut stream = Stream::attach(store, client, session, last, role)?;
        over &= !stream.began_elsewhere();
        let mut hindrance = Hindrance::default();
        while !over {
            let typed = typing.as_ref().and_then(Typing::descriptor);
            match stream.next_or_typed(IDLE, typed)? {
                Happening::Event(record) => {
                    lines.tell(&record)?;
                    over = is_end(kind, &record);
                }
                Happening::Presence(notice) => lines.present(&notice)?,
                Happening::Typed => {
                    let Some(typing) = &mut typing else { continue };
                    let taken = typing.take();
                    for line in taken.lines {
                        if lines.line(line, stream.client())?.is_break() {
                            return Ok(());
                        }
                    }
                    if taken.left {
                        return Ok(());
                    }
                }
                other @ (Happening::Reconnecting(_)
                | Happening::Reconnected
                | Happening::OtherStore
                | Happening::Progress(_)
                | Happening::Settled(_)
                | Happening::Nothing) => {
                    if let Some(text) = interruption(&other, &stream, &mut hindrance) {
                        output.note(&text);
                    }
                }
            }
        }
        let report = call::report(client, session);
        lines.page(client, |result, look| summary(result, report.as_ref(), look))
    }

    fn tell(&mut self, record: &ToldRecord) -> Result<(), Failure> {
        if self.own.remove(&record.event_id) {
            return Ok(());
        }
        self.output.screen(|look| sentence(record, self.role, look))
    }

    /// Who is there, when that has changed.
    fn present(&mut self, notice: &PresenceNotice) -> Result<(), Failure> {
        let now = (notice.candidates, notice.observers, notice.interviewers, notice.agents);
        if self.presence.replace(now) == Some(now) {
            return Ok(());
        }
        self.output.screen(|look| presence(notice, look))
    }

    /// Does what a line asks for; a mistake in it is told and ends nothing.
    fn line(
        &mut self,
        line: Result<String, Failure>,
        client: &mut Client,
    ) -> Result<ControlFlow<()>, Failure> {
        match self.do_line(line, client) {
            Ok(flow) => Ok(flow),
            Err(Failure::Told(reason)) => {
                self.output.error(&reason.text(Spelling::Attached));
                Ok(ControlFlow::Continue(()))
            }
            Err(failure) => Err(failure),
        }
    }

    fn do_line(
        &mut self,
        line: Result<String, Failure>,
        client: &mut Client,
    ) -> Result<ControlFlow<()>, Failure> {
        let line = line?;
        with_kind!(self.kind, P => self.obey::<<P as KindPanel>::Words>(&line, client))
    }

    fn obey<W: Words>(
        &mut self,
        line: &str,
        client: &mut Client,
    ) -> Result<ControlFlow<()>, Failure> {
        match act::<W>(line, self.role, self.session, client)? {
            Step::Nothing => {}
            Step::Quit => return Ok(ControlFlow::Break(())),
            Step::Help => self.output.screen(help::<W>)?,
            Step::Status => self.page(client, standing)?,
            Step::Done(Answer::Accepted { what, accepted }) => {
                self.accepted(&accepted);
                self.output.screen(|look| {
                    let receipt = W::receipt(what, &accepted, look);
                    receipt.map_or_else(String::new, |receipt| receipt.text)
                })?;
            }
            Step::Done(Answer::Done(text)) => {
                self.output.screen(|_| format!("{text}\n"))?;
            }
            Step::Done(Answer::Page(picture)) => {
                self.output.screen(|look| picture.draw(look))?;
            }
            Step::Done(Answer::Noted(note)) => self.output.screen(|look| {
                format!("Note {} was taken at {}.\n", note.number, look.clock(note.at))
            })?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn accepted(&mut self, accepted: &Accepted) {
        let mine = ["CANDIDATE_MESSAGE", "ASSISTANT_QUERY"];
        let mine = accepted.events.iter().filter(|r| mine.contains(&r.event_type.as_str()));
        self.own.extend(mine.map(|record| record.event_id));
    }

    /// A page about the session as it is now.
    fn page(
        &self,
        client: &mut Client,
        draw: impl FnOnce(&ViewResult, &Look) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let params = ViewParams { session: Some(self.session.to_string()), role: self.role };
        let result = client.call::<View>(&params)?;
        let screen = draw(&result, self.output.look())?;
        self.output.bytes(screen.as_bytes())
    }
}

/// The words that can be typed.
fn help<W: Words>(look: &Look) -> String {
    let mut page = Page::new(look);
    for (word, what) in words::<W>() {
        page.hanging(&format!("{word:<21}  "), "    ", Tone::Plain, what);
    }
    page.finish()
}

#[cfg(test)]
mod tests;
