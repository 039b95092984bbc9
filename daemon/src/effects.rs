//! Carries out what sessions ask of the world: one arm for each effect.
//!
//! The outcome comes back to the session as an input. Nothing here decides what it means.

pub(crate) mod file;
pub(crate) mod trial;

mod assist;
mod watch;

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::problem::{Language, Op, Suite};
use vosim_protocol::v1::service::OwnCase;
use vosim_protocol::{Blob, Hash, SessionId};

use crate::background;
use crate::daemon::hub::Published;
use crate::daemon::{Daemon, Exercise};
use crate::effects::trial::{Beside, Trial};
use crate::evaluator::{Cancel, Refusal, Submission};
use crate::model::{self, Limits, Question, Request};

/// Steps of progress that may wait to be shown; more are left out.
const PROGRESS_WAITING: usize = 16;

/// How long after a verdict the time per call is measured: until then the verdict is told, and
/// whoever draws it has the machine.
const PROBE_PAUSE: Duration = Duration::from_millis(50);

/// One effect under way. Dropping its future ends what it has started.
pub(crate) struct Run {
    pub(crate) daemon: Rc<Daemon>,
    pub(crate) session: SessionId,
    /// The session's spec blob, in which the problem stands.
    pub(crate) spec: Hash,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("session", &self.session).finish_non_exhaustive()
    }
}

/// How an effect ended, with the bytes that its outcome names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ended {
    pub(crate) outcome: EffectOutcome,
    /// Become durable together with the event that they lead to.
    pub(crate) blobs: Vec<Blob>,
}

impl From<EffectOutcome> for Ended {
    fn from(outcome: EffectOutcome) -> Self {
        Self { outcome, blobs: Vec::new() }
    }
}

/// Code and what it is judged by.
pub(crate) struct Judging {
    pub(crate) exercise: Arc<Exercise>,
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
    pub(crate) async fn carry_out(self, effect: Effect) -> Ended {
        let ended = match effect {
            Effect::Evaluate { code, file_path, language } => {
                self.evaluate(code, file_path, language).await
            }
            Effect::Probe { code, file_path, language } => {
                self.probe(code, file_path, language).await
            }
            Effect::Phrase { text, purpose } => {
                let request = Request { text, purpose, context: Vec::new() };
                let phrasing =
                    model::phrase(&*self.daemon.model, &request, Limits::default()).await;
                Ok(EffectOutcome::Phrased { text: phrasing.text }.into())
            }
            Effect::Word { text, purpose, context } => {
                let request = Request { text, purpose, context };
                let worded = model::word(&*self.daemon.model, &request, Limits::default()).await;
                worded
                    .map(|text| EffectOutcome::Phrased { text }.into())
                    .map_err(|error| error.to_string())
            }
            Effect::Try { code, file_path, language, cases } => {
                self.try_out(code, file_path, language, cases).await
            }
            Effect::Watch { file_path, known } => {
                watch::watch(&self.daemon.turns, &file_path, known).await
            }
            Effect::Capture { file_path, known, due } => {
                let now = || self.daemon.now();
                watch::capture(&self.daemon.turns, &file_path, known, due, now).await
            }
            Effect::Assist { kind, question, code, language } => {
                self.assist(kind, question, code, language).await
            }
        };
        ended.unwrap_or_else(|reason| EffectOutcome::Failed { reason }.into())
    }

    async fn code(&self, code: Hash) -> Result<Vec<u8>, String> {
        let code = self.daemon.blocking(move |store| store.blob(code)).await;
        code.map_err(|error| error.to_string())
    }

    async fn judging(
        &self,
        code: Hash,
        file_path: String,
        language: Language,
    ) -> Result<Judging, String> {
        let exercise = self.daemon.exercise(self.spec).await?;
        let code = self.code(code).await?;
        Ok(Judging { exercise, code, file_path, language })
    }

    async fn evaluate(
        self,
        code: Hash,
        file_path: String,
        language: Language,
    ) -> Result<Ended, String> {
        let judging = self.judging(code, file_path, language).await?;
        self.judge(judging).await
    }

    /// Cases of the candidate's own, and nothing else.
    async fn try_out(
        self,
        code: Hash,
        file_path: String,
        language: Language,
        cases: Vec<Vec<Op>>,
    ) -> Result<Ended, String> {
        let exercise = self.daemon.exercise(self.spec).await?;
        let code = self.code(code).await?;
        let name = |index: usize| format!("own case {}", index + 1);
        let own = cases.into_iter().enumerate();
        let own = own.map(|(index, ops)| OwnCase { name: name(index), ops }).collect();
        let trial = Trial { code, file_path, language, beside: Beside::Nothing, own };
        let judging = trial.judging(exercise.problem.clone(), Suite { cases: Vec::new() });
        self.judge(judging.map_err(|fault| fault.to_string())?).await
    }

    /// Judges code and shows the session's streams how far it is.
    async fn judge(self, judging: Judging) -> Result<Ended, String> {
        let (daemon, session) = (Rc::clone(&self.daemon), self.session);
        let show = move |progress: Progress| {
            let Progress { case, done, total } = progress;
            let progress = Published::Progress { case: case.into(), done, total };
            daemon.hub.borrow().publish(session, progress);
        };
        let evaluation = evaluate(&self.daemon, judging, show).await.map_err(|r| r.to_string())?;
        Ok(EffectOutcome::Evaluated { evaluation: Box::new(evaluation) }.into())
    }

    /// The candidate's code is all that is read for the assistant.
    async fn assist(
        self,
        kind: AskKind,
        text: String,
        code: Option<Hash>,
        language: Option<Language>,
    ) -> Result<Ended, String> {
        let code = match code {
            Some(code) => Some(self.code(code).await?),
            None => None,
        };
        let question = Question { kind, text, code, language };
        assist::assist(Arc::clone(&self.daemon.assistant), question, Limits::default()).await
    }

    async fn probe(
        self,
        code: Hash,
        file_path: String,
        language: Language,
    ) -> Result<Ended, String> {
        let judging = self.judging(code, file_path, language).await?;
        tokio::time::sleep(PROBE_PAUSE).await;
        let _turn = self.daemon.turns.run().await;
        let (_guard, cancel) = CancelGuard::new().map_err(|refusal| refusal.to_string())?;
        let evaluator = Arc::clone(&self.daemon.evaluator);
        let points = self
            .daemon
            .blocking(move |_| evaluator.probe(&judging.submission(), &cancel))
            .await
            .map_err(|refusal| refusal.to_string())?;
        match points {
            Some(points) => Ok(EffectOutcome::Probed { points }.into()),
            None => Err("the code did not go through with the measurement".to_owned()),
        }
    }
}

/// Judges code on a thread of its own; dropping the future ends the run.
pub(crate) async fn evaluate(
    daemon: &Rc<Daemon>,
    judging: Judging,
    show: impl Fn(Progress) + 'static,
) -> Result<Evaluation, Refusal> {
    let _turn = daemon.turns.run().await;
    let (_guard, cancel) = CancelGuard::new()?;
    let (sender, mut receiver) = mpsc::channel(PROGRESS_WAITING);
    background::spawn("progress", async move {
        while let Some(progress) = receiver.recv().await {
            show(progress);
        }
    });
    let evaluator = Arc::clone(&daemon.evaluator);
    let evaluated = daemon.blocking(move |_| {
        let total = count(judging.exercise.suite.cases.len());
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
            problem: &self.exercise.problem,
            suite: &self.exercise.suite,
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

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
