//! What a drill's commands result in.

use vosim_protocol::v1::drill::{Command, Discussed, Event, SessionEnded, Settled, Submitted};
use vosim_protocol::v1::hints::{HintAnswer, SOLUTION_LEVEL};
use vosim_protocol::v1::judging::Judged;

use crate::kind::Recorded;
use crate::parts::hints;

pub(super) fn settled(command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
    let events = || led_to.iter().map(|recorded| &recorded.event);
    match command {
        Command::Submit { .. } => submitted(events()).map(Settled::Submit),
        Command::Hint { .. } => events().find_map(hint).map(Settled::Hint),
        Command::GiveUp { .. } => events().find_map(hint).map(Settled::GiveUp),
        Command::Say { .. } => said(events()).map(Settled::Say),
        Command::End {} => events().find_map(end).map(Settled::End),
    }
}

fn submitted<'e>(events: impl Iterator<Item = &'e Event>) -> Option<Submitted> {
    let (mut judged, mut feedback, mut growth, mut variation) = (None, None, None, None);
    for event in events {
        match event {
            Event::EvalResult(result) => judged = Some(Judged::Verdict(Box::new(result.clone()))),
            Event::EvalAborted(aborted) => judged = Some(Judged::Aborted(aborted.clone())),
            Event::AgentResponse(response) => feedback = Some(response.clone()),
            Event::GrowthMeasured(measured) => growth = Some(measured.clone()),
            Event::VariationAsked(asked) => variation = Some(asked.clone()),
            Event::SessionStarted(_)
            | Event::CodeSubmitted(_)
            | Event::SuiteDrawn(_)
            | Event::HintRequested(_)
            | Event::HintGiven(_)
            | Event::VariationAnswered(_)
            | Event::WordingFailed(_)
            | Event::GrowthProbeStarted(_)
            | Event::SessionEnded(_) => {}
        }
    }
    Some(Submitted { judged: judged?, feedback, growth, variation })
}

fn said<'e>(mut events: impl Iterator<Item = &'e Event>) -> Option<Discussed> {
    let answered = events.find_map(|event| {
        if let Event::VariationAnswered(answered) = event { Some(answered.clone()) } else { None }
    })?;
    let next = events.find_map(|event| {
        if let Event::VariationAsked(asked) = event { Some(asked.clone()) } else { None }
    });
    Some(Discussed { answered, next })
}

fn hint(event: &Event) -> Option<HintAnswer> {
    let Event::HintGiven(given) = event else { return None };
    Some(hints::answer(given.clone(), SOLUTION_LEVEL))
}

fn end(event: &Event) -> Option<SessionEnded> {
    if let Event::SessionEnded(ended) = event { Some(ended.clone()) } else { None }
}
