//! What a terminal sends, as keys: bytes go in, keys and pasted texts come out.
//!
//! ```text
//!  PLAIN --ESC--> ESCAPE --[--> CONTROL ----final byte----> PLAIN    a key, or nothing
//!    ^              |  |--O--> SHIFTED ----one byte------> PLAIN     a key
//!    |              |  +--] P X ^ _--> TEXT --ESC \--> PLAIN         a reply of the terminal: nothing
//!    +---a letter---+                  CONTROL 200~ --> PASTE --ESC [201~--> PLAIN
//! ```
//! However the bytes were cut into reads, the same keys come out. What a terminal answers to questions that
//! somebody has asked it is no key and is never typed. Only time tells an Esc from the beginning of
//! something longer: [`Decoder::rest`] is called when nothing has come for a moment.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Longest sequence of control that is looked at, bytes; what is longer is none of a key.
const CONTROL_MAX_BYTES: usize = 64;
/// Most of a pasted text that is kept, bytes: far more than a line takes.
const PASTE_MAX_BYTES: usize = 1 << 20;
/// What ends a pasted text.
const PASTE_END: &[u8] = b"\x1b[201~";

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// What somebody has done at the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    Key(KeyEvent),
    Paste(String),
}

/// Where in what a terminal sends the last byte stands.
#[derive(Debug, Default)]
enum Stretch {
    #[default]
    Plain,
    /// The first bytes of a character.
    Character(Vec<u8>),
    Escape,
    /// `ESC [` and what followed.
    Control(Vec<u8>),
    /// `ESC [ [`: the first five function keys of the Linux console.
    Console,
    /// `ESC [ M`: a click, of which so many bytes are still to come.
    Click(u8),
    /// `ESC O`.
    Shifted,
    /// A text that is no key, begun by this letter: replies and titles.
    Text {
        begun_by: u8,
        bytes: usize,
        escaped: bool,
    },
    Paste(Vec<u8>),
}

/// Makes keys of bytes.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    state: Stretch,
    typed: Vec<Stroke>,
}

impl Decoder {
    /// Takes what was read; what it completes comes out.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Stroke> {
        bytes.iter().for_each(|byte| self.take(*byte));
        std::mem::take(&mut self.typed)
    }

    /// Whether something has begun that a pause would end.
    pub(crate) fn waits(&self) -> bool {
        !matches!(self.state, Stretch::Plain | Stretch::Paste(_))
    }

    /// Nothing more has come for a moment: what has begun is all there is of it. A pasted text alone
    /// goes on, since what follows must never be taken for keys.
    pub(crate) fn rest(&mut self) -> Vec<Stroke> {
        match std::mem::take(&mut self.state) {
            Stretch::Plain | Stretch::Click(_) => {}
            Stretch::Character(_) => self.character(char::REPLACEMENT_CHARACTER, false),
            Stretch::Escape => self.key(KeyCode::Esc, KeyModifiers::NONE),
            Stretch::Control(bytes) if bytes.is_empty() => self.character('[', true),
            Stretch::Control(_) | Stretch::Console => {}
            Stretch::Shifted => self.character('O', true),
            Stretch::Text { begun_by, bytes: 0, .. } => self.character(char::from(begun_by), true),
            Stretch::Text { .. } => {}
            Stretch::Paste(bytes) => self.state = Stretch::Paste(bytes),
        }
        std::mem::take(&mut self.typed)
    }

    fn take(&mut self, byte: u8) {
        self.state = match std::mem::take(&mut self.state) {
            Stretch::Plain => self.plain(byte, false),
            Stretch::Character(bytes) => self.continued(bytes, byte),
            Stretch::Escape => self.escaped(byte),
            Stretch::Control(bytes) => self.control(bytes, byte),
            Stretch::Console => {
                if let b'A'..=b'E' = byte {
                    self.key(KeyCode::F(byte - b'A' + 1), KeyModifiers::NONE);
                }
                Stretch::Plain
            }
            Stretch::Click(1) => Stretch::Plain,
            Stretch::Click(left) => Stretch::Click(left - 1),
            Stretch::Shifted => self.shifted(byte),
            Stretch::Text { begun_by, bytes, escaped } => match byte {
                b'\\' if escaped => Stretch::Plain,
                // Only a title or a colour may end so.
                BEL if begun_by == b']' => Stretch::Plain,
                // A text that was broken off.
                0x18 | 0x1a => Stretch::Plain,
                // Another sequence has begun: the text was broken off.
                other if escaped && other != ESC => self.escaped(other),
                ESC => Stretch::Text { begun_by, bytes, escaped: true },
                _ => Stretch::Text { begun_by, bytes: bytes.saturating_add(1), escaped: false },
            },
            Stretch::Paste(bytes) => self.pasted(bytes, byte),
        };
    }

    /// A byte outside of any sequence; `alt` where an Esc stood before it.
    fn plain(&mut self, byte: u8, alt: bool) -> Stretch {
        let ctrl = |letter: u8| (KeyCode::Char(char::from(letter)), KeyModifiers::CONTROL);
        let none = KeyModifiers::NONE;
        let (code, mut modifiers) = match byte {
            ESC => return Stretch::Escape,
            b'\r' => (KeyCode::Enter, none),
            b'\t' => (KeyCode::Tab, none),
            0x7f => (KeyCode::Backspace, none),
            0 => ctrl(b' '),
            0x01..=0x1a => ctrl(byte - 1 + b'a'),
            0x1c..=0x1f => ctrl(byte - 0x1c + b'4'),
            b' '..=b'~' => (KeyCode::Char(char::from(byte)), none),
            // With an Esc before it, which no terminal sends, the letter is what was meant.
            0xc2..=0xf4 => return Stretch::Character(vec![byte]),
            0x80..=0xc1 | 0xf5..=0xff => (KeyCode::Char(char::REPLACEMENT_CHARACTER), none),
        };
        modifiers.set(KeyModifiers::ALT, alt);
        self.key(code, modifiers);
        Stretch::Plain
    }

    /// A byte of a character that takes several.
    fn continued(&mut self, mut bytes: Vec<u8>, byte: u8) -> Stretch {
        if byte & 0xc0 != 0x80 {
            self.character(char::REPLACEMENT_CHARACTER, false);
            return self.plain(byte, false);
        }
        bytes.push(byte);
        let length = match bytes[0] {
            ..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0.. => 4,
        };
        if bytes.len() < length {
            return Stretch::Character(bytes);
        }
        let read = str::from_utf8(&bytes).ok().and_then(|text| text.chars().next());
        self.character(read.unwrap_or(char::REPLACEMENT_CHARACTER), false);
        Stretch::Plain
    }

    fn escaped(&mut self, byte: u8) -> Stretch {
        match byte {
            ESC => {
                self.key(KeyCode::Esc, KeyModifiers::NONE);
                Stretch::Escape
            }
            b'[' => Stretch::Control(Vec::new()),
            b'O' => Stretch::Shifted,
            b']' | b'P' | b'X' | b'^' | b'_' => {
                Stretch::Text { begun_by: byte, bytes: 0, escaped: false }
            }
            other => self.plain(other, true),
        }
    }

    fn control(&mut self, mut bytes: Vec<u8>, byte: u8) -> Stretch {
        match byte {
            ESC => return Stretch::Escape,
            b'[' if bytes.is_empty() => return Stretch::Console,
            b'M' if bytes.is_empty() => return Stretch::Click(3),
            0x20..=0x3f if bytes.len() < CONTROL_MAX_BYTES => {
                bytes.push(byte);
                return Stretch::Control(bytes);
            }
            0x20..=0x3f => return Stretch::Control(bytes),
            b'~' if bytes == b"200" => return Stretch::Paste(Vec::new()),
            0x40..=0x7e => {
                if let Some((code, modifiers)) = controlled(&bytes, byte) {
                    self.key(code, modifiers);
                }
            }
            // No part of a sequence: a key of its own.
            other => return self.plain(other, false),
        }
        Stretch::Plain
    }

    fn shifted(&mut self, byte: u8) -> Stretch {
        let code = match byte {
            b'A' => KeyCode::Up,
            b'B' => KeyCode::Down,
            b'C' => KeyCode::Right,
            b'D' => KeyCode::Left,
            b'F' => KeyCode::End,
            b'H' => KeyCode::Home,
            b'M' => KeyCode::Enter,
            b'P'..=b'S' => KeyCode::F(byte - b'P' + 1),
            // The keypad.
            b'j'..=b'o' => KeyCode::Char(char::from(byte - b'j' + b'*')),
            b'p'..=b'y' => KeyCode::Char(char::from(byte - b'p' + b'0')),
            ESC => return Stretch::Escape,
            _ => return Stretch::Plain,
        };
        self.key(code, KeyModifiers::NONE);
        Stretch::Plain
    }

    fn pasted(&mut self, mut bytes: Vec<u8>, byte: u8) -> Stretch {
        // The end is looked for in what was kept, so it is always kept.
        if bytes.len() >= PASTE_MAX_BYTES + PASTE_END.len() {
            bytes.drain(PASTE_MAX_BYTES..=PASTE_MAX_BYTES);
        }
        bytes.push(byte);
        let Some(text) = bytes.strip_suffix(PASTE_END) else { return Stretch::Paste(bytes) };
        self.typed.push(Stroke::Paste(String::from_utf8_lossy(text).into_owned()));
        Stretch::Plain
    }

    fn character(&mut self, character: char, alt: bool) {
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::ALT, alt);
        self.key(KeyCode::Char(character), modifiers);
    }

    fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.typed.push(Stroke::Key(KeyEvent::new(code, modifiers)));
    }
}

/// The key that a sequence of control stands for; none for what only terminals say.
fn controlled(bytes: &[u8], last: u8) -> Option<(KeyCode, KeyModifiers)> {
    let text = str::from_utf8(bytes).ok()?;
    let mut numbers = Vec::new();
    for part in text.split(';').filter(|_| !text.is_empty()) {
        // Of `106:74` the first is the key, the others are what it would be with Shift.
        numbers.push(part.split(':').next()?.parse::<u32>().ok()?);
    }
    let number = |at: usize| numbers.get(at).copied();
    let modifiers = modifiers(number(1).unwrap_or(1));
    let code = match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'Z' => return Some((KeyCode::BackTab, KeyModifiers::SHIFT)),
        // `CSI row ; column R` says where the cursor is, and only from the first row it could be a key.
        b'R' if numbers.len() == 2 && (number(0) != Some(1) || number(1) > Some(8)) => return None,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        b'u' => return Some((coded(number(0)?)?, modifiers)),
        b'~' if number(0) == Some(27) => return Some((coded(number(2)?)?, modifiers)),
        b'~' => numbered(number(0)?)?,
        _ => return None,
    };
    Some((code, modifiers))
}

/// What was held down, as a number of xterm's.
fn modifiers(number: u32) -> KeyModifiers {
    let bits = number.saturating_sub(1);
    let mut modifiers = KeyModifiers::NONE;
    modifiers.set(KeyModifiers::SHIFT, bits & 1 != 0);
    modifiers.set(KeyModifiers::ALT, bits & 2 != 0);
    modifiers.set(KeyModifiers::CONTROL, bits & 4 != 0);
    modifiers
}

/// The keys that VT220 numbers.
fn numbered(number: u32) -> Option<KeyCode> {
    let f = |key: u32| u8::try_from(key).ok().map(KeyCode::F);
    match number {
        1 | 7 => Some(KeyCode::Home),
        2 => Some(KeyCode::Insert),
        3 => Some(KeyCode::Delete),
        4 | 8 => Some(KeyCode::End),
        5 => Some(KeyCode::PageUp),
        6 => Some(KeyCode::PageDown),
        11..=15 => f(number - 10),
        17..=21 => f(number - 11),
        23 | 24 => f(number - 12),
        _ => None,
    }
}

/// A key by the number of its character.
fn coded(number: u32) -> Option<KeyCode> {
    Some(match number {
        9 => KeyCode::Tab,
        13 => KeyCode::Enter,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        other => KeyCode::Char(char::from_u32(other).filter(|c| !c.is_control())?),
    })
}

#[cfg(test)]
mod tests;
