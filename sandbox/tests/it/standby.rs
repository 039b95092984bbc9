//! A program on standby waits with every layer in place; its limits count from the go signal on,
//! and until then it has limits of its own.

use std::io::{Read as _, Write as _};

use vosim_sandbox_spec::{Go, Level, Limit, RunReport, RunSpec, Standby, Verdict};

use crate::harness::{Helper, alive, level_c_helper, spec, wait_until};

/// Long enough that it never comes into the way.
const STANDBY: Standby = Standby { wait_ms: 30_000, cpu_ms: 10_000 };

/// A program that says when it is ready and goes on once its channel has told it so.
fn on_standby(prepare: &str, then: &str) -> RunSpec {
    let code = format!(
        "import posix, time\n{prepare}\nposix.write(3, b'r')\nposix.read(3, 1)\n{then}\nposix.write(3, b'd')"
    );
    RunSpec { channel: true, standby: Some(STANDBY), ..spec(&code) }
}

fn ready(helper: &mut Helper) {
    let mut byte = [0];
    helper.channel.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"r");
}

fn say(helper: &mut Helper, line: &str) {
    helper.control.write_all(line.as_bytes()).unwrap();
}

fn go(helper: &mut Helper, go: Go) {
    say(helper, &(serde_json::to_string(&go).unwrap() + "\n"));
    helper.channel.write_all(b"g").unwrap();
}

fn run(spec: &RunSpec, signal: Go) -> RunReport {
    run_by(Helper::start(), spec, signal)
}

fn run_by(mut helper: Helper, spec: &RunSpec, signal: Go) -> RunReport {
    helper.ask(spec);
    ready(&mut helper);
    go(&mut helper, signal);
    helper.report()
}

const HALF_A_SECOND: &str =
    "end = time.process_time() + 0.5\nwhile time.process_time() < end: pass";

#[test]
fn what_is_used_before_the_go_signal_counts_in_no_limit() {
    let mut asked = on_standby(HALF_A_SECOND, "pass");
    asked.limits.cpu_ms = 300;
    asked.limits.wall_ms = 400;
    let report = run(&asked, Go::default());
    assert_eq!(report.verdict, Verdict::Ok, "{report:#?}");
    let waited = report.waited.unwrap();
    assert!(waited.cpu_us >= 500_000 && waited.wall_us >= 500_000, "{waited:?}");
    let used = report.usage.cpu_user_us + report.usage.cpu_sys_us;
    assert!(used < 300_000 && report.usage.wall_us < 400_000, "{:?}", report.usage);
}

#[test]
fn the_limits_count_from_the_go_signal_on() {
    let mut asked = on_standby("", "while True: pass");
    asked.limits.cpu_ms = 200;
    let report = run(&asked, Go::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    let used = report.usage.cpu_user_us + report.usage.cpu_sys_us;
    assert!((180_000..500_000).contains(&used), "{used} us");

    let mut asked = on_standby("time.sleep(0.5)", "time.sleep(99)");
    asked.limits.wall_ms = 300;
    let report = run(&asked, Go::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Wall });
    assert!(report.usage.wall_us >= 300_000, "{:?}", report.usage);

    let mut asked = on_standby("time.sleep(0.5)", "time.sleep(99)");
    asked.limits.idle_ms = 300;
    let report = run(&asked, Go::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Idle });
    assert!(report.usage.wall_us >= 300_000, "{:?}", report.usage);
}

#[test]
fn handling_the_kernel_s_signal_does_not_buy_a_program_on_standby_cpu() {
    let ignore = "import _signal as s\ns.signal(s.SIGXCPU, s.SIG_IGN)";
    let mut asked = on_standby(ignore, "while True: pass");
    asked.limits.cpu_ms = 200;
    let report = run(&asked, Go::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
}

#[test]
fn the_go_signal_lowers_limits_and_the_kernel_s_bound_follows() {
    let bound = "import resource\nfirst = resource.getrlimit(resource.RLIMIT_CPU)[0]";
    let changed = "last = first\nwhile last == first: last = resource.getrlimit(resource.RLIMIT_CPU)[0]\n\
                   print(first)\nprint(last)";
    let report = run(&on_standby(bound, changed), Go::default());
    let seen: Vec<u64> = report.stdout.head.lines().map(|line| line.parse().unwrap()).collect();
    // 5 s and 10 s before the signal, and one above.
    assert_eq!(seen[0], 16);
    assert!((6..=7).contains(&seen[1]), "{seen:?}");

    let signal = Go { wall_ms: Some(200), ..Go::default() };
    let report = run(&on_standby("", "time.sleep(99)"), signal);
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Wall });
    let signal = Go { cpu_ms: Some(200), wall_ms: Some(u64::MAX), ..Go::default() };
    let report = run(&on_standby("", "while True: pass"), signal);
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
}

#[test]
fn before_the_go_signal_it_is_bounded_by_its_own() {
    let mut asked = on_standby("while True: pass", "");
    asked.standby = Some(Standby { cpu_ms: 200, ..STANDBY });
    let mut helper = Helper::start();
    helper.ask(&asked);
    let report = helper.report();
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    assert_eq!(report.waited, None);

    let mut asked = on_standby("", "");
    asked.standby = Some(Standby { wait_ms: 300, ..STANDBY });
    let mut helper = Helper::start();
    helper.ask(&asked);
    let report = helper.report();
    assert_eq!((report.verdict, report.waited), (Verdict::Limit { limit: Limit::Wall }, None));

    let mut helper = Helper::start();
    helper.ask(&on_standby("bytearray(600 << 20)", ""));
    assert_eq!(helper.report().verdict, Verdict::Exit);
}

#[test]
fn one_that_ends_before_the_go_signal_says_so_by_leaving_the_waiting_out() {
    let mut helper = Helper::start();
    helper.ask(&on_standby("posix._exit(3)", ""));
    let report = helper.report();
    assert_eq!((report.verdict, report.exit_code), (Verdict::Exit, Some(3)));
    assert_eq!(report.waited, None);
}

#[test]
fn each_later_signal_lowers_limits_again_and_none_raises_them() {
    let mut helper = Helper::start();
    helper.ask(&on_standby("", "while True: pass"));
    ready(&mut helper);
    go(&mut helper, Go { cpu_ms: Some(4_000), ..Go::default() });
    say(&mut helper, "{\"cpu_ms\":300}\n{\"cpu_ms\":3000}\n");
    let report = helper.report();
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    assert!(report.usage.cpu_user_us + report.usage.cpu_sys_us < 1_500_000, "{:?}", report.usage);
}

#[test]
fn a_signal_may_come_right_behind_the_request() {
    let mut helper = Helper::start();
    let mut both = serde_json::to_vec(&on_standby("", "pass")).unwrap();
    both.extend(b"\n{}\n");
    helper.control.write_all(&both).unwrap();
    ready(&mut helper);
    helper.channel.write_all(b"g").unwrap();
    let report = helper.report();
    assert_eq!(report.verdict, Verdict::Ok);
    assert!(report.waited.is_some());
}

#[test]
fn a_signal_may_come_in_pieces() {
    let mut helper = Helper::start();
    helper.ask(&on_standby("", "time.sleep(99)"));
    ready(&mut helper);
    for piece in ["{\"wall_", "ms\":", "100}", "\n"] {
        say(&mut helper, piece);
    }
    assert_eq!(helper.report().verdict, Verdict::Limit { limit: Limit::Wall });
}

#[test]
fn what_is_no_signal_ends_it_and_is_nobody_s_verdict() {
    let mut helper = Helper::start();
    helper.ask(&on_standby("", ""));
    ready(&mut helper);
    say(&mut helper, "go!\n");
    let report = helper.report();
    assert_eq!((report.verdict, report.waited), (Verdict::Internal, None));
    assert!(report.error.unwrap().contains("go signal"));
}

#[test]
fn the_end_of_the_control_channel_means_kill_before_the_go_signal_and_after() {
    for (mark, goes) in [("vosim-standby-before", false), ("vosim-standby-after", true)] {
        for start in [Helper::start as fn() -> Helper, level_c_helper] {
            let mut helper = start();
            helper.ask(&on_standby(&format!("mark = {mark:?}"), "time.sleep(99)"));
            ready(&mut helper);
            if goes {
                go(&mut helper, Go::default());
            }
            assert!(!alive(mark).is_empty());
            helper.control.shutdown(std::net::Shutdown::Write).unwrap();
            wait_until("everything has gone", || alive(mark).is_empty());
            helper.child.wait().unwrap();
        }
    }
}

#[test]
fn every_layer_is_in_place_before_the_go_signal() {
    let look = "import _socket\ntry: _socket.socket()\nexcept OSError as e: print(e.errno)\n\
                try: posix.open('/etc/hostname', 0)\nexcept OSError as e: print(e.errno)";
    let cold = crate::harness::run(&spec(&format!("import posix\n{look}")));
    let report = run(&on_standby(look, "pass"), Go::default());
    assert_eq!(report.stdout.head, cold.stdout.head);
    // The notes name the account, which is each run's own.
    let held = |report: &RunReport| {
        let rows = report.enforced.iter().map(|one| (one.control, one.wanted.clone(), one.held));
        rows.collect::<Vec<_>>()
    };
    assert_eq!((held(&report), report.level), (held(&cold), cold.level));
}

#[test]
fn it_holds_without_namespaces_too() {
    let mut asked = on_standby(HALF_A_SECOND, "while True: pass");
    asked.limits.cpu_ms = 200;
    let report = run_by(level_c_helper(), &asked, Go::default());
    assert_eq!(report.level, Level::C);
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    assert!(report.waited.unwrap().cpu_us >= 500_000);
}
