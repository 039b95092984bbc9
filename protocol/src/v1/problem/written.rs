//! Runs of calls as people write them, in two spellings:
//! `LRUCache(1) put(1,1) get(1)==1` and `[["LRUCache",[1]],["put",[1,1]],["get",[1],1]]`.

use super::op::Op;
use crate::misfit;
use crate::wire::Json as Value;

/// Signs between a call and its answer.
const ANSWER_MARKS: [&str; 6] = ["===", "==", "->", "=>", "→", "="];
/// Words between them.
const ANSWER_WORDS: [&str; 12] = [
    "returns ",
    "gives ",
    "answers ",
    "yields ",
    "equals ",
    "outputs ",
    "should be ",
    "should give ",
    "should return ",
    "must be ",
    "must return ",
    "is ",
];
/// Signs of a remark behind a call, which may be nothing but the answer.
const REMARK_MARKS: [&str; 2] = ["#", "//"];
/// Words with which a remark goes on behind the answer.
const REASONS: [&str; 6] = ["because", "since", "as", "for", "not", "and"];

/// Reads a run of calls in either spelling; the error says in a few words what cannot be read.
pub fn read_calls(text: &str) -> Result<Vec<Op>, String> {
    let text = plain_zeros(text);
    let text = text.trim();
    if text.starts_with('[') {
        serde_json::from_str(text).map_err(|error| misfit::words(&error))
    } else {
        calls(text)
    }
}

/// The same text with `0` for `-0`, which JSON takes for a fraction; `-0.0` is one.
pub fn plain_zeros(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut quote, mut escaped) = (None, false);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(mark) if c == mark => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '-' => {
                let mut next = rest.clone();
                let zero = next.next() == Some('0');
                let goes_on =
                    next.next().is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
                if zero && !goes_on {
                    continue;
                }
            }
            Some(_) | None => {}
        }
        plain.push(c);
    }
    plain
}

/// Calls one after another, between them blanks, commas or semicolons.
fn calls(text: &str) -> Result<Vec<Op>, String> {
    let mut ops = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';' || c == ',');
        if rest.is_empty() {
            return Ok(ops);
        }
        let (op, after) = read_call(rest)?;
        ops.push(op);
        rest = after;
    }
}

/// Reads the call with which a text begins, and gives back what follows it: `name(arguments)` and perhaps
/// `== answer`; a receiver as in `cache.get(1)` is passed over.
pub fn read_call(text: &str) -> Result<(Op, &str), String> {
    let open = text.find('(').ok_or_else(|| format!("`{text}` is not a call like get(1)"))?;
    let full = text[..open].trim_end();
    let name = full.rsplit('.').next().unwrap_or(full);
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '@'))
    {
        return Err(format!("`{full}` is not the name of a call"));
    }
    let inside = &text[open + 1..];
    let close = end_of(inside, |c, depth| c == ')' && depth == 0)
        .ok_or_else(|| format!("`{full}(` has no closing parenthesis"))?;
    let args = list(&inside[..close])?;
    let (expect, rest) = answer(&inside[close + 1..])?;
    Ok((Op { call: name.to_owned(), args, expect }, rest))
}

/// `== 1` or `-> 1`, where it is said.
fn answer(text: &str) -> Result<(Option<Value>, &str), String> {
    let trimmed = text.trim_start();
    let after = |marks: &[&str]| marks.iter().find_map(|mark| trimmed.strip_prefix(*mark));
    if let Some(after) = after(&ANSWER_MARKS) {
        let (value, rest) = value(after).ok_or("an answer is missing after ==")?;
        return Ok((Some(value), rest));
    }
    if let Some(remark) = after(&REMARK_MARKS) {
        return Ok(remarked(remark).map_or((None, text), |(value, rest)| (Some(value), rest)));
    }
    // As a word it may begin a sentence instead.
    let said = after(&ANSWER_WORDS).and_then(value);
    Ok(said.map_or((None, text), |(value, rest)| (Some(value), rest)))
}

/// The answer that a remark tells: behind a sign or word, or so that it says nothing else or gives the reason.
fn remarked(remark: &str) -> Option<(Value, &str)> {
    let marked = answer(remark).ok()?;
    if let (Some(value), rest) = marked {
        return Some((value, rest));
    }
    let (value, rest) = value(remark)?;
    let further = rest.trim_start();
    let word = further.split(|c: char| !c.is_alphabetic()).next().unwrap_or(further);
    let ends = further.is_empty() || further.starts_with([',', ';', '(', '-', ':']);
    (ends || REASONS.contains(&word)).then_some((value, rest))
}

/// The answer that stands alone on a line, behind a sign or not: `=> 0`, `# 0`, `0`.
pub fn read_answer(line: &str) -> Option<Value> {
    let line = plain_zeros(line);
    let line = line.trim();
    let marked = match answer(line).ok()? {
        (Some(value), rest) => Some((value, rest)),
        (None, _) => None,
    };
    let (value, rest) = marked.or_else(|| value(line))?;
    rest.trim().is_empty().then_some(value)
}

/// The value with which a text begins, and what follows it.
fn value(text: &str) -> Option<(Value, &str)> {
    let text = text.trim_start();
    let ends = |c: char, depth: usize| depth == 0 && (c.is_whitespace() || c == ';' || c == ',');
    let end = end_of(text, ends).unwrap_or(text.len());
    let written = &text[..end];
    let bare = written.trim_end_matches(['.', ':', '!', '?']);
    let mut values = list(written).or_else(|_| list(bare)).ok()?;
    let value = values.pop().filter(|_| values.is_empty())?;
    Some((value, &text[end..]))
}

/// Where a character ends something, outside of strings and with the depth of brackets there.
fn end_of(text: &str, ends: impl Fn(char, usize) -> bool) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, c) if ends(c, depth) => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            (None, _) => {}
        }
    }
    None
}

/// Values between commas: JSON, and what Python writes differently.
fn list(text: &str) -> Result<Vec<Value>, String> {
    let json = format!("[{}]", python_to_json(text));
    serde_json::from_str(&json).map_err(|_| match named(text) {
        Some(name) => {
            format!("`{name}=` names a value: write the values alone, in the order of the call")
        }
        None => format!("`{text}` is not a list of values"),
    })
}

/// The first name by which a value is given, as in `get(key=1)`.
fn named(text: &str) -> Option<&str> {
    let at = end_of(text, |c, depth| c == '=' && depth == 0)?;
    let name = text[..at].rsplit(',').next()?.trim();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    (is_name && !text[at + 1..].starts_with('=')).then_some(name)
}

/// `True`, `False`, `None`, single quotes and tuples as JSON spells them.
fn python_to_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Where each open bracket stands, and whether there was a comma in it.
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' | '\'' => {
                let body = &rest[1..];
                let length = end_of_string(body, first).unwrap_or(body.len());
                push_string(&body[..length], first, &mut out);
                (1 + length + 1).min(rest.len())
            }
            c if c.is_alphabetic() => {
                let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                out.push_str(match &rest[..length] {
                    "True" => "true",
                    "False" => "false",
                    "None" => "null",
                    word => word,
                });
                length
            }
            c @ ('(' | '[' | '{') => {
                open.push((out.len(), false));
                out.push(c);
                1
            }
            c @ (')' | ']' | '}') => {
                match open.pop() {
                    Some((at, comma)) if c == ')' && out[at..].starts_with('(') => {
                        close_tuple(&mut out, at, comma);
                    }
                    Some(_) | None => out.push(c),
                }
                1
            }
            c => {
                if let Some((_, comma)) = open.last_mut().filter(|_| c == ',') {
                    *comma = true;
                }
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    out
}

/// Makes a list of the tuple that was written from there on; round brackets about one value are none.
fn close_tuple(out: &mut String, at: usize, comma: bool) {
    let inside = out[at + 1..].trim();
    let closed = if comma || inside.is_empty() {
        format!("[{}]", inside.strip_suffix(',').unwrap_or(inside))
    } else {
        inside.to_owned()
    };
    out.replace_range(at.., &closed);
}

fn end_of_string(body: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// The body of a string in double quotes: only the quotes themselves are spelled differently.
fn push_string(body: &str, quote: char, out: &mut String) {
    out.push('"');
    if quote == '"' {
        out.push_str(body);
    } else {
        out.push_str(&body.replace("\\'", "'").replace('"', "\\\""));
    }
    out.push('"');
}
