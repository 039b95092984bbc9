//! The signals that stop the daemon: the first lets it finish, the second ends it at once.
//!
//! How the daemon finishes is up to whoever waits for the signal.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a hang-up (SIGHUP) means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnHangUp {
    /// Stop: the terminal is gone, and with it the person who started the daemon there.
    Stop,
    /// Nothing, since a detached daemon has no terminal.
    Ignore,
}

/// The signal by which the daemon was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    /// SIGTERM.
    Terminate,
    /// SIGINT, as by Ctrl-C.
    Interrupt,
    /// SIGHUP.
    HangUp,
}

impl StopSignal {
    /// Returns the exit status of a process that is ended by this signal.
    pub fn exit_status(self) -> i32 {
        128 + match self {
            Self::HangUp => 1,
            Self::Interrupt => 2,
            Self::Terminate => 15,
        }
    }
}

/// A receiver of the signals that stop the daemon.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
    on_hang_up: OnHangUp,
}

impl Signals {
    /// Begins to receive the signals, which kill the process until then; needs a tokio runtime with
    /// I/O.
    pub fn new(on_hang_up: OnHangUp) -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
            on_hang_up,
        })
    }

    /// Waits for the next signal. Dropping the future loses none.
    pub async fn next(&mut self) -> StopSignal {
        loop {
            let stop = tokio::select! {
                Some(()) = self.terminate.recv() => StopSignal::Terminate,
                Some(()) = self.interrupt.recv() => StopSignal::Interrupt,
                Some(()) = self.hang_up.recv() => StopSignal::HangUp,
            };
            match (stop, self.on_hang_up) {
                (StopSignal::HangUp, OnHangUp::Ignore) => {}
                (StopSignal::Terminate | StopSignal::Interrupt | StopSignal::HangUp, _) => {
                    return stop;
                }
            }
        }
    }

    /// Ends the process at the next signal, for whoever will not wait until the daemon has
    /// finished.
    ///
    /// Nothing is lost, since every event that was acknowledged is on the disk.
    pub async fn exit_at_next(mut self) {
        let stop = self.next().await;
        tracing::warn!(?stop, "told to stop a second time, ending at once");
        std::process::exit(stop.exit_status());
    }
}

/// Waits until the daemon is told to stop; a second signal then ends the process at once.
pub async fn shutdown_signal(mut signals: Signals) -> StopSignal {
    let stop = signals.next().await;
    let _watch = crate::background::spawn("second-signal", signals.exit_at_next());
    stop
}

#[cfg(test)]
mod tests {
    use nix::sys::signal::{Signal as Number, raise};

    use super::*;

    // This is one test because signals go to the whole process, in which tests run in parallel.
    #[tokio::test]
    async fn each_signal_is_received_in_turn_and_a_hang_up_as_is_asked() {
        let mut attached = Signals::new(OnHangUp::Stop).unwrap();
        let mut detached = Signals::new(OnHangUp::Ignore).unwrap();
        raise(Number::SIGHUP).unwrap();
        assert_eq!(attached.next().await, StopSignal::HangUp);
        raise(Number::SIGTERM).unwrap();
        assert_eq!(attached.next().await, StopSignal::Terminate);
        assert_eq!(detached.next().await, StopSignal::Terminate);
        raise(Number::SIGINT).unwrap();
        assert_eq!(attached.next().await, StopSignal::Interrupt);
        assert_eq!(detached.next().await, StopSignal::Interrupt);
    }

    #[test]
    fn exit_statuses_are_those_of_a_shell() {
        assert_eq!(StopSignal::Terminate.exit_status(), 143);
        assert_eq!(StopSignal::Interrupt.exit_status(), 130);
    }
}
