//! The report on a schema with all its faults, and the refusal of an interview with a bad schema.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::interview::{Schema, SchemaFault, SchemaReport, Section};
use vosim_protocol::{ErrorCode, ErrorObject};

use super::check::check;
use super::read::{Document, read_with_lines};

/// Returns the report of `schema check` on a text.
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

/// Returns the faults of a schema, with the lines of its document.
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

/// Returns a schema's id with its version, for example `standard 1`.
pub fn named(schema: &Schema) -> String {
    format!("{} {}", schema.id, schema.version)
}

/// Reads a schema without faults; the refusal names the first fault and counts the others.
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
