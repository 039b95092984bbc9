//! What a line means that somebody types while attached: a word behind a slash, or a text.
//!
//! Each kind of sessions has words of its own; how a line is taken apart and what every kind
//! understands stand here. The plain line mode and the live screen both read lines with this, so
//! they know the same words.

pub(crate) mod attempt;
pub(crate) mod drill;
#[cfg(feature = "errand")]
pub(crate) mod errand;
pub(crate) mod interview;
pub(crate) mod request;
pub(crate) mod task;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{Accepted, OwnCase};
use vosim_protocol::{ErrorCode, ProblemId, Role, Wire};

use crate::case_syntax::{self, OWN_CASE};
use crate::code_file::CodeFile;
use crate::errors::{Failure, code, user_error};
use crate::form::Form;
use crate::intent::request::{Attached, Request};
use crate::render::look::Look;
use crate::starter::usual_file;

/// What a person wants with one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish<I> {
    /// Something that only sessions of the kind know.
    Do(I),
    /// Take a private note.
    Note(String),
    /// Read how the problem can be solved, after the end.
    Discussion,
    /// Read what the session teaches, after the end.
    Report,
    /// Show the code of a submission; without a number of the last.
    Code(Option<u32>),
    /// Show where the session stands.
    Status,
    /// Show the words that can be typed.
    Help,
    /// Leave; the session goes on.
    Quit,
}

/// The words of one kind of sessions.
pub(crate) trait Words {
    /// What can be asked of such a session.
    type Intent: Clone + Debug + PartialEq + Send + 'static;
    /// What the daemon shows of such a session.
    type View: Wire + Clone + Debug + Send + 'static;

    /// The words with what they do, in the order in which help shows them.
    const WORDS: &'static [(&'static str, &'static str)];

    /// Whether what comes of a line is seen as soon as it was received, so that this need not be said.
    const ANSWERS_AT_ONCE: bool = false;

    /// What tells the session that a line is being written, or no longer is; None where that makes no
    /// difference.
    fn typing(_stopped: bool) -> Option<Self::Intent> {
        None
    }

    /// What a line means that begins with no slash.
    fn text(text: &str) -> Result<Self::Intent, Failure>;

    /// What a word means with the rest of its line; None for a word that the kind does not have.
    fn word(word: &str, rest: &str) -> Result<Option<Self::Intent>, Failure>;

    /// False for an intent that cannot be sent before it is completed.
    fn is_whole(_intent: &Self::Intent) -> bool {
        true
    }

    /// Adds what the line left to the session: what it shows, and in which part of it the line was
    /// begun.
    fn completed(
        intent: Self::Intent,
        _view: &Self::View,
        _begun_in: Option<&str>,
    ) -> Self::Intent {
        intent
    }

    /// What can be filled in the session as it is, the most pressing first.
    fn forms(_view: &Self::View) -> Vec<Form> {
        Vec::new()
    }

    /// What a filled form asks for.
    fn filled(form: &Form, _view: &Self::View) -> Result<Self::Intent, Failure> {
        Err(user_error(code::USAGE, format!("{} is no form here", form.name)))
    }

    /// Reads what must be read, once, and chooses the id of the command.
    fn request(intent: Self::Intent, from: Attached) -> Result<Request, Failure>;

    /// The same with a yes, where the daemon may ask for one.
    fn confirmed(_intent: &Self::Intent) -> Option<Self::Intent> {
        None
    }

    /// What the sender of an accepted command can rely on, one sentence; None where there is nothing
    /// to tell but that it was received.
    fn receipt(_what: &str, _accepted: &Accepted, _look: &Look) -> Option<ReceiptText> {
        None
    }

    /// Whether a role may ask for it. Only the candidate acts unless a kind says otherwise.
    fn may(role: Role, _intent: &Self::Intent) -> Result<(), Failure> {
        let message = match role {
            Role::Candidate => return Ok(()),
            Role::Interviewer => {
                "an interviewer does not act in the session; /note TEXT keeps a note"
            }
            Role::Observer => OBSERVES,
            Role::Agent => "an agent does not act in this session",
        };
        Err(user_error(ErrorCode::RoleForbidden, message))
    }
}

/// A receipt as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReceiptText {
    pub(crate) text: String,
    /// Whether the text says that the command came late.
    pub(crate) warns: bool,
}

const OBSERVES: &str = "an observer only reads; attach with --as candidate to act";

/// The words of every kind, which help shows below those of the kind.
const SHARED: [(&str, &str); 6] = [
    ("/code [N]", "show the code of submission N, or of the last"),
    ("/report", "read what the session teaches, after the end"),
    ("/discussion", "read how the problem can be solved, after the end"),
    ("/note TEXT", "take a private note, as the interviewer"),
    ("/status", "show where the session stands"),
    ("/quit", "leave; the session continues"),
];

/// Every word with what it does, in the order in which help shows them.
pub(crate) fn words<W: Words>() -> impl Iterator<Item = (&'static str, &'static str)> {
    W::WORDS.iter().chain(&SHARED).copied()
}

/// Whether a role may keep notes.
pub(crate) fn may_note(role: Role) -> Result<(), Failure> {
    let message = match role {
        Role::Interviewer => return Ok(()),
        Role::Candidate => "a candidate keeps no notes here; attach with --as interviewer",
        Role::Agent => "an agent keeps no notes",
        Role::Observer => OBSERVES,
    };
    Err(user_error(ErrorCode::RoleForbidden, message))
}

/// Reads a line; None for one with nothing in it.
pub(crate) fn parse<W: Words>(line: &str) -> Result<Option<Wish<W::Intent>>, Failure> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(None);
    }
    let Some(words) = line.strip_prefix('/') else {
        return Ok(Some(Wish::Do(W::text(line)?)));
    };
    if words.starts_with('/') {
        return Ok(Some(Wish::Do(W::text(words)?)));
    }
    let (word, rest) = first_word(words);
    if let Some(intent) = W::word(word, rest)? {
        return Ok(Some(Wish::Do(intent)));
    }
    Ok(Some(match word {
        "note" => Wish::Note(text(rest, "/note TEXT")?),
        "discussion" => alone(Wish::Discussion, word, rest)?,
        "report" => alone(Wish::Report, word, rest)?,
        "code" => Wish::Code(number(rest)?),
        "status" => alone(Wish::Status, word, rest)?,
        "help" | "?" => alone(Wish::Help, word, rest)?,
        "quit" | "exit" => alone(Wish::Quit, word, rest)?,
        _ => return Err(unknown_word(&shortened(word))),
    }))
}

/// A word that takes nothing. What follows it is not thrown away unseen: `/done, I think` may be
/// the beginning of a message.
fn alone<T>(meaning: T, word: &str, rest: &str) -> Result<T, Failure> {
    if rest.is_empty() {
        return Ok(meaning);
    }
    Err(user_error(code::USAGE, format!("/{word} stands alone on its line"))
        .hint("To say it, begin the line with //"))
}

/// A submission's number, if one stands there.
fn number(rest: &str) -> Result<Option<u32>, Failure> {
    let number = (!rest.is_empty()).then(|| rest.parse()).transpose();
    number.map_err(|_| user_error(code::USAGE, "a submission is named by its number: /code 2"))
}

fn unknown_word(word: &str) -> Failure {
    user_error(code::USAGE, format!("/{word} is not a command here")).hint(SEE_HELP)
}

const SEE_HELP: &str = "See the commands with: /help";

/// The file with a candidate's code that a line means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileMeant {
    /// One that was named, or that the session knows.
    Known(PathBuf),
    /// The session knows none yet: the one that is called as usual for its problem.
    Usual(ProblemId),
    /// None was named, and the session has not been asked.
    Left,
}

impl FileMeant {
    fn named(file: Option<PathBuf>) -> Self {
        file.map_or(Self::Left, Self::Known)
    }

    /// Where none was named: what was submitted last to the session of this problem.
    fn completed(self, problem: &ProblemId, history: &[ResultLine]) -> Self {
        match (self, history.last()) {
            (Self::Left, Some(last)) => Self::Known((&last.file_path).into()),
            (Self::Left, None) => Self::Usual(problem.clone()),
            (known @ (Self::Known(_) | Self::Usual(_)), _) => known,
        }
    }

    fn read(&self) -> Result<CodeFile, Failure> {
        match self {
            Self::Known(path) => CodeFile::read(path, None),
            Self::Usual(problem) => {
                CodeFile::read(&usual_file(Path::new(""), problem, Language::ALL)?, None)
            }
            Self::Left => Err(user_error(code::USAGE, "no file was named")),
        }
    }
}

/// The file that must stand behind a word.
fn file_needed(rest: &str, usage: &str) -> Result<PathBuf, Failure> {
    let missing = || user_error(code::USAGE, format!("a file is missing: {usage}"));
    file(rest).ok_or_else(missing)
}

/// A file, if one is named, and cases behind a flag each.
fn file_and_cases(rest: &str) -> Result<(Option<PathBuf>, Vec<OwnCase>), Failure> {
    let mut parts = rest.split("--case");
    let file = file(parts.next().unwrap_or_default().trim());
    let case = |(at, text): (usize, &str)| {
        case_syntax::parse(&format!("{OWN_CASE} {}", at + 1), unquoted(text.trim()))
    };
    Ok((file, parts.enumerate().map(case).collect::<Result<_, _>>()?))
}

/// What makes of `/submit` a submission of bytes that were judged before.
const AGAIN: &str = "--again";

/// A file to submit, if one is named, and whether it is judged although it was before.
fn file_and_again(rest: &str) -> (Option<PathBuf>, bool) {
    let (mut rest, mut again) = (rest, false);
    while let Some(others) = without_again(rest) {
        (rest, again) = (others, true);
    }
    (file(rest), again)
}

/// What is left of a line without the word, where it is the first or the last.
fn without_again(rest: &str) -> Option<&str> {
    let (first, others) = first_word(rest);
    if first == AGAIN {
        return Some(others);
    }
    let before = rest.strip_suffix(AGAIN)?;
    before.ends_with(char::is_whitespace).then(|| before.trim())
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

/// A file's name, in quotes where it has blanks, and what follows it.
fn first_name<'t>(text: &'t str, usage: &str) -> Result<(&'t str, &'t str), Failure> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote else {
        let (name, rest) = first_word(text);
        return if name.is_empty() { Err(text_missing(usage)) } else { Ok((name, rest)) };
    };
    match text[1..].split_once(quote) {
        Some((name, rest)) if !name.is_empty() => Ok((name, rest.trim())),
        _ => Err(text_missing(usage)),
    }
}

/// A name that is the whole rest of a line may stand in quotes and need not.
fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).filter(|name| !name.is_empty()).unwrap_or(text)
}

/// The file that stands behind a word, if one does.
fn file(rest: &str) -> Option<PathBuf> {
    (!rest.is_empty()).then(|| unquoted(rest).into())
}

/// A word of a line can be as long as the line.
fn shortened(word: &str) -> String {
    const CHARS_MAX: usize = 20;
    match word.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}
