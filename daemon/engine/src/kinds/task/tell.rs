//! What the events of a task say to people.

use vosim_protocol::phrase;
use vosim_protocol::v1::agent::{
    Allow, Answered, Cap, Category, Crossing, Finding, Per, Risk, RunCaps, RunLimit, ScanVerdict,
    Spent, TestReport, TestsOf, ToolCall,
};
use vosim_protocol::v1::effect::{
    Acted, Memory, Proposal, Proposed, Recalled, Remember, Remembered, Scanned, TestsRun,
};
use vosim_protocol::v1::phrase::{Phrase, Span};
use vosim_protocol::v1::task::{
    ApprovalAsked, ApprovalGiven, Because, Circle, Ended, Event, IterationEnded, PauseAsked,
    RunBlocked, State as At, StateChanged, StuckFound, TaskFailed, TaskOpened, TaskResumed,
    TaskRewound, TaskSucceeded, TestsAsked,
};
use vosim_protocol::v1::telling::{Channel, Telling, Tone};

use crate::kind::Recorded;

pub(super) fn tell(recorded: &Recorded<Event>) -> Telling {
    match &recorded.event {
        Event::TaskOpened(opened) => begun(opened),
        Event::StateChanged(change) => state(change),
        Event::WorkspaceAsked(asked) => {
            silent(phrase!("task.workspace_asked", workspace = asked.workspace.as_str()))
        }
        Event::WorkspaceReady(ended) => of(
            ended,
            |ready| silent(phrase!("task.workspace_ready", files = ready.files)),
            |reason| bad(phrase!("task.workspace_failed", reason)),
        ),
        Event::MemoryAsked(asked) => silent(match asked.what {
            Memory::Patterns => phrase!("task.memory_patterns"),
            Memory::Failures => phrase!("task.memory_failures"),
        }),
        Event::MemoryAnswered(ended) => of(ended, recalled, |reason| no_memory(&reason)),
        Event::ModelCalled(called) => {
            let (model, role, call) = (called.model.to_string(), called.role.name(), called.call);
            silent(phrase!("task.called", model, role, call))
        }
        Event::ModelAnswered(ended) => {
            of(ended, proposed, |reason| bad(phrase!("task.no_model", reason)))
        }
        Event::ModelSwitched(switched) => {
            let (from, to) = (switched.from.to_string(), switched.to.to_string());
            warns(phrase!("task.switched", from, to, reason = because(switched.because)))
        }
        Event::ToolCalled(called) => calling(&called.call),
        Event::ToolEnded(ended) => {
            of(ended, acted, |reason| bad(phrase!("task.tool_failed", reason)))
        }
        Event::ScanAsked(_) => silent(phrase!("task.scan_asked")),
        Event::ScanEnded(ended) => {
            of(ended, scanned, |reason| bad(phrase!("task.scan_failed", reason)))
        }
        Event::ApprovalAsked(asked) => approval_asked(asked),
        Event::ApprovalGiven(given) => approval(given),
        Event::ApprovalHeld(held) => {
            let (category, subject) = (what(held.category), held.subject.as_str());
            system(phrase!("task.approval_held", category, subject, event = held.given.0))
        }
        Event::RunBlocked(blocked) => not_run(blocked),
        Event::TestsAsked(asked) => tests_asked(asked),
        Event::TestsEnded(ended) => {
            of(ended, tested, |reason| bad(phrase!("task.tests_not_run", reason)))
        }
        Event::LessonAsked(asked) => silent(match asked.lesson {
            Remember::Failure { .. } => phrase!("task.lesson_failure"),
            Remember::Solved { .. } => phrase!("task.lesson_solved"),
            Remember::Unsolved { partial: Some(_), .. } => phrase!("task.lesson_partial"),
            Remember::Unsolved { partial: None, .. } => phrase!("task.lesson_unsolved"),
        }),
        Event::LessonKept(ended) => of(ended, remembered, |reason| lost(&reason)),
        Event::StuckFound(found) => warns(stuck(found)),
        Event::IterationEnded(ended) => iteration(ended),
        Event::IterationsLow(low) => warns(phrase!("task.low", used = low.used, of = low.of)),
        Event::BudgetReached(reached) => {
            warns(phrase!("task.budget", crossing = crossing(&reached.crossing)))
        }
        Event::TimeRanOut(out) => {
            let time = Span::ms(out.wall_secs.saturating_mul(1_000));
            warns(phrase!("task.time_ran_out", time))
        }
        Event::PauseAsked(PauseAsked { now: true }) => system(phrase!("task.pause_now")),
        Event::PauseAsked(PauseAsked { now: false }) => system(phrase!("task.pause_soon")),
        Event::TaskResumed(resumed) => resumption(resumed),
        Event::RewindAsked(asked) => {
            let files = asked.files.len() as u64;
            system(phrase!("task.rewind_asked", to = asked.to.0, files))
        }
        Event::TaskRewound(rewound) => back(rewound),
        Event::TaskSucceeded(succeeded) => success(succeeded),
        Event::TaskFailed(failed) => failure(failed),
        Event::TaskClosed(closed) => {
            said(Channel::Section, phrase!("task.closed", iterations = closed.iterations))
        }
    }
}

fn begun(opened: &TaskOpened) -> Telling {
    let (language, model) = (opened.language.name(), opened.model.to_string());
    let (iterations, workspace) = (opened.iterations, opened.workspace.as_str());
    said(Channel::Candidate, phrase!("task.opened", task = opened.task.as_str()))
        .adding(vec![phrase!("task.setup", language, model, iterations, workspace)])
}

fn calling(call: &ToolCall) -> Telling {
    let tool = call.tool.as_str();
    silent(match &call.path {
        Some(path) => phrase!("task.tool", tool, path = path.as_str()),
        None => phrase!("task.tool_plain", tool),
    })
}

fn tests_asked(asked: &TestsAsked) -> Telling {
    let names = names(&asked.allowed);
    let allowed = (!names.is_empty()).then(|| phrase!("task.tests_allowed", names));
    silent(phrase!("task.tests_asked")).also(allowed)
}

fn approval_asked(asked: &ApprovalAsked) -> Telling {
    let Finding { category, subject, path, line, snippet, risk, .. } = &asked.finding;
    let (category, risk, line) = (what(*category), risk_name(*risk), *line);
    let (subject, path, snippet) = (subject.as_str(), path.as_str(), snippet.as_str());
    warns(phrase!("task.approval_asked", category, subject, path, line, risk, snippet))
        .adding(vec![phrase!("task.approval_places", places = asked.places)])
}

fn not_run(blocked: &RunBlocked) -> Telling {
    let Finding { category, subject, path, line, .. } = &blocked.finding;
    let (category, subject) = (what(*category), subject.as_str());
    let (path, line) = (path.as_str(), *line);
    bad(match (blocked.refused, blocked.unavailable) {
        (true, _) => phrase!("task.blocked_refused", category, subject, path, line),
        (false, true) => phrase!("task.blocked_unavailable", category, subject, path, line),
        (false, false) => phrase!("task.blocked", category, subject, path, line),
    })
}

fn resumption(resumed: &TaskResumed) -> Telling {
    let (grant, until, iterations) = (resumed.grant, resumed.until, resumed.iterations);
    let line = phrase!("task.resumed", grant, until, iterations);
    let RunCaps { memory_mib, minutes, processes } = resumed.run;
    let raised = [
        memory_mib.map(|mib| phrase!("task.run_memory", mib)),
        minutes.map(|minutes| phrase!("task.run_minutes", minutes)),
        processes.map(|processes| phrase!("task.run_processes", processes)),
    ];
    let line = raised
        .into_iter()
        .flatten()
        .fold(line, |resumed, more| phrase!("task.resumed_run", resumed, more));
    system(match &resumed.hint {
        Some(hint) => phrase!("task.resumed_hint", resumed = line, hint = hint.as_str()),
        None => line,
    })
}

fn said(channel: Channel, line: Phrase) -> Telling {
    Telling::spoken(channel, line)
}

fn system(line: Phrase) -> Telling {
    said(Channel::System, line)
}

fn bad(line: Phrase) -> Telling {
    system(line).in_tone(Tone::Bad)
}

fn warns(line: Phrase) -> Telling {
    system(line).in_tone(Tone::Warning)
}

fn silent(gist: Phrase) -> Telling {
    Telling::silent(gist)
}

/// What came back, or why nothing did.
fn of<T>(
    ended: &Ended<T>,
    came: impl FnOnce(&T) -> Telling,
    failed: impl FnOnce(String) -> Telling,
) -> Telling {
    match &ended.outcome {
        Some(outcome) => came(outcome),
        None => failed(ended.failure.clone().unwrap_or_default()),
    }
}

fn state(change: &StateChanged) -> Telling {
    let StateChanged { from, to, iteration, duration_ms, tokens, because: why, .. } = change;
    let (from_name, to_name) = (from.name().to_uppercase(), to.name().to_uppercase());
    let line = match from {
        At::Init => phrase!("task.state_init", to = to_name),
        At::Planning
        | At::Coding
        | At::Testing
        | At::Reflecting
        | At::Success
        | At::Failed
        | At::Paused => {
            phrase!("task.state", iteration = *iteration, from = from_name, to = to_name)
        }
    };
    let line = match why {
        Some(why) => {
            phrase!("task.state_because", change = line, reason = because(*why))
        }
        None => line,
    };
    let tone = if matches!(to, At::Paused | At::Failed) { Tone::Warning } else { Tone::Plain };
    let duration = Span::ms(*duration_ms);
    said(Channel::Section, line).in_tone(tone).adding(vec![phrase!(
        "task.state_took",
        duration,
        tokens = *tokens
    )])
}

/// Why a task left a state in which it was not done.
fn because(because: Because) -> Phrase {
    match because {
        Because::Asked => phrase!("task.because_asked"),
        Because::Budget => phrase!("task.because_budget"),
        Because::Model => phrase!("task.because_model"),
        Because::System => phrase!("task.because_system"),
        Because::Iterations => phrase!("task.because_iterations"),
        Because::Stuck => phrase!("task.because_stuck"),
        Because::Unusable => phrase!("task.because_unusable"),
    }
}

fn recalled(recalled: &Recalled) -> Telling {
    if let Some(warning) = &recalled.warning {
        return no_memory(warning);
    }
    match recalled.hits.first() {
        Some(hit) => system(phrase!(
            "task.memory_hit",
            similarity = hit.similarity,
            about = hit.about.as_str()
        )),
        None => silent(phrase!("task.memory_none")),
    }
}

fn no_memory(reason: &str) -> Telling {
    system(phrase!("task.memory_failed", reason)).in_tone(Tone::Warning)
}

fn proposed(proposed: &Proposed) -> Telling {
    match proposed {
        Proposed::Answer { proposal, usage, warnings, .. } => {
            let (prompt, completion) = (usage.prompt, usage.completion);
            let took = phrase!("task.exchange_took", prompt, completion);
            let warned = (!warnings.is_empty())
                .then(|| phrase!("task.exchange_warned", warnings = warnings.clone()));
            proposal_of(proposal).also(Some(took)).also(warned)
        }
        Proposed::Withheld { crossing: crossed } => {
            let crossing = crossing(crossed);
            system(phrase!("task.withheld", crossing)).in_tone(Tone::Warning)
        }
        Proposed::Fault { reason, retry_after_secs, .. } => {
            let reason = reason.as_str();
            bad(match retry_after_secs {
                Some(secs) => {
                    let time = Span::ms(secs.saturating_mul(1_000));
                    phrase!("task.fault_until", reason, time)
                }
                None => phrase!("task.fault", reason),
            })
        }
        Proposed::Interrupted {} => system(phrase!("task.interrupted_call")).in_tone(Tone::Warning),
    }
}

fn proposal_of(proposal: &Proposal) -> Telling {
    match proposal {
        Proposal::Plan(plan) => {
            let subtasks = plan.subtasks.len() as u64;
            said(Channel::Assistant, phrase!("task.plan", subtasks))
                .also(Some(phrase!("task.plan_parts", parts = plan.subtasks.clone())))
        }
        Proposal::Calls { calls } => {
            let names: Vec<_> = calls.iter().map(|call| call.tool.clone()).collect();
            silent(phrase!("task.proposed_calls", calls = calls.len() as u64, names))
        }
        Proposal::Done { note } if note.trim().is_empty() => {
            silent(phrase!("task.proposed_nothing"))
        }
        Proposal::Done { note } => {
            said(Channel::Assistant, phrase!("task.proposed_done", note = note.as_str()))
        }
        Proposal::Analysis(analysis) => {
            let (cause, fix) = (analysis.root_cause.as_str(), analysis.fix_hypothesis.as_str());
            let confidence = analysis.confidence.name();
            said(Channel::Assistant, phrase!("task.analysis", cause, fix, confidence))
        }
        Proposal::Unusable { reason } => {
            system(phrase!("task.unusable", reason = reason.as_str())).in_tone(Tone::Warning)
        }
    }
}

fn acted(acted: &Acted) -> Telling {
    let gist = acted.gist.as_str();
    match (acted.ok, &acted.written) {
        (true, Some(_)) => said(Channel::Assistant, phrase!("task.tool_done", gist)),
        (true, None) => silent(phrase!("task.tool_done", gist)),
        (false, _) => system(phrase!("task.tool_refused", gist)).in_tone(Tone::Warning),
    }
}

fn scanned(scanned: &Scanned) -> Telling {
    let number = |verdict: ScanVerdict| {
        scanned.findings.iter().filter(|one| one.verdict == verdict).count() as u64
    };
    let (denied, asked) = (number(ScanVerdict::Deny), number(ScanVerdict::Ask));
    let noted = number(ScanVerdict::Note);
    let by = (!scanned.by.is_empty()).then(|| phrase!("task.scan_by", names = scanned.by.clone()));
    match denied + asked + noted {
        0 => silent(phrase!("task.scan_clean")),
        _ => system(phrase!("task.scan_found", denied, asked, noted)),
    }
    .also(by)
}

fn tested(tested: &TestsRun) -> Telling {
    let report = &tested.report;
    let TestReport { of, total, passed, errors, stopped, survivors, outdated, .. } = report;
    let (total, passed) = (*total, *passed);
    let line = match stopped {
        _ if *outdated => phrase!("task.tests_outdated", passed, total),
        Some(limit) => phrase!("task.tests_stopped", limit = limit_name(*limit), passed, total),
        None if report.proves() => phrase!("task.tests_passed", total),
        None if total == 0 => phrase!("task.tests_none"),
        None => {
            let error = errors.first().map_or_else(String::new, |error| {
                format!("{}: {} ({})", error.error_type, error.message, error.test)
            });
            phrase!("task.tests_failed", passed, total, error)
        }
    };
    let whose = match of {
        TestsOf::Workspace => phrase!("task.tests_self"),
        TestsOf::Problem => phrase!("task.tests_hidden"),
    };
    let weak = survivors.filter(|survivors| *survivors > 0);
    let weak = weak.map(|survivors| phrase!("task.tests_weak", survivors));
    let again = tested.interrupted.then(|| phrase!("task.tests_again"));
    system(line)
        .in_tone(if report.proves() { Tone::Good } else { Tone::Bad })
        .adding([whose].into_iter().chain(weak).chain(again).collect())
}

/// What stopped a run.
fn limit_name(limit: RunLimit) -> Phrase {
    match limit {
        RunLimit::Cpu => phrase!("limit.cpu"),
        RunLimit::Memory => phrase!("limit.memory"),
        RunLimit::Wall => phrase!("limit.wall"),
        RunLimit::Processes => phrase!("limit.processes"),
        RunLimit::Output => phrase!("limit.output"),
        RunLimit::Signal => phrase!("limit.signal"),
        RunLimit::Early => phrase!("limit.early"),
        RunLimit::Foreign => phrase!("limit.foreign"),
    }
}

fn remembered(remembered: &Remembered) -> Telling {
    match &remembered.warning {
        Some(warning) => lost(warning),
        None => silent(phrase!("task.lesson_kept")),
    }
}

fn lost(reason: &str) -> Telling {
    system(phrase!("task.lesson_lost", reason)).in_tone(Tone::Warning)
}

fn approval(given: &ApprovalGiven) -> Telling {
    let line = match given.answer {
        Allow::Once => phrase!("task.approval_given_once"),
        Allow::Always => phrase!("task.approval_given_always"),
        Allow::No => phrase!("task.approval_given_no"),
    };
    let why = match given.because {
        Answered::Said => None,
        Answered::EndOfInput => Some(phrase!("task.approval_end_of_input")),
        Answered::NoAnswer => Some(phrase!("task.approval_no_answer")),
    };
    said(Channel::Candidate, line).also(why)
}

fn stuck(found: &StuckFound) -> Phrase {
    let (times, what) = (found.times, found.what.as_str());
    match found.circle {
        Circle::SameError => phrase!("task.stuck_error", times, what),
        Circle::SameCall => phrase!("task.stuck_call", times, what),
        Circle::BackAndForth => phrase!("task.stuck_turns", times),
        Circle::NoChange => phrase!("task.stuck_nothing", times),
    }
}

fn iteration(ended: &IterationEnded) -> Telling {
    let tokens = ended.prompt.saturating_add(ended.completion);
    let (passed, failed, iteration) = (ended.passed, ended.failed, ended.iteration);
    let duration = Span::ms(ended.duration_ms);
    let (created, modified) = (ended.created.len() as u64, ended.modified.len() as u64);
    silent(phrase!("task.iteration", iteration, passed, failed, duration, tokens))
        .also(Some(phrase!("task.iteration_files", created, modified)))
}

/// A cap that the next call would cross.
fn crossing(crossed: &Crossing) -> Phrase {
    let Crossing { cap, per, limit, spent, would } = *crossed;
    let per = match per {
        Per::Task => "task",
        Per::Day => "day",
    };
    match cap {
        Cap::Tokens => phrase!("crossing.tokens", per, limit, spent, would),
        Cap::Calls => phrase!("crossing.calls", per, limit, spent, would),
        Cap::Cost => {
            let [limit, spent, would] = [limit, spent, would].map(dollars);
            phrase!("crossing.cost", per, limit, spent, would)
        }
        Cap::Wall => {
            let (limit, spent) = (Span::ms(limit), Span::ms(spent));
            phrase!("crossing.wall", per, limit, spent)
        }
    }
}

fn back(rewound: &TaskRewound) -> Telling {
    of(
        &rewound.ended,
        |ended| {
            let (restored, to) = (ended.restored.len() as u64, rewound.to.0);
            let line = phrase!("task.rewound", restored, to);
            system(match ended.kept.is_empty() {
                true => line,
                false => phrase!("task.rewound_kept", rewound = line, kept = ended.kept.clone()),
            })
        },
        |reason| bad(phrase!("task.rewind_failed", reason)),
    )
}

fn success(succeeded: &TaskSucceeded) -> Telling {
    let (passed, iterations) = (succeeded.passed, succeeded.iterations);
    let line = match succeeded.self_tested {
        true => phrase!("task.succeeded_self", passed, iterations),
        false => phrase!("task.succeeded", passed, iterations),
    };
    let line = match succeeded.shows_ability {
        true => line,
        false => {
            let model = succeeded.model.to_string();
            phrase!("task.no_ability", succeeded = line, model)
        }
    };
    let edits = &succeeded.test_edits;
    let paths: Vec<_> = edits.iter().map(|edit| edit.path.clone()).collect();
    let edits = (!edits.is_empty()).then(|| phrase!("task.test_edits", paths));
    said(Channel::Section, line)
        .in_tone(Tone::Good)
        .adding(edits.into_iter().chain([spent(&succeeded.spent)]).collect())
}

fn failure(failed: &TaskFailed) -> Telling {
    let reason = because(failed.because);
    let line = phrase!("task.failed", iterations = failed.iterations, reason);
    let line = match &failed.last_error {
        Some(error) => phrase!("task.failed_error", failed = line, error = error.as_str()),
        None => line,
    };
    said(Channel::Section, line).in_tone(Tone::Bad).adding(vec![spent(&failed.spent)])
}

/// What was used up; a cost that nobody knows is none.
fn spent(spent: &Spent) -> Phrase {
    let tokens = spent.prompt.saturating_add(spent.completion);
    let cost = match (spent.unpriced, spent.calls) {
        (_, 0) => phrase!("cost.none"),
        (0, _) => phrase!("cost.known", dollars = dollars(spent.cost_micros)),
        (..) => phrase!("cost.unknown"),
    };
    let time = Span::ms(spent.wall_ms);
    phrase!("task.spent", tokens, calls = spent.calls, cost, time)
}

/// `$1.23`, in cents, or in as many places as a small sum needs.
fn dollars(micros: u64) -> String {
    let (whole, part) = (micros / 1_000_000, micros % 1_000_000);
    match part % 10_000 {
        0 => format!("${whole}.{:02}", part / 10_000),
        _ => format!("${whole}.{part:06}"),
    }
}

fn what(category: Category) -> &'static str {
    match category {
        Category::Network => "network access",
        Category::Process => "another program",
        Category::Install => "installing",
        Category::DynamicCode => "code made while it runs",
        Category::Files => "files elsewhere",
        Category::Other => "something unsafe",
    }
}

fn names(categories: &[Category]) -> Vec<String> {
    categories.iter().map(|category| what(*category).to_owned()).collect()
}

fn risk_name(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
    }
}
