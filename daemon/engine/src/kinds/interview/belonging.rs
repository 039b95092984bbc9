//! To which section a message belongs (001 5.2; DECISIONS 10, 40).
//!
//! ```text
//!                      in the first seconds after a section whose time was up
//!  it names a section ──────────────────────────────▶ that one
//!  it answers what was asked there, no less than
//!  what is asked now  ──────────────────────────────▶ the one before, late
//!  else               ──────────────────────────────▶ the open one
//! ```
//! 001 5.2 speaks of messages that were begun before the end. Nobody can see when a line was begun, except
//! the screen on which it is, which then names its section. Of any other it is heard what it answers: by the
//! weights and groups that hear an answer anyway, for what the last question of each section asks for. Of
//! two answers that come to the same, the one that more speaks for is taken.

use std::collections::BTreeSet;

use vosim_protocol::Time;
use vosim_protocol::next::Next;
use vosim_protocol::v1::coverage::{Coverage, Dimension};
use vosim_protocol::v1::interview::Schema;

use super::decide::bounds::{not_begun, open};
use super::listening::listen_alone;
use super::section::{Contents, OpenSection};
use super::state::{Stage, State};
use crate::parts::coverage::Ledger;
use crate::parts::hearing::{Listened, Way};
use crate::rejection::Rejection;

/// The section that a message belongs to, and by which rule.
pub(super) enum Addressed<'s> {
    Open { section: &'s OpenSection, by: Rule },
    Late { section: &'s Contents, by: Rule },
}

/// Why a message belongs where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// No other section takes messages.
    Only,
    /// The message names it.
    Named,
    /// What it answers decides.
    Answers(Comparison),
}

/// How far a message answers what was asked in the section before, and what is asked in the open one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) before: Answering,
    pub(super) open: Answering,
}

/// How far a message answers a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answering {
    pub(super) question: String,
    pub(super) level: Coverage,
    /// How much speaks for that.
    weight: i64,
}

impl Answering {
    fn strength(&self) -> (Coverage, i64) {
        (self.level, self.weight)
    }
}

impl<'s> Addressed<'s> {
    pub(super) fn contents(&self) -> &'s Contents {
        match self {
            Self::Open { section, .. } => &section.contents,
            Self::Late { section, .. } => section,
        }
    }

    pub(super) fn open(&self) -> Option<&'s OpenSection> {
        match self {
            Self::Open { section, .. } => Some(section),
            Self::Late { .. } => None,
        }
    }

    pub(super) fn rule(&self) -> &Rule {
        match self {
            Self::Open { by, .. } | Self::Late { by, .. } => by,
        }
    }
}

/// Where a message belongs that is sent now.
pub(super) fn addressed<'s>(
    state: &'s State,
    named: Option<&str>,
    text: &str,
    at: Time,
) -> Result<Addressed<'s>, Rejection> {
    if matches!(state.stage, Stage::NotStarted) {
        return Err(not_begun("say anything"));
    }
    let late = state.in_grace().filter(|(_, until)| at <= *until).map(|(section, _)| section);
    let in_the_open = |by| {
        let section = open(state, "say anything")?;
        Ok(Addressed::Open { section, by })
    };
    if let Some(name) = named {
        let place = begun(state, name)?;
        // While closing there is no next section: what is said belongs to the last one.
        let closing = matches!(state.stage, Stage::Closing { .. });
        return match late.filter(|previous| previous.place == place || closing) {
            Some(section) => Ok(Addressed::Late { section, by: Rule::Named }),
            // Beyond the grace it is attached to the next section (001 5.2).
            None => in_the_open(if late.is_some() { Rule::Named } else { Rule::Only }),
        };
    }
    match (late, state.open()) {
        (Some(before), Some(open)) => {
            let answers = Comparison {
                before: answer(state, before, text),
                open: answer(state, &open.contents, text),
            };
            let to_before = answers.before.level > Coverage::NotCovered
                && answers.before.strength() >= answers.open.strength();
            let by = Rule::Answers(answers);
            Ok(match to_before {
                true => Addressed::Late { section: before, by },
                false => Addressed::Open { section: open, by },
            })
        }
        (Some(section), None) => Ok(Addressed::Late { section, by: Rule::Only }),
        (None, _) => in_the_open(Rule::Only),
    }
}

/// The place of a section that was named and has begun.
fn begun(state: &State, name: &str) -> Result<usize, Rejection> {
    let sections = &state.spec.schema.sections;
    let next = vec![Next::edit("name no section to answer the current one")];
    let Some(place) = sections.iter().position(|section| section.id == name) else {
        let known: Vec<_> = sections.iter().map(|section| section.id.as_str()).collect();
        let message = format!("there is no section {name:?}; there are {}", known.join(", "));
        return Err(Rejection::InvalidInput { message, next });
    };
    if place >= state.begun() {
        let message = format!("the section {name:?} has not begun");
        return Err(Rejection::InvalidInput { message, next });
    }
    Ok(place)
}

/// How far a message answers what was asked last in a section; a prompt asks for all that is required.
fn answer(state: &State, section: &Contents, text: &str) -> Answering {
    let schema = &state.spec.schema;
    let asked = section.asked(schema);
    // Before its words are there nobody can answer the prompt.
    let heard = section.question.as_ref().and_then(|_| {
        let listened = listen_alone(state, section, text);
        wanted(section, schema).map(|dimension| comes_to(&listened, dimension)).max()
    });
    let (level, weight) = heard.unwrap_or_default();
    Answering { question: asked.text.to_owned(), level, weight }
}

/// What the last question of a section asks for.
fn wanted<'a>(section: &'a Contents, schema: &'a Schema) -> impl Iterator<Item = &'a Dimension> {
    let asked = section.asked(schema);
    section.plan(schema).dimensions.iter().filter(move |dimension| match asked.way(&dimension.id) {
        Way::Asked => true,
        Way::Prompted => dimension.required,
        Way::Beside => false,
    })
}

/// What a message by itself comes to for a dimension, and how much speaks for it.
fn comes_to(listened: &Listened, dimension: &Dimension) -> (Coverage, i64) {
    let changes = Ledger::new(std::slice::from_ref(dimension)).changes(&listened.heard);
    let level = changes.first().map_or(Coverage::NotCovered, |change| change.to);
    let groups = listened.heard.signals.get(&dimension.id).map_or(0, BTreeSet::len);
    let groups = i64::try_from(groups).unwrap_or(i64::MAX);
    (level, listened.weighed.get(&dimension.id).map_or(groups, |weighed| weighed.score))
}
