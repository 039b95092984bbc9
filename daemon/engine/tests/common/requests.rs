//! What an interview asks of the world, told by its log alone: everything ends, and once.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::EventRecord;

/// What is asked for and has to end; only words and saves may be asked for in vain.
pub(crate) const ASKED_FOR: [&str; 5] = ["verdict", "own tests", "hint", "answer", "capture"];

/// How many requests of each sort have ended. Fails where one has not, or twice, or where something
/// ends that nobody asked for.
pub(crate) fn each_ends_once(records: &[EventRecord]) -> BTreeMap<&'static str, u32> {
    let mut open = BTreeSet::new();
    let mut ended = BTreeMap::new();
    let mut watched = false;
    for record in records {
        let number = |field: &str| record.payload[field].as_u64().unwrap();
        let (id, capturing) = (record.event_id.0, open.contains(&("capture", 0)));
        let (begins, request) = match record.event_type.as_str() {
            "CANDIDATE_CODE_SUBMISSION" => (true, ("verdict", number("attempt_number"))),
            "EVAL_RESULT" | "EVAL_ABORTED" => (false, ("verdict", number("attempt_number"))),
            "OWN_TESTS_STARTED" => (true, ("own tests", id)),
            "OWN_TESTS_RESULT" | "OWN_TESTS_ABORTED" => (false, ("own tests", number("request"))),
            // One at a time.
            "HINT_REQUESTED" => (true, ("hint", 0)),
            "HINT_GIVEN" => (false, ("hint", 0)),
            "ASSISTANT_QUERY" => (true, ("answer", id)),
            "ASSISTANT_RESPONSE" => (false, ("answer", number("request"))),
            "SECTION_ENDED" if watched && captures(record) => (true, ("capture", 0)),
            "SOLUTION_UNWATCHED" if capturing => (false, ("capture", 0)),
            "SOLUTION_WATCHED" | "SOLUTION_UNWATCHED" => {
                watched = record.event_type == "SOLUTION_WATCHED";
                continue;
            }
            _ => continue,
        };
        if begins {
            assert!(open.insert(request), "{request:?} is asked for twice: {record:#?}");
        } else {
            assert!(open.remove(&request), "{request:?} ends unasked: {record:#?}");
            *ended.entry(request.0).or_default() += 1;
            watched &= request.0 != "capture";
        }
    }
    assert!(open.is_empty(), "{open:?} never ended");
    ended
}

/// The end of the section in which code is written, unless the interview was left.
fn captures(record: &EventRecord) -> bool {
    record.payload["section_id"] == "build" && record.payload["reason"] != "system_error"
}
