//! The files of `.vosim/` as they are written, before they become protocol types.
//!
//! An unknown key is an error, since it is most often a typing mistake.

use std::collections::BTreeMap;

use serde::Deserialize;
use vosim_protocol::v1::coverage::Dimension;
use vosim_protocol::v1::evaluation::{Detail, FailureType};
use vosim_protocol::v1::guide::{Discovery, Discussion, InvariantTemplate, Pattern, PatternCard};
use vosim_protocol::v1::problem::{
    GrowthProbe, Interface, IssueMatch, Language, Op, SmallRun, StatedLimit,
};

/// `interface.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InterfaceFile {
    pub(super) id: String,
    pub(super) rung: u8,
    pub(super) interface: Interface,
    pub(super) growth: Option<GrowthProbe>,
}

/// `cases.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CasesFile {
    pub(super) cases: Vec<CaseForm>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseForm {
    pub(super) name: String,
    pub(super) category: String,
    pub(super) description: String,
    pub(super) visible: bool,
    pub(super) ops: Vec<Op>,
    #[serde(default)]
    pub(super) twin: Vec<Op>,
}

/// `hints.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HintsFile {
    pub(super) praise: String,
    pub(super) question: String,
    #[serde(default, rename = "run")]
    pub(super) runs: Vec<SmallRun>,
    #[serde(rename = "issue")]
    pub(super) issues: Vec<IssueForm>,
    #[serde(rename = "solution")]
    pub(super) solutions: BTreeMap<Language, SolutionForm>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IssueForm {
    pub(super) id: String,
    #[serde(default)]
    pub(super) when: IssueMatch,
    pub(super) feedback: String,
    pub(super) level_1: String,
    pub(super) level_2: String,
    pub(super) level_3: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsFile {
    #[serde(rename = "limit")]
    pub(super) limits: Vec<StatedLimit>,
}

/// Level 4: a program of the package between two texts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolutionForm {
    pub(super) program: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// `issues.toml` of all packages together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IssuesFile {
    #[serde(rename = "issue")]
    pub(super) issues: Vec<IssueForm>,
}

/// `patterns.toml` of all packages together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CatalogueFile {
    #[serde(rename = "pattern")]
    pub(super) patterns: Vec<PatternCard>,
}

/// `understand.toml` of all packages together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldsFile {
    #[serde(rename = "field")]
    pub(super) fields: Vec<Dimension>,
}

/// `rules.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesFile {
    #[serde(rename = "rule")]
    pub(super) rules: Vec<Rule>,
}

/// A rule of the statement, with what shows that the cases hold submissions to it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The name.
    pub id: String,
    /// The words of the statement that say it.
    pub text: String,
    /// Cases each of which fails each of the programs.
    pub cases: Vec<String>,
    /// Wrong programs that break only this rule, at least one in each language.
    pub programs: Vec<String>,
}

/// `verdicts.toml`: by path of the program.
pub(super) type VerdictsFile = BTreeMap<String, VerdictForm>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VerdictForm {
    pub(super) class: FailureType,
    pub(super) detail: Option<Detail>,
    pub(super) passed: Option<u32>,
    pub(super) issue: Option<String>,
}

/// Texts about a problem for interviews and guided practice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coaching {
    /// Answers to questions that a candidate may ask.
    pub clarifications: Vec<Clarification>,
    /// Ways of asking for what the problem leaves open.
    pub left_open: Vec<String>,
    /// Ways of asking for what the statement says.
    pub in_statement: Vec<String>,
    /// Approaches to choose from.
    pub patterns: Vec<Pattern>,
    /// Questions that lead to one of them.
    pub discovery: Vec<Discovery>,
    /// Sentences with gaps about the state after every call.
    pub invariants: Vec<InvariantTemplate>,
    /// A program in Python that says whether such a sentence holds on a run; empty where there is none.
    pub checker: String,
    /// What is read after the end.
    pub discussion: Discussion,
    /// Texts for the placeholders in an interview's questions, by name.
    pub fill: BTreeMap<String, String>,
}

/// A fixed answer to a clarifying question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// The name.
    pub id: String,
    /// The dimension of an interview it touches, for example `constraints`.
    pub dimension: String,
    /// The question in full.
    pub question: String,
    /// Other ways in which people ask it: the more, and the more various, the better it is heard.
    #[serde(default)]
    pub ways: Vec<String>,
    /// The answer.
    pub answer: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClarificationsFile {
    #[serde(default)]
    pub(super) left_open: Vec<String>,
    #[serde(default)]
    pub(super) in_statement: Vec<String>,
    #[serde(rename = "card")]
    pub(super) cards: Vec<Clarification>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PatternsFile {
    #[serde(rename = "pattern")]
    pub(super) patterns: Vec<Pattern>,
    #[serde(default)]
    pub(super) discovery: Vec<Discovery>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InvariantsFile {
    #[serde(rename = "template")]
    pub(super) templates: Vec<InvariantTemplate>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FollowupsFile {
    pub(super) fill: BTreeMap<String, String>,
}
