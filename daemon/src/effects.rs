//! Carries out what sessions ask of the world: one arm for each effect.
//!
//! The outcome comes back to the session as an input. Nothing here decides what it means.

use std::fmt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::problem::{Judged, Language, Suite};
use vosim_protocol::{Hash, SessionId, Wire};
use vosim_store::Store;

use crate::actors::Shared;
use crate::actors::hub::Published;
use crate::evaluator::{Code, EvaluatorError, Progress};

/// One effect under way.
pub(crate) struct Run {
    pub(crate) shared: Rc<Shared>,
    pub(crate) session: SessionId,
    /// The session's spec blob, in which the problem stands.
    pub(crate) spec: Hash,
    /// Cancelled when the effect is no longer wanted.
    pub(crate) cancel: CancellationToken,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("session", &self.session).finish_non_exhaustive()
    }
}

impl Run {
    /// Carries out an effect to its end; a failure is an outcome too.
    pub(crate) async fn carry_out(self, effect: Effect) -> EffectOutcome {
        match effect {
            Effect::Evaluate { code, file_path, language } => {
                self.evaluate(code, file_path, language).await
            }
            Effect::Probe { code, file_path, language } => {
                self.probe(code, file_path, language).await
            }
            Effect::Phrase { text, purpose } => match self.shared.wording.phrase(text, purpose).await {
                Ok(text) => EffectOutcome::Phrased { text },
                Err(error) => EffectOutcome::Failed { reason: error.to_string() },
            },
        }
    }

    async fn evaluate(self, code: Hash, file_path: String, language: Language) -> EffectOutcome {
        let _turn = self.shared.turn().await;
        let progress = self.progress();
        let (spec, evaluator) = (self.spec, Arc::clone(&self.shared.evaluator));
        let cancel = self.cancel.clone();
        let judged = self
            .shared
            .blocking(move |store| {
                let judged = judged(store, spec)?;
                let suite = suite(store, judged.suite)?;
                let code = self::code(store, code, &file_path, language)?;
                evaluator
                    .evaluate(&judged.problem, &suite, &code, &progress, &|| cancel.is_cancelled())
                    .map_err(|error| reason(&error))
            })
            .await;
        match judged {
            Ok(evaluation) => EffectOutcome::Evaluated { evaluation: Box::new(evaluation) },
            Err(reason) => EffectOutcome::Failed { reason },
        }
    }

    async fn probe(self, code: Hash, file_path: String, language: Language) -> EffectOutcome {
        let _turn = self.shared.turn().await;
        let (spec, evaluator) = (self.spec, Arc::clone(&self.shared.evaluator));
        let cancel = self.cancel.clone();
        let probed = self
            .shared
            .blocking(move |store| {
                let judged = judged(store, spec)?;
                let code = self::code(store, code, &file_path, language)?;
                evaluator
                    .probe(&judged.problem, &code, &|| cancel.is_cancelled())
                    .map_err(|error| reason(&error))
            })
            .await;
        match probed {
            Ok(points) => EffectOutcome::Probed { points },
            Err(reason) => EffectOutcome::Failed { reason },
        }
    }

    /// Tells the session's streams which case is running; called from the evaluator's thread.
    fn progress(&self) -> impl Fn(Progress<'_>) + Send + use<> {
        let (sender, mut receiver) = tokio::sync::mpsc::channel::<Published>(16);
        let (shared, session) = (Rc::clone(&self.shared), self.session);
        crate::task::spawn("progress", async move {
            while let Some(progress) = receiver.recv().await {
                shared.hub.borrow().publish(session, progress);
            }
        });
        move |progress: Progress<'_>| {
            let Progress { case, done, total } = progress;
            // Whoever shows progress can miss a step of it.
            drop(sender.try_send(Published::Progress { case: case.into(), done, total }));
        }
    }
}

fn reason(error: &EvaluatorError) -> String {
    error.to_string()
}

fn judged(store: &Store, spec: Hash) -> Result<Judged, String> {
    let bytes = store.blob(spec).map_err(|error| error.to_string())?;
    Judged::from_bytes(&bytes).map_err(|error| format!("the session's problem: {error}"))
}

fn suite(store: &Store, suite: Hash) -> Result<Suite, String> {
    let bytes = store.blob(suite).map_err(|error| error.to_string())?;
    Suite::from_bytes(&bytes).map_err(|error| format!("the session's cases: {error}"))
}

fn code(store: &Store, code: Hash, file_path: &str, language: Language) -> Result<Code, String> {
    let bytes = store.blob(code).map_err(|error| error.to_string())?;
    Ok(Code { bytes, file_name: file_name(file_path), language })
}

/// The last part of a path: all that tracebacks show.
pub(crate) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(
        || "solution".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
