//! Whole conversations of damaged requests with a real daemon: each line that is a request, or
//! should have been one, gets one answer; the connection ends only where the protocol says so; and
//! nothing that anybody says is a fault of the daemon's.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Instant;

use vosim_fuzz::proptest;
use vosim_fuzz::proptest::collection::vec;
use vosim_fuzz::proptest::prelude::*;
use vosim_fuzz::proptest::sample::{Index, select};
use vosim_fuzz::proptest::strategy::Union;
use vosim_fuzz::{Described, Fails, Input, Target, near, near_beside, pieces};
use vosim_protocol::frame::FRAME_MAX_BYTES;
use vosim_protocol::message::{FromDaemon, Request, Response};
use vosim_protocol::v1::service::{self as api, Method as _};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{CommandId, ErrorCode, EventId, SessionId};
use vosim_tests::{CORRECT, PATIENCE, TestDaemon, Wire, submit_params};

/// Sessions that conversations speak of, and commands they repeat.
const IDS: [&str; 4] = [
    "00000000-0000-4000-8000-000000000001",
    "00000000-0000-4000-8000-000000000002",
    "00000000-1111-4000-8000-000000000003",
    "ffffffff-ffff-4fff-bfff-fffffffffffe",
];

/// Names and texts that mean something to a method.
const WORDS: &[&str] = &[
    "id",
    "method",
    "params",
    "session",
    "session_id",
    "command_id",
    "if_cursor",
    "blobs",
    "args",
    "kind",
    "beside",
    "role",
    "after",
    "from",
    "subscription",
    "verify",
    "until",
    "event_id",
    "what",
    "hash",
    "offset",
    "skip",
    "problem",
    "code",
    "file_path",
    "language",
    "cases",
    "name",
    "ops",
    "confirm",
    "again",
    "drill",
    "interview",
    "snapshot",
    "candidate",
    "observer",
    "interviewer",
    "python",
    "javascript",
    "lru_cache",
    "LRUCache",
    "put",
    "get",
    "hello",
    "status",
    "session.create",
    "session.list",
    "session.log",
    "session.do",
    "drill.hint",
    "dance",
    "session.",
    ".",
    "AAAA",
    "====",
    "00000000",
    "f",
    "00000000-0000-0000-0000-000000000000",
];

/// Methods that run programs, move the store or erase: not as often as the others.
const RARE: [&str; 8] = [
    "problem.test",
    "problem.stress",
    "doctor",
    "store.compact",
    "store.backup",
    "session.export",
    "session.bundle",
    "session.delete",
];

/// Conversations with one daemon.
const CONVERSATIONS_MAX: u32 = 50;

/// Stands for the daemon's home, which is not known when requests are made up.
const HOME: &str = "@home";

/// Values for what the schemas know only as a text.
fn known(name: &str) -> Option<BoxedStrategy<Json>> {
    let texts = |texts: &[&str]| {
        let texts: Vec<_> = texts.iter().map(|&text| Json::from(text)).collect();
        Some(select(texts).boxed())
    };
    match name {
        "session" => texts(&[IDS[0], IDS[0], IDS[1], IDS[1], IDS[2], IDS[3], "00000000", "f", ""]),
        "SessionId" | "CommandId" => {
            let fresh = any::<u128>().prop_map(|bits| {
                let id = uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid();
                Json::from(id.to_string())
            });
            Some(prop_oneof![1 => texts(&IDS)?, 2 => fresh].boxed())
        }
        "problem" => texts(&["lru_cache", "lru", "l", "", "nonsense"]),
        "Hash" => {
            let hash = any::<u64>().prop_map(|bits| Json::from(format!("sha256:{bits:064x}")));
            Some(hash.boxed())
        }
        "Blob" => texts(&["", "eCA9IDEK", "Y2xhc3MgTFJVQ2FjaGU6IHBhc3MK", "AAECAwQ=", "AA"]),
        "path" => texts(&["@home/backup", "@home/no/such/folder", "@home", "relative", ""]),
        _ => None,
    }
}

/// The name and the parameters of a request.
type Asked = (String, Json);

/// A request of every method and every command.
fn valid() -> BoxedStrategy<Asked> {
    let description = api::describe();
    let definitions = description.definitions.into_iter().collect();
    let described = Described { definitions: &definitions, known: &known };
    let mut methods = Vec::new();
    for (name, schema) in description.methods {
        let rare = RARE.contains(&name.as_str());
        let named = move |params| (name.clone(), params);
        let request = described.by(&schema.params).prop_map(named).boxed();
        methods.push((if rare { 1 } else { 6 }, request));
    }
    for (kind, schema) in description.kinds {
        let commands = schema.commands.into_iter().map(|(name, command)| {
            described.by(&command.args).prop_map(move |args| (name.clone(), args))
        });
        methods.push((24, command(kind, Union::new(commands).boxed())));
    }
    methods.push((2, submission()));
    Union::new_weighted(methods).boxed()
}

/// A command of a kind with arguments that fit.
fn command(kind: String, command: BoxedStrategy<(String, Json)>) -> BoxedStrategy<Asked> {
    let text = |name: &str| known(name).unwrap();
    let cursor = proptest::option::weighted(0.2, 0u64..12);
    let parts = (command, text("session"), text("CommandId"), cursor, vec(text("Blob"), 0..2));
    let request = parts.prop_map(move |((command, args), session, command_id, cursor, blobs)| {
        let params = serde_json::json!({
            "session": session, "kind": kind, "command": command, "args": args,
            "command_id": command_id, "if_cursor": cursor, "blobs": blobs,
        });
        (api::Do::NAME.to_owned(), params)
    });
    request.boxed()
}

/// A file that is really judged.
fn submission() -> BoxedStrategy<Asked> {
    let codes = vec!["x = 1\n".to_owned(), CORRECT.text(), "class LRUCache: pass\n".to_owned()];
    let request = (select(&IDS), any::<u128>(), select(codes)).prop_map(|(session, bits, code)| {
        let command = uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid();
        let params = submit_params(SessionId(session.parse().unwrap()), CommandId(command), &code);
        (api::Do::NAME.to_owned(), params.to_json())
    });
    request.boxed()
}

/// Requests with something wrong in their parameters, or anywhere.
fn said() -> BoxedStrategy<Input> {
    let numbered = || (any::<u64>(), valid());
    let whole =
        numbered().prop_map(|(id, (method, params))| Request::new(id, &method, params).to_json());
    let beside = numbered().prop_map(|(id, (method, params))| ((id, method), params));
    let within = near_beside(beside, WORDS).prop_map(|((id, method), params)| {
        params.within(&format!("{{\"id\":{id},\"method\":\"{method}\",\"params\":"), "}")
    });
    prop_oneof![1 => near(whole, WORDS), 3 => within].boxed()
}

/// What one client says.
#[derive(Clone, Debug)]
struct Conversation {
    greeted: bool,
    said: Vec<Input>,
    cuts: Vec<Index>,
}

fn conversation() -> BoxedStrategy<Conversation> {
    let parts = (prop::bool::weighted(0.8), vec(said(), 1..8), vec(any::<Index>(), 0..6));
    parts.prop_map(|(greeted, said, cuts)| Conversation { greeted, said, cuts }).boxed()
}

/// Keeps a damaged request from ending the daemon and from writing outside its home.
fn harmless(line: &[u8], home: &Path) -> bool {
    let Ok(request) = Request::from_bytes(line) else { return true };
    let path = request.params["path"].as_str().unwrap_or_default();
    let outside = path.starts_with('/') && !Path::new(path).starts_with(home);
    request.method != api::Shutdown::NAME && !outside && !path.contains("..")
}

/// The id that the answer to a line must bear.
fn expected(line: &[u8]) -> Option<String> {
    if line.len() > FRAME_MAX_BYTES {
        return None;
    }
    Request::from_bytes(line).ok().map(|request| request.id.to_json().to_string())
}

fn converses(daemon: &TestDaemon, conversation: &Conversation) -> Fails {
    let home = daemon.home().path();
    let lines: Vec<_> = conversation.said.iter().flat_map(|input| split(input, home)).collect();
    let lines: Vec<_> = lines.into_iter().filter(|line| harmless(line, home)).collect();
    let mut wire = if conversation.greeted { daemon.wire() } else { daemon.raw() };
    let stream: Vec<u8> = lines.iter().flat_map(|line| [line, b"\n".as_slice()].concat()).collect();
    let pieces = pieces(&stream, &conversation.cuts).into_iter().map(<[u8]>::to_vec);
    let said = wire.write_beside(pieces.collect());
    let asked: Vec<_> = lines.iter().map(|line| expected(line)).collect();
    let (answers, open) = hear(&mut wire, asked.len());
    said.join().unwrap();
    let mut left: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for id in &asked {
        *left.entry(id.clone()).or_default() += 1;
    }
    for answer in &answers {
        prop_assert!(answer.result.is_some() != answer.error.is_some(), "{answer:?}");
        let unasked = || TestCaseError::fail(format!("nobody asked for {answer:?}"));
        let id = answer.id.as_ref().map(|id| id.to_json().to_string());
        let count = left.get_mut(&id).filter(|count| **count > 0).ok_or_else(unasked)?;
        *count -= 1;
        if let Some(error) = &answer.error {
            let fault = [ErrorCode::Internal, ErrorCode::SandboxFailed, ErrorCode::StoreDamaged]
                .contains(&error.code);
            prop_assert!(!fault, "a fault of the daemon's: {error:?}");
            prop_assert!(!error.message.is_empty() && error.message.len() < 8192, "{error:?}");
        }
    }
    if open {
        let silent: Vec<_> = left.into_iter().filter(|(_, count)| *count > 0).collect();
        prop_assert!(silent.is_empty(), "no answer to {silent:?}");
        return Ok(if answers.iter().any(|answer| answer.result.is_some()) {
            "served"
        } else {
            "refused"
        });
    }
    prop_assert!(answers.iter().any(ends_the_connection), "hung up after {answers:?}");
    Ok("ended")
}

/// The lines of an input that are no white space.
fn split(input: &Input, home: &Path) -> Vec<Vec<u8>> {
    let mut bytes = input.to_vec();
    let home = home.as_os_str().as_bytes();
    let is_home = |part: &[u8]| part == HOME.as_bytes();
    while let Some(at) = bytes.windows(HOME.len()).position(is_home) {
        bytes.splice(at..at + HOME.len(), home.iter().copied());
    }
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter(|line| !line.iter().all(u8::is_ascii_whitespace)).map(<[u8]>::to_vec).collect()
}

/// So many answers, or those before the daemon hung up; notices are passed over, but not forever.
fn hear(wire: &mut Wire, count: usize) -> (Vec<Response>, bool) {
    let began = Instant::now();
    let mut answers = Vec::new();
    while answers.len() < count && began.elapsed() < PATIENCE {
        match wire.frame() {
            Some(FromDaemon::Response(response)) => answers.push(response),
            Some(FromDaemon::Notice(_)) => {}
            None => return (answers, false),
        }
    }
    (answers, true)
}

/// Where the protocol closes a connection: too large a frame, and everything but hello first.
fn ends_the_connection(answer: &Response) -> bool {
    let Some(error) = &answer.error else { return false };
    let hello = error.code == ErrorCode::InvalidParams && error.message.starts_with("hello:");
    let codes = [ErrorCode::FrameTooLarge, ErrorCode::HelloRequired, ErrorCode::CapabilityMissing];
    codes.contains(&error.code) || hello
}

/// A daemon that knows most of [`IDS`], with something to tell.
fn host() -> TestDaemon {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    for id in &IDS[..3] {
        let create = serde_json::json!({ "session_id": id, "kind": "drill", "beside": true });
        wire.call("session.create", create).unwrap();
    }
    let session = SessionId(IDS[0].parse().unwrap());
    wire.subscribe(session, EventId::ZERO);
    wire.submit(session, "class LRUCache: pass\n");
    wire.wait_for_event("AGENT_RESPONSE");
    daemon
}

/// What a daemon must not have written, whatever was said to it.
fn well(daemon: &TestDaemon) -> Result<(), TestCaseError> {
    prop_assert!(!daemon.home().logs().contains("panicked"), "{}", daemon.home().logs());
    prop_assert_eq!(daemon.stderr(), "");
    Ok(())
}

#[test]
fn every_request_gets_one_answer_and_none_is_a_fault_of_the_daemon_s() {
    let hosts = RefCell::new((host(), 0));
    let target = Target { name: "daemon", inputs: 50, outcomes: &["served", "refused", "ended"] };
    target.run(&conversation(), |conversation| {
        let (daemon, conversations) = &mut *hosts.borrow_mut();
        // Sessions end and are erased in time.
        if *conversations == CONVERSATIONS_MAX {
            (*daemon, *conversations) = (host(), 0);
        }
        *conversations += 1;
        let came_to = converses(daemon, &conversation)?;
        daemon.wire().call("status", Json::Null).expect("it serves the next one");
        well(daemon)?;
        Ok(came_to)
    });
}
