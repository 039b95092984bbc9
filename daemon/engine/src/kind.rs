//! [`Kind`]: the rules a session follows, as pure functions over its state.
//!
//! A kind decides and evolves; order, time, ids and idempotency are the session's business.

use std::fmt::Debug;

use vosim_protocol::v1::bundle::CodeVersion;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::events::Events;
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::v1::talk::Entry;
use vosim_protocol::{BlobRef, EffectId, EventId, Role, SessionId, Time, Wire};

use crate::rejection::Rejection;

/// An event with its place and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded<E> {
    /// Its place in the session.
    pub id: EventId,
    /// When it happened.
    pub at: Time,
    /// What happened.
    pub event: E,
}

/// What made a recorded event happen: the input from which a replay decides anew.
#[derive(Clone, Debug, PartialEq)]
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

/// The rules of one kind of session.
///
/// `decide`, `conclude` and `on_deadline` never change state; `evolve` never refuses and never
/// looks at a clock. Every time they are given is the session's: it never falls.
///
/// A new kind implements this trait and gets one line in [`kinds`](crate::kinds).
pub trait Kind: Sized + 'static {
    /// Which kind it is.
    const KIND: vosim_protocol::Kind;

    /// Everything the rules depend on; kept as a blob beside the session.
    type Spec: Wire;
    /// What can be asked.
    type Command: Wire + Clone + Debug + PartialEq;
    /// What can happen.
    type Event: Events + Clone + Debug + PartialEq;
    /// The fold of what has happened.
    type State: Clone + Debug + Send;

    /// Why no session can follow a spec; one of our own can always be followed, a foreign bundle's
    /// may hold anything.
    fn check(_: &Self::Spec) -> Result<(), String> {
        Ok(())
    }

    /// What a list shows.
    fn title(spec: &Self::Spec) -> String;

    /// The state before the first event.
    fn initial(id: SessionId, spec: Self::Spec) -> Self::State;

    /// The specification's own first events, right after `SESSION_CREATED`.
    fn opening(state: &Self::State, at: Time) -> Vec<Self::Event>;

    /// An intention becomes facts, or a reason why not.
    ///
    /// An accepted command yields at least one event, since its id lives there.
    fn decide(
        state: &Self::State,
        command: &Self::Command,
        at: Time,
    ) -> Result<Vec<Self::Event>, Rejection>;

    /// The end of a wanted effect becomes facts; outcomes of others never get here.
    fn conclude(
        state: &Self::State,
        effect: EffectId,
        outcome: &EffectOutcome,
        at: Time,
    ) -> Vec<Self::Event>;

    /// The first terminal of the candidate has come, or the last one has gone; facts, or nothing
    /// where that makes no difference.
    fn presence(state: &Self::State, here: bool, at: Time) -> Vec<Self::Event>;

    /// True while the log says that a terminal of the candidate is there.
    fn present(state: &Self::State) -> bool;

    /// A fact becomes state.
    fn evolve(state: &mut Self::State, event: &Recorded<Self::Event>);

    /// When something is due next.
    fn next_deadline(state: &Self::State) -> Option<Time>;

    /// What happens at a deadline, stamped with `due`; at least one event, after which
    /// `next_deadline` is later or none.
    fn on_deadline(state: &Self::State, due: Time) -> Vec<Self::Event>;

    /// Moves open deadlines by so much, after the wall clock was stepped forward (DESIGN 4).
    fn shift_deadlines(state: &mut Self::State, step_micros: i64);

    /// What is asked of the outside and has not ended: after a crash this is what is left to do.
    fn wanted_effects(state: &Self::State) -> Vec<(EffectId, Effect)>;

    /// Where the session stands, as lists show it.
    fn phase(state: &Self::State) -> &'static str;

    /// True once nothing more can happen.
    fn ended(state: &Self::State) -> bool;

    /// What a role may see now, as the kind's view type.
    fn view(state: &Self::State, role: Role, at: Time) -> vosim_protocol::Json;

    /// The bytes a command names; they must come with it.
    fn blobs(command: &Self::Command) -> Vec<BlobRef>;

    /// What people read of an event on their terminals; none for what happens behind them.
    fn entry(_: &Recorded<Self::Event>) -> Option<Entry> {
        None
    }

    /// Each state of the code that a log's events tell of, in order.
    fn code_history(_: &[Recorded<Self::Event>]) -> Vec<CodeVersion> {
        Vec::new()
    }

    /// What made an event happen, given the state before it.
    fn cause(state: &Self::State, event: &Recorded<Self::Event>) -> Cause<Self::Command>;

    /// Why an event is as it is, given the state before it.
    fn why(state: &Self::State, event: &Recorded<Self::Event>) -> Explanation;
}
