//! A terminal without a terminal: what is shown as text, and keys as messages.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use vosim_protocol::{EventRecord, Wire as _};

use crate::render::look::{Boxes, Look};
use crate::render::telling::sentence;
use crate::render::text;
use crate::tui::app::{Action, App, Msg};
use crate::tui::draw::draw;
use crate::tui::panel::{Intent, KindPanel, View};
use crate::tui::viewing::Viewing;

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

/// Asserts that a screen shows of a recorded session just the words that line mode says.
pub(crate) fn assert_reads_as_in_line_mode<P: KindPanel>(mut app: App<P>) {
    let look = Look { boxes: Boxes::None, width: 200, ..Look::PLAIN };
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/logs");
    let log = std::fs::read(format!("{logs}/{}.jsonl", P::KIND.name())).unwrap();
    let mut said = String::new();
    for line in log.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let record = EventRecord::from_bytes(line).unwrap();
        let Some(told) = vosim_engine::kinds::told(P::KIND, app.role, record) else { continue };
        said += &sentence(&told, app.role, &look);
        app.update(Msg::Event(Box::new(told)));
    }
    let shown = app.transcript.visible(&Viewing { look, ..app.viewing() }, usize::MAX, &[]);
    let shown: String = shown.iter().map(|line| format!("{line}\n")).collect();
    assert!(words(&said).len() > 100, "{said}");
    assert_eq!(words(&shown), words(&said));
}

/// Words without the marks of Markdown, which a screen draws, and without rules.
fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.replace(['`', '*', '_', '─'], "");
    let words = text.split_whitespace().filter(|word| !word.starts_with("```")).map(bare);
    words.filter(|word| !["", "-", "•", "|"].contains(&word.as_str())).collect()
}

pub(crate) fn key<V>(code: KeyCode) -> Msg<V> {
    Msg::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

pub(crate) fn ctrl<V>(c: char) -> Msg<V> {
    Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL))
}

pub(crate) fn types<P: KindPanel>(app: &mut App<P>, text: &str) {
    for c in text.chars() {
        let actions = app.update(key(KeyCode::Char(c)));
        let told = |action: &Action<Intent<P>>| matches!(action, Action::Tell(_));
        assert!(actions.iter().all(told), "{actions:?}");
    }
}

pub(crate) fn enter<P: KindPanel>(app: &mut App<P>) -> Vec<Action<Intent<P>>> {
    app.update(key::<View<P>>(KeyCode::Enter))
}

/// What stands above the input.
pub(crate) fn remark<P: KindPanel>(app: &App<P>) -> &str {
    app.remark.as_ref().map_or("", |remark| remark.text.as_str())
}
