//! The states of the code that a drill took note of, for its bundle.

use vosim_protocol::v1::bundle::{CodeOrigin, CodeVersion};
use vosim_protocol::v1::drill::Event;

use crate::bundle::verdict;
use crate::kind::Recorded;

/// The submissions with their verdicts.
pub(super) fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
    let mut versions: Vec<CodeVersion> = Vec::new();
    for recorded in events {
        match &recorded.event {
            Event::CodeSubmitted(code) => versions.push(CodeVersion {
                event_id: recorded.id,
                at: recorded.at,
                submission: Some(code.attempt_number),
                origin: CodeOrigin::Candidate,
                file_path: Some(code.file_path.clone()),
                code_hash: code.code_hash,
                bytes: code.bytes,
                verdict: None,
            }),
            Event::EvalResult(result) => {
                let number = Some(result.attempt_number);
                // An aborted submission's number is given again; the later one is judged.
                if let Some(of) = versions.iter_mut().rev().find(|one| one.submission == number) {
                    of.verdict = Some(verdict(recorded.id, result));
                }
            }
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
