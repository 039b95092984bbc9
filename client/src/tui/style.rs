//! How parts of the screen are spelled and coloured; it knows nothing of what they say.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;

use crate::render::joiners::apart;
use crate::render::look::{Charset, Colour, Look, Tone};
use crate::render::text::{self, columns, cut};

/// A tone as the terminal shows it; without colour, weight alone.
pub(crate) fn tone(look: &Look, tone: Tone) -> Style {
    let style = match tone {
        Tone::Plain => Style::new(),
        Tone::Good | Tone::Bad | Tone::Strong => Style::new().add_modifier(Modifier::BOLD),
        Tone::Warn => Style::new(),
        Tone::Dim => return Style::new().add_modifier(Modifier::DIM),
    };
    let colour = match tone {
        Tone::Good => Color::Green,
        Tone::Bad => Color::Red,
        Tone::Warn => Color::Yellow,
        Tone::Plain | Tone::Dim | Tone::Strong => return style,
    };
    if look.colour == Colour::On { style.fg(colour) } else { style.add_modifier(Modifier::BOLD) }
}

/// One line of foreign text as the cells of a screen show it.
pub(crate) fn clean(text: &str) -> String {
    apart(&text::clean(text)).into_owned()
}

/// Our own words beside foreign ones, as the character set shows them, one line.
pub(crate) fn shown(look: &Look, text: &str) -> String {
    clean(&look.spell(text))
}

/// What stands between two facts on one line.
pub(crate) fn dot(look: &Look) -> &'static str {
    match look.charset {
        Charset::Unicode => " · ",
        Charset::Ascii => " - ",
    }
}

/// What stands where something was cut off.
pub(crate) fn more(look: &Look) -> &'static str {
    match look.charset {
        Charset::Unicode => "…",
        Charset::Ascii => "...",
    }
}

/// What a horizontal line is drawn with.
pub(crate) fn dash(look: &Look) -> &'static str {
    match look.charset {
        Charset::Unicode => "─",
        Charset::Ascii => "-",
    }
}

/// Keeps so many lines at most; the last one tells that there are more.
pub(crate) fn shorten(lines: &mut Vec<Line<'static>>, most: usize, look: &Look, width: usize) {
    if lines.len() <= most {
        return;
    }
    lines.truncate(most);
    if let Some(last) = lines.last_mut() {
        let text: String = last.spans.iter().map(|span| span.content.as_ref()).collect();
        let style = last.style;
        let text = cut(&text, width.saturating_sub(columns(more(look)) + 1), "");
        *last = Line::styled(format!("{text} {}", more(look)), style);
    }
}
