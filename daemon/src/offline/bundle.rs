//! Checks and replays replay bundles, on any machine and with this program alone (001 2.2).
//!
//! A bundle holds everything that is needed; no store and no content of this machine is read.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use vosim_engine::{LoadError, kinds};
use vosim_protocol::record::ChainBreak;
use vosim_protocol::v1::bundle::{BUNDLE_MAX_BYTES, BundleReport, ReplayBundle, Unreadable};
use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::v1::report::FileReport;
use vosim_protocol::v1::session::ReplayReport;
use vosim_protocol::{EventId, EventRecord, Json, Kind, Role, Wire as _};

use crate::content::{Shelf, catalog};
use crate::offline::opened;

/// Within how many bytes a bundle says that it is one.
const START_BYTES: u64 = 256;

/// Whether a file says that it is a bundle.
pub fn is_bundle(file: &Path) -> anyhow::Result<bool> {
    let name = file.display();
    let opened = opened(file)?;
    let mut start = Vec::new();
    opened.take(START_BYTES).read_to_end(&mut start).with_context(|| format!("reading {name}"))?;
    let start = String::from_utf8_lossy(&start);
    let inside = start.trim_start().strip_prefix('{').map(str::trim_start);
    Ok(inside.is_some_and(|inside| inside.starts_with("\"bundle\"")))
}

/// The result of checking a bundle.
#[derive(Debug)]
pub enum Checked {
    /// The bundle could be read; this is what the check found.
    Read(Box<BundleReport>),
    /// The bundle cannot be read from this event on.
    Unreadable(ChainBreak),
}

impl Checked {
    /// Whether nothing is wrong with the bundle.
    pub fn good(&self) -> bool {
        matches!(self, Self::Read(report) if report.broken.is_none())
    }

    /// Returns the result for programs.
    pub fn json(&self) -> Json {
        match self {
            Self::Read(report) => report.to_json(),
            Self::Unreadable(broken) => serde_json::json!({ "broken": broken }),
        }
    }

    /// Tells the result to a person, in one line.
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
                "{name} is whole: {} of {records} records, {recomputed} decisions computed \
                 again with the same result, pieces of code: {code}, deleted: {withheld}",
                kind.with_article()
            ),
        }
    }
}

/// Reads a replay bundle and checks all of it.
pub fn check(file: &Path) -> anyhow::Result<Checked> {
    match read(file)? {
        Ok(bundle) => Ok(Checked::Read(Box::new(vosim_engine::check::bundle(&bundle)))),
        Err(Unreadable::Record(broken)) => Ok(Checked::Unreadable(broken)),
        Err(other) => bail!("{}: {other}", file.display()),
    }
}

/// Folds the records of a replay bundle up to an event, and with `verify` makes every decision
/// again.
///
/// Decisions that all come out the same do not make a bundle whole: everything else that it says
/// must agree with them.
pub fn replay(file: &Path, verify: bool, until: Option<EventId>) -> anyhow::Result<ReplayReport> {
    let name = file.display();
    let bundle = read(file)?.map_err(|unreadable| anyhow!("{name}: {unreadable}"))?;
    if until == Some(EventId::ZERO) {
        bail!("no event 0; the first is event 1");
    }
    let lines: Vec<Vec<u8>> = bundle.records.iter().map(|line| line.as_bytes().to_vec()).collect();
    let (kind, id, spec) = (bundle.kind, bundle.session_id, bundle.spec.as_bytes());
    let chain = bundle.check_chain().err();
    let mut report = kinds::replay(kind, id, spec, &lines, until, verify).map_err(|error| {
        match (&chain, &error) {
            (Some(broken), _) => anyhow!("{name} has been changed at {broken}"),
            (None, LoadError::Event { .. }) => anyhow!("{name} has been changed at {error}"),
            // The first record names what every other one depends on.
            (None, _) => anyhow!("{name} has been changed at event 1: {error}"),
        }
    })?;
    let code = kinds::code(kind, &lines);
    report.code_withheld =
        code.iter().filter(|hash| !bundle.code.contains_key(hash)).count() as u64;
    let taken = |broken: &ChainBreak| until.is_none_or(|until| broken.event_id <= until);
    report.chain = chain.filter(taken);
    let good = report.differs.is_none() && report.chain.is_none();
    if verify
        && good
        && until.is_none()
        && let Some(broken) = vosim_engine::check::bundle(&bundle).broken
    {
        bail!("the file {name} has been changed at {broken}; its decisions are as they were");
    }
    Ok(report)
}

/// Tells what the session in a replay bundle teaches; what its package says for afterwards comes from
/// the problems that come with vosim, or from a person's own in a data folder.
pub fn report(file: &Path, data: &Path) -> anyhow::Result<FileReport> {
    let name = file.display();
    let bundle = read(file)?.map_err(|unreadable| anyhow!("{name}: {unreadable}"))?;
    if let Err(broken) = bundle.check_chain() {
        bail!("{name} has been changed at {broken}");
    }
    let lines: Vec<Vec<u8>> = bundle.records.iter().map(|line| line.as_bytes().to_vec()).collect();
    let (kind, id, spec) = (bundle.kind, bundle.session_id, bundle.spec.as_bytes());
    let told = |error: &dyn std::fmt::Display| anyhow!("{name} cannot be reported on: {error}");
    let discussion = discussion(kind, spec, data).map_err(|error| told(&error))?;
    let report =
        kinds::report(kind, id, spec, &lines, &discussion).map_err(|error| told(&error))?;
    let records = lines.iter().filter_map(|line| EventRecord::from_bytes(line).ok());
    let log = records.filter_map(|record| kinds::told(kind, Role::Candidate, record)).collect();
    Ok(FileReport { report, log })
}

/// What is said of a session's problem for afterwards; nothing where its package is not here.
fn discussion(kind: Kind, spec: &[u8], data: &Path) -> Result<Discussion, LoadError> {
    if let Some(guide) = kinds::guide(kind, spec)? {
        return Ok(guide.discussion);
    }
    let Some((problem, _)) = kinds::exercise(kind, spec)? else {
        return Ok(Discussion::default());
    };
    let own = || Shelf::of(data).read(&problem.id).ok().map(|folder| folder.package);
    let discussion = match catalog().get(&problem.id) {
        Some(package) => Some(package.coaching.discussion.clone()),
        None => own().map(|package| package.coaching.discussion.clone()),
    };
    Ok(discussion.unwrap_or_default())
}

/// Reads the bundle in a file, if it is one.
fn read(file: &Path) -> anyhow::Result<Result<ReplayBundle, Unreadable>> {
    let name = file.display();
    let opened = opened(file)?;
    let mut bytes = Vec::new();
    let read = opened.take(BUNDLE_MAX_BYTES + 1).read_to_end(&mut bytes);
    read.with_context(|| format!("reading {name}"))?;
    Ok(ReplayBundle::read(&bytes))
}

#[cfg(test)]
mod tests;
