//! Reads a schema; a mistake in its form is one fault that names the key and the line.

mod document;
mod misread;

use serde::Deserialize as _;
use vosim_protocol::v1::interview::{Schema, SchemaFault};

pub(super) use document::Document;
pub use document::SCHEMA_BYTES_MAX;
use misread::Misread;

/// Reads a schema.
pub fn read(text: &str) -> Result<Schema, SchemaFault> {
    Ok(Document::parse(text)?.schema()?.0)
}

/// Reads a schema, and returns its document too, which knows the line of each key.
pub(super) fn read_with_lines(text: &str) -> Result<(Schema, Document<'_>), SchemaFault> {
    Document::parse(text)?.schema()
}

impl<'t> Document<'t> {
    fn schema(self) -> Result<(Schema, Self), SchemaFault> {
        match Schema::deserialize(self.root()) {
            Ok(schema) => Ok((schema, self)),
            Err(misread) => Err(self.fault(&misread)),
        }
    }

    fn fault(&self, misread: &Misread) -> SchemaFault {
        let line = misread.at.map(|at| self.line_at(at));
        SchemaFault { line, place: misread.place(), message: misread.message.clone() }
    }
}
