//! The wire as strangers use it: other versions, garbage, too much, in the wrong order.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::json;
use vosim_protocol::frame::FRAME_MAX_BYTES;
use vosim_protocol::hello::{HelloParams, Software, VERSIONS, VersionRange, capability};
use vosim_protocol::message::{FromDaemon, Response};
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::service::limits::UNDER_WAY_MAX;
use vosim_protocol::v1::service::{Nothing, Status, StatusResult};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Hash};
use vosim_tests::{Ctl, TestDaemon, Wire, command, new_session, submit_params};

fn error(wire: &mut Wire) -> ErrorObject {
    match wire.frame() {
        Some(FromDaemon::Response(Response { error: Some(error), .. })) => error,
        other => panic!("not an error: {other:?}"),
    }
}

fn still_serves(daemon: &TestDaemon) {
    daemon.wire().ask::<Status>(&Nothing {}).unwrap();
}

#[test]
fn clients_of_other_versions_hear_both_ranges_and_which_side_is_older() {
    let daemon = TestDaemon::start();
    let newer_client = Next::edit("install the client that came with the daemon");
    let newer_daemon = Next::run("install the newer daemon, then end this one", Action::Stop);
    for (range, next) in [(VersionRange(0, 0), newer_client), (VersionRange(7, 9), newer_daemon)] {
        let mut wire = daemon.raw();
        let refused = wire.hello(range).unwrap_err();
        assert_eq!(refused.code, ErrorCode::ProtocolMismatch);
        let (first, last) = (range.0, range.1);
        assert!(refused.message.contains(&format!("the client {first} to {last}")), "{refused}");
        assert_eq!(refused.next, [next]);
        let data = serde_json::json!({ "daemon": VERSIONS, "client": range });
        assert_eq!(serde_json::json!(refused.data), data);
        // What is frozen forever is answered all the same, so that it can be told to stop.
        assert!(wire.call("status", json!({})).is_ok());
        let refused = wire.call("session.list", Json::Null).unwrap_err();
        assert_eq!(refused.code, ErrorCode::HelloRequired);
        assert!(wire.frame().is_none(), "the connection is closed");
    }
    let mut wide = daemon.raw();
    assert_eq!(wide.hello(VersionRange(0, 99)).unwrap()["protocol"], VERSIONS.1);
}

#[test]
fn a_capability_that_is_not_there_is_named() {
    let daemon = TestDaemon::start();
    let client = Software { name: "test".to_owned(), version: "0".to_owned() };
    let need = capability::ALL.map(str::to_owned).to_vec();
    let mut hello = HelloParams { protocol: VERSIONS, client, need };
    let welcome = daemon.raw().call("hello", hello.to_json()).unwrap();
    assert_eq!(welcome["capabilities"], serde_json::json!(capability::ALL));
    hello.need.push("telepathy".to_owned());
    let refused = daemon.raw().call("hello", hello.to_json()).unwrap_err();
    assert_eq!(refused.code, ErrorCode::CapabilityMissing);
    assert!(refused.message.contains("telepathy"), "{refused}");
}

#[test]
fn requests_may_travel_with_hello() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.raw();
    let client = Software { name: "test".to_owned(), version: "0".to_owned() };
    let hello = HelloParams { protocol: VERSIONS, client, need: Vec::new() };
    let hello = wire.send("hello", hello.to_json());
    let (status, list) = (wire.send("status", Json::Null), wire.send("session.list", Json::Null));
    assert!(wire.answer(list).is_ok());
    assert!(wire.answer(status).is_ok());
    assert!(wire.answer(hello).is_ok());
}

#[test]
fn who_does_not_say_hello_first_is_told_so_and_goes() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.raw();
    let refused = wire.call("session.list", Json::Null).unwrap_err();
    assert_eq!(refused.code, ErrorCode::HelloRequired);
    assert!(wire.frame().is_none());
    still_serves(&daemon);
}

#[test]
fn garbage_is_answered_and_does_not_end_the_connection() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    for garbage in
        ["GET / HTTP/1.1\r\n", "{\n", "[1,2]\n", "{\"id\":\"x\"}\n", "\u{0}\u{1}\n", "null\n"]
    {
        wire.write(garbage.as_bytes());
        assert_eq!(error(&mut wire).code, ErrorCode::InvalidRequest, "{garbage:?}");
    }
    wire.write(b"\n \r\n");
    wire.ask::<Status>(&Nothing {}).unwrap();
}

#[test]
fn a_last_frame_without_the_end_of_its_line_is_answered() {
    let daemon = TestDaemon::start();
    let client = Software { name: "test".to_owned(), version: "0".to_owned() };
    let hello = HelloParams { protocol: VERSIONS, client, need: Vec::new() }.to_json();
    let hello = json!({"id": "h", "method": "hello", "params": hello}).to_string();
    let status = json!({"id": "s", "method": "status"}).to_string();
    for (frames, answers) in [(hello.clone(), 1), (format!("{hello}\n{status}"), 2)] {
        let mut stream = UnixStream::connect(daemon.socket()).unwrap();
        stream.write_all(frames.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        assert_eq!(said.matches("\"result\":").count(), answers, "{said}");
    }
}

#[test]
fn what_does_not_fit_is_told_with_its_place_and_without_the_types_of_programs() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    for (method, params, words) in [
        ("store.backup", json!({"path": {}}), "store.backup: `path`: expected a text"),
        ("blob.get", json!({"hash": 5}), "blob.get: `hash`: expected "),
    ] {
        let refused = wire.call(method, params).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidParams);
        assert!(refused.message.starts_with(words), "{refused}");
    }
    wire.write(b"{\"id\": 123456789012345678901234567890, \"method\": \"status\"}\n");
    let refused = error(&mut wire);
    assert!(refused.message.ends_with("send it as a text"), "{refused}");
}

#[test]
fn a_start_takes_nothing_that_its_kind_does_not_know() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    for kind in ["drill", "interview", "attempt", "task"] {
        let args = json!({ "problem": "lru_cache", "other": 1 });
        let params = json!({ "session_id": new_session(), "kind": kind, "args": args });
        let refused = wire.call("session.create", params).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidParams);
        assert!(refused.message.contains("unknown field `other`"), "{kind}: {refused}");
    }
}

#[test]
fn a_role_that_may_not_is_told_so_whatever_it_sends_along() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    for args in [json!({}), json!({ "other": 1 })] {
        let asked = json!({
            "session": session, "command": "submit", "command_id": command(), "role": "observer",
            "args": args,
        });
        assert_eq!(wire.call("session.do", asked).unwrap_err().code, ErrorCode::RoleForbidden);
    }
}

#[test]
fn bytes_that_are_not_text_are_answered_too() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    wire.write(b"\xff\xfe\x00\n");
    assert_eq!(error(&mut wire).code, ErrorCode::InvalidRequest);
    still_serves(&daemon);
}

#[test]
fn a_frame_that_is_too_large_is_refused_while_it_is_read() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    // Without an end: nobody waits for one.
    wire.write(&vec![b'x'; FRAME_MAX_BYTES + 64 * 1024]);
    assert_eq!(error(&mut wire).code, ErrorCode::FrameTooLarge);
    assert!(wire.frame().is_none());
    still_serves(&daemon);
}

#[test]
fn a_connection_is_closed_although_it_has_a_stream() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    wire.start_drill();
    let refused = wire.call("hello", serde_json::json!({ "protocol": "all" })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidParams);
    // What the stream had still to tell, and then the end.
    while let Some(frame) = wire.frame() {
        let FromDaemon::Notice(notice) = frame else { panic!("{frame:?}") };
        assert_ne!(notice.method, "mark", "it is still open");
    }
}

#[test]
fn unknown_methods_and_wrong_parameters_are_named() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let refused = wire.call("session.do", serde_json::json!({ "command": "hint" })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidParams, "{refused}");
    for method in ["session.dance", "drill.hint", "interview", "", "nonsense.submit"] {
        let refused = wire.call(method, Json::Null).unwrap_err();
        assert_eq!(refused.code, ErrorCode::UnknownMethod, "{method}");
        assert!(refused.message.contains(method) && !refused.next.is_empty());
    }
    let refused = wire.call("session.why", serde_json::json!({ "event_id": "x" })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidParams);
    assert!(refused.message.starts_with("session.why:"), "{refused}");
}

#[test]
fn numbers_at_the_end_of_their_range_harm_nobody() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    wire.start_drill();
    let last = u64::MAX;
    for (method, params) in [
        ("session.log", serde_json::json!({ "after": last })),
        ("session.why", serde_json::json!({ "event_id": last })),
        ("session.replay", serde_json::json!({ "until": last })),
        ("session.replay", serde_json::json!({ "until": 0 })),
        ("session.subscribe", serde_json::json!({ "from": last })),
        ("session.unsubscribe", serde_json::json!({ "subscription": last })),
        (
            "session.do",
            serde_json::json!({
                "command": "hint", "command_id": vosim_tests::command(), "if_cursor": last
            }),
        ),
    ] {
        // Answered or refused, but not with a fault of the daemon's.
        if let Err(error) = wire.call(method, params) {
            assert_ne!(error.code, ErrorCode::Internal, "{method}: {error}");
        }
    }
    still_serves(&daemon);
    assert!(!daemon.home().logs().contains("panicked"), "{}", daemon.home().logs());
}

#[test]
fn a_replay_up_to_no_event_is_refused_as_such_and_the_log_not_called_damaged() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    wire.start_drill();
    let refused = wire.call("session.replay", serde_json::json!({ "until": 0 })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownEvent, "{refused}");
}

#[test]
fn a_client_that_goes_in_the_middle_of_a_frame_harms_nobody() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    wire.write(br#"{"id":5,"method":"session.li"#);
    drop(wire);
    still_serves(&daemon);
}

#[test]
fn who_only_connects_keeps_nobody_out() {
    let daemon = TestDaemon::start();
    let mut early = daemon.wire();
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most, most).unwrap();
    let mut silent: Vec<_> = (0..1100).map(|_| daemon.raw()).collect();
    assert!(silent[0].frame().is_none(), "the oldest makes room");
    still_serves(&daemon);
    early.ask::<Status>(&Nothing {}).unwrap();
    // The last one is still waited for.
    silent.last_mut().unwrap().hello(VERSIONS).unwrap();
}

#[test]
fn clients_are_served_as_far_as_files_go_and_one_more_is_told_so_at_once() {
    let daemon = TestDaemon::start();
    daemon.ctl("daemon stop").ok();
    let few = ["prlimit", "--nofile=128"];
    let start = Ctl::program_by(daemon.home(), &few, "vosimctl", ["daemon", "start"]);
    let started = start.may_start().run();
    assert_eq!(started.status, 0, "{started}");
    let client = Software { name: "test".to_owned(), version: "0".to_owned() };
    let hello = HelloParams { protocol: VERSIONS, client, need: Vec::new() }.to_json();
    let mut served = Vec::new();
    let refused = loop {
        let mut wire = daemon.raw();
        wire.send("hello", hello.clone());
        match wire.frame() {
            Some(FromDaemon::Response(Response { error: Some(error), .. })) => break error,
            Some(_) => served.push(wire),
            None => panic!("closed without a word"),
        }
        assert!(served.len() < 128);
    };
    assert_eq!(refused.code, ErrorCode::Busy);
    assert!(refused.message.contains("clients are connected"), "{refused}");
    let told = daemon.ctl("status");
    assert!(told.stderr.contains("clients are connected"), "{told}");
    drop(served);
    // It takes a moment until those that have gone are missed.
    let stopped = (0..100).any(|_| daemon.ctl("daemon stop").status == 0);
    assert!(stopped);
}

#[test]
fn sixty_four_connections_are_served_at_once() {
    let daemon = TestDaemon::start();
    let mut all: Vec<Wire> = (0..64).map(|_| daemon.wire()).collect();
    let asked: Vec<u64> = all.iter_mut().map(|wire| wire.send("status", json!({}))).collect();
    for (wire, id) in all.iter_mut().zip(asked).rev() {
        let status = wire.answer(id).unwrap();
        assert_eq!(status["connections"], 64);
    }
}

#[test]
fn the_socket_and_its_folder_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let daemon = TestDaemon::start();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&daemon.socket()), 0o600);
    assert_eq!(mode(daemon.socket().parent().unwrap()), 0o700);
}

/// Clients that ask for much and read none of it, and how often each asks.
const UNREADING: usize = 40;
const ASKED: usize = 24;

#[test]
fn forty_clients_that_read_nothing_cost_little_and_give_it_back() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    // Its base64 fills most of a frame.
    let code = format!("# {}\n", "a line that says nothing at all, over and over. ".repeat(10_000));
    let submit = submit_params(session, command(), &code);
    let hash = submit.blobs[0].reference().hash;
    wire.drill("submit", &submit).unwrap();
    wire.call("protocol.describe", json!({})).unwrap();
    let before = resident_kib(daemon.pid());
    let mut most = 0.0_f64;
    // What those who have left had asked for is not in the way of those who come after them.
    for _ in 0..2 {
        let unreading: Vec<_> = (0..UNREADING).map(|_| asking(&daemon, &hash)).collect();
        // Others are served meanwhile, and by then all of it would have been made.
        for _ in 0..300 {
            status(&mut wire);
            most = most.max(resident_kib(daemon.pid()) - before);
        }
        // Whoever reads in the end gets every answer, in its turn.
        let mut unreading = unreading.into_iter();
        let mut reads = unreading.next().unwrap();
        for id in 2..2 + 2 * ASKED as u64 {
            reads.answer(id).unwrap();
        }
        drop((unreading, reads));
        while status(&mut wire).connections > 1 {}
    }
    assert!(most < 80.0 * 1024.0, "{most} KiB");
    let left = resident_kib(daemon.pid()) - before;
    assert!(left < 40.0 * 1024.0, "{left} KiB are left of {most}");
}

/// A client that asks for much and reads nothing.
fn asking(daemon: &TestDaemon, hash: &Hash) -> Wire {
    let mut wire = daemon.wire();
    for _ in 0..ASKED {
        wire.send("blob.get", json!({ "hash": hash }));
        wire.send("protocol.describe", json!({}));
    }
    wire
}

#[test]
fn forty_clients_that_all_ask_at_once_take_no_thread_for_each_request() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for (method, params) in [
        ("protocol.describe", json!({})),
        ("session.replay", json!({})),
        ("session.verify", json!({})),
        ("problem.list", json!({})),
        ("doctor", json!({})),
        ("runtime.find", json!({ "language": "python" })),
    ] {
        let daemon = TestDaemon::start();
        daemon.wire().start_interview();
        let before = threads(daemon.pid());
        let mut asked = Vec::new();
        for _ in 0..UNREADING {
            let mut wire = daemon.wire();
            let mut last = 0;
            for _ in 0..UNDER_WAY_MAX {
                last = wire.send(method, params.clone());
            }
            asked.push((wire, last));
        }
        for (mut wire, last) in asked {
            // Where too much waits to be read it is refused, which is an answer as well.
            drop(wire.answer(last));
        }
        // A thread that has had work stays for seconds.
        let now = threads(daemon.pid());
        assert!(now < before + cores + 16, "{method}: {before} threads became {now}");
    }
}

fn threads(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/task")).unwrap().count()
}

fn resident_kib(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn status(wire: &mut Wire) -> StatusResult {
    wire.ask::<Status>(&Nothing {}).unwrap()
}

#[test]
fn every_stream_hears_the_end_at_a_stop_however_late_it_began() {
    let mut daemon = TestDaemon::start();
    let session = daemon.wire().start_interview();
    let mut wires: Vec<_> = (0..32).map(|_| daemon.wire()).collect();
    wires.iter_mut().for_each(|wire| drop(wire.subscribe(session, EventId::ZERO)));
    // One more each, which is under way when the daemon is stopped.
    let params = json!({ "session": session, "from": 0 });
    for wire in &mut wires {
        wire.send("session.subscribe", params.clone());
    }
    daemon.stop();
    for (place, mut wire) in wires.into_iter().enumerate() {
        let (mut began, mut ended) = (1, 0);
        while let Some(frame) = wire.frame() {
            match frame {
                FromDaemon::Response(response) => began += u32::from(response.error.is_none()),
                FromDaemon::Notice(notice) => {
                    ended += u32::from(notice.method == "end");
                    assert!(notice.method != "end" || notice.params["reason"] == "shutdown");
                }
            }
        }
        assert_eq!(began, ended, "connection {place}");
    }
}
