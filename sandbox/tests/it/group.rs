//! Runs with a control group of their own. Where this machine gives one, it is made, entered, ended
//! and removed; where it gives controllers too, that is level A with all that it promises.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_sandbox_spec::{Control, Layer, Level, Limit, MemoryBy, RunReport, RunSpec, Verdict};

use crate::delegated::{CALLER, Delegated};
use crate::harness::{HELPER, Helper, alive, limits, mounts, spec, wait_until};

fn run_code(delegated: &Delegated, code: &str) -> RunReport {
    delegated.run(&spec(code))
}

fn held(report: &RunReport, control: Control) -> (Layer, &str) {
    let line = report.enforced.iter().find(|line| line.control == control).unwrap();
    (line.held, line.by.as_str())
}

fn limit(limit: Limit) -> Verdict {
    Verdict::Limit { limit }
}

#[test]
fn the_program_alone_stands_in_a_group_of_its_own_that_goes_with_the_run() {
    let Some(delegated) = Delegated::make() else { return };
    let mut asked = spec("import posix, time\nposix.write(3, b'on'); time.sleep(99)");
    asked.channel = true;
    for told in [true, false] {
        let mut helper = delegated.helper(told);
        helper.ask(&asked);
        let mut said = [0; 2];
        std::io::Read::read_exact(&mut helper.channel, &mut said).unwrap();
        let [group] = &delegated.runs()[..] else { panic!("{:?}", delegated.runs()) };
        let inside = fs::read_to_string(group.join("cgroup.procs")).unwrap();
        let pids: Vec<u32> = inside.lines().map(|pid| pid.parse().unwrap()).collect();
        assert_eq!(pids.len(), 1, "{inside}");
        let line = fs::read(format!("/proc/{}/cmdline", pids[0])).unwrap();
        assert!(String::from_utf8_lossy(&line).contains("time.sleep(99)"));
        drop(helper.control);
        assert!(helper.child.wait().unwrap().success());
        assert_eq!(delegated.runs(), [] as [PathBuf; 0]);
    }
}

#[test]
fn the_record_says_what_the_group_holds_and_what_is_lacking() {
    let Some(delegated) = Delegated::make() else { return };
    let report = run_code(&delegated, "pass");
    assert_eq!(report.verdict, Verdict::Ok, "{report:#?}");
    assert_eq!(held(&report, Control::Cpu).1, "cpu.stat every 10 ms, RLIMIT_CPU");
    assert_eq!(held(&report, Control::Cleanup).1, "pid namespace, cgroup.kill");
    if delegated.has_controllers() {
        assert_eq!(report.level, Level::A, "{report:#?}");
        let memory = (Layer::Enforced, "memory.max, RLIMIT_AS");
        assert_eq!(held(&report, Control::Memory), memory);
        assert_eq!(held(&report, Control::Processes), (Layer::Enforced, "pids.max"));
    } else {
        assert_eq!(report.level, Level::B, "{report:#?}");
        let memory = report.enforced.iter().find(|line| line.control == Control::Memory).unwrap();
        let why = format!("no controller memory and pids in {}", delegated.dir.display());
        assert_eq!((memory.held, memory.note.as_str()), (Layer::Degraded, why.as_str()));
    }
}

#[test]
fn level_a_is_promised_only_where_both_controllers_are() {
    let Some(delegated) = Delegated::make() else { return };
    let mut asked = spec("print('ran')");
    asked.require_level = Some(Level::A);
    let report = delegated.run(&asked);
    if delegated.has_controllers() {
        assert_eq!((report.verdict, report.level), (Verdict::Ok, Level::A), "{report:#?}");
    } else {
        assert_eq!((report.verdict, report.stdout.bytes), (Verdict::Internal, 0));
        assert!(report.error.unwrap().contains("no controller memory and pids in "));
    }
}

#[test]
fn computing_is_counted_by_the_group_whoever_waits_for_whom() {
    let Some(delegated) = Delegated::make() else { return };
    // Ignored children, a double fork, a chain in which each process starts the next and ends. Where
    // the machine is busy, those that have ended take up the room of the next for a while.
    for code in [
        "import posix, _signal as s\ns.signal(s.SIGCHLD, s.SIG_IGN)\n\
         if posix.fork() == 0:\n while sum(range(99999)): pass\ntime_out = posix.read(0, 1)\n\
         while True: s.pause()",
        "import posix, _signal as s\nif posix.fork() == 0:\n if posix.fork() == 0:\n\
         \x20 while sum(range(99999)): pass\n posix._exit(0)\nposix.wait(); s.pause()",
        "import posix, _signal as s\nif posix.fork() == 0:\n while True:\n  sum(range(99999))\n\
         \x20 try:\n   if posix.fork(): posix._exit(0)\n  except BlockingIOError: pass\n\
         s.pause()",
    ] {
        let mut asked = spec(code);
        asked.limits.cpu_ms = 400;
        let report = delegated.run(&asked);
        assert_eq!(report.verdict, limit(Limit::Cpu), "{code}: {report:#?}");
        let used = report.usage.cpu_user_us + report.usage.cpu_sys_us;
        assert!((400_000..700_000).contains(&used), "{code}: {used} us");
    }
}

#[test]
fn what_a_killed_helper_left_is_swept_by_the_next_run() {
    let Some(delegated) = Delegated::make() else { return };
    let mark = "swept-4be1";
    let mut helper = delegated.helper(true);
    helper.ask(&spec(&format!("import time; time.sleep(99) # {mark}")));
    wait_until("it runs", || !alive(mark).is_empty());
    let theirs = delegated.runs();
    assert_eq!(theirs.len(), 1);
    // A group that looks like a run's but belongs to somebody in another pid namespace.
    let foreign = delegated.dir.join("vosim-run-1-1-1");
    fs::create_dir(&foreign).unwrap();
    kill(Pid::from_raw(helper.child.id().try_into().unwrap()), Signal::SIGKILL).unwrap();
    helper.child.wait().unwrap();
    assert_eq!(delegated.runs().len(), 2);
    let mut next = delegated.helper(true);
    next.ask(&spec("pass"));
    assert_eq!(next.report().verdict, Verdict::Ok);
    assert_eq!(delegated.runs(), [foreign.as_path()]);
    fs::remove_dir(foreign).unwrap();
    assert_eq!(alive(mark), [] as [u32; 0]);
}

#[test]
fn runs_side_by_side_have_a_group_each() {
    let Some(delegated) = Delegated::make() else { return };
    let mut helpers: Vec<_> = (0..4).map(|_| delegated.helper(true)).collect();
    for helper in &mut helpers {
        helper.ask(&spec("print('ran')"));
    }
    for helper in helpers {
        assert_eq!(helper.report().stdout.head, "ran\n");
    }
    assert_eq!(delegated.runs(), [] as [PathBuf; 0]);
}

#[test]
fn a_place_that_is_none_costs_the_level_and_not_the_run() {
    let mut command = Command::new(HELPER);
    let mut helper = Helper::start_by(command.args(["--cgroup", "/no/such/group"]));
    helper.ask(&spec("print('ran')"));
    let report = helper.report();
    assert_eq!((report.verdict, report.level), (Verdict::Ok, Level::B));
    let memory = report.enforced.iter().find(|line| line.control == Control::Memory).unwrap();
    assert_eq!(memory.note, "/no/such/group is no control group that could be delegated");
}

/// Little enough to be touched in time on a slow machine.
fn within_64_mib(asked: &mut RunSpec) {
    let limits = &mut asked.limits;
    (limits.memory, limits.memory_by) = (64 << 20, MemoryBy::Data);
    (limits.cpu_ms, limits.wall_ms) = (30_000, 60_000);
}

#[test]
fn memory_past_the_bound_is_ended_by_the_kernel_and_no_suspicion() {
    let Some(delegated) = Delegated::whole() else { return };
    for code in [
        // One process; several, together; memory that is in no process.
        "print('so far', flush=True)\nblock = b'x' * (80 << 20)\nprint('never')",
        "import posix, time\nprint('so far', flush=True)\nfor i in range(4):\n\
         \x20if posix.fork() == 0:\n  block = b'x' * (25 << 20)\n  time.sleep(9)\ntime.sleep(9)",
        "import mmap\nprint('so far', flush=True)\nshared = mmap.mmap(-1, 80 << 20)\n\
         for i in range(10): shared.write(b'x' * (8 << 20))\nprint('never')",
    ] {
        let mut asked = spec(code);
        within_64_mib(&mut asked);
        let report = delegated.run(&asked);
        assert_eq!(report.verdict, limit(Limit::Memory), "{code}: {report:#?}");
        assert_eq!((report.suspected, report.stdout.head.as_str()), (None, "so far\n"));
        let peak = report.usage.peak_memory;
        assert!((60 << 20..=64 << 20).contains(&peak), "{code}: {peak}");
    }
}

#[test]
fn files_in_temporary_space_count_as_memory() {
    let Some(delegated) = Delegated::whole() else { return };
    let code = "import posix\nfor place in ('/tmp', '/dev/shm'):\n\
                \x20fd = posix.open(place + '/a', posix.O_CREAT | posix.O_WRONLY)\n\
                \x20for i in range(15): posix.write(fd, b'x' * (1 << 20))\n\
                block = b'x' * (40 << 20)";
    let mut asked = spec(code);
    within_64_mib(&mut asked);
    asked.limits.file_size = 16 << 20;
    assert_eq!(delegated.run(&asked).verdict, limit(Limit::Memory));
}

#[test]
fn refused_processes_are_counted_and_explain_a_bad_end_only() {
    let Some(delegated) = Delegated::whole() else { return };
    let bomb = "import posix, time\nn = 0\nwhile True:\n\
                \x20if posix.fork() == 0: time.sleep(99)\n n += 1";
    let report = run_code(&delegated, bomb);
    assert_eq!(report.verdict, limit(Limit::Processes), "{report:#?}");
    assert_eq!((report.suspected, report.exit_code), (None, Some(1)));
    assert_eq!(report.usage.processes_peak, limits().processes);
    let coping = "import posix, time\nn = 0\ntry:\n while True:\n\
                  \x20 if posix.fork() == 0: time.sleep(99)\n  n += 1\n\
                  except BlockingIOError: print(n)";
    let report = run_code(&delegated, coping);
    assert_eq!(report.verdict, Verdict::Ok, "{report:#?}");
    assert_eq!(report.stdout.head.trim_end(), (limits().processes - 1).to_string());
    let threads = "import _thread, time\nwhile True: _thread.start_new_thread(time.sleep, (9,))";
    assert_eq!(run_code(&delegated, threads).verdict, limit(Limit::Processes));
    // As many as there may be, and then something else goes wrong.
    let full = "import posix, time\nfor i in range(15):\n\
                \x20if posix.fork() == 0: time.sleep(99)\nraise KeyError";
    assert_eq!(run_code(&delegated, full).verdict, Verdict::Exit);
}

#[test]
fn a_fork_bomb_that_goes_on_and_on_is_ended_whole() {
    let Some(delegated) = Delegated::whole() else { return };
    let mark = "bomb-09fd";
    let code =
        format!("import posix # {mark}\nwhile True:\n try: posix.fork()\n except OSError: pass");
    let mut asked = spec(&code);
    asked.limits.cpu_ms = 500;
    assert_eq!(delegated.run(&asked).verdict, limit(Limit::Cpu));
    assert_eq!(alive(mark), [] as [u32; 0]);
}

#[test]
fn by_hand_a_group_of_its_own_is_used_and_given_back() {
    let Some(delegated) = Delegated::whole() else { return };
    // Alone in the delegated group, as systemd-run --scope starts it.
    let enter = "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"";
    fs::remove_dir(delegated.dir.join(CALLER)).unwrap();
    let mut words = vec!["--json", "--require-level", "A"];
    let mounts = mounts();
    for mount in &mounts {
        words.extend(["--mount", mount.path.to_str().unwrap()]);
    }
    let output = Command::new("/bin/sh")
        .args(["-c", enter])
        .arg(&delegated.dir)
        .args([HELPER, "run"])
        .args(words)
        .args(["/usr/bin/true"])
        .output()
        .unwrap();
    let report: RunReport = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report.verdict, report.level), (Verdict::Ok, Level::A), "{report:#?}");
    assert_eq!(delegated.runs(), [] as [PathBuf; 0]);
    let enabled = fs::read_to_string(delegated.dir.join("cgroup.subtree_control")).unwrap();
    assert_eq!(enabled.trim_end(), "");
}
