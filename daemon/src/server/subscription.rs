//! One stream of a session's events to one client.
//!
//! ```text
//! log --- catch up ---> live window --- gap ---> log …
//! ```
//! A stream keeps nothing but its cursor. What it misses in the window it reads from the log, so
//! nobody ever waits for it, and it has neither gaps nor repeats.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use vosim_engine::{Sealed, Settling, kinds};
use vosim_protocol::v1::service::limits::{MARK_SECS, STREAM_SECS};
use vosim_protocol::v1::service::{
    END, EVENT, EndNotice, EndReason, EventNotice, MARK, MarkNotice, PRESENCE, PROGRESS,
    PresenceNotice, ProgressNotice, SETTLED, SettledNotice,
};
use vosim_protocol::{CommandId, EventId, EventRecord, Json, Kind, Role, SessionId, Wire};

use crate::actors::presence::Attachment;
use crate::daemon::Daemon;
use crate::daemon::hub::{Progress, Published};
use crate::daemon::presence::Terminals;
use crate::server::outgoing::{Gone, Outgoing};

/// How often an idle stream's cursor is told.
const MARK_EVERY: Duration = Duration::from_secs(MARK_SECS);
/// A stream that cannot tell an event for so long is ended, with the cursor to go on from. A little
/// later its connection is cut off, unless the client listens again by then.
const PATIENCE: Duration = Duration::from_secs(STREAM_SECS);
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
    /// The connection's turn of reading a log.
    pub(crate) reading: Arc<Semaphore>,
    /// For a terminal, which counts as present while the stream lasts.
    pub(crate) attached: Option<Attachment>,
    /// The terminals that were told last.
    pub(crate) terminals: Option<Terminals>,
    /// The command whose result ends the stream.
    pub(crate) until: Option<Until>,
}

/// A command that is followed until it has settled.
#[derive(Debug)]
pub(crate) struct Until {
    pub(crate) command: CommandId,
    pub(crate) settling: Box<dyn Settling>,
}

/// Why a stream stops without the client having gone.
enum Stop {
    Gone,
    Settled,
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
            () = stop.cancelled() => {
                // It has not come to its end before the connections are closed, or began meanwhile.
                if self.daemon.shutdown.is_cancelled() {
                    self.out.mention(END, self.end(EndReason::Shutdown));
                }
                return;
            }
            stopped = self.stream(&mut live) => stopped,
        };
        if let Err(Stop::Ended(reason)) = stopped {
            // The client may have gone meanwhile.
            self.out.notify(END, self.end(reason)).await.ok();
        }
    }

    fn end(&self, reason: EndReason) -> Json {
        EndNotice { subscription: self.number, reason, resume_from: self.cursor }.to_json()
    }

    async fn stream(&mut self, live: &mut Receiver<Published>) -> Result<(), Stop> {
        self.tell_presence().await?;
        self.settled().await?;
        self.catch_up().await?;
        loop {
            match tokio::time::timeout(MARK_EVERY, live.recv()).await {
                Ok(Ok(Published::Event(sealed))) => self.take(&sealed).await?,
                Ok(Ok(Published::Progress(Progress { text, done, of }))) => {
                    let subscription = Some(self.number);
                    let notice = ProgressNotice { subscription, text, done, of, hindered: false };
                    self.out.mention(PROGRESS, notice.to_json());
                }
                Ok(Ok(Published::Hindered(text))) => {
                    let (subscription, done) = (Some(self.number), 0);
                    let notice =
                        ProgressNotice { subscription, text, done, of: None, hindered: true };
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
        self.tell(PRESENCE, notice.to_json()).await
    }

    async fn take(&mut self, sealed: &Sealed) -> Result<(), Stop> {
        let Sealed { record, line, .. } = sealed;
        if record.event_id <= self.cursor {
            return Ok(());
        }
        if record.event_id > self.cursor.next() {
            return self.catch_up().await;
        }
        self.send(record.clone(), line).await
    }

    async fn send(&mut self, record: EventRecord, line: &[u8]) -> Result<(), Stop> {
        let cursor = record.event_id;
        let settles = self.until.as_mut().map(|until| until.settling.take(&record, line));
        if let Some(record) = kinds::told(self.kind, self.role, record) {
            let notice = EventNotice { subscription: self.number, record };
            self.tell(EVENT, notice.to_json()).await?;
        }
        self.cursor = cursor;
        match settles {
            Some(Ok(())) => self.settled().await,
            Some(Err(error)) => Err(damaged(self.session, &error)),
            None => Ok(()),
        }
    }

    /// Tells the result of the command that is followed, which ends the stream; nothing while
    /// something of it is under way.
    async fn settled(&mut self) -> Result<(), Stop> {
        let Some(Until { command, settling }) = &self.until else { return Ok(()) };
        if settling.awaits().is_some() {
            return Ok(());
        }
        let notice = SettledNotice {
            subscription: self.number,
            command_id: *command,
            cursor: self.cursor,
            result: settling.result(self.role),
        };
        self.tell(SETTLED, notice.to_json()).await?;
        Err(Stop::Settled)
    }

    /// Tells what must not be missed.
    async fn tell(&self, method: &str, params: Json) -> Result<(), Stop> {
        let told = tokio::time::timeout(PATIENCE, self.out.notify(method, params));
        Ok(told.await.map_err(|_| Stop::Ended(EndReason::TooSlow))??)
    }

    /// Reads what lies between the cursor and the end of the log.
    async fn catch_up(&mut self) -> Result<(), Stop> {
        loop {
            // One stream of a connection at a time: what it has read waits until it can be told.
            let reading = Arc::clone(&self.reading).acquire_owned().await;
            let (session, after) = (self.session, self.cursor);
            let read = self
                .daemon
                .blocking(move |store| store.read(session, after, READ_EVENTS, READ_BYTES))
                .await;
            let lines = read.map_err(|error| damaged(session, &error))?;
            if lines.is_empty() {
                return Ok(());
            }
            for line in lines {
                let record =
                    EventRecord::from_bytes(&line).map_err(|error| damaged(session, &error))?;
                self.send(record, &line).await?;
            }
            drop(reading);
        }
    }
}

fn damaged(session: SessionId, error: &dyn std::fmt::Display) -> Stop {
    tracing::error!(%session, %error, "a stream cannot read its session");
    Stop::Ended(EndReason::Damaged)
}
