//! Turns what came back into facts: which call differs, which limit ended it, what was printed.
//! Of a hidden case nothing is kept that its data could be read from (DECISIONS 19).

use vosim_engine::parts::verdict::limit_sentence;
use vosim_protocol::v1::evaluation::{
    CaseOutcome, CaseResult, Detail, Difference, Evaluation, LimitHit, Load, Prints, SmallRuns,
    WrongRun,
};
use vosim_protocol::v1::problem::{Language, Op};
use vosim_sandbox_spec::Limits;

use super::frames::{Loaded, PRINTS_HEAD_BYTES, Raised, Shortage};
use super::languages::profile;
use super::outcome::{End, Ran, RunOutcome};
use super::runner::{Calls, Group, Purpose};
use super::runtime::Runtime;
use super::submission::Submission;
use super::value::Value;
use super::{supply, withheld, words};

/// Most of what was printed while loading that a note repeats, in characters.
const NOTE_MAX: usize = 200;

/// The facts about a submission whose cases were run in this order.
pub(super) fn judge(
    submission: &Submission<'_>,
    running: &Running,
    mut outcome: RunOutcome,
    limits: &Limits,
    runtime: &Runtime,
) -> Evaluation {
    let (runs, twins) = running.sorted(&mut outcome.cases);
    let judge = Judge::of(submission, limits, &outcome);
    let load = judge.load(&outcome);
    let hidden = &running.hidden;
    // What a program tells by figures of its whole run it tells with the hidden cases known.
    let figure = if hidden.is_empty() { |figure| figure } else { withheld::two_digits };
    let mut notes = notes(&outcome, runtime, hidden.is_empty());
    let mut unseen = hidden.iter().filter_map(|&at| outcome.cases.get(at));
    if unseen.any(|ran| ran.printed > 0) {
        notes.push("What was printed in hidden tests is not kept.".to_owned());
    }
    notes.extend(judge.missing_import(&outcome));
    notes.extend(judge.promised(&outcome));
    let cases: Vec<_> =
        outcome.cases.iter().enumerate().map(|(at, ran)| judge.case(at, ran)).collect();
    let mut evaluation = Evaluation {
        limit: judge.limit(&load, &cases),
        load,
        cases,
        runtime_ms: millis(outcome.wall),
        cpu_ms: figure(millis(outcome.cpu)),
        peak_memory: figure(outcome.peak_memory),
        language: submission.language,
        runtime: runtime.version.clone(),
        started: supply::started(&outcome.origins),
        small_runs: None,
        notes,
    };
    evaluation.small_runs = small_runs(submission, &evaluation, &runs);
    add_twins(submission, &mut evaluation, running.twins.iter().copied().zip(twins));
    evaluation
}

/// Why nothing can be called of a file that was run; none where it was loaded.
pub(super) fn unusable(
    submission: &Submission<'_>,
    outcome: &RunOutcome,
    limits: &Limits,
) -> Option<String> {
    let judge = Judge::of(submission, limits, outcome);
    match judge.load(outcome) {
        Load::Loaded => None,
        Load::ImportError { message, .. }
        | Load::WrongSignature { message }
        | Load::Crashed { message, .. } => Some(message),
    }
}

/// The cases in the order in which they are run.
#[derive(Debug)]
pub(super) struct Running {
    /// By index: those that may be shown.
    shown: Vec<usize>,
    /// How many small runs come after that; they count for nothing, as twins do.
    runs: usize,
    /// By index: those whose twin is run after that.
    twins: Vec<usize>,
    /// By index: those that may not be shown, which come last.
    hidden: Vec<usize>,
}

impl Running {
    /// Code keeps what it likes from one case to the next, and the kernel remembers for it what it
    /// has read; and what a visible case or a twin returns or prints is shown. So each of them has
    /// come to its end and is sealed before the first hidden one goes in.
    pub(super) fn of(submission: &Submission<'_>) -> Self {
        let (shown, hidden) = split(submission);
        let twinned = |at: &usize| !submission.suite.cases[*at].twin.is_empty();
        let twins = hidden.iter().copied().filter(twinned).collect();
        // A user's own cases explain themselves.
        let runs = if hidden.is_empty() { 0 } else { submission.problem.runs.len() };
        Self { shown, runs, twins, hidden }
    }

    /// What is asked, group by group.
    pub(super) fn groups<'a>(&self, submission: &Submission<'a>) -> Vec<Group<'a>> {
        let cases = &submission.suite.cases;
        let calls = |at: &usize| Calls { name: &cases[*at].name, ops: &cases[*at].ops };
        let twin = |at: &usize| Calls { name: &cases[*at].name, ops: &cases[*at].twin };
        let shown = self.shown.iter().map(calls).collect();
        let runs = submission.problem.runs.iter().take(self.runs);
        let runs = runs.map(|run| Calls { name: &run.name, ops: &run.ops });
        let twins = runs.chain(self.twins.iter().map(twin)).collect();
        let hidden = self.hidden.iter().map(calls).collect();
        let all = [(Purpose::Shown, shown), (Purpose::Twins, twins), (Purpose::Hidden, hidden)];
        let groups = all.into_iter().map(|(purpose, cases)| Group { purpose, cases });
        groups.filter(|group| !group.cases.is_empty()).collect()
    }

    /// Takes the small runs and the twins out of what was run, and puts the cases into the order of
    /// the suite.
    fn sorted(&self, cases: &mut Vec<Ran>) -> (Vec<Ran>, Vec<Ran>) {
        let first = self.shown.len();
        let runs = cases.drain(first..first + self.runs).collect();
        let twins = cases.drain(first..first + self.twins.len()).collect();
        let order = self.shown.iter().chain(&self.hidden);
        let mut placed: Vec<_> = order.zip(std::mem::take(cases)).collect();
        placed.sort_by_key(|(at, _)| **at);
        cases.extend(placed.into_iter().map(|(_, ran)| ran));
        (runs, twins)
    }
}

/// The cases that may be shown and those that may not, by index.
fn split(submission: &Submission<'_>) -> (Vec<usize>, Vec<usize>) {
    let cases = &submission.suite.cases;
    (0..cases.len()).partition(|&at| visible(submission, &cases[at].name))
}

/// The small runs that did not come out right, with what they answered: told where code failed and one
/// of them came to an end.
fn small_runs(
    submission: &Submission<'_>,
    evaluation: &Evaluation,
    ran: &[Ran],
) -> Option<SmallRuns> {
    let (runs, language) = (&submission.problem.runs, submission.language);
    let failed = evaluation.cases.iter().any(|case| !case.outcome.passed());
    let ended = ran.iter().any(|ran| matches!(ran.end, End::Returned(_) | End::Raised(..)));
    if !failed || !ended {
        return None;
    }
    let wrong = runs.iter().zip(ran).filter_map(|(run, ran)| {
        let (values, raised) = match &ran.end {
            End::Returned(values) if first_wrong(&run.ops, values, language).is_none() => {
                return None;
            }
            End::Returned(values) => (values, false),
            End::Raised(values, _) => (values, true),
            End::Limit(_) | End::Signal(_) | End::Exit(_) | End::Nonsense | End::NotRun => {
                return Some(WrongRun { name: run.name.clone(), answers: None });
            }
        };
        let answered = run.ops.iter().zip(values).filter(|(op, _)| op.expect.is_some());
        let answers = answered.map(|(_, value)| words::answer(&value.show(language)));
        let answers: Vec<_> = answers.chain(raised.then(|| "!".to_owned())).collect();
        Some(WrongRun { name: run.name.clone(), answers: Some(answers.join(" ")) })
    });
    let wrong = wrong.collect();
    Some(SmallRuns { number: u32::try_from(runs.len()).unwrap_or(u32::MAX), wrong })
}

/// Shows the twin of each hidden case that was run and did not pass, where it went wrong too.
fn add_twins(
    submission: &Submission<'_>,
    evaluation: &mut Evaluation,
    twins: impl Iterator<Item = (usize, Ran)>,
) {
    let file = submission.file_name();
    for (at, ran) in twins {
        let case = &mut evaluation.cases[at];
        if matches!(case.outcome, CaseOutcome::Passed | CaseOutcome::NotRun) {
            continue;
        }
        let ops = &submission.suite.cases[at].twin;
        case.twin = shown(ops, &ran.end, file, submission.language);
        let missing = ran.raised().and_then(profile(submission.language).note);
        evaluation.notes.extend(missing.filter(|note| !evaluation.notes.contains(note)));
    }
}

fn visible(submission: &Submission<'_>, name: &str) -> bool {
    let known = submission.problem.cases.iter().find(|case| case.name == name);
    // A case that the problem does not know is the user's own.
    known.is_none_or(|case| case.visible)
}

/// How many processes and threads of the sandbox and the runtime may count beside a program's threads.
const OWN_TASKS: u32 = 3;

struct Judge<'a> {
    submission: &'a Submission<'a>,
    file: &'a str,
    limits: &'a Limits,
    /// Most processes and threads at one time.
    processes_peak: u32,
}

impl<'a> Judge<'a> {
    fn of(submission: &'a Submission<'a>, limits: &'a Limits, outcome: &RunOutcome) -> Self {
        let processes_peak = outcome.processes_peak;
        Self { submission, file: submission.file_name(), limits, processes_peak }
    }

    fn load(&self, outcome: &RunOutcome) -> Load {
        let interface = &self.submission.problem.interface;
        match (&outcome.load, &outcome.load_end) {
            (Some(Loaded::Ok), _) => Load::Loaded,
            (Some(Loaded::Raised(raised)), _) => self.raised_while_loading(raised),
            (Some(Loaded::Missing { found, is }), _) => Load::ImportError {
                detail: Detail::Missing,
                message: words::missing(interface, self.file, found, is.as_deref()),
            },
            (Some(Loaded::Signature(problems)), _) => {
                Load::WrongSignature { message: words::signature(interface, problems) }
            }
            (None, Some(End::Exit(status))) => Load::ImportError {
                detail: Detail::Exit,
                message: format!("left with status {status} while the file was loaded"),
            },
            (None, Some(end)) => {
                let (detail, message) = self.broken(end, true);
                Load::Crashed { detail, message: format!("{message} while the file was loaded") }
            }
            (None, None) => Load::ImportError {
                detail: Detail::Exit,
                message: "the file was not loaded".to_owned(),
            },
        }
    }

    fn raised_while_loading(&self, raised: &Raised) -> Load {
        let message = words::exception(raised, self.file);
        if let Some(limit) = self.refused(raised) {
            let (detail, message) = self.broken(&End::Limit(limit), true);
            return Load::Crashed {
                detail,
                message: format!("{message} while the file was loaded"),
            };
        }
        match (raised.syntax, raised.status) {
            (Some(_), _) => Load::ImportError { detail: Detail::Syntax, message },
            // DECISIONS 42: a file that ends the program cannot be loaded.
            (None, Some(status)) => Load::ImportError {
                detail: Detail::Exit,
                message: format!("left with status {status} while the file was loaded: {message}"),
            },
            (None, None) => Load::ImportError { detail: Detail::Exception, message },
        }
    }

    /// The limit at which a program was refused what it asked for. Where the limit of processes was not
    /// reached, nobody can tell what a thread lacked.
    fn refused(&self, raised: &Raised) -> Option<Detail> {
        match raised.short_of? {
            Shortage::Memory => Some(Detail::Memory),
            Shortage::Processes => Some(Detail::Processes),
            Shortage::Threads(running) => {
                let most = running.saturating_add(OWN_TASKS).max(self.processes_peak);
                (most >= self.limits.processes).then_some(Detail::Processes)
            }
        }
    }

    /// The word and the sentence for a process that went away.
    fn broken(&self, end: &End, visible: bool) -> (Detail, String) {
        match end {
            End::Limit(detail) => {
                (*detail, limit_sentence(*detail, &words::limit_value(*detail, self.limits)))
            }
            End::Signal(number) if visible || withheld::is_fault(*number) => {
                (Detail::Signal, words::signal(*number))
            }
            End::Signal(_) => (Detail::Signal, "ended by a signal".to_owned()),
            // A status of eight bits can be a message.
            End::Exit(_) if !visible => (Detail::Exit, words::LEFT.to_owned()),
            End::Exit(status) => (Detail::Exit, format!("left with status {status}")),
            End::Nonsense => {
                (Detail::Exit, "disturbed the channel between sandbox and daemon".to_owned())
            }
            End::Returned(_) | End::Raised(..) | End::NotRun => {
                (Detail::Exit, "ended early".to_owned())
            }
        }
    }

    fn case(&self, at: usize, ran: &Ran) -> CaseResult {
        let data = &self.submission.suite.cases[at];
        let visible = visible(self.submission, &data.name);
        let outcome = self.outcome(&data.ops, &ran.end, visible);
        let shown = (visible && !outcome.passed())
            .then(|| shown(&data.ops, &ran.end, self.file, self.submission.language))
            .flatten();
        let prints = if visible { prints(ran) } else { None };
        let own = !self.submission.problem.cases.iter().any(|case| case.name == data.name);
        let returned = if own { returned(&ran.end, self.submission.language) } else { None };
        CaseResult {
            name: data.name.clone(),
            outcome,
            micros: if visible { ran.micros } else { withheld::one_digit(ran.micros) },
            shown,
            twin: None,
            returned,
            prints,
        }
    }

    fn outcome(&self, ops: &[Op], end: &End, visible: bool) -> CaseOutcome {
        let language = self.submission.language;
        match end {
            End::Returned(values) if first_wrong(ops, values, language).is_none() => {
                CaseOutcome::Passed
            }
            // A wrong answer before the exception does not make it a wrong answer: 000 looks at
            // exceptions first.
            End::Returned(_) => CaseOutcome::Failed,
            End::Raised(_, raised) => self.raised(raised, visible),
            End::Limit(detail) => CaseOutcome::Limit { detail: *detail },
            End::NotRun => CaseOutcome::NotRun,
            End::Signal(_) | End::Exit(_) | End::Nonsense => {
                let (detail, message) = self.broken(end, visible);
                CaseOutcome::Crashed { detail, message }
            }
        }
    }

    fn raised(&self, raised: &Raised, visible: bool) -> CaseOutcome {
        if let Some(detail) = self.refused(raised) {
            return CaseOutcome::Limit { detail };
        }
        let exception = if visible {
            words::exception(raised, self.file)
        } else {
            withheld::exception(raised, self.submission.language).to_owned()
        };
        match raised.status {
            Some(_) if !visible => {
                CaseOutcome::Crashed { detail: Detail::Exit, message: words::LEFT.to_owned() }
            }
            Some(status) => CaseOutcome::Crashed {
                detail: Detail::Exit,
                message: format!("left with status {status}: {exception}"),
            },
            None => CaseOutcome::Raised { exception },
        }
    }

    /// A note where a name is missing; the text that names it is that of an exception, which is
    /// told of visible cases only.
    fn missing_import(&self, outcome: &RunOutcome) -> Option<String> {
        let loading = match &outcome.load {
            Some(Loaded::Raised(raised)) => Some(raised),
            Some(Loaded::Ok | Loaded::Missing { .. } | Loaded::Signature(_)) | None => None,
        };
        let cases = self.submission.suite.cases.iter().zip(&outcome.cases);
        let shown = cases.filter(|(data, _)| visible(self.submission, &data.name));
        let raised = loading.into_iter().chain(shown.filter_map(|(_, ran)| ran.raised()));
        raised.filter_map(profile(self.submission.language).note).next()
    }

    /// A note where a method is asynchronous: calls are not waited for.
    fn promised(&self, outcome: &RunOutcome) -> Option<String> {
        let cases = self.submission.suite.cases.iter().zip(&outcome.cases);
        let mut wrong = cases.filter_map(|(data, ran)| match &ran.end {
            End::Returned(values) => {
                let at = first_wrong(&data.ops, values, self.submission.language)?;
                values[at].awaitable().map(|what| (data.ops[at].call.as_str(), what))
            }
            End::Raised(..)
            | End::Limit(_)
            | End::Signal(_)
            | End::Exit(_)
            | End::Nonsense
            | End::NotRun => None,
        });
        wrong
            .next()
            .map(|(call, what)| format!("`{call}` returned a {what}: return the value itself."))
    }

    fn limit(&self, load: &Load, cases: &[CaseResult]) -> Option<LimitHit> {
        let hit = |detail: Detail, case: Option<&str>| {
            let value = words::limit_value(detail, self.limits);
            let case = case.map(str::to_owned);
            (!value.is_empty()).then_some(LimitHit { detail, value, case })
        };
        if let Load::Crashed { detail, .. } = load {
            return hit(*detail, None);
        }
        cases.iter().find_map(|case| match case.outcome {
            CaseOutcome::Limit { detail } => hit(detail, Some(&case.name)),
            CaseOutcome::Passed
            | CaseOutcome::Failed
            | CaseOutcome::Raised { .. }
            | CaseOutcome::Crashed { .. }
            | CaseOutcome::NotRun => None,
        })
    }
}

/// The first call whose value is not what must come back.
fn first_wrong(ops: &[Op], values: &[Value], language: Language) -> Option<usize> {
    let mut pairs = ops.iter().zip(values);
    let wrong = |(op, value): (&Op, &Value)| {
        op.expect.as_ref().is_some_and(|expect| !value.is(expect, language))
    };
    pairs.position(wrong)
}

/// The call that went wrong, ready to be shown.
fn shown(ops: &[Op], end: &End, file: &str, language: Language) -> Option<Difference> {
    let (at, anything, actual) = match end {
        End::Returned(values) => {
            let at = first_wrong(ops, values, language)?;
            (at, "any value", values[at].show(language))
        }
        // A call that may return what it likes must still return.
        End::Raised(values, raised) => {
            (values.len(), "no exception", words::exception(raised, file))
        }
        End::Limit(_) | End::Signal(_) | End::Exit(_) | End::Nonsense | End::NotRun => return None,
    };
    let expected = words::expectation(ops.get(at)?, anything, language);
    Some(words::difference(ops, at, expected, &actual, language))
}

/// All that the calls returned, as one list.
fn returned(end: &End, language: Language) -> Option<String> {
    match end {
        End::Returned(values) | End::Raised(values, _) => {
            Some(words::cut(&Value::List(values.clone()).show(language)))
        }
        End::Limit(_) | End::Signal(_) | End::Exit(_) | End::Nonsense | End::NotRun => None,
    }
}

fn prints(ran: &Ran) -> Option<Prints> {
    if ran.printed == 0 {
        return None;
    }
    let sent = (ran.head.len() + ran.tail.len()) as u64;
    let left_out = sent < ran.printed && !ran.tail.is_empty();
    // A case that never ended could not say how much it printed past its head.
    let unfinished = ran.tail.is_empty() && ran.head.len() >= PRINTS_HEAD_BYTES;
    let truncated = left_out || unfinished;
    let text = if left_out {
        format!("{}\n… {} bytes left out …\n{}", ran.head, ran.printed - sent, ran.tail)
    } else {
        format!("{}{}", ran.head, ran.tail)
    };
    Some(Prints { text, bytes: ran.printed, truncated })
}

fn notes(outcome: &RunOutcome, runtime: &Runtime, all_shown: bool) -> Vec<String> {
    let mut notes = runtime.passed_over.clone();
    if !notes.is_empty() {
        let Runtime { version, path, .. } = runtime;
        notes.push(format!(
            "So {} {version} at {} was used.",
            runtime.profile().name,
            path.display()
        ));
    }
    let printed = outcome.load_prints.trim_end();
    if !printed.is_empty() {
        let text = words::one_line(printed);
        let text = words::cut_to(&text, NOTE_MAX);
        notes.push(format!("Printed while the file was loaded: {text}"));
    }
    let past: u64 = outcome.reports.iter().map(|run| run.stdout.bytes + run.stderr.bytes).sum();
    if past > 0 {
        let usual = runtime.profile().printing;
        // As many as a hidden case's value, if the program likes.
        let past = if all_shown { past } else { withheld::one_digit(past) };
        let about = if all_shown { "" } else { "some " };
        notes.push(format!(
            "Beside `{usual}`, {about}{past} bytes were written to the process's output."
        ));
    }
    notes
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
