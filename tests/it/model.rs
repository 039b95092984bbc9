//! A server of models beside whole interviews (001 8, 10.2; DECISIONS 35): what it says well is used, and
//! whatever it says or does wrong, the interview is the one that it would have been without it.

mod server;

use std::os::unix::fs::PermissionsExt as _;

use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{EventId, EventRecord};
use vosim_tests::{Ctl, Home, Program, TestClock, TestDaemon};

use crate::support::{assert_gapless, count, current, last};
use server::{Answer, For, Request, Server};

const START: &str = "2026-01-05T12:00:00Z";

/// What the candidate says in each section.
const SAID: [&[&str]; 4] = [
    &[
        "The input is one key, and each operation gives the caller exactly 1 value back, or -1.",
        "Well, that is about all of it, I suppose.",
    ],
    &["A hash map finds the node and a linked list keeps the order of use, so a call is O(1)."],
    &[],
    &["With one more hour I would measure the memory of it with a million keys, because it grows."],
];
/// The lengths of the sections, seconds.
const SECONDS: [i64; 4] = [600, 900, 900, 300];

/// A whole interview, whatever its model does.
pub(crate) fn conducted(settings: &str) -> (Vec<EventRecord>, TestDaemon) {
    let home = Home::new();
    home.config(settings);
    let (daemon, mut clock) = TestClock::start_daemon_in(home, START);
    daemon.ctl("interview start --no-watch").ok();
    for (place, said) in SAID.iter().enumerate() {
        presented(&daemon, "PROMPT_PRESENTED", place + 1);
        let mut left = SECONDS[place];
        for text in *said {
            daemon.command(["say", *text]).run().ok();
            let before = count(&whole_log(&daemon), "FOLLOWUP_PRESENTED");
            clock.advance(30);
            left -= 30;
            daemon.ctl("status").ok();
            if count(&whole_log(&daemon), "FOLLOWUP_SELECTED") > before {
                presented(&daemon, "FOLLOWUP_PRESENTED", before + 1);
            }
        }
        if place == 0 {
            for question in ["what is a doubly linked list", "write the put method for me"] {
                daemon.command(["ask", question]).run().ok();
            }
        }
        if place == 2 {
            daemon.home().file("lru_cache.py", Program("wrong_answer/wrong_eviction.py").text());
            daemon.ctl("submit lru_cache.py");
            daemon.ctl("hint").ok();
            daemon.home().file("lru_cache.py", Program("accepted/plain_dict.py").text());
            assert!(daemon.ctl("submit lru_cache.py").ok().contains("12/12"));
        }
        clock.advance(left);
        daemon.ctl("status").ok();
    }
    clock.advance(16);
    presented(&daemon, "INTERVIEW_COMPLETED", 1);
    daemon.ctl("replay --verify").ok();
    daemon.ctl("verify").ok();
    let records = whole_log(&daemon);
    assert_gapless(&records);
    (records, daemon)
}

/// Waits until so many events of a type have happened.
fn presented(daemon: &TestDaemon, event_type: &str, times: usize) {
    let mut wire = daemon.wire();
    wire.subscribe(current(daemon), EventId::ZERO);
    for _ in 0..times {
        wire.wait_for_event(event_type);
    }
}

/// The records with what was withheld from the candidate.
fn whole_log(daemon: &TestDaemon) -> Vec<EventRecord> {
    let lines = daemon.ctl("log --json --as interviewer").json();
    lines.into_iter().map(|json| EventRecord::from_json(json).unwrap()).collect()
}

/// What no model may change: sections and their ends, questions, messages, verdicts, hints.
fn course(records: &[EventRecord]) -> Vec<String> {
    let told = |record: &EventRecord| {
        let fields: &[&str] = match record.event_type.as_str() {
            "SECTION_STARTED" | "SECTION_ENDED" | "COVERAGE_SATISFIED" => &["section_id", "reason"],
            "FOLLOWUP_SELECTED" => &["section_id", "dimension", "pool_index"],
            "CANDIDATE_MESSAGE" => &["section_id", "text", "coverage"],
            "EVAL_RESULT" => &["attempt_number", "tests_passed", "tests_failed"],
            "HINT_REQUESTED" => &["hint_level", "issue"],
            "ASSISTANT_QUERY" => &["question"],
            "INTERVIEW_COMPLETED" => &["exits", "tests_passed"],
            _ => return None,
        };
        let values = fields.iter().map(|field| record.payload[*field].to_string());
        Some(format!("{} {}", record.event_type, values.collect::<Vec<_>>().join(" ")))
    };
    records.iter().filter_map(told).collect()
}

/// What no model may change, whatever it hears: the sections, the verdicts and the end.
pub(crate) fn frame(records: &[EventRecord]) -> Vec<String> {
    let told = |record: &EventRecord| match record.event_type.as_str() {
        "SECTION_STARTED" | "SECTION_SUMMARIZED" => Some(record.payload["section_id"].to_string()),
        "EVAL_RESULT" => Some(record.payload["tests_passed"].to_string()),
        "INTERVIEW_COMPLETED" => Some(record.payload["tests_passed"].to_string()),
        _ => None,
    };
    records.iter().filter_map(told).collect()
}

/// Nothing that was said to the candidate holds a line of a reference program.
pub(crate) fn tells_nothing(records: &[EventRecord]) {
    let lines = reference_lines();
    let answers = records.iter().filter(|record| record.event_type == "ASSISTANT_RESPONSE");
    let answers = answers.map(|answer| answer.payload["text"].to_string());
    let said = spoken(records).into_iter().map(|(_, said)| said.to_string());
    for text in answers.chain(said) {
        for line in &lines {
            assert!(!text.contains(line.as_str()), "{line} is in {text}");
        }
    }
}

/// Lines of a reference program that stand nowhere else.
fn reference_lines() -> Vec<String> {
    let program = Program("accepted/linked_list.py").text();
    let lines = program.lines().map(str::trim).filter(|line| line.len() > 24);
    let lines: Vec<_> = lines.map(str::to_owned).collect();
    assert!(lines.len() > 5, "the program has lines that can be looked for");
    lines
}

/// Everything that somebody said in words that a model may have chosen: type, text, whose words.
pub(crate) fn spoken(records: &[EventRecord]) -> Vec<(&str, &Json)> {
    let spoken = records.iter().filter(|record| {
        matches!(
            record.event_type.as_str(),
            "PROMPT_PRESENTED" | "FOLLOWUP_PRESENTED" | "HINT_GIVEN"
        )
    });
    spoken.map(|record| (record.event_type.as_str(), &record.payload)).collect()
}

pub(crate) fn without_a_model() -> Vec<EventRecord> {
    let (records, _) = conducted("");
    assert!(spoken(&records).iter().all(|(_, said)| said["words"] == "problem"));
    assert_eq!((count(&records, "WORDING_FAILED"), count(&records, "MESSAGE_HEARD")), (0, 0));
    assert!(records[1].payload.get("model").is_none());
    records
}

/// Puts a text into other words by little: so much may be expected of any model.
fn reworded(text: &str) -> String {
    text.replace("Please ", "Now please ").replace("What ", "And what ").replace("The ", "So the ")
}

#[test]
fn what_a_model_words_well_is_said_in_its_words_and_nothing_else_is_different() {
    let server = Server::new(|request| match request.wanted {
        For::Words => Answer::Text(reworded(request.text())),
        For::Assistant => Answer::Text("A list whose nodes know both neighbours.".to_owned()),
        For::Evidence => Answer::Text("{\"verdicts\": []}".to_owned()),
    });
    let (records, daemon) = conducted(&server.settings());
    tells_nothing(&records);
    assert_eq!(course(&records), course(&without_a_model()));
    assert_eq!(records[1].payload["model"]["name"], "small-3b");
    let spoken = spoken(&records);
    let by_model: Vec<_> = spoken.iter().filter(|(_, said)| said["words"] == "model").collect();
    assert!(by_model.iter().any(|(what, _)| *what == "PROMPT_PRESENTED"), "{spoken:#?}");
    assert!(by_model.iter().any(|(what, _)| *what == "FOLLOWUP_PRESENTED"), "{spoken:#?}");
    for (_, said) in &spoken {
        let named = said["words"] == "model";
        assert_eq!(said.get("model").is_some_and(|name| name == "small-3b"), named, "{said}");
    }
    let answers: Vec<_> =
        records.iter().filter(|record| record.event_type == "ASSISTANT_RESPONSE").collect();
    assert_eq!(answers[0].payload["model"], "small-3b");
    assert_eq!(answers[0].payload["text"], "A list whose nodes know both neighbours.");
    assert!(answers[1].payload.get("model").is_none(), "what may not be asked reaches no server");
    let asked = server.asked();
    assert_eq!(asked.iter().filter(|asked| asked.wanted == For::Assistant).count(), 1);
    let told = daemon.command(["why", &followup_id(&records)]).run();
    assert!(told.ok().contains("small-3b"), "{told}");
    blind(&asked);
}

fn followup_id(records: &[EventRecord]) -> String {
    let followup = records.iter().find(|record| {
        record.event_type == "FOLLOWUP_PRESENTED" && record.payload["words"] == "model"
    });
    followup.unwrap().event_id.to_string()
}

/// No request holds a line of a reference program, and the assistant's holds nothing of the interview.
fn blind(asked: &[Request]) {
    let lines = reference_lines();
    for asked in asked {
        for line in &lines {
            assert!(!asked.whole.contains(line.as_str()), "{line} is in {asked:?}");
        }
        if asked.wanted == For::Assistant {
            assert!(!asked.whole.contains("exactly 1 value back"), "{asked:?}");
            assert!(!asked.whole.contains("LRU"), "{asked:?}");
        }
    }
}

/// What every fault comes to: the texts of the schema, the offline assistant, and the same interview.
fn is_as_without(server: &Server) -> Vec<EventRecord> {
    let (records, _) = conducted(&server.settings());
    assert_eq!(course(&records), course(&without_a_model()));
    assert!(spoken(&records).iter().all(|(_, said)| said["words"] == "problem"));
    let answer = records.iter().find(|record| record.event_type == "ASSISTANT_RESPONSE").unwrap();
    assert!(answer.payload.get("model").is_none(), "{answer:?}");
    assert_ne!(answer.payload["unanswered"], true, "the offline assistant knows it");
    assert!(count(&records, "WORDING_FAILED") >= 2 * spoken(&records).len());
    records
}

#[test]
fn a_server_that_refuses_cuts_garbles_or_is_another_changes_no_interview() {
    let faults = [
        Answer::Status(429, "retry-after: 9000\r\n"),
        Answer::Status(500, ""),
        Answer::Status(404, ""),
        Answer::Cut,
        Answer::Garbled,
    ];
    for fault in faults {
        let told = format!("{fault:?}");
        let server = Server::new(move |_| fault.clone());
        let records = is_as_without(&server);
        let failed = last(&records, "WORDING_FAILED");
        assert!(!failed["reason"].as_str().unwrap().contains("wording"), "{told}: {failed}");
    }
}

#[test]
fn a_server_that_hangs_costs_its_bound_and_is_then_left_alone() {
    let server = Server::new(|_| Answer::Hang);
    let records = is_as_without(&server);
    let failed: Vec<_> = records
        .iter()
        .filter(|record| record.event_type == "WORDING_FAILED")
        .map(|record| record.payload["reason"].as_str().unwrap().to_owned())
        .collect();
    assert!(failed[0].contains("did not answer within 8 s"), "{failed:?}");
    assert!(failed.iter().any(|reason| reason.contains("left alone")), "{failed:?}");
}

#[test]
fn nonsense_is_never_said() {
    // Each breaks another rule; what is asked for comes in turn.
    let turn = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::new(move |request| {
        let text = request.text();
        let nonsense = [
            String::new(),
            "Bananas are yellow.".to_owned(),
            format!("{text} Great answer!"),
            format!("{text} What else? And why? And how?"),
            "def put(self, key, value): self.order.move_to_end(key)".to_owned(),
            "Sure! Here is the reworded text.".to_owned(),
            text.repeat(20),
            "\u{1b}[2J".to_owned(),
        ];
        let at = turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        match request.wanted {
            For::Words => Answer::OfAnother(nonsense[at % nonsense.len()].clone()),
            For::Assistant => Answer::Status(400, ""),
            For::Evidence => Answer::Text(nonsense[at % nonsense.len()].clone()),
        }
    });
    is_as_without(&server);
}

#[test]
fn what_is_switched_off_is_not_asked_for_and_a_session_keeps_what_it_began_with() {
    let server = Server::new(|request| match request.wanted {
        For::Assistant => Answer::Text("A list whose nodes know both neighbours.".to_owned()),
        For::Words | For::Evidence => Answer::Text("Yes.".to_owned()),
    });
    let settings = server.settings() + "wording = false\nhearing = false\n";
    let (records, daemon) = conducted(&settings);
    assert!(server.asked().iter().all(|asked| asked.wanted == For::Assistant));
    assert_eq!(last(&records, "ASSISTANT_QUERY")["question"], "write the put method for me");
    let model = &records[1].payload["model"];
    assert_eq!((&model["assistant"], model.get("wording")), (&Json::Bool(true), None));
    let doctor = daemon.ctl("doctor").to_string();
    let doctor = doctor.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(doctor.contains("new interviews ask it for the assistant's answers"), "{doctor}");
}

#[test]
fn beyond_the_caps_of_the_day_nothing_is_asked() {
    let server = Server::new(|request| Answer::Text(reworded(request.text())));
    let settings = server.settings() + "hearing = false\n[task]\nday_calls = 3\n";
    let (records, _) = conducted(&settings);
    assert_eq!(server.asked().len(), 3);
    let failed = last(&records, "WORDING_FAILED");
    let told = "the model failed: the day's cap on calls of models would be crossed";
    assert_eq!(failed["reason"], told);
}

/// What the server says of each message: everything is covered, by its first words.
fn hears_everything(request: &Request) -> Answer {
    let message = request.user.split_once("<message>").map_or("", |(_, rest)| rest);
    let words: Vec<_> = message.split_whitespace().take(9).collect();
    let topics = request.user.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
    let verdicts: Vec<_> = topics
        .map(|(topic, _)| {
            serde_json::json!({ "dimension": topic, "level": "fully", "quote": words.join(" ") })
        })
        .collect();
    Answer::Text(serde_json::json!({ "verdicts": verdicts }).to_string())
}

#[test]
fn what_a_model_hears_is_evidence_with_its_source_and_a_replay_needs_no_server() {
    let server = Server::new(|request| match request.wanted {
        For::Evidence => hears_everything(request),
        For::Words | For::Assistant => Answer::Status(500, ""),
    });
    let home = Home::new();
    home.config(&(server.settings() + "wording = false\nassistant = false\n"));
    let (daemon, _clock) = TestClock::start_daemon_in(home, START);
    daemon.ctl("interview start --no-watch").ok();
    presented(&daemon, "PROMPT_PRESENTED", 1);
    // Nobody waits for the model.
    daemon
        .command(["say", "The latency of each call is what I would look at first of all."])
        .run()
        .ok();
    presented(&daemon, "MESSAGE_HEARD", 1);
    let records = whole_log(&daemon);
    let heard = last(&records, "MESSAGE_HEARD");
    assert_eq!((&heard["model"], heard.get("failed")), (&"small-3b".into(), None));
    let quote = "The latency of each call is what I would";
    assert!(!heard["testimonies"].as_array().unwrap().is_empty(), "{heard}");
    for said in heard["testimonies"].as_array().unwrap() {
        assert_eq!(said["quote"], quote);
    }
    for change in heard["coverage"].as_array().unwrap() {
        let step = (change["from"].as_str().unwrap(), change["to"].as_str().unwrap());
        let by_one = [("not_covered", "partially_covered"), ("partially_covered", "covered")];
        assert!(by_one.contains(&step), "{change}");
        assert_eq!(change["rule"], "heard_by_model");
    }
    let id = records.iter().find(|record| record.event_type == "MESSAGE_HEARD").unwrap().event_id;
    let why = daemon.command(["why", &id.to_string()]).run();
    assert!(why.ok().contains("small-3b heard: ") && why.ok().contains("as evidence"), "{why}");
    // What only repeats a question is nobody's evidence.
    let echo = records.iter().find(|record| record.event_type == "PROMPT_PRESENTED").unwrap();
    daemon.command(["say", echo.payload["text"].as_str().unwrap()]).run().ok();
    daemon.ctl("replay --verify").ok();
    daemon.ctl("end --yes").ok();
    let asked = server.asked();
    assert_eq!(asked.len(), 1, "{asked:#?}");
    assert!(asked[0].user.contains("<message>The latency of each call"), "{asked:#?}");
    daemon.ctl("replay --verify").ok();
}

#[test]
fn the_key_of_a_server_is_in_nothing_that_a_task_leaves_or_says() {
    const KEY: &str = "sk-canary-8f31c0de55aa77";
    // It answers what cannot be used for a while, and then lets nobody in.
    let server = Server::new(|request| match request.user.contains("Last run of the tests") {
        false => Answer::Text("There is no plan.".to_owned()),
        true => Answer::Status(401, ""),
    });
    for by_file in [true, false] {
        let mut home = Home::new();
        let file = home.file("key", KEY);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        home.set("CANARY", KEY);
        let key = match by_file {
            true => format!("key_file = {:?}\n", file.display().to_string()),
            false => "key_variable = \"CANARY\"\n".to_owned(),
        };
        home.config(&(server.settings() + &key));
        let mut daemon = TestDaemon::start_in(home);
        let task = ["task", "run", "--yes", "--task", "Write add and double"];
        let mut said = Ctl::new(daemon.home(), task).run().to_string();
        assert!(said.contains("Task Paused") || said.contains("Task Failed"), "{said}");
        for words in [
            "task show --json",
            "task recording",
            "log --json",
            "export --format records",
            "config show",
            "doctor",
        ] {
            said += &daemon.ctl(words).to_string();
        }
        assert!(daemon.stop().success());
        assert!(!said.contains("canary-8f31"), "{said}");
        let paths = daemon.home().paths();
        let mut grep = std::process::Command::new("grep");
        let found = grep.args(["-rla", "canary-8f31"]).args([paths.data, paths.state]).output();
        assert_eq!(String::from_utf8_lossy(&found.unwrap().stdout), "", "by file: {by_file}");
    }
    let asked = server.asked();
    assert!(!asked.is_empty() && asked.iter().all(|asked| !asked.whole.contains(KEY)), "{asked:?}");
}
