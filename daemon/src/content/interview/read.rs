//! Reads a schema; a mistake in its form is one fault that names the line.

use vosim_protocol::v1::interview::{Schema, SchemaFault};

/// Longest schema, bytes.
pub const SCHEMA_BYTES_MAX: usize = 256 * 1024;

/// A schema as it is written.
pub fn read(text: &str) -> Result<Schema, SchemaFault> {
    if text.len() > SCHEMA_BYTES_MAX {
        let message = format!("has {} bytes; {SCHEMA_BYTES_MAX} are the most", text.len());
        return Err(SchemaFault { place: "file".to_owned(), message });
    }
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        SchemaFault { place: format!("line {line}"), message: one_line(error.message()) }
    })
}

/// What the TOML reader says may quote the text, with its line ends and escape bytes.
fn one_line(message: &str) -> String {
    message.replace('\n', " ").chars().filter(|c| !c.is_control()).collect()
}
