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
mod fault;
mod fence;
mod filter;
mod guard;
mod init;
mod layers;
mod output;
mod request;
mod root;
mod run;
mod sys;
mod target;
mod watch;

use std::env;
use std::io::Write as _;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use nix::sys::stat::{SFlag, fstat};

use crate::account::{Account, NOBODY};

/// Done, also when the program failed or could not be run: the report says so.
const DONE: u8 = 0;
/// Started in a way that makes no sense.
const MISUSE: u8 = 1;
/// The report could not be delivered.
const BROKEN: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let account = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version"] => return say_version(),
        [] => NOBODY,
        ["--user", user] => match parse_user(user) {
            Some(account) => account,
            None => return refuse(&format!("--user takes UID or UID:GID above 0, not `{user}`")),
        },
        _ => return refuse("it takes `--user UID[:GID]` or `--version`"),
    };
    if !is_socket(std::io::stdin().as_fd()) {
        return refuse("it is started by vosimd, with a socket as its standard input");
    }
    match serve(account) {
        Ok(()) => ExitCode::from(DONE),
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(BROKEN)
        }
    }
}

fn serve(account: Account) -> Result<(), fault::Fault> {
    use fault::At as _;
    let control = UnixStream::from(sys::adopt(0).at("taking the control channel")?);
    let channel = sys::adopt(1).at("taking the program's channel")?;
    control.set_nonblocking(false).at("taking the control channel")?;
    guard::guard(control, channel, account)
}

fn parse_user(text: &str) -> Option<Account> {
    let (uid, gid) = text.split_once(':').unwrap_or((text, text));
    let (uid, gid) = (uid.parse().ok()?, gid.parse().ok()?);
    (uid > 0 && gid > 0).then_some(Account { uid, gid })
}

fn is_socket(fd: std::os::fd::BorrowedFd<'_>) -> bool {
    fstat(fd).is_ok_and(|about| {
        SFlag::from_bits_truncate(about.st_mode) & SFlag::S_IFMT == SFlag::S_IFSOCK
    })
}

fn say_version() -> ExitCode {
    let text = concat!("vosim-sandbox ", env!("CARGO_PKG_VERSION"), "\n");
    let told = std::io::stdout().write_all(text.as_bytes());
    ExitCode::from(if told.is_ok() { DONE } else { BROKEN })
}

fn refuse(why: &str) -> ExitCode {
    complain(why);
    ExitCode::from(MISUSE)
}

/// Nobody may be listening; then there is nothing else to do.
fn complain(why: &str) {
    drop(std::io::stderr().write_all(format!("vosim-sandbox: {why}\n").as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_never_root() {
        assert_eq!(parse_user("1000:100"), Some(Account { uid: 1000, gid: 100 }));
        assert_eq!(parse_user("1000"), Some(Account { uid: 1000, gid: 1000 }));
        for wrong in ["0", "1000:0", "", "x", "-1", ":"] {
            assert_eq!(parse_user(wrong), None, "{wrong}");
        }
    }
}
