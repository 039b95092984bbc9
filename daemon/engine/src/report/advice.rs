//! What to do next: rules over a report, tried in their order until there are three things to do.
//!
//! A rule rests on what stands in the report and names the events; none praises, and none guesses.

use std::collections::BTreeMap;

use vosim_protocol::phrase;
use vosim_protocol::v1::clauses;
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::evaluation::Growth;
use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::report::{ADVICE_MAX, Advice, AdviceRule, Report, SectionReport, Tried};
use vosim_protocol::{EventId, Kind, Outcome};

use crate::because::spaced;

/// Most dimensions that are spoken of, so that other rules have their turn.
const DIMENSIONS_MAX: usize = 2;
/// Failures over one cause from which on it is named.
const SAME_CAUSE: usize = 3;

/// What to do next, most important first.
pub(super) fn advise(report: &Report, discussion: &Discussion) -> Vec<Advice> {
    // A task was the agent's: nobody has practised.
    if report.problem_id.is_none() {
        return Vec::new();
    }
    let rules: [&dyn Fn() -> Vec<Advice>; 9] = [
        &|| unsolved(report),
        &|| dimensions(report, Coverage::NotCovered),
        &|| with_help(report),
        &|| dimensions(report, Coverage::PartiallyCovered),
        &|| same_cause(report),
        &|| not_tried(report),
        &|| late(report),
        &|| grows(report),
        &|| afterwards(report, discussion),
    ];
    rules.iter().flat_map(|rule| rule()).take(ADVICE_MAX).collect()
}

fn advice(rule: AdviceRule, what: Phrase, reason: Phrase, events: Vec<EventId>) -> Vec<Advice> {
    vec![Advice { rule, what, reason, events }]
}

/// The last submission that was judged.
fn last(report: &Report) -> Option<&Tried> {
    report.submissions.iter().rev().find(|tried| tried.verdict().is_some())
}

fn unsolved(report: &Report) -> Vec<Advice> {
    let title = report.title.as_str();
    let Some(last) = last(report) else {
        let what = phrase!("advice.first", title);
        return advice(AdviceRule::NothingJudged, what, phrase!("advice.first_why"), Vec::new());
    };
    let Some((event, verdict)) = last.told().filter(|_| !last.passed()) else {
        return Vec::new();
    };
    let what = match last.issue() {
        Some(issue) => phrase!("advice.again", title, cause = spaced(issue)),
        None => phrase!("advice.again_plain", title),
    };
    let events = vec![last.event_id, event];
    advice(AdviceRule::LastFailed, what, phrase!("advice.again_why", verdict), events)
}

/// Of each section the most important required dimension that was heard as far as this.
fn dimensions(report: &Report, coverage: Coverage) -> Vec<Advice> {
    let first = |section: &'_ SectionReport| {
        let mut all = section.dimensions.iter();
        all.position(|one| one.required && one.coverage == coverage)
    };
    let such = report.sections.iter().filter_map(|section| Some((section, first(section)?)));
    such.take(DIMENSIONS_MAX).flat_map(|(section, at)| dimension(section, at)).collect()
}

fn dimension(of: &SectionReport, at: usize) -> Vec<Advice> {
    let (section, one) = (of.title.as_str(), &of.dimensions[at]);
    let dimension = one.title.to_lowercase();
    let asked = one.question.as_ref().map(|question| question.event_id);
    if one.coverage == Coverage::NotCovered {
        let what = phrase!("advice.speak", dimension, section);
        let reason = match (one.declined, asked) {
            (Some(_), _) => phrase!("advice.speak_declined"),
            (None, Some(_)) => phrase!("advice.speak_asked"),
            (None, None) => phrase!("advice.speak_unasked"),
        };
        let told = asked.or(of.ended);
        let events = told.into_iter().chain(one.declined).collect();
        advice(AdviceRule::NotSpokenOf, what, reason, events)
    } else {
        let what = phrase!("advice.deepen", dimension, section);
        let events = one.heard.into_iter().chain(asked).collect();
        advice(AdviceRule::OnlyTouched, what, phrase!("advice.deepen_why"), events)
    }
}

fn with_help(report: &Report) -> Vec<Advice> {
    let title = report.title.as_str();
    let (what, reason, events) = match report.outcome {
        Some(Outcome::Hinted) if !report.hints.is_empty() => {
            let level = report.hints.iter().map(|hint| u32::from(hint.level)).max();
            let hints = report.hints.len() as u64;
            let reason = phrase!("advice.unhinted_why", hints, level = level.unwrap_or_default());
            let events = report.hints.iter().map(|hint| hint.event_id).collect();
            (phrase!("advice.unhinted", title), reason, events)
        }
        Some(Outcome::Assisted) => {
            let answered = report.assistant.iter().filter(|asked| !asked.withheld);
            let events: Vec<_> = answered.filter_map(|asked| asked.answer).collect();
            let reason = phrase!("advice.unassisted_why", answers = events.len() as u64);
            (phrase!("advice.unassisted", title), reason, events)
        }
        Some(Outcome::Level4) => {
            let shown = report.hints.iter().filter(|hint| hint.level > 3);
            let events = shown.map(|hint| hint.event_id).collect();
            (phrase!("advice.unshown", title), phrase!("advice.unshown_why"), events)
        }
        Some(Outcome::Hinted | Outcome::Unaided | Outcome::Failed | Outcome::Abandoned) | None => {
            return Vec::new();
        }
    };
    advice(AdviceRule::SolvedWithHelp, what, reason, events)
}

fn same_cause(report: &Report) -> Vec<Advice> {
    let mut over: BTreeMap<&str, Vec<EventId>> = BTreeMap::new();
    for tried in &report.submissions {
        if let (Some(issue), Some((event, _))) = (tried.issue(), tried.verdict()) {
            over.entry(issue).or_default().push(event);
        }
    }
    let worst = over.into_iter().max_by_key(|(_, events)| events.len());
    let Some((cause, events)) = worst.filter(|(_, events)| events.len() >= SAME_CAUSE) else {
        return Vec::new();
    };
    let failures = events.len() as u64;
    let reason = phrase!("advice.cause_why", failures, cause = spaced(cause));
    advice(AdviceRule::SameCause, phrase!("advice.cause"), reason, events)
}

fn not_tried(report: &Report) -> Vec<Advice> {
    // A drill takes no note of what was tried beside it.
    if report.kind == Kind::Drill {
        return Vec::new();
    }
    let first = report.submissions.iter().find(|tried| tried.verdict().is_some());
    let Some(first) = first.filter(|tried| report.submissions_omitted == 0 && !tried.passed())
    else {
        return Vec::new();
    };
    if report.own_runs.iter().any(|run| *run < first.event_id) {
        return Vec::new();
    }
    let events = first.verdict().map(|(event, _)| event).into_iter().collect();
    advice(AdviceRule::NotTried, phrase!("advice.try"), phrase!("advice.try_why"), events)
}

fn late(report: &Report) -> Vec<Advice> {
    if report.late.is_empty() {
        return Vec::new();
    }
    let events: Vec<_> = report.late.iter().map(|late| late.event_id).collect();
    let reason = phrase!("advice.late_why", late = events.len() as u64);
    advice(AdviceRule::Late, phrase!("advice.late"), reason, events)
}

fn grows(report: &Report) -> Vec<Advice> {
    let grown = report.growth.as_ref().filter(|grown| grown.measured.growth == Growth::Linear);
    let Some(grown) = grown else { return Vec::new() };
    let what = phrase!("advice.grows", size = grown.measured.size.as_str());
    let reason = phrase!("advice.grows_why", growth = clauses::growth(&grown.measured));
    advice(AdviceRule::Grows, what, reason, vec![grown.event_id])
}

/// What is always worth doing.
fn afterwards(report: &Report, discussion: &Discussion) -> Vec<Advice> {
    let title = report.title.as_str();
    let passed = last(report).filter(|tried| tried.passed()).and_then(Tried::verdict);
    let mut all = Vec::new();
    if let Some((verdict, _)) = passed {
        for variation in discussion.variations.iter().take(ADVICE_MAX - 1) {
            let (name, text) = (variation.title.as_str(), variation.text.as_str());
            let what = phrase!("advice.variation", variation = name, text);
            let reason = phrase!("advice.variation_why");
            all.extend(advice(AdviceRule::Variation, what, reason, vec![verdict]));
        }
        let (what, reason) = (phrase!("advice.return", title), phrase!("advice.return_why"));
        all.extend(advice(AdviceRule::ComeBack, what, reason, vec![verdict]));
    }
    let (what, reason) = (phrase!("advice.read", title), phrase!("advice.read_why"));
    all.extend(advice(AdviceRule::ReadUp, what, reason, Vec::new()));
    if passed.is_none() {
        let (what, reason) = (phrase!("advice.retry", title), phrase!("advice.retry_why"));
        all.extend(advice(AdviceRule::ComeBack, what, reason, Vec::new()));
    }
    all
}
