//! The bounded summary of a section: the candidate's own sentences, word for word (001 7).
//!
//! Nothing is put into other words, so a summary cannot say what was not said (001 7.2).

#[cfg(test)]
mod tests;

use vosim_protocol::EventId;
use vosim_protocol::cut;
use vosim_protocol::v1::coverage::{Dimension, Sentence};

use crate::parts::coverage::{Heard, Hearing, is_nothing};
use crate::parts::text::{sentences, words};

/// Most sentences of a summary.
pub const SENTENCES_MAX: usize = 8;
/// Longest sentence of a summary, bytes; a longer one is cut after a word.
pub const SENTENCE_MAX_BYTES: usize = 400;

/// A message of the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'a> {
    /// The event.
    pub event: EventId,
    /// What was said.
    pub text: &'a str,
    /// True when it came in the grace; it is in the transcript and never in a summary
    /// (DECISIONS 10).
    pub late: bool,
}

/// A sentence that may be taken.
struct Candidate<'a> {
    event: EventId,
    text: &'a str,
    heard: Heard,
}

/// The best sentence for each dimension, in the order in which they were said.
///
/// The best one hits most groups of the dimension, then holds a specific, then came first. A
/// sentence that is the best for two dimensions stands there once, for the more important one. A
/// declined question or an echo leaves nothing, as a message and as a sentence.
pub fn summarize(said: &[Said<'_>], dimensions: &[Dimension], told: &[&str]) -> Vec<Sentence> {
    let hearing = Hearing::new(dimensions, told);
    let mut candidates = Vec::new();
    for message in said.iter().filter(|message| !message.late) {
        if is_nothing(hearing.hear(message.text).guard) {
            continue;
        }
        for sentence in sentences(message.text) {
            let Some(text) = bounded(sentence) else { continue };
            let heard = hearing.hear(text);
            if !is_nothing(heard.guard) {
                candidates.push(Candidate { event: message.event, text, heard });
            }
        }
    }
    let mut taken: Vec<(usize, &Dimension)> = Vec::new();
    for dimension in dimensions {
        let best = best(&candidates, &dimension.id);
        if let Some(best) = best.filter(|best| taken.iter().all(|(at, _)| at != best))
            && taken.len() < SENTENCES_MAX
        {
            taken.push((best, dimension));
        }
    }
    taken.sort_unstable_by_key(|(at, _)| *at);
    let sentence = |(at, dimension): (usize, &Dimension)| Sentence {
        dimension: Some(dimension.id.clone()),
        text: candidates[at].text.to_owned(),
        event_id: candidates[at].event,
    };
    taken.into_iter().map(sentence).collect()
}

/// The place of the best sentence for a dimension.
fn best(candidates: &[Candidate<'_>], dimension: &str) -> Option<usize> {
    let mut best: Option<(usize, (usize, bool))> = None;
    for (at, candidate) in candidates.iter().enumerate() {
        let groups =
            candidate.heard.signals.get(dimension).map_or(0, std::collections::BTreeSet::len);
        let rank = (groups, candidate.heard.specific);
        if groups > 0 && best.is_none_or(|(_, so_far)| rank > so_far) {
            best = Some((at, rank));
        }
    }
    best.map(|(at, _)| at)
}

/// A sentence, or as many of its first whole words as fit; none when not even one does.
pub(crate) fn bounded(sentence: &str) -> Option<&str> {
    if sentence.len() <= SENTENCE_MAX_BYTES {
        return Some(sentence);
    }
    let all = words(sentence);
    let mut short = cut::start(sentence, SENTENCE_MAX_BYTES);
    // A growth with blanks inside is one word: step back until no word is cut.
    while let Some((before, _)) = short.rsplit_once(char::is_whitespace) {
        short = before.trim_end();
        if !short.is_empty() && all.starts_with(&words(short)) {
            return Some(short);
        }
    }
    None
}
