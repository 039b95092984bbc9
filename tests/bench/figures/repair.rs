//! Programs with one wrong line each, and how many of them `repair` mends: what it sees are the visible tests,
//! and what says whether it was right are the hidden ones. Both are judged by the usual driver afterwards.
//!
//! `VOSIM_BUGS` names another set: a folder with `NAME.py` or `NAME.js` and `NAME.json`, or one with the folders
//! `python_programs` and `json_testcases`. A case is `[arguments, answer]`; where a set has no hidden cases,
//! every second one is hidden, and the programs are also repaired once with all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use vosim_agent::repair::{Budget, Grammar, Operator, Report, Stopped, repair};
use vosim_protocol::v1::problem::{Function, Interface, Language, Op, Param};
use vosimd::evaluator::{Cancel, Comparison, Evaluator, Tests, ToolPaths};

use super::table::{Bar, Series, Table};

const FIXED: f64 = 36.0;
const HELD: f64 = 28.0;
const LONGEST: Duration = Duration::from_secs(60);
/// More than fit into the time.
const CANDIDATES: u32 = 200_000;

pub(crate) fn measure(table: &Table) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../daemon/agent/tests/bugs");
    let named = std::env::var_os("VOSIM_BUGS").map(PathBuf::from);
    let evaluator = Evaluator::new(ToolPaths {
        sandbox: Some(vosim_tests::program("vosim-sandbox")),
        search_path: std::env::var_os("PATH"),
        ..ToolPaths::default()
    });
    for language in [Language::Python, Language::Javascript] {
        let set = Set::read(named.as_deref().unwrap_or(&own), language);
        if set.bugs.is_empty() {
            continue;
        }
        let few = table.turns(set.bugs.len()).min(set.bugs.len());
        let bugs = &set.bugs[..few];
        let of = |what: &str| match language {
            Language::Python => what.to_owned(),
            Language::Javascript | Language::Typescript => format!("{}, {what}", language.title()),
        };
        if set.halved {
            let seen = |bug: &Bug| [bug.visible.clone(), bug.hidden.clone()].concat();
            let rows = round(table, (&evaluator, set.reading), bugs, seen);
            told(table, &of("all tests seen"), bugs, &rows);
        }
        let rows = round(table, (&evaluator, set.reading), bugs, |bug| bug.visible.clone());
        told(table, &of("some hidden"), bugs, &rows);
    }
}

/// A program with a wrong line.
struct Bug {
    name: String,
    language: Language,
    text: String,
    visible: Vec<Case>,
    hidden: Vec<Case>,
}

type Case = (Vec<Json>, Json);

struct Set {
    bugs: Vec<Bug>,
    /// Its hidden cases are every second one of all.
    halved: bool,
    /// How answers are compared: a set of our own is exact.
    reading: Comparison,
}

impl Set {
    fn read(folder: &Path, language: Language) -> Self {
        let public = folder.join("python_programs");
        let (programs, cases) = if public.is_dir() {
            (public, folder.join("json_testcases"))
        } else {
            (folder.to_owned(), folder.to_owned())
        };
        let mut files: Vec<_> = std::fs::read_dir(&programs)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == language.extension()))
            .collect();
        files.sort();
        let mut halved = false;
        let mut bugs = Vec::new();
        for file in files {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let Ok(text) = std::fs::read_to_string(cases.join(format!("{name}.json"))) else {
                continue;
            };
            let (visible, hidden) = match serde_json::from_str::<Json>(&text) {
                Ok(Json::Object(parts)) => {
                    (read_cases(&parts["visible"]), read_cases(&parts["hidden"]))
                }
                _ => {
                    halved = true;
                    let lines = text.lines().filter(|line| !line.trim().is_empty());
                    let all = lines.map(|line| serde_json::from_str(line).unwrap());
                    let all = read_cases(&Json::Array(all.collect()));
                    let half = |odd| all.iter().skip(odd).step_by(2).cloned().collect();
                    (half(0), half(1))
                }
            };
            let text = std::fs::read_to_string(&file).unwrap();
            bugs.push(Bug { name, language, text, visible, hidden });
        }
        let reading = if halved { Comparison::Loose } else { Comparison::Exact };
        Self { bugs, halved, reading }
    }
}

fn read_cases(cases: &Json) -> Vec<Case> {
    let case = |case: &Json| {
        let arguments = match &case[0] {
            Json::Array(arguments) => arguments.clone(),
            only => vec![only.clone()],
        };
        (arguments, case[1].clone())
    };
    cases.as_array().unwrap().iter().map(case).collect()
}

/// What came of one program.
struct Row {
    report: Report,
    took: Duration,
    /// Whether the usual driver says the same of the tests that were seen.
    confirmed: bool,
    /// Whether the hidden tests pass too.
    held: bool,
}

fn round(
    table: &Table,
    judge: (&Evaluator, Comparison),
    bugs: &[Bug],
    seen: impl Fn(&Bug) -> Vec<Case>,
) -> Vec<Row> {
    let row = |bug: &Bug| {
        let row = mend(judge, bug, &seen(bug));
        let Report { patch, tried, singles, .. } = &row.report;
        let steps = patch.as_ref().map(|patch| {
            let steps = patch.steps.iter();
            let steps = steps.map(|step| format!("{} in line {}", step.operator.name(), step.line));
            format!("rank {}: {}", patch.rank, steps.collect::<Vec<_>>().join(", "))
        });
        let (held, confirmed) = (row.held, row.confirmed);
        let how = match (patch.is_some(), confirmed, held) {
            (false, ..) => "not fixed",
            (true, false, _) => "not confirmed",
            (true, true, true) => "fixed",
            (true, true, false) => "fixed what was seen",
        };
        let about = steps.unwrap_or_else(|| {
            format!("{:?} after {tried}, {singles} single changes", row.report.stopped)
        });
        table.told(&bug.name, how, &format!("{:.1} s, {about}", row.took.as_secs_f64()));
        row
    };
    bugs.iter().map(row).collect()
}

fn mend((evaluator, reading): (&Evaluator, Comparison), bug: &Bug, seen: &[Case]) -> Row {
    let interface = interface(bug);
    let cancel = Cancel::new().unwrap();
    let ops = |cases: &[Case]| cases.iter().map(|case| ops(bug, case)).collect::<Vec<_>>();
    let tests = ops(seen);
    let of = Seen { interface: &interface, language: bug.language, reading };
    let grammar = match bug.language {
        Language::Javascript => Grammar::Javascript,
        Language::Python | Language::Typescript => Grammar::Python,
    };
    let begin = Instant::now();
    let budget = Budget { candidates: CANDIDATES, until: Some(begin + LONGEST) };
    let mut bench = evaluator.bench(of.tests(&tests), &cancel);
    let report = repair(grammar, &bug.text, &mut bench, budget).unwrap();
    let took = begin.elapsed();
    let passes = |tests: &[Vec<Op>]| {
        report.patch.as_ref().is_some_and(|patch| {
            evaluator.passes(of.tests(tests), patch.text.as_bytes(), &cancel).unwrap()
        })
    };
    let confirmed = passes(&tests);
    let held = confirmed && passes(&ops(&bug.hidden));
    Row { report, took, confirmed, held }
}

/// What every list of tests of a program has in common.
#[derive(Clone, Copy)]
struct Seen<'a> {
    interface: &'a Interface,
    language: Language,
    reading: Comparison,
}

impl<'a> Seen<'a> {
    fn tests<'t>(self, tests: &'t [Vec<Op>]) -> Tests<'t>
    where
        'a: 't,
    {
        let Self { interface, language, reading } = self;
        Tests { interface, language, tests, reading }
    }
}

fn interface(bug: &Bug) -> Interface {
    let count = bug.visible.first().map_or(0, |(arguments, _)| arguments.len());
    let param = |at| Param { name: format!("p{at}"), kind: "any".to_owned() };
    let params = (0..count).map(param).collect();
    Interface::Function(Function { name: bug.name.clone(), params, returns: None })
}

fn ops(bug: &Bug, (arguments, expect): &Case) -> Vec<Op> {
    let expect = Some(expect.clone());
    vec![Op { call: bug.name.clone(), args: arguments.clone(), expect }]
}

/// The figures of a round, and which operators they are due to.
fn told(table: &Table, of: &str, bugs: &[Bug], rows: &[Row]) {
    let mut by_operator: BTreeMap<Operator, (u32, u32)> = BTreeMap::new();
    let mut seconds = Series::new("repair");
    let mut ranks = Vec::new();
    for row in rows {
        seconds.take(row.took);
        let Some(patch) = row.report.patch.as_ref().filter(|_| row.confirmed) else { continue };
        ranks.push(patch.rank);
        for step in &patch.steps {
            let (fixed, held) = by_operator.entry(step.operator).or_default();
            *fixed += 1;
            *held += u32::from(row.held);
        }
    }
    for (operator, (fixed, held)) in by_operator {
        let phrase = operator.phrase();
        table.told(
            &format!("  {}: {phrase}", operator.name()),
            &format!("{fixed}"),
            &format!("{held} of them right"),
        );
    }
    ranks.sort_unstable();
    let middle = ranks.get(ranks.len() / 2).copied().unwrap_or_default();
    table.figure(&format!("{of}: rank of the patch, median"), f64::from(middle), "", Bar::Told);
    let number = |which: &dyn Fn(&Row) -> bool| {
        let count = rows.iter().filter(|row| which(row)).count();
        f64::from(u32::try_from(count).unwrap())
    };
    let whole = rows.iter().all(|row| row.report.stopped != Stopped::NothingWrong);
    let bars = if bugs.len() == 40 && whole {
        [Bar::AtLeast(FIXED, ""), Bar::AtLeast(HELD, "")]
    } else {
        [Bar::Told, Bar::Told]
    };
    let total = bugs.len();
    table.figure(
        &format!("{of}: of {total}, fixed on what was seen"),
        number(&|row| row.confirmed),
        "",
        bars[0],
    );
    table.figure(
        &format!("{of}: of {total}, right on what was hidden"),
        number(&|row| row.held),
        "",
        bars[1],
    );
    let slowest = seconds.most().as_secs_f64();
    table.figure(&format!("{of}: seconds of the slowest"), slowest, " s", Bar::AtMost(65.0, " s"));
    table.figure(
        &format!("{of}: seconds, median"),
        seconds.median().as_secs_f64(),
        " s",
        Bar::Told,
    );
}
