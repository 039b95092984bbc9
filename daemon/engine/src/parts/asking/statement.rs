//! What a problem's statement says, piece by piece: each is short enough to be said in a conversation.

use crate::parts::text::sentences;

/// Longest piece that is said, characters.
const CHARS_MAX: usize = 300;

/// A sentence of a statement, or a row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) sentence: String,
    /// What is told of it: all of a rule, where that is short enough, since its sentences say of what they are
    /// in the first one alone.
    pub(super) told: String,
}

/// The sentences of a statement in Markdown, in order, and the rows of its tables as `first cell: the others`.
/// Headings and programs say nothing.
pub(super) fn pieces(statement: &str) -> Vec<Piece> {
    let mut paragraphs: Vec<(String, Part)> = Vec::new();
    let (mut goes_on, mut in_program) = (false, false);
    for line in statement.lines().map(str::trim) {
        let fence = line.starts_with("```");
        in_program ^= fence;
        let text = item(line);
        if fence || in_program || line.is_empty() || line.starts_with('#') {
            goes_on = false;
        } else if let Some(row) = line.strip_prefix('|') {
            goes_on = false;
            match row.chars().all(|c| "|-: ".contains(c)) {
                // What stands above this line are the names of the columns.
                true => drop(paragraphs.pop()),
                false => paragraphs.push((told(row), Part::Plain)),
            }
        } else if goes_on
            && text == line
            && let Some((paragraph, _)) = paragraphs.last_mut()
        {
            paragraph.push(' ');
            paragraph.push_str(line);
        } else {
            let part = if text == line { Part::Plain } else { Part::Rule };
            paragraphs.push((text.to_owned(), part));
            goes_on = true;
        }
    }
    let mut pieces = Vec::new();
    for (paragraph, part) in &paragraphs {
        let whole = *part == Part::Rule && is_short(paragraph);
        for sentence in sentences(paragraph) {
            if is_short(sentence) {
                let told = if whole { paragraph.as_str() } else { sentence };
                pieces.push(Piece { sentence: sentence.to_owned(), told: told.to_owned() });
            }
        }
    }
    pieces
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= CHARS_MAX
}

/// What a paragraph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// An item of a list.
    Rule,
    Plain,
}

/// A line without the mark or the number of a list.
fn item(line: &str) -> &str {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number.strip_prefix(". ").filter(|_| number.len() < line.len());
    numbered.or_else(|| line.strip_prefix("- ")).or_else(|| line.strip_prefix("* ")).unwrap_or(line)
}

fn told(row: &str) -> String {
    let cells: Vec<_> = row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
    match cells.split_first() {
        Some((first, [])) => (*first).to_owned(),
        Some((first, others)) => format!("{first}: {}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_said_sentence_by_sentence_and_row_by_row() {
        let statement = "One thing. Another\nthat goes on.\n\n## Rules\n\n1. Keys are\n   numbers.\n2. Two.\n\
            - Three `a.b`.\n\n| call | what |\n| --- | :-: |\n| `get(k)` | its value | or -1 |\n\n\
            ```\nfn main() {}\n```\nThe end.\n";
        let expected = [
            "One thing.",
            "Another that goes on.",
            "Keys are numbers.",
            "Two.",
            "Three `a.b`.",
            "`get(k)`: its value, or -1",
            "The end.",
        ];
        let sentences: Vec<_> = pieces(statement).into_iter().map(|it| it.sentence).collect();
        assert_eq!(sentences, expected);
    }

    #[test]
    fn a_rule_is_told_whole_and_a_paragraph_by_the_sentence() {
        let rule = "A known key gets its value. Nothing is dropped.";
        let long = format!("1. {} Nothing is dropped.", "Keys are numbers. ".repeat(20).trim());
        let told = |statement: &str| pieces(statement).pop().unwrap().told;
        assert_eq!(told(&format!("2. {rule}")), rule);
        assert_eq!(told(rule), "Nothing is dropped.");
        assert_eq!(told(&long), "Nothing is dropped.");
    }
}
