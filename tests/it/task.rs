//! The autonomous candidate on the real programs.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use vosim_protocol::v1::service::{BlobGet, BlobGetParams};
use vosim_protocol::{ErrorCode, Hash, Role};
use vosim_tests::{Ctl, Home, Program, Terminal, TestDaemon, keys};

use crate::support::wait_for;

const ADD: &str = "Write add and double";

#[test]
fn what_cannot_be_a_task_is_refused_early_and_says_what_to_do() {
    let daemon = TestDaemon::start();
    let run = |words: &[&str]| {
        let ran = Ctl::new(daemon.home(), ["task", "run"].iter().chain(words)).run();
        ran.refused().to_owned()
    };
    let refused = [
        run(&["--yes"]),
        run(&["--yes", "--task", "short"]),
        run(&["--yes", "--task", ADD]),
        run(&["--task", ADD, "--model", "script:passes"]),
        run(&["--yes", "--task", ADD, "--model", "repair"]),
        daemon.ctl("task show").refused().to_owned(),
        daemon.ctl("task approve").refused().to_owned(),
    ];
    insta::assert_snapshot!(refused.join("---\n"));
    assert_eq!(daemon.ctl("approvals").ok(), "No task waits for an answer.\n");
    let none = "There are no tasks. Start one with: vosimctl task run\n";
    assert_eq!(daemon.ctl("task history").ok(), none);
    assert_eq!(daemon.ctl("task stats").ok(), none);
}

#[test]
fn what_would_go_wrong_at_once_is_refused_before_a_task_begins() {
    let home = Home::new();
    let address = "http://127.0.0.1:1/v1";
    home.config(&format!(
        "[model]\nkind = \"openai\"\naddress = \"{address}\"\nname = \"small\"\n"
    ));
    let daemon = TestDaemon::start_in(home);
    let cases = [
        (ADD, ["--cost", "0.50"], "obody knows what openai:small costs"),
        (ADD, ["--workspace", "/none/such"], "pening the workspace /none/such: it is not there"),
        ("make something cool", ["--language", "node"], "does not say what is to be built"),
    ];
    for (task, more, told) in cases {
        let words = ["task", "run", "--yes", "--task", task].into_iter().chain(more);
        let ran = Ctl::new(daemon.home(), words).run();
        assert!(ran.refused().contains(told), "{told}: {ran}");
    }
    assert!(daemon.ctl("list --json").json().is_empty(), "nothing was begun");
}

#[test]
fn a_script_is_right_at_the_third_try_and_is_never_shown_as_ability() {
    if !vosim_needs::pytest() {
        return;
    }
    let daemon = TestDaemon::start();
    let task = "Write total(numbers) in main.py";
    let words = ["task", "run", "--yes", "--task", task, "--model", "script:fixes"];
    let ran = Ctl::new(daemon.home(), words).run();
    let shown = ran.ok();
    for told in [
        "Iteration 1: TESTING -> REFLECTING.",
        "Iteration 2: REFLECTING -> CODING.",
        "Task completed, self-tested: 2 tests passed after 3 iterations.",
        "Task Completed by a Script",
        "this shows no ability",
        "Self-tested: the tests are the agent's own.",
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    daemon.ctl("replay --verify").ok();
    let history = daemon.ctl("task history");
    assert!(history.ok().contains("success, 3 iterations, script:fixes"), "{history:?}");
    let stats = daemon.ctl("task stats");
    assert!(stats.ok().contains("python: 1 of 1 task succeeded; average 3.00"), "{stats:?}");
    let diff = daemon.ctl("task diff");
    assert!(diff.ok().contains("+    return sum(numbers)"), "{diff:?}");
    // What was said is said again to who asks the same, whatever folder the daemon works in.
    daemon.home().file("told.jsonl", &daemon.ctl("task recording").stdout);
    let words = ["task", "run", "--yes", "--task", task, "--model", "replay:told.jsonl"];
    let again = Ctl::new(daemon.home(), words).run();
    let told = "Task completed, self-tested: 2 tests passed after 3 iterations.";
    assert!(again.ok().contains(told), "{again}");
    let logs = daemon.home().logs();
    let parts = [r#""from_state":"coding""#, r#""to_state":"testing""#, "state_transition"];
    assert!(logs.lines().any(|line| parts.iter().all(|part| line.contains(part))), "{logs}");
    assert!(!logs.contains("def total"), "{logs}");
    daemon.ctl("export --bundle replay -o task.json").ok();
    daemon.ctl("verify task.json").ok();
}

#[test]
fn what_a_task_may_not_do_where_it_stands_is_refused_and_logged() {
    let daemon = TestDaemon::start();
    let task = "Write total(numbers) in main.py";
    // No script has this name, so the task pauses before anything is written.
    let words = ["task", "run", "--yes", "--task", task, "--model", "script:none"];
    let ran = Ctl::new(daemon.home(), words).run();
    assert!(ran.ok().contains("Task Paused"), "{ran}");
    let refused = daemon.ctl("task pause");
    assert!(refused.refused().contains("it rests already"), "{refused}");
    let logs = daemon.home().logs();
    let parts = ["a command was refused", "pause the task", "it rests already", r#""paused""#];
    assert!(logs.lines().any(|line| parts.iter().all(|part| line.contains(part))), "{logs}");
}

/// Every hash that a log names.
fn hashes(log: &str) -> BTreeSet<Hash> {
    let ends = |text: &str| text.len().min("sha256:".len() + 64);
    let found = log.match_indices("sha256:").map(|(at, _)| &log[at..]);
    found.filter_map(|text| text.get(..ends(text))?.parse().ok()).collect()
}

#[test]
fn erased_code_is_gone_from_all_that_it_stood_in_and_the_task_goes_on() {
    if !vosim_needs::pytest() {
        return;
    }
    let daemon = TestDaemon::start();
    let task = "Write total(numbers) in main.py";
    let words = ["task", "run", "--yes", "--task", task, "--model", "script:stuck"];
    Ctl::new(daemon.home(), words).run().ok();
    let id = crate::support::current(&daemon);
    let mut wire = daemon.wire();
    let mut read = |hash: Hash| {
        let params = BlobGetParams { session: None, hash, offset: 0, role: Role::Candidate };
        wire.ask::<BlobGet>(&params)
    };
    let log = daemon.ctl("log --json").stdout;
    let there: Vec<_> = hashes(&log).into_iter().filter(|hash| read(*hash).is_ok()).collect();
    assert!(there.len() > 20, "files, calls, results, exchanges and outputs: {there:?}");

    daemon.ctl(&format!("delete {id} --code --yes")).ok();
    for hash in there {
        assert_eq!(read(hash).unwrap_err().code, ErrorCode::CodeWithheld, "{hash}");
    }
    let data = daemon.home().paths().data;
    assert!(!data.join(format!("tasks/{id}")).exists(), "a step's mark holds a file");
    let memory = std::fs::read_to_string(data.join("memory.jsonl")).unwrap();
    assert!(!memory.contains(&id.to_string()), "{memory}");
    daemon.ctl("replay --verify").ok();

    let resumed = daemon.ctl("task resume");
    let told = "Iteration 4: CODING -> TESTING.";
    assert!(resumed.ok().contains(told), "{resumed}");
    assert!(!resumed.stdout.contains("Task Paused"), "{resumed}");
}

#[test]
fn after_a_failure_the_workspace_can_be_looked_at_on_a_terminal() {
    if !vosim_needs::pytest() {
        return;
    }
    const QUESTION: &str = "Would you like to view the workspace? [Y/n]";
    let daemon = TestDaemon::start();
    let run = "task run --yes --task Write_total_in_main.py --model script:stuck";
    let mut looks = Terminal::start(daemon.home(), run);
    looks.shows(QUESTION);
    looks.types(keys::ENTER);
    assert!(looks.end().success());
    let shown = looks.text();
    for told in ["main.py (3 lines, made)", "around line 3", ">    3      return {}[\"total\"]"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    let mut leaves = Terminal::start(daemon.home(), "task resume");
    leaves.shows(QUESTION);
    leaves.types(keys::CTRL_D);
    assert!(leaves.end().success());
    assert!(!leaves.text().contains("around line"), "{}", leaves.text());
    // Nobody is asked who reads lines.
    let piped = daemon.ctl("task resume");
    assert!(piped.ok().contains("Task Failed") && !piped.stdout.contains("view the"), "{piped}");
}

#[test]
fn a_network_that_was_allowed_is_given_where_it_can_be_and_the_task_finds_another_way() {
    if !vosim_needs::pytest() {
        return;
    }
    let daemon = TestDaemon::start();
    let task = "Write total(numbers) in main.py";
    let words = ["task", "run", "--yes", "--detach", "--task", task, "--model", "script:network"];
    Ctl::new(daemon.home(), words).run().ok();
    wait_for(&daemon, "APPROVAL_ASKED");
    let asked = daemon.ctl("approvals");
    assert!(asked.ok().contains("nothing that listens on this"), "{asked}");
    daemon.ctl("task approve --always").ok();
    if daemon.ctl("doctor").stdout.contains("by slirp4netns") {
        // Each of its two imports is asked about. Then the run is made, and finds no such server.
        daemon.ctl("task approve --always").ok();
        let tests = wait_for(&daemon, "TESTS_ASKED").payload;
        assert_eq!(tests["allowed"], serde_json::json!(["network"]));
    } else {
        let blocked = wait_for(&daemon, "RUN_BLOCKED").payload;
        assert!(blocked["unavailable"] == true && blocked["refused"] == false, "{blocked}");
    }
    wait_for(&daemon, "TASK_SUCCEEDED");
    let history = daemon.ctl("task history");
    assert!(history.ok().contains("success, 2 iterations, script:network"), "{history}");
    daemon.ctl("replay --verify").ok();
}

/// A folder of somebody's own, open to the account that runs code.
fn folder(daemon: &TestDaemon, name: &str, files: &[(&str, &str)]) -> String {
    let home = daemon.home();
    let folder = home.work().join(name);
    std::fs::create_dir(&folder).unwrap();
    for (path, text) in files {
        home.file(&format!("{name}/{path}"), text);
    }
    std::fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
    folder.display().to_string()
}

#[test]
fn repair_mends_a_folder_in_javascript_by_its_tests() {
    let daemon = TestDaemon::start();
    let home = daemon.home();
    let tests = "const { test } = require('node:test');\nconst assert = require('node:assert');\n\
        const { total } = require('./main.js');\n\
        test('some', () => assert.strictEqual(total([1, 2]), 3));\n\
        test('none', () => assert.strictEqual(total([]), 0));\n";
    let program = "function total(numbers) {\n  let result = 1;\n  for (const number of numbers) {\n    \
        result += number;\n  }\n  return result;\n}\nmodule.exports = { total };\n";
    let own = folder(&daemon, "own", &[("main.js", program), ("main.test.js", tests)]);
    let run = |words: &[&str]| {
        let first = ["task", "run", "--yes", "--language", "node"];
        Ctl::new(home, first.iter().chain(words)).run()
    };
    let ran = run(&["--task", "Make the tests pass", "--workspace", &own]);
    let shown = ran.ok();
    for told in ["self-tested: 2 tests passed after 1 iteration", "repair (small changes of"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    let mended = std::fs::read_to_string(format!("{own}/main.js")).unwrap();
    assert_eq!(mended, program.replace("result = 1", "result = 0"));
    daemon.ctl("replay --verify").ok();
    let bare = folder(&daemon, "bare", &[("main.js", program)]);
    let ran = run(&["--task", "Make the tests pass", "--model", "repair", "--workspace", &bare]);
    assert!(ran.refused().contains("Repair needs tests of node:test"), "{ran}");
}

#[test]
fn repair_mends_a_folder_by_its_tests_and_a_problem_by_what_a_candidate_sees() {
    if !vosim_needs::pytest() {
        return;
    }
    let daemon = TestDaemon::start();
    let home = daemon.home();
    let tests = "from main import total\n\n\ndef test_some():\n    assert total([1, 2]) == 3\n\n\n\
                 def test_none():\n    assert total([]) == 0\n";
    let program = "def total(numbers):\n    result = 1\n    for number in numbers:\n        \
                   result += number\n    return result\n";
    let own = folder(&daemon, "own", &[("main.py", program), ("test_main.py", tests)]);
    let run = |words: &[&str]| Ctl::new(home, ["task", "run", "--yes"].iter().chain(words)).run();
    // No model is set: what can be repaired is.
    let ran = run(&["--task", "Make the tests pass", "--workspace", &own]);
    let shown = ran.ok();
    for told in ["self-tested: 2 tests passed after 1 iteration", "repair (small changes of"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    let mended = std::fs::read_to_string(format!("{own}/main.py")).unwrap();
    assert_eq!(mended, program.replace("result = 1", "result = 0"));
    daemon.ctl("replay --verify").ok();

    // What is sat is a session of its own, and comes to its end.
    let nearly = Program("wrong_answer/one_too_many.py").text();
    for (kind, more) in [("drill", None), ("interview", Some("--interview"))] {
        let sat = folder(&daemon, kind, &[("solution.py", &nearly)]);
        let words = ["--problem", "lru_cache", "--model", "repair", "--workspace", &sat];
        let ran = run(&words.into_iter().chain(more).collect::<Vec<_>>());
        assert!(ran.ok().contains("Task completed: 12 tests passed"), "{ran}");
        daemon.ctl("replay --verify").ok();
        let sessions = daemon.ctl("list --json").json();
        let sat = sessions.iter().find(|session| session["kind"] == kind).unwrap();
        assert_eq!(sat["finished"]["outcome"], "unaided", "{sat}");
        let id = sat["session_id"].as_str().unwrap();
        daemon.ctl(&format!("replay --verify --session {id}")).ok();
    }
    let review = daemon.ctl("review");
    assert!(!review.ok().contains("LRU"), "nobody has solved it: {review}");
}
