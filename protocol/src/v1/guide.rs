//! What guides somebody through a problem: patterns to choose from, invariants to complete, wrong
//! programs to catch, and what there is to learn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::problem::Language;

/// A pattern of the catalogue: a way to solve problems of one sort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatternCard {
    /// The name in records.
    pub id: String,
    /// The name on screens.
    pub name: String,
    /// What in a statement speaks for it, a sentence each.
    pub cues: Vec<String>,
    /// Beginnings of words, in lower case, by which somebody's own words point to it.
    pub signals: Vec<String>,
    /// What usually holds after each step.
    pub invariant: String,
    /// What usually goes wrong, a sentence each.
    pub failures: Vec<String>,
    /// The micro-lesson.
    pub lesson: String,
}

/// How a pattern of the catalogue serves one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The id in the catalogue.
    pub id: String,
    /// The name on screens.
    pub name: String,
    /// The fit.
    pub fit: Fit,
    /// How sure the author is of it, 0 to 1.
    pub confidence: f64,
    /// The reason to consider it, shown before the choice.
    pub reason: String,
    /// The reason why it fits or not, shown after the choice.
    pub rationale: String,
    /// Beginnings of words by which an explanation of this problem points to it.
    pub signals: Vec<String>,
}

/// The fit of a [`Pattern`] for a problem (003: `match`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
    /// It meets every requirement.
    Good,
    /// It gives right answers at a cost.
    Maybe,
    /// It misleads.
    Mismatch,
}

/// One step of pattern discovery: a question about the problem that is answered by yes or no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discovery {
    /// The question.
    pub question: String,
    /// The right answer: yes is true.
    pub answer: bool,
    /// What is said after the answer.
    pub explanation: String,
    /// The id of the pattern that the right answer speaks for.
    pub suggests: String,
}

/// A sentence with gaps about what holds after every call, each gap written `{name}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InvariantTemplate {
    /// The name.
    pub id: String,
    /// The sentence.
    pub text: String,
    /// The gaps.
    #[serde(rename = "gap")]
    pub gaps: Vec<Gap>,
}

/// A gap of an [`InvariantTemplate`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The name in the sentence.
    pub name: String,
    /// The choices.
    pub choices: Vec<String>,
    /// The index of the right choice, from 0.
    pub right: usize,
    /// Why it is the right one.
    pub why: String,
}

/// All that guides through one problem.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Guide {
    /// The patterns that come into question.
    pub patterns: Vec<Pattern>,
    /// Their cards in the catalogue.
    pub cards: Vec<PatternCard>,
    /// Questions that lead to one of them.
    pub discovery: Vec<Discovery>,
    /// Sentences with gaps about what holds after every call.
    pub invariants: Vec<InvariantTemplate>,
    /// A program in Python that says whether such a sentence holds on a run; empty where there is none.
    pub checker: String,
    /// Wrong programs, each of which breaks a rule of the statement.
    pub planted: Vec<Planted>,
    /// The program in Python that gives the right answers.
    pub reference: String,
    /// What is read after the end.
    pub discussion: Discussion,
}

/// A wrong program of the package, in which an example or a challenge may find the mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Planted {
    /// The name, for example `drops_newest.py`.
    pub name: String,
    /// The language.
    pub language: Language,
    /// The program.
    pub source: String,
}

/// What is worth reading when a session about the problem is over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discussion {
    /// The idea, why it is right, what it costs, what else works.
    pub discussion: String,
    /// Changed problems to think about.
    #[serde(rename = "variation")]
    pub variations: Vec<Variation>,
    /// A good answer for each required dimension of the standard interview.
    #[serde(rename = "sample")]
    pub samples: Vec<SampleAnswer>,
}

/// A changed problem to think about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// The title.
    pub title: String,
    /// What is changed, and what to ask oneself.
    pub text: String,
}

/// What a candidate might well say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleAnswer {
    /// The dimension that it covers.
    pub dimension: String,
    /// The answer.
    pub text: String,
}
