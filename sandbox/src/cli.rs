//! The command line: what a person is told, and how a command ends. The two commands themselves
//! never run a program: they ask a helper, as the daemon does.

pub(crate) mod probe;
pub(crate) mod run;

mod helper;
mod program;
mod report;

use std::io::{self, Write as _};

/// Exit status: done, also when the program failed or could not be run, as the report says.
pub(crate) const DONE: u8 = 0;
/// Exit status: the arguments make no sense.
pub(crate) const MISUSE: u8 = 1;
/// Exit status: the report could not be delivered.
pub(crate) const BROKEN: u8 = 2;

pub(crate) const HELP: &str = "\
Runs one unknown program isolated and limited, and reports what held.

  vosim-sandbox run [OPTIONS] [--] PROGRAM [ARGUMENTS]
      --time SECS        computing time of all its processes, 10
      --wall SECS        time on the clock, three times that
      --memory BYTES     with K, M or G; 512M
      --processes N      processes and threads at one time, 32
      --output BYTES     standard output and error together, 64M
      --mount PATH       show this too, read-only; may be repeated
      --file NAME=PATH   copy this file into the working directory
      --env NAME=VALUE   set a variable; none are inherited
      --stdin FILE       the standard input: a file, or a pipe that ends within
                         10 s; without it the input is empty
      --require-level L  refuse to run below level A, B or C
      --json             one line of JSON instead of output and report
  An argument that is a file in this directory or below is copied into the working
  directory, unless a link or `..` leads out of it.

  vosim-sandbox probe [OPTIONS]
      --json             one line of JSON
      --user UID[:GID]   as root: probe as this account, not one of 1900000000 to
                         1900000255
      --cgroup DIR       a delegated control group; without it, this process's own
                         is tried
      --apparmor-profile
                         only print the profile that Ubuntu asks for
  Makes one run as vosimd would and shows which layers held. `vosimctl doctor`
  says how to get what is missing.

  vosim-sandbox --version | --help; an option may be joined to its value by `=`

Exit status of run: 0 the program ended with 0; 1 it ended otherwise, was not
started, or the arguments were wrong; 2 the sandbox could not run it. Of probe:
0 programs can be run; 1 the arguments were wrong; 2 nothing would hold (level D).
";

/// Prints to standard output, and returns the exit status.
pub(crate) fn say(text: &str) -> u8 {
    print(text.as_bytes(), DONE)
}

/// Prints to standard output, and returns the given exit status if that worked.
pub(crate) fn print(text: &[u8], status: u8) -> u8 {
    let mut out = io::stdout();
    let printed = out.write_all(text).and_then(|()| out.flush());
    if printed.is_ok() { status } else { BROKEN }
}

/// Prints one line to standard error. If that fails there is nothing else to do.
pub(crate) fn complain(why: &str) {
    drop(io::stderr().write_all(format!("vosim-sandbox: {}\n", plain(why)).as_bytes()));
}

/// Returns a text in which nothing moves a terminal's cursor or turns the direction of writing; lines
/// and tabs stay.
pub(crate) fn plain(text: &str) -> String {
    let moves = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(c, '\u{2066}'..='\u{2069}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if moves(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_moves_the_cursor_is_shown_as_a_number() {
        assert_eq!(plain("a\tä\n😀"), "a\tä\n😀");
        assert_eq!(plain("\x1b[2K\r\u{9b}\u{202e}x"), "\\u{1b}[2K\\u{d}\\u{9b}\\u{202e}x");
    }
}
