//! Explains an attempt's events: the rule, and what it looked at.

use vosim_protocol::phrase;
use vosim_protocol::v1::attempt::{Event, PlanAssessed, UnderstandingAssessed};

use super::state::{Stage, State};
use super::understanding::{self, Lack};
use crate::because::{Because, not_judged, verdict};
use crate::kind::Recorded;

/// Why an event is as it is, given the state before it.
pub(super) fn why(state: &State, event: &Recorded<Event>) -> Because {
    match &event.event {
        Event::AttemptStarted(_) => Because::of(phrase!("rule.attempt.started")),
        Event::ModeSet(_) => Because::of(phrase!("rule.attempt.mode")),
        Event::UnderstandingSubmitted(_) | Event::FollowupAnswered(_) => {
            Because::of(phrase!("rule.attempt.explained"))
        }
        Event::UnderstandingAssessed(assessed) => understanding(state, assessed),
        Event::PatternsSuggested(_) => Because::of(phrase!("rule.attempt.suggested")),
        Event::DiscoveryAnswered(_) => Because::of(phrase!("rule.attempt.discovered")),
        Event::PatternChosen(_) => Because::of(phrase!("rule.attempt.chosen")),
        Event::PlanAssessed(assessed) => plan(state, assessed),
        Event::ApproachTaken(_) => Because::of(phrase!("rule.attempt.approach")),
        Event::CodeSubmitted(_) => Because::of(phrase!("rule.attempt.submitted")),
        Event::SuiteDrawn(_) => Because::of(phrase!("rule.suite.drawn")),
        Event::EvalResult(result) => {
            let submitted =
                if let Stage::Evaluating(one) = &state.stage { Some(one.event) } else { None };
            verdict(result, submitted)
        }
        Event::EvalAborted(_) => not_judged(),
        Event::HintRequested(_) | Event::HintGiven(_) => {
            let (used, budget) = (state.hints.given_count(), state.hint_budget());
            Because::of(phrase!("rule.attempt.hint")).saw(phrase!(
                "seen.attempt.budget",
                used,
                budget
            ))
        }
        Event::FailureExplained(_) => Because::of(phrase!("rule.attempt.failure")),
        Event::TraceRequested(_) | Event::FailureTraced(_) => {
            Because::of(phrase!("rule.attempt.trace"))
        }
        Event::OwnCaseGiven(_) | Event::OwnCaseChecked(_) | Event::OwnCaseRemoved(_) => {
            Because::of(phrase!("rule.attempt.own_case"))
        }
        Event::OwnCasesRun(_) => Because::of(phrase!("rule.attempt.own_cases")),
        Event::NotesKept(_) => Because::of(phrase!("rule.attempt.notes")),
        Event::StepTaken(_) => Because::of(phrase!("rule.attempt.step"))
            .saw(phrase!("seen.attempt.mode", mode = state.mode.name())),
        Event::ChallengeTried(_) | Event::ChallengeScored(_) => {
            Because::of(phrase!("rule.attempt.challenge"))
        }
        Event::ReflectionSubmitted(_) => Because::of(phrase!("rule.attempt.reflected")),
        Event::AttemptCompleted(_) => Because::of(phrase!("rule.attempt.completed")),
    }
}

/// DECISIONS 49: what runs show outweighs words, and words alone hold nobody for ever.
fn understanding(state: &State, assessed: &UnderstandingAssessed) -> Because {
    let explained = state.understanding.as_ref();
    let explained = explained.map(|one| state.explained(one, assessed.examples.as_ref()));
    let Some(explained) = explained else { return Because::of(phrase!("rule.understand.words")) };
    let mode = phrase!("seen.attempt.mode", mode = state.mode.name());
    let outweighed = || (phrase!("rule.understand.words"), phrase!("not.understand.outweighed"));
    let caught = assessed.examples.as_ref().filter(|examined| examined.caught > 0);
    match (understanding::lack(&state.spec, &explained), caught) {
        (Some(Lack::Wrong), _) => {
            let (rule, not) = outweighed();
            Because::of(phrase!("rule.understand.wrong_example")).not(rule, not)
        }
        (Some(Lack::Work), _) => Because::of(phrase!("rule.understand.work")).saw(mode),
        (None, Some(examined)) => {
            let (caught, planted) = (examined.caught, examined.planted);
            let (rule, not) = outweighed();
            Because::of(phrase!("rule.understand.examples"))
                .saw(phrase!("seen.understand.caught", caught, planted))
                .not(rule, not)
        }
        (Some(Lack::Words), _) | (None, None) => Because::of(phrase!("rule.understand.words"))
            .saw(mode)
            .saw(phrase!("seen.understand.held", times = u32::from(explained.by_words)))
            .not(phrase!("rule.understand.examples"), phrase!("not.understand.no_example")),
    }
}

fn plan(state: &State, assessed: &PlanAssessed) -> Because {
    let because = Because::of(match assessed.assessment.accepted {
        true => phrase!("rule.plan.accepted"),
        false => phrase!("rule.plan.held"),
    });
    let because = because.saw(phrase!("seen.attempt.mode", mode = state.mode.name()));
    match &assessed.checked {
        Some(checked) => {
            because.saw(phrase!("seen.plan.runs", runs = checked.runs, catches = checked.catches))
        }
        None => because,
    }
}
