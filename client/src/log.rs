//! A session's log, read frame by frame as far as it is in one store.

use vosim_protocol::v1::service::{self, LogParams};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Role, SessionId};

use crate::client::Client;
use crate::errors::Failure;

/// All records of a session.
pub(crate) fn whole(
    client: &mut Client,
    mut session: Option<String>,
    role: Role,
) -> Result<(SessionId, Vec<ToldRecord>), Failure> {
    loop {
        let mut records = Vec::new();
        let pages = pages(client, session, EventId::ZERO, role, |record| {
            records.push(record.clone());
            Ok(())
        })?;
        if pages.whole {
            return Ok((pages.session, records));
        }
        session = Some(pages.session.to_string());
    }
}

/// How far a log was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pages {
    pub(crate) session: SessionId,
    /// The last event that was seen.
    pub(crate) last: EventId,
    /// False when the daemon came to another store between two pages: nothing that it says then
    /// goes on from what was seen.
    pub(crate) whole: bool,
}

/// Reads a log frame by frame, as far as it is in one store.
pub(crate) fn pages(
    client: &mut Client,
    session: Option<String>,
    after: EventId,
    role: Role,
    mut each: impl FnMut(&ToldRecord) -> Result<(), Failure>,
) -> Result<Pages, Failure> {
    let mut params = LogParams { session, after, role };
    let mut page = client.call::<service::Log>(&params)?;
    let (session, store) = (page.session_id, client.store_id());
    // The current session may change between two pages.
    params.session = Some(session.to_string());
    loop {
        page.records.iter().try_for_each(&mut each)?;
        let last = page.records.last().map(|record| record.event_id);
        params.after = last.unwrap_or(params.after);
        let pages = Pages { session, last: params.after, whole: true };
        // A role may be shown nothing at the end of a log, so an empty page ends it too.
        if last.is_none() || pages.last >= page.cursor {
            return Ok(pages);
        }
        let next = client.call::<service::Log>(&params);
        let elsewhere = client.store_id().is_some_and(|now| Some(now) != store);
        if elsewhere {
            return Ok(Pages { whole: false, ..pages });
        }
        page = next?;
    }
}
