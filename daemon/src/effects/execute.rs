//! Runs programs in a folder of the machine, each in a sandbox that sees this one folder.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use vosim_protocol::Blob;
use vosim_protocol::paths::Paths;
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::effect::{Execute, ExecuteStep, Executed, ExecutedStep};
use vosim_sandbox_spec::Output;

use crate::daemon::Daemon;
use crate::daemon::hub::{Progress, Published};
use crate::effects::judging::count;
use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::{CancelGuard, FolderProgram};

/// Most steps of one effect.
const STEPS_MAX: usize = 32;

impl CarryOut for Execute {
    async fn carry_out(self, run: &Run) -> Result<Done<Executed>, String> {
        let Self { folder, steps } = self;
        if steps.len() > STEPS_MAX {
            return Err(format!(
                "there are {} steps, and at most {STEPS_MAX} are run",
                steps.len()
            ));
        }
        let daemon = &run.daemon;
        let paths = daemon.paths.clone();
        let shown = move || shown(Path::new(&folder), &Closed::of(&paths));
        let folder = daemon.blocking(move |_| shown()).await?;
        let folder: Arc<Path> = folder.into();
        let of = Some(count(steps.len()));
        let (mut ended, mut blobs) = (Vec::new(), Vec::new());
        for step in steps {
            let progress = Progress { text: step.name.clone(), done: count(ended.len()), of };
            daemon.hub.borrow().publish(run.session, Published::Progress(progress));
            let (end, written) = one(daemon, Arc::clone(&folder), step).await?;
            blobs.extend(written);
            let goes_on = end.succeeded();
            ended.push(end);
            if !goes_on {
                break;
            }
        }
        Ok(Done { outcome: Executed { steps: ended }, blobs })
    }
}

/// One step, with what it wrote.
async fn one(
    daemon: &Daemon,
    folder: Arc<Path>,
    step: ExecuteStep,
) -> Result<(ExecutedStep, [Blob; 2]), String> {
    let ExecuteStep { name, language, file, arguments } = step;
    let inside = Path::new(&file).components().all(|part| matches!(part, Component::Normal(_)));
    if file.is_empty() || !inside {
        return Err(format!("`{file}` is not the name of a file in the folder"));
    }
    let _turn = daemon.turns.run().await;
    let (_guard, cancel) = CancelGuard::new().map_err(|error| cause(&error))?;
    let evaluator = Arc::clone(&daemon.evaluator);
    let ran = daemon.blocking(move |_| {
        let program = FolderProgram { language, folder: &folder, file: &file, arguments };
        evaluator.execute(program, &cancel)
    });
    let (report, detail) = ran.await.map_err(|refusal| refusal.to_string())?;
    let written = [&report.stdout, &report.stderr].map(|output| Blob(text(output).into_bytes()));
    let [stdout, stderr] = written.each_ref().map(Blob::reference);
    let exit_code = report.exit_code.filter(|_| detail.is_none());
    Ok((ExecutedStep { name, exit_code, detail, stdout, stderr }, written))
}

fn text(output: &Output) -> String {
    let Output { head, tail, bytes, truncated } = output;
    if !truncated {
        return head.clone();
    }
    let kept = head.len() + tail.len();
    let left_out = bytes.saturating_sub(kept as u64);
    format!("{head}\n[{left_out} bytes are left out here]\n{tail}")
}

/// What no program of a session may see.
#[derive(Clone, Debug, Default)]
struct Closed {
    /// Where vosim keeps things.
    own: Vec<PathBuf>,
    /// The home of the account, of which single folders may be shown.
    home: Option<PathBuf>,
}

impl Closed {
    fn of(Paths { data, config, state, runtime, socket: _, lock: _ }: &Paths) -> Self {
        let real = |path: &Path| path.canonicalize().ok();
        let config = config.parent().unwrap_or(config);
        let own = [data.as_path(), config, state, runtime].into_iter().filter_map(real);
        Self { own: own.collect(), home: std::env::home_dir().and_then(|home| real(&home)) }
    }

    /// Whether a folder holds what is closed, or lies in what is vosim's own (DECISIONS 47).
    fn forbids(&self, folder: &Path) -> bool {
        let inside = self.own.iter().any(|own| folder.starts_with(own));
        inside || self.own.iter().chain(&self.home).any(|closed| closed.starts_with(folder))
    }
}

/// The real path of a folder, if a program may see it.
fn shown(folder: &Path, closed: &Closed) -> Result<PathBuf, String> {
    let refused = |why: String| Err(format!("{} {why}", folder.display()));
    if !folder.is_absolute() {
        return refused("is not an absolute path".to_owned());
    }
    let real = match folder.canonicalize() {
        Ok(real) if real.is_dir() => real,
        Ok(_) => return refused("is not a folder".to_owned()),
        Err(error) => {
            return refused(format!("cannot be opened: {}", cause(&error)));
        }
    };
    if closed.forbids(&real) {
        return refused("is shown to no program: it holds a home or folders of vosim".to_owned());
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_what_holds_a_home_or_vosims_folders_nor_what_lies_in_these_is_shown() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let (own, work) = (base.join("home/data/vosim"), base.join("home/errand/one"));
        for folder in [&own.join("exports"), &work] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::os::unix::fs::symlink(&base, work.join("up")).unwrap();
        std::fs::write(work.join("file"), "").unwrap();
        let closed = Closed { own: vec![own.clone()], home: Some(base.join("home")) };
        let refused = |folder: &Path| shown(folder, &closed).unwrap_err();
        assert_eq!(shown(&work, &closed), Ok(work.clone()));
        let parents = [base.join("home/data"), base.join("home"), base.clone(), work.join("up")];
        for folder in parents.iter().chain([&own, &own.join("exports")]) {
            assert!(refused(folder).contains("shown to no program"), "{}", folder.display());
        }
        assert!(refused(Path::new("work")).ends_with("is not an absolute path"));
        assert!(refused(&work.join("file")).ends_with("is not a folder"));
        assert!(refused(&work.join("none")).contains("cannot be opened"));
    }
}
