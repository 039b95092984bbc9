//! Texts that are compared, and what of them is: words without their endings, told apart from numbers, paths and signs
//! that differ from run to run.

use vosim_protocol::cut;

/// Takes a text apart: words in small letters, parts of names each for itself, every number as `0`,
/// operators as they are, and of a path its last part.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in text.split_whitespace() {
        take_apart(last_of_path(piece), &mut found);
    }
    found
}

/// Returns the last part of a path that stands in a text, and anything else as it is.
fn last_of_path(piece: &str) -> &str {
    let bare = piece.trim_start_matches(['"', '\'', '(', '`']);
    let looks = bare.starts_with(['/', '.']) || bare.matches('/').count() > 1;
    match bare.rsplit_once('/') {
        Some((_, last)) if looks => last,
        _ => piece,
    }
}

fn take_apart(piece: &str, found: &mut Vec<String>) {
    let mut rest = piece;
    while let Some(first) = rest.chars().next() {
        let (taken, after) = if first.is_alphabetic() {
            split_where(rest, |ch| !ch.is_alphabetic())
        } else if first.is_ascii_digit() {
            // Hexadecimal addresses, too, are one number.
            let hex = rest.starts_with("0x");
            split_where(rest, |ch| if hex { !ch.is_ascii_alphanumeric() } else { !ch.is_numeric() })
        } else {
            rest.split_at(sign_bytes(rest).max(first.len_utf8()))
        };
        if first.is_alphabetic() {
            found.extend(parts_of_name(taken));
        } else if first.is_ascii_digit() {
            found.push("0".to_owned());
        } else if sign_bytes(rest) > 0 {
            found.push(taken.to_owned());
        }
        rest = after;
    }
}

fn split_where(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// How long the sign is that a text begins with; 0 for one that says nothing.
fn sign_bytes(text: &str) -> usize {
    const PAIRS: [&str; 6] = ["==", "!=", "<=", ">=", "[]", "()"];
    let pair = PAIRS.iter().any(|pair| text.starts_with(pair));
    if pair { 2 } else { usize::from(text.starts_with(['+', '-', '*', '/', '%'])) }
}

/// `readFile` is `read` and `file`, `JSONDecodeError` is `json`, `decode` and `error`.
fn parts_of_name(name: &str) -> Vec<String> {
    let letters: Vec<_> = name.chars().collect();
    let mut parts = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let after_small = at > 0 && !letters[at - 1].is_uppercase();
        let before_small = letters.get(at + 1).is_some_and(|next| !next.is_uppercase());
        if letter.is_uppercase() && at > 0 && (after_small || before_small) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.extend(letter.to_lowercase());
        }
    }
    parts
}

/// Takes the ending off an English word; what is left need not be one.
pub(super) fn stem(word: &str) -> String {
    // An ending, and how much of a word must be left before it.
    const ENDINGS: [(&str, usize); 9] = [
        ("ings", 4),
        ("ing", 4),
        ("ies", 3),
        ("ed", 4),
        ("es", 4),
        ("s", 3),
        ("er", 5),
        ("or", 5),
        ("ion", 5),
    ];
    let mut left = word.to_owned();
    let fits = |(ending, least): &&(&str, usize)| {
        word.strip_suffix(ending).is_some_and(|left| left.chars().count() >= *least)
    };
    if !word.ends_with("ss")
        && let Some((ending, _)) = ENDINGS.iter().find(fits)
    {
        left.truncate(word.len() - ending.len());
        if *ending == "ies" {
            left.push('y');
        }
        let mut last = left.chars().rev();
        // "stopped", "running"
        if let (Some(last), Some(before)) = (last.next(), last.next())
            && last == before
            && !"aeols".contains(last)
        {
            left.pop();
        }
    }
    if left.ends_with('e') && left.chars().count() > 4 {
        left.pop();
    }
    left
}

/// Names an error by what stays the same when it happens again: its type, and its message without
/// numbers, addresses, paths and quoted values.
pub(super) fn signature(error_type: &str, message: &str) -> String {
    let first_line = message.lines().next().unwrap_or_default();
    format!("{error_type}: {}", words(&without_quoted(first_line)).join(" "))
}

fn without_quoted(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some(open) = rest.find(['\'', '"', '`']) {
        let (before, quoted) = rest.split_at(open);
        left.push_str(before);
        let mark = &quoted[..1];
        // The apostrophe of "can't" opens nothing.
        let inside_word = mark == "'" && before.ends_with(char::is_alphanumeric);
        match quoted[1..].find(mark) {
            Some(close) if !inside_word => rest = &quoted[close + 2..],
            _ => rest = &quoted[1..],
        }
    }
    left + rest
}

/// What is kept of a failure and of what it is found by (002 5.3).
pub(super) fn stored_text(error_type: &str, message: &str, code: &str) -> String {
    format!("{error_type}: {message}\n{code}")
}

/// What a failure is asked for with (002 5.2): what it says and how a run came to it.
pub(super) fn query_text(message: &str, trace: &str) -> String {
    format!("{message}\n{trace}")
}

/// Leaves out the middle of a text that is too long, by whole lines where there are enough.
pub(super) fn cut(text: String, bytes_max: usize) -> String {
    const LEFT_OUT: &str = "\n[…]\n";
    if text.len() <= bytes_max {
        return text;
    }
    let half = bytes_max.saturating_sub(LEFT_OUT.len()) / 2;
    let (head, tail) = (cut::start(&text, half), cut::end(&text, half));
    let head = head.rsplit_once('\n').map_or(head, |(whole, _)| whole);
    let tail = tail.split_once('\n').map_or(tail, |(_, whole)| whole);
    format!("{head}{LEFT_OUT}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_paths_and_signs_are_told_apart() {
        let of = |text| words(text).join(" ");
        assert_eq!(of("KeyError: 'user_id'"), "key error user id");
        assert_eq!(
            of("JSONDecodeError readFile HTTPServer"),
            "json decode error read file http server"
        );
        assert_eq!(of("at 0x7f3a line 214, total/count"), "at 0 line 0 total / count");
        assert_eq!(of("File \"/w/a/users.py\", ./b/c.js a/b/c.py"), "file users py c js c py");
        assert_eq!(of("assert x!=3.5 == f()"), "assert x != 0 0 == f ()");
        assert_eq!(of("Größe ÄRGER ∑ 🎲"), "größe ärger");
        assert_eq!(of(""), "");
    }

    #[test]
    fn forms_of_a_word_are_one() {
        for forms in [
            &["stop", "stops", "stopped", "stopping"][..],
            &["parse", "parses", "parsed", "parsing"],
            &["entry", "entries"],
            &["convert", "converter", "converting"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
        assert_eq!(stem("class"), "class");
        assert_eq!(stem("is"), "is");
    }

    #[test]
    fn an_error_that_happens_again_has_the_same_name() {
        let same = |a, b| assert_eq!(signature("E", a), signature("E", b));
        same("'email'", "'name'");
        same("[Errno 2] No such file: 'a/b.csv'", "[Errno 2] No such file: '/c.json'");
        same("<Node object at 0x7f01> is not ready", "<Node object at 0x9a22> is not ready");
        same("can't open \"a\" at line 3\nmore", "can't open \"b\" at line 99");
        assert_ne!(
            signature("E", "list index out of range"),
            signature("E", "pop from empty list")
        );
        assert_ne!(signature("KeyError", "'a'"), signature("ValueError", "'a'"));
        // An open quote ends nothing.
        assert_eq!(signature("E", "it isn't 'done"), "E: it isnt done");
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let text: String = (0..100).map(|number| format!("line {number}\n")).collect();
        let short = cut(text.clone(), 100);
        assert!(short.len() <= 100 && short.starts_with("line 0\n"), "{short}");
        assert!(short.ends_with("line 99\n") && short.contains("\n[…]\n"), "{short}");
        assert_eq!(cut(text.clone(), text.len()), text);
        let wide = cut("ä".repeat(100), 51);
        assert!(wide.len() <= 51 && wide.starts_with('ä') && wide.ends_with('ä'));
        assert!(cut("ä".repeat(100), 3).len() <= 7);
    }
}
