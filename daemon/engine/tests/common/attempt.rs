//! What can be done to an attempt.

use vosim_engine::kinds::attempt::Attempt;
use vosim_protocol::v1::attempt::{Command, InvariantBuilder, Mode, Spec};
use vosim_protocol::v1::coverage::Dimension;
use vosim_protocol::v1::effect::{
    Checked, Drawn, Effect, EffectOutcome, Examine, Examined, ExaminedRun, Failure, Trace,
    TracedCall,
};
use vosim_protocol::v1::evaluation::{CaseOutcome, Load};
use vosim_protocol::v1::guide::{
    Discovery, Fit, Gap, Guide, InvariantTemplate, Pattern, PatternCard,
};
use vosim_protocol::v1::problem::{Function, Interface, Language, Op, Param, Problem};
use vosim_protocol::{Blob, Hash, Wire as _};

use super::Moves;
use crate::problem::{self, TESTS};

/// An attempt over the problem of 000, whose hidden inputs are drawn.
pub(crate) fn spec(mode: Mode, v2_flow: bool) -> Spec {
    let drill = problem::spec();
    let method = |name: &str, params: &[&str]| Function {
        name: name.to_owned(),
        params: params.iter().map(|name| param(name)).collect(),
        returns: None,
    };
    let interface = Interface::Class {
        name: "LRUCache".to_owned(),
        constructor: Vec::new(),
        methods: vec![method("put", &["key", "value"]), method("get", &["key"])],
    };
    let statement = "An LRU cache keeps values by key while there is room.".to_owned();
    Spec {
        problem: Problem { interface, statement, ..drill.problem },
        suite: drill.suite,
        draw: Some(problem::draw()),
        guide: guide(),
        fields: ["explanation", "wrongApproach"].map(field).into(),
        hearing: None,
        v2_flow,
        mode,
        python_version: drill.python_version,
    }
}

fn param(name: &str) -> Param {
    Param { name: name.to_owned(), kind: "int".to_owned() }
}

fn field(id: &str) -> Dimension {
    let group = |stems: &[&str]| stems.iter().map(|stem| (*stem).to_owned()).collect();
    Dimension {
        id: id.to_owned(),
        title: id.to_owned(),
        required: true,
        signals: vec![group(&["cache", "key"]), group(&["room", "full"]), group(&["slow", "list"])],
        evidence: None,
        questions: vec![format!("What of the {id}?"), format!("What else of the {id}?")],
    }
}

fn guide() -> Guide {
    let pattern = |id: &str, fit| Pattern {
        id: id.to_owned(),
        name: id.to_owned(),
        fit,
        confidence: 0.9,
        reason: format!("{id} comes to mind."),
        rationale: format!("{id} does what it does."),
        signals: vec![id[..3].to_owned()],
    };
    let card = |id: &str| PatternCard {
        id: id.to_owned(),
        name: id.to_owned(),
        cues: Vec::new(),
        signals: Vec::new(),
        invariant: String::new(),
        failures: Vec::new(),
        lesson: format!("What {id} teaches."),
    };
    let gap = Gap {
        name: "bound".to_owned(),
        choices: vec!["more".to_owned(), "at most".to_owned()],
        right: 1,
        why: "It has a capacity.".to_owned(),
    };
    Guide {
        patterns: vec![
            pattern("map", Fit::Good),
            pattern("list", Fit::Maybe),
            pattern("heap", Fit::Mismatch),
            pattern("tree", Fit::Mismatch),
        ],
        cards: ["map", "list", "heap", "tree"].map(card).into(),
        discovery: vec![Discovery {
            question: "Is it found by its key?".to_owned(),
            answer: true,
            explanation: "It is.".to_owned(),
            suggests: "map".to_owned(),
        }],
        invariants: vec![InvariantTemplate {
            id: "bound".to_owned(),
            text: "It holds {bound} keys than the capacity.".to_owned(),
            gaps: vec![gap],
        }],
        checker: "def check(template, choices, calls, answers): ...".to_owned(),
        ..Guide::default()
    }
}

impl Moves for Attempt {
    const BY_TIME: &'static [&'static str] = &[];
    const EFFECT_ENDS: &'static [&'static str] = &[
        "UNDERSTANDING_ASSESSED",
        "PLAN_ASSESSED",
        "SUITE_DRAWN",
        "EVAL_RESULT",
        "EVAL_ABORTED",
        "CHALLENGE_SCORED",
        "FAILURE_TRACED",
        "OWN_CASE_CHECKED",
        "OWN_CASES_RUN",
    ];

    fn spec() -> Vec<u8> {
        spec(Mode::Beginner, true).to_line()
    }

    fn command(choice: u64) -> (Command, Vec<Blob>) {
        let text = |what: &str| format!("{what} {choice}");
        let command = match choice % 27 {
            0 if choice == 0 => Command::End {},
            0 => Command::Mode { mode: Mode::Expert },
            1..=3 => understand(choice),
            4 => Command::UnderstandFollowup {
                question: "What of the explanation?".to_owned(),
                answer: text("It is a cache with room for keys, since it is full at"),
            },
            5 => Command::PlanSuggest { explanation: text("a map") },
            6 => Command::PlanDiscover { answer: choice.is_multiple_of(2) },
            7..=10 => choose(choice),
            11 => Command::Hint {},
            12 => Command::VerifyExplainFailure {
                test_index: u32::try_from(choice % 14).unwrap(),
                test_input: String::new(),
                expected: String::new(),
                actual: String::new(),
                user_explanation: text("It goes wrong at"),
            },
            13 => Command::Note { trace_notes: text("note") },
            14 | 15 => Command::Retry {},
            16 => Command::Skip {},
            17 => Command::Challenge { ops: vec![op("LRUCache")] },
            18 if choice.is_multiple_of(4) => Command::ReflectSubmit {
                cues_next_time: vec![text("cue")],
                invariant_summary: text("It holds"),
            },
            18 => Command::Approach { text: text("a map") },
            19 => Command::VerifyTrace { test_index: u32::try_from(choice % 14).unwrap() },
            20 | 21 => {
                Command::CaseAdd { ops: vec![op("LRUCache"); usize::try_from(choice % 5).unwrap()] }
            }
            22 => Command::CaseRemove { number: u32::try_from(choice % 4).unwrap() },
            _ => {
                let code = Blob(format!("print({})\n", choice / 27 % 12).into_bytes());
                let submit = Command::Submit {
                    file_path: "solution".to_owned(),
                    code: code.reference(),
                    language: Language::ALL[usize::from(choice.is_multiple_of(5))],
                    again: choice.is_multiple_of(7),
                };
                return (submit, vec![code]);
            }
        };
        (command, Vec::new())
    }

    fn outcome(effect: &Effect, choice: u64) -> EffectOutcome {
        if choice.is_multiple_of(11) {
            return effect.failed(Failure::new("the power went"));
        }
        let few = u32::try_from(choice % 4).unwrap();
        match effect {
            Effect::Evaluate(_) => {
                problem::judged(usize::try_from(choice % 20).unwrap().min(TESTS.len()))
            }
            Effect::Draw(_) => EffectOutcome::Draw(Ok(Drawn { suite: Hash::of(b"drawn") })),
            Effect::Examine(Examine { runs, .. }) => {
                let run = |_: &Vec<Op>| ExaminedRun {
                    holds: !choice.is_multiple_of(5),
                    differs_at: choice.is_multiple_of(10).then_some(1),
                    catches: few,
                    shown: choice.is_multiple_of(7),
                    outside: None,
                    limit: None,
                };
                let runs = runs.iter().map(run).collect();
                EffectOutcome::Examine(Ok(Examined { runs, planted: 4, caught: few }))
            }
            Effect::CheckInvariant(_) => EffectOutcome::CheckInvariant(Ok(Checked {
                runs: 9,
                contradicted_by: choice.is_multiple_of(3).then(|| TESTS[0].to_owned()),
                catches: few,
            })),
            Effect::Try(tried) => {
                let ends = [(TESTS[0], CaseOutcome::Failed)];
                let mut found = problem::evaluation(Load::Loaded, &ends[..usize::from(few > 1)]);
                found.cases.truncate(tried.cases.len());
                EffectOutcome::Try(Ok(Box::new(found)))
            }
            Effect::Shrink(_) => EffectOutcome::Shrink(Ok(Box::new(trace(few)))),
            _ => effect.failed(Failure::new("an attempt asks for no such thing")),
        }
    }
}

fn understand(choice: u64) -> Command {
    let example = match choice % 3 {
        0 => "LRUCache() put(1,5) get(1)==5",
        1 => "LRUCache()",
        _ => "put two keys",
    };
    Command::UnderstandSubmit {
        explanation: "A cache keeps keys while there is room, because it can be full.".to_owned(),
        input_output_description: String::new(),
        constraints_description: String::new(),
        example_walkthrough: example.to_owned(),
        wrong_approach: if choice.is_multiple_of(5) { "" } else { "A list is slow." }.to_owned(),
    }
}

fn choose(choice: u64) -> Command {
    let built = InvariantBuilder {
        template_id: "bound".to_owned(),
        choices: [("bound".to_owned(), usize::from(choice.is_multiple_of(2)))].into(),
    };
    let text = "It never holds more keys than the capacity.".to_owned();
    Command::PlanChoose {
        pattern_id: ["map", "list", "heap", "tree"][usize::try_from(choice % 4).unwrap()]
            .to_owned(),
        confidence: u8::try_from(choice % 5 + 1).unwrap(),
        invariant_text: choice.is_multiple_of(3).then_some(text),
        invariant_builder: (choice % 3 == 1).then_some(built),
        complexity: None,
    }
}

/// A failure in one call, made of so many.
pub(crate) fn trace(made_of: u32) -> Trace {
    let call = TracedCall {
        call: "get(1)".to_owned(),
        expected: Some("1".to_owned()),
        actual: Some("-1".to_owned()),
        differs: true,
    };
    Trace {
        calls: vec![call],
        omitted: 0,
        ops: vec![op("LRUCache")],
        made_of,
        tried: 7,
        cut_short: false,
    }
}

fn op(call: &str) -> Op {
    Op { call: call.to_owned(), args: Vec::new(), expect: None }
}
