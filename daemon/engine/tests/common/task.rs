//! What can be done to a task.

use std::collections::BTreeMap;

use vosim_engine::kinds::task::Task;
use vosim_protocol::v1::agent::{
    Allow, Analysis, Answered, Cap, Caps, Category, Confidence, Crossing, Finding, Hit, ModelName,
    ModelSort, Per, Plan, Price, Risk, RunCaps, RunLimit, ScanVerdict, Spent, TaskLanguage,
    TestError, TestReport, TestsOf, ToolCall, Usage, Written,
};
use vosim_protocol::v1::effect::{
    Acted, Effect, EffectOutcome, Failure, Prepared, Proposal, Propose, Proposed, Recalled,
    Remembered, Restored, Scanned, TestsRun,
};
use vosim_protocol::v1::task::{Command, Rounds, Spec};
use vosim_protocol::{Blob, BlobRef, EventId, Hash, SessionId, Wire as _};

use super::Moves;

impl Moves for Task {
    const BY_TIME: &'static [&'static str] = &["TIME_RAN_OUT", "STATE_CHANGED"];
    const EFFECT_ENDS: &'static [&'static str] = &[
        "WORKSPACE_READY",
        "MEMORY_ANSWERED",
        "MODEL_ANSWERED",
        "TOOL_ENDED",
        "SCAN_ENDED",
        "TESTS_ENDED",
        "LESSON_KEPT",
        "TASK_REWOUND",
    ];

    fn spec() -> Vec<u8> {
        let model = |name: &str| ModelName { sort: ModelSort::Script, name: name.to_owned() };
        Spec {
            task: "Write add and double".to_owned(),
            language: TaskLanguage::Python,
            model: model("one"),
            fallback: Some(model("two")),
            price: Some(Price { prompt_micros: 1_000_000, completion_micros: 2_000_000 }),
            workspace: "/tasks".to_owned(),
            own_workspace: true,
            exam: None,
            // Few, so that a world of some moves sees the end of them.
            rounds: Rounds { grant: 3, warn_at: 2 },
            caps: Caps { wall_secs: Some(90), calls: Some(30), ..Caps::default() },
            day: Caps::default(),
            run: RunCaps::default(),
        }
        .to_line()
    }

    fn command(choice: u64) -> (Command, Vec<Blob>) {
        let command = match choice % 9 {
            0 if choice == 0 => Command::End {},
            0 | 1 => Command::Pause { now: choice.is_multiple_of(2) },
            2 | 3 => Command::Resume {
                hint: choice.is_multiple_of(3).then(|| format!("hint {choice}")),
                caps: Caps { wall_secs: Some(90 + choice), ..Caps::default() },
                run: RunCaps { minutes: Some(choice % 90), ..RunCaps::default() },
            },
            4 | 5 => Command::Rewind { to: EventId(choice / 9) },
            _ => Command::Approve {
                approval: EventId(choice / 9),
                answer: [Allow::Once, Allow::Always, Allow::No][at(choice, 3)],
                because: if choice.is_multiple_of(7) {
                    Answered::EndOfInput
                } else {
                    Answered::Said
                },
            },
        };
        (command, Vec::new())
    }

    fn outcome(effect: &Effect, choice: u64) -> EffectOutcome {
        if choice.is_multiple_of(29) {
            return effect.failed(Failure::new("the disk is full".repeat(at(choice, 500))));
        }
        match effect {
            Effect::Prepare(_) => EffectOutcome::Prepare(Ok(Prepared {
                files: 3,
                tests: u32::from(choice.is_multiple_of(2)),
            })),
            Effect::Recall(_) => {
                let hit = |about: &str| Hit {
                    from: SessionId(uuid::Uuid::from_u128(9)),
                    about: about.repeat(at(choice, 900)),
                    solution: "\u{1}".repeat(at(choice, 900)),
                    similarity: 71,
                };
                let hits = vec![hit("like this "); at(choice, 9)];
                let warning = choice.is_multiple_of(13).then(|| "slow".to_owned());
                EffectOutcome::Recall(Ok(Recalled { hits, warning }))
            }
            Effect::Propose(propose) => {
                EffectOutcome::Propose(Ok(Box::new(proposed(propose, choice))))
            }
            Effect::Act(_) => EffectOutcome::Act(Ok(acted(choice))),
            Effect::Scan(_) => {
                let findings = (0..choice % 40).map(|nth| finding(choice / 40 + nth));
                let findings =
                    if choice.is_multiple_of(3) { findings.collect() } else { Vec::new() };
                EffectOutcome::Scan(Ok(Scanned {
                    findings,
                    by: vec!["vosim".to_owned()],
                    rules: 1,
                    unavailable: vec![Category::Network; at(choice / 7, 2)],
                }))
            }
            Effect::RunTests(_) => EffectOutcome::RunTests(Ok(tested(choice))),
            Effect::Remember(_) => EffectOutcome::Remember(Ok(Remembered {
                warning: choice.is_multiple_of(5).then(|| "no room".repeat(at(choice, 90))),
            })),
            Effect::Restore(restore) => {
                let restored = restore.files.iter().map(|file| file.path.clone()).collect();
                let kept = vec!["kept.py".to_owned(); at(choice, 3)];
                EffectOutcome::Restore(Ok(Restored { restored, kept }))
            }
            other => other.failed(Failure::new("a task asks for no such thing")),
        }
    }
}

fn at(choice: u64, below: u64) -> usize {
    usize::try_from(choice % below).unwrap()
}

fn bytes(text: &str) -> BlobRef {
    Blob(text.as_bytes().to_vec()).reference()
}

fn proposed(propose: &Propose, choice: u64) -> Proposed {
    use vosim_protocol::v1::agent::AgentRole::{Coder, Planner, Reflector, Tester};
    let crossing = Crossing { cap: Cap::Tokens, per: Per::Day, limit: 1, spent: 1, would: choice };
    let said = "so it is \"\n".repeat(at(choice, 600));
    let proposal = match (choice % 23, propose.role) {
        (1, _) => return Proposed::Withheld { crossing },
        (2, _) => return Proposed::Interrupted {},
        (3, _) => {
            return Proposed::Fault { reason: said, retry_after_secs: Some(choice), usage: None };
        }
        (4 | 5, _) => Proposal::Unusable { reason: said },
        (6, _) => Proposal::Plan(Plan::default()),
        (_, Planner) => Proposal::Plan(Plan {
            dependencies: BTreeMap::from([("subtask_2".to_owned(), vec![said.clone(); 3])]),
            subtasks: vec![said; 14],
            ..Plan::default()
        }),
        (_, Reflector) => Proposal::Analysis(Analysis {
            root_cause: said.clone(),
            fix_hypothesis: said,
            confidence: Confidence::Low,
        }),
        (7..=13, Coder | Tester) => Proposal::Done { note: said },
        (_, Coder | Tester) => {
            let call = |nth: u64| ToolCall {
                id: format!("call_{nth}"),
                tool: ["create_file", "read_file", "list_files"][at(nth, 3)].to_owned(),
                path: nth.is_multiple_of(2).then(|| format!("file_{nth}.py")),
                arguments: bytes(&nth.to_string()),
            };
            Proposal::Calls { calls: (choice..choice + choice % 5).map(call).collect() }
        }
    };
    let usage = Usage { prompt: choice, completion: choice / 3, estimated: false };
    let (exchange, today, warnings) = (bytes("exchange"), Spent::default(), Vec::new());
    Proposed::Answer { proposal, usage, exchange, today, warnings }
}

fn acted(choice: u64) -> Acted {
    let path = ["main.py", "tests/test_main.py", "util.py"][at(choice, 3)].to_owned();
    let hash = |n: u64| Hash::of(format!("{path} {n}").as_bytes());
    let (before, after) = ((choice % 4 > 1).then(|| hash(choice / 5)), Some(hash(choice / 4)));
    let written = Written { path: path.clone(), before, after, bytes: 9, lines: 7 };
    Acted {
        ok: !choice.is_multiple_of(3),
        result: bytes(&(choice % 3).to_string()),
        gist: "wrote it ".repeat(at(choice, 60)),
        written: choice.is_multiple_of(2).then_some(written),
        seen: BTreeMap::from([(path.clone(), hash(choice / 4))]),
        interrupted: choice.is_multiple_of(11),
    }
}

fn finding(choice: u64) -> Finding {
    Finding {
        verdict: match choice % 31 {
            0 => ScanVerdict::Deny,
            1..=15 => ScanVerdict::Ask,
            _ => ScanVerdict::Note,
        },
        rule: "a rule".to_owned(),
        category: if choice.is_multiple_of(2) { Category::Network } else { Category::Process },
        subject: format!("subject_{}", choice % 3),
        risk: Risk::Medium,
        path: "main.py".repeat(at(choice, 90)),
        line: 1,
        snippet: "import \u{1}".repeat(at(choice, 90)),
    }
}

fn tested(choice: u64) -> TestsRun {
    let total = u32::try_from(choice % 4).unwrap();
    let passed = if choice.is_multiple_of(5) { total } else { total / 2 };
    let error = |nth: u64| TestError {
        test: format!("test_{}", nth % 2),
        error_type: "AssertionError".to_owned(),
        message: "assert 1 == 2 ".repeat(at(choice, 300)),
        place: "main.py:3".to_owned(),
    };
    let report = TestReport {
        of: TestsOf::Workspace,
        total,
        passed,
        failed: total - passed,
        missing: vec!["test_lost".repeat(at(choice, 40)); at(choice, 2) * 40],
        errors: (passed..total).map(|nth| error(nth.into())).collect(),
        stopped: choice.is_multiple_of(17).then_some(RunLimit::Wall),
        survivors: choice.is_multiple_of(2).then_some(2),
        coverage: choice.is_multiple_of(3).then_some(78),
        outdated: false,
    };
    let (output, trace) = (bytes("output"), choice.is_multiple_of(3).then(|| bytes("trace")));
    TestsRun { report, output, trace, interrupted: choice.is_multiple_of(11) }
}
