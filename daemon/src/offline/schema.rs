//! Checks and shows interview schemas for those who write them.
//!
//! What a schema must be is decided in `content`; here files are read and findings are told.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use vosim_protocol::v1::interview::{SHIPPED_SCHEMAS, Schema, SchemaReport};

use crate::content::interview;
use crate::offline::opened;

/// Looks for faults in a file that holds an interview schema.
pub fn check(file: &Path) -> anyhow::Result<SchemaReport> {
    Ok(interview::report(&read(file)?))
}

/// Tells what [`check`] found: one fault in each line, or the plan.
pub fn text(report: &SchemaReport) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    for fault in &report.faults {
        writeln!(text, "{fault}").ok();
    }
    if report.faults.is_empty() {
        for (id, seconds, cap) in &report.sections {
            writeln!(text, "{id}: {seconds} s, follow-ups: at most {cap}").ok();
        }
        let name = report.schema.as_deref().unwrap_or_default();
        writeln!(text, "{name}: no faults").ok();
    }
    text
}

/// Returns a sound schema and its text as the author wrote it: that of a file, or one that comes with
/// vosim by its id; without a name, the standard one.
pub fn show(name: Option<&Path>) -> anyhow::Result<(Schema, String)> {
    let known = name.unwrap_or_else(|| Path::new(SHIPPED_SCHEMAS[0])).to_str();
    if let Some((schema, text)) = known.and_then(interview::shipped) {
        return Ok((schema.clone(), (*text).to_owned()));
    }
    let file = name.context("a name is needed for any other schema")?;
    let text = read(file)?;
    match interview::sound(&text) {
        Ok(schema) => Ok((schema, text)),
        Err(error) => bail!("{}: {}", file.display(), error.message),
    }
}

/// Reads the text of a schema, and no more than a schema may have.
fn read(file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    let max = interview::SCHEMA_BYTES_MAX;
    let opened = opened(file)?;
    let mut bytes = Vec::new();
    let length = opened.take(max as u64 + 1).read_to_end(&mut bytes);
    if length.with_context(|| format!("reading {name}"))? > max {
        bail!("{name} is too large for a schema: it may have at most {} KiB", max / 1024);
    }
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{name} is not UTF-8 text"))
}
