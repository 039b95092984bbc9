//! The probe's answer for people: a line for each mechanism, then what would mend what is missing.

use std::fmt::Write as _;

use vosim_sandbox_spec::{Layer, Level, Mechanism, Mend, ProbeReport, ProbedRun, Verdict};

/// The level in a few words.
const fn meaning(level: Level) -> &'static str {
    match level {
        Level::A => "namespaces and a cgroup",
        Level::B => "namespaces, no cgroup",
        Level::C => "no namespaces: Landlock and a call filter",
        Level::D => "nothing that would hold: no program is run",
    }
}

pub(super) fn text(report: &ProbeReport) -> String {
    let ProbeReport { level, kernel, uid, .. } = report;
    let mut text = format!("Level {level:?}, {}\n", meaning(*level));
    // Writing to a string does not fail.
    writeln!(text, "As uid {uid} on Linux {kernel}\n").ok();
    for probed in &report.mechanisms {
        line(&mut text, probed.mechanism.name(), word(probed.held), &probed.found);
    }
    text.push('\n');
    for run in &report.runs {
        let (held, found) = run_words(run);
        let name = match run.level {
            Level::A | Level::B | Level::C => format!("run at level {:?}", run.level),
            Level::D => "run at any level".to_owned(),
        };
        line(&mut text, &name, held, &found);
    }
    for (names, mend) in mends(report) {
        writeln!(text, "\nTo mend: {}\n  {}", names.join(", "), mend.step).ok();
        for written in mend.text.iter().flat_map(|text| text.lines()) {
            writeln!(text, "      {written}").ok();
        }
    }
    text
}

fn line(text: &mut String, name: &str, held: &str, found: &str) {
    writeln!(text, "  {name:<16} {held:<8} {found}").ok();
}

const fn word(held: Layer) -> &'static str {
    match held {
        Layer::Enforced => "holds",
        Layer::Degraded => "in part",
        Layer::Absent => "absent",
    }
}

fn run_words(run: &ProbedRun) -> (&'static str, String) {
    if run.verdict == Verdict::Ok {
        let tenths = run.wall_us / 100;
        return ("holds", format!("a program ran, {}.{} ms", tenths / 10, tenths % 10));
    }
    let why = run.error.clone().unwrap_or_else(|| format!("it ended as {:?}", run.verdict));
    ("absent", why)
}

/// Each mend once, with what it gives.
fn mends(report: &ProbeReport) -> Vec<(Vec<&'static str>, &Mend)> {
    let mut mends: Vec<(Vec<&'static str>, &Mend)> = Vec::new();
    for probed in &report.mechanisms {
        let Some(mend) = &probed.mend else { continue };
        let name = Mechanism::name(probed.mechanism);
        match mends.iter_mut().find(|(_, known)| *known == mend) {
            Some((names, _)) => names.push(name),
            None => mends.push((vec![name], mend)),
        }
    }
    mends
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_sandbox_spec::{PROBE_VERSION, Probed};

    fn report() -> ProbeReport {
        let probed = |mechanism, held, found: &str, step: Option<&str>| Probed {
            mechanism,
            held,
            found: found.to_owned(),
            needs: None,
            mend: step.map(|step| Mend { step: step.to_owned(), text: None }),
        };
        ProbeReport {
            version: PROBE_VERSION,
            level: Level::C,
            kernel: "6.8.0".to_owned(),
            helper: "/usr/bin/vosim-sandbox".to_owned(),
            uid: 1000,
            gid: 1000,
            mechanisms: vec![
                probed(Mechanism::AccountMap, Layer::Absent, "EPERM", Some("mend it")),
                probed(Mechanism::Landlock, Layer::Degraded, "ABI 4", None),
                probed(Mechanism::NetNamespace, Layer::Absent, "EPERM", Some("mend it")),
                probed(Mechanism::ResourceLimits, Layer::Enforced, "refused", None),
            ],
            runs: vec![ProbedRun {
                level: Level::C,
                verdict: Verdict::Ok,
                wall_us: 3_160,
                error: None,
                enforced: Vec::new(),
            }],
        }
    }

    #[test]
    fn lines_are_aligned_and_a_mend_that_gives_two_things_is_said_once() {
        let wanted = "\
Level C, no namespaces: Landlock and a call filter
As uid 1000 on Linux 6.8.0

  account map      absent   EPERM
  Landlock         in part  ABI 4
  net namespace    absent   EPERM
  resource limits  holds    refused

  run at level C   holds    a program ran, 3.1 ms

To mend: account map, net namespace
  mend it
";
        assert_eq!(text(&report()), wanted);
    }

    #[test]
    fn what_an_editor_is_to_be_given_stands_below_the_step_and_a_failed_run_says_why() {
        let mut report = report();
        report.level = Level::D;
        report.mechanisms.truncate(1);
        let text_to_write = Some("[Service]\nDelegate=yes".to_owned());
        report.mechanisms[0].mend.as_mut().unwrap().text = text_to_write;
        report.runs[0].level = Level::D;
        report.runs[0].verdict = Verdict::NotStarted;
        report.runs[0].error = Some("Landlock ABI 3 is needed".to_owned());
        let text = text(&report);
        assert!(text.contains("  run at any level absent   Landlock ABI 3 is needed\n"), "{text}");
        assert!(text.ends_with("  mend it\n      [Service]\n      Delegate=yes\n"), "{text}");
    }
}
