//! The states of the code that a drill took note of, for its bundle, and what it teaches.

use vosim_protocol::v1::bundle::CodeVersion;
use vosim_protocol::v1::drill::Event;

use crate::bundle::{put_verdict, submission};
use crate::kind::Recorded;
use crate::report::Work;

/// What was tried, and with which help.
pub(super) fn work(events: &[Recorded<Event>]) -> Work {
    let mut work = Work::default();
    for recorded in events {
        match &recorded.event {
            Event::CodeSubmitted(code) => {
                work.submit(recorded, code.attempt_number, code.code_hash);
            }
            Event::EvalResult(result) => work.judge(recorded.id, result),
            Event::EvalAborted(aborted) => work.abort(recorded.id, aborted),
            Event::HintGiven(given) => work.hint(recorded, given),
            Event::GrowthMeasured(measured) => work.grow(recorded.id, measured),
            Event::SessionStarted(_)
            | Event::SuiteDrawn(_)
            | Event::HintRequested(_)
            | Event::AgentResponse(_)
            | Event::VariationAsked(_)
            | Event::VariationAnswered(_)
            | Event::WordingFailed(_)
            | Event::GrowthProbeStarted(_)
            | Event::SessionEnded(_) => {}
        }
    }
    work
}

/// The submissions with their verdicts.
pub(super) fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
    let mut versions: Vec<CodeVersion> = Vec::new();
    for recorded in events {
        match &recorded.event {
            Event::CodeSubmitted(code) => {
                versions.push(submission(recorded.id, recorded.at, code));
            }
            Event::EvalResult(result) => put_verdict(&mut versions, recorded.id, result),
            Event::SessionStarted(_)
            | Event::SuiteDrawn(_)
            | Event::EvalAborted(_)
            | Event::HintRequested(_)
            | Event::HintGiven(_)
            | Event::AgentResponse(_)
            | Event::VariationAsked(_)
            | Event::VariationAnswered(_)
            | Event::WordingFailed(_)
            | Event::GrowthProbeStarted(_)
            | Event::GrowthMeasured(_)
            | Event::SessionEnded(_) => {}
        }
    }
    versions
}
