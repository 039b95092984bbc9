//! Maintenance: checking and measuring the store, and rebuilding heads. None of it changes a record.

use std::ops::ControlFlow;

use vosim_protocol::ids::{Hash, SessionId};
use vosim_protocol::record::{Head, LineHash};

use crate::archive::check;
use crate::error::StoreError;
use crate::files::bytes_on_disk;
use crate::keys;
use crate::manifest;
use crate::read::Standing;
use crate::sealed::unseal;
use crate::store::Store;
use crate::write::Write;

/// The result of checking a whole log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many events were read and checked.
    pub events: u64,
    /// The hash of the last record.
    pub last: LineHash,
    /// How many blobs were read and checked.
    pub blobs: u64,
}

/// How large the store is, and how much of it is live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many sessions have a head.
    pub sessions: u64,
    /// How many events are in the database.
    pub events: u64,
    /// How many blobs there are, in the database or as files.
    pub blobs: u64,
    /// The size of all keys and values.
    pub live_bytes: u64,
    /// How much the database takes up on disk; a compaction brings this close to `live_bytes`.
    pub database_bytes: u64,
    /// How much the data directory takes up: database, blob files, exports and what was put aside.
    pub disk_bytes: u64,
}

impl Store {
    /// Reads a whole session and checks its chain and its blobs.
    ///
    /// An edited log is [`StoreError::Chain`], a flipped bit is [`StoreError::Damaged`].
    pub fn verify(&self, session: SessionId) -> Result<Verified, StoreError> {
        let data = self.data();
        let lines = data.whole_log(session)?;
        let last = check(session, &lines)?;
        let hashes = data.references(session)?;
        hashes.iter().try_for_each(|&hash| data.blob(hash).map(drop))?;
        Ok(Verified { events: lines.len() as u64, last, blobs: hashes.len() as u64 })
    }

    /// Lists the blobs that are damaged or whose files are missing, by reading all of them.
    ///
    /// One is written anew as soon as somebody brings its bytes again.
    pub fn damaged_blobs(&self) -> Result<Vec<Hash>, StoreError> {
        let data = self.data();
        let hashes =
            data.keys(&keys::blobs())?.into_iter().filter_map(|key| keys::parse_hash(&key));
        Ok(hashes.filter(|hash| data.blob(*hash).is_err()).collect())
    }

    /// Lists the sessions that need a blob.
    pub fn referrers(&self, hash: Hash) -> Result<Vec<SessionId>, StoreError> {
        let keys = self.data().keys(&keys::referrers(hash))?;
        Ok(keys.iter().filter_map(|key| keys::parse_session(key)).collect())
    }

    /// Says which values in the database are damaged, by reading all of them: events, lines of side
    /// logs and whatever else there is.
    pub fn damaged_values(&self) -> Result<Vec<String>, StoreError> {
        let mut damaged = Vec::new();
        let everything = keys::everything();
        self.data().backend().scan(&everything.start..&everything.end, &mut |key, value| {
            if let Err(why) = unseal(key, value) {
                damaged.push(format!("{}: {why}", keys::describe(key)));
            }
            ControlFlow::Continue(())
        })?;
        Ok(damaged)
    }

    /// Measures the store by reading all of it.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let data = self.data();
        let mut stats = Stats::default();
        let everything = keys::everything();
        data.backend().scan(&everything.start..&everything.end, &mut |key, value| {
            stats.live_bytes += (key.len() + value.len()) as u64;
            stats.events += u64::from(keys::parse_event(key).is_some());
            ControlFlow::Continue(())
        })?;
        stats.sessions = data.keys(&keys::heads())?.len() as u64;
        stats.blobs = data.keys(&keys::blobs())?.len() as u64;
        if let Some(dir) = &data.dir {
            let failed = |error| StoreError::io("measuring", dir, &error);
            let databases = manifest::databases(dir).map_err(failed)?;
            for database in databases {
                stats.database_bytes += bytes_on_disk(&database).map_err(failed)?;
            }
            stats.disk_bytes = bytes_on_disk(dir).map_err(failed)?;
        }
        Ok(stats)
    }

    /// Rebuilds damaged or missing heads from the log and returns how many there were.
    ///
    /// `fold` is the engine's and turns the lines of one session into its head.
    pub fn rebuild_heads(
        &self,
        mut fold: impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
    ) -> Result<usize, StoreError> {
        let data = self.data();
        let mut broken = data.heads()?.damaged;
        for session in data.sessions_with_events()? {
            let missing = data.backend().get(&keys::head(session))?.is_none()
                && data.standing(session)? != Standing::Deleted;
            if missing && !broken.contains(&session) {
                broken.push(session);
            }
        }
        let mut rebuilt = 0;
        for session in broken {
            let lines = data.whole_log(session)?;
            let Some(head) = fold(session, &lines) else { continue };
            self.write_blocking(Write::Head(head))?;
            rebuilt += 1;
        }
        Ok(rebuilt)
    }
}
