//! Time as it passes: waits that Ctrl-C ends, and the keys of a terminal.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};

use super::{Key, Pacer, Waited};
use crate::errors::Failure;
use crate::interrupt::{Interrupt, Woke, wait_or_typed};

/// Waits for nothing and hears nothing; Ctrl-C ends the process as it ends any other.
#[derive(Debug)]
pub(crate) struct NoPace;

impl Pacer for NoPace {
    fn wait(&mut self, _: Option<Duration>) -> Result<Waited, Failure> {
        Ok(Waited::TimeIsUp)
    }
}

/// Somebody who watches: waits are real, Ctrl-C ends them, keys steer.
#[derive(Debug)]
pub(crate) struct RealTime {
    interrupt: Interrupt,
    keys: Option<Keys>,
}

impl RealTime {
    /// Keys are heard where they are asked for and standard input is a terminal.
    pub(crate) fn open(with_keys: bool) -> io::Result<Self> {
        // Caught before the terminal is changed, so that it is given back whatever ends us.
        let interrupt = Interrupt::catch_also(&SIGNALS)?;
        let keys = if with_keys { Keys::from_stdin()? } else { None };
        Ok(Self { interrupt, keys })
    }
}

/// What ends programs, and what lets one that was stopped go on.
const SIGNALS: [Signal; 3] = [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGCONT];
/// Nothing comes for so long that it might as well be never.
const NEVER: Duration = Duration::from_secs(24 * 3600);

impl Pacer for RealTime {
    fn wait(&mut self, within: Option<Duration>) -> Result<Waited, Failure> {
        let until = within.map(|within| Instant::now() + within);
        loop {
            let left = until.map_or(NEVER, |until| until.saturating_duration_since(Instant::now()));
            if let Some(key) = self.keys.as_mut().and_then(|keys| keys.pressed.pop_front()) {
                return Ok(Waited::Key(key, left));
            }
            let typing = self.keys.as_ref().map(|keys| keys.input.as_fd());
            let woke = wait_or_typed(Some(&self.interrupt), None, typing, left);
            match woke.map_err(anyhow::Error::from)? {
                Woke::Interrupted(Signal::SIGINT) => return Err(Failure::Interrupted),
                // The shell has set modes of its own meanwhile.
                Woke::Interrupted(Signal::SIGCONT) => self.keys.iter().for_each(Keys::listen),
                Woke::Interrupted(signal) => return Err(Failure::Signalled(signal)),
                Woke::TimedOut if until.is_some() => return Ok(Waited::TimeIsUp),
                Woke::TimedOut | Woke::Ready => {}
                Woke::Typed => {
                    let open = self.keys.as_mut().is_none_or(Keys::take);
                    if !open {
                        // Nobody is left who could end a pause.
                        self.keys = None;
                        return Ok(Waited::Key(Key::Quit, left));
                    }
                }
            }
        }
    }
}

/// The keys of a terminal one by one, not shown; lines and signals stay as they were.
#[derive(Debug)]
struct Keys {
    input: File,
    before: Termios,
    pressed: VecDeque<Key>,
}

impl Keys {
    fn from_stdin() -> io::Result<Option<Self>> {
        let stdin = io::stdin();
        if !stdin.is_terminal() {
            return Ok(None);
        }
        // A descriptor of our own, so that nothing is held back in a buffer that poll cannot see.
        let input = File::from(stdin.as_fd().try_clone_to_owned()?);
        let before = tcgetattr(&input)?;
        let keys = Self { input, before, pressed: VecDeque::new() };
        keys.listen();
        Ok(Some(keys))
    }

    /// A terminal that has gone cannot be set; reading from it will tell.
    fn listen(&self) {
        let mut keys = self.before.clone();
        keys.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO);
        tcsetattr(&self.input, SetArg::TCSANOW, &keys).ok();
    }

    /// Takes what was typed; false when nothing will be any more.
    fn take(&mut self) -> bool {
        let mut buffer = [0; 256];
        match self.input.read(&mut buffer) {
            Ok(0) => false,
            Ok(n) => {
                self.pressed.extend(keys(&buffer[..n]));
                true
            }
            Err(error) => error.kind() == io::ErrorKind::Interrupted,
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that has gone needs nothing back.
        tcsetattr(&self.input, SetArg::TCSANOW, &self.before).ok();
    }
}

/// The keys in what a terminal sends; what means nothing here is passed over.
fn keys(mut bytes: &[u8]) -> Vec<Key> {
    /// Arrow keys as terminals send them, in both of their modes.
    const SEQUENCES: [(&[u8], Key); 4] = [
        (b"\x1b[D", Key::Back),
        (b"\x1bOD", Key::Back),
        (b"\x1b[C", Key::Forward),
        (b"\x1bOC", Key::Forward),
    ];
    let mut keys = Vec::new();
    while let Some((first, rest)) = bytes.split_first() {
        let found = SEQUENCES.iter().find(|(sequence, _)| bytes.starts_with(sequence));
        keys.extend(match (first, found) {
            (_, Some((_, key))) => Some(*key),
            (b' ', None) => Some(Key::Pause),
            // Ctrl-D, the end of what is typed, leaves as everywhere.
            (b'q' | b'Q' | 4, None) => Some(Key::Quit),
            (_, None) => None,
        });
        bytes = found.map_or(rest, |(sequence, _)| &bytes[sequence.len()..]);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_from_what_terminals_send() {
        assert_eq!(keys(b" q\x04Q"), [Key::Pause, Key::Quit, Key::Quit, Key::Quit]);
        assert_eq!(keys(b"\x1b[D\x1b[C"), [Key::Back, Key::Forward]);
        assert_eq!(keys(b"\x1bOD \x1bOC"), [Key::Back, Key::Pause, Key::Forward]);
        assert_eq!(keys(b"x\x1b[A\x1b\xc3\xa4\x1b["), []);
    }
}
