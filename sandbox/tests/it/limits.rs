//! Every limit ends the run it is meant for and is named by its own word.

use vosim_sandbox_spec::{Control, Limit, MemoryBy, Verdict};

use crate::harness::{limits, printed, run_within};

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
fn handling_the_signal_does_not_buy_cpu() {
    let code = "import _signal as s\nfor n in (s.SIGTERM, s.SIGXCPU): s.signal(n, s.SIG_IGN)\n\
                while True: pass";
    assert_eq!(run_within(code, |limits| limits.cpu_ms = 200).verdict, limit(Limit::Cpu));
}

#[test]
fn cpu_of_children_is_summed() {
    let four = "import posix\nfor i in range(4):\n if posix.fork() == 0:\n  while True: pass\n\
                posix.wait()";
    let report = run_within(four, |limits| limits.cpu_ms = 300);
    assert_eq!(report.verdict, limit(Limit::Cpu));
    assert!(report.usage.processes_peak >= 5);
}

#[test]
fn cpu_of_a_chain_of_short_processes_is_summed() {
    let chain = "import posix\nwhile True:\n if posix.fork() == 0:\n  sum(range(100000))\n\
                 \x20 posix._exit(0)\n posix.wait()";
    assert_eq!(run_within(chain, |limits| limits.cpu_ms = 300).verdict, limit(Limit::Cpu));
}

#[test]
fn cpu_of_children_that_nobody_waits_for_is_summed() {
    let code = "import posix, _signal as s\ns.signal(s.SIGCHLD, s.SIG_IGN)\nwhile True:\n\
                \x20if posix.fork() == 0:\n  sum(range(3000000))\n  posix._exit(0)\n\
                \x20try: posix.wait()\n except OSError: pass";
    assert_eq!(run_within(code, |limits| limits.cpu_ms = 400).verdict, limit(Limit::Cpu));
}

#[test]
fn a_sleeping_program_ends_at_the_wall_limit_and_shows_no_cpu() {
    let report = run_within("import time; time.sleep(99)", |limits| limits.wall_ms = 200);
    assert_eq!(report.verdict, limit(Limit::Wall));
    assert!((200_000..500_000).contains(&report.usage.wall_us), "{:?}", report.usage);
    assert!(report.usage.cpu_user_us + report.usage.cpu_sys_us < 100_000);
}

#[test]
fn a_stopped_program_ends_at_the_wall_limit() {
    let code = "import posix; posix.kill(posix.getpid(), 19)";
    assert_eq!(run_within(code, |limits| limits.wall_ms = 200).verdict, limit(Limit::Wall));
}

#[test]
fn sleeping_in_small_pieces_is_idle_too() {
    let code = "import time\nwhile True: time.sleep(0.02)";
    assert_eq!(run_within(code, |limits| limits.idle_ms = 250).verdict, limit(Limit::Idle));
}

#[test]
fn a_computing_program_is_never_idle() {
    let code = "import time\nend = time.monotonic() + 0.5\nwhile time.monotonic() < end: pass";
    assert_eq!(run_within(code, |limits| limits.idle_ms = 200).verdict, Verdict::Ok);
}

#[test]
fn one_process_gets_a_memory_error_at_the_limit() {
    assert_eq!(printed("try: bytearray(300 << 20)\nexcept MemoryError: print('no')"), "no");
    assert_eq!(printed("print(len(bytearray(200 << 20)))"), (200 << 20).to_string());
}

#[test]
fn reserved_addresses_count_only_where_the_address_space_is_the_measure() {
    let code = "import mmap\ntry: mmap.mmap(-1, 4 << 30, prot=mmap.PROT_READ); print('yes')\n\
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

#[test]
fn memory_of_children_is_summed() {
    let code = "import posix, time\nfor i in range(4):\n if posix.fork() == 0:\n\
                \x20 block = b'x' * (100 << 20)\n  time.sleep(9)\ntime.sleep(9)";
    let report = run_within(code, |_| ());
    assert_eq!(report.verdict, limit(Limit::Memory));
    assert!(report.usage.peak_memory > 256 << 20);
}

#[test]
fn pages_shared_after_a_fork_count_once() {
    let code = "import posix, time\nblock = b'x' * (100 << 20)\nfor i in range(4):\n\
                \x20if posix.fork() == 0:\n  time.sleep(0.2)\n  posix._exit(0)\n\
                for i in range(4): posix.wait()";
    assert_eq!(run_within(code, |_| ()).verdict, Verdict::Ok);
}

#[test]
fn a_fork_bomb_stops_at_the_limit_of_processes() {
    let code = "import posix, time\nn = 0\ntry:\n while True:\n  if posix.fork() == 0:\n\
                \x20  time.sleep(99)\n  n += 1\nexcept BlockingIOError: print(n)";
    assert_eq!(printed(code), (limits().processes - 1).to_string());
}

#[test]
fn two_fork_bombs_have_their_own_limits() {
    let code = "import posix, time\nn = 0\ntry:\n while True:\n  if posix.fork() == 0:\n\
                \x20  time.sleep(99)\n  n += 1\nexcept BlockingIOError:\n time.sleep(0.2)\n print(n)";
    let other = std::thread::spawn(move || printed(code));
    assert_eq!(printed(code), other.join().unwrap());
}

#[test]
fn a_thread_bomb_stops_at_the_limit_of_processes() {
    // It leaves at once: tidying up beside sleeping threads is what Python may crash over.
    let code = "import _thread, posix, time\nn = 0\ntry:\n while True:\n\
                \x20 _thread.start_new_thread(time.sleep, (9,))\n  n += 1\n\
                except RuntimeError: print(n, flush=True); posix._exit(0)";
    assert_eq!(printed(code), (limits().processes - 1).to_string());
}

#[test]
fn a_flood_ends_at_the_output_limit_with_head_tail_and_count() {
    let code = "import posix\nposix.write(1, b'first')\nwhile True: posix.write(1, b'x' * 1000)";
    let report = run_within(code, |_| ());
    assert_eq!(report.verdict, limit(Limit::Output));
    assert!(report.stdout.head.starts_with("firstxxx"));
    assert_eq!((report.stdout.head.len(), report.stdout.tail.len()), (2048, 2048));
    assert!(report.stdout.truncated && report.stdout.bytes > 1 << 20);
}

#[test]
fn both_streams_count_towards_the_output_limit() {
    let code = "import posix\nwhile True: posix.write(1, b'x' * 99); posix.write(2, b'y' * 99)";
    let report = run_within(code, |_| ());
    assert_eq!(report.verdict, limit(Limit::Output));
    assert!(report.stdout.bytes > 1 << 18 && report.stderr.bytes > 1 << 18);
}

#[test]
fn much_output_within_the_limit_is_cut_and_the_program_goes_on() {
    let report = run_within("print('x' * 900_000); print('last')", |_| ());
    assert_eq!(report.verdict, Verdict::Ok);
    assert!(report.stdout.tail.ends_with("last\n"));
    assert_eq!((report.stdout.bytes, report.stdout.truncated), (900_006, true));
}

#[test]
fn nothing_can_be_written_without_a_file_size() {
    let code = "import posix\nfor path in ('/work/a', '/tmp/a', '/dev/shm/a', '/etc/a'):\n\
                \x20try: posix.open(path, posix.O_CREAT | posix.O_WRONLY); print(path)\n\
                \x20except OSError: pass\n\
                try: print(posix.memfd_create('a'))\nexcept OSError as error: print(error.errno)";
    assert_eq!(printed(code), nix::libc::ENOSYS.to_string());
}

#[test]
fn a_file_grows_to_its_limit_only() {
    let code = "import posix\nfd = posix.open('/tmp/a', posix.O_CREAT | posix.O_WRONLY)\n\
                print(posix.write(fd, b'x' * 5000))\n\
                try: posix.write(fd, b'x')\nexcept OSError as error: print(error.errno)";
    let report = run_within(code, |limits| limits.file_size = 4096);
    let words = format!("4096\n{}\n", nix::libc::EFBIG);
    assert_eq!((report.verdict, report.stdout.head), (Verdict::Ok, words));
}
