//! Running code against cases: what every effect at the judge has in common.

use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::mpsc;
use vosim_protocol::Hash;
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::problem::Language;

use crate::background;
use crate::daemon::hub::{Progress, Published};
use crate::daemon::{Daemon, Exercise};
use crate::effects::Run;
use crate::evaluator::{Cancel, CancelGuard, Evaluator, Refusal, Submission};

/// Steps of progress that may wait to be shown; more are left out.
const PROGRESS_WAITING: usize = 16;

/// Code and what it is judged by.
pub(crate) struct Judging {
    pub(crate) exercise: Arc<Exercise>,
    pub(crate) code: Vec<u8>,
    pub(crate) file_path: String,
    pub(crate) language: Language,
}

impl Run {
    /// Code of the session with a whole suite, by default the one that comes with the problem.
    pub(super) async fn judging(
        &self,
        code: Hash,
        file_path: String,
        language: Language,
        suite: Option<Hash>,
    ) -> Result<Judging, String> {
        let exercise = self.daemon.exercise(self.kind, self.spec, suite).await?;
        let code = self.code(code).await?;
        Ok(Judging { exercise, code, file_path, language })
    }

    /// Judges code and shows the session's streams how far it is.
    pub(super) async fn judge(&self, judging: Judging) -> Result<Box<Evaluation>, String> {
        let (daemon, session) = (Rc::clone(&self.daemon), self.session);
        let show = move |progress| {
            daemon.hub.borrow().publish(session, Published::Progress(progress));
        };
        let evaluated = evaluate(&self.daemon, judging, show).await;
        evaluated.map(Box::new).map_err(|refusal| refusal.to_string())
    }
}

/// Judges code on a thread of its own; dropping the future ends the run.
pub(crate) async fn evaluate(
    daemon: &Rc<Daemon>,
    judging: Judging,
    show: impl Fn(Progress) + 'static,
) -> Result<Evaluation, Refusal> {
    at_judge(daemon, show, move |evaluator, cancel, progress| {
        let of = Some(count(judging.exercise.suite.cases.len()));
        let mut step = |index: usize, case: &str| {
            progress(Progress { text: case.to_owned(), done: count(index), of });
        };
        evaluator.evaluate(&judging.submission(), cancel, &mut step)
    })
    .await
}

/// Does work of the evaluator's on a thread of its own; dropping the future ends it.
pub(crate) async fn at_judge<T: Send + 'static>(
    daemon: &Rc<Daemon>,
    show: impl Fn(Progress) + 'static,
    work: impl FnOnce(&Evaluator, &Cancel, &mut dyn FnMut(Progress)) -> Result<T, Refusal>
    + Send
    + 'static,
) -> Result<T, Refusal> {
    let _turn = daemon.turns.run().await;
    let (_guard, cancel) = CancelGuard::new()
        .map_err(|error| Refusal::Sandbox(vosim_protocol::trouble::cause(&error)))?;
    let (sender, mut receiver) = mpsc::channel(PROGRESS_WAITING);
    background::spawn("progress", async move {
        while let Some(progress) = receiver.recv().await {
            show(progress);
        }
    });
    let evaluator = Arc::clone(&daemon.evaluator);
    let worked = daemon.blocking(move |_| {
        // Whoever shows progress can miss a step of it.
        let mut progress = |progress| drop(sender.try_send(progress));
        work(&evaluator, &cancel, &mut progress)
    });
    worked.await
}

impl Judging {
    pub(super) fn submission(&self) -> Submission<'_> {
        Submission {
            problem: &self.exercise.problem,
            suite: &self.exercise.suite,
            code: &self.code,
            file_path: &self.file_path,
            language: self.language,
        }
    }
}

pub(super) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
