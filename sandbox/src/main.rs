//! `vosim-sandbox`: runs one unknown program isolated and limited, and reports what held.
//!
//! ```text
//! vosimd -- this helper ----------- pid 1 of the run ---- the program
//!           holds the control       builds the root,      and what it
//!           channel, kills by       forks, watches,       starts
//!           pidfd                   kills, reports
//! ```
//! It reads one request, writes one report and is gone. It has one thread, so that it may fork;
//! it never runs anything as root, and never runs openly what it cannot isolate.

mod account;
mod bare;
mod census;
mod cgroup;
mod fault;
mod fence;
mod fenced;
mod filter;
mod gauge;
mod guard;
mod hand;
mod hold;
mod init;
mod layers;
mod output;
mod probe;
mod request;
mod root;
mod run;
mod start;
mod sys;
mod target;
mod terms;
mod verdict;
mod watch;
mod workdir;

use std::env;
use std::io::Write as _;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use nix::sys::stat::{SFlag, fstat};

use crate::terms::Terms;

/// Done, also when the program failed or could not be run: the report says so.
const DONE: u8 = 0;
/// Started in a way that makes no sense.
const MISUSE: u8 = 1;
/// The report could not be delivered.
const BROKEN: u8 = 2;

const HELP: &str = "\
Runs one unknown program isolated and limited, and reports what held.

  vosim-sandbox run [OPTIONS] [--] PROGRAM [ARGUMENTS]
      --time SECS        computing time of all its processes, 10
      --wall SECS        time on the clock, three times that
      --memory BYTES     with K, M or G; 512M
      --processes N      processes and threads at one time, 32
      --output BYTES     standard output and error together, 64M
      --mount PATH       show this too, read-only; may be repeated
      --file NAME=PATH   lay this file into the working directory
      --env NAME=VALUE   set a variable; none is inherited
      --stdin FILE       give this text, of a file or of a pipe that ends within
                         10 s; without it the input is empty
      --require-level L  refuse to run below level A, B or C
      --json             one line of JSON instead of output and record
  An argument that is a file of this directory or below is laid into the working
  directory; what a link or `..` leads to outside of it is not.

  vosim-sandbox probe [OPTIONS]
      --json             one line of JSON
      --user UID[:GID]   as root: probe as this account, 65534
      --cgroup DIR       a delegated control group; without it our own is tried
      --apparmor-profile
                         print the profile that Ubuntu asks for, only that
  Makes one run as vosimd would and says which layers held. `vosimctl doctor` says
  how to get what is missing.

  vosim-sandbox --version | --help; an option may be joined to its value by `=`

Exit status of run: 0 the program ended with 0; 1 it ended otherwise, was not
started, or the words were wrong; 2 the sandbox could not run it. Of probe: 0
programs can be run; 1 the words were wrong; 2 nothing would hold (level D).
";

fn main() -> ExitCode {
    let words = env::args_os().skip(1).map(std::ffi::OsString::into_string);
    let Ok(words) = words.collect::<Result<Vec<String>, _>>() else {
        return refuse("an argument is not UTF-8");
    };
    let terms = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version" | "-V"] => {
            let version = concat!("vosim-sandbox ", env!("CARGO_PKG_VERSION"), "\n");
            return ExitCode::from(say(version));
        }
        ["--help" | "-h"] => return ExitCode::from(say(HELP)),
        ["run", ..] => {
            return hand::run(&words[1..]).map_or_else(|why| refuse(&why), ExitCode::from);
        }
        ["probe", ..] => {
            return probe::run(&words[1..]).map_or_else(|why| refuse(&why), ExitCode::from);
        }
        _ => match Terms::parse(&words) {
            Ok(terms) => terms,
            Err(why) => return refuse(&why),
        },
    };
    if !is_socket(std::io::stdin().as_fd()) {
        return refuse(
            "without words it is started by vosimd, over a socket; by hand: `vosim-sandbox --help`",
        );
    }
    match serve(&terms) {
        Ok(()) => ExitCode::from(DONE),
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(BROKEN)
        }
    }
}

fn serve(terms: &Terms) -> Result<(), fault::Fault> {
    use fault::At as _;
    let control = UnixStream::from(sys::adopt(0).at("taking the control channel")?);
    let channel = sys::adopt(1).at("taking the program's channel")?;
    control.set_nonblocking(false).at("taking the control channel")?;
    guard::guard(control, channel, terms)
}

fn is_socket(fd: std::os::fd::BorrowedFd<'_>) -> bool {
    fstat(fd).is_ok_and(|about| {
        SFlag::from_bits_truncate(about.st_mode) & SFlag::S_IFMT == SFlag::S_IFSOCK
    })
}

fn say(text: &str) -> u8 {
    let told = std::io::stdout().write_all(text.as_bytes());
    if told.is_ok() { DONE } else { BROKEN }
}

fn refuse(why: &str) -> ExitCode {
    complain(why);
    ExitCode::from(MISUSE)
}

/// Nobody may be listening; then there is nothing else to do.
fn complain(why: &str) {
    drop(std::io::stderr().write_all(format!("vosim-sandbox: {why}\n").as_bytes()));
}
