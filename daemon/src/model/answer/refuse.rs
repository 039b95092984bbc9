//! Requests for what the assistant may not give: programs, solutions, plans, other rules (001 8.2).
//!
//! A candidate who asks how something works is never refused for the word "write": only what is
//! asked of the assistant counts, not what the candidate does.

use std::sync::LazyLock;

use vosim_engine::parts::lists::list;
use vosim_engine::parts::text::words;

/// What the candidate reads instead.
pub const REFUSAL: &str = "I may not do that here: in an interview the program and the way to it \
    are yours. I can say what a term means, what an error message means, what the documentation \
    of a function says, or ask about what you have. Which of these helps?";

/// How far behind the verb the thing may stand, words.
const REACH: usize = 7;

const LISTS: &str = include_str!("refuse.txt");
/// Verbs of making a program.
static MAKE: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "make"));
/// Verbs of handing something over.
static HAND: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "hand"));
/// What a program is called, whoever makes it.
static PROGRAM: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "program"));
/// What is made besides.
static MADE: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "made"));
/// Words after which only a text is asked for.
static TEXT: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "text"));
/// Words that may stand before a verb that is said to the assistant.
static ADDRESS: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "address"));
/// Requests whatever stands around them.
static PHRASES: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "phrases"));

/// True for a request that the assistant must not fulfil.
pub fn wants_solution(question: &str) -> bool {
    let all = words(question);
    PHRASES.iter().any(|phrase| holds(&all, &words(phrase)))
        || question.split(['.', '!', '?', ';', '\n', ':', ',']).any(|part| commands(&words(part)))
        || wants(&all)
}

fn holds(text: &[String], phrase: &[String]) -> bool {
    text.windows(phrase.len()).any(|row| row == phrase)
}

/// "write …", "can you give me …": a verb that is said to the assistant, and what it is to make.
fn commands(part: &[String]) -> bool {
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    part.iter().enumerate().any(|(at, verb)| {
        let hands = is(verb, &HAND);
        if !hands && !is(verb, &MAKE) {
            return false;
        }
        let addressed = part[..at].iter().rev().take(2).all(|word| is(word, &ADDRESS));
        let for_candidate = part[..at].iter().any(|word| is(word, &["i", "we", "does", "do"]));
        let wanted = at >= 2 && part[at - 1] == "to" && part[at - 2] == "you";
        if !(addressed && !for_candidate || wanted) {
            return false;
        }
        let object = part[at + 1..].iter().take(REACH);
        let object: Vec<_> = object.take_while(|word| !is(word, &TEXT)).collect();
        object.iter().any(|word| is(word, &PROGRAM) || !hands && is(word, &MADE))
    })
}

/// "I want the code", "I need a solution".
fn wants(all: &[String]) -> bool {
    all.windows(2).enumerate().any(|(at, pair)| {
        let wants = matches!(pair[0].as_str(), "i" | "we" | "i'd" | "just" | "only")
            && matches!(pair[1].as_str(), "want" | "need" | "like");
        let object = all[at + 2..].iter().take(4);
        wants
            && object
                .into_iter()
                .any(|word| matches!(word.as_str(), "code" | "solution" | "implementation"))
    })
}
