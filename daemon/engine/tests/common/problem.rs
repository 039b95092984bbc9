//! A small problem with the twelve named tests of 000, and verdicts on submissions to it.
//!
//! Shared by the unit tests and the simulation; it has no case data, since the engine sees none.

use vosim_protocol::v1::drill::Spec;
use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::evaluation::{
    CaseOutcome, CaseResult, Detail, Evaluation, FailureType, LimitHit, Load,
};
use vosim_protocol::v1::guide::Variation;
use vosim_protocol::v1::problem::{
    CaseInfo, DrawnInputs, GrowthProbe, Interface, Issue, IssueMatch, Language, Problem,
};
use vosim_protocol::{Hash, Wire};

/// The tests of 000, in their order.
pub(crate) const TESTS: [&str; 12] = [
    "test_basic_get_miss",
    "test_basic_put_get",
    "test_update_existing",
    "test_eviction_order_simple",
    "test_eviction_order_complex",
    "test_get_updates_recency",
    "test_capacity_one",
    "test_capacity_large",
    "test_repeated_operations",
    "test_all_same_key",
    "test_alternating_access",
    "test_deterministic_random",
];

/// The spec blob of a drill over the problem, whose hidden inputs are drawn.
pub(crate) fn drill_spec() -> Vec<u8> {
    Spec { draw: Some(draw()), variations: variations(), ..spec() }.to_line()
}

/// Changes of the problem, more than are asked about.
pub(crate) fn variations() -> Vec<Variation> {
    let variation = |title: &str| Variation {
        title: title.to_owned(),
        text: format!("{title} is wanted. What changes?"),
    };
    ["A time to live", "Two threads", "Fewest uses"].map(variation).to_vec()
}

pub(crate) fn draw() -> DrawnInputs {
    DrawnInputs {
        seed: 1,
        generator: "def generate(seed): ...".to_owned(),
        reference: String::new(),
    }
}

pub(crate) fn spec() -> Spec {
    Spec {
        problem: problem(),
        suite: Hash::of(b"suite"),
        draw: None,
        variations: Vec::new(),
        python_version: "3.11.5".to_owned(),
        model: None,
    }
}

fn problem() -> Problem {
    Problem {
        id: "lru_cache".parse().unwrap(),
        title: "LRU Cache".to_owned(),
        statement: "Implement an LRU cache.".to_owned(),
        licence: "CC0-1.0".to_owned(),
        rung: 2,
        cpu_ms: 10_000,
        interface: Interface::Class {
            name: "LRUCache".to_owned(),
            constructor: Vec::new(),
            methods: Vec::new(),
        },
        starters: Language::ALL.map(|language| (language, "starter".to_owned())).into(),
        cases: TESTS.map(case_info).into(),
        runs: Vec::new(),
        limits: Vec::new(),
        issues: issues(),
        solutions: Language::ALL.map(|language| (language, format!("solution, {language}"))).into(),
        praise: "All {total} tests pass.".to_owned(),
        question: "Which key goes when the cache is full?".to_owned(),
        growth: Some(GrowthProbe {
            sizes: vec![1_000, 4_000, 16_000],
            write: "put".to_owned(),
            read: "get".to_owned(),
        }),
    }
}

fn case_info(name: &str) -> CaseInfo {
    let (name, category) = (name.to_owned(), "Basic".to_owned());
    CaseInfo { name, category, description: "one line".to_owned(), visible: true }
}

fn issues() -> Vec<Issue> {
    let class = |class| IssueMatch { failure_types: vec![class], ..IssueMatch::default() };
    let capacity_one = IssueMatch {
        failing: vec!["test_capacity_one".to_owned()],
        passing: vec!["test_eviction_order_simple".to_owned()],
        ..IssueMatch::default()
    };
    let eviction = IssueMatch {
        failing: vec!["test_eviction_order_simple".to_owned()],
        ..IssueMatch::default()
    };
    vec![
        issue("import", class(FailureType::ImportError)),
        issue("signature", class(FailureType::WrongSignature)),
        issue("timeout", IssueMatch { details: vec![Detail::Time], ..IssueMatch::default() }),
        issue("crash", class(FailureType::Exception)),
        issue("capacity_one", capacity_one),
        issue("eviction", eviction),
        issue("general", IssueMatch::default()),
    ]
}

fn issue(id: &str, when: IssueMatch) -> Issue {
    Issue {
        id: id.to_owned(),
        when,
        feedback: format!("{id}: {{facts}}"),
        hints: [1, 2, 3].map(|level| format!("{id}, level {level}")),
        ways: Vec::new(),
    }
}

/// An evaluation in which the named tests end in a way and all others pass.
pub(crate) fn evaluation(load: Load, ends: &[(&str, CaseOutcome)]) -> Evaluation {
    let outcome = |name: &str| {
        let end = ends.iter().find(|(of, _)| *of == name);
        end.map_or(CaseOutcome::Passed, |(_, outcome)| outcome.clone())
    };
    let limit = ends.iter().find_map(|(name, outcome)| match outcome {
        CaseOutcome::Limit { detail } => Some(LimitHit {
            detail: *detail,
            value: "10 s".to_owned(),
            case: Some((*name).to_owned()),
        }),
        CaseOutcome::Passed
        | CaseOutcome::Failed
        | CaseOutcome::Raised { .. }
        | CaseOutcome::Crashed { .. }
        | CaseOutcome::NotRun => None,
    });
    let case = |name: &str| CaseResult {
        name: name.to_owned(),
        outcome: outcome(name),
        micros: 100,
        shown: None,
        twin: None,
        returned: None,
        prints: None,
    };
    Evaluation {
        load,
        cases: TESTS.map(case).into(),
        limit,
        runtime_ms: 145,
        cpu_ms: 120,
        peak_memory: 9_000_000,
        language: Language::Python,
        runtime: "3.11.5".to_owned(),
        started: None,
        small_runs: None,
        notes: Vec::new(),
    }
}

/// The outcome in which the first so many tests pass.
pub(crate) fn judged(passed: usize) -> EffectOutcome {
    let ends: Vec<_> = TESTS[passed..].iter().map(|name| (*name, CaseOutcome::Failed)).collect();
    EffectOutcome::Evaluate(Ok(Box::new(evaluation(Load::Loaded, &ends))))
}
