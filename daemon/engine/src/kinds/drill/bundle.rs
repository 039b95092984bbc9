//! The states of the code that a drill took note of, for its bundle.

use vosim_protocol::v1::bundle::CodeVersion;
use vosim_protocol::v1::drill::Event;

use crate::bundle::{put_verdict, submission};
use crate::kind::Recorded;

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
            | Event::WordingFailed(_)
            | Event::GrowthProbeStarted(_)
            | Event::GrowthMeasured(_)
            | Event::SessionEnded(_) => {}
        }
    }
    versions
}
