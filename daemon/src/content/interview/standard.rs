//! The schema of an interview that names none.

use std::sync::OnceLock;

use vosim_protocol::v1::interview::Schema;

use super::read::read;

/// The text of the standard schema.
pub const STANDARD: &str = include_str!("../../../content/interviews/standard.toml");

/// Returns the standard schema.
pub fn standard() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| read(STANDARD).expect("a test reads the standard schema"))
}
