//! A problem package in memory. Nothing here reads or judges one.

use std::borrow::Cow;
use std::fmt;

use uuid::Uuid;
use vosim_protocol::v1::evaluation::{Detail, FailureType};
use vosim_protocol::v1::guide::{Fit, Guide, Pattern, PatternCard, Planted, Variation};
use vosim_protocol::v1::problem::{DrawnInputs, Language, Problem, Suite};
use vosim_protocol::{Wire, phrase};

use super::common;
use super::forms::{Coaching, Rule};

/// How sure one is of a pattern that a package says nothing of.
const UNRATED_CONFIDENCE: f64 = 0.5;

/// One problem package, read and checked. It counts as installed only when
/// [`prove`](super::prove()) agrees.
pub struct Package {
    /// The problem's identity across names and versions.
    pub uuid: Uuid,
    /// The part that a session keeps.
    pub problem: Problem,
    /// The case data as one canonical JSON text, a blob of its own beside the session's spec.
    pub suite_blob: Vec<u8>,
    /// The program that gives hidden inputs for a seed; none where they are always the same.
    pub generator: Option<String>,
    /// The program that gives the answers to them.
    pub reference: String,
    /// Starters, right and wrong programs, each with its promise.
    pub programs: Vec<Program>,
    /// The rules of the statement, each with the programs and cases that show it is tested.
    pub rules: Vec<Rule>,
    /// Texts for interviews and guided practice.
    pub coaching: Coaching,
}

impl Package {
    /// Returns the case data, parsed anew at each call, so that an idle daemon keeps only the text.
    pub fn suite(&self) -> Suite {
        Suite::from_bytes(&self.suite_blob).expect("the blob was written from a suite")
    }

    /// Returns how the hidden inputs of a session with this seed are drawn.
    pub fn draw(&self, seed: u64) -> Option<DrawnInputs> {
        let generator = self.generator.clone()?;
        Some(DrawnInputs { seed, generator, reference: self.reference.clone() })
    }

    /// Returns what guides through the problem. The wrong programs that break a rule are planted, in
    /// Python, so that one interpreter runs them all.
    pub fn guide(&self) -> Guide {
        let rules = || self.rules.iter().flat_map(|rule| &rule.programs);
        let planted = self.programs.iter().filter(|program| {
            program.language == Language::Python && rules().any(|path| *path == program.path)
        });
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let patterns = match self.coaching.patterns.as_slice() {
            // A package that rates none leaves all of the catalogue to choose from.
            [] => common::catalogue().iter().map(unrated).collect(),
            rated => rated.to_vec(),
        };
        let cards = patterns.iter().filter_map(|one| common::pattern(&one.id));
        Guide {
            cards: cards.cloned().collect(),
            patterns,
            discovery: self.coaching.discovery.clone(),
            invariants: self.coaching.invariants.clone(),
            checker: self.coaching.checker.clone(),
            planted: planted
                .map(|program| Planted {
                    name: name(&program.path),
                    language: program.language,
                    source: String::from_utf8_lossy(&program.source).into_owned(),
                })
                .collect(),
            reference: self.reference.clone(),
            discussion: self.coaching.discussion.clone(),
        }
    }

    /// Returns the changed problems that are asked about once code has passed, each as one line.
    pub(crate) fn variations(&self) -> Vec<Variation> {
        let one_line = |variation: &Variation| Variation {
            title: variation.title.trim().to_owned(),
            text: variation.text.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        self.coaching.discussion.variations.iter().map(one_line).collect()
    }

    /// Returns the right program that level 4 shows in a language, where the package has one of its own.
    pub fn shown(&self, language: Language) -> Option<&str> {
        let text = self.problem.solutions.get(&language)?;
        let right = self
            .programs
            .iter()
            .filter(|program| program.language == language && program.role == ProgramRole::Right);
        let mut sources = right.filter_map(|program| std::str::from_utf8(&program.source).ok());
        sources.find(|source| text.contains(source.trim_end()))
    }

    /// Returns the starter files, with which a candidate begins and which must not pass.
    pub fn stubs(&self) -> impl Iterator<Item = &Program> {
        self.programs.iter().filter(|program| program.role == ProgramRole::Stub)
    }
}

/// A pattern of the catalogue that a package says nothing of.
fn unrated(card: &PatternCard) -> Pattern {
    let cue = card.cues.first().map_or("", String::as_str);
    Pattern {
        id: card.id.clone(),
        name: card.name.clone(),
        fit: Fit::Maybe,
        confidence: UNRATED_CONFIDENCE,
        reason: phrase!("plan.unrated_reason", cue).text,
        rationale: phrase!("plan.unrated", invariant = card.invariant.as_str()).text,
        signals: Vec::new(),
    }
}

impl Program {
    /// Whether it uses its time or memory up, so that judging it takes long.
    pub fn uses_its_limits_up(&self) -> bool {
        let detail = self.promise.detail;
        matches!(detail, Some(Detail::Time | Detail::Idle | Detail::Wall | Detail::Memory))
    }
}

// Case data and reference programs stay out of logs.
impl fmt::Debug for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Package")
            .field("id", &self.problem.id)
            .field("programs", &self.programs)
            .finish_non_exhaustive()
    }
}

/// A program of a package.
#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    /// The path in the package.
    pub path: String,
    /// The language.
    pub language: Language,
    /// The bytes.
    pub source: Cow<'static, [u8]>,
    /// The purpose.
    pub role: ProgramRole,
    /// The promised verdict.
    pub promise: Promise,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("path", &self.path)
            .field("bytes", &self.source.len())
            .field("promise", &self.promise)
            .finish_non_exhaustive()
    }
}

/// The purpose of a program in a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramRole {
    /// A starter file.
    Stub,
    /// A solution.
    Right,
    /// A planted mistake.
    Wrong,
}

/// The verdict that a program promises; absent parts do not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The class.
    pub failure_type: FailureType,
    /// The reason for the class.
    pub detail: Option<Detail>,
    /// The number of cases that pass.
    pub passed: Option<u32>,
    /// The issue that feedback and hints speak of.
    pub issue: Option<String>,
    /// Cases that must fail it, since it breaks a rule that they test.
    pub caught_by: Vec<String>,
}
