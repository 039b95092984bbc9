//! Data for the snapshots of an attempt: one small story, made by hand.

use std::collections::BTreeMap;

use serde_json::json;
use vosim_protocol::v1::attempt::{
    AiAssessment, AttemptCompleted, AttemptOutcome, AttemptV2, FailureExplanation, Invariant, Mode,
    PlanPayload, ReflectPayload, Status, Step, SuggestedPattern, Template, TemplateGap,
    TestResultData, UnderstandPayload, VerifyPayload, View,
};
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::telling::ToldRecord;

use crate::render::samples::{at, infos, line, record, session};

const QUESTION: &str = "What happens to a key that is read and is not there?";

/// Every step, and some places in them.
pub(crate) const PLACES: [&str; 8] = [
    "understand",
    "understand, needs work",
    "plan",
    "plan, in doubt",
    "implement",
    "verify",
    "reflect",
    "complete",
];

/// The attempt at one of [`PLACES`].
pub(crate) fn view(place: &str, mode: Mode) -> View {
    let step = match place.split(',').next().unwrap() {
        "understand" => Step::Understand,
        "plan" => Step::Plan,
        "implement" => Step::Implement,
        "verify" => Step::Verify,
        "reflect" => Step::Reflect,
        _ => Step::Complete,
    };
    let understood = place != "understand";
    let solved = step >= Step::Reflect;
    let history = match step {
        Step::Understand | Step::Plan | Step::Implement => vec![],
        Step::Verify => vec![line(1, FailureType::WrongAnswer, 3)],
        Step::Reflect | Step::Complete => {
            vec![line(1, FailureType::WrongAnswer, 3), line(2, FailureType::Pass, 12)]
        }
    };
    View {
        session_id: session(),
        problem_id: "lru_cache".parse().unwrap(),
        title: "LRU Cache".to_owned(),
        rung: 2,
        calls: "LRUCache(capacity), get(key), put(key, value)".to_owned(),
        phase: step.name().to_owned(),
        started: at(0),
        duration_seconds: 754,
        attempt: AttemptV2 {
            mode,
            v2_step: Some(step),
            understand_payload: understood.then(|| understanding(step)),
            plan_payload: (step >= Step::Plan).then(|| plan(place, step)),
            verify_payload: (step >= Step::Verify).then(|| verify(solved)),
            reflect_payload: solved.then(|| reflect(step)),
            hint_budget: 4,
            hints_used_count: if step > Step::Plan { 2 } else { 0 },
        },
        skipped: Vec::new(),
        approach: None,
        discovery_question: (place == "plan, in doubt")
            .then(|| "Must a single key be found without looking at the others?".to_owned()),
        templates: if step == Step::Plan { vec![template()] } else { vec![] },
        evaluating: None,
        history,
        history_omitted: 0,
        trace: None,
        own_cases: Vec::new(),
        lesson: solved.then(|| "Two structures that agree are *one* structure.".to_owned()),
        ended: (step == Step::Complete).then(ended),
        waits: false,
        allowed: allowed(place, step, mode).iter().map(|&word| word.to_owned()).collect(),
    }
}

fn allowed(place: &str, step: Step, mode: Mode) -> Vec<&'static str> {
    let mut allowed = match step {
        Step::Understand if place == "understand" => vec!["mode", "understand.submit"],
        Step::Understand => vec!["understand.submit", "understand.followup"],
        Step::Plan if place == "plan" => vec!["plan.suggest", "plan.choose"],
        Step::Plan => vec!["plan.discover", "plan.suggest", "plan.choose"],
        Step::Implement => vec!["submit", "hint"],
        Step::Verify => vec!["verify.explain_failure", "note", "retry"],
        Step::Reflect => vec!["reflect.submit", "reflect.challenge"],
        Step::Complete => return vec![],
    };
    let may_skip = step == Step::Reflect || (mode == Mode::Expert && step <= Step::Plan);
    allowed.extend(may_skip.then_some("skip"));
    allowed.push("end");
    allowed
}

fn understanding(step: Step) -> UnderstandPayload {
    let open = step == Step::Understand;
    let assessment = AiAssessment {
        status: if open { Status::NeedsWork } else { Status::Pass },
        strengths: vec!["What bounds it: clear.".to_owned()],
        gaps: vec!["Example 1: the reference disagrees at call 3.".to_owned()],
        followup_questions: if open { vec![QUESTION.to_owned()] } else { vec![] },
    };
    UnderstandPayload {
        explanation: "It keeps the keys that were used last.\nOthers go.".to_owned(),
        input_output_description: "Numbers in, a number out.".to_owned(),
        constraints_description: "At most 1000 keys.".to_owned(),
        example_walkthrough: "LRUCache(1) put(1,1) get(1)==1".to_owned(),
        wrong_approach: "A list is too slow.".to_owned(),
        ai_assessment: Some(assessment),
        followups: vec![],
    }
}

fn plan(place: &str, step: Step) -> PlanPayload {
    let suggested = |id: &str, name: &str, reason: &str, sure| SuggestedPattern {
        pattern_id: id.to_owned(),
        name: name.to_owned(),
        reason: reason.to_owned(),
        ai_confidence: sure,
    };
    let doubt = place == "plan, in doubt";
    let chosen = doubt || step > Step::Plan;
    let invariant = Invariant {
        text: "The map and the order hold the same keys.".to_owned(),
        builder_used: false,
        template_id: None,
        template_choices: None,
    };
    PlanPayload {
        suggested_patterns: vec![
            suggested("map_and_linked_list", "Hash map with a linked list", "You said: keys.", 0.6),
            suggested("list_scan", "Scan of one list", "Easy to get right.", 0.3),
        ],
        chosen_pattern: chosen.then(|| "map_and_linked_list".to_owned()),
        user_confidence: chosen.then_some(if doubt { 1 } else { 4 }),
        invariant: chosen.then_some(invariant),
        complexity: chosen.then(|| "O(1)".to_owned()),
        discovery_triggered: doubt,
    }
}

fn template() -> Template {
    Template {
        id: "same_keys".to_owned(),
        text: "The map and the order hold {relation} keys.".to_owned(),
        gaps: vec![TemplateGap {
            name: "relation".to_owned(),
            choices: ["the same", "different"].map(str::to_owned).into(),
        }],
    }
}

fn verify(solved: bool) -> VerifyPayload {
    let tests = (0..).zip(infos()).map(|(test_index, info)| TestResultData {
        test_index,
        name: info.name,
        category: info.category,
        passed: solved || test_index % 2 == 0,
        visible: info.visible,
    });
    let explained = FailureExplanation {
        test_index: 1,
        user_explanation: "A read does not count as a use.".to_owned(),
        ai_guidance: "The order.".to_owned(),
        timestamp: at(9),
    };
    VerifyPayload {
        test_results: tests.collect(),
        failure_explanations: vec![explained],
        trace_notes: Some("Look at call 5.".to_owned()),
    }
}

fn reflect(step: Step) -> ReflectPayload {
    let said = step == Step::Complete;
    ReflectPayload {
        cues_next_time: if said { vec!["order of use".to_owned()] } else { vec![] },
        invariant_summary: if said { "The same keys.".to_owned() } else { String::new() },
        micro_lesson_id: Some("map_and_linked_list".to_owned()),
        adversary_challenge_completed: said,
    }
}

fn ended() -> AttemptCompleted {
    AttemptCompleted {
        outcome: AttemptOutcome::Hinted,
        step: Some(Step::Reflect),
        submissions: 2,
        tests_passed: 12,
        tests_failed: 0,
        hints_used: 2,
        duration_seconds: 754,
    }
}

/// The beginning of its log.
pub(crate) fn records() -> Vec<ToldRecord> {
    let assessed = json!({
        "status": "NEEDS_WORK", "strengths": ["What bounds it: clear."],
        "gaps": ["Example 1: the reference disagrees at call 3."],
        "followupQuestions": [QUESTION], "solutionLeakRisk": "low",
    });
    let fields = UnderstandPayload { ai_assessment: None, ..understanding(Step::Understand) };
    let payloads = [
        (
            "ATTEMPT_STARTED",
            json!({
                "problem_id": "lru_cache", "title": "LRU Cache", "mode": "BEGINNER",
                "v2_flow": true, "python_version": "3.11.7",
            }),
        ),
        ("UNDERSTANDING_SUBMITTED", serde_json::to_value(fields).unwrap()),
        ("UNDERSTANDING_ASSESSED", assessed),
    ];
    (1..).zip(payloads).map(|(id, (name, payload))| record(id, name, payload)).collect()
}

/// What stands in the fields of UNDERSTAND, by their names.
pub(crate) fn explained() -> BTreeMap<&'static str, String> {
    let sent = understanding(Step::Understand);
    BTreeMap::from([
        ("explanation", sent.explanation),
        ("inputOutputDescription", sent.input_output_description),
        ("constraintsDescription", sent.constraints_description),
        ("exampleWalkthrough", sent.example_walkthrough),
        ("wrongApproach", sent.wrong_approach),
    ])
}
