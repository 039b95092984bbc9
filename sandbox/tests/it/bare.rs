//! Where the kernel gives no namespaces (level C), Landlock and the filter carry it alone. The
//! refusal is forced: the helper runs in a user namespace that allows no further one.

use vosim_sandbox_spec::{Control, Layer, Level, Limit, RunReport, RunSpec, Verdict};

use crate::harness::{bare_helper, spec};

fn run(spec: &RunSpec) -> RunReport {
    let mut helper = bare_helper();
    helper.ask(spec);
    helper.report()
}

fn printed(code: &str) -> String {
    let report = run(&spec(code));
    assert_eq!(report.verdict, Verdict::Ok, "{report:#?}");
    report.stdout.head.trim_end().to_owned()
}

#[test]
fn the_level_is_told_with_its_reason() {
    let report = run(&spec("pass"));
    assert_eq!((report.verdict, report.level), (Verdict::Ok, Level::C));
    let files = report.enforced.iter().find(|line| line.control == Control::Files).unwrap();
    assert_eq!(files.held, Layer::Degraded);
    assert!(files.note.contains("namespaces"), "{}", files.note);
}

#[test]
fn who_wants_namespaces_gets_no_run_without() {
    let mut asked = spec("pass");
    asked.require_level = Some(Level::B);
    assert_eq!(run(&asked).verdict, Verdict::Internal);
}

#[test]
fn files_outside_the_runtime_are_closed() {
    let code = "import posix\nfor path in ('/etc/passwd', '/proc/self/environ', '/tmp', '/'):\n\
                \x20try: posix.open(path, posix.O_RDONLY); print(path)\n\
                \x20except PermissionError: print('no')\n\
                try: posix.open('here', posix.O_CREAT | posix.O_WRONLY)\n\
                except PermissionError: print('no')";
    assert_eq!(printed(code), "no\nno\nno\nno\nno");
}

#[test]
fn no_socket_no_process_but_threads() {
    let code = "import posix, _thread, _socket\nfor call in (_socket.socket, posix.fork):\n\
                \x20try: call(); print('made')\n except OSError as error: print(error.errno)\n\
                lock = _thread.allocate_lock(); lock.acquire()\n\
                _thread.start_new_thread(lock.release, ()); lock.acquire(); print('thread')";
    assert_eq!(printed(code), "13\n11\nthread");
}

#[test]
fn nobody_outside_can_be_signalled() {
    let code = "import posix\ntry: posix.kill(posix.getppid(), 0); print('reached')\n\
                except PermissionError: print('no')";
    assert_eq!(printed(code), "no");
}

#[test]
fn limits_hold_as_well() {
    let mut asked = spec("while True: pass");
    asked.limits.cpu_ms = 200;
    assert_eq!(run(&asked).verdict, Verdict::Limit { limit: Limit::Cpu });
    let mut asked = spec("import time; time.sleep(99)");
    asked.limits.wall_ms = 200;
    assert_eq!(run(&asked).verdict, Verdict::Limit { limit: Limit::Wall });
}

#[test]
fn the_request_s_files_are_there_and_gone_afterwards() {
    let mut asked = spec("import posix; print(posix.getcwd()); print(open('a').read())");
    asked.files = [("a".to_owned(), "text".to_owned())].into();
    let report = run(&asked);
    let (place, text) = report.stdout.head.split_once('\n').unwrap();
    assert_eq!(text, "text\n");
    assert!(!std::path::Path::new(place).exists());
}
