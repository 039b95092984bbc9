//! Plays a script against a drill: lines in, the log and the refusals out.
//!
//! ```text
//! 00:00 start                                the first two events
//! 00:05 submit a.py #1 [js] [again] [bytes=N] [path=N]
//! 00:06 verdict 5/12 [failing=NAME,NAME] [raised=TEXT] [limit=time]
//! 00:06 verdict import=TEXT | signature=TEXT | crashed=TEXT | other=NAME
//! 00:06 abort REASON                         the evaluator could not judge
//! 00:07 words [hint|feedback|@ID] [TEXT]     without a text: the problem's own
//! 00:08 growth [@ID] 300 310 350 | growth - REASON
//! 00:09 hint [confirm|LEVEL] | give-up [confirm] | end
//! 00:10 late                                 the last verdict once more, for the same effect
//! 00:10 view | wanted
//! ```
//! `#1` stands for a file's bytes. Event ids stand in front of what a line led to.

use std::fmt::Write as _;

use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::drill::{Command, Event, Spec, View};
use vosim_protocol::v1::effect::{Effect, EffectOutcome, Evaluate, Failure, Probe, Purpose, Word};
use vosim_protocol::v1::evaluation::{CaseOutcome, Detail, Load};
use vosim_protocol::v1::events::Events as _;
use vosim_protocol::v1::judging::EvalResult;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::{Blob, CommandId, EffectId, EventId, Role, SessionId, Time, Wire};

use crate::kinds::drill::Drill;
use crate::parts::probing::tests::growth;
use crate::problem::{TESTS, evaluation, spec};
use crate::rejection;
use crate::session::{Advance, Answer, AnySession, CommandInput, Input, Sealed, Session};

/// The log and the refusals that a script leads to.
pub(super) fn log(script: &str) -> String {
    Script::play(script).output
}

/// A session that has been played.
pub(super) struct Script {
    session: Session<Drill>,
    pub(super) spec: Vec<u8>,
    pub(super) lines: Vec<Vec<u8>>,
    commands: u128,
    verdict: Option<(EffectId, EffectOutcome)>,
    output: String,
}

pub(super) const SESSION: SessionId = SessionId(uuid::Uuid::from_u128(7));

impl Script {
    pub(super) fn play(script: &str) -> Self {
        Self::play_with(&spec(), script)
    }

    pub(super) fn play_with(spec: &Spec, script: &str) -> Self {
        let spec = spec.to_line();
        let (session, records) = Session::create(SESSION, &spec, time("00:00")).unwrap();
        let lines = Vec::new();
        let mut played =
            Self { session, spec, lines, commands: 0, verdict: None, output: String::new() };
        let shown = script.trim_start().starts_with("00:00 start");
        played.keep(&records, shown);
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            played.line(line);
        }
        played
    }

    /// How it came out, once it has ended.
    pub(super) fn came_out(&self) -> Option<vosim_protocol::Outcome> {
        self.session.head().finished.map(|finished| finished.outcome)
    }

    pub(super) fn output(&self) -> &str {
        &self.output
    }

    fn line(&mut self, line: &str) {
        let (at, line) = line.split_once(' ').unwrap();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let at = time(at);
        match verb {
            "start" => {}
            "submit" => self.submit(rest, at),
            "hint" => {
                let level = rest.parse().ok();
                self.command(&Command::Hint { confirm: rest == "confirm", level }, &[], at);
            }
            "give-up" => self.command(&Command::GiveUp { confirm: rest == "confirm" }, &[], at),
            "say" => self.command(&Command::Say { text: rest.to_owned() }, &[], at),
            "end" => self.command(&Command::End {}, &[], at),
            "verdict" => {
                self.verdict = Some((self.wanted(is_evaluate), verdict(rest)));
                self.late(at);
            }
            "late" => self.late(at),
            "abort" => {
                let effect = self.wanted(is_evaluate);
                let reason = rest.to_owned();
                let failed = EffectOutcome::Evaluate(Err(Failure { reason }));
                self.verdict = Some((effect, failed));
                self.late(at);
            }
            "growth" => self.growth(rest, at),
            "words" => self.words(rest, at),
            "view" => self.view(at),
            "wanted" => self.say_wanted(),
            verb => panic!("no line of a script begins with {verb}"),
        }
    }

    fn submit(&mut self, rest: &str, at: Time) {
        let mut words = rest.split(' ');
        let mut file_path = words.next().unwrap().to_owned();
        let blob = Blob(words.next().unwrap().into());
        let mut code = blob.reference();
        let (mut language, mut again, mut blobs) = (Language::Python, false, vec![blob]);
        for word in words {
            match word.split_once('=') {
                None if word == "js" => language = Language::Javascript,
                None if word == "again" => again = true,
                None if word == "forgotten" => blobs.clear(),
                Some(("path", length)) => file_path = "x".repeat(length.parse().unwrap()),
                Some(("bytes", length)) => {
                    let blob = Blob(vec![b'x'; length.parse().unwrap()]);
                    code = blob.reference();
                    blobs = vec![blob];
                }
                _ => panic!("no submission takes {word}"),
            }
        }
        self.command(&Command::Submit { file_path, code, language, again }, &blobs, at);
    }

    fn command(&mut self, command: &Command, blobs: &[Blob], at: Time) {
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
        self.input(&Input::Command(input), at);
    }

    fn outcome(&mut self, effect: EffectId, outcome: &EffectOutcome, at: Time) {
        self.input(&Input::Outcome(effect, outcome.clone()), at);
    }

    fn late(&mut self, at: Time) {
        let (effect, outcome) = self.verdict.clone().unwrap();
        self.outcome(effect, &outcome, at);
    }

    fn words(&mut self, rest: &str, at: Time) {
        let (which, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let of = |effect: &Effect, purposes: &[Purpose]| match effect {
            Effect::Word(word) => purposes.contains(&word.purpose),
            _ => false,
        };
        let effect = match which {
            "" => self.wanted(|effect| of(effect, &[Purpose::Hint, Purpose::Feedback])),
            "hint" => self.wanted(|effect| of(effect, &[Purpose::Hint])),
            "feedback" => self.wanted(|effect| of(effect, &[Purpose::Feedback])),
            id => EffectId(EventId(id.strip_prefix('@').unwrap().parse().unwrap())),
        };
        let outcome = match text {
            "" => EffectOutcome::Word(Ok(self.own_text(effect))),
            text => match text.strip_prefix('!') {
                Some(reason) => EffectOutcome::Word(Err(Failure::new(reason))),
                None => EffectOutcome::Word(Ok(text.to_owned())),
            },
        };
        self.outcome(effect, &outcome, at);
    }

    /// What a text says without a model; nothing where it is no longer asked for.
    fn own_text(&self, wanted: EffectId) -> String {
        let mut effects = self.session.wanted_effects().into_iter();
        match effects.find(|(id, _)| *id == wanted) {
            Some((_, Effect::Word(word))) => word.text,
            Some(_) | None => String::new(),
        }
    }

    fn growth(&mut self, rest: &str, at: Time) {
        let (effect, rest) = match rest.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            Some((id, rest)) => (EffectId(EventId(id.parse().unwrap())), rest),
            None => (self.wanted(is_probe), rest),
        };
        self.outcome(effect, &growth(rest), at);
    }

    fn wanted(&self, which: impl Fn(&Effect) -> bool) -> EffectId {
        let wanted = self.session.wanted_effects();
        wanted.iter().find(|(_, effect)| which(effect)).expect("the script waits for it").0
    }

    fn input(&mut self, input: &Input<'_>, at: Time) {
        let Advance { next, records, answer, accepted } = self.session.advance(input, at);
        self.session = next;
        if let (Answer::Accepted { events: 0 }, Some(command)) = (&answer, accepted) {
            let settled = self.session.follow(command, Vec::new());
            let told = settled.result(Role::Candidate).unwrap();
            writeln!(self.output, "told level {} {}", told["hint_level"], told["hint_text"])
                .unwrap();
        } else if let Answer::Refused(rejection) = answer {
            assert!(records.is_empty(), "a drill has no deadlines that could fire");
            writeln!(self.output, "{}", rejection::tests::line(rejection)).unwrap();
        } else if records.is_empty() {
            self.output.push_str("nothing\n");
        }
        self.keep(&records, true);
    }

    fn keep(&mut self, records: &[Sealed], shown: bool) {
        for Sealed { record, line, blobs } in records {
            let named = crate::kinds::code(vosim_protocol::Kind::Drill, std::slice::from_ref(line));
            let code: Vec<_> = blobs.iter().map(|blob| blob.hash).collect();
            assert_eq!(named, code, "{}", record.event_type);
            if shown {
                writeln!(self.output, "{} {}", record.event_id, telling(record)).unwrap();
            }
            self.lines.push(line.clone());
        }
    }

    fn view(&mut self, at: Time) {
        let seen = |role| View::from_json(self.session.view(role, at)).unwrap();
        let [view, agents] = [Role::Candidate, Role::Agent].map(seen);
        let given = view.allowed.iter().filter(|command| *command != "give_up");
        assert!(given.eq(&agents.allowed), "{:?}", agents.allowed);
        for role in [Role::Observer, Role::Interviewer] {
            let other = seen(role);
            assert!(other.allowed.is_empty(), "{role:?}: {:?}", other.allowed);
            let rest = View { allowed: view.allowed.clone(), ..other };
            assert_eq!(rest, view, "the rest of a drill's view is the same for every role");
        }
        let View {
            phase,
            duration_seconds,
            submissions,
            evaluating,
            last_result,
            best_tests_passed,
            hint_levels,
            history,
            growth,
            ended,
            allowed,
            ..
        } = view;
        let last = last_result.map(|r| format!("{}/{}", r.tests_passed, r.failure_type));
        writeln!(
            self.output,
            "view {} {duration_seconds} s, attempts {submissions} ({}), evaluating {evaluating:?}, \
             last {last:?}, best {best_tests_passed:?}, hints {hint_levels:?}, growth {:?}, \
             ended {:?}, allowed {}",
            phase.name(),
            history.len(),
            growth.map(|growth| growth.growth),
            ended.map(|ended| ended.outcome),
            allowed.join(" "),
        )
        .unwrap();
    }

    fn say_wanted(&mut self) {
        for (id, effect) in self.session.wanted_effects() {
            let what = match effect {
                Effect::Evaluate(Evaluate { file_path, language, .. }) => {
                    format!("evaluate {file_path} {language}")
                }
                Effect::Probe(Probe { file_path, language, .. }) => {
                    format!("probe {file_path} {language}")
                }
                Effect::Word(Word { text, purpose, .. }) => format!("word {purpose:?} {text:?}"),
                other => panic!("a drill asks for no such thing: {other:?}"),
            };
            writeln!(self.output, "wanted {id}: {what}").unwrap();
        }
    }
}

fn is_evaluate(effect: &Effect) -> bool {
    matches!(effect, Effect::Evaluate(_))
}

fn is_probe(effect: &Effect) -> bool {
    matches!(effect, Effect::Probe(_))
}

/// Minutes and seconds after the start of the session.
pub(super) fn time(text: &str) -> Time {
    let start: Time = "2026-01-05T23:30:00Z".parse().unwrap();
    let (minutes, seconds) = text.split_once(':').unwrap();
    start.plus_secs(minutes.parse::<i64>().unwrap() * 60 + seconds.parse::<i64>().unwrap())
}

fn verdict(text: &str) -> EffectOutcome {
    let (load, ends) = match text.split_once('=') {
        Some(("import", message)) => {
            let message = message.to_owned();
            (Load::ImportError { detail: Detail::Syntax, message }, all(&CaseOutcome::NotRun))
        }
        Some(("signature", message)) => {
            let message = message.to_owned();
            (Load::WrongSignature { message }, all(&CaseOutcome::NotRun))
        }
        Some(("crashed", message)) => {
            let message = message.to_owned();
            (Load::Crashed { detail: Detail::Exit, message }, all(&CaseOutcome::NotRun))
        }
        Some(("other", name)) => return other_tests(name),
        _ => (Load::Loaded, ends(text)),
    };
    EffectOutcome::Evaluate(Ok(Box::new(evaluation(load, &ends))))
}

/// A verdict in which the first test has another name.
fn other_tests(name: &str) -> EffectOutcome {
    let mut evaluation = evaluation(Load::Loaded, &[]);
    name.clone_into(&mut evaluation.cases[0].name);
    EffectOutcome::Evaluate(Ok(Box::new(evaluation)))
}

fn all(outcome: &CaseOutcome) -> Vec<(&'static str, CaseOutcome)> {
    TESTS.iter().map(|name| (*name, outcome.clone())).collect()
}

/// Which tests end how; those that are not named pass.
fn ends(text: &str) -> Vec<(&str, CaseOutcome)> {
    let (score, rest) = text.split_once(' ').unwrap_or((text, ""));
    let passed: usize = score.split_once('/').unwrap().0.parse().unwrap();
    let failing: Vec<_> = match rest.strip_prefix("failing=") {
        Some(names) => names.split(',').collect(),
        None => TESTS[passed..].to_vec(),
    };
    assert_eq!(passed + failing.len(), 12, "{text}");
    let mut ends: Vec<_> = failing.into_iter().map(|name| (name, CaseOutcome::Failed)).collect();
    if let Some(exception) = rest.strip_prefix("raised=") {
        ends[0].1 = CaseOutcome::Raised { exception: exception.to_owned() };
    }
    if rest == "limit=time" {
        ends.iter_mut().for_each(|(_, end)| *end = CaseOutcome::NotRun);
        ends[0].1 = CaseOutcome::Limit { detail: Detail::Time };
    }
    ends
}

/// An event in one line: what tells it from others of its type.
fn telling(record: &vosim_protocol::EventRecord) -> String {
    let name = &record.event_type;
    let Ok(event) = Event::read(name, record.payload.clone()) else { return name.clone() };
    let payload = &record.payload;
    let optional = |name: &str| payload.get(name).map(|value| format!(" {name}={value}"));
    let rest = match event {
        Event::WordingFailed(failed) => {
            format!("of {} {:?}", failed.request, failed.reason)
        }
        Event::VariationAsked(asked) => {
            format!("{} {:?} {:?}", asked.number, asked.title, asked.text)
        }
        Event::VariationAnswered(answered) => format!("{} {:?}", answered.number, answered.text),
        Event::SessionStarted(started) => {
            format!("{} {}", started.problem_id, started.python_version)
        }
        Event::CodeSubmitted(submitted) => format!(
            "attempt {} {} {} lines={} bytes={}{}",
            submitted.attempt_number,
            submitted.language,
            &submitted.file_path[..submitted.file_path.len().min(20)],
            submitted.line_count,
            submitted.bytes,
            optional("repeated").unwrap_or_default(),
        ),
        Event::SuiteDrawn(drawn) => drawn.embedded_because.unwrap_or_default(),
        Event::EvalResult(result) => verdict_told(&result, optional),
        Event::EvalAborted(aborted) => {
            format!("attempt {} {:?}", aborted.attempt_number, aborted.reason)
        }
        Event::HintRequested(requested) => format!(
            "attempt {} level {} {} issue={}{}",
            requested.attempt_number,
            requested.hint_level,
            requested.trigger_reason.to_json().as_str().unwrap(),
            requested.issue,
            optional("give_up").unwrap_or_default(),
        ),
        Event::HintGiven(given) => format!(
            "level {} {} issue={} {:?} {:?}",
            given.hint_level,
            given.trigger_reason.to_json().as_str().unwrap(),
            given.issue,
            given.words,
            given.hint_text,
        ),
        Event::AgentResponse(response) => format!(
            "attempt {} {} {} {:?} {:?}",
            response.metadata.attempt_number,
            response.metadata.failure_type,
            response.metadata.primary_issue,
            response.metadata.words,
            response.message,
        ),
        Event::GrowthProbeStarted(started) => {
            format!("attempt {} {}", started.attempt_number, started.language)
        }
        Event::GrowthMeasured(measured) => format!(
            "attempt {} {:?} points={}{}",
            measured.attempt_number,
            measured.growth,
            measured.points.len(),
            optional("reason").unwrap_or_default(),
        ),
        Event::SessionEnded(ended) => format!(
            "{} attempts={} final={}/{} best={} hints={} duration={}{}",
            ended.outcome.to_json().as_str().unwrap(),
            ended.total_attempts,
            ended.final_tests_passed,
            ended.final_tests_passed + ended.final_tests_failed,
            ended.best_tests_passed,
            ended.hints_used,
            ended.duration_seconds,
            optional("assisted").unwrap_or_default(),
        ),
    };
    format!("{name} {rest}")
}

fn verdict_told(result: &EvalResult, optional: impl Fn(&str) -> Option<String>) -> String {
    let not_run = match result.not_run.len() {
        0 => String::new(),
        count => format!(" not_run={count}"),
    };
    format!(
        "attempt {} {}/{} {}{}{}{}{not_run}",
        result.attempt_number,
        result.tests_passed,
        result.tests_passed + result.tests_failed,
        result.failure_type,
        optional("detail").unwrap_or_default(),
        optional("issue").unwrap_or_default(),
        result.exception.as_ref().map(|text| format!(" exception={text:?}")).unwrap_or_default(),
    )
}
