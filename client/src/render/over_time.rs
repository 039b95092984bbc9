//! Sessions over time: how each came out, how long it took to the first pass, and what was heard, so that
//! somebody sees what gets better.
//!
//! Every figure names its sessions. Two halves are compared from four sessions on, and a half says how many
//! of how many, never a rate of its own making.

pub(crate) mod html;

use std::collections::BTreeMap;

use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::report::Report;
use vosim_protocol::{Outcome, Time};

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::review;
use crate::render::text::duration;

/// Fewest sessions of which two halves are compared.
const HALVES_MIN: usize = 4;

/// The screen, from reports in the order in which their sessions began.
pub(crate) fn over_time(reports: &[Report], omitted: usize, look: &Look) -> String {
    let mut page = Page::new(look);
    if reports.is_empty() {
        page.say(Tone::Plain, "No session about a problem has ended yet.");
        return page.finish();
    }
    page.say(Tone::Strong, &heading(reports.len(), omitted));
    for report in reports {
        page.item(Tone::Plain, &line(report, look));
    }
    for Table { title, rows } in tables(reports) {
        page.blank().say(Tone::Strong, title);
        for row in rows {
            page.item(Tone::Plain, &row.line());
        }
    }
    page.finish()
}

fn heading(shown: usize, omitted: usize) -> String {
    match omitted {
        0 => "Your sessions, oldest first".to_owned(),
        _ => format!("Your last {shown} sessions, oldest first"),
    }
}

/// `2026-01-05 23:30:00, interview, LRU Cache: solved unaided, first pass after 12m 03s, heard 6 of 9`.
fn line(report: &Report, look: &Look) -> String {
    let Cells { when, kind, title, outcome, first_pass, heard, session } = cells(report, look);
    let first_pass = first_pass.map_or(String::new(), |time| format!(", first pass after {time}"));
    let heard = heard.map_or(String::new(), |heard| format!(", heard {heard}"));
    format!("{when}, {kind}, {title}: {outcome}{first_pass}{heard} ({session})")
}

/// What is told of one session.
struct Cells {
    when: String,
    kind: String,
    title: String,
    outcome: &'static str,
    first_pass: Option<String>,
    heard: Option<String>,
    session: String,
}

fn cells(report: &Report, look: &Look) -> Cells {
    let (heard, all) = heard(report);
    Cells {
        when: look.moment(report.started),
        kind: report.kind.to_string(),
        title: report.title.clone(),
        outcome: report.outcome.map_or("over", review::outcome),
        first_pass: first_pass(report).map(duration),
        heard: (all > 0).then(|| format!("{heard} of {all}")),
        session: report.session_id.short(),
    }
}

/// Seconds from the beginning to the first submission that passed.
fn first_pass(report: &Report) -> Option<u64> {
    let at: Option<Time> =
        report.submissions.iter().find(|tried| tried.passed()).map(|tried| tried.at);
    // Of more submissions than the report has the first that passed is not known.
    at.filter(|_| report.submissions_omitted == 0).map(|at| at.secs_since(report.started))
}

/// How many required dimensions were heard, of how many.
fn heard(report: &Report) -> (usize, usize) {
    let required = report.sections.iter().flat_map(|section| &section.dimensions);
    let required: Vec<_> = required.filter(|dimension| dimension.required).collect();
    let heard = required.iter().filter(|one| one.coverage == Coverage::Covered).count();
    (heard, required.len())
}

/// A comparison of the earlier half with the later one.
struct Table {
    title: &'static str,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    earlier: String,
    later: String,
}

impl Row {
    fn line(&self) -> String {
        format!("{}: {} earlier, {} later", self.name, self.earlier, self.later)
    }
}

fn tables(reports: &[Report]) -> Vec<Table> {
    if reports.len() < HALVES_MIN {
        return Vec::new();
    }
    let (earlier, later) = reports.split_at(reports.len() / 2);
    let mut tables = vec![Table {
        title: "How they came out, the earlier half and the later one",
        rows: outcomes(earlier, later),
    }];
    let times = [median(earlier), median(later)];
    if let [Some(before), Some(now)] = times {
        let name = "The middle one".to_owned();
        let rows = vec![Row { name, earlier: duration(before), later: duration(now) }];
        tables.push(Table { title: "Time to the first pass", rows });
    }
    let heard = dimensions(earlier, later);
    if !heard.is_empty() {
        tables
            .push(Table { title: "What was heard, of the interviews it belongs to", rows: heard });
    }
    tables
}

fn outcomes(earlier: &[Report], later: &[Report]) -> Vec<Row> {
    let of = |reports: &[Report], outcome| {
        let such = reports.iter().filter(|report| report.outcome == Some(outcome)).count();
        (such, format!("{such} of {}", reports.len()))
    };
    let row = |outcome: Outcome| {
        let ((before, earlier), (now, later)) = (of(earlier, outcome), of(later, outcome));
        let name = crate::render::text::sentence(review::outcome(outcome));
        (before + now > 0).then_some(Row { name, earlier, later })
    };
    Outcome::ALL.into_iter().filter_map(row).collect()
}

fn median(reports: &[Report]) -> Option<u64> {
    let mut times: Vec<_> = reports.iter().filter_map(first_pass).collect();
    times.sort_unstable();
    // Of two in the middle the faster one, so that it is a time that was taken.
    times.get(times.len().checked_sub(1)? / 2).copied()
}

/// Each required dimension: in how many interviews it was heard, of those whose section began.
fn dimensions(earlier: &[Report], later: &[Report]) -> Vec<Row> {
    let mut order: Vec<String> = Vec::new();
    let mut counted = |reports: &[Report]| {
        let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        let sections = reports.iter().flat_map(|report| &report.sections);
        for one in sections.flat_map(|section| &section.dimensions).filter(|one| one.required) {
            if !order.contains(&one.title) {
                order.push(one.title.clone());
            }
            let (heard, all) = counts.entry(one.title.clone()).or_default();
            *heard += u32::from(one.coverage == Coverage::Covered);
            *all += 1;
        }
        counts
    };
    let (before, now) = (counted(earlier), counted(later));
    let of = |counts: &BTreeMap<String, (u32, u32)>, title: &str| {
        counts.get(title).map_or("-".to_owned(), |(heard, all)| format!("{heard} of {all}"))
    };
    let row = |name: String| Row { earlier: of(&before, &name), later: of(&now, &name), name };
    order.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use vosim_protocol::Kind;

    use super::*;
    use crate::render::report::samples::report;
    use crate::render::samples::at;

    fn drill(minute: i64, outcome: Outcome, passed: bool) -> Report {
        let mut one = report();
        one.submissions.truncate(if passed { 2 } else { 1 });
        for tried in &mut one.submissions {
            tried.at = at(minute + 5);
        }
        let (kind, outcome) = (Kind::Drill, Some(outcome));
        Report { kind, outcome, started: at(minute), sections: Vec::new(), ..one }
    }

    fn all() -> Vec<Report> {
        let mut better = report();
        for one in better.sections.iter_mut().flat_map(|section| &mut section.dimensions) {
            one.coverage = Coverage::Covered;
        }
        vec![
            drill(0, Outcome::Failed, false),
            report(),
            drill(60, Outcome::Unaided, true),
            Report { started: at(90), outcome: Some(Outcome::Unaided), ..better },
        ]
    }

    #[test]
    fn sessions_over_time_show_what_gets_better() {
        insta::assert_snapshot!(over_time(&all(), 0, &Look::PLAIN));
    }

    #[test]
    fn what_no_interview_of_a_half_asks_for_has_no_number_there() {
        let drills = || (0..2).map(|hour| drill(hour * 60, Outcome::Failed, false));
        let all: Vec<_> = drills().chain([report(), report()]).collect();
        let screen = over_time(&all, 0, &Look::PLAIN);
        assert!(!screen.contains("0 of 0"), "{screen}");
    }

    #[test]
    fn of_few_sessions_nothing_is_compared_and_of_none_that_is_said() {
        let screen = over_time(&all()[..3], 2, &Look::PLAIN);
        assert!(
            screen.starts_with("Your last 3 sessions") && !screen.contains("earlier"),
            "{screen}"
        );
        assert_eq!(over_time(&[], 0, &Look::PLAIN), "No session about a problem has ended yet.\n");
    }

    #[test]
    fn the_middle_time_is_one_that_was_taken() {
        assert_eq!(median(&all()), Some(300));
        assert_eq!(median(&all()[..1]), None);
    }
}
