//! What events say that several kinds share, and those that every session has.
//!
//! Only keys of the table of sentences stand here, never words. Nothing is told from state: an
//! event holds what its sentence needs, so that a log, a gap in a stream and a bundle can each
//! tell it alone.

use vosim_protocol::v1::clauses;
use vosim_protocol::v1::hints::{HintGiven, HintRequested};
use vosim_protocol::v1::judging::{EvalAborted, EvalResult, SuiteDrawn};
use vosim_protocol::v1::phrase::{Phrase, Span};
use vosim_protocol::v1::session::SessionEvent;
use vosim_protocol::v1::talk::{VariationAsked, WordingFailed};
use vosim_protocol::v1::telling::{Channel, Telling, Tone};
use vosim_protocol::{EventRecord, phrase};

use crate::kind::{Kind, Recorded};
use crate::session::Happened;

/// What a record says, as it is seen; None for one that cannot be read.
pub(crate) fn tell<K: Kind>(record: &EventRecord) -> Option<Telling> {
    Some(match Happened::<K::Event>::read(record).ok()? {
        Happened::Session(event) => of_session(&event),
        Happened::Kind(event) => {
            K::tell(&Recorded { id: record.event_id, at: record.timestamp, event })
        }
    })
}

/// What an event says that every session has.
pub(crate) fn of_session(event: &SessionEvent) -> Telling {
    match event {
        SessionEvent::SessionCreated(created) => {
            let (kind, title) = (created.kind.with_article(), created.title.as_str());
            Telling::silent(phrase!("session.created", kind, title))
        }
        SessionEvent::ClockAdjusted(adjusted) => {
            let step = Span::ms(adjusted.step_micros.unsigned_abs() / 1_000);
            system(match adjusted.step_micros {
                0.. => phrase!("clock.forward", step),
                _ => phrase!("clock.back", step),
            })
        }
        SessionEvent::SuspendObserved(slept) => {
            system(phrase!("machine.slept", time = Span::ms(slept.suspended_micros / 1_000)))
        }
    }
}

/// What the system tells on every screen.
pub(crate) fn system(line: Phrase) -> Telling {
    Telling::spoken(Channel::System, line)
}

/// The judge's answer.
pub(crate) fn verdict(result: &EvalResult) -> Telling {
    let (number, passed) = (result.attempt_number, result.tests_passed);
    let total = passed + result.tests_failed;
    let took = phrase!("verdict.took", time = Span::ms(result.runtime_ms));
    let class = clauses::class(result.failure_type, result.detail);
    let mut verdict = clauses::verdict(number, class, passed, total);
    if result.passed {
        return system(verdict).in_tone(Tone::Good).adding(vec![took]);
    }
    if let Some(error) = &result.exception {
        verdict = phrase!("verdict.error", verdict, error = error.as_str());
    }
    // Where none passed, their names say nothing.
    if passed > 0 {
        verdict = phrase!("verdict.failing", verdict, failing = result.failing_tests.clone());
    }
    system(verdict).in_tone(Tone::Bad).adding(vec![took])
}

/// Which inputs the hidden tests have.
pub(crate) fn suite_drawn(drawn: &SuiteDrawn) -> Telling {
    match &drawn.embedded_because {
        None => Telling::silent(phrase!("suite.drawn")),
        Some(reason) => system(phrase!("suite.embedded", reason = reason.as_str())),
    }
}

/// There is no verdict.
pub(crate) fn not_judged(aborted: &EvalAborted) -> Telling {
    let (number, reason) = (aborted.attempt_number, aborted.reason.as_str());
    system(phrase!("verdict.aborted", number, reason)).in_tone(Tone::Bad)
}

/// What `log` adds to code that was taken for judging.
pub(crate) fn of_code(lines: u64, repeated: bool) -> Vec<Phrase> {
    let mut gist = vec![phrase!("code.lines", lines)];
    gist.extend(repeated.then(|| phrase!("code.again")));
    gist
}

/// A hint is on its way.
pub(crate) fn hint_requested(request: &HintRequested) -> Telling {
    let (level, number) = (u32::from(request.hint_level), request.attempt_number);
    Telling::silent(match (request.give_up, number) {
        (true, _) => phrase!("hint.given_up", level, number),
        (false, 0) => phrase!("hint.requested_first", level),
        (false, _) => phrase!("hint.requested", level, number),
    })
}

/// A model could not word a text.
pub(crate) fn wording_failed(failed: &WordingFailed) -> Telling {
    let (request, reason) = (failed.request.to_string(), failed.reason.as_str());
    Telling::silent(phrase!("wording.failed", request, reason))
}

/// A change of the problem that is asked about once it is solved.
pub(crate) fn variation_asked(asked: &VariationAsked) -> Telling {
    let (question, title) = (asked.text.as_str(), asked.title.as_str());
    let line = match (asked.again, asked.number) {
        (true, _) => phrase!("variation.again", question),
        (false, 1) => phrase!("variation.first", question),
        (false, _) => phrase!("variation.next", question),
    };
    let gist = vec![phrase!("variation.about", number = asked.number, title)];
    let told = Telling::spoken(Channel::Interviewer, line).adding(gist);
    match &asked.section_id {
        Some(section) => told.of_section(section),
        None => told,
    }
}

/// A hint, with what leads to the next level where levels go up to `highest`.
pub(crate) fn hint(given: &HintGiven, highest: u8) -> Telling {
    let (level, text) = (u32::from(given.hint_level), given.hint_text.as_str());
    let hint = phrase!("hint.given", level, text);
    let told = match clauses::hint_above(given.hint_level, highest) {
        Some(above) => phrase!("hint.given_below", hint, above),
        None => hint,
    };
    Telling::spoken(Channel::Interviewer, told).adding(in_words(given.model.as_deref()))
}

/// What `log` adds to a text that a model has put into words.
pub(crate) fn in_words(model: Option<&str>) -> Vec<Phrase> {
    model.map(|model| phrase!("words.by_model", model)).into_iter().collect()
}
