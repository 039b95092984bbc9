//! [`Hub`]: what a session publishes, for any number of streams.
//!
//! A stream that is slow loses what falls out of the window and reads it from the log; whoever
//! publishes never waits.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::broadcast;
use vosim_engine::Sealed;
use vosim_protocol::SessionId;
use vosim_protocol::v1::service::EndReason;

/// Events a stream may lag behind before it reads the log instead.
const WINDOW: usize = 64;

/// Something a session's streams are told.
#[derive(Clone, Debug)]
pub enum Published {
    /// A durable event.
    Event(Arc<Sealed>),
    /// How far a run is: the case, those before it, all.
    Progress {
        /// The case that is running.
        case: Arc<str>,
        /// Cases before it.
        done: u32,
        /// Cases in all.
        total: u32,
    },
    /// A terminal came or went.
    Presence,
    /// Nothing more will come.
    Ended(EndReason),
}

/// The streams of every session that has any.
#[derive(Debug, Default)]
pub struct Hub {
    streams: BTreeMap<SessionId, broadcast::Sender<Published>>,
}

impl Hub {
    /// Follows a session from now on; what lies before is in the log.
    pub fn follow(&mut self, session: SessionId) -> broadcast::Receiver<Published> {
        self.streams.retain(|_, sender| sender.receiver_count() > 0);
        let sender = self.streams.entry(session).or_insert_with(|| broadcast::channel(WINDOW).0);
        sender.subscribe()
    }

    /// Tells a session's streams.
    pub fn publish(&self, session: SessionId, published: Published) {
        if let Some(sender) = self.streams.get(&session) {
            // Without receivers there is nobody to tell.
            drop(sender.send(published));
        }
    }

    /// Ends all streams, or those of one session.
    pub fn end(&mut self, session: Option<SessionId>, reason: EndReason) {
        for (id, sender) in &self.streams {
            if session.is_none_or(|session| session == *id) {
                drop(sender.send(Published::Ended(reason)));
            }
        }
        self.streams.retain(|id, _| session.is_some_and(|session| session != *id));
    }
}
