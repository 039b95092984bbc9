//! A section that has begun: open, or ended and waiting for its artifact, or sealed.
//!
//! Which of the three it is decides what it has: nothing of a section that is over can be asked of an
//! open one, nor the other way round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vosim_protocol::v1::coverage::{Coverage, CoverageMap, Sentence};
use vosim_protocol::v1::interview::{
    ExitReason, FollowupSelected, Minimum, Reworded, Schema, Section, Substate,
};
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::talk::VariationAsked;
use vosim_protocol::{EventId, Time, phrase};

use crate::kind::Misfit;
use crate::parts::coverage::Ledger;
use crate::parts::followups::{Choice, Pool, first_unused};
use crate::parts::hearing::AskedFor;
use crate::parts::summary::Said;
use crate::parts::variation::in_other_words;
use crate::parts::wording::Wording;

/// What a section's artifact is made of (001 3.3).
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// The place in the schema, from 0.
    pub(super) place: usize,
    pub(super) deadline: Time,
    pub(super) coverage: Ledger,
    /// Dimensions of which the candidate has declined to speak: they are asked for no more.
    pub(super) declined: BTreeSet<String>,
    /// Follow-ups that the candidate has read; one that was chosen may still wait for its words.
    pub(super) asked: u32,
    pub(super) messages: Vec<Message>,
    /// Everything the interviewer has said in it.
    pub(super) told: Vec<Arc<str>>,
    /// What was asked last; nothing while the prompt's words are on their way.
    pub(super) question: Option<Question>,
    /// Dimensions that a model's hearing has raised: each once in a section.
    pub(super) raised: BTreeSet<String>,
}

/// A message that a model is asked about, with the question that it answers.
#[derive(Clone, Debug)]
pub(super) struct Unheard {
    pub(super) message: EventId,
    pub(super) question: Arc<str>,
}

/// Something that was asked.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) text: Arc<str>,
    /// The dimension of a follow-up and its place in the pool; none for the prompt and a variation.
    pub(super) about: Option<(String, u32)>,
    /// How many messages there were before it.
    pub(super) since: usize,
    /// How often it was put in other words.
    pub(super) reworded: u32,
}

/// The section that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenSection {
    pub(super) contents: Contents,
    pub(super) started: Time,
    /// Warnings to come (001 5.1): microseconds before the deadline, longest first.
    pub(super) warnings: Vec<i64>,
    /// Questions of each dimension's pool that were used (001 6.3: the first one that was not).
    pub(super) used: BTreeMap<String, u32>,
    /// What follow-ups have taken up of the candidate's words, which is said back once.
    pub(super) quoted: BTreeSet<String>,
    /// Follow-ups that may still be asked (001 6.1).
    pub(super) budget: u32,
    pub(super) step: Asking,
    /// True once there is something new to ask about: an answer, or a run in which something passed.
    pub(super) armed: bool,
    /// No follow-up before this.
    pub(super) quiet_until: Time,
    /// True once the minimum content was asked for, which is done once (001 6.4).
    pub(super) nudged: bool,
    /// The wrap-up (001 4.2): when it ends because everything is covered (001 6.4; DECISIONS 13).
    /// The open question stays, since a submission that fails takes the wrap-up back.
    pub(super) ends_at: Option<Time>,
    /// Until when a line that is being written holds back questions and the end (DECISIONS 39).
    pub(super) typing: Option<Time>,
    /// Until when an answer to a variation is awaited before the wrap-up.
    pub(super) variation: Option<Time>,
    /// The variation that was asked about last.
    pub(super) changed: Option<VariationAsked>,
    /// True while all that was answered to it says nothing.
    pub(super) missed: bool,
    /// True once it was said that nothing is left to ask.
    pub(super) questions_over: bool,
    /// The newest messages that a model is asked about; what it says of them after the section's end is
    /// not waited for.
    pub(super) unheard: Vec<Unheard>,
}

/// What the interviewer has asked in the open section.
#[derive(Clone, Debug)]
pub(super) enum Asking {
    /// Nothing yet: the prompt's words are on their way.
    Intro(Wording),
    Asked {
        /// The follow-up whose words are on their way.
        next: Option<Box<Followup>>,
    },
}

/// A follow-up that was chosen and waits for its words (001 14: asked for and answered in events).
#[derive(Clone, Debug)]
pub(super) struct Followup {
    pub(super) wording: Wording,
    pub(super) selected: FollowupSelected,
}

/// A section that has ended.
#[derive(Clone, Debug)]
pub(super) struct EndedSection {
    /// Which of the four exit conditions it was (001 6.4).
    pub(super) reason: ExitReason,
    pub(super) artifact: Artifact,
}

/// What is left of a section after its end.
#[derive(Clone, Debug)]
pub(super) enum Artifact {
    /// The grace runs, or the watched file is being read.
    Pending {
        contents: Box<Contents>,
        /// Until when late messages still belong to it; none when it has no grace.
        grace_until: Option<Time>,
    },
    /// Nothing is added to it any more; its summary is what later sections remember (001 7.1).
    Sealed { summary: Arc<[Sentence]> },
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
    /// False for one that a guard held back at all.
    pub(super) whole: bool,
    /// The dimensions that were less covered before it.
    pub(super) raises: BTreeSet<String>,
}

impl Contents {
    /// What the schema says of the section.
    pub(super) fn plan<'s>(&self, schema: &'s Schema) -> &'s Section {
        &schema.sections[self.place]
    }

    /// What the candidate could have copied from: everything told in it.
    pub(super) fn told(&self) -> impl Iterator<Item = &str> {
        self.told.iter().map(AsRef::as_ref)
    }

    /// What an answer answers: the question that was asked last, or the prompt before it has its words.
    pub(super) fn asked<'a>(&'a self, schema: &'a Schema) -> AskedFor<'a> {
        let Some(Question { text, about, .. }) = &self.question else {
            return AskedFor { about: None, text: &self.plan(schema).prompt };
        };
        let place = |place: u32| usize::try_from(place).unwrap_or(usize::MAX);
        let about = about.as_ref().map(|(about, at)| (about.as_str(), place(*at)));
        AskedFor { about, text }
    }

    /// What was said since that question.
    pub(super) fn answers(&self) -> impl Iterator<Item = &Message> {
        let since = self.question.as_ref().map_or(0, |question| question.since);
        self.messages.iter().skip(since)
    }

    /// The dimension of the follow-up that was asked last.
    pub(super) fn followup(&self) -> Option<&str> {
        let about = self.question.as_ref()?.about.as_ref();
        about.map(|(dimension, _)| dimension.as_str())
    }

    /// What the summary is made of. A late message is in it, though it never counts
    /// (DECISIONS 10).
    pub(super) fn said(&self) -> Vec<Said<'_>> {
        let said = |message: &Message| message.counts || message.late;
        let messages = self.messages.iter().filter(|message| said(message));
        messages.map(|m| Said { event: m.event, text: &m.text, late: m.late }).collect()
    }
}

impl EndedSection {
    /// The section's contents, until its artifact is sealed.
    pub(super) fn pending(&self) -> Option<&Contents> {
        match &self.artifact {
            Artifact::Pending { contents, .. } => Some(contents),
            Artifact::Sealed { .. } => None,
        }
    }

    /// The section's contents and until when a late message belongs to them (001 5.2); nothing
    /// where there is no grace, or once it is sealed.
    pub(super) fn grace(&self) -> Option<(&Contents, Time)> {
        match &self.artifact {
            Artifact::Pending { contents, grace_until } => {
                Some(contents.as_ref()).zip(*grace_until)
            }
            Artifact::Sealed { .. } => None,
        }
    }

    /// What is remembered of it; nothing before it is sealed.
    pub(super) fn summary(&self) -> &[Sentence] {
        match &self.artifact {
            Artifact::Pending { .. } => &[],
            Artifact::Sealed { summary } => summary,
        }
    }
}

impl OpenSection {
    /// What the schema says of the section.
    pub(super) fn plan<'s>(&self, schema: &'s Schema) -> &'s Section {
        self.contents.plan(schema)
    }

    /// Where it stands (001 4.2).
    pub(super) fn substate(&self) -> Substate {
        match (self.ends_at, &self.step) {
            (Some(_), Asking::Intro(_) | Asking::Asked { .. }) => Substate::SectionWrapup,
            (None, Asking::Intro(_)) => Substate::SectionIntro,
            (None, Asking::Asked { .. }) => match self.followup() {
                None => Substate::SectionQuestionActive,
                Some(_) => Substate::SectionFollowupActive,
            },
        }
    }

    /// The question that is open.
    pub(super) fn question(&self) -> Option<&str> {
        self.contents.question.as_ref().map(|question| &*question.text)
    }

    /// The dimension of the follow-up that is open.
    pub(super) fn followup(&self) -> Option<&str> {
        self.contents.followup()
    }

    /// The variation that is open and was asked about once.
    fn varied(&self) -> Option<&VariationAsked> {
        let question = self.contents.question.as_ref()?;
        self.changed.as_ref().filter(|it| !it.again && *it.text == *question.text)
    }

    /// The open question in other words, with the question that stands in the place of a follow-up; none before
    /// there is a question. The opening one is told by what its section is for, and a second time by its parts;
    /// a variation and a follow-up as they are asked once more where nothing was said of them. Whoever has had
    /// all of that is told so.
    pub(super) fn reworded(&self, schema: &Schema) -> Option<(String, Option<Reworded>)> {
        let question = self.contents.question.as_ref()?;
        let plan = self.plan(schema);
        let none = || phrase!("inquiry.reword_none", question = &*question.text).text;
        if let Some(asked) = self.varied() {
            return Some((in_other_words(asked).text, None));
        }
        let told = match (&question.about, question.reworded) {
            (Some((dimension, _)), _) => {
                let about = plan.dimensions.iter().find(|known| known.id == *dimension);
                let next = about.and_then(|about| Some((about, first_unused(about, &self.used)?)));
                let Some((about, (pool_index, question))) = next else {
                    return Some((none(), None));
                };
                let (title, question) = (about.title.as_str(), question.as_str());
                let text = phrase!("inquiry.reword_followup", title, question).text;
                let dimension = dimension.clone();
                let question = question.to_owned();
                return Some((text, Some(Reworded { dimension, pool_index, question })));
            }
            (None, _) if self.changed.is_some() => none(),
            (None, 0) => phrase!("inquiry.reword", goal = plan.goal.as_str()).text,
            (None, 1) => {
                let required = plan.dimensions.iter().filter(|dimension| dimension.required);
                let parts: Vec<_> = required.map(|dimension| dimension.title.as_str()).collect();
                match parts.len() {
                    0 | 1 => none(),
                    _ => phrase!("inquiry.reword_parts", parts).text,
                }
            }
            (None, _) => none(),
        };
        Some((told, None))
    }

    /// The open question was put in other words, which stand in its place where they are a question. As after any
    /// question, nothing is asked before there is something new.
    pub(super) fn reword(&mut self, reworded: Option<&Reworded>) -> Result<(), Misfit> {
        let varied = self.varied().map(in_other_words);
        let question = self.contents.question.as_mut();
        let question = question.ok_or(Misfit("other words for what was not asked"))?;
        question.reworded += 1;
        self.armed = false;
        if let Some(varied) = varied {
            question.text = varied.text.as_str().into();
            self.changed = Some(varied);
        }
        let Some(Reworded { dimension, pool_index, question: text }) = reworded else {
            return Ok(());
        };
        let open = question.about.as_ref().is_some_and(|(open, _)| open == dimension);
        let used = self.used.get(dimension).copied() == Some(*pool_index);
        Misfit::unless(open && used, "other words for another question")?;
        self.used.insert(dimension.clone(), pool_index + 1);
        question.about = Some((dimension.clone(), *pool_index));
        question.text = text.as_str().into();
        Ok(())
    }

    /// The words that are on their way.
    pub(super) fn wording(&self) -> Option<&Wording> {
        match &self.step {
            Asking::Intro(wording) => Some(wording),
            Asking::Asked { next } => next.as_ref().map(|next| &next.wording),
        }
    }

    pub(super) fn wording_mut(&mut self) -> Option<&mut Wording> {
        match &mut self.step {
            Asking::Intro(wording) => Some(wording),
            Asking::Asked { next } => next.as_mut().map(|next| &mut next.wording),
        }
    }

    fn pool<'a>(&'a self, schema: &'a Schema, coverage: &'a CoverageMap) -> Pool<'a> {
        Pool {
            dimensions: &self.plan(schema).dimensions,
            coverage,
            asked: &self.used,
            declined: &self.contents.declined,
            unanswered: self.followup().filter(|_| self.contents.answers().next().is_some()),
            budget: self.budget,
            allowed: &self.plan(schema).followup_types_allowed,
        }
    }

    /// The follow-up that would be asked now (001 6.3).
    pub(super) fn choice(&self, schema: &Schema) -> Option<Choice> {
        self.pool(schema, &self.contents.coverage.map()).choose()
    }

    /// The other dimensions that a follow-up could have been about, and why it was not, as it stood
    /// when that was chosen.
    pub(super) fn alternatives(
        &self,
        schema: &Schema,
        coverage: &CoverageMap,
        choice: &Choice,
    ) -> Vec<(String, Phrase)> {
        let mut used = self.used.clone();
        used.insert(choice.dimension.clone(), choice.pool_index);
        Pool { asked: &used, ..self.pool(schema, coverage) }.alternatives(choice)
    }

    /// What is missing of the minimum content (001 6.4), one phrase each.
    pub(super) fn missing(&self, schema: &Schema, loaded: bool) -> Vec<String> {
        let plan = self.plan(schema);
        let Minimum { one_message, two_messages, total_words, touches, loads } = &plan.minimum;
        let mut missing = Vec::new();
        // 001 5.2; DECISIONS 10: a late message never counts.
        let counted = || self.contents.messages.iter().filter(|m| m.counts && !m.late);
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
            && self.contents.coverage.level(id) == Coverage::NotCovered
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
