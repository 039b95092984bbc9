//! Running a program of a folder for its own sake: nothing is judged, and no driver takes part.

use std::path::Path;

use vosim_protocol::v1::evaluation::Detail;
use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{Limits, Mount, RunReport, Verdict};

use super::cancel::Cancel;
use super::runner::{Refusal, detail, sound};
use super::{Evaluator, driver_process::Process};

/// A program that stands in a folder.
#[derive(Clone, Debug)]
pub struct FolderProgram<'a> {
    /// What runs it.
    pub language: Language,
    /// The real path of the one folder of the host that it sees and may change.
    pub folder: &'a Path,
    /// The file, from the folder on.
    pub file: &'a str,
    /// What it is called with.
    pub arguments: Vec<String>,
}

/// A minute of computing, two on the clock, and files of 64 MiB: what tests of a small project take.
fn limits() -> Limits {
    Limits {
        cpu_ms: 60_000,
        wall_ms: 120_000,
        idle_ms: 60_000,
        processes: 64,
        open_files: 256,
        file_size: 64 * 1024 * 1024,
        ..Limits::submission()
    }
}

impl Evaluator {
    /// Runs a program to its end; beside the report comes the limit or the signal that ended it.
    pub fn execute(
        &self,
        program: FolderProgram<'_>,
        cancel: &Cancel,
    ) -> Result<(RunReport, Option<Detail>), Refusal> {
        let FolderProgram { language, folder, file, arguments } = program;
        let runtime = self.runtime(language)?;
        let path = folder.join(file);
        let path = path.to_str().ok_or_else(|| {
            Refusal::Sandbox(format!("{} is not a name in UTF-8", path.display()))
        })?;
        let mut spec = runtime.command(&limits(), &[path]);
        spec.argv.extend(arguments);
        spec.mounts.push(Mount { path: folder.to_owned(), writable: true });
        let process = Process::start(&self.sandbox(), self.user(), &spec)
            .map_err(|error| Refusal::Sandbox(vosim_protocol::trouble::cause(&error)))?;
        let report = sound(process.report(cancel), cancel)?;
        let ended_by = match report.verdict {
            Verdict::Limit { limit } => Some(detail(limit)),
            Verdict::Signal => Some(Detail::Signal),
            Verdict::Ok | Verdict::Exit | Verdict::NotStarted | Verdict::Internal => None,
        };
        Ok((report, ended_by))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::super::ToolPaths;
    use super::*;

    /// A folder that the account which runs code may write to, with one program.
    fn folder(text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        fs::write(folder.path().join("check.py"), text).unwrap();
        folder
    }

    fn execute(folder: &Path, arguments: &[&str]) -> (RunReport, Option<Detail>) {
        let search_path = std::env::var_os("PATH");
        let sandbox = Some(vosim_needs::sandbox());
        let evaluator = Evaluator::new(ToolPaths { sandbox, search_path, ..ToolPaths::default() });
        let program = FolderProgram {
            language: Language::Python,
            folder: &folder.canonicalize().unwrap(),
            file: "check.py",
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        };
        evaluator.execute(program, &Cancel::new().unwrap()).unwrap()
    }

    #[test]
    fn a_program_sees_and_changes_its_folder_and_nothing_else() {
        let folder = folder(
            "import pathlib, sys\nhere = pathlib.Path(__file__).parent\n\
             (here / 'out').write_text(' '.join(sys.argv[1:]))\n\
             print(sorted(p.name for p in here.iterdir()))\n\
             sys.exit(int(pathlib.Path(sys.argv[1]).exists()))\n",
        );
        let outside = tempfile::NamedTempFile::new().unwrap();
        let outside = outside.path().to_str().unwrap();
        let (report, detail) = execute(folder.path(), &[outside, "--fast"]);
        assert_eq!((report.exit_code, detail), (Some(0), None), "{report:?}");
        assert_eq!(report.stdout.head, "['check.py', 'out']\n");
        let written = fs::read_to_string(folder.path().join("out")).unwrap();
        assert_eq!(written, format!("{outside} --fast"));
    }

    #[test]
    fn only_the_standard_library_is_there() {
        let folder = folder(
            "import site, sys, zlib, hashlib, ctypes, decimal, ssl\nsite.main()\n\
             for name in ('pip', 'setuptools', 'numpy'):\n\
             \x20try: print(__import__(name))\n\
             \x20except ImportError: pass\n\
             import os, sysconfig\n\
             beside = os.path.join(sys.base_prefix, 'bin')\n\
             shown = os.listdir(beside) if os.path.isdir(beside) else []\n\
             print([name for name in shown if not name.startswith('python3')])\n\
             print(os.path.exists(os.path.join(sys.base_prefix, 'include')))\n",
        );
        let (report, detail) = execute(folder.path(), &[]);
        assert_eq!((report.exit_code, detail), (Some(0), None), "{report:?}");
        assert_eq!(report.stdout.head, "[]\nFalse\n", "{report:?}");
    }

    #[test]
    fn a_failing_program_says_how_it_ended() {
        let failing = folder("import sys\nprint('no', file=sys.stderr)\nsys.exit(3)\n");
        let (report, detail) = execute(failing.path(), &[]);
        assert_eq!((report.exit_code, detail), (Some(3), None));
        assert_eq!(report.stderr.head, "no\n");
        let killed = folder("import os\nos.kill(os.getpid(), 9)\n");
        assert_eq!(execute(killed.path(), &[]).1, Some(Detail::Signal));
    }
}
