//! [`Terminal`]: a program on a terminal of its own, as its user sees it and types on it.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::daemon::end_of;
use crate::home::Home;
use crate::lines::PATIENCE;

/// Columns and rows of a terminal.
pub type Size = (u16, u16);

/// The size that every screen must fit.
pub const STANDARD: Size = (80, 24);

/// What keys send.
pub mod keys {
    /// Sends the line.
    pub const ENTER: &str = "\r";
    /// Clears the line, or leaves.
    pub const CTRL_C: &str = "\x03";
    /// Leaves.
    pub const CTRL_D: &str = "\x04";
    /// Draws anew.
    pub const CTRL_L: &str = "\x0c";
    /// Removes what stands before the cursor.
    pub const CTRL_U: &str = "\x15";
    /// Stops.
    pub const CTRL_Z: &str = "\x1a";
    /// Older entries.
    pub const PAGE_UP: &str = "\x1b[5~";
    /// Newer entries.
    pub const PAGE_DOWN: &str = "\x1b[6~";
    /// The newest entries.
    pub const END: &str = "\x1b[F";
    /// The line before.
    pub const UP: &str = "\x1b[A";
}

/// A terminal with a program on it, which is killed when this is dropped.
#[derive(Debug)]
pub struct Terminal {
    call: String,
    /// Our end; none after the terminal was hung up.
    master: Option<File>,
    shown: Arc<Shown>,
    reader: Option<Reader>,
    child: Option<Child>,
    /// How the terminal was set before anybody had it.
    before: String,
}

/// What the terminal shows, and word of every change.
#[derive(Debug)]
struct Shown {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser,
    /// Every byte that was written to it.
    bytes: Vec<u8>,
    /// Somebody can still write to it.
    open: bool,
}

impl Shown {
    /// A test that has failed meanwhile changes nothing in what was shown.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread that reads, and what ends it.
#[derive(Debug)]
struct Reader {
    ends: OwnedFd,
    thread: JoinHandle<()>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&text_of(self.parser.screen()))
    }
}

impl Terminal {
    /// `vosimctl` with these words on a terminal of 80 by 24; it starts no daemon by itself.
    pub fn start(home: &Home, words: &str) -> Self {
        Self::start_sized(home, words, STANDARD)
    }

    /// The same on a terminal of another size.
    pub fn start_sized(home: &Home, words: &str, size: Size) -> Self {
        let mut command = home.wrapped(&BEHIND, "vosimctl");
        command.arg("--no-start").args(words.split_whitespace());
        Self::with(command, words, size)
    }

    /// A shell that knows jobs, with `vosimctl` in its path.
    pub fn shell(home: &Home) -> Self {
        let mut command = home.system(BEHIND[0]);
        let programs = crate::program("").display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .args(&BEHIND[1..])
            .args(["bash", "--norc", "--noprofile", "--noediting", "-i"])
            .env("PATH", format!("{programs}:{path}"))
            .env("PS1", "shell> ");
        let shell = Self::with(command, "bash", STANDARD);
        // What is typed before the prompt stands is echoed before it.
        shell.shows("shell>");
        shell
    }

    fn with(mut command: Command, call: &str, size: Size) -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        set_size(&master, size);
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(name, flags, Mode::empty()).unwrap();
        let before = settings(&tcgetattr(&slave).unwrap());
        let end = || Stdio::from(slave.try_clone().unwrap());
        command.env("TERM", "xterm-256color").stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().unwrap();
        // The command holds the terminal too; only the program itself shall.
        drop((command, slave));
        let (columns, rows) = cells(size);
        let state = Mutex::new(State {
            parser: vt100::Parser::new(rows, columns, 0),
            bytes: Vec::new(),
            open: true,
        });
        let shown = Arc::new(Shown { state, changed: Condvar::new() });
        let master = File::from(master);
        let reader = Some(read(master.try_clone().unwrap(), &shown));
        let call = call.to_owned();
        Self { call, master: Some(master), shown, reader, child: Some(child), before }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shown.state()
    }

    /// What it shows now.
    pub fn screen(&self) -> vt100::Screen {
        self.state().parser.screen().clone()
    }

    /// Its lines, one after the other.
    pub fn text(&self) -> String {
        text_of(&self.screen())
    }

    /// Every byte that was written to it.
    pub fn bytes(&self) -> Vec<u8> {
        self.state().bytes.clone()
    }

    /// Presses keys, as the bytes they send.
    pub fn types(&mut self, keys: &str) {
        self.master.as_mut().expect("it is not hung up").write_all(keys.as_bytes()).unwrap();
    }

    /// Types a line and presses Enter once it stands there.
    #[track_caller]
    pub fn line(&mut self, text: &str) {
        self.types(text);
        // However its words are broken into rows.
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        let end: Vec<char> = solid(text).chars().rev().take(12).collect();
        let end: String = end.into_iter().rev().collect();
        self.wait_for(&format!("{end:?} at the cursor"), |screen| {
            solid(&before_cursor(screen)).ends_with(&end)
        });
        self.types(keys::ENTER);
    }

    /// Waits until it looks so; `what` says how for the failure.
    #[track_caller]
    pub fn wait_for(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let until = Instant::now() + PATIENCE;
        let mut state = self.state();
        while !wanted(state.parser.screen()) {
            let left = until.saturating_duration_since(Instant::now());
            let (call, text) = (&self.call, text_of(state.parser.screen()));
            assert!(state.open, "{call} has ended before it showed {what}:\n{text}");
            assert!(!left.is_zero(), "{call} has not shown {what} within {PATIENCE:?}:\n{text}");
            state = self.shown.changed.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Waits until a text stands on it, however its words are broken into lines.
    #[track_caller]
    pub fn shows(&self, text: &str) {
        self.wait_for(&format!("{text:?}"), |screen| {
            let shown = text_of(screen);
            let words: Vec<_> = shown.split_whitespace().collect();
            shown.contains(text) || words.join(" ").contains(text)
        });
    }

    /// Waits until a text no longer stands on it.
    #[track_caller]
    pub fn hides(&self, text: &str) {
        self.wait_for(&format!("no {text:?}"), |screen| !text_of(screen).contains(text));
    }

    /// What it shows when a picture is complete, not half drawn.
    #[track_caller]
    pub fn whole_picture(&self) -> String {
        let until = Instant::now() + PATIENCE;
        let mut state = self.state();
        while !ends_with_a_cursor(&state.bytes) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && state.open, "{} never finishes:\n{state:?}", self.call);
            state = self.shown.changed.wait_timeout(state, left).unwrap().0;
        }
        text_of(state.parser.screen())
    }

    /// Has the screen drawn anew by a key, and waits until every cell of it has come.
    #[track_caller]
    pub fn redraw(&mut self) {
        let drawn = self.state().bytes.len();
        self.types(keys::CTRL_L);
        let until = Instant::now() + PATIENCE;
        let mut state = self.state();
        // A picture begins with an empty page and ends with the cursor's place.
        while !ends_a_picture(&state.bytes[drawn..]) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && state.open, "{} draws nothing:\n{state:?}", self.call);
            state = self.shown.changed.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Gives it another size, as a window does that is pulled at.
    pub fn resize(&self, size: Size) {
        let (columns, rows) = cells(size);
        let mut state = self.state();
        state.parser.screen_mut().set_size(rows, columns);
        set_size(self.master.as_ref().expect("it is not hung up"), size);
    }

    /// The program's process.
    pub fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.as_ref().expect("it runs").id()).unwrap())
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).unwrap();
    }

    /// Closes the window.
    pub fn hang_up(&mut self) {
        self.stop_reading();
        self.master = None;
    }

    /// Waits for the end of the program, and of what it wrote.
    pub fn end(&mut self) -> ExitStatus {
        let status = end_of(self.child.take().expect("it runs"));
        let mut state = self.state();
        while state.open && self.master.is_some() {
            let (next, waited) = self.shown.changed.wait_timeout(state, PATIENCE).unwrap();
            assert!(!waited.timed_out(), "{} has ended, and somebody has its terminal", self.call);
            state = next;
        }
        drop(state);
        status
    }

    /// How the terminal is set, other than before anybody had it; none where it is as it was.
    pub fn changed_settings(&self) -> Option<String> {
        let now = settings(&tcgetattr(self.master.as_ref().expect("it is not hung up")).unwrap());
        (now != self.before).then_some(now)
    }

    /// Nothing of what a screen sets is left over.
    #[track_caller]
    pub fn is_given_back(&self) {
        let screen = self.screen();
        assert!(!screen.alternate_screen(), "{}", text_of(&screen));
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "pasting is still marked");
        assert_eq!(self.changed_settings(), None, "before: {}", self.before);
    }

    fn stop_reading(&mut self) {
        if let Some(Reader { ends, thread }) = self.reader.take() {
            drop(ends);
            // What went wrong in it has failed the test already.
            thread.join().ok();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended already; reaping is what matters.
            child.kill().ok();
            child.wait().ok();
        }
        self.stop_reading();
    }
}

/// What becomes the program on a terminal that is its own.
const BEHIND: [&str; 2] = ["setsid", "--ctty"];

/// Everything to the left of the cursor, and above it.
fn before_cursor(screen: &vt100::Screen) -> String {
    let (row, column) = screen.cursor_position();
    screen.contents_between(0, 0, row, column)
}

/// A picture ends with the cursor that is shown at its place.
fn ends_with_a_cursor(bytes: &[u8]) -> bool {
    const SHOWN: &[u8] = b"\x1b[?25h";
    let at = bytes.windows(SHOWN.len()).rposition(|window| window == SHOWN);
    let rest = at.map(|at| &bytes[at + SHOWN.len()..]);
    let place = rest.and_then(|rest| rest.strip_prefix(b"\x1b[")?.strip_suffix(b"H"));
    place.is_some_and(|place| place.iter().all(|byte| byte.is_ascii_digit() || *byte == b';'))
}

fn ends_a_picture(bytes: &[u8]) -> bool {
    let find = |what: &[u8], from: usize| {
        let found = bytes[from..].windows(what.len()).position(|window| window == what);
        found.map(|at| from + at)
    };
    let empty = find(b"\x1b[2J", 0);
    let ends = empty.and_then(|at| find(b"\x1b[?25h", at).or_else(|| find(b"\x1b[?25l", at)));
    ends.is_some()
}

/// Everything that stands on a screen, line by line, without blanks at the ends of lines.
pub fn text_of(screen: &vt100::Screen) -> String {
    let (_, columns) = screen.size();
    screen.rows(0, columns.get()).map(|row| format!("{}\n", row.trim_end())).collect()
}

fn cells((columns, rows): Size) -> (NonZeroU16, NonZeroU16) {
    (NonZeroU16::new(columns).unwrap(), NonZeroU16::new(rows).unwrap())
}

fn settings(termios: &Termios) -> String {
    let Termios { input_modes, output_modes, control_modes, local_modes, .. } = termios;
    format!("{input_modes:?}, {output_modes:?}, {control_modes:?}, {local_modes:?}")
}

fn set_size(master: impl std::os::fd::AsFd, (columns, rows): Size) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(master, size).unwrap();
}

/// Reads until nobody writes any more, or until it shall end.
fn read(mut from: File, shown: &Arc<Shown>) -> Reader {
    let (stop, ends) = std::io::pipe().unwrap();
    let shown = Arc::clone(shown);
    let thread = std::thread::spawn(move || {
        let mut buffer = [0; 64 * 1024];
        loop {
            let mut fds =
                [&from.as_fd(), &stop.as_fd()].map(|fd| PollFd::new(*fd, PollFlags::POLLIN));
            if poll(&mut fds, PollTimeout::NONE).is_err() || fds[1].any() == Some(true) {
                break;
            }
            // A terminal that nobody has any more reads as an error.
            let Ok(read @ 1..) = from.read(&mut buffer) else { break };
            let mut state = shown.state();
            state.bytes.extend_from_slice(&buffer[..read]);
            state.parser.process(&buffer[..read]);
            drop(state);
            shown.changed.notify_all();
        }
        shown.state().open = false;
        shown.changed.notify_all();
    });
    Reader { ends: ends.into(), thread }
}
