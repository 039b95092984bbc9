//! One driver in one sandbox: starts it, talks with it within bounds, and gets the report. Plain
//! blocking calls around one `poll`; it belongs on a thread of its own.

use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use vosim_sandbox_spec::{RunReport, RunSpec};

use super::frames::{self, Answer, CHANNEL_MAX_BYTES, FRAME_MAX_BYTES, Said};

/// How long after the run's own wall limit its report must be here.
const REPORT_GRACE: Duration = Duration::from_secs(20);
/// Longest report line.
const REPORT_MAX_BYTES: usize = 16 * 1024 * 1024;
/// Most text of one case's prints that is kept while it runs.
const HEAD_MAX_BYTES: usize = 64 * 1024;

/// Ends a run from another thread.
#[derive(Debug)]
pub struct Cancel {
    called: AtomicBool,
    ours: UnixStream,
    theirs: UnixStream,
}

impl Cancel {
    /// A handle for one run; fails where no more descriptors can be had.
    pub fn new() -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        Ok(Self { called: AtomicBool::new(false), ours, theirs })
    }

    /// Ends the run; nothing of it is judged.
    pub fn cancel(&self) {
        self.called.store(true, Ordering::SeqCst);
        // A closed line wakes the thread that waits; it may have gone already.
        drop(self.ours.shutdown(std::net::Shutdown::Both));
    }

    /// True once the run is to end.
    pub fn is_cancelled(&self) -> bool {
        self.called.load(Ordering::SeqCst)
    }
}

/// How an exchange with the driver ended.
#[derive(Debug)]
pub(super) enum Exchange {
    /// It answered.
    Answered(Box<Answer>),
    /// It is gone: the report says why.
    Gone,
    /// It said what does not fit.
    Nonsense,
    /// It said too much.
    Flooded,
    /// The run was cancelled.
    Cancelled,
    /// The sandbox itself does not answer.
    Stuck,
}

/// A running driver.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    control: UnixStream,
    channel: UnixStream,
    buffer: Vec<u8>,
    /// Bytes of the buffer that hold no end of a line.
    searched: usize,
    received: usize,
    nonce: u32,
    started: Instant,
    deadline: Instant,
}

impl Process {
    pub(super) fn start(
        sandbox: &Path,
        user: Option<&str>,
        spec: &RunSpec,
        nonce: u32,
    ) -> io::Result<Self> {
        let (mut control, its_control) = UnixStream::pair()?;
        let (channel, its_channel) = UnixStream::pair()?;
        let child = Command::new(sandbox)
            .args(user.map(|user| ["--user", user]).into_iter().flatten())
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(its_control)))
            .stdout(Stdio::from(OwnedFd::from(its_channel)))
            .stderr(Stdio::null())
            .spawn()?;
        let started = Instant::now();
        let deadline = started + Duration::from_millis(spec.limits.wall_ms) + REPORT_GRACE;
        let mut line = serde_json::to_vec(spec)?;
        line.push(b'\n');
        control.write_all(&line)?;
        channel.set_nonblocking(true)?;
        Ok(Self {
            child,
            control,
            channel,
            buffer: Vec::new(),
            searched: 0,
            received: 0,
            nonce,
            started,
            deadline,
        })
    }

    /// The number that every frame of this process bears.
    pub(super) const fn nonce(&self) -> u32 {
        self.nonce
    }

    /// Time on the clock since it was started.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Sends a frame and waits for its answer; what is printed meanwhile is added to `head`.
    pub(super) fn ask(
        &mut self,
        mut frame: &[u8],
        seq: u32,
        cancel: &Cancel,
        head: &mut String,
    ) -> Exchange {
        loop {
            while let Some(line) = self.next_line() {
                match frames::read(&line, self.nonce, seq) {
                    Some(Said::Answer(answer)) => return Exchange::Answered(answer),
                    Some(Said::Print(text)) if head.len() + text.len() <= HEAD_MAX_BYTES => {
                        head.push_str(&text);
                    }
                    Some(Said::Print(_)) => return Exchange::Flooded,
                    None => return Exchange::Nonsense,
                }
            }
            if self.buffer.len() > FRAME_MAX_BYTES || self.received > CHANNEL_MAX_BYTES {
                return Exchange::Flooded;
            }
            match self.wait(!frame.is_empty(), cancel) {
                Woken::Ready => {}
                Woken::Cancelled => return Exchange::Cancelled,
                Woken::Late => return Exchange::Stuck,
            }
            if let Err(gone) = self.transfer(&mut frame) {
                return gone;
            }
        }
    }

    /// The first whole line that has come; every byte is looked at once.
    fn next_line(&mut self) -> Option<Vec<u8>> {
        let fresh = &self.buffer[self.searched..];
        let Some(end) = fresh.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.buffer.len();
            return None;
        };
        let line = self.buffer.drain(..=self.searched + end).collect();
        self.searched = 0;
        Some(line)
    }

    /// Moves what can be moved without waiting.
    fn transfer(&mut self, frame: &mut &[u8]) -> Result<(), Exchange> {
        if !frame.is_empty() {
            match self.channel.write(frame) {
                Ok(count) => *frame = &frame[count..],
                Err(error) if would_wait(&error) => {}
                // It may have answered before it went away: what it said is read first.
                Err(_) => *frame = &[],
            }
        }
        let mut chunk = [0; 64 * 1024];
        match self.channel.read(&mut chunk) {
            Ok(0) => Err(Exchange::Gone),
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                self.received += count;
                Ok(())
            }
            Err(error) if would_wait(&error) => Ok(()),
            Err(_) => Err(Exchange::Gone),
        }
    }

    fn wait(&self, writing: bool, cancel: &Cancel) -> Woken {
        let wanted = if writing { PollFlags::POLLOUT } else { PollFlags::empty() };
        let mut fds = [
            PollFd::new(self.channel.as_fd(), PollFlags::POLLIN | wanted),
            PollFd::new(cancel.theirs.as_fd(), PollFlags::POLLIN),
        ];
        wait_on(&mut fds, self.deadline, cancel)
    }

    /// Closes the channel, which ends an idle driver, and waits for the report.
    pub(super) fn report(mut self, cancel: &Cancel) -> Result<RunReport, String> {
        drop(self.channel.shutdown(std::net::Shutdown::Both));
        let line = self.report_line(cancel)?;
        // The helper has nothing left to do.
        drop(self.child.wait());
        serde_json::from_slice(&line).map_err(|error| match line.len() {
            0 => "the sandbox ended without a report".to_owned(),
            _ => format!("the sandbox's report cannot be read: {error}"),
        })
    }

    fn report_line(&mut self, cancel: &Cancel) -> Result<Vec<u8>, String> {
        let mut line = Vec::new();
        let mut chunk = [0; 64 * 1024];
        while !line.ends_with(b"\n") && line.len() < REPORT_MAX_BYTES {
            let mut fds = [
                PollFd::new(self.control.as_fd(), PollFlags::POLLIN),
                PollFd::new(cancel.theirs.as_fd(), PollFlags::POLLIN),
            ];
            match wait_on(&mut fds, self.deadline, cancel) {
                Woken::Ready => {}
                Woken::Cancelled => return Err("cancelled".to_owned()),
                Woken::Late => return Err("the sandbox does not answer".to_owned()),
            }
            match self.control.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => line.extend_from_slice(&chunk[..count]),
                Err(error) => return Err(format!("reading the sandbox's report: {error}")),
            }
        }
        Ok(line)
    }
}

/// Whatever becomes of the exchange, nothing is left running: without its control channel the
/// helper ends the run and itself.
impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        drop(self.control.shutdown(std::net::Shutdown::Write));
        if !self.ends_within(Duration::from_secs(2)) {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}

impl Process {
    /// The helper closes its end when it goes.
    fn ends_within(&self, patience: Duration) -> bool {
        let mut fds = [PollFd::new(self.control.as_fd(), PollFlags::POLLIN)];
        let timeout = PollTimeout::try_from(patience).unwrap_or(PollTimeout::ZERO);
        matches!(poll(&mut fds, timeout), Ok(count) if count > 0)
    }
}

enum Woken {
    Ready,
    Cancelled,
    Late,
}

fn wait_on(fds: &mut [PollFd<'_>], deadline: Instant, cancel: &Cancel) -> Woken {
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
    let woken = poll(fds, timeout);
    if cancel.is_cancelled() {
        Woken::Cancelled
    } else if left.is_zero() || matches!(woken, Ok(0)) {
        Woken::Late
    } else {
        Woken::Ready
    }
}

fn would_wait(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
