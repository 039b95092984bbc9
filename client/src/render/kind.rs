//! The one place that lists the kinds of sessions: each draws its own view and events.

use vosim_protocol::v1::drill::View;
use vosim_protocol::v1::service::ViewResult;
use vosim_protocol::{EventRecord, Kind, Wire as _};

use crate::errors::Fault;
use crate::render::drill;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::{clean, cut};

/// Where a session stands.
pub(crate) fn status(result: &ViewResult, look: &Look) -> Result<String, Fault> {
    match result.kind {
        Kind::Drill => View::from_json(result.view.clone())
            .map(|view| drill::status(&view, look))
            .map_err(|error| Fault::Garbled { method: "session.view", reason: error.to_string() }),
    }
}

/// An event in one line: its number, the time of day, its type and what is in it.
pub(crate) fn event_line(kind: Kind, record: &EventRecord, look: &Look) -> String {
    let gist = match kind {
        Kind::Drill => drill::gist(record),
    };
    let gist = gist.unwrap_or_else(|| record.payload.to_string());
    let lead = format!(
        "{:>4}  {}  {}",
        record.event_id.0,
        look.clock(record.timestamp),
        clean(&record.event_type)
    );
    let mut page = Page::new(look);
    let (below, room) = match look.width.saturating_sub(lead.len() + 2) {
        room @ ..16 => (true, look.width.saturating_sub(6).max(room)),
        room => (false, room),
    };
    let gist = cut(&look.spell(&clean(&gist)), room, page.mark());
    let lead = look.paint(Tone::Dim, &lead);
    if below {
        page.raw(&lead).raw(&format!("      {gist}"));
    } else {
        page.raw(&format!("{lead}  {gist}"));
    }
    page.finish()
}
