//! How an attempt's facts become its state; chooses nothing.

use std::sync::Arc;

use vosim_protocol::v1::attempt::{
    Event, FailureExplained, FailureExplanation, PatternChosen, PatternsSuggested, PlanAssessed,
    QuestionAnswered, Status, Step, StepTaken, SuggestedPattern, UnderstandingAssessed,
    UnderstandingSubmitted,
};
use vosim_protocol::v1::effect::Examined;
use vosim_protocol::v1::judging::{CodeSubmitted, EvalResult, SuiteDrawn};
use vosim_protocol::{EffectId, Time};

use super::examples::{Examples, examples};
use super::failing;
use super::planning;
use super::state::{Plan, Stage, State, UnderTest, Understanding};
use super::understanding::{self, Explained, Lack};
use crate::kind::{Misfit, Recorded};
use crate::parts::memory::{JudgedSubmission, result_line};

pub(super) fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
    let ended = matches!(state.stage, Stage::Done { .. });
    Misfit::unless(!ended, "an event after the end of the session")?;
    let effect = EffectId(event.id);
    match &event.event {
        Event::AttemptStarted(_) => state.started = event.at,
        Event::ModeSet(set) => {
            Misfit::unless(
                state.understanding.is_none(),
                "a mode after the problem was explained",
            )?;
            state.mode = set.mode;
        }
        Event::UnderstandingSubmitted(fields) => take_fields(state, fields, effect)?,
        Event::FollowupAnswered(answered) => {
            let (question, answer) = (answered.question.clone(), answered.answer.clone());
            take_followup(
                state,
                QuestionAnswered { question, answer, timestamp: event.at },
                effect,
            )?;
        }
        Event::UnderstandingAssessed(assessed) => take_assessment(state, assessed)?,
        Event::PatternsSuggested(suggested) => take_suggestions(state, suggested)?,
        Event::DiscoveryAnswered(_) => {
            Misfit::unless(state.discovery().is_some(), "an answer that no question waits for")?;
            plan(state)?.held.discovered += 1;
        }
        Event::PatternChosen(chosen) => take_choice(state, chosen, effect)?,
        Event::PlanAssessed(assessed) => take_plan(state, assessed)?,
        Event::ApproachTaken(taken) => {
            Misfit::unless(matches!(state.stage, Stage::Approach), "an approach out of its step")?;
            state.approach = Some(taken.text.clone());
            state.stage = Stage::Implement;
        }
        Event::CodeSubmitted(submitted) => take_submission(state, submitted, effect)?,
        Event::SuiteDrawn(drawn) => take_suite(state, drawn, effect)?,
        Event::EvalResult(result) => take_result(state, result, event)?,
        Event::EvalAborted(aborted) => {
            judged(state, aborted.attempt_number)?;
            // DECISIONS 15: a run that failed counts for nothing.
            state.stage = Stage::Implement;
        }
        Event::HintRequested(requested) => {
            Misfit::unless(state.is_coding(), "a hint out of its step")?;
            state.hints.ask(event.id, requested.clone());
        }
        Event::HintGiven(given) => {
            state.hints.give(given).ok_or(Misfit("a hint that nobody waits for"))?;
            state.hinted = Some(event.at);
        }
        Event::FailureExplained(explained) => take_explanation(state, explained, event.at)?,
        Event::TraceRequested(asked) => failing::take_request(state, asked, effect)?,
        Event::FailureTraced(traced) => failing::take_trace(state, traced)?,
        Event::OwnCaseGiven(given) => failing::take_given(state, given, effect)?,
        Event::OwnCaseChecked(checked) => failing::take_check(state, checked)?,
        Event::OwnCaseRemoved(removed) => failing::take_removal(state, *removed)?,
        Event::OwnCasesRun(run) => failing::take_run(state, run, effect)?,
        Event::NotesKept(kept) => state.trace_notes = Some(kept.trace_notes.clone()),
        Event::StepTaken(taken) => take_step(state, *taken)?,
        Event::ChallengeTried(tried) => {
            Misfit::unless(matches!(state.stage, Stage::Reflect), "an input out of its step")?;
            state.stage = Stage::Challenging { effect, tried: tried.clone() };
        }
        Event::ChallengeScored(scored) => {
            let waits = matches!(state.stage, Stage::Challenging { .. });
            Misfit::unless(waits, "a score that nothing waits for")?;
            state.challenge_won |= scored.caught > 0 && scored.holds;
            state.stage = Stage::Reflect;
        }
        Event::ReflectionSubmitted(reflection) => {
            Misfit::unless(matches!(state.stage, Stage::Reflect), "a reflection out of its step")?;
            state.reflection = Some(reflection.clone());
        }
        Event::AttemptCompleted(ended) => {
            if ended.step == Some(Step::Reflect) && state.reflection.is_none() {
                state.skipped.push(Step::Reflect);
            }
            state.stage = Stage::Done { at: event.at, ended: ended.clone() };
        }
    }
    Ok(())
}

fn take_fields(
    state: &mut State,
    fields: &UnderstandingSubmitted,
    effect: EffectId,
) -> Result<(), Misfit> {
    Misfit::unless(matches!(state.stage, Stage::Understand), "an explanation out of its step")?;
    let by_words = state.understanding.as_ref().map_or(0, |before| before.by_words);
    let followups = state.understanding.take().map(|before| before.followups).unwrap_or_default();
    state.understanding =
        Some(Understanding { fields: fields.clone(), followups, assessed: None, by_words });
    begin_assessing(state, effect);
    Ok(())
}

fn take_followup(
    state: &mut State,
    followup: QuestionAnswered,
    effect: EffectId,
) -> Result<(), Misfit> {
    Misfit::unless(matches!(state.stage, Stage::Understand), "an answer out of its step")?;
    let understanding = state.understanding.as_mut();
    understanding
        .ok_or(Misfit("an answer before the problem was explained"))?
        .followups
        .push(followup);
    begin_assessing(state, effect);
    Ok(())
}

/// Examples are run before anything is said of the words.
fn begin_assessing(state: &mut State, effect: EffectId) {
    let given = state.understanding.as_ref().map(|understanding| state.given(understanding));
    if given.is_some_and(|given| !given.runs.is_empty()) {
        state.stage = Stage::Assessing(effect);
    }
}

impl State {
    /// The runs that were given as examples so far.
    pub(super) fn examples(&self) -> Vec<Vec<vosim_protocol::v1::problem::Op>> {
        let given = self.understanding.as_ref().map(|understanding| self.given(understanding));
        given.unwrap_or_default().runs
    }

    fn given(&self, understanding: &Understanding) -> Examples {
        let answers = understanding.followups.iter().map(|followup| followup.answer.as_str());
        let fields = &understanding.fields;
        let own = [fields.example_walkthrough.as_str(), fields.input_output_description.as_str()];
        let texts: Vec<_> = own.into_iter().chain(answers).collect();
        examples(&self.spec.problem, &texts.join("\n"))
    }

    /// What was explained, with what became of its examples.
    pub(super) fn explained<'a>(
        &self,
        understanding: &'a Understanding,
        examples: Option<&'a Examined>,
    ) -> Explained<'a> {
        let answers = understanding.followups.iter();
        let answers = answers.map(|one| (one.question.as_str(), one.answer.as_str()));
        Explained {
            mode: self.mode,
            fields: &understanding.fields,
            answers: answers.collect(),
            given: self.given(understanding),
            examples,
            by_words: understanding.by_words,
        }
    }
}

fn take_assessment(state: &mut State, assessed: &UnderstandingAssessed) -> Result<(), Misfit> {
    let waits = matches!(state.stage, Stage::Understand | Stage::Assessing(_));
    Misfit::unless(waits, "an assessment out of its step")?;
    let explained = state.understanding.as_ref();
    let explained = explained.map(|one| state.explained(one, assessed.examples.as_ref()));
    let explained = explained.ok_or(Misfit("an assessment of nothing"))?;
    let lack = understanding::lack(&state.spec, &explained);
    let passes = assessed.assessment.status == Status::Pass;
    let by_words = match lack {
        Some(Lack::Words) if !passes => explained.by_words.saturating_add(1),
        // What else is missing leaves open what the words would have come to.
        Some(Lack::Work) => explained.by_words,
        Some(Lack::Words | Lack::Wrong) | None => 0,
    };
    if let Some(understanding) = &mut state.understanding {
        understanding.by_words = by_words;
        understanding.assessed = Some(assessed.clone());
    }
    state.stage = if passes { Stage::Plan } else { Stage::Understand };
    Ok(())
}

fn plan(state: &mut State) -> Result<&mut Plan, Misfit> {
    Misfit::unless(
        matches!(state.stage, Stage::Plan | Stage::Checking(_)),
        "a plan out of its step",
    )?;
    Ok(state.plan.get_or_insert_default())
}

fn take_suggestions(state: &mut State, suggested: &PatternsSuggested) -> Result<(), Misfit> {
    let candidates = suggested.suggestions.candidates.iter();
    plan(state)?.suggested = candidates
        .map(|candidate| SuggestedPattern {
            pattern_id: candidate.pattern_id.clone(),
            name: candidate.name.clone(),
            reason: candidate.reason.clone(),
            ai_confidence: candidate.confidence,
        })
        .collect();
    Ok(())
}

fn take_choice(state: &mut State, chosen: &PatternChosen, effect: EffectId) -> Result<(), Misfit> {
    Misfit::unless(matches!(state.stage, Stage::Plan), "a choice out of its step")?;
    plan(state)?.chosen = Some(chosen.clone());
    if chosen.invariant_builder.is_some() && !state.spec.guide.checker.is_empty() {
        state.stage = Stage::Checking(effect);
    }
    Ok(())
}

fn take_plan(state: &mut State, assessed: &PlanAssessed) -> Result<(), Misfit> {
    let (spec, mode) = (Arc::clone(&state.spec), state.mode);
    let plan = plan(state)?;
    let said = &assessed.assessment;
    let stands = plan.chosen.as_ref().is_some_and(|chosen| {
        planning::invariant_stands(&spec, mode, chosen, assessed.checked.as_ref())
    });
    plan.held.doubt |= said.discovery_recommended;
    // What misleads was told so only where the questions do not come first.
    let misled = said.fit == vosim_protocol::v1::attempt::Match::Mismatch;
    plan.held.mismatch |= misled && !said.discovery_recommended;
    let built = plan.chosen.as_ref().is_some_and(|chosen| chosen.invariant_builder.is_some());
    plan.held.invariant = match stands {
        true => 0,
        false => plan.held.invariant.saturating_add(u8::from(!built)),
    };
    plan.assessed = Some(assessed.clone());
    state.stage = if said.accepted { Stage::Implement } else { Stage::Plan };
    Ok(())
}

fn take_submission(
    state: &mut State,
    submitted: &CodeSubmitted,
    effect: EffectId,
) -> Result<(), Misfit> {
    let free = matches!(state.stage, Stage::Implement | Stage::Failed);
    Misfit::unless(free, "a submission out of its step")?;
    state.stage =
        Stage::Evaluating(UnderTest { event: effect.0, effect, submitted: submitted.clone() });
    Ok(())
}

fn take_suite(state: &mut State, drawn: &SuiteDrawn, effect: EffectId) -> Result<(), Misfit> {
    let Stage::Evaluating(submission) = &mut state.stage else {
        return Err(Misfit("hidden inputs that nothing waits for"));
    };
    submission.effect = effect;
    state.suites.take(drawn).ok_or(Misfit("hidden inputs that were drawn before"))
}

/// The submission of this number, if it is the one that is being judged.
fn judged(state: &State, attempt_number: u32) -> Result<CodeSubmitted, Misfit> {
    let under_way =
        if let Stage::Evaluating(submission) = &state.stage { Some(submission) } else { None };
    let submitted = under_way.map(|submission| submission.submitted.clone());
    let submitted = submitted.filter(|submitted| submitted.attempt_number == attempt_number);
    submitted.ok_or(Misfit("a verdict on a submission that is not being judged"))
}

fn take_result(
    state: &mut State,
    result: &EvalResult,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let submitted = judged(state, result.attempt_number)?;
    state.submissions.insert(JudgedSubmission {
        event: event.id,
        result: result_line(result, submitted, event.at),
        issue: result.issue.clone(),
    });
    state.evaluation = Some(result.evaluation.clone());
    state.stage = if result.passed { Stage::Reflect } else { Stage::Failed };
    state.own.evaluation = None;
    state.trace = None;
    state.after = state.after_verdict(EffectId(event.id));
    Ok(())
}

fn take_explanation(
    state: &mut State,
    explained: &FailureExplained,
    at: Time,
) -> Result<(), Misfit> {
    Misfit::unless(matches!(state.stage, Stage::Failed), "an explanation without a failure")?;
    let guidance = &explained.guidance;
    state.explanations.push(FailureExplanation {
        test_index: explained.test_index,
        user_explanation: explained.user_explanation.clone(),
        ai_guidance: format!(
            "{} {}",
            guidance.failing_case_explanation, guidance.suggested_next_debug_step
        ),
        timestamp: at,
    });
    Ok(())
}

/// 003: skip, and retry.
fn take_step(state: &mut State, taken: StepTaken) -> Result<(), Misfit> {
    Misfit::unless(state.stage.step() == taken.from, "a step from where it does not stand")?;
    if matches!(taken.from, Step::Understand | Step::Plan) {
        state.skipped.push(taken.from);
    }
    state.stage = match taken.to {
        Step::Plan => Stage::Plan,
        Step::Implement => Stage::Implement,
        // The end follows with its own event.
        Step::Complete => Stage::Reflect,
        Step::Understand | Step::Verify | Step::Reflect => {
            return Err(Misfit("a step that nobody takes"));
        }
    };
    Ok(())
}
