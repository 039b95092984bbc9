//! One section that has begun: its clock, what was asked and said in it, how far it is covered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vosim_protocol::v1::coverage::{Coverage, CoverageMap, Sentence};

use vosim_protocol::v1::interview::{
    ExitReason, FollowupSelected, Minimum, Schema, Section, Substate,
};
use vosim_protocol::{EventId, Time};

use crate::parts::coverage::Ledger;
use crate::parts::followups::{Choice, Pool};
use crate::parts::summary::Said;
use crate::parts::wording::Wording;

/// The fold of a section's events.
#[derive(Clone, Debug)]
pub(super) struct SectionState {
    /// Its place in the schema, from 0.
    pub(super) place: usize,
    pub(super) started: Time,
    pub(super) deadline: Time,
    /// Warnings to come: microseconds before the deadline, longest first.
    pub(super) warnings: Vec<i64>,
    pub(super) coverage: Ledger,
    /// Questions of each dimension's pool that were used.
    pub(super) used: BTreeMap<String, u32>,
    pub(super) declined: BTreeSet<String>,
    pub(super) budget: u32,
    /// Follow-ups that the candidate has read; one that was chosen may still wait for its words.
    pub(super) asked: u32,
    pub(super) messages: Vec<Message>,
    /// Everything the interviewer has said in it.
    pub(super) told: Vec<Arc<str>>,
    /// The question that is open.
    pub(super) question: Option<Arc<str>>,
    /// The dimension of the follow-up that is open.
    pub(super) followup: Option<String>,
    pub(super) saying: Option<Saying>,
    /// True once there is something new to ask about: an answer, or a run.
    pub(super) armed: bool,
    /// No follow-up before this.
    pub(super) quiet_until: Time,
    pub(super) nudged: bool,
    /// When it ends because everything is covered.
    pub(super) ends_at: Option<Time>,
    pub(super) ended: Option<Ended>,
    /// What is kept of it once it is sealed.
    pub(super) summary: Arc<[Sentence]>,
}

/// Something the candidate said.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) event: EventId,
    pub(super) text: Arc<str>,
    pub(super) words: u32,
    pub(super) late: bool,
    /// False for one that a guard held back wholly.
    pub(super) counts: bool,
}

/// A text of the interviewer on its way.
#[derive(Clone, Debug)]
pub(super) struct Saying {
    pub(super) wording: Wording,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Prompt,
    Followup(FollowupSelected),
}

/// How a section ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) reason: ExitReason,
    /// Until when late messages still belong to it.
    pub(super) grace_until: Option<Time>,
    /// True once its artifact is there.
    pub(super) sealed: bool,
}

impl SectionState {
    /// What the schema says of it.
    pub(super) fn plan<'s>(&self, schema: &'s Schema) -> &'s Section {
        &schema.sections[self.place]
    }

    pub(super) fn substate(&self) -> Substate {
        if self.ends_at.is_some() {
            Substate::SectionWrapup
        } else if self.followup.is_some() {
            Substate::SectionFollowupActive
        } else if self.question.is_some() {
            Substate::SectionQuestionActive
        } else {
            Substate::SectionIntro
        }
    }

    pub(super) fn sealed(&self) -> bool {
        self.ended.is_some_and(|ended| ended.sealed)
    }

    /// Until when a late message belongs to it; nothing once it is sealed.
    pub(super) fn grace_until(&self) -> Option<Time> {
        self.ended.filter(|ended| !ended.sealed).and_then(|ended| ended.grace_until)
    }

    /// What the candidate could have copied from: everything told in it.
    pub(super) fn told(&self) -> impl Iterator<Item = &str> {
        self.told.iter().map(AsRef::as_ref)
    }

    pub(super) fn said(&self) -> Vec<Said<'_>> {
        let said = |message: &Message| message.counts || message.late;
        let messages = self.messages.iter().filter(|message| said(message));
        messages.map(|m| Said { event: m.event, text: &m.text, late: m.late }).collect()
    }

    fn pool<'a>(&'a self, schema: &'a Schema, coverage: &'a CoverageMap) -> Pool<'a> {
        Pool {
            dimensions: &self.plan(schema).dimensions,
            coverage,
            asked: &self.used,
            declined: &self.declined,
            budget: self.budget,
        }
    }

    /// The follow-up that would be asked now.
    pub(super) fn choice(&self, schema: &Schema) -> Option<Choice> {
        self.pool(schema, &self.coverage.map()).choose()
    }

    /// The other dimensions that a follow-up could have been about, and why it was not, as it stood
    /// when that was chosen.
    pub(super) fn alternatives(
        &self,
        schema: &Schema,
        coverage: &CoverageMap,
        choice: &Choice,
    ) -> Vec<(String, &'static str)> {
        let mut used = self.used.clone();
        used.insert(choice.dimension.clone(), choice.pool_index);
        Pool { asked: &used, ..self.pool(schema, coverage) }.alternatives(choice)
    }

    /// What is missing of the minimum content (001 6.4), one phrase each.
    pub(super) fn missing(&self, schema: &Schema, loaded: bool) -> Vec<String> {
        let plan = self.plan(schema);
        let Minimum { one_message, two_messages, total_words, touches, loads } = &plan.minimum;
        let mut missing = Vec::new();
        let counted = || self.messages.iter().filter(|m| m.counts && !m.late);
        let of = |words: u32| counted().filter(|m| m.words >= words).count();
        let enough = one_message.is_some_and(|words| of(words) >= 1)
            || two_messages.is_some_and(|words| of(words) >= 2);
        if !enough {
            match (one_message, two_messages) {
                (Some(one), Some(two)) => missing
                    .push(format!("one answer of {one} words, or two of {two}, in your own words")),
                (Some(one), None) => {
                    missing.push(format!("an answer of {one} words in your own words"));
                }
                (None, Some(two)) => missing.push(format!("two answers of {two} words each")),
                (None, None) => {}
            }
        }
        let words: u32 = counted().map(|m| m.words).sum();
        if let Some(total) = total_words.filter(|total| words < *total) {
            missing.push(format!("{total} words in all; there are {words}"));
        }
        if let Some(id) = touches
            && self.coverage.level(id) == Coverage::NotCovered
        {
            let known = plan.dimensions.iter().find(|dimension| dimension.id == *id);
            let title = known.map_or(id.as_str(), |dimension| dimension.title.as_str());
            missing.push(format!("something about: {title}"));
        }
        if *loads && !loaded {
            missing.push("a submission that loads".to_owned());
        }
        missing
    }
}
