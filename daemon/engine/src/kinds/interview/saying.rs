//! What the interviewer would say next, and whether a covered section may be announced.
//!
//! Follow-ups on what is required come first, then, once code has passed, variations of the problem, and at
//! last that nothing is left to ask. When any of it is said, and that it is, is `due.rs`'s.

use vosim_protocol::Time;
use vosim_protocol::v1::talk::VariationAsked;

use super::section::{Asking, OpenSection};
use super::state::{Presence, State};
use crate::parts::followups::Choice;
use crate::parts::variation::{VARIATIONS_MAX, asked, in_other_words};

/// True where the wrap-up of a section may be announced once no answer to a variation is awaited.
pub(super) fn wraps(state: &State, section: &OpenSection) -> bool {
    section.ends_at.is_none() && state.satisfied(section)
}

/// True when a covered section is announced at once: nothing is left to be asked in it, and no answer is
/// awaited.
pub(super) fn wraps_now(state: &State, section: &OpenSection, at: Time) -> bool {
    let asks = matches!(next_to_say(state, section), Some(ToSay::Variation(_)));
    let awaits = section.variation.is_some_and(|until| at < until);
    wraps(state, section) && !awaits && !asks
}

/// What the interviewer would say next.
pub(super) enum ToSay {
    Followup(Choice),
    Variation(VariationAsked),
    /// That there is nothing more to ask.
    Over,
}

/// What is said once the candidate is quiet, if that is before the section's time is up.
pub(super) fn next_to_say(state: &State, section: &OpenSection) -> Option<ToSay> {
    let free = match &section.step {
        Asking::Intro(_) => false,
        Asking::Asked { next } => next.is_none(),
    };
    let open = free
        && section.armed
        && section.ends_at.is_none()
        && section.quiet_until < section.contents.deadline
        && !matches!(state.presence, Presence::Paused { .. });
    if !open {
        return None;
    }
    let covered = state.satisfied(section);
    match section.choice(&state.spec.schema).filter(|_| !covered) {
        Some(choice) => Some(ToSay::Followup(choice)),
        None => variation(state, section).map(ToSay::Variation).or_else(|| {
            // With the last question of a budget it is said that it is the last.
            let over = !section.questions_over && !covered && section.budget > 0;
            over.then_some(ToSay::Over)
        }),
    }
}

/// What must be left of a section for one, seconds of the schema's time.
const VARIATION_LEFT_SECONDS: u32 = 120;

/// The variation that is asked about next: once code has passed, where there is time for an answer, and
/// nobody owes one. The last one comes first, in other words, where the answer to it said nothing.
fn variation(state: &State, section: &OpenSection) -> Option<VariationAsked> {
    let plan = section.plan(&state.spec.schema);
    let left = section.contents.deadline.micros_since(section.quiet_until);
    let asks = plan.coding
        && state.submissions.solved()
        && section.variation.is_none()
        && left >= state.granted_micros(VARIATION_LEFT_SECONDS);
    if !asks {
        return None;
    }
    if let Some(missed) = section.changed.as_ref().filter(|_| section.missed) {
        return Some(in_other_words(missed));
    }
    let next = state.variations_asked;
    let variation = state.spec.variations.iter().take(VARIATIONS_MAX).nth(next)?;
    Some(asked(variation, next, Some(plan.id.clone())))
}
