//! Backups: one file that holds a whole store, and the two ways back.
//!
//! A backup consists of a line with its format, then entries (a letter, two lengths, a name,
//! bytes), then the SHA-256 of everything before it; a database of any backend can be filled from
//! it. A restore reads and checks the whole file before it touches anything. Both [`restore`] and
//! [`rebuild`] fill a new database beside the old one and switch to it by one rename. The old
//! database is put aside and never removed. People's own problems come along, which are no part of the
//! database ([`crate::packages`]).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use sha2::{Digest, Sha256};
use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, Hash, SessionId, StoreId};
use vosim_protocol::record::Head;
use vosim_protocol::trouble::{Location, cause};

use crate::archive::{archives_in, check_file, read_records};
use crate::backend::Batch;
use crate::blobs::{BlobFiles, BlobRow};
use crate::census::Census;
use crate::committer::{head_bytes, refer};
use crate::compact::{STEP_BYTES, leave_to_others};
use crate::data::Data;
use crate::error::{OpenError, StoreError};
use crate::files::{
    create, entries, is_inside, make_dir, open_at_once, parent, replace, trouble_at,
};
use crate::folder::archive_session;
use crate::keys;
use crate::new_store::NewStore;
use crate::options::Options;
use crate::packages::{self, Arriving, Packages};
use crate::read::Pruned;
use crate::sealed::{put, unseal};
use crate::snapshot::Snapshot;
use crate::store::Store;

const MAGIC: &[u8] = b"vosim-backup 5\n";
const ROW: u8 = b'k';
const BLOB_FILE: u8 = b'b';
const ARCHIVE: u8 = b'x';
const PACKAGE: u8 = b'p';
const END: u8 = b'z';
/// The size of what precedes an entry's name: letter, length of the name, length of the bytes.
const ENTRY_HEADER_BYTES: usize = 1 + 4 + 8;
/// The longest name of an entry.
const NAME_MAX_BYTES: u32 = 4 * 1024;
/// The most bytes of a row: a blob in the database with its header, and room for a larger one.
const ROW_MAX_BYTES: u64 = 1024 * 1024;

/// The result of a restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The new identity: cursors of the old store are meaningless in this one.
    pub store_id: StoreId,
    /// How many sessions were brought back.
    pub sessions: u64,
    /// Where the previous databases were put, if there were any.
    pub aside: Option<PathBuf>,
    /// What became of people's own problems.
    pub packages: Packages,
}

/// The result of a rebuild.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// The new identity.
    pub store_id: StoreId,
    /// How many sessions were brought back.
    pub sessions: u64,
    /// The exports that could not be used, and why.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Where the previous databases were put, if there were any.
    pub aside: Option<PathBuf>,
}

impl Store {
    /// Writes the whole store, as it is at this moment, into one file; blocks.
    ///
    /// Other writes go on meanwhile and are not in it. Damage found on the way is an error: a backup
    /// is always whole. It is never written over anything, nor into the store's own folder.
    pub fn backup(&self, path: &Path) -> Result<(), StoreError> {
        let data = self.data();
        if data.dir.as_ref().is_some_and(|dir| is_inside(path, dir)) {
            let shown = path.display();
            return Err(StoreError::invalid(format!("{shown} is in the store's own folder")));
        }
        make_dir(parent(path))
            .map_err(|error| StoreError::named("making the folder of", path, &error))?;
        let _one_at_a_time = data.backing_up.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = Arc::new(Snapshot::new());
        let read = Arc::clone(&snapshot);
        self.alone(move |committer| {
            committer.snapshot = Some(read);
            Ok(())
        })?;
        let written = data.back_up(&snapshot, path);
        self.alone(|committer| {
            committer.snapshot = None;
            Ok(())
        })?;
        written.and_then(|()| self.finish_deletions())
    }
}

impl Data {
    fn back_up(&self, snapshot: &Snapshot, path: &Path) -> Result<(), StoreError> {
        let mut fault = None;
        let written = create(path, |file| {
            let mut file = Hashing { inner: Paced::new(file), hasher: Sha256::new() };
            file.write_all(MAGIC)?;
            if let Err(error) = self.back_up_into(snapshot, &mut file, parent(path)) {
                fault = Some(error);
                return Err(io::Error::other("interrupted"));
            }
            let digest = file.hasher.clone().finalize();
            write_entry(&mut file, END, &digest, &[])
        });
        match (fault, written) {
            (Some(fault), _) => Err(fault),
            (None, written) => written.map_err(|error| StoreError::named("writing", path, &error)),
        }
    }

    /// Writes the entries into a file in `folder`.
    fn back_up_into(
        &self,
        snapshot: &Snapshot,
        file: &mut impl Write,
        folder: &Path,
    ) -> Result<(), StoreError> {
        let failed = |error: io::Error| StoreError::Io {
            doing: "writing the backup".to_owned(),
            reason: cause(&error).into(),
        };
        let unwritten = |error: io::Error| StoreError::Io {
            doing: "writing the backup".to_owned(),
            reason: trouble_at(Location::Named, &error, folder).to_string().into(),
        };
        let mut named = BTreeSet::new();
        while let Some(page) = snapshot.next_page(&*self.backend())? {
            self.stay_open()?;
            for (key, value) in page {
                // What is said of this database's own file is not true of a copy.
                if key == keys::COMMITS || key == keys::ERASED {
                    continue;
                }
                let bytes = unseal(&key, &value)
                    .map_err(|why| StoreError::unsealed(keys::describe(&key), &why))?;
                let is_file = matches!(BlobRow::parse(bytes), Some(BlobRow::File(_)));
                if is_file && keys::blobs().contains(&key) {
                    named.extend(keys::parse_hash(&key));
                }
                write_entry(file, ROW, &key, &value).map_err(unwritten)?;
            }
        }
        // Archiving copies all blobs of a session into files.
        if let Some(files) = &self.files {
            let copies: BTreeSet<_> = files.list().map_err(failed)?.into_iter().collect();
            for &hash in named.union(&copies) {
                self.stay_open()?;
                match files.read(hash)? {
                    Some(bytes) => {
                        write_entry(file, BLOB_FILE, &hash.0, &bytes).map_err(unwritten)?;
                    }
                    None if named.contains(&hash) => {
                        self.check_there()?;
                        let what = format!("blob {hash}");
                        return Err(StoreError::damaged(what, "its file is missing"));
                    }
                    // The write that brought it was refused.
                    None => {}
                }
            }
        }
        let Some(dir) = &self.dir else { return Ok(()) };
        for path in entries(&archives_in(dir)).map_err(failed)? {
            self.stay_open()?;
            if let Some(session) = archive_session(&path) {
                let bytes = std::fs::read(&path).map_err(failed)?;
                write_entry(file, ARCHIVE, session.0.as_bytes(), &bytes).map_err(unwritten)?;
            }
        }
        for (name, path) in packages::files(dir).map_err(failed)? {
            self.stay_open()?;
            let bytes = std::fs::read(&path).map_err(failed)?;
            write_entry(file, PACKAGE, name.as_bytes(), &bytes).map_err(unwritten)?;
        }
        Ok(())
    }

    /// Returns an error once the store is being closed.
    fn stay_open(&self) -> Result<(), StoreError> {
        if self.closing.load(Ordering::Relaxed) { Err(StoreError::Closed) } else { Ok(()) }
    }
}

/// A file that reaches the disk a little at a time, so that the syncs of others never wait for all of
/// it.
struct Paced<'a> {
    file: &'a mut BufWriter<File>,
    unsynced: usize,
}

impl<'a> Paced<'a> {
    fn new(file: &'a mut BufWriter<File>) -> Self {
        Self { file, unsynced: 0 }
    }
}

impl Write for Paced<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.unsynced += written;
        if self.unsynced >= STEP_BYTES {
            self.unsynced = 0;
            let begun = Instant::now();
            self.file.flush()?;
            self.file.get_ref().sync_data()?;
            leave_to_others(begun);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Restores a backup into a data directory and puts aside whatever is there now.
///
/// Take the [`crate::Lock`] first; no store may be open. The store gets a new identity.
pub fn restore(backup: &Path, dir: &Path, options: &Options) -> Result<Restored, OpenError> {
    let sessions = check_backup(backup)?;
    let mut arriving = Arriving::begin(dir);
    let mut new = NewStore::begin(dir, options)?;
    let files = BlobFiles::in_dir(dir);
    let mut batch = Batch::default();
    let filled = read_backup(backup, &mut |letter, name, bytes| {
        match (letter, keys::parse_hash(name), keys::parse_session(name)) {
            (PACKAGE, ..) => {
                if let Some(name) = packages::checked(name) {
                    arriving.take(name, bytes)?;
                }
            }
            (ROW, ..) if name == keys::META => {}
            (ROW, ..) => {
                batch.put(name.to_vec(), read_row(bytes).map_err(torn(backup))?);
                new.fill_up(&mut batch)?;
            }
            (BLOB_FILE, Some(hash), _) => files.copy(hash, bytes)?,
            (ARCHIVE, _, Some(session)) => write_archive(&new.path(), session, bytes)?,
            _ => {}
        }
        Ok(())
    });
    if let Err(error) = filled.and_then(|()| new.fill(&mut batch)) {
        new.give_up();
        arriving.give_up()?;
        return Err(error);
    }
    // Before the store changes: a crash in between leaves the old one, with problems that do no harm.
    let packages = arriving.finish()?;
    let (store_id, aside) = new.put_in_force()?;
    Ok(Restored { store_id, sessions, aside, packages })
}

/// Reads a whole backup, checks every row, blob and archive in it, and returns the number of its
/// sessions. No more than one row, or one line, is in memory at a time.
pub fn check_backup(backup: &Path) -> Result<u64, OpenError> {
    let mut census = Census::default();
    let mut files = HashSet::new();
    let mut archives = HashMap::new();
    read_backup(backup, &mut |letter, name, bytes| {
        let failed = torn(backup);
        match letter {
            ROW => {
                let value = read_row(bytes).map_err(failed)?;
                census.row(name, &value);
            }
            BLOB_FILE => match keys::parse_hash(name) {
                Some(hash) if hash_of(bytes).map_err(failed)? == hash => {
                    files.insert(hash);
                }
                _ => census.unreadable("a blob has other bytes than its name".to_owned()),
            },
            ARCHIVE => match keys::parse_session(name) {
                Some(session) => match check_archive(session, bytes).map_err(failed)? {
                    Ok(mark) => drop(archives.insert(session, mark)),
                    Err(why) => census.unreadable(why),
                },
                None => census.unreadable("an archive is of no session".to_owned()),
            },
            PACKAGE if packages::checked(name).is_some() => {}
            PACKAGE => census.unreadable("a problem's file has an impossible name".to_owned()),
            _ => census.unreadable("an entry is of an unknown kind".to_owned()),
        }
        Ok(())
    })?;
    let counted =
        census.count(|hash| files.contains(&hash), |id, mark| archives.get(&id) == Some(&mark));
    match counted.faults.into_iter().next() {
        None => Ok(counted.sessions),
        Some(reason) => Err(OpenError::BadBackup { path: backup.to_owned(), reason }),
    }
}

/// Reads a row, which is small whatever its entry says.
fn read_row(bytes: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut value = Vec::new();
    bytes.take(ROW_MAX_BYTES + 1).read_to_end(&mut value)?;
    if value.len() as u64 > ROW_MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a row has an impossible length"));
    }
    Ok(value)
}

fn hash_of(bytes: &mut dyn Read) -> io::Result<Hash> {
    let mut bytes = Hashing { inner: bytes, hasher: Sha256::new() };
    io::copy(&mut bytes, &mut io::sink())?;
    Ok(Hash(bytes.hasher.finalize().into()))
}

/// Checks an archive and returns what the database remembers of it, or the reason why it is none.
fn check_archive(session: SessionId, bytes: &mut dyn Read) -> io::Result<Result<Pruned, String>> {
    let named = |why: String| format!("the archive of session {session} has been changed at {why}");
    Ok(match check_file(bytes, &mut |_| {})? {
        Ok(closing) if closing.session_id != session => {
            Err(format!("the archive of session {session} is of another session"))
        }
        Ok(closing) => Ok(Pruned { cursor: EventId(closing.records), last: closing.head }),
        Err(broken) => Err(named(broken.to_string())),
    })
}

/// Builds a store from the archived sessions alone, the last resort where there is no backup.
///
/// `fold` is the engine's and turns the lines of one session into its head. A blob comes back if
/// the log names it and archiving has left it as a file. Take the [`crate::Lock`] first.
pub fn rebuild(
    dir: &Path,
    options: &Options,
    mut fold: impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
) -> Result<Rebuilt, OpenError> {
    let mut new = NewStore::begin(dir, options)?;
    let found = each_archived(dir, &mut fold, &mut |mut batch| new.fill(&mut batch));
    let (sessions, unreadable) = match found {
        Ok(found) => found,
        Err(error) => {
            new.give_up();
            return Err(error);
        }
    };
    let (store_id, aside) = new.put_in_force()?;
    Ok(Rebuilt { store_id, sessions, unreadable, aside })
}

/// Returns how many sessions [`rebuild`] would bring back, by reading all archives; changes nothing.
pub fn check_archives(
    dir: &Path,
    mut fold: impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
) -> Result<u64, OpenError> {
    each_archived(dir, &mut fold, &mut |_| Ok(())).map(|(sessions, _)| sessions)
}

/// The files that cannot be used, each with the reason.
type Unusable = Vec<(PathBuf, String)>;

/// Reads all archives one after the other; without any that can be used it is an error.
fn each_archived(
    dir: &Path,
    fold: &mut impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
    found: &mut dyn FnMut(Batch) -> Result<(), OpenError>,
) -> Result<(u64, Unusable), OpenError> {
    let files = BlobFiles::in_dir(dir);
    let kept: HashSet<Hash> = files
        .list()
        .map_err(OpenError::io("looking through the blobs of", dir))?
        .into_iter()
        .collect();
    let archives = archives_in(dir);
    let mut unreadable = Unusable::new();
    let mut sessions = 0;
    for path in entries(&archives).map_err(OpenError::io("looking through", &archives))? {
        let Some(session) = archive_session(&path) else { continue };
        match rebuild_session(session, &path, &files, &kept, fold) {
            Ok(batch) => {
                found(batch)?;
                sessions += 1;
            }
            Err(reason) => unreadable.push((path, reason)),
        }
    }
    if sessions > 0 {
        return Ok((sessions, unreadable));
    }
    let reason = match unreadable.first() {
        Some((path, reason)) => format!("{} cannot be used: {reason}", path.display()),
        None => "there are no exports of ended sessions".to_owned(),
    };
    Err(OpenError::NoArchives { dir: archives, reason })
}

/// What a session needs in a new store to be read from its archive.
pub(crate) fn rebuild_session(
    session: SessionId,
    path: &Path,
    files: &BlobFiles,
    kept: &HashSet<Hash>,
    fold: &mut impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
) -> Result<Batch, String> {
    let (lines, closing) = read_records(session, path).map_err(|error| error.to_string())?;
    let head = fold(session, &lines).ok_or_else(|| "its events make no session".to_owned())?;
    if !head.ended {
        return Err("its session had not ended".to_owned());
    }
    let mut batch = Batch::default();
    let mark = Pruned { cursor: EventId(closing.records), last: closing.head };
    put(&mut batch, keys::pruned(session), &mark.to_line());
    let head = head_bytes(&head).map_err(|error| error.to_string())?;
    put(&mut batch, keys::head(session), &head);
    for hash in hashes_in(&lines).into_iter().filter(|hash| kept.contains(hash)) {
        if let Some(bytes) = files.read(hash).map_err(|error| error.to_string())? {
            put(&mut batch, keys::blob(hash), &BlobRow::File(bytes.len() as u64).to_bytes());
            refer(&mut batch, session, hash);
        }
    }
    Ok(batch)
}

/// Finds every hash that is spelled out in the lines.
fn hashes_in(lines: &[Vec<u8>]) -> HashSet<Hash> {
    const PREFIX: &str = "sha256:";
    let texts = lines.iter().filter_map(|line| std::str::from_utf8(line).ok());
    texts
        .flat_map(|text| text.match_indices(PREFIX).map(move |(at, _)| &text[at..]))
        .filter_map(|rest| rest.get(..PREFIX.len() + 64)?.parse().ok())
        .collect()
}

fn write_archive(
    database: &Path,
    session: SessionId,
    bytes: &mut dyn Read,
) -> Result<(), OpenError> {
    let path = archives_in(database).join(format!("{session}.jsonl"));
    make_dir(parent(&path)).map_err(OpenError::io("making the folder of", &path))?;
    let copied = replace(&path, |file| io::copy(bytes, file).map(drop));
    copied.map_err(OpenError::io("writing", &path))
}

fn write_entry(file: &mut impl Write, letter: u8, name: &[u8], bytes: &[u8]) -> io::Result<()> {
    let name_len = u32::try_from(name.len()).map_err(io::Error::other)?;
    file.write_all(&[letter])?;
    file.write_all(&name_len.to_be_bytes())?;
    file.write_all(&(bytes.len() as u64).to_be_bytes())?;
    file.write_all(name)?;
    file.write_all(bytes)
}

type Visit<'a> = dyn FnMut(u8, &[u8], &mut dyn Read) -> Result<(), OpenError> + 'a;

/// Returns what a failed read of a backup means.
fn torn(path: &Path) -> impl Fn(io::Error) -> OpenError {
    let path = path.to_owned();
    move |error| {
        let reason = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is cut short".to_owned(),
            io::ErrorKind::InvalidData => error.to_string(),
            _ => return OpenError::io("reading", &path)(error),
        };
        OpenError::BadBackup { path: path.clone(), reason }
    }
}

/// Opens a backup. Anything but a regular file could make whoever reads it wait for ever.
fn open_backup(path: &Path) -> Result<File, OpenError> {
    let file = open_at_once(path).map_err(OpenError::io("opening", path))?;
    if file.metadata().map_err(OpenError::io("reading", path))?.is_file() {
        return Ok(file);
    }
    let reason = "it is not a regular file".to_owned();
    Err(OpenError::BadBackup { path: path.to_owned(), reason })
}

/// Reads a backup to its end and checks that it is complete and unchanged.
///
/// What a visit leaves of an entry's bytes is read here.
fn read_backup(path: &Path, visit: &mut Visit<'_>) -> Result<(), OpenError> {
    let bad =
        |reason: &str| OpenError::BadBackup { path: path.to_owned(), reason: reason.to_owned() };
    let torn = torn(path);
    let mut file = Hashing { inner: BufReader::new(open_backup(path)?), hasher: Sha256::new() };
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic).map_err(&torn)?;
    if magic != MAGIC {
        return Err(bad("it does not begin as one of this version does"));
    }
    loop {
        let so_far = file.hasher.clone().finalize();
        let mut header = [0; ENTRY_HEADER_BYTES];
        file.read_exact(&mut header).map_err(&torn)?;
        let [letter, a, b, c, d, bytes_len @ ..] = header;
        let name_len = u32::from_be_bytes([a, b, c, d]);
        // A flipped bit in a length must not lead to an allocation of that size.
        if name_len > NAME_MAX_BYTES {
            return Err(bad("an entry has an impossible length"));
        }
        let mut name = vec![0; name_len as usize];
        file.read_exact(&mut name).map_err(&torn)?;
        if letter == END {
            let is_last = bytes_len == [0; 8] && file.read(&mut [0]).map_err(&torn)? == 0;
            let whole = is_last && name == so_far[..];
            return if whole { Ok(()) } else { Err(bad("its checksum does not fit")) };
        }
        let mut bytes = (&mut file).take(u64::from_be_bytes(bytes_len));
        visit(letter, &name, &mut bytes)?;
        io::copy(&mut bytes, &mut io::sink()).map_err(&torn)?;
        if bytes.limit() > 0 {
            return Err(bad("it is cut short"));
        }
    }
}

/// A reader or writer that hashes what passes through it.
struct Hashing<T> {
    inner: T,
    hasher: Sha256,
}

impl<T: Write> Write for Hashing<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Hashing<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}
