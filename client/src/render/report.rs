//! What an ended session teaches, as text: how it went, what was heard and what was not, what was tried,
//! what to do next. The page of `--html` says the same ([`words`] has the words of both).

pub(crate) mod html;
pub(crate) mod words;

use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::report::{Advice, DimensionReport, Judgement, Report, SectionReport};

use crate::render::look::{Look, Tone};
use crate::render::page::{Line, Page, Panel};
use crate::render::sessions::session_id;

/// The whole report.
pub(crate) fn report(report: &Report, look: &Look) -> String {
    let mut page = Page::new(look);
    let about = words::about(report).into_iter();
    let about = about.map(|(label, text)| Line::field(label, &text));
    let ids = vec![Line::field("Session ID", &session_id(report.session_id, look))];
    let panel = Panel::titled(&words::title(report))
        .section(ids.into_iter().chain(about).collect())
        .section(vec![Line::field("Outcome", words::outcome(report))]);
    page.panel(&panel);
    for section in &report.sections {
        of_section(section, &mut page);
    }
    work(report, &mut page, look);
    if !report.steps.is_empty() {
        page.blank().say(Tone::Strong, "On the way");
        for step in &report.steps {
            let lead = format!("  {}  ", look.clock(step.at));
            let text = format!("{} (event {})", step.text(), step.event_id);
            page.hanging(&lead, &" ".repeat(lead.len()), Tone::Plain, &text);
        }
    }
    next(&report.next, &mut page);
    page.blank();
    let session = report.session_id.short();
    page.say(
        Tone::Plain,
        &format!("See why an event is as it is with: vosimctl --session {session} why N"),
    );
    let whole = format!("vosimctl report {session} --html report.html");
    page.say(Tone::Plain, &format!("With the code and every event, as a page: {whole}"));
    page.finish()
}

fn of_section(section: &SectionReport, page: &mut Page<'_>) {
    let told = words::section(section).line();
    page.blank().say(Tone::Strong, &format!("{}: {told}", section.title));
    for dimension in &section.dimensions {
        of_dimension(dimension, page);
    }
}

fn of_dimension(one: &DimensionReport, page: &mut Page<'_>) {
    let tone = match one.coverage {
        Coverage::Covered => Tone::Good,
        Coverage::PartiallyCovered => Tone::Warn,
        Coverage::NotCovered => Tone::Bad,
    };
    page.item(tone, &words::dimension(one).line());
    for (label, told) in words::details(one) {
        let text = format!("{label}: {}", told.line());
        page.hanging("    ", "      ", Tone::Plain, &text);
    }
}

fn work(report: &Report, page: &mut Page<'_>, look: &Look) {
    if !report.submissions.is_empty() {
        page.blank().say(Tone::Strong, &words::submissions(report));
        for tried in &report.submissions {
            let tone = match &tried.judged {
                Some(Judgement::Verdict { .. }) if tried.passed() => Tone::Good,
                Some(Judgement::Verdict { .. }) => Tone::Bad,
                Some(Judgement::Aborted(_)) | None => Tone::Plain,
            };
            page.item(tone, &format!("{}, {}", look.clock(tried.at), words::tried(tried).line()));
        }
    }
    let facts = words::facts(report);
    if !facts.is_empty() {
        page.blank();
    }
    for (label, told) in facts {
        page.hanging("", "  ", Tone::Plain, &format!("{label}: {}", told.line()));
    }
}

fn next(all: &[Advice], page: &mut Page<'_>) {
    if all.is_empty() {
        return;
    }
    page.blank().say(Tone::Strong, "What to do next");
    for (number, advice) in (1..).zip(all) {
        page.hanging(&format!("  {number}. "), "     ", Tone::Strong, &advice.what.text);
        let why = format!("Why: {}", words::reason(advice).line());
        page.indented(5, Tone::Plain, &why);
    }
}

#[cfg(test)]
pub(crate) mod samples;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_what_was_heard_what_was_missing_and_what_to_do_with_their_events() {
        insta::assert_snapshot!(report(&samples::report(), &Look::PLAIN));
    }

    #[test]
    fn in_words_alone_it_says_the_same() {
        insta::assert_snapshot!(report(&samples::report(), &Look::PLAIN.in_words()));
    }
}
