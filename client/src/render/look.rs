//! How things look: width, colour, character set, boxes and time zone, as plain data.
//!
//! Nothing here asks the terminal or the environment; `terminal.rs` does and fills in a [`Look`].

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use chrono::{FixedOffset, Local};
use vosim_protocol::Time;

/// Narrowest and widest text that is drawn, columns.
pub(crate) const WIDTHS: std::ops::RangeInclusive<usize> = 40..=120;

/// Everything a screen depends on beside its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Columns.
    pub(crate) width: usize,
    pub(crate) colour: Colour,
    pub(crate) charset: Charset,
    pub(crate) boxes: Boxes,
    pub(crate) signs: Signs,
    pub(crate) zone: Zone,
    pub(crate) runs: Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    Unicode,
    Ascii,
}

/// Whether panels get a frame; without one they are plain lines that scripts and screen readers
/// follow easily.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boxes {
    Drawn,
    None,
}

/// Whether small pictures, bullets and marks stand beside the words that say the same. A screen
/// reader reads each of them aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signs {
    Drawn,
    None,
}

/// How much of a long run of calls is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Its beginning and its end.
    Short,
    /// All of it.
    Whole,
}

/// In whose time instants are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    /// The machine's own zone.
    Local,
    /// Nobody's: times of day are minutes and seconds since this instant.
    Since(Time),
    /// A fixed one.
    #[cfg_attr(not(test), expect(dead_code, reason = "screens of tests must not move"))]
    Fixed(FixedOffset),
}

/// What a piece of text is; never the only sign of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
    Warn,
    Dim,
    Strong,
}

/// Small pictures with a spelling for terminals that have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Session,
    Submit,
    Run,
    Fail,
    Pass,
    Hint,
    Feedback,
    Success,
    Measure,
}

impl Look {
    /// The same in words alone, as screen readers and pipes follow it: no frame, no colour, no
    /// sign that only decorates.
    #[must_use]
    pub(crate) fn in_words(self) -> Self {
        Self { boxes: Boxes::None, colour: Colour::Off, signs: Signs::None, ..self }
    }

    /// Text in its tone.
    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        let style = tone.style();
        if self.colour == Colour::Off || text.is_empty() || style == Style::new() {
            return text.to_owned();
        }
        format!("{style}{text}{style:#}")
    }

    /// The icon and a blank, or nothing where icons cannot be shown.
    pub(crate) fn icon(&self, icon: Icon) -> &'static str {
        match (self.signs, self.charset) {
            (Signs::Drawn, Charset::Unicode) => icon.picture(),
            (Signs::Drawn, Charset::Ascii) | (Signs::None, _) => "",
        }
    }

    /// What stands before an item of a list.
    pub(crate) fn bullet(&self) -> &'static str {
        match (self.signs, self.charset) {
            (Signs::Drawn, Charset::Unicode) => "• ",
            (Signs::Drawn, Charset::Ascii) => "* ",
            (Signs::None, _) => "",
        }
    }

    /// Text as the character set can show it; nothing is dropped, only spelled out.
    pub(crate) fn spell<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.charset == Charset::Unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
            match ascii(c) {
                Some(spelling) => out.push_str(spelling),
                None if c.is_ascii() => out.push(c),
                None => out.extend(c.escape_unicode()),
            }
            out
        }))
    }

    /// An instant on the wall: `2026-01-05 23:30:00`.
    pub(crate) fn moment(&self, time: Time) -> String {
        self.format(time, "%Y-%m-%d %H:%M:%S")
    }

    /// The time of day: `23:30:00`; where times are counted from an instant `07:05` or `123:00`.
    pub(crate) fn clock(&self, time: Time) -> String {
        match self.zone {
            Zone::Since(start) => minutes(time.secs_since(start)),
            Zone::Local | Zone::Fixed(_) => self.format(time, "%H:%M:%S"),
        }
    }

    fn format(&self, time: Time, pattern: &str) -> String {
        match self.zone {
            // An instant is one on the calendar, whatever times are counted from.
            Zone::Local | Zone::Since(_) => {
                time.utc().with_timezone(&Local).format(pattern).to_string()
            }
            Zone::Fixed(offset) => time.utc().with_timezone(&offset).format(pattern).to_string(),
        }
    }
}

/// A length of time as a place in a session: `07:05`, `123:00`.
pub(crate) fn minutes(seconds: u64) -> String {
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Good => AnsiColor::Green.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Warn => AnsiColor::Yellow.on_default(),
            Self::Dim => Style::new().dimmed(),
            Self::Strong => Style::new().bold(),
        }
    }
}

impl Icon {
    fn picture(self) -> &'static str {
        match self {
            Self::Session => "🎯 ",
            Self::Submit => "📥 ",
            Self::Run => "🧪 ",
            Self::Fail => "❌ ",
            Self::Pass => "✅ ",
            Self::Hint => "💡 ",
            Self::Feedback => "💬 ",
            Self::Success => " 🎉",
            Self::Measure => "📈 ",
        }
    }
}

/// Signs of our own texts that have a usual spelling in ASCII.
fn ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2026}' => "...",
        '\u{2014}' => "--",
        '\u{2013}' | '\u{2212}' => "-",
        '\u{2018}' | '\u{2019}' => "'",
        '\u{201c}' | '\u{201d}' => "\"",
        '\u{2022}' => "*",
        '\u{2192}' => "->",
        '\u{2264}' => "<=",
        '\u{2265}' => ">=",
        '\u{00d7}' => "x",
        '\u{00b5}' | '\u{03bc}' => "u",
        '\u{00b7}' => ".",
        _ => return None,
    })
}

#[cfg(test)]
impl Look {
    /// What most snapshots are drawn with.
    pub(crate) const PLAIN: Self = Self {
        width: 80,
        colour: Colour::Off,
        charset: Charset::Unicode,
        boxes: Boxes::Drawn,
        signs: Signs::Drawn,
        zone: Zone::Fixed(FixedOffset::east_opt(3600).expect("an hour is an offset")),
        runs: Runs::Short,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_written_only_when_it_is_on() {
        assert_eq!(Look::PLAIN.paint(Tone::Bad, "no"), "no");
        let look = Look { colour: Colour::On, ..Look::PLAIN };
        assert_eq!(look.paint(Tone::Bad, "no"), "\u{1b}[1m\u{1b}[31mno\u{1b}[0m");
        assert_eq!(look.paint(Tone::Plain, "no"), "no");
    }

    #[test]
    fn ascii_spells_out_what_it_cannot_show() {
        let look = Look { charset: Charset::Ascii, ..Look::PLAIN };
        assert_eq!(look.spell("a…b → café"), "a...b -> caf\\u{e9}");
        assert_eq!(Look::PLAIN.spell("café"), "café");
        assert_eq!(look.icon(Icon::Pass), "");
    }

    #[test]
    fn moments_are_shown_in_the_zone_of_the_look() {
        let time = "2026-01-05T23:30:00.5Z".parse().unwrap();
        assert_eq!(Look::PLAIN.moment(time), "2026-01-06 00:30:00");
        assert_eq!(Look::PLAIN.clock(time), "00:30:00");
    }

    #[test]
    fn times_can_be_counted_from_an_instant() {
        let start: Time = "2026-01-05T23:30:00.5Z".parse().unwrap();
        let look = Look { zone: Zone::Since(start), ..Look::PLAIN };
        let clock = |secs| look.clock(start.plus_secs(secs));
        assert_eq!(
            [clock(0), clock(425), clock(7_380), clock(-1)].join(" "),
            "00:00 07:05 123:00 00:00"
        );
    }
}
