//! The table of a kind's events: one row for each, with its type, who did it, who may see it and
//! the bytes it names.
//!
//! A row is all that anything but the kind itself knows of an event. The table decides nothing:
//! when an event happens and what it changes is the engine's business.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{Hash, Role};
use crate::record::{Actor, EventRecord};
use crate::v1::session::SessionEvent;
use crate::wire::{Json, WireError};

/// What is known of an event by its type alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The type on the wire and on disk, in upper case; unique over all kinds (DECISIONS 2).
    pub event_type: &'static str,
    /// Who did it.
    pub actor: Actor,
    /// Who did it instead where the payload says so.
    pub or_actor: Option<Actor>,
    /// Who may see it.
    pub audience: Audience,
}

/// Who may see an event; an interviewer sees every one of them, whole (001 9; DECISIONS 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Every role.
    Everyone,
    /// Every role, but only an interviewer sees these fields of the payload.
    Without(&'static [&'static str]),
    /// Interviewers alone.
    Interviewer,
}

/// What `protocol.describe` tells of one event beside its payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventSchema {
    /// Who did it.
    pub actor: Actor,
    /// Who did it instead where the payload says so; the record tells which of the two it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub or_actor: Option<Actor>,
    /// The roles that may see it; where one is left out, so is the event, and its id with it.
    pub seen_by: Vec<Role>,
    /// Fields of the payload that only an interviewer sees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

impl Row {
    fn schema(&self) -> EventSchema {
        let (seen_by, withheld): (&[Role], &[&str]) = match self.audience {
            Audience::Everyone => (&Role::ALL, &[]),
            Audience::Without(fields) => (&Role::ALL, fields),
            Audience::Interviewer => (&[Role::Interviewer], &[]),
        };
        EventSchema {
            actor: self.actor,
            or_actor: self.or_actor,
            seen_by: seen_by.to_vec(),
            withheld: withheld.iter().map(|&field| field.to_owned()).collect(),
        }
    }
}

/// Bytes that an event names; they become durable together with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobUse {
    /// The hash.
    pub hash: Hash,
    /// What they are.
    pub content: Content,
}

/// What the bytes that an event names are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The candidate's code, which can be erased on its own (DECISIONS 7).
    Code,
    /// Something in which that code stands, such as what a model was asked: it is erased with the code.
    AroundCode,
    /// Anything else; it goes with its session.
    Data,
    /// Hidden cases, which the judge alone opens: no role may read them.
    Sealed,
}

impl Content {
    /// Whether it is gone once the candidate's code has been erased.
    pub fn goes_with_code(self) -> bool {
        match self {
            Self::Code | Self::AroundCode => true,
            Self::Data | Self::Sealed => false,
        }
    }
}

impl BlobUse {
    /// The candidate's code.
    pub fn code(hash: Hash) -> Self {
        Self { hash, content: Content::Code }
    }

    /// Something in which that code stands.
    pub fn around_code(hash: Hash) -> Self {
        Self { hash, content: Content::AroundCode }
    }

    /// Hidden cases.
    pub fn sealed(hash: Hash) -> Self {
        Self { hash, content: Content::Sealed }
    }

    /// Anything else.
    pub fn data(hash: Hash) -> Self {
        Self { hash, content: Content::Data }
    }
}

/// The events of a kind, or those that every session has. [`events!`](crate::events) implements it.
pub trait Events: Sized {
    /// One row for each event.
    const TABLE: &'static [Row];

    /// What is told of every event beside its payload, by type.
    fn schemas() -> BTreeMap<String, EventSchema> {
        Self::TABLE.iter().map(|row| (row.event_type.to_owned(), row.schema())).collect()
    }

    /// The row of this event.
    fn row(&self) -> &'static Row;

    /// Who did it.
    fn actor(&self) -> Actor;

    /// The payload, as records hold it.
    fn payload(&self) -> Json;

    /// Takes an event apart that was recorded under its type.
    fn read(event_type: &str, payload: Json) -> Result<Self, WireError>;

    /// The bytes it names.
    fn blobs(&self) -> Vec<BlobUse>;
}

/// Returns what a role may see of a record of a session with these events; none hides it.
///
/// The record's place stays in the count.
pub fn seen_by<E: Events>(role: Role, mut record: EventRecord) -> Option<EventRecord> {
    if role == Role::Interviewer {
        return Some(record);
    }
    let mut rows = SessionEvent::TABLE.iter().chain(E::TABLE);
    let row = rows.find(|row| row.event_type == record.event_type)?;
    match row.audience {
        Audience::Everyone => {}
        Audience::Without(fields) => {
            let payload = record.payload.as_object_mut()?;
            // The order of the others stays.
            fields.iter().for_each(|field| drop(payload.shift_remove(*field)));
        }
        Audience::Interviewer => return None,
    }
    Some(record)
}

/// Declares the events of a kind as an enum with one row for each of them:
///
/// ```ignore
/// events! {
///     /// What happens in a drill.
///     pub enum Event {
///         /// A file was taken for judging.
///         CodeSubmitted(CodeSubmitted): "CODE_SUBMITTED" by Candidate for Everyone,
///             naming |submitted| [BlobUse::code(submitted.code_hash)];
///     }
/// }
/// ```
///
/// A row reads: variant and payload, type, [`Actor`], [`Audience`], the [`BlobUse`]s that the payload
/// names, and (`or System when |submitted| …`) who else did it where the payload says so.
#[macro_export]
macro_rules! events {
    ($(#[$meta:meta])* $vis:vis enum $Event:ident {
        $(
            $(#[$doc:meta])*
            $Variant:ident($Payload:ty): $event_type:literal by $actor:ident for $audience:expr
            $(, naming $names:expr)? $(, or $other:ident when $when:expr)?;
        )*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, $crate::schemars::JsonSchema)]
        #[schemars(crate = "vosim_protocol::schemars", tag = "event_type", content = "payload")]
        $vis enum $Event {
            $(
                $(#[$doc])*
                #[schemars(rename = $event_type)]
                $Variant($Payload),
            )*
        }

        impl $crate::v1::events::Events for $Event {
            const TABLE: &'static [$crate::v1::events::Row] = &[
                $($crate::events!(@row $event_type, $audience, $actor $(, $other)?),)*
            ];

            fn row(&self) -> &'static $crate::v1::events::Row {
                match self {
                    $(Self::$Variant(_) => {
                        const { &$crate::events!(@row $event_type, $audience, $actor $(, $other)?) }
                    })*
                }
            }

            fn actor(&self) -> $crate::Actor {
                match self {
                    $(Self::$Variant(payload) => {
                        $crate::events!(@actor payload, $actor $(, $other, $when)?)
                    })*
                }
            }

            fn payload(&self) -> $crate::Json {
                match self {
                    $(Self::$Variant(payload) => $crate::Wire::to_json(payload),)*
                }
            }

            fn read(
                event_type: &str,
                payload: $crate::Json,
            ) -> Result<Self, $crate::wire::WireError> {
                match event_type {
                    $($event_type => $crate::Wire::from_json(payload).map(Self::$Variant),)*
                    unknown => Err($crate::wire::error(&format!("there is no event {unknown}"))),
                }
            }

            fn blobs(&self) -> Vec<$crate::v1::events::BlobUse> {
                match self {
                    $(Self::$Variant(payload) => $crate::events!(@blobs payload $(, $names)?),)*
                }
            }
        }
    };
    (@row $event_type:expr, $audience:expr, $actor:ident $(, $other:ident)?) => {{
        #[expect(unused_imports, reason = "each row uses one of them")]
        use $crate::v1::events::Audience::{Everyone, Interviewer, Without};
        $crate::v1::events::Row {
            event_type: $event_type,
            actor: $crate::Actor::$actor,
            or_actor: $crate::events!(@or $($other)?),
            audience: $audience,
        }
    }};
    (@or) => {
        None
    };
    (@or $other:ident) => {
        Some($crate::Actor::$other)
    };
    (@actor $payload:ident, $actor:ident) => {{
        let _ = $payload;
        $crate::Actor::$actor
    }};
    (@actor $payload:ident, $actor:ident, $other:ident, $when:expr) => {
        match $crate::v1::events::holds($payload, $when) {
            true => $crate::Actor::$other,
            false => $crate::Actor::$actor,
        }
    };
    (@blobs $payload:ident) => {{
        let _ = $payload;
        Vec::new()
    }};
    (@blobs $payload:ident, $names:expr) => {
        $crate::v1::events::named($payload, $names)
    };
}

/// The bytes that a payload names, by its row.
#[doc(hidden)]
pub fn named<P, I: IntoIterator<Item = BlobUse>>(
    payload: &P,
    names: impl Fn(&P) -> I,
) -> Vec<BlobUse> {
    names(payload).into_iter().collect()
}

/// Whether something holds for a payload, by its row.
#[doc(hidden)]
pub fn holds<P>(payload: &P, when: impl Fn(&P) -> bool) -> bool {
    when(payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{drill, interview};

    #[test]
    fn every_event_type_is_the_only_one_of_its_name_in_a_session() {
        let of_session = SessionEvent::TABLE;
        for table in [drill::Event::TABLE, interview::Event::TABLE] {
            let mut types: Vec<_> =
                table.iter().chain(of_session).map(|row| row.event_type).collect();
            types.sort_unstable();
            let all = types.len();
            types.dedup();
            assert_eq!(types.len(), all);
        }
    }

    #[test]
    fn an_event_that_no_table_has_is_hidden_from_all_but_an_interviewer() {
        let record = |event_type: &str| EventRecord {
            session_id: crate::SessionId(uuid::Uuid::nil()),
            event_id: crate::EventId(1),
            timestamp: crate::Time::from_micros(0),
            actor: Actor::System,
            event_type: event_type.to_owned(),
            payload: serde_json::json!({ "text": "no", "withheld": "yes", "unanswered": true }),
            v: 1,
            command_id: None,
            command_hash: None,
            prev_hash: Hash::NONE,
        };
        let seen = |role, event_type| seen_by::<interview::Event>(role, record(event_type));
        assert_eq!(seen(Role::Candidate, "FOO"), None);
        assert!(seen(Role::Interviewer, "FOO").is_some());
        let answer = seen(Role::Observer, "ASSISTANT_RESPONSE").unwrap();
        assert_eq!(answer.payload, serde_json::json!({ "text": "no", "unanswered": true }));
        assert!(
            seen(Role::Interviewer, "ASSISTANT_RESPONSE").unwrap().payload["withheld"] == "yes"
        );
    }
}
