//! The ways in which one program is run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use vosim_sandbox_spec::{Limits, MemoryBy, Verdict};

use super::super::helper::{self, ENV, Run};
use super::super::table::{Bar, Series};

/// A program, and what it may see.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) argv: Vec<String>,
    pub(super) mounts: Vec<PathBuf>,
    pub(super) memory_by: MemoryBy,
    pub(super) turns: usize,
    pub(super) bar: Bar,
}

/// One way to run it.
pub(super) struct Way {
    pub(super) series: Series,
    run: Kind,
}

enum Kind {
    /// A command whose end is the program's.
    Command(Command),
    /// The helper, its request, its last report.
    Helper { sandbox: PathBuf, line: Vec<u8>, report: Vec<u8> },
}

impl Way {
    fn command(name: &str, mut command: Command) -> Self {
        command.env_clear().envs(ENV).current_dir("/");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self { series: Series::new(name), run: Kind::Command(command) }
    }

    pub(super) fn bare(case: &Case) -> Self {
        let mut command = Command::new(&case.argv[0]);
        command.args(&case.argv[1..]);
        Self::command("bare", command)
    }

    /// As the daemon does.
    pub(super) fn helper(name: &str, sandbox: PathBuf, case: &Case) -> Self {
        let mut spec = helper::request(&case.argv, &case.mounts);
        spec.limits = Limits { memory_by: case.memory_by, ..spec.limits };
        let run = Kind::Helper { sandbox, line: helper::line(&spec), report: Vec::new() };
        Self { series: Series::new(name), run }
    }

    /// As a person does.
    pub(super) fn by_hand(case: &Case) -> Self {
        let mut command = Command::new(helper::sandbox());
        command.args(["run", "--memory", if case.name == "node" { "4G" } else { "512M" }]);
        for path in &case.mounts {
            command.arg("--mount").arg(path);
        }
        command.arg("--").args(&case.argv);
        Self::command("by hand", command)
    }

    /// Every namespace it has, the same trees read-only and the same devices; it knows no limits.
    pub(super) fn bwrap(case: &Case) -> Result<Self, (&'static str, &'static str)> {
        let mut command = Command::new("bwrap");
        command.args(["--unshare-all", "--new-session", "--cap-drop", "ALL"]);
        let program = Path::new(&case.argv[0]);
        for path in case.mounts.iter().map(PathBuf::as_path).chain([program]) {
            command.arg("--ro-bind").arg(path).arg(path);
        }
        for device in ["/dev/null", "/dev/zero", "/dev/urandom"] {
            command.args(["--dev-bind", device, device]);
        }
        command.args(["--dir", "/work", "--chdir", "/work", "--"]).args(&case.argv);
        Self::peer("bwrap", command, "it is not installed or does not work here")
    }

    pub(super) fn isolate(case: &Case) -> Result<Self, (&'static str, &'static str)> {
        let why = "it is neither installed nor packaged here, or has no box 0";
        let mut command = Command::new("isolate");
        command.args(["--box-id=0", "--silent", "--processes=32", "--time=10", "--wall-time=30"]);
        for path in &case.mounts {
            command.arg(format!("--dir={}", path.display()));
        }
        command.args(["--run", "--"]).args(&case.argv);
        let began = Command::new("isolate")
            .args(["--box-id=0", "--init"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !began.is_ok_and(|status| status.success()) {
            return Err(("isolate", why));
        }
        Self::peer("isolate", command, why)
    }

    /// A peer that runs the program well once.
    fn peer(
        name: &'static str,
        command: Command,
        why: &'static str,
    ) -> Result<Self, (&'static str, &'static str)> {
        let mut way = Self::command(name, command);
        let Kind::Command(command) = &mut way.run else { return Err((name, why)) };
        match command.status() {
            Ok(status) if status.success() => Ok(way),
            Ok(_) | Err(_) => Err((name, why)),
        }
    }

    pub(super) fn turn(&mut self) {
        match &mut self.run {
            Kind::Command(command) => {
                let status = self.series.time(|| command.status().unwrap());
                assert!(status.success(), "{command:?}");
            }
            Kind::Helper { sandbox, line, report } => {
                *report = self.series.time(|| Run::start(sandbox, line).report());
                let told = helper::read(report);
                assert_eq!(told.verdict, Verdict::Ok, "{told:?}");
            }
        }
    }

    /// What its last run was held by.
    pub(super) fn level(&self) -> String {
        match &self.run {
            Kind::Command(_) => "no level".to_owned(),
            Kind::Helper { report, .. } => format!("level {:?}", helper::read(report).level),
        }
    }
}
