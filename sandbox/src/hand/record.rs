//! Shows the record of a run by hand: for people the program's output and then a few lines on
//! standard error, for programs one line of JSON on standard output.

use std::io::{self, Write as _};

use vosim_sandbox_spec::{Enforcement, Output, RunReport, Usage, Verdict};

pub(super) fn json(report: &RunReport) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    io::stdout().write_all(&line)
}

pub(super) fn human(report: &RunReport) -> io::Result<()> {
    show(&mut io::stdout(), &report.stdout)?;
    let mut said = io::stderr();
    show(&mut said, &report.stderr)?;
    said.write_all(lines(report).as_bytes())
}

fn show(to: &mut impl io::Write, output: &Output) -> io::Result<()> {
    to.write_all(output.head.as_bytes())?;
    if output.truncated {
        let kept = (output.head.len() + output.tail.len()) as u64;
        writeln!(to, "\n[about {} bytes left out]", output.bytes.saturating_sub(kept))?;
        to.write_all(output.tail.as_bytes())?;
    }
    to.flush()
}

fn lines(report: &RunReport) -> String {
    let mut text = format!("vosim-sandbox: {} (level {:?})\n", end(report), report.level);
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
    let word = |text: String| text.to_lowercase();
    match report.verdict {
        Verdict::Ok | Verdict::Exit => {
            format!("ended with status {}", report.exit_code.unwrap_or_default())
        }
        Verdict::Signal => format!("ended by signal {}", report.signal.unwrap_or_default()),
        Verdict::Limit { limit } => format!("ended at a limit: {}", word(format!("{limit:?}"))),
        Verdict::NotStarted => format!("not started: {why}"),
        Verdict::Internal => format!("could not be run: {why}"),
    }
}

fn used(usage: &Usage) -> String {
    let Usage { wall_us, cpu_user_us, cpu_sys_us, peak_memory, processes_peak } = usage;
    let cpu = (cpu_user_us + cpu_sys_us) / 1000;
    let (wall, memory) = (wall_us / 1000, peak_memory / 1024);
    format!("  {cpu} ms of cpu, {wall} ms on the clock, {memory} KiB, tasks {processes_peak}\n")
}

fn control(line: &Enforcement) -> String {
    let Enforcement { control, held, by, note } = line;
    let (control, held) = (format!("{control:?}"), format!("{held:?}"));
    let (control, held) = (control.to_lowercase(), held.to_lowercase());
    let colon = if note.is_empty() { "" } else { ": " };
    format!("  {control:<11} {held:<8} {by}{colon}{note}\n")
}
