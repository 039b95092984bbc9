//! [`Hub`]: carries what a session publishes to any number of streams.
//!
//! Publishing never waits. A slow stream misses what falls out of its window and reads it from the
//! log instead. What a client may see of an event is decided by the stream that sends it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::broadcast;
use vosim_engine::Sealed;
use vosim_protocol::SessionId;
use vosim_protocol::v1::service::EndReason;

/// How many messages a stream may lag behind before it must read the log instead.
const WINDOW: usize = 64;

/// How far an effect has come.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// What is under way, in words; for a run, the case.
    pub(crate) text: String,
    /// How many steps came before it.
    pub(crate) done: u32,
    /// How many steps there are; `None` where nobody knows.
    pub(crate) of: Option<u32>,
}

/// A message to a session's streams.
#[derive(Clone, Debug)]
pub(crate) enum Published {
    /// An event, which is durable.
    Event(Arc<Sealed>),
    /// How far an effect has come.
    Progress(Progress),
    /// Why what came of an effect cannot be recorded yet.
    Hindered(String),
    /// A terminal has come or gone.
    Presence,
    /// The end: nothing more will come.
    Ended(EndReason),
}

/// With how many sessions the hub first looks for those that nobody follows any more.
const SWEEP_FIRST: usize = 64;

/// The streams of every session that has any.
#[derive(Debug)]
pub(crate) struct Hub {
    streams: BTreeMap<SessionId, broadcast::Sender<Published>>,
    /// With how many sessions the hub next looks for those that nobody follows any more.
    sweep_at: usize,
    /// Why all streams have ended, and with them those that are still to begin.
    over: Option<EndReason>,
}

impl Default for Hub {
    fn default() -> Self {
        Self { streams: BTreeMap::new(), sweep_at: SWEEP_FIRST, over: None }
    }
}

impl Hub {
    /// Follows a session from now on; what was published before is in the log.
    pub(crate) fn follow(&mut self, session: SessionId) -> broadcast::Receiver<Published> {
        if let Some(reason) = self.over {
            let (sender, ended) = broadcast::channel(1);
            drop(sender.send(Published::Ended(reason)));
            return ended;
        }
        if self.streams.len() >= self.sweep_at {
            self.sweep();
        }
        let sender = self.streams.entry(session).or_insert_with(|| broadcast::channel(WINDOW).0);
        sender.subscribe()
    }

    /// Forgets the sessions that nobody follows. It happens again when there are twice as many as
    /// are left now, so that following costs the same however many sessions are followed.
    fn sweep(&mut self) {
        self.streams.retain(|_, sender| sender.receiver_count() > 0);
        self.sweep_at = SWEEP_FIRST.max(2 * self.streams.len());
    }

    /// Sends a message to a session's streams.
    pub(crate) fn publish(&self, session: SessionId, published: Published) {
        if let Some(sender) = self.streams.get(&session) {
            // It fails only if nobody follows the session any more.
            drop(sender.send(published));
        }
    }

    /// Ends all streams for good, or those of one session.
    pub(crate) fn end(&mut self, session: Option<SessionId>, reason: EndReason) {
        if session.is_none() {
            self.over = Some(reason);
        }
        for (id, sender) in &self.streams {
            if session.is_none_or(|session| session == *id) {
                drop(sender.send(Published::Ended(reason)));
            }
        }
        self.streams.retain(|id, _| session.is_some_and(|session| session != *id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(n: usize) -> SessionId {
        SessionId(uuid::Uuid::from_u128(n as u128))
    }

    #[test]
    fn a_session_that_nobody_follows_any_more_is_forgotten_in_time() {
        let mut hub = Hub::default();
        let _kept: Vec<_> = (0..100).map(|n| hub.follow(session(n))).collect();
        for n in 100..10_000 {
            drop(hub.follow(session(n)));
            assert!(hub.streams.len() <= 2 * 101, "{} after {n}", hub.streams.len());
        }
        assert!((0..100).all(|n| hub.streams.contains_key(&session(n))));
    }

    #[test]
    fn following_many_sessions_looks_through_them_seldom() {
        let mut hub = Hub::default();
        let mut kept = Vec::new();
        let mut sweeps = 0;
        for n in 0..10_000 {
            let before = hub.sweep_at;
            kept.push(hub.follow(session(n)));
            sweeps += usize::from(hub.sweep_at != before);
        }
        assert!(sweeps <= 8, "{sweeps} times");
        hub.publish(session(9_999), Published::Presence);
        assert!(matches!(kept[9_999].try_recv(), Ok(Published::Presence)));
        assert!(kept[0].try_recv().is_err());
    }

    #[test]
    fn an_end_reaches_the_session_it_is_meant_for_or_all() {
        let mut hub = Hub::default();
        let mut kept: Vec<_> = (0..3).map(|n| hub.follow(session(n))).collect();
        hub.end(Some(session(1)), EndReason::Deleted);
        assert!(matches!(kept[1].try_recv(), Ok(Published::Ended(EndReason::Deleted))));
        assert!(kept[0].try_recv().is_err());
        hub.end(None, EndReason::Shutdown);
        assert!(matches!(kept[2].try_recv(), Ok(Published::Ended(EndReason::Shutdown))));
        assert!(hub.streams.is_empty());
        let mut late = hub.follow(session(0));
        assert!(matches!(late.try_recv(), Ok(Published::Ended(EndReason::Shutdown))));
    }
}
