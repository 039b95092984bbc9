//! The command `probe`: what this machine gives. It really performs every step of a run, each in a
//! process of its own, then whole runs, and says for what is missing what was seen and what would
//! mend it. It changes nothing on the machine.

mod apart;
mod apparmor;
mod cgroup;
mod chain;
mod effects;
mod machine;
mod mends;
mod text;
mod whole;

use std::io::{self, Write as _};
use std::path::PathBuf;

use vosim_sandbox_spec::{Level, PROBE_VERSION, ProbeReport, ProbedRun, Verdict};

use self::chain::Chain;
use self::machine::Machine;
use crate::account::{self, Account, NOBODY};
use crate::terms;
use crate::{BROKEN, DONE};

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Profile,
}

/// Probes and prints; the value is the exit status, the error a mistake in the words.
pub(crate) fn run(words: &[String]) -> Result<u8, String> {
    let (form, account) = parse(words)?;
    let helper =
        std::env::current_exe().map_err(|error| format!("finding this binary: {error}"))?;
    if form == Form::Profile {
        return Ok(print(&apparmor::profile(&helper), DONE));
    }
    let report = probe(helper, account);
    let status = if report.level == Level::D { BROKEN } else { DONE };
    let mut text = match form {
        // Plain strings and numbers: serializing cannot fail.
        Form::Json => serde_json::to_vec(&report).unwrap_or_default(),
        Form::Text | Form::Profile => text::text(&report).into_bytes(),
    };
    if form == Form::Json {
        text.push(b'\n');
    }
    Ok(print(&text, status))
}

fn parse(words: &[String]) -> Result<(Form, Account), String> {
    let (mut form, mut account) = (Form::Text, NOBODY);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        form = match word.as_str() {
            "--json" if form != Form::Profile => Form::Json,
            "--apparmor-profile" if form == Form::Text => Form::Profile,
            "--json" | "--apparmor-profile" => {
                return Err("--json and --apparmor-profile exclude each other".to_owned());
            }
            "--user" => {
                account = terms::user(rest.next().map_or("", String::as_str))?;
                form
            }
            _ => {
                return Err(format!("probe does not take `{word}`; see `vosim-sandbox --help`"));
            }
        }
    }
    Ok((form, account))
}

fn print(text: &[u8], status: u8) -> u8 {
    let mut out = io::stdout();
    let told = out.write_all(text).and_then(|()| out.flush());
    if told.is_ok() { status } else { BROKEN }
}

fn probe(helper: PathBuf, account: Account) -> ProbeReport {
    let machine = Machine::here();
    let root = nix::unistd::geteuid().is_root();
    let outside = if root { account } else { account::current() };
    let mechanisms = Chain { machine: &machine, helper: &helper, account, outside }.probe();
    let runs = whole::runs(&helper, account, outside);
    ProbeReport {
        version: PROBE_VERSION,
        level: level(&runs),
        kernel: machine.release(),
        helper: helper.display().to_string(),
        uid: outside.uid,
        gid: outside.gid,
        mechanisms,
        runs,
    }
}

/// The best level at which a run went well.
fn level(runs: &[ProbedRun]) -> Level {
    let well = runs.iter().filter(|run| run.verdict == Verdict::Ok);
    well.map(|run| run.level).min().unwrap_or(Level::D)
}
