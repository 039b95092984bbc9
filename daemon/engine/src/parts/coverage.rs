//! What a section has covered (001 6.2): a fold over what was said and shown.
//!
//! ```text
//! partly    what a message comes to by the session's weights; a clarifying question, tests run,
//!           verdict told
//!           at most so: a message that only asks, or is a heap of signal words
//! covered   what a message comes to by the session's weights
//!           for a dimension that wants evidence: the same once a run is on record, or tests run and
//!           verdict told
//! ```
//! A dimension that was never learned, as one of somebody's own schema, and a session without weights go
//! by groups of signals:
//! ```text
//! partly    one group of a dimension's signals
//! covered   two groups in one message of at least 8 words with a specific
//!           three groups over the section, and a specific in a message that hit one of them
//! ```
//! Coverage never falls. [`hear`] reads one message, [`Ledger`] keeps what a section has so far.

mod decline;
mod hearing;
mod telling;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeSet;

use vosim_protocol::v1::coverage::{
    Coverage, CoverageChange, CoverageMap, CoverageRule, Dimension, Evidence, Guard, Signals,
};

pub(crate) use decline::denies;
pub(crate) use hearing::Hearing;
pub use hearing::{Heard, hear};
pub use telling::tells_verdict;

/// Fewest words of a message that covers a dimension on its own (notes, coverage rule).
pub const COVERING_WORDS: u32 = 8;
/// Groups in one message that cover.
pub const GROUPS_IN_ONE_MESSAGE: usize = 2;
/// Groups over the whole section that cover.
pub const GROUPS_OVER_THE_SECTION: usize = 3;

/// True when a message adds its groups to the section's: nothing held it back.
pub fn counts(guard: Option<Guard>) -> bool {
    guard.is_none()
}

/// True when nothing of a message counts, neither its words nor what they are about.
pub fn is_nothing(guard: Option<Guard>) -> bool {
    match guard {
        Some(Guard::Echo | Guard::Declined | Guard::Late) => true,
        Some(Guard::Question | Guard::Stuffing) | None => false,
    }
}

/// What one section has covered so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    marks: Vec<Mark>,
    tests_run: bool,
    /// True once something was judged.
    judged: bool,
    verdict_told: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Mark {
    dimension: String,
    required: bool,
    evidence: Option<Evidence>,
    level: Coverage,
    groups: BTreeSet<u8>,
    specific: bool,
}

impl Ledger {
    /// Nothing is covered yet.
    pub fn new(dimensions: &[Dimension]) -> Self {
        let mark = |dimension: &Dimension| Mark {
            dimension: dimension.id.clone(),
            required: dimension.required,
            evidence: dimension.evidence,
            level: Coverage::NotCovered,
            groups: BTreeSet::new(),
            specific: false,
        };
        let marks = dimensions.iter().map(mark).collect();
        Self { marks, tests_run: false, judged: false, verdict_told: false }
    }

    /// How far a dimension is covered; an unknown one is not.
    pub fn level(&self, dimension: &str) -> Coverage {
        self.mark(dimension).map_or(Coverage::NotCovered, |mark| mark.level)
    }

    /// How far each dimension is covered.
    pub fn map(&self) -> CoverageMap {
        self.marks.iter().map(|mark| (mark.dimension.clone(), mark.level)).collect()
    }

    /// What a message changes, most important dimension first.
    pub fn changes(&self, heard: &Heard) -> Vec<CoverageChange> {
        let run = self.tests_run || self.judged;
        self.marks.iter().filter_map(|mark| mark.heard(heard, run)).collect()
    }

    /// Folds a message in.
    ///
    /// `counts` is [`counts`] of its guard; a message that does not count adds no groups, so that
    /// three stuffed ones never make a covered dimension.
    pub fn take_message(
        &mut self,
        signals: &Signals,
        specific: bool,
        counts: bool,
        changes: &[CoverageChange],
    ) {
        for mark in self.marks.iter_mut().filter(|_| counts) {
            if let Some(groups) = signals.get(&mark.dimension).filter(|groups| !groups.is_empty()) {
                mark.groups.extend(groups);
                mark.specific |= specific;
            }
        }
        for change in changes {
            self.take_change(change);
        }
    }

    /// What it changes that a clarifying question about a dimension was asked.
    pub fn touched(&self, dimension: &str) -> Option<CoverageChange> {
        let rule = CoverageRule::ClarificationAsked;
        self.mark(dimension)?.rise(Coverage::PartiallyCovered, rule)
    }

    /// What it changes that cases of the candidate's own were run.
    ///
    /// The change concerns the first dimension with [`Evidence::TestsAndVerdict`]; a schema has
    /// one.
    pub fn tests_run(&self) -> Option<CoverageChange> {
        self.shown(self.verdict_told)
    }

    /// What it changes that the candidate told the latest verdict as it is.
    pub fn verdict_told(&self) -> Option<CoverageChange> {
        self.shown(self.tests_run)
    }

    fn shown(&self, other: bool) -> Option<CoverageChange> {
        let (to, rule) = if other {
            (Coverage::Covered, CoverageRule::TestsAndVerdict)
        } else {
            (Coverage::PartiallyCovered, CoverageRule::TestsOrVerdict)
        };
        self.marks.iter().find(|mark| mark.wants_both())?.rise(to, rule)
    }

    /// What it changes that a model has heard a dimension at a level: one level at most, and never what
    /// words alone do not cover.
    pub fn heard_by_model(&self, dimension: &str, level: Coverage) -> Option<CoverageChange> {
        let mark = self.mark(dimension)?;
        let most = match mark.wants_both() && !self.tests_run && !self.judged {
            true => Coverage::PartiallyCovered,
            false => Coverage::Covered,
        };
        let to = level.min(most).min(above(mark.level));
        mark.rise(to, CoverageRule::HeardByModel)
    }

    /// Folds in that cases were run, with the change of [`Ledger::tests_run`].
    pub fn take_tests_run(&mut self, change: Option<&CoverageChange>) {
        self.tests_run = true;
        change.into_iter().for_each(|change| self.take_change(change));
    }

    /// Folds in that there is another verdict, which has not been told yet.
    pub fn take_verdict(&mut self) {
        self.judged = true;
        self.verdict_told = false;
    }

    /// Folds in that the verdict was told, with the change of [`Ledger::verdict_told`].
    pub fn take_verdict_told(&mut self, change: Option<&CoverageChange>) {
        self.verdict_told = true;
        change.into_iter().for_each(|change| self.take_change(change));
    }

    /// Folds a change in; one that would make a dimension fall has no effect.
    pub fn take_change(&mut self, change: &CoverageChange) {
        if let Some(mark) = self.marks.iter_mut().find(|mark| mark.dimension == change.dimension) {
            mark.level = mark.level.max(change.to);
        }
    }

    /// True when every required dimension is covered, of which there must be one: a section that
    /// requires nothing runs until its time is up or the candidate is done.
    ///
    /// That the latest submission of a coding section passes is for the kind to ask.
    pub fn satisfied(&self) -> bool {
        let mut required = self.marks.iter().filter(|mark| mark.required).peekable();
        required.peek().is_some() && required.all(|mark| mark.level == Coverage::Covered)
    }

    fn mark(&self, dimension: &str) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.dimension == dimension)
    }
}

/// The next level.
pub(crate) fn above(level: Coverage) -> Coverage {
    match level {
        Coverage::NotCovered => Coverage::PartiallyCovered,
        Coverage::PartiallyCovered | Coverage::Covered => Coverage::Covered,
    }
}

impl Mark {
    /// What a message changes; `run` is whether a run is on record.
    fn heard(&self, heard: &Heard, run: bool) -> Option<CoverageChange> {
        if is_nothing(heard.guard) {
            return None;
        }
        let held_back = heard.guard.is_some();
        if let Some(level) = heard.weighed.get(&self.dimension) {
            let most = match held_back || (self.wants_both() && !run) {
                true => Coverage::PartiallyCovered,
                false => Coverage::Covered,
            };
            let to = most.min(*level);
            let about_a_run = self.wants_both() && to == Coverage::Covered;
            let rule = if about_a_run { CoverageRule::AboutARun } else { CoverageRule::Weighed };
            return self.rise(to, rule);
        }
        let groups = heard.signals.get(&self.dimension).filter(|groups| !groups.is_empty())?;
        let (to, rule) = if held_back || self.wants_both() {
            (Coverage::PartiallyCovered, CoverageRule::OneGroup)
        } else if groups.len() >= GROUPS_IN_ONE_MESSAGE
            && heard.specific
            && heard.word_count >= COVERING_WORDS
        {
            (Coverage::Covered, CoverageRule::TwoGroupsInOneMessage)
        } else if self.groups.union(groups).count() >= GROUPS_OVER_THE_SECTION
            && (self.specific || heard.specific)
        {
            (Coverage::Covered, CoverageRule::ThreeGroupsOverTheSection)
        } else {
            (Coverage::PartiallyCovered, CoverageRule::OneGroup)
        };
        self.rise(to, rule)
    }

    fn rise(&self, to: Coverage, rule: CoverageRule) -> Option<CoverageChange> {
        let dimension = self.dimension.clone();
        (to > self.level).then_some(CoverageChange { dimension, from: self.level, to, rule })
    }

    /// True when words without a run never cover it: evidence beats words.
    fn wants_both(&self) -> bool {
        self.evidence == Some(Evidence::TestsAndVerdict)
    }
}
