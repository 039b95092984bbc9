//! One stream of a session's events to one client.
//!
//! ```text
//! log --- catch up ---> live window --- gap ---> log …
//! ```
//! A stream keeps nothing but its cursor. What it misses in the window it reads from the log, so
//! nobody ever waits for it, and it has neither gaps nor repeats.

use std::rc::Rc;
use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use vosim_engine::kinds;
use vosim_protocol::v1::service::{
    END, EVENT, EndNotice, EndReason, EventNotice, MARK, MarkNotice, PRESENCE, PROGRESS,
    PresenceNotice, ProgressNotice,
};
use vosim_protocol::{EventId, EventRecord, Kind, Role, SessionId, Wire};

use crate::actors::presence::Attachment;
use crate::daemon::Daemon;
use crate::daemon::hub::{Progress, Published};
use crate::daemon::presence::Terminals;
use crate::server::connection::{Gone, Outgoing};

/// How often an idle stream's cursor is told.
const MARK_EVERY: Duration = Duration::from_secs(15);
/// A stream that cannot tell an event for so long is ended, with the cursor to go on from. A little
/// later its connection is cut off, unless the client listens again by then.
const PATIENCE: Duration = Duration::from_secs(25);
/// Records and bytes read from the log at once.
const READ_EVENTS: usize = 64;
const READ_BYTES: usize = 256 * 1024;

/// One stream.
#[derive(Debug)]
pub(crate) struct Subscription {
    pub(crate) number: u64,
    pub(crate) session: SessionId,
    pub(crate) kind: Kind,
    pub(crate) role: Role,
    pub(crate) cursor: EventId,
    pub(crate) daemon: Rc<Daemon>,
    pub(crate) out: Outgoing,
    /// For a terminal, which counts as present while the stream lasts.
    pub(crate) attached: Option<Attachment>,
    /// The terminals that were told last.
    pub(crate) terminals: Option<Terminals>,
}

/// Why a stream stops without the client having gone.
enum Stop {
    Gone,
    Ended(EndReason),
}

impl From<Gone> for Stop {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

impl Subscription {
    /// Streams until the client leaves, unsubscribes or there is nothing more to come.
    pub(crate) async fn run(mut self, mut live: Receiver<Published>, stop: CancellationToken) {
        let stopped = tokio::select! {
            () = stop.cancelled() => return,
            stopped = self.stream(&mut live) => stopped,
        };
        if let Err(Stop::Ended(reason)) = stopped {
            let resume_from = self.cursor;
            let notice = EndNotice { subscription: self.number, reason, resume_from };
            // The client may have gone meanwhile.
            self.out.notify(END, notice.to_json()).await.ok();
        }
    }

    async fn stream(&mut self, live: &mut Receiver<Published>) -> Result<(), Stop> {
        self.tell_presence().await?;
        self.catch_up().await?;
        loop {
            match tokio::time::timeout(MARK_EVERY, live.recv()).await {
                Ok(Ok(Published::Event(sealed))) => self.take(&sealed.record).await?,
                Ok(Ok(Published::Progress(Progress { text, done, of }))) => {
                    let subscription = Some(self.number);
                    let notice = ProgressNotice { subscription, text, done, of };
                    self.out.mention(PROGRESS, notice.to_json());
                }
                Ok(Ok(Published::Presence)) => self.tell_presence().await?,
                Ok(Ok(Published::Ended(reason))) => return Err(Stop::Ended(reason)),
                Ok(Err(RecvError::Lagged(_))) => {
                    self.tell_presence().await?;
                    self.catch_up().await?;
                }
                Ok(Err(RecvError::Closed)) => return Err(Stop::Ended(EndReason::Shutdown)),
                Err(_) => {
                    let notice = MarkNotice { subscription: self.number, cursor: self.cursor };
                    self.out.notify(MARK, notice.to_json()).await?;
                }
            }
        }
    }

    /// Tells a terminal who else is there, if that has changed.
    async fn tell_presence(&mut self) -> Result<(), Stop> {
        let now = self.daemon.presence.of(self.session);
        if self.attached.is_none() || self.terminals == Some(now) {
            return Ok(());
        }
        self.terminals = Some(now);
        let Terminals { candidates, observers, interviewers, agents } = now;
        let subscription = self.number;
        let notice = PresenceNotice { subscription, candidates, observers, interviewers, agents };
        let told = tokio::time::timeout(PATIENCE, self.out.notify(PRESENCE, notice.to_json()));
        Ok(told.await.map_err(|_| Stop::Ended(EndReason::TooSlow))??)
    }

    async fn take(&mut self, record: &EventRecord) -> Result<(), Stop> {
        if record.event_id <= self.cursor {
            return Ok(());
        }
        if record.event_id > self.cursor.next() {
            return self.catch_up().await;
        }
        self.send(record.clone()).await
    }

    async fn send(&mut self, record: EventRecord) -> Result<(), Stop> {
        let cursor = record.event_id;
        if let Some(record) = kinds::told(self.kind, self.role, record) {
            let notice = EventNotice { subscription: self.number, record };
            let told = tokio::time::timeout(PATIENCE, self.out.notify(EVENT, notice.to_json()));
            told.await.map_err(|_| Stop::Ended(EndReason::TooSlow))??;
        }
        self.cursor = cursor;
        Ok(())
    }

    /// Reads what lies between the cursor and the end of the log.
    async fn catch_up(&mut self) -> Result<(), Stop> {
        loop {
            let (session, after) = (self.session, self.cursor);
            let read = self
                .daemon
                .blocking(move |store| store.read(session, after, READ_EVENTS, READ_BYTES))
                .await;
            let lines = read.map_err(|error| {
                tracing::error!(%session, %error, "a stream cannot read its session");
                Stop::Ended(EndReason::Damaged)
            })?;
            if lines.is_empty() {
                return Ok(());
            }
            for line in lines {
                let record =
                    EventRecord::from_bytes(&line).map_err(|_| Stop::Ended(EndReason::Damaged))?;
                self.send(record).await?;
            }
        }
    }
}
