//! What a test needs beyond the toolchain: of the machine, such as Node or root, and the programs of
//! vosim themselves.
//!
//! A test whose need is not met fails; it never passes for having done nothing. `VOSIM_SKIPS` names
//! the needs for which tests may be left out instead, as in `VOSIM_SKIPS="node root"`. Each test that
//! is left out says so, and adds a line to the file that `VOSIM_SKIPPED` names, so that a whole run
//! can be told what it did not try. `none` permits nothing, and so does no `VOSIM_SKIPS` at all.

#![expect(
    clippy::panic,
    clippy::print_stderr,
    reason = "all of this library belongs to tests: what goes wrong fails the test at once"
)]

mod programs;

use std::fmt::{self, Display};
use std::fs::OpenOptions;
use std::io::Write as _;

pub use programs::{browser, llama, newer_node, program, pytest, sandbox};

/// What not every machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A browser with axe, which `.ci/setup --browser` installs and puts into the target folder.
    Browser,
    /// A control group with controllers, without which level A of the sandbox cannot be. Machines
    /// that build rarely delegate one, so this need alone may go unmet everywhere (DECISIONS 25).
    LevelA,
    /// llama.cpp's server and a small model, which `.ci/setup --tests` puts into the target folder.
    Llama,
    /// Mounts of the test's own, and loop devices.
    Mounts,
    /// A Node.js that takes types away, which `.ci/setup --tests` puts into the target folder.
    NewerNode,
    /// Node.js.
    Node,
    /// pytest with hypothesis, which `.ci/setup` puts into the target folder.
    Pytest,
    /// The account of root.
    Root,
    /// The programs by which README speaks to the daemon: socat and jq.
    Socat,
    /// systemd's programs, and control groups of version 2 for a manager of the test's own.
    Systemd,
}

impl Need {
    const ALL: [Self; 10] = [
        Self::Browser,
        Self::LevelA,
        Self::Llama,
        Self::Mounts,
        Self::NewerNode,
        Self::Node,
        Self::Pytest,
        Self::Root,
        Self::Socat,
        Self::Systemd,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::LevelA => "A",
            Self::Llama => "llama",
            Self::Mounts => "mounts",
            Self::NewerNode => "newer-node",
            Self::Node => "node",
            Self::Pytest => "pytest",
            Self::Root => "root",
            Self::Socat => "socat",
            Self::Systemd => "systemd",
        }
    }
}

impl Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns what was found of a need, or `None` where the test has to be left out.
///
/// # Panics
/// If the need is not met and `VOSIM_SKIPS` does not name it.
#[track_caller]
pub fn needs<T>(need: Need, found: Result<T, impl Display>) -> Option<T> {
    let missing = match found {
        Ok(found) => return Some(found),
        Err(missing) => missing,
    };
    let skips = std::env::var("VOSIM_SKIPS").unwrap_or_else(|_| "none".to_owned());
    assert!(
        permits(&skips, need),
        "the test needs {need}: {missing}; where VOSIM_SKIPS names {need}, it is left out"
    );
    skipped(&format!("{need}: not run, {missing}"));
    None
}

/// Whether the test runs as root. A test that needs to be root's returns where this says no.
///
/// # Panics
/// If it does not and `VOSIM_SKIPS` does not name `root`.
#[must_use]
#[track_caller]
pub fn has_root() -> bool {
    // The folder of a process belongs to the account that it runs as.
    let account =
        std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own));
    let found = if account.is_ok_and(|uid| uid == 0) { Ok(()) } else { Err("another account") };
    needs(Need::Root, found).is_some()
}

fn permits(skips: &str, need: Need) -> bool {
    let named: Vec<_> = skips.split_whitespace().filter(|word| *word != "none").collect();
    let known = |word: &&str| Need::ALL.iter().any(|need| need.name() == *word);
    if let Some(unknown) = named.iter().find(|word| !known(word)) {
        let all = Need::ALL.map(Need::name).join(", ");
        panic!("VOSIM_SKIPS names `{unknown}`; there are none, {all}");
    }
    need == Need::LevelA || named.contains(&need.name())
}

/// Says what is left out, and writes it down for the end of the run.
fn skipped(line: &str) {
    eprintln!("{line}");
    let test = std::thread::current();
    let test = test.name().unwrap_or("a test");
    let Some(list) = std::env::var_os("VOSIM_SKIPPED") else { return };
    let written = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&list)
        // In one piece: other tests write at the same time.
        .and_then(|mut list| list.write_all(format!("{line}: {test}\n").as_bytes()));
    if let Err(error) = written {
        panic!("{}: {error}", list.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_may_be_left_out_and_level_a() {
        assert!(!permits("none", Need::Node));
        assert!(!permits("", Need::Node));
        assert!(permits("none", Need::LevelA));
        assert!(permits("root node", Need::Node));
        assert!(!permits("root node", Need::Systemd));
    }

    #[test]
    fn a_word_that_names_no_need_is_refused() {
        let said = std::panic::catch_unwind(|| permits("root nodejs", Need::Root)).unwrap_err();
        let said = said.downcast_ref::<String>().unwrap();
        assert_eq!(
            said,
            "VOSIM_SKIPS names `nodejs`; there are none, browser, A, llama, mounts, newer-node, node, pytest, root, socat, systemd"
        );
    }

    #[test]
    fn what_is_found_is_given() {
        assert_eq!(needs(Need::Node, Ok::<_, &str>("18.0")), Some("18.0"));
    }
}
