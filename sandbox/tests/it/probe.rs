//! The probe: what it says of this machine, and of machines that are forced to give less.

use std::process::{Command, Output};

use vosim_sandbox_spec::{Control, Layer, Level, Mechanism, ProbeReport, Probed, Verdict};

use crate::delegated::{Delegated, NOT_RUN};
use crate::harness::{HELPER, WITHOUT_NAMESPACES, python, unprivileged};
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

fn mechanism(report: &ProbeReport, wanted: Mechanism) -> &Probed {
    let found = report.mechanisms.iter().find(|probed| probed.mechanism == wanted);
    found.unwrap_or_else(|| panic!("nothing of {wanted:?} in {report:#?}"))
}

#[test]
fn every_mechanism_is_tried_and_a_program_is_run_at_each_level_there_is() {
    let (status, report) = report(&mut Command::new(HELPER));
    assert_eq!((status, report.version), (0, 1));
    assert!(report.level <= Level::B, "{report:#?}");
    for probed in &report.mechanisms {
        let held = match probed.mechanism {
            Mechanism::Cgroup => true,
            // Older kernels know less of it.
            Mechanism::Landlock => probed.held != Layer::Absent,
            _ => probed.held == Layer::Enforced,
        };
        assert!(held, "{probed:#?}");
        assert!(!probed.found.is_empty() && probed.needs.is_none());
    }
    assert_eq!(report.mechanisms.len(), 13);
    assert_eq!(report.runs[0].level, report.level);
    assert_eq!(report.runs.last().unwrap().level, Level::C);
    for run in &report.runs {
        assert_eq!(run.verdict, Verdict::Ok, "{run:#?}");
        assert!(run.wall_us > 0 && run.enforced.iter().any(|it| it.control == Control::Network));
    }
}

#[test]
fn root_probes_as_the_account_that_runs_programs() {
    let (_, report) = report(&mut Command::new(HELPER));
    let root = nix::unistd::geteuid().is_root();
    let uid = if root { 65_534 } else { nix::unistd::geteuid().as_raw() };
    assert_eq!(report.uid, uid);
    if root {
        let output = probe(&["--user", "1234:4321", "--json"]);
        let report: ProbeReport = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((report.uid, report.gid), (1234, 4321));
        assert_eq!(report.runs[0].verdict, Verdict::Ok, "{report:#?}");
        assert!(report.runs[0].enforced[0].note.contains("uid 1234"), "{report:#?}");
    }
}

#[test]
fn people_get_a_line_for_each_mechanism() {
    let output = probe(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("Level "), "{text}");
    for line in ["user namespace   holds    ", "Landlock         holds    ABI ", "cgroup    "] {
        assert!(text.contains(&format!("\n  {line}")), "no {line:?} in {text}");
    }
    assert!(text.contains("\n  run at level C   holds    a program ran, "), "{text}");
}

#[test]
fn without_namespaces_it_says_level_c_with_the_setting_that_refuses_them() {
    let (status, report) =
        report(&mut unprivileged(&[&WITHOUT_NAMESPACES[..], &[HELPER]].concat()));
    assert_eq!((status, report.level), (0, Level::C), "{report:#?}");
    let namespace = mechanism(&report, Mechanism::UserNamespace);
    assert_eq!(namespace.held, Layer::Absent);
    assert!(namespace.found.contains("ENOSPC"), "{}", namespace.found);
    let step = &namespace.mend.as_ref().unwrap().step;
    assert!(step.starts_with("printf '%s\\n' user.max_user_namespaces=15000 | sudo tee"), "{step}");
    let root = mechanism(&report, Mechanism::PrivateRoot);
    assert_eq!((root.held, root.needs), (Layer::Absent, Some(Mechanism::UserNamespace)));
    assert_eq!(root.mend, None, "one thing is missing, so one thing is mended");
    assert_eq!(mechanism(&report, Mechanism::Seccomp).held, Layer::Enforced);
    assert_eq!(report.runs.len(), 1);
}

#[test]
fn without_namespaces_and_landlock_it_says_level_d_and_status_2() {
    let (status, report) = report(&mut without_landlock(false));
    assert_eq!((status, report.level), (2, Level::D), "{report:#?}");
    assert_eq!(mechanism(&report, Mechanism::Landlock).held, Layer::Absent);
    let [run] = &report.runs[..] else { panic!("{report:#?}") };
    assert_eq!(run.verdict, Verdict::NotStarted);
    assert!(run.error.as_ref().unwrap().contains("Landlock ABI 3 is needed"), "{run:#?}");
}

#[test]
fn namespaces_hold_without_landlock_and_level_c_does_not() {
    let (status, report) = report(&mut without_landlock(true));
    assert_eq!((status, report.level), (0, Level::B), "{report:#?}");
    let [best, bare] = &report.runs[..] else { panic!("{report:#?}") };
    assert_eq!((best.level, best.verdict), (Level::B, Verdict::Ok));
    assert_eq!((bare.level, bare.verdict), (Level::C, Verdict::NotStarted));
}

#[test]
fn a_control_group_is_made_and_bounded_where_one_is_delegated_and_nothing_is_left_of_it() {
    let Some(delegated) = Delegated::make() else { return println!("{NOT_RUN}") };
    for words in [&delegated.told()[..], &[]] {
        let [shell, entering @ ..] = delegated.entering();
        let mut command = Command::new(shell);
        command.args(entering).args([HELPER, "probe", "--json"]).args(words).env_clear();
        let output = command.output().unwrap();
        let report: ProbeReport = serde_json::from_slice(&output.stdout).unwrap();
        let cgroup = mechanism(&report, Mechanism::Cgroup);
        let levels: Vec<_> = report.runs.iter().map(|run| run.level).collect();
        if delegated.has_controllers() {
            assert_eq!((report.level, cgroup.held), (Level::A, Layer::Enforced), "{report:#?}");
            assert_eq!(levels, [Level::A, Level::B, Level::C]);
        } else {
            assert_eq!((report.level, cgroup.held), (Level::B, Layer::Degraded), "{report:#?}");
        }
        assert!(report.runs.iter().all(|run| run.verdict == Verdict::Ok), "{report:#?}");
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
    for (call, mechanism_lost, step) in [
        (nix::libc::SYS_open_tree, Mechanism::Binds, "opening a tree: EPERM"),
        (nix::libc::SYS_pivot_root, Mechanism::PrivateRoot, "changing the root: EPERM"),
    ] {
        let call = call.to_string();
        let words = ["-c", WITHOUT_A_CALL, call.as_str(), HELPER];
        let (status, report) = report(Command::new(python()).args(words));
        // Also where the helper is root: what root may not mount, nobody may.
        assert_eq!((status, report.level), (0, Level::C), "{report:#?}");
        let lost = mechanism(&report, mechanism_lost);
        assert!(lost.held == Layer::Absent && lost.found.starts_with(step), "{lost:#?}");
        assert!(lost.found.contains("filter"), "{lost:#?}");
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
        (&["--user"], "UID or UID:GID"),
        (&["--cgroup", "x"], "absolute path"),
        (&["--json", "--apparmor-profile"], "exclude each other"),
    ] {
        let output = probe(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(hint) && said.lines().count() == 1, "{words:?}: {said}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{words:?}");
    }
}
