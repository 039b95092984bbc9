//! Checks an export of full records: whether its hash chain holds.
//!
//! This check reads one file and needs no store. Whether the decisions in it are right is checked
//! with a replay bundle instead.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use vosim_protocol::Json;
use vosim_protocol::record::check_chain;
use vosim_protocol::v1::service::VerifyResult;

use crate::offline::opened;

/// The longest line that is read.
const LINE_MAX_BYTES: u64 = 1024 * 1024;

/// Checks the hash chain of a file of full records.
pub fn verify(file: &Path) -> anyhow::Result<VerifyResult> {
    let name = file.display();
    let opened = opened(file)?;
    let mut reader = BufReader::new(opened);
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut reader).take(LINE_MAX_BYTES);
        let read = limited.read_until(b'\n', &mut line);
        if read.with_context(|| format!("reading {name}"))? == 0 {
            break;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 == LINE_MAX_BYTES {
            bail!("line {} of {name} is too long to be a record", lines.len() + 1);
        }
        lines.push(line);
    }
    if lines.is_empty() {
        bail!("the file {name} is empty; write an export of full records with --format records");
    }
    if let Ok(json) = serde_json::from_slice::<Json>(&lines[0])
        && json.get("event_id").is_none()
    {
        bail!("the file {name} is not an export of full records; write one with --format records");
    }
    let checked = check_chain(lines.iter().map(Vec::as_slice));
    Ok(VerifyResult {
        records: lines.len() as u64,
        broken: checked.as_ref().err().cloned(),
        head: checked.ok(),
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
