//! The spec of a new interview: the schema with the problem's words in it, the candidate's name,
//! and the time given.

use vosim_engine::parts::hearing;
use vosim_protocol::next::Next;
use vosim_protocol::v1::interview::{
    Accommodation, Clarification, Rules, Spec, Start, TIME_PERCENT_MAX,
};
use vosim_protocol::{ErrorCode, ErrorObject, Hash};

use super::fill::fill;
use super::report::sound;
use super::standard::standard;
use crate::content::forms;
use crate::content::package::Package;

/// Longest name of a candidate, characters.
pub const CANDIDATE_CHARS_MAX: usize = 64;

/// The name of a candidate who is not named.
const ANONYMOUS: &str = "anonymous";
/// The smallest share of the schema's times that a candidate is given, percent.
const TIME_PERCENT_MIN: u32 = 100;

/// Returns the spec of a new interview about this problem, with the case data that the spec names.
pub fn interview(
    start: &Start,
    package: &Package,
    python: String,
) -> Result<(Spec, Vec<u8>), ErrorObject> {
    let own = start.schema.as_deref().map(sound).transpose()?;
    let candidate = candidate(start.candidate.as_deref())?;
    let accommodation = accommodation(start.accommodation)?;
    let schema = own.as_ref().unwrap_or_else(|| standard());
    let spec = Spec {
        schema: fill(schema, &package.problem, &package.coaching.fill),
        problem: package.problem.clone(),
        suite: Hash::of(&package.suite_blob),
        draw: None,
        clarifications: package.coaching.clarifications.iter().map(card).collect(),
        candidate,
        accommodation,
        python_version: python,
        hearing: Some(hearing::current()),
        rules: Rules::CURRENT,
    };
    Ok((spec, package.suite_blob.clone()))
}

fn candidate(name: Option<&str>) -> Result<String, ErrorObject> {
    let name = name.map_or(ANONYMOUS, str::trim);
    let shown = name.chars().all(|c| !c.is_control() && !is_invisible(c));
    if name.is_empty() || name.chars().count() > CANDIDATE_CHARS_MAX || !shown {
        let text = format!(
            "a candidate's name has 1 to {CANDIDATE_CHARS_MAX} characters that can be shown"
        );
        return Err(ErrorObject::new(ErrorCode::InvalidInput, text)
            .next(Next::edit("name a person or a token, or nobody")));
    }
    Ok(name.to_owned())
}

/// Whether a character is invisible or reverses the direction of a line.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn accommodation(wanted: Option<Accommodation>) -> Result<Accommodation, ErrorObject> {
    let accommodation = wanted.unwrap_or_default();
    let percent = accommodation.time_percent;
    if (TIME_PERCENT_MIN..=TIME_PERCENT_MAX).contains(&percent) {
        return Ok(accommodation);
    }
    let text = format!(
        "the time is {TIME_PERCENT_MIN} to {TIME_PERCENT_MAX} percent of the schema's, not {percent}"
    );
    Err(ErrorObject::new(ErrorCode::InvalidInput, text))
}

/// Returns a card as the candidate reads it, with its question, since two may be given together.
fn card(card: &forms::Clarification) -> Clarification {
    let forms::Clarification { id, dimension, asks, question, answer } = card.clone();
    let answer = format!("{} {}", question.trim(), answer.trim());
    Clarification { id, asks, answer, dimension }
}
