//! A whole small world on one thread: a store that may fail, a daemon that crashes between append
//! and answer, effects that get lost, late, doubled and out of order, a client that asks again.
//!
//! Everything is chosen by a seeded generator. A failure prints its seed; `SEED=n` plays that one
//! world again, `VOSIM_SOAK=1` plays many more.
//! After every step: nothing acknowledged is lost, nothing happens twice, the log leads to the
//! session as it is, a replay finds no difference, and every effect ends in one event.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, clippy::print_stderr, reason = "the seed goes in and out")]

#[path = "common/metronome.rs"]
mod metronome;
#[path = "common/moves.rs"]
mod moves;
#[path = "common/problem.rs"]
mod problem;
#[path = "common/requests.rs"]
mod requests;
#[path = "common/schema.rs"]
mod schema;

use std::collections::{BTreeMap, BTreeSet};

use vosim_engine::kinds::drill::Drill;
use vosim_engine::kinds::interview::Interview;
use vosim_engine::replay::replay;
use vosim_engine::session::Session;
use vosim_engine::{Answer, AnySession, CommandInput, Input, Sealed, Step};
use vosim_protocol::record::check_chain;
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::session::ClockStep;
use vosim_protocol::{
    CommandId, EffectId, ErrorCode, EventId, EventRecord, Role, SessionId, Time, Wire,
};

use metronome::Metronome;
use moves::Moves;
use requests::ASKED_FOR;

const SESSION: SessionId = SessionId(uuid::Uuid::from_u128(7));
/// Steps of one world.
const STEPS: u64 = 120;
const SECOND: i64 = 1_000_000;

/// SplitMix64: small, seeded, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn micros(&mut self, max_secs: u64) -> i64 {
        i64::try_from(self.below(max_secs * 1_000_000)).unwrap()
    }
}

/// What the client knows of one of its intentions.
struct Intention {
    choice: u64,
    /// None until an answer has come through.
    answered: Option<Answered>,
}

#[derive(Clone, Debug, PartialEq)]
enum Answered {
    /// It was told what had been told before.
    Told,
    Done {
        first: EventId,
        last: EventId,
    },
    Refused(ErrorCode),
}

/// Something of an effect on its way back to the session.
struct InFlight {
    due_micros: i64,
    effect: EffectId,
    outcome: EffectOutcome,
}

/// Where most worlds begin, of a kind that has its most after a while.
struct Lead {
    /// What is done first.
    first: u64,
    /// So much time passes then, at least and less than.
    from_secs: u64,
    until_secs: u64,
    /// What is done after that.
    then: &'static [u64],
}

/// An interview has begun, and its coding section comes soon, is open or ends soon; a file is
/// watched, and code was submitted if it could be.
const INTERVIEW: Lead = Lead { first: 1, from_secs: 1_400, until_secs: 2_300, then: &[5, 9] };

struct World<K: Moves> {
    random: Random,
    true_micros: i64,
    offset_micros: i64,
    clock_steps: u64,
    /// What is durable.
    log: Vec<Vec<u8>>,
    /// The daemon's session.
    session: Box<dyn AnySession>,
    /// Effects that the daemon has started since it runs; forgotten at a crash.
    started: BTreeSet<EffectId>,
    in_flight: Vec<InFlight>,
    /// Every effect that was ever wanted by a durable state.
    wanted: BTreeMap<EffectId, Effect>,
    /// How often each ended while it was wanted.
    ended: BTreeMap<EffectId, u32>,
    intentions: Vec<Intention>,
    kind: std::marker::PhantomData<K>,
}

/// What becomes of a step.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Answered,
    /// The store did not take it; the daemon goes on.
    StoreFailed,
    CrashBeforeAppend,
    CrashBeforeAnswer,
}

impl<K: Moves> World<K> {
    fn new(seed: u64) -> Self {
        let (session, records) = Session::<K>::create(SESSION, &K::spec(), start()).unwrap();
        Self {
            random: Random(seed),
            true_micros: 0,
            offset_micros: 0,
            clock_steps: 0,
            log: records.into_iter().map(|sealed| sealed.line).collect(),
            session: Box::new(session),
            started: BTreeSet::new(),
            in_flight: Vec::new(),
            wanted: BTreeMap::new(),
            ended: BTreeMap::new(),
            intentions: Vec::new(),
            kind: std::marker::PhantomData,
        }
    }

    fn wall(&self) -> Time {
        start().plus_micros(self.true_micros + self.offset_micros)
    }

    /// How many requests of each sort have ended, for a kind whose log tells them apart.
    fn play(mut self, lead: Option<&Lead>) -> BTreeMap<&'static str, u32> {
        if let Some(lead) = lead.filter(|_| !self.random.one_in(4)) {
            self.insist(lead.first);
            let secs = self.random.below(lead.until_secs - lead.from_secs) + lead.from_secs;
            self.true_micros += i64::try_from(secs).unwrap() * SECOND;
            lead.then.iter().for_each(|choice| self.insist(*choice));
        }
        for step in 0..STEPS {
            self.true_micros += match self.random.below(20) {
                0 => self.random.micros(150),
                1..=6 => 0,
                _ => self.random.micros(8),
            };
            self.start_effects();
            match self.random.below(13) {
                12 => self.presence(),
                0..=3 => self.new_intention(),
                4 | 5 => self.ask_again(),
                6..=8 => self.deliver(),
                9 => self.tick(),
                10 => self.clock(),
                _ => self.crash(),
            }
            self.check();
            // Folding the log each time would take most of the time; a crash does it too.
            if step % 10 == 0 {
                self.check_fold();
            }
        }
        self.settle()
    }

    /// The daemon starts what is wanted and not yet started; some of it never comes back.
    fn start_effects(&mut self) {
        for (effect, what) in self.session.wanted_effects() {
            if !self.started.insert(effect) {
                continue;
            }
            let copies = [1, 1, 1, 0, 2][usize::try_from(self.random.below(5)).unwrap()];
            for _ in 0..copies {
                let choice = self.random.next() & 0xffff;
                let due_micros = self.true_micros + self.random.micros(20);
                let outcome = K::outcome(&what, choice);
                self.in_flight.push(InFlight { due_micros, effect, outcome });
            }
        }
    }

    fn new_intention(&mut self) {
        // The end is rare: it would leave little to see.
        let choice = self.random.below(900);
        self.intentions.push(Intention { choice, answered: None });
        self.ask(self.intentions.len() - 1);
    }

    /// Something that is asked until there is an answer.
    fn insist(&mut self, choice: u64) {
        self.intentions.push(Intention { choice, answered: None });
        let which = self.intentions.len() - 1;
        while self.intentions[which].answered.is_none() {
            self.ask(which);
        }
    }

    /// A client whose connection broke asks again under the same id, sometimes for no reason.
    fn ask_again(&mut self) {
        let open = self.intentions.iter().rposition(|intention| intention.answered.is_none());
        let any = self.intentions.len().checked_sub(1).map(|last| {
            let back = usize::try_from(self.random.below(10)).unwrap();
            last.saturating_sub(back)
        });
        if let Some(which) = open.or(any) {
            self.ask(which);
        }
    }

    fn ask(&mut self, which: usize) {
        let id = CommandId(uuid::Uuid::from_u128(which as u128 + 1));
        let (command, blobs) = K::command(self.intentions[which].choice);
        let args = command.args();
        let input = CommandInput {
            id,
            if_cursor: None,
            name: command.name(),
            args: &args,
            blobs: &blobs,
            role: command.may()[0],
        };
        let Some(answer) = self.carry_out(&Input::Command(input)) else { return };
        let cursor = self.session.head().cursor;
        let answered = match answer {
            Answer::Accepted { events: 0 } => Answered::Told,
            Answer::Accepted { events } => {
                Answered::Done { first: EventId(cursor.0 + 1 - events as u64), last: cursor }
            }
            Answer::Replayed { first, last } => Answered::Done { first, last },
            Answer::Refused(rejection) => Answered::Refused(rejection.code()),
            Answer::None => panic!("a command has an answer"),
        };
        let known = &mut self.intentions[which].answered;
        match known {
            Some(Answered::Done { .. }) => {
                assert_eq!(known.as_ref(), Some(&answered), "an accepted command stays accepted");
            }
            // What leaves no trace is not remembered: the same command is decided anew.
            Some(Answered::Refused(_) | Answered::Told) | None => *known = Some(answered),
        }
    }

    /// Something that came back, in whatever order.
    fn deliver(&mut self) {
        let now = self.true_micros;
        let due: Vec<_> =
            (0..self.in_flight.len()).filter(|&at| self.in_flight[at].due_micros <= now).collect();
        if due.is_empty() {
            return self.tick();
        }
        let which = due[usize::try_from(self.random.below(due.len() as u64)).unwrap()];
        let InFlight { effect, outcome, .. } = self.in_flight.swap_remove(which);
        self.conclude(effect, outcome);
    }

    fn conclude(&mut self, effect: EffectId, outcome: EffectOutcome) {
        let wanted = |world: &Self| world.session.wanted_effects().iter().any(|w| w.0 == effect);
        let before = wanted(self);
        if self.carry_out(&Input::Outcome(effect, outcome)).is_some() && before && !wanted(self) {
            *self.ended.entry(effect).or_default() += 1;
        }
    }

    fn tick(&mut self) {
        let before = self.log.len();
        self.carry_out(&Input::Tick);
        for line in &self.log[before..] {
            let record = EventRecord::from_bytes(line).unwrap();
            assert!(K::BY_TIME.contains(&record.event_type.as_str()), "{}", record.event_type);
        }
    }

    /// The candidate's terminals come and go, and after a crash the daemon says so again.
    fn presence(&mut self) {
        let here = self.random.one_in(2);
        self.carry_out(&Input::Presence(here));
    }

    fn clock(&mut self) {
        if self.random.one_in(2) {
            self.carry_out(&Input::Suspend(5_000_000));
            return;
        }
        let step_micros = self.random.micros(8_000) - 4_000 * SECOND;
        self.offset_micros += step_micros;
        self.clock_steps += 1;
        let step = ClockStep { sequence: self.clock_steps, step_micros };
        // A step is told until it is durable, and perhaps once more.
        while self.carry_out(&Input::ClockStep(step)).is_none() {}
        if self.random.one_in(3) {
            let before = self.log.len();
            while self.carry_out(&Input::ClockStep(step)).is_none() {}
            assert_eq!(self.log.len(), before, "a step counts once");
        }
    }

    /// One step of the daemon: decide, append, and only then keep and answer. None if no answer
    /// got through.
    fn carry_out(&mut self, input: &Input<'_>) -> Option<Answer> {
        let Step { records, next, answer, .. } = self.session.step(input, self.wall());
        let fate = match self.random.below(40) {
            0 => Fate::StoreFailed,
            1 => Fate::CrashBeforeAppend,
            2 | 3 => Fate::CrashBeforeAnswer,
            _ => Fate::Answered,
        };
        if matches!(fate, Fate::Answered | Fate::CrashBeforeAnswer) {
            self.append(records);
        }
        match fate {
            Fate::Answered => {
                self.session = next;
                Some(answer)
            }
            Fate::StoreFailed => None,
            Fate::CrashBeforeAppend | Fate::CrashBeforeAnswer => {
                self.crash();
                None
            }
        }
    }

    fn append(&mut self, records: Vec<Sealed>) {
        for Sealed { record, line, .. } in records {
            assert_eq!(record.event_id, EventId(self.log.len() as u64 + 1), "no hole, no doublet");
            self.log.push(line);
        }
    }

    /// The daemon dies, and a new one folds the log. It knows of no effect that was running, but
    /// what was running may still come back.
    fn crash(&mut self) {
        self.check_fold();
        self.session = Box::new(self.loaded());
        self.started.clear();
        if self.random.one_in(2) {
            self.in_flight.clear();
        }
    }

    fn loaded(&self) -> Session<K> {
        Session::load(SESSION, &K::spec(), self.log.iter().map(Vec::as_slice)).unwrap()
    }

    /// The log leads to the session as it is.
    fn check_fold(&self) {
        let (loaded, live, wall) = (self.loaded(), &self.session, self.wall());
        // A crash may come after an append whose state the daemon had not kept yet.
        if loaded.head().cursor > live.head().cursor {
            return;
        }
        assert_eq!(loaded.head(), live.head());
        assert_eq!(loaded.wanted_effects(), live.wanted_effects());
        assert_eq!(loaded.view(Role::Observer, wall), live.view(Role::Observer, wall));
    }

    fn check(&mut self) {
        let live = &self.session;
        for (which, intention) in (1_u128..).zip(&self.intentions) {
            let caused = live.caused_by(CommandId(uuid::Uuid::from_u128(which)));
            if let Some(Answered::Done { first, last }) = intention.answered {
                assert_eq!(caused, Some((first, last)), "what was acknowledged is there");
            }
        }
        self.wanted.extend(live.wanted_effects());
    }

    /// In the end everything that is wanted comes back, unless the session is left before that, and
    /// the whole log is looked at.
    fn settle(mut self) -> BTreeMap<&'static str, u32> {
        if self.random.one_in(3) {
            self.insist(0);
        }
        self.crash();
        for _ in 0..10_000 {
            let Some((effect, what)) = self.session.wanted_effects().into_iter().next() else {
                break;
            };
            self.wanted.insert(effect, what.clone());
            let outcome = K::outcome(&what, self.random.next() & 0xffff);
            self.conclude(effect, outcome);
        }
        assert!(self.session.wanted_effects().is_empty(), "what is wanted can be done");
        self.check();
        self.check_fold();
        check_chain(self.log.iter().map(Vec::as_slice)).unwrap();
        let report = replay::<K>(SESSION, &K::spec(), &self.log, None, true).unwrap();
        assert_eq!((report.differs, report.chain), (None, None));
        self.check_commands();
        check_submissions(&self.records());
        self.check_effects()
    }

    fn records(&self) -> Vec<EventRecord> {
        self.log.iter().map(|line| EventRecord::from_bytes(line).unwrap()).collect()
    }

    /// The events of a command stand together, and each command was carried out once at most.
    fn check_commands(&self) {
        let mut places: BTreeMap<CommandId, Vec<u64>> = BTreeMap::new();
        for record in self.records() {
            if let Some(id) = record.command_id {
                places.entry(id).or_default().push(record.event_id.0);
            }
        }
        for (id, places) in places {
            let (first, last) = (places[0], places[places.len() - 1]);
            assert_eq!(last - first + 1, places.len() as u64, "{id} was carried out twice");
            let caused = self.session.caused_by(id);
            assert_eq!(caused, Some((EventId(first), EventId(last))));
        }
    }

    /// An effect ends in one event, or with the session.
    fn check_effects(&self) -> BTreeMap<&'static str, u32> {
        for (effect, times) in &self.ended {
            assert_eq!(*times, 1, "effect {effect} ended {times} times");
        }
        if K::KIND == vosim_protocol::Kind::Interview {
            return requests::each_ends_once(&self.records());
        }
        let mut ended = 0;
        let mut failed = BTreeSet::new();
        for record in self.records() {
            // The first failure asks once more; the second is told with the text itself.
            if record.event_type == "WORDING_FAILED" {
                ended += usize::from(failed.insert(record.payload["request"].as_u64()));
            }
            // What a command led to at once is no end of an effect.
            let kind_of = record.event_type.as_str();
            let ends = kind_of == "HINT_GIVEN" || K::EFFECT_ENDS.contains(&kind_of);
            // Unless the command ended what was under way.
            let cut_off = ["FAILURE_TRACED", "OWN_CASES_RUN"].contains(&kind_of);
            ended += usize::from(ends && (cut_off || record.command_id.is_none()));
            // A pause gives up what is under way, and says so.
            ended += usize::from(record.payload["interrupted"].is_u64());
        }
        // The end of a session ends what it still wanted.
        if self.session.head().ended {
            assert!(ended <= self.wanted.len());
        } else {
            assert_eq!(ended, self.wanted.len(), "each effect has its one end");
        }
        BTreeMap::new()
    }
}

/// A submission has the number behind the last that was or will be judged; so the number of an
/// aborted one goes to the next. Two are judged at once where the deadline takes the code while
/// the candidate's own submission is judged, and either may end first.
fn check_submissions(records: &[EventRecord]) {
    let (mut judging, mut judged) = (BTreeSet::new(), BTreeSet::new());
    for record in records {
        let number = record.payload["attempt_number"].as_u64().unwrap_or_default();
        match record.event_type.as_str() {
            "CODE_SUBMITTED" | "CANDIDATE_CODE_SUBMISSION" => {
                let last = judging.union(&judged).max().copied().unwrap_or_default();
                assert_eq!(number, last + 1);
                judging.insert(number);
            }
            "EVAL_ABORTED" => assert!(judging.remove(&number), "{number} of {judging:?}"),
            "EVAL_RESULT" => {
                assert!(judging.remove(&number), "{number} of {judging:?}");
                judged.insert(number);
            }
            _ => {}
        }
    }
}

fn start() -> Time {
    "2026-01-05T23:30:00Z".parse().unwrap()
}

/// Plays worlds, or the one that `SEED` names; how many requests of each sort ended in all.
fn play<K: Moves>(name: &str, lead: Option<&Lead>) -> BTreeMap<&'static str, u32> {
    let soak = std::env::var_os("VOSIM_SOAK").is_some();
    let seed = std::env::var("SEED").ok().map(|seed| seed.parse().expect("SEED is a number"));
    let seeds = match seed {
        Some(seed) => seed..seed + 1,
        None => 0..if soak { 2_000 } else { 12 },
    };
    let mut ended = BTreeMap::new();
    for seed in seeds {
        let shown = ShownOnPanic { name, seed };
        for (what, times) in World::<K>::new(seed).play(lead) {
            *ended.entry(what).or_default() += times;
        }
        drop(shown);
    }
    ended
}

struct ShownOnPanic<'a> {
    name: &'a str,
    seed: u64,
}

impl Drop for ShownOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self { name, seed } = self;
            eprintln!("replay this world with: SEED={seed} cargo test --test simulation {name}");
        }
    }
}

#[test]
fn a_drill_survives_crashes_and_unreliable_effects() {
    play::<Drill>("a_drill_survives", None);
}

#[test]
fn an_interview_survives_crashes_and_stepped_clocks() {
    let ended = play::<Interview>("an_interview_survives", Some(&INTERVIEW));
    // One world may never ask for a hint; all of them together have everything.
    if std::env::var_os("SEED").is_none() {
        assert_eq!(ended.len(), ASKED_FOR.len(), "{ended:?} of {ASKED_FOR:?}");
    }
}

#[test]
fn an_attempt_survives_crashes_and_unreliable_effects() {
    play::<vosim_engine::kinds::attempt::Attempt>("an_attempt_survives", None);
}

#[test]
fn a_task_survives_crashes_and_unreliable_effects() {
    play::<vosim_engine::kinds::task::Task>("a_task_survives", None);
}

#[cfg(feature = "errand")]
#[test]
fn an_errand_survives_crashes_and_unreliable_effects() {
    play::<vosim_engine::kinds::errand::Errand>("an_errand_survives", None);
}

#[test]
fn deadlines_survive_crashes_and_stepped_clocks() {
    play::<Metronome>("deadlines_survive", None);
}
