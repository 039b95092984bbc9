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

use std::collections::BTreeMap;
use std::sync::LazyLock;

use vosim_protocol::Hash;
use vosim_protocol::v1::coverage::{Dimension, Signals};
use vosim_protocol::v1::problem::Problem;

pub use features::{AskedFor, BUCKETS, Feature, Names, Phrases, Reading, Way, roots};
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
    pub fn new(weights: Option<Hash>, problem: &Problem) -> Option<Self> {
        let model = weights.filter(|weights| *weights == current()).map(|_| &CURRENT.1)?;
        Some(Self { model, names: model.names(&problem.interface, &problem.statement) })
    }

    /// What a message comes to for each dimension that was learned.
    pub fn weigh(
        &self,
        text: &str,
        asked: AskedFor<'_>,
        dimensions: &[Dimension],
        signals: &Signals,
    ) -> BTreeMap<String, Weighed> {
        let message = self.model.read(text, asked, &self.names);
        let weighed = |dimension: &Dimension| {
            let groups = signals.get(&dimension.id).cloned().unwrap_or_default();
            let weighed = self.model.weigh(&message, &dimension.id, asked, &groups)?;
            Some((dimension.id.clone(), weighed))
        };
        dimensions.iter().filter_map(weighed).collect()
    }
}
