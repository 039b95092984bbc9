//! The pictures of a report, drawn here: the course of a session, and how the time per operation grows.
//!
//! Each has a title that says what it shows, and all that it shows stands in words beside it too.

use maud::{Markup, html};
use vosim_protocol::Time;
use vosim_protocol::v1::clauses;
use vosim_protocol::v1::evaluation::GrowthPoint;
use vosim_protocol::v1::phrase::Span;
use vosim_protocol::v1::report::{Grown, Report};
use vosim_protocol::v1::sentences::span;
use vosim_protocol::v1::telling::{Channel, ToldRecord, Tone};

use super::material::Material;
use crate::render::look::Look;
use crate::render::text::{clean_text as clean, count, thousands};

/// The measures of a picture, in its own units.
const WIDTH: u64 = 900;
const LEFT: u64 = 110;
const RIGHT: u64 = 20;
const LANE: u64 = 26;
/// Most marks that are drawn in a lane: more cannot be told apart.
const MARKS_MAX: usize = 400;

/// A row of the course.
struct Lane {
    name: &'static str,
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Dot,
    Square,
    Cross,
}

struct Mark {
    at: Time,
    shape: Shape,
}

/// The course: sections, messages, saves, runs and verdicts over time.
pub(super) fn course(material: &Material<'_>, look: &Look) -> Markup {
    let report = material.report;
    let lanes = lanes(material.log);
    let rows = lanes.len() as u64 + u64::from(!report.sections.is_empty());
    let height = rows * LANE + 30;
    let told = told(report, &lanes);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-labelledby="course-title" {
            title id="course-title" { (told) }
            @if !report.sections.is_empty() { (sections(report)) }
            @for (row, lane) in (rows - lanes.len() as u64..).zip(&lanes) {
                @let y = row * LANE + LANE / 2;
                text x="0" y=(y + 4) { (lane.name) }
                line.axis x1=(LEFT) y1=(y) x2=(WIDTH - RIGHT) y2=(y) {}
                @for mark in lane.marks.iter().take(MARKS_MAX) { (drawn(mark, x(report, mark.at), y)) }
            }
            @let y = rows * LANE;
            text x=(LEFT) y=(y + 20) { (look.clock(report.started)) }
            text x=(WIDTH - RIGHT) y=(y + 20) text-anchor="end" { (look.clock(report.ended)) }
        }
        p { (told) }
    }
}

/// What the picture shows, in words.
fn told(report: &Report, lanes: &[Lane]) -> String {
    let time = span(Span::between(report.started, report.ended));
    let mut parts: Vec<_> = lanes
        .iter()
        .map(|lane| format!("{} ({})", lane.name.to_lowercase(), lane.marks.len()))
        .collect();
    if !report.sections.is_empty() {
        parts.insert(0, count(report.sections.len() as u64, "section"));
    }
    format!("{time} from the beginning to the end: {}.", parts.join(", "))
}

fn lanes(log: &[ToldRecord]) -> Vec<Lane> {
    let of = |name, is: &dyn Fn(&ToldRecord) -> Option<Shape>| {
        let marks = log.iter().filter_map(|record| Some((record.timestamp, is(record)?)));
        let marks: Vec<_> = marks.map(|(at, shape)| Mark { at, shape }).collect();
        Lane { name, marks }
    };
    let says = |channel: Channel| {
        move |record: &ToldRecord| {
            let telling = record.telling.as_ref()?;
            (telling.channel == channel && telling.line.is_some()).then_some(Shape::Dot)
        }
    };
    let named = |names: &'static [&'static str]| {
        move |record: &ToldRecord| names.contains(&record.event_type.as_str()).then_some(Shape::Dot)
    };
    let verdict = |record: &ToldRecord| {
        let tone = record.telling.as_ref().map(|telling| telling.tone);
        let passed = if tone == Some(Tone::Good) { Shape::Square } else { Shape::Cross };
        (record.event_type == "EVAL_RESULT").then_some(passed)
    };
    let all = [
        of("You", &says(Channel::Candidate)),
        of("Interviewer", &says(Channel::Interviewer)),
        of("Saves", &named(&["SOLUTION_SAVED"])),
        of("Own cases", &named(&["OWN_TESTS_STARTED", "OWN_CASES_RUN"])),
        of("Submissions", &named(&["CODE_SUBMITTED", "CANDIDATE_CODE_SUBMISSION", "TESTS_ASKED"])),
        of("Verdicts", &verdict),
    ];
    all.into_iter().filter(|lane| !lane.marks.is_empty()).collect()
}

/// Where a moment is drawn.
fn x(report: &Report, at: Time) -> u64 {
    let whole = report.ended.micros_since(report.started).max(1).unsigned_abs();
    let since = at.micros_since(report.started).max(0).unsigned_abs().min(whole);
    let room = u128::from(WIDTH - LEFT - RIGHT);
    let along = u128::from(since) * room / u128::from(whole);
    LEFT + u64::try_from(along).unwrap_or(0)
}

fn sections(report: &Report) -> Markup {
    html! {
        text x="0" y=(LANE / 2 + 4) { "Sections" }
        @for section in &report.sections {
            @let begin = x(report, section.at);
            @let used = i64::try_from(section.used_ms).unwrap_or(i64::MAX / 1_000);
            @let end = x(report, section.at.plus_micros(used.saturating_mul(1_000))).max(begin + 2);
            rect.bar x=(begin) y="3" width=(end - begin) height=(LANE - 6) {}
            // A name is drawn where it fits, about seven units a letter; all stand in words below.
            @if (section.title.chars().count() as u64) * 7 < end - begin {
                text x=(begin + 4) y=(LANE / 2 + 4) { (clean(&section.title)) }
            }
        }
    }
}

fn drawn(mark: &Mark, x: u64, y: u64) -> Markup {
    match mark.shape {
        Shape::Dot => html! { circle.mark cx=(x) cy=(y) r="4" {} },
        Shape::Square => {
            html! { rect.pass x=(x.saturating_sub(5)) y=(y.saturating_sub(5)) width="10" height="10" {} }
        }
        Shape::Cross => {
            let (left, top) = (x.saturating_sub(5), y.saturating_sub(5));
            html! { path.fail d=(format!("M{left} {top}l10 10M{left} {}l10 -10", top + 10)) {} }
        }
    }
}

/// The time per operation over the size, with its figures.
pub(super) fn growth(grown: &Grown) -> Markup {
    let measured = &grown.measured;
    let told = clauses::growth(measured).text;
    html! {
        @if let [_, _, ..] = measured.points.as_slice() {
            svg viewBox="0 0 900 260" role="img" aria-labelledby="growth-title" {
                title id="growth-title" { (clean(&told)) }
                (curve(&measured.points))
            }
        }
        p { (clean(&told)) }
        @if !measured.points.is_empty() {
            table {
                caption { "The figures" }
                thead {
                    tr { th scope="col" { (clean(&measured.size)) } th scope="col" { "Nanoseconds" } }
                }
                tbody {
                    @for point in &measured.points {
                        tr { th scope="row" { (thousands(point.size)) } td { (thousands(point.nanos)) } }
                    }
                }
            }
        }
    }
}

/// The height of the plot.
const PLOT: u64 = 200;

fn curve(points: &[GrowthPoint]) -> Markup {
    let most = |of: fn(&GrowthPoint) -> u64| points.iter().map(of).max().unwrap_or(1).max(1);
    let (widest, slowest) = (most(|point| point.size), most(|point| point.nanos));
    let along = |value: u64, most: u64, room: u64| {
        u64::try_from(u128::from(value) * u128::from(room) / u128::from(most)).unwrap_or(0)
    };
    let place = |point: &GrowthPoint| {
        let x = LEFT + along(point.size, widest, WIDTH - LEFT - 80);
        (x, PLOT + 10 - along(point.nanos, slowest, PLOT - 10))
    };
    let line: Vec<_> = points.iter().map(place).map(|(x, y)| format!("{x},{y}")).collect();
    html! {
        line.axis x1=(LEFT) y1="10" x2=(LEFT) y2=(PLOT + 10) {}
        line.axis x1=(LEFT) y1=(PLOT + 10) x2=(WIDTH - RIGHT) y2=(PLOT + 10) {}
        text x="0" y="20" { (thousands(slowest)) " ns" }
        text x="0" y=(PLOT + 14) { "0" }
        polyline.curve points=(line.join(" ")) {}
        @for point in points {
            @let (x, y) = place(point);
            circle.mark cx=(x) cy=(y) r="4" {}
            text x=(x) y=(PLOT + 30) text-anchor="middle" { (thousands(point.size)) }
        }
    }
}
