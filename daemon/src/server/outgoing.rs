//! [`Outgoing`]: the way to one client, on which only so many bytes wait to be read.
//!
//! ```text
//! answer, notice ──> room in the queue ──> writer ──> socket
//!                     │ none: the reader looks at no further request, a stream waits
//!                     └ none, and the answer is made already: room that all clients share, or `busy`
//! ```
//! A client that does not read costs no more than this, however much it asks for.

use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use vosim_protocol::message::{Notice, RequestId, Response};
use vosim_protocol::next::Next;
use vosim_protocol::v1::service::limits::{UNREAD_MAX_BYTES, UNREAD_MORE_MAX_BYTES};
use vosim_protocol::{ErrorCode, ErrorObject, Json, Wire as _, frame};

/// What keeping a frame takes besides its bytes.
const FRAME_COST: usize = 128;
/// An answer of this size waits for its room wherever it was made: so few of them are made at a time
/// that all of them take less than one large frame.
const SMALL_BYTES: usize = 4 * 1024;

/// What a request is answered with: the result as it stands in the frame, or the refusal.
pub(crate) type Spelled = Result<Vec<u8>, ErrorObject>;

/// The client is gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone;

/// A frame, and the room that it takes until it has been written.
#[derive(Debug)]
pub(crate) struct Queued {
    pub(crate) bytes: Vec<u8>,
    pub(crate) room: OwnedSemaphorePermit,
}

/// The writer's end of the way. When it is dropped nobody waits for room any more.
#[derive(Debug)]
pub(crate) struct Queue {
    frames: UnboundedReceiver<Queued>,
    room: Arc<Semaphore>,
}

impl Queue {
    /// The next frame; none once nobody can send one any more.
    pub(crate) async fn next(&mut self) -> Option<Queued> {
        self.frames.recv().await
    }

    /// The next frame if it is there.
    pub(crate) fn next_now(&mut self) -> Option<Queued> {
        self.frames.try_recv().ok()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.room.close();
    }
}

/// The room that all clients share for answers that were made while others went on.
#[derive(Clone, Debug)]
pub(crate) struct Shared(Arc<Semaphore>);

impl Default for Shared {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UNREAD_MORE_MAX_BYTES)))
    }
}

/// Where frames for one client go.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    frames: UnboundedSender<Queued>,
    room: Arc<Semaphore>,
    shared: Shared,
}

impl Outgoing {
    /// The way to a client, and its other end, from which the writer takes frames.
    pub(crate) fn new(shared: Shared) -> (Self, Queue) {
        let (sender, frames) = unbounded_channel();
        let room = Arc::new(Semaphore::new(UNREAD_MAX_BYTES));
        (Self { frames: sender, room: Arc::clone(&room), shared }, Queue { frames, room })
    }

    /// Waits until the client has read so much that more may be made for it.
    pub(crate) async fn some_room(&self) -> Result<(), Gone> {
        self.room.acquire_many(permits(UNREAD_MAX_BYTES / 2)).await.map(drop).map_err(|_| Gone)
    }

    /// Sends an answer; one that is too large is replaced by an error. Waits while there is no room.
    pub(crate) async fn respond(&self, id: RequestId, answer: Spelled) -> Result<(), Gone> {
        self.send(answered(id, answer)).await
    }

    /// Sends an answer that was made while others went on. It waits for its room as long as it can be
    /// kept meanwhile, else the client is told to read first.
    pub(crate) async fn respond_later(&self, id: RequestId, answer: Spelled) -> Result<(), Gone> {
        let frame = answered(id.clone(), answer);
        if frame.len() <= SMALL_BYTES {
            return self.send(frame).await;
        }
        let now = Arc::clone(&self.room).try_acquire_many_owned(cost(&frame));
        if let Ok(room) = now {
            return self.push(Queued { bytes: frame, room });
        }
        match self.shared.0.try_acquire_many(permits(frame.len())) {
            Ok(_kept) => self.send(frame).await,
            Err(_) => {
                drop(frame);
                self.send(answered(id, Err(unread()))).await
            }
        }
    }

    /// Sends an error about what is no request.
    pub(crate) async fn refuse(&self, error: ErrorObject) -> Result<(), Gone> {
        self.send(encoded(&Response::error(None, error))).await
    }

    /// Sends a notice; waits while there is no room.
    pub(crate) async fn notify(&self, method: &str, params: Json) -> Result<(), Gone> {
        match notice(method, params) {
            Some(frame) => self.send(frame).await,
            None => Ok(()),
        }
    }

    /// Sends a notice if there is room: for what may be missed.
    pub(crate) fn mention(&self, method: &str, params: Json) {
        let Some(bytes) = notice(method, params) else { return };
        // No room means a slow client, which can do without.
        if let Ok(room) = Arc::clone(&self.room).try_acquire_many_owned(cost(&bytes)) {
            self.push(Queued { bytes, room }).ok();
        }
    }

    async fn send(&self, bytes: Vec<u8>) -> Result<(), Gone> {
        let room = Arc::clone(&self.room).acquire_many_owned(cost(&bytes));
        let room = room.await.map_err(|_| Gone)?;
        self.push(Queued { bytes, room })
    }

    fn push(&self, queued: Queued) -> Result<(), Gone> {
        self.frames.send(queued).map_err(|_| Gone)
    }
}

/// What a frame takes of the room; one that is larger than all of it waits until it is alone.
fn cost(frame: &[u8]) -> u32 {
    permits((frame.len() + FRAME_COST).min(UNREAD_MAX_BYTES))
}

fn permits(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn answered(id: RequestId, answer: Spelled) -> Vec<u8> {
    match answer {
        Ok(result) => match frame::encode(Response::ok_line(&id, &result)) {
            Ok(frame) => frame,
            Err(oversize) => {
                let error = ErrorObject::new(ErrorCode::TooLarge, oversize.to_string());
                encoded(&Response::error(Some(id), error))
            }
        },
        Err(error) => encoded(&Response::error(Some(id), error)),
    }
}

fn encoded(response: &Response) -> Vec<u8> {
    // Errors are bounded far below a frame.
    frame::encode(response.to_line()).unwrap_or_default()
}

fn notice(method: &str, params: Json) -> Option<Vec<u8>> {
    // Records are bounded far below a frame.
    frame::encode(Notice::new(method, params).to_line()).ok()
}

fn unread() -> ErrorObject {
    let message = "too many answers wait to be read, so this one was not kept";
    ErrorObject::new(ErrorCode::Busy, message).next(Next::edit("read the answers, then ask again"))
}

#[cfg(test)]
mod tests {
    use vosim_protocol::frame::FRAME_MAX_BYTES;

    use super::*;

    /// Bytes that wait on a way.
    fn waiting(out: &Outgoing) -> usize {
        UNREAD_MAX_BYTES - out.room.available_permits()
    }

    fn answer(bytes: usize) -> Spelled {
        Ok(Json::from("x".repeat(bytes)).to_string().into_bytes())
    }

    /// Whether something has ended by itself.
    async fn ends<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        tokio::select! {
            biased;
            output = future => Some(output),
            () = tokio::task::yield_now() => None,
        }
    }

    #[tokio::test]
    async fn so_many_bytes_wait_for_a_client_and_the_next_request_waits_for_it_to_read() {
        let (out, mut queue) = Outgoing::new(Shared::default());
        let mut sent = 0;
        loop {
            let mut sending = std::pin::pin!(out.respond(1.into(), answer(10_000)));
            if ends(sending.as_mut()).await.is_none() {
                break;
            }
            sent += 1;
        }
        assert_eq!(sent, UNREAD_MAX_BYTES / 10_200);
        assert!(waiting(&out) <= UNREAD_MAX_BYTES);
        let mut room = std::pin::pin!(out.some_room());
        for _ in 0..sent / 2 {
            assert!(ends(room.as_mut()).await.is_none());
            drop(queue.next_now().unwrap());
        }
        drop(queue.next_now().unwrap());
        ends(room.as_mut()).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn the_largest_frame_is_sent_when_it_is_alone() {
        let (out, mut queue) = Outgoing::new(Shared::default());
        out.respond(1.into(), answer(1)).await.unwrap();
        let mut large = std::pin::pin!(out.respond(2.into(), answer(FRAME_MAX_BYTES - 100)));
        assert!(ends(large.as_mut()).await.is_none());
        drop(queue.next_now().unwrap());
        ends(large.as_mut()).await.unwrap().unwrap();
        assert!(queue.next_now().unwrap().bytes.len() > FRAME_MAX_BYTES - 100);
        assert_eq!(waiting(&out), 0);
        out.respond(3.into(), answer(FRAME_MAX_BYTES)).await.unwrap();
        let refused = Response::from_bytes(&queue.next_now().unwrap().bytes).unwrap();
        assert_eq!(
            (refused.id, refused.error.unwrap().code),
            (Some(3.into()), ErrorCode::TooLarge)
        );
    }

    #[tokio::test]
    async fn answers_made_meanwhile_share_a_room_and_then_the_client_is_told_to_read() {
        let shared = Shared::default();
        let ways: Vec<_> = (0..64).map(|_| Outgoing::new(shared.clone())).collect();
        let tasks = tokio::task::LocalSet::new();
        for (out, _) in &ways {
            for id in 0..16_u64 {
                let out = out.clone();
                let sent = async move { out.respond_later(id.into(), answer(200_000)).await.ok() };
                drop(tasks.spawn_local(sent));
            }
        }
        let settled = async {
            for _ in 0..64 {
                tokio::task::yield_now().await;
            }
        };
        tasks.run_until(settled).await;
        let kept = UNREAD_MORE_MAX_BYTES - shared.0.available_permits();
        assert!(kept > UNREAD_MORE_MAX_BYTES - 201_000, "{kept}");
        let waiting: usize = ways.iter().map(|(out, _)| waiting(out)).sum();
        assert!(waiting <= 64 * UNREAD_MAX_BYTES);
        // Each is answered in the end: with its result, or with the word to read first.
        let (mut results, mut told) = (0, 0);
        for (out, mut queue) in ways {
            drop(out);
            for _ in 0..16 {
                let frame = tasks.run_until(queue.next()).await.unwrap();
                match Response::from_bytes(&frame.bytes).unwrap().error {
                    None => results += 1,
                    Some(error) => {
                        assert_eq!(error.code, ErrorCode::Busy);
                        told += 1;
                    }
                }
            }
        }
        assert_eq!(results + told, 64 * 16);
        assert!(results >= 64 + UNREAD_MORE_MAX_BYTES / 201_000 && told > 0, "{results} {told}");
    }

    #[tokio::test]
    async fn nobody_waits_for_room_with_a_client_that_has_gone() {
        let (out, queue) = Outgoing::new(Shared::default());
        out.respond(1.into(), answer(UNREAD_MAX_BYTES)).await.unwrap();
        let mut waits = std::pin::pin!(out.respond(2.into(), answer(1)));
        assert!(ends(waits.as_mut()).await.is_none());
        drop(queue);
        assert!(ends(waits.as_mut()).await.unwrap().is_err());
        assert!(out.some_room().await.is_err());
    }
}
