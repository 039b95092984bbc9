//! Looks for holes in a problem: programs one change away from a right one that its cases let pass. The
//! inputs of other seeds, and small inputs that the statement allows, say which of them are wrong for certain.
//! What is tried depends on no clock, only how far it comes where there is too little time.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use vosim_agent::repair::{Fault, Grammar, Mutant, Patience, Test, mutants};
use vosim_protocol::ids::ProblemId;
use vosim_protocol::v1::problem::{Language, Op};
use vosim_protocol::v1::service::Hole;

use crate::content::{Package, Shelf, check_ops, find};
use crate::evaluator::{Cancel, Comparison, Evaluator, Tests};

/// Candidates that are tried at once.
const BATCH: usize = 100;
/// Small inputs that are tried, and how many of them at once.
pub const INPUTS: usize = 2_000;
const INPUTS_AT_ONCE: usize = 500;
/// What they depend on.
const INPUTS_SEED: u64 = 1;
/// How long they are tried in one language.
const INPUTS_WITHIN: Duration = Duration::from_secs(120);

/// How far is looked.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The language whose program is changed; each that can be where none is named.
    pub language: Option<Language>,
    /// Most changed programs of a language.
    pub most: usize,
    /// Draws in which differences are looked for.
    pub seeds: u64,
    /// Most small inputs in which they are.
    pub inputs: usize,
}

/// What was found out about a problem.
#[derive(Debug)]
pub struct Hardened {
    /// The problem's title.
    pub title: String,
    /// What was found in each language.
    pub languages: Vec<HardenedIn>,
    /// Languages that were left out, each with the reason.
    pub passed_over: Vec<String>,
}

/// What was found out about a problem in one language.
#[derive(Debug)]
pub struct HardenedIn {
    /// The language.
    pub language: Language,
    /// Wrong programs that were tried.
    pub tried: usize,
    /// Those that the cases let pass, the certain ones first.
    pub holes: Vec<Hole>,
    /// Those that only the package's own cases let pass: every draw catches them.
    pub drawn: usize,
    /// Cases that were left out, since the right program takes longer for them than a test may here.
    pub left_out: Vec<String>,
    /// Draws that were looked at for differences; none where nothing is drawn.
    pub seeds: u64,
    /// Small inputs that were; none where no limits are stated.
    pub inputs: usize,
}

impl Hardened {
    /// Each program that the cases let pass.
    pub fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.languages.iter().flat_map(|one| &one.holes)
    }

    /// Whether a program is let pass that is wrong for certain.
    pub fn has_holes(&self) -> bool {
        self.holes().any(|hole| hole.differs.is_some())
    }

    /// Tells the result to a person.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for one in &self.languages {
            one.tell(&self.title, &mut text);
        }
        for why in &self.passed_over {
            // Writing to a string does not fail.
            writeln!(text, "note {why}").ok();
        }
        text
    }
}

impl HardenedIn {
    fn tell(&self, title: &str, text: &mut String) {
        for (number, hole) in (1..).zip(&self.holes) {
            self.tell_hole(number, hole, text);
        }
        for case in &self.left_out {
            writeln!(text, "note {case} was left out: it takes too long here").ok();
        }
        let certain = self.holes.iter().filter(|hole| hole.differs.is_some()).count();
        let open = self.holes.len() - certain;
        let (seeds, inputs, drawn) = (self.seeds, self.inputs, self.drawn);
        let compared = match (seeds, inputs) {
            (0, 0) => {
                "no inputs are drawn and no limits stated, so none could be told apart".to_owned()
            }
            (0, _) => format!("{open} without a difference on {inputs} small inputs"),
            (_, 0) => format!(
                "{open} without a difference in {seeds} draws, {drawn} that each draw catches"
            ),
            (_, _) => format!(
                "{open} without a difference in {seeds} draws and on {inputs} small inputs, \
                 {drawn} that each draw catches"
            ),
        };
        let (language, tried) = (self.language.title(), self.tried);
        writeln!(
            text,
            "{title} in {language}: {tried} changed programs, {certain} holes, {compared}"
        )
        .ok();
    }

    fn tell_hole(&self, number: usize, hole: &Hole, text: &mut String) {
        let Hole { operator, line, before, after, caught, differs, input, program, language: _ } =
            hole;
        let word = if differs.is_some() { "HOLE" } else { "    " };
        writeln!(text, "{word} {number} {operator}, line {line}").ok();
        prefixed(text, "     - ", before);
        prefixed(text, "     + ", after);
        let Some(differs) = differs else {
            writeln!(text, "     no difference was found: it may be equivalent").ok();
            return;
        };
        let seeds = self.seeds;
        if *caught > 0 {
            writeln!(text, "     {caught} of {seeds} draws catch it: {differs}").ok();
        } else if seeds > 0 {
            writeln!(text, "     none of {seeds} draws catches it").ok();
        }
        if !input.is_empty() {
            writeln!(text, "     it differs on what the statement allows: {}", spelled(input)).ok();
        }
        writeln!(text, "     a wrong program for the package:").ok();
        prefixed(text, "     | ", program);
    }
}

fn prefixed(text: &mut String, mark: &str, lines: &str) {
    for line in lines.lines() {
        writeln!(text, "{mark}{line}").ok();
    }
}

/// Tries mutants of a problem's right programs, and looks for differences. `named` is a folder where it
/// has a slash, else the id of a problem of one's own or of the binary.
pub fn harden(
    named: &str,
    data: &Path,
    extent: Extent,
    evaluator: &Evaluator,
) -> anyhow::Result<Hardened> {
    if named.contains('/') {
        return look(&Package::from_dir(Path::new(named))?, extent, evaluator);
    }
    let shelf = Shelf::of(data);
    let own = named.parse::<ProblemId>().ok().filter(|id| shelf.place(id).is_dir());
    if let Some(id) = own {
        return look(&shelf.read(&id)?.package, extent, evaluator);
    }
    let package = find(named)?;
    look(&package, extent, evaluator)
}

fn look(package: &Package, extent: Extent, evaluator: &Evaluator) -> anyhow::Result<Hardened> {
    let cancel = Cancel::new()?;
    let (mut found, mut passed_over) = (Vec::new(), Vec::new());
    let mut shared = None;
    for (language, reference) in references(package, extent.language)? {
        if extent.language.is_none()
            && let Err(why) = evaluator.runtime(language)
        {
            passed_over.push(format!("{} was left out: {why}", language.title()));
            continue;
        }
        let bench = Bench { package, language, reference, evaluator, cancel: &cancel };
        let inputs = match shared.take() {
            Some(inputs) => inputs,
            None => bench.allowed(extent.inputs)?,
        };
        found.push(bench.look(extent, &inputs)?);
        shared = Some(inputs);
    }
    Ok(Hardened { title: package.problem.title.clone(), languages: found, passed_over })
}

/// The right programs that are changed, each in its language.
fn references(package: &Package, only: Option<Language>) -> anyhow::Result<Vec<(Language, &str)>> {
    let asked = Language::ALL.into_iter().filter(|it| only.is_none_or(|only| only == *it));
    let can_be_changed = asked.filter(|language| grammar(*language).is_some());
    let found: Vec<_> =
        can_be_changed.filter_map(|language| Some((language, package.shown(language)?))).collect();
    if found.is_empty() {
        let title = &package.problem.title;
        let language = only.map_or("a language", Language::title);
        bail!("{title} shows no right program in {language} that could be changed");
    }
    Ok(found)
}

const fn grammar(language: Language) -> Option<Grammar> {
    match language {
        Language::Python => Some(Grammar::Python),
        Language::Javascript => Some(Grammar::Javascript),
        // What is shown in it is made of JavaScript.
        Language::Typescript => None,
    }
}

/// The sandbox's bench, for programs of one package in one language.
struct Bench<'a> {
    package: &'a Package,
    language: Language,
    /// The right program.
    reference: &'a str,
    evaluator: &'a Evaluator,
    cancel: &'a Cancel,
}

impl Bench<'_> {
    /// Small inputs that the statement allows, where it states limits. Python answers where it can, as it
    /// answers what is drawn.
    fn allowed(&self, most: usize) -> anyhow::Result<Vec<Vec<Op>>> {
        let Package { problem, reference, .. } = self.package;
        if problem.limits.is_empty() {
            return Ok(Vec::new());
        }
        let right = match reference.as_str() {
            "" => (self.reference, self.language),
            python => (python, Language::Python),
        };
        let how = (INPUTS_SEED, most);
        Ok(self.evaluator.allowed(problem, &self.package.suite(), right, how, self.cancel)?)
    }

    fn look(&self, extent: Extent, inputs: &[Vec<Op>]) -> anyhow::Result<HardenedIn> {
        let suite = self.package.suite();
        let (names, cases): (Vec<_>, Vec<_>) =
            suite.cases.into_iter().map(|case| (case.name, case.ops)).unzip();
        let right = self.outcomes(&cases, &[self.reference.to_owned()])?;
        let right = right.into_iter().next().unwrap_or_default();
        let fast = |at: &usize| right.get(*at) == Some(&Test::Passed);
        let kept: Vec<_> = (0..cases.len()).filter(fast).map(|at| cases[at].clone()).collect();
        let slow = (0..cases.len()).filter(|at| !fast(at)).map(|at| names[at].clone());
        let left_out = slow.collect();
        let grammar = grammar(self.language);
        let changed = grammar.map(|grammar| mutants(grammar, self.reference)).unwrap_or_default();
        let changed: Vec<_> = changed.into_iter().take(extent.most).collect();
        let passed = self.survivors(&changed, &kept)?;
        let seeds = if self.package.generator.is_some() { extent.seeds } else { 0 };
        let draws = self.draws(&passed, seeds)?;
        let all = passed.into_iter().zip(draws);
        let (caught, left): (Vec<_>, Vec<_>) =
            all.partition(|(_, (caught, _))| seeds > 0 && *caught == seeds);
        let programs: Vec<_> = left.iter().map(|(mutant, _)| mutant.text.as_str()).collect();
        let (looked_at, apart) = self.inputs(&programs, inputs)?;
        let mut holes = Vec::new();
        for ((mutant, drawn), at) in left.into_iter().zip(apart) {
            let input = at.map(|at| inputs[at].clone()).unwrap_or_default();
            holes.push(self.hole(mutant, drawn, input));
        }
        holes.sort_by_key(|hole| (hole.differs.is_none(), hole.line));
        Ok(HardenedIn {
            language: self.language,
            tried: changed.len(),
            holes,
            drawn: caught.len(),
            left_out,
            seeds,
            inputs: looked_at,
        })
    }

    fn hole(&self, mutant: Mutant, drawn: (u64, Option<String>), input: Vec<Op>) -> Hole {
        let (line, before, after) = mutant.change(self.reference);
        let (caught, differs) = drawn;
        let allowed = (!input.is_empty()).then(|| format!("on {}", spelled(&input)));
        Hole {
            language: self.language,
            operator: mutant.operator.phrase().to_owned(),
            line,
            before,
            after,
            caught,
            differs: differs.or(allowed),
            input,
            program: mutant.text,
        }
    }

    /// The mutants that these cases let pass.
    fn survivors(&self, changed: &[Mutant], cases: &[Vec<Op>]) -> Result<Vec<Mutant>, Fault> {
        let mut passed = Vec::new();
        for mutants in changed.chunks(BATCH) {
            let texts: Vec<_> = mutants.iter().map(|mutant| mutant.text.clone()).collect();
            let outcomes = self.outcomes(cases, &texts)?;
            let survives = |tests: &[Test]| tests.iter().all(|test| *test == Test::Passed);
            let survivors = outcomes.iter().zip(mutants).filter(|(tests, _)| survives(tests));
            passed.extend(survivors.map(|(_, mutant)| mutant.clone()));
        }
        Ok(passed)
    }

    fn tests<'t>(&'t self, tests: &'t [Vec<Op>]) -> Tests<'t> {
        let interface = &self.package.problem.interface;
        Tests { interface, language: self.language, tests, reading: Comparison::Exact }
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
        let texts: Vec<_> = mutants.iter().map(|mutant| mutant.text.as_str()).collect();
        for seed in 1..=seeds {
            let Some(draw) = self.package.draw(seed) else { break };
            let (problem, suite) = (&self.package.problem, self.package.suite());
            let suite = self.evaluator.draw(&draw, problem, suite, check_ops, self.cancel)?;
            let (names, cases): (Vec<_>, Vec<_>) =
                suite.cases.into_iter().map(|case| (case.name, case.ops)).unzip();
            for (texts, found) in texts.chunks(BATCH).zip(found.chunks_mut(BATCH)) {
                for ((caught, first), case) in found.iter_mut().zip(self.apart(texts, &cases)?) {
                    let Some(case) = case else { continue };
                    *caught += 1;
                    first.get_or_insert_with(|| told(seed, &names[case], &cases[case]));
                }
            }
        }
        Ok(found)
    }

    /// How many of these inputs were looked at, and for each program the first that tells it from the
    /// right one.
    fn inputs(
        &self,
        texts: &[&str],
        inputs: &[Vec<Op>],
    ) -> anyhow::Result<(usize, Vec<Option<usize>>)> {
        let until = Instant::now() + INPUTS_WITHIN;
        let mut found = vec![None; texts.len()];
        let mut looked_at = 0;
        for some in inputs.chunks(INPUTS_AT_ONCE) {
            if Instant::now() >= until {
                break;
            }
            let left: Vec<_> = (0..texts.len()).filter(|at| found[*at].is_none()).collect();
            for places in left.chunks(BATCH) {
                let texts: Vec<_> = places.iter().map(|at| texts[*at]).collect();
                for (at, apart) in places.iter().zip(self.apart(&texts, some)?) {
                    found[*at] = apart.map(|input| looked_at + input);
                }
            }
            looked_at += some.len();
        }
        Ok((looked_at, found))
    }

    /// For each program the first of these cases that it does not pass and the right one does.
    fn apart(&self, texts: &[&str], cases: &[Vec<Op>]) -> anyhow::Result<Vec<Option<usize>>> {
        let all = texts.iter().chain([&self.reference]);
        let all: Vec<_> = all.map(|text| (*text).to_owned()).collect();
        let mut outcomes = self.outcomes(cases, &all)?;
        // A case that is too long here tells nothing.
        let right = outcomes.pop().unwrap_or_default();
        let each = texts.iter().zip(outcomes);
        each.map(|(text, outcome)| self.first_missed(text, cases, outcome, &right)).collect()
    }

    /// The first case that a program does not pass and the right one does. One that takes too long may do
    /// so because the machine is busy: it is judged by itself, as a submission is, and the rest once more.
    fn first_missed(
        &self,
        text: &str,
        cases: &[Vec<Op>],
        mut outcome: Vec<Test>,
        right: &[Test],
    ) -> anyhow::Result<Option<usize>> {
        let mut from = 0;
        loop {
            let missed =
                |(one, other): (&Test, &Test)| *other == Test::Passed && *one != Test::Passed;
            let Some(at) = outcome.iter().zip(&right[from..]).position(missed) else {
                return Ok(None);
            };
            let case = from + at;
            if matches!(outcome[at], Test::Wrong | Test::Raised) {
                return Ok(Some(case));
            }
            let tests = self.tests(&cases[case..=case]);
            if !self.evaluator.passes(tests, text.as_bytes(), self.cancel)? {
                return Ok(Some(case));
            }
            from = case + 1;
            if from == cases.len() {
                return Ok(None);
            }
            let again = self.outcomes(&cases[from..], &[text.to_owned()])?;
            outcome = again.into_iter().next().unwrap_or_default();
        }
    }
}

/// Where two programs differ, with the calls where they are few.
fn told(seed: u64, name: &str, ops: &[Op]) -> String {
    let calls = spelled(ops);
    let shown = if calls.len() <= 300 { format!(": {calls}") } else { String::new() };
    format!("first with seed {seed} in {name}{shown}")
}

fn spelled(ops: &[Op]) -> String {
    serde_json::to_string(ops).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::evaluator::ToolPaths;
    use crate::offline::package::{Form, write};
    use vosim_needs::{Need, needs};

    const LIMITS: &str = r#"
[[limit]]
at = ["longest_calm.0"]
sizes = [0, 1000]
text = "There are 0 to 1,000 hours, with winds from 0 to 200"

[[limit]]
at = ["longest_calm.0[]", "longest_calm.1"]
numbers = [0, 200]
text = "There are 0 to 1,000 hours, with winds from 0 to 200"
"#;

    /// The programs of the small package in JavaScript: the right one, and one for each rule.
    const SCRIPTS: [(&str, &str); 4] = [
        (
            "accepted/one_pass",
            "  let longest = 0;
  let now = 0;
  for (const wind of winds) {
    now = wind <= limit ? now + 1 : 0;
    longest = Math.max(longest, now);
  }
  return longest;",
        ),
        ("wrong_answer/limit_is_storm", "  return 0;"),
        ("wrong_answer/all_calm_hours", "  return winds.length;"),
        ("wrong_answer/end_forgotten", "  return -1;"),
    ];

    fn evaluator() -> Evaluator {
        let search_path = std::env::var_os("PATH");
        let sandbox = Some(vosim_needs::sandbox());
        Evaluator::new(ToolPaths { sandbox, search_path, ..ToolPaths::default() })
    }

    fn extent(language: Option<Language>) -> Extent {
        Extent { language, most: 100, seeds: 2, inputs: 300 }
    }

    /// A small package whose statement says what its inputs may be; its cases do not try its first rule.
    fn limited(folder: &Path) {
        write(folder, Form::Function).unwrap();
        fs::write(folder.join(".vosim/limits.toml"), LIMITS).unwrap();
        let cases = folder.join(".vosim/cases.json");
        let text = fs::read_to_string(&cases).unwrap();
        let text = text.replace("[[7, 7, 8], 7]", "[[6, 6, 8], 7]");
        fs::write(&cases, text.replace("[[4, 6, 4, 9], 6]", "[[4, 5, 4, 9], 6]")).unwrap();
    }

    /// The same, which can be solved in JavaScript, too.
    fn with_javascript(folder: &Path) {
        limited(folder);
        let templates = folder.join("attachments/templates/javascript");
        fs::create_dir_all(&templates).unwrap();
        let program = |body: &str| {
            format!(
                "function longest_calm(winds, limit) {{\n{body}\n}}\n\n\
                 module.exports = {{ longest_calm }};\n"
            )
        };
        fs::write(templates.join("own_problem.js"), program("")).unwrap();
        for (path, body) in SCRIPTS {
            fs::write(folder.join(format!("submissions/{path}.js")), program(body)).unwrap();
        }
        let change = |file: &str, change: &dyn Fn(String) -> String| {
            let path = folder.join(".vosim").join(file);
            fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
        };
        change("verdicts.toml", &|text| {
            let stub = "attachments/templates/javascript/own_problem.js";
            let wrong = SCRIPTS[1..].iter().map(|(path, _)| format!("submissions/{path}.js"));
            let wrong = wrong.chain([stub.to_owned()]);
            let promises = wrong.map(|path| format!("\n[\"{path}\"]\nclass = \"WRONG_ANSWER\"\n"));
            let right = "\n[\"submissions/accepted/one_pass.js\"]\nclass = \"PASS\"\n";
            text + &promises.collect::<String>() + right
        });
        change("rules.toml", &|text| {
            SCRIPTS[1..].iter().fold(text, |text, (path, _)| {
                let python = format!("\"submissions/{path}.py\"");
                text.replace(&python, &format!("{python}, \"submissions/{path}.js\""))
            })
        });
        change("hints.toml", &|text| {
            let program = "submissions/accepted/one_pass.js";
            format!(
                "{text}\n[solution.javascript]\nprogram = \"{program}\"\n\
                 before = \"Before.\"\nafter = \"After.\"\n"
            )
        });
    }

    #[test]
    fn what_passes_the_cases_is_a_hole_and_two_looks_agree() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("own_problem");
        write(&folder, Form::Function).unwrap();
        let (evaluator, cancel) = (evaluator(), Cancel::new().unwrap());
        let named = folder.to_str().unwrap();
        let look = || harden(named, dir.path(), extent(None), &evaluator).unwrap();
        let found = look();
        let python = &found.languages[0];
        assert!(python.tried > 50 && python.left_out.is_empty(), "{found:?}");
        // Neither draws nor limits: nothing is certain.
        assert_eq!((python.seeds, python.inputs, found.has_holes()), (0, 0, false));
        assert_eq!(found.text(), look().text());
        let package = Package::from_dir(&folder).unwrap();
        let suite = package.suite();
        let cases: Vec<_> = suite.cases.into_iter().map(|case| case.ops).collect();
        let reference = package.shown(Language::Python).unwrap();
        let (package, evaluator, cancel) = (&package, &evaluator, &cancel);
        let bench = Bench { package, language: Language::Python, reference, evaluator, cancel };
        for hole in &python.holes {
            assert!(
                evaluator.passes(bench.tests(&cases), hole.program.as_bytes(), cancel).unwrap()
            );
        }
    }

    /// Each hole answers an input of its own otherwise than the right program, within the limits.
    fn check_holes(package: &Package, found: &HardenedIn, evaluator: &Evaluator) {
        let cancel = Cancel::new().unwrap();
        let language = found.language;
        let reference = package.shown(language).unwrap();
        let bench = Bench { package, language, reference, evaluator, cancel: &cancel };
        let certain: Vec<_> = found.holes.iter().filter(|hole| hole.differs.is_some()).collect();
        assert!(!certain.is_empty(), "{found:?}");
        for hole in certain {
            assert_eq!(hole.language, language);
            assert_eq!(package.problem.beyond(&hole.input), None, "{hole:?}");
            let runs = [hole.input.clone()];
            let passes = |program: &str| {
                evaluator.passes(bench.tests(&runs), program.as_bytes(), &cancel).unwrap()
            };
            assert_eq!((passes(reference), passes(&hole.program)), (true, false), "{hole:?}");
        }
    }

    #[test]
    fn an_input_that_the_statement_allows_shows_what_no_case_does() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("own_problem");
        limited(&folder);
        let (evaluator, named) = (evaluator(), folder.to_str().unwrap());
        let look =
            || harden(named, dir.path(), extent(Some(Language::Python)), &evaluator).unwrap();
        let found = look();
        check_holes(&Package::from_dir(&folder).unwrap(), &found.languages[0], &evaluator);
        let hole = found.holes().find(|hole| hole.after.contains("if wind < limit else")).unwrap();
        let [winds, limit] = hole.input[0].args.as_slice() else { panic!("{hole:?}") };
        assert!(winds.as_array().unwrap().contains(limit), "{hole:?}");
        let text = found.text();
        assert!(
            text.contains("it differs on what the statement allows: [[\"longest_calm\""),
            "{text}"
        );
        assert_eq!(text, look().text());
    }

    #[test]
    fn each_language_is_hardened_by_its_own_right_program() {
        let evaluator = evaluator();
        if needs(Need::Node, evaluator.runtime(Language::Javascript)).is_none() {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("own_problem");
        with_javascript(&folder);
        let named = folder.to_str().unwrap();
        let found = harden(named, dir.path(), extent(None), &evaluator).unwrap();
        let package = Package::from_dir(&folder).unwrap();
        let languages: Vec<_> = found.languages.iter().map(|one| one.language).collect();
        assert_eq!(languages, [Language::Python, Language::Javascript]);
        for one in &found.languages {
            assert!(one.tried > 50 && one.left_out.is_empty(), "{one:?}");
            check_holes(&package, one, &evaluator);
        }
        let only = harden(named, dir.path(), extent(Some(Language::Typescript)), &evaluator);
        let why = only.unwrap_err().to_string();
        assert_eq!(why, "Own Problem shows no right program in TypeScript that could be changed");
    }

    #[test]
    fn a_case_that_only_took_too_long_is_judged_once_more_and_tells_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("own_problem");
        limited(&folder);
        let package = Package::from_dir(&folder).unwrap();
        let (evaluator, cancel) = (evaluator(), Cancel::new().unwrap());
        let reference = package.shown(Language::Python).unwrap();
        let (evaluator, cancel) = (&evaluator, &cancel);
        let bench =
            Bench { package: &package, language: Language::Python, reference, evaluator, cancel };
        let suite = package.suite();
        let cases: Vec<_> = suite.cases.into_iter().map(|case| case.ops).collect();
        let right = vec![Test::Passed; cases.len()];
        let mut slow = vec![Test::NotRun; cases.len()];
        slow[0] = Test::Passed;
        slow[1] = Test::Slow;
        let first = |text: &str| bench.first_missed(text, &cases, slow.clone(), &right).unwrap();
        assert_eq!(first(reference), None);
        // What is wrong behind it is found all the same.
        let wrong = package.programs.iter().find(|it| it.path.ends_with("end_forgotten.py"));
        let wrong = String::from_utf8_lossy(&wrong.unwrap().source).into_owned();
        let at = cases.iter().position(|ops| {
            let tests = std::slice::from_ref(ops);
            !evaluator.passes(bench.tests(tests), wrong.as_bytes(), cancel).unwrap()
        });
        assert!(at > Some(1), "{at:?}");
        assert_eq!(first(&wrong), at);
    }

    #[test]
    fn a_problem_that_is_not_there_is_named() {
        let error = harden("nothing_here", Path::new("/nonexistent"), extent(None), &evaluator());
        assert!(error.unwrap_err().to_string().contains("'nothing_here'"));
    }
}
