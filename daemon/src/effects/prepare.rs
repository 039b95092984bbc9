//! Makes the workspace of a task, or looks at the one that was named.

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use vosim_agent::workspace::{FileCall, FileChange, FileName, Seen, Workspace};
use vosim_protocol::Blob;
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::agent::Exam;
use vosim_protocol::v1::effect::{Prepare, Prepared};
use vosim_protocol::v1::task::is_test;

use crate::effects::{CarryOut, Done, Run, sitting};

impl CarryOut for Prepare {
    async fn carry_out(self, run: &Run) -> Result<Done<Prepared>, String> {
        let Self { workspace, own, exam } = self;
        if let Some(exam) = &exam {
            sitting::begin(run, exam).await?;
        }
        let prepared = run.daemon.blocking(move |_| {
            let workspace = Path::new(&workspace);
            let prepared = prepare(workspace, own)?;
            exam.iter().try_for_each(|exam| starter(workspace, exam))?;
            Ok(prepared)
        });
        prepared.await.map(Done::from)
    }
}

/// A private folder; the sandbox of root runs as another account, which is let into this one alone.
fn make(workspace: &Path) -> std::io::Result<()> {
    if let Some(above) = workspace.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(above)?;
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(workspace)?;
    let mode = if nix::unistd::geteuid().is_root() { 0o777 } else { 0o700 };
    fs::set_permissions(workspace, fs::Permissions::from_mode(mode))
}

/// What a candidate is given to begin with, unless the file is there.
fn starter(workspace: &Path, exam: &Exam) -> Result<(), String> {
    let opened = Workspace::open(workspace).map_err(|refusal| refusal.to_string())?;
    let path = FileName::parse(&exam.file).map_err(|refusal| refusal.to_string())?;
    if opened.content(&path).map_err(|refusal| refusal.to_string())?.is_some() {
        return Ok(());
    }
    let after = Some(Blob(exam.starter.clone().into_bytes()));
    let change = FileChange { path, before: None, after };
    opened.carry_out(&change).map_err(|refusal| refusal.to_string())
}

fn prepare(workspace: &Path, own: bool) -> Result<Prepared, String> {
    if own {
        make(workspace).map_err(|error| {
            format!("{} cannot be made: {}", workspace.display(), cause(&error))
        })?;
    }
    let opened = Workspace::open(workspace).map_err(|refusal| refusal.to_string())?;
    let told = opened.foresee(&Seen::default(), &FileCall::List).answer.told;
    let files = told["files"].as_array().cloned().unwrap_or_default();
    let tests = files.iter().filter_map(|file| file["path"].as_str()).filter(|path| is_test(path));
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(Prepared { files: number(files.len()), tests: number(tests.count()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_or_looked_at() {
        let base = tempfile::tempdir().unwrap();
        let own = base.path().join("tasks/one");
        assert_eq!(prepare(&own, true), Ok(Prepared { files: 0, tests: 0 }));
        fs::create_dir(own.join("tests")).unwrap();
        fs::write(own.join("tests/test_main.py"), "").unwrap();
        fs::write(own.join("main.py"), "").unwrap();
        assert_eq!(prepare(&own, true), Ok(Prepared { files: 2, tests: 1 }), "once more");
        assert!(prepare(&base.path().join("none"), false).is_err());
    }
}
