//! Starts the daemon when none runs, and runs `vosimd` for work that needs no daemon.
//!
//! Two clients that start at the same moment start one daemon: the start lock decides, and who
//! waited for it finds the socket there.

use std::env;
use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{
    FileExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use nix::fcntl::OFlag;
use nix::sys::resource::{Resource, getrlimit};
use vosim_protocol::paths::{Holder, MANAGERS_VARIABLES};
use vosim_protocol::trouble::{Location, cause};
use vosim_protocol::{ErrorCode, Wire};

use crate::connection::{ConnectError, Connection};
use crate::errors::{Exit, Failure, code, user_error};
use crate::files::{make_folder, missing, trouble, unwritable_at};
use crate::holder::{Held, held, may_hold};
use crate::interrupt::{Woke, wait};
use crate::places::{Places, SOCKET_VARIABLE};
use crate::render::text::shell;

/// How long a daemon may take until it says that it is ready.
const READY_WITHIN: Duration = Duration::from_secs(10);

/// How long a daemon that goes down may keep its lock after its socket has gone.
const GONE_WITHIN: Duration = Duration::from_secs(5);

/// How long a daemon may take to make its socket again, which it looks for every second.
const REACHED_WITHIN: Duration = Duration::from_millis(2500);

/// What a daemon says that finds the lock taken.
const IN_USE: &str = "is in use by another vosimd";

/// What a daemon says that cannot write its log.
const NO_LOG: &str = "there is no log file";

/// How long the kernel may take to tell how a daemon has ended that has closed its output.
const ENDS_WITHIN: Duration = Duration::from_secs(1);

/// With less memory than this a program may fall over before its first line, or not even be loaded; a daemon
/// with more says itself what it lacks.
const BEGINS_BYTES: u64 = 256 << 20;

/// The status of a program that the system's loader has begun and cannot load.
const NOT_LOADED: i32 = 127;

/// Longest sentence that is taken from a daemon which does not start.
const SENTENCE_MAX_BYTES: u64 = 4096;

/// What we write in our own folders is never written through a link that somebody placed there, and
/// what stands there and is no file keeps nobody waiting.
const NO_LINK: i32 = OFlag::O_NOFOLLOW.union(OFlag::O_NONBLOCK).bits();

/// A connection to the daemon, which is started if need be; `need` is what it must be able to do.
pub(crate) fn connect_or_start(places: &Places, need: &[&str]) -> Result<Connection, Failure> {
    match connect(places, need) {
        Ok(connection) => return Ok(connection),
        Err(NotThere::Unusable(failure)) => return Err(failure),
        Err(NotThere::Nobody(_) | NotThere::Unreached(_)) => {}
    }
    let _lock = start_lock(places)?;
    let until = Instant::now() + GONE_WITHIN;
    loop {
        let (failure, may_pass) = match connect(places, need) {
            Ok(connection) => return Ok(connection),
            Err(NotThere::Unusable(failure)) => (failure, false),
            // One that starts has no socket yet, one that goes down has none any more, and one
            // whose socket was taken away makes it again.
            Err(NotThere::Unreached(failure)) => (failure, true),
            Err(NotThere::Nobody(_)) => match start(places) {
                Ok(()) => break,
                Err(failure) => {
                    let taken = failure.to_string().contains(IN_USE);
                    (failure, taken)
                }
            },
        };
        if !may_pass || Instant::now() >= until {
            return Err(failure);
        }
        wait(None, None, Duration::from_millis(20)).map_err(not_started)?;
    }
    connect(places, need).map_err(NotThere::into_failure)
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum NotThere {
    /// No daemon runs, and one may be started.
    Nobody(Failure),
    /// One holds the data, but it answers nowhere.
    Unreached(Failure),
    /// What answers is not the daemon that is wanted.
    Unusable(Failure),
}

impl NotThere {
    pub(crate) fn into_failure(self) -> Failure {
        match self {
            Self::Nobody(failure) | Self::Unreached(failure) | Self::Unusable(failure) => failure,
        }
    }
}

/// A connection to the daemon that runs already: at its socket, else where the holder of the data
/// says that it listens. Who has named a socket is only told of another one.
pub(crate) fn connect(places: &Places, need: &[&str]) -> Result<Connection, NotThere> {
    let nobody = match Connection::open(&places.socket, need) {
        Ok(connection) => return Ok(connection),
        Err(ConnectError::Unusable(failure)) => return Err(NotThere::Unusable(failure)),
        Err(ConnectError::Nobody(failure)) => NotThere::Nobody(failure),
        // A daemon may run all the same, and is told of and stopped.
        Err(ConnectError::NoSocket(failure)) => NotThere::Unusable(failure),
    };
    let holder = match held(places) {
        Held::Free => return Err(nobody),
        Held::Unsigned => return Err(NotThere::Unreached(by_somebody(places))),
        Held::By(holder) => holder,
    };
    if holder.socket != places.socket
        && let Ok(connection) = Connection::open(&holder.socket, need)
    {
        return match places.socket_is_named {
            true => Err(NotThere::Unusable(on_another_socket(&holder.socket))),
            false => Ok(connection),
        };
    }
    Err(NotThere::Unreached(match may_hold(&holder, places) {
        true => unreached(&holder),
        false => by_somebody(places),
    }))
}

/// The same, with a moment for a daemon that holds the data and does not answer: it may be starting,
/// or about to make its socket again.
pub(crate) fn reach(places: &Places, need: &[&str]) -> Result<Connection, NotThere> {
    let until = Instant::now() + REACHED_WITHIN;
    loop {
        match connect(places, need) {
            Err(NotThere::Unreached(_)) if Instant::now() < until => {
                if wait(None, None, Duration::from_millis(20)).is_err() {
                    return connect(places, need);
                }
            }
            other => return other,
        }
    }
}

/// A daemon holds the data and answers nowhere.
fn unreached(holder: &Holder) -> Failure {
    let who = format!("vosimd (process {}) runs and holds the data", holder.pid);
    if let Some((there, what)) = obstacle(&holder.socket) {
        let there = there.display().to_string();
        let message = format!("{who}, but something else is where {what} belongs: {there}");
        return user_error(code::DAEMON_UNREACHED, message).hint(format!(
            "Move it away, and vosimd makes its own again: mv {0} {0}.old",
            shell(&there)
        ));
    }
    let message = format!("{who}, but it does not answer");
    user_error(code::DAEMON_UNREACHED, message)
        .hint("It may be busy; else end it with: vosimctl daemon stop")
}

/// The data is held by no daemon, or by one that does not say so.
pub(crate) fn by_somebody(places: &Places) -> Failure {
    let message = "the data is held by a process that is no daemon or does not say which it is";
    let failure = user_error(code::DAEMON_UNREACHED, message);
    let Ok(paths) = places.paths() else { return failure };
    failure
        .hint(format!("See which it is with: fuser {}", shell(&paths.lock.display().to_string())))
}

/// What stands in a daemon's way to its socket, and what belongs there.
fn obstacle(socket: &Path) -> Option<(&Path, &'static str)> {
    let folder = socket.parent()?;
    if folder.symlink_metadata().is_ok() && !folder.is_dir() {
        return Some((folder, "the folder of its socket"));
    }
    let there = socket.symlink_metadata().ok()?;
    (!there.file_type().is_socket()).then_some((socket, "its socket"))
}

fn not_started(reason: impl Display) -> Failure {
    user_error(ErrorCode::DaemonStartFailed, format!("the daemon could not be started: {reason}"))
        .hint("To find out more, run: vosimctl doctor")
}

pub(crate) fn on_another_socket(socket: &Path) -> Failure {
    let socket = socket.display().to_string();
    let message =
        format!("the daemon of this data is already running, on another socket: {socket}");
    user_error(code::OTHER_SOCKET, message)
        .hint(format!("Reach it with: VOSIM_SOCKET={} vosimctl ...", shell(&socket)))
}

/// What is said of a daemon that was found at our socket and works with other data than ours.
pub(crate) fn with_other_data(socket: &Path, theirs: &str, ours: &Path) -> String {
    let (socket, ours) = (socket.display(), ours.display());
    format!("vosimd on {socket} works in {theirs}, and the data of this environment is in {ours}")
}

/// It is read from, and nothing is changed there.
pub(crate) fn changes_nothing_there(socket: &Path, theirs: &str, ours: &Path) -> Failure {
    let own = ours.join("vosimd.sock").display().to_string();
    user_error(code::OTHER_DATA, with_other_data(socket, theirs, ours)).hint(format!(
        "Work there with: VOSIM_SOCKET={} vosimctl ...; or here, by a daemon of its own, with: \
         VOSIM_SOCKET={} vosimctl ...",
        shell(&socket.display().to_string()),
        shell(&own)
    ))
}

/// The program `vosimd`: beside our own, else the first in PATH.
pub(crate) fn daemon_program() -> Result<PathBuf, Failure> {
    let own = env::current_exe().ok().and_then(|own| Some(own.parent()?.join("vosimd")));
    let path = env::var_os("PATH").unwrap_or_default();
    own.into_iter()
        .chain(env::split_paths(&path).map(|dir| dir.join("vosimd")))
        .find(|program| is_executable(program))
        .ok_or_else(|| {
            let message = "the program vosimd is neither beside vosimctl nor in PATH";
            user_error(ErrorCode::DaemonStartFailed, message)
                .hint("Install vosimd beside vosimctl, or add its folder to PATH")
        })
}

/// Work of `vosimd` that needs no daemon (DECISIONS 32).
#[derive(Debug)]
pub(crate) struct Offline {
    command: Command,
}

impl Offline {
    /// One of its subcommands.
    pub(crate) fn new(words: &[&str]) -> Result<Self, Failure> {
        let mut command = Command::new(daemon_program()?);
        command.args(words).stdin(Stdio::null()).stderr(Stdio::piped());
        Ok(Self { command })
    }

    /// Adds a path that must be there.
    pub(crate) fn path(mut self, path: &Path) -> Result<Self, Failure> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing(path)),
            Ok(_) | Err(_) => {
                self.command.arg(path);
                Ok(self)
            }
        }
    }

    /// Adds a path that need not be there.
    #[must_use]
    pub(crate) fn file(mut self, path: &Path) -> Self {
        self.command.arg(path);
        self
    }

    /// Adds an option where it is wanted.
    #[must_use]
    pub(crate) fn flag(mut self, name: &str, wanted: bool) -> Self {
        self.command.args(wanted.then_some(name));
        self
    }

    /// Runs it with our standard output as its own; what it says of an error becomes ours.
    pub(crate) fn run(mut self) -> Result<Exit, Failure> {
        self.command.stdout(Stdio::inherit());
        self.ended().map(|(exit, _)| exit)
    }

    /// Adds an option with its value where there is one.
    #[must_use]
    pub(crate) fn option(mut self, name: &str, value: Option<impl ToString>) -> Self {
        if let Some(value) = value {
            self.command.arg(name).arg(value.to_string());
        }
        self
    }

    /// Runs it and answers what it has said when all was well.
    pub(crate) fn said(mut self) -> Result<String, Failure> {
        self.command.stdout(Stdio::piped());
        self.ended().map(|(_, said)| said)
    }

    /// Runs it and reads what it answers, whether all was well or not.
    pub(crate) fn answered<T: Wire>(self) -> Result<T, Failure> {
        let said = self.said()?;
        let answer = T::from_bytes(said.as_bytes()).context("reading what vosimd has answered")?;
        Ok(answer)
    }

    fn ended(mut self) -> Result<(Exit, String), Failure> {
        let program = self.command.get_program().to_string_lossy().into_owned();
        let failed = |error: io::Error| not_started(format!("{program}: {}", cause(&error)));
        let output = self.command.spawn().and_then(Child::wait_with_output).map_err(failed)?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let reason = last.map(|line| line.strip_prefix("vosimd: ").unwrap_or(line).to_owned());
        match (output.status.code(), reason) {
            (Some(0), _) => Ok((Exit::Done, said)),
            (Some(1), None) => Ok((Exit::Fixable, said)),
            (Some(1), Some(reason)) => Err(user_error(code::REFUSED, reason)),
            (_, reason) => {
                let reason = reason.unwrap_or_default();
                Err(anyhow::anyhow!("vosimd: {} {reason}", output.status).into())
            }
        }
    }
}

fn is_executable(program: &Path) -> bool {
    program.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

const NO_FILE: &str = "it is no regular file";

/// Opens a file of ours for writing, and makes it if there is none. What is no regular file, or has
/// another name, is not ours.
fn own_file(path: &Path) -> io::Result<File> {
    let mut how = OpenOptions::new();
    how.create(true).truncate(false).read(true).write(true).mode(0o600).custom_flags(NO_LINK);
    let file = how.open(path).map_err(|error| match path.symlink_metadata() {
        // What refuses to follow it has the number of links that lead in a circle.
        Ok(found) if found.is_symlink() => {
            io::Error::other("it is a symbolic link, and none is followed here")
        }
        Ok(found) if !found.is_file() => io::Error::other(NO_FILE),
        Ok(_) | Err(_) => error,
    })?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other(NO_FILE));
    }
    if found.nlink() > 1 {
        return Err(io::Error::other("it has another name as well"));
    }
    Ok(file)
}

/// Held while one client starts the daemon.
fn start_lock(places: &Places) -> Result<File, Failure> {
    let data = &places.paths()?.data;
    let path = data.join("START.lock");
    let unwritable = |error: io::Error| match error.kind() {
        // It is not ours, whatever it is.
        io::ErrorKind::Other => {
            let shown = shell(&path.display().to_string());
            unwritable_at(Location::Data, &path, &error)
                .hint(format!("Move it away: mv {shown} {shown}.old"))
        }
        _ => unwritable_at(Location::Data, &path, &error),
    };
    make_folder(data, Location::Data)?;
    let file = own_file(&path).map_err(unwritable)?;
    let until = Instant::now() + READY_WITHIN + Duration::from_secs(2);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                wait(None, None, Duration::from_millis(20)).map_err(unwritable)?;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(not_started("another vosimctl has been starting it for too long"));
            }
            Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        }
    }
}

/// Starts the daemon and waits for its word on the readiness pipe, which is its standard output.
fn start(places: &Places) -> Result<(), Failure> {
    let program = daemon_program()?;
    let errors = errors_file(places)?;
    let heard = errors.as_ref().and_then(|errors| errors.try_clone().ok());
    let mut command = Command::new(&program);
    if places.socket_is_named {
        // The name may have been relative, and the daemon is in another folder.
        command.env(SOCKET_VARIABLE, &places.socket);
    }
    for variable in MANAGERS_VARIABLES {
        command.env_remove(variable);
    }
    let mut child = command
        .args(["run", "--detached"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(errors.map_or_else(Stdio::null, Stdio::from))
        .current_dir("/")
        .spawn()
        .map_err(|error| {
            let trouble = trouble(&program, &error, Location::Program);
            not_started(format!("{}: {trouble}", program.display()))
        })?;
    let pipe = child.stdout.take().expect("the standard output was asked for as a pipe");
    match first_line(pipe, READY_WITHIN) {
        Ok(word) if word == "ready" => {
            if heard.as_ref().is_some_and(has_no_log) {
                note(
                    "vosimd cannot write its log, and keeps it in the file for its errors alone; \
                     see why with: vosimctl doctor",
                );
            }
            Ok(())
        }
        Ok(sentence) if !sentence.is_empty() => Err(not_started(sentence)),
        Ok(_) => Err(not_started(last_words(&mut child, heard))),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            let secs = READY_WITHIN.as_secs();
            Err(not_started(format!("it was not ready within {secs} s")))
        }
        Err(error) => Err(not_started(error)),
    }
}

/// What the daemon writes to standard error before its own log is open, and all of its log where that cannot
/// be opened. Without a folder for it a daemon serves as well. Whoever starts it is told of either.
fn errors_file(places: &Places) -> Result<Option<File>, Failure> {
    let state = &places.paths()?.state;
    let path = state.join("vosimd.stderr");
    let open = || {
        let file = own_file(&path)?;
        file.set_len(0)?;
        Ok(file)
    };
    let opened = make_folder(state, Location::Log)
        .and_then(|()| open().map_err(|error| unwritable_at(Location::Log, &path, &error)));
    match opened {
        Ok(file) => Ok(Some(file)),
        Err(failure) => {
            note(&format!("vosimd keeps no log, since vosimctl {failure}"));
            Ok(None)
        }
    }
}

/// Whether the daemon has found no log that it can write, which it says where its errors go.
fn has_no_log(heard: &File) -> bool {
    let mut said = [0; 4096];
    // Reading in this way does not move the place at which the daemon goes on writing.
    let length = heard.read_at(&mut said, 0).unwrap_or(0);
    String::from_utf8_lossy(&said[..length]).contains(NO_LOG)
}

fn note(text: &str) {
    // Where standard error is closed there is nobody left to tell.
    io::stderr().write_all(format!("Note: {text}\n").as_bytes()).ok();
}

/// The first line of a pipe, or all of it when it closes before.
fn first_line(pipe: ChildStdout, within: Duration) -> io::Result<String> {
    let until = Instant::now() + within;
    let mut text = Vec::new();
    let mut pipe = pipe.take(SENTENCE_MAX_BYTES);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match wait(None, Some(pipe.get_ref().as_fd()), left)? {
            Woke::Ready | Woke::Typed => {}
            Woke::Interrupted(_) | Woke::TimedOut => return Err(io::ErrorKind::TimedOut.into()),
        }
        let mut buffer = [0; 512];
        let n = pipe.read(&mut buffer)?;
        text.extend_from_slice(&buffer[..n]);
        if n == 0 || text.contains(&b'\n') {
            let line = text.split(|&b| b == b'\n').next().unwrap_or_default();
            return Ok(String::from_utf8_lossy(line).trim().to_owned());
        }
    }
}

/// Why a daemon that said nothing has gone: the limit that lets it not begin, else the end of its standard
/// error, else its status.
fn last_words(child: &mut Child, errors: Option<File>) -> String {
    let mut said = Vec::new();
    if let Some(mut errors) = errors {
        // What cannot be read is not told; then the status is.
        drop(errors.rewind().and_then(|()| errors.read_to_end(&mut said)));
    }
    let said = String::from_utf8_lossy(&said);
    let tells = |line: &&str| !line.trim().is_empty() && !line.starts_with("note: run with");
    let last = said.lines().rev().find(tells);
    let status = ended(child);
    match (status.and_then(cut_short), last, status) {
        (Some(why), ..) => why,
        (None, Some(line), _) => line.trim().to_owned(),
        (None, None, Some(status)) => format!("it ended at once ({status})"),
        (None, None, None) => "it said nothing".to_owned(),
    }
}

/// What a program has fallen over that ended like this before it could look at its limits: what the loader or
/// an allocation says then names no limit.
pub(crate) fn cut_short(status: ExitStatus) -> Option<String> {
    let fell = status.signal().is_some() || status.code() == Some(NOT_LOADED);
    let limit = tight_limit().filter(|_| fell)?;
    Some(format!("it ended before it could say why, and only {limit}"))
}

/// How a process has ended that has closed its output; the kernel may take a moment to tell.
fn ended(child: &mut Child) -> Option<ExitStatus> {
    let until = Instant::now() + ENDS_WITHIN;
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => {
                wait(None, None, Duration::from_millis(5)).ok()?;
            }
            ended => return ended.ok().flatten(),
        }
    }
}

/// A limit of memory under which a program cannot even begin to look at its limits.
fn tight_limit() -> Option<String> {
    let limits = [
        (Resource::RLIMIT_AS, "of memory may be used", "-v, or LimitAS"),
        (Resource::RLIMIT_DATA, "of data may be held", "-d, or LimitDATA"),
    ];
    let tight = |resource| Some(getrlimit(resource).ok()?.0).filter(|had| *had < BEGINS_BYTES);
    limits.into_iter().find_map(|(resource, what, raised)| {
        let kib = tight(resource)? >> 10;
        Some(format!("{kib} KiB {what} here; raise the limit (ulimit {raised} of the unit)"))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::{obstacle, own_file};

    #[test]
    fn what_is_not_our_own_file_is_neither_followed_nor_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("mine"), "work").unwrap();
        symlink(at("mine"), at("link")).unwrap();
        symlink(at("nothing"), at("dangling")).unwrap();
        fs::hard_link(at("mine"), at("second name")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        mkfifo(&at("pipe"), Mode::S_IRWXU).unwrap();
        // A pipe that somebody reads can be opened for writing.
        mkfifo(&at("read pipe"), Mode::S_IRWXU).unwrap();
        let _reader = fs::OpenOptions::new().read(true).write(true).open(at("read pipe")).unwrap();
        for name in ["link", "dangling", "second name", "folder", "pipe", "read pipe"] {
            let why = own_file(&at(name)).unwrap_err().to_string();
            let is_link = ["link", "dangling"].contains(&name);
            assert_eq!(why.contains("it is a symbolic link"), is_link, "{name}: {why}");
        }
        assert_eq!(fs::read_to_string(at("mine")).unwrap(), "work");
        assert!(!at("nothing").exists());
        own_file(&at("new")).unwrap();
        own_file(&at("new")).unwrap();
    }

    #[test]
    fn what_stands_where_the_socket_or_its_folder_belongs_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        assert_eq!(obstacle(&at("vosim/socket")), None);
        fs::write(at("vosim"), "x").unwrap();
        assert_eq!(obstacle(&at("vosim/socket")).unwrap().0, at("vosim"));
        fs::remove_file(at("vosim")).unwrap();
        fs::create_dir(at("vosim")).unwrap();
        fs::write(at("vosim/socket"), "x").unwrap();
        assert_eq!(obstacle(&at("vosim/socket")).unwrap().0, at("vosim/socket"));
        fs::remove_file(at("vosim/socket")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("vosim/socket")).unwrap();
        assert_eq!(obstacle(&at("vosim/socket")), None);
    }
}
