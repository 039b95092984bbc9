//! Everything that is remembered, and the place on disk where it is kept.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vosim_protocol::misfit;
use vosim_protocol::{SessionId, Time};

use super::degraded::Degraded;
use super::embedder::{Embedder, EmbedderId, Scale, Subject};
use super::failure::{Failure, KeptFailure, Lesson, Run};
use super::file;
use super::pattern::{KeptPattern, Partly, Pattern, Recipe};
use super::vectors::{Embedders, Findable};
use super::words::{query_text, signature};

/// How many earlier solutions are told (002 5.2).
const RECIPES_MAX: usize = 3;
/// How many earlier failures are told (002 5.2).
const LESSONS_MAX: usize = 5;

const FAILURES_MAX: usize = 2_000;
const PATTERNS_MAX: usize = 500;
/// How many failures of one run are noted, in the order in which they are told.
const OF_ONE_RUN_MAX: usize = 8;

/// What was asked for, with whatever has to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled<T> {
    /// The most fitting first.
    pub found: Vec<T>,
    /// How many similar failures are known that nothing has ended yet.
    pub unsolved: usize,
    /// Why there may be less than there might.
    pub degraded: Vec<Degraded>,
}

/// What earlier tasks have taught.
///
/// It blocks on its file and its embedder: see [`Desk`](super::Desk). Nothing is written before
/// [`save`](Self::save).
#[derive(Debug)]
pub struct Memory {
    /// None where nothing can be kept.
    path: Option<PathBuf>,
    failures: Vec<KeptFailure>,
    patterns: Vec<KeptPattern>,
    embedders: Embedders,
    changed: bool,
    degraded: Vec<Degraded>,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry<F, P> {
    Scale(EmbedderId, Scale),
    Failure(F),
    Pattern(P),
}

impl Memory {
    /// Reads what is at a path; what cannot be read is set aside, and memory begins anew.
    ///
    /// Without an embedder the built-in one is used.
    pub fn open(path: &Path, embedder: Option<Box<dyn Embedder>>) -> Self {
        let mut memory = Self {
            path: Some(path.to_owned()),
            failures: Vec::new(),
            patterns: Vec::new(),
            embedders: Embedders::new(embedder),
            changed: false,
            degraded: Vec::new(),
        };
        if let Err(why) = memory.load(path) {
            memory.failures.clear();
            memory.patterns.clear();
            memory.embedders.measured.clear();
            memory.degraded.push(match file::set_aside(path) {
                Ok(kept) => Degraded::SetAside { why, kept },
                Err(error) => {
                    memory.path = None;
                    Degraded::Unreadable { why: format!("{why}; {error}") }
                }
            });
        }
        memory.give_vectors();
        memory
    }

    fn load(&mut self, path: &Path) -> Result<(), String> {
        for (at, line) in file::read(path)?.iter().enumerate() {
            match serde_json::from_str::<Entry<KeptFailure, KeptPattern>>(line) {
                Ok(Entry::Scale(id, scale)) => {
                    self.embedders.measured.insert(id, scale);
                }
                Ok(Entry::Failure(failure)) => self.failures.push(failure),
                Ok(Entry::Pattern(pattern)) => self.patterns.push(pattern),
                Err(error) => {
                    return Err(format!("its line {}: {}", at + 2, misfit::words(&error)));
                }
            }
        }
        Ok(())
    }

    /// Notes what a run has failed with; returns how many failures were new to its task.
    ///
    /// The same run told again changes nothing, and what the machine is to blame for is not noted.
    pub fn run_failed(&mut self, run: &Run, failures: Vec<Failure>) -> usize {
        let program = failures.into_iter().filter(|failure| !failure.is_of_the_machine());
        let mut shown: BTreeMap<_, _> = program
            .take(OF_ONE_RUN_MAX)
            .map(|failure| (signature(&failure.error_type, &failure.message), failure))
            .collect();
        for kept in self.failures.iter_mut().filter(|kept| kept.is_of(run.task)) {
            kept.run_failed(run, &shown);
        }
        // What a lesson of the same task had ended is a failure of its own when it comes again.
        for kept in self.failures.iter().filter(|kept| kept.is_of(run.task) && !kept.is_lesson()) {
            shown.remove(&kept.signature());
        }
        let new = shown.len();
        self.failures.extend(shown.into_values().map(|failure| KeptFailure::new(run, failure)));
        self.give_vectors();
        self.changed = true;
        new
    }

    /// Makes lessons of the failures of a task, of which a run has passed; returns how many.
    pub fn run_passed(&mut self, run: &Run) -> usize {
        let mut lessons = Vec::new();
        for mut kept in std::mem::take(&mut self.failures) {
            if kept.is_of(run.task) && kept.run_passed(run) {
                lessons.push(kept);
            } else {
                self.failures.push(kept);
            }
        }
        let learned = lessons.len();
        for mut lesson in lessons {
            // One that says the same is not told twice.
            self.failures.retain(|other| !lesson.replaces(other));
            self.failures.push(lesson);
        }
        self.changed |= learned > 0;
        learned
    }

    /// Keeps a solution whose tests have passed, in the place of an earlier one of the same task;
    /// returns 1.
    pub fn keep(&mut self, task: SessionId, pattern: Pattern, at: Time) -> usize {
        self.put(KeptPattern::new(task, pattern, None, at))
    }

    /// Keeps what a task had come to that failed, unless a whole solution of it is known; returns how many
    /// entries are new.
    pub fn keep_partly(
        &mut self,
        task: SessionId,
        pattern: Pattern,
        partly: Partly,
        at: Time,
    ) -> usize {
        let new = KeptPattern::new(task, pattern, Some(partly), at);
        if self.patterns.iter().any(|old| old.is_whole() && new.is_like(old)) {
            return 0;
        }
        self.put(new)
    }

    fn put(&mut self, mut new: KeptPattern) -> usize {
        self.patterns.retain(|old| !new.replaces(old));
        self.patterns.push(new);
        self.give_vectors();
        self.changed = true;
        1
    }

    /// Counts how a task ended for the solutions that it was given, each named by its own task;
    /// returns for how many.
    pub fn served(&mut self, task: SessionId, given: &[SessionId], succeeded: bool) -> usize {
        let mut count = 0;
        for pattern in &mut self.patterns {
            if given.iter().any(|given| pattern.is_of(*given)) && !pattern.is_of(task) {
                pattern.has_served(task, succeeded);
                count += 1;
            }
        }
        self.changed |= count > 0;
        count
    }

    /// Forgets everything that came from a session; returns how many entries that were.
    pub fn forget(&mut self, task: SessionId) -> usize {
        let before = self.failures.len() + self.patterns.len();
        self.failures.retain(|failure| !failure.is_of(task));
        self.patterns.retain(|pattern| !pattern.is_of(task));
        for pattern in &mut self.patterns {
            pattern.forget(task);
        }
        self.changed = true;
        before - self.failures.len() - self.patterns.len()
    }

    /// Finds solutions of tasks like this one (002 5.2), the most similar first, then the newest,
    /// then what has served best (002 5.4); those that are only partly right come after all others.
    pub fn recipes(&mut self, description: &str, at: Time) -> Recalled<Recipe> {
        let (query, degraded) = self.embedders.query(description);
        self.degraded.extend(degraded);
        let mut found = Vec::new();
        for (place, kept) in self.patterns.iter().enumerate() {
            let score = kept.score(&query);
            if score >= Subject::Tasks.threshold() {
                found.push((place, kept.recipe(score)));
            }
        }
        found.sort_by_key(|(_, recipe)| {
            let Recipe { partly, score, kept, success_percent, task, .. } = recipe;
            Reverse((partly.is_none(), *score, day(*kept), *success_percent, *task))
        });
        found.truncate(RECIPES_MAX);
        for (place, _) in &found {
            self.patterns[*place].was_retrieved(at);
        }
        self.told(found, 0)
    }

    /// Finds failures like this one with what has ended them (002 5.2): those with the same error
    /// first, then the most similar, then the newest (002 5.4).
    pub fn lessons(&mut self, failure: &Failure, at: Time) -> Recalled<Lesson> {
        let (query, degraded) =
            self.embedders.query(&query_text(&failure.message, &failure.nearest()));
        self.degraded.extend(degraded);
        let asked = signature(&failure.error_type, &failure.message);
        let (mut found, mut unsolved) = (Vec::new(), 0);
        for (place, kept) in self.failures.iter().enumerate() {
            let score = kept.score(&query);
            if score >= Subject::Failures.threshold() {
                match kept.lesson(score, &asked) {
                    Some(lesson) => found.push((place, lesson)),
                    None => unsolved += 1,
                }
            }
        }
        found.sort_by_key(|(_, lesson)| {
            let Lesson { same_error, score, learned, seen, task, .. } = lesson;
            Reverse((*same_error, *score, day(*learned), *seen, *task))
        });
        found.truncate(LESSONS_MAX);
        for (place, _) in &found {
            self.failures[*place].was_retrieved(at);
        }
        self.told(found, unsolved)
    }

    fn told<T>(&mut self, found: Vec<(usize, T)>, unsolved: usize) -> Recalled<T> {
        self.changed |= !found.is_empty();
        let found = found.into_iter().map(|(_, told)| told).collect();
        Recalled { found, unsolved, degraded: self.take_degraded() }
    }

    /// Returns what has to be said since this was asked for last.
    pub fn take_degraded(&mut self) -> Vec<Degraded> {
        let mut degraded = std::mem::take(&mut self.degraded);
        degraded.dedup();
        degraded
    }

    /// Does a little of what can wait: measures a new embedder, or gives some entries its vectors.
    /// Returns whether there may be more to do.
    pub fn catch_up(&mut self) -> bool {
        let did = self.embedders.catch_up(findable(&mut self.failures, &mut self.patterns));
        self.changed |= matches!(did, Ok(true));
        did.unwrap_or_else(|why| {
            self.degraded.push(why);
            false
        })
    }

    /// Gives every entry the vectors that cost nothing.
    fn give_vectors(&mut self) {
        for entry in findable(&mut self.failures, &mut self.patterns) {
            self.changed |= self.embedders.give(entry);
        }
    }

    /// Writes what has changed; of too much, what was of no use for longest is forgotten.
    pub fn save(&mut self) {
        let Some(path) = self.path.clone().filter(|_| self.changed) else { return };
        self.drop_beyond(FAILURES_MAX, PATTERNS_MAX);
        let lines = self.lines_within(file::ENTRIES_BYTES_MAX).map_err(Into::into);
        match lines.and_then(|lines| file::write(&path, &lines)) {
            Ok(()) => self.changed = false,
            Err(error) => self.degraded.push(Degraded::Unwritten { why: error.to_string() }),
        }
    }

    fn lines_within(&mut self, bytes_max: usize) -> serde_json::Result<Vec<String>> {
        loop {
            let lines = self.lines()?;
            if lines.iter().map(|line| line.len() + 1).sum::<usize>() <= bytes_max {
                return Ok(lines);
            }
            self.drop_beyond(self.failures.len() * 7 / 8, self.patterns.len() * 7 / 8);
        }
    }

    fn lines(&self) -> serde_json::Result<Vec<String>> {
        let scales = self.embedders.measured.iter();
        let scales = scales.map(|(id, scale)| Entry::Scale(id.clone(), *scale));
        let failures = self.failures.iter().map(Entry::Failure);
        let patterns = self.patterns.iter().map(Entry::Pattern);
        scales.chain(failures).chain(patterns).map(|entry| serde_json::to_string(&entry)).collect()
    }

    /// Lessons stay before what nothing has ended, and what serves before what does not.
    fn drop_beyond(&mut self, failures_max: usize, patterns_max: usize) {
        self.failures.sort_by_key(|kept| Reverse((kept.is_lesson(), kept.used)));
        self.failures.truncate(failures_max);
        self.patterns.sort_by_key(|kept| Reverse((kept.success_percent() >= 50, kept.used)));
        self.patterns.truncate(patterns_max);
    }
}

fn findable<'a>(
    failures: &'a mut [KeptFailure],
    patterns: &'a mut [KeptPattern],
) -> impl Iterator<Item = &'a mut dyn Findable> {
    let failures = failures.iter_mut().map(|kept| kept as &mut dyn Findable);
    failures.chain(patterns.iter_mut().map(|kept| kept as &mut dyn Findable))
}

/// Days since 1970: what is of one day is equally new.
fn day(at: Time) -> i64 {
    at.micros().div_euclid(24 * 3_600 * 1_000_000)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use vosim_protocol::v1::problem::Language;

    use super::*;

    const DAY: i64 = 24 * 3_600 * 1_000_000;

    fn place() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory");
        (dir, path)
    }

    fn open(path: &Path) -> Memory {
        Memory::open(path, None)
    }

    fn task(number: usize) -> SessionId {
        SessionId(Uuid::from_u128(number as u128))
    }

    fn at(days: i64) -> Time {
        Time::from_micros(days * DAY)
    }

    fn run(of: usize, step: u64, code: &str, days: i64) -> Run {
        let files = [("main.py".to_owned(), format!("{code}\n"))].into();
        Run { task: task(of), step, files, at: at(days) }
    }

    fn failure(error: &str, message: &str, code: &str) -> Failure {
        Failure {
            language: Language::Python,
            error_type: error.to_owned(),
            message: message.to_owned(),
            trace: format!("File \"main.py\", line 3\n    {code}\n{error}: {message}"),
            code: code.to_owned(),
        }
    }

    fn missing_key(name: &str) -> Failure {
        failure("KeyError", &format!("'{name}'"), &format!("return user[\"{name}\"]"))
    }

    fn pattern(description: &str) -> Pattern {
        Pattern {
            task_type: "cli".to_owned(),
            description: description.to_owned(),
            files: [("main.py".to_owned(), "print(1)\n".to_owned())].into(),
            notes: "Read lines, then print.".to_owned(),
            language: Language::Python,
        }
    }

    /// A task that fails once and then passes.
    fn learns(memory: &mut Memory, of: usize, failure: Failure, days: i64) {
        memory.run_failed(&run(of, 1, "bad", days), vec![failure]);
        assert_eq!(memory.run_passed(&run(of, 2, &format!("good {of}"), days)), 1);
    }

    fn tasks_of(found: &Recalled<Lesson>) -> Vec<SessionId> {
        found.found.iter().map(|lesson| lesson.task).collect()
    }

    #[test]
    fn a_failed_task_leaves_no_lesson_and_a_later_success_fills_exactly_its_failure() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        memory.run_failed(&run(1, 1, "a", 1), vec![missing_key("email")]);
        memory.run_failed(&run(2, 1, "b", 1), vec![missing_key("name")]);
        let found = memory.lessons(&missing_key("city"), at(2));
        assert_eq!((found.found.len(), found.unsolved), (0, 2));
        assert_eq!(memory.run_passed(&run(1, 2, "c", 3)), 1);
        let found = memory.lessons(&missing_key("city"), at(4));
        assert_eq!((tasks_of(&found), found.unsolved), (vec![task(1)], 1));
        let lesson = &found.found[0];
        assert_eq!(lesson.failure, missing_key("email"));
        assert!(lesson.solution.ends_with("-a\n+c\n"), "{lesson:?}");
        assert!(lesson.same_error && lesson.learned == at(3) && lesson.seen == 1);
    }

    #[test]
    fn an_error_that_a_task_shows_again_and_again_is_one_failure() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        let showed = |step| run(1, step, &format!("try {step}"), 1);
        assert_eq!(memory.run_failed(&showed(1), vec![missing_key("a"), missing_key("b")]), 1);
        assert_eq!(memory.run_failed(&showed(1), vec![missing_key("a")]), 0, "told again");
        assert_eq!(memory.run_failed(&showed(2), vec![missing_key("c")]), 0);
        assert_eq!(memory.run_passed(&showed(3)), 1);
        assert_eq!(memory.run_passed(&showed(3)), 0, "told again");
        let found = memory.lessons(&missing_key("d"), at(2));
        assert_eq!((found.found.len(), found.found[0].seen), (1, 2));
        // What a lesson had ended comes again.
        assert_eq!(memory.run_failed(&showed(4), vec![missing_key("e")]), 1);
        assert_eq!(memory.lessons(&missing_key("d"), at(2)).unsolved, 1);
    }

    #[test]
    fn what_the_machine_is_to_blame_for_is_not_noted() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        let full = failure("OSError", "[Errno 28] No space left on device", "out.write(text)");
        assert_eq!(memory.run_failed(&run(1, 1, "a", 1), vec![full.clone()]), 0);
        assert_eq!(memory.run_passed(&run(1, 2, "b", 1)), 0);
        assert_eq!(memory.lessons(&full, at(1)).found, []);
    }

    #[test]
    fn a_lesson_that_says_the_same_as_another_is_told_once() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        for of in 1..=3 {
            memory.run_failed(&run(of, 1, "bad", 1), vec![missing_key("a")]);
            memory.run_passed(&run(of, 2, "good", 1));
        }
        let found = memory.lessons(&missing_key("a"), at(1));
        assert_eq!((tasks_of(&found), found.found[0].seen), (vec![task(3)], 3));
    }

    #[test]
    fn five_lessons_are_told_the_same_error_first_then_by_likeness_then_the_newest() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        for of in 1..=6 {
            learns(&mut memory, of, missing_key("email"), i64::try_from(of).unwrap());
        }
        let like = failure("LookupError", "no 'email'", "return user[\"email\"]");
        learns(&mut memory, 7, like, 9);
        let found = memory.lessons(&missing_key("email"), at(10));
        assert_eq!(tasks_of(&found), [6, 5, 4, 3, 2].map(task));
        let other = failure("ZeroDivisionError", "division by zero", "return total / count");
        assert_eq!(memory.lessons(&other, at(10)).found, []);
    }

    #[test]
    fn three_solutions_are_told_by_likeness_then_the_newest_then_what_served_best() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        let said = [
            "Build a CLI tool for JSON to CSV conversion",
            "Build a CLI tool for CSV to JSON conversion",
            "CLI tool for conversion of CSV to JSON",
            "Write a chess engine",
        ];
        for (of, description) in said.into_iter().enumerate() {
            memory.keep(task(of), pattern(description), at(1));
        }
        let tasks = |memory: &mut Memory| {
            let found = memory.recipes(said[1], at(9)).found;
            found.into_iter().map(|recipe| (recipe.task, recipe.score.0)).collect::<Vec<_>>()
        };
        let found = tasks(&mut memory);
        assert_eq!((found.len(), found[0]), (3, (task(1), 100)), "{found:?}");
        assert!(found[1].1 < 100 && found[2].1 >= 70, "{found:?}");

        // The same text in another language: first the newer day, then what served.
        let node = |of, days, memory: &mut Memory| {
            let language = Language::Javascript;
            memory.keep(task(of), Pattern { language, ..pattern(said[1]) }, at(days));
        };
        node(10, 1, &mut memory);
        memory.served(task(20), &[task(1)], false);
        assert_eq!(tasks(&mut memory)[..2], [(task(10), 100), (task(1), 100)]);
        memory.served(task(21), &[task(10)], false);
        memory.served(task(22), &[task(10)], false);
        assert_eq!(tasks(&mut memory)[..2], [(task(1), 100), (task(10), 100)]);
        node(10, 2, &mut memory);
        assert_eq!(tasks(&mut memory)[..2], [(task(10), 100), (task(1), 100)]);
        assert_eq!(memory.recipes(said[1], at(9)).found[0].retrieved, 3);
    }

    #[test]
    fn what_is_partly_right_is_told_last_and_makes_way_for_what_is_right() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        let partly = Partly { passed: 3, total: 5 };
        let said = "Build a CLI tool for CSV to JSON conversion";
        assert_eq!(memory.keep_partly(task(1), pattern(said), partly, at(1)), 1);
        memory.keep(task(2), pattern("Build a CLI tool for JSON to CSV conversion"), at(1));
        memory.save();
        let mut memory = open(&path);
        let mut told = || -> Vec<_> {
            let found = memory.recipes(said, at(2)).found.into_iter();
            found.map(|recipe| (recipe.task, recipe.partly, recipe.success_percent)).collect()
        };
        assert_eq!(told(), [(task(2), None, 100), (task(1), Some(partly), 0)]);
        // Its task is resumed and succeeds, or another one with the same words does.
        for of in [1, 3] {
            let mut memory = open(&path);
            assert_eq!(memory.keep(task(of), pattern(said), at(3)), 1);
            let found = memory.recipes(said, at(4)).found;
            assert_eq!((found.len(), found[0].task, found[0].partly), (2, task(of), None));
            assert_eq!(memory.keep_partly(task(4), pattern(said), partly, at(5)), 0);
        }
    }

    #[test]
    fn everything_comes_back_from_the_file() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        learns(&mut memory, 1, missing_key("email"), 1);
        memory.run_failed(&run(2, 1, "open", 1), vec![missing_key("open")]);
        memory.keep(task(1), pattern("Sort names"), at(1));
        memory.served(task(2), &[task(1)], false);
        memory.recipes("Sort names", at(2));
        memory.save();
        let mut again = open(&path);
        assert_eq!((&again.failures, &again.patterns), (&memory.failures, &memory.patterns));
        let recipe = again.recipes("Sort names", at(3)).found.remove(0);
        assert_eq!((recipe.retrieved, recipe.success_percent), (1, 50));
        assert_eq!(recipe.pattern, pattern("Sort names"));
        // What was open can still be solved.
        assert_eq!(again.run_passed(&run(2, 2, "shut", 4)), 1);
        let written = std::fs::read(&path).unwrap();
        again.changed = false;
        again.save();
        assert_eq!(std::fs::read(&path).unwrap(), written, "nothing new is not written");
    }

    #[test]
    fn what_came_from_a_session_goes_with_it() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        learns(&mut memory, 1, missing_key("canary"), 1);
        memory.run_failed(&run(1, 3, "canary", 1), vec![failure("E", "canary", "canary")]);
        memory.keep(task(1), pattern("Find the canary"), at(1));
        memory.keep(task(2), pattern("Sort names"), at(1));
        memory.served(task(1), &[task(2)], false);
        memory.save();
        assert_eq!(memory.forget(task(1)), 3);
        memory.save();
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(!kept.contains("canary") && !kept.contains(&task(1).to_string()), "{kept}");
        assert_eq!(memory.recipes("Sort names", at(2)).found[0].success_percent, 100);
    }

    #[test]
    fn a_damaged_file_is_set_aside_with_a_sentence_and_memory_begins_anew() {
        let (dir, path) = place();
        for damage in ["vosim-memory 1 beef\n{}\n", "something else"] {
            std::fs::write(&path, damage).unwrap();
            let mut memory = open(&path);
            let [Degraded::SetAside { why, kept }] = &memory.take_degraded()[..] else {
                panic!("{memory:?}")
            };
            assert!(!why.is_empty() && std::fs::read_to_string(kept).unwrap() == damage);
            assert_eq!(memory.keep(task(1), pattern("Sort names"), at(1)), 1);
            memory.save();
            assert_eq!(memory.take_degraded(), []);
            assert_eq!(open(&path).take_degraded(), []);
        }
        // A line that only a later version understands, with the right checksum.
        file::write(&path, &["{\"dream\":{}}".to_owned()]).unwrap();
        let degraded = open(&path).take_degraded();
        assert!(degraded[0].to_string().contains("its line 2: expected one of "));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_write_that_fails_is_said_and_made_up_for_later() {
        let (dir, _) = place();
        let folder = dir.path().join("folder");
        let mut memory = open(&folder.join("memory"));
        std::fs::write(&folder, "in the way").unwrap();
        memory.keep(task(1), pattern("Sort names"), at(1));
        memory.save();
        let degraded = memory.take_degraded();
        assert!(matches!(degraded[..], [Degraded::Unwritten { .. }]), "{degraded:?}");
        std::fs::remove_file(&folder).unwrap();
        memory.save();
        assert_eq!(memory.take_degraded(), []);
        assert_eq!(open(&folder.join("memory")).patterns.len(), 1);
    }

    #[test]
    fn memory_is_bounded_and_lessons_stay_longest() {
        let (_dir, path) = place();
        let mut memory = open(&path);
        learns(&mut memory, 1, missing_key("email"), 1);
        for step in 1..=40 {
            let name: String =
                step.to_string().bytes().map(|digit| char::from(digit + 49)).collect();
            let new = memory.run_failed(&run(1, 10 + step, "x", 2), vec![failure("E", &name, "x")]);
            assert_eq!(new, 1);
            memory.keep(task(100), pattern(&name), at(2));
        }
        let bytes = |lines: &[String]| lines.iter().map(|line| line.len() + 1).sum::<usize>();
        let all = bytes(&memory.lines().unwrap());
        let lines = memory.lines_within(all / 2).unwrap();
        assert!((all / 4..=all / 2).contains(&bytes(&lines)), "{} of {all}", bytes(&lines));
        assert_eq!(memory.lessons(&missing_key("email"), at(3)).found.len(), 1);
        memory.drop_beyond(1, 0);
        assert!(memory.failures[0].is_lesson());
    }
}
