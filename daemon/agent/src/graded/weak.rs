//! Whether tests notice anything: small changes of the program, each of which should make a test fail.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::suite::TestLanguage;
use crate::repair::{Mutant, mutants};

/// The lines of a program, and those that its tests have run (002 2.2: coverage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// Lines that can be run, of all files that are no tests.
    pub lines: u32,
    /// Those that were.
    pub ran: u32,
}

impl Covered {
    /// In hundredths, rounded down; None where there is nothing to run.
    pub fn percent(self) -> Option<u32> {
        let ran = u64::from(self.ran.min(self.lines)) * 100;
        u32::try_from(ran.checked_div(self.lines.into())?).ok()
    }
}

/// What came of the changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// How many changes were tried.
    pub tried: usize,
    /// The lines of those that no test noticed.
    pub unnoticed: Vec<u32>,
    /// How much of the program the tests ran, where that could be followed.
    pub covered: Option<Covered>,
}

impl Strength {
    /// Puts together what was tried and what was noticed.
    pub fn of(changes: &[Mutant], noticed: &[bool]) -> Self {
        let unnoticed = changes.iter().zip(noticed).filter(|(_, noticed)| !**noticed);
        let unnoticed = unnoticed.map(|(change, _)| change.line).collect();
        Self { tried: changes.len(), unnoticed, covered: None }
    }

    /// Whether the tests are called too weak. A few changes make no difference to any test that could
    /// be written, so one that is not noticed proves nothing where others were; a third does.
    pub const fn is_too_weak(&self) -> bool {
        self.tried > 0 && self.unnoticed.len() * 3 > self.tried
    }
}

/// Changes of a program, at most so many, from as many of its lines as there are: the likeliest of each
/// line first.
pub fn changes(language: TestLanguage, text: &str, most: usize) -> Vec<Mutant> {
    let mut by_line = BTreeMap::<u32, Vec<Mutant>>::new();
    for mutant in mutants(language.grammar(), text) {
        by_line.entry(mutant.line).or_default().push(mutant);
    }
    let deepest = by_line.values().map(Vec::len).max().unwrap_or_default();
    let rows = (0..deepest).flat_map(|rank| by_line.values().filter_map(move |of| of.get(rank)));
    rows.take(most).cloned().collect()
}
