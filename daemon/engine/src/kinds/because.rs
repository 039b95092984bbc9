//! The explanation of one event while it is put together: what was decided, by which rule, what
//! the rule looked at, and what was not taken.

use vosim_protocol::v1::events::Events;
use vosim_protocol::v1::session::{Explanation, Input, NotTaken};
use vosim_protocol::{EventId, Json};

use crate::kind::Recorded;

/// An explanation without its event.
pub(super) struct Because {
    decision: String,
    pub(super) rule: String,
    pub(super) inputs: Vec<Input>,
    pub(super) not_taken: Vec<NotTaken>,
}

pub(super) fn because(decision: impl Into<String>, rule: impl Into<String>) -> Because {
    let (decision, rule) = (decision.into(), rule.into());
    Because { decision, rule, inputs: Vec::new(), not_taken: Vec::new() }
}

pub(super) fn input(name: &str, value: impl Into<Json>) -> Input {
    Input { name: name.to_owned(), value: value.into(), text: None, event_id: None }
}

pub(super) fn input_of(name: &str, value: impl Into<Json>, event: EventId) -> Input {
    Input { name: name.to_owned(), value: value.into(), text: None, event_id: Some(event) }
}

pub(super) fn not_taken(rule: impl Into<String>, reason: impl Into<String>) -> NotTaken {
    NotTaken { rule: rule.into(), reason: reason.into() }
}

/// A model could not word a text (001 10.2).
pub(super) fn wording_failed(request: EventId, reason: &str) -> Because {
    because(
        "the model did not word the text",
        "it is asked once more; after the second failure the text is used as it is (001 10.2)",
    )
    .from("request", request, "the words were asked for")
    .input("reason", reason, reason)
}

impl Because {
    /// Something the rule looked at: as data, and as a clause for people.
    pub(super) fn input(
        mut self,
        name: &str,
        value: impl Into<Json>,
        text: impl Into<String>,
    ) -> Self {
        self.inputs.push(Input { text: Some(text.into()), ..input(name, value) });
        self
    }

    /// The same for another event.
    pub(super) fn from(mut self, name: &str, event: EventId, text: &str) -> Self {
        let text = Some(text.to_owned());
        self.inputs.push(Input { text, ..input_of(name, event.0, event) });
        self
    }

    pub(super) fn not(mut self, rule: impl Into<String>, reason: impl Into<String>) -> Self {
        self.not_taken.push(not_taken(rule, reason));
        self
    }

    /// The explanation of this event.
    pub(super) fn of<E: Events>(self, event: &Recorded<E>) -> Explanation {
        Explanation {
            event_id: event.id,
            event_type: event.event.row().event_type.to_owned(),
            decision: self.decision,
            rule: self.rule,
            inputs: self.inputs,
            not_taken: self.not_taken,
        }
    }
}
