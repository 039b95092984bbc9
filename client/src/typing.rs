//! What somebody types while the session goes on: lines from a terminal, a pipe or a file.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::FileTypeExt as _;

use crate::errors::Failure;
use crate::message::LineReader;

/// Standard input, read only when there is something.
#[derive(Debug)]
pub(crate) struct Typing {
    input: File,
    lines: LineReader,
    /// At its end a terminal's user leaves; a pipe or a file has merely said all it had to say.
    terminal: bool,
    open: bool,
}

/// What was read at once.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    pub(crate) lines: Vec<Result<String, Failure>>,
    /// The user has closed the terminal's input: they leave.
    pub(crate) left: bool,
}

impl Typing {
    /// Standard input if lines may come from it: a terminal, a pipe or a file. /dev/null is nobody who types.
    pub(crate) fn from_stdin() -> io::Result<Option<Self>> {
        let stdin = io::stdin();
        let terminal = stdin.is_terminal();
        // A descriptor of our own, so that nothing is held back in a buffer that poll cannot see.
        let input = File::from(stdin.as_fd().try_clone_to_owned()?);
        Self::from_input(input, terminal)
    }

    fn from_input(input: File, terminal: bool) -> io::Result<Option<Self>> {
        let kind = input.metadata()?.file_type();
        // A file is always readable to `poll`, and at its end has said all it had to say.
        let someone = terminal || kind.is_fifo() || kind.is_socket() || kind.is_file();
        Ok(someone.then(|| Self { input, lines: LineReader::default(), terminal, open: true }))
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// What to wait for; None after the end.
    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.open.then(|| self.input.as_fd())
    }

    /// Takes what is there; it waits only if nothing is.
    pub(crate) fn take(&mut self) -> Typed {
        let mut buffer = [0; 16 * 1024];
        match self.input.read(&mut buffer) {
            Ok(0) => self.end(),
            Ok(n) => Typed { lines: self.lines.push(&buffer[..n]), left: false },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Typed::default(),
            // A terminal that has been hung up reads as an error.
            Err(_) => self.end(),
        }
    }

    fn end(&mut self) -> Typed {
        self.open = false;
        Typed { lines: self.lines.finish().into_iter().collect(), left: self.terminal }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use super::*;

    fn texts(typed: Typed) -> Vec<String> {
        assert!(!typed.left);
        typed.lines.into_iter().map(Result::unwrap).collect()
    }

    #[test]
    fn a_file_is_typed_to_its_end_and_nobody_types_at_dev_null() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines");
        std::fs::write(&path, "one\ntwo").unwrap();
        let mut typing = Typing::from_input(File::open(path).unwrap(), false).unwrap().unwrap();
        assert_eq!(texts(typing.take()), ["one"]);
        assert_eq!(texts(typing.take()), ["two"]);
        assert!(typing.descriptor().is_none());
        assert!(Typing::from_input(File::open("/dev/null").unwrap(), false).unwrap().is_none());
    }

    #[test]
    fn lines_come_as_they_are_typed_and_a_pipe_s_end_leaves_nobody_out() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let input = File::from(OwnedFd::from(near));
        let mut typing = Typing::from_input(input, false).unwrap().unwrap();
        far.write_all(b"one\ntw").unwrap();
        assert_eq!(texts(typing.take()), ["one"]);
        far.write_all(b"o\nthree").unwrap();
        assert_eq!(texts(typing.take()), ["two"]);
        drop(far);
        assert_eq!(texts(typing.take()), ["three"]);
        assert!(typing.descriptor().is_none());
    }
}
