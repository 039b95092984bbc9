//! What each key does.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::tui::app::{Action, App, Overlay};
use crate::tui::editor::To;
use crate::tui::transcript;

/// The keys as help shows them.
pub(crate) const KEYS: [(&str, &str); 9] = [
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

/// Takes a key.
pub(crate) fn press(app: &mut App, key: KeyEvent) -> Vec<Action> {
    if key.kind == KeyEventKind::Release {
        return Vec::new();
    }
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let leaves = ctrl && matches!(key.code, KeyCode::Char('c' | 'd'));
    if !leaves {
        app.warned = false;
    }
    match (key.code, ctrl) {
        (KeyCode::Char('l'), true) => return vec![Action::Redraw],
        (KeyCode::Char('z'), true) => return vec![Action::Suspend],
        (KeyCode::Char('c'), true) => return interrupt(app),
        (KeyCode::Char('d'), true) if app.overlay.is_some() || app.editor.is_empty() => {
            return leave(app);
        }
        (KeyCode::F(1), _) => {
            app.overlay = if app.overlay.is_some() { None } else { Some(Overlay::Help) };
            return Vec::new();
        }
        _ => {}
    }
    if app.overlay.take().is_some() {
        // The key that takes help away does nothing else, so that nobody types unseen.
        return Vec::new();
    }
    if scrolls(app, key.code, ctrl) {
        return Vec::new();
    }
    match key.code {
        KeyCode::Char('?') if !ctrl && !alt && app.editor.is_empty() => {
            app.overlay = Some(Overlay::Help);
        }
        KeyCode::Esc => app.notice = None,
        KeyCode::Char('q') if !app.types() && !ctrl && !alt => return leave(app),
        _ if !app.types() => {}
        KeyCode::Enter if !alt => return app.submit(),
        code => edit(app, code, ctrl, alt),
    }
    Vec::new()
}

fn edit(app: &mut App, code: KeyCode, ctrl: bool, alt: bool) {
    let by_word = ctrl || alt;
    let editor = &mut app.editor;
    let fits = match code {
        KeyCode::Enter => editor.insert("\n"),
        KeyCode::Left if by_word => go(app, To::WordLeft),
        KeyCode::Right if by_word => go(app, To::WordRight),
        KeyCode::Left => go(app, To::Left),
        KeyCode::Right => go(app, To::Right),
        KeyCode::Home => go(app, To::LineStart),
        KeyCode::End => go(app, To::LineEnd),
        KeyCode::Up => {
            editor.up();
            true
        }
        KeyCode::Down => {
            editor.down();
            true
        }
        KeyCode::Backspace if by_word => remove(app, To::WordLeft),
        KeyCode::Backspace => remove(app, To::Left),
        KeyCode::Delete if by_word => remove(app, To::WordRight),
        KeyCode::Delete => remove(app, To::Right),
        KeyCode::Tab => editor.insert("\t"),
        KeyCode::Char(c) if ctrl && !alt => match c {
            'a' => go(app, To::LineStart),
            'e' => go(app, To::LineEnd),
            'b' => go(app, To::Left),
            'f' => go(app, To::Right),
            'd' => remove(app, To::Right),
            'h' => remove(app, To::Left),
            'w' => remove(app, To::WordLeft),
            'u' => remove(app, To::LineStart),
            'k' => remove(app, To::LineEnd),
            'y' => editor.put_back(),
            'j' => editor.insert("\n"),
            'p' => {
                editor.up();
                true
            }
            'n' => {
                editor.down();
                true
            }
            _ => true,
        },
        KeyCode::Char(c) if alt && !ctrl => match c {
            'b' => go(app, To::WordLeft),
            'f' => go(app, To::WordRight),
            'd' => remove(app, To::WordRight),
            _ => true,
        },
        // Both together are AltGr on some terminals: a character like any other.
        KeyCode::Char(c) => editor.insert(c.encode_utf8(&mut [0; 4])),
        _ => true,
    };
    if !fits {
        app.too_long(1);
    }
}

fn go(app: &mut App, to: To) -> bool {
    app.editor.go(to);
    true
}

fn remove(app: &mut App, to: To) -> bool {
    app.editor.remove(to);
    true
}

/// Moves through the transcript; true if the key was for that.
fn scrolls(app: &mut App, code: KeyCode, ctrl: bool) -> bool {
    let page = transcript::page(app);
    match code {
        KeyCode::PageUp => app.scroll = (app.scroll + page).min(transcript::scroll_max(app)),
        KeyCode::PageDown => app.scroll = app.scroll.saturating_sub(page),
        KeyCode::End if ctrl || app.scroll > 0 => app.scroll = 0,
        _ => return false,
    }
    if app.scroll == 0 {
        app.unseen = 0;
    }
    true
}

/// Ctrl-C: first the line, then the screen.
fn interrupt(app: &mut App) -> Vec<Action> {
    if app.overlay.take().is_some() {
        return Vec::new();
    }
    if app.editor.is_empty() {
        return leave(app);
    }
    app.editor.take();
    app.say(false, "The line is cleared; the key Up brings it back.");
    Vec::new()
}

/// Leaves, the second time also with a line on its way.
pub(crate) fn leave(app: &mut App) -> Vec<Action> {
    if app.pending.is_some() && !std::mem::replace(&mut app.warned, true) {
        app.say(true, "Your last line is not sent yet; once more leaves without it.");
        return Vec::new();
    }
    vec![Action::Leave]
}
