//! Checks one section: its time, its questions, its dimensions.

use std::collections::BTreeSet;

use vosim_protocol::v1::coverage::{Dimension, Evidence, FollowupRule};
use vosim_protocol::v1::interview::{Minimum, Section};

use super::texts;
use crate::content::interview::faults::{Faults, is_id, place};

/// Most warnings of a section.
const WARNINGS_MAX: usize = 8;
/// Most dimensions of a section.
const DIMENSIONS_MAX: usize = 16;
/// Most groups of a dimension, stems of a group, questions of a pool.
const LIST_MAX: usize = 64;
/// Most words that a minimum may ask for.
const WORDS_MAX: u32 = 1_000;
/// Longest stem, characters.
const STEM_MAX: usize = 40;

pub(super) fn check(section: &Section, place: &str, faults: &mut Faults) {
    faults.id(place, &section.id);
    texts::title(&format!("{place}.title"), &section.title, faults);
    texts::text(&format!("{place}.goal"), &section.goal, texts::GOAL_MAX, faults);
    texts::text(&format!("{place}.prompt"), &section.prompt, texts::PROMPT_MAX, faults);
    if section.duration_seconds == 0 {
        faults.add(&format!("{place}.duration_seconds"), "is 0; a section lasts at least 1 second");
    }
    warnings(section, place, faults);
    cap(section, place, faults);
    types(section, place, faults);
    minimum(section, place, faults);
    dimensions(section, place, faults);
}

fn warnings(section: &Section, place: &str, faults: &mut Faults) {
    let place = format!("{place}.warnings");
    let warnings = &section.warnings;
    if warnings.len() > WARNINGS_MAX {
        let message =
            format!("has {} warnings; at most {WARNINGS_MAX} are allowed", warnings.len());
        faults.add(&place, message);
    }
    let duration = section.duration_seconds;
    if let Some(early) = warnings.iter().find(|seconds| **seconds >= duration) {
        let message = format!("has {early}, which is not below the section's {duration} seconds");
        faults.add(&place, message);
    }
    if warnings.contains(&0) {
        faults.add(&place, "has 0, which is the deadline itself and not before it");
    }
    if warnings.windows(2).any(|pair| pair[0] <= pair[1]) {
        faults.add(&place, "must fall, the longest first and none twice");
    }
}

/// Checks the cap on follow-ups: with too few questions the section could not ask as many as it
/// says.
fn cap(section: &Section, place: &str, faults: &mut Faults) {
    let required = section.dimensions.iter().filter(|dimension| dimension.required);
    let questions: usize = required.map(|dimension| dimension.questions.len()).sum();
    let cap = section.followup_cap;
    let place = format!("{place}.followup_cap");
    if cap > 0 && questions == 0 {
        let message = format!("is {cap}, but the section's required dimensions have no questions");
        faults.add(&place, message);
    } else if cap as usize > questions {
        let pool =
            if questions == 1 { "1 question".to_owned() } else { format!("{questions} questions") };
        let message = format!("is {cap}, but the required dimensions have {pool}");
        faults.add(&place, message);
    }
}

/// Checks the types of follow-ups: a section that says how many it asks must be able to begin.
fn types(section: &Section, place: &str, faults: &mut Faults) {
    let (cap, allowed) = (section.followup_cap, &section.followup_types_allowed);
    let begins = |rule: &FollowupRule| *rule != FollowupRule::InOtherWords;
    if cap > 0 && !allowed.iter().any(begins) {
        let message = format!(
            "must have uncovered_first or deepen_partial, since followup_cap is {cap}; a question is \
             asked in_other_words only after another"
        );
        faults.add(&format!("{place}.followup_types_allowed"), message);
    }
}

fn minimum(section: &Section, place: &str, faults: &mut Faults) {
    let Minimum { one_message, two_messages, total_words, touches, loads } = &section.minimum;
    let words = [
        ("one_message", one_message),
        ("two_messages", two_messages),
        ("total_words", total_words),
    ];
    for (key, value) in words {
        if let Some(value) = value {
            faults.range(&format!("{place}.minimum.{key}"), *value, 1..=WORDS_MAX);
        }
    }
    if let Some(id) = touches
        && !section.dimensions.iter().any(|dimension| &dimension.id == id)
    {
        let known: Vec<_> = section.dimensions.iter().map(|known| known.id.as_str()).collect();
        let named = if is_id(id) { format!("'{id}'") } else { "something".to_owned() };
        let known = known.into_iter().filter(|id| is_id(id)).collect::<Vec<_>>().join(", ");
        let message =
            format!("names {named}, which is no dimension of this section; there are {known}");
        faults.add(&format!("{place}.minimum.touches"), message);
    }
    if *loads && !section.coding {
        faults.add(&format!("{place}.minimum.loads"), "needs coding = true in this section");
    }
}

fn dimensions(section: &Section, at: &str, faults: &mut Faults) {
    let list = format!("{at}.dimensions");
    if section.dimensions.len() > DIMENSIONS_MAX {
        let count = section.dimensions.len();
        let message = format!("has {count} dimensions; at most {DIMENSIONS_MAX} are allowed");
        faults.add(&list, message);
    }
    // Nothing to cover is covered at once, so the section would end by itself.
    if !section.dimensions.iter().any(|dimension| dimension.required) {
        let message = "has no required dimension, so the section would count as covered at once";
        faults.add(&list, message);
    }
    let (mut ids, mut questions) = (BTreeSet::new(), BTreeSet::new());
    for (number, dimension) in section.dimensions.iter().enumerate() {
        let place = place(&list, &dimension.id, number);
        if !ids.insert(&dimension.id) {
            faults.add(&format!("{place}.id"), "another dimension of this section has this id");
        }
        for question in &dimension.questions {
            if !questions.insert(question.trim()) {
                faults.add(&format!("{place}.questions"), "asks the same question twice");
            }
        }
        self::dimension(dimension, section.coding, &place, faults);
    }
}

fn dimension(dimension: &Dimension, coding: bool, place: &str, faults: &mut Faults) {
    faults.id(place, &dimension.id);
    texts::title(&format!("{place}.title"), &dimension.title, faults);
    signals(&dimension.signals, &format!("{place}.signals"), faults);
    if dimension.evidence == Some(Evidence::TestsAndVerdict) && !coding {
        let message = "tests_and_verdict needs coding = true in this section";
        faults.add(&format!("{place}.evidence"), message);
    }
    let pool = format!("{place}.questions");
    if dimension.questions.len() > LIST_MAX {
        let message =
            format!("has {} questions; at most {LIST_MAX} are allowed", dimension.questions.len());
        faults.add(&pool, message);
    }
    if !dimension.required && !dimension.questions.is_empty() {
        faults.add(&pool, "is never used, since the dimension is not required");
    }
    for (at, question) in dimension.questions.iter().enumerate() {
        texts::question(&format!("{pool}[{at}]"), question, faults);
    }
}

fn signals(groups: &[Vec<String>], place: &str, faults: &mut Faults) {
    if groups.is_empty() {
        faults.add(place, "is empty, so no words could cover the dimension");
    }
    let long = groups.iter().map(Vec::len).chain([groups.len()]).find(|len| *len > LIST_MAX);
    if let Some(len) = long {
        faults.add(place, format!("has a list of {len} entries; at most {LIST_MAX} are allowed"));
    }
    for (at, group) in groups.iter().enumerate() {
        let place = format!("{place}[{at}]");
        if group.is_empty() {
            faults.add(&place, "is an empty group");
        }
        for stem in group {
            if let Some(message) = stem_fault(stem) {
                faults.add(&place, message);
            }
        }
    }
}

fn stem_fault(stem: &str) -> Option<String> {
    if stem.split_whitespace().collect::<Vec<_>>().join(" ") != *stem || stem.is_empty() {
        Some("holds a stem that is empty or has blanks to spare".to_owned())
    } else if stem.chars().count() > STEM_MAX || stem.chars().any(char::is_control) {
        Some(format!("holds a stem that is not {STEM_MAX} printable characters or fewer"))
    } else if *stem != stem.to_lowercase() {
        Some(format!("has '{stem}', which is not lower case, so it would never be found"))
    } else {
        None
    }
}
