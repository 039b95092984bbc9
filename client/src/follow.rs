//! A session's events as they happen, through lost connections and restarts of the daemon.
//!
//! Every event comes once and in order: the cursor is the client's own.

use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use vosim_protocol::v1::service::{
    Accepted, Do, DoParams, END, EVENT, EndNotice, EndReason, EventNotice, From, PRESENCE,
    PROGRESS, PresenceNotice, ProgressNotice, SETTLED, SettledNotice, Subscribe, SubscribeParams,
};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{ErrorCode, EventId, Json, Role, SessionId, StoreId};

use crate::client::{ANSWER_WITHIN, Backoff, Client, Loss};
use crate::connection::{CallError, Notice};
use crate::errors::{Failure, code, user_error};

/// A stream of one session's events.
#[derive(Debug)]
pub(crate) struct Stream<'c> {
    client: &'c mut Client,
    session: SessionId,
    role: Role,
    /// Counts as a terminal of its role.
    attached: bool,
    /// The command that it is of: sent again under its id, it goes on.
    of: Option<Box<DoParams>>,
    cursor: EventId,
    subscription: Option<u64>,
    /// The connection on which it was subscribed.
    connection: u64,
    store: Option<StoreId>,
    backoff: Backoff,
    /// When it is tried to connect again.
    again_at: Option<Instant>,
    /// How the connection was lost; told once.
    loss: Option<Loss>,
    /// How often the daemon could not be started since then.
    failed_starts: u32,
    /// At its beginning the daemon had another store than the cursor is of; to be told.
    began_elsewhere: bool,
}

/// What a stream brings.
#[derive(Debug)]
pub(crate) enum Happening {
    Event(Box<ToldRecord>),
    Progress(ProgressNotice),
    /// The terminals that are there now; only an attached stream hears of it.
    Presence(PresenceNotice),
    /// Something was typed; only where that was asked for.
    Typed,
    /// The connection was lost; the stream goes on when it is there again.
    Reconnecting(Loss),
    /// The connection is there again.
    Reconnected,
    /// The daemon has another store now; what follows is its session from the beginning.
    OtherStore,
    /// The command that the stream is of has settled, with its result if there is one.
    Settled(Option<Json>),
    /// Nothing came in time.
    Nothing,
}

/// How often a daemon may fail to start until that is told as the end.
const STARTS_MAX: u32 = 5;

impl<'c> Stream<'c> {
    /// Follows a session after an event of this store; None takes the one that is met first. The
    /// session must be a whole id so that a change of the current session changes nothing here.
    pub(crate) fn open_in(
        store: Option<StoreId>,
        client: &'c mut Client,
        session: SessionId,
        after: EventId,
        role: Role,
    ) -> Result<Self, Failure> {
        Self::begin(store, client, session, after, role, false)
    }

    /// The same as a terminal of somebody who is there.
    pub(crate) fn attach(
        store: Option<StoreId>,
        client: &'c mut Client,
        session: SessionId,
        after: EventId,
        role: Role,
    ) -> Result<Self, Failure> {
        Self::begin(store, client, session, after, role, true)
    }

    /// What a command leads to that was accepted on the connection of this number, in this store, until
    /// it has settled.
    pub(crate) fn of_command(
        client: &'c mut Client,
        params: DoParams,
        accepted: &Accepted,
        (connection, store): (u64, Option<StoreId>),
    ) -> Self {
        let session = accepted.session_id;
        let role = params.role;
        let params = DoParams { session: Some(session.to_string()), ..params };
        let after = accepted.events.last().map_or(accepted.cursor, |record| record.event_id);
        Self {
            subscription: accepted.subscription,
            connection,
            of: Some(Box::new(params)),
            ..Self::unopened(store, client, (session, role, false), after)
        }
    }

    fn unopened(
        store: Option<StoreId>,
        client: &'c mut Client,
        (session, role, attached): (SessionId, Role, bool),
        after: EventId,
    ) -> Self {
        Self {
            client,
            session,
            role,
            attached,
            of: None,
            cursor: after,
            subscription: None,
            connection: 0,
            store,
            backoff: Backoff::default(),
            again_at: None,
            loss: None,
            failed_starts: 0,
            began_elsewhere: false,
        }
    }

    fn begin(
        store: Option<StoreId>,
        client: &'c mut Client,
        session: SessionId,
        after: EventId,
        role: Role,
        attached: bool,
    ) -> Result<Self, Failure> {
        let mut stream = Self::unopened(store, client, (session, role, attached), after);
        stream.client.connect()?;
        match stream.subscribe() {
            Ok(same) => stream.began_elsewhere = !same,
            Err(error) if error.is_lost() => stream.client.disconnect(),
            Err(error) => return Err(error.into_failure::<Subscribe>(ANSWER_WITHIN)),
        }
        Ok(stream)
    }

    /// True when the daemon has another store than the event was of after which this follows: what
    /// was known of the session may not be so.
    pub(crate) const fn began_elsewhere(&self) -> bool {
        self.began_elsewhere
    }

    /// The last event that was handed out.
    pub(crate) fn cursor(&self) -> EventId {
        self.cursor
    }

    /// For a call between two happenings, on the same connection.
    pub(crate) fn client(&mut self) -> &mut Client {
        self.client
    }

    /// What happens next, at most `within`.
    pub(crate) fn next(&mut self, within: Duration) -> Result<Happening, Failure> {
        self.next_or_typed(within, None)
    }

    /// The same, unless `typing` can be read before.
    pub(crate) fn next_or_typed(
        &mut self,
        within: Duration,
        typing: Option<BorrowedFd<'_>>,
    ) -> Result<Happening, Failure> {
        if std::mem::take(&mut self.began_elsewhere) {
            return Ok(Happening::OtherStore);
        }
        let until = Instant::now() + within;
        loop {
            if self.client.connection_number() != self.connection {
                // A call has found the connection lost and made another one.
                self.subscription = None;
            }
            if self.subscription.is_none() {
                if self.loss.is_none() {
                    let loss = self.client.loss();
                    self.loss = Some(loss);
                    return Ok(Happening::Reconnecting(loss));
                }
                match self.resume(until)? {
                    Some(happening) => return Ok(happening),
                    None => continue,
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.client.notice(left, typing) {
                Ok(notice) => {
                    if let Some(happening) = self.take(&notice)? {
                        return Ok(happening);
                    }
                }
                Err(CallError::TimedOut) => return Ok(Happening::Nothing),
                Err(CallError::Typed) => return Ok(Happening::Typed),
                Err(error) if error.is_lost() => self.lost(),
                Err(error) => return Err(error.into_failure::<Subscribe>(within)),
            }
        }
    }

    fn lost(&mut self) {
        self.subscription = None;
        self.client.disconnect();
    }

    /// One attempt to connect again after a pause, which may go on over several calls: whoever
    /// looks in often and for a moment only comes back, too.
    fn resume(&mut self, until: Instant) -> Result<Option<Happening>, Failure> {
        let again_at = match self.again_at {
            Some(at) => at,
            None => *self.again_at.insert(Instant::now() + self.backoff.next()),
        };
        self.client.pause(again_at.min(until).saturating_duration_since(Instant::now()))?;
        if Instant::now() < again_at {
            return Ok(Some(Happening::Nothing));
        }
        self.again_at = None;
        match self.client.connect() {
            Ok(()) => self.failed_starts = 0,
            Err(failure) if failure.is(ErrorCode::DaemonStartFailed) => {
                self.failed_starts += 1;
                return if self.failed_starts < STARTS_MAX { Ok(None) } else { Err(failure) };
            }
            Err(_) => return Ok(None),
        }
        match self.subscribe() {
            Ok(same) => {
                (self.loss, self.backoff) = (None, Backoff::default());
                Ok(Some(if same { Happening::Reconnected } else { Happening::OtherStore }))
            }
            Err(error) if error.is_lost() => {
                self.lost();
                Ok(None)
            }
            Err(error) => Err(error.into_failure::<Subscribe>(ANSWER_WITHIN)),
        }
    }

    /// Subscribes from the cursor; false when the store is another one and the cursor means
    /// nothing in it.
    fn subscribe(&mut self) -> Result<bool, CallError> {
        let subscribed = self.subscribe_after(self.cursor);
        let store = self.client.store_id();
        let same = self.store.is_none() || store == self.store;
        self.subscription = Some(match subscribed {
            Err(error) if same || !is_expired(&error) => return Err(error),
            // A command begins again by itself.
            Ok(subscription) if same || self.of.is_some() => subscription,
            // A restored store may stand behind the cursor, which is then refused, or beyond it.
            Ok(_) | Err(_) => self.subscribe_after(EventId::ZERO)?,
        });
        self.store = store;
        if !same {
            self.cursor = EventId::ZERO;
        }
        Ok(same)
    }

    fn subscribe_after(&mut self, after: EventId) -> Result<u64, CallError> {
        if let Some(params) = &self.of {
            self.connection = self.client.connection_number();
            let accepted = self.client.once::<Do>(params, ANSWER_WITHIN, |_| {})?;
            let unfollowed = || CallError::Garbled("a command that is not followed".to_owned());
            return accepted.subscription.ok_or_else(unfollowed);
        }
        let params = SubscribeParams {
            session: Some(self.session.to_string()),
            from: From::Cursor(after),
            role: self.role,
            attach: self.attached,
        };
        self.connection = self.client.connection_number();
        Ok(self.client.once::<Subscribe>(&params, ANSWER_WITHIN, |_| {})?.subscription)
    }

    fn take(&mut self, notice: &Notice) -> Result<Option<Happening>, Failure> {
        match notice.method.as_str() {
            EVENT => {
                let EventNotice { subscription, record } = read(notice)?;
                // A record that came twice around a lost connection is told once.
                if Some(subscription) != self.subscription || record.event_id <= self.cursor {
                    return Ok(None);
                }
                self.cursor = record.event_id;
                Ok(Some(Happening::Event(Box::new(record))))
            }
            PROGRESS => {
                let progress: ProgressNotice = read(notice)?;
                let ours = progress.subscription.is_none_or(|s| Some(s) == self.subscription);
                Ok(ours.then_some(Happening::Progress(progress)))
            }
            PRESENCE => {
                let presence: PresenceNotice = read(notice)?;
                let ours = Some(presence.subscription) == self.subscription;
                Ok(ours.then_some(Happening::Presence(presence)))
            }
            SETTLED => {
                let settled: SettledNotice = read(notice)?;
                let ours = Some(settled.subscription) == self.subscription;
                Ok(ours.then_some(Happening::Settled(settled.result)))
            }
            END => {
                let end: EndNotice = read(notice)?;
                self.end(&end)?;
                Ok(None)
            }
            // Marks, and notices of a newer daemon.
            _ => Ok(None),
        }
    }

    fn end(&mut self, end: &EndNotice) -> Result<(), Failure> {
        if Some(end.subscription) != self.subscription {
            return Ok(());
        }
        match end.reason {
            EndReason::TooSlow => {
                self.lost();
                Ok(())
            }
            EndReason::Shutdown => {
                self.lost();
                // Whoever waits for the result of a command wants it all the same.
                if self.of.is_none() {
                    self.client.leave_stopped();
                }
                Ok(())
            }
            EndReason::Deleted => {
                Err(user_error(ErrorCode::UnknownSession, "the session was erased"))
            }
            EndReason::Damaged => {
                Err(user_error(ErrorCode::StoreDamaged, "the log of the session cannot be read"))
            }
        }
    }
}

fn is_expired(error: &CallError) -> bool {
    matches!(error, CallError::Refused(error) if error.code == ErrorCode::CursorExpired)
}

/// A run that ended without a verdict.
pub(crate) fn unjudged(reason: &str) -> Failure {
    let message = format!("the run ended without a verdict: {reason}");
    user_error(code::EVALUATION_ABORTED, message)
}

/// The reason of a run that was called off.
const CANCELLED: &str = "it was cancelled";

/// A run that the daemon could not carry out.
pub(crate) fn aborted(reason: &str) -> Failure {
    // Who has called it off knows why.
    let hint = match reason {
        CANCELLED => "The submission does not count",
        _ => "The submission does not count. To find out more, run: vosimctl doctor",
    };
    unjudged(reason).hint(hint)
}

/// What was waited for has not come in time.
pub(crate) fn overdue(what: &str, within: Duration) -> Failure {
    let message = format!("{what} has not come within {} s", within.as_secs());
    user_error(code::NO_ANSWER, message)
        .hint("It may still come; see with: vosimctl result, or result --hints")
}

/// A notice's details as their type.
pub(crate) fn read<T: DeserializeOwned>(notice: &Notice) -> Result<T, Failure> {
    serde_json::from_str(notice.params.get())
        .map_err(|error| Failure::misread("session.subscribe", &error))
}
