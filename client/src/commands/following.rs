//! A session followed to its end, event by event: what `log --follow` and `attach` have in common.

use std::time::Duration;

use vosim_protocol::v1::service::{View, ViewParams};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Role};

use crate::client::{Client, Loss};
use crate::commands::settle::Hindrance;
use crate::ends::is_end;
use crate::errors::{Exit, Failure};
use crate::follow::{Happening, Stream};
use crate::log::{Pages, pages};
use crate::output::Output;
use crate::render::telling::log_line;

/// How often nothing happening is looked at; nothing depends on it.
pub(crate) const IDLE: Duration = Duration::from_secs(3600);

/// Told when what follows does not go on from what was told before.
pub(crate) const OTHER_STORE: &str =
    "vosimd has another store now; here is the session from its beginning:";

/// What is followed.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) session: Option<String>,
    pub(crate) after: EventId,
    pub(crate) role: Role,
    /// Counts as a terminal of its role.
    pub(crate) attached: bool,
}

/// Prints the events there are and those that come, until the session ends or Ctrl-C, which is
/// how one leaves.
pub(crate) fn follow(client: &mut Client, what: Followed, output: Output) -> Result<Exit, Failure> {
    match to_the_end(client, what, telling(output)) {
        Ok(()) | Err(Failure::Interrupted) => Ok(Exit::Done),
        Err(failure) => Err(failure),
    }
}

/// Tells events on the output, and notes beside it.
pub(crate) fn telling(output: Output) -> impl FnMut(Told<'_>) -> Result<(), Failure> {
    move |told| match told {
        Told::Event(record) => show(record, output),
        Told::Note(text) => {
            output.note(text);
            Ok(())
        }
    }
}

/// What there is to be told.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told<'a> {
    Event(&'a ToldRecord),
    Note(&'a str),
}

/// Tells everything in order, until the session has ended.
pub(crate) fn to_the_end(
    client: &mut Client,
    what: Followed,
    mut tell: impl FnMut(Told<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Followed { session, after, role, attached } = what;
    let found = client.call::<View>(&ViewParams { session, role })?;
    let (kind, session) = (found.kind, Some(found.session_id.to_string()));
    let store = client.store_id();
    let mut over = false;
    let Pages { session, last, whole } = pages(client, session, after, role, |record| {
        over |= is_end(kind, record);
        tell(Told::Event(record))
    })?;
    // Pages of two stores are no log: the end of one need not be the end of the other.
    over &= whole && client.store_id() == store;
    let mut stream = match attached {
        true => Stream::attach(store, client, session, last, role)?,
        false => Stream::open_in(store, client, session, last, role)?,
    };
    over &= !stream.began_elsewhere();
    let mut hindrance = Hindrance::default();
    while !over {
        match stream.next(IDLE)? {
            Happening::Event(record) => {
                tell(Told::Event(&record))?;
                over = is_end(kind, &record);
            }
            other => {
                if let Some(text) = interruption(&other, &stream, &mut hindrance) {
                    tell(Told::Note(&text))?;
                }
            }
        }
    }
    Ok(())
}

/// What became of the connection, or what keeps a run of the session from going on.
pub(crate) fn interruption(
    happening: &Happening,
    stream: &Stream<'_>,
    hindrance: &mut Hindrance,
) -> Option<String> {
    match happening {
        Happening::Reconnecting(Loss::Broken) => {
            let from = stream.cursor();
            Some(format!("The connection was lost after event {from}; reconnecting ..."))
        }
        Happening::Reconnecting(Loss::Stopped) => {
            let from = stream.cursor();
            Some(format!("vosimd was stopped after event {from}; whatever is sent next starts it"))
        }
        Happening::Reconnected => Some("Connected again.".to_owned()),
        Happening::OtherStore => Some(OTHER_STORE.to_owned()),
        Happening::Progress(progress) => hindrance.news(progress),
        Happening::Event(_)
        | Happening::Presence(_)
        | Happening::Typed
        | Happening::Settled(_)
        | Happening::Nothing => None,
    }
}

/// An event as data or as a line.
fn show(record: &ToldRecord, output: Output) -> Result<(), Failure> {
    output.data(record, |look| log_line(record, look))
}
