//! What a role may see of an event (001 9; DECISIONS 3).
//!
//! An interviewer sees everything. Whoever else there is sees what is named here: an event that is
//! new stays hidden from them until somebody has thought about it.

use vosim_protocol::{EventRecord, Role};

pub(super) fn redact(role: Role, mut record: EventRecord) -> Option<EventRecord> {
    if role == Role::Interviewer {
        return Some(record);
    }
    match record.event_type.as_str() {
        // What the assistant was not allowed to say.
        "ASSISTANT_RESPONSE" => {
            record.payload.as_object_mut()?.remove("withheld");
        }
        "SESSION_CREATED"
        | "CLOCK_ADJUSTED"
        | "SUSPEND_OBSERVED"
        | "INTERVIEW_CREATED"
        | "INTERVIEW_STARTED"
        | "SECTION_STARTED"
        | "PROMPT_PRESENTED"
        | "CANDIDATE_MESSAGE"
        | "CLARIFICATION_GIVEN"
        | "FOLLOWUP_SELECTED"
        | "FOLLOWUP_PRESENTED"
        | "WORDING_FAILED"
        | "CANDIDATE_CODE_SUBMISSION"
        | "EVAL_RESULT"
        | "EVAL_ABORTED"
        | "OWN_TESTS_STARTED"
        | "OWN_TESTS_RESULT"
        | "OWN_TESTS_ABORTED"
        | "HINT_REQUESTED"
        | "HINT_GIVEN"
        | "SOLUTION_WATCHED"
        | "SOLUTION_SAVED"
        | "SOLUTION_UNWATCHED"
        | "ASSISTANT_QUERY"
        | "SECTION_TIME_WARNING"
        | "CONTENT_REQUESTED"
        | "COVERAGE_SATISFIED"
        | "SECTION_ENDED"
        | "SECTION_SUMMARIZED"
        | "CANDIDATE_CONNECTED"
        | "CANDIDATE_DISCONNECTED"
        | "INTERVIEW_PAUSED"
        | "CANDIDATE_RECONNECTED"
        | "INTERVIEW_COMPLETED"
        | "INTERVIEW_TERMINATED" => {}
        _ => return None,
    }
    Some(record)
}
