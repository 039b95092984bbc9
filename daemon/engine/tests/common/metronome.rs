//! A kind for tests, with everything a drill does not have: deadlines of its own and deadlines
//! that a command opens, two events at one deadline, events that a role may not see.
//!
//! It ends with deadlines open and an effect wanted on purpose: that nothing happens after the end
//! is the session's business.

use serde::{Deserialize, Serialize};
use vosim_engine::{Because, Cause, Draft, Kind, Misfit, Recorded, Rejection, Wanted};
use vosim_protocol::v1::effect::{Purpose, Word};
use vosim_protocol::v1::events::Events as _;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::telling::Telling;
use vosim_protocol::{
    EffectId, EventId, Json, Role, SessionId, Time, Wire, commands, events, schemars,
};

/// So many beats at an interval, then the end.
#[derive(Debug)]
pub(crate) enum Metronome {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Spec {
    interval_secs: i64,
    beats: u32,
}

/// The spec blob of so many beats, a minute apart.
pub(crate) fn spec(beats: u32) -> Vec<u8> {
    Spec { interval_secs: 60, beats }.to_line()
}

commands! {
    pub(crate) enum Command of Drill, settled as Settled {
        /// Says how long it is until the next beat.
        Ring {}: "ring" -> Rang;
        /// Rings by itself after a while.
        Alarm { secs: i64 }: "alarm" -> AlarmSet;
        /// Asks for a word.
        Ask {}: "ask" -> Answered;
        /// Says something that only interviewers see, and sighs: two events.
        Whisper { text: String }: "whisper" -> Sighed;
        /// Ends it.
        Stop {}: "stop" -> Stopped;
    }
}

events! {
    pub(crate) enum Event {
        Wound(Wound): "WOUND" by System for Everyone;
        Rang(Rang): "RANG" by Candidate for Everyone;
        AlarmSet(AlarmSet): "ALARM_SET" by Candidate for Everyone;
        AlarmRang(AlarmRang): "ALARM_RANG" by System for Everyone;
        Beat(Beat): "BEAT" by System for Everyone;
        Asked(Asked): "ASKED" by Candidate for Everyone;
        Answered(Answered): "ANSWERED" by AssistantAi for Everyone;
        Whispered(Whispered): "WHISPERED" by Interviewer for Interviewer;
        Sighed(Sighed): "SIGHED" by Interviewer for Everyone;
        Came(Came): "CAME" by System for Everyone;
        Went(Went): "WENT" by System for Everyone;
        Stopped(Stopped): "STOPPED" by System for Everyone;
    }
}

/// The payloads of a kind's events, one line each.
macro_rules! payloads {
    ($($name:ident { $($field:ident: $type:ty)? })*) => {
        $(
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
            pub(crate) struct $name {
                $(pub(crate) $field: $type,)?
            }
        )*
    };
}

payloads! {
    Wound { first: Time }
    Rang { micros_left: i64 }
    AlarmSet { due: Time }
    AlarmRang { due: Time }
    Beat { number: u32 }
    Asked {}
    Answered { text: String }
    Whispered { text: String }
    Sighed {}
    Came {}
    Went {}
    Stopped { beats: u32 }
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    spec: Spec,
    beats: u32,
    next_beat: Time,
    /// In order.
    alarms: Vec<Time>,
    asked: Option<EffectId>,
    answers: u32,
    here: bool,
    stopped: bool,
}

impl Kind for Metronome {
    const KIND: vosim_protocol::Kind = vosim_protocol::Kind::Drill;

    type Spec = Spec;
    type Command = Command;
    type Event = Event;
    type State = State;

    fn title(spec: &Spec) -> String {
        format!("{} beats", spec.beats)
    }

    fn initial(_: SessionId, spec: Spec) -> State {
        let next_beat = Time::from_micros(i64::MAX);
        let (alarms, asked) = (Vec::new(), None);
        State { spec, beats: 0, next_beat, alarms, asked, answers: 0, here: false, stopped: false }
    }

    fn opening(draft: &mut Draft<'_, State, Event>) {
        let first = draft.at().plus_secs(draft.state().spec.interval_secs);
        draft.push(Event::Wound(Wound { first }));
    }

    fn decide(draft: &mut Draft<'_, State, Event>, command: &Command) -> Result<(), Rejection> {
        let at = draft.at();
        match command {
            Command::Ring {} => {
                let micros_left = left(draft.state(), at);
                draft.push(Event::Rang(Rang { micros_left }));
            }
            Command::Alarm { secs } if *secs < 1 => {
                return Err(Rejection::InvalidInput {
                    message: "an alarm needs a while".to_owned(),
                    next: Vec::new(),
                });
            }
            Command::Alarm { secs } => {
                draft.push(Event::AlarmSet(AlarmSet { due: at.plus_secs(*secs) }));
            }
            Command::Ask {} if draft.state().asked.is_some() => {
                return Err(Rejection::InvalidInput {
                    message: "one question at a time".to_owned(),
                    next: Vec::new(),
                });
            }
            Command::Ask {} => drop(draft.push(Event::Asked(Asked {}))),
            Command::Whisper { text } => {
                draft.push(Event::Whispered(Whispered { text: text.clone() }));
                draft.push(Event::Sighed(Sighed {}));
            }
            Command::Stop {} => {
                let beats = draft.state().beats;
                draft.push(Event::Stopped(Stopped { beats }));
            }
        }
        Ok(())
    }

    fn presence(draft: &mut Draft<'_, State, Event>, here: bool) {
        draft.push(if here { Event::Came(Came {}) } else { Event::Went(Went {}) });
    }

    fn present(state: &State) -> bool {
        state.here
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
        match &event.event {
            Event::Wound(Wound { first }) => state.next_beat = *first,
            Event::AlarmSet(AlarmSet { due }) => {
                let at = state.alarms.partition_point(|alarm| alarm <= due);
                state.alarms.insert(at, *due);
            }
            Event::AlarmRang(_) => {
                Misfit::unless(!state.alarms.is_empty(), "an alarm that nobody set")?;
                state.alarms.remove(0);
            }
            Event::Beat(Beat { number }) => {
                state.beats = *number;
                state.next_beat = state.next_beat.plus_secs(state.spec.interval_secs);
            }
            Event::Asked(_) => {
                Misfit::unless(state.asked.is_none(), "a question before the answer")?;
                state.asked = Some(EffectId(event.id));
            }
            Event::Answered(_) => {
                Misfit::unless(state.asked.is_some(), "an answer that nobody waits for")?;
                state.asked = None;
                state.answers += 1;
            }
            Event::Came(_) => state.here = true,
            Event::Went(_) => state.here = false,
            Event::Stopped(_) => state.stopped = true,
            Event::Rang(_) | Event::Whispered(_) | Event::Sighed(_) => {}
        }
        Ok(())
    }

    fn next_deadline(state: &State) -> Option<Time> {
        state.alarms.first().copied().into_iter().chain([state.next_beat]).min()
    }

    fn on_deadline(draft: &mut Draft<'_, State, Event>) {
        let due = draft.at();
        if draft.state().alarms.first() == Some(&due) {
            draft.push(Event::AlarmRang(AlarmRang { due }));
            return;
        }
        let number = draft.state().beats + 1;
        draft.push(Event::Beat(Beat { number }));
        if number >= draft.state().spec.beats {
            draft.push(Event::Stopped(Stopped { beats: number }));
        }
    }

    fn shift_deadlines(state: &mut State, step_micros: i64) {
        for due in state.alarms.iter_mut().chain([&mut state.next_beat]) {
            *due = due.plus_micros(step_micros);
        }
    }

    /// One question at a time, so that answers come in order.
    fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
        let wanted = |id: &EffectId| {
            let (text, context) = (format!("question {id}"), Vec::new());
            let word = Word { text, purpose: Purpose::Hint, context, model: None };
            Wanted::new(*id, word, |draft, outcome| {
                let text = outcome.map_or_else(|_| "no answer".to_owned(), Clone::clone);
                draft.push(Event::Answered(Answered { text }));
            })
        };
        state.asked.iter().map(wanted).collect()
    }

    fn phase(state: &State) -> &'static str {
        if state.stopped { "stopped" } else { "running" }
    }

    fn ended(state: &State) -> bool {
        state.stopped
    }

    fn view(state: &State, role: Role, at: Time) -> Json {
        Json::from_iter([
            ("role".to_owned(), role.to_json()),
            ("beats".to_owned(), state.beats.into()),
            ("answers".to_owned(), state.answers.into()),
            ("micros_left".to_owned(), left(state, at).into()),
        ])
    }

    fn tell(event: &Recorded<Event>) -> Telling {
        Telling::silent(Phrase::said(event.event.row().event_type))
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        let none = EffectId(EventId::ZERO);
        let wanted = state.asked.unwrap_or(none);
        match &event.event {
            Event::Wound(_) => Cause::Opening,
            Event::Rang(_) => Cause::Command(Command::Ring {}),
            Event::AlarmSet(AlarmSet { due }) => {
                let secs = due.micros_since(event.at) / 1_000_000;
                Cause::Command(Command::Alarm { secs })
            }
            Event::Asked(_) => Cause::Command(Command::Ask {}),
            Event::Answered(Answered { text }) => Cause::ended::<Word>(wanted, Ok(text.clone())),
            Event::AlarmRang(_) | Event::Beat(_) => Cause::Deadline,
            Event::Whispered(Whispered { text }) => {
                Cause::Command(Command::Whisper { text: text.clone() })
            }
            Event::Sighed(_) => Cause::Consequence,
            Event::Came(_) => Cause::Presence(true),
            Event::Went(_) => Cause::Presence(false),
            Event::Stopped(_) => Cause::Command(Command::Stop {}),
        }
    }

    fn settled(_: &State, command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
        led_to.iter().find_map(|led| match (command, &led.event) {
            (Command::Ring {}, Event::Rang(rang)) => Some(Settled::Ring(rang.clone())),
            (Command::Alarm { .. }, Event::AlarmSet(set)) => Some(Settled::Alarm(set.clone())),
            (Command::Ask {}, Event::Answered(word)) => Some(Settled::Ask(word.clone())),
            (Command::Whisper { .. }, Event::Sighed(sigh)) => Some(Settled::Whisper(sigh.clone())),
            (Command::Stop {}, Event::Stopped(end)) => Some(Settled::Stop(end.clone())),
            _ => None,
        })
    }

    fn why(_: &State, _: &Recorded<Event>) -> Because {
        Because::of(Phrase::said("a metronome beats"))
    }
}

fn left(state: &State, at: Time) -> i64 {
    state.next_beat.micros_since(at)
}
