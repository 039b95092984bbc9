//! `vosimctl`, the command line of vosim.
//!
//! This program speaks to the daemon over its socket and draws what it answers; it decides nothing
//! about sessions, problems or verdicts itself.

mod cli;
mod errors;
mod spelling;

mod commands;
mod output;
mod terminal;

mod call;
mod client;
mod connection;
mod follow;
mod holder;
mod interrupt;
mod launch;
mod log;
mod places;

mod any_view;
mod case_syntax;
mod code_file;
mod drafts;
mod edit;
mod ends;

mod files;
mod form;
mod intent;
mod judged;
mod kinds;
mod message;
mod playback;
mod put;
mod starter;
mod trial;
mod typing;

mod render;
mod tui;

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use nix::sys::resource::{Resource, getrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::{Mode, umask};

use crate::errors::Exit;
use crate::spelling::Spelling;

/// What even the reading of a command line needs of the stack, KiB.
const STACK_KIB: u64 = 1024;

/// What a program is given that hears and says nothing, and where new ids come from.
const DEVICES: [&str; 2] = ["/dev/null", "/dev/urandom"];

fn main() -> ExitCode {
    report_panics();
    reset_signals();
    keep_what_we_make_ours();
    if let Some(lack) = lack() {
        std::io::stderr().write_all(format!("Error: {lack}\n").as_bytes()).ok();
        return Exit::Fixable.into();
    }
    // A panic is a fault of ours, and such faults have the status 2 (000: error handling).
    let exit = catch_unwind(AssertUnwindSafe(run)).unwrap_or(Exit::Bug);
    if let Exit::Signalled(signal) = exit {
        interrupt::end_by(signal);
    }
    exit.into()
}

/// What is not there that every command needs, with the step that mends it: libraries answer a lack of it
/// with a panic, and the system with the number of a file that is not named.
fn lack() -> Option<String> {
    if let Ok((stack, _)) = getrlimit(Resource::RLIMIT_STACK)
        && stack >> 10 < STACK_KIB
    {
        let kib = stack >> 10;
        return Some(format!(
            "Only {kib} KiB of stack may be used here and {STACK_KIB} are needed; raise the limit \
             (ulimit -s)"
        ));
    }
    let device = DEVICES.into_iter().find(|device| !Path::new(device).exists())?;
    Some(format!(
        "{device} is not there; start vosim where the system's devices are, or bring them here \
         (mount --rbind, or --dev of what shuts vosim in)"
    ))
}

/// What is blocked and ignored is up to us, and not to whoever started us: a parent that ignores
/// SIGCHLD would have us wait in vain for what we start, and a blocked SIGINT is a Ctrl-C that nobody
/// hears.
fn reset_signals() {
    // What is too large for a file is an error to tell, and no end without a word.
    SigSet::from(Signal::SIGXFSZ).thread_set_mask().ok();
    // A handler that does nothing: programs that are started begin with the default.
    signal_hook::flag::register(Signal::SIGCHLD as i32, Default::default()).ok();
}

/// Lets us use what we make, whatever mask was set: a folder that its owner may not enter would be in the way of
/// every other program too. What it lets others do stays as it was chosen.
fn keep_what_we_make_ours() {
    let chosen = umask(Mode::S_IRWXU);
    umask(chosen.difference(Mode::S_IRWXU));
}

fn run() -> Exit {
    if let Some(exit) = commands::completions::answer() {
        return exit;
    }
    let cli = match cli::read() {
        Ok(cli) => cli,
        Err(error) => return cli::misused(&error),
    };
    let output = cli.output();
    match commands::run(&cli, output) {
        Ok(exit) => exit,
        Err(failure) => {
            if let Some(mut error) = failure.text(Spelling::CommandLine) {
                cli::point_at_help(&mut error);
                output.progress_done();
                output.error(&error);
            }
            failure.exit()
        }
    }
}

/// One line instead of a stack trace.
fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let text = format!("Error: Internal error. Please report.\n{info}\n");
        // Where standard error is closed there is nobody left to tell.
        std::io::stderr().write_all(text.as_bytes()).ok();
    }));
}
