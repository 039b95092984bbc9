//! A package is proved only when every program keeps its promise.

use vosim_protocol::v1::evaluation::{
    CaseOutcome, CaseResult, Detail, Evaluation, FailureType, LimitHit, Load,
};
use vosim_protocol::v1::problem::{Language, Problem};

use super::package;
use crate::content::{Program, Promise, compare, prove};

/// An evaluation in which the first cases pass and the rest end as given.
fn evaluation(problem: &Problem, passed: usize, load: Load, rest: &CaseOutcome) -> Evaluation {
    let case = |(at, info): (usize, &vosim_protocol::v1::problem::CaseInfo)| CaseResult {
        name: info.name.clone(),
        outcome: if at < passed { CaseOutcome::Passed } else { rest.clone() },
        micros: 1,
        shown: None,
        twin: None,
        returned: None,
        prints: None,
    };
    Evaluation {
        load,
        cases: problem.cases.iter().enumerate().map(case).collect(),
        limit: None,
        runtime_ms: 1,
        cpu_ms: 1,
        peak_memory: 0,
        language: Language::Python,
        runtime: "3.11.7".to_owned(),
        started: None,
        small_runs: None,
        notes: Vec::new(),
    }
}

/// The verdict on a program that keeps its promise, as far as that is one figure.
fn kept(problem: &Problem, program: &Program) -> Evaluation {
    let promise = &program.promise;
    let passed = promise.passed.map_or(0, |passed| passed as usize);
    let detail = promise.detail.unwrap_or(Detail::Value);
    let message = String::new();
    let (load, rest) = match promise.failure_type {
        FailureType::ImportError => (Load::ImportError { detail, message }, CaseOutcome::NotRun),
        FailureType::WrongSignature => (Load::WrongSignature { message }, CaseOutcome::NotRun),
        FailureType::Exception if detail == Detail::Exception => {
            (Load::Loaded, CaseOutcome::Raised { exception: message })
        }
        FailureType::Exception if detail == Detail::Exit => {
            (Load::Loaded, CaseOutcome::Crashed { detail, message })
        }
        FailureType::Exception => (Load::Loaded, CaseOutcome::Limit { detail }),
        FailureType::Pass | FailureType::PartialPass | FailureType::WrongAnswer => {
            (Load::Loaded, CaseOutcome::Failed)
        }
    };
    let mut evaluation = evaluation(problem, passed, load, &rest);
    if let CaseOutcome::Limit { detail } = rest {
        evaluation.limit = Some(LimitHit { detail, value: "10 s".to_owned(), case: None });
    }
    evaluation
}

#[test]
fn a_package_whose_programs_keep_their_promises_is_proved() {
    let mut package = package();
    // Which cases fail is for a real run to show; here only class, detail and count are played.
    for program in &mut package.programs {
        program.promise.issue = None;
        program.promise.caught_by.clear();
    }
    let problem = package.problem.clone();
    let proved = prove(&package, |program| Ok(kept(&problem, program)));
    assert_eq!(proved.len(), package.programs.len());
    let broken: Vec<_> = proved.iter().filter(|program| !program.ok).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn a_judge_that_passes_everything_breaks_every_promise_but_the_right_programs() {
    let package = package();
    let all =
        |_: &Program| Ok(evaluation(&package.problem, 12, Load::Loaded, &CaseOutcome::Passed));
    for proved in prove(&package, all) {
        assert_eq!(proved.ok, proved.program.contains("/accepted/"), "{proved:?}");
        assert!(proved.got.starts_with("PASS, 12/12"), "{}", proved.got);
    }
}

#[test]
fn a_wrong_class_detail_count_or_issue_alone_breaks_a_promise() {
    let package = package();
    let issues = &package.problem.issues;
    let path = "submissions/wrong_answer/wrong_eviction.py";
    let mut program = package.programs.iter().find(|p| p.path == path).unwrap().clone();
    let played = evaluation(&package.problem, 5, Load::Loaded, &CaseOutcome::Failed);
    let judged = |program: &Program| compare(issues, program, Ok(played.clone()));

    // The first five cases of the suite pass here, so the run points to another issue.
    program.promise.caught_by.clear();
    assert_eq!(judged(&program).got, "WRONG_ANSWER (value), 5/12, general");
    assert!(!judged(&program).ok);
    program.promise.issue = Some("general".to_owned());
    assert!(judged(&program).ok);

    let kept = program.promise.clone();
    let breaches = [
        Promise { failure_type: FailureType::PartialPass, ..kept.clone() },
        Promise { detail: Some(Detail::Exception), ..kept.clone() },
        Promise { passed: Some(4), ..kept.clone() },
        // The first five cases pass here.
        Promise { caught_by: vec!["test_basic_put_get".to_owned()], ..kept },
    ];
    for promise in breaches {
        program.promise = promise;
        assert!(!judged(&program).ok, "{:?}", program.promise);
    }
}

#[test]
fn a_program_that_could_not_be_judged_is_not_proved() {
    let package = package();
    let proved = prove(&package, |_| Err("no python3 was found".to_owned()));
    assert!(proved.iter().all(|program| !program.ok));
    assert_eq!(proved[0].got, "not judged: no python3 was found");
}
