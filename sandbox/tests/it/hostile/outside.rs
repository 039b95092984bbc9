//! The positive controls: the same programs without a sandbox, where what is denied inside must
//! work. A denial proves nothing where the thing could not be done anyway.

use std::path::Path;
use std::process::{Command, Output};

use vosim_sandbox_spec::Level;

use crate::harness::unprivileged;
use crate::hostile::record::{is_errno, named};
use crate::hostile::rows::{Arrange, Control, Language, Row};
use crate::hostile::stage::{self, words};
use crate::hostile::tally::Tally;

/// Longest a control may take.
const PATIENCE: &str = "30";

const OWN_NAMESPACES: [&str; 9] = [
    "/usr/bin/unshare",
    "--user",
    "--map-root-user",
    "--mount",
    "--pid",
    "--fork",
    "--net",
    "--ipc",
    "--uts",
];

/// Runs every control that there is.
pub(crate) fn control_all(rows: &[Row]) -> Tally {
    let denials: Vec<Row> = rows.iter().filter(|row| row.said.control.is_some()).cloned().collect();
    let dir = tempfile::Builder::new().prefix("suite-outside-").tempdir().unwrap();
    stage::open(dir.path(), 0o1777);
    let mut tally = Tally::begin_outside(denials.len());
    for row in &denials {
        match row.said.control.as_ref() {
            Some(Control::None(reason)) => tally.uncontrolled(&row.name, reason),
            Some(Control::Plain) => control(row, &[], dir.path(), &mut tally),
            Some(Control::Namespaced) => control(row, &OWN_NAMESPACES, dir.path(), &mut tally),
            None => {}
        }
    }
    tally
}

fn control(row: &Row, before: &[&str], dir: &Path, tally: &mut Tally) {
    let output = bare(row, before, dir);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<_> = named(&said).collect();
    let inside = row.expected(Level::B).names();
    let mut differences = Vec::new();
    let outside: Vec<_> = answers.iter().map(|(name, _)| (*name).to_owned()).collect();
    if outside != inside {
        let stderr = String::from_utf8_lossy(&output.stderr);
        differences.push(format!("names {outside:?} outside, {inside:?} inside; {stderr}"));
    }
    for (name, word) in answers {
        let wanted = row.said.outside.get(name).map_or("ok", String::as_str);
        if !wanted.split(" or ").any(|one| one == word) {
            differences.push(format!("`{name}` answers {word} outside, expected {wanted}"));
        } else if is_errno(word) && wanted.contains(" or ") {
            tally.unavailable(&row.name, name, word);
        } else {
            tally.controlled();
        }
    }
    tally.count(row.name.clone(), differences);
}

/// The program as it is, without a sandbox.
fn bare(row: &Row, before: &[&str], dir: &Path) -> Output {
    let program = match row.language {
        Language::C => stage::build(row, dir),
        Language::Python | Language::Javascript => {
            let copy = dir.join(row.path.file_name().unwrap());
            std::fs::copy(&row.path, &copy).unwrap();
            stage::open(&copy, 0o644);
            copy
        }
    };
    let words = words(row.language, program.to_str().unwrap().to_owned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command: Command =
        unprivileged(&[before, &["/usr/bin/timeout", PATIENCE], &words].concat());
    if row.said.arrange == Arrange::Workspace {
        command.env("WORKSPACE", dir);
    }
    command.envs(&row.said.env).current_dir(dir).output().unwrap()
}
