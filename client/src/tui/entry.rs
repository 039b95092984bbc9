//! One entry of a transcript as lines, and texts as the lines of any part of the screen.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use vosim_protocol::v1::telling::{Channel, Entry};

use crate::render::look::{Boxes, Colour, Look, Tone};
use crate::render::markdown;
use crate::render::page::Page;
use crate::render::telling::{is_prose, who};
use crate::render::text::{LongWords, columns, cut, fold, wrap};
use crate::tui::style::{clean, dash, more, tone};
use crate::tui::viewing::Viewing;

/// Lines of one entry, the first with its time and who it is.
pub(crate) fn lines(entry: &Entry, viewing: &Viewing) -> Vec<Line<'static>> {
    let (look, width) = (&viewing.look, viewing.look.width);
    if entry.telling.channel == Channel::Section {
        return boundary(entry, look);
    }
    let style = match entry.telling.channel {
        Channel::Interviewer => tone(look, Tone::Strong),
        Channel::Assistant | Channel::Ask => Style::new(),
        Channel::Candidate | Channel::Section => Style::new(),
        Channel::System => tone(look, Tone::Dim),
    };
    let late = if entry.telling.late { ", late" } else { "" };
    let who = who(entry.telling.channel, viewing.role);
    let who = who.map_or(String::new(), |who| format!("{who}{late}: "));
    let lead = format!("{}  {who}", look.clock(entry.at));
    let indent = 2.min(width / 4);
    let room = width.saturating_sub(indent).max(1);
    let body = match is_prose(entry.telling.channel) {
        true => prose(entry.text(), room, look),
        false => plain(entry.text(), room, look),
    };
    let mut body = body.into_iter();
    let mut out = Vec::new();
    let first = body.next().unwrap_or_default();
    if columns(&lead) + columns(&first) <= width {
        out.push(Line::from(vec![Span::styled(lead, label(entry)), Span::styled(first, style)]));
    } else {
        let head = wrap(lead.trim_end(), width, LongWords::Cut);
        out.extend(head.into_iter().map(|line| Line::styled(line, label(entry))));
        out.push(Line::styled(format!("{:indent$}{first}", ""), style));
    }
    out.extend(body.map(|line| Line::styled(format!("{:indent$}{line}", ""), style)));
    out
}

fn label(entry: &Entry) -> Style {
    match entry.telling.channel {
        Channel::System => Style::new().add_modifier(Modifier::DIM),
        Channel::Section
        | Channel::Interviewer
        | Channel::Candidate
        | Channel::Ask
        | Channel::Assistant => Style::new(),
    }
}

/// The boundary of a section stands out by its rule, not by colour.
fn boundary(entry: &Entry, look: &Look) -> Vec<Line<'static>> {
    let width = look.width;
    let rule = dash(look);
    let style = Style::new().add_modifier(Modifier::BOLD);
    let lead = format!("{rule}{rule} {}  ", look.clock(entry.at));
    let room = width.saturating_sub(columns(&lead) + 3).max(1);
    let mut out = Vec::new();
    for (at, text) in plain(entry.text(), room, look).into_iter().enumerate() {
        let mut line = if at == 0 { lead.clone() } else { " ".repeat(columns(&lead)) };
        line.push_str(&text);
        if at == 0 {
            line.push(' ');
            line.push_str(&rule.repeat(width.saturating_sub(columns(&line))));
        }
        out.push(Line::styled(cut(&line, width, ""), style));
    }
    out
}

/// Foreign text line by line, harmless and wrapped.
pub(crate) fn plain(text: &str, width: usize, look: &Look) -> Vec<String> {
    let spelled = look.spell(text);
    spelled.lines().flat_map(|line| wrap(&clean(line), width, LongWords::Cut)).collect()
}

/// Texts of the content are written in Markdown.
pub(crate) fn prose(text: &str, width: usize, look: &Look) -> Vec<String> {
    let look = Look { width, colour: Colour::Off, boxes: Boxes::None, ..*look };
    let mut page = Page::new(&look);
    markdown::draw(&mut page, text);
    let page = page.finish();
    // What the page leaves longer than the screen is code, or a word without end.
    page.lines().flat_map(|line| fold(&clean(line), width, more(&look))).collect()
}
