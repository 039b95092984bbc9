//! One driver in one sandbox: starts it, gives it the word, talks with it within bounds, and gets
//! the report. Plain blocking calls around one `poll`; it belongs on a thread of its own.

use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use vosim_protocol::misfit;
use vosim_protocol::trouble::cause;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use vosim_sandbox_spec::{Go, RunReport, RunSpec};

use super::asked::{end_group, end_of};
use super::cancel::{Cancel, Woken};
use super::frames::{self, Answer, CHANNEL_MAX_BYTES, FRAME_MAX_BYTES, Nonce, Said};
use crate::runtime_dir::check_started;

/// How long a helper may take to read what it is asked.
const READS_WITHIN: Duration = Duration::from_secs(5);
/// How long after the run's own wall limit its report must be here.
const REPORT_GRACE: Duration = Duration::from_secs(20);
/// How long a helper may take to go once it is told to.
const GOES_WITHIN: Duration = Duration::from_secs(2);
/// Longest report line.
const REPORT_MAX_BYTES: usize = 16 * 1024 * 1024;
/// Most text of one case's prints that is kept while it runs.
pub(super) const HEAD_MAX_BYTES: usize = 64 * 1024;

/// How an exchange with the driver ended.
#[derive(Debug)]
pub(super) enum Exchange {
    /// The driver answered.
    Answered(Box<Answer>),
    /// The driver is gone: the report says why.
    Gone,
    /// The driver's answer does not fit the question.
    Nonsense,
    /// The driver's answer was too long.
    Flooded,
    /// There was no answer by the time that was named.
    Slow,
    /// The run was cancelled.
    Cancelled,
    /// The sandbox itself does not answer.
    Stuck,
}

/// A driver, waiting or running.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    control: UnixStream,
    channel: UnixStream,
    nonce: Nonce,
    /// What is still to be sent.
    outgoing: Vec<u8>,
    buffer: Vec<u8>,
    /// Bytes of the buffer that hold no end of a line.
    searched: usize,
    received: usize,
    /// What belongs to a question before this one is not heard any more.
    sealed: u32,
    /// The start, or the word.
    since: Instant,
    wall: Duration,
    deadline: Instant,
}

impl Process {
    /// Starts a helper; where the request holds the program back, it waits for [`go`](Self::go).
    pub(super) fn start(sandbox: &Path, user: Option<&str>, spec: &RunSpec) -> io::Result<Self> {
        check_started(sandbox).map_err(io::Error::other)?;
        let (mut control, its_control) = UnixStream::pair()?;
        let (channel, its_channel) = UnixStream::pair()?;
        // A helper that reads nothing holds nobody up.
        control.set_write_timeout(Some(READS_WITHIN))?;
        let child = Command::new(sandbox)
            .process_group(0)
            .args(user.map(|user| ["--user", user]).into_iter().flatten())
            .env_clear()
            .envs(vosim_sandbox_spec::places_of())
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(its_control)))
            .stdout(Stdio::from(OwnedFd::from(its_channel)))
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = serde_json::to_vec(spec)?;
        line.push(b'\n');
        control.write_all(&line)?;
        Self::over(child, control, channel, Duration::from_millis(spec.limits.wall_ms))
    }

    /// A driver at the other end of these two, in a run of at most so long.
    pub(super) fn over(
        child: Child,
        control: UnixStream,
        channel: UnixStream,
        wall: Duration,
    ) -> io::Result<Self> {
        channel.set_nonblocking(true)?;
        let since = Instant::now();
        Ok(Self {
            child,
            control,
            channel,
            nonce: Nonce::new(),
            outgoing: Vec::new(),
            buffer: Vec::new(),
            searched: 0,
            received: 0,
            sealed: 0,
            since,
            wall,
            deadline: since + wall + REPORT_GRACE,
        })
    }

    /// The same one, from which something must be heard so long after its start.
    pub(super) fn within(mut self, patience: Duration) -> Self {
        self.deadline = self.deadline.min(self.since + patience);
        self
    }

    /// Whether it is on standby and nothing has become of it.
    pub(super) fn is_waiting(&self) -> bool {
        let watched = [self.control.as_fd(), self.channel.as_fd()];
        let mut fds = watched.map(|fd| PollFd::new(fd, PollFlags::POLLIN));
        matches!(poll(&mut fds, PollTimeout::ZERO), Ok(0))
    }

    #[cfg(test)]
    pub(super) fn helper(&self) -> u32 {
        self.child.id()
    }

    /// Lets a driver on standby go: the limits count from now.
    pub(super) fn go(&mut self, signal: Go) -> io::Result<()> {
        let mut line = serde_json::to_vec(&signal)?;
        line.push(b'\n');
        self.control.write_all(&line)?;
        self.since = Instant::now();
        let named = signal.wall_ms.map(Duration::from_millis);
        self.deadline = self.since + named.unwrap_or(self.wall).min(self.wall) + REPORT_GRACE;
        Ok(())
    }

    /// What every frame of this process bears.
    pub(super) const fn nonce(&self) -> &Nonce {
        &self.nonce
    }

    /// Time on the clock since the go signal.
    pub(super) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// Sends a frame as far as it can be sent without waiting; the rest goes with the answer.
    pub(super) fn post(&mut self, frame: Vec<u8>) {
        if self.outgoing.is_empty() {
            self.outgoing = frame;
        } else {
            self.outgoing.extend(frame);
        }
        self.send();
    }

    /// Everything said so far has been taken: what comes later for a question before `seq` is
    /// refused.
    pub(super) const fn seal(&mut self, seq: u32) {
        self.sealed = seq;
    }

    /// Waits for the answer to what was posted, at most `until` then where that is given; what is
    /// printed meanwhile is added to `head`.
    pub(super) fn answer(
        &mut self,
        seq: u32,
        until: Option<Instant>,
        cancel: &Cancel,
        head: &mut String,
    ) -> Exchange {
        let until = until.filter(|until| *until < self.deadline);
        loop {
            while let Some(line) = self.next_line() {
                match frames::read(&line, &self.nonce, seq) {
                    Some(Said::Answer(answer)) => return Exchange::Answered(answer),
                    // No fault: a thread may have begun to print before.
                    Some(Said::Print(of, _)) if of < self.sealed => {}
                    Some(Said::Print(_, text)) if head.len() + text.len() <= HEAD_MAX_BYTES => {
                        head.push_str(&text);
                    }
                    Some(Said::Print(..)) => return Exchange::Flooded,
                    None => return Exchange::Nonsense,
                }
            }
            if self.buffer.len() > FRAME_MAX_BYTES || self.received > CHANNEL_MAX_BYTES {
                return Exchange::Flooded;
            }
            match self.wait(cancel, until.unwrap_or(self.deadline)) {
                Woken::Ready => {}
                Woken::Cancelled => return Exchange::Cancelled,
                Woken::Late if until.is_some() => return Exchange::Slow,
                Woken::Late => return Exchange::Stuck,
            }
            self.send();
            if let Err(gone) = self.receive() {
                return gone;
            }
        }
    }

    /// Takes all that the program says until it has gone; nothing if that is more than so many bytes. One
    /// that says nothing any more is ended by the run's own limits.
    pub(super) fn everything(&mut self, most: usize, cancel: &Cancel) -> Option<Vec<u8>> {
        while self.received <= most {
            if self.wait(cancel, self.deadline) != Woken::Ready {
                break;
            }
            self.send();
            if self.receive().is_err() {
                break;
            }
        }
        let said = std::mem::take(&mut self.buffer);
        (self.received <= most).then_some(said)
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

    fn send(&mut self) {
        if self.outgoing.is_empty() {
            return;
        }
        match self.channel.write(&self.outgoing) {
            Ok(count) => drop(self.outgoing.drain(..count)),
            Err(error) if would_wait(&error) => {}
            // It may have answered before it went away: what it said is read first.
            Err(_) => self.outgoing.clear(),
        }
    }

    fn receive(&mut self) -> Result<(), Exchange> {
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

    fn wait(&self, cancel: &Cancel, deadline: Instant) -> Woken {
        let writing = !self.outgoing.is_empty();
        let wanted = if writing { PollFlags::POLLOUT } else { PollFlags::empty() };
        let fd = PollFd::new(self.channel.as_fd(), PollFlags::POLLIN | wanted);
        cancel.wait(fd, deadline)
    }

    /// Tells the driver that nothing more comes, upon which it ends.
    pub(super) fn close(&self) {
        drop(self.channel.shutdown(std::net::Shutdown::Both));
    }

    /// Ends the run from here and waits for the report, which tells what it has computed.
    pub(super) fn stop(mut self, cancel: &Cancel) -> Result<RunReport, String> {
        let over = Go { wall_ms: Some(1), ..Go::default() };
        let mut line = serde_json::to_vec(&over).map_err(|error| error.to_string())?;
        line.push(b'\n');
        // One that has ended meanwhile reads nothing, and has reported.
        self.control.write_all(&line).ok();
        self.report(cancel)
    }

    /// Closes the channel and waits for the report.
    ///
    /// What comes by the channel may be faster than the go signal: on a busy machine a driver can have ended
    /// before its helper has heard of it, which then tells all of its waiting as the run's time. The run is
    /// never longer than it was from here.
    pub(super) fn report(mut self, cancel: &Cancel) -> Result<RunReport, String> {
        self.close();
        let line = self.report_line(cancel)?;
        let elapsed_us = u64::try_from(self.elapsed().as_micros()).unwrap_or(u64::MAX);
        // The helper has nothing left to do but to go, and nobody need wait for it. Without a thread
        // for this it is waited for at once.
        let aside = thread::Builder::new().name("sandbox-end".to_owned());
        aside.spawn(move || drop(self)).ok();
        let mut report: RunReport =
            serde_json::from_slice(&line).map_err(|error| match line.len() {
                0 => "the sandbox ended without a report".to_owned(),
                _ => format!("the sandbox's report cannot be read: {}", misfit::words(&error)),
            })?;
        report.usage.wall_us = report.usage.wall_us.min(elapsed_us);
        Ok(report)
    }

    fn report_line(&mut self, cancel: &Cancel) -> Result<Vec<u8>, String> {
        let mut line = Vec::new();
        let mut chunk = [0; 64 * 1024];
        while !line.ends_with(b"\n") && line.len() < REPORT_MAX_BYTES {
            let fd = PollFd::new(self.control.as_fd(), PollFlags::POLLIN);
            match cancel.wait(fd, self.deadline) {
                Woken::Ready => {}
                Woken::Cancelled => return Err("cancelled".to_owned()),
                Woken::Late => return Err("the sandbox does not answer".to_owned()),
            }
            match self.control.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => line.extend_from_slice(&chunk[..count]),
                Err(error) => {
                    return Err(format!("reading the sandbox's report: {}", cause(&error)));
                }
            }
        }
        Ok(line)
    }

    /// Ends it without waiting; whoever drops it waits.
    pub(super) fn end(&self) {
        drop(self.control.shutdown(std::net::Shutdown::Write));
    }

    /// Lets the helper go, for a moment. Where the kernel does not tell that it has gone, it closes its
    /// end when it goes.
    fn let_go(&self) {
        let end = end_of(&self.child);
        let watched = end.as_ref().map_or(self.control.as_fd(), OwnedFd::as_fd);
        let mut fds = [PollFd::new(watched, PollFlags::POLLIN)];
        let timeout = PollTimeout::try_from(GOES_WITHIN).unwrap_or(PollTimeout::ZERO);
        // Whoever asked for this ends it then, whatever has become of it.
        poll(&mut fds, timeout).ok();
    }
}

/// Whatever becomes of the exchange, nothing is left running: without its control channel the
/// helper ends the run and itself.
impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        self.end();
        self.let_go();
        end_group(&mut self.child);
    }
}

fn would_wait(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use vosim_sandbox_spec::{Level, Usage, VERSION, Verdict};

    use super::*;

    #[test]
    fn what_a_driver_has_waited_is_no_time_of_the_run_though_its_helper_has_heard_of_none() {
        let (control, mut helper) = UnixStream::pair().unwrap();
        let (channel, _driver) = UnixStream::pair().unwrap();
        let child = Command::new("true").spawn().unwrap();
        let mut process = Process::over(child, control, channel, Duration::from_secs(30)).unwrap();
        process.go(Go::default()).unwrap();
        let report = RunReport {
            version: VERSION,
            verdict: Verdict::Ok,
            suspected: None,
            exit_code: Some(0),
            signal: None,
            usage: Usage { wall_us: 3_600_000_000, ..Usage::default() },
            waited: None,
            stdout: Default::default(),
            stderr: Default::default(),
            enforced: Vec::new(),
            shortfalls: Vec::new(),
            level: Level::B,
            error: None,
        };
        let line = serde_json::to_string(&report).unwrap() + "\n";
        helper.write_all(line.as_bytes()).unwrap();
        let began = process.since;
        let report = process.report(&Cancel::new().unwrap()).unwrap();
        let wall = Duration::from_micros(report.usage.wall_us);
        assert!(wall <= began.elapsed(), "{wall:?}");
    }
}
