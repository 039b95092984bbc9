//! What the memory of earlier tasks finds, on samples that nothing was fitted to, and how long it
//! takes when it is full.

use std::path::Path;

use vosim_agent::memory::{Failure, Hashed, Memory, Pattern, Run, figures, fit};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::{SessionId, Time};

use super::table::{Bar, Series, Table};

const FAILURES: &str = include_str!("../../../daemon/agent/data/memory/failures.held");
const TASKS: &str = include_str!("../../../daemon/agent/data/memory/tasks.held");

/// More than memory keeps.
const TASKS_FULL: usize = 2_200;
const TURNS: usize = 30;

pub(crate) fn measure(table: &Table) {
    let mut embedder = Hashed::default();
    let scale = fit(&mut embedder).unwrap();
    let [failures, tasks] = figures(&mut embedder, scale, FAILURES, TASKS).unwrap();
    let names = [("failures of one cause", 80.0), ("tasks of one kind", 50.0)];
    for ((name, recall), found) in names.into_iter().zip([failures, tasks]) {
        let percent = |share: f64| share * 100.0;
        table.figure(
            &format!("pairs of {name} that are found"),
            percent(found.recall),
            " %",
            Bar::AtLeast(recall, " %"),
        );
        table.figure(
            "  of two that are taken for one",
            percent(found.false_matches),
            " %",
            Bar::AtMost(6.0, " %"),
        );
        table.figure("  nearest one right", percent(found.nearest_right), " %", Bar::Told);
    }
    measure_full(table);
}

fn measure_full(table: &Table) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory");
    let at = Time::from_micros(0);
    fill(&path, table.turns(TASKS_FULL), at);
    let mut memory = Memory::open(&path, None);
    let (mut looked, mut saved) = (Series::new("asked"), Series::new("kept"));
    for turn in 0..table.turns(TURNS) {
        let failure = failure(turn);
        looked.time(|| (memory.lessons(&failure, at), memory.recipes(&task(turn), at)));
        saved.time(|| memory.save());
    }
    assert_eq!(memory.take_degraded(), []);
    table.quantile(
        "a full memory asked for lessons and solutions",
        &looked,
        95,
        Bar::AtMost(20.0, " ms"),
    );
    table.quantile("  kept on disk afterwards, while nobody waits", &saved, 95, Bar::Told);
}

/// Lets so many tasks fail once and then pass.
fn fill(path: &Path, tasks: usize, at: Time) {
    let mut memory = Memory::open(path, None);
    for number in 0..tasks {
        let session = SessionId(uuid::Uuid::from_u128(number as u128));
        let code = format!("class Store{number}:\n    def load(self):\n        return {number}\n");
        let files = [("main.py".to_owned(), code)].into();
        let failed = Run { task: session, step: 1, files, at };
        memory.run_failed(&failed, vec![failure(number)]);
        let mut passed = Run { step: 2, ..failed };
        passed.files.insert("load.py".to_owned(), format!("LIMIT = {number}\n"));
        memory.run_passed(&passed);
        let pattern = Pattern {
            task_type: "cli".to_owned(),
            description: task(number),
            files: passed.files,
            notes: String::new(),
            language: Language::Python,
        };
        memory.keep(session, pattern, at);
    }
    memory.save();
    assert_eq!(memory.take_degraded(), []);
}

fn rows(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).collect()
}

fn task(number: usize) -> String {
    let rows = rows(TASKS);
    format!("{} and {}", rows[number % rows.len()], rows[number / rows.len() % rows.len()])
}

fn failure(number: usize) -> Failure {
    let rows = rows(FAILURES);
    let mut fields = rows[number % rows.len()].splitn(4, " | ");
    let mut field = || fields.next().unwrap_or_default().to_owned();
    let (error_type, message, place, code) = (field(), field(), field(), field());
    let trace = format!("File {place}\n    {code}\n{error_type}: {message}");
    Failure { language: Language::Python, error_type, message, trace, code }
}
