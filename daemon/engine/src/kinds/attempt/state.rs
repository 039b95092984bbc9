//! What an attempt knows: the step, and what each step holds.

use std::sync::Arc;

use vosim_protocol::v1::attempt::{
    AttemptCompleted, AttemptOutcome, ChallengeTried, FailureExplanation, FailureTraced, Mode,
    PatternChosen, PlanAssessed, QuestionAnswered, ReflectionSubmitted, Spec, Step,
    SuggestedPattern, UnderstandingAssessed, UnderstandingSubmitted,
};
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::judging::CodeSubmitted;
use vosim_protocol::v1::problem::Op;
use vosim_protocol::{EffectId, EventId, SessionId, Time};

use super::Event;
use super::planning::Held;
use crate::parts::drawing::Suites;
use crate::parts::memory::{Hints, Submissions};

/// Highest level of a hint in an attempt; the reference solution is not given.
pub(super) const HINT_LEVEL_MAX: u8 = 3;

pub(super) type Draft<'s> = crate::draft::Draft<'s, State, Event>;

/// The fold of an attempt's events.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) id: SessionId,
    pub(super) spec: Arc<Spec>,
    pub(super) started: Time,
    pub(super) mode: Mode,
    pub(super) stage: Stage,
    /// The steps that were skipped, in order.
    pub(super) skipped: Vec<Step>,
    pub(super) understanding: Option<Understanding>,
    pub(super) plan: Option<Plan>,
    pub(super) approach: Option<String>,
    pub(super) suites: Suites,
    pub(super) submissions: Submissions,
    /// What the judge found in the last submission.
    pub(super) evaluation: Option<Box<Evaluation>>,
    pub(super) hints: Hints,
    /// When the last hint was given.
    pub(super) hinted: Option<Time>,
    pub(super) explanations: Vec<FailureExplanation>,
    pub(super) trace_notes: Option<String>,
    /// The last failure call by call, until something else is submitted.
    pub(super) trace: Option<FailureTraced>,
    pub(super) after: After,
    pub(super) own: OwnCases,
    pub(super) reflection: Option<ReflectionSubmitted>,
    /// Whether an input of the candidate's has caught a wrong program.
    pub(super) challenge_won: bool,
}

/// The step, with what is under way in it.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    Understand,
    /// The examples are being run.
    Assessing(EffectId),
    Plan,
    /// The invariant is being checked.
    Checking(EffectId),
    /// The flow before 003 begins so.
    Approach,
    Implement,
    Evaluating(UnderTest),
    /// There is a verdict, and it is no pass.
    Failed,
    Reflect,
    /// The wrong programs are being run with an input of the candidate's.
    Challenging {
        effect: EffectId,
        tried: ChallengeTried,
    },
    Done {
        at: Time,
        ended: AttemptCompleted,
    },
}

/// A submission that is being judged.
#[derive(Clone, Debug)]
pub(super) struct UnderTest {
    /// The event that brought it.
    pub(super) event: EventId,
    /// What it waits for: that inputs are drawn, then its verdict.
    pub(super) effect: EffectId,
    pub(super) submitted: CodeSubmitted,
}

/// What is under way about the last submission, beside its step.
#[derive(Clone, Debug, Default)]
pub(super) enum After {
    #[default]
    Nothing,
    /// The candidate's own cases are being run.
    RunningOwn(EffectId),
    /// A failure is being made as short as it will go.
    Tracing {
        effect: EffectId,
        /// The case that failed.
        case: String,
        /// Its calls, for one of the candidate's own.
        own: Vec<Op>,
    },
}

/// The candidate's own cases.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnCases {
    pub(super) kept: Vec<Vec<Op>>,
    /// One that is being run with the reference.
    pub(super) given: Option<(EffectId, Vec<Op>)>,
    /// What became of them in the last submission; none where one was added or dropped since.
    pub(super) evaluation: Option<Box<Evaluation>>,
}

/// What UNDERSTAND holds.
#[derive(Clone, Debug)]
pub(super) struct Understanding {
    pub(super) fields: UnderstandingSubmitted,
    pub(super) followups: Vec<QuestionAnswered>,
    pub(super) assessed: Option<UnderstandingAssessed>,
    /// How often in a row words alone were not enough.
    pub(super) by_words: u8,
}

/// What PLAN holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) suggested: Vec<SuggestedPattern>,
    pub(super) chosen: Option<PatternChosen>,
    pub(super) assessed: Option<PlanAssessed>,
    pub(super) held: Held,
}

impl State {
    /// The effect whose end the stage waits for.
    pub(super) fn waited_for(&self) -> Option<EffectId> {
        match &self.stage {
            Stage::Assessing(effect)
            | Stage::Checking(effect)
            | Stage::Challenging { effect, .. } => Some(*effect),
            Stage::Evaluating(submission) => Some(submission.effect),
            Stage::Understand
            | Stage::Plan
            | Stage::Approach
            | Stage::Implement
            | Stage::Failed
            | Stage::Reflect
            | Stage::Done { .. } => None,
        }
    }

    /// Before the first event.
    pub(super) fn new(id: SessionId, spec: Spec) -> Self {
        Self {
            id,
            started: Time::from_micros(0),
            mode: spec.mode,
            stage: if spec.v2_flow { Stage::Understand } else { Stage::Approach },
            skipped: Vec::new(),
            spec: Arc::new(spec),
            understanding: None,
            plan: None,
            approach: None,
            suites: Suites::default(),
            submissions: Submissions::default(),
            evaluation: None,
            hints: Hints::default(),
            hinted: None,
            explanations: Vec::new(),
            trace_notes: None,
            trace: None,
            after: After::Nothing,
            own: OwnCases::default(),
            reflection: None,
            challenge_won: false,
        }
    }

    /// The step of 003, in which it stays when it is left there; none in the flow before it.
    pub(super) fn step(&self) -> Option<Step> {
        match self.left() {
            Some(left) => left.step,
            None => self.spec.v2_flow.then(|| self.stage.step()),
        }
    }

    /// How it ended, if it was left before all tests passed.
    fn left(&self) -> Option<&AttemptCompleted> {
        if let Stage::Done { ended, .. } = &self.stage {
            Some(ended).filter(|ended| ended.outcome == AttemptOutcome::Left)
        } else {
            None
        }
    }

    /// Where it stands, as lists show it.
    pub(super) fn phase(&self) -> &'static str {
        if self.left().is_some() {
            return "left";
        }
        match self.stage.step() {
            Step::Plan if !self.spec.v2_flow => "approach",
            Step::Implement if !self.spec.v2_flow => "code",
            Step::Verify if !self.spec.v2_flow => "test",
            step @ (Step::Understand
            | Step::Plan
            | Step::Implement
            | Step::Verify
            | Step::Reflect
            | Step::Complete) => step.name(),
        }
    }

    /// Whether code is due. In the flow before 003 code follows on code.
    pub(super) fn is_coding(&self) -> bool {
        match self.stage {
            Stage::Implement => true,
            Stage::Failed => !self.spec.v2_flow,
            Stage::Understand
            | Stage::Assessing(_)
            | Stage::Plan
            | Stage::Checking(_)
            | Stage::Approach
            | Stage::Evaluating(_)
            | Stage::Reflect
            | Stage::Challenging { .. }
            | Stage::Done { .. } => false,
        }
    }

    /// Most hints (DECISIONS 49).
    pub(super) fn hint_budget(&self) -> u32 {
        match self.spec.problem.rung {
            0 | 1 => 5,
            2 => 4,
            _ => 3,
        }
    }

    /// The level that a hint would have; there is none above [`HINT_LEVEL_MAX`].
    pub(super) fn next_hint_level(&self) -> u8 {
        self.hints.last_on(&self.issue()).map_or(1, |hint| hint.request.hint_level + 1)
    }

    /// Whether a hint would be given, once the last one is read.
    pub(super) fn has_hint(&self) -> bool {
        self.hints.given_count() < self.hint_budget() && self.next_hint_level() <= HINT_LEVEL_MAX
    }

    /// The issue that a hint would speak of: the one of the last submission that failed, else the
    /// problem's last one, which fits always.
    pub(super) fn issue(&self) -> String {
        let failed = self.submissions.all().iter().rev().find_map(|one| one.issue.clone());
        let last = || self.spec.problem.issues.last().map(|issue| issue.id.clone());
        failed.or_else(last).unwrap_or_default()
    }

    /// The question of pattern discovery that waits for an answer.
    pub(super) fn discovery(&self) -> Option<&vosim_protocol::v1::guide::Discovery> {
        let plan = self.plan.as_ref().filter(|plan| plan.held.doubt)?;
        self.spec.guide.discovery.get(plan.held.discovered)
    }
}

impl Stage {
    pub(super) fn step(&self) -> Step {
        match self {
            Self::Understand | Self::Assessing(_) => Step::Understand,
            Self::Plan | Self::Checking(_) | Self::Approach => Step::Plan,
            Self::Implement => Step::Implement,
            Self::Evaluating(_) | Self::Failed => Step::Verify,
            Self::Reflect | Self::Challenging { .. } => Step::Reflect,
            Self::Done { .. } => Step::Complete,
        }
    }
}
