//! Shows the report of a run: for people the program's output and then a few lines on standard
//! error, for programs one line of JSON on standard output.

use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;
use vosim_sandbox_spec::{Enforcement, Level, Output, RunReport, Usage, Verdict};

use crate::cli::plain;

pub(super) fn json(report: &RunReport) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    let mut out = io::stdout();
    out.write_all(&line).and_then(|()| out.flush())
}

/// Prints output and report; the report comes even if the output cannot be written.
///
/// What the program wrote to its standard error stands behind a bar, so that no line of it looks like
/// one of the report, and nothing of it moves the cursor; on a terminal the output does not either.
pub(super) fn human(report: &RunReport) -> io::Result<()> {
    let mut out = io::stdout();
    let as_it_is = !out.is_terminal();
    let shown = whole(&report.stdout);
    let shown = if as_it_is { shown } else { plain(&shown) };
    let shown = out.write_all(shown.as_bytes()).and_then(|()| out.flush());
    let mut said = io::stderr();
    said.write_all(barred(&whole(&report.stderr)).as_bytes())?;
    said.write_all(plain(&lines(report)).as_bytes())?;
    match shown {
        // The reader has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        shown => shown,
    }
}

/// Returns the kept parts of a stream.
fn whole(output: &Output) -> String {
    if !output.truncated {
        return output.head.clone();
    }
    let kept = (output.head.len() + output.tail.len()) as u64;
    let left_out = output.bytes.saturating_sub(kept);
    format!("{}\n[about {left_out} bytes left out]\n{}", output.head, output.tail)
}

/// Puts a bar in front of each line.
fn barred(text: &str) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        shown.extend(["| ", &plain(line), "\n"]);
    }
    shown
}

fn lines(report: &RunReport) -> String {
    // Level D says that the run reached no level.
    let level = match report.level {
        Level::D => String::new(),
        level => format!(" (level {level:?})"),
    };
    let mut text = format!("vosim-sandbox: {}{level}\n", end(report));
    if !matches!(report.verdict, Verdict::NotStarted | Verdict::Internal) {
        text.push_str(&used(&report.usage));
    }
    for line in &report.enforced {
        text.push_str(&control(line));
    }
    text
}

fn end(report: &RunReport) -> String {
    let why = report.error.as_deref().unwrap_or("no reason given");
    let end = match report.verdict {
        Verdict::Ok | Verdict::Exit => {
            format!("ended with status {}", report.exit_code.unwrap_or_default())
        }
        Verdict::Signal => format!("ended by signal {}", report.signal.unwrap_or_default()),
        Verdict::Limit { limit } => format!("ended at a limit: {}", word(&limit)),
        Verdict::NotStarted => format!("not started: {why}"),
        Verdict::Internal => format!("could not be run: {why}"),
    };
    match report.suspected {
        None => end,
        Some(limit) if report.verdict == (Verdict::Limit { limit }) => format!("{end}, suspected"),
        Some(limit) => format!("{end}; a limit is suspected: {}", word(&limit)),
    }
}

/// Returns the name of a variant as the JSON has it, with blanks.
fn word(of: &impl Serialize) -> String {
    let word = serde_json::to_value(of).ok();
    word.and_then(|word| Some(word.as_str()?.replace('_', " "))).unwrap_or_default()
}

fn used(usage: &Usage) -> String {
    let Usage { wall_us, cpu_user_us, cpu_sys_us, peak_memory, processes_peak } = usage;
    let cpu = (cpu_user_us + cpu_sys_us) / 1000;
    let (wall, memory) = (wall_us / 1000, peak_memory / 1024);
    format!("  {cpu} ms of cpu, {wall} ms on the clock, {memory} KiB, tasks {processes_peak}\n")
}

/// Returns the line of one control.
pub(crate) fn control(line: &Enforcement) -> String {
    let Enforcement { control, wanted, held, by, note } = line;
    let (control, held) = (word(control), word(held));
    let semicolon = if note.is_empty() { "" } else { "; " };
    format!("  {control:<11} {held:<8} {wanted}: {by}{semicolon}{note}\n")
}

#[cfg(test)]
mod tests {
    use vosim_sandbox_spec::{Control, Layer, Limit};

    use super::*;

    fn told(verdict: Verdict, suspected: Option<Limit>) -> String {
        let mut report = crate::run::unstarted(verdict, "no reason".to_owned(), Level::B);
        (report.suspected, report.exit_code) = (suspected, Some(1));
        end(&report)
    }

    #[test]
    fn what_is_only_suspected_is_said_to_be() {
        let processes = Verdict::Limit { limit: Limit::Processes };
        assert_eq!(told(processes, None), "ended at a limit: processes");
        let said = told(processes, Some(Limit::Processes));
        assert_eq!(said, "ended at a limit: processes, suspected");
        let said = told(Verdict::Exit, Some(Limit::Memory));
        assert_eq!(said, "ended with status 1; a limit is suspected: memory");
    }

    #[test]
    fn no_line_of_the_program_looks_like_one_of_the_report() {
        let forged = "vosim-sandbox: ended with status 0\r\nx\x1b[1A";
        assert_eq!(barred(forged), "| vosim-sandbox: ended with status 0\n| x\\u{1b}[1A\n");
        assert_eq!(barred(""), "");
        let cut = Output { bytes: 9, head: "ab".into(), tail: "yz".into(), truncated: true };
        assert_eq!(whole(&cut), "ab\n[about 5 bytes left out]\nyz");
    }

    #[test]
    fn a_level_is_told_where_one_was_reached() {
        let told = |level| {
            let report =
                crate::run::unstarted(Verdict::NotStarted, "no such file".to_owned(), level);
            lines(&report)
        };
        assert_eq!(told(Level::D), "vosim-sandbox: not started: no such file\n");
        assert_eq!(told(Level::B), "vosim-sandbox: not started: no such file (level B)\n");
    }

    #[test]
    fn a_control_is_a_line_with_what_was_wanted_and_what_held_it() {
        let [wanted, by] = ["7 bytes", "RLIMIT_FSIZE"].map(str::to_owned);
        let held = Layer::Enforced;
        let line =
            Enforcement { control: Control::FileSize, wanted, held, by, note: String::new() };
        assert_eq!(control(&line), "  file size   enforced 7 bytes: RLIMIT_FSIZE\n");
        let noted = Enforcement { note: "in part".to_owned(), ..line };
        assert_eq!(control(&noted), "  file size   enforced 7 bytes: RLIMIT_FSIZE; in part\n");
    }
}
