//! What a problem's statement says, piece by piece: each is short enough to be said in a conversation.

use crate::parts::text::sentences;

/// Longest piece that is said, characters.
const CHARS_MAX: usize = 300;

/// The sentences of a statement in Markdown, in order, and the rows of its tables as `first cell: the others`.
/// Headings and programs say nothing.
pub(super) fn pieces(statement: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
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
                false => paragraphs.push(told(row)),
            }
        } else if goes_on
            && text == line
            && let Some(paragraph) = paragraphs.last_mut()
        {
            paragraph.push(' ');
            paragraph.push_str(line);
        } else {
            paragraphs.push(text.to_owned());
            goes_on = true;
        }
    }
    let pieces = paragraphs.iter().flat_map(|paragraph| sentences(paragraph));
    pieces.filter(|piece| piece.chars().count() <= CHARS_MAX).map(str::to_owned).collect()
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
        assert_eq!(pieces(statement), expected);
    }
}
