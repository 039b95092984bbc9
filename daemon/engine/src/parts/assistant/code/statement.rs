//! What a line of a program looks like: definitions, blocks, keywords with their values,
//! assignments, calls.

use crate::parts::assistant::tokens::tokens;

/// Most tokens of a statement without other marks of code.
const STATEMENT_TOKENS_MAX: usize = 8;

/// Words that begin a definition.
pub(super) const DEFINES: [&str; 8] =
    ["def", "class", "function", "fn", "func", "async", "public", "struct"];
/// Words that begin a block.
pub(super) const BLOCKS: [&str; 13] = [
    "if", "elif", "else", "for", "while", "try", "except", "catch", "finally", "switch", "case",
    "with", "do",
];
/// Words that begin a statement.
pub(super) const STATEMENTS: [&str; 14] = [
    "return", "raise", "throw", "del", "delete", "yield", "import", "from", "break", "continue",
    "const", "let", "var", "await",
];
/// Words that stand before the name in a declaration.
pub(super) const DECLARES: [&str; 8] =
    ["const", "let", "var", "int", "long", "auto", "final", "string"];
/// Words of sentences, not of programs.
pub(super) const PROSE: [&str; 24] = [
    "the", "a", "an", "you", "your", "we", "it", "its", "this", "that", "these", "is", "are",
    "example", "instance", "of", "what", "how", "when", "to", "there", "which", "error", "message",
];

/// True for a statement: an assignment, a definition, a block, a keyword with its value.
pub(super) fn is_statement(line: &str) -> bool {
    let all = tokens(line);
    let Some(first) = all.first().filter(|first| line.starts_with(**first)) else {
        return line.starts_with('}') && line.contains(['{', '(', ';', ')']);
    };
    let prose = all.iter().any(|token| PROSE.contains(token));
    let opens = line.ends_with([':', '{', '}', ';']) || line.ends_with("):") || ends_block(&all);
    if DEFINES.contains(first) {
        return line.contains(['(', '{']) || opens && !prose;
    }
    if BLOCKS.contains(first) && !prose {
        return opens || line.contains(['(', '=', '<', '>']) || line.contains(": ");
    }
    if STATEMENTS.contains(first) && !prose {
        return all.len() <= STATEMENT_TOKENS_MAX && !(all.len() > 1 && line.ends_with('.'));
    }
    assigns(line)
        || line.ends_with('{') && line.contains(['(', '='])
        || line.ends_with(';') && line.contains(['(', '[', '='])
        || line.contains("=>") && line.contains(['(', '{'])
}

fn ends_block(tokens: &[&str]) -> bool {
    matches!(tokens.last(), Some(&("then" | "do"))) && tokens.len() > 1
}

/// True for `name = …`, `a.b[c] += …`, `const x = …`, `a, b = …`, `name: type = …`.
pub(super) fn assigns(line: &str) -> bool {
    let Some((left, right)) = line.split_once('=') else { return false };
    if right.starts_with(['=', '>']) || right.trim().is_empty() || left.ends_with(['!', '<', '>']) {
        return false;
    }
    // `last` in `popitem(last=False)` is no name of its own.
    if left.matches('(').count() != left.matches(')').count() {
        return false;
    }
    let left = left.trim_end_matches(['+', '-', '*', '/', '%', '|', '&', '^', ':']).trim();
    let left = left.split_once(": ").map_or(left, |(name, _)| name);
    let mut names = left.split_whitespace().peekable();
    names.next_if(|word| DECLARES.contains(word));
    let rest: Vec<_> = names.collect();
    let joined = rest.iter().rev().skip(1).all(|name| name.ends_with([',', '[', '(']));
    let name = |c: char| c.is_alphanumeric() || "_.,[](){}'\"*".contains(c);
    !rest.is_empty() && joined && rest.iter().all(|word| word.chars().all(name))
}

/// True for a call and nothing else: `a.b(c)`, but not a growth such as `o(n)`.
pub(super) fn is_call(line: &str) -> bool {
    let Some((name, rest)) = line.split_once('(') else { return false };
    let name = name.strip_prefix("new ").unwrap_or(name);
    let path = |c: char| c.is_alphanumeric() || "_.[]'\"".contains(c);
    name.len() > 1 && name.chars().all(path) && (rest.ends_with(')') || rest.ends_with(");"))
}
