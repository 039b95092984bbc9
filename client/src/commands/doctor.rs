//! `doctor`: what vosim needs, asked of the daemon; without one, of `vosimd` as a program.

use std::process::Command;
use std::time::Duration;

use vosim_protocol::trouble::cause;
use vosim_protocol::v1::service::{
    Check, CheckStatus, Doctor, DoctorParams, DoctorResult, Nothing, Status,
};

use crate::cli;
use crate::client::AutoStart;
use crate::commands::Context;
use crate::errors::{Exit, Failure, code};
use crate::holder::stopped;
use crate::launch::{cut_short, daemon_program};
use crate::places::Places;
use crate::render::upkeep as screens;
use crate::spelling::Spelling;

/// How long a daemon may take to say that it lives.
const LIVES_WITHIN: Duration = Duration::from_secs(5);

pub(crate) fn run(args: cli::Doctor, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client_with(Places::from_env()?, AutoStart::No);
    let mut checks = vec![check("vosimctl", CheckStatus::Ok, env!("CARGO_PKG_VERSION"), None)];
    checks.push(match daemon_program() {
        Ok(program) => check("vosimd", CheckStatus::Ok, &program.display().to_string(), None),
        Err(failure) => failed("vosimd", &failure),
    });
    // A daemon that hangs is not given the time that a probe may take.
    let lives = client.call_for::<Status>(&Nothing {}, LIVES_WITHIN, |_| {});
    match lives.and_then(|_| client.call::<Doctor>(&DoctorParams { fresh: args.fresh })) {
        Ok(result) => {
            let found = format!("runs on {}", client.socket().display());
            checks.push(check("daemon", CheckStatus::Ok, &found, None));
            checks.extend(result.checks);
        }
        Err(failure) if failure.is(code::DAEMON_NOT_RUNNING) => {
            // It is started when it is needed, so this alone is nothing to fix.
            checks.push(check("daemon", CheckStatus::Ok, &failure.to_string(), None));
            checks.extend(without_daemon(args.fresh));
        }
        Err(failure) if failure.is(code::NO_ANSWER) || failure.is(code::CONNECTION_FAILED) => {
            let failure = stopped(client.places()).unwrap_or_else(|| not_sent_back(failure));
            checks.push(failed("daemon", &failure));
            checks.extend(without_daemon(args.fresh));
        }
        // What can be seen without one is seen, whatever keeps us from it.
        Err(failure) => {
            checks.push(failed("daemon", &failure));
            checks.extend(without_daemon(args.fresh));
        }
    }
    let result = DoctorResult { checks };
    context.output.data(&result, |look| screens::doctor(&result, look))?;
    let fails = result.checks.iter().any(|check| check.status == CheckStatus::Fail);
    Ok(if fails { Exit::Fixable } else { Exit::Done })
}

/// The checks that need no daemon.
fn without_daemon(fresh: bool) -> Vec<Check> {
    let Ok(program) = daemon_program() else {
        return Vec::new();
    };
    let mut command = Command::new(&program);
    command.args(["doctor", "--json"]).args(fresh.then_some("--fresh"));
    let found = match command.output() {
        Ok(found) => found,
        Err(error) => {
            let text = format!("{} cannot be run: {}", program.display(), cause(&error));
            return vec![check("vosimd", CheckStatus::Fail, &text, None)];
        }
    };
    match serde_json::from_slice::<DoctorResult>(&found.stdout) {
        Ok(result) => result.checks,
        Err(_) => {
            let said = String::from_utf8_lossy(&found.stderr);
            let said = cut_short(found.status)
                .or_else(|| said.lines().next().map(str::to_owned))
                .unwrap_or_else(|| format!("it said nothing that can be read ({})", found.status));
            vec![check("vosimd doctor", CheckStatus::Fail, &said, None)]
        }
    }
}

/// A failure that would send whoever has called the doctor to it once more, with another step. One that
/// names what is in the way has its own.
fn not_sent_back(failure: Failure) -> Failure {
    let hint = failure.text(Spelling::CommandLine).and_then(|error| error.hint);
    match hint {
        Some(hint) if !hint.contains("vosimctl doctor") => failure,
        Some(_) | None => failure.hint("Restart it: vosimctl daemon stop, then any command"),
    }
}

fn failed(name: &str, failure: &Failure) -> Check {
    let object = failure.text(Spelling::CommandLine);
    let (found, fix) = object.map_or((String::new(), None), |error| (error.message, error.hint));
    Check { name: name.to_owned(), status: CheckStatus::Fail, found, fix }
}

fn check(name: &str, status: CheckStatus, found: &str, fix: Option<String>) -> Check {
    Check { name: name.to_owned(), status, found: found.to_owned(), fix }
}
