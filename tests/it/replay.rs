//! An ended interview goes to another machine: it is checked and played back there with nothing
//! but the programs, and tells where somebody has changed it.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;

use nix::sys::signal::Signal;
use vosim_tests::{Ctl, Home, Ran, Terminal, TestClock, TestDaemon, WRONG};

use crate::output::typed_on_a_terminal;
use crate::support::{log, wait_for};

const SAID: [&str; 3] = [
    "say The input is one key, and each operation gives the caller exactly 1 value back, or -1.",
    "say The capacity is at most 1000 keys, so the memory is about 64 mb at the very most.",
    "say I would watch the latency per call, and constant time, O(1), is the goal for every get.",
];

/// Events for programs, which a playback leaves to `log`.
const SILENT: [&str; 6] = [
    "SESSION_CREATED",
    "FOLLOWUP_SELECTED",
    "WORDING_FAILED",
    "HINT_REQUESTED",
    "SOLUTION_SAVED",
    "SECTION_SUMMARIZED",
];

/// An interview with a watched file that was left in its second section, and its bundle.
fn interviewed() -> (TestDaemon, String) {
    let (daemon, mut clock) = TestClock::start_daemon("2026-01-05T12:00:00Z");
    daemon.home().file("lru_cache.py", WRONG.text());
    daemon.ctl("interview start --file lru_cache.py").ok();
    for event_type in ["SOLUTION_SAVED", "PROMPT_PRESENTED"] {
        wait_for(&daemon, event_type);
    }
    for said in SAID {
        clock.advance_micros(400_000);
        daemon.ctl(said).ok();
    }
    clock.advance(192);
    // What is open still is asked for once.
    daemon.ctl("done").ok();
    daemon.ctl("done").ok();
    wait_for(&daemon, "SECTION_ENDED");
    for said in SAID {
        clock.advance_micros(400_000);
        daemon.ctl(said).ok();
    }
    daemon.ctl("end --yes").ok();
    let bundle = daemon.ctl("export --bundle replay").ok().to_owned();
    (daemon, bundle)
}

/// Another machine, on which no daemon has ever run.
fn elsewhere(bundle: &str) -> Home {
    let home = Home::new();
    home.file("r.json", bundle);
    home
}

fn ctl(home: &Home, words: &str) -> Ran {
    Ctl::new(home, words.split_whitespace()).run()
}

/// The lines of the file that hold a record each.
fn record_lines(bundle: &str) -> Vec<&str> {
    let lines = bundle.lines().skip_while(|line| !line.starts_with("  \"records\": ["));
    lines.skip(1).take_while(|line| !line.starts_with("  ]")).collect()
}

#[test]
fn a_bundle_is_checked_on_another_machine_and_the_first_event_that_differs_is_named() {
    let (daemon, bundle) = interviewed();
    let records = log(&daemon);
    let home = elsewhere(&bundle);
    let verified = ctl(&home, "verify r.json");
    assert!(verified.ok().contains("r.json is whole: an interview of"), "{verified}");
    let verified = ctl(&home, "replay r.json --verify");
    assert!(verified.ok().contains("recomputed, all as in the log"), "{verified}");
    let there = daemon.ctl("replay --verify --json").json();
    assert_eq!(ctl(&home, "replay r.json --verify --json").json(), there);

    let named = |changed: &str, event: u64| {
        assert_ne!(changed, bundle);
        assert_eq!(changed.len(), bundle.len(), "nothing is longer");
        home.file("r.json", changed);
        for words in ["verify r.json", "replay r.json --verify"] {
            let ran = ctl(&home, words);
            assert_eq!(ran.status, 1, "{ran}");
            assert!(
                ran.to_string().to_lowercase().contains(&format!("event {event}:")),
                "{event}: {ran}"
            );
        }
    };
    let lines = record_lines(&bundle);
    assert_eq!(lines.len(), records.len());
    for (line, record) in lines.iter().zip(&records) {
        // Its type, its time, and the quote without which it is no text.
        let other_type =
            line.replacen(&record.event_type, &record.event_type.replacen('E', "F", 1), 1);
        let other_time = line.replacen(":00.", ":01.", 1).replacen(":03.", ":04.", 1);
        let no_text = line.replacen('"', "'", 1);
        for other in [other_type, other_time, no_text] {
            if other != *line {
                named(&bundle.replacen(*line, &other, 1), record.event_id.0);
            }
        }
    }
    let of = |event_type: &str| {
        records.iter().find(|record| record.event_type == event_type).unwrap().event_id.0
    };
    let behind = |anchor: &str, from: &str, to: &str| {
        let (before, rest) = bundle.split_once(anchor).unwrap();
        format!("{before}{anchor}{}", rest.replacen(from, to, 1))
    };
    let said = ("The input is", "The inqut is");
    named(&behind("\"timeline\": [", said.0, said.1), of("CANDIDATE_MESSAGE"));
    named(&behind("\"transcript\": [", said.0, said.1), of("CANDIDATE_MESSAGE"));
    named(&behind("\"code_history\": [", "saved", "asked"), of("SOLUTION_SAVED"));
    named(&behind("\"spec\": \"", "lru", "lfu"), 1);
    let code = bundle.split_once("\"code\": {").unwrap().1.split_once("\": \"").unwrap().1;
    let other = if code.starts_with('Q') { "R" } else { "Q" };
    named(
        &behind("\"code\": {", code.get(..20).unwrap(), &format!("{other}{}", &code[1..20])),
        of("SOLUTION_SAVED"),
    );
    let empty = |folder: &str| fs::read_dir(home.path().join(folder)).unwrap().count() == 0;
    assert!(empty("data") && empty("run") && empty("state"), "no daemon and no store was needed");
}

#[test]
fn a_session_and_its_bundle_play_back_alike() {
    let (daemon, bundle) = interviewed();
    let records = log(&daemon);
    let home = elsewhere(&bundle);
    let played = ctl(&home, "replay r.json");
    assert_eq!(played.ok(), daemon.ctl("replay").ok());
    assert_eq!(daemon.ctl(&format!("replay {}", records[0].session_id)).ok(), played.ok());
    assert!(played.stdout.contains("an interview, began 2026-01-05 12:00:00"), "{played}");
    assert!(!played.stdout.contains(['\u{1b}', '╭']), "{played}");
    for record in &records {
        let number = format!("\n{:>4}  ", record.event_id.0);
        let told = usize::from(!SILENT.contains(&record.event_type.as_str()));
        assert_eq!(played.stdout.matches(&number).count(), told, "{number}: {played}");
    }
    for line in [
        "  00:00  Section 1 of 4: Frame the problem, 10 min. Agree on what",
        "  00:00  Candidate: The input is one key",
        "  00:01  Candidate: I would watch the latency",
        "  03:14  The candidate left the interview before its end.\n",
    ] {
        assert!(played.stdout.contains(line), "{line}: {played}");
    }
    let begins = |text: &str| text.matches("  Section ").count();
    assert_eq!(begins(&played.stdout), 2, "{played}");

    let (from, until) = (records[4].event_id, records[8].event_id);
    let part = ctl(&home, &format!("replay r.json --from {from} --until {until} --speed max"));
    let numbers: Vec<u64> =
        part.ok().lines().filter_map(|line| line.get(..4)?.trim().parse().ok()).collect();
    let told = records[4..=8].iter().filter(|r| !SILENT.contains(&r.event_type.as_str()));
    assert_eq!(numbers, told.map(|r| r.event_id.0).collect::<Vec<_>>());
    let second = ctl(&home, "replay r.json --from 00:10");
    assert_eq!(begins(second.ok()), 1);
    assert!(second.stdout.contains("Section 2 of 4"), "the plan is known: {second}");
    let paced = ctl(&home, "replay r.json --speed 1000");
    assert_eq!(paced.ok(), played.ok(), "only slower");
}

#[test]
fn a_drill_plays_back_in_sentences() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let played = daemon.ctl("replay");
    assert!(played.ok().ends_with("\n   2  00:00  The problem is LRU Cache.\n"), "{played}");
}

#[test]
fn a_changed_bundle_is_played_up_to_the_change() {
    let (_daemon, bundle) = interviewed();
    let line = record_lines(&bundle)[6];
    let changed = bundle.replacen(line, &line.replacen("event_type", "event_typo", 1), 1);
    let ran = ctl(&elsewhere(&changed), "replay r.json");
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.stderr.contains("r.json has been changed at event 7: "), "{ran}");
    assert!(ran.stdout.contains("\n   6  00:00") && !ran.stdout.contains("\n   7  "), "{ran}");
}

#[test]
fn what_cannot_be_played_is_refused_with_one_line_and_a_hint() {
    let (daemon, bundle) = interviewed();
    let records = log(&daemon).len();
    let home = elsewhere(&bundle);
    home.file("cut.json", &bundle[..bundle.len() / 3]);
    home.file("log.jsonl", daemon.ctl("export --format records").ok());
    home.file("evaluation.json", daemon.ctl("export --bundle evaluation").ok());
    home.file("newer.json", bundle.replacen("\"format\": 1", "\"format\": 7", 1));
    home.file("empty", "");
    for (words, told) in [
        ("replay cut.json", "cut.json: it breaks off before its end"),
        ("replay cut.json --verify", "cut.json: it breaks off before its end"),
        ("verify cut.json", "it breaks off before its end"),
        ("replay log.jsonl", "log.jsonl: it is not a replay bundle"),
        ("replay evaluation.json", "it is an evaluation bundle"),
        ("replay newer.json --verify", "it was written by a newer vosim"),
        ("replay empty", "empty: it is not a replay bundle"),
        ("replay no_such.json", "File not found: no_such.json"),
        ("replay .", "This is a directory"),
        ("replay /dev/null", "This is not a regular file"),
        ("replay /proc/self/mem", "This is not a regular file"),
        ("verify /proc/self/mem", "This is not a regular file"),
        ("restore /proc/self/mem", "This is not a regular file"),
        ("replay r.json --session 1234", "named twice"),
        ("replay r.json --from 999", "there is no event 999"),
        ("replay r.json --until 0", "there is no event 0"),
        ("replay r.json --from 99:00", "nothing happens from 99:00 on"),
        ("replay r.json --from 9 --until 3", "--until, event 3, lies before --from, event 9"),
        ("replay r.json --from 00:02 --until 00:03", "nothing happens between 00:02 and 00:03"),
        ("replay r.json --verify --until 00:10", "takes the number of an event"),
        ("replay r.json --json --speed 2", "which --json does not"),
    ] {
        let ran = ctl(&home, words);
        let told = told.to_lowercase();
        assert!(ran.refused().to_lowercase().contains(&told), "{words}: {ran}");
    }
    for words in ["0", "-1", "NaN", "1e9", "inf", "fast"] {
        let ran = Ctl::new(&home, ["replay", "r.json", "--speed", words]).run();
        assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{ran}");
        assert!(ran.stderr.contains("expected a number from 0.1 to 1000, or max"), "{ran}");
    }
    for words in ["x", "1:60", "-3", "1:2:3"] {
        let ran = Ctl::new(&home, ["replay", "r.json", "--from", words]).run();
        assert_eq!(ran.status, 1, "{ran}");
        assert!(ran.stderr.contains("an event's number, or minutes and seconds"), "{ran}");
    }
    let whole = ctl(&home, &format!("replay r.json --verify --until {records}"));
    assert!(whole.ok().contains("all as in the log"), "{whole}");
}

#[test]
fn a_playback_ends_when_nobody_wants_more_of_it() {
    let (_daemon, bundle) = interviewed();
    let home = elsewhere(&bundle);
    // At this speed the whole of it takes half a minute.
    let slow = "replay r.json --speed 0.1".split_whitespace();
    let mut playing = Ctl::new(&home, slow).spawn();
    playing.stdout.wait_for(|line| line.contains("Section 1 of 4"));
    let left = playing.interrupt();
    assert_eq!((left.status, left.stderr.as_str()), (0, ""), "{left}");
    assert!(!left.stdout.contains("ended before its time"), "{left}");

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = home.program("vosimctl");
    let command = command.args(["replay", "r.json"]).stdout(writer).stderr(Stdio::piped());
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");

    let screen =
        typed_on_a_terminal(&home, "replay r.json --speed 0.1", &[("NO_COLOR", "1")], " q");
    assert!(screen.contains("an interview, began") && screen.contains("Paused: "), "{screen}");
    assert!(!screen.contains("ended before its time"), "{screen}");

    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        let mut screen = Terminal::start(&home, "replay r.json --speed 0.1");
        screen.shows("Section 1 of 4");
        screen.signal(signal);
        assert_eq!(screen.end().signal(), Some(signal as i32));
        assert_eq!(screen.changed_settings(), None);
    }
}

#[test]
fn json_is_the_report_of_the_daemon_or_of_the_file() {
    let (daemon, bundle) = interviewed();
    let home = elsewhere(&bundle);
    let report = daemon.ctl("replay --json").json();
    assert_eq!(report[0]["events"], log(&daemon).len());
    assert_eq!(ctl(&home, "replay r.json --json").json(), report);
    let until = ctl(&home, "replay r.json --json --until 5").json();
    assert_eq!(until, daemon.ctl("replay --json --until 5").json());
    assert_eq!(until[0]["events"], 5);
}
