//! Before a database is opened: may it write?
//!
//! Opening a database lets it mend its file, and what it takes for the end of an interrupted write is
//! gone then. So its file is first looked through without writing. Where there is a doubt, a copy is
//! opened instead and every row of it looked at. A copy that lacks nothing takes the database's
//! place; else the copy is removed, and the store is refused with every byte as it was.

use std::cell::Cell;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::statvfs::statvfs;

use crate::backend::sled::log;
use crate::backend::{Backend, Looked};
use crate::error::OpenError;
use crate::files::{bytes_on_disk, sync_dir};
use crate::folder;
use crate::manifest::{self, Manifest, next_database};
use crate::options::{BackendKind, Options};
use crate::salvage::{Intact, more_in_pages};
use crate::tally::{Witnessed, counted, witnessed};

/// Where a copy is looked at; whatever a crash has left there is worthless.
const SCRATCH: &str = "checking";
/// How much room a database needs to be opened: a segment, a snapshot and something to spare.
const OPENING_BYTES: u64 = 4 * 1024 * 1024;
/// How long to wait for a lock that is held, and how long between two attempts: a database of this
/// process may be open a little longer than its last handle lives.
const FREE_WITHIN: Duration = Duration::from_millis(750);
const FREE_STEP: Duration = Duration::from_millis(10);

/// Why a database may not simply be opened.
#[derive(Debug)]
struct Doubt {
    why: String,
    /// How many commits it must hold to have lost nothing.
    commits: u64,
    /// Whether its last commit could be lost without a witness to say so.
    unwitnessed: bool,
    looked: Looked,
}

/// Returns the manifest of the database that may be opened, which is the live one or a copy of it
/// that has just taken its place.
pub(crate) fn settle(
    dir: &Path,
    live: &Manifest,
    options: &Options,
) -> Result<Manifest, OpenError> {
    let doubt =
        wait_until_free(dir, &live.file(dir)).and_then(|_held| doubt(dir, live, options))?;
    let Some(doubt) = doubt else {
        check_room(dir, OPENING_BYTES)?;
        return Ok(live.clone());
    };
    tracing::warn!(reason = doubt.why, "the database is looked at more closely");
    let copy = Copy::make(dir, live)?;
    let lost = |rows: &dyn Backend| doubt.commits.saturating_sub(counted(rows).unwrap_or(0));
    let opened = match copy.open(dir, live, options, &doubt.looked) {
        Err(error @ OpenError::NoRoom { .. }) => return Err(error),
        opened => opened.ok(),
    };
    let intact = opened.as_deref().map(Intact::of).unwrap_or_default();
    if let Some(rows) = opened.as_deref() {
        let belongs = manifest::store_of(rows);
        if belongs.as_ref().is_ok_and(|store| *store != live.store_id) {
            return Err(OpenError::unreadable(dir, "the database belongs to another store"));
        }
        let whole = intact.found.faults.is_empty() && !copy.is_cut();
        if whole && belongs.is_ok() && lost(rows) == 0 && !doubt.unwitnessed {
            drop(opened);
            return copy.adopt(dir, live);
        }
    }
    // As much as a rescue would bring back.
    let in_pages = more_in_pages(dir, live, &intact)?;
    let rows = in_pages.as_ref().map(|(rows, _)| rows as &dyn Backend).or(opened.as_deref());
    let lost = rows.map_or(0, lost);
    let found = in_pages.map_or(intact.found, |(_, intact)| intact.found);
    Err(OpenError::Damaged {
        dir: dir.to_owned(),
        reason: doubt.why,
        whole: found.whole(),
        sessions: found.sessions,
        lost,
    })
}

/// Whether the store of a data directory can be opened without any doubt. Nothing is changed.
pub fn is_sound(dir: &Path, options: &Options) -> bool {
    let live = Manifest::read(dir).ok().flatten().filter(|live| live.complete);
    live.is_some_and(|live| {
        live.file(dir).is_file() && doubt(dir, &live, options).is_ok_and(|doubt| doubt.is_none())
    })
}

fn doubt(dir: &Path, live: &Manifest, options: &Options) -> Result<Option<Doubt>, OpenError> {
    let path = live.database_path(dir);
    let looked = manifest::look(dir, live, options)?;
    let Looked { whole, behind, store, torn, .. } = looked;
    if store.is_some_and(|store| store != live.store_id) {
        return Err(OpenError::unreadable(dir, "the database belongs to another store"));
    }
    let witness = witnessed(&path);
    let commits = promised(witness, behind);
    let length = fs::metadata(live.file(dir)).map_or(0, |metadata| metadata.len());
    // redb gives room back when it is closed, which no witness sees.
    let shrinks = live.backend == BackendKind::Redb;
    let why = if let Some(why) = &looked.doubt {
        why.clone()
    } else if commits > whole {
        "its log ends too early".to_owned()
    } else if witness.is_none() {
        "its count of commits is missing".to_owned()
    } else if !shrinks && witness.is_some_and(|witness| witness.bytes > length) {
        "its file has become shorter".to_owned()
    } else {
        return Ok(None);
    };
    Ok(Some(Doubt { why, commits, unwitnessed: witness.is_none() && torn, looked }))
}

/// How many commits a database must hold to have lost nothing, by its witness and by the highest
/// count that was found behind a damaged place.
pub(crate) fn promised(witness: Option<Witnessed>, behind: u64) -> u64 {
    // The last commit behind a damaged place may have been under way and promised to nobody.
    let behind = behind.saturating_sub(1);
    witness.map_or(behind, |witness| witness.commits.max(behind))
}

/// Returns the database's file, locked for reading, once nobody else has it open.
fn wait_until_free(dir: &Path, file: &Path) -> Result<File, OpenError> {
    let opened = File::open(file).map_err(OpenError::io("opening", file))?;
    let until = Instant::now() + FREE_WITHIN;
    loop {
        match opened.try_lock_shared() {
            Ok(()) => return Ok(opened),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                thread::park_timeout(FREE_STEP);
            }
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse { dir: dir.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(OpenError::io("locking", file)(error)),
        }
    }
}

fn check_room(dir: &Path, needed_bytes: u64) -> Result<(), OpenError> {
    let stat = statvfs(dir).map_err(|errno| OpenError::io("asking", dir)(errno.into()))?;
    let free_bytes = stat.blocks_available() * stat.fragment_size();
    if free_bytes < needed_bytes {
        return Err(OpenError::NoRoom { dir: dir.to_owned(), free_bytes, needed_bytes });
    }
    Ok(())
}

/// A copy of a database, which is removed unless it is adopted.
#[derive(Debug)]
pub(crate) struct Copy {
    path: PathBuf,
    cut: Cell<bool>,
}

impl Copy {
    /// Copies a database, which shares the bytes where the file system can do that.
    pub(crate) fn make(dir: &Path, of: &Manifest) -> Result<Self, OpenError> {
        let (path, database) = (dir.join(SCRATCH), of.database_path(dir));
        clear(&path, of)?;
        let bytes = bytes_on_disk(&database).map_err(OpenError::io("measuring", &database))?;
        check_room(dir, bytes + OPENING_BYTES)?;
        let copy = Self { path, cut: Cell::new(false) };
        folder::copy(&database, &copy.path, of.store_id)
            .map_err(OpenError::io("copying", &database))?;
        Ok(copy)
    }

    /// Opens the copy. One that cannot be opened with the damage in it ends where that begins.
    pub(crate) fn open(
        &self,
        dir: &Path,
        of: &Manifest,
        options: &Options,
        looked: &Looked,
    ) -> Result<Arc<dyn Backend>, OpenError> {
        let open = || manifest::open_backend(dir, of.backend, &self.path, options);
        let opened = open();
        let Some(damaged_at) = looked.damaged_at.filter(|_| opened.is_err()) else { return opened };
        self.cut.set(true);
        folder::remove(&self.path)?;
        let database = of.database_path(dir);
        folder::copy(&database, &self.path, of.store_id)
            .and_then(|()| log::cut(&self.path, of.backend.file(), damaged_at))
            .map_err(OpenError::io("copying", &database))?;
        open()
    }

    /// Whether something was left out so that the copy could be opened.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut.get()
    }

    /// Puts the copy in the place of the database that it was made of.
    fn adopt(self, dir: &Path, live: &Manifest) -> Result<Manifest, OpenError> {
        let name = next_database(dir).map_err(OpenError::io("looking through", dir))?;
        let adopted = Manifest { database: name, ..live.clone() };
        let path = adopted.database_path(dir);
        fs::rename(&self.path, &path).map_err(OpenError::io("renaming", &self.path))?;
        sync_dir(dir).map_err(OpenError::io("syncing", dir))?;
        folder::make(&path, live.store_id, None).map_err(OpenError::io("writing into", &path))?;
        adopted.write(dir).map_err(OpenError::io("writing the manifest of", dir))?;
        tracing::info!("nothing was missing; a copy of the database takes its place");
        Ok(adopted)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // A copy that was adopted is no longer there; any other is removed by the next look.
        drop(folder::remove(&self.path));
    }
}

/// Makes room for a copy. Somebody's own folder stays where it is.
fn clear(path: &Path, of: &Manifest) -> Result<(), OpenError> {
    if folder::is_of(path, of.store_id) {
        folder::remove(path)?;
    }
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(_) => Err(OpenError::io("copying the database into", path)(
            io::ErrorKind::AlreadyExists.into(),
        )),
        Err(error) => Err(OpenError::io("looking at", path)(error)),
    }
}
