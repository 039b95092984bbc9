//! The streams of a connection: how one begins, and how a client ends it.

use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use vosim_protocol::next::Next;
use vosim_protocol::v1::service::limits::STREAMS_MAX;
use vosim_protocol::v1::service::{
    From, FromWord, Nothing, SubscribeParams, Subscribed, UnsubscribeParams,
};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Head, Role};

use crate::actors::presence::Attachment;
use crate::actors::session::Show;
use crate::background;
use crate::daemon::hub::Published;
use crate::server::client::Client;
use crate::server::service::Service;
use crate::server::subscription::{Subscription, Until};

/// Follows a session's events on this connection.
pub(crate) async fn subscribe(
    service: &Service,
    params: SubscribeParams,
    client: &mut Client,
) -> Result<Subscribed, ErrorObject> {
    make_room(client)?;
    let head = service.locate(params.session.as_deref())?;
    let session = head.session_id;
    // Whatever is published from here on is in the window; what lies before is in the log.
    let live = client.daemon.hub.borrow_mut().follow(session);
    let (after, view) = match params.from {
        From::Cursor(after) if after > head.cursor => {
            let message = format!("the session is at event {}, not at {after}", head.cursor);
            return Err(ErrorObject::new(ErrorCode::CursorExpired, message).next(Next::edit(
                "begin with a snapshot: this is another store, perhaps a restored one",
            )));
        }
        From::Cursor(after) => (after, None),
        From::Word(FromWord::Snapshot) => {
            let seen = service.ask(session, || Show(params.role)).await?;
            (seen.cursor, Some(seen.view))
        }
    };
    let attached =
        params.attach.then(|| Attachment::new(Rc::clone(&client.daemon), session, params.role));
    let stream = Stream { role: params.role, after, attached, until: None };
    let subscription = stream.begin(&head, live, client);
    Ok(Subscribed { subscription, session_id: session, kind: head.kind, after, view })
}

/// Refuses one stream more than a connection may have.
pub(crate) fn make_room(client: &mut Client) -> Result<(), ErrorObject> {
    client.streams.retain(|_, stop| !stop.is_cancelled());
    if client.streams.len() >= STREAMS_MAX {
        let message = format!("this connection has {STREAMS_MAX} streams already");
        return Err(
            ErrorObject::new(ErrorCode::Busy, message).next(Next::edit("unsubscribe from one"))
        );
    }
    Ok(())
}

/// A stream that is to begin.
pub(crate) struct Stream {
    pub(crate) role: Role,
    /// What comes behind this event is told.
    pub(crate) after: EventId,
    /// For a terminal, which counts as present while the stream lasts.
    pub(crate) attached: Option<Attachment>,
    /// The command whose result ends it.
    pub(crate) until: Option<Until>,
}

impl Stream {
    /// Begins on a connection, with what has been published since it was decided to follow; returns its
    /// number there.
    pub(crate) fn begin(self, head: &Head, live: Receiver<Published>, client: &mut Client) -> u64 {
        let Self { role, after, attached, until } = self;
        let number = client.next_stream;
        client.next_stream += 1;
        let stop = client.closed.child_token();
        client.streams.insert(number, stop.clone());
        let stream = Subscription {
            number,
            session: head.session_id,
            kind: head.kind,
            role,
            cursor: after,
            daemon: Rc::clone(&client.daemon),
            out: client.out.clone(),
            reading: Arc::clone(&client.reading),
            attached,
            terminals: None,
            until,
        };
        let streamed = client.open.streams.track_future(async move {
            stream.run(live, stop.clone()).await;
            stop.cancel();
        });
        background::spawn("stream", streamed);
        number
    }
}

/// Ends a stream; one that has ended already is no error.
pub(crate) fn unsubscribe(params: UnsubscribeParams, client: &mut Client) -> Nothing {
    if let Some(stop) = client.streams.remove(&params.subscription) {
        stop.cancel();
    }
    Nothing {}
}
