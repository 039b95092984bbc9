//! [`CarriedOut`]: the commands that a session has carried out, by which one that is repeated is
//! known again.
//!
//! Every step works on a copy of its session, which is kept only when the step is durable. So
//! copies must cost little however many commands there are: nearly all stand in a table that copies
//! share, and the latest few beside it.

use std::collections::BTreeMap;
use std::sync::Arc;

use vosim_protocol::{CommandId, EventId, Hash};

/// The most commands that a copy copies.
const LATEST_MAX: usize = 32;

/// What is known of a command that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    /// The command with its arguments.
    pub(crate) hash: Hash,
    /// The first event that bears its id.
    pub(crate) first: EventId,
    /// The last one.
    pub(crate) last: EventId,
}

/// The commands that were carried out.
#[derive(Clone, Debug, Default)]
pub(crate) struct CarriedOut {
    most: Arc<BTreeMap<CommandId, Carried>>,
    /// Commands that are not in `most`, or stand there with fewer events.
    latest: Vec<(CommandId, Carried)>,
}

impl CarriedOut {
    /// What is known of a command.
    pub(crate) fn get(&self, id: CommandId) -> Option<Carried> {
        let latest = self.latest.iter().rev().find(|(known, _)| *known == id);
        latest.map(|(_, carried)| *carried).or_else(|| self.most.get(&id).copied())
    }

    /// Notes an event that bears a command's id. The first one brings the hash of the command.
    pub(crate) fn note(&mut self, id: CommandId, hash: Option<Hash>, event: EventId) {
        let known = self.get(id);
        let hash = hash.unwrap_or(Hash::NONE);
        let carried =
            Carried { last: event, ..known.unwrap_or(Carried { hash, first: event, last: event }) };
        match self.latest.iter_mut().find(|(known, _)| *known == id) {
            Some((_, latest)) => *latest = carried,
            None => self.latest.push((id, carried)),
        }
        if self.latest.len() > LATEST_MAX {
            Arc::make_mut(&mut self.most).extend(self.latest.drain(..));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    proptest! {
        #[test]
        fn a_command_is_known_with_its_first_and_its_last_event_in_every_copy(
            noted in prop::collection::vec(0u128..200, 1..600),
            copied_at in 0usize..600,
        ) {
            let (mut carried, mut model) = (CarriedOut::default(), BTreeMap::new());
            let mut copy = None;
            for (at, number) in noted.iter().enumerate() {
                if at == copied_at {
                    copy = Some((carried.clone(), model.clone()));
                }
                let (id, event) = (CommandId(Uuid::from_u128(*number)), EventId(at as u64 + 1));
                carried.note(id, Some(Hash::of(&number.to_le_bytes())), event);
                model.entry(id).or_insert((event, event)).1 = event;
            }
            for (carried, model) in copy.into_iter().chain([(carried, model)]) {
                for number in 0..200 {
                    let id = CommandId(Uuid::from_u128(number));
                    let found = carried.get(id).map(|it| (it.first, it.last));
                    prop_assert_eq!(found, model.get(&id).copied());
                }
            }
        }
    }
}
