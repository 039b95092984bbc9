//! The page about the protocol and the client that was written from it: the page's lists are those of
//! the description, its examples run, and the client loses and doubles nothing while the daemon is
//! killed again and again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use vosim_protocol::message::Again;
use vosim_protocol::v1::service::{
    self as api, Log, LogParams, Replay, ReplayParams, SessionParams, Verify,
};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{ErrorCode, EventId, EventRecord, Kind, Role};
use vosim_tests::{Lines, TestDaemon, Wire};

use crate::support::Chance;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/protocol.md")).unwrap()
}

/// A word of a type that is spelled as one.
fn word(value: &impl vosim_protocol::Wire) -> String {
    value.to_json().as_str().unwrap().replace('_', " ")
}

/// A table with a heading, a row for each list of cells.
fn table<const N: usize>(
    heading: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut text = format!("| {} |\n|{}\n", heading.join(" | "), "---|".repeat(N));
    for row in rows {
        writeln!(text, "| {} |", row.map(|cell| cell.replace('|', "\\|")).join(" | ")).unwrap();
    }
    text
}

fn code(name: impl std::fmt::Display) -> String {
    format!("`{name}`")
}

/// What the page lists, by the name of the list.
fn lists() -> BTreeMap<&'static str, String> {
    let about = api::describe();
    let methods = about.methods.into_iter().map(|(name, method)| {
        [code(name), word(&method.answered), word(&method.repeated), method.doc]
    });
    let errors =
        about.errors.into_iter().map(|(name, error)| [code(name), word(&error.again), error.doc]);
    let notices = about.notices.into_iter().map(|(name, schema)| {
        [code(name), schema["description"].as_str().unwrap_or_default().to_owned()]
    });
    let limits = about
        .limits
        .into_iter()
        .map(|(name, limit)| [code(name), format!("{} {}", limit.value, limit.unit), limit.doc]);
    let capabilities = about.capabilities.into_iter().map(|(name, doc)| [code(name), doc]);
    // The kind that only tests host is in no document.
    let shipped = about
        .kinds
        .into_iter()
        .filter(|(name, _)| Kind::ALL.iter().any(|kind| kind.name() == name));
    let commands = shipped.flat_map(|(kind, schema)| {
        schema.commands.into_iter().map(move |(name, command)| {
            let may: Vec<_> = command.may.iter().map(|role| role.name()).collect();
            [kind.clone(), code(name), may.join(", "), command.doc]
        })
    });
    BTreeMap::from([
        ("methods", table(["method", "answered", "asked again", ""], methods)),
        ("errors", table(["code", "ask again", "when"], errors)),
        ("notices", table(["notice", ""], notices)),
        ("limits", table(["limit", "", "of what"], limits)),
        ("capabilities", table(["capability", ""], capabilities)),
        ("commands", table(["kind", "command", "who", ""], commands)),
    ])
}

/// The page with these lists in it.
fn filled(page: &str, lists: &BTreeMap<&str, String>) -> String {
    let mut rest = page;
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once("<!-- ") {
        let (name, after) = after.split_once(" -->\n").unwrap();
        let (_, after) = after.split_once("<!-- end -->").unwrap();
        let list = lists.get(name).unwrap_or_else(|| panic!("there is no list of {name}"));
        write!(text, "{before}<!-- {name} -->\n{list}<!-- end -->").unwrap();
        rest = after;
    }
    text + rest
}

#[test]
fn the_page_lists_what_the_description_holds() {
    let (page, lists) = (page(), lists());
    for name in lists.keys() {
        assert!(page.contains(&format!("<!-- {name} -->")), "the page has no list of {name}");
    }
    let filled = filled(&page, &lists);
    if std::env::var("VOSIM_FIXTURES").is_ok_and(|how| how == "write") {
        std::fs::write(root().join("docs/protocol.md"), filled).unwrap();
        return;
    }
    assert!(
        filled == page,
        "docs/protocol.md lists something else; VOSIM_FIXTURES=write fills it in"
    );
}

#[test]
fn the_example_client_repeats_what_the_description_says() {
    let text = std::fs::read_to_string(root().join("docs/client.py")).unwrap();
    let words = |name: &str| -> BTreeSet<String> {
        let line = text.lines().find(|line| line.starts_with(&format!("{name} = {{"))).unwrap();
        line.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    for (name, again) in [("LATER", Again::Later), ("UNKNOWN", Again::Unknown)] {
        let codes = ErrorCode::schemas().filter(|(_, error)| error.again == again);
        assert_eq!(words(name), codes.map(|(word, _)| word).collect(), "{name}");
    }
}

/// A Python program in the home of a daemon, that finds the client.
fn python(daemon: &TestDaemon) -> Command {
    let mut command = daemon.home().program("vosimctl");
    let env: Vec<_> =
        command.get_envs().filter_map(|(k, v)| Some((k.to_owned(), v?.to_owned()))).collect();
    command = Command::new("python3");
    command.env_clear().envs(env).env("PYTHONPATH", root().join("docs"));
    command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(daemon.home().path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn the_examples_of_the_page_run() {
    let page = page();
    let examples: Vec<_> =
        page.split("```python\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert_eq!(examples.len(), 3);
    let daemon = TestDaemon::start();
    let ran = python(&daemon).arg("-c").arg(examples.concat()).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn the_example_client_is_a_program_too() {
    let daemon = TestDaemon::start();
    let file = daemon.home().file("a.py", vosim_tests::WRONG.text());
    let run = |words: &[&str]| {
        let mut command = python(&daemon);
        let ran = command.arg(root().join("docs/client.py")).args(words).output().unwrap();
        (
            ran.status.code(),
            String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap(),
        )
    };
    let (status, said) = run(&["start", "drill"]);
    assert!(status == Some(0) && said.contains("LRU Cache"), "{said}");
    let (status, said) = run(&["submit", file.to_str().unwrap()]);
    assert!(status == Some(0) && said.contains("5 of 12 tests passed"), "{said}");
    let (status, said) = run(&["say", "Hello."]);
    assert!(
        status == Some(1) && said.contains("invalid_transition: ") && said.contains("  then: "),
        "{said}"
    );
    let (status, said) = run(&["call", "session.list"]);
    assert!(status == Some(0) && said.contains("\"total\": 1"), "{said}");
    assert_eq!(run(&["fly"]).0, Some(2));
    for (words, told) in [
        (["submit", "nosuch.py"].as_slice(), "nosuch.py: No such file or directory\n"),
        (&["call", "session.view", "{bad"], "the parameters are no JSON: "),
    ] {
        let (status, said) = run(words);
        assert!(status == Some(1) && said.starts_with(told) && said.lines().count() == 1, "{said}");
    }
}

/// What the clients wanted, were told and heard.
#[derive(Debug, Default)]
struct Told {
    /// The session and the text of every command, by its id.
    wanted: BTreeMap<String, (String, Option<String>)>,
    /// The ids that were acknowledged.
    given: BTreeSet<String>,
    /// Acknowledged events by session, as lines.
    acknowledged: Vec<(String, String)>,
    /// What streams told, by session and role.
    streams: BTreeMap<(String, Role), Vec<String>>,
    ended: bool,
}

impl Told {
    fn take(&mut self, line: &str) {
        let mut told: Json = serde_json::from_str(line).unwrap();
        let text = |name: &str| told[name].as_str().map(str::to_owned);
        let session = text("session").unwrap_or_default();
        if let Some(id) = text("wanted") {
            self.wanted.insert(id, (session, text("text")));
        } else if let Some(id) = text("given") {
            self.given.insert(id);
            for event in told["events"].as_array_mut().unwrap() {
                event.as_object_mut().unwrap().shift_remove("telling");
                self.acknowledged.push((session.clone(), event.to_string()));
            }
        } else if told["told"].is_object() {
            let role = Role::from_json(told["role"].clone()).unwrap();
            self.streams.entry((session, role)).or_default().push(told["told"].to_string());
        } else {
            self.ended = told["ended"] == true;
        }
    }
}

/// All records of a session as a role may see them.
fn log(wire: &mut Wire, session: &str, role: Role) -> Vec<EventRecord> {
    let (mut records, mut after) = (Vec::new(), EventId::ZERO);
    loop {
        let params = LogParams { session: Some(session.to_owned()), after, role };
        let answer = wire.ask::<Log>(&params).unwrap();
        records.extend(answer.records.into_iter().map(|told| told.record));
        if answer.cursor == after {
            return records;
        }
        after = answer.cursor;
    }
}

fn line(record: &EventRecord) -> String {
    String::from_utf8(record.to_line()).unwrap()
}

/// Every promise that was broken.
fn broken(daemon: &TestDaemon, told: &Told) -> Vec<String> {
    let mut wire = daemon.wire();
    let mut found = Vec::new();
    let sessions: BTreeSet<_> = told.wanted.values().map(|(session, _)| session.clone()).collect();
    for session in sessions {
        let whole = log(&mut wire, &session, Role::Interviewer);
        for (place, record) in whole.iter().enumerate() {
            if record.event_id.0 != place as u64 + 1 {
                found.push(format!("{session}: event {} stands at {place}", record.event_id));
            }
        }
        let seen: Vec<_> = log(&mut wire, &session, Role::Candidate).iter().map(line).collect();
        let here = told.acknowledged.iter().filter(|(of, _)| *of == session);
        found.extend(
            here.filter(|(_, event)| !seen.contains(event)).map(|it| format!("lost: {it:?}")),
        );
        for ((_, role), heard) in told.streams.iter().filter(|((of, _), _)| *of == session) {
            let all: Vec<_> = log(&mut wire, &session, *role).iter().map(line).collect();
            // A stream was left behind the last thing that was said.
            if all.get(..heard.len()) != Some(heard) || heard.is_empty() {
                found.push(format!("a stream of {session} as {} told {heard:#?}", role.name()));
            }
        }
        found.extend(not_once(told, &session, &whole));
        let name = Some(session.clone());
        let chain = wire.ask::<Verify>(&SessionParams { session: name.clone() }).unwrap();
        let replay =
            ReplayParams { session: name, verify: true, until: None, role: Role::Candidate };
        let replay = wire.ask::<Replay>(&replay).unwrap();
        if (&chain.broken, &replay.differs, &replay.chain) != (&None, &None, &None) {
            found.push(format!("{session}: {chain:?} {replay:?}"));
        }
    }
    found
}

/// The commands and texts of a session that are not in its log just once.
fn not_once(told: &Told, session: &str, whole: &[EventRecord]) -> Vec<String> {
    let mut found = Vec::new();
    for (id, (_, text)) in told.wanted.iter().filter(|(_, (of, _))| of == session) {
        let first = |record: &&EventRecord| {
            let by = record.command_id.map(|id| id.to_string());
            by.as_ref() == Some(id) && record.command_hash.is_some()
        };
        let said = |record: &&EventRecord| {
            record.event_type == "CANDIDATE_MESSAGE"
                && record.payload["text"].as_str() == text.as_deref()
        };
        let (times, texts) =
            (whole.iter().filter(first).count(), whole.iter().filter(said).count());
        if times != 1 || (text.is_some() && texts != 1) || !told.given.contains(id) {
            found.push(format!("{id} was carried out {times} times, {text:?} said {texts} times"));
        }
    }
    found
}

/// Several clients at work, and a daemon that is killed so often meanwhile, after some of what they
/// have told.
fn drive(seed: u64, [workers, messages]: [u64; 2], how: &str, kills: u64) -> Vec<String> {
    println!("SEED={seed}");
    let mut chance = Chance(seed);
    let mut daemon = TestDaemon::start();
    let driver = root().join("tests/it/python_client/driver.py");
    let mut command = python(&daemon);
    command.arg(driver).args([seed, workers, messages].map(|number| number.to_string())).arg(how);
    let mut child: Child = command.spawn().unwrap();
    let mut errors = Lines::of("the clients' errors", child.stderr.take().unwrap());
    let mut lines = Lines::of("the clients", child.stdout.take().unwrap());
    let (mut told, mut killed, mut next) = (Told::default(), 0, 1 + chance.below(10));
    while let Some(line) = lines.next_line() {
        told.take(&line);
        next -= 1;
        if next == 0 {
            next = 1 + chance.below(2 * workers * messages / kills.max(1) + 2);
            if killed < kills {
                daemon.kill();
                daemon.start_again();
                killed += 1;
            }
        }
    }
    let status = child.wait().unwrap();
    assert!(status.success() && told.ended, "{:#?}", errors.to_end());
    assert!(killed >= kills / 2, "killed {killed} times");
    broken(&daemon, &told)
}

#[test]
fn the_example_client_loses_and_doubles_nothing_under_a_daemon_that_is_killed() {
    let given = std::env::var("SEED").ok().map(|seed| seed.parse().unwrap());
    let soak = std::env::var_os("VOSIM_SOAK").is_some();
    let (rounds, size, kills) = if soak { (20, [6, 120], 60) } else { (1, [3, 24], 10) };
    for round in 0..rounds {
        let found = drive(given.unwrap_or(90_125 + round), size, "right", kills);
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn a_client_that_makes_a_new_id_when_it_asks_again_is_found_out() {
    let found = drive(4, [2, 12], "forgetful", 0);
    assert!(found.iter().any(|it| it.contains("said 2 times")), "{found:#?}");
}
