//! A terminal without a terminal: what is shown as text, and keys as messages.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::render::text;
use crate::tui::app::{Action, App, Msg};
use crate::tui::draw::draw;
use crate::tui::panel::{Intent, KindPanel, View};

/// What the terminal shows, without blanks at the ends of lines.
pub(crate) fn screen<P: KindPanel>(app: &mut App<P>, (columns, rows): (u16, u16)) -> String {
    app.update(Msg::Resize(columns, rows));
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(app, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut shown = String::new();
    for row in 0..rows {
        let mut line = String::new();
        let mut column = 0;
        while column < columns {
            let symbol = buffer[(column, row)].symbol();
            line.push_str(symbol);
            // A wide character hides the cell beside it.
            column += u16::try_from(text::columns(symbol).max(1)).unwrap();
        }
        shown += &format!("{}\n", line.trim_end());
    }
    shown
}

/// The same at several sizes.
pub(crate) fn at_sizes<P: KindPanel>(app: &mut App<P>, sizes: &[(u16, u16)]) -> String {
    let shown = |size: &(u16, u16)| format!("{}x{}\n{}", size.0, size.1, screen(app, *size));
    sizes.iter().map(shown).collect::<Vec<_>>().join("\n")
}

pub(crate) fn key<V>(code: KeyCode) -> Msg<V> {
    Msg::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

pub(crate) fn ctrl<V>(c: char) -> Msg<V> {
    Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL))
}

pub(crate) fn types<P: KindPanel>(app: &mut App<P>, text: &str) {
    for c in text.chars() {
        assert_eq!(app.update(key(KeyCode::Char(c))), []);
    }
}

pub(crate) fn enter<P: KindPanel>(app: &mut App<P>) -> Vec<Action<Intent<P>>> {
    app.update(key::<View<P>>(KeyCode::Enter))
}

/// What stands above the input.
pub(crate) fn remark<P: KindPanel>(app: &App<P>) -> &str {
    app.remark.as_ref().map_or("", |remark| remark.text.as_str())
}
