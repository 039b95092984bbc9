//! Where the kernel gives neither namespaces nor Landlock (level D), nothing is run. Both refusals
//! are forced: namespaces as for level C, Landlock by a filter that answers ENOSYS.

use std::process::Command;

use vosim_sandbox_spec::{Level, RunReport, RunSpec, Verdict};

use crate::harness::{HELPER, Helper, WITHOUT_NAMESPACES, python, spec, unprivileged};

/// Installs a filter that knows no Landlock, then becomes what its arguments say.
pub(crate) const WITHOUT_LANDLOCK: &str = "\
import ctypes, os, struct, sys
step = lambda code, jt, jf, k: struct.pack('HBBI', code, jt, jf, k)
program = (step(0x20, 0, 0, 0) + step(0x35, 0, 2, 444) + step(0x25, 1, 0, 446)
           + step(0x06, 0, 0, 0x00050000 | 38) + step(0x06, 0, 0, 0x7fff0000))
held = ctypes.create_string_buffer(program)
class Fprog(ctypes.Structure):
    _fields_ = [('len', ctypes.c_ushort), ('filter', ctypes.c_void_p)]
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
fprog = Fprog(len(program) // 8, ctypes.addressof(held))
assert libc.prctl(22, 2, ctypes.byref(fprog), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
";

/// Becomes the helper where Landlock is unknown, with namespaces or without.
pub(crate) fn without_landlock(namespaces: bool) -> Command {
    let words = [python(), "-c", WITHOUT_LANDLOCK, HELPER];
    if !namespaces {
        return unprivileged(&[&WITHOUT_NAMESPACES[..], &words].concat());
    }
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).env_clear();
    command
}

fn run(namespaces: bool, spec: &RunSpec) -> RunReport {
    let mut helper = Helper::start_by(&mut without_landlock(namespaces));
    helper.ask(spec);
    helper.report()
}

#[test]
fn without_namespaces_and_landlock_nothing_is_run() {
    let report = run(false, &spec("print('ran')"));
    assert_eq!((report.level, report.stdout.bytes), (Level::D, 0), "{report:#?}");
    assert_eq!(report.verdict, Verdict::NotStarted);
    assert!(report.error.unwrap().contains("Landlock ABI 3 is needed"));
    assert!(report.enforced.is_empty());
}

#[test]
fn namespaces_carry_a_run_without_landlock_and_the_record_says_so() {
    let report = run(true, &spec("print('ran')"));
    assert_eq!((report.verdict, report.level), (Verdict::Ok, Level::B), "{report:#?}");
    assert!(report.enforced.iter().any(|line| line.note == "no Landlock"), "{report:#?}");
}
