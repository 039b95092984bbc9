//! What a drill knows: where it stands, and what was submitted, asked for and not yet answered.

use std::sync::Arc;

use vosim_protocol::v1::drill::{Event, Phase, ResponseMetadata, SessionEnded, Spec};
use vosim_protocol::v1::judging::CodeSubmitted;
use vosim_protocol::v1::talk::VariationAsked;
use vosim_protocol::{EffectId, EventId, SessionId, Time};

use crate::parts::drawing::Suites;
use crate::parts::hints::HintContext;
use crate::parts::memory::{Hints, Submissions};
use crate::parts::probing::Probes;
use crate::parts::variation::{VARIATIONS_MAX, asked, in_other_words};
use crate::parts::wording::Wording;

pub(super) type Draft<'s> = crate::draft::Draft<'s, State, Event>;

/// The fold of a drill's events.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) id: SessionId,
    pub(super) spec: Arc<Spec>,
    pub(super) started: Time,
    pub(super) stage: Stage,
    pub(super) suites: Suites,
    pub(super) submissions: Submissions,
    pub(super) hints: Hints,
    /// Feedback whose words are on their way, oldest first.
    pub(super) feedback: Vec<Feedback>,
    pub(super) probes: Probes,
    /// How many variations of the problem were asked about.
    pub(super) variations_asked: usize,
    /// The next one is asked about in this very moment, where there is one.
    pub(super) variation_due: bool,
    /// What was asked and has not been answered, with its event.
    pub(super) variation: Option<(EventId, VariationAsked)>,
    /// What got an answer that said nothing, and is asked once more in other words.
    pub(super) missed: Option<VariationAsked>,
}

/// Where the drill stands, with what belongs to it there.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    Presented,
    Evaluating(Submission),
    Awaiting,
    Done { at: Time, ended: SessionEnded },
}

/// A submission that is being judged.
#[derive(Clone, Debug)]
pub(super) struct Submission {
    /// The event that brought it.
    pub(super) event: EventId,
    /// What it waits for: that inputs are drawn, then its verdict.
    pub(super) effect: EffectId,
    pub(super) submitted: CodeSubmitted,
}

/// Feedback on its way, with the problem's own words for it.
#[derive(Clone, Debug)]
pub(super) struct Feedback {
    pub(super) wording: Wording,
    pub(super) text: String,
    pub(super) metadata: ResponseMetadata,
}

impl State {
    /// Before the first event.
    pub(super) fn new(id: SessionId, spec: Spec) -> Self {
        Self {
            id,
            spec: Arc::new(spec),
            started: Time::from_micros(0),
            stage: Stage::Presented,
            suites: Suites::default(),
            submissions: Submissions::default(),
            hints: Hints::default(),
            feedback: Vec::new(),
            probes: Probes::default(),
            variations_asked: 0,
            variation_due: false,
            variation: None,
            missed: None,
        }
    }

    pub(super) fn phase(&self) -> Phase {
        match self.stage {
            Stage::Presented => Phase::ProblemPresented,
            Stage::Evaluating(_) => Phase::Evaluating,
            Stage::Awaiting => Phase::AwaitingAction,
            Stage::Done { .. } => Phase::Done,
        }
    }

    /// The variation that is asked about now.
    pub(super) fn next_variation(&self) -> Option<VariationAsked> {
        if !self.variation_due {
            return None;
        }
        if let Some(missed) = &self.missed {
            return Some(in_other_words(missed));
        }
        let next = self.variations_asked;
        let variation = self.spec.variations.iter().take(VARIATIONS_MAX).nth(next)?;
        Some(asked(variation, next, None))
    }

    /// What the hint policy looks at, for a hint on an issue.
    pub(super) fn hint_context(&self, issue: &str) -> HintContext {
        HintContext::new(issue, &self.submissions, &self.hints)
    }

    /// The issue of the last submission that failed.
    pub(super) fn last_issue(&self) -> Option<&str> {
        self.submissions.all().iter().rev().find_map(|submission| submission.issue.as_deref())
    }
}
