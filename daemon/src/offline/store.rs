//! Brings back a store that cannot be opened.
//!
//! The lock of the data directory is taken first, so a running daemon is never disturbed; what was
//! there is put aside and never removed.

use std::fmt::Write as _;
use std::path::Path;

use chrono::{DateTime, Utc};
use vosim_protocol::{EventRecord, Hash, Head, SessionId, Wire as _};
use vosim_store::{Aside, Lock, LockError, Options, Packages, ReadBlob, Rescued, RescuedFrom};

use crate::config::Config;
use crate::offline::opened;

/// How the refusal begins to replace a store that is as it should be.
const SOUND_STORE: &str = "the present store";

/// Whether a store may be replaced that is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverSound {
    /// It may not.
    No,
    /// Somebody has agreed to it.
    Yes,
}

/// Replaces the store by a backup and puts aside what was there.
pub fn restore(
    backup: &Path,
    data: &Path,
    config: &Config,
    over: OverSound,
) -> anyhow::Result<String> {
    // What is no file at all is told as that, and not as one that its disk cannot read.
    drop(opened(backup)?);
    let _lock = lock(data)?;
    // Nobody is asked to agree to what cannot be done.
    if over == OverSound::No {
        vosim_store::check_backup(backup)?;
    }
    refuse_sound(data, config, over)?;
    let restored = vosim_store::restore(backup, data, &options(config))?;
    let back = are_back(restored.sessions);
    Ok(with_aside(back, restored.aside.as_deref()) + &with_packages(&restored.packages))
}

/// Builds a store from the exports of ended sessions, the last resort without a backup.
pub fn rebuild(data: &Path, config: &Config, over: OverSound) -> anyhow::Result<String> {
    let _lock = lock(data)?;
    let fold = |id, lines: &[Vec<u8>]| head(id, lines, &|hash| blob_file(data, hash));
    if over == OverSound::No {
        vosim_store::check_archives(data, fold)?;
    }
    refuse_sound(data, config, over)?;
    let rebuilt = vosim_store::rebuild(data, &options(config), fold)?;
    let mut text = with_aside(are_back(rebuilt.sessions), rebuilt.aside.as_deref());
    for (path, reason) in &rebuilt.unreadable {
        write!(text, "\n{} was left out: {reason}", path.display()).ok();
    }
    Ok(text)
}

/// Makes a new store of what is intact in a damaged one, and puts that one aside.
pub fn accept_loss(data: &Path, config: &Config, over: OverSound) -> anyhow::Result<String> {
    let _lock = lock(data)?;
    refuse_sound(data, config, over)?;
    let rescued = vosim_store::rescue(data, &options(config), head)?;
    let Rescued { whole, shortened, lost, archived, lost_commits, aside, source, .. } = rescued;
    let back = whole + archived;
    let all = back + (shortened.len() + lost.len()) as u64;
    let found = format!("{back} of the {all} sessions that were found are back");
    let mut text = with_aside(found, aside.as_deref());
    text += match source {
        RescuedFrom::Database => "",
        RescuedFrom::Pages => {
            "\nThe database cannot be opened; its pages were read one by one, and what they prove is \
             back."
        }
        RescuedFrom::Nothing => {
            "\nThe database cannot be opened and its pages prove nothing, so only ended sessions are \
             back."
        }
        RescuedFrom::NoDatabase => "\nThere is no database, so only ended sessions are back.",
    };
    if archived > 0 {
        write!(text, "\n{archived} of them, which had ended, came from their archives.").ok();
    }
    if lost_commits > 0 {
        let commits = match lost_commits {
            1 => "the last commit is missing".to_owned(),
            many => format!("the last {many} commits are missing"),
        };
        write!(
            text,
            "\n{commits}: a session that was begun there is gone, and one that went on there \
             stands where it stood before."
        )
        .ok();
    }
    for id in &shortened {
        write!(text, "\nsession {id} ends where the damage begins.").ok();
    }
    for id in &lost {
        write!(text, "\nsession {id} is lost.").ok();
    }
    Ok(text)
}

/// Lists the stores that recoveries have put aside.
pub fn list_aside(data: &Path) -> anyhow::Result<String> {
    let asides = vosim_store::asides(data)?;
    if asides.is_empty() {
        return Ok("Nothing has been put aside.".to_owned());
    }
    let lines = asides.iter().map(|Aside { number, path, bytes, since, has_manifest }| {
        let since = since.map(DateTime::<Utc>::from).unwrap_or_default();
        let (since, kib) = (since.format("%Y-%m-%d %H:%M"), bytes.div_ceil(1024));
        let how = if *has_manifest { "" } else { "; it has no store.json and cannot be put back" };
        format!("{number}  put aside {since} UTC, {kib} KiB, in {}{how}", path.display())
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Puts a store that was put aside back in place of the present one.
pub fn put_back(data: &Path, number: u32) -> anyhow::Result<String> {
    let _lock = lock(data)?;
    let present = vosim_store::put_back(data, number)?;
    Ok(with_aside(format!("store {number} is back in place"), present.as_deref()))
}

/// Erases a store that was put aside.
pub fn erase_aside(data: &Path, number: u32) -> anyhow::Result<String> {
    vosim_store::erase_aside(data, number)?;
    Ok(format!("store {number}, which had been put aside, is erased."))
}

/// Returns an error where a store would be replaced that is as it should be, unless that is wanted.
fn refuse_sound(data: &Path, config: &Config, over: OverSound) -> anyhow::Result<()> {
    if over == OverSound::No && vosim_store::is_sound(data, &options(config)) {
        anyhow::bail!(
            "{SOUND_STORE} in {} can be opened; replacing it needs --yes",
            data.display()
        );
    }
    Ok(())
}

fn are_back(sessions: u64) -> String {
    match sessions {
        1 => "1 session is back".to_owned(),
        many => format!("{many} sessions are back"),
    }
}

/// What became of people's own problems, a line each.
fn with_packages(packages: &Packages) -> String {
    let Packages { back, left } = packages;
    let line = |what: &str, ids: &[String]| match ids {
        [] => String::new(),
        ids => format!("\n{what}: {}.", ids.join(", ")),
    };
    let is_back = line("Brought back of your own problems", back);
    is_back + &line("Left as they stand there already", left)
}

fn with_aside(text: String, aside: Option<&Path>) -> String {
    let Some(aside) = aside else { return text + "." };
    let text = format!("{text}; the previous store is in {}", aside.display());
    match vosim_store::aside(aside) {
        Ok(Some(Aside { number, has_manifest: true, .. })) => {
            format!("{text}; `vosimctl quarantine put-back {number}` puts it back.")
        }
        // A store without a manifest can only be looked at.
        Ok(_) | Err(_) => text + ".",
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

/// Folds a session to its head; its spec must be there.
fn head(id: SessionId, lines: &[Vec<u8>], blob: &ReadBlob<'_>) -> Option<Head> {
    let first = EventRecord::from_bytes(lines.first()?).ok()?;
    let (kind, spec) = vosim_engine::kinds::created(&first).ok()?;
    let spec = blob(spec)?;
    let session = vosim_engine::load(kind, id, &spec, lines.iter().map(Vec::as_slice)).ok()?;
    Some(session.head())
}

/// Reads a blob that archiving has left as a file.
fn blob_file(data: &Path, hash: Hash) -> Option<Vec<u8>> {
    let hex = hash.hex();
    std::fs::read(data.join("blobs").join(&hex[..2]).join(&hex)).ok()
}
