//! The daemon's own log, for people and programs. Candidates' code is never in it.
//!
//! | started | destination |
//! |---|---|
//! | by hand on a terminal | readable on standard error, and JSON to the file |
//! | by systemd (`JOURNAL_STREAM`) | plain on standard error, which the journal dates itself |
//! | by vosimctl, detached | JSON to the file |
//! | any of these without a folder for the file | plain on standard error, which says so once |
//!
//! Types that hold code show its hash and length in `Debug` only, so no call here can leak it.

pub mod rotate;

use std::io::{self, IsTerminal as _};
use std::panic::PanicHookInfo;
use std::path::Path;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use nix::errno::Errno;
use tracing::{Level, Subscriber};
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry, fmt};
use vosim_protocol::cut;
use vosim_protocol::trouble::Location;

use crate::config::LogConfig;
use crate::runtime_dir::{PlaceError, refused};
use rotate::RotatingFile;

/// Name of the newest log file in the state directory; older ones end in `.1`, `.2` …
pub const FILE_NAME: &str = "vosimd.log";

/// Most lines that wait for the disk. Further ones are dropped and counted: the daemon never waits.
const WAITING_LINES_MAX: usize = 1024;

/// Longest message of a panic that is logged, bytes.
const PANIC_MAX_BYTES: usize = 500;

/// The destination of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard error for a person, and the file.
    Terminal,
    /// Standard error for the journal.
    Journal,
    /// The file.
    File,
}

impl Target {
    /// Returns the destination that fits this process.
    pub fn choose() -> Self {
        if is_journal(std::env::var("JOURNAL_STREAM").ok().as_deref()) {
            Self::Journal
        } else if io::stderr().is_terminal() {
            Self::Terminal
        } else {
            Self::File
        }
    }
}

/// Keeps the log running; dropping it writes the waiting lines.
#[derive(Debug)]
pub struct LogGuard {
    worker: Option<WorkerGuard>,
    dropped: Option<ErrorCounter>,
}

impl LogGuard {
    /// Returns the number of lines that were dropped because the disk was too slow.
    pub fn lines_dropped(&self) -> usize {
        self.dropped.as_ref().map_or(0, ErrorCounter::dropped_lines)
    }

    /// Writes the waiting lines, before a process ends without unwinding.
    pub fn flush(&mut self) {
        drop(self.worker.take());
    }
}

/// Starts the log of the whole process, panics included. Where its folder cannot be used, it goes to
/// standard error alone: a daemon that cannot tell of itself still serves.
///
/// Fails when another log was started before.
pub fn start(
    config: &LogConfig,
    target: Target,
    folder: Result<&Path, PlaceError>,
) -> io::Result<LogGuard> {
    let opened = match target {
        Target::Journal => None,
        Target::Terminal | Target::File => Some(folder.and_then(|dir| open_file(config, dir))),
    };
    let mut guard = LogGuard { worker: None, dropped: None };
    let mut lost = None;
    let file = match opened {
        Some(Ok((file, kept))) => {
            guard = kept;
            Some(json(file))
        }
        Some(Err(error)) => {
            lost = Some(error);
            None
        }
        None => None,
    };
    let terminal = (target == Target::Terminal).then(|| for_people(io::stderr));
    let journal = (target == Target::Journal).then(|| for_journal(io::stderr));
    let instead = (target == Target::File && lost.is_some()).then(|| for_journal(Bounded::stderr));
    Registry::default()
        .with(filter(config.level))
        .with(file)
        .with(terminal)
        .with(journal)
        .with(instead)
        .try_init()
        .map_err(io::Error::other)?;
    std::panic::set_hook(Box::new(log_panic));
    if let Some(error) = lost {
        let remedy = error.remedy().unwrap_or_default();
        let reason = error.to_string();
        tracing::warn!(reason, remedy, "there is no log file, and this is all that is written");
    }
    Ok(guard)
}

/// Why the last line could not be written to the log's file; none where it could.
pub(crate) fn fault() -> Option<io::Error> {
    fault_of(&REFUSED)
}

/// The number of the system's refusal of the last line, 0 where it was written.
static REFUSED: AtomicI32 = AtomicI32::new(0);

fn fault_of(refused: &AtomicI32) -> Option<io::Error> {
    let errno = refused.load(Ordering::Relaxed);
    (errno != 0).then(|| io::Error::from_raw_os_error(errno))
}

/// The log's file, of which is known whether the last line could be written: who asks need not try.
#[derive(Debug)]
struct Remembering {
    file: RotatingFile,
    refused: &'static AtomicI32,
}

impl io::Write for Remembering {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let written = self.file.write(line);
        let errno = written.as_ref().err().map(io::Error::raw_os_error);
        let errno = errno.map_or(0, |errno| errno.unwrap_or(Errno::EIO as i32));
        self.refused.store(errno, Ordering::Relaxed);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Standard error up to some length: a daemon that has left its terminal has a file there, which
/// nobody moves aside.
#[derive(Clone, Copy, Debug)]
struct Bounded;

impl Bounded {
    const MAX_BYTES: usize = 1024 * 1024;

    fn stderr() -> Self {
        Self
    }
}

impl io::Write for Bounded {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        match WRITTEN.fetch_add(line.len(), Ordering::Relaxed) {
            ..Self::MAX_BYTES => io::stderr().write(line),
            Self::MAX_BYTES.. => Ok(line.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn open_file(config: &LogConfig, dir: &Path) -> Result<(NonBlocking, LogGuard), PlaceError> {
    let path = dir.join(FILE_NAME);
    let file = RotatingFile::open(path.clone(), config.file_max_bytes, config.keep_files);
    let file = file.map_err(|error| refused(&path, Location::Log, &error))?;
    let file = Remembering { file, refused: &REFUSED };
    let (writer, worker) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING_LINES_MAX)
        .lossy(true)
        .thread_name("vosimd-log")
        .finish(file);
    let dropped = writer.error_counter();
    Ok((writer, LogGuard { worker: Some(worker), dropped: Some(dropped) }))
}

/// Applies the level to our own crates; of others only warnings and errors are kept.
fn filter(level: Level) -> Targets {
    let level = LevelFilter::from_level(level);
    Targets::new().with_target("vosim", level).with_default(level.min(LevelFilter::WARN))
}

fn json<S, W>(writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'w> MakeWriter<'w> + 'static,
{
    fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(writer)
}

fn for_people<S, W>(writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'w> MakeWriter<'w> + 'static,
{
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    fmt::layer().compact().with_target(false).with_ansi(colour).with_writer(writer)
}

fn for_journal<S, W>(writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'w> MakeWriter<'w> + 'static,
{
    fmt::layer().without_time().with_ansi(false).with_writer(writer)
}

/// Whether standard error is the stream that systemd names as `DEVICE:INODE`: the variable alone is
/// inherited by children whose output goes elsewhere.
fn is_journal(stream: Option<&str>) -> bool {
    let numbers = stream.and_then(|stream| stream.split_once(':'));
    let Some((Ok(device), Ok(inode))) =
        numbers.map(|(device, inode)| (device.parse::<u64>(), inode.parse::<u64>()))
    else {
        return false;
    };
    nix::sys::stat::fstat(io::stderr())
        .is_ok_and(|stat| stat.st_dev == device && stat.st_ino == inode)
}

fn log_panic(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or("unnamed");
    tracing::error!(target: "vosimd::panic", place, thread, "panicked: {}", cut::start(message, PANIC_MAX_BYTES));
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn config(level: Level) -> LogConfig {
        LogConfig { level, keep_files: 2, file_max_bytes: 64 * 1024 }
    }

    /// Returns the lines that reach the file during one closure.
    fn logged(level: Level, events: impl FnOnce()) -> Vec<serde_json::Value> {
        let dir = tempfile::tempdir().unwrap();
        let (writer, mut guard) = open_file(&config(level), dir.path()).unwrap();
        let subscriber = Registry::default().with(filter(level)).with(json(writer));
        tracing::subscriber::with_default(subscriber, events);
        assert_eq!(guard.lines_dropped(), 0);
        guard.flush();
        let text = std::fs::read_to_string(dir.path().join(FILE_NAME)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn the_file_holds_one_json_object_a_line_with_fields_and_span() {
        let lines = logged(Level::INFO, || {
            let _span = tracing::info_span!("session", id = "abc").entered();
            tracing::info!(target: "vosimd::actors", cursor = 7, "line one\nline two");
        });
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0]["message"], "line one\nline two");
        assert_eq!((&lines[0]["cursor"], &lines[0]["level"]), (&7.into(), &"INFO".into()));
        assert_eq!(lines[0]["span"]["id"], "abc");
    }

    #[test]
    fn the_level_is_for_our_crates_and_others_only_warn() {
        let levels = |level| {
            let lines = logged(level, || {
                tracing::debug!(target: "vosimd", "d");
                tracing::debug!(target: "vosim_store::committer", "d");
                tracing::debug!(target: "actix", "d");
                tracing::warn!(target: "actix", "w");
                tracing::error!(target: "actix", "e");
            });
            lines.len()
        };
        assert_eq!(levels(Level::DEBUG), 4);
        assert_eq!(levels(Level::WARN), 2);
        assert_eq!(levels(Level::ERROR), 1);
    }

    #[test]
    fn why_a_line_was_not_written_is_known_until_one_is() {
        static REFUSED: AtomicI32 = AtomicI32::new(0);
        let dir = tempfile::tempdir().unwrap();
        let (full, empty) = (dir.path().join("full"), dir.path().join("empty"));
        std::os::unix::fs::symlink("/dev/full", &full).unwrap();
        let write = |path| {
            let file = RotatingFile::open(path, 1024, 2).unwrap();
            Remembering { file, refused: &REFUSED }.write_all(b"a line\n")
        };
        write(full).unwrap_err();
        assert_eq!(fault_of(&REFUSED).unwrap().kind(), io::ErrorKind::StorageFull);
        write(empty).unwrap();
        assert!(fault_of(&REFUSED).is_none());
    }

    #[test]
    fn a_stream_that_is_not_our_standard_error_is_not_the_journal() {
        for stream in [None, Some(""), Some("8"), Some("0:0"), Some("x:y")] {
            assert!(!is_journal(stream), "{stream:?}");
        }
        let stat = nix::sys::stat::fstat(io::stderr()).unwrap();
        assert!(is_journal(Some(&format!("{}:{}", stat.st_dev, stat.st_ino))));
    }
}
