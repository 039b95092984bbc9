//! Any number of interviews in a store, cast from one that the engine has held.
//!
//! Ten thousand that are held one by one would take minutes. A cast differs from its mould in its
//! id and in its times, and its chain is its own; a daemon reads it like any other log.

use std::ops::Range;
use std::sync::mpsc::channel;

use vosim_engine::{Answer, AnySession, CommandInput, Input};
use vosim_protocol::trouble::Location;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::interview::{Spec, Start};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{Blob, EventId, Hash, Head, Kind, SessionId, Time};
use vosim_store::{Append, Options, Store};
use vosim_tests::{Home, command, new_session};
use vosimd::content;
use vosimd::content::interview::interview;
use vosimd::runtime_dir::make_private_dir;

/// What a candidate says: answers that touch what is asked about, and some that do not. They are so
/// short that the longest log stays within what may be said in a section.
const SAID: [&str; 6] = [
    "Let me think about this for a moment before I go on.",
    "get returns a value or minus one, and put stores a value.",
    "I assume one caller at a time, and whole numbers as keys.",
    "A key that is put again moves to the front, I would say.",
    "A hash map and a linked list make every call constant time.",
    "I am not sure of the last step; a small example helps.",
];
/// Seconds between two messages.
const PACE_SECS: i64 = 5;
/// How long a section of the mould lasts, seconds, and how long before its end it is warned.
const SECTION_SECS: u32 = 20_000;
const WARNINGS_SECS: [u32; 2] = [18_000, 9_000];
/// `"}` at the end of a line, and the hash before it.
const CHAIN_BYTES: usize = 64 + 2;
/// Length of a time as records spell it.
const TIME_BYTES: usize = 27;
/// Sessions whose commit is waited for at most.
const WAITING: usize = 32;

/// A line of JSON, with the places at which a cast differs.
#[derive(Debug)]
struct Line {
    text: Vec<u8>,
    ids: Vec<usize>,
    times: Vec<(usize, Time)>,
}

impl Line {
    fn of(text: &[u8], session: SessionId) -> Self {
        let spelled = std::str::from_utf8(text).unwrap();
        let ids = spelled.match_indices(&session.to_string()).map(|(at, _)| at).collect();
        let time = |(quote, _): (usize, &str)| {
            let text = spelled.get(quote + 1..quote + 1 + TIME_BYTES)?;
            Some((quote + 1, text.parse().ok()?))
        };
        let times = spelled.match_indices('"').filter_map(time).collect();
        Self { text: text.to_vec(), ids, times }
    }

    fn cast(&self, session: SessionId, later_micros: i64) -> Vec<u8> {
        let mut text = self.text.clone();
        let mut put = |at: usize, new: &str| {
            text[at..at + new.len()].copy_from_slice(new.as_bytes());
        };
        let id = session.to_string();
        self.ids.iter().for_each(|at| put(*at, &id));
        if later_micros != 0 {
            let moved = |time: Time| time.plus_micros(later_micros).to_string();
            self.times.iter().for_each(|(at, time)| put(*at, &moved(*time)));
        }
        text
    }
}

/// An interview that others are cast from.
#[derive(Debug)]
pub(crate) struct Mould {
    lines: Vec<Line>,
    head: Line,
    blobs: Vec<Blob>,
    /// When it is due.
    pub(crate) deadline: Time,
}

impl Mould {
    /// An interview of so many events at least, that stands in a section and waits for its first
    /// warning.
    pub(crate) fn of_events(events: usize) -> Self {
        let mut play = Play::begin();
        let mut said = SAID.iter().cycle();
        while play.lines.len() < events {
            play.pass(PACE_SECS);
            let text = said.next().copied().unwrap_or_default();
            play.command("say", &serde_json::json!({ "text": text }));
        }
        // Whatever is asked because of the last message.
        play.pass(PACE_SECS);
        play.into_mould()
    }

    /// Its events.
    pub(crate) fn events(&self) -> usize {
        self.lines.len()
    }

    /// An interview like it with its deadline at this time.
    pub(crate) fn cast(&self, session: SessionId, deadline: Time) -> Append {
        let later_micros = deadline.micros_since(self.deadline);
        let mut prev_hash = Hash::NONE;
        let mut lines = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let mut line = line.cast(session, later_micros);
            let chain: Range<usize> = line.len() - CHAIN_BYTES..line.len() - 2;
            line[chain].copy_from_slice(prev_hash.hex().as_bytes());
            prev_hash = Hash::of(&line);
            lines.push(line);
        }
        let head = Head::from_bytes(&self.head.cast(session, later_micros)).unwrap();
        let blobs = self.blobs.clone();
        Append { session, expected: EventId::ZERO, lines, head, blobs, settings: Vec::new() }
    }
}

/// An interview that is being held.
struct Play {
    session: Box<dyn AnySession>,
    id: SessionId,
    lines: Vec<Vec<u8>>,
    at: Time,
    blobs: Vec<Blob>,
}

impl Play {
    fn begin() -> Self {
        let package = content::find("lru_cache").unwrap();
        let (mut spec, suite) = interview(&Start::default(), &package, "3.12.0".into()).unwrap();
        lengthen(&mut spec);
        let (spec, id) = (spec.to_line(), new_session());
        let at = Time::from_micros(1_767_225_600_000_000);
        let (session, records) = vosim_engine::create(Kind::Interview, id, &spec, at).unwrap();
        let lines = records.into_iter().map(|sealed| sealed.line).collect();
        let blobs = vec![Blob(spec), Blob(suite)];
        let mut play = Self { session, id, lines, at, blobs };
        play.command("begin", &Json::Null);
        play
    }

    fn pass(&mut self, secs: i64) {
        self.at = self.at.plus_secs(secs);
        self.input(&Input::Tick);
    }

    fn command(&mut self, name: &str, args: &Json) {
        let command = CommandInput {
            id: command(),
            if_cursor: None,
            name,
            args,
            blobs: &[],
            role: vosim_protocol::Role::Candidate,
        };
        self.input(&Input::Command(command));
    }

    /// What an input leads to, with the words that are asked for.
    fn input(&mut self, input: &Input<'_>) {
        self.step(input);
        while let Some((id, Effect::Word(word))) = self.session.wanted_effects().pop() {
            self.step(&Input::Outcome(id, EffectOutcome::Word(Ok(word.text))));
        }
    }

    fn step(&mut self, input: &Input<'_>) {
        let step = self.session.step(input, self.at);
        assert!(!matches!(step.answer, Answer::Refused(_)), "{:?}", step.answer);
        self.lines.extend(step.records.into_iter().map(|sealed| sealed.line));
        self.session = step.next;
    }

    fn into_mould(self) -> Mould {
        let head = self.session.head();
        assert!(!head.wants_waking && !head.ended, "{head:?}");
        Mould {
            lines: self.lines.iter().map(|line| Line::of(line, self.id)).collect(),
            deadline: head.next_deadline.unwrap(),
            head: Line::of(&head.to_line(), self.id),
            blobs: self.blobs,
        }
    }
}

/// Long sections, so that a log of any length fits into one and nothing but a warning is due.
fn lengthen(spec: &mut Spec) {
    let schema = &mut spec.schema;
    for section in &mut schema.sections {
        section.duration_seconds = SECTION_SECS;
        section.warnings = WARNINGS_SECS.to_vec();
    }
    schema.total_seconds = schema.sections.iter().map(|section| section.duration_seconds).sum();
}

/// Puts interviews into the store of a home, of which the first is the current one.
pub(crate) fn fill(home: &Home, interviews: impl Iterator<Item = Append>) {
    let data = home.paths().data;
    make_private_dir(&data, Location::Data).unwrap();
    let store = Store::open(&data, Options::default()).unwrap();
    let (done, answers) = channel();
    let mut current = None;
    let mut waiting = 0;
    for interview in interviews {
        current.get_or_insert(interview.session);
        let done = done.clone();
        store.append(interview, move |answer| drop(done.send(answer)));
        waiting += 1;
        if waiting == WAITING {
            answers.recv().unwrap().unwrap();
            waiting -= 1;
        }
    }
    answers.iter().take(waiting).for_each(Result::unwrap);
    let current = current.map(|id| id.to_string().into_bytes());
    store.set_key_blocking("current", current).unwrap();
    store.close();
}
