//! Plays a script against an interview: lines in, the log and the refusals out.
//!
//! ```text
//! 00:00 begin | done | end | hint | unwatch
//! 00:05 say [@SECTION] TEXT          `cover DIMENSION …` stands for answers that cover them
//! 00:05 typing | typing stopped      a line on an attached screen
//! 00:05 submit PATH #CODE [again]    `#1` stands for a file's bytes
//! 00:05 test PATH #CODE              one case of one operation
//! 00:06 verdict 5/12 | abort REASON  of the oldest submission that is being judged
//! 00:06 tried 1/1 | tried - REASON   of the own cases
//! 00:06 growth 300 310 350 | growth - REASON
//! 00:07 words TEXT | words !REASON   of the interviewer; without `manual` they come by themselves
//! 00:07 manual                       from here on they do not
//! 00:08 watch PATH | saved #CODE | captured #CODE [late] | captured - [WHY] | lost REASON
//! 00:08 heard [@EVENT] DIMENSION LEVEL QUOTE | heard !REASON   of the newest message, by a model
//! 00:09 ask KIND TEXT | answer TEXT | answer -
//! 00:10 here | gone                  the candidate's terminals
//! 00:11 step SECONDS                 the wall clock is stepped by so much
//! 00:12 tick | view [ROLE] | wanted
//! ```

use std::fmt::Write as _;

use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::effect::{
    Assisted, Captured, Effect, EffectOutcome, Failure, Noticed, Obstacle, Purpose, Saved,
    Testimony, Untaken,
};
use vosim_protocol::v1::evaluation::{CaseOutcome, CaseResult, Load};
use vosim_protocol::v1::events::seen_by;
use vosim_protocol::v1::interview;
use vosim_protocol::v1::interview::{Command, Spec, View, WatchView};
use vosim_protocol::v1::problem::{Language, Op};
use vosim_protocol::v1::session::ClockStep;
use vosim_protocol::{
    Blob, CommandId, EffectId, EventId, EventRecord, Json, Role, SessionId, Time, Wire,
};

use crate::kinds::interview::Interview;
use crate::parts::probing::tests::growth;
use crate::problem;
use crate::rejection;
use crate::replay::{replay, why};
use crate::schema::{answer, spec};
use crate::session::{Advance, Answer, AnySession, CommandInput, Input, Sealed, Session};

pub(super) const SESSION: SessionId = SessionId(uuid::Uuid::from_u128(7));

/// The log and the refusals that a script leads to.
pub(super) fn log(script: &str) -> String {
    let played = Script::play(script);
    played.check();
    played.output
}

/// A session that has been played.
pub(super) struct Script {
    pub(super) session: Session<Interview>,
    pub(super) spec: Vec<u8>,
    pub(super) lines: Vec<Vec<u8>>,
    pub(super) output: String,
    commands: u128,
    manual: bool,
    steps: u64,
    /// How far the wall clock was stepped.
    offset: i64,
}

impl Script {
    pub(super) fn play(script: &str) -> Self {
        Self::play_with(&spec(), script)
    }

    pub(super) fn play_with(spec: &Spec, script: &str) -> Self {
        let spec = spec.to_line();
        let (session, records) = Session::create(SESSION, &spec, time("00:00")).unwrap();
        let mut played = Self {
            session,
            spec,
            lines: Vec::new(),
            output: String::new(),
            commands: 0,
            manual: false,
            steps: 0,
            offset: 0,
        };
        played.keep(&records, false);
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            played.line(line);
        }
        played
    }

    /// Every decision follows from its inputs, and every event can be explained.
    pub(super) fn check(&self) {
        let report = replay::<Interview>(SESSION, &self.spec, &self.lines, None, true).unwrap();
        assert_eq!((report.differs, report.chain), (None, None));
        for id in (1..=self.lines.len() as u64).map(EventId) {
            let why = why::<Interview>(SESSION, &self.spec, &self.lines, id).unwrap().unwrap();
            assert!(why.rule.key.is_some(), "{id}");
        }
        for record in self.events() {
            let seen = seen_by::<interview::Event>(Role::Observer, record.clone());
            assert!(seen.is_some(), "{} is hidden from who reads along", record.event_type);
        }
    }

    /// How the watched file is shown after the last event.
    pub(super) fn watched(&self) -> WatchView {
        let at = self.events().last().unwrap().timestamp;
        View::from_json(self.session.view(Role::Candidate, at)).unwrap().watched.unwrap()
    }

    /// The records so far.
    pub(super) fn events(&self) -> Vec<EventRecord> {
        self.lines.iter().map(|line| EventRecord::from_bytes(line).unwrap()).collect()
    }

    pub(super) fn line(&mut self, line: &str) {
        let (at, line) = line.split_once(' ').unwrap();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let at = time(at).plus_secs(self.offset);
        match verb {
            "begin" => self.command(&Command::Begin {}, &[], at),
            "done" => self.command(&Command::Done { section: None }, &[], at),
            "end" => self.command(&Command::End {}, &[], at),
            "hint" => self.command(&Command::Hint {}, &[], at),
            "unwatch" => self.command(&Command::Unwatch {}, &[], at),
            "say" => self.say(rest, at),
            "typing" => self.command(&Command::Typing { stopped: rest == "stopped" }, &[], at),
            "cover" => {
                for dimension in rest.split(' ') {
                    self.say(answer(dimension), at);
                }
            }
            "submit" | "test" => self.code(verb, rest, at),
            "watch" => {
                let (file_path, language) = (rest.to_owned(), Language::Python);
                self.command(&Command::Watch { file_path, language }, &[], at);
            }
            "ask" => self.ask(rest, at),
            "heard" => self.heard(rest, at),
            "here" | "gone" => self.input(&Input::Presence(verb == "here"), at),
            "tick" => self.input(&Input::Tick, at),
            "step" => self.step(rest.parse().unwrap(), at),
            "manual" => self.manual = true,
            "view" => self.view(rest, at),
            "wanted" => self.say_wanted(),
            verb => self.outcome(verb, rest, at),
        }
        self.own_words(at);
    }

    fn say(&mut self, rest: &str, at: Time) {
        let (section, text) = match rest.strip_prefix('@') {
            Some(rest) => {
                let (section, text) = rest.split_once(' ').unwrap();
                (Some(section.to_owned()), text.to_owned())
            }
            None => (None, rest.to_owned()),
        };
        self.command(&Command::Say { text, section }, &[], at);
    }

    fn code(&mut self, verb: &str, rest: &str, at: Time) {
        let mut words = rest.split(' ');
        let file_path = words.next().unwrap().to_owned();
        let blob = Blob(words.next().unwrap().into());
        let (code, language) = (blob.reference(), Language::Python);
        let again = words.next() == Some("again");
        let op =
            |call: &str, expect| Op { call: call.to_owned(), args: vec![Json::from(1)], expect };
        let command = match verb {
            "test" => Command::Test {
                file_path,
                code,
                language,
                cases: vec![vec![op("LRUCache", None), op("get", Some(Json::from(-1)))]],
            },
            _ => Command::Submit { file_path, code, language, again },
        };
        self.command(&command, &[blob], at);
    }

    fn ask(&mut self, rest: &str, at: Time) {
        let (kind, question) = rest.split_once(" ").unwrap_or((rest, ""));
        let kind = match kind {
            "concept" => AskKind::Concept,
            "error" => AskKind::Error,
            _ => AskKind::Code,
        };
        let question = question.to_owned();
        self.command(&Command::Ask { kind, question, code: None }, &[], at);
    }

    fn outcome(&mut self, verb: &str, rest: &str, at: Time) {
        let blob = |rest: &str| Blob(rest.split(' ').next().unwrap().into()).reference();
        let (what, outcome): (fn(&Effect) -> bool, _) = match verb {
            "verdict" => {
                let passed = rest.split_once('/').unwrap().0.parse().unwrap();
                (is_evaluate, problem::judged(passed))
            }
            "abort" => (is_evaluate, EffectOutcome::Evaluate(Err(Failure::new(rest)))),
            "tried" => match rest.strip_prefix("- ") {
                Some(reason) => (is_try, EffectOutcome::Try(Err(Failure::new(reason)))),
                None => (is_try, tried(rest.starts_with('1'))),
            },
            "growth" => (is_probe, growth(rest)),
            "words" => match rest.strip_prefix('!') {
                Some(reason) => (is_word, EffectOutcome::Word(Err(Failure::new(reason)))),
                None => (is_word, EffectOutcome::Word(Ok(rest.to_owned()))),
            },
            "saved" => {
                let saved = Saved { code: blob(rest), modified: at };
                (is_watch, EffectOutcome::Watch(Ok(Noticed::Saved(saved))))
            }
            "lost" => (is_watch, EffectOutcome::Watch(Err(Failure::new(rest)))),
            "missed" => {
                let why = Obstacle::from_json(rest.into()).unwrap();
                (is_watch, EffectOutcome::Watch(Ok(Noticed::Lost(why))))
            }
            "captured" => {
                let untaken = rest.strip_prefix("- ").map(|why| Untaken::from_json(why.into()));
                let untaken = untaken.map(Result::unwrap);
                let code = (!rest.starts_with('-')).then(|| blob(rest));
                let late = rest.ends_with("late");
                (is_capture, EffectOutcome::Capture(Ok(Captured { code, late, untaken })))
            }
            "answer" => {
                let text = (rest != "-").then(|| rest.to_owned());
                (is_assist, EffectOutcome::Assist(Ok(Assisted { text, model: None })))
            }
            verb => panic!("no line of a script begins with {verb}"),
        };
        let effect = self.wanted(what).unwrap_or_else(|| panic!("{verb}: nothing is wanted"));
        self.input(&Input::Outcome(effect.0, outcome), at);
    }

    /// What a model says of a message: the newest, or that of an event.
    fn heard(&mut self, rest: &str, at: Time) {
        let (meant, rest) = match rest.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            Some((event, rest)) => (Some(EffectId(EventId(event.parse().unwrap()))), rest),
            None => (None, rest),
        };
        let wanted = self.session.wanted_effects().into_iter();
        let mut hears = wanted.filter(|(_, effect)| matches!(effect, Effect::Hear(_)));
        let asked = hears.rfind(|(id, _)| meant.is_none_or(|meant| meant == *id)).map(|(id, _)| id);
        let outcome = match rest.strip_prefix('!') {
            Some(reason) => Err(Failure::new(reason)),
            None => {
                let (dimension, rest) = rest.split_once(' ').unwrap();
                let (level, quote) = rest.split_once(' ').unwrap();
                let level = Coverage::from_json(level.into()).unwrap();
                let (dimension, quote) = (dimension.to_owned(), quote.to_owned());
                Ok(vec![Testimony { dimension, level, quote }])
            }
        };
        let asked = asked.expect("a model is asked about a message");
        self.input(&Input::Outcome(asked, EffectOutcome::Hear(outcome)), at);
    }

    /// The watched file can not even be looked at.
    pub(super) fn fail_capture(&mut self, reason: &str, at: Time) {
        let (effect, _) = self.wanted(is_capture).expect("nothing is captured");
        let failed = EffectOutcome::Capture(Err(Failure::new(reason)));
        self.input(&Input::Outcome(effect, failed), at);
    }

    /// The words of the interviewer and of hints come as they are, unless a script gives others.
    fn own_words(&mut self, at: Time) {
        let due = |effect: &Effect, manual: bool| match effect {
            Effect::Word(word) if !manual || word.purpose == Purpose::Hint => {
                Some(word.text.clone())
            }
            _ => None,
        };
        for (id, effect) in self.session.wanted_effects() {
            if let Some(text) = due(&effect, self.manual) {
                self.input(&Input::Outcome(id, EffectOutcome::Word(Ok(text))), at);
            }
        }
    }

    fn wanted(&self, what: fn(&Effect) -> bool) -> Option<(EffectId, Effect)> {
        self.session.wanted_effects().into_iter().find(|(_, effect)| what(effect))
    }

    fn step(&mut self, secs: i64, at: Time) {
        self.steps += 1;
        self.offset += secs;
        let step = ClockStep { sequence: self.steps, step_micros: secs * 1_000_000 };
        self.input(&Input::ClockStep(step), at.plus_secs(secs));
    }

    pub(super) fn command(&mut self, command: &Command, blobs: &[Blob], at: Time) {
        self.commands += 1;
        self.command_as(self.commands, command, blobs, at);
    }

    pub(super) fn command_as(&mut self, id: u128, command: &Command, blobs: &[Blob], at: Time) {
        let args = command.args();
        let input = CommandInput {
            id: CommandId(uuid::Uuid::from_u128(id)),
            if_cursor: None,
            name: command.name(),
            args: &args,
            blobs,
            role: Role::Candidate,
        };
        self.input(&Input::Command(input), at);
    }

    pub(super) fn input(&mut self, input: &Input<'_>, at: Time) {
        let Advance { next, records, answer, .. } = self.session.advance(input, at);
        self.session = next;
        self.keep(&records, true);
        match answer {
            Answer::Refused(rejection) => {
                writeln!(self.output, "{}", rejection::tests::line(rejection)).unwrap();
            }
            Answer::Replayed { first, last } => {
                writeln!(self.output, "replayed {first} to {last}").unwrap();
            }
            Answer::Accepted { .. } | Answer::None => {}
        }
    }

    fn keep(&mut self, records: &[Sealed], shown: bool) {
        for sealed in records {
            self.lines.push(sealed.line.clone());
            if shown {
                let record = &sealed.record;
                let at = record.timestamp.micros_since(time("00:00"));
                let clock = clock(at);
                let said = payload(&record.payload);
                let id = record.event_id;
                writeln!(self.output, "{id} {clock} {}{said}", record.event_type).unwrap();
            }
        }
    }

    fn view(&mut self, role: &str, at: Time) {
        let role = match role {
            "interviewer" => Role::Interviewer,
            "observer" => Role::Observer,
            _ => Role::Candidate,
        };
        let view = View::from_json(self.session.view(role, at)).unwrap();
        let section = view.current_section.as_ref();
        let current = section.map_or("no section".to_owned(), |s| {
            let left = s.time_remaining_ms / 1_000;
            let question = s.question.as_deref().unwrap_or("-");
            let asked = s.followups_asked.map_or(String::new(), |n| format!(", asked {n}"));
            format!("{} {} {left} s left, {question:?}{asked}", s.section_id, s.substate.name())
        });
        let allowed = Json::from_iter([("allowed", view.allowed_actions.to_json())]);
        writeln!(
            self.output,
            "view {}: {current}; to come {:?};{}",
            view.phase.name(),
            view.upcoming_sections,
            payload(&allowed),
        )
        .unwrap();
    }

    fn say_wanted(&mut self) {
        for (id, effect) in self.session.wanted_effects() {
            writeln!(self.output, "wanted {id}:{}", payload(&effect.to_json())).unwrap();
        }
    }
}

fn is_evaluate(effect: &Effect) -> bool {
    matches!(effect, Effect::Evaluate(_))
}

fn is_probe(effect: &Effect) -> bool {
    matches!(effect, Effect::Probe(_))
}

fn is_try(effect: &Effect) -> bool {
    matches!(effect, Effect::Try(_))
}

fn is_word(effect: &Effect) -> bool {
    matches!(effect, Effect::Word(_))
}

fn is_watch(effect: &Effect) -> bool {
    matches!(effect, Effect::Watch(_))
}

fn is_capture(effect: &Effect) -> bool {
    matches!(effect, Effect::Capture(_))
}

fn is_assist(effect: &Effect) -> bool {
    matches!(effect, Effect::Assist(_))
}

fn tried(passed: bool) -> EffectOutcome {
    let mut evaluation = problem::evaluation(Load::Loaded, &[]);
    let outcome = if passed { CaseOutcome::Passed } else { CaseOutcome::Failed };
    let case = CaseResult { name: "own 1".to_owned(), outcome, ..evaluation.cases[0].clone() };
    evaluation.cases = vec![case];
    EffectOutcome::Try(Ok(Box::new(evaluation)))
}

/// Fields of a payload that say nothing new in a script's log.
const LEFT_OUT: [&str; 12] = [
    "evaluation",
    "word_count",
    "signals",
    "title",
    "goal",
    "required",
    "failing_tests",
    "runtime_ms",
    "line_count",
    "bytes",
    "python_version",
    "tests_failed",
];

/// A payload in short: ` name=value` each, instants as times of the script.
fn payload(json: &Json) -> String {
    let Some(fields) = json.as_object() else { return String::new() };
    let mut said = String::new();
    for (name, value) in fields {
        if LEFT_OUT.contains(&name.as_str()) || value.is_null() {
            continue;
        }
        let value = match value.as_str() {
            Some(text) if text.starts_with("sha256:") => format!("#{}", &text[7..11]),
            Some(text) => text.parse::<Time>().map_or_else(
                |_| format!("{text:?}"),
                |time_| clock(time_.micros_since(time("00:00"))),
            ),
            None => value.to_string().replace('"', ""),
        };
        write!(said, " {name}={value}").unwrap();
    }
    said
}

/// `12:30`, `12:30.5`.
fn clock(micros: i64) -> String {
    let (seconds, rest) = (micros / 1_000_000, micros % 1_000_000);
    let mut text = format!("{:02}:{:02}", seconds / 60, seconds % 60);
    if rest != 0 {
        text += format!(".{rest:06}").trim_end_matches('0');
    }
    text
}

/// Minutes and seconds after the creation of the session.
pub(super) fn time(text: &str) -> Time {
    let start: Time = "2026-01-05T23:30:00Z".parse().unwrap();
    let (minutes, seconds) = text.split_once(':').unwrap();
    let seconds: f64 = seconds.parse().unwrap();
    #[expect(clippy::cast_possible_truncation, reason = "a script's times are small")]
    let micros = (seconds * 1e6).round() as i64;
    start.plus_secs(minutes.parse::<i64>().unwrap() * 60).plus_micros(micros)
}
