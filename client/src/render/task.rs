//! What a task looks like: offered, begun, at work, waiting for a person, and as it came out (002 8).

pub(crate) mod stats;
pub(crate) mod workspace;

use vosim_protocol::v1::agent::{
    Allow, Category, Finding, ModelSort, Risk, RunCaps, Spent, TestError, TestsOf,
};
use vosim_protocol::v1::service::Setting;
use vosim_protocol::v1::task::{
    Because, IterationSums, PendingApproval, Start, State, View, is_test,
};
use vosim_protocol::{Json, SessionId};

use crate::render::look::{Charset, Look, Tone};
use crate::render::page::{Line, Page, Panel};
use crate::render::text::{clean, count, duration, shell, thousands};

/// What would be started (002 8.1).
pub(crate) fn offer(start: &Start, settings: &[Setting], past: &[View], look: &Look) -> String {
    let mut page = Page::new(look);
    let setting = |key: &str| settings.iter().find(|one| one.key == key).map(|one| &one.value);
    let is_set = setting("model.kind").is_some_and(|kind| kind == "openai");
    let server = setting("model.name").and_then(Json::as_str).filter(|_| is_set);
    let model = match (&start.model, server) {
        (Some(model), _) => model.to_string(),
        (None, Some(server)) => format!("openai:{server}"),
        (None, None) => "repair, as no server is set".to_owned(),
    };
    let iterations = setting("task.iterations").and_then(Json::as_u64).unwrap_or(15);
    let offline = match &start.model {
        Some(model) => model.sort != ModelSort::Openai,
        None => server.is_none(),
    };
    let panel = Panel::titled("Task Summary").section(vec![
        match &start.problem {
            Some(problem) => Line::field(
                "Problem",
                &format!("{problem}, as {}", start.sitting.kind().with_article()),
            ),
            None => Line::field("Task", &start.task),
        },
        Line::field("Language", start.language.name()),
        Line::field("Model", &model),
        Line::field("Max Iterations", &iterations.to_string()),
        Line::field("Estimated Cost", &estimated(past, offline)),
    ]);
    page.panel(&panel);
    page.finish()
}

/// From what earlier tasks have cost, where that is known.
fn estimated(past: &[View], offline: bool) -> String {
    if offline {
        return "no model cost (offline)".to_owned();
    }
    let known = past.iter().filter(|view| view.spent.calls > 0 && view.spent.unpriced == 0);
    let costs: Vec<_> = known.map(|view| view.spent.cost_micros).collect();
    match (costs.iter().min(), costs.iter().max()) {
        (Some(least), Some(most)) => {
            format!("{} - {} (based on past tasks)", dollars(*least), dollars(*most))
        }
        _ => "no history yet".to_owned(),
    }
}

pub(crate) fn started(session: SessionId, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Plain, &format!("Task {} has started.", session.short()));
    page.finish()
}

pub(crate) fn resumed(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let id = view.session_id.short();
    page.say(
        Tone::Plain,
        &format!("Task {id} goes on. Follow it with: vosimctl attach --session {id}"),
    );
    page.finish()
}

pub(crate) fn pausing(view: &View, now: bool, look: &Look) -> String {
    let mut page = Page::new(look);
    let id = view.session_id.short();
    let when = if now { "pauses at once" } else { "pauses after the step that is under way" };
    page.say(Tone::Plain, &format!("Task {id} {when}."));
    page.say(Tone::Plain, &format!("Resume it with: vosimctl task resume --session {id}"));
    page.finish()
}

pub(crate) fn closed(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let id = view.session_id.short();
    page.say(Tone::Plain, &format!("Task {id} was given up. Its files stay in {}", view.workspace));
    page.finish()
}

/// A person is asked (002 6.3).
pub(crate) fn approval(finding: &Finding, places: u32, look: &Look) -> String {
    let mut page = Page::new(look);
    let Finding { category, subject, risk, path, line, snippet, .. } = finding;
    let at = format!("{path}, line {line}");
    let at = if places > 1 { format!("{at}, and {} more", places - 1) } else { at };
    let panel = Panel::titled("Approval Required")
        .section(vec![
            Line::field("Operation", what(*category)),
            Line::field("Details", &format!("the code uses {subject}")),
            Line::field("Where", &at),
            Line::toned_field("Risk Level", Tone::Warn, risk_name(*risk)),
        ])
        .section(snippet.lines().map(|line| Line::plain(&format!("  {line}"))).collect());
    page.panel(&panel);
    if *category == Category::Network {
        let note = "After a yes the run reaches what is outside, and nothing that listens on this machine. \
                    Where it cannot be held to that, it is refused, and the agent finds another way; \
                    `vosimctl doctor` says which.";
        page.say(Tone::Warn, note);
    }
    page.finish()
}

/// What "always" would cover.
pub(crate) fn scope(finding: &Finding) -> String {
    format!("{} with {}", what(finding.category), clean(&finding.subject))
}

/// What any task waits for.
pub(crate) fn approvals(waiting: &[View], look: &Look) -> String {
    let mut page = Page::new(look);
    if waiting.is_empty() {
        page.say(Tone::Plain, "No task waits for an answer.");
    }
    for view in waiting {
        let Some(PendingApproval { finding, places, event_id }) = &view.approval else { continue };
        let id = view.session_id.short();
        page.say(Tone::Strong, &format!("Task {id}, event {event_id}: {}", view.task));
        page.raw(approval(finding, *places, look).trim_end());
        for (what, command) in
            [("Once", "approve"), ("Always for this task", "approve --always"), ("No", "deny")]
        {
            page.item(Tone::Plain, &format!("{what}: vosimctl task {command} --session {id}"));
        }
    }
    page.finish()
}

pub(crate) fn answered(
    view: &View,
    pending: &PendingApproval,
    answer: Allow,
    look: &Look,
) -> String {
    let mut page = Page::new(look);
    let (id, scope) = (view.session_id.short(), scope(&pending.finding));
    let of_network = pending.finding.category == Category::Network;
    page.say(
        Tone::Plain,
        &match answer {
            Allow::Once => format!("Task {id} may do this in its next run: {scope}."),
            Allow::Always => format!("Task {id} may do this in all its runs: {scope}."),
            Allow::No => format!("Task {id} may not do this: {scope}. It must find another way."),
        },
    );
    if of_network && answer != Allow::No {
        let bound = "It reaches what is outside, and nothing that listens on this machine; where it cannot be \
                     held to that, it is not run.";
        page.say(Tone::Plain, bound);
    }
    page.finish()
}

/// One task a line.
pub(crate) fn history(tasks: &[View], look: &Look) -> String {
    let mut page = Page::new(look);
    if tasks.is_empty() {
        page.say(Tone::Plain, "There are no tasks. Start one with: vosimctl task run");
    }
    for view in tasks {
        let (tone, state) = state(view);
        let lead = format!("{}  ", view.session_id.short());
        let (model, task) = (&view.model, &view.task);
        let rounds = count(rounds(view), "iteration");
        let rest = " ".repeat(lead.len());
        page.hanging(&lead, &rest, tone, &format!("{state}, {rounds}, {model}: {task}"));
    }
    page.finish()
}

/// How many iterations have ended.
pub(crate) fn rounds(view: &View) -> u32 {
    view.sums().iterations
}

/// Where a task stands, in a few words.
pub(crate) fn state(view: &View) -> (Tone, String) {
    match view.state {
        State::Success => (Tone::Good, "success".to_owned()),
        State::Failed if !view.over => (Tone::Bad, format!("failed: {}", because(view))),
        State::Paused if !view.over => (Tone::Warn, format!("paused: {}", because(view))),
        _ if view.over => (Tone::Plain, "given up".to_owned()),
        _ if view.approval.is_some() => (Tone::Warn, "waits for an answer".to_owned()),
        State::Init
        | State::Planning
        | State::Coding
        | State::Testing
        | State::Reflecting
        | State::Failed
        | State::Paused => (Tone::Plain, view.state.name().to_owned()),
    }
}

fn because(view: &View) -> &'static str {
    match view.because {
        Some(Because::Asked) => "somebody asked for it",
        Some(Because::Budget) => "the budget",
        Some(Because::Model) => "no model could be asked",
        Some(Because::System) => "something of this machine failed",
        Some(Because::Iterations) => "the iterations are used up",
        Some(Because::Stuck) => "the agent goes round in circles",
        Some(Because::Unusable) => "the model's answers cannot be used",
        None => "it rests",
    }
}

/// The states of the iteration that is under way: what is done, where it stands (002 8.2).
pub(crate) fn steps(view: &View, look: &Look) -> Vec<(Tone, String)> {
    let (done, failed, now) = match look.charset {
        Charset::Unicode => ("✓", "✗", "◆"),
        Charset::Ascii => ("[x]", "[!]", "[>]"),
    };
    let at = view.goes_on_in.unwrap_or(view.state);
    let mut lines = Vec::new();
    if let Some(plan) = &view.plan {
        let parts = count(plan.subtasks.len() as u64, "subtask");
        lines.push((Tone::Good, format!("{done} Planning      Complete ({parts} identified)")));
    } else if at == State::Planning {
        lines.push((Tone::Plain, format!("{now} Planning      In progress ...")));
    }
    let written = count(view.files.len() as u64, "file");
    match at {
        State::Coding => {
            lines.push((Tone::Plain, format!("{now} Coding        In progress ... ({written})")));
        }
        State::Testing | State::Reflecting | State::Success | State::Failed => {
            lines.push((Tone::Good, format!("{done} Coding        Complete ({written})")));
        }
        State::Init | State::Planning | State::Paused => {}
    }
    match (at, &view.tests) {
        (State::Testing, _) => {
            lines.push((Tone::Plain, format!("{now} Testing       In progress ...")));
        }
        (_, Some(tests)) => {
            let passes = tests.proves();
            let (sign, tone) = if passes { (done, Tone::Good) } else { (failed, Tone::Bad) };
            let (passed, missed) = (tests.passed, tests.total.saturating_sub(tests.passed));
            let word = if passes { "Passed" } else { "Failed" };
            lines.push((
                tone,
                format!("{sign} Testing       {word} ({passed} passed, {missed} failed)"),
            ));
        }
        (_, None) => {}
    }
    if at == State::Reflecting {
        lines.push((Tone::Plain, format!("{now} Reflecting    In progress ...")));
    }
    lines
}

/// How many of the granted iterations are used up, with a bar (002 8.2).
pub(crate) fn progress(view: &View, look: &Look) -> String {
    const WIDTH: u32 = 18;
    let (used, of) = (view.iteration.saturating_sub(1), view.until.max(1));
    let (full, empty) = match look.charset {
        Charset::Unicode => ("█", "░"),
        Charset::Ascii => ("#", "-"),
    };
    let filled = (used * WIDTH / of).min(WIDTH);
    let bar = full.repeat(filled as usize) + &empty.repeat((WIDTH - filled) as usize);
    format!("Iteration {} of {}  {bar}  {} %", view.iteration, view.until, used * 100 / of)
}

/// Where a task stands, whole.
pub(crate) fn standing(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let (tone, state) = state(view);
    page.panel(&Panel::titled("Autonomous Coding Agent").section(vec![
        Line::field("Task", &view.task),
        Line::toned_field("Status", tone, &state),
        Line::field("Model", &model(view)),
    ]));
    page.say(Tone::Plain, &progress(view, look)).blank();
    for (tone, line) in steps(view, look) {
        page.say(tone, &line);
    }
    if let Some(plan) = &view.plan {
        page.blank().say(Tone::Strong, "Plan");
        for part in &plan.subtasks {
            page.item(Tone::Plain, part);
        }
    }
    if let Some(error) = last_error(view) {
        page.blank().say(Tone::Bad, &format!("Last error: {error}"));
    }
    if let Some(hit) = &view.remembered {
        let (about, similarity) = (&hit.about, hit.similarity);
        page.say(Tone::Plain, &format!("Found similar ({similarity} %): {about}"));
    }
    if let Some(analysis) = &view.analysis {
        page.say(Tone::Plain, &format!("Cause: {}", analysis.root_cause));
        page.say(Tone::Plain, &format!("Fix: {}", analysis.fix_hypothesis));
    }
    if let Some(fault) = &view.fault {
        page.blank().say(Tone::Bad, &format!("What failed: {fault}"));
    }
    for line in warnings(view) {
        page.say(Tone::Warn, &line);
    }
    if !view.iterations.is_empty() {
        page.blank().say(Tone::Strong, "Iterations");
    }
    if let Some(earlier) = view.earlier {
        let which = format!("1 to {}, summed", earlier.iterations);
        page.item(Tone::Plain, &in_figures(&which, earlier));
    }
    for one in &view.iterations {
        page.item(Tone::Plain, &in_figures(&one.iteration.to_string(), one.into()));
    }
    page.blank();
    page.say(Tone::Plain, &format!("Used: {}", used(&view.spent)));
    if !view.run.is_usual() {
        page.say(Tone::Plain, &format!("Each run of the tests may have {}", for_runs(view.run)));
    }
    if let Some(judge) = view.judged_by {
        page.say(Tone::Plain, &format!("Judged by the drill {}", judge.short()));
    }
    page.say(Tone::Plain, &format!("Workspace: {}", view.workspace));
    page.say(Tone::Plain, &format!("Log: vosimctl log --session {}", view.session_id.short()));
    page.finish()
}

/// One iteration, or several, in a line.
fn in_figures(which: &str, of: IterationSums) -> String {
    let (time, tokens) = (duration(of.duration_ms / 1_000), thousands(of.prompt + of.completion));
    let IterationSums { passed, failed, modified, .. } = of;
    let made = count(of.created, "file");
    format!(
        "{which}: {passed} passed, {failed} failed, {time}, {tokens} tokens, {made} made, {modified} changed"
    )
}

/// Who proposes, and what a success of it would say.
fn model(view: &View) -> String {
    match view.model.sort {
        ModelSort::Script | ModelSort::Replay => {
            format!("{} (its answers were written down beforehand)", view.model)
        }
        ModelSort::Repair => "repair (small changes of what was there)".to_owned(),
        ModelSort::Openai => view.model.to_string(),
    }
}

/// In one line: what pytest adds below the first one is in the log.
fn last_error(view: &View) -> Option<String> {
    let TestError { error_type, message, test, .. } = view.tests.as_ref()?.errors.first()?;
    let message = message.lines().next().unwrap_or_default();
    let of = if test.is_empty() { String::new() } else { format!(" ({test})") };
    Some(format!("{error_type}: {message}{of}"))
}

/// The file and the line of the last error; either may be empty.
fn raised_at(view: &View) -> Option<(&str, &str)> {
    let place = view.tests.as_ref()?.errors.first()?.place.as_str();
    Some(place.rsplit_once(':').unwrap_or((place, "")))
}

/// Where it was raised: `main.py, line 67`.
fn last_place(view: &View) -> Option<String> {
    let (file, line) = raised_at(view)?;
    match (file, line) {
        ("", _) => None,
        (_, "") => Some(file.to_owned()),
        (_, _) => Some(format!("{file}, line {line}")),
    }
}

/// What a person must know of the tests (issue: self-tested, too weak, changed to pass).
fn warnings(view: &View) -> Vec<String> {
    let mut lines: Vec<_> =
        view.warnings.iter().map(|told| format!("The model: {told}.")).collect();
    if let Some(tests) = &view.tests {
        if tests.of == TestsOf::Workspace && tests.proves() {
            let own = view.files.iter().any(|file| is_test(&file.path));
            let whose = if own { "the agent's own" } else { "those of the workspace" };
            lines.push(format!("Self-tested: the tests are {whose}."));
        }
        if let Some(survivors) = tests.survivors.filter(|survivors| *survivors > 0) {
            let mutants = count(survivors, "mutant");
            lines.push(format!("Tests too weak: {mutants} of the code pass them as well."));
        }
        if tests.outdated {
            lines.push("The last test run predates the last edit.".to_owned());
        }
    }
    for edit in &view.test_edits {
        lines.push(format!("A test that had failed was changed: {}", edit.path));
    }
    if !view.test_edits.is_empty() {
        let id = view.session_id.short();
        lines.push(format!("See how with: vosimctl task diff --session {id}"));
    }
    lines
}

/// What stays on the terminal when a task rests or is over (002 8.3).
pub(crate) fn came_out(view: &View, look: &Look) -> String {
    match view.state {
        State::Success => success(view, look),
        State::Failed if !view.over => failure(view, look),
        State::Paused if !view.over => paused(view, look),
        State::Init
        | State::Planning
        | State::Coding
        | State::Testing
        | State::Reflecting
        | State::Failed
        | State::Paused => closed(view, look),
    }
}

fn success(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let tests = view.tests.as_ref();
    let (passed, total) = tests.map_or((0, 0), |tests| (tests.passed, tests.total));
    let created = view.files.iter().filter(|file| file.created).count() as u64;
    let title = match view.model.sort.shows_ability() {
        true => "Task Completed Successfully!",
        false => "Task Completed by a Script",
    };
    let coverage = tests.and_then(|tests| tests.coverage);
    let coverage =
        coverage.map(|share| Line::field("Coverage", &format!("{share} % of the lines")));
    let before = [
        Line::field("Iterations", &format!("{} of {}", view.iteration, view.until)),
        Line::field("Duration", &duration(view.spent.wall_ms / 1_000)),
        Line::field("Files Created", &created.to_string()),
        Line::field("Tests Passed", &format!("{passed}/{total}")),
    ];
    let after =
        [Line::field("Model", &model(view)), Line::field("Estimated Cost", &cost_of(&view.spent))];
    let lines = before.into_iter().chain(coverage).chain(after);
    page.panel(&Panel::titled(title).section(lines.collect()));
    if !view.model.sort.shows_ability() {
        page.say(Tone::Warn, "Its answers were written down beforehand: this shows no ability.");
    }
    for line in warnings(view) {
        page.say(Tone::Warn, &line);
    }
    if !view.files.is_empty() {
        page.blank().say(Tone::Strong, "Files Generated");
    }
    for file in &view.files {
        let lines = count(file.lines, "line");
        page.item(Tone::Good, &format!("{} ({lines})", file.path));
    }
    page.blank().say(Tone::Plain, &format!("Workspace: {}", view.workspace));
    page.blank().say(Tone::Strong, "Next Steps");
    for (number, step) in next_steps(view).iter().enumerate() {
        page.say(Tone::Plain, &format!("  {}. {step}", number + 1));
    }
    page.finish()
}

/// What to do with what was made.
fn next_steps(view: &View) -> Vec<String> {
    use vosim_protocol::v1::agent::TaskLanguage;
    let has = |name: &str| view.files.iter().any(|file| file.path == name);
    let mut steps = vec![format!("cd {}", shell(&view.workspace))];
    match view.language {
        TaskLanguage::Python => {
            if has("requirements.txt") {
                steps.push("pip install -r requirements.txt".to_owned());
            }
            if has("main.py") {
                steps.push("python main.py".to_owned());
            }
        }
        TaskLanguage::Node => {
            if has("package.json") {
                steps.push("npm install".to_owned());
            }
            steps.extend(
                ["index.js", "main.js"]
                    .into_iter()
                    .find(|name| has(name))
                    .map(|name| format!("node {name}")),
            );
        }
    }
    steps.push(format!("vosimctl task diff --session {}", view.session_id.short()));
    steps
}

fn failure(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let reason = because(view);
    let error = last_error(view).unwrap_or_else(|| "no test has run".to_owned());
    let mut lines = vec![
        Line::toned_field("Reason", Tone::Bad, reason),
        Line::field("Iterations", &format!("{} of {}", view.iteration, view.until)),
        Line::field("Duration", &duration(view.spent.wall_ms / 1_000)),
        Line::field("Model", &model(view)),
        Line::field("Last Error", &error),
    ];
    lines.extend(last_place(view).map(|place| Line::field("Where", &place)));
    page.panel(&Panel::titled("Task Failed").section(lines));
    for line in warnings(view) {
        page.say(Tone::Warn, &line);
    }
    if let Some(analysis) = &view.analysis {
        page.say(Tone::Plain, "The agent couldn't complete the task. Last known issue:");
        page.indented(2, Tone::Plain, &analysis.root_cause);
    }
    let id = view.session_id.short();
    page.blank().say(Tone::Strong, "Suggestions");
    page.item(Tone::Plain, "The task may be too large: break it down further.");
    page.item(Tone::Plain, &format!("Look at what was written in {}", view.workspace));
    page.item(
        Tone::Plain,
        &format!(
            "Give a hint and 15 more iterations: vosimctl task resume --session {id} --hint '...'"
        ),
    );
    if let Some(more) = more_for_runs(view) {
        let (what, how) = (for_runs(more), as_options(more));
        let told = format!("Give each run {what}: vosimctl task resume --session {id} {how}");
        page.item(Tone::Plain, &told);
    }
    page.finish()
}

/// What to give each run of the tests more of, where the last one was stopped for that and more may be given.
pub(crate) fn more_for_runs(view: &View) -> Option<RunCaps> {
    view.run.more(view.tests.as_ref()?.stopped?)
}

/// What each run of the tests may have, in words.
pub(crate) fn for_runs(caps: RunCaps) -> String {
    let parts = [
        caps.memory_mib.map(|mib| format!("{} MiB of memory", thousands(mib))),
        caps.minutes.map(|minutes| count(minutes, "minute")),
        caps.processes.map(|processes| format!("{processes} processes")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How `task resume` is told so.
fn as_options(caps: RunCaps) -> String {
    let parts = [
        ("--run-memory", caps.memory_mib),
        ("--run-minutes", caps.minutes),
        ("--run-processes", caps.processes),
    ];
    let named = parts.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?)));
    named.collect::<Vec<_>>().join(" ")
}

fn paused(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let id = view.session_id.short();
    page.panel(&Panel::titled("Task Paused").section(vec![
        Line::toned_field("Reason", Tone::Warn, because(view)),
        Line::field("Iteration", &format!("{} of {}", view.iteration, view.until)),
        Line::field("Used", &used(&view.spent)),
    ]));
    if let Some(fault) = &view.fault {
        page.say(Tone::Bad, &format!("What failed: {fault}"));
    }
    let more = match view.because {
        Some(Because::Budget) => " with more: --tokens, --calls, --cost or --minutes",
        Some(_) | None => "",
    };
    page.say(
        Tone::Plain,
        &format!("Task paused. Resume{more} with: vosimctl task resume --session {id}"),
    );
    page.finish()
}

/// What was used up, in a line.
pub(crate) fn used(spent: &Spent) -> String {
    let tokens = thousands(spent.prompt + spent.completion);
    let (calls, time) = (count(spent.calls, "call"), duration(spent.wall_ms / 1_000));
    format!("{tokens} tokens, {calls}, {}, {time}", cost_of(spent))
}

fn cost_of(spent: &Spent) -> String {
    cost((spent.unpriced == 0).then_some(spent.cost_micros), spent.calls > 0)
}

/// A cost that nobody knows is none of its own, and never 0.
fn cost(micros: Option<u64>, any: bool) -> String {
    match (micros, any) {
        (_, false) | (Some(0), true) => "no model cost".to_owned(),
        (Some(micros), true) => dollars(micros),
        (None, true) => "unknown cost".to_owned(),
    }
}

/// Rounded up to cents.
fn dollars(micros: u64) -> String {
    let cents = micros.div_ceil(10_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

pub(crate) fn what(category: Category) -> &'static str {
    match category {
        Category::Network => "network access",
        Category::Process => "another program",
        Category::Install => "installing",
        Category::DynamicCode => "code made while it runs",
        Category::Files => "files elsewhere",
        Category::Other => "something unsafe",
    }
}

fn risk_name(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "Low",
        Risk::Medium => "Medium",
        Risk::High => "High",
    }
}

#[cfg(test)]
mod tests;
