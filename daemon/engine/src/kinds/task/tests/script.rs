//! Plays a script against a task: lines in, the log and the refusals out.
//!
//! ```text
//! 00:01 ready [tests=N] | failed REASON        the workspace; `failed` ends any effect
//! 00:02 recall [N ABOUT]                       the memory
//! 00:03 plan A, B | calls TOOL PATH, … | done [NOTE] | analysis TEXT
//! 00:03 done NOTE warned WARNING               what is to be known of an answer
//! 00:03 unusable REASON | fault REASON [after=N] | withheld | lost
//! 00:04 act [same] [bad] [new=PATH | changed=PATH] [interrupted]   the call that is under way
//! 00:05 scan [ask|deny|note CATEGORY SUBJECT, … | never CATEGORY, …]
//! 00:06 tests 3/5 [ERROR] | tests stopped | tests outdated
//! 00:07 kept
//! 00:08 pause [now] | resume [HINT] | more tokens|calls|time N | approve once|always|no [eof]
//! 00:09 rewind N | restored [kept=PATH] | end | tick | wanted
//! ```
//! `quiet` and `loud` leave events out and bring them back. Event ids stand in front.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use vosim_protocol::v1::agent::{
    Allow, Analysis, Answered, Cap, Caps, Category, Confidence, Crossing, Finding, Hit, ModelName,
    ModelSort, Per, Plan, Price, Risk, RunCaps, RunLimit, ScanVerdict, Spent, TaskLanguage,
    TestError, TestReport, TestsOf, ToolCall, Usage, Written,
};
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::effect::{
    Acted, Effect, EffectOutcome, Failure, Prepared, Proposal, Proposed, Recalled, Remembered,
    Restored, Scanned, TestsRun,
};
use vosim_protocol::v1::events::Events as _;
use vosim_protocol::v1::task::{Command, Event, Rounds, Spec, View};
use vosim_protocol::{
    Blob, CommandId, EffectId, EventId, Hash, Json, Role, SessionId, Time, Wire as _,
};

use crate::kind::{Kind as _, Recorded};
use crate::kinds::task::Task;
use crate::rejection;
use crate::replay::replay;
use crate::session::{Advance, Answer, AnySession, CommandInput, Input, Sealed, Session};

pub(super) const SESSION: SessionId = SessionId(uuid::Uuid::from_u128(7));

/// A task that has been played.
pub(super) struct Script {
    session: Session<Task>,
    spec: Vec<u8>,
    lines: Vec<Vec<u8>>,
    commands: u128,
    calls: u32,
    loud: bool,
    output: String,
}

pub(super) fn spec() -> Spec {
    Spec {
        task: "Write add and double".to_owned(),
        language: TaskLanguage::Python,
        model: ModelName { sort: ModelSort::Openai, name: "one".to_owned() },
        fallback: None,
        price: None,
        workspace: "/tasks/7".to_owned(),
        own_workspace: true,
        exam: None,
        rounds: Rounds::default(),
        caps: Caps { wall_secs: Some(3_600), ..Caps::default() },
        day: Caps::default(),
        run: RunCaps::default(),
    }
}

/// The log and the refusals that a script leads to; the log is replayed as well.
pub(super) fn log(script: &str) -> String {
    Script::play(&spec(), script).output
}

impl Script {
    pub(super) fn play(spec: &Spec, script: &str) -> Self {
        let spec = spec.to_line();
        let (session, records) = Session::create(SESSION, &spec, time("00:00")).unwrap();
        let (lines, output) = (Vec::new(), String::new());
        let mut played = Self { session, spec, lines, commands: 0, calls: 0, loud: true, output };
        played.keep(&records);
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line {
                "quiet" => played.loud = false,
                "loud" => played.loud = true,
                line => played.line(line),
            }
        }
        let report = replay::<Task>(SESSION, &played.spec, &played.lines, None, true).unwrap();
        assert_eq!((report.differs, report.chain), (None, None));
        played
    }

    pub(super) fn output(&self) -> &str {
        &self.output
    }

    /// The exact bytes of the log.
    pub(super) fn log(&self) -> &[Vec<u8>] {
        &self.lines
    }

    pub(super) fn view(&self, at: &str) -> View {
        View::from_json(self.session.view(Role::Candidate, time(at))).unwrap()
    }

    /// How often an event has happened.
    pub(super) fn count(&self, event_type: &str) -> usize {
        self.output.lines().filter(|line| line.split(' ').nth(1) == Some(event_type)).count()
    }

    /// What is wanted now.
    pub(super) fn wanted(&self) -> Effect {
        self.session.wanted_effects().pop().expect("the script waits for something").1
    }

    fn line(&mut self, line: &str) {
        let (at, line) = line.split_once(' ').unwrap();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let at = time(at);
        if let Some(command) = self.command(verb, rest) {
            return self.ask(&command, at);
        }
        if verb == "tick" {
            return self.input(&Input::Tick, at);
        }
        let wanted = self.session.wanted_effects();
        let (id, effect) = wanted.first().expect("the script waits for something").clone();
        let outcome = self.outcome(&effect, verb, rest);
        self.end(id, outcome, at);
    }

    pub(super) fn end(&mut self, id: EffectId, outcome: EffectOutcome, at: Time) {
        self.input(&Input::Outcome(id, outcome), at);
    }

    fn command(&self, verb: &str, rest: &str) -> Option<Command> {
        Some(match verb {
            "pause" => Command::Pause { now: rest == "now" },
            "resume" => {
                let hint = Some(rest.to_owned()).filter(|hint| !hint.is_empty());
                Command::Resume { hint, caps: Caps::default(), run: RunCaps::default() }
            }
            "more" => {
                let (what, number) = rest.split_once(' ').unwrap();
                let number = Some(number.parse().unwrap());
                let (mut caps, mut run) = (Caps::default(), RunCaps::default());
                match what {
                    "memory" => run.memory_mib = number,
                    "tokens" => caps.tokens = number,
                    "calls" => caps.calls = number,
                    _ => caps.wall_secs = number,
                }
                Command::Resume { hint: None, caps, run }
            }
            "approve" => {
                let (answer, why) = rest.split_once(' ').unwrap_or((rest, ""));
                let answer = match answer {
                    "once" => Allow::Once,
                    "always" => Allow::Always,
                    _ => Allow::No,
                };
                let because = if why == "eof" { Answered::EndOfInput } else { Answered::Said };
                let view = self.view("59:00");
                let approval = view.approval.map_or(EventId(99), |pending| pending.event_id);
                Command::Approve { approval, answer, because }
            }
            "rewind" => Command::Rewind { to: EventId(rest.parse().unwrap()) },
            "end" => Command::End {},
            _ => return None,
        })
    }

    fn ask(&mut self, command: &Command, at: Time) {
        self.commands += 1;
        let args = command.args();
        let input = CommandInput {
            id: CommandId(uuid::Uuid::from_u128(self.commands)),
            if_cursor: None,
            name: command.name(),
            args: &args,
            blobs: &[],
            role: Role::Candidate,
        };
        self.input(&Input::Command(input), at);
    }

    fn outcome(&mut self, effect: &Effect, verb: &str, rest: &str) -> EffectOutcome {
        if verb == "failed" {
            return effect.failed(Failure::new(rest));
        }
        match effect {
            Effect::Prepare(_) => {
                let tests = rest.strip_prefix("tests=").map_or(0, |tests| tests.parse().unwrap());
                EffectOutcome::Prepare(Ok(Prepared { files: tests, tests }))
            }
            Effect::Recall(_) => EffectOutcome::Recall(Ok(recalled(rest))),
            Effect::Propose(_) => EffectOutcome::Propose(Ok(Box::new(self.proposed(verb, rest)))),
            Effect::Act(_) => EffectOutcome::Act(Ok(self.acted(rest))),
            Effect::Scan(_) => EffectOutcome::Scan(Ok(scanned(rest))),
            Effect::RunTests(_) => EffectOutcome::RunTests(Ok(tested(rest))),
            Effect::Remember(_) => EffectOutcome::Remember(Ok(Remembered::default())),
            Effect::Restore(restore) => {
                let kept = rest.strip_prefix("kept=").map(str::to_owned);
                let paths = restore.files.iter().map(|file| file.path.clone());
                let restored = paths.filter(|path| Some(path) != kept.as_ref()).collect();
                let kept = kept.into_iter().collect();
                EffectOutcome::Restore(Ok(Restored { restored, kept }))
            }
            other => panic!("a task asks for no such thing: {other:?}"),
        }
    }

    fn proposed(&mut self, verb: &str, rest: &str) -> Proposed {
        let (rest, warning) = rest.split_once(" warned ").unwrap_or((rest, ""));
        let proposal = match verb {
            "plan" => Proposal::Plan(Plan {
                subtasks: rest.split(", ").map(str::to_owned).collect(),
                ..Plan::default()
            }),
            "calls" => {
                Proposal::Calls { calls: rest.split(", ").map(|call| self.call(call)).collect() }
            }
            "done" => Proposal::Done { note: rest.to_owned() },
            "analysis" => Proposal::Analysis(Analysis {
                root_cause: rest.to_owned(),
                fix_hypothesis: format!("mend {rest}"),
                confidence: Confidence::High,
            }),
            "unusable" => Proposal::Unusable { reason: rest.to_owned() },
            "fault" => {
                let (reason, after) = rest.split_once(" after=").unwrap_or((rest, ""));
                let retry_after_secs = after.parse().ok();
                return Proposed::Fault {
                    reason: reason.to_owned(),
                    retry_after_secs,
                    usage: None,
                };
            }
            "withheld" => {
                let (cap, per) = (Cap::Tokens, Per::Day);
                let crossing = Crossing { cap, per, limit: 10, spent: 8, would: 12 };
                return Proposed::Withheld { crossing };
            }
            "lost" => return Proposed::Interrupted {},
            verb => panic!("no model answers with {verb}"),
        };
        let usage = Usage { prompt: 100, completion: 50, estimated: false };
        let exchange = bytes("exchange");
        Proposed::Answer {
            proposal,
            usage,
            exchange,
            today: Spent::default(),
            warnings: Some(warning.to_owned()).into_iter().filter(|it| !it.is_empty()).collect(),
        }
    }

    fn call(&mut self, call: &str) -> ToolCall {
        self.calls += 1;
        let (tool, path) = call.split_once(' ').unwrap_or((call, ""));
        let path = Some(path.to_owned()).filter(|path| !path.is_empty());
        let id = format!("call_{}", self.calls);
        ToolCall { id, tool: tool.to_owned(), path, arguments: bytes(call) }
    }

    fn acted(&self, rest: &str) -> Acted {
        let words: Vec<_> = rest.split(' ').collect();
        let result = if words.contains(&"same") { "same" } else { &format!("{}", self.calls) };
        let written = words.iter().find_map(|word| {
            let (how, path) = word.split_once('=')?;
            let after = hash(&format!("{path} {}", self.lines.len()));
            let before = (how == "changed").then(|| hash(path));
            Some(Written { path: path.to_owned(), before, after: Some(after), bytes: 9, lines: 2 })
        });
        let seen = written.iter().filter_map(|one| Some((one.path.clone(), one.after?)));
        Acted {
            ok: !words.contains(&"bad"),
            result: bytes(result),
            gist: rest.to_owned(),
            seen: seen.collect::<BTreeMap<_, _>>(),
            written,
            interrupted: words.contains(&"interrupted"),
        }
    }

    fn input(&mut self, input: &Input<'_>, at: Time) {
        let Advance { next, records, answer, .. } = self.session.advance(input, at);
        self.session = next;
        if let Answer::Refused(rejection) = answer {
            writeln!(self.output, "{}", rejection::tests::line(rejection)).unwrap();
        } else if records.is_empty() {
            self.output.push_str("nothing\n");
        }
        self.keep(&records);
    }

    fn keep(&mut self, records: &[Sealed]) {
        for Sealed { record, line, .. } in records {
            self.lines.push(line.clone());
            let Ok(event) = Event::read(&record.event_type, record.payload.clone()) else {
                continue;
            };
            let recorded = Recorded { id: record.event_id, at: record.timestamp, event };
            let told = Task::tell(&recorded);
            let line = told.line.map(|line| line.text).unwrap_or_default();
            let gist = told.gist.map(|gist| format!(" [{}]", gist.text)).unwrap_or_default();
            if self.loud {
                let (id, event_type) = (record.event_id, &record.event_type);
                writeln!(self.output, "{id} {event_type} {line}{gist}").unwrap();
            }
        }
    }
}

fn bytes(text: &str) -> vosim_protocol::BlobRef {
    Blob(text.as_bytes().to_vec()).reference()
}

pub(super) fn hash(text: &str) -> Hash {
    Hash::of(text.as_bytes())
}

fn recalled(rest: &str) -> Recalled {
    let hits = rest.split_once(' ').map(|(similarity, about)| Hit {
        from: SESSION,
        about: about.to_owned(),
        solution: String::new(),
        similarity: similarity.parse().unwrap(),
    });
    Recalled { hits: hits.into_iter().collect(), warning: None }
}

fn scanned(rest: &str) -> Scanned {
    let finding = |text: &str| {
        let mut words = text.split(' ');
        let verdict = match words.next().unwrap() {
            "deny" => ScanVerdict::Deny,
            "ask" => ScanVerdict::Ask,
            _ => ScanVerdict::Note,
        };
        let category = Json::from(words.next().unwrap());
        let subject = words.next().unwrap().to_owned();
        Finding {
            verdict,
            rule: "rule".to_owned(),
            category: Category::from_json(category).unwrap(),
            snippet: format!("import {subject}"),
            subject,
            risk: Risk::Medium,
            path: "main.py".to_owned(),
            line: 3,
        }
    };
    let (unavailable, found): (Vec<_>, Vec<_>) = rest
        .split(", ")
        .filter(|text| !text.is_empty())
        .partition(|text| text.starts_with("never "));
    let never = |text: &str| Category::from_json(Json::from(&text["never ".len()..])).unwrap();
    Scanned {
        findings: found.into_iter().map(finding).collect(),
        by: vec!["vosim".to_owned()],
        rules: 1,
        unavailable: unavailable.into_iter().map(never).collect(),
    }
}

fn tested(rest: &str) -> TestsRun {
    let (score, error) = rest.split_once(' ').unwrap_or((rest, ""));
    let (stopped, outdated) = (score == "stopped", score == "outdated");
    let (passed, total) = score.split_once('/').unwrap_or(("2", "2"));
    let (passed, total) = (passed.parse().unwrap(), total.parse().unwrap());
    let failed = total - passed;
    let errors = (failed > 0).then(|| TestError {
        test: "tests/test_main.py::test_add".to_owned(),
        error_type: "AssertionError".to_owned(),
        message: if error.is_empty() { "assert 1 == 2".to_owned() } else { error.to_owned() },
        place: "main.py:4".to_owned(),
    });
    let report = TestReport {
        of: TestsOf::Workspace,
        total,
        passed,
        failed,
        missing: Vec::new(),
        errors: errors.into_iter().collect(),
        stopped: stopped.then_some(RunLimit::Memory),
        survivors: None,
        coverage: None,
        outdated,
    };
    let trace = (failed > 0).then(|| bytes("trace"));
    TestsRun { report, output: bytes("output"), trace, interrupted: false }
}

/// Minutes and seconds after the start.
pub(super) fn time(text: &str) -> Time {
    let start: Time = "2026-01-16T10:30:00Z".parse().unwrap();
    let (minutes, seconds) = text.split_once(':').unwrap();
    start.plus_secs(minutes.parse::<i64>().unwrap() * 60 + seconds.parse::<i64>().unwrap())
}

/// A dollar for a million of each.
pub(super) const PRICE: Price = Price { prompt_micros: 1_000_000, completion_micros: 1_000_000 };
