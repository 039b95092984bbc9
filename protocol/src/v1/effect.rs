//! What sessions ask of the world, whatever their kind, and how it ends.
//!
//! One file for each effect: what it needs and what its outcome is. An effect that cannot be
//! carried out ends in a [`Failure`], which says so in one sentence and nothing more.

mod act;
mod assist;
mod capture;
mod chat;
mod check;
mod draw;
mod evaluate;
mod examine;
mod execute;
mod hear;
mod prepare;
mod probe;
mod propose;
mod recall;
mod restore;
mod run_tests;
mod scan;
mod shrink;
mod trial;
mod watch;
mod word;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::evaluation::{Evaluation, GrowthPoint};

pub use act::{Act, Acted};
pub use assist::{Assist, Assisted};
pub use capture::{Capture, Captured, Untaken};
pub use chat::{Chat, ChatTurn};
pub use check::{CheckInvariant, Checked};
pub use draw::{Draw, Drawn};
pub use evaluate::Evaluate;
pub use examine::{Examine, Examined, ExaminedRun};
pub use execute::{Execute, ExecuteStep, Executed, ExecutedStep};
pub use hear::{Hear, Subject, Testimony};
pub use prepare::{Prepare, Prepared};
pub use probe::Probe;
pub use propose::{Proposal, Propose, Proposed};
pub use recall::{Memory, PartialSolution, Recall, Recalled, Remember, Remembered};
pub use restore::{PutBack, Restore, Restored};
pub use run_tests::{RunTests, TestsRun};
pub use scan::{Scan, Scanned};
pub use shrink::{Shrink, Trace, TracedCall};
pub use trial::Try;
pub use watch::{Noticed, Obstacle, Saved, Watch};
pub use word::{Purpose, Word};

/// Where an effect must be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Where code is judged: beside the sandbox and the hidden cases.
    Judge,
    /// Where the model and the assistant are.
    Model,
    /// Where the candidate's files are.
    Files,
}

/// Why an effect could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// One sentence.
    pub reason: String,
}

impl Failure {
    /// A failure for a reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// One sort of effect. It fixes the type of its outcome, so that a wrong one cannot be written.
pub trait EffectType: Sized {
    /// What comes back when it succeeds.
    type Outcome;

    /// Where it must be carried out.
    const PLACE: Place;

    /// Whether it does something. One that only waits keeps nobody busy.
    const WORKS: bool = true;

    /// The effect among all others.
    fn into_effect(self) -> Effect;

    /// How it ended, among all other outcomes.
    fn ended(outcome: Result<Self::Outcome, Failure>) -> EffectOutcome;

    /// How it ended; none when that is the outcome of another sort of effect.
    fn outcome(ended: &EffectOutcome) -> Option<Result<&Self::Outcome, &Failure>>;

    /// Moves the instants that it names, when the session's time and the wall clock differ.
    fn shift(&mut self, _micros: i64) {}
}

/// Lists the effects, one row for each: its type, its name, what comes back, where it is carried out, and
/// the instant that it names, if any.
macro_rules! effects {
    ($($(#[$doc:meta])* $Effect:ident = $name:literal -> $Outcome:ty, at $Place:ident $(, works: $works:literal)?
        $(, names: $instant:ident)?;)*) => {
        /// Something a session wants from the world.
        #[expect(clippy::large_enum_variant, reason = "there are a few at a time, none in a row")]
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "effect")]
        pub enum Effect {
            $($(#[$doc])* #[serde(rename = $name)] $Effect($Effect),)*
        }

        /// How an effect ended.
        #[derive(Clone, Debug, PartialEq)]
        pub enum EffectOutcome {
            $($(#[$doc])* $Effect(Result<$Outcome, Failure>),)*
        }

        impl Effect {
            /// Its name on the wire.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$Effect(_) => $name,)*
                }
            }

            /// Where it must be carried out.
            pub fn place(&self) -> Place {
                match self {
                    $(Self::$Effect(_) => <$Effect as EffectType>::PLACE,)*
                }
            }

            /// Whether it does something: a file that is watched keeps nobody busy.
            pub fn is_work(&self) -> bool {
                match self {
                    $(Self::$Effect(_) => <$Effect as EffectType>::WORKS,)*
                }
            }

            /// Moves the instants that it names.
            pub fn shift(&mut self, micros: i64) {
                match self {
                    $(Self::$Effect(effect) => effect.shift(micros),)*
                }
            }

            /// The outcome of an effect of this sort that could not be carried out.
            pub fn failed(&self, failure: Failure) -> EffectOutcome {
                match self {
                    $(Self::$Effect(_) => EffectOutcome::$Effect(Err(failure)),)*
                }
            }
        }

        $(
            impl EffectType for $Effect {
                type Outcome = $Outcome;

                const PLACE: Place = Place::$Place;
                $(const WORKS: bool = $works;)?

                fn into_effect(self) -> Effect {
                    Effect::$Effect(self)
                }

                fn ended(outcome: Result<Self::Outcome, Failure>) -> EffectOutcome {
                    EffectOutcome::$Effect(outcome)
                }

                fn outcome(ended: &EffectOutcome) -> Option<Result<&Self::Outcome, &Failure>> {
                    match ended {
                        EffectOutcome::$Effect(outcome) => Some(outcome.as_ref()),
                        _ => None,
                    }
                }
                $(
                    fn shift(&mut self, micros: i64) {
                        self.$instant = self.$instant.plus_micros(micros);
                    }
                )?
            }
        )*
    };
}

effects! {
    /// Draws the hidden inputs of a session.
    Draw = "draw" -> Drawn, at Judge;
    /// Judges code against a suite of the session's.
    Evaluate = "evaluate" -> Box<Evaluation>, at Judge;
    /// Runs cases of the candidate's own.
    Try = "try" -> Box<Evaluation>, at Judge;
    /// Runs somebody's own examples with the reference and with wrong programs.
    Examine = "examine" -> Examined, at Judge;
    /// Checks an invariant on runs of the reference and of wrong programs.
    CheckInvariant = "check_invariant" -> Checked, at Judge;
    /// Makes a failing run as short as it will go.
    Shrink = "shrink" -> Box<Trace>, at Judge;
    /// Measures the time per operation at growing sizes, smallest first.
    Probe = "probe" -> Vec<GrowthPoint>, at Judge;
    /// Runs programs in a folder, up to the first that fails.
    Execute = "execute" -> Executed, at Files;
    /// Puts a text into words.
    Word = "word" -> String, at Model;
    /// Says the next thing in a conversation.
    Chat = "chat" -> String, at Model;
    /// Answers a question to the assistant.
    Assist = "assist" -> Assisted, at Model;
    /// Says what a message covers; nobody waits for it.
    Hear = "hear" -> Vec<Testimony>, at Model, works: false;
    /// Waits until a file holds other bytes than those known, can no longer be taken, or can be again.
    Watch = "watch" -> Noticed, at Files, works: false;
    /// Reads a file as it stood at a deadline that has passed.
    Capture = "capture" -> Captured, at Files, names: due;
    /// Makes the workspace of a task ready.
    Prepare = "prepare" -> Prepared, at Files;
    /// Has a model propose the next thing in a task.
    Propose = "propose" -> Box<Proposed>, at Model;
    /// Carries out a call of a tool.
    Act = "act" -> Acted, at Files;
    /// Looks through the code of a task.
    Scan = "scan" -> Scanned, at Files;
    /// Runs the tests of a task.
    RunTests = "run_tests" -> TestsRun, at Files;
    /// Asks the memory of earlier tasks.
    Recall = "recall" -> Recalled, at Model;
    /// Keeps something in it.
    Remember = "remember" -> Remembered, at Model;
    /// Puts an agent's edits back.
    Restore = "restore" -> Restored, at Files;
}
