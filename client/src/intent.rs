//! What a line means that somebody types while attached: a message, or a word behind a slash.
//!
//! Both the plain line mode and the live screen read lines with this, so they know the same words.

use std::path::PathBuf;

use vosim_protocol::v1::assistant::AskKind;

use crate::errors::{Failure, code, user_error};

/// What a person wants with one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Start the clock of the first section.
    Begin,
    /// Say something to the interviewer, in the section it was begun in where that is known.
    Say { text: String, section: Option<String> },
    /// Ask the assistant; `file` is the code the question is about.
    Ask { kind: AskKind, question: String, file: Option<PathBuf> },
    /// The open section is finished.
    Done { section: Option<String> },
    /// Judge a file; without a name the one that is watched.
    Submit(Option<PathBuf>),
    /// Ask for a hint.
    Hint,
    /// Take a private note.
    Note(String),
    /// Show where the session stands.
    Status,
    /// Show these words.
    Help,
    /// Leave; the session goes on.
    Quit,
}

impl Intent {
    fn say(text: &str) -> Self {
        Self::Say { text: text.to_owned(), section: None }
    }
}

/// Every word with what it does, in the order in which help shows them.
pub(crate) const WORDS: [(&str, &str); 11] = [
    ("TEXT", "say it to the interviewer; //TEXT says /TEXT"),
    ("/begin", "start the clock of the first section"),
    ("/ask TEXT", "ask the assistant what a thing is or how it behaves"),
    ("/ask --error TEXT", "ask it what an error message means"),
    ("/ask --code FILE TEXT", "ask it about your own code"),
    ("/submit [FILE]", "submit a file, or the one that is watched"),
    ("/hint", "ask for a hint"),
    ("/done", "finish the section that is open"),
    ("/note TEXT", "take a private note, as the interviewer"),
    ("/status", "show where the session stands"),
    ("/quit", "leave; the session goes on"),
];

/// Reads a line; None for one with nothing in it.
pub(crate) fn parse(line: &str) -> Result<Option<Intent>, Failure> {
    let line = line.trim();
    let Some(words) = line.strip_prefix('/') else {
        return Ok((!line.is_empty()).then(|| Intent::say(line)));
    };
    if words.starts_with('/') {
        return Ok(Some(Intent::say(words)));
    }
    let (word, rest) = first_word(words);
    let intent = match word {
        "say" => Intent::say(&text(rest, "/say TEXT")?),
        "ask" => ask(rest)?,
        "note" => Intent::Note(text(rest, "/note TEXT")?),
        "submit" => Intent::Submit((!rest.is_empty()).then(|| unquoted(rest).into())),
        "begin" => alone(Intent::Begin, word, rest)?,
        "done" => alone(Intent::Done { section: None }, word, rest)?,
        "hint" => alone(Intent::Hint, word, rest)?,
        "status" => alone(Intent::Status, word, rest)?,
        "help" | "?" => alone(Intent::Help, word, rest)?,
        "quit" | "exit" => alone(Intent::Quit, word, rest)?,
        _ => return Err(unknown_word(&shortened(word))),
    };
    Ok(Some(intent))
}

fn ask(rest: &str) -> Result<Intent, Failure> {
    let (flag, after) = first_word(rest);
    let (kind, file, question) = match flag {
        "--concept" => (AskKind::Concept, None, after),
        "--error" => (AskKind::Error, None, after),
        "--code" => {
            let (file, question) = first_name(after)?;
            (AskKind::Code, Some(file.into()), question)
        }
        flag if flag.starts_with("--") => {
            return Err(unknown_word(&format!("ask {}", shortened(flag))));
        }
        _ => (AskKind::Concept, None, rest),
    };
    let usage = if kind == AskKind::Code { "/ask --code FILE TEXT" } else { "/ask TEXT" };
    Ok(Intent::Ask { kind, question: text(question, usage)?, file })
}

/// A word that takes nothing. What follows it is not thrown away unseen: `/done, I think` may be
/// the beginning of a message.
fn alone(intent: Intent, word: &str, rest: &str) -> Result<Intent, Failure> {
    if rest.is_empty() {
        return Ok(intent);
    }
    Err(user_error(code::USAGE, format!("/{word} stands alone on its line"))
        .hint("To say it, begin the line with //"))
}

fn unknown_word(word: &str) -> Failure {
    user_error(code::USAGE, format!("/{word} is not a command here"))
        .hint("The commands are shown by: /help")
}

fn text_missing(usage: &str) -> Failure {
    user_error(code::EMPTY_TEXT, format!("a text is missing: {usage}"))
}

fn text(rest: &str, usage: &str) -> Result<String, Failure> {
    if rest.is_empty() { Err(text_missing(usage)) } else { Ok(rest.to_owned()) }
}

fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// A file's name, in quotes where it has blanks.
fn first_name(text: &str) -> Result<(&str, &str), Failure> {
    let missing = || text_missing("/ask --code FILE TEXT");
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote else {
        let (name, rest) = first_word(text);
        return if name.is_empty() { Err(missing()) } else { Ok((name, rest)) };
    };
    match text[1..].split_once(quote) {
        Some((name, rest)) if !name.is_empty() => Ok((name, rest.trim())),
        _ => Err(missing()),
    }
}

/// A name may stand in quotes and need not: it is the whole rest of the line.
fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).filter(|name| !name.is_empty()).unwrap_or(text)
}

/// A word of a line can be as long as the line.
fn shortened(word: &str) -> String {
    const CHARS_MAX: usize = 20;
    match word.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Intent> {
        parse(line).unwrap()
    }

    fn told(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    fn say(text: &str) -> Option<Intent> {
        Some(Intent::say(text))
    }

    fn ask(kind: AskKind, question: &str, file: Option<&str>) -> Option<Intent> {
        Some(Intent::Ask { kind, question: question.to_owned(), file: file.map(PathBuf::from) })
    }

    #[test]
    fn a_line_is_a_message_and_an_empty_one_is_nothing() {
        assert_eq!(read("  a map and a list \r\n"), say("a map and a list"));
        assert_eq!(read(""), None);
        assert_eq!(read(" \t "), None);
        assert_eq!(read("//etc/passwd is a path"), say("/etc/passwd is a path"));
        assert_eq!(read("/say /done"), say("/done"));
        assert_eq!(read("done"), say("done"));
        assert_eq!(read("größe 漢字"), say("größe 漢字"));
    }

    #[test]
    fn words_behind_a_slash_are_commands() {
        assert_eq!(read("/done"), Some(Intent::Done { section: None }));
        assert_eq!(read("/begin "), Some(Intent::Begin));
        assert_eq!(read("/hint"), Some(Intent::Hint));
        assert_eq!(read("/status"), Some(Intent::Status));
        assert_eq!([read("/help"), read("/?")], [Some(Intent::Help), Some(Intent::Help)]);
        assert_eq!([read("/quit"), read("/exit")], [Some(Intent::Quit), Some(Intent::Quit)]);
        assert_eq!(read("/note too fast"), Some(Intent::Note("too fast".to_owned())));
    }

    #[test]
    fn a_file_to_submit_is_the_rest_of_the_line() {
        assert_eq!(read("/submit"), Some(Intent::Submit(None)));
        for line in ["/submit my code.py", "/submit 'my code.py'", "/submit  \"my code.py\""] {
            assert_eq!(read(line), Some(Intent::Submit(Some("my code.py".into()))), "{line}");
        }
        assert_eq!(read("/submit it's.py"), Some(Intent::Submit(Some("it's.py".into()))));
    }

    #[test]
    fn a_question_says_what_it_is_about() {
        assert_eq!(read("/ask what is a heap"), ask(AskKind::Concept, "what is a heap", None));
        assert_eq!(read("/ask --concept heaps"), ask(AskKind::Concept, "heaps", None));
        assert_eq!(read("/ask --error KeyError: 7"), ask(AskKind::Error, "KeyError: 7", None));
        let code = ask(AskKind::Code, "why two maps", Some("a b.py"));
        assert_eq!(read("/ask --code 'a b.py' why two maps"), code);
        let code = ask(AskKind::Code, "why", Some("a.py"));
        assert_eq!(read("/ask --code a.py why"), code);
    }

    #[test]
    fn what_is_missing_unknown_or_too_much_is_one_clear_line() {
        assert_eq!(told("/ask"), "a text is missing: /ask TEXT");
        assert_eq!(told("/ask --error"), "a text is missing: /ask TEXT");
        for line in ["/ask --code", "/ask --code a.py", "/ask --code '' x", "/ask --code 'a x"] {
            assert_eq!(told(line), "a text is missing: /ask --code FILE TEXT", "{line}");
        }
        assert_eq!(told("/note"), "a text is missing: /note TEXT");
        assert_eq!(told("/frobnicate now"), "/frobnicate is not a command here");
        assert_eq!(told("/"), "/ is not a command here");
        assert_eq!(told("/ask --solution please"), "/ask --solution is not a command here");
        assert_eq!(told("/done, I think"), "/done, is not a command here");
        assert_eq!(told("/done I think"), "/done stands alone on its line");
        assert!(told(&format!("/{}", "é".repeat(40_000))).len() < 100);
    }

    #[test]
    fn every_word_of_the_help_is_understood() {
        for (line, _) in &WORDS[1..] {
            let line = line.replace(['[', ']'], "");
            assert!(matches!(parse(&line), Ok(Some(_))), "{line}");
        }
    }
}
