//! [`Wanted`]: something a session asks of the world, with what is made of the end.

use std::fmt;

use vosim_protocol::EffectId;
use vosim_protocol::v1::effect::{Effect, EffectOutcome, EffectType, Failure};

use crate::draft::Draft;

/// An effect that has not ended, and what follows when it does.
pub struct Wanted<S, E> {
    /// The event that asks for it.
    pub id: EffectId,
    /// What is asked for.
    pub effect: Effect,
    conclude: Box<Conclude<S, E>>,
}

/// Makes facts of an outcome; false when it is the outcome of another sort of effect.
type Conclude<S, E> = dyn Fn(&mut Draft<'_, S, E>, &EffectOutcome) -> bool;

impl<S, E> fmt::Debug for Wanted<S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wanted").field("id", &self.id).field("effect", &self.effect).finish()
    }
}

impl<S, E> Wanted<S, E> {
    /// An effect with what its end, which is of the effect's own type, becomes: at least one event.
    pub fn new<T: EffectType>(
        id: EffectId,
        effect: T,
        conclude: impl Fn(&mut Draft<'_, S, E>, Result<&T::Outcome, &Failure>) + 'static,
    ) -> Self {
        let conclude = move |draft: &mut Draft<'_, S, E>, outcome: &EffectOutcome| {
            let outcome = T::outcome(outcome);
            outcome.map(|outcome| conclude(draft, outcome)).is_some()
        };
        Self { id, effect: effect.into_effect(), conclude: Box::new(conclude) }
    }

    pub(crate) fn conclude(&self, draft: &mut Draft<'_, S, E>, outcome: &EffectOutcome) -> bool {
        (self.conclude)(draft, outcome)
    }
}
