//! How well code is kept apart from the machine: the level of the sandbox, and a line for each
//! mechanism that is missing, with what would mend it.

use vosim_protocol::v1::service::{Check, CheckStatus};
use vosim_sandbox_spec::{Control, Enforcement, Layer, Level, Mend, ProbeReport, Probed, Verdict};

use super::probe::{Source, Told};
use super::{fail, ok, warn};

const SANDBOX: &str = "sandbox";

/// What a probe found, or why there was none.
pub(super) fn checks(told: &Result<Told, String>) -> Vec<Check> {
    match told {
        Ok(told) => {
            let missing = told.report.mechanisms.iter().filter(|probed| counts(probed));
            [level(told)].into_iter().chain(missing.map(missing_mechanism)).collect()
        }
        Err(why) => vec![fail(SANDBOX, why.clone(), None)],
    }
}

/// What is missing only because something else is says nothing of its own.
fn counts(probed: &Probed) -> bool {
    probed.held != Layer::Enforced && probed.needs.is_none()
}

fn level(Told { report, probed, source }: &Told) -> Check {
    let mut found = format!("level {:?}: {}", report.level, meaning(report.level));
    let weak = weaknesses(report);
    if !weak.is_empty() {
        found = format!("{found}; not in full: {}", weak.join(", "));
    }
    if let Some(why) = failure(report) {
        found = format!("{found}; {why}");
    }
    found = format!("{found}; probed {}", probed.utc().format("%Y-%m-%d %H:%M UTC"));
    if *source == Source::Kept {
        found += ", and `vosimctl doctor --fresh` looks again";
    }
    match report.level {
        Level::A | Level::B => ok(SANDBOX, found),
        Level::C => warn(SANDBOX, found, None),
        Level::D => fail(SANDBOX, found, None),
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

/// The controls that do not hold in full at the level that is used.
fn weaknesses(report: &ProbeReport) -> Vec<String> {
    let used = report.runs.iter().find(|run| run.level == report.level);
    let controls = used.iter().flat_map(|run| &run.enforced);
    controls.filter(|control| control.held != Layer::Enforced).map(weakness).collect()
}

fn weakness(enforcement: &Enforcement) -> String {
    let Enforcement { control, note, .. } = enforcement;
    let name = name(*control);
    if note.is_empty() { name.to_owned() } else { format!("{name} ({note})") }
}

/// Why no run went well at all.
fn failure(report: &ProbeReport) -> Option<&str> {
    let well = report.runs.iter().any(|run| run.verdict == Verdict::Ok);
    report.runs.first().filter(|_| !well)?.error.as_deref()
}

fn missing_mechanism(probed: &Probed) -> Check {
    let held = if probed.held == Layer::Degraded { "in part" } else { "absent" };
    let mend = probed.mend.as_ref().map(step);
    Check {
        name: format!("{SANDBOX}: {}", probed.mechanism.name()),
        // What nobody can mend is nothing to be warned of each time; the level says what it means.
        status: if mend.is_some() { CheckStatus::Warn } else { CheckStatus::Ok },
        found: format!("{held}: {}", probed.found),
        mend,
    }
}

fn step(Mend { step, text }: &Mend) -> String {
    let lines = text.iter().flat_map(|text| text.lines()).collect::<Vec<_>>();
    match lines[..] {
        [] => step.clone(),
        _ => format!("{step} (write there: {})", lines.join(", ")),
    }
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
        Control::FileSize => "size of files",
        Control::OpenFiles => "open files",
        Control::Cleanup => "clean-up",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_protocol::time::Time;
    use vosim_sandbox_spec::{Mechanism, PROBE_VERSION, ProbedRun};

    fn probed(mechanism: Mechanism, held: Layer) -> Probed {
        Probed { mechanism, held, found: "seen".to_owned(), needs: None, mend: None }
    }

    fn told(level: Level, mechanisms: Vec<Probed>) -> Told {
        let weak = Enforcement {
            control: Control::Memory,
            wanted: "512 bytes".to_owned(),
            held: Layer::Degraded,
            by: "RLIMIT_AS".to_owned(),
            note: "per process".to_owned(),
        };
        let well = level < Level::D;
        let run = ProbedRun {
            level,
            verdict: if well { Verdict::Ok } else { Verdict::NotStarted },
            wall_us: 3_000,
            error: (!well).then(|| "Landlock ABI 3 is needed".to_owned()),
            enforced: if well { vec![weak] } else { Vec::new() },
        };
        let report = ProbeReport {
            version: PROBE_VERSION,
            level,
            kernel: "6.1.0".to_owned(),
            helper: "/usr/bin/vosim-sandbox".to_owned(),
            uid: 1000,
            gid: 1000,
            mechanisms,
            runs: vec![run],
        };
        Told { report, probed: Time::from_micros(0), source: Source::Now }
    }

    #[test]
    fn namespaces_are_enough_and_nothing_at_all_is_a_failure() {
        let status = |level| checks(&Ok(told(level, Vec::new())))[0].status;
        assert_eq!((status(Level::A), status(Level::B)), (CheckStatus::Ok, CheckStatus::Ok));
        assert_eq!((status(Level::C), status(Level::D)), (CheckStatus::Warn, CheckStatus::Fail));
        let found = &checks(&Ok(told(Level::D, Vec::new())))[0].found;
        assert!(found.contains("no code is run; Landlock ABI 3 is needed"), "{found}");
    }

    #[test]
    fn the_level_says_what_is_weak_and_when_it_was_probed() {
        let mut told = told(Level::B, Vec::new());
        let found = level(&told).found;
        let wanted = "level B: namespaces, no cgroup; not in full: memory (per process); \
                      probed 1970-01-01 00:00 UTC";
        assert_eq!(found, wanted);
        told.source = Source::Kept;
        let kept = format!("{wanted}, and `vosimctl doctor --fresh` looks again");
        assert_eq!(level(&told).found, kept);
    }

    #[test]
    fn each_missing_mechanism_is_a_line_with_its_mend_and_what_depends_on_it_is_none() {
        let mut namespace = probed(Mechanism::UserNamespace, Layer::Absent);
        namespace.mend = Some(Mend { step: "allow it".to_owned(), text: None });
        let mut root = probed(Mechanism::PrivateRoot, Layer::Absent);
        root.needs = Some(Mechanism::UserNamespace);
        let mut cgroup = probed(Mechanism::Cgroup, Layer::Absent);
        let text = Some("[Service]\nDelegate=yes".to_owned());
        cgroup.mend = Some(Mend { step: "edit it".to_owned(), text });
        let landlock = probed(Mechanism::Landlock, Layer::Degraded);
        let fine = probed(Mechanism::Seccomp, Layer::Enforced);
        let checks = checks(&Ok(told(Level::C, vec![namespace, root, landlock, fine, cgroup])));
        let lines: Vec<_> = checks[1..]
            .iter()
            .map(|check| (check.name.as_str(), check.status, check.mend.as_deref()))
            .collect();
        assert_eq!(
            lines,
            [
                ("sandbox: user namespace", CheckStatus::Warn, Some("allow it")),
                ("sandbox: Landlock", CheckStatus::Ok, None),
                (
                    "sandbox: cgroup",
                    CheckStatus::Warn,
                    Some("edit it (write there: [Service], Delegate=yes)")
                ),
            ]
        );
        assert_eq!(checks[2].found, "in part: seen");
    }

    #[test]
    fn a_helper_that_cannot_be_asked_is_a_failure_in_its_own_words() {
        let checks = checks(&Err("it cannot be run".to_owned()));
        assert_eq!((checks.len(), checks[0].status), (1, CheckStatus::Fail));
        assert_eq!(checks[0].found, "it cannot be run");
    }
}
