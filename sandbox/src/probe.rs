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
use std::path::{Path, PathBuf};

use vosim_sandbox_spec::{Level, PROBE_VERSION, ProbeReport, ProbedRun, Verdict};

use self::chain::Chain;
use self::machine::Machine;
use crate::account;
use crate::cgroup::Aside;
use crate::terms::Terms;
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
    if words.iter().any(|word| ["--help", "-h"].contains(&word.as_str())) {
        return Ok(crate::say(crate::HELP));
    }
    let (form, terms) = parse(words)?;
    let helper =
        std::env::current_exe().map_err(|error| format!("finding this binary: {error}"))?;
    if form == Form::Profile {
        return Ok(print(&apparmor::profile(&helper), DONE));
    }
    // As for a run by hand; where that cannot be, the control group's line says why.
    let aside = terms.place.is_none().then(|| Aside::step(Path::new("/")));
    let not_aside = aside.as_ref().and_then(|aside| aside.as_ref().err());
    let report = probe(helper, &terms, not_aside);
    drop(aside);
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

fn parse(words: &[String]) -> Result<(Form, Terms), String> {
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
    Ok((form, Terms::parse(&others)?))
}

fn print(text: &[u8], status: u8) -> u8 {
    let mut out = io::stdout();
    let told = out.write_all(text).and_then(|()| out.flush());
    if told.is_ok() { status } else { BROKEN }
}

fn probe(helper: PathBuf, terms: &Terms, not_aside: Option<&String>) -> ProbeReport {
    let machine = Machine::here();
    let root = nix::unistd::geteuid().is_root();
    let outside = if root { terms.account } else { account::current() };
    let chain = Chain { machine: &machine, helper: &helper, terms, outside, not_aside };
    let mechanisms = chain.probe();
    let runs = whole::runs(&helper, terms, outside);
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
