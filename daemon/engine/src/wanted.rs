//! [`Wanted`]: something a session asks of the world, with what its kind makes of the end.

use std::fmt;

use vosim_protocol::EffectId;
use vosim_protocol::v1::effect::{Effect, EffectOutcome, EffectType, Failure};

use crate::kind::Kind;
use crate::session::Draft;

/// An effect that has not ended, and what follows when it does.
pub struct Wanted<K: Kind> {
    /// The event that asks for it.
    pub id: EffectId,
    /// What is asked for.
    pub effect: Effect,
    conclude: Box<Conclude<K>>,
}

/// Makes facts of an outcome; false when it is the outcome of another sort of effect.
type Conclude<K> = dyn Fn(&mut Draft<'_, K>, &EffectOutcome) -> bool;

impl<K: Kind> fmt::Debug for Wanted<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wanted").field("id", &self.id).field("effect", &self.effect).finish()
    }
}

impl<K: Kind> Wanted<K> {
    /// An effect with what its end, which is of the effect's own type, becomes: at least one event.
    pub fn new<E: EffectType>(
        id: EffectId,
        effect: E,
        conclude: impl Fn(&mut Draft<'_, K>, Result<&E::Outcome, &Failure>) + 'static,
    ) -> Self {
        let conclude = move |draft: &mut Draft<'_, K>, outcome: &EffectOutcome| {
            let outcome = E::outcome(outcome);
            outcome.map(|outcome| conclude(draft, outcome)).is_some()
        };
        Self { id, effect: effect.into_effect(), conclude: Box::new(conclude) }
    }

    pub(crate) fn conclude(&self, draft: &mut Draft<'_, K>, outcome: &EffectOutcome) -> bool {
        (self.conclude)(draft, outcome)
    }
}
