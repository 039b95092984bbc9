//! `vosim-sandbox`: runs one unknown program isolated and limited, and reports what held.
//!
//! ```text
//! vosimd -- this helper ----------- pid 1 of the run ---- the program
//!           holds the control       builds the root,      and what it
//!           channel, kills by       forks, watches,       starts
//!           pidfd                   kills, reports
//! ```
//! The helper reads one request, writes one report and ends. It has one thread, so that it may
//! fork; it never runs a program as root, and never runs one that it cannot isolate.

mod account;
mod cgroup;
mod cli;
mod fault;
mod filter;
mod init;
mod landlock;
mod landlock_status;
mod layers;
mod level_c;
mod meter;
mod network;
mod options;
mod output;
mod private;
mod proc_tree;
mod request;
mod root;
mod run;
mod standby;
mod start;
mod supervisor;
mod sys;
mod target;
mod verdict;
mod watch;
mod workdir;

use std::env;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use nix::sys::stat::{SFlag, fstat};

use crate::cli::{BROKEN, DONE, HELP, MISUSE, complain, say};
use crate::options::Options;

fn main() -> ExitCode {
    let words = env::args_os().skip(1).map(std::ffi::OsString::into_string);
    let Ok(words) = words.collect::<Result<Vec<String>, _>>() else {
        return refuse("an argument is not UTF-8");
    };
    let options = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version" | "-V"] => {
            let version = concat!("vosim-sandbox ", env!("CARGO_PKG_VERSION"), "\n");
            return ExitCode::from(say(version));
        }
        ["--help" | "-h"] => return ExitCode::from(say(HELP)),
        ["run", ..] => {
            return cli::run::run(&words[1..]).map_or_else(|why| refuse(&why), ExitCode::from);
        }
        ["probe", ..] => {
            return cli::probe::run(&words[1..]).map_or_else(|why| refuse(&why), ExitCode::from);
        }
        _ => match Options::parse(&words) {
            Ok(options) => options,
            Err(why) => return refuse(&why),
        },
    };
    if !is_socket(std::io::stdin().as_fd()) {
        return refuse(
            "without words it is started by vosimd, over a socket; by hand: `vosim-sandbox --help`",
        );
    }
    match serve(&options) {
        Ok(()) => ExitCode::from(DONE),
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(BROKEN)
        }
    }
}

fn serve(options: &Options) -> Result<(), fault::Fault> {
    use fault::At as _;
    let control = UnixStream::from(sys::adopt(0).at("taking the control channel")?);
    let channel = sys::adopt(1).at("taking the program's channel")?;
    control.set_nonblocking(false).at("taking the control channel")?;
    supervisor::supervise(control, channel, options)
}

fn is_socket(fd: std::os::fd::BorrowedFd<'_>) -> bool {
    fstat(fd).is_ok_and(|about| {
        SFlag::from_bits_truncate(about.st_mode) & SFlag::S_IFMT == SFlag::S_IFSOCK
    })
}

fn refuse(why: &str) -> ExitCode {
    complain(why);
    ExitCode::from(MISUSE)
}
