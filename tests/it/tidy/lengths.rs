//! No function is longer than a screen or two, unless it is a table.
//!
//! The lines of a function are those on which code begins: comments, blank lines and the inside of
//! a text literal are free. A table is one `match` or one list in brackets that makes up most of
//! its function, and of which no arm and no entry has more than a few lines.

use std::collections::BTreeSet;

use super::rust_files;
use super::source::{Token, closing, item_end, tokens};

const LINES_MAX: usize = 80;
/// What a function may do beside its table.
const BESIDE_TABLE_MAX: usize = 10;
const ENTRY_LINES_MAX: usize = 8;

#[test]
fn functions_are_short_or_tables() {
    let long = |(path, text): (String, String)| {
        let names = long_functions(&tokens(&text));
        names.into_iter().map(move |name| format!("{path}: {name}"))
    };
    let found: Vec<_> = rust_files().into_iter().flat_map(long).collect();
    assert!(found.is_empty(), "{found:#?}");
}

fn long_functions(tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        if pair[0].is("fn") && pair[1].is_word() {
            let function = &tokens[at..=item_end(tokens, at)];
            if code_lines(function) > LINES_MAX && !is_table(function) {
                found.push(pair[1].text.clone());
            }
        }
    }
    found
}

/// How many lines have a token that begins on them.
fn code_lines(tokens: &[Token]) -> usize {
    tokens.iter().map(|token| token.line).collect::<BTreeSet<_>>().len()
}

fn is_table(function: &[Token]) -> bool {
    (0..function.len()).any(|open| {
        let opens =
            function[open].is("[") || (function[open].is("{") && opens_match(&function[..open]));
        opens && {
            let close = closing(function, open);
            let beside = code_lines(function).saturating_sub(code_lines(&function[open..=close]));
            beside <= BESIDE_TABLE_MAX && has_short_entries(&function[open + 1..close])
        }
    })
}

/// Whether a brace after these tokens holds the arms of a `match`.
fn opens_match(before: &[Token]) -> bool {
    let mut head = before.iter().rev().take_while(|token| !token.is(";") && !token.is("{"));
    head.any(|token| token.is("match"))
}

/// An entry ends with a comma, an arm also with its block.
fn has_short_entries(inside: &[Token]) -> bool {
    let (mut index, mut begins) = (0, 0);
    while index < inside.len() {
        let block = index > 0 && inside[index - 1].is(">") && inside[index].is("{");
        if matches!(inside[index].text.as_str(), "(" | "[" | "{") {
            index = closing(inside, index);
        }
        if block || inside[index].is(",") || index + 1 == inside.len() {
            if code_lines(&inside[begins..=index]) > ENTRY_LINES_MAX {
                return false;
            }
            begins = index + 1;
        }
        index += 1;
    }
    true
}

#[test]
fn a_long_function_is_one_unless_it_is_a_table() {
    let long = |text: &str| long_functions(&tokens(text));
    let steps = "f();\n".repeat(LINES_MAX);
    assert_eq!(long(&format!("fn steps() {{\n{steps}}}")), ["steps"]);
    let text = format!("fn text() {{ \"{steps}\" /* {steps} */ }}");
    assert!(long(&text).is_empty());
    let arms = "1 => {\nf();\n}\n".repeat(LINES_MAX);
    assert!(long(&format!("fn table(a: u8) {{ match a {{\n{arms}}} }}")).is_empty());
    let steps = "f();\n".repeat(ENTRY_LINES_MAX - 1);
    let arms = format!("{arms}2 => {{\n{steps}}}\n{arms}");
    assert_eq!(long(&format!("fn long_arm(a: u8) {{ match a {{\n{arms}}} }}")), ["long_arm"]);
}
