//! The command `run`: one program by hand. It asks the helper exactly as the daemon does, by a
//! second process of this binary, and never runs anything itself.

mod files;
mod program;
mod record;
mod words;

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::resource::{Resource, getrlimit};
use vosim_sandbox_spec::{Limits, MemoryBy, Mount, RunReport, RunSpec, VERSION, Verdict};

pub(crate) use self::program::surroundings;
pub(crate) use self::record::control;
use self::words::Asked;
use crate::cgroup::Aside;
use crate::request::REQUEST_MAX;
use crate::terms::Terms;
use crate::{BROKEN, DONE, HELP, MISUSE, complain};

/// Most processes that Linux can number.
const PROCESSES_MAX: u64 = 4 << 20;

/// What every program is told, unless `--env` says otherwise.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("HOME", "/work"),
    ("LC_ALL", "C.UTF-8"),
    ("MALLOC_ARENA_MAX", "1"),
    ("PATH", "/usr/bin:/bin"),
];

/// Runs what the words ask for; the value is the exit status, the error a mistake in the words.
pub(crate) fn run(words: &[String]) -> Result<u8, String> {
    let asked = words::parse(words)?;
    if asked.help {
        return Ok(crate::say(HELP));
    }
    let spec = spec(&asked)?;
    // Only where it can: without it the run has no control group, and its record says why.
    let _aside = Aside::step(Path::new("/"));
    let answer = std::env::current_exe().and_then(|helper| ask(&helper, &spec, &Terms::default()));
    let Some(report) = answer.map_err(|error| format!("asking the helper: {error}"))? else {
        return Ok(BROKEN);
    };
    let told = if asked.json { record::json(&report) } else { record::human(&report) };
    if let Err(error) = told {
        complain(&format!("writing the result: {error}"));
        return Ok(BROKEN);
    }
    Ok(status(&report))
}

fn status(report: &RunReport) -> u8 {
    match report.verdict {
        Verdict::Ok => DONE,
        Verdict::Exit | Verdict::Signal | Verdict::Limit { .. } | Verdict::NotStarted => MISUSE,
        Verdict::Internal => BROKEN,
    }
}

fn spec(asked: &Asked) -> Result<RunSpec, String> {
    let program = program::find(&asked.program)?;
    let mut files = files::named(&asked.files)?;
    let mut argv = vec![program::text(&program)?];
    let laid = files::lay(Path::new(""), &asked.arguments, &mut files)?;
    argv.extend(laid.arguments);
    laid.notes.iter().for_each(|note| complain(note));
    let mut mounts = program::surroundings(&program);
    for path in &asked.mounts {
        mounts.push(mount(path)?);
    }
    if !mounts.iter().any(|shown| program.starts_with(shown)) {
        return Err(format!("{} is not shown inside; show its directory with --mount", argv[0]));
    }
    let env = ENVIRONMENT.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let input = |path| files::input(path, files::PATIENCE);
    let stdin = asked.stdin.as_deref().map(input).transpose()?;
    let spec = RunSpec {
        version: VERSION,
        argv,
        env: env.into_iter().chain(asked.env.iter().cloned()).collect(),
        files,
        mounts: mounts.into_iter().map(|path| Mount { path, writable: false }).collect(),
        stdin,
        channel: false,
        limits: limits(asked, program::memory_by(&program)),
        hold: None,
        require_level: asked.require_level,
    };
    if serde_json::to_vec(&spec).map_or(0, |line| line.len() as u64) >= REQUEST_MAX {
        return Err(format!("files and input are more than {REQUEST_MAX} bytes together"));
    }
    within_the_account(spec.limits.processes)?;
    Ok(spec)
}

fn mount(path: &str) -> Result<PathBuf, String> {
    let real = fs::canonicalize(path).map_err(|error| format!("--mount {path}: {error}"))?;
    if real == Path::new("/") {
        return Err("--mount /: not the whole machine can be shown, only parts of it".to_owned());
    }
    Ok(real)
}

/// More processes than the account may have cannot be promised.
fn within_the_account(processes: u32) -> Result<(), String> {
    let (_, most) = getrlimit(Resource::RLIMIT_NPROC).map_err(|errno| errno.to_string())?;
    // pid 1 of the sandbox counts too.
    let most = most.min(PROCESSES_MAX).saturating_sub(1);
    if u64::from(processes) > most {
        return Err(format!("--processes takes at most {most} here, not {processes}"));
    }
    Ok(())
}

fn limits(asked: &Asked, memory_by: MemoryBy) -> Limits {
    let usual = Limits::submission();
    let cpu_ms = asked.time_ms.unwrap_or(usual.cpu_ms);
    Limits {
        cpu_ms,
        wall_ms: asked.wall_ms.unwrap_or(cpu_ms.saturating_mul(3)),
        idle_ms: 0,
        memory: asked.memory.unwrap_or(usual.memory),
        memory_by,
        output_max: asked.output.unwrap_or(usual.output_max),
        processes: asked.processes.unwrap_or(usual.processes),
        ..usual
    }
}

/// Has a helper, which is this binary again, make one run on these terms.
/// None when the helper went away without a report; it has said why itself.
pub(crate) fn ask(helper: &Path, spec: &RunSpec, terms: &Terms) -> io::Result<Option<RunReport>> {
    let (mut control, theirs) = UnixStream::pair()?;
    let (_channel, its_channel) = UnixStream::pair()?;
    let mut helper = Command::new(helper)
        .args(terms.words())
        .env_clear()
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(its_channel)))
        .spawn()?;
    let mut line = serde_json::to_vec(spec)?;
    line.push(b'\n');
    control.write_all(&line)?;
    let mut answer = Vec::new();
    BufReader::new(&control).read_until(b'\n', &mut answer)?;
    helper.wait()?;
    if answer.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&answer)?))
}
