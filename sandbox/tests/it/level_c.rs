//! Where the kernel gives no namespaces (level C), Landlock and the filter carry it alone. The
//! refusal is forced: the helper runs in a user namespace that allows no further one.

use vosim_sandbox_spec::{Control, Layer, Level, RunReport, RunSpec, Verdict};

use crate::harness::{level_c_helper, spec};

fn run(spec: &RunSpec) -> RunReport {
    let mut helper = level_c_helper();
    helper.ask(spec);
    helper.report()
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
fn the_request_s_files_are_there_and_gone_afterwards() {
    let mut asked = spec("import posix; print(posix.getcwd()); print(open('a').read())");
    asked.files = [("a".to_owned(), "text".to_owned().into())].into();
    let report = run(&asked);
    let (place, text) = report.stdout.head.split_once('\n').unwrap();
    assert_eq!(text, "text\n");
    assert!(!std::path::Path::new(place).exists());
}
