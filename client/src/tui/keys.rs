//! What each key does.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::intent::words;
use crate::tui::app::{Action, App, Overlay, Sheet, Trail};
use crate::tui::bench;
use crate::tui::desk::{COACH, FORMS, Pressed};
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
            let (mut actions, goes_on) = answer(app, key.code, ctrl || alt);
            if goes_on {
                actions.extend(press(app, key));
            }
            return actions;
        }
        (code, _) if follows(app, code, ctrl || alt) => return Vec::new(),
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
        (KeyCode::F(6), _) if !P::PANELS.is_empty() && app.overlay.is_none() => {
            let back = key.modifiers.contains(KeyModifiers::SHIFT);
            turn(app, if back { P::PANELS.len() } else { 1 });
            return Vec::new();
        }
        (KeyCode::F(number), _) if app.overlay.is_none() => {
            let key = P::KEYS.iter().find(|key| key.number == number);
            return key.map_or_else(Vec::new, |key| app.obey(key.line));
        }
        _ => {}
    }
    let over_page = app.overlay.is_some();
    // Both together are AltGr on some terminals.
    if over_page && !leaves_page(app, key.code, ctrl != alt) {
        return Vec::new();
    }
    if scrolls(app, key.code, ctrl) {
        return Vec::new();
    }
    if app.on_form() {
        return fill(app, key.code, ctrl, alt);
    }
    match key.code {
        KeyCode::Tab | KeyCode::BackTab if app.editor.is_empty() && app.desk.place().is_some() => {
            app.desk.wanted = true;
            app.desk.page = FORMS;
        }
        KeyCode::Tab if app.editor.text().starts_with('/') => complete(app),
        KeyCode::Char('?') if !over_page && !ctrl && !alt && app.editor.is_empty() => {
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

/// Completes a word behind a slash; where there are several, they are shown.
fn complete<P: KindPanel>(app: &mut App<P>) {
    let begun = app.editor.text().to_owned();
    let mut known: Vec<_> = words::<P::Words>()
        .filter_map(|(line, _)| line.split(' ').next())
        .filter(|word| word.starts_with('/') && word.starts_with(&*begun))
        .collect();
    known.dedup();
    match known[..] {
        [] => app.say(false, "No command begins like this; F1 shows them."),
        [word] => app.editor.set(format!("{word} ")),
        _ => app.say(false, known.join("  ")),
    }
}

/// Takes a key over a page, and whether it goes on to what is below: what somebody begins to say is kept
/// whole, and a key that only takes the page away does nothing else.
fn leaves_page<P: KindPanel>(app: &mut App<P>, code: KeyCode, held: bool) -> bool {
    if overlay::scrolls(app, code) {
        return false;
    }
    app.overlay = None;
    says(app, code, held)
}

/// Whether a key over a page is text: whatever can be written for a line or a field is, for a page says
/// that it is kept. A blank before anything else is nothing that anybody says.
fn says<P: KindPanel>(app: &mut App<P>, code: KeyCode, held: bool) -> bool {
    let line = match (app.on_form(), app.types()) {
        (true, _) => app.desk.editor(),
        (false, true) => Some(&mut app.editor),
        (false, false) => None,
    };
    let Some(line) = line else { return false };
    !held && matches!(code, KeyCode::Char(c) if c != ' ' || !line.is_empty())
}

/// Takes the key that answers a question, and whether it was meant for something else: who begins to say
/// something has not said yes, and what they say is kept.
fn answer<P: KindPanel>(
    app: &mut App<P>,
    code: KeyCode,
    held: bool,
) -> (Vec<Action<Intent<P>>>, bool) {
    let word = match code {
        KeyCode::Char('y' | 'Y') if !held => "es",
        KeyCode::Char('n' | 'N') if !held => "o",
        KeyCode::Char(_) if !held => return (app.decide(false), true),
        _ => return (app.decide(false), false),
    };
    app.trail = Some(Trail { word, came: 0 });
    (app.decide(word == "es"), false)
}

/// Whether a key belongs to the word with which a question was answered, its Enter too: whoever types
/// `yes` says no more to anybody than who presses `y`. What turns out to be another word is typed.
fn follows<P: KindPanel>(app: &mut App<P>, code: KeyCode, held: bool) -> bool {
    let Some(Trail { word, came }) = app.trail.take() else { return false };
    match code {
        KeyCode::Char(c) if !held && word[came..].starts_with(c.to_ascii_lowercase()) => {
            app.trail = Some(Trail { word, came: came + 1 });
            return true;
        }
        KeyCode::Enter if came == 0 || came == word.len() => return true,
        _ => {}
    }
    if came > 0 && !app.editor.insert(&word[..came]) {
        app.too_long(came);
    }
    false
}

/// Turns to the page so many further on.
fn turn<P: KindPanel>(app: &mut App<P>, by: usize) {
    app.desk.page = (app.desk.page + by) % (P::PANELS.len() + 1);
}

/// A key for the form that has them.
fn fill<P: KindPanel>(
    app: &mut App<P>,
    code: KeyCode,
    ctrl: bool,
    alt: bool,
) -> Vec<Action<Intent<P>>> {
    match (code, ctrl) {
        (KeyCode::Esc, _) => {
            app.desk.wanted = false;
            app.remark = None;
            return Vec::new();
        }
        (KeyCode::Char('s'), true) => return app.send_form(),
        (KeyCode::Char('o'), true) => return app.edit_form(),
        _ => {}
    }
    let (look, width) = (app.look, bench::field_width(app));
    let chooses = app.desk.editor().is_none();
    let text = |app: &App<P>| app.desk.current().map(|filling| filling.form.text());
    let before = text(app);
    let pressed = match ctrl && matches!(code, KeyCode::Char(_)) && !chooses {
        true => Pressed::Writes,
        false => app.desk.press(code, &look, width),
    };
    match pressed {
        Pressed::Done => {}
        Pressed::Send => return app.send_form(),
        Pressed::Writes => {
            let fits = app.desk.editor().is_none_or(|editor| edit(editor, code, ctrl, alt));
            app.desk.edited();
            if !fits {
                app.too_long(1);
            }
        }
    }
    if text(app) != before {
        app.forget_what_a_form_lacks();
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

/// Moves through the transcript, or the panel that is looked at; true if the key was for that.
fn scrolls<P: KindPanel>(app: &mut App<P>, code: KeyCode, ctrl: bool) -> bool {
    let Layout { transcript: height, talk, aside, .. } = layout(app);
    if !app.shows_transcript() {
        return moves_panel(app, code, height);
    }
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

fn moves_panel<P: KindPanel>(app: &mut App<P>, code: KeyCode, height: usize) -> bool {
    let at = app.desk.page;
    let page = height.saturating_sub(2).max(1);
    let most = bench::scroll_max(app, height);
    // What was said comes from below: its newest is shown.
    let on = match (code, at == COACH) {
        (KeyCode::PageUp, true) | (KeyCode::PageDown, false) => true,
        (KeyCode::PageUp, false) | (KeyCode::PageDown, true) => false,
        _ => return false,
    };
    let now = app.desk.scroll[at].min(most);
    app.desk.scroll[at] = if on { (now + page).min(most) } else { now.saturating_sub(page) };
    app.desk.follows = false;
    true
}

/// Ctrl-C: first the line, then the screen.
fn interrupt<P: KindPanel>(app: &mut App<P>) -> Vec<Action<Intent<P>>> {
    if app.overlay.take().is_some() {
        return Vec::new();
    }
    if app.on_form() {
        app.desk.wanted = false;
        app.say(
            false,
            "What stands in the form is kept; Ctrl-C once more leaves, Tab goes back to it.",
        );
        return Vec::new();
    }
    if app.editor.is_empty() {
        return app.leave();
    }
    app.editor.take();
    app.say(false, "The line is cleared; Up brings it back.");
    Vec::new()
}
