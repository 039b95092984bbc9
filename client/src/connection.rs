//! One connection to the daemon: the handshake travels with the first request, answers are
//! waited for with a limit, notices are kept until somebody asks.
//!
//! A connection never connects again by itself; `client.rs` does.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use interprocess::ConnectWaitMode;
use interprocess::local_socket::prelude::*;
use interprocess::local_socket::{ConnectOptions, GenericFilePath, Stream};
use nix::sys::socket::getsockopt;
use nix::sys::socket::sockopt::PeerCredentials;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use vosim_protocol::frame::{FrameDecoder, encode};
use vosim_protocol::hello::{HelloParams, HelloResult, Software, VERSIONS};
use vosim_protocol::misfit;
use vosim_protocol::paths::SOCKET_PATH_MAX_BYTES;
use vosim_protocol::trouble::{Location, Trouble};
use vosim_protocol::v1::service::{Hello, Method, Shutdown, Status};
use vosim_protocol::wire::WireError;
use vosim_protocol::{ErrorCode, ErrorObject, StoreId};

use crate::errors::{Failure, code, user_error};
use crate::files::{sentence, trouble};
use crate::interrupt::{Interrupt, Woke, wait_or_typed};

/// How long the other side may take to accept a connection or to read what is written.
const IO_TIMEOUT: Duration = Duration::from_secs(10);

/// How often it is asked whether an answer is still wanted, where nobody says when.
pub(crate) const ASK_EVERY: Duration = Duration::from_millis(200);

/// Id of the request `hello`; the others count from 1.
const HELLO_ID: u64 = 0;

/// Methods that a daemon of any version answers, whatever became of `hello` (DESIGN 6).
const FROZEN: [&str; 2] = [Status::NAME, Shutdown::NAME];

/// A connection, perhaps still without an answer to its `hello`.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: Stream,
    socket: PathBuf,
    /// The process on the other side, as the system says.
    peer: Option<u32>,
    decoder: FrameDecoder,
    outgoing: Vec<u8>,
    last_id: u64,
    welcome: Option<Outcome>,
    notices: VecDeque<Notice>,
}

/// What became of one request.
type Outcome = Result<Box<RawValue>, Box<ErrorObject>>;

/// What the daemon tells without being asked.
#[derive(Debug)]
pub(crate) struct Notice {
    pub(crate) method: String,
    pub(crate) params: Box<RawValue>,
}

/// Why no connection came about.
#[derive(Debug)]
pub(crate) enum ConnectError {
    /// Nothing listens: a daemon may be started.
    Nobody(Failure),
    /// Starting one would not help.
    Unusable(Failure),
    /// Something that is no socket stands in its place.
    NoSocket(Failure),
}

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum CallError {
    Refused(Box<ErrorObject>),
    /// The connection is gone; whether the request arrived is not known.
    Lost,
    TimedOut,
    Garbled(String),
    /// The daemon works with other data than ours.
    Elsewhere(Box<Failure>),
    Interrupted,
    /// The answer is no longer wanted.
    GivenUp,
    /// Somebody has typed.
    Typed,
}

/// How long something is waited for.
#[derive(Debug)]
struct Patience {
    start: Instant,
    until: Instant,
    /// When it is asked whether it is still wanted.
    look: Instant,
}

impl Patience {
    fn new(within: Duration) -> Self {
        let start = Instant::now();
        Self { start, until: start + within, look: start + ASK_EVERY }
    }
}

/// A frame of the daemon, its details not yet looked at.
#[derive(Deserialize)]
struct Envelope<'f> {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default, borrow)]
    method: Option<Cow<'f, str>>,
    #[serde(default, borrow)]
    params: Option<&'f RawValue>,
    #[serde(default, borrow)]
    result: Option<&'f RawValue>,
    #[serde(default)]
    error: Option<Box<ErrorObject>>,
}

#[derive(Serialize)]
struct Outgoing<'p, P> {
    jsonrpc: &'static str,
    id: u64,
    method: &'static str,
    params: &'p P,
}

impl Connection {
    /// Connects and makes sure that the other side is ours. A daemon that cannot do what is needed
    /// refuses the first request, and says so.
    pub(crate) fn open(socket: &Path, need: &[&str]) -> Result<Self, ConnectError> {
        if socket.as_os_str().len() > SOCKET_PATH_MAX_BYTES {
            return Err(ConnectError::Unusable(path_too_long(socket)));
        }
        let stream = connect(socket).map_err(|error| classify(socket, &error))?;
        let unusable = |error| ConnectError::Unusable(not_connected(socket, &error));
        // A process of another pid namespace has no number here, and is no less ours.
        let peer = getsockopt(&descriptor(&stream), PeerCredentials)
            .map_err(|errno| unusable(errno.into()))?;
        if peer.uid() != nix::unistd::geteuid().as_raw() {
            return Err(ConnectError::Unusable(of_another_user(socket, peer.uid())));
        }
        stream.set_send_timeout(Some(IO_TIMEOUT)).map_err(unusable)?;
        let mut connection = Self {
            stream,
            socket: socket.to_owned(),
            peer: u32::try_from(peer.pid()).ok().filter(|pid| *pid > 0),
            decoder: FrameDecoder::new(),
            outgoing: Vec::new(),
            last_id: HELLO_ID,
            welcome: None,
            notices: VecDeque::new(),
        };
        connection.queue::<Hello>(HELLO_ID, &hello(need));
        Ok(connection)
    }

    /// Asks and waits for the answer, at most `within` and as long as `goes_on` says so. It is asked
    /// with the time that has passed: when `wake` can be read, and after the time that it has said.
    pub(crate) fn call<M: Method>(
        &mut self,
        params: &M::Params,
        within: Duration,
        interrupt: Option<&Interrupt>,
        mut on_notice: impl FnMut(&Notice),
        (wake, mut goes_on): (Option<BorrowedFd<'_>>, impl FnMut(Duration) -> Option<Duration>),
    ) -> Result<M::Result, CallError> {
        let mut patience = Patience::new(within);
        self.last_id += 1;
        let id = self.last_id;
        self.queue::<M>(id, params);
        self.flush()?;
        let frozen = FROZEN.contains(&M::NAME);
        loop {
            let known = self.notices.len();
            let answer = match self.awaited(&mut patience, interrupt, wake, &mut goes_on) {
                Err(CallError::Lost) if frozen => self
                    .refusal_of_hello()
                    .map_or(Err(CallError::Lost), |error| Err(CallError::Refused(error))),
                other => other,
            }?;
            self.notices.iter().skip(known).for_each(&mut on_notice);
            if !frozen && let Some(error) = self.refusal_of_hello() {
                return Err(CallError::Refused(error));
            }
            match answer {
                Some((got, answer)) if got == id => {
                    let raw = answer.map_err(CallError::Refused)?;
                    return serde_json::from_str(raw.get()).map_err(garbled);
                }
                Some(_) | None => {}
            }
        }
    }

    /// What has arrived; nothing where it is a notice or the welcome, or where it is waited on.
    fn awaited(
        &mut self,
        patience: &mut Patience,
        interrupt: Option<&Interrupt>,
        wake: Option<BorrowedFd<'_>>,
        goes_on: &mut impl FnMut(Duration) -> Option<Duration>,
    ) -> Result<Option<(u64, Outcome)>, CallError> {
        match self.arrival(patience.look.min(patience.until), interrupt, wake) {
            Err(CallError::TimedOut | CallError::Typed) if Instant::now() < patience.until => {
                let pause = goes_on(patience.start.elapsed()).ok_or(CallError::GivenUp)?;
                patience.look = Instant::now() + pause;
                Ok(None)
            }
            Err(CallError::Typed) => Err(CallError::TimedOut),
            other => other,
        }
    }

    /// The next notice: one already here, or one that comes within the time, unless something is
    /// typed before.
    pub(crate) fn notice(
        &mut self,
        within: Duration,
        interrupt: Option<&Interrupt>,
        typing: Option<BorrowedFd<'_>>,
    ) -> Result<Notice, CallError> {
        let until = Instant::now() + within;
        loop {
            if let Some(notice) = self.notices.pop_front() {
                return Ok(notice);
            }
            self.arrival(until, interrupt, typing)?;
        }
    }

    /// Waits until the other side has closed the connection.
    pub(crate) fn closed(&mut self, within: Duration) -> Result<(), CallError> {
        let until = Instant::now() + within;
        loop {
            match self.arrival(until, None, None) {
                Ok(_) => {}
                Err(CallError::Lost) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// The socket that it is to.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// Waits for the answer to hello as a call waits for its own.
    pub(crate) fn greeted(
        &mut self,
        within: Duration,
        interrupt: Option<&Interrupt>,
        (wake, mut goes_on): (Option<BorrowedFd<'_>>, impl FnMut(Duration) -> Option<Duration>),
    ) -> Result<(), CallError> {
        let mut patience = Patience::new(within);
        self.flush()?;
        while self.welcome.is_none() {
            self.awaited(&mut patience, interrupt, wake, &mut goes_on)?;
        }
        self.refusal_of_hello().map_or(Ok(()), |error| Err(CallError::Refused(error)))
    }

    /// Identity of the daemon's store; known once any call has been answered.
    pub(crate) fn store_id(&self) -> Option<StoreId> {
        self.hello().map(|hello| hello.store_id)
    }

    /// The folder of the daemon's data; known once any call has been answered.
    pub(crate) fn data(&self) -> Option<String> {
        self.hello()?.data
    }

    /// Why the daemon cannot write its log; known once any call has been answered.
    pub(crate) fn log_fault(&self) -> Option<String> {
        self.hello()?.log_fault
    }

    /// The daemon's process, where the system says the same: its number may be of another namespace, and a
    /// socket that systemd has bound is systemd's.
    pub(crate) fn process(&self) -> Option<u32> {
        self.hello().map(|hello| hello.pid).filter(|pid| self.peer == Some(*pid))
    }

    fn hello(&self) -> Option<HelloResult> {
        let raw = self.welcome.as_ref()?.as_ref().ok()?;
        serde_json::from_str(raw.get()).ok()
    }

    fn refusal_of_hello(&self) -> Option<Box<ErrorObject>> {
        self.welcome.as_ref()?.as_ref().err().cloned()
    }

    fn queue<M: Method>(&mut self, id: u64, params: &M::Params) {
        let request = Outgoing { jsonrpc: "2.0", id, method: M::NAME, params };
        let json = serde_json::to_vec(&request)
            .expect("protocol types have string keys and finite numbers");
        // 512 KiB of code are 700 KB in base64, so no request of ours comes near the limit.
        self.outgoing.extend(encode(json).expect("requests are smaller than a frame may be"));
    }

    fn flush(&mut self) -> Result<(), CallError> {
        let outgoing = std::mem::take(&mut self.outgoing);
        match self.stream.write_all(&outgoing) {
            Ok(()) => Ok(()),
            Err(error) if is_timeout(&error) => Err(CallError::TimedOut),
            // What the daemon said before it hung up may explain it; reading finds out.
            Err(_) => Ok(()),
        }
    }

    /// Takes one frame: the answer to a request, or None for one that was put aside.
    fn arrival(
        &mut self,
        until: Instant,
        interrupt: Option<&Interrupt>,
        typing: Option<BorrowedFd<'_>>,
    ) -> Result<Option<(u64, Outcome)>, CallError> {
        loop {
            let frame = self.decoder.next_frame().map_err(|e| CallError::Garbled(e.to_string()))?;
            let Some(frame) = frame else {
                self.read(until, interrupt, typing)?;
                continue;
            };
            let envelope: Envelope<'_> = serde_json::from_slice(frame).map_err(garbled)?;
            if let Some(method) = envelope.method {
                let params = envelope.params.map(ToOwned::to_owned).unwrap_or_default();
                self.notices.push_back(Notice { method: method.into_owned(), params });
                return Ok(None);
            }
            let outcome = match (envelope.error, envelope.result) {
                (Some(error), _) => Err(error),
                (None, Some(result)) => Ok(result.to_owned()),
                (None, None) => {
                    return Err(CallError::Garbled("an answer without result".to_owned()));
                }
            };
            return match envelope.id {
                Some(HELLO_ID) => {
                    self.welcome = Some(outcome);
                    Ok(None)
                }
                Some(id) => Ok(Some((id, outcome))),
                None => Err(outcome.map_or_else(CallError::Refused, |_| {
                    CallError::Garbled("an answer without its number".to_owned())
                })),
            };
        }
    }

    fn read(
        &mut self,
        until: Instant,
        interrupt: Option<&Interrupt>,
        typing: Option<BorrowedFd<'_>>,
    ) -> Result<(), CallError> {
        let left = until.saturating_duration_since(Instant::now());
        match wait_or_typed(interrupt, Some(descriptor(&self.stream)), typing, left) {
            Ok(Woke::Ready) => {}
            Ok(Woke::Typed) => return Err(CallError::Typed),
            Ok(Woke::Interrupted(_)) => return Err(CallError::Interrupted),
            Ok(Woke::TimedOut) => return Err(CallError::TimedOut),
            Err(_) => return Err(CallError::Lost),
        }
        let mut buffer = [0; 16 * 1024];
        match self.stream.read(&mut buffer) {
            Ok(0) => Err(CallError::Lost),
            Ok(n) => {
                self.decoder.push(&buffer[..n]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(_) => Err(CallError::Lost),
        }
    }
}

impl Failure {
    /// The connection is gone; whether the request arrived is not known.
    pub(crate) fn lost() -> Self {
        user_error(code::CONNECTION_FAILED, "the connection to vosimd was lost")
            .hint("Try again; see what happened with: vosimctl doctor")
    }

    /// What the daemon has answered is not of the type that was asked for.
    pub(crate) fn misread(method: &str, error: &WireError) -> Self {
        Self::garbled(method, misfit::words(error))
    }

    /// What the daemon has answered cannot be read.
    pub(crate) fn garbled(method: &str, reason: impl Display) -> Self {
        let message = format!(
            "the daemon answered {method} with something this version cannot read: {reason}"
        );
        user_error(code::GARBLED_ANSWER, message).hint(
            "vosimctl and vosimd are of different versions. Restart the daemon: vosimctl daemon \
             stop, then any command",
        )
    }

    fn no_answer(method: &str, within: Duration) -> Self {
        let secs = within.as_secs();
        user_error(code::NO_ANSWER, format!("the daemon has not answered {method} within {secs} s"))
            .hint("To find out more, run: vosimctl doctor")
    }
}

impl CallError {
    /// What ends a command that has asked by this method.
    pub(crate) fn into_failure<M: Method>(self, within: Duration) -> Failure {
        match self {
            Self::Refused(error) => error.into(),
            Self::Lost | Self::GivenUp | Self::Typed => Failure::lost(),
            Self::TimedOut => Failure::no_answer(M::NAME, within),
            Self::Garbled(reason) => Failure::garbled(M::NAME, reason),
            Self::Elsewhere(failure) => *failure,
            Self::Interrupted => Failure::Interrupted,
        }
    }

    /// True when the same request may be sent again on another connection.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Lost => true,
            Self::Refused(error) => error.code == ErrorCode::ShuttingDown,
            Self::TimedOut
            | Self::Garbled(_)
            | Self::Elsewhere(_)
            | Self::Interrupted
            | Self::GivenUp
            | Self::Typed => false,
        }
    }
}

fn hello(need: &[&str]) -> HelloParams {
    HelloParams {
        protocol: VERSIONS,
        client: Software {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        need: need.iter().map(|&name| name.to_owned()).collect(),
    }
}

fn connect(socket: &Path) -> io::Result<Stream> {
    let name = socket.to_fs_name::<GenericFilePath>()?;
    ConnectOptions::new().name(name).wait_mode(ConnectWaitMode::Timeout(IO_TIMEOUT)).connect_sync()
}

fn classify(socket: &Path, error: &io::Error) -> ConnectError {
    use std::os::unix::fs::FileTypeExt as _;
    let shown = socket.display();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            ConnectError::Nobody(not_running(&format!("nothing listens on {shown}")))
        }
        io::ErrorKind::ConnectionRefused => {
            let is_socket = socket.symlink_metadata().is_ok_and(|m| m.file_type().is_socket());
            if is_socket {
                let why = format!("{shown} is left over from one that is gone");
                ConnectError::Nobody(not_running(&why))
            } else {
                ConnectError::NoSocket(not_a_socket(socket))
            }
        }
        _ => ConnectError::Unusable(not_connected(socket, error)),
    }
}

fn not_running(why: &str) -> Failure {
    user_error(code::DAEMON_NOT_RUNNING, format!("the daemon is not running: {why}"))
        .hint("Start it with: vosimctl daemon start")
}

fn not_a_socket(path: &Path) -> Failure {
    let message = format!("what is there is not a socket: {}", path.display());
    user_error(ErrorCode::BadPath, message)
        .hint("Move it away, or name another path in VOSIM_SOCKET")
}

fn path_too_long(socket: &Path) -> Failure {
    let bytes = socket.as_os_str().len();
    let message = format!(
        "the socket path has {bytes} bytes; at most {SOCKET_PATH_MAX_BYTES} are possible: {}",
        socket.display()
    );
    user_error(ErrorCode::BadPath, message).hint("Name a shorter path in VOSIM_SOCKET")
}

fn not_connected(socket: &Path, error: &io::Error) -> Failure {
    let Trouble { cause, mend } = trouble(socket, error, Location::Socket);
    let message = format!("cannot connect to {}: {cause}", socket.display());
    let failure = user_error(code::CONNECTION_FAILED, message);
    match mend {
        Some(mend) => failure.hint(sentence(&mend)),
        None => failure.hint("To find out more, run: vosimctl doctor"),
    }
}

fn of_another_user(socket: &Path, uid: u32) -> Failure {
    let message = format!(
        "the socket {} belongs to the user with the id {uid}, not to you",
        socket.display()
    );
    user_error(ErrorCode::WrongUser, message).hint("Use your own daemon: unset VOSIM_SOCKET")
}

fn descriptor(stream: &Stream) -> BorrowedFd<'_> {
    match stream {
        Stream::UdSocket(stream) => stream.as_fd(),
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[expect(clippy::needless_pass_by_value, reason = "handed to map_err")]
fn garbled(error: WireError) -> CallError {
    CallError::Garbled(misfit::words(&error))
}
