//! What an attempt looks like: its start, where it stands, and what comes next.

use vosim_protocol::SessionId;
use vosim_protocol::v1::attempt::{AttemptV2, Step, View};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::ProblemCard;

use crate::render::evaluation::verdict;
use crate::render::look::{Charset, Look, Tone};
use crate::render::markdown;
use crate::render::page::Page;
use crate::render::problem;
use crate::render::text::{clean, duration};

/// A new attempt with its problem.
pub(crate) fn started(view: &View, card: &ProblemCard, language: Language, look: &Look) -> String {
    let mut page = Page::new(look);
    let id: SessionId = view.session_id;
    page.say(Tone::Plain, &format!("Attempt {} started.", id.short())).blank();
    problem::statement(&mut page, card, language);
    page.blank();
    page.finish()
}

/// The steps in a line: what is done, where it stands, what is to come.
pub(crate) fn stepper(view: &View, look: &Look) -> String {
    let (done, now, open) = match look.charset {
        Charset::Unicode => ("✓", "●", "○"),
        Charset::Ascii => ("[x]", "[>]", "[ ]"),
    };
    let Some(at) = view.attempt.v2_step else {
        let names = ["approach", "code", "test"];
        let place = names.iter().position(|name| *name == view.phase).unwrap_or(names.len());
        let sign = |step: usize| match step.cmp(&place) {
            std::cmp::Ordering::Less => done,
            std::cmp::Ordering::Equal => now,
            std::cmp::Ordering::Greater => open,
        };
        let steps = names.iter().enumerate().map(|(step, name)| format!("{} {name}", sign(step)));
        return steps.collect::<Vec<_>>().join("  ");
    };
    let sign = |step: Step| match step.cmp(&at) {
        std::cmp::Ordering::Less => done,
        std::cmp::Ordering::Equal => now,
        std::cmp::Ordering::Greater => open,
    };
    let steps = Step::ALL.into_iter().take_while(|step| *step != Step::Complete);
    steps.map(|step| format!("{} {}", sign(step), step.name())).collect::<Vec<_>>().join("  ")
}

/// Where an attempt stands, as `status` prints it.
pub(crate) fn status(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    let used = duration(view.duration_seconds);
    page.say(Tone::Strong, &format!("Attempt: {} (rung {})", clean(&view.title), view.rung));
    page.say(Tone::Plain, &stepper(view, look));
    let mode = view.attempt.mode.name();
    page.say(Tone::Plain, &format!("The mode is {mode}; {used} used; {}.", hints(&view.attempt)));
    if let Some(last) = view.history.last() {
        let (tone, text) = verdict(last);
        page.say(tone, &text);
    }
    artifacts(&mut page, view);
    page.raw(&next_step(view, look));
    page.finish()
}

/// "used 2 of 4 hints"
pub(crate) fn hints(attempt: &AttemptV2) -> String {
    format!("used {} of {} hints", attempt.hints_used_count, attempt.hint_budget)
}

/// What the candidate has written so far.
fn artifacts(page: &mut Page<'_>, view: &View) {
    let attempt = &view.attempt;
    if let Some(payload) = &attempt.understand_payload {
        page.blank().say(Tone::Strong, "Your explanation:");
        page.say(Tone::Plain, &clean(&payload.explanation));
    }
    if let Some(approach) = &view.approach {
        page.blank().say(Tone::Strong, "Your approach:");
        page.say(Tone::Plain, &clean(approach));
    }
    let Some(plan) = &attempt.plan_payload else { return };
    if let (Some(pattern), Some(sure)) = (&plan.chosen_pattern, plan.user_confidence) {
        page.blank().say(Tone::Strong, "Your plan:");
        let pattern = pattern.replace('_', " ");
        page.say(Tone::Plain, &format!("{}, with confidence {sure} of 5", clean(&pattern)));
    }
    if let Some(invariant) = &plan.invariant {
        page.say(Tone::Plain, &format!("It holds: {}", clean(&invariant.text)));
    }
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
            "plan.choose" => (
                "choose a pattern",
                "vosimctl attempt choose PATTERN --confidence N --invariant TEXT",
                "/choose PATTERN N TEXT",
            ),
            "approach" => {
                ("write down your approach", "vosimctl attempt approach TEXT", "/approach TEXT")
            }
            "submit" => ("have your code judged", "vosimctl submit FILE", "/submit FILE"),
            "hint" => ("ask for a hint", "vosimctl hint", "/hint"),
            "verify.explain_failure" => {
                ("say why a test failed", "vosimctl attempt explain N TEXT", "/explain N TEXT")
            }
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
    let mut page = Page::new(look);
    page.raw(&status(view, look));
    if let Some(lesson) = &view.lesson {
        page.blank().say(Tone::Strong, "To take along:");
        markdown::draw(&mut page, lesson);
    }
    page.finish()
}
