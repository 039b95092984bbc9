//! The rules of an errand, the kind that only tests host.
//!
//! ```text
//! working --hand_in--> handed_in --check--> checking --its end--> handed_in --take--> taken
//!    ^                   |    ^                                     |
//!    +----send_back------+    +--hand_in, again---------------------+
//! any of them but taken --deadline--> expired
//! ```

use vosim_protocol::v1::effect::{Chat, ChatTurn, Execute, Executed, Failure};
use vosim_protocol::v1::errand::{
    AdviceAsked, AdviceGiven, CheckBegan, Command, ErrandExpired, ErrandGiven, Event, Phase,
    Settled, Start, View, WorkChecked, WorkHandedIn, WorkSentBack, WorkTaken, WorkUnchanged,
};
use vosim_protocol::v1::phrase::{Phrase, Span};
use vosim_protocol::v1::telling::{Channel, Telling, Tone};
use vosim_protocol::{BlobRef, EffectId, Hash, Json, Role, SessionId, Time, Wire as _, phrase};

use crate::because::Because;
use crate::kind::{Cause, Kind, Misfit, Recorded};
use crate::rejection::Rejection;
use crate::wanted::Wanted;

/// An errand.
#[derive(Debug)]
pub enum Errand {}

/// What has happened so far.
#[derive(Clone, Debug)]
pub struct State {
    id: SessionId,
    spec: Start,
    due: Option<Time>,
    stage: Stage,
    handed_in: u32,
    /// What the last work changed.
    patch: Option<Hash>,
    /// What was said about it all, and the question that waits for an answer.
    talk: Vec<ChatTurn>,
    asked: Option<EffectId>,
}

/// A phase with what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Working,
    HandedIn,
    /// The effect is that of the event which asked for the checks.
    Checking(EffectId),
    Taken,
    Expired,
}

type Draft<'a> = crate::draft::Draft<'a, State, Event>;

impl Kind for Errand {
    const KIND: vosim_protocol::Kind = vosim_protocol::Kind::Errand;

    type Spec = Start;
    type Command = Command;
    type Event = Event;
    type State = State;

    fn title(spec: &Start) -> String {
        spec.title.clone()
    }

    fn initial(id: SessionId, spec: Start) -> State {
        let (stage, talk) = (Stage::Working, Vec::new());
        State { id, spec, due: None, stage, handed_in: 0, patch: None, talk, asked: None }
    }

    fn opening(draft: &mut Draft<'_>) {
        let spec = &draft.state().spec;
        let due = draft.at().plus_secs(i64::from(spec.minutes) * 60);
        let given = ErrandGiven { title: spec.title.clone(), due };
        draft.push(Event::ErrandGiven(given));
    }

    fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
        let State { stage, handed_in: number, .. } = *draft.state();
        let event = match (command, stage) {
            (Command::HandIn { patch, notes }, Stage::Working | Stage::HandedIn) => {
                let (patch, notes) = (*patch, *notes);
                Event::WorkHandedIn(WorkHandedIn { number: number + 1, patch, notes })
            }
            (Command::Ask { .. }, _) if draft.state().asked.is_some() => {
                return Err(refused("ask", "the last question has no answer yet"));
            }
            (Command::Ask { question }, _) => {
                Event::AdviceAsked(AdviceAsked { question: question.clone() })
            }
            (Command::Check {}, Stage::HandedIn) => Event::CheckBegan(CheckBegan { number }),
            (Command::SendBack { reason }, Stage::HandedIn) => {
                Event::WorkSentBack(WorkSentBack { reason: reason.clone() })
            }
            (Command::Take {}, Stage::HandedIn) => Event::WorkTaken(WorkTaken { number }),
            (Command::HandIn { .. }, _) => return Err(refused("hand in work", "it is checked")),
            (Command::Check {}, _) => return Err(refused("check", NOTHING)),
            (Command::SendBack { .. }, _) => return Err(refused("send back", NOTHING)),
            (Command::Take {}, _) => return Err(refused("take", NOTHING)),
        };
        let before = draft.state().patch;
        draft.push(event);
        if matches!(command, Command::HandIn { patch, .. } if before == Some(patch.hash)) {
            draft.push(Event::WorkUnchanged(WorkUnchanged { number: number + 1 }));
        }
        Ok(())
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
        let stage = match &event.event {
            Event::ErrandGiven(given) => {
                state.due = Some(given.due);
                Stage::Working
            }
            Event::WorkHandedIn(work) => {
                Misfit::unless(work.number == state.handed_in + 1, "work that does not count on")?;
                state.handed_in = work.number;
                state.patch = Some(work.patch.hash);
                Stage::HandedIn
            }
            Event::WorkUnchanged(_) => state.stage,
            Event::AdviceAsked(asked) => {
                state.asked = Some(EffectId(event.id));
                state.talk.push(ChatTurn { by_model: false, text: asked.question.clone() });
                state.stage
            }
            Event::AdviceGiven(given) => {
                Misfit::unless(state.asked.take().is_some(), "advice that nobody asked for")?;
                let said = given.advice.clone();
                state.talk.extend(said.map(|text| ChatTurn { by_model: true, text }));
                state.stage
            }
            Event::CheckBegan(_) => Stage::Checking(EffectId(event.id)),
            Event::WorkChecked(_) => {
                Misfit::unless(state.checking().is_some(), "the end of checks that nobody began")?;
                Stage::HandedIn
            }
            Event::WorkSentBack(_) => Stage::Working,
            Event::WorkTaken(_) => Stage::Taken,
            Event::ErrandExpired(_) => Stage::Expired,
        };
        state.stage = stage;
        Ok(())
    }

    fn phase(state: &State) -> &'static str {
        state.phase().name()
    }

    fn ended(state: &State) -> bool {
        matches!(state.stage, Stage::Taken | Stage::Expired)
    }

    fn view(state: &State, _: Role, at: Time) -> Json {
        let view = View {
            session_id: state.id,
            title: state.spec.title.clone(),
            folder: state.spec.folder.clone(),
            phase: state.phase(),
            at,
            due: state.due.unwrap_or(at),
            handed_in: state.handed_in,
        };
        view.to_json()
    }

    fn tell(event: &Recorded<Event>) -> Telling {
        let (channel, line) = match &event.event {
            Event::ErrandGiven(given) => {
                let (title, time) = (given.title.as_str(), Span::between(event.at, given.due));
                (Channel::Interviewer, phrase!("errand.given", title, time))
            }
            Event::WorkHandedIn(work) => {
                let (number, patch, notes) =
                    (work.number, work.patch.line_count, work.notes.line_count);
                (Channel::Assistant, phrase!("errand.handed_in", number, patch, notes))
            }
            Event::AdviceAsked(asked) => {
                (Channel::Ask, phrase!("errand.asked", question = asked.question.as_str()))
            }
            Event::AdviceGiven(given) => (Channel::Assistant, advice(given)),
            Event::WorkUnchanged(work) => {
                (Channel::System, phrase!("errand.unchanged", number = work.number))
            }
            Event::CheckBegan(began) => {
                (Channel::System, phrase!("errand.check_began", number = began.number))
            }
            Event::WorkChecked(checked) => return checks(checked),
            Event::WorkSentBack(back) => {
                (Channel::Interviewer, phrase!("errand.sent_back", reason = back.reason.as_str()))
            }
            Event::WorkTaken(taken) => {
                (Channel::Interviewer, phrase!("errand.taken", number = taken.number))
            }
            Event::ErrandExpired(_) => (Channel::System, phrase!("errand.expired")),
        };
        Telling::spoken(channel, line)
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        match &event.event {
            Event::ErrandGiven(_) => Cause::Opening,
            Event::WorkHandedIn(WorkHandedIn { patch, notes, .. }) => {
                Cause::Command(Command::HandIn { patch: *patch, notes: *notes })
            }
            Event::WorkUnchanged(_) => Cause::Consequence,
            Event::AdviceAsked(AdviceAsked { question }) => {
                Cause::Command(Command::Ask { question: question.clone() })
            }
            Event::AdviceGiven(given) => {
                let said = given.advice.clone();
                let failed = || Failure::new(given.failure.clone().unwrap_or_default());
                let asked = state.asked.unwrap_or(EffectId(event.id));
                Cause::ended::<Chat>(asked, said.ok_or_else(failed))
            }
            Event::CheckBegan(_) => Cause::Command(Command::Check {}),
            Event::WorkChecked(WorkChecked { steps, failure, .. }) => {
                let outcome = match failure {
                    Some(reason) => Err(Failure::new(reason)),
                    None => Ok(Executed { steps: steps.clone() }),
                };
                let asked = state.checking().unwrap_or(EffectId(event.id));
                Cause::ended::<Execute>(asked, outcome)
            }
            Event::WorkSentBack(WorkSentBack { reason }) => {
                Cause::Command(Command::SendBack { reason: reason.clone() })
            }
            Event::WorkTaken(_) => Cause::Command(Command::Take {}),
            Event::ErrandExpired(_) => Cause::Deadline,
        }
    }

    fn settled(_: &State, command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
        let found =
            |of: fn(&Event) -> Option<Settled>| led_to.iter().find_map(|led| of(&led.event));
        match command {
            Command::HandIn { .. } => found(|event| {
                let Event::WorkHandedIn(work) = event else { return None };
                Some(Settled::HandIn(work.clone()))
            }),
            Command::Ask { .. } => found(|event| {
                let Event::AdviceGiven(given) = event else { return None };
                Some(Settled::Ask(given.clone()))
            }),
            Command::Check {} => found(|event| {
                let Event::WorkChecked(checked) = event else { return None };
                Some(Settled::Check(checked.clone()))
            }),
            Command::SendBack { .. } => found(|event| {
                let Event::WorkSentBack(back) = event else { return None };
                Some(Settled::SendBack(back.clone()))
            }),
            Command::Take {} => found(|event| {
                let Event::WorkTaken(taken) = event else { return None };
                Some(Settled::Take(taken.clone()))
            }),
        }
    }

    fn why(_: &State, _: &Recorded<Event>) -> Because {
        Because::of(phrase!("rule.errand"))
    }

    fn blobs(command: &Command) -> Vec<BlobRef> {
        match command {
            Command::HandIn { patch, notes } => vec![*patch, *notes],
            Command::Ask { .. }
            | Command::Check {}
            | Command::SendBack { .. }
            | Command::Take {} => Vec::new(),
        }
    }

    fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
        let checks = state.checking().map(|id| {
            let Start { folder, checks: steps, .. } = state.spec.clone();
            let number = state.handed_in;
            Wanted::new(id, Execute { folder, steps }, move |draft, outcome| {
                let (steps, failure) = match outcome {
                    Ok(executed) => (executed.steps.clone(), None),
                    Err(failure) => (Vec::new(), Some(failure.reason.clone())),
                };
                draft.push(Event::WorkChecked(WorkChecked { number, steps, failure }));
            })
        });
        let advice = state.asked.map(|id| {
            let instructions = format!("Advise an agent whose job is: {}", state.spec.title);
            let chat = Chat { instructions, turns: state.talk.clone() };
            Wanted::new(id, chat, |draft, outcome| {
                let (advice, failure) = match outcome {
                    Ok(said) => (Some(said.clone()), None),
                    Err(failure) => (None, Some(failure.reason.clone())),
                };
                draft.push(Event::AdviceGiven(AdviceGiven { advice, failure }));
            })
        });
        checks.into_iter().chain(advice).collect()
    }

    fn next_deadline(state: &State) -> Option<Time> {
        state.due
    }

    fn on_deadline(draft: &mut Draft<'_>) {
        draft.push(Event::ErrandExpired(ErrandExpired {}));
    }

    fn shift_deadlines(state: &mut State, step_micros: i64) {
        state.due = state.due.map(|due| due.plus_micros(step_micros));
    }
}

const NOTHING: &str = "there is no work that waits for it";

fn refused(command: &'static str, because: &'static str) -> Rejection {
    Rejection::InvalidTransition { command, because, next: Vec::new() }
}

fn advice(given: &AdviceGiven) -> Phrase {
    match (&given.advice, &given.failure) {
        (Some(advice), _) => phrase!("errand.advice", advice = advice.as_str()),
        (None, reason) => {
            phrase!("errand.no_advice", reason = reason.as_deref().unwrap_or("nobody knows why"))
        }
    }
}

fn checks(checked: &WorkChecked) -> Telling {
    let number = checked.number;
    let failed = checked.steps.iter().find(|step| !step.succeeded());
    let (line, tone): (Phrase, Tone) = match (&checked.failure, failed) {
        (Some(reason), _) => {
            (phrase!("errand.not_checked", number, reason = reason.as_str()), Tone::Bad)
        }
        (None, Some(step)) => {
            (phrase!("errand.check_failed", number, step = step.name.as_str()), Tone::Bad)
        }
        (None, None) => (phrase!("errand.checks_passed", number), Tone::Good),
    };
    Telling::spoken(Channel::System, line).in_tone(tone)
}

impl State {
    /// The effect of the checks that are under way.
    fn checking(&self) -> Option<EffectId> {
        if let Stage::Checking(effect) = self.stage { Some(effect) } else { None }
    }

    fn phase(&self) -> Phase {
        match self.stage {
            Stage::Working => Phase::Working,
            Stage::HandedIn => Phase::HandedIn,
            Stage::Checking(_) => Phase::Checking,
            Stage::Taken => Phase::Taken,
            Stage::Expired => Phase::Expired,
        }
    }
}
