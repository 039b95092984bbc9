//! The daemon as commands see it: a call that survives a lost connection.
//!
//! A request is sent again only with the same ids, so nothing is done twice (DESIGN 6).

use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::Once;
use std::time::{Duration, Instant};

use uuid::Uuid;
use vosim_protocol::v1::service::{Method, Repeated, Shutdown, Unsubscribe};
use vosim_protocol::{CommandId, StoreId};

use crate::connection::{ASK_EVERY, CallError, Connection, Notice};
use crate::errors::Failure;
use crate::holder::stopped;
use crate::interrupt::{Interrupt, Woke, wait};
use crate::launch::{NotThere, changes_nothing_there, connect_or_start, reach, with_other_data};
use crate::output::to_stderr;
use crate::places::Places;

/// How long an ordinary answer may take.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// After this time a user wants to know what is waited for.
const SLOW: Duration = Duration::from_secs(2);

/// After this time without an answer it is seen whether the daemon can give one.
const STOPPED_AFTER: Duration = Duration::from_secs(3);

/// How long a lost connection is tried again for one request.
const RETRY_WITHIN: Duration = Duration::from_secs(15);

/// Whether a client starts the daemon when none runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AutoStart {
    Yes,
    No,
}

/// The daemon, connected when it is needed.
#[derive(Debug)]
pub(crate) struct Client {
    places: Places,
    auto_start: AutoStart,
    /// What the daemon must be able to do ([`vosim_protocol::hello::capability`]).
    need: &'static [&'static str],
    connection: Option<Connection>,
    interrupt: Option<Interrupt>,
    /// Somebody sits at a terminal and wonders.
    tells_waits: bool,
    /// Somebody reads what is said beside the output.
    tells_notes: bool,
    /// Connections so far.
    connections: u64,
    /// How the last one was lost, if it was.
    loss: Loss,
}

/// How a connection was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The daemon has died or is being replaced; it is started again if need be.
    Broken,
    /// Somebody has stopped the daemon. Who only follows leaves it so; the next command starts it.
    Stopped,
}

impl Client {
    pub(crate) fn new(places: Places, auto_start: AutoStart) -> Self {
        Self {
            places,
            auto_start,
            need: &[],
            connection: None,
            interrupt: None,
            tells_waits: false,
            tells_notes: false,
            connections: 0,
            loss: Loss::Broken,
        }
    }

    /// Says to every daemon that it connects to what it cannot do without.
    #[must_use]
    pub(crate) fn needing(self, need: &'static [&'static str]) -> Self {
        Self { need, ..self }
    }

    /// Says on the terminal what is waited for when it takes long.
    #[must_use]
    pub(crate) fn telling_waits(self, tells_waits: bool) -> Self {
        Self { tells_waits, ..self }
    }

    /// Says, once a process, when what is read is not the data of this environment, and when the daemon
    /// cannot write its log.
    #[must_use]
    pub(crate) fn telling_notes(self) -> Self {
        Self { tells_notes: true, ..self }
    }

    /// From now on Ctrl-C ends waits with [`Failure::Interrupted`] instead of the process.
    pub(crate) fn catch_interrupts(&mut self) -> Result<(), Failure> {
        if self.interrupt.is_none() {
            self.interrupt = Some(Interrupt::catch().map_err(anyhow::Error::from)?);
        }
        Ok(())
    }

    /// Ctrl-C ends the process again: nothing is followed any more.
    pub(crate) fn release_interrupts(&mut self) -> Result<(), Failure> {
        if let Some(interrupt) = self.interrupt.take() {
            interrupt.release().map_err(anyhow::Error::from)?;
        }
        Ok(())
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// The socket of the connection that is there; without one, where it is looked for.
    pub(crate) fn socket(&self) -> &Path {
        self.connection.as_ref().map_or(&self.places.socket, Connection::socket)
    }

    /// Starts no daemon until one is there again: somebody has stopped the one there was.
    pub(crate) fn leave_stopped(&mut self) {
        self.loss = Loss::Stopped;
    }

    /// How the last connection was lost.
    pub(crate) fn loss(&self) -> Loss {
        self.loss
    }

    /// Asks, again after a lost connection.
    pub(crate) fn call<M: Method>(&mut self, params: &M::Params) -> Result<M::Result, Failure> {
        self.call_for::<M>(params, ANSWER_WITHIN, |_| {})
    }

    /// The same with a limit of its own, and with the notices that come meanwhile.
    pub(crate) fn call_for<M: Method>(
        &mut self,
        params: &M::Params,
        within: Duration,
        on_notice: impl FnMut(&Notice),
    ) -> Result<M::Result, Failure> {
        let always = (None, || Some(ASK_EVERY));
        let answer = self.call_while::<M>(params, within, on_notice, always)?;
        answer.ok_or_else(Failure::lost)
    }

    /// The same until the answer is no longer wanted: then the connection is given up, so that
    /// the daemon stops what nobody waits for, and there is none. Whether it is wanted is asked when
    /// `wake` can be read and after the time that was answered; None is no.
    pub(crate) fn call_while<M: Method>(
        &mut self,
        params: &M::Params,
        within: Duration,
        mut on_notice: impl FnMut(&Notice),
        (wake, mut wanted): (Option<BorrowedFd<'_>>, impl FnMut() -> Option<Duration>),
    ) -> Result<Option<M::Result>, Failure> {
        let until = Instant::now() + RETRY_WITHIN;
        let mut backoff = Backoff::default();
        let mut was_lost = false;
        // Whoever asks wants the daemon back, whoever has stopped it.
        self.loss = Loss::Broken;
        let (places, mut failed) = (self.places.clone(), None);
        loop {
            let asked = Instant::now();
            let mut goes_on = || {
                // One that was stopped by a signal answers nobody, however long it is waited for.
                if asked.elapsed() >= STOPPED_AFTER {
                    failed = stopped(&places);
                }
                if failed.is_some() { None } else { wanted() }
            };
            let error = match self.connected(was_lost) {
                Ok(()) => {
                    match self.ask::<M>(params, within, &mut on_notice, (wake, &mut goes_on)) {
                        Ok(result) => return Ok(Some(result)),
                        Err(CallError::GivenUp) => {
                            self.connection = None;
                            return failed.map_or(Ok(None), Err);
                        }
                        Err(error) if error.is_lost() => Failure::lost(),
                        Err(error) => return Err(error.into_failure::<M>(within)),
                    }
                }
                Err(error) if was_lost => error,
                Err(error) => return Err(error),
            };
            self.connection = None;
            if Instant::now() >= until {
                return Err(error);
            }
            if self.tells_waits && !std::mem::replace(&mut was_lost, true) {
                to_stderr("The connection to vosimd was lost; reconnecting ...\n");
            }
            was_lost = true;
            self.pause(backoff.next())?;
        }
    }

    /// Asks on the connection that is there, once.
    pub(crate) fn once<M: Method>(
        &mut self,
        params: &M::Params,
        within: Duration,
        on_notice: impl FnMut(&Notice),
    ) -> Result<M::Result, CallError> {
        self.ask::<M>(params, within, on_notice, (None, || Some(ASK_EVERY)))
    }

    fn ask<M: Method>(
        &mut self,
        params: &M::Params,
        within: Duration,
        on_notice: impl FnMut(&Notice),
        (wake, mut wanted): (Option<BorrowedFd<'_>>, impl FnMut() -> Option<Duration>),
    ) -> Result<M::Result, CallError> {
        let places = &self.places;
        let connection = self.connection.as_mut().ok_or(CallError::Lost)?;
        let interrupt = self.interrupt.as_ref();
        let mut tell = self.tells_waits && within <= ANSWER_WITHIN;
        let mut goes_on = |passed| {
            if passed >= SLOW && std::mem::take(&mut tell) {
                to_stderr(&format!("Waiting for vosimd to answer {} ...\n", M::NAME));
            }
            wanted()
        };
        if changes::<M>() && !places.socket_is_named {
            // What it is asked is not done before it has said where it works.
            connection.greeted(within, interrupt, (wake, &mut goes_on))?;
            if let Some(theirs) = connection.data()
                && let Some(ours) = places.other_than(&theirs)
            {
                let failure = changes_nothing_there(connection.socket(), &theirs, ours);
                return Err(CallError::Elsewhere(Box::new(failure)));
            }
        }
        let answer = connection.call::<M>(params, within, interrupt, on_notice, (wake, goes_on))?;
        if self.tells_notes {
            tell_log_fault(connection);
        }
        if self.tells_notes
            && let Some(theirs) = connection.data()
            && let Some(ours) = places.other_than(&theirs)
        {
            static SAID: Once = Once::new();
            let note = with_other_data(connection.socket(), &theirs, ours);
            SAID.call_once(|| to_stderr(&format!("Note: {note}.\n")));
        }
        Ok(answer)
    }

    /// The next notice on the connection that is there, unless something is typed before.
    pub(crate) fn notice(
        &mut self,
        within: Duration,
        typing: Option<BorrowedFd<'_>>,
    ) -> Result<Notice, CallError> {
        let connection = self.connection.as_mut().ok_or(CallError::Lost)?;
        connection.notice(within, self.interrupt.as_ref(), typing)
    }

    /// Names the connection that is there: what was subscribed on another one has ended with it.
    pub(crate) fn connection_number(&self) -> u64 {
        self.connections
    }

    /// Waits until the daemon has hung up.
    pub(crate) fn closed(&mut self, within: Duration) -> Result<(), CallError> {
        self.connection.as_mut().map_or(Ok(()), |connection| connection.closed(within))
    }

    /// Connects if there is no connection.
    pub(crate) fn connect(&mut self) -> Result<(), Failure> {
        self.connected(false)
    }

    /// Gives up the connection that is there.
    pub(crate) fn disconnect(&mut self) {
        self.connection = None;
    }

    /// The process of the daemon that has answered on the connection that is there.
    pub(crate) fn process(&self) -> Option<u32> {
        self.connection.as_ref().and_then(Connection::process)
    }

    pub(crate) fn store_id(&self) -> Option<StoreId> {
        self.connection.as_ref().and_then(Connection::store_id)
    }

    /// Lets time pass between two attempts.
    pub(crate) fn pause(&self, time: Duration) -> Result<(), Failure> {
        self.pause_until(None, time)
    }

    /// The same, until something can be read.
    pub(crate) fn pause_until(
        &self,
        wake: Option<BorrowedFd<'_>>,
        time: Duration,
    ) -> Result<(), Failure> {
        match wait(self.interrupt.as_ref(), wake, time).map_err(anyhow::Error::from)? {
            Woke::Interrupted(_) => Err(Failure::Interrupted),
            Woke::Ready | Woke::Typed | Woke::TimedOut => Ok(()),
        }
    }

    /// A daemon that goes down keeps its lock for a moment, so a start may fail and be tried again.
    fn connected(&mut self, again: bool) -> Result<(), Failure> {
        if self.connection.is_some() {
            return Ok(());
        }
        let opened = match (self.auto_start, self.loss) {
            (AutoStart::Yes, Loss::Broken) => connect_or_start(&self.places, self.need),
            (AutoStart::Yes, Loss::Stopped) | (AutoStart::No, _) => reach(&self.places, self.need)
                .map_err(|not_there| match not_there {
                    NotThere::Nobody(_) if again => Failure::lost(),
                    other => other.into_failure(),
                }),
        };
        self.connection = Some(opened?);
        self.connections += 1;
        self.loss = Loss::Broken;
        Ok(())
    }
}

/// Says, before anything is drawn, that the daemon cannot write its log: only the first answer that a
/// process gets is looked at.
fn tell_log_fault(connection: &Connection) {
    static LOOKED: Once = Once::new();
    LOOKED.call_once(|| {
        if let Some(fault) = connection.log_fault() {
            to_stderr(&format!(
                "Note: vosimd cannot write its log: {fault}. See what helps with: vosimctl doctor\n"
            ));
        }
    });
}

/// Whether a request changes what a daemon keeps. Who ends a daemon, or a stream, needs no other one.
fn changes<M: Method>() -> bool {
    M::REPEATED != Repeated::Reads && ![Shutdown::NAME, Unsubscribe::NAME].contains(&M::NAME)
}

/// Pauses between attempts to connect: 50 ms, doubling to 2 s, each moved a little so that
/// several clients do not come at once.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    step: u32,
}

impl Backoff {
    pub(crate) fn next(&mut self) -> Duration {
        let base = Duration::from_millis(50).saturating_mul(1 << self.step).min(LONGEST_PAUSE);
        self.step = (self.step + 1).min(6);
        let thousandths = u32::try_from(Uuid::new_v4().as_u128() % 250).unwrap_or(0);
        base - base * thousandths / 1000
    }
}

const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A new user intention.
pub(crate) fn new_command() -> CommandId {
    CommandId(Uuid::new_v4())
}

#[cfg(test)]
pub(crate) mod peer;
#[cfg(test)]
mod tests;
