//! The isolation of candidates' code: the level of the sandbox, and a line for each layer that is
//! missing, with the step that gets it.

use std::path::Path;

use vosim_protocol::v1::service::{Check, CheckStatus};
use vosim_sandbox_spec::{
    ApprovedNetwork, Control, Enforcement, Layer, Level, NOT_INSTALLED, RunReport,
};

use super::check::{fail, ok, warn};
use super::host::Host;
use super::probe::{Freshness, Told};
use super::remedy::{Remedy, call_filter, remedy};

const SANDBOX: &str = "sandbox";

/// Returns the checks of a probe, or the reason why there was none.
pub(super) fn checks(told: &Result<Told, String>, host: &Host, helper: &Path) -> Vec<Check> {
    let told = match told {
        Ok(told) => told,
        Err(why) => return vec![fail(SANDBOX, why.clone(), None)],
    };
    let run = &told.report.run;
    let shortfalls = run.shortfalls.iter().map(|shortfall| remedy(shortfall, host, helper));
    let refused = run.error.as_ref().and_then(|error| call_filter(error, host));
    [level(told)].into_iter().chain(shortfalls.chain(refused).map(missing)).collect()
}

/// What comes of a network that a person has allowed to a task's program (DECISIONS 50).
pub(super) fn network(told: &Result<Told, String>) -> Check {
    let answer = told.as_ref().ok().and_then(|told| told.report.approved_network.as_ref());
    let found = match answer {
        Some(ApprovedNetwork::Given) => "by slirp4netns".to_owned(),
        Some(ApprovedNetwork::NotInstalled) => {
            format!("refused, since {NOT_INSTALLED}: apt-get install slirp4netns")
        }
        Some(ApprovedNetwork::Refused { why }) => format!("refused: {why}"),
        None => "refused, since no program can be run".to_owned(),
    };
    ok("approved network", found)
}

fn level(Told { report, probed, freshness }: &Told) -> Check {
    let level = report.level();
    let mut found = format!("level {level:?}: {}", meaning(level));
    let weak = weaknesses(&report.run);
    if !weak.is_empty() {
        found = format!("{found}; not fully enforced: {}", weak.join(", "));
    }
    if let Some(why) = report.run.error.as_ref().filter(|_| level == Level::D) {
        found = format!("{found}; {why}");
    }
    found = format!("{found}; probed {}", probed.utc().format("%Y-%m-%d %H:%M UTC"));
    if *freshness == Freshness::Kept {
        found += ", and `vosimctl doctor --fresh` probes again";
    }
    match level {
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

/// Returns the controls that do not hold in full.
fn weaknesses(run: &RunReport) -> Vec<String> {
    run.enforced.iter().filter(|it| it.held != Layer::Enforced).map(weakness).collect()
}

fn weakness(enforcement: &Enforcement) -> String {
    let Enforcement { control, note, .. } = enforcement;
    let name = name(*control);
    if note.is_empty() { name.to_owned() } else { format!("{name} ({note})") }
}

fn missing(Remedy { layer, held, found, step }: Remedy) -> Check {
    let held = if held == Layer::Degraded { "in part" } else { "absent" };
    Check {
        name: format!("{SANDBOX}: {layer}"),
        // A layer that cannot be had is no warning each time; the level says what it means.
        status: if step.is_some() { CheckStatus::Warn } else { CheckStatus::Ok },
        found: format!("{held}: {found}"),
        fix: step,
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
    use crate::doctor::host::tests::host;
    use crate::doctor::probe::tests::report;
    use vosim_protocol::time::Time;
    use vosim_sandbox_spec::{MAKING_NAMESPACES, Refusal, Shortfall, Verdict};

    fn told(level: Level, shortfalls: Vec<Shortfall>) -> Told {
        let mut report = report(level);
        report.run.shortfalls = shortfalls;
        if level == Level::D {
            report.run.verdict = Verdict::NotStarted;
            report.run.error = Some("Landlock ABI 3 is needed".to_owned());
        } else {
            report.run.enforced.push(Enforcement {
                control: Control::Memory,
                wanted: "512 bytes".to_owned(),
                held: Layer::Degraded,
                by: "RLIMIT_AS".to_owned(),
                note: "per process".to_owned(),
            });
        }
        Told { report, probed: Time::from_micros(0), freshness: Freshness::Now }
    }

    #[test]
    fn namespaces_are_enough_and_nothing_at_all_is_a_failure() {
        let status = |wanted| level(&told(wanted, Vec::new())).status;
        assert_eq!((status(Level::A), status(Level::B)), (CheckStatus::Ok, CheckStatus::Ok));
        assert_eq!((status(Level::C), status(Level::D)), (CheckStatus::Warn, CheckStatus::Fail));
        let found = level(&told(Level::D, Vec::new())).found;
        assert!(found.contains("no code is run; Landlock ABI 3 is needed"), "{found}");
    }

    #[test]
    fn the_level_says_what_is_weak_and_when_it_was_probed() {
        let mut told = told(Level::B, Vec::new());
        let found = level(&told).found;
        let wanted = "level B: namespaces, no cgroup; not fully enforced: memory (per process); \
                      probed 1970-01-01 00:00 UTC";
        assert_eq!(found, wanted);
        told.freshness = Freshness::Kept;
        let kept = format!("{wanted}, and `vosimctl doctor --fresh` probes again");
        assert_eq!(level(&told).found, kept);
    }

    #[test]
    fn each_missing_layer_is_a_line_and_a_warning_only_where_something_can_be_done() {
        let (_dir, host) = host(&[]);
        let refusal = Refusal { step: MAKING_NAMESPACES.to_owned(), errno: 38 };
        let shortfalls =
            vec![Shortfall::Namespaces(refusal), Shortfall::LandlockPartial { abi: 5 }];
        let checks = checks(&Ok(told(Level::C, shortfalls)), &host, Path::new("/h"));
        let lines: Vec<_> = checks[1..]
            .iter()
            .map(|check| (check.name.as_str(), check.status, check.fix.as_deref()))
            .collect();
        assert_eq!(
            lines,
            [
                ("sandbox: namespaces", CheckStatus::Warn, Some("boot Linux 5.12 or newer")),
                ("sandbox: Landlock", CheckStatus::Ok, None),
            ]
        );
        let found = "in part: ABI 5, without signals and abstract sockets (Linux 6.12)";
        assert_eq!(checks[2].found, found);
    }

    #[test]
    fn an_approved_network_is_told_with_what_gives_it_or_is_missing() {
        let found = |answer| {
            let mut told = told(Level::B, Vec::new());
            told.report.approved_network = answer;
            let check = network(&Ok(told));
            assert_eq!(check.status, CheckStatus::Ok, "it is no lack of the machine");
            check.found
        };
        assert_eq!(found(Some(ApprovedNetwork::Given)), "by slirp4netns");
        let missing = "refused, since slirp4netns is not installed: apt-get install slirp4netns";
        assert_eq!(found(Some(ApprovedNetwork::NotInstalled)), missing);
        let why = "no approved network: /dev/net/tun: it is not there".to_owned();
        let refused = found(Some(ApprovedNetwork::Refused { why: why.clone() }));
        assert_eq!(refused, format!("refused: {why}"));
        assert_eq!(found(None), "refused, since no program can be run");
        assert_eq!(network(&Err("it hangs".to_owned())).found, found(None));
    }

    #[test]
    fn a_helper_that_cannot_be_asked_is_a_failure_in_its_own_words() {
        let (_dir, host) = host(&[]);
        let checks = checks(&Err("it cannot be run".to_owned()), &host, Path::new("/h"));
        assert_eq!((checks.len(), checks[0].status), (1, CheckStatus::Fail));
        assert_eq!(checks[0].found, "it cannot be run");
    }
}
