//! Which model a task means by its name.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use vosim_agent::model::{Model, Replay, Script};
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::agent::{Exam, ModelSort};
use vosim_protocol::v1::effect::Propose;

use super::repair::{Against, Repair};
use crate::daemon::Daemon;
use crate::problems;

/// The model of a name, or why there is none. A server is the one of the settings, under the name there.
pub(super) async fn open(asked: &Propose, daemon: &Daemon) -> Result<Arc<dyn Model>, String> {
    let (name, configured) = (&asked.model, &daemon.configured);
    match name.sort {
        ModelSort::Script => {
            let script = Script::shipped(&name.name).map_err(|error| error.to_string())?;
            Ok(Arc::new(script))
        }
        ModelSort::Replay => {
            let text = fs::read_to_string(&name.name).map_err(|error| {
                format!("the recording {} cannot be read: {}", name.name, cause(&error))
            })?;
            let replay = Replay::read(&name.name, &text).map_err(|error| error.to_string())?;
            Ok(Arc::new(replay))
        }
        ModelSort::Repair => {
            let against = match &asked.exam {
                Some(exam) => visible(exam, daemon).await?,
                None => Against::Workspace,
            };
            Ok(Arc::new(Repair {
                evaluator: Arc::clone(&daemon.evaluator),
                searches: daemon.turns.searches(),
                workspace: PathBuf::from(&asked.workspace),
                against,
                language: asked.language,
                sitting: asked.exam.as_ref().map(|exam| exam.sitting).unwrap_or_default(),
            }))
        }
        ModelSort::Openai => {
            // The settings' own, or the one that a person has named for when that one fails.
            let server = configured.server_with(&name.name).map_err(|error| error.to_string())?;
            Ok(server)
        }
    }
}

/// The cases of a problem that any candidate sees.
async fn visible(exam: &Exam, daemon: &Daemon) -> Result<Against, String> {
    let package = problems::proved(daemon, &exam.problem).await.map_err(|error| error.message)?;
    let shown = package.problem.cases.iter().filter(|case| case.visible);
    let shown: Vec<_> = shown.map(|case| case.name.as_str()).collect();
    let cases = package.suite().cases.into_iter();
    let tests = cases.filter(|case| shown.contains(&case.name.as_str())).map(|case| case.ops);
    Ok(Against::Visible {
        file: exam.file.clone(),
        interface: package.problem.interface.clone(),
        tests: tests.collect(),
    })
}
