//! Checks that a text can be shown and asked, and gives no solution away.

use crate::content::interview::faults::Faults;
use crate::content::interview::fill::PLACEHOLDERS;

/// Longest title, characters.
const TITLE_MAX: usize = 80;
/// Longest goal or nudge, characters.
pub(super) const GOAL_MAX: usize = 400;
/// Longest opening prompt, characters.
pub(super) const PROMPT_MAX: usize = 800;
/// Length of a question, characters.
const QUESTION: std::ops::RangeInclusive<usize> = 15..=300;

/// Checks a name on screens, in one line.
pub(super) fn title(place: &str, text: &str, faults: &mut Faults) {
    let count = text.chars().count();
    if text.trim().is_empty() {
        faults.add(place, "is empty");
    } else if count > TITLE_MAX {
        faults.add(place, format!("has {count} characters; at most {TITLE_MAX} are allowed"));
    }
    if text.chars().any(char::is_control) {
        faults.add(place, "has control characters");
    }
    if text.contains(['{', '}']) {
        faults.add(place, "has a brace; a title has no placeholders");
    }
}

pub(super) fn text(place: &str, text: &str, max: usize, faults: &mut Faults) {
    let count = text.chars().count();
    if text.trim().is_empty() {
        faults.add(place, "is empty");
    } else if count > max {
        faults.add(place, format!("has {count} characters; at most {max} are allowed"));
    }
    shown(place, text, faults);
}

/// Checks a question. 001 6.3: one question at a time, from a pool.
pub(super) fn question(place: &str, text: &str, faults: &mut Faults) {
    let count = text.chars().count();
    if text.trim().is_empty() {
        faults.add(place, "is empty");
    } else if !QUESTION.contains(&count) {
        let (from, to) = (QUESTION.start(), QUESTION.end());
        faults.add(place, format!("has {count} characters; it must have {from} to {to}"));
    }
    let marks = text.matches('?').count();
    if marks != 1 {
        faults.add(place, format!("has {marks} question marks; it must have one"));
    } else if !text.ends_with('?') {
        faults.add(place, "must end with its question mark");
    }
    shown(place, text, faults);
}

fn shown(place: &str, text: &str, faults: &mut Faults) {
    if text.chars().any(|c| c.is_control() && c != '\n') {
        faults.add(place, "has control characters");
    }
    if let Some(message) = open_place(text) {
        faults.add(place, message);
    }
    if let Some(run) = faults.references.shared_with(text) {
        faults.add(place, format!("shares '{run}' with a solution of a problem"));
    }
}

/// Returns the mistake of the first brace that is not part of a placeholder.
fn open_place(text: &str) -> Option<String> {
    let mut parts = text.split('{');
    if parts.next().is_some_and(|before| before.contains('}')) {
        return Some("has a '}' without a '{'".to_owned());
    }
    parts.find_map(|part| match part.split_once('}') {
        None => Some("has a '{' without a '}'".to_owned()),
        Some((name, _)) if !PLACEHOLDERS.contains(&name) => {
            let known = PLACEHOLDERS.join("}, {");
            let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            Some(format!("has the placeholder {{{name}}}; there are {{{known}}}"))
        }
        Some((_, rest)) if rest.contains('}') => Some("has a '}' without a '{'".to_owned()),
        Some(_) => None,
    })
}
