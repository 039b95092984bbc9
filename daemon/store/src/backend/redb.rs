//! redb, the second backend: it shows that the seam does not depend on sled.

mod overlay;
pub(crate) mod pages;

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use redb::{Builder, Database, ReadableDatabase, TableDefinition};

use super::{Backend, BackendError, Batch, Looked, Op, Visit, contained};
use crate::files::sync_dir;
use crate::keys;
use crate::options::{BackendKind, Options};
use crate::sealed::unseal;
use crate::tally::Mark;

use self::overlay::Overlay;

const ROWS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("rows");

/// One redb database.
pub(crate) struct RedbBackend {
    db: Database,
}

impl RedbBackend {
    /// Opens or creates the database in the directory `path`.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Self, BackendError> {
        let file = path.join(BackendKind::Redb.file());
        let db = contained(|| {
            let db = builder(options).create(file)?;
            let transaction = db.begin_write()?;
            transaction.open_table(ROWS)?;
            transaction.commit()?;
            Ok(db)
        })?;
        sync_dir(path)?;
        Ok(Self { db })
    }

    /// Looks at the database in a directory: opens it over its file without writing there, and reads
    /// what every start reads.
    pub(crate) fn look(path: &Path, options: &Options) -> Result<Looked, BackendError> {
        let overlay = Overlay::over(&path.join(BackendKind::Redb.file()))?;
        let mut looked = Looked::default();
        match contained(|| Ok(Self { db: builder(options).create_with_backend(overlay)? })) {
            Ok(backend) => backend.read_what_a_start_reads(&mut looked),
            Err(BackendError::InUse) => return Err(BackendError::InUse),
            Err(error) => looked.doubt(error.to_string()),
        }
        Ok(looked)
    }

    fn read_what_a_start_reads(&self, looked: &mut Looked) {
        let about_itself = keys::META.to_vec()..[keys::META, &[u8::MAX]].concat();
        for range in [about_itself, keys::heads()] {
            let scanned = self.scan(&range.start..&range.end, &mut |key, value| {
                match unseal(key, value) {
                    Ok(bytes) if key == keys::COMMITS => match Mark::parse(bytes) {
                        Some(mark) => {
                            looked.whole = mark.commits;
                            looked.store = Some(mark.store);
                        }
                        None => looked.doubt("its count of commits is damaged".to_owned()),
                    },
                    Ok(_) => {}
                    Err(why) => looked.doubt(format!("{}: {why}", keys::describe(key))),
                }
                ControlFlow::Continue(())
            });
            if let Err(error) = scanned {
                looked.doubt(error.to_string());
            }
        }
    }
}

fn builder(options: &Options) -> Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(usize::try_from(options.cache_bytes).unwrap_or(usize::MAX));
    builder
}

impl Backend for RedbBackend {
    fn commit(&self, batch: Batch) -> Result<(), BackendError> {
        contained(|| {
            let transaction = self.db.begin_write()?;
            {
                let mut rows = transaction.open_table(ROWS)?;
                for op in &batch.ops {
                    match op {
                        Op::Put(key, value) => drop(rows.insert(&**key, &**value)?),
                        Op::Remove(key) => drop(rows.remove(&**key)?),
                    }
                }
            }
            transaction.commit()?;
            Ok(())
        })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        contained(|| {
            let rows = self.db.begin_read()?.open_table(ROWS)?;
            Ok(rows.get(key)?.map(|value| value.value().to_vec()))
        })
    }

    fn scan(&self, range: Range<&[u8]>, visit: &mut Visit<'_>) -> Result<(), BackendError> {
        contained(|| {
            let rows = self.db.begin_read()?.open_table(ROWS)?;
            for entry in rows.range(range)? {
                let (key, value) = entry?;
                if visit(key.value(), value.value()).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn last_key(&self, range: Range<&[u8]>) -> Result<Option<Vec<u8>>, BackendError> {
        contained(|| {
            let rows = self.db.begin_read()?.open_table(ROWS)?;
            let last = rows.range(range)?.next_back().transpose()?;
            Ok(last.map(|(key, _)| key.value().to_vec()))
        })
    }
}

impl fmt::Debug for RedbBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedbBackend").finish_non_exhaustive()
    }
}

macro_rules! from_redb {
    ($($error:ty),*) => {
        $(impl From<$error> for BackendError {
            fn from(error: $error) -> Self {
                match redb::Error::from(error) {
                    redb::Error::DatabaseAlreadyOpen => Self::InUse,
                    redb::Error::Io(error) => Self::Io(error),
                    redb::Error::Corrupted(reason) => Self::Damaged(reason),
                    other => Self::Failed(other.to_string()),
                }
            }
        })*
    };
}

from_redb!(
    redb::DatabaseError,
    redb::TransactionError,
    redb::TableError,
    redb::StorageError,
    redb::CommitError
);
