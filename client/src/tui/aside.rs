//! What a session is about: beside the transcript where there is room, before its first entry
//! elsewhere.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::render::look::{Boxes, Charset, Colour, Look};
use crate::render::text::{cut, fold};
use crate::tui::panel::{KindPanel, Subject};
use crate::tui::style::{clean, more};

/// From this width on there is room beside the transcript, columns.
const BESIDE_FROM: usize = 120;
/// Between the two, columns.
const GAP: usize = 3;

/// Where the subject stands.
#[derive(Clone, Debug)]
pub(crate) enum Aside {
    /// The panel has none.
    None,
    /// Before the first entry.
    Before(Vec<Line<'static>>),
    /// In a column of its own, so wide.
    Beside(Subject, usize),
}

impl Aside {
    pub(crate) fn of<P: KindPanel>(panel: &P, look: &Look) -> Self {
        let beside = look.width >= BESIDE_FROM;
        let width = if beside { look.width * 2 / 5 } else { look.width };
        let plain = Look { width, colour: Colour::Off, boxes: Boxes::None, ..*look };
        match panel.subject(&plain) {
            None => Self::None,
            Some(subject) if beside => Self::Beside(subject, width),
            Some(Subject { text, below, .. }) => {
                let all =
                    [lines(&text, look, width), vec![Line::default()], lines(&below, look, width)];
                Self::Before(all.concat())
            }
        }
    }

    /// Columns that the transcript has on a screen.
    pub(crate) fn rest(&self, width: usize) -> usize {
        match self {
            Self::None | Self::Before(_) => width,
            Self::Beside(_, aside) => width.saturating_sub(aside + GAP),
        }
    }

    /// The lines before the transcript.
    pub(crate) fn before(&self) -> &[Line<'static>] {
        match self {
            Self::Before(lines) => lines,
            Self::None | Self::Beside(..) => &[],
        }
    }

    /// Draws the column into the rows of the transcript.
    pub(crate) fn draw(&self, look: &Look, rows: Rect, frame: &mut Frame<'_>) {
        let Self::Beside(subject, width) = self else { return };
        let height = usize::from(rows.height);
        let bar = if look.charset == Charset::Unicode { "│" } else { "|" };
        let columns = u16::try_from(*width).unwrap_or(rows.width).min(rows.width);
        let column = Rect { x: rows.right() - columns, width: columns, ..rows };
        frame.render_widget(Paragraph::new(fitted(subject, look, *width, height)), column);
        let edge = Rect { x: column.x.saturating_sub(2).max(rows.x), width: 1, ..rows };
        let bars = vec![Line::styled(bar, Modifier::DIM); height];
        frame.render_widget(Paragraph::new(bars), edge);
    }
}

/// The text as far as it fits above what is always shown.
fn fitted(subject: &Subject, look: &Look, width: usize, height: usize) -> Vec<Line<'static>> {
    let (mut text, mut below) =
        (lines(&subject.text, look, width), lines(&subject.below, look, width));
    below.insert(0, Line::default());
    let room = height.saturating_sub(below.len());
    if text.len() > room {
        text.truncate(room.saturating_sub(1));
        let whole = cut(&format!("{} {}", more(look), subject.whole), width, "");
        text.push(Line::styled(whole, Modifier::BOLD));
    }
    text.extend(below);
    text
}

fn lines(text: &str, look: &Look, width: usize) -> Vec<Line<'static>> {
    let folded = text.lines().flat_map(|line| fold(&clean(line), width, more(look)));
    folded.map(Line::from).collect()
}
