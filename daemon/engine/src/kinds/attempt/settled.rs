//! What an attempt's commands result in.

use vosim_protocol::v1::attempt::{Command, Event, HintTaken, Settled};
use vosim_protocol::v1::judging::Judged;

use super::state::State;
use crate::kind::Recorded;

/// What the first event of a sort says.
macro_rules! first {
    ($events:ident, $Event:ident) => {
        $events.find_map(|recorded| {
            if let Event::$Event(found) = &recorded.event { Some(found.clone()) } else { None }
        })?
    };
}

pub(super) fn settled(
    state: &State,
    command: &Command,
    led_to: &[Recorded<Event>],
) -> Option<Settled> {
    let mut events = led_to.iter();
    Some(match command {
        Command::Mode { .. } => Settled::Mode(first!(events, ModeSet)),
        Command::UnderstandSubmit { .. } => {
            Settled::UnderstandSubmit(first!(events, UnderstandingAssessed).assessment)
        }
        Command::UnderstandFollowup { .. } => {
            Settled::UnderstandFollowup(first!(events, UnderstandingAssessed).assessment)
        }
        Command::PlanSuggest { .. } => {
            Settled::PlanSuggest(first!(events, PatternsSuggested).suggestions)
        }
        Command::PlanDiscover { .. } => Settled::PlanDiscover(first!(events, DiscoveryAnswered)),
        Command::PlanChoose { .. } => Settled::PlanChoose(first!(events, PlanAssessed).assessment),
        Command::Approach { .. } => Settled::Approach(first!(events, ApproachTaken)),
        Command::Submit { .. } => Settled::Submit(submitted(led_to)?),
        Command::Hint {} => Settled::Hint(HintTaken {
            given: first!(events, HintGiven),
            hint_budget: state.hint_budget(),
            hints_used_count: state.hints.given_count(),
        }),
        Command::VerifyExplainFailure { .. } => {
            Settled::VerifyExplainFailure(first!(events, FailureExplained).guidance)
        }
        Command::VerifyTrace { .. } => Settled::VerifyTrace(first!(events, FailureTraced)),
        Command::CaseAdd { .. } => Settled::CaseAdd(first!(events, OwnCaseChecked)),
        Command::CaseRemove { .. } => Settled::CaseRemove(first!(events, OwnCaseRemoved)),
        Command::Note { .. } => Settled::Note(first!(events, NotesKept)),
        Command::Retry {} => Settled::Retry(first!(events, StepTaken)),
        Command::Skip {} => Settled::Skip(first!(events, StepTaken)),
        Command::Challenge { .. } => Settled::Challenge(first!(events, ChallengeScored)),
        Command::ReflectSubmit { .. } => Settled::ReflectSubmit(first!(events, AttemptCompleted)),
        Command::End {} => Settled::End(first!(events, AttemptCompleted)),
    })
}

fn submitted(led_to: &[Recorded<Event>]) -> Option<Judged> {
    led_to.iter().find_map(|recorded| {
        if let Event::EvalResult(result) = &recorded.event {
            Some(Judged::Verdict(Box::new(result.clone())))
        } else if let Event::EvalAborted(aborted) = &recorded.event {
            Some(Judged::Aborted(aborted.clone()))
        } else {
            None
        }
    })
}
