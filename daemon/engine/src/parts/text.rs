//! Words and sentences of what people write; every rule about texts counts with these.

#[cfg(test)]
mod tests;

/// Longest inside of an `o(…)` that stays one word, characters.
const ORDER_MAX: usize = 32;
/// The letters before the bracket of a growth: big O, theta, omega.
const ORDERS: [&str; 3] = ["o", "θ", "ω"];
/// Short forms whose dot ends no sentence.
const SHORT_FORMS: [&str; 6] = ["e.g", "i.e", "vs", "cf", "approx", "resp"];

/// The words of a text in lower case.
///
/// A word is a run of letters, digits and `_`, with apostrophes inside. A growth such as
/// `O(n log n)` is one word, `o(n log n)`. Characters that cannot be seen inside a word are left
/// out, colour sequences of terminals are blanks.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let after = rest.as_str();
        if c.is_alphanumeric() || c == '_' || (combines(c) && !word.is_empty()) {
            lower(c, &mut word);
            continue;
        }
        if invisible(c) {
            continue;
        }
        if matches!(c, '\'' | '’') && !word.is_empty() && after.starts_with(char::is_alphanumeric)
        {
            word.push('\'');
            continue;
        }
        if c == '('
            && ORDERS.contains(&word.as_str())
            && let Some((inside, left)) = order(after)
        {
            word.push('(');
            word.push_str(&inside);
            word.push(')');
            rest = left.chars();
        }
        if c == '\u{1b}' {
            rest = after_escape(after).chars();
        }
        if !word.is_empty() {
            found.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

/// Marks that stand over the letter before them.
fn combines(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Characters without width, which would cut a word that looks whole.
pub(crate) fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0f}' | '\u{feff}')
}

/// The inside of the bracket of a growth, blanks made single, and what follows the bracket.
fn order(text: &str) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut depth = 1_u32;
    for (at, c) in text.char_indices().take(ORDER_MAX) {
        let left = &text[at + c.len_utf8()..];
        match c {
            ')' if depth == 1 => {
                let inside = inside.trim_end();
                return (!inside.is_empty()).then(|| (inside.to_owned(), left));
            }
            ')' => depth -= 1,
            '(' => depth += 1,
            // Anywhere else it could end a sentence.
            '!' if depth == 1 && left.starts_with(')') => {}
            ' ' if inside.is_empty() || inside.ends_with(' ') => continue,
            ' ' | '^' | '*' | '+' | '-' | '/' | '_' | '|' | ',' | '·' | '√' => {}
            c if c.is_alphanumeric() => {}
            _ => return None,
        }
        lower(c, &mut inside);
    }
    None
}

fn lower(c: char, text: &mut String) {
    if c.is_ascii() {
        text.push(c.to_ascii_lowercase());
    } else {
        text.extend(c.to_lowercase());
    }
}

/// What follows a colour or cursor sequence; only its first character is a blank otherwise.
fn after_escape(text: &str) -> &str {
    let Some(body) = text.strip_prefix('[') else { return text };
    let body = match body.strip_prefix('?') {
        Some(private) if private.starts_with(|c: char| c.is_ascii_digit()) => private,
        _ => body,
    };
    let end = body.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
    end.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(text)
}

/// The sentences of a text as they stand in it, without the blanks around them.
///
/// A sentence ends at `.`, `!` or `?` before a blank, and at the end of a line. Together they hold
/// every word of the text, in order.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        let end = match c {
            '\n' | '\r' => Some(next),
            '.' if is_short_form(&text[start..at]) => None,
            '.' | '!' | '?' | '。' | '！' | '？' => {
                let left = text[next..].trim_start_matches(closes);
                left.starts_with(char::is_whitespace).then(|| text.len() - left.len())
            }
            _ => None,
        };
        if let Some(end) = end {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// True for what may stand behind the mark that ends a sentence, and still belong to it.
pub(crate) fn closes(c: char) -> bool {
    matches!(c, ')' | ']' | '"' | '\'' | '`' | '”' | '’' | '»' | '*')
}

/// True when what stands before a dot is a short form or the number of a list.
fn is_short_form(before: &str) -> bool {
    let before = before.trim_start();
    if before.len() <= 2 && before.chars().all(|c| c.is_ascii_digit()) {
        return !before.is_empty();
    }
    SHORT_FORMS.iter().any(|form| {
        let at = before.len().checked_sub(form.len());
        at.and_then(|at| before.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(form))
            && !before[..before.len() - form.len()].ends_with(char::is_alphanumeric)
    })
}
