//! What an attempt looks like: its start, where it stands, and what comes next.

pub(crate) mod failing;
#[cfg(test)]
pub(crate) mod samples;

use vosim_protocol::SessionId;
use vosim_protocol::v1::attempt::{AttemptCompleted, AttemptOutcome, AttemptV2, Mode, Step, View};
use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::v1::problem::{Language, listed};
use vosim_protocol::v1::service::ProblemCard;

use crate::render::evaluation::verdict;
use crate::render::look::{Charset, Look, Tone};
use crate::render::markdown;
use crate::render::page::Page;
use crate::render::problem;
use crate::render::text::{clean, clean_lines, duration, sentence};

/// A new attempt with its problem.
pub(crate) fn started(view: &View, card: &ProblemCard, language: Language, look: &Look) -> String {
    let mut page = Page::new(look);
    let id: SessionId = view.session_id;
    page.say(Tone::Plain, &format!("Attempt {} started.", id.short())).blank();
    problem::statement(&mut page, card, language);
    page.blank();
    page.finish()
}

/// The steps in a line: what is done, what was skipped, where it stands, what is to come. When the attempt
/// was left, it stands nowhere.
pub(crate) fn stepper(view: &View, look: &Look) -> String {
    let (done, skipped, now, open) = match look.charset {
        Charset::Unicode => ("✓", "–", "●", "○"),
        Charset::Ascii => ("[x]", "[-]", "[>]", "[ ]"),
    };
    let now = if view.ended.is_some() { open } else { now };
    let line = |names: Vec<&str>, place: usize, was_skipped: &dyn Fn(&str) -> bool| {
        let sign = |(at, name): (usize, &&str)| match at.cmp(&place) {
            std::cmp::Ordering::Less if was_skipped(name) => skipped,
            std::cmp::Ordering::Less => done,
            std::cmp::Ordering::Equal => now,
            std::cmp::Ordering::Greater => open,
        };
        let steps = names.iter().enumerate().map(|step| format!("{} {}", sign(step), step.1));
        steps.collect::<Vec<_>>().join("  ")
    };
    let Some(at) = view.attempt.v2_step else {
        let names = ["approach", "code", "test"];
        let named = names.iter().position(|name| *name == view.phase);
        let place = named.unwrap_or_else(|| legacy_place(view));
        return line(names.into(), place, &|_| false);
    };
    let steps = Step::ALL.into_iter().take_while(|step| *step != Step::Complete);
    let names: Vec<_> = steps.map(Step::name).collect();
    let place = names.iter().position(|name| *name == at.name()).unwrap_or(names.len());
    line(names, place, &|name| view.skipped.iter().any(|step| step.name() == name))
}

/// How far the flow before 003 had come when it ended.
fn legacy_place(view: &View) -> usize {
    match (&view.approach, view.history.last()) {
        (None, _) => 0,
        (Some(_), None) => 1,
        (Some(_), Some(last)) => {
            if last.tests_failed == 0 {
                3
            } else {
                2
            }
        }
    }
}

/// Where an attempt stands, as `status` prints it: what the panels of the workbench show.
pub(crate) fn status(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let used = duration(view.duration_seconds);
    page.say(Tone::Strong, &format!("Attempt: {} (rung {})", clean(&view.title), view.rung));
    page.say(Tone::Plain, &stepper(view, look));
    let mode = view.attempt.mode.name();
    page.say(Tone::Plain, &format!("The mode is {mode}; {used} used; {}.", hints(&view.attempt)));
    if !view.skipped.is_empty() {
        let names: Vec<_> = view.skipped.iter().map(|step| step.name().to_owned()).collect();
        page.say(Tone::Plain, &format!("You skipped {}.", listed(&names, "and")));
    }
    summed_up(&mut page, view);
    for part in [artifacts(view, look), step(view, look)] {
        // One without a word would leave an empty line.
        if !part.trim().is_empty() {
            page.raw(&part);
        }
    }
    plan_choices(&mut page, view);
    assessment(&mut page, view);
    page.raw(&next_step(view, look));
    page.finish()
}

/// What came of it so far, where what the step is about does not say it below.
fn summed_up(page: &mut Page<'_>, view: &View) {
    if let Some(ended) = &view.ended {
        complete(page, ended);
        return;
    }
    let tells_it = |last: &ResultLine| match view.attempt.v2_step {
        Some(Step::Implement) | None => true,
        Some(Step::Verify) => last.tests_failed > 0,
        Some(Step::Understand | Step::Plan | Step::Reflect | Step::Complete) => false,
    };
    if let Some(last) = view.history.last().filter(|last| !tells_it(last)) {
        let (tone, text) = verdict(last);
        page.say(tone, &text);
    }
}

/// That it is over, where all tests passed.
pub(crate) fn completed(ended: &AttemptCompleted, look: &Look) -> String {
    let mut page = Page::new(look);
    complete(&mut page, ended);
    page.finish()
}

fn complete(page: &mut Page<'_>, ended: &AttemptCompleted) {
    let text = match ended.outcome {
        AttemptOutcome::Unaided => "The attempt is complete, without a hint.",
        AttemptOutcome::Hinted => "The attempt is complete, with help.",
        AttemptOutcome::Left => return,
    };
    page.say(Tone::Good, text);
}

/// That notes were taken, which are not said back.
pub(crate) fn notes_kept(look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Good, "Your notes are kept; the status shows them.");
    page.finish()
}

/// "used 2 of 4 hints"
pub(crate) fn hints(attempt: &AttemptV2) -> String {
    format!("used {} of {} hints", attempt.hints_used_count, attempt.hint_budget)
}

/// What the candidate has written so far.
pub(crate) fn artifacts(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let attempt = &view.attempt;
    let mut wrote = |heading: &str, text: &str| {
        if !text.trim().is_empty() {
            page.say(Tone::Strong, &format!("{heading}:"));
            page.indented(2, Tone::Plain, &clean_lines(text).join("\n"));
        }
    };
    if let Some(payload) = &attempt.understand_payload {
        wrote("Your explanation", &payload.explanation);
        wrote("What goes in and what comes out", &payload.input_output_description);
        wrote("What bounds it", &payload.constraints_description);
        wrote("One example walked through", &payload.example_walkthrough);
        wrote("One way that would not do", &payload.wrong_approach);
        for followup in &payload.followups {
            wrote(&followup.question, &followup.answer);
        }
    }
    wrote("Your approach", view.approach.as_deref().unwrap_or_default());
    if let Some(plan) = &attempt.plan_payload {
        if let (Some(pattern), Some(sure)) = (&plan.chosen_pattern, plan.user_confidence) {
            let pattern = pattern.replace('_', " ");
            wrote("Your plan", &format!("{pattern}, with confidence {sure} of 5"));
        }
        let invariant = plan.invariant.as_ref();
        wrote("It holds", invariant.map(|one| one.text.as_str()).unwrap_or_default());
        wrote("It costs", plan.complexity.as_deref().unwrap_or_default());
    }
    if let Some(verify) = &attempt.verify_payload {
        for said in &verify.failure_explanations {
            wrote(&format!("Why test {} failed", said.test_index), &said.user_explanation);
        }
        wrote("Your notes", verify.trace_notes.as_deref().unwrap_or_default());
    }
    if let Some(reflect) = &attempt.reflect_payload {
        wrote("To look out for next time", &reflect.cues_next_time.join("\n"));
        wrote("What held", &reflect.invariant_summary);
    }
    page.finish()
}

/// What the step is about that is open, or what stays when it is over.
pub(crate) fn step(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    match &view.ended {
        Some(ended) => over(&mut page, view, ended),
        None => open(&mut page, view),
    }
    if let Some(traced) = &view.trace {
        page.raw(&failing::traced(traced, look));
    }
    page.finish()
}

fn open(page: &mut Page<'_>, view: &View) {
    let waits = view.waits;
    match view.attempt.v2_step {
        Some(Step::Understand) if waits => {
            page.say(Tone::Warn, "Your examples are being run on the reference.");
        }
        Some(Step::Understand) => {
            page.say(Tone::Plain, "Say in your own words what the problem is. No code is needed.");
        }
        Some(Step::Plan) if waits => {
            page.say(Tone::Warn, "What you say holds is being checked on runs of the reference.");
        }
        Some(Step::Plan) => {
            page.say(Tone::Plain, "Choose a pattern, and say what holds after each call.");
            if let Some(question) = &view.discovery_question {
                page.blank().say(Tone::Strong, "A question about the pattern:");
                markdown::draw(page, question);
            }
        }
        Some(Step::Implement) => {
            page.say(Tone::Plain, "Write the code in your own editor, and have it judged.");
            submissions(page, view);
        }
        Some(Step::Verify) => tests(page, view),
        Some(Step::Reflect) if waits => {
            page.say(Tone::Warn, "Your input is being run on the planted wrong programs.");
        }
        Some(Step::Reflect) => {
            page.say(Tone::Plain, "All tests pass. Say what you take along to the next problem.");
            lesson(page, view);
        }
        Some(Step::Complete) | None => submissions(page, view),
    }
}

/// What stays when it is over.
fn over(page: &mut Page<'_>, view: &View, ended: &AttemptCompleted) {
    if ended.outcome == AttemptOutcome::Left {
        let step = ended.step.map(|step| format!(" in the step {}", step.name()));
        let text = format!("You left the attempt{}.", step.unwrap_or_default());
        page.say(Tone::Plain, &text);
    }
    if let Some(last) = view.history.last() {
        let (tone, text) = verdict(last);
        page.say(tone, &text);
    }
    lesson(page, view);
}

/// What was judged so far, oldest first.
fn submissions(page: &mut Page<'_>, view: &View) {
    if let Some(number) = view.evaluating {
        page.blank().say(Tone::Warn, &format!("Submission {number} is being judged."));
    }
    if !view.history.is_empty() {
        page.blank().say(Tone::Strong, "Judged so far:");
    }
    for line in &view.history {
        let (tone, text) = verdict(line);
        page.item(tone, &text);
    }
}

/// The tests of the last run, those that failed by their numbers.
fn tests(page: &mut Page<'_>, view: &View) {
    if let Some(number) = view.evaluating {
        page.say(Tone::Warn, &format!("Submission {number} is being judged."));
        return;
    }
    let verify = view.attempt.verify_payload.as_ref();
    let tests = verify.map(|verify| verify.test_results.as_slice()).unwrap_or_default();
    let passed = tests.iter().filter(|test| test.passed).count();
    page.say(Tone::Bad, &format!("{passed} of {} tests passed. Those that failed:", tests.len()));
    for test in tests.iter().filter(|test| !test.passed) {
        let hidden = if test.visible { "" } else { " (hidden)" };
        let lead = format!("  {:>2}  ", test.test_index);
        page.hanging(&lead, "      ", Tone::Plain, &format!("{}{hidden}", clean(&test.name)));
    }
}

fn lesson(page: &mut Page<'_>, view: &View) {
    if let Some(lesson) = &view.lesson {
        page.blank().say(Tone::Strong, "To take along:");
        markdown::draw(page, lesson);
    }
}

/// The patterns that were suggested and the sentences that can be completed, by their names.
fn plan_choices(page: &mut Page<'_>, view: &View) {
    if view.attempt.v2_step != Some(Step::Plan) || view.ended.is_some() {
        return;
    }
    let plan = view.attempt.plan_payload.as_ref();
    let suggested = plan.map(|plan| plan.suggested_patterns.as_slice()).unwrap_or_default();
    for one in suggested {
        let lead = format!("  {}  ", clean(&one.pattern_id));
        page.hanging(&lead, "      ", Tone::Plain, &format!("{}: {}", one.name, one.reason));
    }
    if !view.templates.is_empty() {
        page.blank().say(Tone::Strong, "What holds after each call can be said with:");
    }
    for template in &view.templates {
        let lead = format!("  {}  ", clean(&template.id));
        page.hanging(&lead, "      ", Tone::Plain, &gapped(&template.text));
        for gap in &template.gaps {
            let numbered = gap.choices.iter().enumerate();
            let choices: Vec<_> = numbered.map(|(at, choice)| format!("{at} {choice}")).collect();
            let text = format!("[{}] {}", gap.name, choices.join("; "));
            page.indented(6, Tone::Plain, &text);
        }
    }
}

/// A template's sentence with its gaps as they are read.
pub(crate) fn gapped(text: &str) -> String {
    text.replace('{', "[").replace('}', "]")
}

/// What was said of the explanation, with the questions by their numbers.
fn assessment(page: &mut Page<'_>, view: &View) {
    let payload = view.attempt.understand_payload.as_ref();
    let Some(said) = payload.and_then(|payload| payload.ai_assessment.as_ref()) else { return };
    if view.attempt.v2_step != Some(Step::Understand) || view.ended.is_some() {
        return;
    }
    page.blank().say(Tone::Strong, "What was said of it:");
    for text in said.strengths.iter().chain(&said.gaps) {
        page.item(Tone::Plain, text);
    }
    for (number, question) in (1..).zip(&said.followup_questions) {
        let lead = format!("  {number:>2}  ");
        page.hanging(&lead, "      ", Tone::Plain, question);
    }
}

/// What stands beside what was said: how many hints there are, and what can be done.
pub(crate) fn coach(view: &View, attached: bool, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Plain, &sentence(&hints(&view.attempt)));
    if attached {
        for line in next_lines(view, true) {
            page.item(Tone::Plain, &line);
        }
    }
    page.finish()
}

/// What can be done now, with what is typed for it.
pub(crate) fn next_step(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank();
    for line in next_lines(view, false) {
        page.item(Tone::Plain, &line);
    }
    page.finish()
}

/// What can be done now; typed in a shell, or in a terminal that is attached.
pub(crate) fn next_lines(view: &View, attached: bool) -> Vec<String> {
    let of = |command: &str| -> Option<(&'static str, &'static str, &'static str)> {
        Some(match command {
            "understand.submit" => {
                ("explain the problem", "vosimctl attempt understand", "/understand FILE")
            }
            "understand.followup" if has_questions(view) => {
                ("answer a question", "vosimctl attempt answer N TEXT", "/answer N TEXT")
            }
            "plan.suggest" if suggested(view) => return None,
            "plan.suggest" => {
                ("see which patterns come into question", "vosimctl attempt plan", "/plan")
            }
            "plan.discover" => (
                "answer the question about the pattern",
                "vosimctl attempt discover yes",
                "/yes or /no",
            ),
            "plan.choose" if builds(view) => (
                "choose a pattern and complete a sentence",
                "vosimctl attempt choose PATTERN --confidence N --template NAME --choice GAP=N",
                "the form, or /choose PATTERN N TEXT",
            ),
            "plan.choose" => (
                "choose a pattern",
                "vosimctl attempt choose PATTERN --confidence N --invariant TEXT",
                "/choose PATTERN N TEXT",
            ),
            "approach" => {
                ("write down your approach", "vosimctl attempt approach TEXT", "/approach TEXT")
            }
            "submit" => ("have your code judged", "vosimctl submit FILE", "/submit [FILE]"),
            "hint" => ("ask for a hint", "vosimctl hint", "/hint"),
            "verify.explain_failure" => {
                ("say why a test failed", "vosimctl attempt explain N TEXT", "/explain N TEXT")
            }
            "verify.trace" if view.trace.is_none() => {
                ("see a failed test call by call", "vosimctl attempt trace N", "/trace N")
            }
            "verify.trace" => ("see the failure call by call", "vosimctl attempt trace", "/trace"),
            "retry" => ("go back to the code", "vosimctl attempt retry", "/retry"),
            "reflect.challenge" => (
                "try an input on the wrong programs",
                "vosimctl attempt challenge CASE",
                "/challenge CASE",
            ),
            "reflect.submit" => (
                "say what you take along",
                "vosimctl attempt reflect --cue TEXT --invariant TEXT",
                "/reflect TEXT",
            ),
            "skip" => ("skip the step", "vosimctl attempt skip", "/skip"),
            _ => return None,
        })
    };
    let lines = view.allowed.iter().filter_map(|command| of(command));
    lines
        .map(|(to, shell, line)| format!("{to}: {}", if attached { line } else { shell }))
        .collect()
}

/// Whether a sentence is to be completed, rather than written (003: invariant builder).
fn builds(view: &View) -> bool {
    view.attempt.mode == Mode::Beginner && view.rung <= 2 && !view.templates.is_empty()
}

fn suggested(view: &View) -> bool {
    view.attempt.plan_payload.as_ref().is_some_and(|plan| !plan.suggested_patterns.is_empty())
}

fn has_questions(view: &View) -> bool {
    let payload = view.attempt.understand_payload.as_ref();
    let assessment = payload.and_then(|payload| payload.ai_assessment.as_ref());
    assessment.is_some_and(|assessment| !assessment.followup_questions.is_empty())
}

/// What stays when an attempt is over: how it went, and the micro-lesson.
pub(crate) fn summary(view: &View, look: &Look) -> String {
    status(view, look)
}

#[cfg(test)]
mod tests {
    use super::samples::PLACES;
    use super::*;

    #[test]
    fn a_status_says_each_verdict_once_and_leaves_no_gap() {
        let mut views = PLACES.map(|place| samples::view(place, Mode::Beginner)).to_vec();
        // The flow before 003: nothing is written yet, then all tests passed, with which it ends.
        let mut legacy = samples::view("implement", Mode::Expert);
        legacy.attempt.v2_step = None;
        (legacy.attempt.understand_payload, legacy.attempt.plan_payload) = (None, None);
        legacy.phase = "approach".to_owned();
        let View { history, ended, .. } = samples::view("complete", Mode::Expert);
        views.push(View { history, ended, ..legacy.clone() });
        views.push(legacy);
        for view in views {
            let said = status(&view, &Look::PLAIN);
            assert!(!said.contains("\n\n\n"), "{said}");
            let last = view.history.last().map(|line| verdict(line).1);
            let times = last.map(|text| said.matches(text.as_str()).count());
            // Above the tests that failed their count stands alone.
            let failed = said.matches("tests passed. Those that failed:").count();
            assert!(times.is_none_or(|times| times + failed == 1), "{said}");
            assert_eq!(said.contains("The attempt is complete"), view.ended.is_some(), "{said}");
        }
    }
}
