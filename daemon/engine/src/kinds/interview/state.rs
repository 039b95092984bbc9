//! What an interview knows: where it stands, its sections, and what was sent, asked for and not yet
//! answered.

use std::sync::Arc;

use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::effect::Obstacle;
use vosim_protocol::v1::interview::{
    CandidateCodeSubmission, Event, OwnTestsResult, OwnTestsStarted, Phase, SAVES_MAX,
    SAVES_MAX_BYTES, SolutionSaved, SolutionWatched, Spec,
};
use vosim_protocol::{Blob, BlobRef, EffectId, EventId, Hash, SessionId, Time};

use super::section::{Contents, EndedSection, OpenSection};
use crate::parts::drawing::Suites;
use crate::parts::hints::HintContext;
use crate::parts::memory::{Hints, Submissions};
use crate::parts::probing::Probes;

pub(super) type Draft<'s> = crate::draft::Draft<'s, State, Event>;

/// The fold of an interview's events.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) id: SessionId,
    pub(super) spec: Arc<Spec>,
    pub(super) stage: Stage,
    /// The sections that have ended: the first ones of the schema, in its order.
    pub(super) ended: Vec<EndedSection>,
    pub(super) presence: Presence,
    pub(super) watch: Option<Watch>,
    /// Submissions that are being judged, oldest first.
    pub(super) suites: Suites,
    pub(super) judging: Vec<Judging>,
    pub(super) submissions: Submissions,
    /// Measurements of what has passed.
    pub(super) probes: Probes,
    pub(super) testing: Option<Testing>,
    pub(super) own_tests: Option<OwnTestsResult>,
    pub(super) hints: Hints,
    pub(super) asked: Option<Asked>,
    pub(super) assistant: Assistant,
    /// Clarification cards that were offered with the last answer, of which the candidate may choose.
    pub(super) offered: Vec<String>,
    /// Messages, questions, submissions, runs and hints so far.
    pub(super) sent: u32,
    /// Saves so far, of whatever file was watched.
    pub(super) saves: Saves,
    /// How often the last terminal of the candidate has gone.
    pub(super) departures: u32,
    /// When the candidate began a line that no message has followed yet.
    pub(super) began_typing: Option<Time>,
    /// How many variations of the problem were asked about.
    pub(super) variations_asked: usize,
}

/// Where the interview stands, with what belongs to it there.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    NotStarted,
    Open {
        started: Time,
        section: Box<OpenSection>,
    },
    /// No section is open: the next one begins in this very moment, or the interview is left.
    Between {
        started: Time,
    },
    /// All sections have ended; late messages and verdicts are still taken (DECISIONS 9).
    Closing {
        started: Time,
    },
    Completed {
        started: Time,
        at: Time,
    },
    Terminated {
        /// None when it was left before it had begun.
        started: Option<Time>,
        at: Time,
    },
}

/// Whether a terminal of the candidate is there (DECISIONS 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// None has been; the candidate works through single commands.
    Unattached,
    Here,
    Away {
        since: Time,
        pauses_at: Time,
    },
    Paused {
        since: Time,
    },
}

/// A watched file.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) watched: SolutionWatched,
    pub(super) saves: u32,
    pub(super) last: Option<(Time, SolutionSaved)>,
    /// Why it cannot be taken, as was told last.
    pub(super) lost: Option<Obstacle>,
    pub(super) awaits: Awaits,
}

/// What is awaited of a watched file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Awaits {
    /// The next save.
    Save(EffectId),
    /// How it stood when the coding section ended (DECISIONS 11).
    Capture { effect: EffectId, due: Time },
}

/// How much was saved in all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Saves {
    pub(super) count: u32,
    pub(super) bytes: u64,
}

impl Saves {
    /// True when no more are taken. The file stays watched for the end of its section: what it holds
    /// then is read anew.
    pub(super) fn full(self) -> bool {
        self.count >= SAVES_MAX || self.bytes >= SAVES_MAX_BYTES
    }
}

/// A submission that is being judged.
#[derive(Clone, Debug)]
pub(super) struct Judging {
    /// The event that brought it.
    pub(super) event: EventId,
    /// What it waits for: that inputs are drawn, if it is the first, then its verdict.
    pub(super) effect: EffectId,
    pub(super) submission: CandidateCodeSubmission,
}

/// Cases of the candidate's own that are being run.
#[derive(Clone, Debug)]
pub(super) struct Testing {
    pub(super) effect: EffectId,
    pub(super) started: OwnTestsStarted,
}

/// A question that the assistant is answering.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) effect: EffectId,
    pub(super) kind: AskKind,
    pub(super) question: String,
    pub(super) code: Option<Hash>,
}

/// What the assistant channel amounts to (001 8).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Assistant {
    pub(super) queries: u32,
    /// Questions that got an answer which could be shown.
    pub(super) answered: u32,
    pub(super) violations: u32,
    pub(super) released_tokens: u32,
}

impl State {
    /// Before the first event.
    pub(super) fn new(id: SessionId, spec: Spec) -> Self {
        Self {
            id,
            spec: Arc::new(spec),
            stage: Stage::NotStarted,
            ended: Vec::new(),
            presence: Presence::Unattached,
            watch: None,
            suites: Suites::default(),
            judging: Vec::new(),
            probes: Probes::default(),
            submissions: Submissions::default(),
            testing: None,
            own_tests: None,
            hints: Hints::default(),
            asked: None,
            assistant: Assistant::default(),
            offered: Vec::new(),
            sent: 0,
            saves: Saves::default(),
            departures: 0,
            began_typing: None,
            variations_asked: 0,
        }
    }

    /// The section that is open.
    pub(super) fn open(&self) -> Option<&OpenSection> {
        let Stage::Open { section, .. } = &self.stage else { return None };
        Some(section)
    }

    pub(super) fn open_mut(&mut self) -> Option<&mut OpenSection> {
        let Stage::Open { section, .. } = &mut self.stage else { return None };
        Some(section)
    }

    /// The open section, if it is the one of that name.
    pub(super) fn open_as(&self, id: &str) -> Option<&OpenSection> {
        self.open().filter(|section| section.plan(&self.spec.schema).id == id)
    }

    /// The open section, if code is written in it.
    pub(super) fn coding(&self) -> Option<&OpenSection> {
        self.open().filter(|section| section.plan(&self.spec.schema).coding)
    }

    pub(super) fn coding_mut(&mut self) -> Option<&mut OpenSection> {
        let coding = self.coding().is_some();
        self.open_mut().filter(|_| coding)
    }

    /// The coding section, once it has ended.
    pub(super) fn coding_ended(&self) -> Option<&EndedSection> {
        let mut ended = self.ended.iter().zip(&self.spec.schema.sections);
        ended.find(|(_, plan)| plan.coding).map(|(section, _)| section)
    }

    /// The section before the open one, or the last one while closing, with the end of its grace:
    /// until then late messages belong to it (001 5.2).
    pub(super) fn in_grace(&self) -> Option<(&Contents, Time)> {
        match self.stage {
            Stage::Open { .. } | Stage::Closing { .. } => self.ended.last()?.grace(),
            Stage::NotStarted
            | Stage::Between { .. }
            | Stage::Completed { .. }
            | Stage::Terminated { .. } => None,
        }
    }

    /// How many sections have begun.
    pub(super) fn begun(&self) -> usize {
        self.ended.len() + usize::from(self.open().is_some())
    }

    /// When the clock began to run.
    pub(super) fn started(&self) -> Option<Time> {
        match self.stage {
            Stage::NotStarted => None,
            Stage::Open { started, .. }
            | Stage::Between { started }
            | Stage::Closing { started }
            | Stage::Completed { started, .. } => Some(started),
            Stage::Terminated { started, .. } => started,
        }
    }

    /// True once nothing more can happen.
    pub(super) fn over(&self) -> bool {
        matches!(self.stage, Stage::Completed { .. } | Stage::Terminated { .. })
    }

    /// The reading of the watched file as it stood when the coding section ended: its effect, and
    /// when that was.
    pub(super) fn capture(&self) -> Option<(EffectId, Time)> {
        match self.watch.as_ref()?.awaits {
            Awaits::Save(_) => None,
            Awaits::Capture { effect, due } => Some((effect, due)),
        }
    }

    /// True while a section's artifact waits for the file that is submitted at its end.
    pub(super) fn awaits_capture(&self, place: usize) -> bool {
        self.capture().is_some() && self.spec.schema.sections[place].coding
    }

    /// True while the candidate's code is being run.
    pub(super) fn running(&self) -> bool {
        !self.judging.is_empty() || self.testing.is_some()
    }

    /// True once everything required of a section is covered (001 6.4): by words and evidence, and
    /// in a coding section by a latest submission that passes.
    pub(super) fn satisfied(&self, section: &OpenSection) -> bool {
        let plan = section.plan(&self.spec.schema);
        section.contents.coverage.satisfied()
            && (!plan.coding || (self.judging.is_empty() && self.submissions.solved()))
    }

    /// A duration of the schema, as it is granted to this candidate.
    pub(super) fn granted_micros(&self, seconds: u32) -> i64 {
        let percent = i64::from(self.spec.accommodation.time_percent);
        i64::from(seconds) * percent * 10_000
    }

    pub(super) fn phase(&self) -> Phase {
        let paused = matches!(self.presence, Presence::Paused { .. });
        match self.stage {
            Stage::NotStarted => Phase::NotStarted,
            Stage::Open { .. } | Stage::Between { .. } if paused => Phase::Paused,
            Stage::Open { .. } | Stage::Between { .. } => Phase::InProgress,
            Stage::Closing { .. } => Phase::Closing,
            Stage::Completed { .. } => Phase::Completed,
            Stage::Terminated { .. } => Phase::Terminated,
        }
    }

    /// The number of the next submission: the one behind the last that was or will be judged. That
    /// of an aborted one is used again, unless what the deadline took stood behind it by then.
    pub(super) fn next_submission(&self) -> u32 {
        let judging = self.judging.iter().map(|judging| judging.submission.attempt_number);
        let judged = self.submissions.last().map(|submission| submission.result.attempt_number);
        judging.chain(judged).max().unwrap_or_default() + 1
    }

    /// What the candidate has submitted last, as far as it was or will be judged.
    pub(super) fn last_submitted(&self) -> Option<Hash> {
        let judging = self.judging.last().map(|judging| judging.submission.code_hash);
        judging.or_else(|| self.submissions.last().map(|submission| submission.result.code_hash))
    }

    /// What a watched file holds before anybody has worked on it.
    pub(super) fn starter(&self) -> Option<BlobRef> {
        let language = self.watch.as_ref()?.watched.language;
        let text = self.spec.problem.starters.get(&language)?;
        Some(Blob(text.clone().into_bytes()).reference())
    }

    /// What the hint policy looks at, for a hint on an issue.
    pub(super) fn hint_context(&self, issue: &str) -> HintContext {
        HintContext::new(issue, &self.submissions, &self.hints)
    }
}
