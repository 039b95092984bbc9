//! The terminal while the screen is on it: raw, on its other page, and given back whatever happens.

use std::io::{self, Stdout, Write as _, stdout};
use std::panic;
use std::sync::Arc;

use nix::sys::pthread::{pthread_kill, pthread_self};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::Pid;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::tui::app::App;
use crate::tui::draw::draw;
use crate::tui::panel::KindPanel;

/// The terminal, ours until this is dropped.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    /// What tells of a panic when no screen is there.
    hook: Arc<dyn Fn(&panic::PanicHookInfo<'_>) + Send + Sync>,
}

impl Screen {
    pub(crate) fn enter() -> io::Result<Self> {
        let hook: Arc<dyn Fn(&panic::PanicHookInfo<'_>) + Send + Sync> = panic::take_hook().into();
        let told = Arc::clone(&hook);
        panic::set_hook(Box::new(move |info| {
            // What a panic says would be lost on the page that goes away.
            give_back();
            told(info);
        }));
        let entered = take_over().and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        match entered {
            Ok(terminal) => Ok(Self { terminal, hook }),
            Err(error) => {
                give_back();
                panic::set_hook(Box::new(move |info| hook(info)));
                Err(error)
            }
        }
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    pub(crate) fn draw<P: KindPanel>(&mut self, app: &App<P>) -> io::Result<()> {
        self.terminal.draw(|frame| draw(app, frame)).map(|_| ())
    }

    /// Forgets what the terminal shows: the next drawing draws every cell, on our page again.
    pub(crate) fn renew(&mut self) -> io::Result<()> {
        // Where the process was stopped from outside, a shell has set a mode of its own meanwhile,
        // and raw mode is entered only by who is not believed to be in it.
        disable_raw_mode()?;
        take_over()?;
        // To the same size: `clear` would ask the terminal where its cursor is, whose answer the
        // thread that reads keys takes away, and which some terminals never give.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Gives the terminal to somebody else for as long as they need it.
    pub(crate) fn lend<T>(&mut self, to: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let done = to();
        self.renew()?;
        Ok(done)
    }

    /// Gives the terminal back and stops the process; it comes back when that goes on, or at once
    /// where no shell waits for us: there the kernel drops the signal.
    #[expect(clippy::unused_self, reason = "only whoever has the screen may give it back")]
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        give_back();
        // Other threads wait for this signal, so it is sent to this one, which obeys it.
        let signal = SigSet::from(Signal::SIGTSTP);
        signal.thread_unblock()?;
        let stopped = pthread_kill(pthread_self(), Signal::SIGTSTP);
        signal.thread_block()?;
        Ok(stopped?)
    }
}

/// Asks the whole process group to stop, as Ctrl-Z does elsewhere; it reaches us like any signal.
pub(crate) fn ask_to_stop() -> io::Result<()> {
    kill(Pid::from_raw(0), Signal::SIGTSTP).map_err(io::Error::from)
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
        if !std::thread::panicking() {
            let hook = Arc::clone(&self.hook);
            panic::set_hook(Box::new(move |info| hook(info)));
        }
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    // Whoever was killed with the screen on has left its page as it was.
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste)
}

/// A terminal that has gone cannot be given back, and nobody is there to be told.
fn give_back() {
    let mut out = stdout();
    execute!(out, DisableBracketedPaste, LeaveAlternateScreen, Show).ok();
    out.flush().ok();
    disable_raw_mode().ok();
}
