//! The kind `interview` (001): timed sections, follow-ups, an assistant channel, a coding section.
//!
//! ```text
//!              begin                    last section ended           sealed, judged
//! NOT_STARTED -------> IN_PROGRESS ---------------------> CLOSING ----------------> COMPLETED
//!      |                |   ^   |                         (grace)
//!      |       10 s away|   |back
//!      |                v   |   |
//!      |               PAUSED   |
//!      |                |       |
//!      +------ end -----+- end -+--> TERMINATED
//! ```
//! Time runs on in PAUSED (001 5.3), and sections end there as they do in IN_PROGRESS. CLOSING
//! cannot be left: it lasts for seconds. An open section has substates of its own (001 4.2):
//!
//! ```text
//!       prompt worded                  follow-up worded
//! INTRO -------------> QUESTION_ACTIVE ---------------> FOLLOWUP_ACTIVE <--+ the next
//!   |                       |                               |  |           | follow-up
//!   |                       |                               |  +-----------+
//!   +-----------------------+-------------------------------+
//!                           | everything is covered
//!                           v
//!                        WRAPUP   a verdict that takes the coverage back leads back to where
//!                                 the question stands
//! ```
//! A section ends at its deadline, in WRAPUP after a while of quiet, or when the candidate is done,
//! and the next one begins in the same moment. What has ended waits for its grace, and in the coding
//! section for the watched file, and is sealed then. A `Stage` owns what exists only in it, and so
//! does each of the three states of a section.
//!
//! What somebody asked, what came back from outside and which deadline came are inputs; everything
//! they lead to is put together on a draft, one event after the other, each folded before the next
//! is chosen. Nothing here reads a clock.
//!
//! # Decisions
//!
//! What concerns one file stands at its head. Of the whole:
//!
//! - The memory of 001 7 has three places: the transcript, what is kept of each sealed section in
//!   the candidate's own sentences, and the submissions. The second goes along with every request
//!   for words, so that a model may take up what was said before; the view and the end of an
//!   interview show it too.
//! - `SECTION_WRAPUP` (001) is the quiet time of a section that is covered. A section that ends by
//!   its time or by `done` ends in one moment (001 5.2) and has no time for a state of its own.
//! - The role configuration of 001 2.1 is what the schema and the problem say: pools, cards,
//!   prompts and caps.
//! - No interview is terminated as `system_error`. What an engine cannot go on with is a log or a
//!   spec that it cannot read, and nothing can be added to such a session; `verify` says where it
//!   is damaged. The reason stays in the type because 001 names it.
//! - Nothing in an interview grows without bound. A candidate who has gone a thousand times counts
//!   as present; after 64 MiB of saves, or 5,000, no more are kept, but the file as it stands at
//!   the end of its section still counts. `decide/bounds.rs` bounds what is said and sent.

mod bundle;
mod cause;
mod conclude;
mod decide;
mod due;
mod fold;
mod section;
mod sequence;
mod tell;
mod transcript;
mod view;
mod wanted;
mod why;

use std::collections::BTreeSet;
use std::sync::Arc;

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::bundle::{CodeVersion, EvaluationBundle};
use vosim_protocol::v1::interview::{
    CandidateCodeSubmission, Command, Event, OwnTestsResult, OwnTestsStarted, Phase, SolutionSaved,
    SolutionWatched, Spec, TIME_PERCENT_MAX,
};
use vosim_protocol::v1::problem::Problem;
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::v1::telling::Telling;
use vosim_protocol::{BlobRef, EffectId, Hash, Json, Role, SessionId, Time, Wire};

use crate::failure::BundleError;
use crate::kind::{Cause, Kind, Misfit, Recorded};
use crate::parts::memory::{Hints, Submissions};
use crate::rejection::Rejection;
use crate::wanted::Wanted;

use section::{Contents, EndedSection, OpenSection};
use transcript::Transcript;

type Draft<'s> = crate::draft::Draft<'s, State, Event>;

/// After having left so often a candidate counts as being there: a log does not grow with every
/// flutter of a connection.
const DEPARTURES_MAX: u32 = 1_000;
/// Most saves of one interview, and after how many bytes there are no more: nobody saves so often or
/// so much, a script might.
const SAVES_MAX: u32 = 5_000;
const SAVES_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The rules of 001.
#[derive(Debug)]
pub enum Interview {}

/// The fold of an interview's events.
#[derive(Clone, Debug)]
pub struct State {
    id: SessionId,
    spec: Arc<Spec>,
    stage: Stage,
    /// The sections that have ended: the first ones of the schema, in its order.
    ended: Vec<EndedSection>,
    presence: Presence,
    watch: Option<Watch>,
    /// Submissions that are being judged, oldest first.
    judging: Vec<Judging>,
    submissions: Submissions,
    testing: Option<Testing>,
    own_tests: Option<OwnTestsResult>,
    hints: Hints,
    asked: Option<Asked>,
    assistant: Assistant,
    /// Clarification cards that were given.
    cards: Vec<String>,
    /// Messages, questions, submissions, runs and hints so far.
    sent: u32,
    /// Saves so far, of whatever file was watched.
    saves: Saves,
    /// How often the last terminal of the candidate has gone.
    departures: u32,
    transcript: Transcript,
}

/// Where the interview stands, with what belongs to it there.
#[derive(Clone, Debug)]
enum Stage {
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
enum Presence {
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
struct Watch {
    watched: SolutionWatched,
    saves: u32,
    last: Option<(Time, SolutionSaved)>,
    awaits: Awaits,
}

/// What is awaited of a watched file.
#[derive(Clone, Copy, Debug)]
enum Awaits {
    /// Its next save.
    Save(EffectId),
    /// How it stood when the coding section ended (DECISIONS 11).
    Capture { effect: EffectId, due: Time },
}

/// How much was saved in all.
#[derive(Clone, Copy, Debug, Default)]
struct Saves {
    count: u32,
    bytes: u64,
}

impl Saves {
    /// True when no more are taken. The file stays watched for the end of its section: what it holds
    /// then is read anew.
    fn full(self) -> bool {
        self.count >= SAVES_MAX || self.bytes >= SAVES_MAX_BYTES
    }
}

/// A submission that is being judged.
#[derive(Clone, Debug)]
struct Judging {
    effect: EffectId,
    submission: CandidateCodeSubmission,
}

/// Cases of the candidate's own that are being run.
#[derive(Clone, Debug)]
struct Testing {
    effect: EffectId,
    started: OwnTestsStarted,
}

/// A question that the assistant is answering.
#[derive(Clone, Debug)]
struct Asked {
    effect: EffectId,
    kind: AskKind,
    question: String,
    code: Option<Hash>,
}

/// What the assistant channel amounts to (001 8).
#[derive(Clone, Copy, Debug, Default)]
struct Assistant {
    queries: u32,
    violations: u32,
    released_tokens: u32,
}

impl State {
    /// The section that is open.
    fn open(&self) -> Option<&OpenSection> {
        match &self.stage {
            Stage::Open { section, .. } => Some(section),
            Stage::NotStarted
            | Stage::Between { .. }
            | Stage::Closing { .. }
            | Stage::Completed { .. }
            | Stage::Terminated { .. } => None,
        }
    }

    fn open_mut(&mut self) -> Option<&mut OpenSection> {
        match &mut self.stage {
            Stage::Open { section, .. } => Some(section),
            Stage::NotStarted
            | Stage::Between { .. }
            | Stage::Closing { .. }
            | Stage::Completed { .. }
            | Stage::Terminated { .. } => None,
        }
    }

    /// The open section, if it is the one of that name.
    fn open_as(&self, id: &str) -> Option<&OpenSection> {
        self.open().filter(|section| section.plan(&self.spec.schema).id == id)
    }

    /// The open section, if code is written in it.
    fn coding(&self) -> Option<&OpenSection> {
        self.open().filter(|section| section.plan(&self.spec.schema).coding)
    }

    fn coding_mut(&mut self) -> Option<&mut OpenSection> {
        let spec = Arc::clone(&self.spec);
        self.open_mut().filter(|section| section.plan(&spec.schema).coding)
    }

    /// The coding section, once it has ended.
    fn coding_ended(&self) -> Option<&EndedSection> {
        let mut ended = self.ended.iter().zip(&self.spec.schema.sections);
        ended.find(|(_, plan)| plan.coding).map(|(section, _)| section)
    }

    /// The section before the open one, or the last one while closing, with the end of its grace:
    /// until then late messages belong to it (001 5.2).
    fn in_grace(&self) -> Option<(&Contents, Time)> {
        match self.stage {
            Stage::Open { .. } | Stage::Closing { .. } => self.ended.last()?.grace(),
            Stage::NotStarted
            | Stage::Between { .. }
            | Stage::Completed { .. }
            | Stage::Terminated { .. } => None,
        }
    }

    /// How many sections have begun.
    fn begun(&self) -> usize {
        self.ended.len() + usize::from(self.open().is_some())
    }

    /// When the clock began to run.
    fn started(&self) -> Option<Time> {
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
    fn over(&self) -> bool {
        match self.stage {
            Stage::Completed { .. } | Stage::Terminated { .. } => true,
            Stage::NotStarted
            | Stage::Open { .. }
            | Stage::Between { .. }
            | Stage::Closing { .. } => false,
        }
    }

    /// The reading of the watched file as it stood when the coding section ended: its effect, and
    /// when that was.
    fn capture(&self) -> Option<(EffectId, Time)> {
        match self.watch.as_ref()?.awaits {
            Awaits::Save(_) => None,
            Awaits::Capture { effect, due } => Some((effect, due)),
        }
    }

    /// True while a section's artifact waits for the file that is submitted at its end.
    fn awaits_capture(&self, place: usize) -> bool {
        self.capture().is_some() && self.spec.schema.sections[place].coding
    }

    /// True while the candidate's code is being run.
    fn running(&self) -> bool {
        !self.judging.is_empty() || self.testing.is_some()
    }

    /// True once everything required of a section is covered (001 6.4): by words and evidence, and
    /// in a coding section by a latest submission that passes.
    fn satisfied(&self, section: &OpenSection) -> bool {
        let plan = section.plan(&self.spec.schema);
        section.contents.coverage.satisfied()
            && (!plan.coding || (self.judging.is_empty() && self.submissions.solved()))
    }

    /// A duration of the schema, as it is granted to this candidate.
    fn granted_micros(&self, seconds: u32) -> i64 {
        let percent = i64::from(self.spec.accommodation.time_percent);
        i64::from(seconds) * percent * 10_000
    }

    fn phase(&self) -> Phase {
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
}

impl Kind for Interview {
    const KIND: vosim_protocol::Kind = vosim_protocol::Kind::Interview;

    type Spec = Spec;
    type Command = Command;
    type Event = Event;
    type State = State;

    fn check(spec: &Spec) -> Result<(), String> {
        let sections = &spec.schema.sections;
        let ids: BTreeSet<_> = sections.iter().map(|section| &section.id).collect();
        let percent = spec.accommodation.time_percent;
        if sections.is_empty() {
            Err("its schema has no section".to_owned())
        } else if ids.len() < sections.len() {
            Err("two sections of its schema have the same id".to_owned())
        } else if percent > TIME_PERCENT_MAX {
            Err(format!("{percent}% of the time are more than may be granted"))
        } else {
            Ok(())
        }
    }

    fn title(spec: &Spec) -> String {
        spec.problem.title.clone()
    }

    fn initial(id: SessionId, spec: Spec) -> State {
        State {
            id,
            spec: Arc::new(spec),
            stage: Stage::NotStarted,
            ended: Vec::new(),
            presence: Presence::Unattached,
            watch: None,
            judging: Vec::new(),
            submissions: Submissions::default(),
            testing: None,
            own_tests: None,
            hints: Hints::default(),
            asked: None,
            assistant: Assistant::default(),
            cards: Vec::new(),
            sent: 0,
            saves: Saves::default(),
            departures: 0,
            transcript: Transcript::default(),
        }
    }

    fn opening(draft: &mut Draft<'_>) {
        let created = decide::created(draft.state());
        draft.push(Event::InterviewCreated(created));
    }

    fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
        decide::decide(draft, command)
    }

    fn settle(draft: &mut Draft<'_>) {
        sequence::settle(draft);
    }

    fn presence(draft: &mut Draft<'_>, here: bool) {
        if here {
            sequence::came(draft);
        } else if draft.state().departures < DEPARTURES_MAX {
            sequence::went(draft);
        }
    }

    fn present(state: &State) -> bool {
        state.presence == Presence::Here
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
        fold::evolve(state, event)
    }

    fn next_deadline(state: &State) -> Option<Time> {
        due::next(state).map(|(at, _)| at)
    }

    fn on_deadline(draft: &mut Draft<'_>) {
        due::fire(draft);
    }

    fn shift_deadlines(state: &mut State, step_micros: i64) {
        due::shift(state, step_micros);
    }

    fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
        wanted::wanted(state)
    }

    fn phase(state: &State) -> &'static str {
        state.phase().name()
    }

    fn ended(state: &State) -> bool {
        state.over()
    }

    fn view(state: &State, role: Role, at: Time) -> Json {
        view::view(state, role, at).to_json()
    }

    fn blobs(command: &Command) -> Vec<BlobRef> {
        match command {
            Command::Submit { code, .. } | Command::Test { code, .. } => vec![*code],
            Command::Ask { code, .. } => code.iter().copied().collect(),
            Command::Begin {}
            | Command::Say { .. }
            | Command::Done { .. }
            | Command::Watch { .. }
            | Command::Unwatch {}
            | Command::Hint {}
            | Command::End {} => Vec::new(),
        }
    }

    fn exercise(spec: &Spec) -> Option<(&Problem, Hash)> {
        Some((&spec.problem, spec.suite))
    }

    fn after_the_end() -> Vec<Next> {
        vec![
            Next::run("look back", Action::Result),
            Next::run("hand it on", Action::ExportEvaluation),
            Next::run("begin another", Action::StartInterview),
        ]
    }

    fn evaluation(
        id: SessionId,
        spec: &[u8],
        lines: &[Vec<u8>],
    ) -> Result<EvaluationBundle, BundleError> {
        bundle::evaluation(id, spec, lines)
    }

    fn tell(event: &Recorded<Event>) -> Telling {
        tell::tell(event)
    }

    fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
        bundle::code_history(events)
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        cause::cause(state, event)
    }

    fn why(state: &State, event: &Recorded<Event>) -> Explanation {
        why::why(state, event)
    }
}

#[cfg(test)]
mod tests;
