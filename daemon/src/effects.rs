//! Carries out what sessions ask of the world: one file for each effect.
//!
//! The outcome comes back to the session as an input. Nothing here decides what it means.

pub(crate) mod file;
pub(crate) mod judging;
pub(crate) mod trial;

mod act;
mod assist;
mod capture;
mod chat;
mod check;
mod draw;
mod evaluate;
mod examine;
mod execute;
mod hear;
mod prepare;
mod probe;
mod propose;
mod recall;
mod remember;
mod restore;
mod run_tests;
mod scan;
mod served;
mod shrink;
mod sitting;
mod step;
mod watch;
mod word;

use std::fmt;
use std::rc::Rc;

use vosim_protocol::v1::effect::{Effect, EffectOutcome, EffectType, Failure};
use vosim_protocol::{Blob, EffectId, Hash, Kind, SessionId};

use crate::background::caught;
use crate::daemon::Daemon;

/// One sort of effect, as it is carried out here.
pub(crate) trait CarryOut: EffectType {
    /// Carries it out to its end, or says in one sentence why not. Dropping the future ends what it
    /// has started.
    async fn carry_out(self, run: &Run) -> Result<Done<Self::Outcome>, String>;
}

/// An outcome with the bytes that it names, which become durable together with the event that they
/// lead to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Done<T> {
    pub(crate) outcome: T,
    pub(crate) blobs: Vec<Blob>,
}

impl<T> From<T> for Done<T> {
    fn from(outcome: T) -> Self {
        Self { outcome, blobs: Vec::new() }
    }
}

/// How an effect of some sort ended.
pub(crate) type Ended = Done<EffectOutcome>;

/// Whether it runs the candidate's code to be judged, tried or measured, which may be called off.
pub(crate) fn may_be_called_off(effect: &Effect) -> bool {
    match effect {
        Effect::Evaluate(_)
        | Effect::Try(_)
        | Effect::Examine(_)
        | Effect::CheckInvariant(_)
        | Effect::Shrink(_)
        | Effect::Probe(_) => true,
        // What an agent's task has under way is paused, not called off.
        Effect::Execute(_)
        | Effect::RunTests(_)
        | Effect::Draw(_)
        | Effect::Word(_)
        | Effect::Chat(_)
        | Effect::Assist(_)
        | Effect::Hear(_)
        | Effect::Watch(_)
        | Effect::Capture(_)
        | Effect::Prepare(_)
        | Effect::Propose(_)
        | Effect::Act(_)
        | Effect::Scan(_)
        | Effect::Recall(_)
        | Effect::Remember(_)
        | Effect::Restore(_) => false,
    }
}

/// One effect under way.
pub(crate) struct Run {
    pub(crate) daemon: Rc<Daemon>,
    pub(crate) session: SessionId,
    /// Which effect it is.
    pub(crate) effect: EffectId,
    pub(crate) kind: Kind,
    /// The session's spec blob, in which the problem stands.
    pub(crate) spec: Hash,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("session", &self.session).finish_non_exhaustive()
    }
}

impl Run {
    /// Carries out an effect to its end; a failure is an outcome too.
    pub(crate) async fn carry_out(self, effect: Effect) -> Ended {
        match effect {
            Effect::Draw(effect) => self.end(effect).await,
            Effect::Evaluate(effect) => self.end(effect).await,
            Effect::Try(effect) => self.end(effect).await,
            Effect::Examine(effect) => self.end(effect).await,
            Effect::CheckInvariant(effect) => self.end(effect).await,
            Effect::Shrink(effect) => self.end(effect).await,
            Effect::Probe(effect) => self.end(effect).await,
            Effect::Execute(effect) => self.end(effect).await,
            Effect::Word(effect) => self.end(effect).await,
            Effect::Chat(effect) => self.end(effect).await,
            Effect::Assist(effect) => self.end(effect).await,
            Effect::Hear(effect) => self.end(effect).await,
            Effect::Watch(effect) => self.end(effect).await,
            Effect::Capture(effect) => self.end(effect).await,
            Effect::Prepare(effect) => self.end(effect).await,
            Effect::Propose(effect) => self.end(effect).await,
            Effect::Act(effect) => self.end(effect).await,
            Effect::Scan(effect) => self.end(effect).await,
            Effect::RunTests(effect) => self.end(effect).await,
            Effect::Recall(effect) => self.end(effect).await,
            Effect::Remember(effect) => self.end(effect).await,
            Effect::Restore(effect) => self.end(effect).await,
        }
    }

    async fn end<E: CarryOut>(&self, effect: E) -> Ended {
        // It would be wanted again by the next daemon, and end that one too.
        let ended = caught(effect.carry_out(self)).await;
        match ended.unwrap_or_else(|panicked| Err(panicked.to_string())) {
            Ok(Done { outcome, blobs }) => Ended { outcome: E::ended(Ok(outcome)), blobs },
            Err(reason) => E::ended(Err(Failure { reason })).into(),
        }
    }

    /// The candidate's code.
    async fn code(&self, code: Hash) -> Result<Vec<u8>, String> {
        let code = self.daemon.blocking(move |store| store.blob(code)).await;
        code.map_err(|error| error.to_string())
    }

    /// The same, unless a person has erased it since.
    async fn code_if_kept(&self, code: Hash) -> Result<Option<Vec<u8>>, String> {
        let kept = self.daemon.blocking(move |store| match store.has_blob(code) {
            Ok(true) => store.blob(code).map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        });
        kept.await.map_err(|error| error.to_string())
    }
}
