//! Carries out what sessions ask of the world: one arm for each effect.
//!
//! The outcome comes back to the session as an input. Nothing here decides what it means.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::mpsc;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::problem::{Judged, Language, Problem, Suite};
use vosim_protocol::{Hash, SessionId, Wire};
use vosim_store::Store;

use crate::actors::Shared;
use crate::actors::hub::Published;
use crate::evaluator::{Cancel, Refusal, Submission};
use crate::model::{self, Limits, Request};
use crate::task;

/// Steps of progress that may wait to be shown; more are left out.
const PROGRESS_WAITING: usize = 16;

/// One effect under way. Dropping its future ends what it has started.
pub(crate) struct Run {
    pub(crate) shared: Rc<Shared>,
    pub(crate) session: SessionId,
    /// The session's spec blob, in which the problem stands.
    pub(crate) spec: Hash,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("session", &self.session).finish_non_exhaustive()
    }
}

/// Code and what it is judged by.
pub(crate) struct Judging {
    pub(crate) problem: Problem,
    pub(crate) suite: Suite,
    pub(crate) code: Vec<u8>,
    pub(crate) file_path: String,
    pub(crate) language: Language,
}

/// How far a run is: the case that is running, those before it, all.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub(crate) case: String,
    pub(crate) done: u32,
    pub(crate) total: u32,
}

impl Run {
    /// Carries out an effect to its end; a failure is an outcome too.
    pub(crate) async fn carry_out(self, effect: Effect) -> EffectOutcome {
        let ended = match effect {
            Effect::Evaluate { code, file_path, language } => {
                self.evaluate(code, file_path, language).await
            }
            Effect::Probe { code, file_path, language } => {
                self.probe(code, file_path, language).await
            }
            Effect::Phrase { text, purpose } => {
                let request = Request { text, purpose };
                let phrasing =
                    model::phrase(&*self.shared.model, &request, Limits::default()).await;
                Ok(EffectOutcome::Phrased { text: phrasing.text })
            }
        };
        ended.unwrap_or_else(|reason| EffectOutcome::Failed { reason })
    }

    async fn judging(
        &self,
        code: Hash,
        file_path: String,
        language: Language,
    ) -> Result<Judging, String> {
        let spec = self.spec;
        self.shared.blocking(move |store| judging(store, spec, code, file_path, language)).await
    }

    async fn evaluate(
        self,
        code: Hash,
        file_path: String,
        language: Language,
    ) -> Result<EffectOutcome, String> {
        let judging = self.judging(code, file_path, language).await?;
        let (shared, session) = (Rc::clone(&self.shared), self.session);
        let show = move |progress: Progress| {
            let Progress { case, done, total } = progress;
            let progress = Published::Progress { case: case.into(), done, total };
            shared.hub.borrow().publish(session, progress);
        };
        let evaluation = evaluate(&self.shared, judging, show).await.map_err(|r| r.to_string())?;
        Ok(EffectOutcome::Evaluated { evaluation: Box::new(evaluation) })
    }

    async fn probe(
        self,
        code: Hash,
        file_path: String,
        language: Language,
    ) -> Result<EffectOutcome, String> {
        let judging = self.judging(code, file_path, language).await?;
        let _turn = self.shared.turn().await;
        let (_guard, cancel) = CancelGuard::new().map_err(|refusal| refusal.to_string())?;
        let evaluator = Arc::clone(&self.shared.evaluator);
        let points = self
            .shared
            .blocking(move |_| evaluator.probe(&judging.submission(), &cancel))
            .await
            .map_err(|refusal| refusal.to_string())?;
        match points {
            Some(points) => Ok(EffectOutcome::Probed { points }),
            None => Err("the code did not go through with the measurement".to_owned()),
        }
    }
}

/// Judges code on a thread of its own; dropping the future ends the run.
pub(crate) async fn evaluate(
    shared: &Rc<Shared>,
    judging: Judging,
    show: impl Fn(Progress) + 'static,
) -> Result<Evaluation, Refusal> {
    let _turn = shared.turn().await;
    let (_guard, cancel) = CancelGuard::new()?;
    let (sender, mut receiver) = mpsc::channel(PROGRESS_WAITING);
    task::spawn("progress", async move {
        while let Some(progress) = receiver.recv().await {
            show(progress);
        }
    });
    let evaluator = Arc::clone(&shared.evaluator);
    let evaluated = shared.blocking(move |_| {
        let total = count(judging.suite.cases.len());
        let mut progress = |index: usize, case: &str| {
            let progress = Progress { case: case.to_owned(), done: count(index), total };
            // Whoever shows progress can miss a step of it.
            drop(sender.try_send(progress));
        };
        evaluator.evaluate(&judging.submission(), &cancel, &mut progress)
    });
    evaluated.await
}

impl Judging {
    fn submission(&self) -> Submission<'_> {
        Submission {
            problem: &self.problem,
            suite: &self.suite,
            code: &self.code,
            file_path: &self.file_path,
            language: self.language,
        }
    }
}

/// Ends a run when it is dropped; a run that has ended does not mind.
struct CancelGuard(Arc<Cancel>);

impl CancelGuard {
    fn new() -> Result<(Self, Arc<Cancel>), Refusal> {
        let cancel = Cancel::new().map_err(|error| Refusal::Sandbox(error.to_string()))?;
        let cancel = Arc::new(cancel);
        Ok((Self(Arc::clone(&cancel)), cancel))
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Reads what a session's code is judged by; blocks.
fn judging(
    store: &Store,
    spec: Hash,
    code: Hash,
    file_path: String,
    language: Language,
) -> Result<Judging, String> {
    let read = |hash| store.blob(hash).map_err(|error| error.to_string());
    let Judged { problem, suite } = Judged::from_bytes(&read(spec)?)
        .map_err(|error| format!("the session's problem cannot be read: {error}"))?;
    let suite = Suite::from_bytes(&read(suite)?)
        .map_err(|error| format!("the session's cases cannot be read: {error}"))?;
    Ok(Judging { problem, suite, code: read(code)?, file_path, language })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
