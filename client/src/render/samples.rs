//! Data for the snapshots of screens: one small story, made by hand.

use std::collections::BTreeMap;

use serde_json::json;
use vosim_protocol::v1::drill::{
    AgentResponse, DrillOutcome, Phase, ResponseMetadata, ResponseType, SessionEnded, View,
};
use vosim_protocol::v1::evaluation::Growth;
use vosim_protocol::v1::evaluation::{
    CaseOutcome, CaseResult, Detail, Difference, Evaluation, FailureType, GrowthPoint, LimitHit,
    Load, Prints,
};
use vosim_protocol::v1::hints::{HintGiven, TriggerReason};
use vosim_protocol::v1::judging::{EvalResult, GrowthMeasured, ResultLine};
use vosim_protocol::v1::problem::{CaseInfo, Function, Interface, Language, Param};
use vosim_protocol::v1::service::{
    Accepted, BrokenPackage, ListResult, ProblemCard, ProblemLine, ProblemListResult,
};
use vosim_protocol::v1::talk::Words;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{
    Actor, EventId, EventRecord, Finished, Hash, Head, Json, Kind, Outcome, ProblemId, Role,
    SessionId, Standing, Time,
};

pub(crate) fn session() -> SessionId {
    SessionId("550e8400-e29b-41d4-a716-446655440000".parse().unwrap())
}

pub(crate) fn at(minute: i64) -> Time {
    "2026-01-05T22:30:00Z".parse::<Time>().unwrap().plus_secs(60 * minute)
}

pub(crate) fn line(
    attempt_number: u32,
    failure_type: FailureType,
    tests_passed: u32,
) -> ResultLine {
    ResultLine {
        attempt_number,
        failure_type,
        detail: None,
        tests_passed,
        tests_failed: 12 - tests_passed,
        file_path: "/home/ada/lru_cache.py".to_owned(),
        code_hash: Hash::of(&attempt_number.to_be_bytes()),
        language: Language::Python,
        at: at(attempt_number.into()),
        repeated: attempt_number == 2,
    }
}

pub(crate) fn view(phase: Phase) -> View {
    let history = match phase {
        Phase::ProblemPresented => vec![],
        Phase::Evaluating => vec![line(1, FailureType::Exception, 3)],
        Phase::AwaitingAction => vec![
            line(1, FailureType::Exception, 3),
            line(2, FailureType::Exception, 3),
            line(3, FailureType::WrongAnswer, 5),
        ],
        Phase::Done => vec![line(1, FailureType::WrongAnswer, 5), line(3, FailureType::Pass, 12)],
    };
    View {
        session_id: session(),
        problem_id: "lru_cache".parse().unwrap(),
        title: "LRU Cache".to_owned(),
        phase,
        started: at(0),
        duration_seconds: 932,
        submissions: u32::try_from(history.len()).unwrap(),
        evaluating: (phase == Phase::Evaluating).then_some(2),
        last_result: history.last().cloned(),
        best_tests_passed: history.iter().map(|line| line.tests_passed).max(),
        hint_levels: if phase == Phase::ProblemPresented { vec![] } else { vec![1, 2] },
        history,
        history_omitted: 0,
        growth: (phase == Phase::Done).then(|| growth(Growth::Constant)),
        variation: None,
        ended: (phase == Phase::Done).then(|| ended(DrillOutcome::Success)),
        allowed: vec![],
    }
}

pub(crate) fn ended(outcome: DrillOutcome) -> SessionEnded {
    let passed = match outcome {
        DrillOutcome::Success => 12,
        DrillOutcome::PartialSuccess => 7,
        DrillOutcome::Failure => 2,
        DrillOutcome::Abandoned => 0,
    };
    SessionEnded {
        outcome,
        total_attempts: 3,
        final_tests_passed: passed,
        final_tests_failed: if outcome == DrillOutcome::Abandoned { 0 } else { 12 - passed },
        hints_used: 2,
        duration_seconds: 1455,
        best_tests_passed: if outcome == DrillOutcome::PartialSuccess { 9 } else { passed },
        assisted: false,
    }
}

pub(crate) fn growth(growth: Growth) -> GrowthMeasured {
    let nanos = match growth {
        Growth::Constant => [310, 305, 322],
        Growth::Linear => [1_900, 7_600, 31_000],
        Growth::Unclear => [300, 900, 400],
    };
    let points = [1_000, 4_000, 16_000].into_iter().zip(nanos);
    GrowthMeasured {
        attempt_number: 3,
        size: "capacity".to_owned(),
        points: points.map(|(size, nanos)| GrowthPoint { size, nanos }).collect(),
        growth,
        reason: None,
    }
}

pub(crate) fn not_measured() -> GrowthMeasured {
    let reason = Some("the probe ran out of time".to_owned());
    GrowthMeasured { points: vec![], reason, ..growth(Growth::Unclear) }
}

pub(crate) fn infos() -> Vec<CaseInfo> {
    [
        ("test_basic_put_get", "Basic", "Put then get returns correct value", true),
        ("test_eviction_order_simple", "Eviction", "LRU item evicted first", true),
        ("test_capacity_large", "Edge Case", "Capacity of 1000", false),
        ("test_all_same_key", "Edge Case", "Repeatedly updating same key", false),
        ("test_deterministic_random", "Randomized", "Fixed seed: 100 random ops", false),
    ]
    .map(|(name, category, description, visible)| CaseInfo {
        name: name.to_owned(),
        category: category.to_owned(),
        description: description.to_owned(),
        visible,
    })
    .into()
}

fn case(name: &str, outcome: CaseOutcome) -> CaseResult {
    CaseResult {
        name: name.to_owned(),
        outcome,
        micros: 120,
        shown: None,
        twin: None,
        returned: None,
        prints: None,
    }
}

fn difference(input: &str, call: u64, expected: &str, actual: &str, column: u64) -> Difference {
    let [input, expected, actual] = [input, expected, actual].map(str::to_owned);
    Difference { input, call, expected, actual, column }
}

fn evaluation(load: Load, cases: Vec<CaseResult>) -> Evaluation {
    Evaluation {
        load,
        cases,
        limit: None,
        runtime_ms: 145,
        cpu_ms: 120,
        peak_memory: 9_000_000,
        language: Language::Python,
        runtime: "3.11.7".to_owned(),
        started: None,
        small_runs: None,
        notes: vec![],
    }
}

fn result(failure_type: FailureType, detail: Option<Detail>, evaluation: Evaluation) -> EvalResult {
    let failing = || evaluation.cases.iter().filter(|case| !case.outcome.passed());
    let failed = u32::try_from(failing().count()).unwrap();
    let not_run = failing().filter(|case| case.outcome == CaseOutcome::NotRun);
    EvalResult {
        attempt_number: 3,
        passed: failure_type == FailureType::Pass,
        failure_type,
        tests_passed: 5 - failed,
        tests_failed: failed,
        failing_tests: failing().map(|case| case.name.clone()).collect(),
        exception: None,
        runtime_ms: evaluation.runtime_ms,
        detail,
        limit: evaluation.limit.clone(),
        not_run: not_run.map(|case| case.name.clone()).collect(),
        issue: None,
        evaluation: Box::new(evaluation),
    }
}

pub(crate) fn wrong_answer() -> EvalResult {
    let mut simple = case("test_eviction_order_simple", CaseOutcome::Failed);
    let input = "LRUCache(2)  put(1, 1)  put(2, 2)  put(3, 3)  get(1)";
    simple.shown = Some(difference(input, 5, "-1", "1", 0));
    let text = "evicting \u{1b}[31m2\ncache = {1: 1, 3: 3}\n".to_owned();
    simple.prints = Some(Prints { bytes: 9_000, text, truncated: true });
    let mut large = case("test_capacity_large", CaseOutcome::Failed);
    large.twin = Some(difference("LRUCache(3)  put(1, 10)  get(1)", 3, "10", "100", 2));
    let random = case("test_deterministic_random", CaseOutcome::Failed);
    let raised =
        CaseOutcome::Raised { exception: "KeyError: 7 (lru_cache.py, line 12, in put)".to_owned() };
    let mut raised = case("test_all_same_key", raised);
    let input = "LRUCache(3)  put(7, 1)  put(7, 2)  put(8, 1000)  put(9, 2000)  put(10, 3000)";
    raised.shown = Some(difference(input, 6, "any value", "KeyError: 7", 0));
    let mut basic = case("test_basic_put_get", CaseOutcome::Passed);
    basic.prints = Some(Prints { text: "hello\n".to_owned(), bytes: 6, truncated: false });
    let cases = vec![basic, simple, large, raised, random];
    let mut evaluation = evaluation(Load::Loaded, cases);
    evaluation.notes.push("The file uses OrderedDict without importing it.".to_owned());
    let mut result = result(FailureType::Exception, Some(Detail::Exception), evaluation);
    result.exception = Some("KeyError: 7 (lru_cache.py, line 12, in put)".to_owned());
    result
}

pub(crate) fn pass() -> EvalResult {
    let cases = infos().iter().map(|info| case(&info.name, CaseOutcome::Passed)).collect();
    result(FailureType::Pass, None, evaluation(Load::Loaded, cases))
}

pub(crate) fn time_out() -> EvalResult {
    let stuck = CaseOutcome::Limit { detail: Detail::Time };
    let cases = vec![
        case("test_basic_put_get", CaseOutcome::Passed),
        case("test_eviction_order_simple", stuck),
        case("test_capacity_large", CaseOutcome::NotRun),
        case("test_all_same_key", CaseOutcome::NotRun),
        case("test_deterministic_random", CaseOutcome::NotRun),
    ];
    let mut evaluation = evaluation(Load::Loaded, cases);
    evaluation.limit = Some(LimitHit {
        detail: Detail::Time,
        value: "10 s".to_owned(),
        case: Some("test_eviction_order_simple".to_owned()),
    });
    result(FailureType::Exception, Some(Detail::Time), evaluation)
}

fn unusable(load: Load, failure_type: FailureType, detail: Detail) -> EvalResult {
    let cases = infos().iter().map(|info| case(&info.name, CaseOutcome::NotRun)).collect();
    result(failure_type, Some(detail), evaluation(load, cases))
}

pub(crate) fn import_error() -> EvalResult {
    let message = "SyntaxError: expected ':' (lru_cache.py, line 4)".to_owned();
    let load = Load::ImportError { detail: Detail::Syntax, message };
    unusable(load, FailureType::ImportError, Detail::Syntax)
}

pub(crate) fn wrong_signature() -> EvalResult {
    let load = Load::WrongSignature { message: "found Get, needed get(key)".to_owned() };
    unusable(load, FailureType::WrongSignature, Detail::Signature)
}

pub(crate) fn feedback() -> AgentResponse {
    AgentResponse {
        response_type: ResponseType::Feedback,
        message: "Your solution has issues with eviction logic. When the cache reaches capacity, \
                  it should remove the *least recently used* item."
            .to_owned(),
        metadata: ResponseMetadata {
            failure_type: FailureType::WrongAnswer,
            primary_issue: "eviction_logic".to_owned(),
            attempt_number: 3,
            words: Words::Problem,
            model: None,
        },
    }
}

pub(crate) fn hint(level: u8) -> HintGiven {
    let (hint_text, trigger_reason, words) = match level {
        1 => ("What holds the order of use?", TriggerReason::FirstHintRequest, Words::Problem),
        2 => (
            "Use two structures:\n\n- one finds\n- one orders",
            TriggerReason::SubmissionsMin2,
            Words::Model,
        ),
        3 => (
            "```\nput(key, value):\n    move to end\n```",
            TriggerReason::SameFailureRepeated,
            Words::Problem,
        ),
        _ => ("```python\nclass LRUCache:\n    ...\n```", TriggerReason::GiveUp, Words::Problem),
    };
    HintGiven {
        hint_level: level,
        hint_text: hint_text.to_owned(),
        trigger_reason,
        issue: "eviction_logic".to_owned(),
        words,
        model: (words == Words::Model).then(|| "small-3b".to_owned()),
    }
}

pub(crate) fn card() -> ProblemCard {
    let param = |name: &str| Param { name: name.to_owned(), kind: "int".to_owned() };
    let function = |name: &str, params, returns: Option<&str>| Function {
        name: name.to_owned(),
        params,
        returns: returns.map(str::to_owned),
    };
    ProblemCard {
        id: "lru_cache".parse().unwrap(),
        title: "LRU Cache".to_owned(),
        statement: "Build a cache that drops its *least recently used* key.\n\n## Limits\n\n\
                    - `capacity` is at least 1.\n"
            .to_owned(),
        interface: Interface::Class {
            name: "LRUCache".to_owned(),
            constructor: vec![param("capacity")],
            methods: vec![
                function("get", vec![param("key")], Some("int")),
                function("put", vec![param("key"), param("value")], None),
            ],
        },
        starters: BTreeMap::from([(Language::Python, "class LRUCache:\n".to_owned())]),
        cases: infos(),
        licence: "cc0".to_owned(),
        kind: None,
    }
}

pub(crate) fn problems() -> ProblemListResult {
    let line = ProblemLine {
        id: "lru_cache".parse().unwrap(),
        title: "LRU Cache".to_owned(),
        languages: Language::ALL.into(),
        cases: 12,
        licence: "cc0".to_owned(),
        rung: 3,
        patterns: vec!["Hash map with a doubly linked list".to_owned()],
        own: false,
        unproved: false,
        last: Some(Outcome::Hinted),
    };
    let own = ProblemLine {
        id: "bird_book".parse().unwrap(),
        title: "Bird Book".to_owned(),
        languages: vec![Language::Python],
        cases: 5,
        rung: 1,
        patterns: Vec::new(),
        own: true,
        unproved: true,
        last: None,
        ..line.clone()
    };
    let reason = "problem.yaml: is missing".to_owned();
    let unreadable = vec![BrokenPackage { id: "broken".parse().unwrap(), reason }];
    ProblemListResult { problems: vec![line, own], unreadable }
}

pub(crate) fn sessions() -> ListResult {
    let problem: ProblemId = "lru_cache".parse().unwrap();
    let outcome = Outcome::Hinted;
    let head = |session_id, phase: &str, ended, minute| Head {
        session_id,
        kind: Kind::Drill,
        phase: phase.to_owned(),
        ended,
        cursor: EventId(9),
        next_deadline: None,
        wants_waking: false,
        title: "LRU Cache".to_owned(),
        started: at(minute),
        last: at(minute + 1),
        spec: Hash::NONE,
        finished: ended.then(|| Finished { problem: problem.clone(), outcome }),
        standing: Some(Standing {
            problem: problem.clone(),
            submissions: 3,
            tests_passed: Some(if ended { 12 } else { 7 }),
            tests: Some(12),
            hints: 1,
        }),
    };
    let other = SessionId("661f9511-e29b-41d4-a716-446655440000".parse().unwrap());
    ListResult {
        sessions: vec![head(session(), "awaiting_action", false, 9), head(other, "done", true, 0)],
        current: Some(session()),
        total: 2,
    }
}

/// An accepted command of an interview that caused these events.
pub(crate) fn accepted(events: Vec<ToldRecord>) -> Accepted {
    Accepted {
        session_id: session(),
        kind: Kind::Interview,
        cursor: events.last().map_or(EventId(1), |record| record.event_id),
        replayed: false,
        events,
        receipt: None,
        awaits: None,
        result: None,
        subscription: None,
    }
}

/// A record with what it says, as the daemon adds it; what several kinds share is told as a drill
/// tells it.
pub(crate) fn record(event_id: u64, event_type: &str, payload: Json) -> ToldRecord {
    let record = EventRecord {
        session_id: session(),
        event_id: EventId(event_id),
        timestamp: at(event_id.cast_signed()),
        actor: Actor::System,
        event_type: event_type.to_owned(),
        payload,
        v: 1,
        command_id: None,
        command_hash: None,
        prev_hash: Hash::NONE,
    };
    let told = |kind| vosim_engine::kinds::told(kind, Role::Interviewer, record.clone()).unwrap();
    let told = Kind::ALL.into_iter().rev().map(told).max_by_key(|told| told.telling.is_some());
    told.unwrap()
}

fn payload<T: serde::Serialize>(value: &T) -> Json {
    serde_json::to_value(value).unwrap()
}

pub(crate) fn records() -> Vec<ToldRecord> {
    let submitted = json!({
        "attempt_number": 3, "file_path": "/home/ada/lru_cache.py", "code_hash": Hash::of(b"x"),
        "line_count": 42, "bytes": 900, "language": "python",
    });
    let payloads = [
        ("SESSION_CREATED", json!({ "kind": "drill", "title": "LRU Cache", "spec": Hash::NONE })),
        (
            "SESSION_STARTED",
            json!({ "problem_id": "lru_cache", "title": "LRU Cache", "python_version": "3.11.7" }),
        ),
        ("CODE_SUBMITTED", submitted),
        ("EVAL_RESULT", payload(&wrong_answer())),
        ("AGENT_RESPONSE", payload(&feedback())),
        (
            "HINT_REQUESTED",
            json!({ "attempt_number": 3, "hint_level": 1, "trigger_reason": "first_hint_request", "issue": "x" }),
        ),
        ("HINT_GIVEN", payload(&hint(1))),
        ("EVAL_ABORTED", json!({ "attempt_number": 4, "reason": "no Python was found" })),
        (
            "GROWTH_PROBE_STARTED",
            json!({ "attempt_number": 3, "code_hash": Hash::of(b"x"), "language": "python" }),
        ),
        ("GROWTH_MEASURED", payload(&growth(Growth::Linear))),
        (
            "VARIATION_ASKED",
            json!({
                "number": 1, "title": "A time to live",
                "text": "Each entry is to live for a minute. What would you change?",
            }),
        ),
        ("VARIATION_ANSWERED", json!({ "number": 1, "text": "A heap of times beside the map." })),
        ("SUITE_DRAWN", json!({ "suite": Hash::of(b"s") })),
        ("OF_THE_FUTURE", json!({ "x": "\u{1b}[2J" })),
        ("SESSION_ENDED", payload(&ended(DrillOutcome::PartialSuccess))),
    ];
    (1..).zip(payloads).map(|(id, (name, payload))| record(id, name, payload)).collect()
}
