//! The rows that stand in the messages of a sled log, for one that sled cannot open.
//!
//! A message writes a page anew, a node of the tree with its rows, or adds one row to it. Keys stand
//! there without what all keys of their page begin with, which the node says:
//! ```text
//! node: next, merging child | merging 1, length of the prefix 1 | lowest key, highest key | kind 1 | rows
//! rows: their number | keys | values
//! link: kind 1 | key, value
//! ```
//! Numbers are as everywhere in the log, and a key or a value begins with its length. What is found is
//! shown in the order in which it was written, and is worth no more than its own checksum: nothing
//! says which of it was committed, and a row that was removed is shown as well.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use super::log::{self, LINK_IN_LOG, Message, NODE_IN_LOG, varint};
use super::{CHUNK_PREFIX, WHOLE, chunk_count, chunk_key};

const LEAF: u8 = 0;
const SET: u8 = 0;

/// Shows whatever stands in the messages of a log like a row, in the order in which it was written.
///
/// Of a long value, whose parts are rows of their own, only the last one is shown, in the end.
pub(crate) fn each_row(
    path: &Path,
    file: &str,
    visit: &mut dyn FnMut(&[u8], &[u8]),
) -> io::Result<()> {
    let mut prefixes: HashMap<u64, Vec<u8>> = HashMap::new();
    let mut parts = BTreeMap::new();
    let mut long = BTreeMap::new();
    let mut show = |key: Vec<u8>, row: &[u8]| {
        if key.first() == Some(&CHUNK_PREFIX) {
            parts.insert(key, row.to_vec());
        } else if let [WHOLE, value @ ..] = row {
            long.remove(&key);
            visit(&key, value);
        } else if let Ok(Some(count)) = chunk_count(row) {
            long.insert(key, count);
        }
    };
    log::each_intact_message(&path.join(file), |message: Message<'_>| {
        let Message { kind, pid, body, .. } = message;
        if kind == NODE_IN_LOG {
            let Some(node) = Node::read(body) else { return };
            for (key, row) in node.rows {
                show([node.prefix, key].concat(), row);
            }
            prefixes.insert(pid, node.prefix.to_vec());
        } else if kind == LINK_IN_LOG
            && let Some((key, row)) = added(body)
            && let Some(prefix) = prefixes.get(&pid)
        {
            show([prefix, key].concat(), row);
        }
    })?;
    for (key, count) in long {
        let value: Option<Vec<&[u8]>> =
            (0..count).map(|index| parts.get(&chunk_key(&key, index)).map(Vec::as_slice)).collect();
        if let Some(value) = value {
            visit(&key, &value.concat());
        }
    }
    Ok(())
}

/// What a page holds.
struct Node<'a> {
    /// What all keys begin with.
    prefix: &'a [u8],
    rows: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Node<'a> {
    /// Reads a page; none where it is not one with rows.
    fn read(mut rest: &'a [u8]) -> Option<Self> {
        varint(&mut rest)?;
        varint(&mut rest)?;
        let ([_merging, prefix], mut rest) = rest.split_first_chunk()?;
        let lowest = bytes(&mut rest)?;
        bytes(&mut rest)?;
        let (&kind, mut rest) = rest.split_first()?;
        let count = varint(&mut rest)?;
        // Each row takes some bytes, so a number that is too high ends with them.
        let mut take = || (0..count).map(|_| bytes(&mut rest)).collect::<Option<Vec<_>>>();
        let (keys, values) = if kind == LEAF { (take()?, take()?) } else { Default::default() };
        let rows = keys.into_iter().zip(values).collect();
        Some(Self { prefix: lowest.get(..usize::from(*prefix))?, rows })
    }
}

/// The row that a message adds to a page, without the prefix of its key.
fn added(mut body: &[u8]) -> Option<(&[u8], &[u8])> {
    let kind = body.split_off_first()?;
    (*kind == SET).then_some(())?;
    Some((bytes(&mut body)?, bytes(&mut body)?))
}

/// Takes a key or a value.
fn bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(varint(rest)?).ok()?;
    let (bytes, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(bytes)
}
