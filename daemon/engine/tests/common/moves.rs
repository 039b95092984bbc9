//! What can be done to a session of a kind, chosen by a number: the same for the laws and for the
//! simulation.

use vosim_engine::Kind;
use vosim_engine::kinds::drill::Drill;
use vosim_protocol::Blob;
use vosim_protocol::v1::drill;
use vosim_protocol::v1::effect::{Effect, EffectOutcome};
use vosim_protocol::v1::evaluation::{CaseOutcome, Detail, GrowthPoint, Load};
use vosim_protocol::v1::problem::Language;

use crate::metronome::{self, Metronome};
use crate::problem::{self, TESTS};

/// A kind that can be played at random.
pub(crate) trait Moves: Kind {
    /// The types of the events that a deadline makes.
    const BY_TIME: &'static [&'static str];

    /// Its spec blob.
    fn spec() -> Vec<u8>;
    /// A command with the bytes it names; choice 0 ends the session.
    fn command(choice: u64) -> (Self::Command, Vec<Blob>);
    /// How an effect ends.
    fn outcome(effect: &Effect, choice: u64) -> EffectOutcome;
}

impl Moves for Drill {
    const BY_TIME: &'static [&'static str] = &[];

    fn spec() -> Vec<u8> {
        problem::drill_spec()
    }

    fn command(choice: u64) -> (drill::Command, Vec<Blob>) {
        let confirm = choice.is_multiple_of(3);
        match choice % 10 {
            0 if choice == 0 => (drill::Command::End {}, Vec::new()),
            0..=2 => (drill::Command::Hint { confirm }, Vec::new()),
            3 => (drill::Command::GiveUp { confirm }, Vec::new()),
            _ => {
                let code = Blob(format!("print({})\n", choice / 10 % 12).into_bytes());
                let language = Language::ALL[usize::from(choice.is_multiple_of(5))];
                let submit = drill::Command::Submit {
                    file_path: "solution".to_owned(),
                    code: code.reference(),
                    language,
                    again: choice.is_multiple_of(7),
                };
                (submit, vec![code])
            }
        }
    }

    fn outcome(effect: &Effect, choice: u64) -> EffectOutcome {
        let size = usize::try_from(choice % 20).unwrap();
        if choice.is_multiple_of(11) {
            return EffectOutcome::Failed { reason: "the power went".repeat(size * 400) };
        }
        match effect {
            // Rarely, since cutting it takes a while.
            Effect::Evaluate { .. } if choice % 29 == 1 => hostile(size),
            Effect::Evaluate { .. } => problem::judged(size.min(TESTS.len())),
            Effect::Probe { .. } => {
                let point = |size| GrowthPoint { size, nanos: choice % 5_000 + size / 7 };
                EffectOutcome::Probed { points: [1_000, 4_000, 16_000].map(point).into() }
            }
            Effect::Phrase { text, .. } => {
                let text = if choice.is_multiple_of(2) { text.clone() } else { "so".repeat(size) };
                EffectOutcome::Phrased { text }
            }
            Effect::Word { .. }
            | Effect::Try { .. }
            | Effect::Watch { .. }
            | Effect::Capture { .. }
            | Effect::Assist { .. } => {
                EffectOutcome::Failed { reason: "a drill asks for no such thing".to_owned() }
            }
        }
    }
}

/// A verdict that says more than a record holds.
fn hostile(size: usize) -> EffectOutcome {
    let exception = "\u{1}\"\u{1f600}\n".repeat(size * 1_000);
    let message = exception.clone();
    let load = match size % 3 {
        0 => Load::ImportError { detail: Detail::Syntax, message },
        1 => Load::Crashed { detail: Detail::Signal, message },
        _ => Load::Loaded,
    };
    let ends = TESTS.map(|name| (name, CaseOutcome::Raised { exception: exception.clone() }));
    let mut evaluation = problem::evaluation(load, &ends);
    evaluation.notes = vec![exception; size];
    EffectOutcome::Evaluated { evaluation: Box::new(evaluation) }
}

impl Moves for Metronome {
    const BY_TIME: &'static [&'static str] = &["BEAT", "ALARM_RANG", "STOPPED"];

    fn spec() -> Vec<u8> {
        metronome::spec(10)
    }

    fn command(choice: u64) -> (metronome::Command, Vec<Blob>) {
        let command = match choice % 6 {
            0 if choice == 0 => metronome::Command::Stop {},
            0 | 1 => metronome::Command::Ring {},
            2 => metronome::Command::Ask {},
            3 => metronome::Command::Whisper { text: choice.to_string() },
            _ => metronome::Command::Alarm { secs: (choice / 6 % 50).cast_signed() },
        };
        (command, Vec::new())
    }

    fn outcome(_: &Effect, choice: u64) -> EffectOutcome {
        EffectOutcome::Phrased { text: choice.to_string() }
    }
}
