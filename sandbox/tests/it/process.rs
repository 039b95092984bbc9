//! How a program ended is named truly, and nothing of it is alive afterwards.

use std::fs::Permissions;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_sandbox_spec::{Level, Mount, RunReport, Verdict};

use crate::harness::{Helper, alive, limits, printed, run, run_within, spec, wait_until};

fn ended(code: &str) -> (Verdict, Option<i32>, Option<i32>) {
    let RunReport { verdict, exit_code, signal, .. } = run(&spec(code));
    (verdict, exit_code, signal)
}

#[test]
fn a_status_is_a_status_and_a_signal_a_signal() {
    assert_eq!(ended("pass"), (Verdict::Ok, Some(0), None));
    assert_eq!(ended("import posix; posix._exit(137)"), (Verdict::Exit, Some(137), None));
    assert_eq!(ended("import posix; posix.abort()"), (Verdict::Signal, None, Some(6)));
    let own = |signal| format!("import posix; posix.kill(posix.getpid(), {signal})");
    for signal in [9, 11, 15, 40] {
        assert_eq!(ended(&own(signal)), (Verdict::Signal, None, Some(signal)));
    }
}

#[test]
fn the_report_says_of_each_control_what_was_wanted_and_what_held() {
    let report = run(&spec("pass"));
    assert_eq!(report.level, Level::B);
    assert_eq!(report.enforced.len(), 15);
    assert!(report.enforced.iter().all(|line| !line.wanted.is_empty() && !line.by.is_empty()));
    assert!(report.usage.wall_us > 0 && report.usage.peak_memory > 1 << 20);
}

#[test]
fn a_survivor_with_its_own_session_dies_with_the_run() {
    let mark = "survivor-5f1c";
    let code = format!(
        "import posix, time # {mark}\nif posix.fork() == 0:\n posix.setsid()\n\
         \x20if posix.fork() == 0: time.sleep(99)\n posix._exit(0)\nposix.wait(); print('left')"
    );
    assert_eq!(printed(&code), "left");
    assert_eq!(alive(mark), [] as [u32; 0]);
}

#[test]
fn nothing_is_alive_after_a_limit() {
    let mark = "limited-81d2";
    let code = format!(
        "import posix, time # {mark}\nfor i in range(8):\n if posix.fork() == 0: time.sleep(99)\n\
         time.sleep(99)"
    );
    run_within(&code, |limits| limits.wall_ms = 200);
    assert_eq!(alive(mark), [] as [u32; 0]);
}

#[test]
fn killing_the_helper_kills_the_run() {
    let mark = "orphan-77ab";
    let code = format!(
        "import posix, time # {mark}\nif posix.fork() == 0: posix.setsid()\n\
         posix.write(3, b'on'); time.sleep(99)"
    );
    let mut asked = spec(&code);
    asked.channel = true;
    let mut helper = Helper::start();
    helper.ask(&asked);
    let mut said = [0; 4];
    helper.channel.read_exact(&mut said).unwrap();
    assert_eq!((&said, alive(mark).len()), (b"onon", 2));
    kill(Pid::from_raw(helper.child.id().try_into().unwrap()), Signal::SIGKILL).unwrap();
    helper.child.wait().unwrap();
    assert_eq!(helper.channel_text(), "");
    wait_until("all have gone", || alive(mark).is_empty());
}

#[test]
fn the_caller_going_away_ends_the_run() {
    let mark = "left-alone-90cc";
    let mut helper = Helper::start();
    helper.ask(&spec(&format!("import time; time.sleep(99) # {mark}")));
    wait_until("it runs", || !alive(mark).is_empty());
    drop(helper.control);
    assert!(helper.child.wait().unwrap().success());
    assert_eq!(alive(mark), [] as [u32; 0]);
}

#[test]
fn signalling_everybody_reaches_nobody_outside() {
    let others = "import posix\nfor pid in (1, -1):\n try: posix.kill(pid, 9); print('reached')\n\
                  \x20except OSError as error: print(type(error).__name__)";
    assert_eq!(printed(others), "PermissionError\nProcessLookupError");
    let group = "import posix; posix.killpg(posix.getpgid(0), 9)";
    assert_eq!(ended(group), (Verdict::Signal, None, Some(9)));
}

#[test]
fn pid_1_cannot_be_limited_traced_or_stopped() {
    let code = "import posix, resource\nfor attempt in (\n\
                \x20lambda: resource.prlimit(1, resource.RLIMIT_CPU, (0, 0)),\n\
                \x20lambda: posix.kill(1, 19),\n):\n\
                \x20try: attempt()\n except OSError as error: print(error.errno)\n\
                print('done')";
    assert_eq!(printed(code), "1\n1\ndone");
}

#[test]
fn two_hundred_runs_leave_no_zombie() {
    let children = || {
        let own = format!("/proc/self/task/{}/children", nix::unistd::gettid());
        std::fs::read_to_string(own).unwrap().split_ascii_whitespace().count()
    };
    let before = children();
    let mut asked = spec("");
    asked.argv = vec!["/usr/bin/true".to_owned()];
    for _ in 0..200 {
        assert_eq!(run(&asked).verdict, Verdict::Ok);
    }
    assert_eq!(children(), before);
}

#[test]
fn a_missing_program_is_not_started() {
    let mut asked = spec("");
    asked.argv = vec!["/usr/bin/no-such-program".to_owned()];
    let report = run(&asked);
    assert_eq!(report.verdict, Verdict::NotStarted);
    assert!(report.error.unwrap().contains("no-such-program"));
}

#[test]
fn a_missing_mount_is_named() {
    let mut asked = spec("pass");
    asked.mounts[0].path = "/no/such/tree".into();
    let report = run(&asked);
    assert_eq!(report.verdict, Verdict::NotStarted);
    assert!(report.error.unwrap().contains("/no/such/tree"));
}

#[test]
fn a_step_that_fails_before_the_start_is_told_once_and_whole() {
    let mut asked = spec("pass");
    asked.limits.open_files = u32::MAX;
    let report = run(&asked);
    assert_eq!(report.verdict, Verdict::NotStarted);
    let why = "the program did not start: setting resource limits: EPERM: Operation not permitted";
    assert_eq!(report.error.as_deref(), Some(why));
}

#[test]
fn a_request_that_does_not_fit_into_the_private_root_is_not_run_with_less_isolation() {
    let mut asked = spec("pass");
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    // A folder of its own for each, and so more entries than the root may have.
    let deep = |number: u32| folder.path().join(format!("{number}/a/b/c/d/e/f/g/h/i/j"));
    for number in 0..400 {
        std::fs::create_dir_all(deep(number)).unwrap();
        asked.mounts.push(Mount { path: deep(number), writable: false });
    }
    let report = run(&asked);
    assert_eq!(report.verdict, Verdict::NotStarted);
    assert!(report.error.unwrap().contains("making a mount point: ENOSPC"));
}

#[test]
fn a_level_that_cannot_be_reached_is_refused_with_the_reason() {
    let mut asked = spec("pass");
    asked.require_level = Some(Level::A);
    let report = run(&asked);
    assert_eq!((report.verdict, report.level), (Verdict::Internal, Level::B));
    let why = report.error.unwrap();
    assert!(why.starts_with("level A is wanted, B is the most this machine gives: no "), "{why}");
}

#[test]
fn a_request_that_is_none_is_answered_with_the_reason() {
    let mut helper = Helper::start();
    helper.control.write_all(b"{\"version\": 1}\n").unwrap();
    let report = helper.report();
    assert_eq!(report.verdict, Verdict::Internal);
    assert!(report.error.unwrap().contains("argv"));
}

#[test]
fn a_refusal_does_not_repeat_a_long_request() {
    let mut helper = Helper::start();
    let long = format!("{{\"version\": \"{}\"}}\n", "¡".repeat(100_000));
    helper.control.write_all(long.as_bytes()).unwrap();
    let why = helper.report().error.unwrap();
    assert!(why.contains("not a run") && why.ends_with('…') && why.len() < 4096, "{why}");
}

#[test]
fn no_request_at_all_ends_quietly() {
    let mut helper = Helper::start();
    drop(helper.control);
    assert!(helper.child.wait().unwrap().success());
}

#[test]
fn wrong_use_is_one_line_and_status_1() {
    let binary = env!("CARGO_BIN_EXE_vosim-sandbox");
    for words in [&["--what"][..], &["--user", "0"], &[]] {
        let output = std::process::Command::new(binary)
            .args(words)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{words:?}");
    }
    let version = std::process::Command::new(binary).arg("--version").output().unwrap();
    assert!(version.stdout.starts_with(b"vosim-sandbox "));
}

#[test]
fn the_same_limits_hold_for_another_program() {
    let mut asked = spec("");
    asked.argv = ["/usr/bin/yes", "y"].map(str::to_owned).to_vec();
    asked.limits.output_max = limits().output_keep;
    assert!(matches!(run(&asked).verdict, Verdict::Limit { .. }));
}
