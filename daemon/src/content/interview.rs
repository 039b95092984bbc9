//! Interviews: the schemas that say what is asked and when, and the spec of a new session.
//!
//! A schema is TOML (docs/interview-schema.md). It is read whole or not at all; what is wrong with
//! its content is a list of faults, each with its place.

mod check;
mod fill;
mod read;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::interview::{
    Accommodation, Clarification, Rules, Schema, SchemaFault, SchemaReport, Section, Spec, Start,
    TIME_PERCENT_MAX,
};
use vosim_protocol::{ErrorCode, ErrorObject, Hash};

use super::Package;
pub use check::check;
pub use fill::fill;
use read::{Document, read_with_lines};
pub use read::{SCHEMA_BYTES_MAX, read};

/// The standard schema as its author wrote it.
pub const STANDARD: &str = include_str!("../../content/interviews/standard.toml");
/// Longest name of a candidate, characters.
pub const CANDIDATE_CHARS_MAX: usize = 64;

/// Who is interviewed when nobody is named.
const ANONYMOUS: &str = "anonymous";
/// The least of the schema's times that a candidate is given, percent.
const TIME_PERCENT_MIN: u32 = 100;

/// The schema of an interview that names none.
pub fn standard() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| read(STANDARD).expect("a test reads the standard schema"))
}

/// What `schema check` says about a text.
pub fn report(text: &str) -> SchemaReport {
    match read_with_lines(text) {
        Ok((schema, document)) => SchemaReport {
            faults: faults(&schema, &document),
            sections: schema.sections.iter().map(outline).collect(),
            schema: Some(named(&schema)),
        },
        Err(fault) => SchemaReport { schema: None, sections: Vec::new(), faults: vec![fault] },
    }
}

/// What is wrong with a schema, with the lines of its document.
fn faults(schema: &Schema, document: &Document<'_>) -> Vec<SchemaFault> {
    let mut faults = check(schema);
    for fault in &mut faults {
        fault.line = document.line_of(&fault.place);
    }
    faults
}

fn outline(section: &Section) -> (String, u32, u32) {
    (section.id.clone(), section.duration_seconds, section.followup_cap)
}

/// A schema's id with its version, for example `standard 1`.
pub fn named(schema: &Schema) -> String {
    format!("{} {}", schema.id, schema.version)
}

/// A schema without faults, or the refusal that names the first and counts the others.
pub fn sound(text: &str) -> Result<Schema, ErrorObject> {
    let (schema, document) = read_with_lines(text).map_err(|fault| refused(&fault, 0))?;
    match faults(&schema, &document).split_first() {
        None => Ok(schema),
        Some((first, others)) => Err(refused(first, others.len())),
    }
}

fn refused(first: &SchemaFault, others: usize) -> ErrorObject {
    let more = if others == 0 { String::new() } else { format!(" (and {others} more)") };
    let text = format!("the schema cannot be used: {first}{more}");
    ErrorObject::new(ErrorCode::InvalidSchema, text)
        .next(Next::run("see all faults of the file", Action::CheckSchema))
}

/// Everything that a new interview about this problem depends on, with the case data that its
/// spec names.
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
        clarifications: package.coaching.clarifications.iter().map(card).collect(),
        candidate,
        accommodation,
        python_version: python,
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

/// Characters that turn the direction of a line round, or that nobody sees.
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

/// A card as the candidate reads it: of two that are given together, each says what it answers.
fn card(card: &super::Clarification) -> Clarification {
    let super::Clarification { id, dimension, asks, question, answer } = card.clone();
    let answer = format!("{} {}", question.trim(), answer.trim());
    Clarification { id, asks, answer, dimension }
}
