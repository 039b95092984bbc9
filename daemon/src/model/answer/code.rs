//! A shallow look at the candidate's own code: what stands on which line, never whether it is right.
//!
//! Nothing is run and no grammar is known: lines, what they are indented or enclosed by, and a few
//! marks. What is seen is told with its line and a question, and no line of code is repeated.

mod remarks;
mod scan;
mod sketch;

use super::entries::Asked;
use remarks::{Remark, Topic};

pub(super) use sketch::Sketch;

/// Names that an answer lists.
const NAMES_MAX: usize = 3;

impl Sketch {
    /// What there is to say about the part and the matter that the question names.
    pub(super) fn remark(&self, asked: &Asked) -> Option<String> {
        let mut remarks: Vec<Remark> = remarks::all(self);
        let topic = Topic::of(asked, &remarks);
        if let Some(topic) = topic {
            remarks.retain(|remark| remark.topic == topic);
        }
        let at = asked.line();
        let inside: Vec<_> =
            self.definitions.iter().filter(|definition| asked.names(&definition.name)).collect();
        let near = |remark: &&Remark| {
            at.is_none_or(|at| at == remark.line)
                && (inside.is_empty() || inside.iter().any(|d| d.range.contains(&remark.line)))
        };
        let told = remarks.iter().find(near);
        let told = told.or_else(|| remarks.first().filter(|_| at.is_none() && inside.is_empty()));
        match told {
            Some(remark) => Some(remark.text.clone()),
            None => topic.and_then(Topic::unseen),
        }
    }

    /// What the program is made of, with the question that fits every program.
    pub(super) fn outline(&self) -> Option<String> {
        let names: Vec<_> = self.definitions.iter().map(|d| format!("`{}`", d.name)).collect();
        let (first, others) = names.split_first()?;
        let line = self.definitions.first()?.line;
        let others = match others.len() {
            0 => String::new(),
            1..=NAMES_MAX => format!(" and {}", others.join(", ")),
            count => format!(" and {count} further definitions"),
        };
        Some(format!(
            "Your code defines {first} on line {line}{others}. Which sentence about its data should \
             be true after every call, and which line could make it false?"
        ))
    }
}
