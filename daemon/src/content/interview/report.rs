//! What is said about a schema: all its faults, or the refusal of an interview by it.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::interview::{Schema, SchemaFault, SchemaReport, Section};
use vosim_protocol::{ErrorCode, ErrorObject};

use super::check::check;
use super::read::{Document, read_with_lines};

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
