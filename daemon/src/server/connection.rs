//! One connection: a reader that serves requests in order and a writer that nobody waits for
//! longer than the queue between them allows.

use std::collections::BTreeMap;
use std::os::fd::AsFd as _;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use interprocess::local_socket::tokio::Stream;
use nix::poll::{PollFd, PollFlags, PollTimeout};
use nix::sys::socket::getsockopt;
use nix::sys::socket::sockopt::PeerCredentials;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vosim_protocol::frame::{self, FrameDecoder};
use vosim_protocol::message::{Request, Response};
use vosim_protocol::misfit;
use vosim_protocol::next::Next;
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::service::limits::{HELLO_SECS, UNDER_WAY_MAX, WRITE_SECS};
use vosim_protocol::{ErrorCode, ErrorObject, Wire};

use crate::actors::registry::Registry;
use crate::background::{self, caught};
use crate::daemon::Daemon;
use crate::server::client::{Client, Greeting};
use crate::server::open::{Open, Silent};
use crate::server::outgoing::{Gone, Outgoing, Queue, Queued};
use crate::server::requests::{self, Handled, failed};

/// A client that cannot be written to for so long is cut off; it resumes from its cursor.
const WRITE_PATIENCE: Duration = Duration::from_secs(WRITE_SECS);
/// How long a client may take to say hello.
const HELLO_PATIENCE: Duration = Duration::from_secs(HELLO_SECS);
/// Bytes read at once, and bytes of small frames that are written at once.
const READ_BYTES: usize = 16 * 1024;

/// Serves one client until it leaves, misbehaves or the daemon goes down.
pub(crate) async fn serve(
    stream: Stream,
    daemon: Rc<Daemon>,
    registry: Addr<Registry>,
    open: Rc<Open>,
) {
    if let Err(error) = check_peer(&stream) {
        tracing::warn!(%error, "a connection was refused");
        return refuse(&stream, error).await;
    }
    open.connections.set(open.connections.get() + 1);
    let silent = open.enter();
    let stream = Rc::new(stream);
    let (out, queue) = Outgoing::new(open.unread.clone());
    let closed = open.closing.child_token();
    let mut client = Client {
        daemon,
        registry,
        open: Rc::clone(&open),
        out,
        greeting: Greeting::None,
        streams: BTreeMap::new(),
        next_stream: 1,
        later: Arc::new(Semaphore::new(UNDER_WAY_MAX)),
        reading: Arc::new(Semaphore::new(1)),
        closed: closed.clone(),
    };
    let writer = write(Rc::clone(&stream), queue, closed.clone());
    let reader = async {
        read(&stream, &mut client, silent).await;
        if hung_up(&stream) {
            // Nobody hears what its streams have still to tell, and a terminal that was killed is
            // missed from now on, not from the next thing that cannot be written to it.
            client.closed.cancel();
        }
        // The writer ends when the last sender of the queue has gone.
        drop(client);
    };
    tokio::join!(reader, writer);
    closed.cancel();
    open.connections.set(open.connections.get() - 1);
}

/// Tells a client that there are as many as there may be.
pub(crate) async fn refuse_one_more(stream: Stream, most: u64) {
    let message = format!("{most} clients are connected, and more cannot be served");
    let error = ErrorObject::new(ErrorCode::Busy, message)
        .next(Next::wait("another client to go"))
        .next(Next::edit("start the daemon with a higher limit on open files (ulimit -n)"));
    refuse(&stream, error).await;
}

/// Whether the other end is closed altogether: one that only says no more may still listen.
fn hung_up(stream: &Stream) -> bool {
    let Stream::UdSocket(stream) = stream;
    let mut polled = [PollFd::new(stream.as_fd(), PollFlags::empty())];
    let ready = nix::poll::poll(&mut polled, PollTimeout::ZERO);
    ready.is_ok_and(|ready| ready > 0)
        && polled[0].revents().is_some_and(|events| events.contains(PollFlags::POLLHUP))
}

/// Peer credentials must be ours (DESIGN 6).
fn check_peer(stream: &Stream) -> Result<(), ErrorObject> {
    let ours = nix::unistd::geteuid().as_raw();
    // A client of another pid namespace has no number here, and its user is told all the same.
    let Stream::UdSocket(stream) = stream;
    match getsockopt(&stream.as_fd(), PeerCredentials).map(|creds| creds.uid()) {
        Ok(theirs) if theirs == ours => Ok(()),
        Ok(_) => Err(ErrorObject::new(
            ErrorCode::WrongUser,
            "this daemon serves only the user it runs as",
        )),
        Err(errno) => Err(ErrorObject::new(
            ErrorCode::WrongUser,
            format!("the client's user cannot be told: {}", cause(&errno.into())),
        )),
    }
}

async fn refuse(mut stream: &Stream, error: ErrorObject) {
    let frame = frame::encode(Response::error(None, error).to_line()).unwrap_or_default();
    // Whoever was refused need not be there to hear it.
    drop(tokio::time::timeout(HELLO_PATIENCE, stream.write_all(&frame)).await);
}

async fn write(stream: Rc<Stream>, mut queue: Queue, closed: CancellationToken) {
    let mut batch = Vec::new();
    let mut next = None;
    while let Some(frame) = or_next(next.take(), &mut queue).await {
        // One write for the small frames that have queued up; a large one is written as it is.
        let mut room = frame.room;
        let written = if frame.bytes.len() < READ_BYTES {
            batch.clear();
            batch.extend_from_slice(&frame.bytes);
            while next.is_none()
                && let Some(more) = queue.next_now()
            {
                if batch.len() + more.bytes.len() <= READ_BYTES {
                    batch.extend_from_slice(&more.bytes);
                    room.merge(more.room);
                } else {
                    next = Some(more);
                }
            }
            &batch
        } else {
            &frame.bytes
        };
        match tokio::time::timeout(WRITE_PATIENCE, (&*stream).write_all(written)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::debug!(%error, "a client has gone");
                break;
            }
            Err(_) => {
                tracing::info!(
                    "a client could not be written to for {WRITE_SECS} s and was cut off"
                );
                break;
            }
        }
    }
    closed.cancel();
}

async fn or_next(next: Option<Queued>, queue: &mut Queue) -> Option<Queued> {
    match next {
        Some(next) => Some(next),
        None => queue.next().await,
    }
}

async fn read(mut stream: &Stream, client: &mut Client, silent: Silent) {
    let mut decoder = FrameDecoder::new();
    let mut buffer = vec![0; READ_BYTES];
    let hello_by = Instant::now() + HELLO_PATIENCE;
    let mut silent = Some(silent);
    loop {
        let waited = async {
            let Some(silent) = &silent else { return Some(stream.read(&mut buffer).await) };
            tokio::select! {
                // A hello that is there already is heard first.
                biased;
                read = tokio::time::timeout_at(hello_by, stream.read(&mut buffer)) => read.ok(),
                () = silent.hurried.cancelled() => None,
            }
        };
        let read = tokio::select! {
            () = client.closed.cancelled() => return,
            read = waited => read,
        };
        let Some(Ok(bytes)) = read else { return };
        match bytes {
            // Nothing more is said, so what was begun is whole without the end of its line.
            0 if decoder.is_between_frames() => return,
            0 => decoder.push(b"\n"),
            _ => decoder.push(&buffer[..bytes]),
        }
        if serve_frames(&mut decoder, client).await.is_err() {
            // Each would keep the writer waiting for what it may still have to tell.
            client.streams.values().for_each(CancellationToken::cancel);
            return;
        }
        if bytes == 0 {
            return;
        }
        silent.take_if(|_| client.greeting != Greeting::None);
    }
}

/// Serves every whole frame; an error ends the connection.
async fn serve_frames(decoder: &mut FrameDecoder, client: &mut Client) -> Result<(), Gone> {
    loop {
        // A client that does not read is asked for nothing more.
        tokio::select! {
            () = client.closed.cancelled() => return Err(Gone),
            room = client.out.some_room() => room?,
        }
        let request = match decoder.next_frame() {
            Ok(None) => return Ok(()),
            Ok(Some(frame)) => Request::from_bytes(frame),
            Err(error) => {
                let error = ErrorObject::new(ErrorCode::FrameTooLarge, error.to_string())
                    .next(Next::edit("connect again and send less at once"));
                client.out.refuse(error).await?;
                return Err(Gone);
            }
        };
        match request {
            Ok(request) => serve_request(request, client).await?,
            Err(error) => {
                let message = format!("a frame is not a request: {}", misfit::words(&error));
                let error = ErrorObject::new(ErrorCode::InvalidRequest, message)
                    .next(Next::edit("send one JSON object a line, with id, method and params"));
                client.out.refuse(error).await?;
            }
        }
    }
}

async fn serve_request(request: Request, client: &mut Client) -> Result<(), Gone> {
    let id = request.id.clone();
    match requests::handle(request, client).await {
        Handled::Now(answer) => client.out.respond(id, answer).await,
        Handled::Later(answer) => {
            let Ok(turn) = Arc::clone(&client.later).try_acquire_owned() else {
                let message = format!("{UNDER_WAY_MAX} requests of this client are under way");
                let error =
                    ErrorObject::new(ErrorCode::Busy, message).next(Next::wait("an answer"));
                return client.out.respond(id, Err(error)).await;
            };
            let out = client.out.clone();
            let closed = client.closed.clone();
            background::spawn("request", async move {
                let _turn = turn;
                let answer = tokio::select! {
                    () = closed.cancelled() => return,
                    answer = caught(answer) => answer.unwrap_or_else(|at| Err(failed(at))),
                };
                // A client that has gone does not wait for its answer.
                out.respond_later(id, answer).await.ok();
            });
            Ok(())
        }
        Handled::Close(answer) => {
            client.out.respond(id, answer).await?;
            Err(Gone)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;

    use interprocess::os::unix::uds_local_socket;

    use super::*;

    #[tokio::test]
    async fn an_end_that_says_no_more_may_still_listen_and_one_that_is_closed_does_not() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let ours = uds_local_socket::tokio::Stream::try_from(std::os::fd::OwnedFd::from(ours));
        let ours = Stream::from(ours.unwrap());
        assert!(!hung_up(&ours));
        theirs.shutdown(Shutdown::Write).unwrap();
        assert!(!hung_up(&ours));
        drop(theirs);
        assert!(hung_up(&ours));
    }
}
