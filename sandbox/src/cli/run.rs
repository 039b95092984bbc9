//! The command `run`: runs one program for a person. Files and limits become the request to a
//! helper; the program is never run by this process.

mod arguments;
mod files;

use std::fs;
use std::path::{Path, PathBuf};

use nix::sys::resource::{Resource, getrlimit};
use vosim_sandbox_spec::{Limits, MemoryBy, Mount, Network, RunReport, RunSpec, VERSION, Verdict};

use self::arguments::Asked;
use crate::cgroup::OwnLeaf;
use crate::cli::{BROKEN, DONE, HELP, MISUSE, complain, helper, program, report, say};
use crate::options::Options;
use crate::request::REQUEST_MAX;

/// The largest number of processes that Linux can count.
const PROCESSES_MAX: u64 = 4 << 20;

/// The environment of every program, unless `--env` says otherwise.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("HOME", "/work"),
    ("LC_ALL", "C.UTF-8"),
    ("MALLOC_ARENA_MAX", "1"),
    ("PATH", "/usr/bin:/bin"),
];

/// Runs the program and returns the exit status; the error is a mistake in the arguments.
pub(crate) fn run(words: &[String]) -> Result<u8, String> {
    let asked = arguments::parse(words)?;
    if asked.help {
        return Ok(say(HELP));
    }
    let spec = spec(&asked)?;
    // Without a leaf the run has no control group, and its report says why.
    let _leaf = OwnLeaf::enter(Path::new("/"));
    let answer =
        std::env::current_exe().and_then(|helper| helper::ask(&helper, &spec, &Options::default()));
    let Some(report) = answer.map_err(|error| format!("asking the helper: {error}"))? else {
        return Ok(BROKEN);
    };
    let told = if asked.json { report::json(&report) } else { report::human(&report) };
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
        network: Network::None,
        limits: limits(asked, program::memory_by(&program)),
        standby: None,
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

/// Refuses more processes than the account may have.
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
