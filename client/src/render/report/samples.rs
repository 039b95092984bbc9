//! A report made by hand for the snapshots: everything that can stand in one, once.

use vosim_protocol::phrase;
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::evaluation::{FailureType, Growth};
use vosim_protocol::v1::interview::ExitReason;
use vosim_protocol::v1::report::{
    Advice, AdviceRule, Asked, DimensionReport, Grown, HintUsed, Judgement, Late, LateThing,
    Quoted, Report, SectionReport, Tried,
};
use vosim_protocol::{EventId, Hash, Kind, Outcome};

use crate::render::samples::{at, growth, session};

fn dimension(title: &str, coverage: Coverage) -> DimensionReport {
    DimensionReport {
        dimension: title.to_lowercase(),
        title: title.to_owned(),
        required: true,
        coverage,
        heard: None,
        said: None,
        declined: None,
        question: None,
        sample: None,
    }
}

fn quoted(text: &str, event: u64) -> Option<Quoted> {
    Some(Quoted { text: text.to_owned(), event_id: EventId(event) })
}

fn section() -> SectionReport {
    let heard = DimensionReport {
        heard: Some(EventId(7)),
        said: quoted("A key goes in, and what was stored last comes out, or -1.", 7),
        ..dimension("Requirements", Coverage::Covered)
    };
    let touched = DimensionReport {
        heard: Some(EventId(9)),
        said: quoted("There are not so many keys.", 9),
        question: quoted("How large can the capacity get?", 10),
        sample: Some("The capacity is at most 1,000, and keys may be negative.".to_owned()),
        ..dimension("Constraints", Coverage::PartiallyCovered)
    };
    let missing = DimensionReport {
        question: quoted("How would you know that it is fast enough?", 12),
        sample: Some("I would measure the time of a call at two sizes.".to_owned()),
        ..dimension("Metrics", Coverage::NotCovered)
    };
    SectionReport {
        section_id: "frame".to_owned(),
        title: "Frame the problem".to_owned(),
        started: EventId(4),
        ended: Some(EventId(15)),
        at: at(1),
        exit_reason: Some(ExitReason::CandidateDone),
        given_ms: 600_000,
        used_ms: 492_000,
        dimensions: vec![heard, touched, missing],
    }
}

fn tried(number: u32, failure_type: FailureType, passed: u32, issue: Option<&str>) -> Tried {
    let event = EventId(u64::from(20 + number * 2));
    Tried {
        event_id: event,
        at: at(15 + i64::from(number)),
        number,
        code_hash: Hash::of(&number.to_le_bytes()),
        judged: Some(Judgement::Verdict {
            event_id: event.next(),
            failure_type,
            detail: None,
            tests_passed: passed,
            tests_failed: 12 - passed,
            issue: issue.map(str::to_owned),
        }),
    }
}

/// Of an interview.
pub(crate) fn report() -> Report {
    let aborted = Judgement::Aborted(Quoted {
        text: "no Python was found.".to_owned(),
        event_id: EventId(41),
    });
    let dimension = "metrics";
    Report {
        session_id: session(),
        kind: Kind::Interview,
        title: "LRU Cache".to_owned(),
        problem_id: Some("lru_cache".parse().unwrap()),
        candidate_id: Some("ada".to_owned()),
        started: at(1),
        ended: at(40),
        outcome: Some(Outcome::Hinted),
        sections: vec![section()],
        submissions: vec![
            tried(1, FailureType::WrongAnswer, 7, Some("eviction_logic")),
            tried(2, FailureType::Pass, 12, None),
            Tried {
                judged: Some(aborted),
                event_id: EventId(40),
                ..tried(3, FailureType::Pass, 0, None)
            },
        ],
        submissions_omitted: 0,
        own_runs: vec![EventId(18)],
        growth: Some(Grown { event_id: EventId(27), measured: growth(Growth::Constant) }),
        hints: vec![HintUsed {
            event_id: EventId(23),
            at: at(16),
            level: 1,
            issue: "eviction_logic".to_owned(),
        }],
        assistant: vec![Asked {
            event_id: EventId(30),
            at: at(20),
            kind: AskKind::Concept,
            answer: Some(EventId(31)),
            withheld: true,
        }],
        late: vec![Late {
            event_id: EventId(16),
            what: LateThing::Message,
            section_id: "frame".to_owned(),
            by_ms: 3_000,
        }],
        steps: Vec::new(),
        next: vec![Advice {
            rule: AdviceRule::NotSpokenOf,
            what: phrase!("advice.speak", dimension, section = "Frame the problem"),
            reason: phrase!("advice.speak_asked"),
            events: vec![EventId(12)],
        }],
    }
}
