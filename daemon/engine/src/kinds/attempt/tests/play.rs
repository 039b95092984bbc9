//! Plays an attempt command by command; each line of what comes out is a word or two.

use vosim_protocol::v1::attempt::{Command, Mode};
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::effect::{Checked, Drawn, EffectOutcome, Examined, ExaminedRun, Failure};
use vosim_protocol::v1::evaluation::{CaseOutcome, Load};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::{
    Blob, CommandId, EffectId, EventRecord, Hash, Json, Role, SessionId, Time, Wire as _,
};

use crate::kinds::attempt::Attempt;
use crate::moves::attempt::{spec, trace};
use crate::problem;
use crate::rejection::tests::line;
use crate::session::{Advance, Answer, AnySession, CommandInput, Input, Session};

/// An attempt that is being played.
pub(super) struct Play {
    pub(super) session: Session<Attempt>,
    pub(super) spec: Vec<u8>,
    pub(super) lines: Vec<Vec<u8>>,
    commands: u128,
    seconds: i64,
}

impl Play {
    pub(super) fn new(mode: Mode) -> Self {
        Self::of(mode, true)
    }

    pub(super) fn of(mode: Mode, v2_flow: bool) -> Self {
        let spec = spec(mode, v2_flow).to_line();
        let id = SessionId(uuid::Uuid::from_u128(7));
        let (session, records) = Session::create(id, &spec, Time::from_micros(0)).unwrap();
        let lines = records.iter().map(|record| record.line.clone()).collect();
        Self { session, spec, lines, commands: 0, seconds: 0 }
    }

    /// Lets time pass.
    pub(super) fn wait(&mut self, seconds: i64) -> &mut Self {
        self.seconds += seconds;
        self
    }

    /// Gives a command; what happened, one type a word, or the refusal.
    pub(super) fn give(&mut self, command: &Command) -> String {
        self.with(command, &[])
    }

    pub(super) fn submit(&mut self, text: &str) -> String {
        let code = Blob(text.as_bytes().to_vec());
        let submit = Command::Submit {
            file_path: "a.py".to_owned(),
            code: code.reference(),
            language: Language::Python,
            again: false,
        };
        self.with(&submit, &[code])
    }

    fn with(&mut self, command: &Command, blobs: &[Blob]) -> String {
        self.commands += 1;
        let args = command.args();
        let input = CommandInput {
            id: CommandId(uuid::Uuid::from_u128(self.commands)),
            if_cursor: None,
            name: command.name(),
            args: &args,
            blobs,
            role: Role::Candidate,
        };
        self.input(&Input::Command(input))
    }

    fn input(&mut self, input: &Input<'_>) -> String {
        let at = Time::from_micros(self.seconds * 1_000_000);
        let Advance { records, next, answer, .. } = self.session.advance(input, at);
        let types: Vec<_> = records.iter().map(|sealed| sealed.record.event_type.clone()).collect();
        self.lines.extend(records.iter().map(|sealed| sealed.line.clone()));
        self.session = next;
        if let Answer::Refused(rejection) = answer { line(rejection) } else { types.join(" ") }
    }

    fn wanted(&self) -> EffectId {
        let wanted = self.session.wanted_effects();
        assert_eq!(wanted.len(), 1, "{wanted:?}");
        wanted[0].0
    }

    pub(super) fn wants(&self) -> Vec<String> {
        let wanted = self.session.wanted_effects().into_iter();
        wanted.map(|(_, effect)| effect.name().to_owned()).collect()
    }

    fn ends(&mut self, outcome: EffectOutcome) -> String {
        let effect = self.wanted();
        self.input(&Input::Outcome(effect, outcome))
    }

    /// The examples were run: whether all hold, and what each catches.
    pub(super) fn examined(&mut self, holds: bool, catches: u32) -> String {
        let run = ExaminedRun {
            holds,
            differs_at: (!holds).then_some(2),
            catches,
            shown: false,
            outside: None,
            limit: None,
        };
        let examined = Examined { runs: vec![run], planted: 5, caught: catches };
        self.ends(EffectOutcome::Examine(Ok(examined)))
    }

    /// The example was run, and does not count: it is shown already, or goes too far at this call.
    pub(super) fn discounted(&mut self, shown: bool, outside: Option<u32>) -> String {
        self.beyond(shown, outside, None)
    }

    /// The same, and which limit of the statement it goes beyond.
    pub(super) fn beyond(
        &mut self,
        shown: bool,
        outside: Option<u32>,
        limit: Option<&str>,
    ) -> String {
        let (holds, limit) = (outside.is_none(), limit.map(str::to_owned));
        let run = ExaminedRun { holds, differs_at: None, catches: 0, shown, outside, limit };
        self.ends(EffectOutcome::Examine(Ok(Examined { runs: vec![run], planted: 5, caught: 0 })))
    }

    /// The invariant was checked on runs.
    pub(super) fn checked(&mut self, contradicted_by: Option<&str>, catches: u32) -> String {
        let contradicted_by = contradicted_by.map(str::to_owned);
        self.ends(EffectOutcome::CheckInvariant(Ok(Checked { runs: 9, contradicted_by, catches })))
    }

    pub(super) fn drawn(&mut self) -> String {
        self.ends(EffectOutcome::Draw(Ok(Drawn { suite: Hash::of(b"drawn") })))
    }

    /// The failing run was made short, or could not be.
    pub(super) fn traced(&mut self, found: bool) -> String {
        let failure = || Failure::new("no run fails");
        let found = if found { Ok(Box::new(trace(9))) } else { Err(failure()) };
        self.ends(EffectOutcome::Shrink(found))
    }

    /// The own cases were run; the last one fails.
    pub(super) fn own_cases_run(&mut self, cases: usize) -> String {
        let ends = [(problem::TESTS[cases - 1], CaseOutcome::Failed)];
        let mut found = problem::evaluation(Load::Loaded, &ends);
        found.cases.truncate(cases);
        self.ends(EffectOutcome::Try(Ok(Box::new(found))))
    }

    /// So many tests passed.
    pub(super) fn judged(&mut self, passed: usize) -> String {
        self.ends(problem::judged(passed))
    }

    pub(super) fn failed(&mut self) -> String {
        let (_, effect) = self.session.wanted_effects().remove(0);
        self.ends(effect.failed(Failure::new("the power went")))
    }

    pub(super) fn phase(&self) -> String {
        self.session.head().phase
    }

    /// What the events of a type say, oldest first.
    pub(super) fn told(&self, event_type: &str) -> Vec<String> {
        let records = self.lines.iter().map(|line| EventRecord::from_bytes(line).unwrap());
        let records = records.filter(|record| record.event_type == event_type);
        let told = records.map(|record| crate::telling::tell::<Attempt>(&record).unwrap());
        told.map(|telling| telling.line.unwrap().text).collect()
    }

    /// What the last assessment of the plan says in a field.
    pub(super) fn plan(&self, field: &str) -> String {
        let records = self.lines.iter().map(|line| EventRecord::from_bytes(line).unwrap());
        let assessed = records.rev().find(|record| record.event_type == "PLAN_ASSESSED");
        assessed.unwrap().payload[field].as_str().unwrap_or_default().to_owned()
    }

    /// How it came out, once it has ended.
    pub(super) fn outcome(&self) -> Option<vosim_protocol::Outcome> {
        self.session.head().finished.map(|finished| finished.outcome)
    }

    pub(super) fn view(&self) -> Json {
        self.seen_by(Role::Candidate)
    }

    pub(super) fn seen_by(&self, role: Role) -> Json {
        self.session.view(role, Time::from_micros(self.seconds * 1_000_000))
    }

    /// Explained by words, well enough for a beginner, with an example that shows little.
    pub(super) fn explained(&mut self) -> &mut Self {
        self.give(&understand(GOOD, EXAMPLE, WRONG));
        self.examined(true, 0);
        assert_eq!(self.phase(), "plan", "{}", self.view());
        self
    }

    pub(super) fn planned(&mut self) -> &mut Self {
        self.give(&choose("map", 4, Some(INVARIANT)));
        assert_eq!(self.phase(), "implement", "{}", self.view());
        self
    }

    /// Code was judged.
    pub(super) fn tested(&mut self, text: &str, passed: usize) -> &mut Self {
        self.submit(text);
        if self.wants() == ["draw"] {
            self.drawn();
        }
        self.judged(passed);
        self
    }
}

pub(super) const GOOD: &str =
    "The cache keeps a key while there is room, and drops one when it is full.";
pub(super) const EXAMPLE: &str = "LRUCache() put(1,5) get(1)==5";
pub(super) const WRONG: &str =
    "A list of keys is slow, because every call has to search all of it.";
pub(super) const INVARIANT: &str = "It never holds more keys than its capacity.";

pub(super) fn understand(explanation: &str, example: &str, wrong: &str) -> Command {
    Command::UnderstandSubmit {
        explanation: explanation.to_owned(),
        input_output_description: String::new(),
        constraints_description: String::new(),
        example_walkthrough: example.to_owned(),
        wrong_approach: wrong.to_owned(),
    }
}

pub(super) fn choose(pattern: &str, confidence: u8, invariant: Option<&str>) -> Command {
    Command::PlanChoose {
        pattern_id: pattern.to_owned(),
        confidence,
        invariant_text: invariant.map(str::to_owned),
        invariant_builder: None,
        complexity: None,
    }
}
