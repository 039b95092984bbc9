//! Which pattern comes into question, and whether a plan will do (003: PLAN).

use std::collections::BTreeMap;

use vosim_protocol::phrase;
use vosim_protocol::v1::attempt::{
    CandidatePattern, InvariantBuilder, Match, Mode, PatternChosen, PlanAssessment, Spec,
    Suggestions,
};
use vosim_protocol::v1::effect::Checked;
use vosim_protocol::v1::guide::{Fit, InvariantTemplate, Pattern};
use vosim_protocol::v1::phrase::Phrase;

use crate::parts::naming::speaks_of;
use crate::parts::text::words;

/// Most patterns that are suggested.
const SUGGESTED_MAX: usize = 3;
/// Up to this, confidence is low (DECISIONS 49).
pub(super) const LOW_CONFIDENCE: u8 = 2;
/// Up to this rung a beginner builds an invariant (003: PLAN).
const BUILDER_RUNG_MAX: u8 = 2;
/// Fewest words of an invariant in somebody's own words.
const INVARIANT_WORDS: usize = 6;
/// Most ways to fill the gaps of a template that are compared with somebody's own words.
const WAYS_MAX: usize = 1000;

/// The patterns that come into question, those first that the candidate's own words point to. A good one
/// is always among them.
pub(super) fn suggest(spec: &Spec, explanation: &str) -> Suggestions {
    // The name of what is to be written says nothing about how: a "SettingBook" is no set.
    let own = spec.problem.interface.signatures()[0].0.to_lowercase();
    let mut said = words(explanation);
    said.retain(|word| *word != own);
    let patterns = &spec.guide.patterns;
    let hits = |pattern: &Pattern| -> Vec<String> {
        let card = spec.guide.cards.iter().find(|card| card.id == pattern.id);
        let signals = pattern.signals.iter().chain(card.into_iter().flat_map(|card| &card.signals));
        let mut hit: Vec<String> = signals.filter_map(|signal| heard_in(&said, signal)).collect();
        hit.sort();
        hit.dedup();
        hit
    };
    let mut ranked: Vec<_> = patterns.iter().map(|pattern| (pattern, hits(pattern))).collect();
    // What nothing speaks for stands in the order of the names: the package's own order gives away.
    ranked.sort_by(|(a, mine), (b, theirs)| theirs.len().cmp(&mine.len()).then(a.id.cmp(&b.id)));
    let all: usize = ranked.iter().map(|(_, hits)| 1 + 2 * hits.len()).sum();
    if let Some(good) = ranked.iter().position(|(pattern, _)| pattern.fit == Fit::Good)
        && good >= SUGGESTED_MAX
    {
        ranked.swap(good, SUGGESTED_MAX - 1);
    }
    let candidate = |(pattern, hits): (&Pattern, Vec<String>)| {
        let share = (1 + 2 * hits.len()) * 100 / all.max(1);
        let heard = (!hits.is_empty()).then(|| phrase!("plan.heard", words = hits).text);
        let reason = [Some(pattern.reason.clone()), heard].into_iter().flatten();
        CandidatePattern {
            pattern_id: pattern.id.clone(),
            name: pattern.name.clone(),
            reason: reason.collect::<Vec<_>>().join(" "),
            confidence: f64::from(u32::try_from(share).unwrap_or(0)) / 100.0,
        }
    };
    Suggestions {
        candidates: ranked.into_iter().take(SUGGESTED_MAX).map(candidate).collect(),
        recommended_next_action: phrase!("plan.choose_one").text,
    }
}

/// The words with which somebody has said a signal, which may be several: "two heap", "last in". What ends
/// otherwise is the same word: "heaps".
fn heard_in(said: &[String], signal: &str) -> Option<String> {
    let signal = words(signal);
    let (last, first) = signal.split_last()?;
    let is_said = |run: &&[String]| run.starts_with(first) && run[first.len()].starts_with(last);
    said.windows(signal.len()).find(is_said).map(|run| run.join(" "))
}

/// What has kept the candidate in PLAN so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// A pattern that misleads was not taken once (DECISIONS 49).
    pub(super) mismatch: bool,
    /// Doubt has led to questions.
    pub(super) doubt: bool,
    /// How many of them were answered.
    pub(super) discovered: usize,
    /// How often in a row the words of the invariant were not enough.
    pub(super) invariant: u8,
}

/// How often in a row the words of an invariant can keep somebody in the step, as words do in UNDERSTAND.
/// A sentence that was built and is false holds until it is mended.
const INVARIANT_HOLDS_MAX: u8 = 2;

/// What is said of a plan; `checked` is what runs say of its invariant.
pub(super) fn assess(
    spec: &Spec,
    mode: Mode,
    held: Held,
    chosen: &PatternChosen,
    checked: Option<&Checked>,
) -> PlanAssessment {
    let pattern = spec.guide.patterns.iter().find(|pattern| pattern.id == chosen.pattern_id);
    let fit = pattern.map_or(Fit::Mismatch, |pattern| pattern.fit);
    let doubt = mode == Mode::Beginner
        && chosen.confidence <= LOW_CONFIDENCE
        && held.discovered < spec.guide.discovery.len();
    // The questions come first: what they lead to is not told before.
    let rationale = match doubt {
        true => phrase!("plan.rationale_later").text,
        false => pattern.map_or_else(String::new, |pattern| pattern.rationale.clone()),
    };
    let misled = fit == Fit::Mismatch && !held.mismatch;
    let (stands, feedback) = invariant(spec, mode, chosen, checked);
    let by_words = chosen.invariant_builder.is_none();
    let holds = stands || by_words && held.invariant >= INVARIANT_HOLDS_MAX;
    PlanAssessment {
        accepted: !doubt && !misled && holds,
        fit: match fit {
            Fit::Good if !doubt => Match::Good,
            Fit::Mismatch if !doubt => Match::Mismatch,
            // As the rationale, it is told after the questions.
            Fit::Good | Fit::Maybe | Fit::Mismatch => Match::Maybe,
        },
        rationale,
        discovery_recommended: doubt,
        invariant_feedback: feedback.filter(|_| !doubt).map(|feedback| feedback.text),
    }
}

/// Whether the invariant was enough, whatever else may have kept the candidate in PLAN.
pub(super) fn invariant_stands(
    spec: &Spec,
    mode: Mode,
    chosen: &PatternChosen,
    checked: Option<&Checked>,
) -> bool {
    invariant(spec, mode, chosen, checked).0
}

/// Whether the invariant will do, and what is to be said of it.
fn invariant(
    spec: &Spec,
    mode: Mode,
    chosen: &PatternChosen,
    checked: Option<&Checked>,
) -> (bool, Option<Phrase>) {
    match (&chosen.invariant_builder, &chosen.invariant_text) {
        (Some(built), _) => of_builder(spec, built, checked),
        (None, Some(text)) if words(text).len() < INVARIANT_WORDS => {
            (mode == Mode::Expert, Some(phrase!("invariant.too_short")))
        }
        (None, Some(text)) if !speaks_of(text, &spec.problem) => {
            (mode == Mode::Expert, Some(phrase!("invariant.of_nothing")))
        }
        (None, Some(_)) => (true, Some(phrase!("invariant.own_words"))),
        (None, None) if mode == Mode::Expert => (true, None),
        (None, None)
            if spec.problem.rung <= BUILDER_RUNG_MAX && !spec.guide.invariants.is_empty() =>
        {
            (false, Some(phrase!("invariant.build")))
        }
        (None, None) => (false, Some(phrase!("invariant.say"))),
    }
}

/// Runs come first: a sentence that a run contradicts is wrong, whoever wrote it.
fn of_builder(
    spec: &Spec,
    built: &InvariantBuilder,
    checked: Option<&Checked>,
) -> (bool, Option<Phrase>) {
    let template = spec.guide.invariants.iter().find(|template| template.id == built.template_id);
    let Some(template) = template else { return (false, Some(phrase!("invariant.build"))) };
    if let Some(Checked { contradicted_by: Some(case), .. }) = checked {
        return (false, Some(phrase!("invariant.contradicted", case = case.as_str())));
    }
    let wrong = template.gaps.iter().find(|gap| built.choices.get(&gap.name) != Some(&gap.right));
    if let Some(gap) = wrong {
        let name = gap.name.replace('_', " ");
        return (false, Some(phrase!("invariant.gap", name, why = gap.why.as_str())));
    }
    let good = match checked {
        Some(Checked { runs, catches, .. }) if *catches > 0 => {
            phrase!("invariant.holds", runs = *runs, catches = *catches)
        }
        Some(_) | None => phrase!("invariant.right"),
    };
    (true, Some(good))
}

/// A template with its gaps filled.
pub(super) fn sentence(template: &InvariantTemplate, built: &InvariantBuilder) -> String {
    template.gaps.iter().fold(template.text.clone(), |text, gap| {
        let choice = built.choices.get(&gap.name).and_then(|at| gap.choices.get(*at));
        text.replace(&format!("{{{}}}", gap.name), choice.map_or("...", String::as_str))
    })
}

/// A template that somebody has written out in full: it can be run as if its gaps had been filled.
pub(super) fn written_out(spec: &Spec, text: &str) -> Option<InvariantBuilder> {
    let said = plain(text);
    let ways = |template: &&InvariantTemplate| {
        let choices = template.gaps.iter().map(|gap| gap.choices.len());
        choices.fold(1, usize::saturating_mul)
    };
    let few = spec.guide.invariants.iter().filter(|template| ways(template) <= WAYS_MAX);
    few.flat_map(|template| filled(template).into_iter().map(move |built| (template, built)))
        .find(|(template, built)| plain(&sentence(template, built)) == said)
        .map(|(_, built)| built)
}

/// Every way to fill the gaps of a template.
fn filled(template: &InvariantTemplate) -> Vec<InvariantBuilder> {
    let open = InvariantBuilder { template_id: template.id.clone(), choices: BTreeMap::new() };
    let mut ways = vec![open];
    for gap in &template.gaps {
        let mut longer = Vec::with_capacity(ways.len() * gap.choices.len());
        for at in 0..gap.choices.len() {
            for mut built in ways.iter().cloned() {
                built.choices.insert(gap.name.clone(), at);
                longer.push(built);
            }
        }
        ways = longer;
    }
    ways
}

/// A sentence as it is compared: in small letters, without backticks and the marks about its words. The sign
/// of a number is none of these.
fn plain(text: &str) -> String {
    let text = text.replace('`', "").to_lowercase();
    let marks = [',', ';', ':', '.', '!', '?', '"', '(', ')'];
    let words = text.split_whitespace().map(|word| word.trim_matches(marks));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::attempt::spec;

    #[test]
    fn a_signal_of_several_words_is_heard_where_they_stand_in_a_row() {
        for (text, signal, heard) in [
            ("I take two heaps.", "two heap", Some("two heaps")),
            ("Last in, first out", "last in", Some("last in")),
            ("Two stacks, not a heap", "two heap", None),
            ("heap", "two heap", None),
            ("Hash maps", "map", Some("maps")),
            ("", "map", None),
        ] {
            assert_eq!(heard_in(&words(text), signal).as_deref(), heard, "{text}: {signal}");
        }
    }

    #[test]
    fn a_sentence_is_the_same_with_other_marks_and_no_other_with_another_sign() {
        let sentence = plain("If `H` is reached, the answer is at most -1.");
        for same in [
            "if H is reached the answer is at most -1",
            "(If H is reached; the answer is at most -1)!",
        ] {
            assert_eq!(plain(same), sentence);
        }
        assert_ne!(plain("If H is reached, the answer is at most 1."), sentence);
        assert_ne!(plain("window + 1"), plain("window - 1"));
    }

    #[test]
    fn what_somebody_says_ranks_the_patterns_and_the_name_of_the_class_does_not() {
        let mut spec = spec(Mode::Beginner, true);
        for (pattern, signal) in spec.guide.patterns.iter_mut().zip(["lru", "one by one"]) {
            pattern.signals = vec![signal.to_owned()];
        }
        let ids: Vec<_> = spec.guide.patterns.iter().map(|one| one.id.clone()).collect();
        let suggested = suggest(&spec, "An LRUCache is searched one by one.").candidates;
        assert_eq!(suggested[0].pattern_id, ids[1]);
        assert!(suggested[0].reason.ends_with("You said: one by one."), "{}", suggested[0].reason);
        let own = suggested.iter().find(|one| one.pattern_id == ids[0]);
        assert!(own.is_none_or(|own| !own.reason.contains("You said")), "{own:?}");
    }
}
