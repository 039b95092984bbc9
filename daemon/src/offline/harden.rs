//! Looks for holes in a problem: programs one change away from the reference that its cases let pass. The
//! inputs of other seeds say which of them are wrong for certain. Nothing here depends on a clock.

use std::fmt::Write as _;
use std::path::Path;

use vosim_agent::repair::{Fault, Grammar, Mutant, Patience, Test, mutants};
use vosim_protocol::Json;
use vosim_protocol::ids::ProblemId;
use vosim_protocol::v1::problem::{Language, Op};
use vosim_protocol::v1::service::Hole;

use crate::content::{Package, Shelf, check_ops, find};
use crate::evaluator::{Cancel, Comparison, Evaluator, Tests};

/// Candidates that are tried at once.
const BATCH: usize = 100;

/// What was found out about a problem.
#[derive(Debug)]
pub struct Hardened {
    /// The problem's title.
    pub title: String,
    /// Wrong programs that were tried.
    pub tried: usize,
    /// Those that the cases let pass, the certain ones first.
    pub holes: Vec<Hole>,
    /// Those that only the package's own cases let pass: every draw catches them.
    pub drawn: usize,
    /// Cases that were left out, since the reference takes longer for them than a test may here.
    pub left_out: Vec<String>,
    /// Draws that were looked at for differences; none where nothing is drawn.
    pub seeds: u64,
}

impl Hardened {
    /// Whether a program is let pass that is wrong for certain.
    pub fn has_holes(&self) -> bool {
        self.holes.iter().any(|hole| hole.differs.is_some())
    }

    /// Tells the result to a person.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, hole) in (1..).zip(&self.holes) {
            let Hole { operator, line, before, after, caught, differs, program } = hole;
            let word = if differs.is_some() { "HOLE" } else { "    " };
            // Writing to a string does not fail.
            writeln!(text, "{word} {number} {operator}, line {line}").ok();
            prefixed(&mut text, "     - ", before);
            prefixed(&mut text, "     + ", after);
            match differs {
                Some(differs) => {
                    let seeds = self.seeds;
                    writeln!(text, "     {caught} of {seeds} draws catch it: {differs}").ok();
                    writeln!(text, "     a wrong program for the package:").ok();
                    prefixed(&mut text, "     | ", program);
                }
                None => {
                    writeln!(text, "     no difference was found: it may be equivalent").ok();
                }
            }
        }
        for case in &self.left_out {
            writeln!(text, "note {case} was left out: it takes too long here").ok();
        }
        let certain = self.holes.iter().filter(|hole| hole.differs.is_some()).count();
        let open = self.holes.len() - certain;
        let seeds = match self.seeds {
            0 => "nothing is drawn, so none could be told apart".to_owned(),
            seeds => format!(
                "{open} without a difference in {seeds} draws, {} that each draw catches",
                self.drawn
            ),
        };
        let (title, tried) = (&self.title, self.tried);
        writeln!(text, "{title}: {tried} changed programs, {certain} holes, {seeds}").ok();
        text
    }
}

fn prefixed(text: &mut String, mark: &str, lines: &str) {
    for line in lines.lines() {
        writeln!(text, "{mark}{line}").ok();
    }
}

/// Tries at most so many mutants of a problem's reference, and looks for differences in so many draws.
/// `named` is a folder where it has a slash, else the id of a problem of one's own or of the binary.
pub fn harden(
    named: &str,
    data: &Path,
    (most, seeds): (usize, u64),
    evaluator: &Evaluator,
) -> anyhow::Result<Hardened> {
    if named.contains('/') {
        return look(&Package::from_dir(Path::new(named))?, (most, seeds), evaluator);
    }
    let shelf = Shelf::of(data);
    let own = named.parse::<ProblemId>().ok().filter(|id| shelf.place(id).is_dir());
    if let Some(id) = own {
        return look(&shelf.read(&id)?.package, (most, seeds), evaluator);
    }
    let package = find(named)?;
    look(&package, (most, seeds), evaluator)
}

fn look(
    package: &Package,
    (most, seeds): (usize, u64),
    evaluator: &Evaluator,
) -> anyhow::Result<Hardened> {
    let cancel = Cancel::new()?;
    let suite = package.suite();
    let (names, cases): (Vec<_>, Vec<_>) =
        suite.cases.into_iter().map(|case| (case.name, case.ops)).unzip();
    let bench = Bench { package, evaluator, cancel: &cancel };
    let reference = &package.reference;
    let right = bench.outcomes(&cases, std::slice::from_ref(reference))?.pop().unwrap_or_default();
    let fast = |at: &usize| right.get(*at) == Some(&Test::Passed);
    let kept: Vec<_> = (0..cases.len()).filter(fast).map(|at| cases[at].clone()).collect();
    let slow = (0..cases.len()).filter(|at| !fast(at)).map(|at| names[at].clone());
    let left_out = slow.collect();
    let changed: Vec<_> = mutants(Grammar::Python, reference).into_iter().take(most).collect();
    let texts: Vec<_> = changed.iter().map(|mutant| mutant.text.clone()).collect();
    let mut passed = Vec::new();
    for (outcomes, mutants) in texts.chunks(BATCH).zip(changed.chunks(BATCH)) {
        let outcomes = bench.outcomes(&kept, outcomes)?;
        let survives = |tests: &[Test]| tests.iter().all(|test| *test == Test::Passed);
        let survivors = outcomes.iter().zip(mutants).filter(|(tests, _)| survives(tests));
        passed.extend(survivors.map(|(_, mutant)| mutant.clone()));
    }
    let seeds = if package.generator.is_some() { seeds } else { 0 };
    let draws = bench.draws(&passed, seeds)?;
    let hole = |(mutant, (caught, differs)): (Mutant, (u64, Option<String>))| {
        let (line, before, after) = mutant.change(reference);
        let operator = mutant.operator.phrase().to_owned();
        Hole { operator, line, before, after, caught, differs, program: mutant.text }
    };
    let holes = passed.into_iter().zip(draws).map(hole);
    let (caught, mut holes): (Vec<_>, Vec<_>) =
        holes.partition(|hole| seeds > 0 && hole.caught == seeds);
    holes.sort_by_key(|hole| (hole.differs.is_none(), hole.line));
    let title = package.problem.title.clone();
    let drawn = caught.len();
    Ok(Hardened { title, tried: changed.len(), holes, drawn, left_out, seeds })
}

/// The sandbox's bench, for programs of one package.
struct Bench<'a> {
    package: &'a Package,
    evaluator: &'a Evaluator,
    cancel: &'a Cancel,
}

impl Bench<'_> {
    fn tests<'t>(&'t self, tests: &'t [Vec<Op>]) -> Tests<'t> {
        let interface = &self.package.problem.interface;
        Tests { interface, language: Language::Python, tests, reading: Comparison::Exact }
    }

    fn outcomes(&self, tests: &[Vec<Op>], texts: &[String]) -> Result<Vec<Vec<Test>>, Fault> {
        use vosim_agent::repair::Bench as _;
        let mut bench = self.evaluator.bench(self.tests(tests), self.cancel);
        let outcomes = bench.run(texts, Patience::Full)?;
        Ok(outcomes.into_iter().map(|outcome| outcome.tests).collect())
    }

    /// For each program how many draws catch it, and by which case the first does, as a sentence.
    fn draws(&self, mutants: &[Mutant], seeds: u64) -> anyhow::Result<Vec<(u64, Option<String>)>> {
        let mut found = vec![(0, None); mutants.len()];
        for seed in 1..=seeds {
            let Some(draw) = self.package.draw(seed) else { break };
            let (problem, suite) = (&self.package.problem, self.package.suite());
            let suite = self.evaluator.draw(&draw, problem, suite, check_ops, self.cancel)?;
            let (names, cases): (Vec<_>, Vec<_>) =
                suite.cases.into_iter().map(|case| (case.name, case.ops)).unzip();
            for (mutants, found) in mutants.chunks(BATCH).zip(found.chunks_mut(BATCH)) {
                let mut texts: Vec<_> = mutants.iter().map(|mutant| mutant.text.clone()).collect();
                texts.push(self.package.reference.clone());
                let mut outcomes = self.outcomes(&cases, &texts)?;
                // A case that is too long here tells nothing.
                let right = outcomes.pop().unwrap_or_default();
                for ((caught, first), outcome) in found.iter_mut().zip(outcomes) {
                    let differs = |(one, other): (&Test, &Test)| {
                        *other == Test::Passed && *one != Test::Passed && *one != Test::NotRun
                    };
                    let Some(case) = outcome.iter().zip(&right).position(differs) else { continue };
                    *caught += 1;
                    first.get_or_insert_with(|| told(seed, &names[case], &cases[case]));
                }
            }
        }
        Ok(found)
    }
}

/// Where two programs differ, with the calls where they are few.
fn told(seed: u64, name: &str, ops: &[Op]) -> String {
    let calls = Json::from(ops.iter().map(|op| serde_json::json!(op)).collect::<Vec<_>>());
    let calls = calls.to_string();
    let shown = if calls.len() <= 300 { format!(": {calls}") } else { String::new() };
    format!("first with seed {seed} in {name}{shown}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::ToolPaths;
    use crate::offline::package::{Form, write};

    fn evaluator() -> Evaluator {
        let search_path = std::env::var_os("PATH");
        let sandbox = Some(vosim_needs::sandbox());
        Evaluator::new(ToolPaths { sandbox, search_path, ..ToolPaths::default() })
    }

    #[test]
    fn what_passes_the_cases_is_a_hole_and_two_looks_agree() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("own_problem");
        write(&folder, Form::Function).unwrap();
        let (evaluator, cancel) = (evaluator(), Cancel::new().unwrap());
        let named = folder.to_str().unwrap();
        let look = || harden(named, dir.path(), (150, 2), &evaluator).unwrap();
        let found = look();
        assert!(found.tried > 50 && found.left_out.is_empty(), "{found:?}");
        assert_eq!(found.text(), look().text());
        let package = Package::from_dir(&folder).unwrap();
        let suite = package.suite();
        let cases: Vec<_> = suite.cases.into_iter().map(|case| case.ops).collect();
        let bench = Bench { package: &package, evaluator: &evaluator, cancel: &cancel };
        for hole in &found.holes {
            assert!(
                evaluator.passes(bench.tests(&cases), hole.program.as_bytes(), &cancel).unwrap()
            );
        }
    }

    #[test]
    fn a_problem_that_is_not_there_is_named() {
        let error = harden("nothing_here", Path::new("/nonexistent"), (1, 1), &evaluator());
        assert!(error.unwrap_err().to_string().contains("'nothing_here'"));
    }
}
