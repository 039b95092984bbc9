//! A file that imports ten modules, from its bytes to its verdict: with a driver that is started for
//! it, and with one that waited.

use vosim_protocol::v1::evaluation::{CaseOutcome, Started};
use vosim_protocol::v1::problem::{Language, Suite};
use vosim_tests::CORRECT;
use vosimd::content::Package;
use vosimd::evaluator::{Cancel, Evaluator, Submission};

use super::helper::evaluator;
use super::quiet::wait_until_quiet;
use super::table::{Bar, Series, Table};

const TURNS: usize = 40;
const WARM: usize = 2;
/// What an answer to such a question brings along.
const IMPORTS: &str = "import bisect, collections, dataclasses, enum, functools, heapq, itertools, \
                       random, string, typing\n";

pub(crate) fn measure(table: &Table) {
    let cold = evaluator();
    let warm = evaluator().keep_warm(WARM);
    if let Err(refusal) = cold.runtime(Language::Python) {
        return table.skipped("ten imports to the verdict", &refusal.to_string());
    }
    let package = vosimd::content::find("lru_cache").unwrap();
    let whole = package.suite();
    let code = format!("{IMPORTS}{}", CORRECT.text());
    let visible =
        |name: &str| package.problem.cases.iter().any(|case| case.name == name && case.visible);
    let mut shown = whole.clone();
    shown.cases.retain(|case| visible(&case.name));
    // What is found out only once, and what fills the pool.
    judge(&warm, &package, &whole, &code);
    let groups = [
        ("visible cases", &shown, [Bar::AtMost(8.0, " ms"), Bar::AtMost(0.2, "")]),
        // One of the hidden cases alone computes for some 8 ms.
        ("hidden cases too", &whole, [Bar::Told, Bar::Told]),
    ];
    for (name, suite, bars) in groups {
        let mut series = ["cold", "from the pool"].map(Series::new);
        for _ in 0..table.turns(TURNS) {
            let [without, with] = &mut series;
            let (was, now) = (Some(Started::Cold), Some(Started::Warm));
            assert_eq!(without.time(|| judge(&cold, &package, suite, &code)), was);
            wait_until_quiet(std::process::id(), WARM);
            assert_eq!(with.time(|| judge(&warm, &package, suite, &code)), now);
            wait_until_quiet(std::process::id(), WARM);
        }
        let [without, with] = &series;
        let name = format!("ten imports to the verdict, {name}");
        let [most, share] = bars;
        table.figure(&name, with.median().as_secs_f64() * 1e3, " ms", most);
        table.ratio("  from the pool against cold", with, without, share);
    }
    warm.close();
}

/// Judges; says where the drivers came from.
fn judge(evaluator: &Evaluator, package: &Package, suite: &Suite, code: &str) -> Option<Started> {
    let submission = Submission {
        problem: &package.problem,
        suite,
        code: code.as_bytes(),
        file_path: "a.py",
        language: Language::Python,
    };
    let cancel = Cancel::new().unwrap();
    let judged = evaluator.evaluate(&submission, &cancel, &mut |_, _| ()).unwrap();
    assert!(judged.cases.iter().all(|case| case.outcome == CaseOutcome::Passed), "{judged:?}");
    judged.started
}
