//! The LRU Cache package is what 000 and DECISIONS 19 and 20 ask for.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use vosim_protocol::next::Next;
use vosim_protocol::v1::problem::{Language, Op};
use vosim_protocol::{ErrorCode, ErrorObject};

use super::package;
use crate::content::{Package, ProgramRole, UnknownProblem, catalog, check_ops, find};

/// 000: test suite, with the categories; true: the data may be shown (DECISIONS 19).
const TESTS: [(&str, &str, bool); 12] = [
    ("test_basic_get_miss", "Basic", true),
    ("test_basic_put_get", "Basic", true),
    ("test_update_existing", "Update", true),
    ("test_eviction_order_simple", "Eviction", true),
    ("test_eviction_order_complex", "Eviction", false),
    ("test_get_updates_recency", "Recency", true),
    ("test_capacity_one", "Edge Case", true),
    ("test_capacity_large", "Edge Case", false),
    ("test_repeated_operations", "Stress", false),
    ("test_all_same_key", "Edge Case", false),
    ("test_alternating_access", "Pattern", false),
    ("test_deterministic_random", "Randomized", false),
];

#[test]
fn the_catalog_has_the_problem_under_the_name_of_000() {
    let id = "lru_cache".parse().unwrap();
    let package = catalog().get(&id).unwrap();
    assert_eq!(package.problem.title, "LRU Cache");
    assert!(catalog().list().any(|listed| listed.problem.id == id));
    assert!(catalog().get(&"no_such".parse().unwrap()).is_none());
    assert_eq!(find("lru_cache").unwrap().uuid, package.uuid);
    for name in ["no_such", "../lru_cache", ""] {
        let refusal = ErrorObject::from(find(name).unwrap_err());
        assert_eq!(refusal.code, ErrorCode::UnknownProblem);
        let all = catalog().list().map(|package| package.problem.id.as_str());
        let all = all.collect::<Vec<_>>().join(", ");
        assert!(all.contains("lru_cache"));
        assert_eq!(refusal.next, [Next::edit(format!("name one of the problems: {all}"))]);
        // People's own stand behind those.
        let own = vec!["mine".parse().unwrap()];
        let refusal = ErrorObject::from(UnknownProblem { name: name.to_owned(), own });
        assert_eq!(refusal.message, format!("there is no problem '{name}'"));
        assert_eq!(refusal.next, [Next::edit(format!("name one of the problems: {all}, mine"))]);
    }
}

#[test]
fn the_twelve_tests_stand_in_their_order_with_their_categories() {
    let problem = package().problem;
    let found: Vec<_> = problem
        .cases
        .iter()
        .map(|case| (case.name.as_str(), case.category.as_str(), case.visible))
        .collect();
    assert_eq!(found, TESTS);
}

#[test]
fn every_answer_is_that_of_a_model() {
    let suite = package().suite();
    assert_eq!(suite.cases.len(), TESTS.len());
    for case in &suite.cases {
        replay(&case.name, &case.ops);
        replay(&case.name, &case.twin);
    }
}

/// Plays the calls on lists of pairs, oldest use first, which share nothing with the generator.
pub(super) fn replay(case: &str, ops: &[Op]) {
    let mut caches: Vec<(usize, Vec<(i64, i64)>)> = Vec::new();
    let mut current = 0;
    for (at, op) in ops.iter().enumerate() {
        let args: Vec<_> = op.args.iter().map(|arg| arg.as_i64().unwrap()).collect();
        if let Some(number) = op.call.strip_prefix("LRUCache@") {
            current = number.parse::<usize>().unwrap() - 1;
            continue;
        }
        if op.call == "LRUCache" {
            current = caches.len();
            caches.push((usize::try_from(args[0]).unwrap(), Vec::new()));
            assert_eq!(op.expect, None);
            continue;
        }
        let (capacity, pairs) = &mut caches[current];
        let place = pairs.iter().position(|pair| pair.0 == args[0]);
        match (op.call.as_str(), args.as_slice()) {
            ("put", [key, value]) => {
                place.map(|place| pairs.remove(place));
                if pairs.len() == *capacity {
                    pairs.remove(0);
                }
                pairs.push((*key, *value));
                assert_eq!(op.expect, None, "the answer of put is not looked at");
            }
            ("get", [_]) => {
                let found = place.map(|place| pairs.remove(place));
                pairs.extend(found);
                let answer = found.map_or(-1, |pair| pair.1);
                let expect = op.expect.as_ref().expect("every get is checked");
                assert_eq!(*expect, answer, "{case}, call {at}");
            }
            other => panic!("{case}, call {at}: {other:?}"),
        }
    }
}

#[test]
fn an_update_replaces_evicts_nothing_and_makes_the_key_recent() {
    // DECISIONS 20
    let suite = package().suite();
    let ops = serde_json::to_string(&suite.cases[2].ops).unwrap();
    let replaced = r#"["put",[1,1]],["put",[2,2]],["put",[1,10]],["get",[1],10],["get",[2],2]"#;
    let recent = r#"["put",[1,11]],["put",[3,3]],["get",[2],-1],["get",[1],11],["get",[3],3]"#;
    assert!(ops.contains(replaced), "{ops}");
    assert!(ops.contains(recent), "{ops}");
}

#[test]
fn the_complex_case_plays_the_well_known_example_then_three_keys_then_two_caches_at_once() {
    let suite = package().suite();
    let case = suite.cases.iter().find(|case| case.name == "test_eviction_order_complex").unwrap();
    let example = r#"[["LRUCache",[2]],["put",[1,1]],["put",[2,2]],["get",[1],1],["put",[3,3]],
        ["get",[2],-1],["put",[4,4]],["get",[1],-1],["get",[3],3],["get",[4],4]]"#;
    let example: Vec<Op> = serde_json::from_str(example).unwrap();
    let (first, second) = case.ops.split_at(example.len());
    assert_eq!(first, example);
    assert_eq!((second[0].call.as_str(), second[0].args[0].as_u64()), ("LRUCache", Some(3)));
    let known = |call: &str| second.iter().filter(|op| op.call.starts_with(call)).count();
    let (made, back) = (known("LRUCache") - known("LRUCache@"), known("LRUCache@"));
    assert_eq!((made, back, known("put"), known("get")), (8, 5, 32, 48));
}

#[test]
fn the_large_cases_have_the_size_that_000_names() {
    let suite = package().suite();
    let calls = |name: &str| {
        let case = suite.cases.iter().find(|case| case.name == name).unwrap();
        let calls = case.ops.iter().filter(|op| !op.call.starts_with("LRUCache"));
        (case.ops[0].args[0].as_u64().unwrap(), calls.count())
    };
    assert_eq!(calls("test_repeated_operations"), (100, 10_000));
    assert_eq!(calls("test_deterministic_random"), (5, 100));
    assert_eq!(calls("test_capacity_large"), (1_000, 1_000 + 1_000 + 1 + 3));
    assert_eq!(calls("test_all_same_key"), (2, 1_000 + 4));
}

#[test]
fn a_users_own_calls_are_checked_against_the_interface() {
    let interface = package().problem.interface;
    let check = |text: &str| check_ops(&interface, &serde_json::from_str::<Vec<Op>>(text).unwrap());
    assert_eq!(check(r#"[["LRUCache",[1]],["put",[1,1]],["get",[1],1]]"#), Ok(()));
    assert_eq!(check(r#"[["LRUCache",[1]],["get",[1]]]"#), Ok(()), "no answer is needed");
    let twice = r#"[["LRUCache",[1]],["get",[1]],["LRUCache",[2]],["get",[1]]]"#;
    assert_eq!(check(twice), Ok(()), "a second instance is as good as a first");
    for (ops, error) in [
        ("[]", "has no calls"),
        (r#"[["get",[1]]]"#, "call 1: the first call must construct the class"),
        (r#"[["LRUCache",[1]],["LRUCache",[]]]"#, "call 2: 'LRUCache' takes 1 argument, not 0"),
        (r#"[["LRUCache",[1]],["pop",[]]]"#, "call 2: the interface has no 'pop'"),
        (r#"[["LRUCache",[1]],["put",[1]]]"#, "call 2: 'put' takes 2 arguments, not 1"),
    ] {
        let found = check(ops).unwrap_err();
        assert!(found.starts_with(error), "{ops}: {found}");
    }
}

#[test]
fn the_cases_are_what_their_generator_writes() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/problems/lrucache");
    let output = Command::new("python3")
        .args(["-I", "-B", "generators/cases.py"])
        .current_dir(&dir)
        .output()
        .unwrap();
    let stored = std::fs::read(dir.join(".vosim/cases.json")).unwrap();
    assert!(output.stdout == stored, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_programs_cover_every_class_and_every_issue() {
    let Package { problem, programs, .. } = package();
    let promised: BTreeSet<_> =
        programs.iter().map(|program| program.promise.failure_type).collect();
    assert_eq!(promised.len(), 6, "{promised:?}");
    let met: BTreeSet<_> =
        programs.iter().filter_map(|program| program.promise.issue.as_deref()).collect();
    let all: BTreeSet<_> = problem.issues.iter().map(|issue| issue.id.as_str()).collect();
    assert_eq!(all.difference(&met).collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn level_four_shows_a_program_that_was_proved_and_asks_for_an_explanation() {
    let package = package();
    // A language that extends another one shows the same program with types.
    for language in Language::ALL.into_iter().filter(|language| language.extends().is_none()) {
        let text = &package.problem.solutions[&language];
        let shown = package.programs.iter().any(|program| {
            let code = std::str::from_utf8(&program.source).unwrap().trim_end();
            program.role == ProgramRole::Right && !code.is_empty() && text.contains(code)
        });
        assert!(shown, "{language}");
        assert_eq!(text.matches('?').count(), 1, "{text}");
    }
}

#[test]
fn each_language_has_a_starter_that_names_the_interface() {
    let package = package();
    let own = Language::ALL.into_iter().filter(|language| language.extends().is_none());
    assert_eq!(package.stubs().count(), own.count());
    for language in Language::ALL {
        let starter = &package.problem.starters[&language];
        for name in ["class LRUCache", "get(", "put("] {
            assert!(starter.contains(name), "{language}: {name}");
        }
    }
}

#[test]
fn the_limits_of_other_judges_are_those_of_000() {
    let yaml = super::files().text("problem.yaml").unwrap().to_owned();
    assert!(yaml.contains("time_limit: 10\n") && yaml.contains("memory: 512\n"), "{yaml}");
}

#[test]
fn neither_cases_nor_programs_appear_when_a_package_is_logged() {
    let text = format!("{:?}", package());
    for secret in ["LRUCache", "capacity)", "put\",", "self."] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}
