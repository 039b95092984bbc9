//! What has happened in a task so far.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use vosim_protocol::v1::agent::{
    AgentRole, Analysis, Caps, Category, Finding, Hit, ModelName, ModelSort, Plan, Price, RunCaps,
    Spent, TestError, TestReport, ToolCall, ToolTurn, Written,
};
use vosim_protocol::v1::effect::PutBack;
use vosim_protocol::v1::task::{
    Because, Event, IterationEnded, Spec, State as At, StuckFound, TestEdit,
};
use vosim_protocol::{BlobRef, EffectId, EventId, Hash, SessionId, Time};

use crate::parts::approvals::{Answers, Scope};
use crate::parts::budget::{self, Estimate};
use crate::parts::stuck::Seen;

pub(super) type Draft<'a> = crate::draft::Draft<'a, State, Event>;

/// Most calls of tools in one conversation; then the code is tested as it is. A session that is talked
/// through takes more.
const CALLS_MAX: usize = 24;
const CALLS_OF_TALK_MAX: usize = 80;
/// So many answers in a row that cannot be used end a task.
pub(super) const UNUSABLE_MAX: u32 = 3;

/// A task.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) id: SessionId,
    pub(super) spec: Arc<Spec>,
    /// Where it stands.
    pub(super) at: At,
    /// What comes next there.
    pub(super) todo: Todo,
    /// What was asked of the outside and has not ended.
    pub(super) pending: Option<Pending>,
    /// The state that it goes on in, where it is paused, and what comes next there.
    pub(super) back: Option<(At, Todo)>,
    pub(super) because: Option<Because>,
    /// What failed last, until it goes on.
    pub(super) fault: Option<String>,
    /// Nothing more can happen.
    pub(super) over: bool,
    /// A pause is asked for, and whether at once.
    pub(super) pause: Option<Pause>,
    /// Why it is to be left, once the iteration has come to its end.
    pub(super) give_up: Option<Because>,

    /// Iterations that have ended, over the life of the task.
    pub(super) iterations: u32,
    /// How many there were when the last grant was made.
    pub(super) granted_at: u32,
    pub(super) warned: bool,

    pub(super) model: ModelName,
    pub(super) plan: Option<Plan>,
    pub(super) tests: Option<TestReport>,
    /// What the last run of them printed.
    pub(super) output: Option<BlobRef>,
    /// How it came to its first error.
    pub(super) trace: Option<BlobRef>,
    /// What is to be known of the last answer of a model.
    pub(super) warnings: Vec<String>,
    /// What kept the code from running, in the place of a run.
    pub(super) blocked: Option<TestError>,
    pub(super) analysis: Option<Analysis>,
    pub(super) remembered: Vec<Hit>,
    /// The tasks whose patterns the planner was given.
    pub(super) given: Vec<SessionId>,
    /// What the model is told beside its conversation, until it has answered.
    pub(super) notes: Vec<String>,
    pub(super) turns: Vec<ToolTurn>,
    pub(super) queue: VecDeque<ToolCall>,
    /// How many turns there were before the answer whose calls are carried out.
    pub(super) turns_before: usize,
    pub(super) unusable: u32,
    /// Whether the tester has had its turn.
    pub(super) tester_done: bool,
    pub(super) has_tests: bool,

    /// What the agent knows each file to hold.
    pub(super) known: BTreeMap<String, Hash>,
    /// What it has written, in order.
    pub(super) edits: Vec<Edit>,
    /// What tests held when a run of them failed first.
    pub(super) failed_tests: BTreeMap<String, Hash>,
    /// Where a rewind can go back to.
    pub(super) points: Vec<Arc<Point>>,

    pub(super) findings: Vec<Finding>,
    pub(super) rules: u32,
    /// What no run can be given on this machine.
    pub(super) unavailable: Vec<Category>,
    pub(super) answers: Answers,
    /// What has been asked about or told to hold since the last scan.
    pub(super) told: BTreeSet<Scope>,

    pub(super) seen: Seen,
    pub(super) circle: Option<StuckFound>,

    pub(super) caps: Caps,
    /// What each run of the tests may use up.
    pub(super) run: RunCaps,
    pub(super) spent: Spent,
    /// Since when time at work has counted; none while it rests or waits for a person.
    pub(super) since: Option<Time>,

    /// The iteration that is under way, in figures.
    pub(super) figures: IterationEnded,
    pub(super) entered: Option<Time>,
    pub(super) tokens_at_entry: u64,
    pub(super) began: Option<Time>,
    /// Those that have ended.
    pub(super) past: Vec<Arc<IterationEnded>>,
}

/// What comes next in a state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Todo {
    /// The workspace is to be made.
    Prepare,
    /// Earlier tasks are to be asked.
    Recall,
    /// The model is to be asked.
    Ask(AgentRole),
    /// The next call of its answer is to be carried out.
    Act(AgentRole),
    /// The code is to be looked through.
    Scan,
    /// What was found is to be allowed.
    Clear,
    /// Something is to be kept for later tasks.
    Keep,
    /// The iteration is to be closed.
    Close,
    /// The state has come to its end.
    Leave(At),
    /// The end is to be told.
    Tell,
    /// Another model is to be asked.
    Switch(AgentRole),
    /// Nothing.
    Rest,
}

/// What was asked of the outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// An effect.
    Effect(EffectId, UnderWay),
    /// A person.
    Approval(EventId, Box<Finding>, u32),
}

/// Which effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UnderWay {
    Prepare,
    Recall,
    Propose(AgentRole),
    Act(ToolCall),
    Scan,
    Test,
    Keep(Box<vosim_protocol::v1::effect::Remember>),
    Restore(EventId, Vec<PutBack>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// After the step that is under way.
    Soon(Because),
    Now(Because),
}

/// Something that the agent has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) event: EventId,
    pub(super) written: Written,
}

/// What a rewind brings back: everything but counts, budgets, answers and what was seen of circles.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) event: EventId,
    pub(super) at: At,
    pub(super) todo: Todo,
    pub(super) plan: Option<Plan>,
    pub(super) tests: Option<TestReport>,
    pub(super) analysis: Option<Analysis>,
    pub(super) known: BTreeMap<String, Hash>,
    pub(super) edits: usize,
    pub(super) tester_done: bool,
    pub(super) has_tests: bool,
}

impl State {
    pub(super) fn new(id: SessionId, spec: Spec) -> Self {
        let (model, caps, run) = (spec.model.clone(), spec.caps, spec.run);
        Self {
            id,
            spec: Arc::new(spec),
            at: At::Init,
            todo: Todo::Prepare,
            pending: None,
            back: None,
            because: None,
            fault: None,
            over: false,
            pause: None,
            give_up: None,
            iterations: 0,
            granted_at: 0,
            warned: false,
            model,
            plan: None,
            tests: None,
            output: None,
            trace: None,
            warnings: Vec::new(),
            blocked: None,
            analysis: None,
            remembered: Vec::new(),
            given: Vec::new(),
            notes: Vec::new(),
            turns: Vec::new(),
            queue: VecDeque::new(),
            turns_before: 0,
            unusable: 0,
            tester_done: false,
            has_tests: false,
            known: BTreeMap::new(),
            edits: Vec::new(),
            failed_tests: BTreeMap::new(),
            points: Vec::new(),
            findings: Vec::new(),
            rules: 0,
            unavailable: Vec::new(),
            answers: Answers::default(),
            told: BTreeSet::new(),
            seen: Seen::default(),
            circle: None,
            caps,
            run,
            spent: Spent::default(),
            since: None,
            figures: IterationEnded { iteration: 1, ..IterationEnded::default() },
            entered: None,
            tokens_at_entry: 0,
            began: None,
            past: Vec::new(),
        }
    }

    /// Which iteration it is, from 1, counted over the life of the task.
    pub(super) fn iteration(&self) -> u32 {
        self.figures.iteration
    }

    /// How many iterations of the grant are used up.
    pub(super) fn used(&self) -> u32 {
        self.iterations - self.granted_at
    }

    /// The last iteration that is granted.
    pub(super) fn until(&self) -> u32 {
        self.granted_at + self.spec.rounds.grant
    }

    /// The error that is to be mended.
    pub(super) fn error(&self) -> TestError {
        let failed = self.tests.as_ref().and_then(|tests| tests.errors.first());
        failed.or(self.blocked.as_ref()).cloned().unwrap_or_else(no_tests)
    }

    /// How many tests passed of how many, where what the agent wrote is of use although some failed; of a
    /// candidate's work nothing is kept.
    pub(super) fn partly_right(&self) -> Option<(u32, u32)> {
        let tests = self.tests.as_ref().filter(|tests| tests.passed > 0)?;
        let is_kept = self.spec.exam.is_none() && !self.edits.is_empty();
        is_kept.then_some((tests.passed, tests.total))
    }

    /// Whether it rests until a person does something.
    pub(super) fn rests(&self) -> bool {
        matches!(self.at, At::Paused | At::Failed)
            && self.pending.is_none()
            && self.todo == Todo::Rest
    }

    pub(super) fn effect(&self) -> Option<(EffectId, &UnderWay)> {
        match &self.pending {
            Some(Pending::Effect(id, asked)) => Some((*id, asked)),
            Some(Pending::Approval(..)) | None => None,
        }
    }

    /// Time at work until now, milliseconds.
    pub(super) fn wall_ms(&self, at: Time) -> u64 {
        let more = self.since.map_or(0, |since| millis(since, at));
        self.spent.wall_ms.saturating_add(more)
    }

    /// When the time at work is used up, while it counts.
    pub(super) fn due(&self) -> Option<Time> {
        let left = self.caps.wall_secs?.saturating_mul(1_000).saturating_sub(self.spent.wall_ms);
        let micros = i64::try_from(left.saturating_mul(1_000)).unwrap_or(i64::MAX);
        self.since.map(|since| since.plus_micros(micros))
    }

    /// What the next call of a model is thought to take at most.
    pub(super) fn estimate(&self, role: AgentRole) -> Estimate {
        let told = self.spec.task.len() + self.notes.iter().map(String::len).sum::<usize>();
        let bytes = |turn: &ToolTurn| {
            turn.call.arguments.bytes + turn.result.map_or(0, |result| result.bytes)
        };
        let results: u64 = self.turns.iter().map(bytes).sum();
        // Four characters a token, and what every prompt holds besides.
        let prompt = PROMPT_TOKENS + (told as u64 + results) / 4;
        Estimate { prompt, completion: completion_max(role) }
    }

    /// What the model that is asked now costs: a price was set for the task's own, and what runs here is free.
    pub(super) fn price(&self) -> Option<Price> {
        match self.model.sort {
            _ if self.model == self.spec.model => self.spec.price,
            ModelSort::Script | ModelSort::Replay | ModelSort::Repair => {
                Some(Price { prompt_micros: 0, completion_micros: 0 })
            }
            ModelSort::Openai => None,
        }
    }

    /// Most calls of tools in one conversation.
    pub(super) fn calls_max(&self) -> usize {
        let talks = self.spec.exam.as_ref().is_some_and(|exam| exam.sitting.is_talk());
        if talks { CALLS_OF_TALK_MAX } else { CALLS_MAX }
    }

    /// The tests that were changed after a run of them had failed.
    pub(super) fn test_edits(&self) -> Vec<TestEdit> {
        let now = |path: &str| {
            let last = self.edits.iter().rev().find(|edit| edit.written.path == path);
            last.map(|edit| edit.written.after)
        };
        let edited = self.failed_tests.iter().filter_map(|(path, before)| {
            let after = now(path)?;
            let (path, before) = (path.clone(), *before);
            (after != Some(before)).then_some(TestEdit { path, before, after })
        });
        edited.take(EDITS_TOLD).collect()
    }

    /// The point at an event, or the last one before it.
    pub(super) fn point(&self, event: EventId) -> Option<&Arc<Point>> {
        self.points.iter().rev().find(|point| point.event <= event)
    }

    /// What must be put back for a point: each file that was written since, with what the agent wrote
    /// last and what it held then.
    pub(super) fn since_point(&self, point: &Point) -> Vec<PutBack> {
        let mut files = BTreeMap::<&str, PutBack>::new();
        for Edit { written, .. } in self.edits[point.edits.min(self.edits.len())..].iter().rev() {
            let Written { path, before, after, .. } = written;
            let file = files.entry(path).or_insert_with(|| PutBack {
                path: path.clone(),
                ours: *after,
                to: *after,
            });
            // What somebody else wrote in between is as far back as it goes.
            if file.to == *after {
                file.to = *before;
            }
        }
        files.into_values().collect()
    }
}

/// What is wrong where no test has run to its end.
pub(super) fn no_tests() -> TestError {
    TestError {
        test: String::new(),
        error_type: "NoTests".to_owned(),
        message: "no test was found that ran to its end".to_owned(),
        place: String::new(),
    }
}

/// Most changed tests that a success tells.
const EDITS_TOLD: usize = 20;
/// What every prompt holds besides the task: the role, its tools, plan and figures.
const PROMPT_TOKENS: u64 = 1_500;

/// Most tokens that may come out, by role (002 3).
pub(super) fn completion_max(role: AgentRole) -> u64 {
    match role {
        AgentRole::Planner | AgentRole::Reflector => 2_048,
        AgentRole::Coder | AgentRole::Tester => 4_096,
    }
}

/// Milliseconds from one moment to a later one.
pub(super) fn millis(from: Time, to: Time) -> u64 {
    u64::try_from(to.micros_since(from) / 1_000).unwrap_or(0)
}

/// What has been used up after an exchange.
pub(super) fn spend(state: &mut State, usage: vosim_protocol::v1::agent::Usage) {
    state.spent = budget::after(state.spent, usage, state.price());
    state.figures.prompt = state.figures.prompt.saturating_add(usage.prompt);
    state.figures.completion = state.figures.completion.saturating_add(usage.completion);
}
