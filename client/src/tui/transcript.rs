//! What was said, as lines that can be scrolled.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use vosim_protocol::Role;
use vosim_protocol::v1::talk::{Channel, Entry};

use crate::render::look::{Boxes, Charset, Colour, Look};
use crate::render::markdown;
use crate::render::page::Page;
use crate::render::text::{LongWords, clean, clean_lines, columns, count, wrap};
use crate::tui::app::App;
use crate::tui::draw::{layout, tone};

/// Lines of one entry, the first with its time and who it is.
pub(crate) fn lines(entry: &Entry, app: &App, width: usize) -> Vec<Line<'static>> {
    if entry.channel == Channel::Section {
        return boundary(entry, app, width);
    }
    let look = &app.look;
    let style = match entry.channel {
        Channel::Interviewer => tone(look, crate::render::look::Tone::Strong),
        Channel::Assistant | Channel::Ask => Style::new(),
        Channel::Candidate | Channel::Section => Style::new(),
        Channel::System => tone(look, crate::render::look::Tone::Dim),
    };
    let late = if entry.late { ", late" } else { "" };
    let lead = format!("{}  {}{late}: ", look.clock(entry.at), who(entry.channel, app.role));
    let indent = 2.min(width / 4);
    let room = width.saturating_sub(indent).max(1);
    let body = match entry.channel {
        Channel::Interviewer | Channel::Assistant => prose(&entry.text, room, look),
        Channel::Candidate | Channel::Ask | Channel::System | Channel::Section => {
            plain(&entry.text, room, look)
        }
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
    match entry.channel {
        Channel::System => Style::new().add_modifier(Modifier::DIM),
        Channel::Section
        | Channel::Interviewer
        | Channel::Candidate
        | Channel::Ask
        | Channel::Assistant => Style::new(),
    }
}

fn who(channel: Channel, role: Role) -> &'static str {
    let mine = match role {
        Role::Candidate => true,
        Role::Observer | Role::Interviewer => false,
    };
    match (channel, mine) {
        (Channel::Interviewer, _) => "Interviewer",
        (Channel::Candidate, true) => "You",
        (Channel::Candidate, false) => "Candidate",
        (Channel::Ask, true) => "You to the assistant",
        (Channel::Ask, false) => "Candidate to the assistant",
        (Channel::Assistant, _) => "Assistant",
        (Channel::System | Channel::Section, _) => "vosim",
    }
}

/// The boundary of a section stands out by its rule, not by colour.
fn boundary(entry: &Entry, app: &App, width: usize) -> Vec<Line<'static>> {
    let rule = match app.look.charset {
        Charset::Unicode => "─",
        Charset::Ascii => "-",
    };
    let style = Style::new().add_modifier(Modifier::BOLD);
    let lead = format!("{rule}{rule} {}  ", app.look.clock(entry.at));
    let room = width.saturating_sub(columns(&lead) + 3).max(1);
    let mut out = Vec::new();
    for (at, text) in plain(&entry.text, room, &app.look).into_iter().enumerate() {
        let mut line = if at == 0 { lead.clone() } else { " ".repeat(columns(&lead)) };
        line.push_str(&text);
        if at == 0 {
            line.push(' ');
            line.push_str(&rule.repeat(width.saturating_sub(columns(&line))));
        }
        let line = crate::render::text::cut(&line, width, "");
        out.push(Line::styled(line, style));
    }
    out
}

/// Foreign text line by line, harmless and wrapped.
pub(crate) fn plain(text: &str, width: usize, look: &Look) -> Vec<String> {
    let spelled = look.spell(text);
    clean_lines(&spelled).iter().flat_map(|line| wrap(line, width, LongWords::Cut)).collect()
}

/// Texts of the content are written in Markdown.
pub(crate) fn prose(text: &str, width: usize, look: &Look) -> Vec<String> {
    let look = Look { width, colour: Colour::Off, boxes: Boxes::None, ..*look };
    let mut page = Page::new(&look);
    markdown::draw(&mut page, text);
    let page = page.finish();
    // What the page leaves longer than the screen is cut into more lines here.
    let lines = page.lines().flat_map(|line| {
        let line = clean(line);
        match columns(&line) > width {
            true => wrap(&line, width, LongWords::Cut),
            false => vec![line.into_owned()],
        }
    });
    lines.collect()
}

/// The lines that fit, newest last, with `scroll` lines of newer ones below them.
///
/// It wraps from the newest backwards, so a long transcript costs no more than what is shown.
pub(crate) fn visible(app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
    let needed = app.scroll + height;
    let mut backwards: Vec<Line<'static>> = Vec::new();
    for entry in app.entries.iter().rev() {
        if backwards.len() >= needed {
            break;
        }
        backwards.extend(lines(entry, app, width).into_iter().rev());
    }
    if backwards.len() < needed && app.omitted > 0 {
        let text = format!(
            "{}: vosimctl log",
            count(app.omitted, "earlier entry").replace("entrys", "entries")
        );
        backwards.push(Line::styled(crate::render::text::cut(&text, width, ""), Modifier::DIM));
    }
    // Scrolled further than there is: the oldest are shown.
    let scroll = app.scroll.min(backwards.len().saturating_sub(height));
    let mut out: Vec<_> = backwards.into_iter().skip(scroll).take(height).collect();
    out.reverse();
    out
}

/// How far can be scrolled.
pub(crate) fn scroll_max(app: &App) -> usize {
    let (width, height) = (usize::from(app.size.0), layout(app).transcript);
    let note = usize::from(app.omitted > 0);
    let all: usize = app.entries.iter().map(|entry| lines(entry, app, width).len()).sum();
    (all + note).saturating_sub(height)
}

/// Lines that a page goes: one is seen twice.
pub(crate) fn page(app: &App) -> usize {
    layout(app).transcript.saturating_sub(1).max(1)
}
