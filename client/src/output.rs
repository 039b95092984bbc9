//! Where output goes: data and screens to standard output, notes and errors to standard error.
//!
//! A reader who has gone ends the command quietly instead of with a panic.

use std::fs::File;
use std::io::{self, BufRead as _, Write as _};
use vosim_protocol::trouble::cause;

use serde::Serialize;

use crate::errors::{ErrorText, Failure, code, user_error};
use crate::render::error as error_screen;
use crate::render::look::{Boxes, Look, Runs, Tone};
use crate::render::page::Page;
use crate::render::text::{clean, clean_json, cut};
use crate::terminal::Terminal;

/// What data is printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Screens for people.
    Screen,
    /// One JSON object a line, never coloured (DECISIONS 29).
    Json,
}

/// The outlets of one command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    pub(crate) terminal: Terminal,
    pub(crate) format: Format,
}

impl Output {
    pub(crate) fn look(&self) -> &Look {
        &self.terminal.look
    }

    /// The same in line mode: words alone, nothing drawn over; where no terminal breaks lines, a
    /// sentence is one line.
    #[must_use]
    pub(crate) fn in_lines(mut self, plain: bool) -> Self {
        if plain {
            let width = self.terminal.line_width;
            self.terminal.look = Look { width, ..self.terminal.look.in_words() };
            self.terminal.can_redraw = false;
        }
        self
    }

    /// The same that leaves out no call of a long run, where that is wanted.
    #[must_use]
    pub(crate) fn in_full(mut self, full: bool) -> Self {
        if full {
            self.terminal.look.runs = Runs::Whole;
        }
        self
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Prints a screen, or nothing where data is wanted.
    pub(crate) fn screen(&self, draw: impl FnOnce(&Look) -> String) -> Result<(), Failure> {
        match self.format {
            Format::Json => Ok(()),
            Format::Screen => self.bytes(draw(self.look()).as_bytes()),
        }
    }

    /// Prints data where it is wanted, or its screen.
    pub(crate) fn data<T: Serialize>(
        &self,
        value: &T,
        draw: impl FnOnce(&Look) -> String,
    ) -> Result<(), Failure> {
        self.json(value)?;
        self.screen(draw)
    }

    /// Prints data where it is wanted, and nothing elsewhere.
    pub(crate) fn json<T: Serialize>(&self, value: &T) -> Result<(), Failure> {
        if self.format == Format::Screen {
            return Ok(());
        }
        let line = serde_json::to_string(value).map_err(anyhow::Error::from)?;
        self.bytes((clean_json(&line) + "\n").as_bytes())
    }

    /// Writes to standard output at once.
    #[expect(clippy::unused_self, reason = "all output goes through the outlets of a command")]
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| unwritten(&error))
    }

    /// Copies a file to standard output.
    #[expect(clippy::unused_self, reason = "all output goes through the outlets of a command")]
    pub(crate) fn copied(&self, from: &mut File) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        io::copy(from, &mut out).and_then(|_| out.flush()).map_err(|e| unwritten(&e))
    }

    /// Tells something beside the output.
    pub(crate) fn note(&self, text: &str) {
        let look = self.error_look();
        let mut page = Page::new(&look);
        page.say(Tone::Plain, &clean(text));
        to_stderr(&page.finish());
    }

    fn error_look(&self) -> Look {
        Look { boxes: Boxes::None, width: self.terminal.error_width, ..*self.look() }
    }

    /// Draws the line that tells how far something is, over the one before.
    pub(crate) fn progress(&self, text: &str) {
        if self.terminal.can_redraw && !self.is_json() {
            let text = self.look().spell(text).into_owned();
            let text = cut(&clean(&text), self.look().width - 1, "");
            to_stderr(&format!("\r\x1b[2K{text}"));
        }
    }

    /// Takes that line away.
    pub(crate) fn progress_done(&self) {
        if self.terminal.can_redraw && !self.is_json() {
            to_stderr("\r\x1b[2K");
        }
    }

    /// Tells why a command ended early.
    pub(crate) fn error(&self, error: &ErrorText) {
        match self.format {
            Format::Screen => {
                to_stderr(&error_screen::draw(error, &self.error_look()));
            }
            Format::Json => {
                let line = clean_json(&serde_json::to_string(error).unwrap_or_default());
                to_stderr(&format!("{line}\n"));
            }
        }
    }

    /// Asks a question on the terminal; only `y` and `yes` agree.
    pub(crate) fn agrees(&self, question: &str) -> bool {
        to_stderr(&format!("{} [y/N] ", self.look().spell(question)));
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        let answer = answer.trim().to_ascii_lowercase();
        read.is_ok() && (answer == "y" || answer == "yes")
    }

    /// Asks whether something is to be shown, which does no harm: Enter agrees. The end of the input does
    /// not, since nobody is there to look at it.
    pub(crate) fn wants(&self, question: &str) -> bool {
        to_stderr(&format!("{} [Y/n] ", self.look().spell(question)));
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        is_wanted(read.ok(), &answer)
    }

    /// Waits until whoever sits there presses Enter; false for q, or where nobody does.
    pub(crate) fn goes_on(&self, prompt: &str) -> bool {
        to_stderr(&format!("{} ", self.look().spell(prompt)));
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        read.is_ok_and(|bytes| bytes > 0) && !answer.trim().eq_ignore_ascii_case("q")
    }
}

fn is_wanted(read: Option<usize>, answer: &str) -> bool {
    let agrees = matches!(answer.trim().to_ascii_lowercase().as_str(), "" | "y" | "yes");
    agrees && read.is_some_and(|bytes| bytes > 0)
}

/// A reader who has gone is no failure.
fn unwritten(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::unprinted(error),
    }
}

impl Failure {
    /// What was to be shown cannot be.
    pub(crate) fn unprinted(error: &io::Error) -> Self {
        user_error(code::WRITE_FAILED, format!("cannot write the output: {}", cause(error)))
    }
}

#[cfg(test)]
impl Output {
    /// What a command gets that is only watched by a test.
    pub(crate) const TEST: Self = Self {
        terminal: Terminal {
            look: Look::PLAIN,
            can_ask: false,
            plain: true,
            watched: false,
            line_width: usize::MAX,
            error_width: usize::MAX,
            can_redraw: false,
        },
        format: Format::Screen,
    };
}

/// Standard error may be closed; then there is nobody left to tell.
pub(crate) fn to_stderr(text: &str) {
    io::stderr().write_all(text.as_bytes()).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_agrees_to_be_shown_something_and_the_end_of_the_input_does_not() {
        for line in ["\n", "y\n", " YES \n", "yes"] {
            assert!(is_wanted(Some(line.len()), line), "{line:?}");
        }
        for line in ["n\n", "no\n", "what?\n", "q"] {
            assert!(!is_wanted(Some(line.len()), line), "{line:?}");
        }
        assert!(!is_wanted(Some(0), ""));
        assert!(!is_wanted(None, ""));
    }
}
