//! What an attempt answers to each command (003: state machine): facts, or the reason why not, with the
//! step that comes next.

use std::collections::BTreeSet;

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::attempt::{
    ApproachTaken, AttemptCompleted, AttemptOutcome, ChallengeTried, Command, DiscoveryAnswered,
    Event, FollowupAnswered, Mode, ModeSet, NotesKept, PatternChosen, PatternsSuggested,
    PlanAssessed, ReflectionSubmitted, Step, StepTaken, UnderstandingAssessed,
    UnderstandingSubmitted,
};
use vosim_protocol::v1::hints::{HintGiven, HintRequested, TriggerReason};
use vosim_protocol::v1::problem::{Language, Op, listed};
use vosim_protocol::v1::talk::Words;
use vosim_protocol::{BlobRef, Time};

use super::explaining;
use super::failing;
use super::planning;
use super::state::{Draft, HINT_LEVEL_MAX, Stage, State, Understanding};
use super::steps::{after_the_end, in_step, next_in_plan, required, v2};
use super::understanding;
use crate::parts::words::TEXT_MAX_BYTES;
use crate::parts::{admission, judging};
use crate::rejection::Rejection;

/// Within so many seconds after a hint, another one is not given: it is to be read first.
const READING_SECONDS: u64 = 5;
/// Most cues that are kept.
const CUES_MAX: usize = 20;
/// Most calls of a challenge.
const CHALLENGE_OPS_MAX: usize = 200;

pub(super) fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
    if let Stage::Done { .. } = draft.state().stage {
        return Err(Rejection::SessionEnded { next: after_the_end() });
    }
    match command {
        Command::Mode { mode } => set_mode(draft, *mode),
        Command::UnderstandSubmit {
            explanation,
            input_output_description,
            constraints_description,
            example_walkthrough,
            wrong_approach,
        } => {
            let fields = UnderstandingSubmitted {
                explanation: explanation.clone(),
                input_output_description: input_output_description.clone(),
                constraints_description: constraints_description.clone(),
                example_walkthrough: example_walkthrough.clone(),
                wrong_approach: wrong_approach.clone(),
            };
            explain(draft, fields)
        }
        Command::UnderstandFollowup { question, answer } => {
            answer_followup(draft, question, answer)
        }
        Command::PlanSuggest { explanation } => suggest(draft, explanation),
        Command::PlanDiscover { answer } => discover(draft, *answer),
        Command::PlanChoose {
            pattern_id,
            confidence,
            invariant_text,
            invariant_builder,
            complexity,
        } => {
            let chosen = PatternChosen {
                pattern_id: pattern_id.clone(),
                confidence: *confidence,
                invariant_text: invariant_text.clone(),
                invariant_builder: invariant_builder.clone(),
                complexity: complexity.clone(),
            };
            choose(draft, chosen)
        }
        Command::Approach { text } => approach(draft, text),
        Command::Submit { file_path, code, language, again } => {
            submit(draft, file_path, code, *language, *again)
        }
        Command::Hint {} => hint(draft),
        Command::VerifyExplainFailure {
            test_index,
            test_input,
            expected,
            actual,
            user_explanation,
        } => {
            let told = [test_input, expected, actual, user_explanation].map(String::as_str);
            explaining::explain(draft, *test_index, told)
        }
        Command::VerifyTrace { test_index } => failing::trace(draft, *test_index),
        Command::CaseAdd { ops } => failing::add(draft, ops),
        Command::CaseRemove { number } => failing::remove(draft, *number),
        Command::Note { trace_notes } => note(draft, trace_notes),
        Command::Retry {} => retry(draft),
        Command::Challenge { ops } => challenge(draft, ops),
        Command::ReflectSubmit { cues_next_time, invariant_summary } => {
            reflect(draft, cues_next_time, invariant_summary)
        }
        Command::Skip {} => skip(draft),
        Command::End {} => {
            complete(draft);
            Ok(())
        }
    }
}

/// The mode may be set until UNDERSTAND was submitted.
fn set_mode(draft: &mut Draft<'_>, mode: Mode) -> Result<(), Rejection> {
    let state = draft.state();
    v2(state, "set the mode")?;
    if state.understanding.is_some() || state.stage.step() != Step::Understand {
        let because = "the problem has been explained already";
        let next = vec![Next::edit("start another attempt in that mode")];
        return Err(Rejection::InvalidTransition { command: "set the mode", because, next });
    }
    draft.push(Event::ModeSet(ModeSet { mode }));
    Ok(())
}

fn explain(draft: &mut Draft<'_>, fields: UnderstandingSubmitted) -> Result<(), Rejection> {
    let state = draft.state();
    v2(state, "explain the problem")?;
    in_step(state, "explain the problem", &[Step::Understand])?;
    let texts = [
        &fields.explanation,
        &fields.input_output_description,
        &fields.constraints_description,
        &fields.example_walkthrough,
        &fields.wrong_approach,
    ];
    for text in texts {
        admission::bound("the text", text.len() as u64, TEXT_MAX_BYTES)?;
    }
    required("the explanation", &fields.explanation)?;
    draft.push(Event::UnderstandingSubmitted(fields));
    assess_without_examples(draft);
    Ok(())
}

/// Where there is no example to run, the words are assessed at once.
fn assess_without_examples(draft: &mut Draft<'_>) {
    if let (Stage::Understand, Some(understanding)) =
        (&draft.state().stage, &draft.state().understanding)
    {
        let assessed = assessed(draft.state(), understanding, None, None);
        draft.push(Event::UnderstandingAssessed(assessed));
    }
}

/// The assessment of what was explained, with what became of its examples.
pub(super) fn assessed(
    state: &State,
    understanding: &Understanding,
    examples: Option<vosim_protocol::v1::effect::Examined>,
    not_run: Option<String>,
) -> UnderstandingAssessed {
    let explained = state.explained(understanding, examples.as_ref());
    let assessment = understanding::assess(&state.spec, &explained);
    UnderstandingAssessed { assessment, examples, not_run }
}

fn answer_followup(draft: &mut Draft<'_>, question: &str, answer: &str) -> Result<(), Rejection> {
    const COMMAND: &str = "answer a question";
    let state = draft.state();
    v2(state, COMMAND)?;
    in_step(state, COMMAND, &[Step::Understand])?;
    admission::bound("the answer", answer.len() as u64, TEXT_MAX_BYTES)?;
    required("the answer", answer)?;
    let asked =
        state.understanding.as_ref().and_then(|understanding| understanding.assessed.as_ref());
    let asked =
        asked.map(|assessed| assessed.assessment.followup_questions.as_slice()).unwrap_or_default();
    if !asked.iter().any(|asked| asked == question) {
        let message = "this question was not asked".to_owned();
        let mut next: Vec<_> =
            asked.iter().map(|question| Next::Consider { question: question.clone() }).collect();
        if next.is_empty() {
            next.push(Next::run("explain it", Action::Understand));
        }
        return Err(Rejection::InvalidInput { message, next });
    }
    let (question, answer) = (question.to_owned(), answer.to_owned());
    draft.push(Event::FollowupAnswered(FollowupAnswered { question, answer }));
    assess_without_examples(draft);
    Ok(())
}

fn suggest(draft: &mut Draft<'_>, explanation: &str) -> Result<(), Rejection> {
    let state = draft.state();
    v2(state, "ask for patterns")?;
    in_step(state, "ask for patterns", &[Step::Plan])?;
    admission::bound("the text", explanation.len() as u64, TEXT_MAX_BYTES)?;
    let fields = state.understanding.as_ref().map(|understanding| &understanding.fields);
    // What would not do speaks for no pattern.
    let own = fields.map(|fields| {
        let UnderstandingSubmitted { explanation, constraints_description, .. } = fields;
        [explanation, &fields.input_output_description, constraints_description].map(String::as_str)
    });
    let own = own.map(|texts| texts.join("\n"));
    let words = if explanation.trim().is_empty() {
        own.unwrap_or_default()
    } else {
        explanation.to_owned()
    };
    let suggestions = planning::suggest(&state.spec, &words);
    draft.push(Event::PatternsSuggested(PatternsSuggested {
        explanation: explanation.to_owned(),
        suggestions,
    }));
    Ok(())
}

fn discover(draft: &mut Draft<'_>, answer: bool) -> Result<(), Rejection> {
    const COMMAND: &str = "answer a question about the pattern";
    let state = draft.state();
    v2(state, COMMAND)?;
    in_step(state, COMMAND, &[Step::Plan])?;
    let Some(step) = state.discovery() else {
        let next = vec![Next::run("choose a pattern", Action::ChoosePattern)];
        let because = "no question waits for an answer";
        return Err(Rejection::InvalidTransition { command: COMMAND, because, next });
    };
    let answered = state.plan.as_ref().map_or(0, |plan| plan.held.discovered);
    let next = state.spec.guide.discovery.get(answered + 1);
    let event = DiscoveryAnswered {
        question: step.question.clone(),
        answer,
        right: answer == step.answer,
        explanation: step.explanation.clone(),
        suggests: step.suggests.clone(),
        next_question: next.map(|next| next.question.clone()),
    };
    draft.push(Event::DiscoveryAnswered(event));
    Ok(())
}

fn choose(draft: &mut Draft<'_>, mut chosen: PatternChosen) -> Result<(), Rejection> {
    const COMMAND: &str = "choose a pattern";
    let state = draft.state();
    v2(state, COMMAND)?;
    in_step(state, COMMAND, &[Step::Plan])?;
    if !(1..=5).contains(&chosen.confidence) {
        let next = vec![Next::edit("say how sure you are, from 1 (not at all) to 5")];
        let message = format!("a confidence of {} is not between 1 and 5", chosen.confidence);
        return Err(Rejection::InvalidInput { message, next });
    }
    let patterns = &state.spec.guide.patterns;
    if !patterns.iter().any(|pattern| pattern.id == chosen.pattern_id) {
        // In the order of their names: the package's own order gives away.
        let known: BTreeSet<_> = patterns.iter().map(|pattern| pattern.id.clone()).collect();
        let known: Vec<_> = known.into_iter().collect();
        let next = vec![Next::edit(format!("choose one of {}", known.join(", ")))];
        let message =
            format!("{:?} is no pattern that comes into question here", chosen.pattern_id);
        return Err(Rejection::InvalidInput { message, next });
    }
    for text in [&chosen.invariant_text, &chosen.complexity].into_iter().flatten() {
        admission::bound("the text", text.len() as u64, TEXT_MAX_BYTES)?;
    }
    if let Some(built) = &chosen.invariant_builder {
        built_well(state, built)?;
    } else if let Some(text) = &chosen.invariant_text {
        // What can be run is run, whoever has written it.
        chosen.invariant_builder = planning::written_out(&state.spec, text);
    }
    draft.push(Event::PatternChosen(chosen.clone()));
    if let Stage::Plan = draft.state().stage {
        finish_plan(draft, &chosen, None, None);
    }
    Ok(())
}

/// Refuses a template that there is not, and a choice that it does not offer.
fn built_well(
    state: &State,
    built: &vosim_protocol::v1::attempt::InvariantBuilder,
) -> Result<(), Rejection> {
    let templates = &state.spec.guide.invariants;
    let Some(template) = templates.iter().find(|template| template.id == built.template_id) else {
        let known = templates.iter().map(|template| format!("{}: {}", template.id, template.text));
        let message = format!("there is no template {:?}", built.template_id);
        let known: Vec<_> = known.collect();
        let next = vec![Next::edit(format!("take one of these: {}", known.join(" | ")))];
        return Err(Rejection::InvalidInput { message, next });
    };
    let gaps: Vec<_> = template.gaps.iter().map(|gap| gap.name.clone()).collect();
    if let Some(unknown) = built.choices.keys().find(|name| !gaps.contains(*name)) {
        let message = format!("the template {} has no gap {unknown:?}", template.id);
        let next = vec![Next::edit(format!("fill {}", listed(&gaps, "and")))];
        return Err(Rejection::InvalidInput { message, next });
    }
    let open = template
        .gaps
        .iter()
        .find(|gap| built.choices.get(&gap.name).is_none_or(|choice| *choice >= gap.choices.len()));
    let Some(gap) = open else { return Ok(()) };
    let last = gap.choices.len().saturating_sub(1);
    let message = format!("the gap {:?} needs a choice from 0 to {last}", gap.name);
    let numbered = gap.choices.iter().enumerate().map(|(at, choice)| format!("{at}: {choice}"));
    let next = vec![Next::edit(numbered.collect::<Vec<_>>().join("; "))];
    Err(Rejection::InvalidInput { message, next })
}

pub(super) fn finish_plan(
    draft: &mut Draft<'_>,
    chosen: &PatternChosen,
    checked: Option<vosim_protocol::v1::effect::Checked>,
    not_checked: Option<String>,
) {
    let state = draft.state();
    let held = state.plan.as_ref().map(|plan| plan.held).unwrap_or_default();
    let assessment = planning::assess(&state.spec, state.mode, held, chosen, checked.as_ref());
    let asks = assessment.discovery_recommended;
    let question = state.spec.guide.discovery.get(held.discovered).filter(|_| asks);
    let question = question.map(|step| step.question.clone());
    draft.push(Event::PlanAssessed(PlanAssessed { assessment, question, checked, not_checked }));
}

fn approach(draft: &mut Draft<'_>, text: &str) -> Result<(), Rejection> {
    let state = draft.state();
    if !matches!(state.stage, Stage::Approach) {
        let because = match state.spec.v2_flow {
            true => "this attempt has the five steps",
            false => "the approach is written down",
        };
        let next = vec![Next::run("see where it stands", Action::Status)];
        return Err(Rejection::InvalidTransition {
            command: "write down an approach",
            because,
            next,
        });
    }
    admission::bound("the text", text.len() as u64, TEXT_MAX_BYTES)?;
    required("the approach", text)?;
    draft.push(Event::ApproachTaken(ApproachTaken { text: text.to_owned() }));
    Ok(())
}

fn submit(
    draft: &mut Draft<'_>,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    again: bool,
) -> Result<(), Rejection> {
    let state = draft.state();
    if !state.is_coding() {
        in_step(state, "submit code", &[Step::Implement])?;
    }
    let (problem, submissions) = (&state.spec.problem, &state.submissions);
    let submitted = admission::submission(problem, submissions, file_path, code, language, again)?;
    draft.push(Event::CodeSubmitted(submitted));
    failing::cut_off(draft);
    Ok(())
}

/// 003: hints remain; they come one level after the other, and each is to be read.
fn hint(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    const COMMAND: &str = "request a hint";
    let state = draft.state();
    if !state.is_coding() {
        in_step(state, COMMAND, &[Step::Implement])?;
    }
    let refused = |because, next| {
        Err(Rejection::InvalidTransition { command: COMMAND, because, next: vec![next] })
    };
    let at = draft.at();
    if state.hinted.is_some_and(|hinted| at.secs_since(hinted) < READING_SECONDS) {
        return refused("the last hint has only just been given", Next::edit("read it first"));
    }
    if state.hints.given_count() >= state.hint_budget() {
        return refused(
            "the budget of hints is spent",
            Next::run("submit what you have and see what fails", Action::Submit),
        );
    }
    let issue = state.issue();
    let level = state.next_hint_level();
    if level > HINT_LEVEL_MAX {
        let next = Next::run("have what you can do judged", Action::Submit);
        return refused("the last hint about this was the highest", next);
    }
    let number = state.submissions.count();
    let text = match (number, level) {
        (0, 1) if !state.spec.problem.question.is_empty() => state.spec.problem.question.clone(),
        _ => judging::rung(&state.spec.problem, &issue, level),
    };
    let trigger_reason = match level {
        1 => TriggerReason::FirstHintRequest,
        _ => TriggerReason::Progressive,
    };
    draft.push(Event::HintRequested(HintRequested {
        attempt_number: number,
        give_up: false,
        hint_level: level,
        trigger_reason,
        issue: issue.clone(),
    }));
    draft.push(Event::HintGiven(HintGiven {
        hint_level: level,
        hint_text: text,
        trigger_reason,
        issue,
        words: Words::Problem,
        model: None,
    }));
    Ok(())
}

fn note(draft: &mut Draft<'_>, notes: &str) -> Result<(), Rejection> {
    let state = draft.state();
    v2(state, "keep notes")?;
    in_step(state, "keep notes", &[Step::Verify])?;
    admission::bound("the notes", notes.len() as u64, TEXT_MAX_BYTES)?;
    if notes.trim().is_empty() {
        let next = vec![Next::edit("write down what the run shows")];
        return Err(Rejection::InvalidInput { message: "the notes are empty".to_owned(), next });
    }
    draft.push(Event::NotesKept(NotesKept { trace_notes: notes.to_owned() }));
    Ok(())
}

fn retry(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    let state = draft.state();
    v2(state, "go back to the code")?;
    in_step(state, "go back to the code", &[Step::Verify])?;
    draft.push(Event::StepTaken(StepTaken { from: Step::Verify, to: Step::Implement }));
    failing::cut_off(draft);
    Ok(())
}

fn challenge(draft: &mut Draft<'_>, ops: &[Op]) -> Result<(), Rejection> {
    const COMMAND: &str = "try an input";
    let state = draft.state();
    v2(state, COMMAND)?;
    in_step(state, COMMAND, &[Step::Reflect])?;
    admission::at_most("the run", "calls", ops.len() as u64, CHALLENGE_OPS_MAX)?;
    failing::runs_of(state, "your input", ops)?;
    draft.push(Event::ChallengeTried(ChallengeTried { ops: ops.to_vec() }));
    Ok(())
}

fn reflect(draft: &mut Draft<'_>, cues: &[String], summary: &str) -> Result<(), Rejection> {
    let state = draft.state();
    v2(state, "reflect")?;
    in_step(state, "reflect", &[Step::Reflect])?;
    admission::at_most("the list", "cues", cues.len() as u64, CUES_MAX)?;
    for text in cues.iter().map(String::as_str).chain([summary]) {
        admission::bound("the text", text.len() as u64, TEXT_MAX_BYTES)?;
    }
    if summary.trim().is_empty() && cues.iter().all(|cue| cue.trim().is_empty()) {
        let next = vec![Next::edit("write a cue or the invariant, or skip the step")];
        return Err(Rejection::InvalidInput {
            message: "the reflection is empty".to_owned(),
            next,
        });
    }
    draft.push(Event::ReflectionSubmitted(ReflectionSubmitted {
        cues_next_time: cues.to_vec(),
        invariant_summary: summary.to_owned(),
    }));
    complete(draft);
    Ok(())
}

/// 003, mode behavior: an expert skips UNDERSTAND and PLAN; REFLECT may be skipped by everybody.
fn skip(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    const COMMAND: &str = "skip the step";
    let state = draft.state();
    v2(state, COMMAND)?;
    in_step(state, COMMAND, &Step::ALL)?;
    let from = state.stage.step();
    let refused = |because, next: Vec<Next>| {
        Err(Rejection::InvalidTransition { command: COMMAND, because, next })
    };
    let to = match (from, state.mode) {
        (Step::Understand, Mode::Expert) => Step::Plan,
        (Step::Plan, Mode::Expert) => Step::Implement,
        (Step::Reflect, _) => Step::Complete,
        (Step::Understand, Mode::Beginner) => {
            let next = Next::run("explain it in a few sentences", Action::Understand);
            return refused("a beginner explains the problem", vec![next]);
        }
        (Step::Plan, Mode::Beginner) => {
            return refused("a beginner makes a plan", next_in_plan(state));
        }
        (Step::Implement, _) => {
            let next = Next::run("submit code", Action::Submit);
            return refused("the code is the heart of it", vec![next]);
        }
        (Step::Verify, _) => {
            let next = Next::run("go back to the code", Action::Retry);
            return refused("tests failed", vec![next]);
        }
        (Step::Complete, _) => {
            return refused("it is over", vec![Next::edit("start another one")]);
        }
    };
    draft.push(Event::StepTaken(StepTaken { from, to }));
    if to == Step::Complete {
        complete(draft);
    }
    Ok(())
}

/// The end.
pub(super) fn complete(draft: &mut Draft<'_>) {
    let completed = summary(draft.state(), draft.at());
    draft.push(Event::AttemptCompleted(completed));
}

fn summary(state: &State, at: Time) -> AttemptCompleted {
    let last = state.submissions.last().map(|submission| &submission.result);
    let (tests_passed, tests_failed) =
        last.map_or((0, 0), |last| (last.tests_passed, last.tests_failed));
    let hints_used = state.hints.given_count();
    // What was said of a failure counts as a hint does, here as in the ledger.
    let helped = hints_used > 0 || !state.explanations.is_empty();
    let outcome = match (state.submissions.solved(), helped) {
        (false, _) => AttemptOutcome::Left,
        (true, false) => AttemptOutcome::Unaided,
        (true, true) => AttemptOutcome::Hinted,
    };
    AttemptCompleted {
        outcome,
        step: state.step(),
        submissions: state.submissions.count(),
        tests_passed,
        tests_failed,
        hints_used,
        duration_seconds: at.secs_since(state.started),
    }
}
