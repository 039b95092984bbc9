//! A drill's log in the form of 000: seven event types, four keys, and only the payload fields that
//! 000 names (DECISIONS 1).

use vosim_protocol::{EventRecord, Json, Wire as _};

/// Each event type of 000 with its payload fields.
const TYPES: [(&str, &[&str]); 7] = [
    ("SESSION_STARTED", &["problem_id", "python_version"]),
    ("CODE_SUBMITTED", &["attempt_number", "file_path", "code_hash", "line_count"]),
    (
        "EVAL_RESULT",
        &[
            "attempt_number",
            "passed",
            "failure_type",
            "tests_passed",
            "tests_failed",
            "failing_tests",
            "exception",
            "runtime_ms",
        ],
    ),
    ("HINT_REQUESTED", &["attempt_number"]),
    ("HINT_GIVEN", &["hint_level", "hint_text", "trigger_reason"]),
    ("AGENT_RESPONSE", &["response_type", "message", "metadata"]),
    (
        "SESSION_ENDED",
        &[
            "outcome",
            "total_attempts",
            "final_tests_passed",
            "final_tests_failed",
            "hints_used",
            "duration_seconds",
        ],
    ),
];

/// Fields of `metadata` in an `AGENT_RESPONSE`.
const METADATA: &[&str] = &["failure_type", "primary_issue"];

/// A log as JSON lines; events that 000 does not know are left out, and with an evaluation that was
/// aborted its submission, which counts for nothing (DECISIONS 15): in 000 each has its result.
pub fn plain(records: &[EventRecord]) -> Vec<u8> {
    let mut lines = Vec::new();
    let mut kept: Vec<&EventRecord> = Vec::new();
    for record in records {
        if record.event_type == "EVAL_ABORTED" {
            let submitted = kept.iter().rposition(|kept| kept.event_type == "CODE_SUBMITTED");
            kept.drain(submitted.unwrap_or(kept.len())..);
        } else {
            kept.push(record);
        }
    }
    for event in kept.into_iter().filter_map(event) {
        lines.extend(event.to_line());
        lines.push(b'\n');
    }
    lines
}

fn event(record: &EventRecord) -> Option<Json> {
    let (_, fields) = TYPES.iter().find(|(name, _)| *name == record.event_type)?;
    let mut payload = only(&record.payload, fields);
    if let Some(metadata) = payload.get_mut("metadata") {
        *metadata = only(metadata, METADATA);
    }
    Some(Json::from_iter([
        ("session_id", record.session_id.to_json()),
        ("timestamp", record.timestamp.to_json()),
        ("event_type", Json::from(record.event_type.as_str())),
        ("payload", payload),
    ]))
}

fn only(payload: &Json, fields: &[&str]) -> Json {
    let field = |name: &&str| Some(((*name).to_owned(), payload.get(*name)?.clone()));
    fields.iter().filter_map(field).collect()
}

#[cfg(test)]
mod tests {
    use vosim_protocol::{Actor, EventId, Hash, SessionId, Time};

    use super::*;

    fn record(event_type: &str, payload: &str) -> EventRecord {
        EventRecord {
            session_id: SessionId("550e8400-e29b-41d4-a716-446655440000".parse().unwrap()),
            event_id: EventId(1),
            timestamp: "2026-01-05T23:30:00.123456Z".parse::<Time>().unwrap(),
            actor: Actor::System,
            event_type: event_type.to_owned(),
            payload: payload.parse().unwrap(),
            v: 1,
            command_id: None,
            command_hash: None,
            prev_hash: Hash::NONE,
        }
    }

    #[test]
    fn an_event_has_four_keys_and_the_fields_of_the_specification_only() {
        let records = [
            record("SESSION_CREATED", r#"{ "kind": "drill" }"#),
            record(
                "CODE_SUBMITTED",
                r#"{
                    "attempt_number": 1, "file_path": "/home/ada/a.py", "code_hash": "sha256:00",
                    "line_count": 42, "bytes": 900, "language": "python"
                }"#,
            ),
            record(
                "EVAL_RESULT",
                r#"{
                    "attempt_number": 1, "passed": false, "failure_type": "WRONG_ANSWER",
                    "tests_passed": 5, "tests_failed": 7, "failing_tests": ["test_capacity_one"],
                    "exception": null, "runtime_ms": 145, "detail": "value", "evaluation": {}
                }"#,
            ),
            record(
                "AGENT_RESPONSE",
                r#"{
                    "response_type": "feedback", "message": "m",
                    "metadata": {
                        "failure_type": "WRONG_ANSWER", "primary_issue": "x", "words": "problem"
                    }
                }"#,
            ),
            record("GROWTH_MEASURED", "{}"),
            record("CODE_SUBMITTED", r#"{ "attempt_number": 2 }"#),
            record("SUITE_DRAWN", "{}"),
            record("EVAL_ABORTED", r#"{ "attempt_number": 2, "reason": "no Python was found" }"#),
        ];
        insta::assert_snapshot!(String::from_utf8(plain(&records)).unwrap(), @r#"
        {"session_id":"550e8400-e29b-41d4-a716-446655440000","timestamp":"2026-01-05T23:30:00.123456Z","event_type":"CODE_SUBMITTED","payload":{"attempt_number":1,"file_path":"/home/ada/a.py","code_hash":"sha256:00","line_count":42}}
        {"session_id":"550e8400-e29b-41d4-a716-446655440000","timestamp":"2026-01-05T23:30:00.123456Z","event_type":"EVAL_RESULT","payload":{"attempt_number":1,"passed":false,"failure_type":"WRONG_ANSWER","tests_passed":5,"tests_failed":7,"failing_tests":["test_capacity_one"],"exception":null,"runtime_ms":145}}
        {"session_id":"550e8400-e29b-41d4-a716-446655440000","timestamp":"2026-01-05T23:30:00.123456Z","event_type":"AGENT_RESPONSE","payload":{"response_type":"feedback","message":"m","metadata":{"failure_type":"WRONG_ANSWER","primary_issue":"x"}}}
        "#);
    }
}
