//! An event of an interview in a few words, for `log`.

use vosim_protocol::v1::coverage::{Coverage, CoverageChange, CoverageRule, FollowupRule, Guard};

use vosim_protocol::EventRecord;
use vosim_protocol::v1::events::Events as _;
use vosim_protocol::v1::interview::{Event, Origin, ReturnedBy, TerminationReason};
use vosim_protocol::v1::session::SessionEvent;

use crate::render::drill::of_session;
use crate::render::interview::words::{distance, exit, length, unwatched, violation};
use crate::render::text::count;

/// An event as its type: of any session, or of an interview; None for one of a newer daemon.
pub(crate) enum Told {
    Session(SessionEvent),
    Interview(Box<Event>),
}

impl Told {
    pub(crate) fn read(record: &EventRecord) -> Option<Self> {
        let (event_type, payload) = (record.event_type.as_str(), || record.payload.clone());
        let of_session = SessionEvent::read(event_type, payload()).ok().map(Self::Session);
        of_session.or_else(|| {
            Event::read(event_type, payload()).ok().map(|event| Self::Interview(Box::new(event)))
        })
    }
}

/// None for an event of a newer daemon.
pub(crate) fn gist(record: &EventRecord) -> Option<String> {
    match Told::read(record)? {
        Told::Session(event) => Some(of_session(&event)),
        Told::Interview(event) => Some(of_interview(&event)),
    }
}

fn of_interview(event: &Event) -> String {
    match event {
        Event::InterviewCreated(e) => {
            let sections = count(e.sections.len() as u64, "section");
            format!("{} for {}, {sections}, {}", e.problem_id, e.candidate_id, length(e.total_ms))
        }
        Event::InterviewStarted(_) => "the clock runs".to_owned(),
        Event::SectionStarted(e) => format!("section {}: {}", e.number, e.title),
        Event::PromptPresented(e) => one_line(&e.text),
        Event::CandidateMessage(e) => {
            let late = if e.late { ", late" } else { "" };
            let guard = e.guard.map_or("", |g| if g == Guard::Late { "" } else { guard(g) });
            format!("{}{late}{guard}: {}{}", e.section_id, one_line(&e.text), changes(&e.coverage))
        }
        Event::ClarificationGiven(e) => {
            format!("{}: {}{}", e.card, one_line(&e.text), changes(e.coverage.as_slice()))
        }
        Event::FollowupSelected(e) => {
            let rule = rule(e.rule);
            format!("{} {}, {rule}: {}", e.dimension, e.pool_index + 1, one_line(&e.question))
        }
        Event::FollowupPresented(e) => format!("{}: {}", e.dimension, one_line(&e.text)),
        Event::WordingFailed(e) => format!("event {}: {}", e.request, e.reason),
        Event::CandidateCodeSubmission(e) => {
            let origin = match e.origin {
                Origin::Candidate if e.late => ", late",
                Origin::Candidate => "",
                Origin::Deadline => ", at the deadline",
                Origin::SectionEnd => ", at the section's end",
            };
            let late = if e.captured_late { ", read after it" } else { "" };
            let again = if e.repeated { ", again" } else { "" };
            let last = if e.untaken.is_some() { ", the last save" } else { "" };
            let (n, lines) = (e.attempt_number, count(e.line_count, "line"));
            format!("attempt {n}{again}{origin}{late}{last}: {} ({lines})", e.file_path)
        }
        Event::EvalResult(e) => {
            let total = e.tests_passed + e.tests_failed;
            let detail = e.detail.map_or(String::new(), |d| format!(" ({})", d.word()));
            let verdict = format!("{}{detail} {}/{total}", e.failure_type, e.tests_passed);
            format!("attempt {}: {verdict}, {}ms", e.attempt_number, e.runtime_ms)
        }
        Event::EvalAborted(e) => format!("attempt {}: {}", e.attempt_number, e.reason),
        Event::OwnTestsStarted(e) => {
            format!("{} on {}", count(e.cases.len() as u64, "case"), e.file_path)
        }
        Event::OwnTestsResult(e) => {
            let total = e.passed + e.failed;
            format!("{}/{total} as expected{}", e.passed, changes(e.coverage.as_slice()))
        }
        Event::OwnTestsAborted(e) => e.reason.clone(),
        Event::HintRequested(e) => format!("after attempt {}", e.attempt_number),
        Event::HintGiven(e) => format!("level {}: {}", e.hint_level, one_line(&e.hint_text)),
        Event::SolutionWatched(e) => e.file_path.clone(),
        Event::SolutionSaved(e) => {
            format!("{}, {}", count(e.line_count, "line"), count(e.bytes, "byte"))
        }
        Event::SolutionUnwatched(e) => match unwatched(e) {
            Some(reason) => reason.to_owned(),
            None => "the file is no longer watched".to_owned(),
        },
        Event::AssistantQuery(e) => format!("{}: {}", e.kind.name(), one_line(&e.question)),
        Event::AssistantResponse(e) => {
            let broken: Vec<_> = e.violations.iter().map(|v| violation(*v)).collect();
            match broken.is_empty() {
                true => one_line(&e.text),
                false => format!("withheld, {}: {}", broken.join(" and "), one_line(&e.text)),
            }
        }
        Event::SectionTimeWarning(e) => format!("{} left in {}", length(e.left_ms), e.section_id),
        Event::ContentRequested(e) => {
            format!("{}: {} (missing: {})", e.section_id, one_line(&e.text), e.missing.join(", "))
        }
        Event::CoverageSatisfied(e) => format!("{} is covered", e.section_id),
        Event::SectionEnded(e) => {
            let unused = match e.unused_ms {
                0 => String::new(),
                unused => format!(", {} unused", distance(unused.saturating_mul(1000))),
            };
            format!("{}: {}{unused}", e.section_id, exit(e.reason))
        }
        Event::SectionSummarized(e) => {
            let messages = count(e.messages, "message");
            let followups = count(e.followups_asked, "follow-up");
            format!("{}: {messages}, {followups}", e.section_id)
        }
        Event::CandidateConnected(_) => "a terminal of the candidate is there".to_owned(),
        Event::CandidateDisconnected(_) => "no terminal of the candidate is there".to_owned(),
        Event::InterviewPaused(_) => "nobody came back; the time runs on".to_owned(),
        Event::CandidateReconnected(e) => {
            let by = match e.by {
                ReturnedBy::Terminal => "a terminal attached",
                ReturnedBy::Command => "a command was given",
            };
            format!("{by}, after {}", distance(e.away_ms.saturating_mul(1000)))
        }
        Event::InterviewCompleted(e) => {
            let judged = e.tests_passed.map_or("nothing judged".to_owned(), |(passed, all)| {
                format!("{passed}/{all} tests")
            });
            format!("{judged}, {}", length(e.duration_ms))
        }
        Event::InterviewTerminated(e) => match e.reason {
            TerminationReason::Abandoned => "the candidate left".to_owned(),
            TerminationReason::SystemError => "it could not go on".to_owned(),
        },
    }
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

fn guard(guard: Guard) -> &'static str {
    match guard {
        Guard::Echo => ", an echo",
        Guard::Question => ", only asks",
        Guard::Stuffing => ", mostly signal words",
        Guard::Declined => ", declined",
        Guard::Late => ", late",
    }
}

fn rule(rule: FollowupRule) -> &'static str {
    match rule {
        FollowupRule::UncoveredFirst => "not covered",
        FollowupRule::DeepenPartial => "partly covered",
    }
}

/// ` [complexity: covered, two groups in one message]`.
fn changes(changes: &[CoverageChange]) -> String {
    let told: Vec<_> = changes
        .iter()
        .map(|change| {
            let to = match change.to {
                Coverage::NotCovered => "not covered",
                Coverage::PartiallyCovered => "partly covered",
                Coverage::Covered => "covered",
            };
            format!("{}: {to}, {}", change.dimension, coverage_rule(change.rule))
        })
        .collect();
    if told.is_empty() { String::new() } else { format!(" [{}]", told.join("; ")) }
}

fn coverage_rule(rule: CoverageRule) -> &'static str {
    match rule {
        CoverageRule::OneGroup => "one group of signals",
        CoverageRule::TwoGroupsInOneMessage => "two groups in one message",
        CoverageRule::ThreeGroupsOverTheSection => "three groups over the section",
        CoverageRule::ClarificationAsked => "a clarifying question",
        CoverageRule::TestsOrVerdict => "tests run or verdict told",
        CoverageRule::TestsAndVerdict => "tests run and verdict told",
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::Kind;

    use crate::render::interview::samples;
    use crate::render::kind::event_line;
    use crate::render::look::Look;

    #[test]
    fn a_log_is_one_line_for_each_event_with_the_boundaries_of_sections() {
        let lines = |look: &Look| -> String {
            samples::records()
                .iter()
                .map(|record| event_line(Kind::Interview, record, look))
                .collect()
        };
        insta::assert_snapshot!(lines(&Look::PLAIN));
        insta::assert_snapshot!(lines(&Look { width: 60, ..Look::PLAIN }));
    }

    #[test]
    fn every_event_of_an_interview_is_among_the_samples() {
        let json = schema_of_events();
        let told: Vec<_> = samples::records().into_iter().map(|r| r.event_type).collect();
        let names = event_names(&json);
        assert_eq!(names.len(), 33);
        for name in names {
            assert!(told.contains(&name), "no sample of {name}");
        }
    }

    /// The description names each event's type as a constant.
    fn schema_of_events() -> String {
        let description = vosim_protocol::v1::service::describe();
        let event = &description.kinds["interview"].event;
        let name = event["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        description.definitions[name].to_string()
    }

    fn event_names(json: &str) -> Vec<String> {
        let after = json.split("\"const\":\"").skip(1);
        after.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    }
}
