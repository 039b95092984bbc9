//! An interview made by hand for the snapshots: two sections, everything that can happen once.

use serde_json::{Value, json};
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::coverage::Sentence;
use vosim_protocol::v1::evaluation::{FailureType, Growth};
use vosim_protocol::v1::interview::{
    AllowedAction, AssistantView, CurrentSection, ExitReason, Phase, SectionLine, SectionState,
    Substate, Turn, View, WatchView,
};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Hash};

use crate::render::samples::{at, growth, hint, line, record, session, wrong_answer};

const GOAL: &str = "Agree with the interviewer on what is to be built, and under which limits.";
const QUESTION: &str = "In your own words: what does `LRUCache` do, and what is unclear to you?";

fn section(id: &str, title: &str, minutes: u64, state: SectionState) -> SectionLine {
    SectionLine {
        section_id: id.to_owned(),
        title: title.to_owned(),
        duration_ms: minutes * 60_000,
        state,
        exit_reason: None,
        summary: Vec::new(),
    }
}

/// Where a command has led that opened the section which a view has open.
pub(crate) fn turn(view: &View) -> Turn {
    Turn {
        opened: view.current_section.clone(),
        sections: u32::try_from(view.sections.len()).unwrap(),
        allowed_actions: view.allowed_actions.clone(),
        over: view.ended.is_some(),
    }
}

/// In the second of two sections, with everything that can stand in a view.
pub(crate) fn view() -> View {
    let frame = SectionLine {
        exit_reason: Some(ExitReason::TimeExpired),
        summary: vec![Sentence {
            dimension: Some("requirements".to_owned()),
            text: "One key goes in, and what was stored last comes out, or -1.".to_owned(),
            event_id: EventId(7),
        }],
        ..section("frame", "Frame the problem", 10, SectionState::Ended)
    };
    let build = section("build", "Build and verify", 15, SectionState::Current);
    View {
        session_id: session(),
        problem_id: "lru_cache".parse().unwrap(),
        title: "LRU Cache".to_owned(),
        candidate_id: "ada".to_owned(),
        phase: Phase::InProgress,
        at: at(12),
        started: Some(at(1)),
        current_section: Some(CurrentSection {
            section_id: "build".to_owned(),
            title: "Build and verify".to_owned(),
            number: 2,
            goal: GOAL.to_owned(),
            substate: Substate::SectionQuestionActive,
            started: at(11),
            deadline: at(26),
            time_remaining_ms: 14 * 60_000,
            question: Some(QUESTION.to_owned()),
            ends_at: None,
            coding: true,
            followups_asked: None,
            followup_cap: None,
            coverage: None,
            required: None,
        }),
        sections: vec![frame, build],
        upcoming_sections: vec![],
        grace_until: Some(at(12).plus_secs(3)),
        pauses_at: Some(at(12).plus_secs(7)),
        typing_until: None,
        allowed_actions: vec![
            AllowedAction::Chat,
            AllowedAction::Code,
            AllowedAction::Submit,
            AllowedAction::AskAssistant,
            AllowedAction::Hint,
            AllowedAction::Done,
            AllowedAction::End,
        ],
        evaluating: Some(3),
        history: vec![line(1, FailureType::Exception, 3), line(2, FailureType::WrongAnswer, 5)],
        history_omitted: 0,
        testing: false,
        own_tests: None,
        hint_levels: vec![1],
        watched: Some(WatchView {
            file_path: "/home/ada/lru_cache.py".to_owned(),
            language: Language::Python,
            saves: 4,
            full: false,
            last_save: Some(at(11).plus_secs(50)),
            code_hash: Some(Hash::NONE),
            lost: None,
        }),
        assistant: AssistantView { queries: 2, violations: 1, pending: None },
        accommodation: Some("150% time, larger warnings".to_owned()),
        ended: None,
    }
}

/// Not started, for the interviewer's eyes, paused and covered, closing, completed, terminated.
pub(crate) fn views() -> Vec<View> {
    let open = view();
    let mut watched_by_another = View { grace_until: None, pauses_at: None, ..open.clone() };
    if let Some(now) = &mut watched_by_another.current_section {
        now.followups_asked = Some(1);
        now.followup_cap = Some(2);
        now.coverage = serde_json::from_value(
            json!({ "correctness": "not_covered", "verification": "partially_covered" }),
        )
        .unwrap();
    }
    let ended = |reason| {
        let mut sections = open.sections.clone();
        sections[1].state = SectionState::Ended;
        sections[1].exit_reason = Some(reason);
        View {
            sections,
            current_section: None,
            pauses_at: None,
            evaluating: None,
            allowed_actions: vec![],
            ..open.clone()
        }
    };
    let closing = View {
        phase: Phase::Closing,
        at: at(26).plus_secs(2),
        grace_until: Some(at(26).plus_secs(15)),
        allowed_actions: vec![AllowedAction::Chat],
        ..ended(ExitReason::TimeExpired)
    };
    let completed = View {
        phase: Phase::Completed,
        at: at(27),
        grace_until: None,
        history: vec![line(1, FailureType::Exception, 3), line(3, FailureType::Pass, 12)],
        history_omitted: 0,
        ended: Some(at(26).plus_secs(15)),
        ..ended(ExitReason::CandidateDone)
    };
    let terminated = View {
        phase: Phase::Terminated,
        at: at(27),
        grace_until: None,
        history: vec![],
        history_omitted: 0,
        ended: Some(at(20)),
        ..ended(ExitReason::SystemError)
    };
    vec![held(), watched_by_another, paused(), closing, completed, terminated]
}

fn held() -> View {
    View {
        phase: Phase::NotStarted,
        at: at(0),
        started: None,
        current_section: None,
        sections: vec![
            section("frame", "Frame the problem", 10, SectionState::Upcoming),
            section("build", "Build and verify", 15, SectionState::Upcoming),
        ],
        upcoming_sections: vec!["Frame the problem".to_owned(), "Build and verify".to_owned()],
        grace_until: None,
        pauses_at: None,
        allowed_actions: vec![AllowedAction::Begin, AllowedAction::End],
        evaluating: None,
        history: vec![],
        history_omitted: 0,
        hint_levels: vec![],
        watched: None,
        assistant: AssistantView::default(),
        accommodation: None,
        ..view()
    }
}

fn paused() -> View {
    let mut paused = View {
        phase: Phase::Paused,
        grace_until: None,
        pauses_at: None,
        evaluating: None,
        assistant: AssistantView { queries: 1, violations: 0, pending: Some(AskKind::Code) },
        ..view()
    };
    if let Some(now) = &mut paused.current_section {
        now.substate = Substate::SectionWrapup;
        now.ends_at = Some(at(12).plus_secs(20));
    }
    paused
}

/// Every event once, in an order in which they can happen; texts hold what a terminal would obey.
pub(crate) fn records() -> Vec<ToldRecord> {
    let mut all = beginning();
    all.extend(coding());
    all.extend(measuring());
    all.extend(ending());
    (1..).zip(all).map(|(id, (name, payload))| record(id, name, payload)).collect()
}

fn change() -> Value {
    json!({
        "dimension": "requirements", "from": "not_covered", "to": "partially_covered",
        "rule": "one_group",
    })
}

fn created() -> Value {
    let plan = |id: &str, title: &str, minutes: u64| {
        json!({
            "section_id": id, "title": title, "duration_ms": minutes * 60_000, "followup_cap": 2,
        })
    };
    json!({
        "schema_id": "standard", "schema_version": 1, "problem_id": "lru_cache",
        "candidate_id": "ada", "sections": [
            plan("frame", "Frame the problem", 10), plan("build", "Build and verify", 15),
        ],
        "total_ms": 1_500_000, "grace_seconds": 15,
        "accommodation": { "time_percent": 100, "larger_warnings": false },
        "python_version": "3.11.7",
    })
}

fn started(id: &str, number: u32, title: &str, minute: i64) -> Value {
    json!({
        "section_id": id, "number": number, "total": 2, "title": title, "goal": GOAL,
        "deadline": at(minute), "followup_budget": 2, "required": ["requirements"],
    })
}

/// What a model says of the message.
fn heard() -> Value {
    json!({
        "section_id": "frame", "message": 7, "model": "small-3b",
        "testimonies": [{
            "dimension": "requirements", "level": "covered",
            "quote": "It drops the oldest \u{1b}[2Jkey.",
        }],
        "coverage": [with(with(change(), "to", "covered"), "rule", "heard_by_model")],
    })
}

fn beginning() -> Vec<(&'static str, Value)> {
    vec![
        (
            "SESSION_CREATED",
            json!({ "kind": "interview", "title": "LRU Cache", "spec": Hash::NONE }),
        ),
        ("INTERVIEW_CREATED", created()),
        ("INTERVIEW_STARTED", json!({ "ends_by": at(26) })),
        ("SECTION_STARTED", started("frame", 1, "Frame the problem", 11)),
        ("CANDIDATE_CONNECTED", json!({})),
        (
            "PROMPT_PRESENTED",
            json!({ "section_id": "frame", "text": QUESTION, "words": "problem" }),
        ),
        (
            "CANDIDATE_MESSAGE",
            json!({
                "section_id": "frame", "text": "It drops the oldest \u{1b}[2Jkey.\nIs 0 a key?",
                "until_deadline_micros": 240_000_000, "word_count": 8, "coverage": [change()],
            }),
        ),
        (
            "CLARIFICATION_GIVEN",
            json!({
                "section_id": "frame", "in_reply_to": 7, "card": "zero", "text": "Yes, 0 is a key.",
                "nearest": "May a key be 0?", "coverage": change(),
            }),
        ),
        ("MESSAGE_HEARD", heard()),
        (
            "INQUIRY_ANSWERED",
            json!({
                "section_id": "frame", "inquiry": "time_left",
                "text": "9 min 30 s of this section are left; it is section 1 of 4.", "nearest": "how long have I got",
            }),
        ),
        (
            "FOLLOWUP_SELECTED",
            json!({
                "section_id": "frame", "dimension": "metrics", "pool_index": 0,
                "question": "How would you measure it?", "coverage_before": {},
                "rule": "uncovered_first", "budget_before": 2,
            }),
        ),
        ("WORDING_FAILED", json!({ "request": 9, "reason": "the model did not answer" })),
        (
            "FOLLOWUP_PRESENTED",
            json!({
                "section_id": "frame", "dimension": "metrics", "pool_index": 0,
                "text": "How would you measure it?", "words": "problem", "coverage_before": {},
                "rule": "uncovered_first", "budget_remaining": 1,
            }),
        ),
        ("QUESTIONS_OVER", json!({ "section_id": "frame" })),
        ("CANDIDATE_TYPING", json!({ "section_id": "frame", "until": at(10) })),
        ("CANDIDATE_TYPING_ENDED", json!({ "section_id": "frame", "stopped": true })),
        (
            "VARIATION_ASKED",
            json!({
                "section_id": "frame", "number": 1, "title": "A time to live",
                "text": "Each entry is to live for a minute. What would you change?",
            }),
        ),
        (
            "SECTION_TIME_WARNING",
            json!({
                "section_id": "frame", "title": "Frame the problem", "left_ms": 120_000,
                "deadline": at(11),
            }),
        ),
        (
            "CONTENT_REQUESTED",
            json!({
                "section_id": "frame", "text": "A little more, please.",
                "missing": ["what goes in and out", "the limits"],
            }),
        ),
        (
            "SECTION_ENDED",
            json!({
                "section_id": "frame", "title": "Frame the problem", "reason": "time_expired",
                "unused_ms": 0,
                "grace_until": at(14).plus_secs(15),
            }),
        ),
        ("SECTION_STARTED", started("build", 2, "Build and verify", 40)),
        (
            "CANDIDATE_MESSAGE",
            json!({
                "section_id": "frame", "text": "and at most 1000 keys", "late": true, "guard": "late",
                "until_deadline_micros": -14_900_000, "word_count": 5,
            }),
        ),
        (
            "SECTION_SUMMARIZED",
            json!({
                "section_id": "frame", "exit_reason": "time_expired", "coverage_flags": {},
                "bounded_context_summary": [], "followups_asked": 1, "messages": 2,
            }),
        ),
    ]
}

fn with(mut payload: Value, name: &str, value: impl Into<Value>) -> Value {
    payload[name] = value.into();
    payload
}

fn coding() -> Vec<(&'static str, Value)> {
    let file = json!("/home/ada/lru_cache.py");
    let submission = |submission: u32, origin: &str, late: bool| {
        json!({
            "section_id": "build", "attempt_number": submission, "file_path": file,
            "code_hash": Hash::NONE, "line_count": 42, "bytes": 900, "language": "python",
            "origin": origin, "captured_late": late, "until_deadline_micros": 60_000_000,
        })
    };
    let own = wrong_answer().evaluation;
    vec![
        ("SOLUTION_WATCHED", json!({ "file_path": file, "language": "python" })),
        (
            "SOLUTION_SAVED",
            json!({
                "code_hash": Hash::NONE, "line_count": 42, "bytes": 900, "modified": at(12),
            }),
        ),
        ("SOLUTION_LOST", json!({ "why": "too_large" })),
        (
            "OWN_TESTS_STARTED",
            json!({
                "section_id": "build", "file_path": file, "code_hash": Hash::NONE, "line_count": 42,
                "bytes": 900, "language": "python", "cases": [[], []],
            }),
        ),
        ("OWN_TESTS_RESULT", json!({ "request": 20, "passed": 1, "failed": 4, "evaluation": own })),
        ("OWN_TESTS_ABORTED", json!({ "request": 20, "reason": "no Python was found" })),
        ("CANDIDATE_CODE_SUBMISSION", submission(1, "candidate", false)),
        ("EVAL_RESULT", serde_json::to_value(wrong_answer()).unwrap()),
        ("EVAL_ABORTED", json!({ "attempt_number": 2, "reason": "no Python was found" })),
        (
            "HINT_REQUESTED",
            json!({
                "attempt_number": 1, "hint_level": 1, "trigger_reason": "first_hint_request",
                "issue": "x",
            }),
        ),
        ("HINT_GIVEN", serde_json::to_value(hint(1)).unwrap()),
        (
            "ASSISTANT_QUERY",
            json!({
                "section_id": "build", "kind": "concept", "question": "What is a doubly linked list?",
            }),
        ),
        (
            "ASSISTANT_RESPONSE",
            json!({
                "request": 28, "text": "A list whose nodes know both neighbours.", "released_tokens": 0,
            }),
        ),
        (
            "ASSISTANT_RESPONSE",
            json!({
                "request": 28, "text": "That I cannot write for you.", "released_tokens": 0,
                "violations": ["code", "plan"],
            }),
        ),
        ("CANDIDATE_DISCONNECTED", json!({ "pauses_at": at(32) })),
        ("INTERVIEW_PAUSED", json!({})),
        (
            "CANDIDATE_RECONNECTED",
            json!({ "by": "terminal", "away_ms": 75_000, "was_paused": true }),
        ),
        ("SUSPEND_OBSERVED", json!({ "suspended_micros": 2_400_000_000u64 })),
        ("CLOCK_ADJUSTED", json!({ "step_micros": 3_600_000_000i64, "sequence": 1 })),
        ("SOLUTION_UNWATCHED", json!({ "reason": "the file is gone" })),
        ("CANDIDATE_CODE_SUBMISSION", submission(2, "deadline", true)),
        (
            "CANDIDATE_CODE_SUBMISSION",
            with(submission(3, "section_end", false), "untaken", "empty"),
        ),
        ("CANDIDATE_CODE_SUBMISSION", with(submission(4, "candidate", false), "late", true)),
        ("SOLUTION_UNWATCHED", json!({ "not_submitted": "starter" })),
    ]
}

fn measuring() -> [(&'static str, Value); 2] {
    let started = json!({ "attempt_number": 1, "code_hash": Hash::NONE, "language": "python" });
    let measured = serde_json::to_value(growth(Growth::Constant)).unwrap();
    [("GROWTH_PROBE_STARTED", started), ("GROWTH_MEASURED", measured)]
}

fn ending() -> Vec<(&'static str, Value)> {
    vec![
        (
            "COVERAGE_SATISFIED",
            json!({
                "section_id": "build", "title": "Build and verify", "ends_at": at(41).plus_secs(20),
            }),
        ),
        (
            "SECTION_ENDED",
            json!({
                "section_id": "build", "title": "Build and verify",
                "reason": "coverage_satisfied", "unused_ms": 65_400,
            }),
        ),
        (
            "SUITE_DRAWN",
            json!({ "suite": Hash::of(b"s"), "embedded_because": "no Python was found" }),
        ),
        ("OF_THE_FUTURE", json!({ "x": "\u{1b}[2J" })),
        (
            "INTERVIEW_COMPLETED",
            json!({
                "exits": ["time_expired", "coverage_satisfied"], "tests_passed": [5, 12],
                "hints_used": 1, "assistant_queries": 2, "assistant_violations": 1,
                "duration_ms": 2_340_000,
            }),
        ),
        ("INTERVIEW_TERMINATED", json!({ "reason": "abandoned", "section_id": "build" })),
    ]
}
