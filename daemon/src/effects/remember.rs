//! Keeps something of a task for later ones (002 5.1). What cannot be kept is told and is no fault of the
//! task.

use std::collections::BTreeMap;

use vosim_agent::memory::{Noted, Pattern, Run as TestRun};
use vosim_protocol::Hash;
use vosim_protocol::v1::effect::{Remember, Remembered};

use crate::effects::recall::{failure, language, warning};
use crate::effects::{CarryOut, Done, Run};

impl CarryOut for Remember {
    async fn carry_out(self, run: &Run) -> Result<Done<Remembered>, String> {
        let daemon = &run.daemon;
        let (at, desk, task) = (daemon.now(), daemon.memory()?, run.session);
        // A later run of the tests has a later event.
        let step = run.effect.0.0;
        let noted = match self {
            Self::Failure { error, files, language } => {
                let of_run = TestRun { task, step, files: texts(run, files).await?, at };
                desk.run_failed(of_run, vec![failure(error, language)]).await
            }
            Self::Unsolved { given } => desk.served(task, given, false).await,
            Self::Solved { task: description, notes, files, language: of, given } => {
                let files = texts(run, files).await?;
                let of_run = TestRun { task, step, files: files.clone(), at };
                let lessons = desk.run_passed(of_run).await;
                let language = language(of);
                let task_type = String::new();
                let pattern = Pattern { task_type, description, files, notes, language };
                let kept = desk.keep(task, pattern, at).await;
                let served = desk.served(task, given, true).await;
                first_fault([lessons, kept, served])
            }
        };
        Ok(Remembered { warning: warning(&noted.degraded) }.into())
    }
}

fn first_fault(noted: [Noted; 3]) -> Noted {
    let mut noted = noted.into_iter();
    let first = noted.find(|one| !one.degraded.is_empty());
    first.unwrap_or(Noted { count: 0, degraded: Vec::new() })
}

/// The files with what they held, as far as that was not erased.
async fn texts(run: &Run, files: Vec<(String, Hash)>) -> Result<BTreeMap<String, String>, String> {
    let mut texts = BTreeMap::new();
    for (path, hash) in files {
        let Some(bytes) = run.code_if_kept(hash).await? else { continue };
        texts.insert(path, String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok(texts)
}
