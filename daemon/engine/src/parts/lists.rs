//! Lists of words and phrases, as text files beside the rules that use them.
//!
//! A file holds several lists, each under its name in brackets, one entry a line; `#` begins a
//! remark. What an entry means is its rule's business.

/// The entries of one list of a file.
///
/// # Panics
///
/// If the file has no such list: both are part of the program.
pub fn list(file: &'static str, name: &str) -> Vec<&'static str> {
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut after = lines.skip_while(|line| heading(line) != Some(name));
    assert!(after.next().is_some(), "there is no list of the name {name}");
    after.take_while(|line| heading(line).is_none()).collect()
}

fn heading(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Two lists\n\n[verbs]\nadd\n# of a map\nput\n\n[phrases]\nstep by step\n";

    #[test]
    fn a_list_ends_where_the_next_begins_and_remarks_are_no_entries() {
        assert_eq!(list(FILE, "verbs"), ["add", "put"]);
        assert_eq!(list(FILE, "phrases"), ["step by step"]);
    }
}
