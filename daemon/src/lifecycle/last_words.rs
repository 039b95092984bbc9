//! Answers clients that wait at systemd's socket for a daemon which cannot start.
//!
//! They have already connected and would wait for ever, and systemd would start the daemon again
//! for each of them until it gives the socket up. So each is told the reason; no request is carried
//! out.

use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::{Duration, Instant};

use vosim_protocol::frame::{self, FrameDecoder};
use vosim_protocol::message::{Request, Response};
use vosim_protocol::next::{Action, Next};
use vosim_protocol::{ErrorCode, ErrorObject, Wire as _};

/// How long answering all of them may take.
const ALL_WITHIN: Duration = Duration::from_secs(3);

/// How long one client may take to send its requests and to hang up.
const ONE_WITHIN: Duration = Duration::from_millis(500);

/// Tells every client that waits at the socket why there will be no daemon.
pub fn tell_those_who_wait(socket: OwnedFd, sentence: &str) -> io::Result<()> {
    let listener = UnixListener::from(socket);
    listener.set_nonblocking(true)?;
    let until = Instant::now() + ALL_WITHIN;
    while Instant::now() < until {
        match listener.accept() {
            // This client may be gone, which is no reason to let the next one wait.
            Ok((stream, _)) => drop(answer(stream, sentence, Instant::now() + ONE_WITHIN)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Refuses every request of a client, so that whichever it waits for is answered.
fn answer(mut stream: UnixStream, sentence: &str, until: Instant) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(ONE_WITHIN))?;
    let mut decoder = FrameDecoder::new();
    let mut chunk = [0; 4096];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        decoder.push(&chunk[..count]);
        while let Some(frame) = decoder.next_frame().map_err(io::Error::other)? {
            let id = Request::from_bytes(frame).ok().map(|request| request.id);
            let error = ErrorObject::new(ErrorCode::DaemonStartFailed, sentence)
                .next(Next::run("find out more", Action::Journal));
            let response = Response::error(id, error).to_line();
            stream.write_all(&frame::encode(response).map_err(io::Error::other)?)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::net::Shutdown;

    use super::*;

    #[test]
    fn everybody_who_waits_hears_the_reason_for_each_request_and_a_silent_one_delays_nobody_long() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let silent = UnixStream::connect(&path).unwrap();
        let mut asking = UnixStream::connect(&path).unwrap();
        asking
            .write_all(
                b"{\"id\":0,\"method\":\"hello\"}\n{\"id\":1,\"method\":\"status\"}\nrubbish\n",
            )
            .unwrap();
        asking.shutdown(Shutdown::Write).unwrap();
        tell_those_who_wait(listener.into(), "no room").unwrap();
        let lines: Vec<String> = BufReader::new(asking).lines().map(Result::unwrap).collect();
        let ids: Vec<_> = lines
            .iter()
            .map(|line| {
                let response = Response::from_bytes(line.as_bytes()).unwrap();
                let error = response.error.unwrap();
                assert_eq!(error.code, ErrorCode::DaemonStartFailed);
                assert_eq!(error.message, "no room");
                response.id
            })
            .collect();
        assert_eq!(ids, [Some(0.into()), Some(1.into()), None]);
        assert_eq!(io::read_to_string(silent).unwrap(), "");
    }
}
