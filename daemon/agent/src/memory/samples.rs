//! Texts of which it is known what belongs together: what scales are fitted to and counted on.

use super::words::{query_text, stored_text};

/// A text as it is kept and as it is asked for.
#[derive(Debug)]
pub(super) struct Sample {
    /// Samples of one group belong together.
    pub(super) group: usize,
    pub(super) stored: String,
    pub(super) query: String,
}

/// Reads failures: a row has error, message, place and code; a blank line ends a group.
pub(super) fn failures(text: &str) -> Vec<Sample> {
    let sample = |(group, row): (usize, &str)| {
        let mut fields = row.splitn(4, " | ");
        let mut field = || fields.next().unwrap_or_default();
        let (error, message, place, code) = (field(), field(), field(), field());
        let trace = format!("File {place}\n    {code}\n{error}: {message}");
        let (stored, query) = (stored_text(error, message, code), query_text(message, &trace));
        Sample { group, stored, query }
    };
    rows(text).map(sample).collect()
}

/// Reads tasks: a row is a description; a blank line ends a group.
pub(super) fn tasks(text: &str) -> Vec<Sample> {
    let sample = |(group, row): (usize, &str)| {
        let (stored, query) = (row.to_owned(), row.to_owned());
        Sample { group, stored, query }
    };
    rows(text).map(sample).collect()
}

fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let said = text.lines().filter(|line| !line.starts_with("# "));
    let grouped = said.scan(0, |group, row| {
        *group += usize::from(row.is_empty());
        Some((*group, row))
    });
    grouped.filter(|(_, row)| !row.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_in_their_groups() {
        let tasks = tasks("# about\n\nSort\nOrder\n\nSum up\n");
        let read: Vec<_> = tasks.iter().map(|task| (task.group, task.query.as_str())).collect();
        assert_eq!(read, [(1, "Sort"), (1, "Order"), (2, "Sum up")]);
        let failures = failures("KeyError | 'a' | b.py c | d | e\n");
        assert_eq!(failures[0].stored, "KeyError: 'a'\nd | e");
        assert_eq!(failures[0].query, "'a'\nFile b.py c\n    d | e\nKeyError: 'a'");
    }
}
