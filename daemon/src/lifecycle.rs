//! The daemon's life as the system sees it: detaching, being ready, showing signs of life,
//! stopping.
//!
//! The daemon tells systemd and the client that has started the daemon. What a stop means for
//! sessions is not decided here.

pub mod clean;
mod last_words;
pub mod needs;
pub mod run_mark;
mod signals;
pub mod unit;

use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;

use nix::errno::Errno;

pub use last_words::tell_those_who_wait;
pub use signals::{OnHangUp, Signals, StopSignal, shutdown_signal};

/// The word on standard output by which vosimctl knows that the socket answers.
const READY: &str = "ready";

/// Leaves the terminal and the process session of whoever started us.
pub fn detach() -> io::Result<()> {
    match nix::unistd::setsid() {
        // We already lead a process group, which systemd or a shell has given us.
        Ok(_) | Err(Errno::EPERM) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// Returns the socket that systemd has bound for us, if it has.
///
/// Call it before any thread is started, since it removes variables from the environment. The
/// socket's name belongs to systemd and is never unlinked by us.
pub fn activated_listener() -> io::Result<Option<OwnedFd>> {
    let pid = std::env::var("LISTEN_PID").ok();
    if pid.and_then(|pid| pid.parse().ok()) != Some(std::process::id()) {
        return Ok(None);
    }
    let mut given = listenfd::ListenFd::from_env();
    match given.len() {
        0 => Ok(None),
        1 => Ok(given.take_unix_listener(0)?.map(|listener: UnixListener| listener.into())),
        many => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("systemd passed {many} sockets, and one is needed"),
        )),
    }
}

/// Whether somebody waits for a word on our standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// vosimctl waits, which has started us.
    OnStandardOutput,
    /// Nobody waits.
    Nobody,
}

/// Tells the client that waits that the socket answers.
///
/// Standard output is closed after that, so that the client sees its end.
pub fn say_ready(waiting: Waiting) -> io::Result<()> {
    match waiting {
        Waiting::OnStandardOutput => say_and_close(READY),
        Waiting::Nobody => Ok(()),
    }
}

/// Tells the client that waits, in one line, why there will be no daemon.
pub fn say_failed(waiting: Waiting, sentence: &str) -> io::Result<()> {
    match waiting {
        Waiting::OnStandardOutput => say_and_close(&sentence.replace('\n', " ")),
        Waiting::Nobody => Ok(()),
    }
}

fn say_and_close(line: &str) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{line}")?;
    out.flush()?;
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    nix::unistd::dup2_stdout(nowhere)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// Runs this very test in a second process that is started as systemd starts the daemon, with a
    /// bound socket as descriptor 3 and with its own process id in the environment.
    #[test]
    fn a_socket_that_systemd_has_bound_is_taken_and_answers() {
        const CHILD: &str = "VOSIMD_TEST_ACTIVATED";
        if std::env::var_os(CHILD).is_some() {
            let listener = activated_listener().unwrap().expect("a socket was passed");
            let (mut peer, _) = UnixListener::from(listener).accept().unwrap();
            peer.write_all(b"hello").unwrap();
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let script = "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" --exact \"$1\" 3<&0";
        let child = Command::new("sh")
            .args(["-c", script])
            .arg(std::env::current_exe().unwrap())
            .arg("lifecycle::tests::a_socket_that_systemd_has_bound_is_taken_and_answers")
            .env(CHILD, "1")
            .stdin(OwnedFd::from(listener))
            .stdout(Stdio::null())
            .spawn();
        let mut peer = std::os::unix::net::UnixStream::connect(&path).unwrap();
        assert_eq!(io::read_to_string(&mut peer).unwrap(), "hello");
        assert!(child.unwrap().wait().unwrap().success());
    }

    #[test]
    fn variables_meant_for_another_process_pass_no_socket() {
        assert!(activated_listener().unwrap().is_none());
    }
}
