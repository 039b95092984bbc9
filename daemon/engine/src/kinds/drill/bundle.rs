//! What the bundles tell of a drill.

use vosim_protocol::v1::bundle::{CodeOrigin, CodeVersion};
use vosim_protocol::v1::drill::Event;
use vosim_protocol::v1::talk::{Channel, Entry};

use crate::bundle::verdict;
use crate::kind::Recorded;
use crate::sentences;

/// An event as people read it.
pub(super) fn entry(event: &Recorded<Event>) -> Option<Entry> {
    let (channel, text) = match &event.event {
        Event::CodeSubmitted(code) => {
            let (number, path) = (code.attempt_number, &code.file_path);
            (Channel::System, sentences::submission(number, path, "submitted"))
        }
        Event::EvalResult(result) => (Channel::System, sentences::verdict(result)),
        Event::EvalAborted(aborted) => (Channel::System, sentences::not_judged(aborted)),
        Event::HintGiven(given) => (Channel::Interviewer, sentences::hint(given)),
        Event::AgentResponse(response) => (Channel::Interviewer, response.message.clone()),
        Event::SessionEnded(_) => (Channel::System, "The session has ended.".to_owned()),
        Event::SessionStarted(_)
        | Event::HintRequested(_)
        | Event::WordingFailed(_)
        | Event::GrowthProbeStarted(_)
        | Event::GrowthMeasured(_) => return None,
    };
    let (event_id, at) = (event.id, event.at);
    Some(Entry { event_id, at, channel, section_id: None, text, late: false })
}

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
