//! Failures, and how they become lessons.
//!
//! A failure begins as unsolved, with the files as they were. When a later run fails otherwise, the
//! difference to that run may be what ended it; only when a run passes is the difference kept as what
//! was learned, and it is that narrower one if the files that passed still hold it. What comes back
//! is unsolved again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use similar::TextDiff;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::{SessionId, Time};

use super::embedder::{Score, Subject};
use super::vectors::{Findable, Query, Vectors};
use super::words::{cut, signature, stored_text};

/// The most bytes of what a failure says, and of what was learned.
const TEXT_MAX: usize = 4 * 1024;
/// The most bytes of all files of an unsolved failure; of more no difference can be taken.
const FILES_MAX: usize = 128 * 1024;

/// Files by their names.
pub(super) type Files = BTreeMap<String, String>;

/// A run of the tests of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The session of the task.
    pub task: SessionId,
    /// Counts the runs of the task; a later run has a higher number, whatever was put back between.
    pub step: u64,
    /// What ran, without what the agent has not written.
    pub files: BTreeMap<String, String>,
    /// When it ended.
    pub at: Time,
}

/// What a run failed with (002 5.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What ran.
    pub language: Language,
    /// Such as `KeyError`.
    pub error_type: String,
    /// What the error says.
    pub message: String,
    /// How the run came to it, without its middle where that is long.
    pub trace: String,
    /// The lines that failed, or what is around them.
    pub code: String,
}

impl Failure {
    /// Whether the machine failed and not the program: nothing can be learned from it.
    pub fn is_of_the_machine(&self) -> bool {
        const SIGNS: [&str; 9] = [
            "temporary failure in name resolution",
            "name or service not known",
            "getaddrinfo",
            "enotfound",
            "network is unreachable",
            "no space left on device",
            "enospc",
            "cannot allocate memory",
            "input/output error",
        ];
        let said = self.message.to_lowercase();
        SIGNS.iter().any(|sign| said.contains(sign))
    }

    /// The lines of the trace that are nearest to the error: one of Python ends with them, one of JavaScript
    /// begins with them. Further ones tell of the task and not of the error.
    pub(super) fn nearest(&self) -> String {
        const LINES: usize = 6;
        let lines: Vec<_> = self.trace.lines().filter(|line| !line.trim().is_empty()).collect();
        let ends_with_it = self.language == Language::Python;
        let skipped = if ends_with_it { lines.len().saturating_sub(LINES) } else { 0 };
        lines.into_iter().skip(skipped).take(LINES).collect::<Vec<_>>().join("\n")
    }

    fn bounded(self) -> Self {
        Self {
            language: self.language,
            error_type: cut(self.error_type, 200),
            message: cut(self.message, TEXT_MAX),
            trace: cut(self.trace, TEXT_MAX),
            code: cut(self.code, TEXT_MAX),
        }
    }
}

/// An earlier failure with what ended it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// The task it comes from.
    pub task: SessionId,
    /// What went wrong then.
    pub failure: Failure,
    /// What was changed, as a unified difference, after which the tests passed.
    pub solution: String,
    /// How similar it is to what was asked for.
    pub score: Score,
    /// Whether it is the same error, but for numbers, paths and quoted values.
    pub same_error: bool,
    /// How often it was met.
    pub seen: u32,
    /// When the tests passed.
    pub learned: Time,
}

/// A failure as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptFailure {
    task: SessionId,
    /// The last run that showed it.
    step: u64,
    failure: Failure,
    end: End,
    seen: u32,
    retrieved: u32,
    at: Time,
    /// When it was noted, learned from or asked for last.
    pub(super) used: Time,
    vectors: Vectors,
}

/// How far a failure has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum End {
    /// The last run showed it; the files are those of that run.
    Shown { files: Files },
    /// A later run has failed otherwise.
    Gone { files: Files, difference: String },
    /// A later run has passed.
    Solved { difference: String },
}

impl KeptFailure {
    pub(super) fn new(run: &Run, failure: Failure) -> Self {
        Self {
            task: run.task,
            step: run.step,
            failure: failure.bounded(),
            end: End::Shown { files: kept_files(&run.files) },
            seen: 1,
            retrieved: 0,
            at: run.at,
            used: run.at,
            vectors: Vectors::new(),
        }
    }

    pub(super) fn is_of(&self, task: SessionId) -> bool {
        self.task == task
    }

    pub(super) fn is_lesson(&self) -> bool {
        matches!(self.end, End::Solved { .. })
    }

    pub(super) fn signature(&self) -> String {
        signature(&self.failure.error_type, &self.failure.message)
    }

    /// Takes a later run of its task that failed, with the names of what that run showed.
    pub(super) fn run_failed(&mut self, run: &Run, shown: &BTreeMap<String, Failure>) {
        if self.is_lesson() || run.step <= self.step {
            return;
        }
        match (shown.get(&self.signature()), &self.end) {
            (Some(failure), _) => {
                *self = Self {
                    seen: self.seen.saturating_add(1),
                    retrieved: self.retrieved,
                    ..Self::new(run, failure.clone())
                };
            }
            (None, End::Shown { files }) => {
                let difference = differences(files, &run.files);
                // Something that comes and goes while the files stay teaches nothing.
                if !difference.is_empty() && !files.is_empty() {
                    self.end = End::Gone { files: files.clone(), difference };
                }
            }
            (None, End::Gone { .. } | End::Solved { .. }) => {}
        }
    }

    /// Takes a later run of its task that passed; returns whether something was learned.
    pub(super) fn run_passed(&mut self, run: &Run) -> bool {
        if run.step <= self.step {
            return false;
        }
        let difference = match &self.end {
            End::Solved { .. } => return false,
            End::Gone { difference, .. } if still_there(difference, &run.files) => {
                difference.clone()
            }
            End::Shown { files } | End::Gone { files, .. } if files.is_empty() => return false,
            End::Shown { files } | End::Gone { files, .. } => differences(files, &run.files),
        };
        let learned = !difference.is_empty();
        if learned {
            self.end = End::Solved { difference };
            (self.at, self.used) = (run.at, run.at);
        }
        learned
    }

    /// Takes over what was counted for another lesson that says the same; returns whether it does.
    pub(super) fn replaces(&mut self, other: &Self) -> bool {
        let (End::Solved { difference: new }, End::Solved { difference: old }) =
            (&self.end, &other.end)
        else {
            return false;
        };
        let same = new == old
            && self.failure.language == other.failure.language
            && self.signature() == other.signature();
        if same {
            self.seen = self.seen.saturating_add(other.seen);
            self.retrieved = self.retrieved.saturating_add(other.retrieved);
        }
        same
    }

    /// Tells it as a lesson, if it is one.
    pub(super) fn lesson(&self, score: Score, asked: &str) -> Option<Lesson> {
        let End::Solved { difference } = &self.end else { return None };
        Some(Lesson {
            task: self.task,
            failure: self.failure.clone(),
            solution: difference.clone(),
            score,
            same_error: self.signature() == asked,
            seen: self.seen,
            learned: self.at,
        })
    }

    pub(super) fn score(&self, query: &Query) -> Score {
        query.score(&self.vectors, Subject::Failures)
    }

    pub(super) fn was_retrieved(&mut self, at: Time) {
        self.retrieved = self.retrieved.saturating_add(1);
        self.used = self.used.max(at);
    }
}

impl Findable for KeptFailure {
    /// 002 5.3: error and code.
    fn texts(&self) -> Vec<String> {
        let Failure { error_type, message, code, .. } = &self.failure;
        vec![stored_text(error_type, message, code)]
    }

    fn vectors(&mut self) -> &mut Vectors {
        &mut self.vectors
    }
}

/// None where they are too many to be kept.
fn kept_files(files: &Files) -> Files {
    let bytes: usize = files.iter().map(|(name, text)| name.len() + text.len()).sum();
    if bytes > FILES_MAX { Files::new() } else { files.clone() }
}

/// What was changed from some files to others, as one unified difference; empty where nothing was.
fn differences(before: &Files, after: &Files) -> String {
    let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut all = String::new();
    let text = |files: &Files, name: &str| files.get(name).cloned().unwrap_or_default();
    for name in names.into_iter().filter(|name| before.get(*name) != after.get(*name)) {
        let (old, new) = (text(before, name), text(after, name));
        let difference = TextDiff::from_lines(&old, &new);
        let mut unified = difference.unified_diff();
        all += &unified.context_radius(2).header(name, name).to_string();
    }
    cut(all, TEXT_MAX)
}

/// Whether every line that a difference adds is still in the files.
fn still_there(difference: &str, files: &Files) -> bool {
    let lines: BTreeSet<_> = files.values().flat_map(|text| text.lines()).collect();
    let mut added = difference
        .lines()
        .filter(|line| !line.starts_with("+++"))
        .filter_map(|line| line.strip_prefix('+'));
    added.all(|line| lines.contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(code: &str) -> Files {
        Files::from([("main.py".to_owned(), code.to_owned())])
    }

    fn run(step: u64, code: &str) -> Run {
        let at = Time::from_micros(i64::try_from(step).unwrap());
        Run { task: SessionId(uuid::Uuid::nil()), step, files: files(code), at }
    }

    fn failure(error: &str) -> Failure {
        Failure {
            language: Language::Python,
            error_type: error.to_owned(),
            message: "'x'".to_owned(),
            trace: String::new(),
            code: String::new(),
        }
    }

    fn shows(error: &str) -> BTreeMap<String, Failure> {
        BTreeMap::from([(signature(error, "'x'"), failure(error))])
    }

    fn learned(kept: &KeptFailure) -> String {
        kept.lesson(Score(60), "").map(|lesson| lesson.solution).unwrap_or_default()
    }

    #[test]
    fn what_ended_a_failure_is_the_difference_to_the_run_that_no_longer_showed_it() {
        let mut kept = KeptFailure::new(&run(1, "a\nb\n"), failure("KeyError"));
        kept.run_failed(&run(2, "a\nB\n"), &shows("TypeError"));
        assert_eq!(kept.lesson(Score(60), ""), None, "no run has passed");
        assert!(kept.run_passed(&run(3, "A\nB\n")));
        assert_eq!(
            learned(&kept),
            "--- main.py\n+++ main.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
            "what was changed for the other error is no part of it"
        );
        assert_eq!(kept.lesson(Score(60), "").unwrap().learned, run(3, "").at);
    }

    #[test]
    fn what_was_taken_back_before_the_tests_passed_is_not_what_ended_it() {
        let mut kept = KeptFailure::new(&run(1, "a\nb\n"), failure("KeyError"));
        kept.run_failed(&run(2, "c\n"), &shows("SyntaxError"));
        assert!(kept.run_passed(&run(3, "a\nd\n")));
        assert!(learned(&kept).contains("-b\n+d\n"), "{kept:?}");
    }

    #[test]
    fn what_comes_back_is_unsolved_again() {
        let mut kept = KeptFailure::new(&run(1, "a\n"), failure("KeyError"));
        kept.run_failed(&run(2, "b\n"), &shows("TypeError"));
        kept.run_failed(&run(3, "c\n"), &shows("KeyError"));
        assert_eq!((kept.seen, kept.step), (2, 3));
        assert!(kept.run_passed(&run(4, "d\n")));
        assert!(learned(&kept).contains("-c\n+d\n"));
    }

    #[test]
    fn a_failure_that_ends_without_a_change_teaches_nothing() {
        let mut kept = KeptFailure::new(&run(1, "a\n"), failure("KeyError"));
        kept.run_failed(&run(2, "a\n"), &shows("TypeError"));
        assert!(!kept.run_passed(&run(3, "a\n")));
        assert!(!kept.is_lesson());
    }

    #[test]
    fn the_same_run_told_twice_counts_once() {
        let mut kept = KeptFailure::new(&run(2, "a\n"), failure("KeyError"));
        let before = kept.clone();
        kept.run_failed(&run(2, "a\n"), &shows("KeyError"));
        assert!(!kept.run_passed(&run(1, "b\n")), "it lies before");
        assert_eq!(kept, before);
        assert!(kept.run_passed(&run(3, "b\n")));
        assert!(!kept.run_passed(&run(3, "b\n")));
    }

    #[test]
    fn files_that_are_too_many_are_not_kept_and_give_no_lesson() {
        let code = "x\n".repeat(FILES_MAX);
        let mut kept = KeptFailure::new(&run(1, &code), failure("KeyError"));
        assert!(serde_json::to_string(&kept).unwrap().len() < 1_000);
        kept.run_failed(&run(2, "y\n"), &shows("TypeError"));
        assert!(!kept.run_passed(&run(3, "z\n")));
    }

    #[test]
    fn a_long_trace_loses_its_middle_and_is_looked_for_by_what_is_nearest_to_the_error() {
        let trace: String = (1..=900).map(|line| format!("line {line}\n\n")).collect();
        let long = Failure { trace, ..failure("KeyError") };
        let near = "line 895\nline 896\nline 897\nline 898\nline 899\nline 900";
        assert_eq!(long.nearest(), near);
        let of_node = Failure { language: Language::Javascript, ..long.clone() };
        assert_eq!(of_node.nearest(), "line 1\nline 2\nline 3\nline 4\nline 5\nline 6");
        let kept = KeptFailure::new(&run(1, "a\n"), long).failure.trace;
        assert!(kept.len() <= TEXT_MAX && kept.starts_with("line 1\n"), "{kept}");
        assert!(kept.contains("\n[…]\n") && kept.ends_with("line 900\n\n"), "{kept}");
        assert!(
            kept.lines()
                .all(|line| { line.is_empty() || line == "[…]" || line.starts_with("line ") })
        );
    }

    #[test]
    fn faults_of_the_machine_are_told_from_those_of_a_program() {
        let said = |message: &str| {
            let failure = Failure { message: message.to_owned(), ..failure("OSError") };
            failure.is_of_the_machine()
        };
        assert!(said("[Errno 28] No space left on device"));
        assert!(said("<urlopen error [Errno -3] Temporary failure in name resolution>"));
        assert!(said("getaddrinfo ENOTFOUND example.org"));
        assert!(!said("[Errno 2] No such file or directory: 'a'"));
        assert!(!said("[Errno 98] Address already in use"));
    }
}
