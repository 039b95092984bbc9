//! The lines of a pipe as they come, each waited for at most [`PATIENCE`].

use std::io::{BufRead as _, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Long enough for a run that is allowed 30 s on a busy machine; reaching it is a failure.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A pipe that is read on a thread of its own until it closes.
#[derive(Debug)]
pub struct Lines {
    name: String,
    coming: Receiver<String>,
    seen: Vec<String>,
}

impl Lines {
    /// Reads a pipe; `name` is what failures call it.
    pub fn of(name: &str, pipe: impl Read + Send + 'static) -> Self {
        let (sender, coming) = channel();
        std::thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            let mut line = Vec::new();
            while matches!(pipe.read_until(b'\n', &mut line), Ok(1..)) {
                let text = String::from_utf8_lossy(&line);
                if sender.send(text.strip_suffix('\n').unwrap_or(&text).to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Self { name: name.to_owned(), coming, seen: Vec::new() }
    }

    /// The next line; none when the pipe has closed.
    pub fn next_line(&mut self) -> Option<String> {
        match self.coming.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                panic!("nothing more came from {} within {PATIENCE:?}: {:#?}", self.name, self.seen)
            }
        }
    }

    /// The first line from here on that is wanted.
    pub fn wait_for(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        loop {
            match self.next_line() {
                Some(line) if wanted(&line) => return line,
                Some(_) => {}
                None => panic!("{} closed before the line came: {:#?}", self.name, self.seen),
            }
        }
    }

    /// Waits until the pipe closes; all lines of it.
    pub fn to_end(&mut self) -> &[String] {
        while self.next_line().is_some() {}
        &self.seen
    }

    /// The lines read so far.
    pub fn seen(&self) -> &[String] {
        &self.seen
    }
}
