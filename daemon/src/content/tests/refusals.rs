//! Each mistake in a package is one line with file and key.

use std::error::Error as _;
use std::path::Path;

use super::{Files, files};
use crate::content::{Package, read};

const INTERFACE: &str = ".vosim/interface.toml";
const CASES: &str = ".vosim/cases.json";
const HINTS: &str = ".vosim/hints.toml";
const VERDICTS: &str = ".vosim/verdicts.toml";
const RULES: &str = ".vosim/rules.toml";

/// Replaces the first `from` of a file by `to` and expects this refusal.
#[track_caller]
fn check(file: &str, from: &str, to: &str, error: &str) {
    let mut files = files();
    let text = files.text(file).unwrap().to_owned();
    assert!(text.contains(from), "{file} has no {from:?}");
    files.put(file, text.replacen(from, to, 1));
    let found = refusal(&files);
    assert!(found.starts_with(&format!("{file}: {error}")), "{found}");
    assert!(!found.contains('\n'), "{found:?}");
}

fn refusal(files: &Files) -> String {
    read::package(files).expect_err("must be refused").to_string()
}

#[test]
fn a_missing_file_is_named() {
    for file in
        ["problem.yaml", "statement/problem.en.md", INTERFACE, CASES, HINTS, RULES, VERDICTS]
    {
        let mut files = files();
        files.remove(file);
        assert_eq!(refusal(&files), format!("{file}: is missing"));
    }
}

#[test]
fn what_only_later_kinds_need_may_be_absent() {
    let mut files = files();
    for name in ["clarifications", "patterns", "invariants", "followups", "discussion"] {
        files.remove(&format!(".vosim/{name}.toml"));
    }
    files.remove(".vosim/invariants.py");
    let package = read::package(&files).unwrap();
    assert_eq!(package.coaching, crate::content::Coaching::default());
}

#[test]
fn a_variation_is_one_question_with_a_title_of_a_few_words() {
    let discussion = ".vosim/discussion.toml";
    let of = "variation 'Each key for a while': ";
    let question = "and what may a key that nobody asks for cost?";
    let error = format!("{of}must end in its one question");
    check(discussion, question, "and that is all.", &error);
    check(discussion, question, "and what? And what does it cost?", &error);
    let long = format!("{}?", "long ".repeat(200));
    check(discussion, question, &long, &format!("{of}must have at most 800 bytes"));
    check(discussion, "Each key for a while", "", "variation '': must have a title of one line");
}

#[test]
fn an_interface_that_cannot_be_called_is_refused() {
    check(INTERFACE, "lru_cache", "LRU Cache", "id: a problem id is");
    check(INTERFACE, "\"LRUCache\"", "\"LRU Cache\"", "interface.name: must be a name");
    check(INTERFACE, "name = \"put\"", "name = \"get\"", "interface.methods[1].name: occurs twice");
    check(INTERFACE, "\"value\"", "\"key\"", "interface.methods[1].params[1].name: occurs twice");
    check(INTERFACE, "form = \"class\"", "form = \"klass\"", "line 7: unknown variant `klass`");
    check(INTERFACE, "id =", "idd =", "line 3: unknown field `idd`");
    check(INTERFACE, "rung = 2", "rung = 5", "rung: must be 1 to 4");
    check(INTERFACE, "2_000", "500", "growth.sizes: must be 2 to 5 ascending");
    check(
        INTERFACE,
        "write = \"put\"",
        "write = \"get\"",
        "growth.write: there is no method 'get'",
    );
}

#[test]
fn cases_that_cannot_be_run_are_refused() {
    check(CASES, "test_basic_put_get", "test_basic_get_miss", "test_basic_get_miss.name: must be");
    check(CASES, "\"Basic\"", "\"\"", "test_basic_get_miss.category: must be one line");
    check(
        CASES,
        "[\"get\",[1],-1]",
        "[\"pop\",[1],-1]",
        "test_basic_get_miss.ops[1]: the interface",
    );
    check(
        CASES,
        "[\"get\",[1],-1]",
        "[\"get\",[1,2],-1]",
        "test_basic_get_miss.ops[1]: 'get' takes",
    );
    check(CASES, "[\"LRUCache\",[2]],", "", "test_basic_get_miss.ops[0]: the first call must");
    check(CASES, "[\"get\",[1],-1]", "[\"get\",[1]]", "test_basic_get_miss.ops: expects no answer");
    check(CASES, "\"visible\": true", "\"visible\": false", "test_basic_get_miss.twin: a hidden");
    check(
        CASES,
        "\"visible\": false",
        "\"visible\": true",
        "test_eviction_order_complex.twin: a vis",
    );
    check(CASES, "[\"get\",[1],-1]", "[\"get\",1,-1]", "line 9: expected a list, given 1");
    check(CASES, "\"cases\": [", "\"cases\": [],\"x\": [", "line 2: unknown field `x`");
}

#[test]
fn issues_that_never_fit_or_cannot_be_filled_are_refused() {
    check(
        HINTS,
        "id = \"class_missing\"",
        "id = \"syntax_error\"",
        "issue 'syntax_error'.id: must",
    );
    check(
        HINTS,
        "name = \"miss\"",
        "name = \"store\"",
        "run 'store'.name: must be a name that no other run has",
    );
    check(HINTS, "[\"get\",[901],-1]", "[\"get\",[901]]", "run 'miss'.ops: must be at most 40");
    check(
        HINTS,
        "{ miss = \"!\"",
        "{ mis = \"!\"",
        "issue 'miss_raises'.when: there is no run 'mis'",
    );
    check(
        HINTS,
        "id = \"general\"",
        "id = \"general\"\nwhen = { passing = [\"test_all_same_key\"] }",
        "issue 'general'.when: the last issue must match always",
    );
    check(
        HINTS,
        "all_right = true",
        "",
        "issue 'long_sequences'.when: matches always, so it must be the last",
    );
    check(
        HINTS,
        "id = \"general\"",
        "id = \"general\"\nwhen = { failing = [\"test_two\"] }",
        "issue 'general'.when: there is no case 'test_two'",
    );
    check(
        HINTS,
        "{facts} Your",
        "{fact} Your",
        "issue 'syntax_error'.feedback: '{fact}' is not a placeholder",
    );
    check(
        HINTS,
        "All tests pass",
        "All {total} tests pass",
        "praise: '{total}' is not a placeholder",
    );
    check(
        HINTS,
        "accepted/linked_list.py",
        "wrong_answer/wrong_eviction.py",
        "solution.python.program: must name a python program",
    );
    check(HINTS, "[solution.javascript]", "[solution.cobol]", "line");
}

#[test]
fn a_program_without_a_promise_and_a_promise_without_a_program_are_refused() {
    check(
        VERDICTS,
        "accepted/linked_list.py",
        "accepted/other.py",
        "submissions/accepted/linked_list.py: this program promises no verdict",
    );
    check(
        VERDICTS,
        "[\"submissions/accepted/noisy.py\"]",
        "[\"submissions/accepted/no_such.py\"]\nclass = \"PASS\"\n\n[\"submissions/accepted/noisy.py\"]",
        "submissions/accepted/no_such.py: no such program",
    );
    check(
        VERDICTS,
        "class = \"PASS\"",
        "class = \"EXCEPTION\"",
        "submissions/accepted/linked_list.py: an accepted program promises PASS",
    );
    check(
        VERDICTS,
        "class = \"WRONG_ANSWER\"",
        "class = \"PASS\"",
        "attachments/templates/python/lru_cache.py: only an accepted program may promise PASS",
    );
    check(
        VERDICTS,
        "passed = 12",
        "passed = 13",
        "submissions/accepted/linked_list.py: passed is more than the 12 cases",
    );
    check(
        VERDICTS,
        "\"eviction_logic\"",
        "\"no_such\"",
        "submissions/wrong_answer/drops_newest.py: there is no issue 'no_such'",
    );
}

#[test]
fn a_rule_that_nothing_tests_is_refused() {
    check(
        RULES,
        "id = \"store_uses\"",
        "id = \"read_uses\"",
        "rule 'read_uses'.id: must be a name",
    );
    check(
        RULES,
        "and when `put` stores it",
        "and whenever",
        "rule 'store_uses'.text: does not stand",
    );
    check(RULES, "\"test_", "\"best_", "rule 'read_uses'.cases: must be names of cases");
    check(
        RULES,
        "submissions/wrong_answer/get_keeps_order.js",
        "submissions/wrong_answer/get_keeps_order.py",
        "rule 'read_uses'.programs: none is in javascript",
    );
    check(
        RULES,
        "submissions/wrong_answer/get_keeps_order.py",
        "submissions/accepted/plain_dict.py",
        "rule 'read_uses'.programs: 'submissions/accepted/plain_dict.py' is no wrong program",
    );
    let mut files = files();
    let statement = files.text("statement/problem.en.md").unwrap().to_owned();
    let more = statement.replace("4. Two caches", "4. No cache sleeps.\n5. Two caches");
    files.put("statement/problem.en.md", more);
    let told = ".vosim/rules.toml: rule: no rule is named of the statement's 'No cache sleeps.'";
    assert_eq!(refusal(&files), told);
}

#[test]
fn gaps_without_a_right_choice_and_cards_without_words_are_refused() {
    check(".vosim/invariants.toml", "right = 0", "right = 3", "same_keys.relation: needs two");
    check(".vosim/invariants.toml", "{relation}", "{other}", "same_keys.relation: the text has no");
    check(
        ".vosim/patterns.toml",
        "confidence = 0.95",
        "confidence = 95.0",
        "map_and_linked_list.confidence: must be between 0 and 1",
    );
    let patterns = ".vosim/patterns.toml";
    check(patterns, "id = \"heap\"", "id = \"pile\"", "pile.id: the catalogue has no such pattern");
    check(
        patterns,
        "name = \"Heap\"",
        "name = \"Pile\"",
        "heap.name: the catalogue calls it 'Heap'",
    );
    let asked = "discovery 'Can the time of last use of a key change after the key was stored?'";
    let unknown = format!("{asked}: suggests no pattern of the package");
    check(patterns, "suggests = \"heap\"", "suggests = \"pile\"", &unknown);
    check(
        ".vosim/clarifications.toml",
        "question = \"May the capacity be zero or negative?\"",
        "question = \" \"",
        "zero_capacity.question: must be 1 to 300 bytes",
    );
    check(
        ".vosim/followups.toml",
        "likely_bug",
        "\"likely bug\"",
        "fill.likely bug: must be a text",
    );
    check(
        ".vosim/followups.toml",
        "\"dropping the",
        "\"drop\\n\\n the",
        "fill.critical_step: must be one line of at most 200 bytes",
    );
    let cards = ".vosim/clarifications.toml";
    check(
        cards,
        "dimension = \"constraints\"",
        "dimension = \"luck\"",
        "zero_capacity.dimension: the standard interview has no such dimension",
    );
    check(
        cards,
        "\"No. It is at least 1 and never changes after the cache was made.\"",
        "\" \"",
        "zero_capacity.answer: must be 1 byte to 2 KiB",
    );
}

#[test]
fn a_folder_reads_like_the_binary() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("content/problems/lrucache");
    let from_dir = Package::from_dir(&dir).unwrap();
    let embedded = super::package();
    assert_eq!(from_dir.problem, embedded.problem);
    assert_eq!(from_dir.suite_blob, embedded.suite_blob);
    assert_eq!(from_dir.programs, embedded.programs);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("no such");
    let error = Package::from_dir(&missing).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read {}", missing.display()));
    assert!(error.source().is_some());
}

#[test]
fn dot_files_are_passed_over_and_whatever_else_is_no_regular_file_of_the_package_is_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    let refused = |make: &dyn Fn(&Path)| {
        let dir = tempfile::tempdir().unwrap();
        let submissions = dir.path().join("submissions");
        std::fs::create_dir(&submissions).unwrap();
        std::fs::write(submissions.join(".swp"), "x").unwrap();
        assert_eq!(Files::from_dir(dir.path()).unwrap().paths().count(), 0);
        make(dir.path());
        Files::from_dir(dir.path()).unwrap_err().to_string()
    };
    let pipe = |at: &Path| nix::unistd::mkfifo(at, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let special = |name: &str| format!("{name}: file: is a link or a special file");

    let out = refused(&|dir| symlink("/etc/hostname", dir.join("submissions/a.py")).unwrap());
    assert_eq!(out, special("submissions/a.py"));
    let around = refused(&|dir| symlink("..", dir.join("submissions/again")).unwrap());
    assert_eq!(around, special("submissions/again"));
    let waits = refused(&|dir| pipe(&dir.join("submissions/a.py")));
    assert_eq!(waits, special("submissions/a.py"));
    let whole = refused(&|dir| pipe(&dir.join("problem.yaml")));
    assert_eq!(whole, special("problem.yaml"));
    let beside = refused(&|dir| symlink("/etc", dir.join(".vosim")).unwrap());
    assert_eq!(beside, special(".vosim"));
    // On the way to a part as well.
    let on_the_way = refused(&|dir| symlink("/etc", dir.join("attachments")).unwrap());
    assert_eq!(on_the_way, special("attachments"));

    let large = refused(&|dir| {
        let file = std::fs::File::create(dir.join("submissions/b.py")).unwrap();
        // A file of holes takes no room on the disk.
        file.set_len(1 << 40).unwrap();
    });
    assert_eq!(large, "submissions/b.py: size: at most 8 MiB a file, 64 MiB in all");
    let many = refused(&|dir| {
        for number in 0..=1_000 {
            std::fs::write(dir.join(format!("submissions/.{number}")), "").unwrap();
        }
    });
    assert_eq!(many, "submissions: count: at most 1,000 files and folders in a package");
    let deep =
        refused(&|dir| std::fs::create_dir_all(dir.join("submissions/a/b/c/d/e/f")).unwrap());
    assert_eq!(deep, "submissions/a/b/c/d/e/f: folder: is nested too deeply");
    let odd = refused(&|dir| {
        let name = std::ffi::OsStr::from_bytes(b"a\xff.py");
        std::fs::write(dir.join("submissions").join(name), "").unwrap();
    });
    assert_eq!(odd, "submissions: name: has a name that is not UTF-8");
}
