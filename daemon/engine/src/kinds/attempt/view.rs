//! What a terminal may show of an attempt: the same for every role, but for what it may ask for.

use vosim_protocol::v1::attempt::{
    AttemptV2, Command, Invariant, KeptCase, Mode, PlanPayload, ReflectPayload, Step, Template,
    TemplateGap, TestResultData, UnderstandPayload, UnderstandingAssessed, VerifyPayload, View,
};
use vosim_protocol::{Role, Time};

use crate::parts::permission::permitted;

use super::planning;
use super::state::{Plan, Stage, State, Understanding};

/// The view at a time.
pub(super) fn view(state: &State, role: Role, at: Time) -> View {
    let over = if let Stage::Done { at, ended } = &state.stage {
        Some((*at, ended.clone()))
    } else {
        None
    };
    let until = over.as_ref().map_or(at, |(at, _)| *at);
    let evaluating = if let Stage::Evaluating(one) = &state.stage {
        Some(one.submitted.attempt_number)
    } else {
        None
    };
    let (history, history_omitted) = state.submissions.newest();
    let planning = state.stage.step() == Step::Plan && state.spec.v2_flow;
    View {
        session_id: state.id,
        problem_id: state.spec.problem.id.clone(),
        title: state.spec.problem.title.clone(),
        rung: state.spec.problem.rung,
        calls: state.spec.problem.interface.calls(),
        phase: state.phase().to_owned(),
        started: state.started,
        duration_seconds: until.secs_since(state.started),
        attempt: attempt(state),
        skipped: state.skipped.clone(),
        approach: state.approach.clone(),
        discovery_question: state
            .discovery()
            .filter(|_| planning)
            .map(|step| step.question.clone()),
        templates: if planning { templates(state) } else { Vec::new() },
        evaluating,
        history,
        history_omitted,
        trace: state.trace.clone(),
        own_cases: own_cases(state),
        lesson: lesson(state),
        ended: over.map(|(_, ended)| ended),
        waits: state.waited_for().is_some(),
        allowed: permitted::<Command>(role, allowed(state)),
    }
}

/// The attempt in the words of 003, as the view, exports and bundles have it.
pub(super) fn attempt(state: &State) -> AttemptV2 {
    AttemptV2 {
        mode: state.mode,
        v2_step: state.step(),
        understand_payload: state.understanding.as_ref().map(understand),
        plan_payload: state.plan.as_ref().map(|plan| plan_payload(state, plan)),
        verify_payload: verify(state),
        reflect_payload: reflect(state),
        hint_budget: state.hint_budget(),
        hints_used_count: state.hints.given_count(),
    }
}

fn understand(understanding: &Understanding) -> UnderstandPayload {
    let fields = understanding.fields.clone();
    UnderstandPayload {
        explanation: fields.explanation,
        input_output_description: fields.input_output_description,
        constraints_description: fields.constraints_description,
        example_walkthrough: fields.example_walkthrough,
        wrong_approach: fields.wrong_approach,
        ai_assessment: understanding.assessed.as_ref().map(UnderstandingAssessed::kept),
        followups: understanding.followups.clone(),
    }
}

fn plan_payload(state: &State, plan: &Plan) -> PlanPayload {
    let chosen = plan.chosen.as_ref();
    PlanPayload {
        suggested_patterns: plan.suggested.clone(),
        chosen_pattern: chosen.map(|chosen| chosen.pattern_id.clone()),
        user_confidence: chosen.map(|chosen| chosen.confidence),
        invariant: invariant(state, plan),
        complexity: chosen.and_then(|chosen| chosen.complexity.clone()),
        discovery_triggered: plan.held.doubt,
    }
}

fn invariant(state: &State, plan: &Plan) -> Option<Invariant> {
    let chosen = plan.chosen.as_ref()?;
    let checked = plan.assessed.as_ref().and_then(|assessed| assessed.checked.as_ref());
    // What a run contradicts is not kept as what holds.
    if checked.is_some_and(|checked| checked.contradicted_by.is_some()) {
        return None;
    }
    let Some(built) = &chosen.invariant_builder else {
        let text = chosen.invariant_text.clone()?;
        return Some(Invariant {
            text,
            builder_used: false,
            template_id: None,
            template_choices: None,
        });
    };
    let mut templates = state.spec.guide.invariants.iter();
    let template = templates.find(|template| template.id == built.template_id)?;
    Some(Invariant {
        text: planning::sentence(template, built),
        builder_used: true,
        template_id: Some(built.template_id.clone()),
        template_choices: Some(built.choices.clone()),
    })
}

fn verify(state: &State) -> Option<VerifyPayload> {
    let evaluation = state.evaluation.as_ref()?;
    let cases = state.spec.problem.cases.iter().zip(&evaluation.cases);
    let test_results = (0u32..).zip(cases).map(|(test_index, (info, case))| TestResultData {
        test_index,
        name: info.name.clone(),
        category: info.category.clone(),
        passed: case.outcome.passed(),
        visible: info.visible,
    });
    Some(VerifyPayload {
        test_results: test_results.collect(),
        failure_explanations: state.explanations.clone(),
        trace_notes: state.trace_notes.clone(),
    })
}

/// The pattern whose lesson is shown: the one that was chosen, else a good one.
fn lesson_id(state: &State) -> Option<String> {
    let chosen = state.plan.as_ref().and_then(|plan| plan.chosen.as_ref());
    let good = || {
        state.spec.guide.patterns.iter().find(|one| one.fit == vosim_protocol::v1::guide::Fit::Good)
    };
    let id = chosen.map(|chosen| chosen.pattern_id.clone());
    id.or_else(|| good().map(|pattern| pattern.id.clone()))
}

fn reflect(state: &State) -> Option<ReflectPayload> {
    let reached = matches!(state.stage, Stage::Reflect | Stage::Challenging { .. })
        || (matches!(state.stage, Stage::Done { .. }) && state.submissions.solved());
    let reflection = state.reflection.as_ref();
    (reached && state.spec.v2_flow).then(|| ReflectPayload {
        cues_next_time: reflection.map(|one| one.cues_next_time.clone()).unwrap_or_default(),
        invariant_summary: reflection.map(|one| one.invariant_summary.clone()).unwrap_or_default(),
        micro_lesson_id: lesson_id(state),
        adversary_challenge_completed: state.challenge_won,
    })
}

fn lesson(state: &State) -> Option<String> {
    let id = reflect(state)?.micro_lesson_id?;
    let card = state.spec.guide.cards.iter().find(|card| card.id == id)?;
    Some(card.lesson.trim().to_owned())
}

fn own_cases(state: &State) -> Vec<KeptCase> {
    let found = state.own.evaluation.as_ref();
    let passed = |at: usize| Some(found?.cases.get(at)?.outcome.passed());
    let kept = state.own.kept.iter().enumerate();
    kept.map(|(at, ops)| KeptCase { ops: ops.clone(), passed: passed(at) }).collect()
}

fn templates(state: &State) -> Vec<Template> {
    let of = |template: &vosim_protocol::v1::guide::InvariantTemplate| Template {
        id: template.id.clone(),
        text: template.text.clone(),
        gaps: template
            .gaps
            .iter()
            .map(|gap| TemplateGap { name: gap.name.clone(), choices: gap.choices.clone() })
            .collect(),
    };
    state.spec.guide.invariants.iter().map(of).collect()
}

fn allowed(state: &State) -> &'static [&'static str] {
    let expert = state.mode == Mode::Expert;
    match &state.stage {
        Stage::Understand if state.understanding.is_none() && expert => {
            &["mode", "understand.submit", "skip", "end"]
        }
        Stage::Understand if state.understanding.is_none() => &["mode", "understand.submit", "end"],
        Stage::Understand if expert => &["understand.submit", "understand.followup", "skip", "end"],
        Stage::Understand => &["understand.submit", "understand.followup", "end"],
        Stage::Plan if state.discovery().is_some() => {
            &["plan.discover", "plan.suggest", "plan.choose", "end"]
        }
        Stage::Plan if expert => &["plan.suggest", "plan.choose", "skip", "end"],
        Stage::Plan => &["plan.suggest", "plan.choose", "end"],
        Stage::Approach => &["approach", "end"],
        Stage::Implement if !state.has_hint() => &["submit", "end"],
        Stage::Implement => &["submit", "hint", "end"],
        Stage::Failed if !state.spec.v2_flow && !state.has_hint() => &["submit", "end"],
        Stage::Failed if !state.spec.v2_flow => &["submit", "hint", "end"],
        Stage::Failed if state.all_failed().is_empty() => {
            &["verify.explain_failure", "note", "retry", "end"]
        }
        Stage::Failed => &["verify.explain_failure", "verify.trace", "note", "retry", "end"],
        Stage::Reflect => &["reflect.submit", "reflect.challenge", "skip", "end"],
        Stage::Assessing(_)
        | Stage::Checking(_)
        | Stage::Evaluating(_)
        | Stage::Challenging { .. } => &["end"],
        Stage::Done { .. } => &[],
    }
}
