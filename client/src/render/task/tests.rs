//! What a task's screens look like, whole (002 8).

use insta::assert_snapshot;
use vosim_protocol::v1::agent::{
    Analysis, Confidence, ModelName, Plan, RunLimit, ScanVerdict, TaskLanguage, TestReport,
};
use vosim_protocol::v1::task::{FileLine, IterationEnded};
use vosim_protocol::{EventId, Time};

use super::stats::Stats;
use super::*;

fn tests(passed: u32) -> TestReport {
    let error = TestError {
        test: "tests/test_todo.py::test_create".to_owned(),
        error_type: "KeyError".to_owned(),
        message: "'title'".to_owned(),
        place: "main.py:42".to_owned(),
    };
    TestReport {
        of: TestsOf::Workspace,
        total: 12,
        passed,
        failed: 12 - passed,
        missing: Vec::new(),
        errors: (passed < 12).then_some(error).into_iter().collect(),
        stopped: None,
        survivors: None,
        coverage: None,
        outdated: false,
    }
}

fn iteration(number: u32, passed: u32) -> IterationEnded {
    IterationEnded {
        iteration: number,
        duration_ms: 31_000,
        prompt: 4_000,
        completion: 700,
        created: vec!["main.py".to_owned()],
        passed,
        failed: 12 - passed,
        memory_asked: 2,
        memory_hits: number - 1,
        ..IterationEnded::default()
    }
}

fn view(state: State, sort: ModelSort) -> View {
    let file = |path: &str, lines| FileLine { path: path.to_owned(), lines, created: true };
    let part = |text: &str| text.to_owned();
    let plan = Plan {
        subtasks: vec![part("Create the routes"), part("Keep the todos")],
        ..Plan::default()
    };
    View {
        session_id: SessionId(uuid::Uuid::from_u128(0x0abc_1234 << 96)),
        task: "Build a REST API for todos".to_owned(),
        language: TaskLanguage::Python,
        model: ModelName { sort, name: "some-model".to_owned() },
        judged_by: None,
        workspace: "/home/ada/workspace_abc123".to_owned(),
        state,
        goes_on_in: None,
        because: (state == State::Failed).then_some(Because::Iterations),
        fault: None,
        over: state == State::Success,
        at: Time::from_micros(0),
        iteration: 3,
        until: 15,
        busy: true,
        pausing: false,
        approval: None,
        plan: Some(plan),
        tests: Some(tests(if state == State::Success { 12 } else { 7 })),
        analysis: None,
        remembered: None,
        warnings: Vec::new(),
        circle: None,
        spent: Spent {
            prompt: 12_000,
            completion: 2_000,
            calls: 9,
            cost_micros: 1_230_000,
            unpriced: 0,
            wall_ms: 154_000,
        },
        caps: vosim_protocol::v1::agent::Caps::default(),
        run: RunCaps::default(),
        files: vec![
            file("main.py", 234),
            file("requirements.txt", 5),
            file("tests/test_todo.py", 89),
        ],
        test_edits: Vec::new(),
        iterations: vec![iteration(1, 3), iteration(2, 7)],
        earlier: None,
    }
}

fn finding() -> Finding {
    Finding {
        verdict: ScanVerdict::Ask,
        rule: "network-module".to_owned(),
        category: Category::Network,
        subject: "requests".to_owned(),
        risk: Risk::Medium,
        path: "main.py".to_owned(),
        line: 3,
        snippet: "import requests".to_owned(),
    }
}

#[test]
fn a_task_is_offered_with_what_it_may_cost() {
    let task = "Build a REST API for managing a todo list".to_owned();
    let model = Some(ModelName { sort: ModelSort::Openai, name: "some-model".to_owned() });
    let start = Start { task, model, ..Start::default() };
    assert_snapshot!(offer(&start, &[], &[], &Look::PLAIN));
    let past = [view(State::Success, ModelSort::Openai)];
    assert!(
        offer(&start, &[], &past, &Look::PLAIN).contains("$1.23 - $1.23 (based on past tasks)")
    );
    let script = ModelName { sort: ModelSort::Script, name: "passes".to_owned() };
    let offline = offer(&Start { model: Some(script), ..start }, &[], &past, &Look::PLAIN);
    assert!(offline.contains("no model cost (offline)"), "{offline}");
}

#[test]
fn a_task_at_work_shows_its_steps_and_its_last_error() {
    let analysis = Analysis {
        root_cause: "The key is called name".to_owned(),
        fix_hypothesis: "Call it title in main.py".to_owned(),
        confidence: Confidence::High,
    };
    let view = View { analysis: Some(analysis), ..view(State::Reflecting, ModelSort::Openai) };
    assert_snapshot!(standing(&view, &Look::PLAIN));
}

#[test]
fn a_success_names_its_files_and_what_to_do_next() {
    assert_snapshot!(came_out(&view(State::Success, ModelSort::Openai), &Look::PLAIN));
}

#[test]
fn how_much_of_the_program_was_run_is_shown_where_it_is_known() {
    let mut done = view(State::Success, ModelSort::Openai);
    done.tests.as_mut().unwrap().coverage = Some(78);
    let shown = came_out(&done, &Look::PLAIN);
    assert!(shown.contains("Coverage: 78 % of the lines"), "{shown}");
}

#[test]
fn a_success_of_a_script_is_shown_as_what_it_is() {
    let shown = came_out(&view(State::Success, ModelSort::Script), &Look::PLAIN);
    assert!(shown.contains("Task Completed by a Script"), "{shown}");
    assert!(shown.contains("this shows no ability"), "{shown}");
}

#[test]
fn a_failure_says_why_and_what_can_be_done() {
    assert_snapshot!(came_out(&view(State::Failed, ModelSort::Openai), &Look::PLAIN));
}

#[test]
fn an_error_is_told_in_one_line_and_an_answer_of_another_model_is_named() {
    let mut failed = view(State::Failed, ModelSort::Openai);
    failed.warnings = vec!["`other-9b` has answered".to_owned()];
    let error = &mut failed.tests.as_mut().unwrap().errors[0];
    (error.message, error.test) = ("assert 85 == 3\n +  where 85 = f()".to_owned(), String::new());
    error.place = "main.py".to_owned();
    let shown = came_out(&failed, &Look::PLAIN);
    for told in
        ["Last Error: KeyError: assert 85 == 3 ", "Where: main.py ", "The model: `other-9b`"]
    {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(!shown.contains("where 85"), "{shown}");
}

#[test]
fn after_a_run_that_was_stopped_more_is_offered_and_what_was_given_is_shown() {
    let mut failed = view(State::Failed, ModelSort::Openai);
    assert!(more_for_runs(&failed).is_none(), "it came to its end");
    failed.tests.as_mut().unwrap().stopped = Some(RunLimit::Memory);
    let shown = came_out(&failed, &Look::PLAIN).replace("\n    ", " ");
    let told = "Give each run 2,048 MiB of memory: vosimctl task resume --session 0abc1234 --run-memory 2048";
    assert!(shown.contains(told), "{shown}");
    assert!(!standing(&failed, &Look::PLAIN).contains("Each run"));
    failed.run = RunCaps { memory_mib: Some(8_192), minutes: Some(10), ..RunCaps::default() };
    assert!(more_for_runs(&failed).is_none(), "it is as much as may be");
    let shown = standing(&failed, &Look::PLAIN);
    let told = "Each run of the tests may have 8,192 MiB of memory, 10 minutes\n";
    assert!(shown.contains(told), "{shown}");
}

#[test]
fn a_look_at_the_workspace_shows_its_files_and_the_code_around_the_last_error() {
    let mut failed = view(State::Failed, ModelSort::Openai);
    let text: String = (1..=60).map(|line| format!("step({line})\n")).collect();
    let look = |failed: &View, text: Option<&str>| workspace::screen(failed, text, &Look::PLAIN);
    let shown = look(&failed, Some(&text));
    for told in [
        "Workspace: /home/ada/workspace_abc123\n",
        "main.py (234 lines, made)\n",
        "main.py, around line 42\n",
        "    37  step(37)\n",
        ">   42  step(42)\n",
        "    47  step(47)\n",
        "vosimctl task diff --session 0abc1234",
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(!shown.contains("step(36)") && !shown.contains("step(48)"), "{shown}");
    assert!(!look(&failed, None).contains("around"), "it cannot be read");
    let error = &mut failed.tests.as_mut().unwrap().errors[0];
    error.place = "main.py:2".to_owned();
    assert!(look(&failed, Some("a\n\nb")).contains("     1  a\n>    2\n     3  b\n"));
    // What the agent has not written is not looked at, nor what is no place.
    for place in ["/usr/lib/python3/json.py:9", "main.py", "main.py:0", ""] {
        failed.tests.as_mut().unwrap().errors[0].place = place.to_owned();
        assert_eq!(workspace::place(&failed), None, "{place}");
    }
    failed.files.clear();
    assert!(look(&failed, None).contains("The agent has written no file."));
}

#[test]
fn iterations_before_the_newest_are_summed_and_count_in_every_figure() {
    let mut long = view(State::Failed, ModelSort::Openai);
    long.iterations = vec![iteration(59, 3), iteration(60, 7)];
    long.earlier = Some(IterationSums {
        iterations: 58,
        duration_ms: 58_000,
        prompt: 50_000,
        completion: 600,
        created: 2,
        modified: 70,
        passed: 590,
        failed: 106,
        memory_asked: 60,
        memory_hits: 6,
        approvals: 3,
    });
    let shown = history(std::slice::from_ref(&long), &Look::PLAIN);
    assert!(shown.contains("60 iterations"), "{shown}");
    let shown = standing(&long, &Look::PLAIN).replace("\n    ", " ");
    let summed =
        "1 to 58, summed: 590 passed, 106 failed, 58s, 50,600 tokens, 2 files made, 70 changed";
    assert!(shown.contains(summed) && shown.contains("60: 7 passed"), "{shown}");
    let stats = Stats::of(&[long]);
    assert_eq!((stats.iterations, stats.iteration_ms, stats.iteration_tokens), (60, 2_000, 1_000));
    assert_eq!((stats.pass_percent, stats.approvals_hundredths), (Some(83), 300));
}

#[test]
fn an_approval_shows_the_code_and_how_each_answer_is_given() {
    let approval = PendingApproval { event_id: EventId(41), finding: finding(), places: 2 };
    let view = View { approval: Some(approval), ..view(State::Testing, ModelSort::Openai) };
    assert_snapshot!(approvals(&[view], &Look::PLAIN));
}

#[test]
fn a_yes_to_a_network_is_told_with_what_it_reaches() {
    let waiting = view(State::Testing, ModelSort::Openai);
    let told = |category| {
        let finding = Finding { category, ..finding() };
        let pending = PendingApproval { event_id: EventId(41), finding, places: 1 };
        answered(&waiting, &pending, Allow::Once, &Look::PLAIN).replace('\n', " ")
    };
    assert!(told(Category::Network).contains("nothing that listens on this machine"));
    assert!(!told(Category::Process).contains("listens"));
    assert!(told(Category::Process).contains("may do this in its next run"));
}

#[test]
fn figures_over_all_tasks_are_those_of_the_specification() {
    let tasks = [
        view(State::Success, ModelSort::Openai),
        View { iteration: 5, ..view(State::Success, ModelSort::Openai) },
        view(State::Failed, ModelSort::Openai),
    ];
    let stats = Stats::of(&tasks);
    let python = &stats.languages["python"];
    assert_eq!((python.tasks, python.succeeded), (3, 2));
    assert_eq!((python.average_hundredths, python.deviation_hundredths), (Some(400), Some(141)));
    assert_snapshot!(stats::screen(&stats, &Look::PLAIN));
    let unpriced = Spent { unpriced: 1, ..tasks[0].spent };
    assert_eq!(
        Stats::of(&[View { spent: unpriced, ..tasks[0].clone() }]).costs[0].cost_micros,
        None
    );
}
