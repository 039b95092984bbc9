//! Keeps something of a task for later ones (002 5.1). What cannot be kept is told and is no fault of the
//! task.

use std::collections::BTreeMap;

use vosim_agent::memory::{Failure, Noted, Partly, Pattern, Run as TestRun};
use vosim_protocol::Hash;
use vosim_protocol::v1::effect::{PartialSolution, Remember, Remembered};

use crate::effects::recall::{self, failure, language, warning};
use crate::effects::{CarryOut, Done, Run};

impl CarryOut for Remember {
    async fn carry_out(self, run: &Run) -> Result<Done<Remembered>, String> {
        let daemon = &run.daemon;
        let (at, desk, task) = (daemon.now(), daemon.memory()?, run.session);
        // A later run of the tests has a later event.
        let step = run.effect.0.0;
        let noted = match self {
            Self::Failure { error, trace, files, language } => {
                let files = texts(run, files).await?;
                let trace = recall::trace(run, trace).await?;
                let code = failing_line(&files, &error.place);
                let failed = Failure { code, ..failure(error, trace, language) };
                let of_run = TestRun { task, step, files, at };
                desk.run_failed(of_run, vec![failed]).await
            }
            Self::Unsolved { given, partial: None } => desk.served(task, given, false).await,
            Self::Unsolved { given, partial: Some(partial) } => {
                let PartialSolution {
                    task: description,
                    notes,
                    files,
                    language: of,
                    passed,
                    total,
                } = *partial;
                let (language, partly) = (language(of), Partly { passed, total });
                let files = texts(run, files).await?;
                let served = desk.served(task, given, false).await;
                let pattern = Pattern::of(description, files, notes, language);
                let kept = desk.keep_partly(task, pattern, partly, at).await;
                first_fault([served, kept])
            }
            Self::Solved { task: description, notes, files, language: of, given } => {
                let files = texts(run, files).await?;
                let of_run = TestRun { task, step, files: files.clone(), at };
                let lessons = desk.run_passed(of_run).await;
                let language = language(of);
                let pattern = Pattern::of(description, files, notes, language);
                let kept = desk.keep(task, pattern, at).await;
                let served = desk.served(task, given, true).await;
                first_fault([lessons, kept, served])
            }
        };
        Ok(Remembered { warning: warning(&noted.degraded) }.into())
    }
}

fn first_fault<const N: usize>(noted: [Noted; N]) -> Noted {
    let mut noted = noted.into_iter();
    let first = noted.find(|one| !one.degraded.is_empty());
    first.unwrap_or(Noted { count: 0, degraded: Vec::new() })
}

/// The line of a place such as `main.py:67`, where it is in one of the agent's files.
fn failing_line(files: &BTreeMap<String, String>, place: &str) -> String {
    let line = || {
        let (file, number) = place.rsplit_once(':')?;
        let before = number.parse::<usize>().ok()?.checked_sub(1)?;
        files.get(file)?.lines().nth(before)
    };
    line().unwrap_or_default().trim().to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_failed_is_kept_where_it_is_the_agents() {
        let text = "def f(x):\n    return x[0]\n".to_owned();
        let files = BTreeMap::from([("lib/main.py".to_owned(), text)]);
        assert_eq!(failing_line(&files, "lib/main.py:2"), "return x[0]");
        for place in
            ["", "lib/main.py", "lib/main.py:", "lib/main.py:0", "lib/main.py:9", "main.py:2"]
        {
            assert_eq!(failing_line(&files, place), "", "{place}");
        }
    }
}
