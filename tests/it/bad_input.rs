//! What an interview is given and cannot take: each time one clear line, a next step, the right exit
//! status, and nothing that was there is lost.

use serde_json::json;
use vosim_protocol::frame::FRAME_MAX_BYTES;
use vosim_protocol::v1::talk::MESSAGE_MAX_BYTES;
use vosim_protocol::wire::Json;
use vosim_protocol::{Blob, ErrorCode, Role};
use vosim_tests::{Ctl, Home, Ran, TestDaemon, WRONG, command, params};

use crate::support::{assert_gapless, current, log, types, wait_for};

/// What clears a screen, rings, sets a title, and turns the direction of a line round.
const HOSTILE: &str = "gone \u{1b}[2J\u{1b}]0;mine\u{7} \u{9b}31m\u{202e}and back\r\u{8}?";

/// An interview that has just begun, with nothing watched.
fn begun() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("interview start --no-watch").ok();
    wait_for(&daemon, "PROMPT_PRESENTED");
    daemon
}

/// Runs what must be refused with a next step; the call as a reader sees it.
#[track_caller]
fn refused(ran: &Ran) -> String {
    ran.refused();
    assert_eq!(ran.stderr.lines().count(), 2, "one line and what to do: {ran}");
    ran.to_string()
}

#[test]
fn texts_that_are_no_messages_are_refused_and_nothing_is_lost() {
    let daemon = begun();
    daemon.ctl("say It holds keys.").ok();
    let before = types(&daemon);
    let piped = |words: &[&str], text: &str| refused(&daemon.command(words).input(text).run());
    let mut screens = String::new();
    for text in ["", " \t\n", &"a".repeat(MESSAGE_MAX_BYTES + 1), &"b".repeat(3 * FRAME_MAX_BYTES)]
    {
        screens += &piped(&["say", "-"], text);
    }
    screens += &piped(&["ask", "-"], "");
    screens += &refused(&daemon.command(["say", ""]).run());
    screens += &refused(&daemon.command(["say", "--section", "middle", "Hello."]).run());
    insta::assert_snapshot!("no_messages", screens);
    assert_eq!(types(&daemon), before, "a refusal leaves no trace");
    daemon.ctl("say And it goes on.").ok();
    assert_gapless(&log(&daemon));
}

#[test]
fn more_than_a_frame_ends_the_connection_and_not_the_interview() {
    let daemon = begun();
    let session = current(&daemon);
    let before = types(&daemon);
    let say = |text: String| params(session, command(), json!({ "text": text }));
    let mut wire = daemon.wire();
    let large = wire.interview("say", &say("a".repeat(MESSAGE_MAX_BYTES + 1))).unwrap_err();
    assert_eq!(large.code, ErrorCode::TooLarge);
    assert!(!large.next.is_empty() && !large.message.contains('\n'), "{large}");
    let empty = wire.interview("say", &say(" \n".to_owned())).unwrap_err();
    assert_eq!(empty.code, ErrorCode::InvalidInput);
    assert!(!empty.next.is_empty(), "{empty}");
    // Without an end, so that only its length can be wrong.
    wire.write(&vec![b'x'; FRAME_MAX_BYTES + 1]);
    let told = std::iter::from_fn(|| wire.frame()).count();
    assert_eq!(told, 1, "the reason, and then the end");
    assert_eq!(types(&daemon), before);
    daemon.ctl("say Still here.").ok();
    assert_gapless(&log(&daemon));
}

#[test]
fn escape_sequences_are_kept_in_the_log_and_obeyed_by_no_terminal() {
    let daemon = begun();
    let terminals = ["candidate", "observer", "interviewer"]
        .map(|role| daemon.command(["attach", "--as", role, "--plain"]).spawn());
    daemon.command(["say", HOSTILE]).run().ok();
    daemon.command(["ask", HOSTILE]).run();
    wait_for(&daemon, "ASSISTANT_RESPONSE");
    let records = log(&daemon);
    let said = records.iter().find(|record| record.event_type == "CANDIDATE_MESSAGE").unwrap();
    assert_eq!(said.payload["text"], HOSTILE, "a log keeps what was said");
    let harmless = |text: &str| {
        assert!(text.contains("\\x1b[2J"), "{text:?}");
        let obeyed = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!text.contains(obeyed), "{text:?}");
    };
    for words in ["log", "log --json"] {
        let ran = daemon.ctl(words);
        assert!(!ran.ok().contains('\u{1b}'), "{ran}");
    }
    harmless(daemon.ctl("log").ok());
    for mut terminal in terminals {
        terminal.stdout.wait_for(|line| {
            line.starts_with(|c: char| c.is_ascii_digit()) && line.contains("and back")
        });
        harmless(&terminal.interrupt().stdout);
    }
    let path = format!("{HOSTILE}.py");
    let ran = daemon.command(["submit", path.as_str()]).run();
    assert!(!ran.refused().contains('\u{1b}'), "{ran}");
}

#[test]
fn what_stands_in_a_command_line_is_obeyed_by_no_terminal() {
    let home = Home::new();
    let hostile = format!("{HOSTILE}\nmore");
    let option = format!("--{hostile}");
    let words = hostile.as_str();
    let lines: [(&str, &[&str]); 14] = [
        ("vosimd", &[words]),
        ("vosimd", &["run", &option]),
        ("vosimd", &["quarantine", "erase", words]),
        ("vosimd", &["verify", words]),
        ("vosimd", &["replay", words]),
        ("vosimd", &["restore", words]),
        ("vosimd", &["schema", "check", words]),
        ("vosimd", &["problems", "check", words]),
        ("vosimctl", &[words]),
        ("vosimctl", &["verify", words]),
        ("vosimctl", &["restore", words]),
        ("vosimctl", &["status", "--no-start", &option]),
        ("vosim-sandbox", &[words]),
        ("vosim-sandbox", &["run", words]),
    ];
    for (program, arguments) in lines {
        let ran = Ctl::program(&home, program, arguments).run();
        assert_ne!(ran.status, 0, "{program} {arguments:?}: {ran}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let obeyed = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!said.is_empty() && !said.contains(obeyed), "{program} {arguments:?}: {said:?}");
    }
}

#[test]
fn sessions_that_are_not_there_and_sessions_that_are_over() {
    let daemon = TestDaemon::start();
    let run = |words: &str| refused(&daemon.ctl(words));
    let mut screens = String::new();
    for words in ["say Hello.", "ask Why?", "done", "interview begin", "attach --as candidate"] {
        screens += &run(words);
    }
    daemon.ctl("interview start --no-watch").ok();
    daemon.home().file("lru_cache.py", WRONG.text());
    screens += &run("start");
    screens += &run("submit lru_cache.py");
    screens += &run("hint");
    for words in ["say Hello. --session deadbeef", "attach --session zzz", "why 1 --session none"] {
        screens += &run(words);
    }
    screens += &run("why 999");
    daemon.ctl("end --yes").ok();
    let ended = types(&daemon);
    for words in [
        "say Hello.",
        "ask Why?",
        "done",
        "submit lru_cache.py",
        "hint",
        "interview begin",
        "end --yes",
    ] {
        screens += &run(words);
    }
    assert_eq!(types(&daemon), ended);
    daemon.ctl("start --no-file").ok();
    for words in ["say Hello.", "done", "ask Why?"] {
        screens += &run(words);
    }
    let drill = current(&daemon).short();
    insta::assert_snapshot!("sessions", screens.replace(&drill, "SESSION"));
}

/// The words of the command line are not what keeps them out: their frames are refused too.
#[test]
fn who_only_follows_can_send_no_command_of_the_candidate() {
    let daemon = begun();
    let session = current(&daemon);
    let before = types(&daemon);
    let blob = Blob(WRONG.text().as_bytes().to_vec());
    let code = serde_json::to_value(blob.reference()).unwrap();
    let file = json!({ "file_path": "/tmp/a.py", "code": code, "language": "python" });
    let mut case = file.clone();
    case["cases"] = json!([[]]);
    let commands: [(&str, Json); 10] = [
        ("begin", json!({})),
        ("say", json!({ "text": "I am the candidate." })),
        ("done", json!({})),
        ("submit", file),
        ("test", case),
        ("watch", json!({ "file_path": "/tmp/a.py", "language": "python" })),
        ("unwatch", json!({})),
        ("ask", json!({ "kind": "concept", "question": "What is a list?" })),
        ("hint", json!({})),
        ("end", json!({})),
    ];
    let mut wire = daemon.wire();
    for role in [Role::Observer, Role::Interviewer] {
        for (name, args) in &commands {
            let mut params = params(session, command(), args.clone());
            params.role = role;
            params.blobs = vec![blob.clone()];
            let refused = wire.interview(name, &params).unwrap_err();
            assert_eq!(refused.code, ErrorCode::RoleForbidden, "{name}: {refused}");
            assert!(refused.message.contains(role.name()) && !refused.next.is_empty(), "{refused}");
        }
    }
    assert_eq!(types(&daemon), before, "nothing happened");
}

#[test]
fn schemas_that_cannot_be_held_are_refused_with_their_first_fault_and_listed_by_the_check() {
    let daemon = TestDaemon::start();
    let standard = daemon.ctl("schema show").ok().to_owned();
    let cases = [
        ("a_section_without_time", "duration_seconds = 300", "duration_seconds = 0"),
        ("a_cap_without_a_pool", "followup_cap = 1\n", "followup_cap = 9\n"),
        ("an_unknown_dimension", "touches = \"approach\"", "touches = \"aproach\""),
        ("a_sum_unequal_to_the_total", "total_seconds = 2700", "total_seconds = 2400"),
        ("a_time_below_zero", "grace_seconds = 15", "grace_seconds = -5"),
        ("a_key_that_is_mistyped", "followup_cap = 4", "folowup_cap = 4"),
        ("no_toml", "format = 1", "format = \"1"),
        ("escapes", "title = \"Look back\"", "title = \"\\u001b[2J\""),
    ];
    let mut screens = String::new();
    for (name, from, to) in cases {
        assert!(standard.contains(from), "{name}");
        let file = format!("{name}.toml");
        daemon.home().file(&file, standard.replacen(from, to, 1));
        screens += &refused(&daemon.command(["interview", "start", "--schema", &file]).run());
        let checked = Ctl::new(daemon.home(), ["schema", "check", &file]).run();
        assert!(checked.status == 1 && checked.stderr.is_empty(), "{checked}");
        assert!(!checked.stdout.contains('\u{1b}'), "{checked:?}");
        screens += &checked.to_string();
    }
    for (file, text) in [("empty.toml", ""), ("large.toml", &"#".repeat(300 * 1024) as &str)] {
        daemon.home().file(file, text);
        screens += &refused(&daemon.command(["interview", "start", "--schema", file]).run());
    }
    for file in ["missing.toml", "."] {
        let ran = daemon.command(["interview", "start", "--schema", file]).run();
        ran.refused();
        screens += &ran.to_string();
    }
    insta::assert_snapshot!("schemas", screens);
    let lists = daemon.ctl("list --json").json();
    assert!(lists.iter().all(|list| list["sessions"].as_array().is_none_or(Vec::is_empty)));
    daemon.ctl("interview start --no-watch").ok();
}

#[test]
fn interviews_that_cannot_be_planned_are_not_begun() {
    let daemon = TestDaemon::start();
    let mut screens = String::new();
    for words in [
        &["interview", "start", "--problem", "no_such_problem"] as &[&str],
        &["interview", "start", "--candidate", " "],
        &["interview", "start", "--candidate", HOSTILE],
    ] {
        screens += &refused(&daemon.command(words).run());
    }
    insta::assert_snapshot!("no_plans", screens.replace(HOSTILE, "HOSTILE"));
    let home = Home::new();
    let ran = Ctl::new(&home, ["say", "Hello."]).run();
    assert!(ran.refused().contains("vosimctl daemon start"), "{ran}");
}
