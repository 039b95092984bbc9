//! The writes that the committer is asked for, and those checks of them that need no reading.
//!
//! A write waits in the queue until the committer takes it; its [`Done`] is answered exactly once.

use std::fmt;

use vosim_protocol::blob::Blob;
use vosim_protocol::ids::{EventId, SessionId};
use vosim_protocol::record::{Head, RECORD_MAX_BYTES};

use crate::error::StoreError;

/// The largest blob that is kept in the database, in the batch of its events; a larger one is a
/// file.
pub const BLOB_INLINE_MAX_BYTES: usize = 48 * 1024;
/// The largest head, in bytes of JSON.
pub const HEAD_MAX_BYTES: usize = 3 * 1024;
/// The largest value of a setting.
pub const KEY_VALUE_MAX_BYTES: usize = 3 * 1024;
/// The longest name of a setting or of a side log.
const NAME_MAX_BYTES: usize = 64;

/// Events to be added to one session, with the head and the blobs that go with them.
#[derive(Clone, Debug)]
pub struct Append {
    /// The session; the first append creates it.
    pub session: SessionId,
    /// The last event as the caller knows it; if the session has moved on, the append is a
    /// conflict.
    pub expected: EventId,
    /// The exact JSON bytes of the records that follow, each at most `RECORD_MAX_BYTES`.
    pub lines: Vec<Vec<u8>>,
    /// The session's head after these events (DECISIONS 5).
    pub head: Head,
    /// The blobs that these events name, any number for each. One that is already stored is only
    /// referred to.
    pub blobs: Vec<Blob>,
    /// Settings that become durable together with these events.
    pub settings: Vec<(String, Vec<u8>)>,
}

/// A write in the queue.
pub(crate) enum Write {
    Append(Append),
    Blob { session: SessionId, blob: Blob },
    Key { name: String, value: Option<Vec<u8>> },
    Head(Head),
}

impl Write {
    pub(crate) fn events(&self) -> usize {
        match self {
            Self::Append(append) => append.lines.len(),
            Self::Blob { .. } | Self::Key { .. } | Self::Head(_) => 1,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Append(append) => {
                let lines: usize = append.lines.iter().map(Vec::len).sum();
                let blobs: usize = append.blobs.iter().map(|blob| blob.0.len()).sum();
                HEAD_MAX_BYTES + lines + blobs
            }
            Self::Blob { blob, .. } => blob.0.len(),
            Self::Key { value, .. } => value.as_ref().map_or(0, Vec::len),
            Self::Head(_) => HEAD_MAX_BYTES,
        }
    }
}

impl Append {
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        if self.lines.is_empty() {
            return Err(StoreError::invalid("an append without events"));
        }
        if let Some(line) = self.lines.iter().find(|line| line.len() > RECORD_MAX_BYTES) {
            let bytes = line.len();
            return Err(StoreError::invalid(format!(
                "a record of {bytes} bytes; the limit is {RECORD_MAX_BYTES}"
            )));
        }
        if self.lines.iter().any(|line| line.contains(&b'\n')) {
            return Err(StoreError::invalid("a record of more than one line"));
        }
        if self.head.session_id != self.session || self.head.cursor != self.last() {
            return Err(StoreError::invalid("a head that is not of the last event appended"));
        }
        self.settings.iter().try_for_each(|(name, value)| check_key(name, Some(value)))
    }

    /// Returns the session's last event after this append.
    pub(crate) fn last(&self) -> EventId {
        EventId(self.expected.0 + self.lines.len() as u64)
    }
}

/// Checks that a setting has a short plain name and a small value.
pub(crate) fn check_key(name: &str, value: Option<&[u8]>) -> Result<(), StoreError> {
    check_name(name, "a setting")?;
    if value.is_some_and(|value| value.len() > KEY_VALUE_MAX_BYTES) {
        return Err(StoreError::invalid(format!(
            "a setting over the limit of {KEY_VALUE_MAX_BYTES} bytes"
        )));
    }
    Ok(())
}

/// Checks that the name of a setting or of a side log is short and plain.
pub(crate) fn check_name(name: &str, of: &str) -> Result<(), StoreError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    if name.is_empty() || name.len() > NAME_MAX_BYTES || !name.bytes().all(plain) {
        return Err(StoreError::invalid(format!("{name:?} as the name of {of}")));
    }
    Ok(())
}

/// The answer to a write, given exactly once whatever happens to the committer.
pub(crate) struct Done(Option<Callback>);

type Callback = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

impl Done {
    pub(crate) fn new(done: impl FnOnce(Result<(), StoreError>) + Send + 'static) -> Self {
        Self(Some(Box::new(done)))
    }

    pub(crate) fn answer(mut self, result: Result<(), StoreError>) {
        if let Some(done) = self.0.take() {
            done(result);
        }
    }
}

impl Drop for Done {
    /// Answers `Closed` for a write that was dropped in the queue.
    fn drop(&mut self) {
        if let Some(done) = self.0.take() {
            done(Err(StoreError::Closed));
        }
    }
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Done")
    }
}
