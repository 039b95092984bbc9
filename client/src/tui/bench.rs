//! The workbench: panels side by side, or one page after the other where there is no room (003: workbench).
//!
//! What stands in the panels is the panel's of the kind; the forms stand in the middle one, and what is
//! said to the candidate in the last.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use vosim_protocol::v1::telling::Channel;

use crate::form::{Choice, Field, Takes};
use crate::render::look::{Boxes, Charset, Colour, Look, Tone};
use crate::render::text::{LongWords, columns, cut, fold, wrap};
use crate::tui::app::App;
use crate::tui::desk::{COACH, FORMS, Filling, PANELS, beside};
use crate::tui::entry;
use crate::tui::input::Rows;
use crate::tui::panel::{KindPanel, Leaf};
use crate::tui::style::{clean, dash, more, shorten, shown, tone};
use crate::tui::viewing::Viewing;

/// What stands before each row that is written in, columns.
const LEAD: usize = 4;
/// Between two panels, columns.
const GAP: usize = 3;

/// The lines of a panel, and where the cursor stands in them.
#[derive(Clone, Debug, Default)]
struct Drawn {
    lines: Vec<Line<'static>>,
    cursor: Option<(usize, usize)>,
}

/// The columns of each panel.
fn widths(width: usize) -> [usize; PANELS] {
    if !beside(width) {
        return [width; PANELS];
    }
    let room = width - 2 * GAP;
    let (left, middle) = (room * 34 / 100, room * 37 / 100);
    [left, middle, room - left - middle]
}

/// The columns in which a field is written.
pub(crate) fn field_width<P: KindPanel>(app: &App<P>) -> usize {
    widths(usize::from(app.size.0))[FORMS].saturating_sub(LEAD)
}

/// Draws the workbench; answers where the cursor stands.
pub(crate) fn draw<P: KindPanel>(
    app: &App<P>,
    area: Rect,
    frame: &mut Frame<'_>,
) -> Option<(u16, u16)> {
    let look = app.viewing().look;
    let widths = widths(usize::from(area.width));
    let mut cursor = None;
    let mut x = area.x;
    for at in shown_panels(app) {
        let width = u16::try_from(widths[at]).unwrap_or(area.width);
        let column = Rect { x, width, ..area }.intersection(area);
        let (lines, place) = panel(app, at, usize::from(column.width), usize::from(column.height));
        frame.render_widget(Paragraph::new(lines), column);
        if let Some((row, col)) = place {
            let row = u16::try_from(row).unwrap_or(area.height);
            let col = u16::try_from(col).unwrap_or(area.width);
            cursor = Some((column.x.saturating_add(col), column.y.saturating_add(row)));
        }
        x = column.right() + u16::try_from(GAP).unwrap_or(0);
        if at + 1 < PANELS && beside(usize::from(area.width)) && x < area.right() {
            let bar = if look.charset == Charset::Unicode { "│" } else { "|" };
            let edge = Rect { x: column.right() + 1, width: 1, ..area }.intersection(area);
            let bars = vec![Line::styled(bar, Modifier::DIM); usize::from(area.height)];
            frame.render_widget(Paragraph::new(bars), edge);
        }
    }
    cursor
}

fn shown_panels<P: KindPanel>(app: &App<P>) -> std::ops::Range<usize> {
    match beside(usize::from(app.size.0)) {
        true => 0..PANELS,
        false => app.desk.page..app.desk.page + 1,
    }
}

/// The rows of a panel as they are seen, its name first.
fn panel<P: KindPanel>(
    app: &App<P>,
    at: usize,
    width: usize,
    height: usize,
) -> (Vec<Line<'static>>, Option<(usize, usize)>) {
    let look = Look { width, ..app.viewing().look };
    let mut rows = vec![title(app, at, &look)];
    let height = height.saturating_sub(1);
    let Leaf { text, below } = app.panel.leaf(at, &plain_look(&look), app.role);
    let mut below = lines(&below, &look);
    shorten(&mut below, height / 2, &look, width);
    if !below.is_empty() {
        below.insert(0, Line::styled(dash(&look).repeat(width), Modifier::DIM));
    }
    let room = height.saturating_sub(below.len());
    let drawn = match at {
        FORMS => with_forms(app, lines(&text, &look), &look),
        _ => Drawn { lines: lines(&text, &look), cursor: None },
    };
    if at == COACH {
        rows.extend(coach(app, drawn.lines, &look, room));
        rows.extend(below);
        return (rows, None);
    }
    let most = drawn.lines.len().saturating_sub(room);
    let top = match drawn.cursor {
        Some((row, _)) if at == FORMS && app.desk.follows => following(row, room, most),
        _ => app.desk.scroll[at].min(most),
    };
    let cursor = drawn.cursor.filter(|(row, _)| (top..top + room).contains(row));
    let hidden = drawn.lines.len().saturating_sub(top + room);
    let mut seen: Vec<_> = drawn.lines.into_iter().skip(top).take(room).collect();
    if hidden > 0 && cursor.is_none_or(|(row, _)| row + 1 < top + room) {
        let text = format!("{} more below; PageDown", more(&look));
        seen.pop();
        seen.push(Line::styled(cut(&text, width, ""), Modifier::DIM));
    }
    seen.resize_with(room, Line::default);
    rows.extend(seen);
    rows.extend(below);
    (rows, cursor.map(|(row, col)| (row - top + 1, col)))
}

/// The first line that is shown where the cursor is to be seen with some lines around it.
fn following(row: usize, room: usize, most: usize) -> usize {
    (row + 3).saturating_sub(room).min(most).min(row)
}

/// Lines by which a panel can be moved at most.
pub(crate) fn scroll_max<P: KindPanel>(app: &App<P>, height: usize) -> usize {
    let at = app.desk.page.min(PANELS - 1);
    let width = widths(usize::from(app.size.0))[at];
    let look = Look { width, ..app.viewing().look };
    let text = lines(&app.panel.leaf(at, &plain_look(&look), app.role).text, &look);
    let all = match at {
        FORMS => with_forms(app, text, &look).lines.len(),
        COACH => text.len() + said(app, &look, usize::MAX).len(),
        _ => text.len(),
    };
    // The name of the panel, and half of what is always shown below it.
    all.saturating_sub(height.saturating_sub(1) / 2)
}

/// The name of a panel; on a page of its own the names of all, with the key that goes on to the next.
fn title<P: KindPanel>(app: &App<P>, at: usize, look: &Look) -> Line<'static> {
    let name = |at: usize| P::PANELS.get(at).copied().unwrap_or(TRANSCRIPT);
    if beside(usize::from(app.size.0)) {
        let mark = if app.desk.page == at { "> " } else { "" };
        return Line::styled(cut(&format!("{mark}{}", name(at)), look.width, ""), Modifier::BOLD);
    }
    pages::<P>(at, app.desk.unread, look)
}

/// What the page behind the panels is called.
const TRANSCRIPT: &str = "log";

/// The names of all pages, that of the one that is looked at in brackets, and a mark where something new
/// stands.
pub(crate) fn pages<P: KindPanel>(at: usize, unread: bool, look: &Look) -> Line<'static> {
    let names = P::PANELS.iter().copied().chain([TRANSCRIPT]).enumerate();
    let mut spans = Vec::new();
    for (page, name) in names {
        let (text, style) = match page == at {
            true => (format!("[{name}] "), Style::new().add_modifier(Modifier::BOLD)),
            false if page == COACH && unread => {
                (format!(" {name}: new  "), Style::new().add_modifier(Modifier::BOLD))
            }
            false => (format!(" {name}  "), Style::new().add_modifier(Modifier::DIM)),
        };
        spans.push(Span::styled(text, style));
    }
    let used: usize = spans.iter().map(|span| columns(&span.content)).sum();
    let key = "F6: next page";
    if used + columns(key) <= look.width {
        let gap = " ".repeat(look.width - used - columns(key));
        spans.push(Span::styled(format!("{gap}{key}"), Modifier::DIM));
    }
    Line::from(spans)
}

fn plain_look(look: &Look) -> Look {
    Look { colour: Colour::Off, boxes: Boxes::None, ..*look }
}

/// The lines of a text that was made for this width; headings stand out.
fn lines(text: &str, look: &Look) -> Vec<Line<'static>> {
    let line = |line: &str| {
        let style = match line.starts_with("== ") {
            true => tone(look, Tone::Strong),
            false => Style::new(),
        };
        let parts = fold(&clean(line), look.width, more(look));
        parts.into_iter().map(move |part| Line::styled(part, style)).collect::<Vec<_>>()
    };
    text.trim_end().lines().flat_map(line).collect()
}

/// What there is to know, and below it the newest of what was said to the candidate.
fn coach<P: KindPanel>(
    app: &App<P>,
    mut facts: Vec<Line<'static>>,
    look: &Look,
    room: usize,
) -> Vec<Line<'static>> {
    shorten(&mut facts, (room / 2).max(3).min(room), look, look.width);
    facts.push(Line::styled(dash(look).repeat(look.width), Modifier::DIM));
    let height = room.saturating_sub(facts.len());
    let scroll = app.desk.scroll[COACH];
    let said = said(app, look, scroll.saturating_add(height));
    let last = said.len().saturating_sub(scroll.min(said.len().saturating_sub(height)));
    let first = last.saturating_sub(height);
    facts.extend(said.into_iter().take(last).skip(first));
    facts.resize_with(room, Line::default);
    facts
}

/// So many lines at least of what was said to the candidate, newest last.
fn said<P: KindPanel>(app: &App<P>, look: &Look, wanted: usize) -> Vec<Line<'static>> {
    let viewing = Viewing { look: *look, ..app.viewing() };
    let mut backwards: Vec<Line<'static>> = Vec::new();
    for entry in app.transcript.entries.iter().rev() {
        if backwards.len() >= wanted {
            break;
        }
        if entry.telling.channel != Channel::Candidate {
            backwards.extend(entry::lines(entry, &viewing).into_iter().rev());
        }
    }
    backwards.reverse();
    backwards
}

/// The forms below the text of their panel.
fn with_forms<P: KindPanel>(app: &App<P>, text: Vec<Line<'static>>, look: &Look) -> Drawn {
    let mut drawn = Drawn { lines: text, cursor: None };
    let place = app.desk.place().filter(|_| app.on_form());
    for (form, filling) in app.desk.forms.iter().enumerate() {
        if !drawn.lines.is_empty() {
            drawn.lines.push(Line::default());
        }
        let field = place.filter(|(at, _)| *at == form).map(|(_, field)| field);
        draw_form(filling, field, look, &mut drawn);
    }
    drawn
}

fn draw_form(filling: &Filling, at: Option<usize>, look: &Look, drawn: &mut Drawn) {
    let title = format!("== {} ==", filling.form.title);
    let title = wrap(&title, look.width, LongWords::Cut).into_iter();
    drawn.lines.extend(title.map(|line| Line::styled(line, tone(look, Tone::Strong))));
    for (place, field) in filling.form.fields.iter().enumerate() {
        if !filling.is_open(place) {
            continue;
        }
        let here = at == Some(place);
        heading(field, here, look, &mut drawn.lines);
        let top = drawn.lines.len();
        match &field.takes {
            Takes::One(_) => {
                drawn.lines.extend(choices(field, look));
                if here {
                    drawn.cursor = Some((top + chosen_row(field, look), 2));
                }
            }
            Takes::Text | Takes::Line => {
                let Some(editor) = filling.editors.get(place) else { continue };
                let rows = Rows::of_text(editor, look, look.width.saturating_sub(LEAD));
                let bar = if look.charset == Charset::Unicode { "  │ " } else { "  | " };
                let row = |row: &String| Line::from(format!("{bar}{row}"));
                drawn.lines.extend(rows.rows.iter().map(row));
                if here {
                    drawn.cursor = Some((top + rows.cursor.0, LEAD + rows.cursor.1));
                }
            }
        }
    }
}

/// The heading of a field, and behind it what belongs there as far as there is room.
fn heading(field: &Field, here: bool, look: &Look, lines: &mut Vec<Line<'static>>) {
    let mark = if here { "> " } else { "  " };
    let style = match here {
        true => tone(look, Tone::Strong),
        false => Style::new(),
    };
    let heading = format!("{mark}{}", shown(look, &field.heading));
    let mut parts = wrap(&heading, look.width, LongWords::Cut);
    let last = parts.pop().unwrap_or_default();
    lines.extend(parts.into_iter().map(|part| Line::styled(part, style)));
    let about = shown(look, &field.about);
    let room = look.width.saturating_sub(columns(&last) + 3);
    if about.is_empty() || room == 0 {
        lines.push(Line::styled(last, style));
    } else if columns(&about) <= room {
        let about = Span::styled(format!(" ({about})"), Modifier::DIM);
        lines.push(Line::from(vec![Span::styled(last, style), about]));
    } else {
        lines.push(Line::styled(last, style));
        let about = wrap(&about, look.width.saturating_sub(LEAD), LongWords::Cut).into_iter();
        lines.extend(about.map(|part| Line::styled(format!("    {part}"), Modifier::DIM)));
    }
}

/// What can be chosen: on one line where that has room for all.
fn choices(field: &Field, look: &Look) -> Vec<Line<'static>> {
    let spelled = spelled(field, look);
    if let Some(line) = in_a_row(&spelled, look) {
        return vec![Line::from(line)];
    }
    let wrapped = spelled.into_iter().flat_map(|choice| choice_rows(&choice, look));
    wrapped.map(Line::from).collect()
}

/// Each choice with its mark.
fn spelled(field: &Field, look: &Look) -> Vec<String> {
    let choice = |choice: &Choice| {
        let mark = if choice.value == field.value { "(x)" } else { "( )" };
        format!("{mark} {}", shown(look, choice.shown()))
    };
    field.choices().iter().map(choice).collect()
}

fn in_a_row(choices: &[String], look: &Look) -> Option<String> {
    let line = format!("  {}", choices.join("  "));
    (columns(&line) <= look.width).then_some(line)
}

fn choice_rows(choice: &str, look: &Look) -> Vec<String> {
    let parts = wrap(choice, look.width.saturating_sub(6), LongWords::Cut).into_iter();
    parts
        .enumerate()
        .map(|(at, part)| format!("{}{part}", if at == 0 { "  " } else { "      " }))
        .collect()
}

/// The row of what is chosen.
fn chosen_row(field: &Field, look: &Look) -> usize {
    let spelled = spelled(field, look);
    if in_a_row(&spelled, look).is_some() {
        return 0;
    }
    let chosen = field.choices().iter().position(|choice| choice.value == field.value);
    let before = spelled.iter().take(chosen.unwrap_or(0));
    before.map(|choice| choice_rows(choice, look).len()).sum()
}
