//! The spec of a new interview: the schema with the problem's words in it, the candidate's name,
//! and the time given.

use std::borrow::Cow;

use vosim_engine::parts::hearing;
use vosim_protocol::next::Next;
use vosim_protocol::v1::interview::{
    Accommodation, Clarification, Rules, SHIPPED_SCHEMAS, Schema, Spec, Start, TIME_PERCENT_MAX,
    TIME_PERCENT_MIN,
};
use vosim_protocol::{ErrorCode, ErrorObject, Hash};

use super::faults::is_id;
use super::fill::fill;
use super::report::sound;
use super::standard::{shipped, standard};
use crate::content::forms;
use crate::content::package::Package;

/// Longest name of a candidate, characters.
pub const CANDIDATE_CHARS_MAX: usize = 64;

/// The name of a candidate who is not named.
const ANONYMOUS: &str = "anonymous";

/// Returns the spec of a new interview about this problem, with the case data that the spec names.
pub fn interview(
    start: &Start,
    package: &Package,
    python: String,
) -> Result<(Spec, Vec<u8>), ErrorObject> {
    let schema = schema(start.schema.as_deref())?;
    let candidate = candidate(start.candidate.as_deref())?;
    let accommodation = accommodation(start.accommodation)?;
    let spec = Spec {
        schema: fill(&schema, &package.problem, &package.coaching.fill),
        problem: package.problem.clone(),
        suite: Hash::of(&package.suite_blob),
        draw: None,
        clarifications: package.coaching.clarifications.iter().map(card).collect(),
        variations: package.variations(),
        left_open: package.coaching.left_open.clone(),
        in_statement: package.coaching.in_statement.clone(),
        candidate,
        accommodation,
        python_version: python,
        hearing: Some(hearing::current()),
        model: None,
        rules: Rules::CURRENT,
    };
    Ok((spec, package.suite_blob.clone()))
}

/// Returns the schema that is asked for: by its id one that comes with vosim, else the text of one's own.
fn schema(wanted: Option<&str>) -> Result<Cow<'static, Schema>, ErrorObject> {
    let Some(wanted) = wanted else { return Ok(Cow::Borrowed(standard())) };
    if let Some((schema, _)) = shipped(wanted) {
        return Ok(Cow::Borrowed(schema));
    }
    // A text of so few characters is no schema, but may well be the name of one.
    if is_id(wanted) {
        let known = SHIPPED_SCHEMAS.join(" and ");
        let text = format!("no schema is called {wanted:?}; with vosim come {known}");
        return Err(ErrorObject::new(ErrorCode::InvalidInput, text)
            .next(Next::edit("name one of them, or send the text of a schema of your own")));
    }
    sound(wanted).map(Cow::Owned)
}

fn candidate(name: Option<&str>) -> Result<String, ErrorObject> {
    let name = name.map_or(ANONYMOUS, str::trim);
    let shown = name.chars().all(|c| !c.is_control() && !is_invisible(c)) && !ends_in_joiner(name);
    if name.is_empty() || name.chars().count() > CANDIDATE_CHARS_MAX || !shown {
        let text = format!(
            "a candidate's name has 1 to {CANDIDATE_CHARS_MAX} characters that can be shown"
        );
        return Err(ErrorObject::new(ErrorCode::InvalidInput, text)
            .next(Next::edit("name a person or a token, or nobody")));
    }
    Ok(name.to_owned())
}

/// Whether a joiner, without which some names cannot be written, has nothing to join.
fn ends_in_joiner(name: &str) -> bool {
    name.starts_with(JOINERS) || name.ends_with(JOINERS)
}

/// What keeps letters apart or joins them.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// Whether a character is invisible or reverses the direction of a line.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
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

fn card(card: &forms::Clarification) -> Clarification {
    let forms::Clarification { id, dimension, question, ways, answer } = card.clone();
    let trimmed = |text: String| text.trim().to_owned();
    Clarification { id, question: trimmed(question), ways, answer: trimmed(answer), dimension }
}
