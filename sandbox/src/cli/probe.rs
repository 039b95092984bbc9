//! The command `probe`: makes one run as the daemon makes every run, and prints its report. How to
//! get a missing layer is for `vosimctl doctor` to say.

mod apparmor;
mod effects;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use vosim_sandbox_spec::{
    ApprovedNetwork, Level, Limits, Mount, NO_NETWORK, NOT_INSTALLED, Network, PROBE_VERSION,
    ProbeReport, RunReport, RunSpec, Shortfall, VERSION, Verdict,
};

use self::effects::Weaker;
use crate::account::{self, Account, Accounts};
use crate::cgroup::{OwnLeaf, Place};
use crate::cli::{BROKEN, DONE, HELP, helper, print, program, report, say};
use crate::options::Options;
use crate::{fault, run};

/// Programs that succeed at once, for an account that cannot reach this binary.
const SYSTEM: [&str; 2] = ["/usr/bin/true", "/bin/true"];

/// Time limit of the run on the clock, milliseconds.
const WALL_MS: u64 = 10_000;

/// The output that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Profile,
}

/// Probes, prints and returns the exit status; the error is a mistake in the arguments.
pub(crate) fn run(words: &[String]) -> Result<u8, String> {
    match words {
        [word] if word == effects::WORD => {
            return Ok(print(&effects::weaker(&limits()), DONE));
        }
        words if words.iter().any(|word| word == "--help" || word == "-h") => {
            return Ok(say(HELP));
        }
        _ => {}
    }
    let (form, options) = parse(words)?;
    let helper =
        std::env::current_exe().map_err(|error| format!("finding this binary: {error}"))?;
    if form == Form::Profile {
        return Ok(print(&apparmor::profile(&helper), DONE));
    }
    let report = probe(&helper, &options);
    let status = if report.level() == Level::D { BROKEN } else { DONE };
    let text = match form {
        // Plain strings and numbers: serializing cannot fail.
        Form::Json => serde_json::to_string(&report).unwrap_or_default() + "\n",
        Form::Text | Form::Profile => text(&report),
    };
    Ok(print(text.as_bytes(), status))
}

fn parse(words: &[String]) -> Result<(Form, Options), String> {
    let mut form = Form::Text;
    let mut others = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let (option, joined) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        form = match (option, joined) {
            ("--json", None) if form != Form::Profile => Form::Json,
            ("--apparmor-profile", None) if form == Form::Text => Form::Profile,
            ("--json" | "--apparmor-profile", None) => {
                return Err("--json and --apparmor-profile exclude each other".to_owned());
            }
            ("--user" | "--cgroup", joined) => {
                let value = joined.or_else(|| rest.next().cloned());
                others.extend([option.to_owned(), value.unwrap_or_default()]);
                form
            }
            _ => {
                return Err(format!("probe does not take `{word}`; see `vosim-sandbox --help`"));
            }
        }
    }
    Ok((form, Options::parse(&others)?))
}

fn probe(helper: &Path, options: &Options) -> ProbeReport {
    let root = nix::unistd::geteuid().is_root();
    let Accounts { first: uid, gid, .. } = options.accounts;
    let outside = if root { Account { uid, gid } } else { account::current() };
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let run = probing_run(helper, options);
    let approved_network = (run.verdict == Verdict::Ok).then(|| approved_network(helper, options));
    ProbeReport {
        version: PROBE_VERSION,
        kernel: kernel.trim().to_owned(),
        uid: outside.uid,
        gid: outside.gid,
        run,
        approved_network,
    }
}

/// Asks for a run with a network, as for the others.
fn approved_network(helper: &Path, options: &Options) -> ApprovedNetwork {
    let mut why = String::new();
    for program in [helper].into_iter().chain(SYSTEM.map(Path::new)).filter(|it| it.is_file()) {
        let spec = RunSpec { network: Network::Outside, ..request(program) };
        let Ok(Some(report)) = helper::ask(helper, &spec, options) else { continue };
        if report.verdict == Verdict::Ok {
            return ApprovedNetwork::Given;
        }
        why = report.error.unwrap_or_default();
        // Another program would not get it either.
        if why.starts_with(NO_NETWORK) {
            break;
        }
    }
    if why.ends_with(NOT_INSTALLED) {
        return ApprovedNetwork::NotInstalled;
    }
    ApprovedNetwork::Refused { why }
}

/// Returns the run of the first program that succeeds, else that of the first program.
fn probing_run(helper: &Path, options: &Options) -> RunReport {
    // As for the command `run`.
    let leaf = options.place.is_none().then(|| OwnLeaf::enter(Path::new("/")));
    let mut run = ask(helper, options, helper);
    if run.verdict != Verdict::Ok {
        let system = SYSTEM.map(PathBuf::from).into_iter().filter(|program| program.is_file());
        let runs = system.map(|program| ask(helper, options, &program));
        run = runs.into_iter().find(|run| run.verdict == Verdict::Ok).unwrap_or(run);
    }
    // Without a delegated group, the reason is why this process could not make one of its own.
    if let Some(Err(better)) = leaf
        && Place::find(Path::new("/"), None).is_err()
    {
        for shortfall in &mut run.shortfalls {
            if let Shortfall::ControlGroup { why, .. } = shortfall {
                why.clone_from(&better);
            }
        }
    }
    run
}

/// Runs a program once, and lowers the controls whose effect it could not see.
fn ask(helper: &Path, options: &Options, program: &Path) -> RunReport {
    let failed = |why| run::unstarted(Verdict::Internal, why, Level::D);
    let mut report = match helper::ask(helper, &request(program), options) {
        Ok(Some(report)) => report,
        Ok(None) => failed("the helper ended without a report".to_owned()),
        Err(error) => failed(format!("asking the helper: {error}")),
    };
    let seen = std::mem::take(&mut report.stdout).head;
    let weaker: Vec<Weaker> = serde_json::from_str(&seen).unwrap_or_default();
    for Weaker { control, held, note } in weaker {
        let line = report.enforced.iter_mut().find(|line| line.control == control);
        if let Some(line) = line.filter(|line| line.held < held) {
            (line.held, line.note) = (held, note);
        }
    }
    report
}

/// The request, which shows only what this binary and installed software need.
fn request(program: &Path) -> RunSpec {
    let mounts = program::surroundings(program);
    RunSpec {
        version: VERSION,
        argv: [&program.display().to_string(), "probe", effects::WORD].map(str::to_owned).to_vec(),
        env: [("MALLOC_ARENA_MAX".to_owned(), "1".to_owned())].into(),
        files: Default::default(),
        mounts: mounts.into_iter().map(|path| Mount { path, writable: false }).collect(),
        stdin: None,
        channel: false,
        network: Network::None,
        limits: limits(),
        standby: None,
        require_level: None,
    }
}

fn limits() -> Limits {
    Limits { wall_ms: WALL_MS, ..Limits::submission() }
}

/// The report for people: the level, then a line for each control and each shortfall.
fn text(report: &ProbeReport) -> String {
    let ProbeReport { kernel, uid, run, .. } = report;
    let mut text = format!("Level {:?} as uid {uid} on Linux {kernel}\n", report.level());
    // Writing to a string does not fail.
    if let Some(why) = &run.error {
        writeln!(text, "No program could be run: {why}").ok();
    }
    text.extend(run.enforced.iter().map(report::control));
    for shortfall in &run.shortfalls {
        writeln!(text, "  {}", words(shortfall)).ok();
    }
    match &report.approved_network {
        None | Some(ApprovedNetwork::Given) => {}
        Some(ApprovedNetwork::NotInstalled) => {
            writeln!(text, "  {NO_NETWORK}: {NOT_INSTALLED}").ok();
        }
        Some(ApprovedNetwork::Refused { why }) => {
            writeln!(text, "  {why}").ok();
        }
    }
    if !run.shortfalls.is_empty() {
        text.push_str("`vosimctl doctor` says how to get what is missing.\n");
    }
    text
}

fn words(shortfall: &Shortfall) -> String {
    match shortfall {
        Shortfall::Namespaces(refusal) => format!("no namespaces: {}", fault::words(refusal)),
        Shortfall::LandlockUnknown => "no Landlock: the kernel does not know it".to_owned(),
        Shortfall::LandlockDisabled => "no Landlock: the kernel was booted without it".to_owned(),
        Shortfall::LandlockPartial { abi } => format!("Landlock in part: ABI {abi}"),
        Shortfall::CallFilter => "no call filter: unknown architecture".to_owned(),
        Shortfall::ControlGroup { why, .. } => format!("no full control group: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_sandbox_spec::{MAKING_NAMESPACES, Refusal};

    #[test]
    fn a_run_that_came_to_none_is_level_d_with_all_that_is_known_of_it() {
        let mut run = run::unstarted(Verdict::NotStarted, "nothing holds".to_owned(), Level::D);
        run.shortfalls = vec![
            Shortfall::Namespaces(Refusal { step: MAKING_NAMESPACES.to_owned(), errno: 1 }),
            Shortfall::LandlockDisabled,
        ];
        let kernel = "6.8.0".to_owned();
        let report = ProbeReport {
            version: PROBE_VERSION,
            kernel,
            uid: 7,
            gid: 8,
            run,
            approved_network: None,
        };
        assert_eq!(
            text(&report),
            "Level D as uid 7 on Linux 6.8.0\n\
             No program could be run: nothing holds\n  \
             no namespaces: making namespaces: the system does not permit it\n  \
             no Landlock: the kernel was booted without it\n\
             `vosimctl doctor` says how to get what is missing.\n"
        );
    }
}
