//! redb, the second backend: it shows that the seam does not depend on sled.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use redb::{Database, ReadableDatabase, TableDefinition};

use super::{Backend, BackendError, Batch, Op, Visit, contained};
use crate::files::sync_dir;
use crate::options::Options;

const ROWS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("rows");

/// One redb database.
pub(crate) struct RedbBackend {
    db: Database,
}

impl RedbBackend {
    /// The name of the file without which there is no database.
    pub(crate) const FILE: &'static str = "store.redb";

    /// Opens or creates the database in the directory `path`.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Self, BackendError> {
        let cache_bytes = usize::try_from(options.cache_bytes).unwrap_or(usize::MAX);
        let file = path.join(Self::FILE);
        let db = contained(|| {
            let db = Database::builder().set_cache_size(cache_bytes).create(file)?;
            let transaction = db.begin_write()?;
            transaction.open_table(ROWS)?;
            transaction.commit()?;
            Ok(db)
        })?;
        sync_dir(path)?;
        Ok(Self { db })
    }
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
