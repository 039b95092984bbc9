//! Which questions a model may answer: those that have nothing to do with the problem (001 8.2).
//!
//! A model that falls for a question gives away what it can, in a form that no check foresees. So it is asked
//! only what names nothing of the problem, and only in English, which is the language that refusals and the
//! check of answers know. All else the assistant that needs no model answers, from texts that belong to no
//! problem.

use vosim_protocol::v1::problem::Problem;

use crate::parts::text::words;
use crate::parts::topic::Topic;

/// Of so many words of an English question at least one is among these.
const ENGLISH_EACH: usize = 5;
const ENGLISH: &[&str] = &[
    "a", "an", "and", "are", "as", "be", "between", "can", "did", "do", "does", "for", "from",
    "have", "how", "i", "if", "in", "is", "it", "its", "my", "not", "of", "on", "one", "or",
    "should", "that", "the", "there", "they", "this", "to", "use", "what", "what's", "when",
    "where", "than", "at", "which", "why", "with", "would", "you", "your",
];

/// True for a question that names nothing of the problem.
pub fn is_aside(question: &str, problem: &Problem) -> bool {
    is_english(question) && Topic::of(problem).heard_in(question).words == 0
}

fn is_english(text: &str) -> bool {
    let words = words(text);
    let known = words.iter().filter(|word| ENGLISH.contains(&word.as_str())).count();
    known * ENGLISH_EACH >= words.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem;

    #[test]
    fn what_names_the_problem_or_is_not_in_english_is_no_aside() {
        let problem = problem::spec().problem;
        for (question, aside) in [
            ("What is a linked list?", true),
            ("Why does my loop never end?", true),
            ("heap?", false),
            ("What goes into the LRU cache when it is full?", false),
            ("What is the first line of lru_cache.py?", false),
            ("Was ist eine verkettete Liste?", false),
            ("¿Qué es una lista enlazada?", false),
            ("什么是链表", false),
        ] {
            assert_eq!(is_aside(question, &problem), aside, "{question}");
        }
    }
}
