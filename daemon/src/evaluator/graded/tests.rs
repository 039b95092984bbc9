//! Real runs in the sandbox: honest programs, programs that forge their success (notes 4.4), and programs
//! that reach for what is not theirs.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use vosim_agent::graded::{Covered, RunEnd, TestFile, is_test_file};
use vosim_needs::{pytest, sandbox};

use super::super::ToolPaths;
use super::*;

/// A workspace that the account which runs code may write to.
struct Space(tempfile::TempDir);

impl Space {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            for open in path.ancestors().take_while(|it| it.starts_with(dir.path())) {
                fs::set_permissions(open, Permissions::from_mode(0o777)).unwrap();
            }
        }
        Self(dir)
    }

    fn suite(&self, language: TestLanguage, files: &[(&str, &str)]) -> Suite {
        let tests = files.iter().filter(|(path, _)| is_test_file(language, path));
        let file = |(path, text): &(&str, &str)| TestFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        Suite::fix(language, tests.map(file).collect())
    }
}

fn evaluator() -> Evaluator {
    let search_path = std::env::var_os("PATH");
    Evaluator::new(ToolPaths { sandbox: Some(sandbox()), search_path, ..ToolPaths::default() })
}

fn run(language: TestLanguage, files: &[(&str, &str)]) -> GradedRun {
    run_within(RunCaps::default(), language, files)
}

fn run_within(caps: RunCaps, language: TestLanguage, files: &[(&str, &str)]) -> GradedRun {
    let space = Space::new(files);
    let workspace = space.0.path().canonicalize().unwrap();
    let suite = space.suite(language, files);
    let offline = (caps, Network::None);
    evaluator().graded(&suite, &workspace, offline, &Cancel::new().unwrap()).unwrap().0
}

const TESTS: &str = "from main import add\ndef test_small():\n    assert add(1, 2) == 3\n\
    def test_more():\n    assert add(2, 2) == 4\n";
const RIGHT: &str = "def add(a, b):\n    return a + b\n";
const WRONG: &str = "def add(a, b):\n    return a - b\n";

/// Programs that return wrong answers and try to look right, each with a file beside it.
pub(in crate::evaluator) const FORGERIES: [(&str, &str, (&str, &str)); 14] = [
    (
        "conftest sets the exit status",
        "",
        ("conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"),
    ),
    (
        "conftest rewrites the reports",
        "",
        (
            "conftest.py",
            "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n    \
             out = yield\n    out.get_result().outcome = 'passed'\n",
        ),
    ),
    (
        "conftest empties the collection",
        "",
        ("tests/conftest.py", "def pytest_collection_modifyitems(items):\n    items.clear()\n"),
    ),
    ("configuration", "", ("pytest.ini", "[pytest]\naddopts = --collect-only\n")),
    ("leaves while it is loaded", "import os\nos._exit(0)\n", ("x", "")),
    ("leaves when it is called", "import sys\nadd = lambda a, b: sys.exit(0)\n", ("x", "")),
    ("leaves at the end", "import atexit, os\natexit.register(lambda: os._exit(0))\n", ("x", "")),
    (
        "equals everything",
        "class All(int):\n    __eq__ = lambda *a: True\n    __hash__ = None\n\
         add = lambda a, b: All()\n",
        ("x", ""),
    ),
    (
        "patches the report",
        "import _pytest.reports as r\nold = r.TestReport.from_item_and_call\n\
         def forged(item, call):\n    call.excinfo = None\n    return old(item, call)\n\
         r.TestReport.from_item_and_call = forged\n",
        ("x", ""),
    ),
    ("shadows pytest", "", ("pytest.py", "def main(*a, **b):\n    return 0\n")),
    (
        "prints a success",
        "import os\nprint('2 passed', flush=True)\n\
         os.write(1, b'===== 2 passed in 0.01s =====\\n')\nos._exit(0)\n",
        ("x", ""),
    ),
    (
        "rewrites the tests",
        "import glob\nfor path in glob.glob('tests/test_*.py'):\n    \
         open(path, 'w').write('def test_small(): pass\\ndef test_more(): pass\\n')\n",
        ("x", ""),
    ),
    ("starts first", "", ("sitecustomize.py", "import os\nos._exit(0)\n")),
    (
        "writes to the channel",
        "import os\nos.write(3, b'{\"what\":\"done\",\"status\":0}\\n')\nos._exit(0)\n",
        ("x", ""),
    ),
];

/// What runs in one process with its tests can forge them from inside; so a pass is called self-tested.
const FROM_INSIDE: [&str; 2] = ["equals everything", "patches the report"];

#[test]
fn what_a_person_has_set_bounds_a_run() {
    if !pytest() {
        return;
    }
    let tests = [("test_main.py", "def test_much():\n    assert len(bytearray(400 << 20)) > 0\n")];
    let within = |memory_mib| {
        let caps = RunCaps { memory_mib, ..RunCaps::default() };
        run_within(caps, TestLanguage::Python, &tests)
    };
    assert!(within(None).is_pass(), "1 GiB is the usual");
    let less = within(Some(256));
    assert!(!less.is_pass() && less.passed.is_empty(), "{less:?}");
}

#[test]
fn a_trace_tells_where_it_began_and_where_it_ended_however_long_it_is() {
    if !pytest() {
        return;
    }
    let steps: String = (0..400).map(|step| format!("    step = {step}\n")).collect();
    let python = format!("from main import add\ndef test_small():\n{steps}    add(1, step)\n");
    let program = "def add(a, b):\n    raise KeyError('lost')\n";
    let failed =
        run(TestLanguage::Python, &[("main.py", program), ("test_main.py", &python)]).failed;
    let trace = &failed[0].trace;
    assert!(trace.len() <= 4_000 && trace.contains("def test_small():"), "{trace}");
    assert!(trace.contains("\n[...]\n") && trace.contains("main.py:2: KeyError"), "{trace}");
    let said: String = (0..900).map(|line| format!("step {line}\\n")).collect();
    let node = format!(
        "const {{ test }} = require('node:test');\n\
         test('small', () => {{ throw new RangeError('{said}'); }});\n"
    );
    let failed = run(TestLanguage::Javascript, &[("main.test.js", &node)]).failed;
    let trace = &failed[0].trace;
    assert!(trace.len() <= 4_000 && trace.starts_with("RangeError: step 0\n"), "{trace}");
    assert!(trace.contains("\n[...]\n") && trace.contains("main.test.js:2"), "{trace}");
}

#[test]
fn no_forgery_passes_but_the_two_from_inside() {
    if !pytest() {
        return;
    }
    let tests = ("tests/test_main.py", TESTS);
    let honest = run(TestLanguage::Python, &[("main.py", RIGHT), tests]);
    assert!(honest.is_pass(), "{honest:?}");
    assert_eq!(honest.passed, ["tests/test_main.py::test_more", "tests/test_main.py::test_small"]);
    let wrong = run(TestLanguage::Python, &[("main.py", WRONG), tests]);
    assert_eq!((wrong.end, wrong.failed.len()), (RunEnd::Whole, 2));
    let failed = &wrong.failed[0];
    assert_eq!((failed.error_type.as_str(), failed.file.as_str()), ("AssertionError", tests.0));
    // Whatever would be found by looking around was not fixed before the run.
    let none = run(TestLanguage::Python, &[("main.py", RIGHT), ("x.py", "def test_a(): pass\n")]);
    assert_eq!(none.reason().as_deref(), Some("no test was found"));
    let mut fooled = Vec::new();
    for (name, program, beside) in FORGERIES {
        let program = format!("{WRONG}{program}");
        // A second file comes after whatever the program has done when it was loaded.
        let second = ("tests/test_second.py", TESTS);
        let run = run(TestLanguage::Python, &[("main.py", &program), beside, tests, second]);
        if run.is_pass() {
            fooled.push(name);
        } else {
            assert!(run.reason().is_some(), "{name}");
        }
    }
    assert!(fooled.iter().all(|name| FROM_INSIDE.contains(name)), "{fooled:?}");
}

#[test]
fn a_run_has_hypothesis_and_its_workspace_and_nothing_else() {
    if !pytest() {
        return;
    }
    let outside = tempfile::NamedTempFile::new().unwrap();
    let tests = format!(
        "import os, socket, pathlib, pytest\nfrom hypothesis import given, strategies as st\n\
         from app.calc import double\n\
         @given(st.integers())\ndef test_property(a):\n    assert double(a) == a + a\n\
         @pytest.fixture\ndef test_value():\n    return 2\n\
         class TestPlace:\n    def test_writes_here(self, test_value):\n        \
         here = pathlib.Path(__file__).parent.parent / 'made'\n        \
         here.write_text('x')\n        assert here.read_text() == 'x' and test_value == 2\n    \
         def test_writes_nowhere_else(self):\n        import _pytest\n        \
         assert not os.path.exists('{0}')\n        \
         for path in ['/work/x', _pytest.__file__, '/x', '/usr/x']:\n            \
         with pytest.raises(OSError):\n                open(path, 'a')\n    \
         def test_no_network(self):\n        with pytest.raises(OSError):\n            \
         socket.create_connection(('127.0.0.1', 22), 1)\n\
         def test_memory():\n    with pytest.raises(MemoryError):\n        bytearray(1 << 31)\n\
         def test_processes():\n    with pytest.raises(OSError):\n        for _ in range(200):\n            \
         if os.fork() == 0:\n                import signal\n                signal.pause()\n",
        outside.path().display()
    );
    let files = [("app/calc.py", "def double(a):\n    return 2 * a\n"), ("test_all.py", &tests)];
    let run = run(TestLanguage::Python, &files);
    assert!(run.is_pass(), "{run:#?}");
    assert_eq!(run.passed.len(), 6);
}

#[test]
fn a_network_is_given_to_a_run_or_the_run_is_refused_with_its_reason() {
    if !pytest() {
        return;
    }
    let files = [(
        "test_all.py",
        "import os\ndef test_names():\n    assert os.path.exists('/etc/resolv.conf')\n",
    )];
    let space = Space::new(&files);
    let workspace = space.0.path().canonicalize().unwrap();
    let suite = space.suite(TestLanguage::Python, &files);
    let (evaluator, cancel) = (evaluator(), Cancel::new().unwrap());
    let graded =
        |network| evaluator.graded(&suite, &workspace, (RunCaps::default(), network), &cancel);
    assert!(!graded(Network::None).unwrap().0.is_pass(), "it knows no names");
    match evaluator.no_network(TestLanguage::Python, &cancel) {
        None => assert!(graded(Network::Outside).unwrap().0.is_pass()),
        Some(why) => {
            assert!(why.starts_with(vosim_sandbox_spec::NO_NETWORK), "{why}");
            let refused = graded(Network::Outside).unwrap_err().to_string();
            assert!(refused.contains(&why), "{refused}");
        }
    }
}

#[test]
fn weak_tests_are_found_by_changes_that_they_do_not_notice() {
    if !pytest() {
        return;
    }
    let program =
        "def grade(points):\n    if points >= 50:\n        return 'pass'\n    return 'fail'\n";
    let strength = |tests: &str| {
        let files = [("main.py", program), ("test_main.py", tests)];
        let space = Space::new(&files);
        let workspace = space.0.path().canonicalize().unwrap();
        let suite = space.suite(TestLanguage::Python, &files);
        let of = ("main.py", program);
        let (usual, cancel) = (RunCaps::default(), Cancel::new().unwrap());
        let strength = evaluator().strength(&suite, &workspace, of, usual, &cancel);
        assert_eq!(fs::read_to_string(workspace.join("main.py")).unwrap(), program);
        strength.unwrap()
    };
    let weak = strength("from main import grade\ndef test_runs():\n    grade(70)\n");
    assert!(weak.is_too_weak(), "{weak:?}");
    let strong = strength(
        "from main import grade\ndef test_all():\n    \
         assert [grade(n) for n in (0, 49, 50, 51, 99)] == ['fail', 'fail', 'pass', 'pass', 'pass']\n",
    );
    assert!(strong.tried >= 4 && !strong.is_too_weak(), "{strong:?}");
    // The last line is run by one of them alone.
    let share = |strength: &Strength| strength.covered.and_then(Covered::percent);
    assert_eq!((share(&weak), share(&strong)), (Some(75), Some(100)));
}

#[test]
fn changes_are_tried_by_tests_of_properties_and_inside_a_package() {
    if !pytest() {
        return;
    }
    let wrong = "from .one import ONE\ndef after(number):\n    return number - ONE\n";
    // `contextvars`, which hypothesis needs too, lies outside of Python's own program.
    let tests = "import contextvars\nfrom hypothesis import given, strategies as st\n\
        from app.calc import after\n\
        @given(st.integers())\ndef test_property(number):\n    assert after(number) == number + 1\n\
        def test_prints(capsys):\n    print(after(0) in (1, -1))\n    \
        assert capsys.readouterr().out == 'True\\n'\n";
    let files = [
        ("app/__init__.py", ""),
        ("app/one.py", "ONE = 1\n"),
        ("app/calc.py", wrong),
        ("test_all.py", tests),
    ];
    let space = Space::new(&files);
    let workspace = space.0.path().canonicalize().unwrap();
    let suite = space.suite(TestLanguage::Python, &files);
    let texts = [wrong.to_owned(), wrong.replace('-', "+"), "def after(".to_owned()];
    let (what, lasts) = (("app/calc.py", &texts[..]), Duration::from_secs(60));
    let tried = evaluator().tries(&suite, &workspace, what, lasts, &Cancel::new().unwrap());
    let of = |tests: &[(&str, bool)]| -> std::collections::BTreeMap<String, bool> {
        tests.iter().map(|(name, passed)| (format!("test_all.py::{name}"), *passed)).collect()
    };
    let tried: [Tried; 3] = tried.unwrap().try_into().unwrap();
    let [failed, passed, unread] = tried;
    assert!(!failed.passed && passed.passed && !unread.passed, "{failed:?} {passed:?} {unread:?}");
    assert_eq!(failed.tests, of(&[("test_property", false), ("test_prints", true)]));
    assert_eq!(passed.tests, of(&[("test_property", true), ("test_prints", true)]));
    assert_eq!(unread.tests, of(&[]));
}

#[test]
fn javascript_is_run_by_node_test_one_process_for_each_file() {
    let tests = "const { test, describe, it } = require('node:test');\n\
        const assert = require('node:assert');\nconst { add } = require('../add.js');\n\
        test('small', () => assert.strictEqual(add(1, 2), 3));\n\
        describe('group', () => { it('more', async () => assert.strictEqual(add(2, 2), 4)); });\n";
    let module = "import { test } from 'node:test';\ntest('module', () => {});\n";
    let run = |program: &str| {
        let first = ("test/a.test.js", tests);
        run(TestLanguage::Javascript, &[("add.js", program), first, ("test/b.test.mjs", module)])
    };
    let right = run("exports.add = (a, b) => a + b;\n");
    assert!(right.is_pass(), "{right:#?}");
    assert_eq!(
        right.passed,
        ["test/a.test.js > group > more", "test/a.test.js > small", "test/b.test.mjs > module"]
    );
    let wrong = run("exports.add = (a, b) => a - b;\n");
    assert_eq!((wrong.failed.len(), wrong.passed.len()), (2, 1), "{wrong:#?}");
    assert_eq!(wrong.failed[0].error_type, "AssertionError");
    let says = "console.log('ok 1 - small\\nok 2 - group\\n# pass 2\\n# fail 0');\n";
    for forgery in [
        "process.exit(0);".to_owned(),
        format!("{says}process.exit(0);"),
        "exports.add = () => process.exit(0);".to_owned(),
        "require('fs').writeFileSync('test/b.test.mjs', '');exports.add = () => 0;".to_owned(),
        "require('fs').writeSync(3, '{\"what\":\"done\",\"status\":0}\\n');process.exit(0);"
            .to_owned(),
    ] {
        let run = run(&forgery);
        assert!(!run.is_pass(), "{forgery}: {run:#?}");
    }
}

#[test]
fn changes_of_javascript_are_tried_and_never_written() {
    let cases = "test('small', () => assert.equal(add(1, 2), 3));\n\
        test('more', () => assert.equal(add(2, 2), 4));\n";
    let required = "const { test } = require('node:test');\nconst assert = require('node:assert');\n\
        const { add } = require('../add.js');\n";
    let imported = "import { test } from 'node:test';\nimport assert from 'node:assert';\n\
        import { add } from '../add.mjs';\n";
    for (path, test, head, program) in [
        ("add.js", "test/add.test.js", required, "exports.add = (a, b) => BODY;\n"),
        ("add.mjs", "test/add.test.mjs", imported, "export const add = (a, b) => BODY;\n"),
    ] {
        let whole = |body: &str| program.replace("BODY", body);
        let (tests, written) = (format!("{head}{cases}"), whole("a - b"));
        let files = [(path, written.as_str()), (test, tests.as_str())];
        let space = Space::new(&files);
        let workspace = space.0.path().canonicalize().unwrap();
        let suite = space.suite(TestLanguage::Javascript, &files);
        let (evaluator, cancel) = (evaluator(), Cancel::new().unwrap());
        let texts = ["a + b", "a * b", "{ for (;;); }", "("].map(whole);
        let (of, lasts) = ((path, texts.as_slice()), Duration::from_secs(5));
        let tried = evaluator.tries(&suite, &workspace, of, lasts, &cancel).unwrap();
        let told = |one: &Tried| {
            let passed = one.tests.values().filter(|passed| **passed).count();
            (one.passed, one.slow, passed, one.tests.len())
        };
        let told: Vec<_> = tried.iter().map(told).collect();
        let expected =
            [(true, false, 2, 2), (false, false, 1, 2), (false, true, 0, 0), (false, false, 0, 0)];
        assert_eq!(told, expected, "{path}");
        let right = whole("a + b");
        let (of, usual) = ((path, right.as_str()), RunCaps::default());
        let strength = evaluator.strength(&suite, &workspace, of, usual, &cancel).unwrap();
        assert!(strength.tried > 4 && !strength.is_too_weak(), "{path}: {strength:?}");
        assert_eq!(fs::read_to_string(workspace.join(path)).unwrap(), written);
    }
}

#[test]
fn tests_in_javascript_may_start_threads() {
    let tests = "const { test } = require('node:test');\nconst { Worker } = require('worker_threads');\n\
        test('thread', (t, done) => {\n  new Worker('', { eval: true }).on('exit', (status) => \
        done(status === 0 ? undefined : new Error(`${status}`)));\n});\n";
    let run = run(TestLanguage::Javascript, &[("test/a.test.js", tests)]);
    assert!(run.is_pass(), "{run:#?}");
}
