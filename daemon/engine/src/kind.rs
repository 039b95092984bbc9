//! [`Kind`]: the rules a session follows, as pure functions over its state.
//!
//! A kind decides and evolves; order, time, ids and idempotency are the session's business.
//! `decide` refuses what may not be asked, `evolve` names what cannot have happened.

use std::fmt::Debug;

use vosim_protocol::next::Next;
use vosim_protocol::v1::attempt::AttemptV2;
use vosim_protocol::v1::bundle::{CodeVersion, EvaluationBundle};
use vosim_protocol::v1::commands::Commands;
use vosim_protocol::v1::effect::{EffectOutcome, EffectType, Failure};
use vosim_protocol::v1::events::Events;
use vosim_protocol::v1::guide::{Discussion, Guide};
use vosim_protocol::v1::problem::{DrawnInputs, Problem};
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::Receipt;
use vosim_protocol::v1::telling::Telling;
use vosim_protocol::{
    BlobRef, EffectId, EventId, EventRecord, Finished, Hash, Role, SessionId, Standing, Time, Wire,
};

use crate::because::Because;
use crate::draft::Draft;
use crate::failure::BundleError;
use crate::rejection::Rejection;
use crate::wanted::Wanted;

/// An event with its place and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded<E> {
    /// The place in the session.
    pub id: EventId,
    /// When it happened.
    pub at: Time,
    /// What happened.
    pub event: E,
}

/// What cannot be: an event that does not fit the ones before it.
///
/// In a log from elsewhere it is a finding, named with the event. In an event of our own it is a bug:
/// the session stops on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit(pub &'static str);

impl Misfit {
    /// Returns the misfit unless the event fits.
    pub fn unless(fits: bool, reason: &'static str) -> Result<(), Self> {
        if fits { Ok(()) } else { Err(Self(reason)) }
    }
}

/// What made a recorded event happen: the input from which a replay decides anew.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Cause<C> {
    /// Follows from the creation of the session.
    Opening,
    /// Somebody asked for it.
    Command(C),
    /// Something asked of the outside ended.
    Outcome(EffectId, EffectOutcome),
    /// The first terminal of the candidate came, or the last one went.
    Presence(bool),
    /// A deadline was reached.
    Deadline,
    /// Follows from the event before it.
    Consequence,
}

impl<C> Cause<C> {
    /// The end of an effect of one sort.
    pub fn ended<E: EffectType>(id: EffectId, outcome: Result<E::Outcome, Failure>) -> Self {
        Self::Outcome(id, E::ended(outcome))
    }
}

/// The rules of one kind of session.
///
/// `decide`, `on_deadline` and what an effect's end becomes choose facts and push them onto a
/// [`Draft`]; `evolve` makes state of them, returns a [`Misfit`] for one that cannot follow from the
/// others, and never looks at a clock. Every time they are given is the session's: it never falls.
///
/// What has a body here is for kinds that need it. A new kind implements the rest and gets one line
/// in [`kinds`](crate::kinds).
pub trait Kind: Debug + Sized + 'static {
    /// Which kind it is.
    const KIND: vosim_protocol::Kind;

    /// Everything the rules depend on; kept as a blob beside the session.
    type Spec: Wire;
    /// What can be asked.
    type Command: Commands + Clone + Debug + PartialEq + Send;
    /// What can happen.
    type Event: Events + Clone + Debug + PartialEq;
    /// The fold of what has happened.
    type State: Clone + Debug + Send;

    /// Returns what a list shows.
    fn title(spec: &Self::Spec) -> String;

    /// Returns the state before the first event.
    fn initial(id: SessionId, spec: Self::Spec) -> Self::State;

    /// Pushes the specification's own first events, right after `SESSION_CREATED`.
    fn opening(draft: &mut Draft<'_, Self::State, Self::Event>);

    /// Makes facts of an intention, or returns the reason why not; nothing has been pushed then.
    ///
    /// A command that is decided yields at least one event, since its id lives there.
    fn decide(
        draft: &mut Draft<'_, Self::State, Self::Event>,
        command: &Self::Command,
    ) -> Result<(), Rejection>;

    /// Makes state of a fact, or returns why it cannot follow from the ones before it; the state has
    /// not changed then.
    fn evolve(state: &mut Self::State, event: &Recorded<Self::Event>) -> Result<(), Misfit>;

    /// Returns where the session stands, as lists show it.
    fn phase(state: &Self::State) -> &'static str;

    /// Returns true once nothing more can happen.
    fn ended(state: &Self::State) -> bool;

    /// Returns what a role may see now, as the kind's view type.
    fn view(state: &Self::State, role: Role, at: Time) -> vosim_protocol::Json;

    /// Returns what an event says to people, from the event alone: it may be told as a role sees it,
    /// and where nobody knows the state.
    fn tell(event: &Recorded<Self::Event>) -> Telling;

    /// Returns what made an event happen, given the state before it.
    fn cause(state: &Self::State, event: &Recorded<Self::Event>) -> Cause<Self::Command>;

    /// Returns what a command has resulted in once nothing of it is under way, from the events that it
    /// led to, as a role may see them; none where the session ended before there was a result.
    fn settled(
        state: &Self::State,
        command: &Self::Command,
        led_to: &[Recorded<Self::Event>],
    ) -> Option<<Self::Command as Commands>::Settled>;

    /// Explains an event, given the state before it.
    fn why(state: &Self::State, event: &Recorded<Self::Event>) -> Because;

    /// Returns why no session can follow a spec; one of our own can always be followed, a foreign
    /// bundle's may hold anything.
    fn check(_: &Self::Spec) -> Result<(), String> {
        Ok(())
    }

    /// Returns the problem that code is judged by, with the hash of its cases; none for a kind that
    /// judges nothing.
    fn exercise(_: &Self::Spec) -> Option<(&Problem, Hash)> {
        None
    }

    /// Returns how hidden inputs are drawn; none where the problem has no generator.
    fn draw(_: &Self::Spec) -> Option<&DrawnInputs> {
        None
    }

    /// Returns what guides through the problem; none for a kind that does not guide.
    fn guide(_: &Self::Spec) -> Option<&Guide> {
        None
    }

    /// Returns how a session about a problem came out, once it has ended.
    fn finished(_: &Self::State) -> Option<Finished> {
        None
    }

    /// Returns how it stands with the problem, for lists.
    fn standing(_: &Self::State) -> Option<Standing> {
        None
    }

    /// Returns what can be done when the session is over.
    fn after_the_end() -> Vec<Next> {
        Vec::new()
    }

    /// Returns a log in the form that the kind's specification gives it, if it has one of its own: from
    /// its records as a candidate may see them, and the state that they led to.
    fn plain(_: &Self::State, _seen: &[EventRecord]) -> Option<Vec<u8>> {
        None
    }

    /// Returns the attempt in the words of 003, for a kind that is one.
    fn attempt(_: &Self::State) -> Option<AttemptV2> {
        None
    }

    /// Returns the evaluation bundle of an ended session, if its kind is evaluated.
    fn evaluation(
        _: SessionId,
        _spec: &[u8],
        _lines: &[Vec<u8>],
    ) -> Result<EvaluationBundle, BundleError> {
        Err(BundleError::NoEvaluation { kind: Self::KIND })
    }

    /// Puts what is the kind's own into the report of an ended session.
    fn report(_: &Self::State, _: &[Recorded<Self::Event>], _: &Discussion, _: &mut Report) {}

    /// Returns the result of a command that can be answered although nothing happens: what was told
    /// before is told again, and what may be read after the end is read. Such a command is not
    /// decided and leaves no trace.
    fn recalled(
        _: &Self::State,
        _: &Self::Command,
    ) -> Option<<Self::Command as Commands>::Settled> {
        None
    }

    /// Returns what the sender of a command can rely on, given the state right after the events that
    /// it caused; none in a kind that counts no time.
    fn receipt(_: &Self::State, _caused: &[Recorded<Self::Event>]) -> Option<Receipt> {
        None
    }

    /// Returns the bytes that a command names; they must come with it.
    fn blobs(_: &Self::Command) -> Vec<BlobRef> {
        Vec::new()
    }

    /// Returns true while more follows from the state alone, in the middle of a step: whatever led
    /// to it has not settled then, although nothing may be wanted yet.
    fn goes_on(_: &Self::State) -> bool {
        false
    }

    /// Pushes what follows from the facts of one input, whatever the input was.
    fn settle(_: &mut Draft<'_, Self::State, Self::Event>) {}

    /// Returns what is asked of the outside and has not ended: after a crash this is what is left
    /// to do. What an event asks for is wanted from that event on, since a command of which
    /// nothing is wanted has settled.
    fn wanted(_: &Self::State) -> Vec<Wanted<Self::State, Self::Event>> {
        Vec::new()
    }

    /// Returns when something is due next.
    fn next_deadline(_: &Self::State) -> Option<Time> {
        None
    }

    /// Pushes what happens at a deadline: at least one event, after which `next_deadline` is later
    /// or none.
    fn on_deadline(_: &mut Draft<'_, Self::State, Self::Event>) {}

    /// Moves open deadlines by so much, after the wall clock was stepped forward (DESIGN 4).
    fn shift_deadlines(_: &mut Self::State, _step_micros: i64) {}

    /// Pushes what it means that the first terminal of the candidate has come, or the last one has
    /// gone; nothing where that makes no difference.
    fn presence(_: &mut Draft<'_, Self::State, Self::Event>, _here: bool) {}

    /// Returns true while the log says that a terminal of the candidate is there.
    fn present(_: &Self::State) -> bool {
        false
    }

    /// Returns each state of the code that a log's events tell of, in order.
    fn code_history(_: &[Recorded<Self::Event>]) -> Vec<CodeVersion> {
        Vec::new()
    }
}
