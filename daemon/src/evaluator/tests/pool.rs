//! Drivers that waited judge like those that were started, and each of them once.

use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_protocol::v1::evaluation::Started;
use vosim_sandbox_spec::RunReport;

use super::*;
use crate::evaluator::pool::Pool;
use crate::evaluator::{Calls, End};

const MOST: usize = 2;

pub(super) fn warm() -> Evaluator {
    evaluator().keep_warm(MOST)
}

/// Long enough for a busy machine; reaching it is a failure.
fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !so() {
        assert!(Instant::now() < deadline, "still not: {what}");
        std::thread::yield_now();
    }
}

fn wait_until_full(evaluator: &Evaluator, language: Language) {
    let pool = evaluator.pool.as_ref().unwrap();
    wait_until("the pool is full", || pool.helpers(language).len() == MOST);
}

/// An evaluator with which something was judged, and which waits.
pub(super) fn filled(language: Language) -> Evaluator {
    let evaluator = warm();
    evaluator.judged_in(language, RIGHT_IN[language as usize]);
    wait_until_full(&evaluator, language);
    evaluator
}

const RIGHT_IN: [&str; 2] = [
    RIGHT,
    "class LRUCache {
       constructor(capacity) { this.capacity = capacity; this.entries = new Map(); }
       get(key) {
         if (!this.entries.has(key)) return -1;
         const value = this.entries.get(key);
         this.put(key, value);
         return value;
       }
       put(key, value) {
         this.entries.delete(key);
         this.entries.set(key, value);
         if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value);
       }
     }",
];

fn is_there(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn helpers(evaluator: &Evaluator) -> Vec<u32> {
    evaluator.pool.as_ref().unwrap().helpers(Language::Python)
}

#[test]
fn the_first_run_is_cold_and_the_next_warm_with_the_same_verdict() {
    for language in [Language::Python, Language::Javascript] {
        let evaluator = warm();
        assert!(evaluator.pool.as_ref().unwrap().helpers(language).is_empty());
        let cold = evaluator.judged_in(language, RIGHT_IN[language as usize]);
        assert_eq!(cold.started, Some(Started::Cold));
        wait_until_full(&evaluator, language);
        let warm = evaluator.judged_in(language, RIGHT_IN[language as usize]);
        assert_eq!(warm.started, Some(Started::Warm));
        assert_eq!((ends(&warm), &warm.load), (ends(&cold), &cold.load));
        assert_eq!(ends(&warm), ["passed"; 4]);
    }
}

#[test]
fn off_means_that_nothing_ever_waits() {
    let evaluator = evaluator().keep_warm(0);
    for _ in 0..2 {
        assert_eq!(evaluator.judged(RIGHT).started, Some(Started::Cold));
    }
}

/// The reports of a run that does one case.
fn reports(evaluator: &Evaluator) -> Vec<RunReport> {
    let (problem, suite) = (problem(), suite());
    let submission = Submission {
        problem: &problem,
        suite: &suite,
        code: RIGHT.as_bytes(),
        file_path: "a.py",
        language: Language::Python,
    };
    let calls = [Calls { name: "miss", ops: &suite.cases[0].ops }];
    let outcome = evaluator.run(&submission, &calls, &Cancel::new().unwrap()).unwrap();
    assert!(matches!(outcome.cases[0].end, End::Returned(_)));
    outcome.reports
}

#[test]
fn one_that_waited_is_isolated_and_limited_like_one_that_was_started() {
    let cold = reports(&warm()).remove(0);
    let warm = reports(&filled(Language::Python)).remove(0);
    // The notes name the account, which is each run's own.
    let held = |report: &RunReport| {
        let rows = report.enforced.iter().map(|one| (one.control, one.wanted.clone(), one.held));
        rows.collect::<Vec<_>>()
    };
    assert_eq!((held(&warm), warm.level), (held(&cold), cold.level));
}

#[test]
fn a_candidate_sees_the_same_whether_it_waited_or_not() {
    let look = "import sys, os
print(sorted(sys.modules), sys.argv, sys.path, sorted(os.environ), sorted(os.listdir('.')), os.getpid())
print(dir(sys.modules['__main__']), sys.flags, sys.getrecursionlimit(), dir())
";
    let code = format!("{look}{RIGHT}");
    let evaluator = warm();
    let cold = evaluator.judged(&code);
    wait_until_full(&evaluator, Language::Python);
    let warm = evaluator.judged(&code);
    assert_eq!(warm.started, Some(Started::Warm));
    assert!(!cold.notes.is_empty());
    assert_eq!(warm.notes, cold.notes);
}

/// How a file is loaded and what it prints then, with a fresh driver and with one that has read
/// ahead.
fn loaded(code: &str, file_path: &str) -> [String; 2] {
    let evaluator = warm();
    let (problem, suite) = (problem(), suite());
    let code = format!("{code}\n{RIGHT}");
    let judged = |started| {
        let submission = Submission {
            problem: &problem,
            suite: &suite,
            code: code.as_bytes(),
            file_path,
            language: Language::Python,
        };
        let cancel = Cancel::new().unwrap();
        let evaluation = evaluator.evaluate(&submission, &cancel, &mut |_, _| ()).unwrap();
        assert_eq!(evaluation.started, Some(started), "{evaluation:?}");
        format!("{:?} {:?}", evaluation.load, evaluation.notes)
    };
    let cold = judged(Started::Cold);
    wait_until_full(&evaluator, Language::Python);
    for helper in helpers(&evaluator) {
        // It waits for nothing before the code, so once it sleeps it has read all.
        wait_until("the driver sleeps", || sleeps_below(helper));
    }
    [cold, judged(Started::Warm)]
}

/// Whether the interpreter sleeps that a helper's first process has started.
fn sleeps_below(helper: u32) -> bool {
    // Process, parent, state and name.
    let read = |stat: String| {
        let (pid, rest) = stat.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        let (state, rest) = rest.split_once(' ')?;
        let parent = rest.split(' ').next()?;
        Some((pid.parse().ok()?, parent.parse().ok()?, format!("{state} {name}")))
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let stats = entries.filter_map(|one| std::fs::read_to_string(one.path().join("stat")).ok());
    let all: Vec<(u32, u32, String)> = stats.filter_map(read).collect();
    let inits = all.iter().filter(|one| one.1 == helper);
    inits
        .into_iter()
        .any(|init| all.iter().any(|one| one.1 == init.0 && one.2.starts_with("S python")))
}

const TEN: &str = "import bisect, collections, dataclasses, enum, functools, heapq, itertools, \
                   random, string, typing";

/// Objects lie elsewhere in its memory, and how much it has read ahead is chance.
#[test]
fn one_that_has_waited_is_given_no_program_that_could_see_where_objects_lie() {
    let reveals = [
        "sorted(self.entries, key=id)",
        "sorted({self, 1}, key=str)",
        "f'{self}'",
        "'%s' % self",
        "lambda: {one for one in (self,)}",
        "self.__hash__()",
        "getattr(__builtins__, 'i' + 'd')(self)",
    ];
    let evaluator = filled(Language::Python);
    for reveals in reveals {
        wait_until_full(&evaluator, Language::Python);
        let from = "        if key not in";
        let evaluation = evaluator.judged(&changed(from, &format!("        {reveals}\n{from}")));
        let expected = (vec!["passed".to_owned(); 4], Some(Started::Cold));
        assert_eq!((ends(&evaluation), evaluation.started), expected, "{reveals}");
    }
}

#[test]
fn what_was_read_ahead_is_there_and_out_of_sight() {
    let hidden = "import gc\nprint(gc.get_freeze_count())";
    let [cold, warm] = loaded(hidden, "a.py");
    assert_ne!(warm, cold, "it was not read ahead");
    let look = "import sys
print(len(sys.modules), sum(map(len, sys.modules)), sys.meta_path, __import__)";
    for code in ["", "import os", TEN, "def later():\n    import heapq", "import collections.abc"] {
        let [cold, warm] = loaded(&format!("{code}\n{look}"), "a.py");
        assert_eq!(warm, cold, "{code}");
    }
}

#[test]
fn a_part_of_a_package_is_its_attribute_only_once_it_is_imported() {
    for more in ["", ", inspect"] {
        let code = format!("import importlib{more}\nprint(hasattr(importlib, 'machinery'))");
        let [cold, warm] = loaded(&code, "a.py");
        assert_eq!(warm, cold, "{more}");
    }
}

#[test]
fn a_file_named_like_a_module_of_the_library_hides_it_from_nobody() {
    for file in ["heapq.py", "random.py", "sys.py", "__main__.py", "typing.pyi"] {
        let code = "import heapq, random\nprint(heapq.heappush, random.choice.__name__, __name__)";
        let [cold, warm] = loaded(code, file);
        assert!(cold.contains("built-in function heappush") && cold.contains("solution"), "{cold}");
        assert_eq!(warm, cold, "{file}");
    }
}

#[test]
fn a_driver_comes_compiled_or_as_text_where_the_interpreter_is_another_one() {
    let evaluator = evaluator();
    let packed = evaluator.python().unwrap().packed.unwrap();
    let text = "class Frames:";
    assert!(packed.starts_with("import marshal") && packed.contains(text));
    assert_eq!(ends(&evaluator.judged(RIGHT)), ["passed"; 4]);
    // One of the two forms each, damaged.
    let wrong = [
        packed.replace("fromhex(\"", "fromhex(\"00"),
        packed.replace(text, "class Frames"),
        packed.replace("own.MAGIC_NUMBER ==", "b'other' =="),
        packed.replace("own.MAGIC_NUMBER ==", "b'other' ==").replace(text, "class Frames"),
    ];
    let passes = wrong.map(|packed| {
        let evaluator = super::evaluator();
        evaluator.python().unwrap();
        let mut searched = evaluator.runtimes.lock().unwrap();
        searched.known.get_mut(&Language::Python).unwrap().runtime.packed = Some(packed);
        drop(searched);
        evaluator.judged(RIGHT).cases.iter().all(|case| case.outcome == CaseOutcome::Passed)
    });
    assert_eq!(passes, [false, true, true, false]);
}

#[test]
fn each_is_used_once() {
    let evaluator = filled(Language::Python);
    let first = helpers(&evaluator);
    evaluator.judged(&format!("import builtins\nbuiltins.print = None\n{RIGHT}"));
    wait_until_full(&evaluator, Language::Python);
    let second = helpers(&evaluator);
    let used = first[0];
    assert!(!second.contains(&used) && second.contains(&first[1]), "{first:?} {second:?}");
    wait_until("the one used has gone", || !is_there(used));
    assert_eq!(ends(&evaluator.judged(RIGHT)), ["passed"; 4]);
}

#[test]
fn limits_count_from_the_moment_when_the_code_is_there() {
    let evaluator = filled(Language::Python);
    let spin = changed("        if key not in", "        while True: pass\n        if key not in");
    let evaluation = evaluator.judged(&spin);
    assert_eq!(evaluation.started, Some(Started::Warm));
    assert_eq!(ends(&evaluation), ["limit time", "not run", "not run", "not run"]);
    assert!((990..2_000).contains(&evaluation.cpu_ms), "{} ms", evaluation.cpu_ms);
}

#[test]
fn one_that_has_died_is_passed_over_and_the_run_is_a_cold_one() {
    let evaluator = filled(Language::Python);
    for pid in helpers(&evaluator) {
        kill(Pid::from_raw(i32::try_from(pid).unwrap()), Signal::SIGKILL).unwrap();
    }
    let waits = |evaluator: &Evaluator| evaluator.pool.as_ref().unwrap().fit(Language::Python);
    wait_until("both are seen to have died", || waits(&evaluator) == 0);
    let evaluation = evaluator.judged(RIGHT);
    assert_eq!(
        (ends(&evaluation), evaluation.started),
        (vec!["passed".to_owned(); 4], Some(Started::Cold))
    );
    wait_until("there are fresh ones", || waits(&evaluator) == MOST);
}

#[test]
fn one_that_dies_while_the_word_is_on_its_way_is_replaced_by_a_cold_one() {
    let evaluator = filled(Language::Python);
    for pid in helpers(&evaluator) {
        // Stopped, it still looks as if it waited; it dies with the word unheard.
        kill(Pid::from_raw(i32::try_from(pid).unwrap()), Signal::SIGSTOP).unwrap();
    }
    let stopped = helpers(&evaluator);
    // The driver itself was not stopped: it must not have answered everything before its helper dies.
    let code = format!("import time; time.sleep(0.5)\n{RIGHT}");
    let evaluation = std::thread::scope(|scope| {
        let judged = scope.spawn(|| evaluator.judged(&code));
        wait_until("they were taken", || helpers(&evaluator) != stopped);
        for pid in &stopped {
            kill(Pid::from_raw(i32::try_from(*pid).unwrap()), Signal::SIGKILL).unwrap();
        }
        judged.join().unwrap()
    });
    assert_eq!(ends(&evaluation), ["passed"; 4]);
    assert_ne!(evaluation.started, Some(Started::Warm));
}

#[test]
fn another_order_is_not_served_by_what_waits() {
    let mut evaluator = filled(Language::Python);
    let before = helpers(&evaluator);
    evaluator.limits.memory += 1 << 20;
    assert_eq!(evaluator.judged(RIGHT).started, Some(Started::Cold));
    wait_until("those of the old order have gone", || !before.iter().any(|&pid| is_there(pid)));
    wait_until_full(&evaluator, Language::Python);
    assert_eq!(evaluator.judged(RIGHT).started, Some(Started::Warm));
}

#[test]
fn one_that_has_waited_long_gives_its_place_to_another() {
    let evaluator = evaluator();
    let pool = Pool::with_age(MOST, Duration::from_millis(300));
    let runtime = evaluator.python().unwrap();
    let order = evaluator.order(&runtime);
    pool.fill(Language::Python, &order);
    wait_until("it is full", || pool.helpers(Language::Python).len() == MOST);
    let first = pool.helpers(Language::Python);
    wait_until("the first have gone", || !first.iter().any(|&pid| is_there(pid)));
    wait_until("it is full again", || pool.helpers(Language::Python).len() == MOST);
    assert!(pool.take(Language::Python, &order).is_some());
}

#[test]
fn the_end_of_the_evaluator_is_theirs() {
    let evaluator = filled(Language::Python);
    let waiting = helpers(&evaluator);
    assert_eq!(waiting.len(), MOST);
    evaluator.close();
    assert!(!waiting.iter().any(|&pid| is_there(pid)));
    let evaluation = evaluator.judged(RIGHT);
    assert_eq!(
        (ends(&evaluation), evaluation.started),
        (vec!["passed".to_owned(); 4], Some(Started::Cold))
    );
    assert!(helpers(&evaluator).is_empty());
}

#[test]
fn a_submission_takes_one_and_leaves_the_second_for_the_next() {
    let evaluator = filled(Language::Python);
    let before = helpers(&evaluator);
    assert_eq!(ends(&evaluator.judged(RIGHT)), ["passed"; 4]);
    wait_until_full(&evaluator, Language::Python);
    let kept = helpers(&evaluator).iter().filter(|pid| before.contains(pid)).count();
    assert_eq!(kept, 1);
}
