//! A right submission, from the call of `vosimctl submit` to its verdict, against the same driver
//! and the same cases under a bare Python.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use vosim_protocol::v1::problem::{Interface, Op};
use vosim_tests::{CORRECT, Home, TestDaemon};

use super::table::{Bar, Series, Table};

const TURNS: usize = 40;
const DRIVER: &str = include_str!("../../../daemon/src/evaluator/driver.py");

pub(crate) fn measure(table: &mut Table) {
    let name = "right submission to its verdict";
    let daemon = TestDaemon::start();
    let Some(python) = python_of(&daemon) else {
        return table.skipped(name, "the daemon has found no Python");
    };
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", CORRECT.text());
    let frames = frames();
    let driver = bare_driver(daemon.home());
    let mut ours = Series::new("vosimctl submit");
    let mut bare = Series::new("bare driver");
    for _ in 0..TURNS {
        let mut submit = None;
        ours.time(|| {
            let call = daemon.command(["submit", "a.py", "--again", "--json"]);
            let running = submit.insert(call.spawn());
            running.stdout.wait_for(|line| line.contains("\"EVAL_RESULT\""));
        });
        // The measurement of the time per call belongs to no verdict.
        submit.unwrap().end().ok();
        bare.time(|| run_bare(&python, &driver, &frames));
    }
    table.ratio(name, &ours, &bare, Bar::AtMost(1.5, ""));
}

/// The interpreter that judges, as `doctor` tells: `3.11.7 at /usr/bin/python3.11`.
fn python_of(daemon: &TestDaemon) -> Option<PathBuf> {
    let doctor = daemon.ctl("doctor --json").json();
    let checks = doctor.first()?["checks"].as_array()?.iter();
    let python = checks.into_iter().find(|check| check["name"] == "python")?;
    python["found"].as_str()?.split_once(" at ").map(|(_, path)| path.into())
}

/// What the daemon says to the driver, as `evaluator::frames` describes it.
fn frames() -> Vec<Vec<u8>> {
    let package = vosimd::content::find("lru_cache").unwrap();
    let Interface::Class { name, constructor, methods } = &package.problem.interface else {
        unreachable!("an LRU cache is a class");
    };
    let methods: Vec<_> = methods
        .iter()
        .map(|one| serde_json::json!({ "name": one.name, "params": one.params.len() }))
        .collect();
    let start = serde_json::json!({
        "nonce": 7,
        "file": "a.py",
        "code": CORRECT.text(),
        "interface": { "name": name, "constructor": constructor.len(), "methods": methods },
    });
    let plain = |op: &Op| (op.call.clone(), op.args.clone());
    let cases = package.suite().cases;
    let case = |(index, ops): (usize, &Vec<Op>)| {
        let ops: Vec<_> = ops.iter().map(plain).collect();
        serde_json::json!({ "seq": index + 1, "ops": ops })
    };
    let cases = cases.iter().map(|case| &case.ops).enumerate().map(case);
    std::iter::once(start).chain(cases).map(|json| format!("{json}\n").into_bytes()).collect()
}

/// The driver with its channel on standard input, where a bare process finds it.
fn bare_driver(home: &Home) -> PathBuf {
    let text = DRIVER.replace("posix.dup2(3,", "posix.dup2(0,").replace("posix.close(3)", "pass");
    assert_ne!(text, DRIVER);
    home.file("driver.py", text)
}

fn run_bare(python: &Path, driver: &Path, frames: &[Vec<u8>]) {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut child = Command::new(python)
        .args(["-I", "-S"])
        .arg(driver)
        .env_clear()
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut answers = BufReader::new(ours.try_clone().unwrap());
    for frame in frames {
        ours.write_all(frame).unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains("\"prints\"") && !answer.contains("\"error\""), "{answer}");
    }
    ours.shutdown(std::net::Shutdown::Both).unwrap();
    child.wait().unwrap();
}
