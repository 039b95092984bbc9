//! Work that needs no daemon: `vosimctl` runs it as a child process (DECISIONS 32).
//!
//! Nothing here talks to a socket; what touches the store takes the lock of its directory first,
//! so a daemon that runs is never disturbed.

pub mod bundle;

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use vosim_protocol::record::check_chain;
use vosim_protocol::v1::interview::{Schema, SchemaReport};
use vosim_protocol::v1::service::{ProvedProgram, VerifyResult};
use vosim_protocol::{EventRecord, Head, SessionId};
use vosim_store::{Lock, LockError, Options};

use crate::config::Config;
use crate::content::{Package, interview, lint, prove};
use crate::evaluator::{Cancel, Evaluator, Submission};

/// Longest line of an export that is read.
const LINE_MAX_BYTES: u64 = 1024 * 1024;

/// Checks the hash chain of a file of records.
pub fn verify(file: &Path) -> anyhow::Result<VerifyResult> {
    let name = file.display();
    let opened = std::fs::File::open(file).with_context(|| format!("reading {name}"))?;
    let mut reader = BufReader::new(opened);
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        let mut limited = std::io::Read::take(&mut reader, LINE_MAX_BYTES);
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
        bail!("{name} is empty; export --format records writes what can be verified");
    }
    if let Ok(json) = serde_json::from_slice::<vosim_protocol::Json>(&lines[0])
        && json.get("event_id").is_none()
    {
        bail!("{name} is not an export of full records; write one with --format records");
    }
    let checked = check_chain(lines.iter().map(Vec::as_slice));
    Ok(VerifyResult {
        records: lines.len() as u64,
        broken: checked.as_ref().err().cloned(),
        head: checked.ok(),
    })
}

/// What [`verify`] found, in one line.
pub fn verify_sentence(file: &Path, result: &VerifyResult) -> String {
    let name = file.display();
    match (&result.broken, &result.head) {
        (Some(broken), _) => format!("{name} has been changed at {broken}"),
        (None, Some(head)) => {
            format!("{name} is whole: {} records, the last is {head}", result.records)
        }
        (None, None) => format!("{name} has no records"),
    }
}

/// Looks for faults in a file with an interview schema.
pub fn check_schema(file: &Path) -> anyhow::Result<SchemaReport> {
    Ok(interview::report(&schema_file(file)?))
}

/// What [`check_schema`] found: a fault a line, or the plan.
pub fn schema_text(report: &SchemaReport) -> String {
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
        writeln!(text, "{name}: nothing to mend").ok();
    }
    text
}

/// A sound schema as its author wrote it; without a file the standard one.
pub fn show_schema(file: Option<&Path>) -> anyhow::Result<(Schema, String)> {
    let Some(file) = file else {
        return Ok((interview::standard().clone(), interview::STANDARD.to_owned()));
    };
    let text = schema_file(file)?;
    match interview::sound(&text) {
        Ok(schema) => Ok((schema, text)),
        Err(error) => bail!("{}: {}", file.display(), error.message),
    }
}

/// The text of a schema; no more is read than a schema may have.
fn schema_file(file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    let meta = std::fs::metadata(file).with_context(|| format!("reading {name}"))?;
    if !meta.is_file() {
        bail!("{name} is not a regular file");
    }
    let max = interview::SCHEMA_BYTES_MAX;
    let opened = std::fs::File::open(file).with_context(|| format!("reading {name}"))?;
    let mut bytes = Vec::new();
    let read = opened.take(max as u64 + 1).read_to_end(&mut bytes);
    if read.with_context(|| format!("reading {name}"))? > max {
        bail!("{name} is too large for a schema: {} KiB are the most", max / 1024);
    }
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{name} is not UTF-8 text"))
}

/// What became of a package that an author has checked.
#[derive(Debug)]
pub struct CheckedPackage {
    /// Its title.
    pub title: String,
    /// What its texts should do better, one line each.
    pub findings: Vec<String>,
    /// Its programs with what became of them.
    pub programs: Vec<ProvedProgram>,
}

impl CheckedPackage {
    /// True when the package counts as proved.
    pub fn proved(&self) -> bool {
        self.findings.is_empty() && self.programs.iter().all(|program| program.ok)
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for ProvedProgram { program, promised, got, ok } in &self.programs {
            let word = if *ok { "ok  " } else { "FAIL" };
            // Writing to a string does not fail.
            writeln!(text, "{word} {program}: {got}").ok();
            if !ok {
                writeln!(text, "     promised: {promised}").ok();
            }
        }
        for finding in &self.findings {
            writeln!(text, "TEXT {finding}").ok();
        }
        let good = self.programs.iter().filter(|program| program.ok).count();
        let proved = if self.proved() { "proved" } else { "not proved" };
        let total = self.programs.len();
        writeln!(text, "{}: {proved}, {good} of {total} programs as promised", self.title).ok();
        text
    }
}

/// Reads a problem package and has all its programs judged.
pub fn check_package(dir: &Path, evaluator: &Evaluator) -> anyhow::Result<CheckedPackage> {
    let package = Package::from_dir(dir)?;
    let suite = package.suite();
    let programs = prove(&package, |program| {
        let file_path = Path::new(&program.path).file_name().unwrap_or_default().to_string_lossy();
        let submission = Submission {
            problem: &package.problem,
            suite: &suite,
            code: &program.source,
            file_path: &file_path,
            language: program.language,
        };
        let cancel = Cancel::new().map_err(|error| error.to_string())?;
        evaluator
            .evaluate(&submission, &cancel, &mut |_, _| ())
            .map_err(|refusal| refusal.to_string())
    });
    let findings = lint(&package).iter().map(ToString::to_string).collect();
    Ok(CheckedPackage { title: package.problem.title, findings, programs })
}

/// Puts a backup in place of the store; what was there is put aside.
pub fn restore(backup: &Path, data: &Path, config: &Config) -> anyhow::Result<String> {
    let _lock = lock(data)?;
    let restored = vosim_store::restore(backup, data, &options(config))?;
    Ok(with_aside(are_back(restored.sessions), restored.aside.as_deref()))
}

/// Makes a store from the exports of ended sessions: the last resort without a backup.
pub fn rebuild(data: &Path, config: &Config) -> anyhow::Result<String> {
    let _lock = lock(data)?;
    let rebuilt = vosim_store::rebuild(data, &options(config), |id, lines| head(data, id, lines))?;
    let mut text = with_aside(are_back(rebuilt.sessions), rebuilt.aside.as_deref());
    for (path, reason) in &rebuilt.unreadable {
        write!(text, "\n{} was left out: {reason}", path.display()).ok();
    }
    Ok(text)
}

/// Opens a store that has lost its end with what is left of it.
pub fn accept_loss(data: &Path) -> anyhow::Result<String> {
    let _lock = lock(data)?;
    vosim_store::accept_loss(data)?;
    Ok("the store opens again; sessions end where the damage begins".to_owned())
}

fn are_back(sessions: u64) -> String {
    match sessions {
        1 => "1 session is back".to_owned(),
        many => format!("{many} sessions are back"),
    }
}

fn with_aside(text: String, aside: Option<&Path>) -> String {
    match aside {
        Some(aside) => format!("{text}; what was there is in {}", aside.display()),
        None => text,
    }
}

fn lock(data: &Path) -> anyhow::Result<Lock> {
    Lock::take(data, "a vosimd that restores the store").map_err(|error| match error {
        held @ LockError::Held { .. } => {
            anyhow::anyhow!("{held}; stop it first: vosimctl daemon stop")
        }
        other @ LockError::Io { .. } => other.into(),
    })
}

fn options(config: &Config) -> Options {
    Options { backend: config.store.backend, ..Options::default() }
}

/// Folds an exported session; its spec must still be among the blobs.
fn head(data: &Path, id: SessionId, lines: &[Vec<u8>]) -> Option<Head> {
    use vosim_protocol::Wire as _;
    let first = EventRecord::from_bytes(lines.first()?).ok()?;
    let (kind, spec) = vosim_engine::kinds::created(&first).ok()?;
    let hex = spec.hex();
    let spec = std::fs::read(data.join("blobs").join(&hex[..2]).join(&hex)).ok()?;
    let session = vosim_engine::load(kind, id, &spec, lines.iter().map(Vec::as_slice)).ok()?;
    Some(session.head())
}
