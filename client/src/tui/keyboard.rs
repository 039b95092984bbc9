//! The keyboard: bytes of the terminal as they come, made into keys and put in line.
//!
//! It is asked again and again whether there is something to read, so that a change of the terminal's size
//! at the same moment takes no key away.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;

use crate::tui::app::Msg;
use crate::tui::decode::{Decoder, Stroke};
use crate::tui::hands::Hands;

/// How long whoever wants to lend the keyboard waits at most.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// A pause after which an Esc is the key, and what was begun is all there is of it. A terminal far away
/// sends the pieces of one sequence closer together than anybody presses two keys.
const PAUSE: Duration = Duration::from_millis(100);

/// The terminal that keys come from.
#[derive(Debug)]
pub(crate) struct Keyboard {
    input: File,
    decoder: Decoder,
}

/// What came of looking for keys.
enum Looked {
    Stroke(Vec<Stroke>),
    /// The terminal has gone, and its user with it.
    Gone,
}

impl Keyboard {
    pub(crate) fn from_stdin() -> io::Result<Self> {
        // A descriptor of our own, so that nothing is held back in a buffer that poll cannot see.
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Self { input, decoder: Decoder::default() })
    }

    /// Reads until the terminal has gone, or nobody wants keys any more.
    pub(crate) fn read<V>(mut self, hands: &Hands, out: &SyncSender<Msg<V>>) {
        loop {
            let typed = match hands.on(|| self.look()) {
                Looked::Stroke(typed) => typed,
                Looked::Gone => {
                    out.send(Msg::Terminated(Signal::SIGHUP)).ok();
                    return;
                }
            };
            for one in typed {
                let msg = match one {
                    Stroke::Key(key) => Msg::Key(key),
                    Stroke::Paste(text) => Msg::Paste(text),
                };
                if out.send(msg).is_err() {
                    return;
                }
            }
        }
    }

    fn look(&mut self) -> Looked {
        let within = if self.decoder.waits() { PAUSE } else { LOOK_EVERY };
        let within = PollTimeout::try_from(within).unwrap_or(PollTimeout::ZERO);
        let mut fds = [PollFd::new(self.input.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, within) {
            Ok(0) => return Looked::Stroke(self.decoder.rest()),
            Ok(_) => {}
            Err(Errno::EINTR) => return Looked::Stroke(Vec::new()),
            Err(_) => return Looked::Gone,
        }
        let mut buffer = [0; 4096];
        match self.input.read(&mut buffer) {
            Ok(0) => Looked::Gone,
            Ok(n) => Looked::Stroke(self.decoder.push(&buffer[..n])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Looked::Stroke(Vec::new()),
            Err(_) => Looked::Gone,
        }
    }
}
