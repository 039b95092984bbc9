//! Machines without the right interpreter: said in one line, nothing counted, nothing lost.

use std::fs::{self, Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::json;
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

#[test]
fn a_helper_that_answers_nobody_is_named_soon_and_ends_with_the_daemon() {
    let home = Home::new();
    let (asked, helper) = (home.work().join("asked"), home.work().join("helper"));
    mkfifo(&asked, Mode::S_IRWXU).unwrap();
    let hangs = |first: &str| {
        fs::write(&helper, format!("#!/bin/sh\n{first}sleep 1000\n")).unwrap();
        set_permissions(&helper, Permissions::from_mode(0o755)).unwrap();
    };
    hangs("");
    home.config(&format!("[evaluator]\nsandbox = \"{}\"\n", helper.display()));
    let mut daemon = TestDaemon::start_in(home);
    let ran = daemon.ctl("start --no-file");
    assert_eq!(ran.status, 1, "{ran}");
    let named = format!("{} has not answered within 5 s", helper.display());
    assert!(ran.stderr.contains(&named), "{ran}");
    assert!(daemon.ctl("status").ok().contains("Attempts: 0"));
    // Each language has its own search, and one command asks for all of them.
    daemon.ctl("problems").ok();
    // Another file in its place is tried, and what is waited for ends with the daemon.
    hangs(&format!("echo asked > {}\n", asked.display()));
    let mut wire = daemon.wire();
    wire.send("runtime.find", json!({ "language": "python" }));
    assert_eq!(fs::read_to_string(&asked).unwrap(), "asked\n");
    let began = Instant::now();
    assert!(daemon.stop().success());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
