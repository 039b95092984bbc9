//! A report as one page for a browser: the words of the terminal's, with pictures of the course and the
//! growth, the code with its differences, and every event.
//!
//! The page stands alone: it asks nothing of anybody, runs nothing, and says so to the browser. Whatever
//! comes from elsewhere is text; what a browser or a reader would obey or not see is spelled out.

pub(crate) mod material;
mod picture;
mod style;

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, html};
use similar::{ChangeTag, TextDiff};
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::report::SectionReport;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Role, cut};

use material::Material;

use super::words::{self, Founded};
use crate::put::PAGE;
use crate::render::look::Look;
use crate::render::telling::{told, who};
use crate::render::text::{clean_text as clean, count};

/// Most events that the page lists, and the longest text of one, bytes.
const EVENTS_MAX: usize = 2_000;
const TEXT_MAX_BYTES: usize = 4_000;
/// Lines of a difference that are shown around a change.
const CONTEXT: usize = 3;

/// The whole page.
pub(crate) fn page(material: &Material<'_>, look: &Look) -> String {
    let report = material.report;
    let page = Drawing { material, look, listed: listed(material.log) };
    let title = clean(&format!("{}: {}", words::title(report), report.title));
    let head = html! { h1 { (title) } (page.about()) };
    let source = format!("the log of session {}", report.session_id);
    framed(&title, &head, &page.contents(), &page.body(), &source)
}

/// A page with its head, what it is made from, and what makes it stand alone.
pub(crate) fn framed(
    title: &str,
    head: &Markup,
    contents: &Markup,
    body: &Markup,
    source: &str,
) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                meta name="generator" content=(PAGE);
                link rel="icon" href="data:,";
                title { (title) }
                style { (maud::PreEscaped(style::STYLE)) }
            }
            body {
                a.skip href="#main" { "To the contents" }
                header { (head) }
                (contents)
                main #main { (body) }
                footer { p { "Made from " (source) "." } }
            }
        }
    };
    markup.into_string()
}

/// The events that the table lists: the newest, if there are too many.
fn listed(log: &[ToldRecord]) -> BTreeSet<EventId> {
    log.iter().skip(log.len().saturating_sub(EVENTS_MAX)).map(|record| record.event_id).collect()
}

/// The beginning of a text that is too long.
fn bounded(text: &str) -> String {
    if text.len() <= TEXT_MAX_BYTES {
        return clean(text);
    }
    format!("{}…", clean(cut::start(text, TEXT_MAX_BYTES)))
}

struct Drawing<'a> {
    material: &'a Material<'a>,
    look: &'a Look,
    listed: BTreeSet<EventId>,
}

impl Drawing<'_> {
    fn about(&self) -> Markup {
        let report = self.material.report;
        let started = self.look.moment(report.started);
        let ended = self.look.moment(report.ended);
        html! {
            dl.about {
                @for (label, text) in words::about(report) {
                    div { dt { (label) } dd { (clean(&text)) } }
                }
                div { dt { "Started" } dd { (started) } }
                div { dt { "Ended" } dd { (ended) } }
                div { dt { "Outcome" } dd { (words::outcome(report)) } }
            }
        }
    }

    /// The parts that there are, each with its name in the page.
    fn parts(&self) -> Vec<(&'static str, &'static str, Markup)> {
        let report = self.material.report;
        let mut parts = Vec::new();
        if !report.next.is_empty() {
            parts.push(("next", "What to do next", self.next()));
        }
        parts.push(("course", "The course", picture::course(self.material, self.look)));
        if !report.sections.is_empty() {
            parts.push(("sections", "What was heard", self.sections()));
        }
        if !report.submissions.is_empty() || !words::facts(report).is_empty() {
            parts.push(("work", "What was tried", self.work()));
        }
        if let Some(grown) = &report.growth {
            parts.push(("growth", "Time per operation", picture::growth(grown)));
        }
        if !report.steps.is_empty() {
            parts.push(("steps", "On the way", self.steps()));
        }
        if !self.material.versions.is_empty() {
            parts.push(("code", "The code", self.code()));
        }
        parts.push(("events", "Every event", self.events()));
        parts
    }

    fn contents(&self) -> Markup {
        html! {
            nav aria-label="Contents" {
                ul {
                    @for (id, title, _) in self.parts() {
                        li { a href=(format!("#{id}")) { (title) } }
                    }
                }
            }
        }
    }

    fn body(&self) -> Markup {
        html! {
            @for (id, title, markup) in self.parts() {
                section aria-labelledby=(id) {
                    h2 #(id) { (title) }
                    (markup)
                }
            }
        }
    }

    fn next(&self) -> Markup {
        html! {
            ol.next {
                @for advice in &self.material.report.next {
                    li {
                        strong { (clean(&advice.what.text)) }
                        p { "Why: " (self.told(&words::reason(advice))) }
                    }
                }
            }
        }
    }

    fn sections(&self) -> Markup {
        html! {
            @for section in &self.material.report.sections {
                h3 { (clean(&section.title)) }
                p { (self.told(&words::section(section))) }
                (self.dimensions(section))
            }
        }
    }

    fn dimensions(&self, section: &SectionReport) -> Markup {
        html! {
            @for one in &section.dimensions {
                @let class = match one.coverage {
                    Coverage::Covered => "good",
                    Coverage::PartiallyCovered => "warn",
                    Coverage::NotCovered => "bad",
                };
                div.dimension {
                    h4 class=(class) { (self.told(&words::dimension(one))) }
                    @let details = words::details(one);
                    @if !details.is_empty() {
                        dl {
                            @for (label, told) in details {
                                div { dt { (label) } dd { (self.told(&told)) } }
                            }
                        }
                    }
                }
            }
        }
    }

    fn work(&self) -> Markup {
        let report = self.material.report;
        html! {
            @if !report.submissions.is_empty() {
                table {
                    caption { (words::submissions(report)) }
                    thead { tr { th scope="col" { "Time" } th scope="col" { "What came of it" } } }
                    tbody {
                        @for tried in &report.submissions {
                            tr {
                                td { (self.look.clock(tried.at)) }
                                td class=(if tried.passed() { "good" } else { "bad" }) {
                                    (self.told(&words::tried(tried)))
                                }
                            }
                        }
                    }
                }
            }
            @let facts = words::facts(report);
            @if !facts.is_empty() {
                dl {
                    @for (label, told) in facts {
                        div { dt { (label) } dd { (self.told(&told)) } }
                    }
                }
            }
        }
    }

    fn steps(&self) -> Markup {
        html! {
            ol.steps {
                @for step in &self.material.report.steps {
                    li {
                        span.time { (self.look.clock(step.at)) } " "
                        span.text { (bounded(step.text())) } " "
                        (self.events_of(&[step.event_id]))
                    }
                }
            }
        }
    }

    /// The first state whole, and of each later one what is new.
    fn code(&self) -> Markup {
        let versions = self.material.versions;
        let omitted = self.material.versions_omitted;
        html! {
            @if omitted > 0 {
                p { "The page has no room for " (count(omitted as u64, "more state")) " of the code." }
            }
            @for (at, version) in versions.iter().enumerate() {
                h3 { (self.look.clock(version.at)) ", " (clean(&version.what)) " "
                    (self.events_of(&[version.event])) }
                @let before = versions[..at].iter().rev().find_map(|one| one.code.as_deref());
                @match (before, version.code.as_deref()) {
                    (_, None) => p { "The code has been deleted." },
                    (None, Some(code)) => pre { code { (clean(code)) } },
                    (Some(before), Some(code)) => (difference(before, code)),
                }
            }
        }
    }

    fn events(&self) -> Markup {
        let omitted = self.material.log.len() - self.listed.len();
        let shown = self.material.log.iter().skip(omitted);
        html! {
            @if omitted > 0 {
                p { "The page has no room for the first " (count(omitted as u64, "event")) "." }
            }
            table.events {
                caption { "What happened, in order" }
                thead {
                    tr {
                        th scope="col" { "Event" }
                        th scope="col" { "Time" }
                        th scope="col" { "Who" }
                        th scope="col" { "What" }
                    }
                }
                tbody {
                    @for record in shown { (self.event(record)) }
                }
            }
        }
    }

    fn event(&self, record: &ToldRecord) -> Markup {
        let text = told(record);
        let who = record.telling.as_ref().and_then(|telling| who(telling.channel, Role::Candidate));
        let time = self.look.clock(record.timestamp);
        html! {
            tr id=(anchor(record.event_id)) {
                th scope="row" { (record.event_id) }
                td { (time) }
                td { (who.unwrap_or("vosim")) }
                td.text {
                    @if text.is_empty() { (clean(&record.event_type)) } @else { (bounded(&text)) }
                }
            }
        }
    }

    /// What is told, its events as links.
    fn told(&self, told: &Founded) -> Markup {
        html! {
            span.text { (clean(&told.text)) }
            @if !told.events.is_empty() { " " (self.events_of(&told.events)) }
        }
    }

    fn events_of(&self, events: &[EventId]) -> Markup {
        let (shown, more) = words::named(events);
        html! {
            span.events-of {
                "(" (if events.len() == 1 { "event " } else { "events " })
                @for (at, event) in shown.iter().enumerate() {
                    @if at > 0 { ", " }
                    @if self.listed.contains(event) {
                        a href=(format!("#{}", anchor(*event))) { (event) }
                    } @else { (event) }
                }
                @if more > 0 { " and " (more) " more" }
                ")"
            }
        }
    }
}

fn anchor(event: EventId) -> String {
    format!("e{event}")
}

/// What is new, line by line: the signs stand in the text, so that a difference is heard and copied too.
fn difference(before: &str, after: &str) -> Markup {
    let diff = TextDiff::from_lines(before, after);
    let groups = diff.grouped_ops(CONTEXT);
    if groups.is_empty() {
        return html! { p { "The same as before." } };
    }
    html! {
        pre.diff {
            code {
                @for (at, group) in groups.iter().enumerate() {
                    @if at > 0 { span.gap { "…\n" } }
                    @for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                        @let line = clean(change.value());
                        @match change.tag() {
                            ChangeTag::Equal => span { "  " (line) "\n" },
                            ChangeTag::Delete => del { "- " (line) "\n" },
                            ChangeTag::Insert => ins { "+ " (line) "\n" },
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::report::Report;

    use super::material::Version;
    use super::*;
    use crate::render::interview::samples;
    use crate::render::report::samples::report;
    use crate::render::samples::at;

    fn drawn(report: &Report, versions: &[Version]) -> String {
        let log = samples::records();
        page(&Material { report, log: &log, versions, versions_omitted: 1 }, &Look::PLAIN)
    }

    fn version(event: u64, code: Option<&str>) -> Version {
        let code = code.map(str::to_owned);
        Version { event: EventId(event), at: at(20), what: "Saved.".to_owned(), code }
    }

    #[test]
    fn the_page_says_what_the_terminal_says_and_asks_nothing_of_anybody() {
        let versions = [version(3, Some("a = 1\nb = 2\n")), version(4, Some("a = 1\nb = 3\n"))];
        let page = drawn(&report(), &versions);
        for said in [
            "<title>Interview Report: LRU Cache</title>",
            "Requirements: heard",
            "Metrics: not spoken of",
            "I would measure the time of a call at two sizes.",
            "Say something about metrics in 'Frame the problem'",
            "<del>- b = 2\n</del><ins>+ b = 3\n</ins>",
            "role=\"img\"",
            "prefers-color-scheme: dark",
            "no room for 1 more state of the code",
        ] {
            assert!(page.contains(said), "{said}\n{page}");
        }
        for asked in ["http:", "https:", "src=", "url(", "<script", "@import", " onclick"] {
            assert!(!page.contains(asked), "{asked}");
        }
    }

    #[test]
    fn every_link_leads_to_a_place_of_the_page() {
        let page = drawn(&report(), &[version(3, None)]);
        let after = |mark: &str| {
            let parts = page.split(mark).skip(1);
            parts.filter_map(|part| part.split('"').next()).map(str::to_owned).collect::<Vec<_>>()
        };
        let places: BTreeSet<_> = after("id=\"").into_iter().collect();
        let links = after("href=\"#");
        assert!(links.len() > 8, "{links:?}");
        assert_eq!(links.iter().find(|link| !places.contains(*link)), None);
        assert_eq!(places.len(), after("id=\"").len(), "a place stands twice");
    }

    #[test]
    fn what_comes_from_elsewhere_is_text() {
        let mut report = report();
        report.title = "<script>alert(1)</script>\u{1b}[2J\u{202e}".to_owned();
        let code = "</code></pre><img src=x onerror=alert(1)>";
        let page = drawn(&report, &[version(3, Some(code))]);
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        assert!(page.contains("&lt;script&gt;") && page.contains("\\x1b[2J\\u{202e}"));
    }

    #[test]
    fn a_long_log_and_a_long_text_are_cut_and_say_so() {
        let record = samples::records().remove(0);
        let log: Vec<_> = (1..=EVENTS_MAX as u64 + 5)
            .map(|id| {
                let mut record = record.clone();
                record.record.event_id = EventId(id);
                record
            })
            .collect();
        let report = report();
        let material = Material { report: &report, log: &log, versions: &[], versions_omitted: 0 };
        let page = page(&material, &Look::PLAIN);
        assert!(page.contains("no room for the first 5 events"));
        assert!(!page.contains("id=\"e5\"") && page.contains("id=\"e6\""));
        assert!(bounded(&"x".repeat(TEXT_MAX_BYTES + 1)).ends_with("x…"));
    }
}
