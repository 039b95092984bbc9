//! What is expected of tests, and what is believed of a run.

use vosim_protocol::v1::agent::RunCaps;
use vosim_sandbox_spec::{Level, Limit, RunReport, VERSION, Verdict};

use super::*;

fn report(verdict: Verdict) -> RunReport {
    RunReport {
        version: VERSION,
        verdict,
        suspected: None,
        exit_code: Some(0),
        signal: None,
        usage: Default::default(),
        waited: None,
        stdout: Default::default(),
        stderr: Default::default(),
        enforced: Vec::new(),
        shortfalls: Vec::new(),
        level: Level::B,
        error: None,
    }
}

fn suite(language: TestLanguage, path: &str, text: &str) -> Suite {
    Suite::fix(language, vec![TestFile { path: path.to_owned(), text: text.to_owned() }])
}

fn expected(language: TestLanguage, text: &str) -> Vec<String> {
    suite(language, "t", text).expected().iter().cloned().collect()
}

#[test]
fn the_names_of_tests_are_read_before_anything_runs() {
    let text = "import pytest\nfrom unittest import TestCase\n\ndef test_a(): pass\n\
        async def test_b(): pass\n@pytest.mark.parametrize('a', [1])\ndef test_c(a): pass\n\
        @pytest.fixture\ndef test_client(): pass\ndef helper(): pass\n\
        class TestX:\n    def test_d(self): pass\n    def other(self): pass\n    class TestY:\n        \
        def test_e(self): pass\nclass Cases(TestCase):\n    def test_f(self): pass\n\
        class Plain:\n    def test_no(self): pass\nif False:\n    def test_maybe(): pass\n";
    assert_eq!(
        expected(TestLanguage::Python, text),
        [
            "t::Cases::test_f",
            "t::TestX::TestY::test_e",
            "t::TestX::test_d",
            "t::test_a",
            "t::test_b",
            "t::test_c",
        ]
    );
    let text = "test('a', () => {});\nawait test(\"b\", f);\nit(`c`, f);\ntest(name, f);\n\
        describe('g', () => { it('d', f); test.skip('e', f); describe('h', () => { it('i', f) }) });\n\
        for (const x of [1]) test('loop', f);\n";
    assert_eq!(
        expected(TestLanguage::Javascript, text),
        ["t > a", "t > b", "t > g > d", "t > g > h > i"]
    );
}

#[test]
fn files_of_tests_are_known_by_their_names() {
    use TestLanguage::{Javascript, Python};
    for (language, path, is) in [
        (Python, "tests/test_a.py", true),
        (Python, "a_test.py", true),
        (Python, "tests/a.py", false),
        (Python, "test_a.txt", false),
        (Javascript, "a.test.js", true),
        (Javascript, "test/a.mjs", true),
        (Javascript, "test-a.cjs", true),
        (Javascript, "a.js", false),
        (Javascript, "latest.js", false),
    ] {
        assert_eq!(is_test_file(language, path), is, "{path}");
        assert_eq!(language.has_file(path), !path.ends_with("txt"), "{path}");
    }
}

const TWO: &str = "def test_a(): pass\ndef test_b(): pass\n";

/// What a run of `TWO` comes to that says these answers.
fn run(said: &str, verdict: Verdict) -> GradedRun {
    let said: String = said.lines().map(|line| format!("word {}\n", line.trim())).collect();
    suite(TestLanguage::Python, "t", TWO).heard("word", said.as_bytes(), &report(verdict))
}

const BOTH: &str = r#"{"what":"collected","ids":["t::test_a","t::test_b[1]","t::test_b[2]"]}
    {"what":"test","id":"t::test_a","outcome":"passed"}
    {"what":"test","id":"t::test_b[1]","outcome":"passed"}
    {"what":"test","id":"t::test_b[2]","outcome":"passed"}
    "#;

#[test]
fn a_pass_is_every_expected_test_and_the_end_of_the_run() {
    let whole = format!("{BOTH}{}", r#"{"what":"done","status":0}"#);
    let pass = run(&whole, Verdict::Ok);
    assert!(pass.is_pass() && pass.reason().is_none(), "{pass:?}");
    // The exit status is the program's word.
    assert!(!run(BOTH, Verdict::Ok).is_pass());
    assert!(!run(&whole.replace("\"status\":0", "\"status\":5"), Verdict::Exit).is_pass());
    assert!(!run(r#"{"what":"done","status":0}"#, Verdict::Ok).is_pass());
    let lines = whole.lines().filter(|line| !line.contains("test_b[2]\",\"outcome"));
    let unheard = run(&lines.collect::<Vec<_>>().join("\n"), Verdict::Ok);
    assert_eq!((unheard.is_pass(), unheard.missing), (false, vec!["t::test_b[2]".to_owned()]));
    for outcome in ["skipped", "excused", "failed"] {
        let one = whole.replacen("\"passed\"", &format!("\"{outcome}\""), 1);
        assert!(!run(&one, Verdict::Ok).is_pass(), "{outcome}");
    }
}

#[test]
fn a_name_in_brackets_is_a_name_in_javascript() {
    let suite = suite(TestLanguage::Javascript, "t", "test('gives [] for []', f);\n");
    let passed = r#"word {"what":"test","id":"t > gives [] for []","outcome":"passed"}"#;
    let [through, done] =
        [r#"word {"what":"through","part":0}"#, r#"word {"what":"done","status":0}"#];
    let run = |lines: &[&str]| {
        let said = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        suite.heard("word", said.as_bytes(), &report(Verdict::Ok))
    };
    assert!(run(&[passed, through, done]).is_pass());
    assert_eq!(run(&[passed, done]).end, RunEnd::Early, "one file was not heard to its end");
}

#[test]
fn zero_tests_are_a_failure_with_its_sentence() {
    let none = suite(TestLanguage::Python, "t", "x = 1\n");
    let said = b"word {\"what\":\"collected\",\"ids\":[]}\nword {\"what\":\"done\",\"status\":0}\n";
    let run = none.heard("word", said, &report(Verdict::Ok));
    assert_eq!((run.is_pass(), run.reason().as_deref()), (false, Some("no test was found")));
}

#[test]
fn what_comes_down_after_a_test_makes_it_worse_and_never_better() {
    let failed =
        r#"{"what":"test","id":"t::test_a","outcome":"failed","message":"KeyError: 'title'"}"#;
    for order in [format!("{BOTH}{failed}"), format!("{failed}\n{BOTH}")] {
        let run = run(order.trim_end(), Verdict::Ok);
        assert_eq!(run.failed.len(), 1, "{run:?}");
        assert_eq!(run.failed[0].error_type, "KeyError");
    }
}

#[test]
fn without_the_word_nothing_is_believed() {
    let suite = suite(TestLanguage::Python, "t", TWO);
    let forged = BOTH.replace("    {", "other {");
    for said in [forged.as_str(), "2 passed\n", "word nonsense\n", "word {\"what\":\"else\"}\n"] {
        let run = suite.heard("word", said.as_bytes(), &report(Verdict::Ok));
        assert_eq!((run.is_pass(), run.end), (false, RunEnd::Foreign), "{said}");
    }
    let run = suite.heard("word", b"word {\"what\":\"don", &report(Verdict::Ok));
    assert_eq!(run.end, RunEnd::Early, "the end of the run cuts an answer off");
}

/// Notes 6: each limit has a reason of its own.
#[test]
fn every_limit_is_told_apart() {
    let ends =
        [Limit::Memory, Limit::Cpu, Limit::Wall, Limit::Idle, Limit::Processes, Limit::Output]
            .map(|limit| run(BOTH.trim_end(), Verdict::Limit { limit }));
    let told: std::collections::BTreeSet<_> = ends.iter().filter_map(GradedRun::reason).collect();
    assert_eq!(told.len(), 6);
    assert!(ends.iter().all(|run| !run.is_pass()));
    assert_eq!(run(BOTH.trim_end(), Verdict::Signal).end, RunEnd::Signal);
    let bounds = limits(RunCaps::default());
    assert_eq!((bounds.cpu_ms, bounds.wall_ms, bounds.idle_ms), (300_000, 300_000, 60_000));
    assert_eq!((bounds.memory, bounds.processes), (1 << 30, 100));
    let raised = RunCaps { memory_mib: Some(2_048), minutes: Some(10), processes: Some(200) };
    let bounds = limits(raised);
    assert_eq!((bounds.cpu_ms, bounds.wall_ms, bounds.idle_ms), (600_000, 600_000, 120_000));
    assert_eq!((bounds.memory, bounds.processes), (2 << 30, 200));
}

#[test]
fn coverage_is_a_share_of_lines_and_nothing_where_none_was_told() {
    let suite = Suite::fix(TestLanguage::Python, Vec::new());
    let said = "word {\"what\":\"covered\",\"lines\":30,\"ran\":20}\n\
                word {\"what\":\"change\",\"number\":0,\"noticed\":false}\n";
    assert_eq!(suite.heard_coverage("word", said.as_bytes()).and_then(Covered::percent), Some(66));
    assert_eq!(suite.heard_changes("word", said.as_bytes(), 1), [false], "it is no change");
    assert_eq!(suite.heard_coverage("other", said.as_bytes()), None);
    let (none, more) = (Covered { lines: 0, ran: 0 }, Covered { lines: 3, ran: 9 });
    assert_eq!((none.percent(), more.percent()), (None, Some(100)));
}

#[test]
fn tests_that_notice_few_changes_are_called_too_weak() {
    let text = "def f(a, b):\n    if a < b:\n        return a + 1\n    return b\n";
    let made = changes(TestLanguage::Python, text, 8);
    let lines: std::collections::BTreeSet<_> = made.iter().map(|change| change.line).collect();
    assert_eq!((made.len(), lines.len()), (8, 4), "from every line that can be changed");
    let script = "function f(a, b) {\n  if (a < b) {\n    return a + 1;\n  }\n  return b;\n}\n";
    let script = changes(TestLanguage::Javascript, script, 8);
    let lines: std::collections::BTreeSet<_> = script.iter().map(|change| change.line).collect();
    assert_eq!((script.len(), lines.len()), (8, 5), "{script:?}");
    let weak = |noticed: usize| {
        let noticed: Vec<bool> = (0..8).map(|number| number < noticed).collect();
        Strength::of(&made, &noticed).is_too_weak()
    };
    assert!(weak(0) && weak(5) && !weak(6) && !weak(8));
    assert!(!Strength::of(&[], &[]).is_too_weak());
}
