//! Why an event is as it is: the rule, what the rule looked at beyond what the event says, and the
//! rules that did not apply.
//!
//! What happened is the event's own telling and is not said again here. Clauses stand in the table
//! of sentences; the sections of the specifications stand beside the rules.

use vosim_protocol::v1::clauses::hint_rule;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::hints::{HintGiven, HintRequested, TriggerReason};
use vosim_protocol::v1::judging::EvalResult;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::session::{Input, NotTaken, SessionEvent};
use vosim_protocol::v1::talk::{ModelUse, Words};
use vosim_protocol::{EventId, phrase};

use crate::parts::hints::{
    HintContext, SUBMISSIONS_FOR_LEVEL_2, SUBMISSIONS_FOR_LEVEL_3, SUBMISSIONS_FOR_LEVEL_4,
};
use crate::parts::memory::{Hints, Submissions};

/// An explanation without its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// The rule that decided.
    pub rule: Phrase,
    /// What the rule looked at.
    pub inputs: Vec<Input>,
    /// Rules that did not apply, and why.
    pub not_taken: Vec<NotTaken>,
}

impl Because {
    /// A rule alone.
    pub fn of(rule: Phrase) -> Self {
        Self { rule, inputs: Vec::new(), not_taken: Vec::new() }
    }

    /// With something the rule looked at.
    pub(crate) fn saw(mut self, clause: Phrase) -> Self {
        self.inputs.push(Input { clause, event_id: None });
        self
    }

    /// With something the rule looked at in an earlier event.
    pub(crate) fn saw_in(mut self, event: EventId, clause: Phrase) -> Self {
        self.inputs.push(Input { clause, event_id: Some(event) });
        self
    }

    /// With whose words a text is in.
    pub(crate) fn in_words(self, words: Words, model: Option<&str>) -> Self {
        self.saw(match (words, model) {
            (Words::Problem, _) => phrase!("seen.words_own"),
            (Words::Model, None) => phrase!("seen.words_model"),
            (Words::Model, Some(model)) => phrase!("seen.words_of", model),
        })
    }

    /// With what a server of models is asked for, if anything.
    pub(crate) fn with_model(self, used: Option<&ModelUse>) -> Self {
        let Some(used) = used else { return self };
        let parts = [
            (used.wording, phrase!("seen.model.wording")),
            (used.assistant, phrase!("seen.model.assistant")),
            (used.hearing, phrase!("seen.model.hearing")),
        ];
        let parts: Vec<_> = parts.into_iter().filter_map(|(on, part)| on.then_some(part)).collect();
        self.saw(phrase!("seen.model", model = used.name.as_str(), parts))
    }

    /// With a rule that did not apply.
    pub(crate) fn not(mut self, rule: Phrase, reason: Phrase) -> Self {
        self.not_taken.push(NotTaken { rule, reason });
        self
    }
}

/// Why an event is as it is that every session has.
pub(crate) fn of_session(event: &SessionEvent) -> Because {
    match event {
        SessionEvent::SessionCreated(created) => Because::of(phrase!("rule.session.created"))
            .saw(phrase!("seen.spec", spec = created.spec.to_string())),
        SessionEvent::ClockAdjusted(_) => Because::of(phrase!("rule.clock.adjusted")),
        // 001 5.3
        SessionEvent::SuspendObserved(_) => Because::of(phrase!("rule.machine.slept")),
    }
}

/// A model could not word a text (001 10.2).
pub(crate) fn wording_failed(request: EventId) -> Because {
    Because::of(phrase!("rule.wording.failed")).saw_in(request, phrase!("seen.requested"))
}

/// There is no verdict (DECISIONS 15).
pub(crate) fn not_judged() -> Because {
    Because::of(phrase!("rule.verdict.aborted"))
}

/// The rules of a verdict in their order, of which the first that applies decides (000:
/// classification rules).
pub(crate) fn verdict(result: &EvalResult, submitted: Option<EventId>) -> Because {
    let (passed, failed) = (result.tests_passed, result.tests_failed);
    let total = passed + failed;
    let classes = [
        (FailureType::ImportError, phrase!("not.verdict.loaded")),
        (FailureType::WrongSignature, phrase!("not.verdict.complete")),
        (FailureType::Exception, phrase!("not.verdict.unbroken")),
        (FailureType::Pass, phrase!("not.verdict.failed", failed, total)),
        (FailureType::PartialPass, phrase!("not.verdict.passed", passed, total)),
        (FailureType::WrongAnswer, phrase!("not.verdict.earlier")),
    ];
    let mut because = Because::of(class_rule(result.failure_type));
    if let Some(event) = submitted {
        because = because.saw_in(event, phrase!("seen.verdict.of"));
    }
    let mut decided = false;
    for (class, reason) in classes {
        if class == result.failure_type {
            decided = true;
        } else {
            let reason = if decided { phrase!("not.verdict.earlier") } else { reason };
            because = because.not(class_rule(class), reason);
        }
    }
    because
}

fn class_rule(class: FailureType) -> Phrase {
    match class {
        FailureType::ImportError => phrase!("rule.verdict.import_error"),
        FailureType::WrongSignature => phrase!("rule.verdict.wrong_signature"),
        FailureType::Exception => phrase!("rule.verdict.exception"),
        FailureType::Pass => phrase!("rule.verdict.pass"),
        FailureType::PartialPass => phrase!("rule.verdict.partial_pass"),
        FailureType::WrongAnswer => phrase!("rule.verdict.wrong_answer"),
    }
}

/// Whether a session may show the reference solution as the last hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShowsReference {
    Yes,
    Never,
}

/// The level of a hint, given what the policy looked at (000: hint escalation).
pub(crate) fn hint_level(
    context: &HintContext,
    request: &HintRequested,
    reference: ShowsReference,
) -> Because {
    let mut because = Because::of(hint_rule(request.trigger_reason))
        .saw(phrase!("seen.hint.submissions", number = context.submissions));
    because = match context.last_hint {
        Some((event, level)) => {
            because.saw_in(event, phrase!("seen.hint.last", level = u32::from(level)))
        }
        None => because.saw(phrase!("seen.hint.first")),
    };
    because = because.saw(phrase!("seen.hint.issue", issue = spaced(&request.issue)));
    for (event, issue) in &context.failures {
        because = because.saw_in(*event, phrase!("seen.hint.failure", issue = spaced(issue)));
    }
    for (reason, not) in other_rules(context, request, reference) {
        if reason != request.trigger_reason {
            because = because.not(hint_rule(reason), not);
        }
    }
    because
}

/// A hint: its level as it was when it was asked for, though submissions may have been judged since.
pub(crate) fn hint_given(
    submissions: &Submissions,
    hints: &Hints,
    given: &HintGiven,
    reference: ShowsReference,
) -> Because {
    // A hint is given to a request; without one nothing is known but its words.
    let Some(hint) = hints.last() else {
        return Because::of(hint_rule(given.trigger_reason))
            .in_words(given.words, given.model.as_deref());
    };
    let (event, request) = (hint.requested, &hint.request);
    let before = (submissions.before(event), hints.before(event));
    let context = HintContext::new(&request.issue, &before.0, &before.1);
    hint_level(&context, request, reference)
        .saw_in(event, phrase!("seen.requested"))
        .in_words(given.words, given.model.as_deref())
}

/// Each rule, and why it did not give the level where another one did.
fn other_rules(
    context: &HintContext,
    request: &HintRequested,
    reference: ShowsReference,
) -> [(TriggerReason, Phrase); 6] {
    let at_least = |n| match context.submissions {
        number if number >= n => phrase!("not.hint.as_high"),
        number => phrase!("not.hint.too_few", number),
    };
    let first = match context.last_hint {
        Some(_) => phrase!("not.hint.later"),
        None => phrase!("not.hint.raised"),
    };
    let repeated = match (context.last_hint, context.repeated_since_last_hint()) {
        (None, _) => phrase!("not.hint.first"),
        (Some((_, 3..)), _) => phrase!("not.hint.limit"),
        (Some(_), None) => phrase!("not.hint.different"),
        (Some(_), Some(_)) => phrase!("not.hint.raised"),
    };
    let (seven, given_up) = match reference {
        ShowsReference::Never => (phrase!("not.hint.never_shown"), phrase!("not.hint.never_shown")),
        ShowsReference::Yes => (
            match (context.offers_solution(), request.give_up) {
                (false, _) => at_least(SUBMISSIONS_FOR_LEVEL_4),
                (true, true) => phrase!("not.hint.as_high"),
                (true, false) => phrase!("not.hint.unasked"),
            },
            phrase!("not.hint.kept_on"),
        ),
    };
    [
        (TriggerReason::FirstHintRequest, first),
        (TriggerReason::SameFailureRepeated, repeated),
        (TriggerReason::SubmissionsMin2, at_least(SUBMISSIONS_FOR_LEVEL_2)),
        (TriggerReason::SubmissionsMin3, at_least(SUBMISSIONS_FOR_LEVEL_3)),
        (TriggerReason::SubmissionsLevel4, seven),
        (TriggerReason::GiveUp, given_up),
    ]
}

/// An id of the problem's author as words.
pub(crate) fn spaced(id: &str) -> String {
    id.replace('_', " ")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fmt::Write as _;

    use vosim_protocol::v1::session::Explanation;

    /// An explanation as a page of text.
    pub(crate) fn told(explanation: &Explanation) -> String {
        let Explanation { event_type, telling, rule, inputs, not_taken, .. } = explanation;
        let said = telling.line.as_ref().or(telling.gist.as_ref()).unwrap();
        let mut text = format!("{event_type}: {}\n{}\n", said.text, rule.text);
        for input in inputs {
            let from = input.event_id.map(|id| format!(" (event {id})")).unwrap_or_default();
            writeln!(text, "  {}{from}", input.clause.text).unwrap();
        }
        for not in not_taken {
            writeln!(text, "  not {} | {}", not.rule.text, not.reason.text).unwrap();
        }
        text
    }
}
