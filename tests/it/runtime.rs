//! Machines without the right interpreter: said in one line, nothing counted, nothing lost.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;

use vosim_tests::{CORRECT, Home, TestDaemon};

use crate::support::{count, log};

fn with_python(python: &str) -> TestDaemon {
    let home = Home::new();
    home.config(&format!("[evaluator]\npython = \"{python}\"\n"));
    TestDaemon::start_in(home)
}

fn refuses_to_judge(daemon: &TestDaemon) -> String {
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", CORRECT.text());
    let ran = daemon.ctl("submit a.py");
    assert_eq!(ran.status, 1, "{ran}");
    let records = log(daemon);
    assert_eq!(count(&records, "EVAL_RESULT"), 0, "{records:#?}");
    if count(&records, "CODE_SUBMITTED") > 0 {
        assert_eq!(count(&records, "EVAL_ABORTED"), 1, "{records:#?}");
    }
    let status = daemon.ctl("status --json").json();
    assert_eq!(status[0]["view"]["attempts"], 0, "the attempt was not counted: {status:?}");
    let doctor = daemon.ctl("doctor");
    assert_eq!(doctor.status, 1, "{doctor}");
    ran.stderr
}

#[test]
fn without_python_a_submission_says_what_to_install_and_counts_for_nothing() {
    let daemon = with_python("/nonexistent/python3");
    let said = refuses_to_judge(&daemon);
    assert!(said.contains("/nonexistent/python3"), "{said}");
}

#[test]
fn a_python_that_is_too_old_is_named_with_its_version() {
    let home = Home::new();
    let fake = home.file("python2", "#!/bin/sh\necho 'Python 2.7.18'\necho 2.7.18 >&2\n");
    set_permissions(&fake, Permissions::from_mode(0o755)).unwrap();
    let fake = fake.display().to_string();
    home.config(&format!("[evaluator]\npython = \"{fake}\"\n"));
    let daemon = TestDaemon::start_in(home);
    let said = refuses_to_judge(&daemon);
    assert!(said.contains(&fake), "{said}");
}

#[test]
fn once_python_is_there_the_same_attempt_is_judged() {
    let mut daemon = with_python("/nonexistent/python3");
    refuses_to_judge(&daemon);
    assert!(daemon.stop().success());
    daemon.home().config("");
    daemon.start_again();
    let ran = daemon.ctl("submit a.py");
    assert!(ran.ok().contains("12/12"), "{ran}");
    let result = crate::support::last(&log(&daemon), "EVAL_RESULT");
    assert_eq!(result["attempt_number"], 1, "the number is used again");
}
