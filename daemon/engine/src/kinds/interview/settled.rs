//! What an interview's commands result in, and what their sender can rely on at once.

use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::v1::interview::{Command, Event, Settled, Tested, Turn, Typed};
use vosim_protocol::v1::judging::Judged;
use vosim_protocol::v1::service::Receipt;

use super::state::State;
use super::view;
use crate::kind::Recorded;
use crate::parts::hints;

pub(super) fn settled(
    state: &State,
    command: &Command,
    led_to: &[Recorded<Event>],
) -> Option<Settled> {
    let found = |of: fn(&Event) -> Option<Settled>| led_to.iter().find_map(|led| of(&led.event));
    match command {
        Command::Begin {} => Some(Settled::Begin(turn(state, led_to)?)),
        Command::Typing { .. } => {
            let until = led_to.iter().rev().find_map(|led| {
                let Event::CandidateTyping(typing) = &led.event else { return None };
                Some(typing.until)
            });
            Some(Settled::Typing(Typed { until }))
        }
        Command::Say { .. } => Some(Settled::Say(turn(state, led_to)?)),
        Command::Done { .. } => Some(Settled::Done(turn(state, led_to)?)),
        Command::End {} => Some(Settled::End(turn(state, led_to)?)),
        Command::Submit { .. } => found(judged),
        Command::Test { .. } => found(tested),
        Command::Watch { .. } => found(watched),
        Command::Unwatch {} => found(unwatched),
        Command::Ask { .. } => found(answered),
        Command::Hint {} => found(hinted),
    }
}

/// Where the interview stands now, with the section that the command opened.
fn turn(state: &State, led_to: &[Recorded<Event>]) -> Option<Turn> {
    let at = led_to.last()?.at;
    let started = led_to.iter().rev().find_map(|led| {
        let Event::SectionStarted(started) = &led.event else { return None };
        Some(started.section_id.as_str())
    });
    let opened = started.and_then(|section| state.open_as(section));
    Some(view::turn(state, opened, at))
}

fn judged(event: &Event) -> Option<Settled> {
    let judged = if let Event::EvalResult(result) = event {
        Judged::Verdict(Box::new(result.clone()))
    } else if let Event::EvalAborted(aborted) = event {
        Judged::Aborted(aborted.clone())
    } else {
        return None;
    };
    Some(Settled::Submit(judged))
}

fn tested(event: &Event) -> Option<Settled> {
    let tested = if let Event::OwnTestsResult(result) = event {
        Tested::Cases(result.clone())
    } else if let Event::OwnTestsAborted(aborted) = event {
        Tested::Aborted(aborted.clone())
    } else {
        return None;
    };
    Some(Settled::Test(tested))
}

fn watched(event: &Event) -> Option<Settled> {
    let Event::SolutionWatched(watched) = event else { return None };
    Some(Settled::Watch(watched.clone()))
}

fn unwatched(event: &Event) -> Option<Settled> {
    let Event::SolutionUnwatched(unwatched) = event else { return None };
    Some(Settled::Unwatch(unwatched.clone()))
}

fn answered(event: &Event) -> Option<Settled> {
    let Event::AssistantResponse(answer) = event else { return None };
    Some(Settled::Ask(answer.clone()))
}

fn hinted(event: &Event) -> Option<Settled> {
    let Event::HintGiven(given) = event else { return None };
    Some(Settled::Hint(hints::answer(given.clone(), SOLUTION_LEVEL - 1)))
}

/// The section that a command counts for, and how far it came from that section's deadline: what its
/// events say, or else the section that is open (001 9).
pub(super) fn receipt(state: &State, caused: &[Recorded<Event>]) -> Option<Receipt> {
    let at = caused.first()?.at;
    let schema = &state.spec.schema;
    let title = |id: &str| {
        let plan = schema.sections.iter().find(|plan| plan.id == id);
        plan.map_or_else(|| id.to_owned(), |plan| plan.title.clone())
    };
    let receipt = |part, until: i64, late| Receipt {
        at,
        part: Some(part),
        until_deadline_micros: Some(until),
        late,
    };
    let told = |recorded: &Recorded<Event>| {
        if let Event::CandidateMessage(said) = &recorded.event {
            Some(receipt(title(&said.section_id), said.until_deadline_micros, said.late))
        } else if let Event::CandidateCodeSubmission(code) = &recorded.event {
            Some(receipt(title(&code.section_id), code.until_deadline_micros, code.late))
        } else if let Event::SectionEnded(ended) = &recorded.event {
            let unused = i64::try_from(ended.unused_ms.saturating_mul(1_000)).unwrap_or(i64::MAX);
            Some(receipt(ended.title.clone(), unused, false))
        } else {
            None
        }
    };
    let now = || {
        let section = state.open()?;
        let until = section.contents.deadline.micros_since(at);
        Some(receipt(section.plan(schema).title.clone(), until, false))
    };
    let nowhere = Receipt { at, part: None, until_deadline_micros: None, late: false };
    Some(caused.iter().find_map(told).or_else(now).unwrap_or(nowhere))
}
