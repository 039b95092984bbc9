//! Names the end of a run, from what was seen and in one fixed order. Nothing is measured here.
//!
//! A limit at which the run was ended comes before one that only refused something: `processes`
//! ends no run, it explains why a program failed by itself. So it comes after the other limits, and
//! before the signal or the status that it explains.

use vosim_sandbox_spec::{Limit, Limits, Output, Verdict};

/// The order in which limits are named; `internal` comes before them, signal and exit after.
const ORDER: [Limit; 6] =
    [Limit::Output, Limit::Memory, Limit::Wall, Limit::Idle, Limit::Cpu, Limit::Processes];

/// The part of the limit from which on a peak is near it, in percent.
const NEAR: u64 = 95;

/// Lines at the end of standard error that may hold a runtime's last words; V8 prints its call
/// stack behind them.
const LAST_LINES: usize = 40;

/// Last words of runtimes that run out of memory: Node, C++, Rust, Go, the JVM, Ruby, Perl, and any
/// that prints the kernel's own refusal.
const OUT_OF_MEMORY: [&str; 8] = [
    "out of memory",
    "Out of memory",
    "process OOM",
    "std::bad_alloc",
    "memory allocation of ",
    "OutOfMemoryError",
    "NoMemoryError",
    "Cannot allocate memory",
];

/// Last words of Python, at the beginning of a line.
const MEMORY_ERROR: &str = "MemoryError";

/// Last words of runtimes that can start no further thread or process.
const NO_MORE_TASKS: [&str; 4] = [
    "can't start new thread",
    "pthread_create",
    "fork: Resource temporarily unavailable",
    "fork: retry",
];

/// The end of the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Exit(i32),
    Signal(i32),
}

/// All that was seen of the end of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Whether the sandbox failed.
    pub(crate) internal: bool,
    /// Every limit that was reached.
    pub(crate) reached: Vec<Limit>,
    /// The end of the program by itself; None when the run was ended first.
    pub(crate) ended: Option<Ended>,
}

impl Seen {
    /// Whether nothing has to be explained.
    pub(crate) fn ended_well(&self) -> bool {
        self.ended == Some(Ended::Exit(0))
    }
}

/// Returns the one word for an end.
pub(crate) fn name(seen: &Seen) -> Verdict {
    if seen.internal {
        return Verdict::Internal;
    }
    let limit = ORDER.into_iter().find(|limit| seen.reached.contains(limit));
    match (limit, seen.ended) {
        (Some(limit), _) => Verdict::Limit { limit },
        (None, Some(Ended::Exit(0))) => Verdict::Ok,
        (None, Some(Ended::Exit(_))) => Verdict::Exit,
        (None, Some(Ended::Signal(_)) | None) => Verdict::Signal,
    }
}

/// Signs that a limit was behind an end: counts of the kernel, peaks, last words.
#[derive(Clone, Debug)]
pub(crate) struct Signs<'a> {
    pub(crate) limits: &'a Limits,
    /// Whether the kernel ended a process at the bound of memory.
    pub(crate) memory_killed: bool,
    /// Whether the kernel refused a process of this run; None where it does not count that.
    pub(crate) tasks_refused: Option<bool>,
    /// Most memory, where it is a sum of resident pages.
    pub(crate) resident_peak: Option<u64>,
    /// Most processes and threads.
    pub(crate) tasks_peak: u32,
    pub(crate) stderr: &'a Output,
}

/// Adds the limits that explain a bad end; returns the one that is only suspected.
pub(crate) fn explain(seen: &mut Seen, signs: &Signs<'_>) -> Option<Limit> {
    if seen.ended_well() {
        return None;
    }
    if signs.memory_killed {
        seen.reached.push(Limit::Memory);
    }
    let at_bound = signs.tasks_peak >= signs.limits.processes
        || signs.says(|line| NO_MORE_TASKS.iter().any(|words| line.contains(words)));
    if signs.tasks_refused.unwrap_or(at_bound) {
        seen.reached.push(Limit::Processes);
    }
    match name(seen) {
        Verdict::Limit { limit: Limit::Processes } if signs.tasks_refused.is_none() => {
            Some(Limit::Processes)
        }
        Verdict::Exit | Verdict::Signal if signs.point_at_memory() => Some(Limit::Memory),
        Verdict::Ok
        | Verdict::Exit
        | Verdict::Signal
        | Verdict::Limit { .. }
        | Verdict::NotStarted
        | Verdict::Internal => None,
    }
}

impl Signs<'_> {
    fn point_at_memory(&self) -> bool {
        let near =
            |peak: u64| u128::from(peak) * 100 >= u128::from(self.limits.memory) * u128::from(NEAR);
        self.resident_peak.is_some_and(near)
            || self.says(|line| {
                line.starts_with(MEMORY_ERROR)
                    || OUT_OF_MEMORY.iter().any(|words| line.contains(words))
            })
    }

    /// Whether one of the last lines on standard error is such a line.
    fn says(&self, line: impl Fn(&str) -> bool) -> bool {
        let Output { head, tail, truncated, .. } = self.stderr;
        let end = if *truncated { tail } else { head };
        end.lines().rev().take(LAST_LINES).any(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination of what can be seen, against the order in which the README names them.
    #[test]
    fn the_order_is_internal_output_memory_wall_idle_cpu_processes_signal_exit() {
        let order = ["output", "memory", "wall", "idle", "cpu", "processes"];
        let word = |limit: Limit| serde_json::to_value(limit).unwrap().as_str().unwrap().to_owned();
        assert_eq!(ORDER.map(word), order);
        let ends = [
            (Some(Ended::Exit(0)), Verdict::Ok),
            (Some(Ended::Exit(1)), Verdict::Exit),
            (Some(Ended::Signal(9)), Verdict::Signal),
            (None, Verdict::Signal),
        ];
        for bits in 0..1_u32 << ORDER.len() {
            // Last first, so that it is not the order of seeing that decides.
            let of = |at: usize| bits >> at & 1 == 1;
            let at: Vec<usize> = (0..ORDER.len()).filter(|at| of(*at)).collect();
            let reached: Vec<Limit> = at.iter().rev().map(|at| ORDER[*at]).collect();
            for (ended, otherwise) in ends {
                let first = at.first().map(|at| Verdict::Limit { limit: ORDER[*at] });
                let mut seen = Seen { internal: false, reached: reached.clone(), ended };
                assert_eq!(name(&seen), first.unwrap_or(otherwise), "{seen:?}");
                seen.internal = true;
                assert_eq!(name(&seen), Verdict::Internal, "{seen:?}");
            }
        }
    }

    const NOTHING: &Output =
        &Output { bytes: 0, head: String::new(), tail: String::new(), truncated: false };

    fn signs<'a>(limits: &'a Limits, stderr: &'a Output) -> Signs<'a> {
        Signs {
            limits,
            memory_killed: false,
            tasks_refused: None,
            resident_peak: Some(1),
            tasks_peak: 1,
            stderr,
        }
    }

    fn explained(ended: Option<Ended>, signs: &Signs<'_>) -> (Verdict, Option<Limit>) {
        let mut seen = Seen { ended, ..Seen::default() };
        let suspected = explain(&mut seen, signs);
        (name(&seen), suspected)
    }

    fn said(text: &str) -> Output {
        Output { head: text.to_owned(), ..NOTHING.clone() }
    }

    const FAILED: Option<Ended> = Some(Ended::Exit(1));
    const KILLED: Option<Ended> = Some(Ended::Signal(9));
    const WELL: Option<Ended> = Some(Ended::Exit(0));

    fn at(limit: Limit) -> Verdict {
        Verdict::Limit { limit }
    }

    #[test]
    fn a_kill_at_the_bound_of_memory_is_proof() {
        let limits = Limits::submission();
        let killed = Signs { memory_killed: true, ..signs(&limits, NOTHING) };
        assert_eq!(explained(KILLED, &killed), (at(Limit::Memory), None));
        assert_eq!(explained(FAILED, &killed), (at(Limit::Memory), None));
        // It had left by itself before a child of it was ended.
        assert_eq!(explained(WELL, &killed), (Verdict::Ok, None));
    }

    #[test]
    fn a_peak_near_the_limit_is_a_suspicion_and_changes_no_verdict() {
        let limits = Limits::submission();
        let peak = |hundredths: u64| Signs {
            resident_peak: Some(limits.memory / 100 * hundredths),
            ..signs(&limits, NOTHING)
        };
        assert_eq!(explained(FAILED, &peak(96)), (Verdict::Exit, Some(Limit::Memory)));
        assert_eq!(explained(KILLED, &peak(96)), (Verdict::Signal, Some(Limit::Memory)));
        assert_eq!(explained(FAILED, &peak(94)), (Verdict::Exit, None));
        assert_eq!(explained(WELL, &peak(96)), (Verdict::Ok, None));
        // Page cache says nothing: the kernel gives it up before it refuses.
        let charged = Signs { resident_peak: None, ..peak(99) };
        assert_eq!(explained(FAILED, &charged), (Verdict::Exit, None));
    }

    #[test]
    fn a_runtime_s_own_last_words_are_a_suspicion() {
        let limits = Limits::submission();
        let v8 = format!("FATAL ERROR: JavaScript heap out of memory\n{}", "frame\n".repeat(20));
        for (text, limit) in [
            ("Traceback\n  x = y\nMemoryError\n", Some(Limit::Memory)),
            ("MemoryError: too large", Some(Limit::Memory)),
            (
                "terminate called after throwing an instance of 'std::bad_alloc'",
                Some(Limit::Memory),
            ),
            ("memory allocation of 99 bytes failed", Some(Limit::Memory)),
            (v8.as_str(), Some(Limit::Memory)),
            ("raise NoMemoryErrorHere: MemoryError", Some(Limit::Memory)),
            ("KeyError: 'MemoryError'", None),
            ("", None),
        ] {
            let said = said(text);
            let found = explained(FAILED, &signs(&limits, &said));
            assert_eq!(found, (Verdict::Exit, limit), "{text}");
            assert_eq!(explained(WELL, &signs(&limits, &said)), (Verdict::Ok, None));
        }
        let early = said(&format!("MemoryError\n{}", "later\n".repeat(LAST_LINES)));
        assert_eq!(explained(FAILED, &signs(&limits, &early)), (Verdict::Exit, None));
    }

    #[test]
    fn the_end_of_a_cut_stream_is_what_was_said_last() {
        let limits = Limits::submission();
        let (head, tail) = ("MemoryError\n".to_owned(), "KeyError\n".to_owned());
        let cut = Output { head, tail, truncated: true, bytes: 99 };
        assert_eq!(explained(FAILED, &signs(&limits, &cut)), (Verdict::Exit, None));
    }

    #[test]
    fn refused_processes_explain_a_bad_end_and_no_good_one() {
        let limits = Limits::submission();
        let counted = |refused| Signs {
            tasks_refused: Some(refused),
            tasks_peak: limits.processes,
            ..signs(&limits, NOTHING)
        };
        assert_eq!(explained(FAILED, &counted(true)), (at(Limit::Processes), None));
        assert_eq!(explained(WELL, &counted(true)), (Verdict::Ok, None));
        // As many as allowed, and none refused.
        assert_eq!(explained(FAILED, &counted(false)), (Verdict::Exit, None));
    }

    #[test]
    fn a_full_house_and_a_bad_end_are_a_suspicion_where_nobody_counts_refusals() {
        let limits = Limits::submission();
        let full = Signs { tasks_peak: limits.processes, ..signs(&limits, NOTHING) };
        let suspected = (at(Limit::Processes), Some(Limit::Processes));
        assert_eq!(explained(FAILED, &full), suspected);
        assert_eq!(explained(WELL, &full), (Verdict::Ok, None));
        let almost = Signs { tasks_peak: limits.processes - 1, ..full };
        assert_eq!(explained(FAILED, &almost), (Verdict::Exit, None));
        let said = said("RuntimeError: can't start new thread\n");
        assert_eq!(explained(FAILED, &signs(&limits, &said)), suspected);
    }

    #[test]
    fn a_limit_that_ended_the_run_needs_no_other_explanation() {
        let limits = Limits::submission();
        let said = said("MemoryError");
        let full = Signs { tasks_peak: limits.processes, ..signs(&limits, &said) };
        let mut seen = Seen { reached: vec![Limit::Cpu], ..Seen::default() };
        assert_eq!(explain(&mut seen, &full), None);
        assert_eq!(name(&seen), at(Limit::Cpu));
    }
}
