//! The probe: what it says of this machine, and of machines that are forced to give less.

use std::process::{Command, Output};

use vosim_sandbox_spec::{
    Control, Layer, Level, Limits, MAKING_NAMESPACES, ProbeReport, Refusal, Shortfall, Verdict,
};

use crate::delegated::Delegated;
use crate::harness::{HELPER, WITHOUT_NAMESPACES, python, run, spec, unprivileged};
use crate::nothing::without_landlock;

fn probe(words: &[&str]) -> Output {
    Command::new(HELPER).arg("probe").args(words).env_clear().output().unwrap()
}

/// The status and the report of a command that ends in becoming `probe --json`.
fn report(command: &mut Command) -> (i32, ProbeReport) {
    let output = command.args(["probe", "--json"]).env_clear().output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code().unwrap(), report.unwrap_or_else(|error| panic!("{error}: {said}")))
}

/// Returns the step at which namespaces were refused.
fn refusal(report: &ProbeReport) -> &Refusal {
    let found = report.run.shortfalls.iter().find_map(|shortfall| match shortfall {
        Shortfall::Namespaces(refusal) => Some(refusal),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("namespaces were not refused in {report:#?}"))
}

#[test]
fn one_run_says_the_level_and_what_every_control_is_held_by() {
    let (status, report) = report(&mut Command::new(HELPER));
    assert_eq!((status, report.version), (0, 1));
    assert!(report.level() <= Level::B, "{report:#?}");
    assert_eq!(report.run.verdict, Verdict::Ok);
    assert_eq!(report.run.enforced.len(), 15);
    for line in &report.run.enforced {
        // At level B the sum of memory is watched and not bounded.
        assert!(line.held == Layer::Enforced || line.control == Control::Memory, "{line:#?}");
    }
    for shortfall in &report.run.shortfalls {
        // Older kernels know less of Landlock.
        let known =
            matches!(shortfall, Shortfall::ControlGroup { .. } | Shortfall::LandlockPartial { .. });
        assert!(known, "{shortfall:#?}");
    }
}

/// The controls that the looking program finds weaker than they should be.
fn weaker(said: &str) -> Vec<Control> {
    let found: Vec<serde_json::Value> = serde_json::from_str(said).unwrap();
    found.into_iter().map(|it| serde_json::from_value(it["control"].clone()).unwrap()).collect()
}

#[test]
fn every_effect_is_seen_in_a_run_and_missed_outside_of_one() {
    let look = ["probe", "--effects"];
    let mut inside = spec("");
    inside.argv = [&[HELPER][..], &look].concat().into_iter().map(str::to_owned).collect();
    inside.limits = Limits::submission();
    let ran = run(&inside);
    assert_eq!((ran.verdict, weaker(&ran.stdout.head)), (Verdict::Ok, Vec::new()), "{ran:#?}");
    let dir = tempfile::tempdir().unwrap();
    let outside = Command::new(HELPER).args(look).current_dir(dir.path()).output().unwrap();
    let missed = weaker(str::from_utf8(&outside.stdout).unwrap());
    for control in [
        Control::Syscalls,
        Control::Privileges,
        Control::Files,
        Control::Isolation,
        Control::Memory,
        Control::OpenFiles,
        Control::Processes,
    ] {
        assert!(missed.contains(&control), "{control:?} is not in {missed:?}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn root_probes_as_the_account_that_runs_programs() {
    let (_, report) = report(&mut Command::new(HELPER));
    let root = nix::unistd::geteuid().is_root();
    let uid = if root { 1_900_000_000 } else { nix::unistd::geteuid().as_raw() };
    assert_eq!(report.uid, uid);
    if root {
        let output = probe(&["--user", "1234:4321", "--json"]);
        let report: ProbeReport = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((report.uid, report.gid), (1234, 4321));
        assert_eq!(report.run.verdict, Verdict::Ok, "{report:#?}");
        assert!(report.run.enforced[0].note.contains("uid 1234"), "{report:#?}");
    }
}

#[test]
fn people_get_a_line_for_each_control() {
    let output = probe(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("Level "), "{text}");
    for line in ["network     enforced none: network namespace", "files       enforced "] {
        assert!(text.contains(&format!("\n  {line}")), "no {line:?} in {text}");
    }
}

#[test]
fn without_namespaces_it_says_level_c_with_the_kernel_s_answer() {
    let (status, report) =
        report(&mut unprivileged(&[&WITHOUT_NAMESPACES[..], &[HELPER]].concat()));
    assert_eq!((status, report.level()), (0, Level::C), "{report:#?}");
    let errno = nix::errno::Errno::ENOSPC as i32;
    assert_eq!(*refusal(&report), Refusal { step: MAKING_NAMESPACES.to_owned(), errno });
    let syscalls = report.run.enforced.iter().find(|line| line.control == Control::Syscalls);
    assert_eq!(syscalls.unwrap().held, Layer::Enforced);
}

#[test]
fn without_namespaces_and_landlock_it_says_level_d_and_status_2() {
    let (status, report) = report(&mut without_landlock(false));
    assert_eq!((status, report.level()), (2, Level::D), "{report:#?}");
    assert_eq!(refusal(&report).step, MAKING_NAMESPACES);
    assert!(report.run.shortfalls.contains(&Shortfall::LandlockUnknown), "{report:#?}");
    assert_eq!(report.run.verdict, Verdict::NotStarted);
    assert!(report.run.error.as_ref().unwrap().contains("Landlock ABI 3 is needed"), "{report:#?}");
}

#[test]
fn namespaces_hold_without_landlock() {
    let (status, report) = report(&mut without_landlock(true));
    assert_eq!((status, report.level()), (0, Level::B), "{report:#?}");
    assert!(report.run.shortfalls.contains(&Shortfall::LandlockUnknown), "{report:#?}");
}

#[test]
fn a_control_group_is_made_and_bounded_where_one_is_delegated_and_nothing_is_left_of_it() {
    let Some(delegated) = Delegated::make() else { return };
    for words in [&delegated.told()[..], &[]] {
        let [shell, entering @ ..] = delegated.entering();
        let mut command = Command::new(shell);
        command.args(entering).args([HELPER, "probe", "--json"]).args(words).env_clear();
        let output = command.output().unwrap();
        let report: ProbeReport = serde_json::from_slice(&output.stdout).unwrap();
        let group = report.run.shortfalls.iter().find_map(|shortfall| match shortfall {
            Shortfall::ControlGroup { held, .. } => Some(*held),
            _ => None,
        });
        if delegated.has_controllers() {
            assert_eq!((report.level(), group), (Level::A, None), "{report:#?}");
        } else {
            let held = Some(Layer::Degraded);
            assert_eq!((report.level(), group), (Level::B, held), "{report:#?}");
        }
        assert_eq!(delegated.runs(), [] as [std::path::PathBuf; 0]);
    }
}

/// Refuses the call with this number, EPERM, then becomes what its arguments say.
const WITHOUT_A_CALL: &str = "\
import ctypes, os, struct, sys
step = lambda code, jt, jf, k: struct.pack('HBBI', code, jt, jf, k)
program = (step(0x20, 0, 0, 0) + step(0x15, 0, 1, int(sys.argv[1]))
           + step(0x06, 0, 0, 0x00050000 | 1) + step(0x06, 0, 0, 0x7fff0000))
held = ctypes.create_string_buffer(program)
class Fprog(ctypes.Structure):
    _fields_ = [('len', ctypes.c_ushort), ('filter', ctypes.c_void_p)]
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
fprog = Fprog(len(program) // 8, ctypes.addressof(held))
assert libc.prctl(22, 2, ctypes.byref(fprog), 0, 0) == 0
os.execv(sys.argv[2], sys.argv[2:])
";

#[test]
fn a_call_that_a_container_refuses_costs_the_namespaces_and_is_named() {
    for (call, step) in [
        (nix::libc::SYS_open_tree, "opening a tree"),
        (nix::libc::SYS_pivot_root, "changing the root"),
    ] {
        let call = call.to_string();
        let words = ["-c", WITHOUT_A_CALL, call.as_str(), HELPER];
        let (status, report) = report(Command::new(python()).args(words));
        // Also where the helper is root: what root may not mount, nobody may.
        assert_eq!((status, report.level()), (0, Level::C), "{report:#?}");
        let errno = nix::errno::Errno::EPERM as i32;
        assert_eq!(*refusal(&report), Refusal { step: step.to_owned(), errno });
    }
}

#[test]
fn the_profile_is_printed_alone_for_the_path_of_this_binary() {
    let dir = tempfile::Builder::new().prefix("with blank [x]").tempdir().unwrap();
    let copy = dir.path().canonicalize().unwrap().join("vosim-sandbox");
    std::fs::copy(HELPER, &copy).unwrap();
    let output = Command::new(&copy).args(["probe", "--apparmor-profile"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let path = copy.display().to_string().replace('[', "\\[").replace(']', "\\]");
    assert!(text.contains(&format!("profile vosim-sandbox \"{path}\" flags")), "{text}");
    assert!(text.contains("\n  userns,\n"), "{text}");
}

#[test]
fn wrong_words_are_status_1_and_one_line() {
    for (words, hint) in [
        (&["--fast"][..], "`--fast`"),
        (&["--user", "0"], "above 0"),
        (&["--user"], "UID, FIRST-LAST"),
        (&["--cgroup", "x"], "absolute path"),
        (&["--json", "--apparmor-profile"], "exclude each other"),
    ] {
        let output = probe(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(hint) && said.lines().count() == 1, "{words:?}: {said}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{words:?}");
    }
}
