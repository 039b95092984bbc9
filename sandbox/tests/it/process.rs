//! The end of a program is named truly, and no process of it is alive afterwards.

use std::fs::Permissions;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;

use vosim_sandbox_spec::{Level, Mount, Verdict};

use crate::harness::{Helper, alive, limits, run, spec};

#[test]
fn the_report_says_of_each_control_what_was_wanted_and_what_held() {
    let report = run(&spec("pass"));
    assert_eq!(report.level, Level::B);
    assert_eq!(report.enforced.len(), 15);
    assert!(report.enforced.iter().all(|line| !line.wanted.is_empty() && !line.by.is_empty()));
    assert!(report.usage.wall_us > 0 && report.usage.peak_memory > 1 << 20);
}

#[test]
fn the_kernel_takes_the_program_first_when_memory_is_short() {
    let mark = "short-of-memory-3e9a";
    let mut asked =
        spec(&format!("import posix; posix.write(3, b'on'); posix.read(3, 1) # {mark}"));
    asked.channel = true;
    let mut helper = Helper::start();
    helper.ask(&asked);
    helper.channel.read_exact(&mut [0; 2]).unwrap();
    let score = |pid| std::fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).unwrap();
    assert_eq!(alive(mark).into_iter().map(score).collect::<Vec<_>>(), ["1000\n"]);
    assert_ne!(score(std::process::id()), "1000\n");
    helper.channel.write_all(b"x").unwrap();
    assert_eq!(helper.report().verdict, Verdict::Ok);
}

#[test]
fn who_watches_has_short_turns_and_the_program_usual_ones() {
    let mark = "turns-5b1c";
    let mut asked =
        spec(&format!("import posix; posix.write(3, b'on'); posix.read(3, 1) # {mark}"));
    asked.channel = true;
    let mut helper = Helper::start();
    helper.ask(&asked);
    helper.channel.read_exact(&mut [0; 2]).unwrap();
    let value = |pid: u32, file: &str, name: &str| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.rsplit([':', ' ', '\t']).next()?.parse::<u32>().ok()
    };
    // Nanoseconds. What a kernel does not tell is the same nothing for all.
    let turn = |pid| value(pid, "sched", "se.slice");
    let program = alive(mark)[0];
    assert_eq!(turn(program), turn(std::process::id()));
    if can_choose_turns() {
        let pid_1 = value(program, "status", "PPid").unwrap();
        assert_eq!([pid_1, helper.child.id()].map(turn), [Some(100_000); 2]);
    }
    helper.channel.write_all(b"x").unwrap();
    assert_eq!(helper.report().verdict, Verdict::Ok);
}

/// Linux 6.12, with the file that tells about it.
fn can_choose_turns() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next(), numbers.next());
    version >= (Some(6), Some(12)) && std::path::Path::new("/proc/self/sched").exists()
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
    let why = report.error.unwrap();
    let (asked, may) = why.split_once(", and ").unwrap();
    assert_eq!(asked, "the program did not start: the run needs RLIMIT_NOFILE 4294967295");
    assert!(may.ends_with(" is all that may be had here; raise that limit (ulimit -n)"), "{why}");
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
    assert!(report.error.unwrap().contains("making a mount point: there is no room left"));
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

#[test]
fn runs_under_way_at_one_time_have_accounts_of_their_own() {
    let mut helpers = [Helper::start(), Helper::start()];
    for helper in &mut helpers {
        let mut asked = spec("import posix\nposix.write(3, b'x')\nposix.read(3, 1)");
        asked.channel = true;
        helper.ask(&asked);
        helper.channel.read_exact(&mut [0]).unwrap();
    }
    let accounts = helpers.map(|mut helper| {
        helper.channel.write_all(b"g").unwrap();
        helper.report().enforced[0].note.clone()
    });
    let root = nix::unistd::geteuid().is_root();
    assert_eq!(accounts[0] != accounts[1], root, "{accounts:?}");
}
