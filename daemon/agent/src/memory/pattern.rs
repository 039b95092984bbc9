//! Solutions that worked, and how well they have served since.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::{SessionId, Time};

use super::embedder::{Score, Subject};
use super::failure::Files;
use super::vectors::{Findable, Query, Vectors};
use super::words::{cut, words};

const DESCRIPTION_MAX: usize = 16 * 1024;
const NOTES_MAX: usize = 4 * 1024;
/// The most bytes of all files; the greatest are left out first.
const FILES_MAX: usize = 64 * 1024;
/// How many tasks that were given a pattern count for its success rate.
const TASKS_MAX: usize = 32;
/// How many lines of code say what it defines.
const SUMMARY_LINES: usize = 24;

/// A solution whose tests have passed (002 5.1), or some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// Such as `rest_api`.
    pub task_type: String,
    /// The whole text of the task.
    pub description: String,
    /// The solution, by the names of its files.
    pub files: BTreeMap<String, String>,
    /// What its author says about it.
    pub notes: String,
    /// What it is written in.
    pub language: Language,
}

/// How far a solution came that does not pass all of its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partly {
    /// How many of its tests passed.
    pub passed: u32,
    /// Of how many.
    pub total: u32,
}

/// Sorts of tasks, each with how the words begin that tell of it (002 5.1).
const TASK_TYPES: [(&str, &[&str]); 6] = [
    (
        "rest_api",
        &["rest", "api", "endpoint", "http", "route", "server", "flask", "express", "web"],
    ),
    ("cli_tool", &["cli", "command", "terminal", "argument", "flag", "console", "stdin"]),
    (
        "data_processing",
        &[
            "csv",
            "json",
            "xml",
            "parse",
            "convert",
            "column",
            "record",
            "statistic",
            "report",
            "log",
        ],
    ),
    ("data_structure", &["cache", "queue", "stack", "heap", "tree", "trie", "linked", "graph"]),
    ("game", &["game", "player", "board", "chess", "score", "dice", "puzzle"]),
    (
        "algorithm",
        &["sort", "search", "shortest", "path", "sum", "prime", "number", "string", "sequence"],
    ),
];

/// The sort that most words of a task tell of, of two the one that is named first; else `other`.
fn task_type(description: &str) -> &'static str {
    let words = words(description);
    let told = |signs: &&[&str]| {
        words.iter().filter(|word| signs.iter().any(|sign| word.starts_with(sign))).count()
    };
    let most = TASK_TYPES.iter().rev().max_by_key(|(_, signs)| told(signs));
    most.filter(|(_, signs)| told(signs) > 0).map_or("other", |(name, _)| *name)
}

impl Pattern {
    /// A solution of a task, whose sort its description tells.
    pub fn of(
        description: String,
        files: BTreeMap<String, String>,
        notes: String,
        language: Language,
    ) -> Self {
        let task_type = task_type(&description).to_owned();
        Self { task_type, description, files, notes, language }
    }

    fn bounded(mut self) -> Self {
        self.task_type = cut(self.task_type, 200);
        self.description = cut(self.description, DESCRIPTION_MAX);
        self.notes = cut(self.notes, NOTES_MAX);
        while bytes(&self.files) > FILES_MAX
            && let Some(greatest) = greatest(&self.files)
        {
            self.files.remove(&greatest);
        }
        self
    }

    /// The names of the files and of what they define.
    fn summary(&self) -> String {
        const DEFINES: [&str; 7] =
            ["def ", "async def ", "class ", "function ", "async function ", "export ", "@"];
        let defining = self.files.values().flat_map(|text| text.lines()).filter(|line| {
            let line = line.trim_start();
            DEFINES.iter().any(|word| line.starts_with(word))
        });
        let names = self.files.keys().map(String::as_str);
        names.chain(defining.take(SUMMARY_LINES)).collect::<Vec<_>>().join("\n")
    }
}

fn bytes(files: &Files) -> usize {
    files.iter().map(|(name, text)| name.len() + text.len()).sum()
}

fn greatest(files: &Files) -> Option<String> {
    files.iter().max_by_key(|(_, text)| text.len()).map(|(name, _)| name.clone())
}

/// An earlier solution, as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The task it comes from; by this name it is said how it served.
    pub task: SessionId,
    /// What worked then.
    pub pattern: Pattern,
    /// How far it worked, where not wholly.
    pub partly: Option<Partly>,
    /// How similar its task is to what was asked for.
    pub score: Score,
    /// Of the tasks that were given it, its own among them, the share that succeeded, in percent.
    pub success_percent: u8,
    /// How often it was given before.
    pub retrieved: u32,
    /// When it was kept.
    pub kept: Time,
}

/// A pattern as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptPattern {
    task: SessionId,
    pattern: Pattern,
    /// Present where the task failed with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    partly: Option<Partly>,
    /// The tasks that were given it, oldest first, and whether they succeeded.
    served: Vec<(SessionId, bool)>,
    retrieved: u32,
    at: Time,
    /// When it was kept or asked for last.
    pub(super) used: Time,
    /// One of the task's text, one of that and what the code defines.
    vectors: Vectors,
}

impl KeptPattern {
    pub(super) fn new(task: SessionId, pattern: Pattern, partly: Option<Partly>, at: Time) -> Self {
        Self {
            task,
            pattern: pattern.bounded(),
            partly,
            served: vec![(task, partly.is_none())],
            retrieved: 0,
            at,
            used: at,
            vectors: Vectors::new(),
        }
    }

    pub(super) fn is_of(&self, task: SessionId) -> bool {
        self.task == task
    }

    /// Whether all of its tests passed.
    pub(super) fn is_whole(&self) -> bool {
        self.partly.is_none()
    }

    /// Whether it solves the same task.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.task == other.task
            || (self.pattern.description == other.pattern.description
                && self.pattern.language == other.pattern.language)
    }

    /// Takes over what was counted for an earlier solution of the same task; returns whether it is one.
    pub(super) fn replaces(&mut self, other: &Self) -> bool {
        let same = self.is_like(other);
        if same {
            let mine = std::mem::take(&mut self.served);
            self.served.clone_from(&other.served);
            for (task, succeeded) in mine {
                self.has_served(task, succeeded);
            }
            self.retrieved = self.retrieved.saturating_add(other.retrieved);
        }
        same
    }

    /// Counts a task once, however often it is told.
    pub(super) fn has_served(&mut self, task: SessionId, succeeded: bool) {
        self.served.retain(|(other, _)| *other != task);
        self.served.push((task, succeeded));
        if self.served.len() > TASKS_MAX {
            self.served.remove(0);
        }
    }

    /// Forgets how it served a task.
    pub(super) fn forget(&mut self, task: SessionId) {
        self.served.retain(|(other, _)| *other != task);
    }

    /// One that nobody is known to have used has not failed either.
    pub(super) fn success_percent(&self) -> u8 {
        let succeeded = self.served.iter().filter(|(_, succeeded)| *succeeded).count();
        let percent = (succeeded * 100).checked_div(self.served.len());
        percent.and_then(|percent| u8::try_from(percent).ok()).unwrap_or(100)
    }

    pub(super) fn recipe(&self, score: Score) -> Recipe {
        Recipe {
            task: self.task,
            pattern: self.pattern.clone(),
            partly: self.partly,
            score,
            success_percent: self.success_percent(),
            retrieved: self.retrieved,
            kept: self.at,
        }
    }

    pub(super) fn score(&self, query: &Query) -> Score {
        query.score(&self.vectors, Subject::Tasks)
    }

    pub(super) fn was_retrieved(&mut self, at: Time) {
        self.retrieved = self.retrieved.saturating_add(1);
        self.used = self.used.max(at);
    }
}

impl Findable for KeptPattern {
    /// 002 5.3: the task alone, and the task with what the solution defines.
    fn texts(&self) -> Vec<String> {
        let description = &self.pattern.description;
        vec![description.clone(), format!("{description}\n{}", self.pattern.summary())]
    }

    fn vectors(&mut self) -> &mut Vectors {
        &mut self.vectors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(number: u128) -> SessionId {
        SessionId(uuid::Uuid::from_u128(number))
    }

    fn pattern(description: &str, files: &[(&str, String)]) -> Pattern {
        Pattern {
            task_type: "cli".to_owned(),
            description: description.to_owned(),
            files: files.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect(),
            notes: String::new(),
            language: Language::Python,
        }
    }

    #[test]
    fn the_sort_of_a_task_is_told_by_its_words() {
        for (description, sort) in [
            ("Build a REST API with endpoints for todos", "rest_api"),
            ("A command-line tool that takes two arguments", "cli_tool"),
            ("Parse a CSV file and convert its columns to JSON", "data_processing"),
            ("Write an LRU cache over a linked list", "data_structure"),
            ("Play chess on a board for two players", "game"),
            ("Write total(numbers) that sorts them first", "algorithm"),
            ("Schreibe etwas", "other"),
        ] {
            assert_eq!(task_type(description), sort, "{description}");
        }
        let language = Language::Python;
        let made = Pattern::of("A web server".to_owned(), Files::new(), String::new(), language);
        assert_eq!(made.task_type, "rest_api");
    }

    #[test]
    fn the_success_rate_counts_the_last_tasks_once_each() {
        let mut kept = KeptPattern::new(task(1), pattern("a", &[]), None, Time::from_micros(0));
        assert_eq!(kept.success_percent(), 100);
        for number in [2, 2, 3] {
            kept.has_served(task(number), false);
        }
        assert_eq!(kept.success_percent(), 33);
        kept.has_served(task(2), true);
        assert_eq!(kept.success_percent(), 66);
        for number in 10..10 + TASKS_MAX {
            kept.has_served(task(number as u128), false);
        }
        assert_eq!((kept.success_percent(), kept.served.len()), (0, TASKS_MAX));
    }

    #[test]
    fn a_new_solution_of_the_same_task_keeps_what_was_counted() {
        let mut old = KeptPattern::new(task(1), pattern("a", &[]), None, Time::from_micros(0));
        old.has_served(task(2), false);
        old.was_retrieved(Time::from_micros(5));
        let mut new = KeptPattern::new(task(3), pattern("a", &[]), None, Time::from_micros(9));
        assert!(new.replaces(&old));
        assert_eq!((new.success_percent(), new.retrieved), (66, 1));
        let mut other = KeptPattern::new(task(4), pattern("b", &[]), None, Time::from_micros(9));
        assert!(!other.replaces(&old));
    }

    #[test]
    fn a_pattern_is_found_by_its_task_and_by_what_it_defines() {
        let code =
            "import os\n\nclass Store:\n    def add(self, title):\n        pass\n".to_owned();
        let kept = KeptPattern::new(
            task(1),
            pattern("Todos", &[("store.py", code)]),
            None,
            Time::from_micros(0),
        );
        let with_code = "Todos\nstore.py\nclass Store:\n    def add(self, title):";
        assert_eq!(kept.texts(), ["Todos", with_code]);
    }

    #[test]
    fn the_greatest_files_of_too_many_are_left_out() {
        let great = "x".repeat(FILES_MAX);
        let kept = pattern("a", &[("a.py", "1".to_owned()), ("b.py", great)]).bounded();
        assert_eq!(kept.files.keys().collect::<Vec<_>>(), ["a.py"]);
    }
}
