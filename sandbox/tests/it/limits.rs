//! Every limit ends the run it is meant for and is named by its own word.

use std::process::Command;

use vosim_sandbox_spec::{Control, Limit, MemoryBy, RunReport, Verdict};

use crate::busy::{cores, pin, while_busy};
use crate::harness::{HELPER, Helper, printed, run_within, spec};

fn limit(limit: Limit) -> Verdict {
    Verdict::Limit { limit }
}

#[test]
fn a_spinning_program_ends_at_the_cpu_limit() {
    let report = run_within("while True: pass", |limits| limits.cpu_ms = 200);
    assert_eq!(report.verdict, limit(Limit::Cpu));
    let used = report.usage.cpu_user_us + report.usage.cpu_sys_us;
    assert!((200_000..400_000).contains(&used), "{used} us");
}

#[test]
fn a_sleeping_program_ends_at_the_wall_limit_and_shows_no_cpu() {
    let report = run_within("import time; time.sleep(99)", |limits| limits.wall_ms = 200);
    assert_eq!(report.verdict, limit(Limit::Wall));
    assert!((200_000..500_000).contains(&report.usage.wall_us), "{:?}", report.usage);
    assert!(report.usage.cpu_user_us + report.usage.cpu_sys_us < 100_000);
}

#[test]
fn a_run_that_may_use_one_processor_has_one_with_all_its_children() {
    let code = "import os\nchild = os.fork()\nprint(len(os.sched_getaffinity(0)), flush=True)\n\
                if child:\n    os.wait()";
    let report = run_within(code, |limits| limits.one_core = true);
    assert_eq!((report.verdict, report.stdout.head.as_str()), (Verdict::Ok, "1\n1\n"));
}

#[test]
fn a_computing_program_is_never_idle() {
    let code = "import time\nend = time.monotonic() + 0.5\nwhile time.monotonic() < end: pass";
    assert_eq!(run_within(code, |limits| limits.idle_ms = 200).verdict, Verdict::Ok);
}

#[test]
fn a_program_that_waits_for_a_processor_is_never_idle() {
    let core = cores().next().unwrap();
    let report = while_busy(std::iter::repeat_n(core, 20), || {
        // With twenty others, 10 ms of computing take 200 ms.
        pin(core);
        run_within("for _ in range(1_000_000): pass", |limits| limits.idle_ms = 50)
    });
    assert_eq!(report.verdict, Verdict::Ok, "{:?}", report.usage);
}

#[test]
fn one_process_gets_a_memory_error_at_the_limit() {
    assert_eq!(printed("try: bytearray(300 << 20)\nexcept MemoryError: print('no')"), "no");
    assert_eq!(printed("print(len(bytearray(200 << 20)))"), (200 << 20).to_string());
}

#[test]
fn reserved_addresses_count_only_where_the_address_space_is_the_measure() {
    let code = "import mmap\nflags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS\n\
                try: mmap.mmap(-1, 4 << 30, flags, mmap.PROT_READ); print('yes')\n\
                except OSError: print('no')";
    for (memory_by, answer) in [(MemoryBy::AddressSpace, "no\n"), (MemoryBy::Data, "yes\n")] {
        let report = run_within(code, |limits| limits.memory_by = memory_by);
        assert_eq!((report.verdict, report.stdout.head.as_str()), (Verdict::Ok, answer));
    }
}

#[test]
fn memory_that_is_used_ends_the_run_whatever_the_measure() {
    let code = "import time\nblock = b'x' * (300 << 20)\ntime.sleep(9)";
    let report = run_within(code, |limits| limits.memory_by = MemoryBy::Data);
    assert_eq!(report.verdict, limit(Limit::Memory));
    let memory = report.enforced.iter().find(|line| line.control == Control::Memory).unwrap();
    assert!(memory.by.starts_with("RLIMIT_DATA"), "{memory:?}");
    let most = "try: bytearray(2 << 30)\nexcept MemoryError: print('no')";
    let report = run_within(most, |limits| limits.memory_by = MemoryBy::Data);
    assert_eq!((report.verdict, report.stdout.head.as_str()), (Verdict::Ok, "no\n"));
}

/// What a helper reports of a sound program when it was started with these limits.
fn within(limits: &[&str]) -> RunReport {
    let mut helper =
        Helper::start_by(Command::new("/usr/bin/prlimit").args(limits).arg(HELPER).env_clear());
    helper.ask(&spec("pass"));
    helper.report()
}

#[test]
fn stricter_limits_of_whoever_starts_it_serve_or_are_named() {
    let report = within(&["--core=0", "--sigpending=0", "--stack=4194304"]);
    assert_eq!(report.verdict, Verdict::Ok, "{report:?}");
    let report = within(&["--cpu=3"]);
    assert_eq!(report.verdict, Verdict::NotStarted, "{report:?}");
    let why = report.error.unwrap();
    assert!(why.contains("RLIMIT_CPU 7, and 3 is all") && why.contains("ulimit -t"), "{why}");
}
