//! What each key does.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::tui::app::{Action, App, Overlay, Sheet};
use crate::tui::draw::{Layout, layout};
use crate::tui::editor::{Editor, To};
use crate::tui::overlay;
use crate::tui::panel::{Intent, KindPanel};

/// Takes a key.
pub(crate) fn press<P: KindPanel>(app: &mut App<P>, key: KeyEvent) -> Vec<Action<Intent<P>>> {
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
        _ if app.question.is_some() => {
            return app.decide(matches!(key.code, KeyCode::Char('y' | 'Y')) && !ctrl && !alt);
        }
        (KeyCode::Char('c'), true) => return interrupt(app),
        (KeyCode::Char('d'), true) if app.overlay.is_some() || app.editor.is_empty() => {
            return app.leave();
        }
        (KeyCode::F(1), _) => {
            app.overlay = match app.overlay {
                Some(_) => None,
                None => Some(Overlay { sheet: Sheet::Help, scroll: 0 }),
            };
            return Vec::new();
        }
        (KeyCode::F(number), _) if app.overlay.is_none() => {
            let key = P::KEYS.iter().find(|key| key.number == number);
            return key.map_or_else(Vec::new, |key| app.obey(key.line));
        }
        _ => {}
    }
    if app.overlay.is_some() {
        // The key that takes it away does nothing else, so that nobody types unseen.
        if !overlay::scrolls(app, key.code) {
            app.overlay = None;
        }
        return Vec::new();
    }
    if scrolls(app, key.code, ctrl) {
        return Vec::new();
    }
    match key.code {
        KeyCode::Char('?') if !ctrl && !alt && app.editor.is_empty() => {
            app.overlay = Some(Overlay { sheet: Sheet::Help, scroll: 0 });
        }
        KeyCode::Esc => app.remark = None,
        KeyCode::Char('q') if !app.types() && !ctrl && !alt => return app.leave(),
        _ if !app.types() => {}
        KeyCode::Enter if !alt => return app.submit(),
        code => {
            if !edit(&mut app.editor, code, ctrl, alt) {
                app.too_long(1);
            }
        }
    }
    Vec::new()
}

/// False where the line is full.
fn edit(editor: &mut Editor, code: KeyCode, ctrl: bool, alt: bool) -> bool {
    let by_word = ctrl || alt;
    match code {
        KeyCode::Enter => return editor.insert("\n"),
        KeyCode::Tab => return editor.insert("\t"),
        KeyCode::Left if by_word => editor.go(To::WordLeft),
        KeyCode::Right if by_word => editor.go(To::WordRight),
        KeyCode::Left => editor.go(To::Left),
        KeyCode::Right => editor.go(To::Right),
        KeyCode::Home => editor.go(To::LineStart),
        KeyCode::End => editor.go(To::LineEnd),
        KeyCode::Up => editor.up(),
        KeyCode::Down => editor.down(),
        KeyCode::Backspace if by_word => editor.remove(To::WordLeft),
        KeyCode::Backspace => editor.remove(To::Left),
        KeyCode::Delete if by_word => editor.remove(To::WordRight),
        KeyCode::Delete => editor.remove(To::Right),
        KeyCode::Char(c) if ctrl && !alt => return control(editor, c),
        KeyCode::Char(c) if alt && !ctrl => match c {
            'b' => editor.go(To::WordLeft),
            'f' => editor.go(To::WordRight),
            'd' => editor.remove(To::WordRight),
            _ => {}
        },
        // Both together are AltGr on some terminals: a character like any other.
        KeyCode::Char(c) => return editor.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    true
}

/// A letter with Ctrl; false where the line is full.
fn control(editor: &mut Editor, letter: char) -> bool {
    match letter {
        'y' => return editor.put_back(),
        'j' => return editor.insert("\n"),
        'a' => editor.go(To::LineStart),
        'e' => editor.go(To::LineEnd),
        'b' => editor.go(To::Left),
        'f' => editor.go(To::Right),
        'd' => editor.remove(To::Right),
        'h' => editor.remove(To::Left),
        'w' => editor.remove(To::WordLeft),
        'u' => editor.remove(To::LineStart),
        'k' => editor.remove(To::LineEnd),
        'p' => editor.up(),
        'n' => editor.down(),
        _ => {}
    }
    true
}

/// Moves through the transcript; true if the key was for that.
fn scrolls<P: KindPanel>(app: &mut App<P>, code: KeyCode, ctrl: bool) -> bool {
    let Layout { transcript: height, talk, aside, .. } = layout(app);
    let before = aside.before().len();
    // One line is seen twice.
    let page = height.saturating_sub(1).max(1);
    match code {
        KeyCode::PageUp => app.transcript.older(page, &talk, height, before),
        KeyCode::PageDown => app.transcript.newer(page, &talk, height, before),
        KeyCode::End if ctrl || app.transcript.scroll > 0 => app.transcript.return_to_newest(),
        _ => return false,
    }
    true
}

/// Ctrl-C: first the line, then the screen.
fn interrupt<P: KindPanel>(app: &mut App<P>) -> Vec<Action<Intent<P>>> {
    if app.overlay.take().is_some() {
        return Vec::new();
    }
    if app.editor.is_empty() {
        return app.leave();
    }
    app.editor.take();
    app.say(false, "The line is cleared; Up brings it back.");
    Vec::new()
}
