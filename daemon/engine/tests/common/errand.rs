//! What can be done to an errand.

use vosim_engine::kinds::errand::Errand;
use vosim_protocol::v1::effect::{Effect, EffectOutcome, Executed, ExecutedStep, Failure};
use vosim_protocol::v1::errand::{Command, Start};
use vosim_protocol::v1::evaluation::Detail;
use vosim_protocol::{Blob, Wire as _};

use super::Moves;

impl Moves for Errand {
    const BY_TIME: &'static [&'static str] = &["ERRAND_EXPIRED"];
    const EFFECT_ENDS: &'static [&'static str] = &["WORK_CHECKED", "ADVICE_GIVEN"];

    fn spec() -> Vec<u8> {
        let (title, folder) = ("Mend it".to_owned(), "/errand".to_owned());
        Start { title, folder, checks: Vec::new(), minutes: 4 }.to_line()
    }

    fn command(choice: u64) -> (Command, Vec<Blob>) {
        let bytes = |what: &str| Blob(format!("{what} {}", choice % 3).into_bytes());
        match choice % 5 {
            0 if choice.is_multiple_of(20) => (Command::Take {}, Vec::new()),
            0 | 1 => (Command::Check {}, Vec::new()),
            2 if choice.is_multiple_of(2) => {
                (Command::Ask { question: format!("What of {choice}?") }, Vec::new())
            }
            2 => (Command::SendBack { reason: format!("{choice} is missing") }, Vec::new()),
            _ => {
                let (patch, notes) = (bytes("patch"), bytes("notes"));
                let hand_in =
                    Command::HandIn { patch: patch.reference(), notes: notes.reference() };
                (hand_in, vec![patch, notes])
            }
        }
    }

    fn outcome(effect: &Effect, choice: u64) -> EffectOutcome {
        let output = Blob(choice.to_string().into_bytes()).reference();
        match effect {
            Effect::Execute(_) if !choice.is_multiple_of(3) => {
                let step = ExecutedStep {
                    name: "the tests".to_owned(),
                    exit_code: choice.is_multiple_of(2).then_some(0),
                    detail: (!choice.is_multiple_of(2)).then_some(Detail::Wall),
                    stdout: output,
                    stderr: output,
                };
                EffectOutcome::Execute(Ok(Executed { steps: vec![step] }))
            }
            Effect::Chat(_) if !choice.is_multiple_of(3) => {
                EffectOutcome::Chat(Ok("Look at the order.".to_owned()))
            }
            other => other.failed(Failure::new("the folder has gone")),
        }
    }
}
