//! What runs candidates' code: the interpreter and the sandbox.

use std::path::Path;

use vosim_protocol::v1::service::Check;
use vosim_sandbox_spec::{Control, Enforcement, Layer, Level, RunReport};

use super::{fail, ok, warn};
use crate::evaluator::{Refusal, Runtime};

/// Settings of the kernel that refuse namespaces to users, with the value that allows them.
const REFUSALS: [(&str, &str, &str); 3] = [
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("user.max_user_namespaces", "0", "15000"),
];

/// Which Python is used, and what was passed over for it.
pub(super) fn python(found: &Result<Runtime, Refusal>, wanted: Option<&Path>) -> Check {
    const NAME: &str = "python";
    match found {
        Ok(runtime) => used(NAME, runtime, wanted),
        Err(refusal) => {
            fail(NAME, refusal.to_string(), Some("install Python 3.11 or newer".to_owned()))
        }
    }
}

/// Which Node.js is used; without one everything but JavaScript works.
pub(super) fn node(found: &Result<Runtime, Refusal>, wanted: Option<&Path>) -> Check {
    const NAME: &str = "node";
    match found {
        Ok(runtime) => used(NAME, runtime, wanted),
        Err(refusal) => {
            let mend = "install the package `nodejs`, version 18 or newer".to_owned();
            warn(NAME, format!("JavaScript cannot be judged. {refusal}"), Some(mend))
        }
    }
}

/// A setting that names an interpreter is tried first, so what was passed over is its value.
fn used(name: &str, runtime: &Runtime, wanted: Option<&Path>) -> Check {
    let Runtime { path, version, passed_over, .. } = runtime;
    let mut text = format!("{version} at {}", path.display());
    if !passed_over.is_empty() {
        text = format!("{text}. {}", passed_over.join(" "));
    }
    match wanted.filter(|_| !passed_over.is_empty()) {
        Some(_) => warn(name, text, Some(format!("correct evaluator.{name} in the settings"))),
        None => ok(name, text),
    }
}

/// How well code is kept apart from the machine, by a run that does nothing.
pub(super) fn sandbox(report: &Result<RunReport, Refusal>) -> Check {
    match report {
        Ok(report) => judge(report, |name| {
            let path = Path::new("/proc/sys").join(name.replace('.', "/"));
            std::fs::read_to_string(path).ok().map(|value| value.trim().to_owned())
        }),
        Err(refusal) => fail(SANDBOX, refusal.to_string(), None),
    }
}

const SANDBOX: &str = "sandbox";

fn judge(report: &RunReport, setting: impl Fn(&str) -> Option<String>) -> Check {
    let level = format!("level {:?}: {}", report.level, meaning(report.level));
    let weak = report.enforced.iter().filter(|control| control.held != Layer::Enforced);
    let weak: Vec<String> = weak.map(weakness).collect();
    let found = match weak.is_empty() {
        true => level,
        false => format!("{level}; not in full: {}", weak.join(", ")),
    };
    match report.level {
        Level::A | Level::B => ok(SANDBOX, found),
        Level::C => warn(SANDBOX, found, allow_namespaces(setting)),
        Level::D => fail(SANDBOX, found, allow_namespaces(setting)),
    }
}

fn meaning(level: Level) -> &'static str {
    match level {
        Level::A => "namespaces and a cgroup",
        Level::B => "namespaces, no cgroup",
        Level::C => "no namespaces, only Landlock and a system call filter",
        Level::D => "nothing that would hold, so no code is run",
    }
}

fn weakness(enforcement: &Enforcement) -> String {
    let Enforcement { control, note, .. } = enforcement;
    let name = name(*control);
    if note.is_empty() { name.to_owned() } else { format!("{name} ({note})") }
}

fn name(control: Control) -> &'static str {
    match control {
        Control::User => "account",
        Control::Network => "network",
        Control::Files => "files",
        Control::Isolation => "other processes",
        Control::Syscalls => "system calls",
        Control::Privileges => "privileges",
        Control::Inheritance => "inherited descriptors",
        Control::Cpu => "computing time",
        Control::Wall => "time",
        Control::Memory => "memory",
        Control::Processes => "processes",
        Control::Output => "output",
        Control::Cleanup => "clean-up",
    }
}

/// The setting that stands in the way, if it is one of the known ones.
fn allow_namespaces(setting: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (name, _, allowed) = REFUSALS
        .into_iter()
        .find(|(name, refusing, _)| setting(name).as_deref() == Some(*refusing))?;
    Some(format!("sudo sysctl -w {name}={allowed}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_protocol::v1::problem::Language;
    use vosim_protocol::v1::service::CheckStatus;
    use vosim_sandbox_spec::{Output, Usage, VERSION, Verdict};

    fn report(level: Level) -> RunReport {
        let weak = Enforcement {
            control: Control::Memory,
            held: Layer::Degraded,
            by: "RLIMIT_AS".to_owned(),
            note: "per process".to_owned(),
        };
        RunReport {
            version: VERSION,
            verdict: Verdict::Ok,
            exit_code: Some(0),
            signal: None,
            usage: Usage::default(),
            waited: None,
            stdout: Output::default(),
            stderr: Output::default(),
            enforced: vec![weak],
            level,
            error: None,
        }
    }

    #[test]
    fn a_layer_that_does_not_hold_is_named_and_the_setting_in_the_way_too() {
        let restricted = |name: &str| {
            (name == "kernel.apparmor_restrict_unprivileged_userns").then(|| "1".to_owned())
        };
        let check = judge(&report(Level::C), restricted);
        assert_eq!(check.status, CheckStatus::Warn);
        assert!(check.found.ends_with("not in full: memory (per process)"), "{}", check.found);
        let mend = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        assert_eq!(check.mend.unwrap(), mend);
        assert_eq!(judge(&report(Level::C), |_| None).mend, None);
    }

    #[test]
    fn namespaces_are_enough_and_nothing_at_all_is_a_failure() {
        let status = |level| judge(&report(level), |_| None).status;
        assert_eq!((status(Level::A), status(Level::B)), (CheckStatus::Ok, CheckStatus::Ok));
        assert_eq!(status(Level::D), CheckStatus::Fail);
    }

    #[test]
    fn an_interpreter_that_was_passed_over_is_named_with_its_reason() {
        let found = Runtime {
            language: Language::Python,
            path: "/usr/bin/python3.11".into(),
            version: "3.11.7".to_owned(),
            mounts: Vec::new(),
            passed_over: vec!["/opt/python3 was passed over: it is PyPy.".to_owned()],
        };
        let check = python(&Ok(found.clone()), None);
        assert_eq!(
            check.found,
            "3.11.7 at /usr/bin/python3.11. /opt/python3 was passed over: it is PyPy."
        );
        assert_eq!(check.status, CheckStatus::Ok, "nobody asked for that one");
        let check = python(&Ok(found), Some(Path::new("/opt/python3")));
        assert_eq!(check.status, CheckStatus::Warn);
        assert!(check.mend.unwrap().contains("evaluator.python"));
        let none = python(&Err(Refusal::Interpreter("No Python was found.".to_owned())), None);
        assert_eq!(none.status, CheckStatus::Fail);
    }

    #[test]
    fn without_node_there_is_a_warning_that_names_the_package() {
        let none = node(&Err(Refusal::Interpreter("No Node.js was found.".to_owned())), None);
        assert_eq!(none.status, CheckStatus::Warn);
        assert!(none.found.contains("No Node.js was found."), "{}", none.found);
        assert!(none.mend.unwrap().contains("`nodejs`"));
    }
}
