//! Where a program is run: at one level, with folders of its own. It builds the C programs and
//! arranges what a row asks for around the run.

use std::fs::File;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use vosim_sandbox_spec::{Level, Mount, RunReport, RunSpec, VERSION, Verdict};

use crate::delegated::Delegated;
use crate::harness::{HELPER, Helper, WITHOUT_NAMESPACES, mounts, python, unprivileged};
use crate::hostile::rows::{Arrange, Language, Row};
use crate::nothing::WITHOUT_LANDLOCK;

/// Leaks two descriptors into what its arguments say.
const LEAKING: &str = "import os, sys; fd = os.open('/etc/passwd', os.O_RDONLY)\n\
                       for number in (10, 251): os.dup2(fd, number)\n\
                       os.execv(sys.argv[1], sys.argv[1:])";

const FLAGS: [&str; 6] =
    ["-O1", "-Wall", "-Wextra", "-Wno-infinite-recursion", "-Werror", "-pthread"];

/// One level, made ready.
#[derive(Debug)]
pub(crate) struct Stage {
    level: Level,
    dir: tempfile::TempDir,
    /// The control group of the runs, at level A.
    delegated: Option<Delegated>,
}

impl Stage {
    pub(crate) fn set(level: Level) -> Self {
        // What lies above a workspace is writable inside only where that is private: in `/tmp`.
        let dir = tempfile::Builder::new().prefix("suite-").tempdir_in("/tmp").unwrap();
        let delegated = (level == Level::A).then(|| Delegated::whole().unwrap());
        let stage = Self { level, dir, delegated };
        open(stage.dir.path(), 0o755);
        for (name, mode) in [("built", 0o755), ("tmp", 0o1777), ("spaces", 0o755)] {
            std::fs::create_dir(stage.place(name)).unwrap();
            open(&stage.place(name), mode);
        }
        stage
    }

    fn place(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Returns what is still in the folder for temporary files. A helper that was killed cannot
    /// tidy up; the next one does it for it, once enough time has passed.
    pub(crate) fn strike(self) -> Vec<String> {
        let age = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        let inside = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        for run in inside(&self.place("tmp")).flat_map(|folder| inside(&folder.path())) {
            File::open(run.path()).unwrap().set_modified(age).unwrap();
        }
        let mut helper = self.helper(Arrange::Once);
        helper.ask(&crate::harness::spec("pass"));
        helper.report();
        let left = std::fs::read_dir(self.place("tmp")).unwrap();
        let files = left.map(|entry| format!("the file {}", entry.unwrap().path().display()));
        let groups = self.delegated.iter().flat_map(Delegated::runs);
        files.chain(groups.map(|path| format!("the cgroup {}", path.display()))).collect()
    }

    /// Returns how the program's report differs from its row.
    pub(crate) fn differences(&self, row: &Row) -> Vec<String> {
        let expected = row.expected(self.level);
        let reports = match row.said.arrange {
            // What is not started cannot say that it is there.
            _ if self.level == Level::D => vec![self.report(row)],
            Arrange::Once | Arrange::Leaky | Arrange::Workspace => vec![self.report(row)],
            Arrange::Twice => vec![self.report(row), self.report(row)],
            Arrange::Together => self.together(row),
            Arrange::HelperKilled | Arrange::CallerGone => return self.cut_off(row),
        };
        assert!(!expected.is_none(), "{} is told by nobody", row.name);
        let told = |report: &RunReport| {
            let mut found = expected.differences(report);
            found.extend(self.level_differs(report));
            found
        };
        reports.iter().flat_map(told).collect()
    }

    /// Every report bears the level that was forced, and says of each control that it holds.
    fn level_differs(&self, report: &RunReport) -> Option<String> {
        let level = report.level;
        if level != self.level {
            return Some(format!("level {level:?}, forced was {:?}", self.level));
        }
        let started = report.verdict != Verdict::NotStarted;
        (started && report.enforced.is_empty()).then(|| "no word on what held".to_owned())
    }

    fn report(&self, row: &Row) -> RunReport {
        let space = self.space(row);
        let mut helper = self.helper(row.said.arrange);
        helper.ask(&self.spec(row, space.as_deref()));
        helper.report()
    }

    /// Both are there before either goes on.
    fn together(&self, row: &Row) -> Vec<RunReport> {
        let mut helpers = [self.helper(row.said.arrange), self.helper(row.said.arrange)];
        for helper in &mut helpers {
            helper.ask(&self.spec(row, None));
        }
        helpers.iter_mut().for_each(wait_until_there);
        for helper in &mut helpers {
            helper.channel.write_all(b"g").unwrap();
        }
        helpers.into_iter().map(Helper::report).collect()
    }

    /// The run is over before its end, and nobody is told. That nothing of it is alive afterwards
    /// is seen at the end of the whole suite; here it must let go of its channel.
    fn cut_off(&self, row: &Row) -> Vec<String> {
        let mut helper = self.helper(row.said.arrange);
        helper.ask(&self.spec(row, None));
        wait_until_there(&mut helper);
        if row.said.arrange == Arrange::HelperKilled {
            helper.child.kill().unwrap();
        } else {
            helper.control.shutdown(std::net::Shutdown::Both).unwrap();
        }
        let status = helper.child.wait().unwrap();
        let mut rest = Vec::new();
        let heard = helper.channel.read_to_end(&mut rest);
        let mut found = Vec::new();
        if heard.is_err() {
            found.push("the run went on after it was cut off".to_owned());
        }
        if row.said.arrange == Arrange::CallerGone && !status.success() {
            found.push(format!("the helper left with {status}"));
        }
        found
    }

    /// A writable tree for the one row that asks for it.
    fn space(&self, row: &Row) -> Option<PathBuf> {
        (row.said.arrange == Arrange::Workspace).then(|| {
            let place = self.place("spaces").join(row.name.replace('/', "-"));
            std::fs::create_dir_all(&place).unwrap();
            open(&place, 0o777);
            place
        })
    }

    fn helper(&self, arrange: Arrange) -> Helper {
        let tmp = format!("TMPDIR={}", self.place("tmp").display());
        let entering = self.delegated.as_ref().map(Delegated::entering);
        let mut words: Vec<&str> = entering.into_iter().flatten().collect();
        words.extend(["/usr/bin/env", tmp.as_str()]);
        if arrange == Arrange::Leaky {
            words.extend([python(), "-c", LEAKING]);
        }
        match self.level {
            Level::A | Level::B => {}
            Level::C => words.extend(WITHOUT_NAMESPACES),
            Level::D => {
                words.extend(WITHOUT_NAMESPACES);
                words.extend([python(), "-c", WITHOUT_LANDLOCK]);
            }
        }
        words.push(HELPER);
        words.extend(self.delegated.iter().flat_map(Delegated::told));
        if self.level <= Level::B {
            let mut command = Command::new(words[0]);
            return Helper::start_by(command.args(&words[1..]).env_clear());
        }
        Helper::start_by(&mut unprivileged(&words))
    }

    fn spec(&self, row: &Row, space: Option<&Path>) -> RunSpec {
        let mut mounts = mounts();
        let mut env = row.said.env.clone();
        env.insert("MALLOC_ARENA_MAX".to_owned(), "1".to_owned());
        if let Some(space) = space {
            env.insert("WORKSPACE".to_owned(), space.to_str().unwrap().to_owned());
            mounts.push(Mount { path: space.to_owned(), writable: true });
        }
        let file = row.path.file_name().unwrap().to_str().unwrap().to_owned();
        let program = match row.language {
            Language::Python | Language::Javascript => file.clone(),
            Language::C => self.built(row).to_str().unwrap().to_owned(),
        };
        let files = match row.language {
            Language::C => Default::default(),
            Language::Python | Language::Javascript => {
                [(file, std::fs::read_to_string(&row.path).unwrap().into())].into()
            }
        };
        let waits = [Arrange::Together, Arrange::HelperKilled, Arrange::CallerGone];
        RunSpec {
            version: VERSION,
            argv: words(row.language, program),
            env,
            files,
            mounts,
            stdin: row.stdin(),
            standby: None,
            channel: waits.contains(&row.said.arrange),
            network: Default::default(),
            limits: row.limits(),
            require_level: None,
        }
    }

    fn built(&self, row: &Row) -> PathBuf {
        build(row, &self.place("built"))
    }
}

/// The words that start a program.
pub(crate) fn words(language: Language, program: String) -> Vec<String> {
    let runtime: &[&str] = match language {
        Language::Python => &[python(), "-I", "-S", "-B"],
        Language::Javascript => &[node(), "--openssl-config=/dev/null"],
        Language::C => &[],
    };
    runtime.iter().map(|word| (*word).to_owned()).chain([program]).collect()
}

fn node() -> &'static str {
    let known = ["/usr/bin/node", "/usr/local/bin/node", "/usr/bin/nodejs"];
    known.into_iter().find(|path| Path::new(path).exists()).expect("nodejs must be installed")
}

/// Puts a C program, compiled, into a folder that the account of the run can reach.
pub(crate) fn build(row: &Row, into: &Path) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let program = into.join(row.path.file_stem().unwrap());
    let one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if !program.exists() {
        // By a process of its own: while this one had it open for writing, another thread might
        // fork, and what is open for writing cannot be run.
        must_succeed(row, Command::new("cp").args([&compiled(row), &program]));
    }
    drop(one);
    program
}

/// Compiles a C program once for all levels and for later runs, into the target folder.
fn compiled(row: &Row) -> PathBuf {
    let text = std::fs::read_to_string(&row.path).unwrap();
    let mut hasher = DefaultHasher::new();
    (text, include_str!("../../hostile/attempt.h"), FLAGS).hash(&mut hasher);
    let stem = row.path.file_stem().unwrap().display();
    let name = format!("{stem}-{:016x}", hasher.finish());
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if !program.exists() {
        let unfinished = program.with_extension(std::process::id().to_string());
        must_succeed(row, Command::new("cc").args(FLAGS).arg("-o").args([&unfinished, &row.path]));
        std::fs::rename(unfinished, &program).unwrap();
    }
    program
}

fn must_succeed(row: &Row, command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", row.name);
}

pub(crate) fn open(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn wait_until_there(helper: &mut Helper) {
    let mut said = [0];
    helper.channel.read_exact(&mut said).unwrap();
}

/// Does it for every row, so many at once, and tells what came of each in order.
pub(crate) fn in_parallel(
    at_once: usize,
    rows: &[Row],
    each: impl Fn(&Row) -> Vec<String> + Sync,
) -> Vec<(String, Vec<String>)> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let attempt = std::panic::AssertUnwindSafe(|| each(row));
                    // One that cannot be run at all must not hide the others.
                    let told = std::panic::catch_unwind(attempt)
                        .unwrap_or_else(|_| vec!["could not be run: see above".to_owned()]);
                    found.lock().unwrap().push((row.name.clone(), told));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort();
    found
}
