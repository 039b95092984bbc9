//! What the terminal and the environment say about how to draw; read once per process.

use std::env;
use std::ffi::OsStr;
use std::io::{IsTerminal as _, stderr, stdin, stdout};
use std::os::fd::AsFd;

use clap::ValueEnum;

use crate::render::look::{Boxes, Charset, Colour, Look, Runs, Signs, WIDTHS, Zone};

/// When to use colour; `always` also draws boxes where the output is not a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// Columns where there is no terminal to ask.
const WIDTH_ELSEWHERE: usize = 80;

/// What a command may do beside printing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    pub(crate) look: Look,
    /// Somebody can be asked a question.
    pub(crate) can_ask: bool,
    /// Columns for sentences on standard output; without end where no terminal would break lines.
    pub(crate) line_width: usize,
    /// Columns for what goes to standard error; without end where no terminal would break lines.
    pub(crate) error_width: usize,
    /// Whatever follows a session does so line by line: there is no terminal, or VOSIM_PLAIN says
    /// so.
    pub(crate) plain: bool,
    /// Standard output is a terminal: somebody may read along.
    pub(crate) watched: bool,
    /// A line on standard error may be drawn again and again.
    pub(crate) can_redraw: bool,
}

impl Terminal {
    pub(crate) fn detect(colour: When, ascii: bool) -> Self {
        let out = stdout().is_terminal();
        let drawn = out || colour == When::Always;
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let asked = is_set(env::var_os(PLAIN).as_deref());
        let look = Look {
            width: width(stdout()).unwrap_or(WIDTH_ELSEWHERE),
            colour: colour_for(colour, out && !dumb, env::var_os("NO_COLOR").as_deref()),
            charset: if ascii { Charset::Ascii } else { charset(|name| env::var(name).ok()) },
            boxes: if drawn { Boxes::Drawn } else { Boxes::None },
            signs: Signs::Drawn,
            zone: Zone::Local,
            runs: Runs::Short,
        };
        let look = if asked { look.in_words() } else { look };
        let err = stderr().is_terminal();
        Self {
            look,
            can_ask: stdin().is_terminal() && err,
            plain: !out || dumb || asked,
            watched: out,
            line_width: width(stdout()).unwrap_or(usize::MAX),
            error_width: width(stderr()).unwrap_or(usize::MAX),
            can_redraw: err && !dumb && !asked,
        }
    }
}

/// Set to anything but nothing or 0, it asks for words alone, and for line mode.
const PLAIN: &str = "VOSIM_PLAIN";

fn is_set(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| !value.is_empty() && value != "0")
}

/// Columns of a terminal; None for what is none.
fn width(stream: impl AsFd) -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(stream)?;
    Some(usize::from(width.0).clamp(*WIDTHS.start(), *WIDTHS.end()))
}

/// `--color` wins over `NO_COLOR`, which wins over the terminal.
fn colour_for(when: When, terminal: bool, no_color: Option<&OsStr>) -> Colour {
    let wanted = match when {
        When::Always => true,
        When::Never => false,
        When::Auto => terminal && no_color.is_none_or(OsStr::is_empty),
    };
    if wanted { Colour::On } else { Colour::Off }
}

/// The first of the locale's variables that is set decides, as in the C library.
fn charset(variable: impl Fn(&str) -> Option<String>) -> Charset {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty())
        .unwrap_or_default()
        .to_ascii_lowercase();
    if locale.contains("utf-8") || locale.contains("utf8") {
        Charset::Unicode
    } else {
        Charset::Ascii
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_switches_off_unless_colour_is_asked_for() {
        let no = Some(OsStr::new("1"));
        assert_eq!(colour_for(When::Auto, true, None), Colour::On);
        assert_eq!(colour_for(When::Auto, true, Some(OsStr::new(""))), Colour::On);
        assert_eq!(colour_for(When::Auto, true, no), Colour::Off);
        assert_eq!(colour_for(When::Always, false, no), Colour::On);
        assert_eq!(colour_for(When::Never, true, None), Colour::Off);
        assert_eq!(colour_for(When::Auto, false, None), Colour::Off);
    }

    #[test]
    fn an_empty_or_zero_variable_asks_for_nothing() {
        let set = |text: &str| is_set(Some(OsStr::new(text)));
        assert_eq!([set("1"), set("yes"), set("0"), set("")], [true, true, false, false]);
        assert!(!is_set(None));
    }

    #[test]
    fn the_first_set_locale_variable_decides_the_character_set() {
        let with = |pairs: &[(&str, &str)]| {
            let pairs: Vec<(String, String)> =
                pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            charset(move |name| pairs.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()))
        };
        assert_eq!(with(&[("LANG", "de_DE.UTF-8")]), Charset::Unicode);
        assert_eq!(with(&[("LANG", "C.utf8")]), Charset::Unicode);
        assert_eq!(with(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]), Charset::Ascii);
        assert_eq!(with(&[("LC_ALL", ""), ("LC_CTYPE", "en_US.UTF-8")]), Charset::Unicode);
        assert_eq!(with(&[]), Charset::Ascii);
    }
}
