//! Follows a session: its events as they come, and after them the view that they led to.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use vosim_protocol::v1::service::{View, ViewParams, ViewResult};
use vosim_protocol::{EventId, Role, SessionId, Wire};

use crate::client::{ANSWER_WITHIN, Client};
use crate::connection::CallError;
use crate::errors::Failure;
use crate::follow::{Happening, Stream};
use crate::tui::app::{Link, Msg, Snapshot};

/// Between two views at least.
const VIEW_EVERY: Duration = Duration::from_millis(200);
/// Without any event a view is asked for after this time, so that a clock that was set is seen.
const VIEW_AT_LAST: Duration = Duration::from_secs(15);

/// What is followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feed {
    pub(crate) session: SessionId,
    pub(crate) role: Role,
}

impl Feed {
    /// Tells what happens until nobody listens any more.
    pub(crate) fn follow<V: Wire>(self, mut client: Client, out: &SyncSender<Msg<V>>) {
        let ended = match self.followed(&mut client, out) {
            // The screen is gone.
            Ok(()) => return,
            Err(Failure::Interrupted) => Msg::Interrupted,
            Err(failure) => Msg::Broken(failure),
        };
        out.send(ended).ok();
    }

    fn followed<V: Wire>(
        self,
        client: &mut Client,
        out: &SyncSender<Msg<V>>,
    ) -> Result<(), Failure> {
        let Self { session, role } = self;
        // From the first event on, for the transcript is made of nothing else.
        let (first, store) = (EventId::ZERO, client.store_id());
        let mut stream = Stream::attach(store, client, session, first, role)?;
        let mut rhythm = Rhythm { outdated: true, connected: true, asked: None };
        loop {
            let happening = stream.next(rhythm.until_due())?;
            rhythm.hear(&happening);
            if let Some(msg) = told(happening)
                && out.send(msg).is_err()
            {
                return Ok(());
            }
            if !rhythm.is_due() {
                continue;
            }
            rhythm.asked = Some(Instant::now());
            if let Some(snapshot) = self.view(stream.client())? {
                rhythm.outdated = false;
                if out.send(Msg::View(Box::new(snapshot))).is_err() {
                    return Ok(());
                }
            }
        }
    }

    /// The view as it is now; None where the connection is lost meanwhile, which is the stream's to
    /// find and to mend.
    fn view<V: Wire>(self, client: &mut Client) -> Result<Option<Snapshot<V>>, Failure> {
        let params = ViewParams { session: Some(self.session.to_string()), role: self.role };
        let result = match client.once::<View>(&params, ANSWER_WITHIN, |_| {}) {
            Ok(result) => result,
            Err(CallError::Interrupted) => return Err(Failure::Interrupted),
            Err(_) => return Ok(None),
        };
        snapshot(&result).map(Some)
    }
}

/// When the next view is asked for.
#[derive(Debug)]
struct Rhythm {
    /// Something has happened since the last view.
    outdated: bool,
    connected: bool,
    asked: Option<Instant>,
}

impl Rhythm {
    fn hear(&mut self, happening: &Happening) {
        match happening {
            Happening::Event(_) | Happening::Presence(_) => self.outdated = true,
            Happening::Reconnecting(_) => self.connected = false,
            Happening::Reconnected | Happening::OtherStore => {
                (self.outdated, self.connected) = (true, true);
            }
            Happening::Progress(_)
            | Happening::Typed
            | Happening::Settled(_)
            | Happening::Nothing => {}
        }
    }

    fn until_due(&self) -> Duration {
        match self.asked {
            // Nobody can be asked; what comes next is the connection.
            _ if !self.connected => VIEW_AT_LAST,
            None => Duration::ZERO,
            Some(asked) => self.pause().saturating_sub(asked.elapsed()),
        }
    }

    fn is_due(&self) -> bool {
        self.connected && self.asked.is_none_or(|asked| asked.elapsed() >= self.pause())
    }

    fn pause(&self) -> Duration {
        if self.outdated { VIEW_EVERY } else { VIEW_AT_LAST }
    }
}

/// What the screen is told of it.
fn told<V>(happening: Happening) -> Option<Msg<V>> {
    Some(match happening {
        Happening::Event(record) => Msg::Event(record),
        Happening::Progress(progress) => Msg::Progress(progress),
        Happening::Presence(presence) => Msg::Presence(presence),
        Happening::Reconnecting(loss) => Msg::Connection(Link::Lost(loss)),
        Happening::Reconnected => Msg::Connection(Link::Up),
        Happening::OtherStore => Msg::Connection(Link::OtherStore),
        Happening::Typed | Happening::Settled(_) | Happening::Nothing => return None,
    })
}

/// A view as it comes from the daemon.
pub(crate) fn snapshot<V: Wire>(result: &ViewResult) -> Result<Snapshot<V>, Failure> {
    let garbled = |error| Failure::misread("session.view", &error);
    let view = V::from_json(result.view.clone()).map_err(garbled)?;
    Ok(Snapshot { view, now: result.now })
}
