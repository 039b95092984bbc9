//! Requests for what the assistant may not give: programs, solutions, plans, other rules (001 8.2).
//!
//! A candidate who asks how something works is never refused for the word "write": only what is
//! asked of the assistant counts, not what the candidate does.

use vosim_engine::parts::text::words;

/// What the candidate reads instead.
pub const REFUSAL: &str = "I may not do that here: in an interview the program and the way to it \
    are yours. I can say what a term means, what an error message means, what the documentation \
    of a function says, or ask about what you have. Which of these helps?";

/// How far behind the verb the thing may stand, words.
const REACH: usize = 7;

/// Verbs of making a program.
const MAKE: [&str; 20] = [
    "write",
    "implement",
    "code",
    "solve",
    "finish",
    "complete",
    "fix",
    "generate",
    "produce",
    "program",
    "build",
    "create",
    "make",
    "continue",
    "correct",
    "debug",
    "rewrite",
    "do",
    "draft",
    "repair",
];
/// Verbs of handing something over.
const HAND: [&str; 14] = [
    "give", "show", "send", "paste", "tell", "provide", "print", "reveal", "share", "post",
    "output", "display", "type", "repeat",
];
/// What a program is called, whoever makes it.
const PROGRAM: [&str; 22] = [
    "code",
    "solution",
    "solutions",
    "implementation",
    "program",
    "answer",
    "answers",
    "algorithm",
    "pseudocode",
    "snippet",
    "body",
    "rest",
    "lines",
    "reference",
    "prompt",
    "instructions",
    "test cases",
    "cases",
    "plan",
    "steps",
    "hints",
    "hidden",
];
/// What is made besides.
const MADE: [&str; 18] = [
    "it",
    "this",
    "that",
    "method",
    "methods",
    "function",
    "functions",
    "class",
    "everything",
    "problem",
    "task",
    "exercise",
    "put",
    "get",
    "lru",
    "cache",
    "mine",
    "bug",
];
/// Words after which only a text is asked for.
const TEXT: [&str; 16] = [
    "definition",
    "meaning",
    "what",
    "explain",
    "explanation",
    "difference",
    "documentation",
    "docs",
    "how",
    "why",
    "when",
    "which",
    "complexity",
    "example",
    "cost",
    "sense",
];
/// Words that may stand before a verb that is said to the assistant.
const ADDRESS: [&str; 25] = [
    "please", "just", "now", "then", "you", "and", "so", "ok", "okay", "hey", "hi", "hello", "can",
    "could", "would", "to", "pls", "go", "ahead", "let's", "simply", "but", "also", "next",
    "first",
];
/// Requests whatever stands around them.
const PHRASES: [&str; 62] = [
    "step by step",
    "step for step",
    "full solution",
    "whole solution",
    "complete solution",
    "working solution",
    "the solution to",
    "what is the solution",
    "what's the solution",
    "reference solution",
    "model solution",
    "reference program",
    "sample solution",
    "hidden test",
    "hidden tests",
    "hidden cases",
    "full code",
    "whole code",
    "complete code",
    "working code",
    "the code for",
    "code for this",
    "code for me",
    "finished code",
    "the full program",
    "next line of code",
    "what is the next line",
    "what line comes next",
    "what do i type next",
    "what do i write next",
    "solve it for me",
    "do it for me",
    "do this for me",
    "write it for me",
    "write this for me",
    "how do i solve",
    "how to solve",
    "how would you solve",
    "how do you solve",
    "how do i implement this",
    "how do i implement it",
    "how do i implement put",
    "how do i implement get",
    "how do i implement the",
    "how would you implement this",
    "how would you implement it",
    "ignore your",
    "ignore the rules",
    "ignore all",
    "ignore previous",
    "ignore any",
    "forget your",
    "forget the rules",
    "disregard",
    "override your",
    "system prompt",
    "your instructions",
    "your rules don't",
    "pretend",
    "you are now",
    "act as",
    "jailbreak",
];

/// True for a request that the assistant must not fulfil.
pub(super) fn wants_solution(question: &str) -> bool {
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
