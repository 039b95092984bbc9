//! What can be done to a session of a kind, chosen by a number: the same for the laws and for the
//! simulation.

pub(crate) mod attempt;
#[cfg(feature = "errand")]
mod errand;
mod task;

use vosim_engine::Kind;
use vosim_engine::kinds::drill::Drill;
use vosim_engine::kinds::interview::Interview;
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::effect::{
    Assisted, Captured, Drawn, Effect, EffectOutcome, Failure, Hear, Noticed, Obstacle, Saved,
    Testimony, Untaken, Word,
};
use vosim_protocol::v1::evaluation::{CaseOutcome, Detail, GrowthPoint, Load};
use vosim_protocol::v1::problem::{Language, Op};
use vosim_protocol::v1::{drill, interview};
use vosim_protocol::{Blob, Hash, Json, Time};

use crate::metronome::{self, Metronome};
use crate::problem::{self, TESTS};
use crate::schema;

/// A kind that can be played at random.
pub(crate) trait Moves: Kind {
    /// The types of the events that a deadline makes.
    const BY_TIME: &'static [&'static str];

    /// The types of the events in which an effect ends, where no command led to them at once; hints and
    /// words are counted for every kind.
    const EFFECT_ENDS: &'static [&'static str];

    /// Its spec blob.
    fn spec() -> Vec<u8>;
    /// A command with the bytes it names; choice 0 ends the session.
    fn command(choice: u64) -> (Self::Command, Vec<Blob>);
    /// How an effect ends.
    fn outcome(effect: &Effect, choice: u64) -> EffectOutcome;
}

impl Moves for Drill {
    const BY_TIME: &'static [&'static str] = &[];
    const EFFECT_ENDS: &'static [&'static str] =
        &["SUITE_DRAWN", "EVAL_RESULT", "EVAL_ABORTED", "GROWTH_MEASURED", "AGENT_RESPONSE"];

    fn spec() -> Vec<u8> {
        problem::drill_spec()
    }

    fn command(choice: u64) -> (drill::Command, Vec<Blob>) {
        let confirm = choice.is_multiple_of(3);
        match choice % 10 {
            0 if choice == 0 => (drill::Command::End {}, Vec::new()),
            0..=2 => (drill::Command::Hint { confirm, level: None }, Vec::new()),
            3 => (drill::Command::GiveUp { confirm }, Vec::new()),
            4 => (drill::Command::Say { text: "A heap, then.".to_owned() }, Vec::new()),
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
            return effect.failed(Failure::new("the power went".repeat(size * 400)));
        }
        match effect {
            // Rarely, since cutting it takes a while.
            Effect::Evaluate(_) if choice % 29 == 1 => hostile(size),
            Effect::Evaluate(_) => problem::judged(size.min(TESTS.len())),
            Effect::Draw(_) => EffectOutcome::Draw(Ok(Drawn { suite: Hash::of(b"drawn") })),
            Effect::Probe(_) => {
                let point = |size| GrowthPoint { size, nanos: choice % 5_000 + size / 7 };
                EffectOutcome::Probe(Ok([1_000, 4_000, 16_000].map(point).into()))
            }
            Effect::Word(Word { text, .. }) => {
                let text = if choice.is_multiple_of(2) { text.clone() } else { "so".repeat(size) };
                EffectOutcome::Word(Ok(text))
            }
            _ => effect.failed(Failure::new("a drill asks for no such thing")),
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
    EffectOutcome::Evaluate(Ok(Box::new(evaluation)))
}

impl Moves for Metronome {
    const BY_TIME: &'static [&'static str] = &["BEAT", "ALARM_RANG", "STOPPED"];
    const EFFECT_ENDS: &'static [&'static str] = &["ANSWERED"];

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
        EffectOutcome::Word(Ok(choice.to_string()))
    }
}

impl Moves for Interview {
    const BY_TIME: &'static [&'static str] = &[
        "SECTION_TIME_WARNING",
        "FOLLOWUP_SELECTED",
        "QUESTIONS_OVER",
        "VARIATION_ASKED",
        "COVERAGE_SATISFIED",
        "CANDIDATE_TYPING_ENDED",
        "INTERVIEW_PAUSED",
        "SECTION_ENDED",
        "SECTION_SUMMARIZED",
        "SECTION_STARTED",
        "INTERVIEW_COMPLETED",
    ];
    /// Its requests are told apart by `requests.rs`.
    const EFFECT_ENDS: &'static [&'static str] = &[];

    fn spec() -> Vec<u8> {
        schema::interview_spec()
    }

    fn command(choice: u64) -> (interview::Command, Vec<Blob>) {
        use interview::Command;
        let code = code_of(choice);
        let (file_path, language) = ("/solution.py".to_owned(), Language::Python);
        let reference = code.reference();
        let with_code = |command| (command, vec![code.clone()]);
        let command = match choice % 16 {
            0 if choice == 0 => Command::End {},
            0 | 1 => Command::Begin {},
            2 | 3 => Command::Done { section: None },
            4 => Command::Hint {},
            5 => Command::Watch { file_path, language },
            6 => Command::Unwatch {},
            7 => {
                let code = choice.is_multiple_of(3).then_some(reference);
                let blobs = code.map(|_| code_of(choice)).into_iter().collect();
                let kind = AskKind::Code;
                return (Command::Ask { kind, question: "Why?".to_owned(), code }, blobs);
            }
            8 => {
                let op =
                    Op { call: "LRUCache".to_owned(), args: vec![Json::from(1)], expect: None };
                let cases = vec![vec![op]];
                return with_code(Command::Test { file_path, code: reference, language, cases });
            }
            9 | 10 => {
                let again = choice.is_multiple_of(7);
                return with_code(Command::Submit { file_path, code: reference, language, again });
            }
            11 => Command::Typing { stopped: choice.is_multiple_of(3) },
            _ => {
                let section = choice.is_multiple_of(5).then(|| {
                    ["frame", "design", "build", "close", "other"][at(choice / 5) % 5].to_owned()
                });
                Command::Say { text: said(choice / 16), section }
            }
        };
        (command, Vec::new())
    }

    fn outcome(effect: &Effect, choice: u64) -> EffectOutcome {
        let other = Blob(format!("saved {}", choice % 5).into_bytes()).reference();
        match effect {
            _ if choice.is_multiple_of(7) => {
                effect.failed(Failure::new("the power went".repeat(at(choice) % 400)))
            }
            Effect::Word(Word { text, .. }) => {
                let other = choice.is_multiple_of(5);
                let text = if other { format!("Well: {text}") } else { text.clone() };
                EffectOutcome::Word(Ok(text))
            }
            Effect::Try(_) => {
                let mut evaluation = problem::evaluation(Load::Loaded, &[]);
                evaluation.cases.truncate(1);
                EffectOutcome::Try(Ok(Box::new(evaluation)))
            }
            Effect::Watch(_) => EffectOutcome::Watch(Ok(match choice.is_multiple_of(4) {
                true => Noticed::Lost(Obstacle::Missing),
                false => Noticed::Saved(Saved {
                    code: other,
                    modified: Time::from_micros(choice.cast_signed()),
                }),
            })),
            Effect::Capture(_) => EffectOutcome::Capture(Ok(Captured {
                code: choice.is_multiple_of(2).then_some(other),
                late: choice.is_multiple_of(3),
                untaken: choice.is_multiple_of(5).then_some(Untaken::Empty),
            })),
            Effect::Assist(_) => {
                let text = (!choice.is_multiple_of(3)).then(|| answer(choice));
                let model = choice.is_multiple_of(2).then(|| "small".to_owned());
                EffectOutcome::Assist(Ok(Assisted { text, model }))
            }
            Effect::Hear(hear) => EffectOutcome::Hear(Ok(testimonies(hear, choice))),
            _ => Drill::outcome(effect, choice),
        }
    }
}

/// What a model says of a message: true quotations, inventions, and what nobody asked for.
fn testimonies(hear: &Hear, choice: u64) -> Vec<Testimony> {
    let words: Vec<_> = hear.message.split_whitespace().collect();
    let quoted = words.iter().skip(at(choice) % 5).take(6).copied().collect::<Vec<_>>().join("  ");
    let named = hear.dimensions.iter().map(|subject| subject.dimension.clone());
    let said = named.chain(["nothing".to_owned()]).map(|dimension| Testimony {
        dimension,
        level: if choice.is_multiple_of(2) {
            Coverage::Covered
        } else {
            Coverage::PartiallyCovered
        },
        quote: if choice.is_multiple_of(3) { "so ".repeat(at(choice)) } else { quoted.clone() },
    });
    said.collect()
}

fn at(choice: u64) -> usize {
    usize::try_from(choice % 1_000).unwrap()
}

fn code_of(choice: u64) -> Blob {
    Blob(format!("print({})\n", choice / 16 % 12).into_bytes())
}

/// What a candidate says: answers, parts of them, a question, a refusal, nothing.
fn said(choice: u64) -> String {
    const COVERED: [&str; 9] = [
        "requirements",
        "constraints",
        "metrics",
        "approach",
        "complexity",
        "failure_modes",
        "tradeoffs",
        "correctness",
        "reflection",
    ];
    match choice % 16 {
        0 => "I don't know".to_owned(),
        1 => "Is a missing key an error?".to_owned(),
        2 => "All 12 tests pass.".to_owned(),
        3 => "\u{1b}[31m\u{7}".repeat(at(choice) % 40),
        4 => "hm ".repeat(at(choice) % 300),
        place => {
            let answer = schema::answer(COVERED[at(place) % COVERED.len()]);
            let words = if choice.is_multiple_of(3) { 5 } else { 40 };
            answer.split(' ').take(words).collect::<Vec<_>>().join(" ")
        }
    }
}

/// What an assistant answers, allowed or not.
fn answer(choice: u64) -> String {
    match choice % 4 {
        0 => "A heap keeps its smallest element on top.".to_owned(),
        1 => "```python\nclass LRUCache:\n    def get(self, key):\n        return self.d[key]\n```"
            .to_owned(),
        2 => "First store the node, then move it, finally evict the last one.".to_owned(),
        _ => "long ".repeat(2_000),
    }
}
