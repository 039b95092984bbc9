//! Checks an export of full records: whether its hash chain holds up to the line that closes it.
//!
//! This check reads one file and needs no store. Whether the decisions in it are right is checked
//! with a replay bundle instead.

use std::io::{BufRead as _, BufReader, Read as _, Seek as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use vosim_protocol::Json;
use vosim_protocol::record::{Closing, RECORD_MAX_BYTES};
use vosim_protocol::v1::service::VerifyResult;
use vosim_store::check_file;

use crate::offline::opened;

/// Checks a file of full records to its end.
pub fn verify(file: &Path) -> anyhow::Result<VerifyResult> {
    let name = file.display();
    let reading = || format!("reading {name}");
    let mut opened = opened(file)?;
    let mut line = Vec::new();
    let mut first = BufReader::new(&mut opened).take(RECORD_MAX_BYTES as u64);
    if first.read_until(b'\n', &mut line).with_context(reading)? == 0 {
        bail!("the file {name} is empty; write an export of full records with --format records");
    }
    if let Ok(json) = serde_json::from_slice::<Json>(&line)
        && json.get("event_id").is_none()
        && json.get("records").is_none()
    {
        bail!("the file {name} is not an export of full records; write one with --format records");
    }
    opened.rewind().with_context(reading)?;
    Ok(match check_file(&mut opened, &mut |_| {}).with_context(reading)? {
        Ok(Closing { records, head, .. }) => {
            VerifyResult { records, broken: None, head: Some(head) }
        }
        Err(broken) => {
            let records = broken.event_id.0.saturating_sub(1);
            VerifyResult { records, broken: Some(broken), head: None }
        }
    })
}

/// Tells in one sentence what [`verify`] found.
pub fn sentence(file: &Path, result: &VerifyResult) -> String {
    let name = file.display();
    match (&result.broken, &result.head) {
        (Some(broken), _) => format!("{name} has been changed at {broken}"),
        (None, Some(head)) => {
            format!("{name} is whole: {} records, the last is {head}", result.records)
        }
        (None, None) => format!("{name} has no records"),
    }
}
