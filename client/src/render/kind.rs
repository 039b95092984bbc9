//! The one place that lists the kinds of sessions: each draws its own view and events.

use vosim_protocol::v1::service::ViewResult;
use vosim_protocol::{EventRecord, Kind};

use crate::any_view::AnyView;
use crate::errors::Failure;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::{clean, columns, cut};
use crate::render::{drill, interview};

/// Where a session stands.
pub(crate) fn status(result: &ViewResult, look: &Look) -> Result<String, Failure> {
    Ok(match AnyView::read(result)? {
        AnyView::Drill(view) => drill::status(&view, look),
        AnyView::Interview(view) if view.ended.is_some() => interview::summary(&view, look),
        AnyView::Interview(view) => interview::status(&view, look),
    })
}

/// An event in one line: its number, the time of day, its type and what is in it.
pub(crate) fn event_line(kind: Kind, record: &EventRecord, look: &Look) -> String {
    let gist = match kind {
        Kind::Drill => drill::gist(record),
        Kind::Interview => interview::gist(record),
    };
    let gist = gist.unwrap_or_else(|| record.payload.to_string());
    let time = look.clock(record.timestamp);
    let lead = format!("{:>4}  {time}  {}", record.event_id.0, clean(&record.event_type));
    let mut page = Page::new(look);
    if kind == Kind::Interview
        && let Some(boundary) = interview::boundary(record, look)
    {
        page.drawn(&boundary);
    }
    let (below, room) = match look.width.saturating_sub(lead.len() + 2) {
        room @ ..16 => (true, look.width.saturating_sub(6).max(room)),
        room => (false, room),
    };
    let gist = cut(&look.spell(&clean(&gist)), room, page.mark());
    // A long type on a narrow screen stands on a line of its own.
    let lead = match columns(&lead) > look.width {
        true => lead.replacen(&time, &format!("{time}\n    "), 1),
        false => lead,
    };
    let lead = look.paint(Tone::Dim, &lead);
    if below {
        page.raw(&lead).raw(&format!("      {gist}"));
    } else {
        page.raw(&format!("{lead}  {gist}"));
    }
    page.finish()
}
