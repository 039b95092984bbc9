//! Building blocks of every screen: lines, paragraphs, lists and the panels of 000.

use crate::render::look::{Boxes, Charset, Look, Signs, Tone};
use crate::render::text::{LongWords, clean, clean_lines, columns, cut, wrap};

/// A screen in the making.
#[derive(Debug)]
pub(crate) struct Page<'l> {
    pub(crate) look: &'l Look,
    text: String,
    long_words: LongWords,
}

impl<'l> Page<'l> {
    pub(crate) fn new(look: &'l Look) -> Self {
        Self { look, text: String::new(), long_words: LongWords::Cut }
    }

    /// From here on no word is cut: a page of paths and commands to copy.
    #[must_use]
    pub(crate) fn whole_words(self) -> Self {
        Self { long_words: LongWords::Whole, ..self }
    }

    /// The screen; every line has its end.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    pub(crate) fn blank(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// A line exactly as it is: it may hold colour and must hold nothing foreign.
    pub(crate) fn raw(&mut self, line: &str) -> &mut Self {
        self.text.push_str(line.trim_end());
        self.blank()
    }

    /// A text, each of its lines wrapped.
    pub(crate) fn say(&mut self, tone: Tone, text: &str) -> &mut Self {
        self.hanging("", "", tone, text)
    }

    /// The same, moved to the right.
    pub(crate) fn indented(&mut self, by: usize, tone: Tone, text: &str) -> &mut Self {
        let pad = " ".repeat(by);
        self.hanging(&pad, &pad, tone, text)
    }

    /// One item of a list.
    pub(crate) fn item(&mut self, tone: Tone, text: &str) -> &mut Self {
        self.hanging(&format!("  {}", self.look.bullet()), "    ", tone, text)
    }

    /// A text behind `first`, its further lines behind `rest`.
    pub(crate) fn hanging(&mut self, first: &str, rest: &str, tone: Tone, text: &str) -> &mut Self {
        if columns(first) + TEXT_MIN > self.look.width && !first.trim().is_empty() {
            // No room behind the lead: the text goes below it.
            return self.raw(first).hanging("    ", "    ", tone, text);
        }
        let mut lead = first;
        for line in clean_lines(text) {
            let line = self.look.spell(&line).into_owned();
            // Code and drawings keep their blanks; only prose is wrapped.
            let own = &line[..line.len() - line.trim_start().len()];
            let deepest = columns(lead).max(columns(rest));
            let room = self.look.width.saturating_sub(deepest + columns(own));
            for part in wrap(line.trim_start(), room.max(16), self.long_words) {
                let lead_part = format!("{lead}{own}");
                let painted = self.look.paint(tone, &part);
                self.raw(&format!("{lead_part}{painted}"));
                lead = rest;
            }
        }
        self
    }

    /// Preformatted lines, cut where they do not fit.
    pub(crate) fn verbatim(&mut self, lead: &str, tone: Tone, text: &str) -> &mut Self {
        let mark = self.mark();
        for line in clean_lines(text) {
            let room = self.look.width.saturating_sub(columns(lead));
            let line = cut(&self.look.spell(&line), room.max(16), mark);
            let painted = self.look.paint(tone, &line);
            self.raw(&format!("{lead}{painted}"));
        }
        self
    }

    /// Lines of code, whole however long they are, since code is copied and a diff is applied.
    pub(crate) fn code(&mut self, lead: &str, tone: Tone, text: &str) -> &mut Self {
        for line in clean_lines(text) {
            let painted = self.look.paint(tone, &self.look.spell(&line));
            self.raw(&format!("{lead}{painted}"));
        }
        self
    }

    /// What stands where a text was cut.
    pub(crate) fn mark(&self) -> &'static str {
        match self.look.charset {
            Charset::Unicode => "…",
            Charset::Ascii => "...",
        }
    }

    pub(crate) fn panel(&mut self, panel: &Panel) -> &mut Self {
        match self.look.boxes {
            Boxes::Drawn => self.framed(panel),
            Boxes::None => self.unframed(panel),
        }
        self
    }

    fn unframed(&mut self, panel: &Panel) {
        if let Some(title) = &panel.title {
            let title = self.look.spell(title);
            let title = match self.look.signs {
                Signs::Drawn => format!("== {title} =="),
                Signs::None => format!("{title}:"),
            };
            self.raw(&self.look.paint(Tone::Strong, &title));
        }
        for line in panel.sections.iter().flatten() {
            for (_, painted) in line.fit(self.look, self.look.width) {
                self.raw(&painted);
            }
        }
    }

    fn framed(&mut self, panel: &Panel) {
        let edges = Edges::of(self.look.charset);
        let room = Panel::room(self.look);
        let title = panel.title.as_deref().map(|title| self.look.spell(title).into_owned());
        let sections: Vec<Vec<(usize, String)>> = panel
            .sections
            .iter()
            .map(|lines| lines.iter().flat_map(|line| line.fit(self.look, room)).collect())
            .collect();
        let widest = sections.iter().flatten().map(|(columns, _)| *columns).max().unwrap_or(0);
        let inner = widest.max(PANEL_MIN.min(room)).max(title.as_deref().map_or(0, columns));
        self.raw(&edges.top(title.as_deref(), inner, self.look));
        for (i, lines) in sections.iter().enumerate() {
            if i > 0 {
                self.raw(&edges.middle(inner));
            }
            for (columns, painted) in lines {
                let pad = " ".repeat(inner.saturating_sub(*columns));
                self.raw(&format!("{0} {painted}{pad} {0}", edges.side));
            }
        }
        self.raw(&edges.bottom(inner));
    }
}

/// Least room for text beside what stands before it, columns.
const TEXT_MIN: usize = 16;

/// Narrowest and widest inside of a framed panel, columns.
const PANEL_MIN: usize = 46;
const PANEL_MAX: usize = 76;

/// A box with a title and sections between rules (000: CLI).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Panel {
    pub(crate) title: Option<String>,
    pub(crate) sections: Vec<Vec<Line>>,
}

impl Panel {
    pub(crate) fn titled(title: &str) -> Self {
        Self { title: Some(title.to_owned()), sections: Vec::new() }
    }

    /// Columns of its inside; what is longer is wrapped.
    pub(crate) fn room(look: &Look) -> usize {
        match look.boxes {
            Boxes::Drawn => look.width.saturating_sub(4).min(PANEL_MAX),
            Boxes::None => look.width,
        }
    }

    #[must_use]
    pub(crate) fn section(mut self, lines: Vec<Line>) -> Self {
        if !lines.is_empty() {
            self.sections.push(lines);
        }
        self
    }
}

/// A line of a panel: a label and what it says, in one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    label: String,
    tone: Tone,
    text: String,
}

impl Line {
    pub(crate) fn plain(text: &str) -> Self {
        Self::toned(Tone::Plain, text)
    }

    pub(crate) fn toned(tone: Tone, text: &str) -> Self {
        Self { label: String::new(), tone, text: clean(text).into_owned() }
    }

    /// `label: text`.
    pub(crate) fn field(label: &str, text: &str) -> Self {
        Self::toned_field(label, Tone::Plain, text)
    }

    pub(crate) fn toned_field(label: &str, tone: Tone, text: &str) -> Self {
        Self { label: format!("{label}: "), tone, text: clean(text).into_owned() }
    }

    /// The line in pieces that fit, each with its columns.
    fn fit(&self, look: &Look, room: usize) -> Vec<(usize, String)> {
        let label = look.spell(&self.label);
        let text = look.spell(&self.text);
        let room = room.max(8);
        if columns(&label) + columns(&text) <= room {
            let columns = columns(&label) + columns(&text);
            return vec![(columns, format!("{label}{}", look.paint(self.tone, &text)))];
        }
        if label.is_empty() {
            let paint = |part: String| (columns(&part), look.paint(self.tone, &part));
            return wrap(&text, room, LongWords::Cut).into_iter().map(paint).collect();
        }
        let mut all = vec![(columns(label.trim_end()), label.trim_end().to_owned())];
        all.extend(wrap(&text, room - 2, LongWords::Cut).into_iter().map(|part| {
            let painted = look.paint(self.tone, &part);
            (columns(&part) + 2, format!("  {painted}"))
        }));
        all
    }
}

/// The signs a frame is drawn with.
struct Edges {
    corners: [&'static str; 4],
    tees: [&'static str; 2],
    rule: &'static str,
    side: &'static str,
}

impl Edges {
    fn of(charset: Charset) -> Self {
        match charset {
            Charset::Unicode => {
                Self {
                    corners: ["╭", "╮", "╰", "╯"], tees: ["├", "┤"], rule: "─", side: "│"
                }
            }
            Charset::Ascii => {
                Self { corners: ["+", "+", "+", "+"], tees: ["+", "+"], rule: "-", side: "|" }
            }
        }
    }

    fn top(&self, title: Option<&str>, inner: usize, look: &Look) -> String {
        let [left, right, ..] = self.corners;
        let Some(title) = title else {
            return format!("{left}{}{right}", self.rule.repeat(inner + 2));
        };
        let free = (inner + 2).saturating_sub(columns(title) + 2);
        let (before, after) = (free / 2, free - free / 2);
        let title = look.paint(Tone::Strong, title);
        format!("{left}{} {title} {}{right}", self.rule.repeat(before), self.rule.repeat(after))
    }

    fn middle(&self, inner: usize) -> String {
        format!("{}{}{}", self.tees[0], self.rule.repeat(inner + 2), self.tees[1])
    }

    fn bottom(&self, inner: usize) -> String {
        format!("{}{}{}", self.corners[2], self.rule.repeat(inner + 2), self.corners[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::look::Colour;

    fn sample() -> Panel {
        Panel::titled("Session Status")
            .section(vec![Line::field("Problem", "LRU Cache 漢字"), Line::plain("x")])
            .section(vec![Line::toned_field("Status", Tone::Bad, &"long words ".repeat(9))])
    }

    fn draw(look: &Look) -> String {
        let mut page = Page::new(look);
        page.panel(&sample());
        page.finish()
    }

    #[test]
    fn a_panel_is_drawn_with_round_corners() {
        insta::assert_snapshot!(draw(&Look::PLAIN), @r#"
        ╭───────────────────────────── Session Status ─────────────────────────────╮
        │ Problem: LRU Cache 漢字                                                  │
        │ x                                                                        │
        ├──────────────────────────────────────────────────────────────────────────┤
        │ Status:                                                                  │
        │   long words long words long words long words long words long words long │
        │   words long words long words                                            │
        ╰──────────────────────────────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn a_narrow_ascii_panel_still_closes() {
        let look = Look { width: 40, charset: Charset::Ascii, ..Look::PLAIN };
        insta::assert_snapshot!(draw(&look), @r#"
        +----------- Session Status -----------+
        | Problem: LRU Cache \u{6f22}\u{5b57}  |
        | x                                    |
        +--------------------------------------+
        | Status:                              |
        |   long words long words long words   |
        |   long words long words long words   |
        |   long words long words long words   |
        +--------------------------------------+
        "#);
    }

    #[test]
    fn without_boxes_a_panel_is_plain_lines() {
        let look = Look { boxes: Boxes::None, ..Look::PLAIN };
        insta::assert_snapshot!(draw(&look), @r#"
        == Session Status ==
        Problem: LRU Cache 漢字
        x
        Status:
          long words long words long words long words long words long words long words
          long words long words
        "#);
    }

    #[test]
    fn without_signs_only_words_are_left() {
        let look = Look { boxes: Boxes::None, signs: Signs::None, ..Look::PLAIN };
        let mut page = Page::new(&look);
        page.panel(&Panel::titled("Session Status").section(vec![Line::plain("x")]));
        page.item(Tone::Plain, "an item");
        assert_eq!(page.finish(), "Session Status:\nx\n  an item\n");
    }

    #[test]
    fn every_framed_line_is_as_wide_as_the_frame_and_within_the_terminal() {
        for width in [40, 60, 80, 120] {
            let look = Look { width, colour: Colour::Off, ..Look::PLAIN };
            let text = draw(&look);
            let widths: Vec<_> = text.lines().map(columns).collect();
            assert!(widths.iter().all(|w| *w == widths[0] && *w <= width), "{width}: {widths:?}");
        }
    }
}
