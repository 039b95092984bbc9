//! What takes the whole screen for a while: help, the status, an answer to read, and the word that
//! there is no room.

use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph};

use crate::intent::words;
use crate::render::look::{Boxes, Colour, Look};
use crate::render::text::{LongWords, cut, fold, wrap};
use crate::tui::app::{App, Overlay, Sheet};
use crate::tui::editor::Editor;
use crate::tui::panel::{Heading, KindPanel};
use crate::tui::style::{clean, more, shown};
use crate::tui::viewing::Viewing;

/// Below this there is no room for a conversation.
pub(crate) const SMALLEST: (u16, u16) = (40, 10);

/// Columns of the longest word in help.
const WORD_COLUMNS: usize = 23;

const GOES_BACK: &str = "Any key goes back; what you type is kept.";

/// The keys as help shows them.
const KEYS: [(&str, &str); 10] = [
    ("Enter", "send the line; Alt-Enter or Ctrl-J begins a new line in it"),
    ("Tab", "complete a word behind a slash"),
    ("PageUp, PageDown", "older and newer entries; End returns to the newest"),
    ("Up, Down", "lines typed before"),
    ("Ctrl-Left, -Right", "a word back or forward; Ctrl-A, Ctrl-E: the line's ends"),
    ("Ctrl-W, -U, -K", "cut a word, to the start, to the end; Ctrl-Y puts it back"),
    ("Ctrl-L", "redraw the screen"),
    ("Ctrl-Z", "suspend; fg resumes"),
    ("Ctrl-C", "clear the line, or leave when it is empty"),
    ("F1", "this help; ? in an empty line, too"),
];

/// The keys of a workbench.
const BENCH_KEYS: [(&str, &str); 5] = [
    ("F6", "the next page or panel; Shift-F6: the one before"),
    ("Tab", "the next field of a form; Shift-Tab: the one before"),
    ("Ctrl-S", "send the form"),
    ("Ctrl-O", "fill the form in $EDITOR"),
    ("Esc", "from the form to the line for commands; Tab goes back"),
];

/// Draws over everything else.
pub(crate) fn over<P: KindPanel>(app: &App<P>, overlay: &Overlay, frame: &mut Frame<'_>) {
    let area = frame.area();
    let mut lines = lines(app, &overlay.sheet);
    let (all, room) = (lines.len(), room(area.height));
    if all > room {
        let first = overlay.scroll.min(all - room);
        lines = lines.into_iter().skip(first).take(room).collect();
        let text = format!(
            "Lines {} to {} of {all}; PageUp and PageDown move, other keys go back.",
            first + 1,
            first + room
        );
        lines.push(Line::styled(cut(&text, usize::from(area.width), ""), Modifier::BOLD));
    } else {
        let text = if app.types() { GOES_BACK } else { "Any key goes back." };
        lines.push(Line::styled(cut(text, usize::from(area.width), ""), Modifier::BOLD));
    }
    let height = u16::try_from(lines.len()).unwrap_or(area.height).min(area.height);
    let below = Rect { height, ..area };
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines), below);
}

/// Moves through what does not fit; whether the key was for that.
pub(crate) fn scrolls<P: KindPanel>(app: &mut App<P>, code: KeyCode) -> bool {
    let Some(overlay) = &app.overlay else { return false };
    let (all, room) = (lines(app, &overlay.sheet).len(), room(app.size.1));
    let last = all.saturating_sub(room);
    let now = overlay.scroll.min(last);
    // One line is seen twice.
    let page = room.saturating_sub(1).max(1);
    let scroll = match code {
        _ if last == 0 => return false,
        KeyCode::PageUp => now.saturating_sub(page),
        KeyCode::PageDown => (now + page).min(last),
        KeyCode::Up => now.saturating_sub(1),
        KeyCode::Down => (now + 1).min(last),
        KeyCode::Home => 0,
        KeyCode::End => last,
        _ => return false,
    };
    if let Some(overlay) = &mut app.overlay {
        overlay.scroll = scroll;
    }
    true
}

/// Lines of a sheet; the last line of the screen says how one goes back.
fn room(height: u16) -> usize {
    usize::from(height).saturating_sub(1)
}

fn lines<P: KindPanel>(app: &App<P>, sheet: &Sheet) -> Vec<Line<'static>> {
    let viewing = app.viewing();
    let (look, width) = (viewing.look, viewing.look.width);
    let plain = Look { colour: Colour::Off, boxes: Boxes::None, ..look };
    let text = match sheet {
        Sheet::Help => {
            let bench = BENCH_KEYS.into_iter().filter(|_| !P::PANELS.is_empty());
            let words = words::<P::Words>().chain(bench).chain(KEYS);
            let words = words.flat_map(|(word, what)| help(&look, word, what));
            let keys = P::KEYS.iter();
            let keys = keys.flat_map(|key| help(&look, &format!("F{}", key.number), key.line));
            return words.chain(keys).collect();
        }
        Sheet::Status => app.panel.status(&Viewing { look: plain, ..viewing }),
        Sheet::Answer(picture) => picture.draw(&plain),
    };
    let folded = text.lines().flat_map(|line| fold(&clean(line), width, more(&look)));
    folded.map(Line::from).collect()
}

/// A word with what it does, in as many lines as that needs.
fn help(look: &Look, word: &str, what: &str) -> Vec<Line<'static>> {
    let room = look.width.saturating_sub(WORD_COLUMNS + 1);
    let pieces = wrap(&shown(look, what), room, LongWords::Cut).into_iter().enumerate();
    let line = |(at, piece): (usize, String)| {
        let lead = if at == 0 { word } else { "" };
        Line::from(format!("{lead:<WORD_COLUMNS$} {piece}"))
    };
    pieces.map(line).collect()
}

/// The time is told even here.
pub(crate) fn too_small(heading: &Heading, editor: &Editor, frame: &mut Frame<'_>) {
    let area = frame.area();
    let (columns, rows) = SMALLEST;
    let mut lines = vec![
        Line::from("Too small:"),
        Line::from(format!("{columns}x{rows} needed")),
        Line::styled(heading.time.clone(), Modifier::BOLD),
    ];
    if !editor.is_empty() {
        lines.push(Line::from("Your text stays."));
    }
    frame.render_widget(Paragraph::new(lines), area);
}
