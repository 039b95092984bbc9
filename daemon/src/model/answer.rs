//! The assistant that needs no network: definitions, what documentation says, and nudges (001 8).
//!
//! Blind by construction: what it says is a function of what the candidate sent and of texts in
//! the binary that belong to no problem. No problem, case, hint, reference program or session is
//! part of a [`Question`], and it reads no file, so it has nothing of them to give away. The same
//! question gets the same answer. What it says is checked by the engine all the same
//! (`vosim_engine::parts::assistant`).

mod code;
mod entries;
mod message;
mod refuse;
#[cfg(test)]
mod tests;

use vosim_protocol::cut;
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::problem::Language;

use super::contract::{Assistant, ModelError, Question, Reply};
use entries::Asked;
pub use refuse::{REFUSAL, wants_solution};

/// What is read of a question, bytes; a pasted error message fits.
const QUESTION_BYTES_MAX: usize = 8 * 1024;
/// What is read of the candidate's code, bytes.
const CODE_BYTES_MAX: usize = 256 * 1024;

/// The assistant that needs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineAssistant;

impl Assistant for OfflineAssistant {
    fn name(&self) -> &'static str {
        "offline"
    }

    /// On a thread of its own, since a large program takes a while to read. That one reads its
    /// bounded share to the end, whether somebody still waits or not.
    fn answer<'a>(&'a self, question: &'a Question) -> Reply<'a, Option<String>> {
        let question = question.clone();
        Box::pin(async move {
            let answered = tokio::task::spawn_blocking(move || {
                let Question { kind, text, code, language } = question;
                answer(kind, &text, code.as_deref(), language)
            });
            answered.await.map_err(|error| ModelError::Failed { reason: error.to_string() })
        })
    }
}

/// What is said to a question, or nothing where nothing is known about it.
///
/// Whoever asks for a program or a plan is told what else the assistant is for ([`REFUSAL`]).
/// `code` is the candidate's own; only a question of the kind `code` looks at it. `language` is
/// that of the code or of the last submission; a language that the question names comes first.
fn answer(
    kind: AskKind,
    question: &str,
    code: Option<&[u8]>,
    language: Option<Language>,
) -> Option<String> {
    let question = cut::start(question, QUESTION_BYTES_MAX);
    if wants_solution(question) {
        return Some(REFUSAL.to_owned());
    }
    let asked = Asked::new(question, language);
    match kind {
        AskKind::Concept if message::is_pasted(question, &entries::exceptions()) => {
            about_error(question, &asked)
        }
        AskKind::Concept => entries::best(&asked).map(|entry| entry.answer.clone()),
        AskKind::Error => about_error(question, &asked),
        AskKind::Code => {
            let text = code.map(|code| String::from_utf8_lossy(clip(code)));
            let program = text.as_deref().and_then(|text| code::Sketch::read(text, language));
            about_error_named(question, &asked)
                .or_else(|| program.as_ref().and_then(|program| program.remark(&asked)))
                .or_else(|| entries::best(&asked).map(|entry| entry.answer.clone()))
                .or_else(|| program.as_ref().and_then(code::Sketch::outline))
        }
    }
}

/// The meaning of an error, or of the concept that the question is about after all.
fn about_error(question: &str, asked: &Asked) -> Option<String> {
    about_error_named(question, asked)
        .or_else(|| entries::best(asked).map(|entry| entry.answer.clone()))
}

/// The meaning of an error that is named by its exception, and the line it points to.
fn about_error_named(question: &str, asked: &Asked) -> Option<String> {
    let message = message::read(question, &entries::exceptions())?;
    let entry = entries::of_exception(asked, &message)?;
    Some(match message.line {
        Some(line) => format!("The message points to line {line}. {}", entry.answer),
        None => entry.answer.clone(),
    })
}

fn clip(code: &[u8]) -> &[u8] {
    code.get(..CODE_BYTES_MAX).unwrap_or(code)
}
