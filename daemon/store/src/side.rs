//! Side logs: numbered lines that are kept beside the sessions' logs and are never part of them.
//!
//! A side log has a name and an [`Owner`], which is a session or the store itself. Its lines appear
//! in no event, archive or export; backups and compactions carry them, and they are erased with
//! their owner. Like records, they are not interpreted here. A line is bounded in size and a log in
//! length, and an append costs one commit however long the log is.

use std::ops::ControlFlow;

use vosim_protocol::ids::CommandId;

use crate::backend::Batch;
use crate::committer::Committer;
use crate::data::Data;
use crate::error::StoreError;
use crate::keys;
use crate::owner::{Owner, SideLog};
use crate::sealed::put;
use crate::sealed::unseal;
use crate::store::Store;
use crate::write::check_name;

/// The most bytes of one line of a side log.
pub const SIDE_LINE_MAX_BYTES: usize = 63 * 1024;

/// The result of an append to a side log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The line as it is stored.
    pub line: Vec<u8>,
    /// Whether the same command had appended this line before.
    pub replayed: bool,
}

impl Store {
    /// Appends a line to a side log durably, unless the same command has appended one before;
    /// blocks.
    ///
    /// `line` makes the bytes from the line's number, which is 1 for the first line.
    pub fn side_append(
        &self,
        log: SideLog,
        command: CommandId,
        line: impl FnOnce(u64) -> Vec<u8> + Send + 'static,
    ) -> Result<Appended, StoreError> {
        check_name(log.name, "a side log")?;
        self.alone(move |committer| committer.side_append(log, command, line))
    }

    /// Reads the lines of a side log after a number, in order, checked and without a gap.
    ///
    /// They have at most `max_bytes` together, except that one line is always given.
    pub fn side_read(
        &self,
        log: SideLog,
        after: u64,
        max_bytes: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        self.data().side_read(log, after, max_bytes)
    }

    /// Returns the number of a side log's last line; 0 if it has none.
    pub fn side_last(&self, log: SideLog) -> Result<u64, StoreError> {
        self.data().side_last(log)
    }
}

impl Committer {
    fn side_append(
        &mut self,
        log: SideLog,
        command: CommandId,
        line: impl FnOnce(u64) -> Vec<u8>,
    ) -> Result<Appended, StoreError> {
        self.writable()?;
        self.check_owner(log.owner)?;
        let by_command = keys::side_command(log, command);
        let what = || format!("a command of {log}");
        if let Some(number) = self.data.get(&by_command, what)? {
            let cut = |_| StoreError::damaged(what(), "it is cut short");
            let number = u64::from_be_bytes(number.try_into().map_err(cut)?);
            return Ok(Appended { line: self.data.side_line(log, number)?, replayed: true });
        }
        let number = self.data.side_last(log)? + 1;
        if number > log.lines_max {
            return Err(StoreError::Full { log: log.to_string(), lines_max: log.lines_max });
        }
        let line = line(number);
        let bytes = line.len();
        if bytes > SIDE_LINE_MAX_BYTES {
            return Err(StoreError::invalid(format!(
                "a line of {bytes} bytes to {log}; the limit is {SIDE_LINE_MAX_BYTES}"
            )));
        }
        self.data.check_room(bytes as u64)?;
        let mut batch = Batch::default();
        put(&mut batch, keys::side_line(log, number), &line);
        put(&mut batch, by_command, &number.to_be_bytes());
        self.apply(batch)?;
        Ok(Appended { line, replayed: false })
    }

    fn check_owner(&self, owner: Owner) -> Result<(), StoreError> {
        let Owner::Session(session) = owner else { return Ok(()) };
        let backend = self.data.backend();
        if backend.get(&keys::tombstone(session))?.is_some() {
            return Err(StoreError::Deleted { session });
        }
        match backend.get(&keys::head(session))? {
            Some(_) => Ok(()),
            None => Err(StoreError::Unknown { session }),
        }
    }
}

impl Data {
    fn side_line(&self, log: SideLog, number: u64) -> Result<Vec<u8>, StoreError> {
        let what = || format!("line {number} of {log}");
        let line = self.get(&keys::side_line(log, number), what)?;
        line.ok_or_else(|| StoreError::damaged(what(), "it is missing"))
    }

    fn side_last(&self, log: SideLog) -> Result<u64, StoreError> {
        let range = keys::side_lines_after(log, 0);
        let Some(key) = self.backend().last_key(&range.start..&range.end)? else { return Ok(0) };
        let number = keys::parse_side_line(&key);
        number.ok_or_else(|| StoreError::damaged(format!("a key of {log}"), "length"))
    }

    fn side_read(
        &self,
        log: SideLog,
        after: u64,
        max_bytes: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let mut bytes = 0;
        let mut fault = None;
        let mut number = after;
        let range = keys::side_lines_after(log, after);
        self.backend().scan(&range.start..&range.end, &mut |key, value| {
            number = number.saturating_add(1);
            let what = || format!("line {number} of {log}");
            let line = if key == keys::side_line(log, number) {
                unseal(key, value).map_err(|why| StoreError::unsealed(what(), &why))
            } else {
                Err(StoreError::damaged(what(), "it is missing"))
            };
            match line {
                Ok(line) if lines.is_empty() || bytes + line.len() <= max_bytes => {
                    bytes += line.len();
                    lines.push(line.to_vec());
                    ControlFlow::Continue(())
                }
                Ok(_) => ControlFlow::Break(()),
                Err(error) => {
                    fault = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        fault.map_or(Ok(lines), Err)
    }
}
