//! Checks a replay bundle: on any machine, with the program alone (001 2.2).

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use vosim_protocol::record::ChainBreak;
use vosim_protocol::v1::bundle::{Bundle, BundleReport, FORMAT, ReplayBundle};
use vosim_protocol::{EventId, Json, Wire as _};

/// Largest bundle that is read.
const BUNDLE_MAX_BYTES: u64 = 1024 * 1024 * 1024;
/// A bundle tells what it is within so many bytes.
const START_BYTES: u64 = 256;

/// True when a file says of itself that it is a bundle.
pub fn is_bundle(file: &Path) -> anyhow::Result<bool> {
    let name = file.display();
    let opened = File::open(file).with_context(|| format!("reading {name}"))?;
    let mut start = Vec::new();
    opened.take(START_BYTES).read_to_end(&mut start).with_context(|| format!("reading {name}"))?;
    let start = String::from_utf8_lossy(&start);
    let inside = start.trim_start().strip_prefix('{').map(str::trim_start);
    Ok(inside.is_some_and(|inside| inside.starts_with("\"bundle\"")))
}

/// What a bundle is found to be.
#[derive(Debug)]
pub enum Checked {
    /// It can be read; this is what the check found.
    Read(Box<BundleReport>),
    /// It cannot, from this event on.
    Unreadable(ChainBreak),
}

impl Checked {
    /// True when nothing is wrong with it.
    pub fn good(&self) -> bool {
        matches!(self, Self::Read(report) if report.broken.is_none())
    }

    /// For programs.
    pub fn json(&self) -> Json {
        match self {
            Self::Read(report) => report.to_json(),
            Self::Unreadable(broken) => serde_json::json!({ "broken": broken }),
        }
    }

    /// For people, in one line.
    pub fn sentence(&self, file: &Path) -> String {
        let name = file.display();
        let report = match self {
            Self::Unreadable(broken) => return format!("{name} has been changed at {broken}"),
            Self::Read(report) => report,
        };
        let BundleReport { kind, records, recomputed, code, withheld, broken, .. } = &**report;
        match broken {
            Some(broken) => format!("{name} has been changed at {broken}"),
            None => format!(
                "{name} is whole: a {kind} of {records} records, {recomputed} decisions computed \
                 anew and all the same, pieces of code: {code}, deleted: {withheld}"
            ),
        }
    }
}

/// Reads a replay bundle and checks all of it.
pub fn check(file: &Path) -> anyhow::Result<Checked> {
    let name = file.display();
    let opened = File::open(file).with_context(|| format!("reading {name}"))?;
    let mut bytes = Vec::new();
    let limited = opened.take(BUNDLE_MAX_BYTES + 1).read_to_end(&mut bytes);
    if limited.with_context(|| format!("reading {name}"))? as u64 > BUNDLE_MAX_BYTES {
        bail!("{name} is too large for a bundle");
    }
    let bundle = match ReplayBundle::from_bytes(&bytes) {
        Ok(bundle) => bundle,
        Err(error) => {
            if let Ok(json) = Json::from_bytes(&bytes) {
                if json["bundle"] == Bundle::Evaluation.name() {
                    bail!(
                        "{name} is an evaluation bundle; a replay bundle is what can be verified"
                    );
                }
                if json["format"].as_u64().is_some_and(|format| format > u64::from(FORMAT)) {
                    bail!("{name} was written by a newer vosim");
                }
            }
            return match event_at(&bytes, error.line()) {
                Some(event_id) => Ok(Checked::Unreadable(ChainBreak {
                    event_id,
                    reason: "its record cannot be read".to_owned(),
                })),
                None => bail!("{name} is not a replay bundle: {error}"),
            };
        }
    };
    if bundle.format != FORMAT {
        bail!("{name} has format {}; this vosim knows format {FORMAT}", bundle.format);
    }
    Ok(Checked::Read(Box::new(vosim_engine::bundle::check(&bundle))))
}

/// The record that stands in a line of the file, counted from 1: each has its own.
fn event_at(bytes: &[u8], line: usize) -> Option<EventId> {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    let before = lines.position(|text| text.starts_with(b"\"records\": ["))? + 1;
    let place = line.checked_sub(before).filter(|place| *place > 0)?;
    let end = lines.position(|text| text.starts_with(b"]"))?;
    (place <= end).then_some(EventId(place as u64))
}
