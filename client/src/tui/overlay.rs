//! What takes the whole screen for a while: help, the status, and the word that there is no room.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph};

use crate::intent::words;
use crate::render::look::{Boxes, Colour, Look};
use crate::render::text::{clean, cut};
use crate::tui::app::Overlay;
use crate::tui::editor::Editor;
use crate::tui::panel::{Heading, KindPanel};
use crate::tui::style::{more, shorten, shown};
use crate::tui::viewing::Viewing;

/// Below this there is no room for a conversation.
pub(crate) const SMALLEST: (u16, u16) = (40, 10);

/// The keys as help shows them.
const KEYS: [(&str, &str); 9] = [
    ("Enter", "send the line; Alt-Enter or Ctrl-J begins a new line in it"),
    ("PageUp, PageDown", "older and newer entries; End returns to the newest"),
    ("Up, Down", "lines typed before"),
    ("Ctrl-Left, -Right", "a word back, a word on; Ctrl-A, Ctrl-E the line's ends"),
    ("Ctrl-W, -U, -K", "cut a word, to the start, to the end; Ctrl-Y puts it back"),
    ("Ctrl-L", "draw the screen anew"),
    ("Ctrl-Z", "stop; fg goes on"),
    ("Ctrl-C", "clear the line, or leave an empty one: the session goes on"),
    ("F1", "this help"),
];

/// Draws over everything else.
pub(crate) fn over<P: KindPanel>(
    panel: &P,
    overlay: Overlay,
    viewing: &Viewing,
    frame: &mut Frame<'_>,
) {
    let area = frame.area();
    let (look, width) = (&viewing.look, viewing.look.width);
    let mut lines: Vec<Line<'static>> = match overlay {
        Overlay::Help => {
            let rows = words::<P::Words>().chain(KEYS);
            let line = |(word, what)| shown(look, &format!("{word:<22}{what}"));
            rows.map(|row| Line::from(cut(&line(row), width, more(look)))).collect()
        }
        Overlay::Status => {
            let look = Look { colour: Colour::Off, boxes: Boxes::None, ..*look };
            let text = panel.status(&Viewing { look, ..viewing.clone() });
            text.lines().map(|line| Line::from(cut(&clean(line), width, ""))).collect()
        }
    };
    let room = usize::from(area.height).saturating_sub(1);
    shorten(&mut lines, room, look, width);
    lines.push(Line::styled("Any key goes back.", Modifier::BOLD));
    let height = u16::try_from(lines.len()).unwrap_or(area.height).min(area.height);
    let below = Rect { height, ..area };
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines), below);
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
