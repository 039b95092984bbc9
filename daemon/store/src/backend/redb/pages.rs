//! The rows that stand in the pages of a redb file, for one that redb cannot open.
//!
//! ```text
//! kind 1, unused 1, number of rows 2 | end of each key 4 … | end of each value 4 … | keys | values
//! ```
//! Numbers are little-endian, ends count from the page's beginning, and a page begins where one may.
//! Nothing says which pages are in force: among them are older ones that were replaced since, and
//! bytes that only look like a page. What is found is therefore worth no more than its own checksum.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// The size at whose multiples a page may begin.
const PAGE_BYTES: usize = 4096;
/// The most bytes of one page: a row of the largest size with room to spare.
const PAGE_MAX_BYTES: usize = 8 * 1024 * 1024;
const OF_ROWS: u8 = 1;
const HEADER_BYTES: usize = 4;
const END_BYTES: usize = 4;

/// Shows whatever stands in the pages of a file like a row, in no order and some of it many times.
pub(crate) fn each_row(path: &Path, visit: &mut dyn FnMut(&[u8], &[u8])) -> io::Result<()> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut page = Vec::new();
    for at in (0..length).step_by(PAGE_BYTES) {
        if read_page(&file, at, length, &mut page)? {
            rows(&page, visit);
        }
    }
    Ok(())
}

/// Reads a page of rows to its end; false where none begins.
fn read_page(file: &File, at: u64, length: u64, page: &mut Vec<u8>) -> io::Result<bool> {
    let behind = usize::try_from(length - at).unwrap_or(usize::MAX).min(PAGE_MAX_BYTES);
    page.resize(PAGE_BYTES.min(behind), 0);
    file.read_exact_at(page, at)?;
    if page.first() != Some(&OF_ROWS) {
        return Ok(false);
    }
    // Where the rows end, and where that is said, may both lie beyond the first piece.
    for _ in 0..2 {
        let Some(end) = end_of_rows(page) else { return Ok(false) };
        if end > behind {
            return Ok(false);
        }
        if end > page.len() {
            let from = page.len();
            page.resize(end, 0);
            file.read_exact_at(&mut page[from..], at + from as u64)?;
        }
    }
    Ok(true)
}

/// How many bytes must be there to go on: those that say where the rows end, then the rows.
fn end_of_rows(page: &[u8]) -> Option<usize> {
    let ends = HEADER_BYTES + 2 * END_BYTES * count(page)?;
    if page.len() < ends { Some(ends) } else { number(page, ends - END_BYTES) }
}

fn count(page: &[u8]) -> Option<usize> {
    let bytes = page.get(2..HEADER_BYTES)?.try_into().ok()?;
    Some(usize::from(u16::from_le_bytes(bytes))).filter(|count| *count > 0)
}

fn number(page: &[u8], at: usize) -> Option<usize> {
    let bytes = page.get(at..at + END_BYTES)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

/// Shows the rows of a page; one whose ends make no sense is passed over.
fn rows(page: &[u8], visit: &mut dyn FnMut(&[u8], &[u8])) {
    let Some(count) = count(page) else { return };
    let values = HEADER_BYTES + END_BYTES * count;
    let first = values + END_BYTES * count;
    let end = |at: usize, place: usize| number(page, at + END_BYTES * place);
    let begin = |at: usize, place: usize, first: Option<usize>| match place.checked_sub(1) {
        Some(before) => end(at, before),
        None => first,
    };
    for place in 0..count {
        let key = begin(HEADER_BYTES, place, Some(first)).zip(end(HEADER_BYTES, place));
        let value = begin(values, place, end(HEADER_BYTES, count - 1)).zip(end(values, place));
        let part = |(from, to): (usize, usize)| page.get(from..to);
        if let Some((key, value)) = key.and_then(part).zip(value.and_then(part)) {
            visit(key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::backend::redb::RedbBackend;
    use crate::backend::{Backend as _, Batch};
    use crate::options::{BackendKind, Options};
    use crate::sealed::{put, unseal};

    #[test]
    fn every_row_of_a_database_stands_in_its_pages() {
        let dir = tempfile::tempdir().unwrap();
        let mut expected = std::collections::BTreeMap::new();
        {
            let backend = RedbBackend::open(dir.path(), &Options::default()).unwrap();
            for round in 0..20_u8 {
                let mut batch = Batch::default();
                for number in 0..50_u8 {
                    let key = vec![b'k', round, number];
                    let value = vec![number; usize::from(number) * usize::from(round) * 7];
                    put(&mut batch, key.clone(), &value);
                    expected.insert(key, value);
                }
                put(&mut batch, vec![b'l', round], &vec![round; 300_000]);
                expected.insert(vec![b'l', round], vec![round; 300_000]);
                backend.commit(batch).unwrap();
            }
        }
        let mut found = std::collections::BTreeMap::new();
        each_row(&dir.path().join(BackendKind::Redb.file()), &mut |key, value| {
            if let Ok(bytes) = unseal(key, value) {
                found.insert(key.to_vec(), bytes.to_vec());
            }
        })
        .unwrap();
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn whatever_the_bytes_are_they_are_read_to_their_end(
            mut bytes in prop::collection::vec(any::<u8>(), 0..9_000), rows in 0_u16..40,
        ) {
            if bytes.len() > HEADER_BYTES {
                bytes[0] = OF_ROWS;
                bytes[2..HEADER_BYTES].copy_from_slice(&rows.to_le_bytes());
            }
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("bytes");
            std::fs::write(&path, &bytes).unwrap();
            each_row(&path, &mut |_, _| {}).unwrap();
        }
    }
}
