//! What takes the whole screen for a while: help, the status, and the word that there is no room.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph};

use crate::intent::WORDS;
use crate::render::interview::status;
use crate::render::interview::words::clock;
use crate::render::look::{Boxes, Colour, Look};
use crate::render::text::{clean, cut};
use crate::tui::app::{App, Overlay};
use crate::tui::draw::{SMALLEST, more, shorten, shown};
use crate::tui::keys::KEYS;

/// Draws over everything else.
pub(crate) fn over(app: &App, overlay: Overlay, frame: &mut Frame<'_>) {
    let area = frame.area();
    let width = usize::from(area.width);
    let mut lines: Vec<Line<'static>> = Vec::new();
    match overlay {
        Overlay::Help => {
            let rows = WORDS.iter().chain(KEYS.iter());
            for (word, what) in rows {
                let text = format!("{word:<22}{what}");
                let text = shown(&app.look, &text);
                lines.push(Line::from(cut(&text, width, more(&app.look))));
            }
        }
        Overlay::Status => {
            let look = Look { width, colour: Colour::Off, boxes: Boxes::None, ..app.look };
            let mut view = app.view.clone();
            // The time of the view is that of now, so that what it says is left is left.
            let passed = app.now.saturating_sub(app.clock.learned).as_micros();
            view.at = view.at.plus_micros(i64::try_from(passed).unwrap_or(i64::MAX));
            let text = status(&view, &look);
            lines.extend(text.lines().map(|line| Line::from(cut(&clean(line), width, ""))));
        }
    }
    let room = usize::from(area.height).saturating_sub(1);
    shorten(&mut lines, room, &app.look, width);
    lines.push(Line::styled("Any key goes back.", Modifier::BOLD));
    let height = u16::try_from(lines.len()).unwrap_or(area.height).min(area.height);
    let below = Rect { height, ..area };
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines), below);
}

/// The time left is told even here.
pub(crate) fn too_small(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let (columns, rows) = SMALLEST;
    let mut lines = vec![Line::from("Too small:"), Line::from(format!("{columns}x{rows} needed"))];
    if let Some(now) = &app.view.current_section {
        lines.push(Line::styled(format!("{} left", clock(app.left(now.deadline))), Modifier::BOLD));
    }
    if !app.editor.is_empty() {
        lines.push(Line::from("Your text stays."));
    }
    frame.render_widget(Paragraph::new(lines), area);
}
