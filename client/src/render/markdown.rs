//! Markdown as plain text for terminals: headings, lists, tables, code and paragraphs.
//!
//! Emphasis and code marks are dropped: what matters is readable without them.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::render::look::{Boxes, Colour, Look, Tone};
use crate::render::page::Page;
use crate::render::text::{clean, columns};

/// Draws a statement below what the page holds already.
pub(crate) fn draw(page: &mut Page<'_>, source: &str) {
    let mut writer = Writer {
        page,
        text: String::new(),
        lists: Vec::new(),
        item: None,
        table: None,
        code: false,
        first: true,
        tone: Tone::Plain,
    };
    for event in Parser::new_ext(source, Options::ENABLE_TABLES) {
        writer.event(event);
    }
}

/// The words alone, each paragraph on one line and code whole.
pub(crate) fn words(source: &str, look: &Look) -> String {
    let wide = Look { width: usize::MAX, colour: Colour::Off, boxes: Boxes::None, ..*look };
    let mut page = Page::new(&wide);
    draw(&mut page, source);
    page.finish().trim_end().to_owned()
}

struct Writer<'w, 'l> {
    page: &'w mut Page<'l>,
    /// Inline text of the block that is open.
    text: String,
    /// Number of the next item of each open list; None for bullets.
    lists: Vec<Option<u64>>,
    /// What stands before the first line of the open item.
    item: Option<String>,
    table: Option<Vec<Vec<String>>>,
    code: bool,
    first: bool,
    tone: Tone,
}

impl Writer<'_, '_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text.push_str(&text);
            }
            Event::SoftBreak => self.text.push(' '),
            Event::HardBreak => self.text.push('\n'),
            Event::Rule => self.gap(),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text.push_str(&text);
            }
            Event::TaskListMarker(done) => self.text.push_str(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.gap();
                self.tone = Tone::Strong;
            }
            Tag::Paragraph if self.item.is_none() => self.gap(),
            Tag::CodeBlock(_) => {
                self.flush();
                self.gap();
                self.code = true;
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(*first);
            }
            Tag::Item => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.item = Some(match number {
                    Some(n) => {
                        *n += 1;
                        format!("{}. ", *n - 1)
                    }
                    None => self.page.look.bullet().to_owned(),
                });
            }
            Tag::Table(_) => {
                self.gap();
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.push(Vec::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.flush();
                self.tone = Tone::Plain;
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::CodeBlock => {
                let code = std::mem::take(&mut self.text);
                self.page.code("    ", Tone::Plain, &code);
                self.code = false;
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.item = None;
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                if let Some(row) = self.table.as_mut().and_then(|table| table.last_mut()) {
                    row.push(self.page.look.spell(&clean(&cell)).into_owned());
                }
            }
            TagEnd::Table => self.draw_table(),
            _ => {}
        }
    }

    /// A blank line between blocks, none at the beginning.
    fn gap(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.page.blank();
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        let pad = " ".repeat(2 * self.lists.len());
        let lead = self.item.as_mut().map(|lead| {
            let blank = " ".repeat(columns(lead));
            std::mem::replace(lead, blank)
        });
        let lead = format!("{pad}{}", lead.unwrap_or_default());
        let rest = " ".repeat(columns(&lead));
        self.page.hanging(&lead, &rest, self.tone, &text);
    }

    /// Columns side by side where they fit, else one cell below the other.
    fn draw_table(&mut self) {
        let rows = self.table.take().unwrap_or_default();
        let width_of = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| columns(c)).max();
        let widths: Vec<usize> = (0..).map_while(width_of).collect();
        let total: usize = widths.iter().map(|w| w + 3).sum();
        let last = widths.last().copied().unwrap_or(0);
        let before_last = total.saturating_sub(last + 3) + 2;
        let fits = before_last + 16 <= self.page.look.width;
        for (i, row) in rows.iter().enumerate() {
            let tone = if i == 0 { Tone::Strong } else { Tone::Plain };
            if fits {
                let (lead, cell) = aligned(row, &widths);
                let painted = if i == 0 { self.page.look.paint(tone, &lead) } else { lead };
                if i == 0 {
                    let cell = self.page.look.paint(tone, &cell);
                    self.page.raw(&format!("{painted}{cell}"));
                } else {
                    let rest = " ".repeat(before_last);
                    let cell = if cell.is_empty() { " ".to_owned() } else { cell };
                    self.page.hanging(&painted, &rest, tone, &cell);
                }
            } else if i > 0 {
                let line = row.iter().filter(|c| !c.is_empty()).cloned().collect::<Vec<_>>();
                let bullet = self.page.look.bullet();
                self.page.hanging(&format!("  {bullet}"), "    ", tone, &line.join(" : "));
            }
        }
    }
}

/// All cells but the last side by side, and the last one.
fn aligned(row: &[String], widths: &[usize]) -> (String, String) {
    let Some((last, before)) = row.split_last() else {
        return (String::new(), String::new());
    };
    let mut lead = "  ".to_owned();
    for (cell, width) in before.iter().zip(widths) {
        lead.push_str(cell);
        lead.push_str(&" ".repeat(width - columns(cell) + 3));
    }
    (lead, last.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(source: &str, width: usize) -> String {
        let look = Look { width, ..Look::PLAIN };
        let mut page = Page::new(&look);
        draw(&mut page, source);
        page.finish()
    }

    const SOURCE: &str = "Some *long* text that goes on\nin the next line.\n\n## Rules\n\n1. `get` first\n2. then\n   - inner `x`\n\n| call | does |\n| --- | --- |\n| `get(key)` | returns what was put there before, else `-1` |\n| `put` | |\n\n```\nx = [1,  2]\n```\n\nEnd.";

    #[test]
    fn a_statement_is_readable_without_its_marks() {
        insta::assert_snapshot!(drawn(SOURCE, 50), @r#"
        Some long text that goes on in the next line.

        Rules

          1. get first
          2. then
            • inner x

          call       does
          get(key)   returns what was put there before,
                     else -1
          put

            x = [1,  2]

        End.
        "#);
    }

    #[test]
    fn foreign_escapes_in_a_statement_are_harmless() {
        assert!(!drawn("a \u{1b}[31m b `\u{7}`", 60).contains(['\u{1b}', '\u{7}']));
    }
}
