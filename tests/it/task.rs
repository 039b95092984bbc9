//! The autonomous candidate on the real programs.

use vosim_tests::{Ctl, TestDaemon};

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
    daemon.ctl("export --bundle replay -o task.json").ok();
    daemon.ctl("verify task.json").ok();
}
