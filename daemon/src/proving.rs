//! Proves a problem package: each of its programs ends as the package says it does, with the
//! package's own cases and with as many draws of hidden inputs as are asked for, and runs bear out the
//! right choices of its invariants and refute the others.
//!
//! Whoever asks is told before each run, and may keep it waiting or end the whole. Nothing is changed.

mod invariants;

use std::path::Path;

use vosim_protocol::v1::evaluation::{CaseOutcome, Detail, Evaluation, FailureType};
use vosim_protocol::v1::problem::Suite;
use vosim_protocol::v1::service::{ProvedInvariant, ProvedProgram};

use crate::content::{Package, Program, check_ops, compare, lint, unanswered};
use crate::evaluator::{Cancel, Evaluator, Submission};

pub(crate) use invariants::invariants;

/// What came of proving a package.
#[derive(Debug)]
pub struct Proven {
    /// The programs, with their results. Where no inputs could be drawn, the generator stands there
    /// too.
    pub programs: Vec<ProvedProgram>,
    /// The invariants, with what runs say of them; or why they could not be asked.
    pub invariants: Result<Vec<ProvedInvariant>, String>,
    /// The wrong programs that no invariant notices.
    pub unnoticed: Vec<String>,
    /// What its texts should do better, one finding each; a package with findings can be used.
    pub findings: Vec<String>,
}

impl Proven {
    /// Whether every program gave the promised result and the invariants hold.
    pub fn proved(&self) -> bool {
        self.faults().is_empty()
    }

    /// What is against it, one line each.
    pub fn faults(&self) -> Vec<String> {
        let programs = self.programs.iter().filter(|program| !program.ok);
        let mut faults: Vec<_> = programs
            .map(|ProvedProgram { program, promised, got, .. }| {
                format!("{program}: {got} (expected: {promised})")
            })
            .collect();
        match &self.invariants {
            Ok(proved) => faults.extend(
                proved
                    .iter()
                    .filter(|one| !one.ok)
                    .map(|one| format!("invariant {}: {}", one.invariant, one.got)),
            ),
            Err(why) => faults.push(format!("invariants: not checked: {why}")),
        }
        faults
    }
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The runs before.
    pub done: usize,
    /// All runs.
    pub of: usize,
    /// The program that is run now.
    pub program: &'a str,
}

/// Programs that use their time up are judged with so many draws at most.
const DRAWS_OF_SLOW: u64 = 2;

/// Has all programs of a package judged, also with the hidden inputs of so many seeds; blocks.
///
/// `begin` is called before each run and returns what lasts as long as the run does, or why there are
/// to be no more.
pub fn prove<T>(
    package: &Package,
    seeds: u64,
    (evaluator, cancel): (&Evaluator, &Cancel),
    begin: impl FnMut(Step<'_>) -> Result<T, String>,
) -> Proven {
    let draws = if package.generator.is_some() { seeds } else { 0 };
    let count = package.programs.len();
    let rounds = usize::try_from(draws).unwrap_or(usize::MAX).saturating_add(1);
    let of = count.saturating_mul(rounds);
    let mut judges = Judges { package, evaluator, cancel, begin, done: 0, of };
    let suite = package.suite();
    let mut programs: Vec<_> =
        package.programs.iter().map(|program| judges.proved(program, &suite)).collect();
    for seed in 1..=draws {
        let suite = match judges.draw(seed) {
            Ok(suite) => suite,
            Err(reason) => {
                programs.push(undrawn(seed, &reason));
                break;
            }
        };
        for (program, proved) in package.programs.iter().zip(&mut programs) {
            if !proved.ok || (seed > DRAWS_OF_SLOW && program.uses_its_limits_up()) {
                judges.done += 1;
                continue;
            }
            let again = judges.proved(program, &suite);
            if !again.ok {
                *proved =
                    ProvedProgram { got: format!("with seed {seed}: {}", again.got), ..again };
            }
        }
    }
    let invariants = judges.invariants(&suite);
    let unnoticed = invariants.as_ref().map(|proved| invariants::unnoticed(package, proved));
    let unnoticed = unnoticed.unwrap_or_default();
    let findings = lint(package).into_iter().chain(unanswered(package));
    let findings = findings.map(|finding| finding.to_string()).collect();
    Proven { programs, invariants, unnoticed, findings }
}

/// A draw that failed, in the place of a program: it promises that each program gets its inputs.
fn undrawn(seed: u64, reason: &str) -> ProvedProgram {
    ProvedProgram {
        program: ".vosim/generator.py".to_owned(),
        promised: FailureType::Pass,
        got: format!("with seed {seed}: {reason}"),
        ok: false,
    }
}

fn ran_out_of_time(evaluation: &Evaluation) -> bool {
    let by_clock = CaseOutcome::Limit { detail: Detail::Wall };
    evaluation.cases.iter().any(|case| case.outcome == by_clock)
}

struct Judges<'a, B> {
    package: &'a Package,
    evaluator: &'a Evaluator,
    cancel: &'a Cancel,
    begin: B,
    done: usize,
    of: usize,
}

impl<T, B: FnMut(Step<'_>) -> Result<T, String>> Judges<'_, B> {
    fn proved(&mut self, program: &Program, suite: &Suite) -> ProvedProgram {
        let mut judged = self.judge(program, suite);
        // The clock may have run out for want of a processor: that says nothing of the program.
        if judged.as_ref().is_ok_and(ran_out_of_time) {
            judged = self.judge(program, suite);
        }
        self.done += 1;
        compare(&self.package.problem.issues, program, judged)
    }

    fn judge(&mut self, program: &Program, suite: &Suite) -> Result<Evaluation, String> {
        let Self { package, evaluator, cancel, begin, done, of } = self;
        let _turn = begin(Step { done: *done, of: *of, program: &program.path })?;
        let file_path = Path::new(&program.path).file_name().unwrap_or_default().to_string_lossy();
        let submission = Submission {
            problem: &package.problem,
            suite,
            code: &program.source,
            file_path: &file_path,
            language: program.language,
        };
        let judged = evaluator.evaluate(&submission, cancel, &mut |_, _| ());
        judged.map_err(|refusal| refusal.to_string())
    }

    fn draw(&mut self, seed: u64) -> Result<Suite, String> {
        let Self { package, evaluator, cancel, begin, done, of } = self;
        let _turn = begin(Step { done: *done, of: *of, program: "the generator" })?;
        let draw = package.draw(seed).ok_or("the package has no generator")?;
        let drawn = evaluator.draw(&draw, &package.problem, package.suite(), check_ops, cancel);
        drawn.map_err(|refusal| refusal.to_string())
    }

    fn invariants(&mut self, suite: &Suite) -> Result<Vec<ProvedInvariant>, String> {
        let Self { package, evaluator, cancel, begin, of, .. } = self;
        let _turn = begin(Step { done: of.saturating_sub(1), of: *of, program: "the invariants" })?;
        invariants(package, suite, (*evaluator, *cancel), |_| true)
    }
}
