//! What is shown of a failure: its trace, cases of one's own, a script, and two files against each other.

use std::path::Path;

use vosim_protocol::v1::attempt::{FailureTraced, View};
use vosim_protocol::v1::effect::Trace;
use vosim_protocol::v1::problem::{Language, Syntax};
use vosim_protocol::v1::service::Stressed;

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::problem::typed;
use crate::render::text::{clean, count, shell};

/// A failure call by call; the line on which it differs is marked.
pub(crate) fn traced(traced: &FailureTraced, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank();
    let Some(trace) = &traced.trace else {
        let why = traced.not_traced.as_deref().unwrap_or_default();
        let text = format!("{} cannot be shown call by call: {why}.", traced.case);
        page.say(Tone::Plain, &clean(&text));
        return page.finish();
    };
    page.say(Tone::Strong, &clean(&format!("{} fails. {}", traced.case, trace.about())));
    calls(&mut page, trace);
    if !trace.ops.is_empty() {
        page.say(Tone::Dim, "Step through it with: vosimctl attempt debug");
    }
    page.finish()
}

/// The calls of a trace. A long one goes on below: what it gives and must give stands at its end.
fn calls(page: &mut Page<'_>, trace: &Trace) {
    for (differs, line) in trace.lines() {
        let tone = if differs { Tone::Bad } else { Tone::Plain };
        page.hanging("  ", "        ", tone, &line);
    }
}

/// The cases that a candidate has kept.
pub(crate) fn own_cases(view: &View, look: &Look) -> String {
    let mut page = Page::new(look);
    if view.own_cases.is_empty() {
        page.say(Tone::Plain, "No case of yours is kept.");
        page.say(Tone::Plain, "Keep one with: vosimctl attempt case add CASE");
    }
    for (number, case) in (1..).zip(&view.own_cases) {
        let (tone, word) = match case.passed {
            None => (Tone::Plain, "not run yet"),
            Some(true) => (Tone::Good, "passed"),
            Some(false) => (Tone::Bad, "failed"),
        };
        let calls: Vec<_> = case.ops.iter().map(typed).collect();
        let lead = format!("{number:>3}  ");
        page.hanging(&lead, "     ", tone, &clean(&format!("{}  ({word})", calls.join(" "))));
    }
    page.finish()
}

/// What came of trying two programs on drawn inputs.
pub(crate) fn stressed(found: &Stressed, file: &Path, slow: &Path, look: &Look) -> String {
    let mut page = Page::new(look);
    let rounds = count(found.rounds, "round");
    let agreed = count(found.agreed, "run");
    let skipped = match found.skipped {
        0 => String::new(),
        skipped => {
            format!(" On {} the slow file did not come to its end.", count(skipped, "more run"))
        }
    };
    let told = format!("Both files agree in {rounds} of drawn inputs, {agreed}.{skipped}");
    let Some(seed) = found.seed else {
        page.say(Tone::Good, &told);
        return page.finish();
    };
    if found.rounds > 0 {
        page.say(Tone::Plain, &told);
    }
    let (file, slow) = (file.display(), slow.display());
    page.say(Tone::Bad, &clean(&format!("They differ on an input of seed {seed}.")));
    let Some(trace) = &found.trace else {
        page.say(Tone::Plain, "They do so only after other runs in the same process.");
        return page.finish();
    };
    page.say(Tone::Plain, &trace.about());
    page.say(
        Tone::Dim,
        &clean(&format!("What must be given is what {slow} gives; the other is {file}.")),
    );
    calls(&mut page, trace);
    if !trace.ops.is_empty() {
        let calls: Vec<_> = trace.ops.iter().map(typed).collect();
        let quoted = calls.join(" ").replace('\'', r"'\''");
        page.say(Tone::Plain, "Keep it as a case of your own with:");
        page.code("  ", Tone::Plain, &format!("vosimctl attempt case add '{quoted}'"));
    }
    page.finish()
}

/// Where a script was written, and how it is used.
pub(crate) fn script(place: &Path, program: &str, language: Language, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Good, &clean(&format!("Wrote {}.", place.display())));
    let (program, shown) = (shell(program), shell(&place.to_string_lossy()));
    let how = match language.syntax() {
        Syntax::Python => {
            format!(
                "Step through it with: {program} {shown}\nIt stops before the call that goes wrong: s steps into it, n goes to the next line, p NAME prints, q leaves."
            )
        }
        Syntax::Javascript => {
            format!(
                "Step through it with: {program} inspect {shown}\nType c: it stops before the call that goes wrong. s steps into it, n goes to the next line, exec NAME prints, .exit leaves."
            )
        }
    };
    page.say(Tone::Plain, &how);
    page.finish()
}
