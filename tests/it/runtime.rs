//! Machines without the right interpreter: said in one line, nothing counted, nothing lost.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;

use vosim_needs::has_root;
use vosim_tests::{CORRECT, Home, RUN, TestDaemon};

use crate::support::{count, last, log};

/// Hides every Python of the machine from the daemon and what it starts.
const WITHOUT_PYTHON: &str = r#"
for python in /usr/bin/python3 /usr/local/bin/python3; do
    if [ -e "$python" ]; then mount --bind /dev/null "$python"; fi
done
PATH=/nonexistent exec "$0" "$@"
"#;

/// A daemon that finds no Python of its own; none where that cannot be arranged.
fn without_python(config: &str) -> Option<TestDaemon> {
    if !has_root() {
        return None;
    }
    let home = Home::new();
    home.config(config);
    let mut command = home.wrapped(&["unshare", "-m", "sh", "-c", WITHOUT_PYTHON], "vosimd");
    command.args(RUN);
    Some(TestDaemon::start_by(home, command))
}

/// What a submission is told that nobody can judge.
fn refuses_to_judge(daemon: &TestDaemon) -> String {
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", CORRECT.text());
    let ran = daemon.ctl("submit a.py");
    assert_eq!(ran.status, 1, "{ran}");
    let records = log(daemon);
    assert_eq!(count(&records, "EVAL_ABORTED"), 1, "{records:#?}");
    assert_eq!(count(&records, "EVAL_RESULT"), 0, "{records:#?}");
    let status = daemon.ctl("status");
    assert!(status.ok().contains("Attempts: 0"), "the submission does not count: {status}");
    let doctor = daemon.ctl("doctor");
    assert_eq!(doctor.status, 1, "{doctor}");
    assert_eq!(daemon.ctl("test a.py").status, 1);
    ran.stderr
}

#[test]
fn without_python_a_submission_says_what_to_install_and_is_judged_once_it_is_there() {
    let Some(mut daemon) = without_python("") else { return };
    let said = refuses_to_judge(&daemon);
    assert!(said.contains("python3"), "the package to install is named: {said}");
    assert!(daemon.stop().success());
    daemon.start_again();
    let ran = daemon.ctl("submit a.py");
    assert!(ran.ok().contains("12/12"), "{ran}");
    let result = last(&log(&daemon), "EVAL_RESULT");
    assert_eq!(result["attempt_number"], 1, "the number is used again");
}

#[test]
fn pythons_that_cannot_judge_are_passed_over_and_each_is_named_with_its_reason() {
    let home = Home::new();
    let old = home.file("python2", "#!/bin/sh\necho 'Python 2.7.18'\n");
    set_permissions(&old, Permissions::from_mode(0o755)).unwrap();
    let old = old.display().to_string();
    for python in [old.as_str(), "/nonexistent/python3"] {
        let home = Home::new();
        home.config(&format!("[evaluator]\npython = \"{python}\"\n"));
        let daemon = TestDaemon::start_in(home);
        daemon.ctl("start --no-file").ok();
        daemon.home().file("a.py", CORRECT.text());
        let ran = daemon.ctl("submit a.py");
        assert!(ran.ok().contains("12/12"), "{ran}");
        let words: Vec<&str> = ran.stdout.split_whitespace().collect();
        let told = words.join(" ");
        assert!(told.contains(&format!("{python} was passed over: it ")), "{ran}");
    }
}

#[test]
fn with_an_unusable_python_and_no_other_the_sentence_names_it() {
    let Some(daemon) = without_python("[evaluator]\npython = \"/bin/true\"\n") else { return };
    let said = refuses_to_judge(&daemon);
    assert!(said.contains("/bin/true"), "{said}");
}
