//! The schemas that come with vosim.

use std::sync::LazyLock;

use vosim_protocol::v1::interview::{SHIPPED_SCHEMAS, Schema};

use super::read::read;

/// The text of the standard schema.
pub const STANDARD: &str = include_str!("../../../content/interviews/standard.toml");

/// The text of the short schema.
pub const SHORT: &str = include_str!("../../../content/interviews/short.toml");

/// The schemas in the order of their names in [`SHIPPED_SCHEMAS`], each with its text.
static SHIPPED: LazyLock<[(Schema, &str); SHIPPED_SCHEMAS.len()]> = LazyLock::new(|| {
    [STANDARD, SHORT].map(|text| (read(text).expect("a test reads the schemas"), text))
});

/// Returns the schema of an interview that names none.
pub fn standard() -> &'static Schema {
    &SHIPPED[0].0
}

/// Returns the schema of that name, with its text, if one comes with vosim.
pub fn shipped(name: &str) -> Option<&'static (Schema, &'static str)> {
    SHIPPED.iter().find(|(schema, _)| schema.id == name)
}
