//! A held program waits with every layer in place; its limits count from the caller's word on, and
//! before it is bounded by its own.

use std::io::{Read as _, Write as _};

use vosim_sandbox_spec::{Hold, Level, Limit, RunReport, RunSpec, Verdict, Word};

use crate::harness::{Helper, alive, bare_helper, spec, wait_until};

/// Long enough that it never comes into the way.
const HOLD: Hold = Hold { wait_ms: 30_000, cpu_ms: 10_000 };

/// A program that says when it is ready and goes on once its channel has told it so.
fn held(prepare: &str, then: &str) -> RunSpec {
    let code = format!(
        "import posix, time\n{prepare}\nposix.write(3, b'r')\nposix.read(3, 1)\n{then}\nposix.write(3, b'd')"
    );
    RunSpec { channel: true, hold: Some(HOLD), ..spec(&code) }
}

fn ready(helper: &mut Helper) {
    let mut byte = [0];
    helper.channel.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"r");
}

fn say(helper: &mut Helper, word: &str) {
    helper.control.write_all(word.as_bytes()).unwrap();
}

fn let_go(helper: &mut Helper, word: Word) {
    say(helper, &(serde_json::to_string(&word).unwrap() + "\n"));
    helper.channel.write_all(b"g").unwrap();
}

fn run(spec: &RunSpec, word: Word) -> RunReport {
    run_by(Helper::start(), spec, word)
}

fn run_by(mut helper: Helper, spec: &RunSpec, word: Word) -> RunReport {
    helper.ask(spec);
    ready(&mut helper);
    let_go(&mut helper, word);
    helper.report()
}

const HALF_A_SECOND: &str =
    "end = time.process_time() + 0.5\nwhile time.process_time() < end: pass";

#[test]
fn what_is_used_before_the_word_counts_in_no_limit() {
    let mut asked = held(HALF_A_SECOND, "pass");
    asked.limits.cpu_ms = 300;
    asked.limits.wall_ms = 400;
    let report = run(&asked, Word::default());
    assert_eq!(report.verdict, Verdict::Ok, "{report:#?}");
    let waited = report.waited.unwrap();
    assert!(waited.cpu_us >= 500_000 && waited.wall_us >= 500_000, "{waited:?}");
    let used = report.usage.cpu_user_us + report.usage.cpu_sys_us;
    assert!(used < 300_000 && report.usage.wall_us < 400_000, "{:?}", report.usage);
}

#[test]
fn the_limits_count_from_the_word_on() {
    let mut asked = held("", "while True: pass");
    asked.limits.cpu_ms = 200;
    let report = run(&asked, Word::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    let used = report.usage.cpu_user_us + report.usage.cpu_sys_us;
    assert!((180_000..500_000).contains(&used), "{used} us");

    let mut asked = held("time.sleep(0.5)", "time.sleep(99)");
    asked.limits.wall_ms = 300;
    let report = run(&asked, Word::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Wall });
    assert!(report.usage.wall_us >= 300_000, "{:?}", report.usage);

    let mut asked = held("time.sleep(0.5)", "time.sleep(99)");
    asked.limits.idle_ms = 300;
    let report = run(&asked, Word::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Idle });
    assert!(report.usage.wall_us >= 300_000, "{:?}", report.usage);
}

#[test]
fn handling_the_kernel_s_signal_does_not_buy_a_held_program_cpu() {
    let ignore = "import _signal as s\ns.signal(s.SIGXCPU, s.SIG_IGN)";
    let mut asked = held(ignore, "while True: pass");
    asked.limits.cpu_ms = 200;
    let report = run(&asked, Word::default());
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
}

#[test]
fn the_word_lowers_limits_and_the_kernel_s_bound_follows() {
    let bound = "import resource\nfirst = resource.getrlimit(resource.RLIMIT_CPU)[0]";
    let changed = "last = first\nwhile last == first: last = resource.getrlimit(resource.RLIMIT_CPU)[0]\n\
                   print(first)\nprint(last)";
    let report = run(&held(bound, changed), Word::default());
    let seen: Vec<u64> = report.stdout.head.lines().map(|line| line.parse().unwrap()).collect();
    // 5 s and 10 s before the word, and one above.
    assert_eq!(seen[0], 16);
    assert!((6..=7).contains(&seen[1]), "{seen:?}");

    let word = Word { wall_ms: Some(200), ..Word::default() };
    let report = run(&held("", "time.sleep(99)"), word);
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Wall });
    let word = Word { cpu_ms: Some(200), wall_ms: Some(u64::MAX), ..Word::default() };
    let report = run(&held("", "while True: pass"), word);
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
}

#[test]
fn before_the_word_it_is_bounded_by_its_own() {
    let mut asked = held("while True: pass", "");
    asked.hold = Some(Hold { cpu_ms: 200, ..HOLD });
    let mut helper = Helper::start();
    helper.ask(&asked);
    let report = helper.report();
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    assert_eq!(report.waited, None);

    let mut asked = held("", "");
    asked.hold = Some(Hold { wait_ms: 300, ..HOLD });
    let mut helper = Helper::start();
    helper.ask(&asked);
    let report = helper.report();
    assert_eq!((report.verdict, report.waited), (Verdict::Limit { limit: Limit::Wall }, None));

    let mut helper = Helper::start();
    helper.ask(&held("bytearray(600 << 20)", ""));
    assert_eq!(helper.report().verdict, Verdict::Exit);
}

#[test]
fn one_that_ends_before_the_word_says_so_by_leaving_the_waiting_out() {
    let mut helper = Helper::start();
    helper.ask(&held("posix._exit(3)", ""));
    let report = helper.report();
    assert_eq!((report.verdict, report.exit_code), (Verdict::Exit, Some(3)));
    assert_eq!(report.waited, None);
}

#[test]
fn each_later_word_lowers_limits_again_and_none_raises_them() {
    let mut helper = Helper::start();
    helper.ask(&held("", "while True: pass"));
    ready(&mut helper);
    let_go(&mut helper, Word { cpu_ms: Some(4_000), ..Word::default() });
    say(&mut helper, "{\"cpu_ms\":300}\n{\"cpu_ms\":3000}\n");
    let report = helper.report();
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    assert!(report.usage.cpu_user_us + report.usage.cpu_sys_us < 1_500_000, "{:?}", report.usage);
}

#[test]
fn a_word_may_come_right_behind_the_request() {
    let mut helper = Helper::start();
    let mut both = serde_json::to_vec(&held("", "pass")).unwrap();
    both.extend(b"\n{}\n");
    helper.control.write_all(&both).unwrap();
    ready(&mut helper);
    helper.channel.write_all(b"g").unwrap();
    let report = helper.report();
    assert_eq!(report.verdict, Verdict::Ok);
    assert!(report.waited.is_some());
}

#[test]
fn a_word_may_come_in_pieces() {
    let mut helper = Helper::start();
    helper.ask(&held("", "time.sleep(99)"));
    ready(&mut helper);
    for piece in ["{\"wall_", "ms\":", "100}", "\n"] {
        say(&mut helper, piece);
    }
    assert_eq!(helper.report().verdict, Verdict::Limit { limit: Limit::Wall });
}

#[test]
fn what_is_no_word_ends_it_and_is_nobody_s_verdict() {
    let mut helper = Helper::start();
    helper.ask(&held("", ""));
    ready(&mut helper);
    say(&mut helper, "go!\n");
    let report = helper.report();
    assert_eq!((report.verdict, report.waited), (Verdict::Internal, None));
    assert!(report.error.unwrap().contains("word"));
}

#[test]
fn the_end_of_the_control_channel_means_kill_before_the_word_and_after() {
    for (mark, goes) in [("vosim-held-before", false), ("vosim-held-after", true)] {
        for start in [Helper::start as fn() -> Helper, bare_helper] {
            let mut helper = start();
            helper.ask(&held(&format!("mark = {mark:?}"), "time.sleep(99)"));
            ready(&mut helper);
            if goes {
                let_go(&mut helper, Word::default());
            }
            assert!(!alive(mark).is_empty());
            helper.control.shutdown(std::net::Shutdown::Write).unwrap();
            wait_until("everything has gone", || alive(mark).is_empty());
            helper.child.wait().unwrap();
        }
    }
}

#[test]
fn every_layer_is_in_place_before_the_word() {
    let look = "import _socket\ntry: _socket.socket()\nexcept OSError as e: print(e.errno)\n\
                try: posix.open('/etc/hostname', 0)\nexcept OSError as e: print(e.errno)";
    let cold = crate::harness::run(&spec(&format!("import posix\n{look}")));
    let report = run(&held(look, "pass"), Word::default());
    assert_eq!(report.stdout.head, cold.stdout.head);
    assert_eq!((report.enforced, report.level), (cold.enforced, cold.level));
}

#[test]
fn it_holds_without_namespaces_too() {
    let mut asked = held(HALF_A_SECOND, "while True: pass");
    asked.limits.cpu_ms = 200;
    let report = run_by(bare_helper(), &asked, Word::default());
    assert_eq!(report.level, Level::C);
    assert_eq!(report.verdict, Verdict::Limit { limit: Limit::Cpu });
    assert!(report.waited.unwrap().cpu_us >= 500_000);
}
