//! Checks the texts for interviews and guided practice: complete cards, known patterns, and gaps that
//! exist.

use std::collections::BTreeSet;

use vosim_protocol::v1::guide::{
    Discovery, Discussion, Fit, Gap, InvariantTemplate, Pattern, Variation,
};

use crate::content::common;
use crate::content::files::ContentError;
use crate::content::forms::{Clarification, Coaching};
use crate::content::interview::standard::standard;
use crate::content::layout::{
    CHECKER, CLARIFICATIONS, DISCUSSION, FOLLOWUPS, INVARIANTS, PATTERNS, is_name,
};

/// Most cards; all of them go into a session's spec.
const CARDS_MAX: usize = 100;
/// Longest answer of a card, bytes.
const ANSWER_BYTES_MAX: usize = 2 << 10;
/// Most ways of asking one thing, and the longest, bytes.
const WAYS_MAX: usize = 200;
const WAY_BYTES_MAX: usize = 300;
/// How many patterns a package offers, of which an attempt suggests three.
const PATTERNS_OFFERED: std::ops::RangeInclusive<usize> = 2..=6;
/// Longest title and longest text of a variation, bytes.
const VARIATION_TITLE_BYTES_MAX: usize = 80;
const VARIATION_BYTES_MAX: usize = 800;
/// Longest text for a placeholder, bytes.
const FILL_BYTES_MAX: usize = 200;

pub(super) fn check(coaching: &Coaching) -> Result<(), ContentError> {
    if coaching.clarifications.len() > CARDS_MAX {
        return Err(ContentError::invalid(CLARIFICATIONS, "card", "must be at most 100"));
    }
    unique(CLARIFICATIONS, coaching.clarifications.iter().map(|card| card.id.as_str()))?;
    ways("left_open", &coaching.left_open)?;
    ways("in_statement", &coaching.in_statement)?;
    unique(PATTERNS, coaching.patterns.iter().map(|pattern| pattern.id.as_str()))?;
    unique(INVARIANTS, coaching.invariants.iter().map(|template| template.id.as_str()))?;
    coaching.clarifications.iter().try_for_each(card)?;
    patterns(&coaching.patterns)?;
    coaching.discovery.iter().try_for_each(|step| discovery(step, &coaching.patterns))?;
    discussion(&coaching.discussion)?;
    coaching.discussion.variations.iter().try_for_each(variation)?;
    if !coaching.checker.is_empty() && coaching.invariants.is_empty() {
        return Err(ContentError::invalid(CHECKER, "file", "there is no invariant to check"));
    }
    coaching.invariants.iter().try_for_each(template)?;
    coaching.fill.iter().try_for_each(|(name, text)| fill(name, text))
}

/// Checks a part of a sentence for the placeholders of an interview's questions.
fn fill(name: &str, text: &str) -> Result<(), ContentError> {
    let wrong = |problem: &str| ContentError::invalid(FOLLOWUPS, format!("fill.{name}"), problem);
    if !is_name(name) || text.trim().is_empty() {
        return Err(wrong("must be a text"));
    }
    if text.len() > FILL_BYTES_MAX || text.chars().any(char::is_control) {
        return Err(wrong("must be one line of at most 200 bytes"));
    }
    Ok(())
}

fn unique<'a>(file: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), ContentError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !is_name(id) || !seen.insert(id) {
            return Err(ContentError::invalid(file, format!("id '{id}'"), "must be a unique name"));
        }
    }
    Ok(())
}

/// Checks ways of asking, which all go into a session's spec.
fn ways(key: &str, ways: &[String]) -> Result<(), ContentError> {
    let good = |way: &String| !way.trim().is_empty() && way.len() <= WAY_BYTES_MAX;
    if ways.len() > WAYS_MAX || !ways.iter().all(good) {
        let problem = "must be at most 200 texts of 1 to 300 bytes";
        return Err(ContentError::invalid(CLARIFICATIONS, key, problem));
    }
    Ok(())
}

fn card(card: &Clarification) -> Result<(), ContentError> {
    ways(&format!("{}.ways", card.id), &card.ways)?;
    if card.question.trim().is_empty() || card.question.len() > WAY_BYTES_MAX {
        let key = format!("{}.question", card.id);
        return Err(ContentError::invalid(CLARIFICATIONS, key, "must be 1 to 300 bytes"));
    }
    if card.answer.trim().is_empty() || card.answer.len() > ANSWER_BYTES_MAX {
        let key = format!("{}.answer", card.id);
        return Err(ContentError::invalid(CLARIFICATIONS, key, "must be 1 byte to 2 KiB"));
    }
    let mut known = standard().sections.iter().flat_map(|section| &section.dimensions);
    if !known.any(|dimension| dimension.id == card.dimension) {
        let problem = "the standard interview has no such dimension";
        let key = format!("{}.dimension", card.id);
        return Err(ContentError::invalid(CLARIFICATIONS, key, problem));
    }
    Ok(())
}

/// Checks the patterns of a package, of which an attempt suggests two or three (003).
fn patterns(patterns: &[Pattern]) -> Result<(), ContentError> {
    patterns.iter().try_for_each(pattern)?;
    let fits = |fit| patterns.iter().any(|pattern| pattern.fit == fit);
    if patterns.is_empty() || (PATTERNS_OFFERED.contains(&patterns.len()) && fits(Fit::Good)) {
        return Ok(());
    }
    Err(ContentError::invalid(PATTERNS, "pattern", "must be 2 to 6, at least one of them good"))
}

fn pattern(pattern: &Pattern) -> Result<(), ContentError> {
    let wrong = |key: &str, problem: &str| {
        ContentError::invalid(PATTERNS, format!("{}.{key}", pattern.id), problem)
    };
    let Some(card) = common::pattern(&pattern.id) else {
        return Err(wrong("id", "the catalogue has no such pattern"));
    };
    if card.name != pattern.name {
        return Err(wrong("name", &format!("the catalogue calls it '{}'", card.name)));
    }
    if (0.0..=1.0).contains(&pattern.confidence) {
        return Ok(());
    }
    Err(wrong("confidence", "must be between 0 and 1"))
}

fn discovery(step: &Discovery, patterns: &[Pattern]) -> Result<(), ContentError> {
    let wrong = |problem: &str| {
        ContentError::invalid(PATTERNS, format!("discovery '{}'", step.question), problem)
    };
    if !patterns.iter().any(|pattern| pattern.id == step.suggests) {
        return Err(wrong("suggests no pattern of the package"));
    }
    if step.question.trim_end().ends_with('?') && !step.explanation.trim().is_empty() {
        return Ok(());
    }
    Err(wrong("must be a question with an explanation"))
}

fn discussion(discussion: &Discussion) -> Result<(), ContentError> {
    let known = standard().sections.iter().flat_map(|section| &section.dimensions);
    let known: BTreeSet<_> = known.map(|dimension| dimension.id.as_str()).collect();
    let of = |sample: &&str| !known.contains(sample);
    let unknown = discussion.samples.iter().map(|sample| sample.dimension.as_str()).find(of);
    match unknown {
        Some(dimension) => {
            let key = format!("sample '{dimension}'");
            let problem = "the standard interview has no such dimension";
            Err(ContentError::invalid(DISCUSSION, key, problem))
        }
        None => Ok(()),
    }
}

/// A variation is asked about once code has passed: in a few words, and as one question.
fn variation(variation: &Variation) -> Result<(), ContentError> {
    let Variation { title, text } = variation;
    let wrong =
        |problem| Err(ContentError::invalid(DISCUSSION, format!("variation '{title}'"), problem));
    if title.trim().is_empty() || title.contains('\n') || title.len() > VARIATION_TITLE_BYTES_MAX {
        return wrong("must have a title of one line and at most 80 bytes");
    }
    if text.len() > VARIATION_BYTES_MAX {
        return wrong("must have at most 800 bytes");
    }
    if !text.trim_end().ends_with('?') || text.matches('?').count() > 1 {
        return wrong("must end in its one question");
    }
    Ok(())
}

fn template(template: &InvariantTemplate) -> Result<(), ContentError> {
    for gap in &template.gaps {
        let key = format!("{}.{}", template.id, gap.name);
        if !template.text.contains(&format!("{{{}}}", gap.name)) {
            return Err(ContentError::invalid(INVARIANTS, key, "the text has no such gap"));
        }
        if !choosable(gap) {
            let problem = "needs two choices or more, and the right one among them";
            return Err(ContentError::invalid(INVARIANTS, key, problem));
        }
    }
    if template.gaps.len() != template.text.matches('{').count() {
        let problem = "must have one gap for each pair of braces";
        return Err(ContentError::invalid(INVARIANTS, &template.id, problem));
    }
    Ok(())
}

fn choosable(gap: &Gap) -> bool {
    gap.choices.len() >= 2 && gap.right < gap.choices.len()
}
