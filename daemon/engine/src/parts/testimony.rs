//! What a model says that a message covers, as evidence beside what was heard without it (001 6.2;
//! DECISIONS 37).
//!
//! ```text
//! a testimony moves its dimension by one level, and each dimension once in a section, if
//!   its quotation stands in the message, word for word, and is more than a word or two
//!   nothing holds the message or the quotation back: no echo, no heap of words, no mere question
//!   the candidate does not say there that it was not thought of
//!   the message comes to at most one level less by itself
//! ```
//! Whatever does not is kept in the log and moves nothing. Coverage never falls by it.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use vosim_protocol::v1::coverage::{Coverage, CoverageChange, Guard};
use vosim_protocol::v1::effect::Testimony;

use crate::parts::coverage::{Ledger, above, denies};
use crate::parts::hearing::Listened;
use crate::parts::text::{sentences, words};

/// Fewest words of a quotation.
const QUOTED_MIN_WORDS: usize = 4;

/// Why a testimony moves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmoved {
    /// The section has no such dimension.
    Unknown,
    /// A model has raised the dimension before.
    Twice,
    /// It is heard as far already.
    NoHigher,
    /// The message is held back.
    HeldBack,
    /// The quotation is too short.
    Short,
    /// The message does not say it.
    Unsaid,
    /// The quotation alone would be held back.
    QuoteHeldBack,
    /// The candidate says that it was not thought of.
    Denied,
    /// The message says too little of it.
    Beyond,
}

/// What testimonies about one message are held against.
#[derive(Clone, Copy)]
pub struct Court<'a> {
    /// What the section has covered.
    pub ledger: &'a Ledger,
    /// The dimensions that a model has raised in it.
    pub raised: &'a BTreeSet<String>,
    /// The message.
    pub message: &'a str,
    /// How it is heard without a model.
    pub listened: &'a Listened,
    /// What holds a part of it back that is said alone.
    pub alone: &'a dyn Fn(&str) -> Option<Guard>,
}

impl std::fmt::Debug for Court<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What a candidate says is in the session's log and in no other.
        f.debug_struct("Court").field("raised", &self.raised).finish_non_exhaustive()
    }
}

impl Court<'_> {
    /// What a testimony changes.
    ///
    /// # Errors
    /// Why it changes nothing.
    pub fn weigh(&self, said: &Testimony) -> Result<CoverageChange, Unmoved> {
        let dimension = said.dimension.as_str();
        let now = self.ledger.map().get(dimension).copied().ok_or(Unmoved::Unknown)?;
        if self.raised.contains(dimension) {
            return Err(Unmoved::Twice);
        }
        if said.level <= now {
            return Err(Unmoved::NoHigher);
        }
        if self.listened.heard.guard.is_some() {
            return Err(Unmoved::HeldBack);
        }
        self.quotes(&said.quote)?;
        let change = self.ledger.heard_by_model(dimension, said.level).ok_or(Unmoved::NoHigher)?;
        match change.to > above(self.carries(dimension)) {
            true => Err(Unmoved::Beyond),
            false => Ok(change),
        }
    }

    /// How far the message covers a dimension by itself.
    fn carries(&self, dimension: &str) -> Coverage {
        let groups =
            || self.listened.heard.signals.get(dimension).is_some_and(|hit| !hit.is_empty());
        match self.listened.weighed.get(dimension) {
            Some(weighed) => weighed.level,
            None if groups() => Coverage::PartiallyCovered,
            None => Coverage::NotCovered,
        }
    }

    /// Whether a quotation is the candidate's, says something, and is meant.
    fn quotes(&self, quote: &str) -> Result<(), Unmoved> {
        if words(quote).len() < QUOTED_MIN_WORDS {
            return Err(Unmoved::Short);
        }
        let (quote, message) = (folded(quote), folded(self.message));
        let Some(start) = message.find(&quote) else { return Err(Unmoved::Unsaid) };
        let end = start + quote.len();
        let mut at = 0;
        for sentence in sentences(&message) {
            let from = at + message[at..].find(sentence).unwrap_or(0);
            at = from + sentence.len();
            if from < end && start < at && denies(sentence) {
                return Err(Unmoved::Denied);
            }
        }
        match (self.alone)(&quote) {
            Some(_) => Err(Unmoved::QuoteHeldBack),
            None => Ok(()),
        }
    }
}

/// A text with single blanks between its words.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
