//! An event of a drill in a few words, for `log` and `attach`.

use vosim_protocol::EventRecord;
use vosim_protocol::v1::drill::Event;
use vosim_protocol::v1::events::Events as _;
use vosim_protocol::v1::session::{ClockAdjusted, SessionCreated, SessionEvent, SuspendObserved};

use crate::render::drill::growth::sentence;
use crate::render::drill::status::outcome;
use crate::render::text::{count, duration};

/// None for an event of a newer daemon.
pub(crate) fn gist(record: &EventRecord) -> Option<String> {
    let (event_type, payload) = (record.event_type.as_str(), || record.payload.clone());
    let of_session = SessionEvent::read(event_type, payload()).ok().map(|event| of_session(&event));
    of_session.or_else(|| Event::read(event_type, payload()).ok().map(|event| of_drill(&event)))
}

/// An event that any kind of session has.
pub(crate) fn of_session(event: &SessionEvent) -> String {
    match event {
        SessionEvent::SessionCreated(SessionCreated { kind, title, .. }) => {
            format!("{kind}: {title}")
        }
        SessionEvent::ClockAdjusted(ClockAdjusted { step_micros, .. }) => {
            let sign = if *step_micros < 0 { "back" } else { "on" };
            format!(
                "the clock was put {sign} by {}",
                duration(step_micros.unsigned_abs() / 1_000_000)
            )
        }
        SessionEvent::SuspendObserved(SuspendObserved { suspended_micros }) => {
            format!("the machine slept for {}", duration(suspended_micros / 1_000_000))
        }
    }
}

fn of_drill(event: &Event) -> String {
    match event {
        Event::SessionStarted(e) => format!("{}, Python {}", e.problem_id, e.python_version),
        Event::CodeSubmitted(e) => {
            let again = if e.repeated { ", again" } else { "" };
            let lines = count(e.line_count, "line");
            format!("attempt {}{again}: {} ({lines})", e.attempt_number, e.file_path)
        }
        Event::EvalResult(e) => {
            let total = e.tests_passed + e.tests_failed;
            let detail = e.detail.map_or(String::new(), |d| format!(" ({})", d.word()));
            let verdict = format!("{}{detail} {}/{total}", e.failure_type, e.tests_passed);
            format!("attempt {}: {verdict}, {}ms", e.attempt_number, e.runtime_ms)
        }
        Event::EvalAborted(e) => format!("attempt {}: {}", e.attempt_number, e.reason),
        Event::HintRequested(e) if e.give_up => {
            format!("after attempt {}, given up", e.attempt_number)
        }
        Event::HintRequested(e) => format!("after attempt {}", e.attempt_number),
        Event::HintGiven(e) => {
            format!("level {}: {}", e.hint_level, e.hint_text.lines().next().unwrap_or_default())
        }
        Event::WordingFailed(e) => e.reason.clone(),
        Event::AgentResponse(e) => e.message.lines().collect::<Vec<_>>().join(" "),
        Event::GrowthProbeStarted(e) => format!("attempt {}", e.attempt_number),
        Event::GrowthMeasured(e) => sentence(e, "size"),
        Event::SessionEnded(e) => {
            let total = e.final_tests_passed + e.final_tests_failed;
            format!("{} {}/{total}", outcome(e.outcome), e.final_tests_passed)
        }
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::Kind;

    use crate::render::kind::event_line;
    use crate::render::look::Look;
    use crate::render::samples;

    #[test]
    fn a_log_is_one_line_for_each_event() {
        let lines: String = samples::records()
            .iter()
            .map(|record| event_line(Kind::Drill, record, &Look::PLAIN))
            .collect();
        insta::assert_snapshot!(lines, @r#"
         1  23:31:00  SESSION_CREATED  drill: LRU Cache
         2  23:32:00  SESSION_STARTED  lru_cache, Python 3.11.7
         3  23:33:00  CODE_SUBMITTED  attempt 3: /home/ada/lru_cache.py (42 lines)
         4  23:34:00  EVAL_RESULT  attempt 3: EXCEPTION (exception) 1/5, 145ms
         5  23:35:00  AGENT_RESPONSE  Your solution has issues with eviction logic. W…
         6  23:36:00  HINT_REQUESTED  after attempt 3
         7  23:37:00  HINT_GIVEN  level 1: What holds the order of use?
         8  23:38:00  EVAL_ABORTED  attempt 4: no Python was found
         9  23:39:00  GROWTH_MEASURED  Measured time per operation: 1.90 µs at size 1…
        10  23:40:00  OF_THE_FUTURE  {"x":"\u001b[2J"}
        11  23:41:00  SESSION_ENDED  Partial success 7/12
        "#);
    }
}
