//! Laws as properties over random commands, outcomes, clock steps and times, for a kind without
//! deadlines and for one with many.

use std::collections::BTreeMap;

use proptest::prelude::*;
use vosim_protocol::record::{RECORD_MAX_BYTES, check_chain};
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::session::ClockStep;
use vosim_protocol::{CommandId, EffectId, EventId, EventRecord, Json, Role, Time, Wire};

use super::{Played, SESSION, command_id, start};
use crate::draft::Draft;
use crate::kinds::drill::Drill;
use crate::kinds::interview::Interview;
use crate::metronome::Metronome;
use crate::moves::Moves;
use crate::rejection::Rejection;
use crate::replay::replay;
use crate::session::{
    Advance, Answer, AnySession, CommandInput, Input, Recording, Sealed, Session,
};
use crate::settling::Settling;

/// One thing that happens, so long after the one before it.
#[derive(Clone, Debug)]
struct Move {
    after_micros: i64,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// The id may have been used before, for the same or for something else.
    Command {
        id: u128,
        choice: u64,
    },
    /// An effect that is wanted, or was once.
    Outcome {
        which: usize,
        choice: u64,
    },
    Tick,
    Step {
        secs: i64,
    },
    Suspend,
    Presence {
        here: bool,
    },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let choice = prop_oneof![1 => Just(0_u64), 40 => 1..1_000_u64];
    let what = prop_oneof![
        8 => (1..25_u128, choice).prop_map(|(id, choice)| What::Command { id, choice }),
        6 => (0..6_usize, any::<u16>()).prop_map(|(which, choice)| {
            What::Outcome { which, choice: choice.into() }
        }),
        2 => Just(What::Tick),
        1 => prop_oneof![-9_000..9_000_i64, -30..30_i64].prop_map(|secs| What::Step { secs }),
        1 => Just(What::Suspend),
        1 => any::<bool>().prop_map(|here| What::Presence { here }),
    ];
    let after = prop_oneof![3 => 0..3_000_000_i64, 3 => 0..40_000_000_i64, 1 => Just(200_000_000)];
    let one = (after, what).prop_map(|(after_micros, what)| Move { after_micros, what });
    prop::collection::vec(one, 1..50)
}

/// A session under random moves, its clock, and what is known of it from outside.
struct Random<K: Moves> {
    played: Played<K>,
    /// Time as it really passes.
    true_micros: i64,
    /// What the wall clock shows more than that.
    offset_micros: i64,
    steps: u64,
    /// Effects that have ended.
    ended: Vec<(EffectId, Effect)>,
    /// Commands that were accepted: what was asked, and what they caused.
    accepted: BTreeMap<u128, (u64, EventId, EventId)>,
    /// The command that an event goes back to, by way of any number of effects at work.
    goes_back: BTreeMap<EventId, CommandId>,
}

impl<K: Moves> Random<K> {
    fn new() -> Self {
        Self {
            played: Played::new(),
            true_micros: 0,
            offset_micros: 0,
            steps: 0,
            ended: Vec::new(),
            accepted: BTreeMap::new(),
            goes_back: BTreeMap::new(),
        }
    }

    fn play(moves: &[Move]) -> Self {
        let mut random = Self::new();
        for one in moves {
            random.play_one(one);
        }
        random
    }

    fn wall(&self) -> Time {
        start().plus_micros(self.true_micros + self.offset_micros)
    }

    fn input(&mut self, input: &Input<'_>) -> Answer {
        let wall = self.wall();
        self.played.input(input, wall)
    }

    fn tick(&mut self, after_micros: i64) {
        self.true_micros += after_micros;
        self.input(&Input::Tick);
    }

    fn play_one(&mut self, one: &Move) {
        self.true_micros += one.after_micros;
        let before = self.played.session.head().cursor;
        match one.what {
            What::Command { id, choice } => {
                let answer = self.command(id, choice);
                self.check_answer(id, choice, &answer);
                let caused = self.played.session.caused_by(command_id(id));
                let (first, last) = caused.unwrap_or((EventId(1), EventId::ZERO));
                let events = (first.0..=last.0).map(|event| (EventId(event), command_id(id)));
                self.goes_back.extend(events);
            }
            What::Outcome { which, choice } => {
                // What is wanted now must not depend on who looked before.
                self.tick(0);
                let before = self.played.session.head().cursor;
                let Some((effect, outcome)) = self.outcome(which, choice) else { return };
                let wanted = self.wants(effect);
                if let Some(command) = self.goes_back.get(&effect.0).copied() {
                    let ends = self.ends_in(effect, &outcome);
                    let events = (1..=ends).map(|nth| (EventId(before.0 + nth), command));
                    self.goes_back.extend(events);
                }
                self.input(&Input::Outcome(effect, outcome));
                assert!(!self.wants(effect), "an effect ends once");
                // Deadlines may have ended what was wanted; nothing else may add to the log.
                assert!(wanted || self.added_by_time(before), "a late outcome is not recorded");
                assert!(!wanted || self.ended_since(before), "an effect ends in an event");
            }
            What::Tick => {
                self.input(&Input::Tick);
                assert!(self.added_by_time(before));
            }
            What::Step { secs } => self.step(secs),
            What::Suspend => {
                self.input(&Input::Suspend(1_000_000));
            }
            What::Presence { here } => {
                self.input(&Input::Presence(here));
            }
        }
        self.check_deadline();
    }

    fn command(&mut self, id: u128, choice: u64) -> Answer {
        let (command, blobs) = K::command(choice);
        let args = command.args();
        let input = CommandInput {
            id: command_id(id),
            if_cursor: None,
            name: command.name(),
            args: &args,
            blobs: &blobs,
            role: command.may()[0],
        };
        self.input(&Input::Command(input))
    }

    /// A repeated command is answered from what it caused, anything else under its id refused.
    fn check_answer(&mut self, id: u128, choice: u64, answer: &Answer) {
        let cursor = self.played.session.head().cursor;
        let same = |of: u64| K::command(of).0 == K::command(choice).0;
        match (self.accepted.get(&id), answer) {
            // What was told before is told again, and nothing has happened.
            (None, Answer::Accepted { events: 0 }) => {}
            (None, Answer::Accepted { events }) => {
                let first = EventId(cursor.0 - *events as u64 + 1);
                self.accepted.insert(id, (choice, first, cursor));
            }
            (None, Answer::Refused(_)) => {}
            (Some((of, first, last)), Answer::Replayed { first: f, last: l }) if same(*of) => {
                assert_eq!((first, last), (f, l));
            }
            (Some((of, ..)), Answer::Refused(Rejection::CommandIdReused)) if !same(*of) => {}
            (known, answer) => panic!("{known:?}: {answer:?}"),
        }
        let caused = self.accepted.get(&id).map(|(_, first, last)| (*first, *last));
        assert_eq!(self.played.session.caused_by(command_id(id)), caused);
    }

    fn outcome(&mut self, which: usize, choice: u64) -> Option<(EffectId, EffectOutcome)> {
        let wanted = self.played.session.wanted_effects();
        let known: Vec<_> = self.ended.iter().chain(&wanted).collect();
        let (id, effect) = known[known.len().checked_sub(which + 1)?].clone();
        let outcome = K::outcome(&effect, choice);
        if self.wants(id) {
            self.ended.push((id, effect));
        }
        Some((id, outcome))
    }

    /// How many events the end of an effect at work is, without the deadlines that waited for it.
    fn ends_in(&self, effect: EffectId, outcome: &EffectOutcome) -> u64 {
        let (mut next, mut records) = (self.played.session.clone(), Vec::new());
        let at = next.time(self.wall());
        let wanted = next.wanted().into_iter().find(|wanted| wanted.id == effect);
        if let Some(wanted) = wanted.filter(|wanted| wanted.effect.is_work()) {
            let mut recording =
                Recording { session: &mut next, records: &mut records, bearer: None };
            let mut draft = Draft::new(&mut recording, at);
            if wanted.conclude(&mut draft, outcome) {
                K::settle(&mut draft);
            }
        }
        records.len() as u64
    }

    /// The first effect at work that goes back to a command.
    fn awaited(&self, command: CommandId) -> Option<EventId> {
        let wanted = self.played.session.wanted_effects();
        let works = wanted.iter().filter(|(_, effect)| effect.is_work()).map(|(id, _)| id.0);
        works.filter(|event| self.goes_back.get(event) == Some(&command)).min()
    }

    fn wants(&self, effect: EffectId) -> bool {
        self.played.session.wanted_effects().iter().any(|(wanted, _)| *wanted == effect)
    }

    /// True when everything after a cursor was caused by a deadline.
    fn added_by_time(&self, before: EventId) -> bool {
        let added = self.played.records.iter().filter(|sealed| sealed.record.event_id > before);
        added.into_iter().all(|sealed| K::BY_TIME.contains(&sealed.record.event_type.as_str()))
    }

    /// True when an event after a cursor is the end of an effect.
    fn ended_since(&self, before: EventId) -> bool {
        let worded = ["HINT_GIVEN", "WORDING_FAILED"];
        let mut added = self.played.records.iter().filter(|sealed| sealed.record.event_id > before);
        K::EFFECT_ENDS.is_empty()
            || added.any(|sealed| {
                let event_type = sealed.record.event_type.as_str();
                K::EFFECT_ENDS.contains(&event_type) || worded.contains(&event_type)
            })
    }

    fn step(&mut self, secs: i64) {
        self.steps += 1;
        self.offset_micros += secs * 1_000_000;
        let step = ClockStep { sequence: self.steps, step_micros: secs * 1_000_000 };
        let input = Input::ClockStep(step);
        let Advance { next, records, .. } = self.played.session.advance(&input, self.wall());
        let moved =
            self.played.session.next_deadline().map(|due| due.plus_micros(secs * 1_000_000));
        // Alone: what was due before the step has its own effect on what is due next.
        let alone = records.len() == 1;
        if alone && records[0].record.event_type == "CLOCK_ADJUSTED" {
            assert_eq!(next.next_deadline(), moved, "a deadline moves with the clock");
        }
        self.input(&input);
    }

    /// Nothing that is due is left undone.
    fn check_deadline(&self) {
        let session = &self.played.session;
        assert!(session.next_deadline().is_none_or(|due| due > self.wall()));
        assert_eq!(session.head().next_deadline, session.next_deadline());
    }

    /// How long it is until the next deadline.
    fn left(&self) -> Option<i64> {
        let due = self.played.session.next_deadline();
        due.map(|due| due.micros_since(self.wall()))
    }
}

/// Ids count up, the chain holds, time does not fall, and every record has its bound.
fn check_log(lines: &[Vec<u8>]) {
    check_chain(lines.iter().map(Vec::as_slice)).unwrap();
    let mut last = None;
    for (id, line) in (1..).zip(lines) {
        let record = EventRecord::from_bytes(line).unwrap();
        assert_eq!(record.event_id, EventId(id));
        assert!(last <= Some(record.timestamp), "time fell at event {id}");
        assert!(line.len() <= RECORD_MAX_BYTES, "event {id} has {} bytes", line.len());
        last = Some(record.timestamp);
    }
}

/// The log leads to the same session, and every decision in it follows from its inputs.
fn replay_is_live<K: Moves>(moves: &[Move]) {
    let random = Random::<K>::play(moves);
    let (live, lines) = (&random.played.session, random.played.lines());
    check_log(&lines);
    let loaded = Session::<K>::load(SESSION, &K::spec(), lines.iter().map(Vec::as_slice)).unwrap();
    assert_eq!(loaded.head(), live.head());
    assert_eq!(loaded.wanted_effects(), live.wanted_effects());
    for role in [Role::Candidate, Role::Observer, Role::Interviewer] {
        let wall = random.wall().plus_secs(5);
        assert_eq!(loaded.view(role, wall), live.view(role, wall));
    }
    for id in (1..25).map(command_id) {
        assert_eq!(loaded.caused_by(id), live.caused_by(id));
    }
    let report = replay::<K>(SESSION, &K::spec(), &lines, None, true).unwrap();
    assert_eq!((report.differs, report.chain), (None, None));
    // What comes next is the same too.
    let later = random.wall().plus_secs(100);
    let tick = |session: &Session<K>| session.advance(&Input::Tick, later).records;
    assert_eq!(tick(&loaded), tick(live));
}

fn same_inputs_same_bytes<K: Moves>(moves: &[Move]) {
    assert_eq!(Random::<K>::play(moves).played.text(), Random::<K>::play(moves).played.text());
}

/// A daemon that ticks all the time and one that only looks when something comes in.
fn ticking_often_is_ticking_once<K: Moves>(moves: &[Move], ticks: i64) {
    let seldom = Random::<K>::play(moves);
    let mut often = Random::<K>::new();
    for one in moves {
        let part = one.after_micros / ticks;
        for _ in 0..ticks {
            often.tick(part);
        }
        often.play_one(&Move { after_micros: one.after_micros - part * ticks, ..one.clone() });
    }
    assert_eq!(often.played.text(), seldom.played.text());
}

fn nothing_follows_the_end<K: Moves>(moves: &[Move]) {
    let mut random = Random::<K>::new();
    for one in moves {
        let ended = random.played.session.head().ended;
        let before = random.played.records.len();
        random.play_one(one);
        assert!(!ended || random.played.records.len() == before);
    }
}

/// A command that was accepted, on its way to its result.
struct Given {
    id: CommandId,
    settling: Box<dyn Settling>,
    /// The event behind which it had settled, and what each role was told.
    settled: Option<(EventId, [Option<Json>; 3])>,
}

impl Given {
    /// Given the session at the last of the events that the command caused.
    fn new<K: Moves>(session: &Session<K>, choice: u64, caused: &[Sealed]) -> Self {
        let id = caused[0].record.command_id.unwrap();
        let caused = caused.iter().map(|sealed| sealed.record.clone()).collect();
        let settling = session.follow(K::command(choice).0, caused);
        let mut this = Self { id, settling, settled: None };
        this.look(session.cursor());
        this
    }

    fn take(&mut self, sealed: &Sealed) {
        self.settling.take(&sealed.record, &sealed.line).unwrap();
        self.look(sealed.record.event_id);
    }

    /// Nothing is told before it has settled, and what is told then stays.
    fn look(&mut self, at: EventId) {
        let told = [Role::Candidate, Role::Observer, Role::Interviewer]
            .map(|role| self.settling.result(role));
        if self.settling.awaits().is_none() {
            assert_eq!(self.settled.get_or_insert_with(|| (at, told.clone())).1, told);
        } else {
            assert_eq!((self.settled.as_ref(), told), (None, [None, None, None]));
        }
    }
}

/// A command has settled exactly when no work goes back to it any more, with a result that stays;
/// read from the log it settles in the same way.
fn a_command_settles_once<K: Moves>(moves: &[Move]) {
    let mut random = Random::<K>::new();
    let mut given = Vec::<Given>::new();
    for one in moves {
        let (before, accepted) = (random.played.records.len(), random.accepted.len());
        random.play_one(one);
        let added = &random.played.records[before..];
        given.iter_mut().for_each(|command| added.iter().for_each(|sealed| command.take(sealed)));
        if let What::Command { choice, .. } = one.what
            && random.accepted.len() > accepted
        {
            let mut caused = added.split(|sealed| sealed.record.command_id.is_none());
            given.push(Given::new(&random.played.session, choice, caused.next_back().unwrap()));
        }
        for command in &given {
            let awaits = command.settling.awaits().map(|awaited| awaited.event_id);
            assert_eq!(awaits, random.awaited(command.id));
        }
    }
    let lines = random.played.lines();
    for live in &given {
        let ours = random.goes_back.iter().filter(|(_, command)| **command == live.id);
        let last = *ours.map(|(event, _)| event).max().unwrap();
        assert!(live.settled.as_ref().is_none_or(|(at, _)| *at >= last), "{last} is too late");
        let (first, last) = random.played.session.caused_by(live.id).unwrap();
        let [first, last] = [first.0 - 1, last.0].map(|place| usize::try_from(place).unwrap());
        let until = lines[..last].iter().map(Vec::as_slice);
        let loaded = Session::<K>::load(SESSION, &K::spec(), until).unwrap();
        let choice = random.accepted[&live.id.0.as_u128()].0;
        let mut again = Given::new(&loaded, choice, &random.played.records[first..last]);
        random.played.records[last..].iter().for_each(|sealed| again.take(sealed));
        assert_eq!(again.settling.receipt(), live.settling.receipt());
        assert_eq!(again.settling.awaits(), live.settling.awaits());
        assert_eq!(again.settled, live.settled);
    }
}

fn wall(random: &Random<Metronome>) -> Vec<(String, Json)> {
    let records = random.played.records.iter().map(|sealed| &sealed.record);
    let lasting = records.filter(|record| record.event_type != "CLOCK_ADJUSTED");
    lasting
        .map(|record| {
            let mut payload = record.payload.clone();
            // Instants stand on the clock that was stepped.
            for instant in ["due", "first"] {
                if let Some(value) = payload.get_mut(instant) {
                    *value = Json::Null;
                }
            }
            (record.event_type.clone(), payload)
        })
        .collect()
}

/// A law of every kind, one line each.
macro_rules! of_each_kind {
    ($law:ident($($with:expr),*)) => {
        $law::<Drill>($($with),*);
        $law::<Interview>($($with),*);
        $law::<Metronome>($($with),*);
        $law::<crate::kinds::attempt::Attempt>($($with),*);
        $law::<crate::kinds::task::Task>($($with),*);
        #[cfg(feature = "errand")]
        $law::<crate::kinds::errand::Errand>($($with),*);
    };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_replay_leads_to_the_live_session(moves in moves()) {
        of_each_kind!(replay_is_live(&moves));
    }

    #[test]
    fn the_same_inputs_give_the_same_bytes(moves in moves()) {
        of_each_kind!(same_inputs_same_bytes(&moves));
    }

    #[test]
    fn ticking_often_gives_the_log_of_ticking_once(moves in moves(), ticks in 1..9_i64) {
        of_each_kind!(ticking_often_is_ticking_once(&moves, ticks));
    }

    #[test]
    fn nothing_follows_the_end_of_a_session(moves in moves()) {
        of_each_kind!(nothing_follows_the_end(&moves));
    }

    #[test]
    fn a_command_settles_once_and_its_result_stays(moves in moves()) {
        of_each_kind!(a_command_settles_once(&moves));
    }

    /// The same moves at the same true times, with the clock stepped and with a steady clock.
    #[test]
    fn a_step_neither_steals_nor_gives_time(moves in moves()) {
        let steady = |one: &Move| match one.what {
            What::Step { .. } => Move { what: What::Tick, ..one.clone() },
            What::Command { .. }
            | What::Outcome { .. }
            | What::Tick
            | What::Suspend
            | What::Presence { .. } => one.clone(),
        };
        let (mut stepped, mut straight) = (Random::new(), Random::new());
        for one in &moves {
            stepped.play_one(one);
            straight.play_one(&steady(one));
            prop_assert_eq!(stepped.left(), straight.left());
        }
        prop_assert_eq!(wall(&stepped), wall(&straight));
    }
}

#[test]
fn a_known_command_id_is_known_after_a_restart() {
    let mut random = Random::<Drill>::new();
    random.command(1, 15);
    let lines = random.played.lines();
    let loaded =
        Session::<Drill>::load(SESSION, &Drill::spec(), lines.iter().map(Vec::as_slice)).unwrap();
    random.played.session = loaded;
    let replayed = Answer::Replayed { first: EventId(3), last: EventId(3) };
    assert_eq!(random.command(1, 15), replayed);
    assert_eq!(random.command(1, 0), Answer::Refused(Rejection::CommandIdReused));
    assert_eq!(random.played.lines(), lines);
    let unknown: CommandId = command_id(2);
    assert_eq!(random.played.session.caused_by(unknown), None);
}
