//! The rescue of a damaged store: what is intact goes into a new one, and the rest is counted.
//!
//! The database is opened as a copy, so that it stays as it is. A session whose log is damaged is
//! kept up to the damage where the engine can make a head of what is left; one of which nothing can
//! be used is left out. An ended session that is not whole is taken from its archive, if that is
//! sound. A database that cannot be opened as it is is read page by page; where that proves nothing, and
//! where there is no database, archives are all there is. The damaged store is put aside.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, Hash, SessionId, StoreId};
use vosim_protocol::record::{EventRecord, Head};

use crate::archive::archives_in;
use crate::backend::memory::MemoryBackend;
use crate::backend::{Backend, Batch};
use crate::backup::{check_archives, rebuild_session};
use crate::blobs::{BlobFiles, BlobRow};
use crate::census::{Counted, past_damage};
use crate::committer::head_bytes;
use crate::doubt::{Copy, promised};
use crate::error::OpenError;
use crate::files::entries;
use crate::folder::archive_session;
use crate::keys;
use crate::manifest;
use crate::new_store::NewStore;
use crate::options::Options;
use crate::salvage::{Intact, more_in_pages};
use crate::sealed::{put, unseal};
use crate::tally::{counted, witnessed};

/// The result of a rescue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescued {
    /// The new identity: cursors of the old store are meaningless in this one.
    pub store_id: StoreId,
    /// How many sessions are whole.
    pub whole: u64,
    /// The sessions that end where the damage begins.
    pub shortened: Vec<SessionId>,
    /// The sessions of which nothing can be used.
    pub lost: Vec<SessionId>,
    /// How many ended sessions came from their archives; they are none of the above.
    pub archived: u64,
    /// How many of the last commits are missing: what was written last is not there, whichever
    /// sessions it belonged to.
    pub lost_commits: u64,
    /// Where the damaged store was put.
    pub aside: Option<PathBuf>,
    /// What the sessions were read from, beside the archives.
    pub source: RescuedFrom,
}

/// What a rescue reads, beside the archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RescuedFrom {
    /// The database.
    Database,
    /// The pages of a database that cannot be opened.
    Pages,
    /// Nothing: the database cannot be opened, and its pages tell nothing that is sure.
    Nothing,
    /// Nothing: there is no database.
    NoDatabase,
}

/// Reads the blob with a hash, if it is there.
pub type ReadBlob<'a> = dyn Fn(Hash) -> Option<Vec<u8>> + 'a;

/// Makes a new store of what is intact in a damaged one.
///
/// `fold` is the engine's: it turns the first lines of a session into its head, with the blob that
/// it asks for. Take the [`crate::Lock`] first; no store may be open.
pub fn rescue(
    dir: &Path,
    options: &Options,
    mut fold: impl FnMut(SessionId, &[Vec<u8>], &ReadBlob<'_>) -> Option<Head>,
) -> Result<Rescued, OpenError> {
    let Found { rows: damaged, copy, source, promised } = find(dir, options)?;
    manifest::check_format(dir, &*damaged)?;
    let lost_commits = promised.saturating_sub(counted(&*damaged).unwrap_or(0));
    let files = BlobFiles::in_dir(dir);
    if matches!(source, RescuedFrom::Nothing | RescuedFrom::NoDatabase) {
        let blob = |hash| files.read(hash).ok().flatten();
        check_archives(dir, |session, lines| fold(session, lines, &blob))?;
    }
    let blob = |hash| read_blob(&*damaged, &files, hash);
    let mut new = NewStore::begin(dir, options)?;
    let mut fold = |session: SessionId, lines: &[Vec<u8>]| fold(session, lines, &blob);
    let filled = fill(&mut new, &*damaged)
        .and_then(|found| settle(&mut new, found, &mut fold))
        .and_then(|found| add_archived(&mut new, dir, found, &mut fold));
    let Sessions { whole, shortened, lost, archived } = match filled {
        Ok(sessions) => sessions,
        Err(error) => {
            new.give_up();
            return Err(error);
        }
    };
    drop(damaged);
    drop(copy);
    let (store_id, aside) = new.put_in_force()?;
    Ok(Rescued { store_id, whole, shortened, lost, archived, lost_commits, aside, source })
}

/// The rows from which a store is to be made.
struct Found {
    rows: Arc<dyn Backend>,
    /// What they are read from, which is removed in the end.
    copy: Option<Copy>,
    source: RescuedFrom,
    /// How many commits there must have been.
    promised: u64,
}

fn find(dir: &Path, options: &Options) -> Result<Found, OpenError> {
    let nothing = || Arc::new(MemoryBackend::default());
    let Some(live) = manifest::find(dir, options)? else {
        tracing::warn!("there is no database; only the archives are left");
        return Ok(Found {
            rows: nothing(),
            copy: None,
            source: RescuedFrom::NoDatabase,
            promised: 0,
        });
    };
    let looked = manifest::look(dir, &live, options)?;
    let promised = promised(witnessed(&live.database_path(dir)), looked.behind);
    let copy = Copy::make(dir, &live)?;
    let opened = match copy.open(dir, &live, options, &looked) {
        Err(error @ OpenError::Unreadable { .. }) => {
            tracing::warn!(%error, "the database is read page by page");
            None
        }
        opened => Some(opened?),
    };
    let intact = opened.as_deref().map(Intact::of).unwrap_or_default();
    let lacks = opened.as_deref().is_none_or(|rows| {
        copy.is_cut() || counted(rows).unwrap_or(0) < promised || !intact.found.faults.is_empty()
    });
    let in_pages = if lacks { more_in_pages(dir, &live, &intact)? } else { None };
    let (rows, source): (Arc<dyn Backend>, _) = match (in_pages, opened) {
        (Some((rows, _)), _) => (Arc::new(rows), RescuedFrom::Pages),
        (None, Some(rows)) => (rows, RescuedFrom::Database),
        (None, None) => (nothing(), RescuedFrom::Nothing),
    };
    Ok(Found { rows, copy: Some(copy), source, promised })
}

/// What became of the sessions.
struct Sessions {
    whole: u64,
    shortened: Vec<SessionId>,
    lost: Vec<SessionId>,
    archived: u64,
}

/// Copies every row that is intact and counts what has arrived: a damaged database may read otherwise
/// the next time.
fn fill(new: &mut NewStore<'_>, damaged: &dyn Backend) -> Result<Counted, OpenError> {
    let mut batch = Batch::default();
    let mut failed = None;
    past_damage(damaged, &mut |key, value| {
        if key != keys::META && key != keys::COMMITS && failed.is_none() {
            batch.put(key.to_vec(), value.to_vec());
            failed = new.fill_up(&mut batch).err();
        }
    });
    failed.map_or(Ok(()), Err)?;
    new.fill(&mut batch)?;
    Ok(past_damage(new.rows(), &mut |_, _| {}))
}

/// Ends each session where its damage begins.
fn settle(
    new: &mut NewStore<'_>,
    found: Counted,
    fold: &mut impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
) -> Result<Sessions, OpenError> {
    let whole = found.whole();
    let mut sessions = Sessions { whole, shortened: Vec::new(), lost: Vec::new(), archived: 0 };
    for session in found.damaged {
        let lines = first_lines(new.rows(), session);
        let head = fold(session, &lines);
        let kept = if head.is_some() { EventId(lines.len() as u64) } else { EventId::ZERO };
        let mut batch = Batch::default();
        new.keys(&keys::events_after(session, kept))?.into_iter().for_each(|key| batch.remove(key));
        batch.remove(keys::pruned(session));
        match head {
            Some(head) => {
                put(&mut batch, keys::head(session), &head_bytes(&head)?);
                sessions.shortened.push(session);
            }
            None => {
                batch.remove(keys::head(session));
                sessions.lost.push(session);
            }
        }
        new.fill(&mut batch)?;
    }
    Ok(sessions)
}

/// Takes each ended session from its archive that is not there to its end.
fn add_archived(
    new: &mut NewStore<'_>,
    dir: &Path,
    mut sessions: Sessions,
    fold: &mut impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
) -> Result<Sessions, OpenError> {
    let files = BlobFiles::in_dir(dir);
    let kept = files.list().map_err(OpenError::io("looking through the blobs of", dir))?;
    let kept = kept.into_iter().collect();
    let archives = archives_in(dir);
    for path in entries(&archives).map_err(OpenError::io("looking through", &archives))? {
        let Some(session) = archive_session(&path) else { continue };
        let head = intact_row(new.rows(), &keys::head(session));
        let head = head.and_then(|bytes| Head::from_bytes(&bytes).ok());
        let erased = intact_row(new.rows(), &keys::tombstone(session)).is_some();
        if erased || head.as_ref().is_some_and(|head| head.ended) {
            continue;
        }
        // One that is damaged as well is named among the lost, if the store knows of it.
        let Ok(rows) = rebuild_session(session, &path, &files, &kept, fold) else { continue };
        let mut batch = Batch::default();
        let events = new.keys(&keys::events_after(session, EventId::ZERO))?;
        events.into_iter().for_each(|key| batch.remove(key));
        new.fill(&mut batch)?;
        batch = rows;
        new.fill(&mut batch)?;
        let known = sessions.shortened.len() + sessions.lost.len();
        sessions.shortened.retain(|other| *other != session);
        sessions.lost.retain(|other| *other != session);
        let was_whole = head.is_some() && known == sessions.shortened.len() + sessions.lost.len();
        sessions.whole -= u64::from(was_whole);
        sessions.archived += 1;
    }
    Ok(sessions)
}

fn intact_row(rows: &dyn Backend, key: &[u8]) -> Option<Vec<u8>> {
    let value = rows.get(key).ok()??;
    unseal(key, &value).ok().map(<[u8]>::to_vec)
}

/// The lines of a session up to the first that is missing or damaged.
fn first_lines(rows: &dyn Backend, session: SessionId) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut prev = Hash::NONE;
    let mut next = EventId::ZERO.next();
    while let Ok(Some(value)) = rows.get(&keys::event(session, next)) {
        let Ok(line) = unseal(&keys::event(session, next), &value) else { break };
        let fits = EventRecord::from_bytes(line).is_ok_and(|record| record.prev_hash == prev);
        if !fits {
            break;
        }
        prev = Hash::of(line);
        next = next.next();
        lines.push(line.to_vec());
    }
    lines
}

fn read_blob(damaged: &dyn Backend, files: &BlobFiles, hash: Hash) -> Option<Vec<u8>> {
    let key = keys::blob(hash);
    let Some(value) = damaged.get(&key).ok()? else { return files.read(hash).ok()? };
    match BlobRow::parse(unseal(&key, &value).ok()?)? {
        BlobRow::Inline(bytes) => (Hash::of(bytes) == hash).then(|| bytes.to_vec()),
        BlobRow::File(_) => files.read(hash).ok()?,
    }
}
