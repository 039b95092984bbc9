//! [`Snapshot`]: the rows of the store as they were at one moment, read while others write.
//!
//! The committer notes what a row was before it changes it, and a reader that has not come that far
//! takes what was noted instead of what it finds. So nobody waits, and memory holds no more than what
//! has been changed ahead of the reader. Files are not noted: none that a row names is removed while
//! there is a snapshot.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::backend::{Backend, BackendError, Batch, Op};
use crate::keys;

/// About how many bytes are read at a time.
const PAGE_BYTES: usize = 256 * 1024;

/// A key and its value.
pub(crate) type Row = (Vec<u8>, Vec<u8>);

/// The rows of one moment, which are read once, in order.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    /// The first key that has not been read yet; `None` once all have been.
    from: Option<Vec<u8>>,
    /// What rows that have not been read yet were before they were changed, if they were there.
    before: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// Why a row could not be noted.
    fault: Option<BackendError>,
}

impl Snapshot {
    pub(crate) fn new() -> Self {
        let from = Some(keys::everything().start);
        Self { rows: Mutex::new(Rows { from, ..Rows::default() }) }
    }

    /// Notes the rows that a batch is about to change.
    pub(crate) fn note(&self, backend: &dyn Backend, batch: &Batch) {
        let mut rows = self.rows();
        for key in batch.ops.iter().map(Op::key) {
            let ahead = rows.from.as_ref().is_some_and(|from| **from <= *key);
            if !ahead || rows.before.contains_key(key) {
                continue;
            }
            match backend.get(key) {
                Ok(value) => drop(rows.before.insert(key.to_vec(), value)),
                // The reader is told; the commit goes on.
                Err(error) => drop(rows.fault.get_or_insert(error)),
            }
        }
    }

    /// Reads the next rows; `None` after the last. A page may be empty.
    pub(crate) fn next_page(
        &self,
        backend: &dyn Backend,
    ) -> Result<Option<Vec<Row>>, BackendError> {
        let Some(from) = self.rows().from.clone() else { return Ok(None) };
        let end = keys::everything().end;
        let mut page = BTreeMap::new();
        let (mut bytes, mut last) = (0, None);
        backend.scan(&from..&end, &mut |key, value| {
            bytes += key.len() + value.len();
            page.insert(key.to_vec(), value.to_vec());
            if bytes < PAGE_BYTES {
                return ControlFlow::Continue(());
            }
            last = Some(key.to_vec());
            ControlFlow::Break(())
        })?;
        // What was changed meanwhile had been noted before.
        let mut rows = self.rows();
        if let Some(error) = rows.fault.take() {
            return Err(error);
        }
        let to = last.as_ref().map_or(Bound::Unbounded, Bound::Included);
        for (key, value) in rows.before.range::<Vec<u8>, _>((Bound::Included(&from), to)) {
            match value {
                Some(value) => drop(page.insert(key.clone(), value.clone())),
                None => drop(page.remove(key)),
            }
        }
        rows.from = last.map(|last| [&last[..], &[0]].concat());
        rows.before = match rows.from.clone() {
            Some(from) => rows.before.split_off(&from),
            None => BTreeMap::new(),
        };
        Ok(Some(page.into_iter().collect()))
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::backend::memory::MemoryBackend;

    const LONG: usize = PAGE_BYTES / 3;

    /// Changes a row of a few, to nothing or to a value of its own.
    fn change(backend: &MemoryBackend, snapshot: Option<&Snapshot>, row: u8, value: Option<u8>) {
        let mut batch = Batch::default();
        match value {
            Some(value) => batch.put(vec![row], vec![value; LONG]),
            None => batch.remove(vec![row]),
        }
        snapshot.inspect(|snapshot| snapshot.note(backend, &batch));
        backend.commit(batch).unwrap();
    }

    proptest! {
        #[test]
        fn what_is_changed_while_a_snapshot_is_read_is_not_seen_in_it(
            before in prop::collection::vec((0..30u8, any::<Option<u8>>()), 0..60),
            during in prop::collection::vec((0..30u8, any::<Option<u8>>(), any::<bool>()), 0..60),
        ) {
            let backend = MemoryBackend::default();
            before.into_iter().for_each(|(row, value)| change(&backend, None, row, value));
            let mut expected = Vec::new();
            let everything = keys::everything();
            backend.scan(&everything.start..&everything.end, &mut |key, value| {
                expected.push((key.to_vec(), value.to_vec()));
                ControlFlow::Continue(())
            }).unwrap();
            let snapshot = Snapshot::new();
            let mut read = Vec::new();
            for (row, value, turn) in during {
                change(&backend, Some(&snapshot), row, value);
                if turn {
                    read.extend(snapshot.next_page(&backend).unwrap().into_iter().flatten());
                }
            }
            while let Some(page) = snapshot.next_page(&backend).unwrap() {
                read.extend(page);
            }
            prop_assert!(read == expected, "{} rows instead of {}", read.len(), expected.len());
        }
    }
}
