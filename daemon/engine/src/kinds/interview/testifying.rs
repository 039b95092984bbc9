//! What a model is asked of a message in the open section, and what becomes of its answer (001 6.2; DECISIONS
//! 37).
//!
//! Nobody waits for it: evidence counts from the moment it comes, in the section in which the message was
//! said. What comes after that section's end, or about a message that newer ones have pushed out, is
//! asked for by nobody any more.

use vosim_protocol::v1::coverage::{Coverage, CoverageChange, Dimension};
use vosim_protocol::v1::effect::{Failure, Hear, Subject, Testimony};
use vosim_protocol::v1::interview::{Event, MessageHeard};
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::talk::ModelUse;
use vosim_protocol::{EffectId, EventId, phrase};

use super::listening::listen_alone;
use super::section::{OpenSection, Unheard};
use super::state::{Draft, State};
use crate::parts::testimony::{Court, Unmoved};
use crate::parts::words::{self, MESSAGE_MAX_BYTES};
use crate::wanted::Wanted;

/// Longest quotation that is kept, bytes as JSON spells it.
const QUOTE_MAX_BYTES: usize = 1024;
/// Longest id of a dimension that a model names, bytes.
const ID_MAX_BYTES: usize = 128;

/// One request for each message that a model may still say something new of.
pub(super) fn wanted<'a>(
    state: &'a State,
    section: &'a OpenSection,
) -> impl Iterator<Item = Wanted<State, Event>> + 'a {
    let model = ModelUse::hearing(state.spec.model.as_ref());
    let requests = model.map(|model| {
        section.unheard.iter().filter_map(move |unheard| request(state, section, unheard, model))
    });
    requests.into_iter().flatten()
}

fn request(
    state: &State,
    section: &OpenSection,
    unheard: &Unheard,
    model: &str,
) -> Option<Wanted<State, Event>> {
    let dimensions = section.plan(&state.spec.schema).dimensions.iter();
    let open = dimensions.filter(|known| is_open(section, known));
    let dimensions: Vec<_> = open.map(subject).collect();
    let hear = Hear {
        model: model.to_owned(),
        question: unheard.question.to_string(),
        message: text(section, unheard.message)?.to_owned(),
        dimensions,
    };
    let (id, model) = (unheard.message, model.to_owned());
    (!hear.dimensions.is_empty()).then(|| {
        Wanted::new(EffectId(id), hear, move |draft: &mut Draft<'_>, outcome| {
            heard(draft, id, &model, outcome);
        })
    })
}

fn is_open(section: &OpenSection, dimension: &Dimension) -> bool {
    let contents = &section.contents;
    contents.coverage.level(&dimension.id) < Coverage::Covered
        && !contents.raised.contains(&dimension.id)
}

fn subject(dimension: &Dimension) -> Subject {
    let about = [&dimension.title].into_iter().chain(&dimension.questions);
    Subject { dimension: dimension.id.clone(), about: about.cloned().collect() }
}

fn text(section: &OpenSection, message: EventId) -> Option<&str> {
    let said = section.contents.messages.iter().find(|said| said.event == message);
    said.map(|said| &*said.text)
}

fn heard(
    draft: &mut Draft<'_>,
    message: EventId,
    model: &str,
    outcome: Result<&Vec<Testimony>, &Failure>,
) {
    let state = draft.state();
    let Some(section) = state.open() else { return };
    let most = section.plan(&state.spec.schema).dimensions.len();
    let kept = outcome.into_iter().flatten().take(most).map(|said| Testimony {
        dimension: words::cut(said.dimension.clone(), ID_MAX_BYTES),
        level: said.level,
        quote: words::cut(said.quote.clone(), QUOTE_MAX_BYTES),
    });
    let testimonies: Vec<_> = kept.collect();
    let weighed = weighed(state, section, message, &testimonies);
    let mut coverage: Vec<CoverageChange> = Vec::new();
    for change in weighed.into_iter().filter_map(|(_, weighed)| weighed.ok()) {
        if coverage.iter().all(|known| known.dimension != change.dimension) {
            coverage.push(change);
        }
    }
    let reason = outcome.err().map(|failure| failure.reason.clone());
    let heard = MessageHeard {
        section_id: section.plan(&state.spec.schema).id.clone(),
        message,
        model: model.to_owned(),
        testimonies,
        failed: reason.map(|reason| words::cut(reason, MESSAGE_MAX_BYTES)),
        coverage,
    };
    draft.push(Event::MessageHeard(heard));
}

/// Each testimony with what it changes, or why it changes nothing.
pub(super) fn weighed<'t>(
    state: &State,
    section: &OpenSection,
    message: EventId,
    testimonies: &'t [Testimony],
) -> Vec<(&'t Testimony, Result<CoverageChange, Unmoved>)> {
    let Some(message) = text(section, message) else { return Vec::new() };
    let contents = &section.contents;
    let listened = listen_alone(state, contents, message);
    let court = Court {
        ledger: &contents.coverage,
        raised: &contents.raised,
        message,
        listened: &listened,
        alone: &|quote| listen_alone(state, contents, quote).heard.guard,
    };
    testimonies.iter().map(|said| (said, court.weigh(said))).collect()
}

/// Why a testimony changes nothing, in words.
pub(super) fn told(unmoved: Unmoved) -> Phrase {
    match unmoved {
        Unmoved::Unknown => phrase!("not.heard.unknown"),
        Unmoved::Twice => phrase!("not.heard.twice"),
        Unmoved::NoHigher => phrase!("not.heard.no_higher"),
        Unmoved::HeldBack => phrase!("not.heard.held_back"),
        Unmoved::Short => phrase!("not.heard.short"),
        Unmoved::Unsaid => phrase!("not.heard.unsaid"),
        Unmoved::QuoteHeldBack => phrase!("not.heard.quote_held_back"),
        Unmoved::Denied => phrase!("not.heard.denied"),
        Unmoved::Beyond => phrase!("not.heard.beyond"),
    }
}
