//! The backend of tests: a sorted map in memory, in which nothing is durable.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};

use super::{Backend, BackendError, Batch, Op, Visit};

/// Rows in memory.
#[derive(Debug, Default)]
pub struct MemoryBackend {
    rows: RwLock<BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl Backend for MemoryBackend {
    fn commit(&self, batch: Batch) -> Result<(), BackendError> {
        let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        for op in batch.ops {
            match op {
                Op::Put(key, value) => drop(rows.insert(key, value)),
                Op::Remove(key) => drop(rows.remove(&key)),
            }
        }
        Ok(())
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        Ok(self.rows.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned())
    }

    fn scan(&self, range: Range<&[u8]>, visit: &mut Visit<'_>) -> Result<(), BackendError> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        for (key, value) in rows.range(range.start.to_vec()..range.end.to_vec()) {
            if visit(key, value).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn last_key(&self, range: Range<&[u8]>) -> Result<Option<Vec<u8>>, BackendError> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        Ok(rows.range(range.start.to_vec()..range.end.to_vec()).next_back().map(|(k, _)| k.clone()))
    }
}
