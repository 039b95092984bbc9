//! How far one message covers a dimension, by a linear model with whole-number weights (001 6.2;
//! DECISIONS 37).
//!
//! ```text
//! message ─▶ features: words, pairs of words, how it is said, signal groups
//!              each seen four ways: for the dimension; for the dimension and whether it was asked;
//!              for the very question that was asked; for any dimension
//!         ─▶ score = Σ weight · value      whole numbers: the same on every machine
//!         ─▶ below `touched`: nothing · below `covered`: partly · else covered
//! ```
//! The weights are learned by `make hearing` from graded answers (`tests/hearing`), and are part of the
//! rules: a session names them by their hash and is heard by those for ever.

mod features;
mod model;
mod spelling;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use vosim_protocol::Hash;
use vosim_protocol::v1::coverage::{Coverage, Dimension, Signals};
use vosim_protocol::v1::problem::Interface;

use crate::parts::coverage::{Heard, hear, is_nothing};
use crate::parts::lists::list;
use crate::parts::text::words;

pub use features::{AskedFor, BUCKETS, Feature, Names, Phrases, Reading, Way, roots};
pub(crate) use features::{hash, root};
pub use model::{Model, Thresholds, Unreadable, WEIGHT_MAX, Weighed};
pub use spelling::Vocabulary;

/// The place of a field of an attempt among its own questions: behind them all.
pub const FIELD: usize = 9;

const WEIGHTS: &[u8] = include_bytes!("hearing/weights.bin");

static CURRENT: LazyLock<(Hash, Model)> = LazyLock::new(|| {
    let model =
        Model::from_bytes(WEIGHTS).expect("the weights are those that `make hearing` wrote");
    (Hash::of(WEIGHTS), model)
});

/// The hash of the weights that new sessions are heard by.
pub fn current() -> Hash {
    CURRENT.0
}

/// Whether a session can be heard as it always was; one without weights is heard by signals alone.
///
/// # Errors
/// The weights that it names are not in this program.
pub fn check(weights: Option<Hash>) -> Result<(), String> {
    match weights.filter(|weights| *weights != current()) {
        Some(unknown) => Err(format!("answers are heard by {unknown}, which this program has not")),
        None => Ok(()),
    }
}

/// What hears the answers of one session.
#[derive(Debug)]
pub struct Listener {
    model: &'static Model,
    names: Names,
}

impl Listener {
    /// None for a session that is heard by signals alone.
    pub fn new(weights: Option<Hash>, interface: &Interface, statement: &str) -> Option<Self> {
        let model = weights.filter(|weights| *weights == current()).map(|_| &CURRENT.1)?;
        Some(Self { model, names: model.names(interface, statement) })
    }

    /// The text that speaks most for a dimension, of those that touch it at all; of equals the first.
    pub fn best<'t>(
        &self,
        texts: impl Iterator<Item = &'t str>,
        dimension: &Dimension,
    ) -> Option<&'t str> {
        let asked = AskedFor { about: Some((&dimension.id, FIELD)), text: "" };
        let dimensions = std::slice::from_ref(dimension);
        let mut best: Option<(i64, &str)> = None;
        for text in texts {
            let said = Utterance { text, before: "", asked, dimensions, told: &[] };
            let signals = hear(text, dimensions, &[]).signals;
            let weighed = self.weigh(text, said, &signals).0.remove(&dimension.id)?;
            let touches = weighed.level > Coverage::NotCovered;
            if touches && best.is_none_or(|(score, _)| weighed.score > score) {
                best = Some((weighed.score, text));
            }
        }
        best.map(|(_, text)| text)
    }

    /// What a text comes to for each dimension that was learned, and whether it is a heap of words.
    fn weigh(
        &self,
        text: &str,
        said: Utterance<'_>,
        signals: &Signals,
    ) -> (BTreeMap<String, Weighed>, bool) {
        let message = self.model.read(text, said.asked, &self.names);
        let weighed = |dimension: &Dimension| {
            let groups = signals.get(&dimension.id).cloned().unwrap_or_default();
            let weighed = self.model.weigh(&message, &dimension.id, said.asked, &groups)?;
            Some((dimension.id.clone(), weighed))
        };
        (said.dimensions.iter().filter_map(weighed).collect(), message.is_heap())
    }
}

/// A message and what it is heard for.
#[derive(Clone, Copy, Debug)]
pub struct Utterance<'a> {
    /// The message.
    pub text: &'a str,
    /// What was said before it in answer to the same question: what is said in several messages is one
    /// answer.
    pub before: &'a str,
    /// What it answers.
    pub asked: AskedFor<'a>,
    /// What it may cover.
    pub dimensions: &'a [Dimension],
    /// All that was shown to the candidate.
    pub told: &'a [&'a str],
}

/// A message as it is heard.
#[derive(Clone, Debug)]
pub struct Listened {
    /// What it says.
    pub heard: Heard,
    /// What that comes to for each dimension that was learned.
    pub weighed: BTreeMap<String, Weighed>,
}

/// Words by which somebody answers a person and no question.
static FILLERS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| list(include_str!("hearing/fillers.txt"), "fillers").into_iter().collect());

/// True for "Ok.", "Good, let's go" and the like. The weights know each of these words from answers that said
/// more; where it stands alone it would speak for those.
pub(crate) fn says_nothing(text: &str) -> bool {
    words(text).iter().all(|word| FILLERS.contains(word.as_str()))
}

/// Hears a message, alone and together with what was said before it: the better of the two counts.
pub fn listen(listener: Option<&Listener>, said: Utterance<'_>) -> Listened {
    let heard = hear(said.text, said.dimensions, said.told);
    let Some(listener) = listener.filter(|_| !is_nothing(heard.guard)) else {
        return Listened { heard, weighed: BTreeMap::new() };
    };
    let (mut weighed, is_heap) = listener.weigh(said.text, said, &heard.signals);
    if says_nothing(said.text) {
        weighed.values_mut().for_each(|weighed| weighed.level = Coverage::NotCovered);
    } else if !said.before.is_empty() {
        let whole = format!("{}\n{}", said.before, said.text);
        let signals = hear(&whole, said.dimensions, &[]).signals;
        for (dimension, together) in listener.weigh(&whole, said, &signals).0 {
            let alone = weighed.get_mut(&dimension).filter(|alone| alone.level < together.level);
            if let Some(alone) = alone {
                *alone = together;
            }
        }
    }
    let levels = weighed.iter().map(|(id, weighed)| (id.clone(), weighed.level)).collect();
    Listened { heard: heard.weighed(levels, is_heap), weighed }
}
