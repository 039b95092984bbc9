//! Rust text as tokens: enough to tell names, paths and blocks apart, and no more of the language.
//!
//! Comments are gone, and literals have lost their text.

/// A word, a lifetime, a literal (its opening quote), `::`, or one sign of punctuation.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: usize,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|first: char| first.is_alphabetic() || first == '_')
    }
}

/// The tokens of a file without what `#[cfg(test)]` hides.
pub(super) fn product_tokens(text: &str) -> Vec<Token> {
    without_tests(tokens(text))
}

/// Where the bracket that opens at `open` is closed.
pub(super) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    panic!("a bracket on line {} is never closed", tokens[open].line)
}

/// Where an item that begins at `start` ends: its semicolon, or the end of its first block.
pub(super) fn item_end(tokens: &[Token], start: usize) -> usize {
    let mut index = start;
    while index < tokens.len() {
        match tokens[index].text.as_str() {
            ";" => return index,
            "{" => return closing(tokens, index),
            "(" | "[" => index = closing(tokens, index),
            _ => {}
        }
        index += 1;
    }
    panic!("an item on line {} has no end", tokens[start].line)
}

/// The tokens of a whole file.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest);
        let token = &rest[..length];
        if !first.is_whitespace() && !token.starts_with("//") && !token.starts_with("/*") {
            let literal = token.ends_with(['"', '\'']) || token.ends_with("\"#");
            let text = if literal { "\"" } else { token };
            found.push(Token { text: text.to_owned(), line });
        }
        line += token.matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// How many bytes the token, comment or space at the front takes.
fn token_length(rest: &str) -> usize {
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    if let Some(body) = raw_string_body(rest) {
        return body;
    }
    match rest.as_bytes() {
        [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => block_comment_length(rest),
        [b'"', ..] => quoted_length(rest, b'"'),
        [b'\'', b'\\', ..] => quoted_length(rest, b'\''),
        [b'\'', ..] => {
            let mut inside = rest[1..].chars();
            let first = inside.next().map_or(0, char::len_utf8);
            if inside.next() == Some('\'') {
                return 1 + first + 1;
            }
            // A lifetime.
            let name = rest[1..].find(|c: char| !c.is_alphanumeric() && c != '_');
            1 + name.unwrap_or(rest.len() - 1)
        }
        [b':', b':', ..] => 2,
        _ if word > 0 => word,
        _ => rest.chars().next().map_or(0, char::len_utf8),
    }
}

/// The length of a raw string with its quotes, where one stands at the front.
fn raw_string_body(rest: &str) -> Option<usize> {
    let opened = ["r", "br", "cr"].iter().find_map(|prefix| rest.strip_prefix(prefix))?;
    let hashes = opened.len() - opened.trim_start_matches('#').len();
    let body = opened[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).expect("a raw string has an end") + end.len();
    Some(rest.len() - body.len() + length)
}

fn quoted_length(rest: &str, quote: u8) -> usize {
    let bytes = rest.as_bytes();
    let mut index = 1;
    while bytes[index] != quote {
        index += if bytes[index] == b'\\' { 2 } else { 1 };
    }
    index + 1
}

/// Block comments nest.
fn block_comment_length(rest: &str) -> usize {
    let (mut depth, mut index) = (0, 0);
    loop {
        if rest[index..].starts_with("/*") {
            (depth, index) = (depth + 1, index + 2);
        } else if rest[index..].starts_with("*/") {
            (depth, index) = (depth - 1, index + 2);
        } else {
            index += rest[index..].chars().next().map_or(0, char::len_utf8);
        }
        if depth == 0 {
            return index;
        }
    }
}

fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let marked = |at: usize| {
        let sign = ["#", "[", "cfg", "(", "test", ")", "]"];
        tokens.len() >= at + sign.len()
            && sign.iter().zip(&tokens[at..]).all(|(text, token)| token.is(text))
    };
    let (mut kept, mut index) = (Vec::new(), 0);
    while index < tokens.len() {
        if marked(index) {
            while tokens[index].is("#") {
                index = closing(&tokens, index + 1) + 1;
            }
            index = item_end(&tokens, index) + 1;
        } else {
            kept.push(tokens[index].clone());
            index += 1;
        }
    }
    kept
}

#[test]
fn literals_comments_and_tests_hold_no_names() {
    let text = r####"
        // one
        /* two /* three */ */
        use a::b; fn f<'a>(c: &'a str) -> char { r#"four " "#; "five \" six"; '\''; 'x' }
        #[cfg(test)]
        #[derive(Debug)]
        mod tests { fn g() {} }
        #[cfg(test)]
        use seven;
        const D: u8 = b'"';
    "####;
    let words: Vec<_> = product_tokens(text).into_iter().filter(Token::is_word).collect();
    let words: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
    assert_eq!(words.join(" "), "use a b fn f c str char const D u8 b");
    assert_eq!(product_tokens(text).last().unwrap().line, 10);
}
