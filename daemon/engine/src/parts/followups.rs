//! Chooses the next follow-up from the fixed pools of a section (001 6.3).
//!
//! Required dimensions that are not covered come first, then those that are partly covered; of
//! these the one that was asked about least, so that the budget reaches each of them once before it
//! is spent on one, and of equals the first of the schema. Of a dimension its first unused question.
//! Before all that, where the answer to a dimension's first question said nothing, its second one follows
//! at once: the same in other words. It is left out where that would cost another dimension that is not
//! covered its only question. What is partly covered comes after both anyway.
//! A dimension without one, or one that was declined, is passed over. Nothing is asked when the
//! budget is spent, nor anything of a type that the section does not allow (001 6.1).

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::phrase;
use vosim_protocol::v1::coverage::{Coverage, CoverageMap, Dimension, FollowupRule};
use vosim_protocol::v1::phrase::Phrase;

/// A question that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it asks about.
    pub dimension: String,
    /// The place in the dimension's pool, from 0.
    pub pool_index: u32,
    /// The pool's text.
    pub question: String,
    /// The rule that chose it.
    pub rule: FollowupRule,
}

/// What the choice depends on, and nothing else does.
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a> {
    /// The dimensions with their pools, most important first.
    pub dimensions: &'a [Dimension],
    /// How far each dimension is covered; one that is missing is not.
    pub coverage: &'a CoverageMap,
    /// Questions used, by dimension; they are used in order.
    pub asked: &'a BTreeMap<String, u32>,
    /// Dimensions the candidate declined.
    pub declined: &'a BTreeSet<String>,
    /// The dimension of the last question, where its answer said nothing.
    pub unanswered: Option<&'a str>,
    /// Follow-ups left.
    pub budget: u32,
    /// The types that may be asked.
    pub allowed: &'a BTreeSet<FollowupRule>,
}

/// The place and the text of a dimension's first unused question.
pub fn first_unused<'d>(
    dimension: &'d Dimension,
    asked: &BTreeMap<String, u32>,
) -> Option<(u32, &'d String)> {
    let used = asked.get(&dimension.id).copied().unwrap_or(0);
    let index = usize::try_from(used).ok()?;
    dimension.questions.get(index).map(|question| (used, question))
}

impl Pool<'_> {
    /// The question to ask next; none when nothing may or need be asked.
    pub fn choose(&self) -> Option<Choice> {
        if self.budget == 0 {
            return None;
        }
        let with = |level, rule| {
            self.required()
                .filter(|dimension| self.level(dimension) == level)
                .filter_map(|dimension| self.unused(dimension, rule))
                .min_by_key(|choice| choice.pool_index)
        };
        self.again()
            .or_else(|| with(Coverage::NotCovered, FollowupRule::UncoveredFirst))
            .or_else(|| with(Coverage::PartiallyCovered, FollowupRule::DeepenPartial))
    }

    /// The last question in other words, where its answer said nothing.
    fn again(&self) -> Option<Choice> {
        let missed = self.required().find(|dimension| Some(&*dimension.id) == self.unanswered)?;
        let once = self.asked.get(&missed.id) == Some(&1);
        let waiting = self.required().filter(|dimension| {
            let asked = self.asked.get(&dimension.id).copied().unwrap_or(0);
            asked == 0
                && self.level(dimension) == Coverage::NotCovered
                && self.next(dimension).is_some()
        });
        let spare = u32::try_from(waiting.count()).is_ok_and(|waiting| waiting < self.budget);
        let wanted = once && spare && self.level(missed) == Coverage::NotCovered;
        self.unused(missed, FollowupRule::InOtherWords).filter(|_| wanted)
    }

    /// Every other required dimension, and why the one of a choice was taken before it, one phrase
    /// each.
    pub fn alternatives(&self, choice: &Choice) -> Vec<(String, Phrase)> {
        self.required()
            .filter(|dimension| dimension.id != choice.dimension)
            .map(|dimension| (dimension.id.clone(), self.reason(dimension, choice)))
            .collect()
    }

    fn reason(&self, dimension: &Dimension, choice: &Choice) -> Phrase {
        let level = self.level(dimension);
        if level == Coverage::Covered {
            return phrase!("not.followup.covered");
        }
        if self.declined.contains(&dimension.id) {
            return phrase!("not.followup.declined");
        }
        let Some((index, _)) = self.next(dimension) else {
            return phrase!("not.followup.used_up");
        };
        let rule = match level {
            Coverage::NotCovered => FollowupRule::UncoveredFirst,
            Coverage::PartiallyCovered | Coverage::Covered => FollowupRule::DeepenPartial,
        };
        if !self.allowed.contains(&rule) {
            return phrase!("not.followup.type");
        }
        match (choice.rule, level) {
            (FollowupRule::InOtherWords, _) => phrase!("not.followup.unanswered"),
            (FollowupRule::UncoveredFirst, Coverage::PartiallyCovered) => {
                phrase!("not.followup.partial")
            }
            _ if index > choice.pool_index => {
                phrase!("not.followup.asked_more")
            }
            _ => phrase!("not.followup.later"),
        }
    }

    fn required(&self) -> impl Iterator<Item = &Dimension> {
        self.dimensions.iter().filter(|dimension| dimension.required)
    }

    fn level(&self, dimension: &Dimension) -> Coverage {
        self.coverage.get(&dimension.id).copied().unwrap_or_default()
    }

    fn next<'b>(&self, dimension: &'b Dimension) -> Option<(u32, &'b String)> {
        first_unused(dimension, self.asked)
    }

    fn unused(&self, dimension: &Dimension, rule: FollowupRule) -> Option<Choice> {
        if self.declined.contains(&dimension.id) || !self.allowed.contains(&rule) {
            return None;
        }
        let (pool_index, question) = self.next(dimension)?;
        let dimension = dimension.id.clone();
        Some(Choice { dimension, pool_index, question: question.clone(), rule })
    }
}
