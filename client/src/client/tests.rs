//! The client against a small daemon in a thread.

use std::io::Write as _;
use std::os::unix::net::UnixListener;

use serde_json::{Value, json};
use vosim_protocol::v1::service;
use vosim_protocol::v1::service::{ListParams, Nothing, Status};
use vosim_protocol::{EventId, Role, SessionId};

use super::peer::{Daemon, LONG, Peer, accepted, script, status_result};
use super::*;
use crate::call;
use crate::commands::following::{Followed, Told, to_the_end};
use crate::commands::log::past;
use crate::errors::Exit;
use crate::follow::{Happening, Stream};
use crate::log::{Pages, pages, whole};
use crate::render::samples;
use crate::spelling::Spelling;

fn code_of(failure: &Failure) -> String {
    failure.text(Spelling::CommandLine).unwrap().code.to_string()
}

#[test]
fn the_first_request_travels_with_hello() {
    let daemon = Daemon::new(vec![script(|peer| {
        let hello = peer.asked();
        // Nothing has been answered yet, and the request is here.
        let status = peer.asked();
        assert_eq!((hello.method.as_str(), status.method.as_str()), ("hello", "status"));
        peer.answer(&status, &status_result());
    })]);
    let status = daemon.client().call::<Status>(&Nothing {}).unwrap();
    assert_eq!(status.data, "/d");
    daemon.done();
}

#[test]
fn a_daemon_that_cannot_do_what_is_needed_says_so_before_it_is_asked() {
    let daemon = Daemon::new(vec![script(|peer| {
        let hello = peer.asked();
        assert_eq!(hello.params["need"], json!(["notes", "attach"]));
        let message = "this daemon cannot do notes";
        let next = json!([{ "do": "run", "to": "end it", "action": "stop" }]);
        peer.refuse(
            &hello,
            &json!({ "code": "capability_missing", "message": message, "next": next }),
        );
    })]);
    let mut client = daemon.client().needing(&["notes", "attach"]);
    let refused = client.call::<service::List>(&ListParams::default()).unwrap_err();
    assert_eq!(code_of(&refused), "capability_missing");
    let object = refused.text(Spelling::CommandLine).unwrap();
    assert_eq!(object.message, "this daemon cannot do notes");
    assert_eq!(object.hint.as_deref(), Some("end it with: vosimctl daemon stop"));
    daemon.done();
}

#[test]
fn a_command_whose_answer_was_lost_is_sent_again_under_the_same_id() {
    let (send, ids) = std::sync::mpsc::channel();
    let again = send.clone();
    let daemon = Daemon::new(vec![
        script(move |peer| {
            peer.welcome(1);
            send.send(peer.asked().params["command_id"].clone()).unwrap();
        }),
        script(move |peer| {
            peer.welcome(1);
            let asked = peer.asked();
            again.send(asked.params["command_id"].clone()).unwrap();
            peer.answer(&asked, &accepted());
        }),
    ]);
    let hint = vosim_protocol::v1::drill::Command::Hint { confirm: false, level: None };
    let mut client = daemon.client();
    let done = call::command(&mut client, None, &hint, vec![]).unwrap();
    assert_eq!(done.cursor, EventId(7));
    daemon.done();
    let ids: Vec<_> = ids.iter().collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
}

#[test]
fn a_daemon_that_goes_down_is_asked_again_when_it_is_back() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            let asked = peer.asked();
            peer.refuse(&asked, &json!({ "code": "shutting_down", "message": "going down" }));
        }),
        script(|peer| {
            peer.welcome(1);
            let asked = peer.asked();
            peer.answer(&asked, &accepted());
        }),
    ]);
    let end = vosim_protocol::v1::drill::Command::End {};
    call::command(&mut daemon.client(), None, &end, vec![]).unwrap();
    daemon.done();
}

fn next(stream: &mut Stream<'_>) -> String {
    match stream.next(LONG).unwrap() {
        Happening::Event(record) => record.event_id.to_string(),
        other => format!("{other:?}"),
    }
}

/// Follows a session in the store that is met first.
fn opened(
    client: &mut Client,
    session: SessionId,
    after: EventId,
    role: Role,
) -> Result<Stream<'_>, Failure> {
    Stream::open_in(client.store_id(), client, session, after, role)
}

#[test]
fn events_come_once_and_in_order_through_a_lost_connection() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            assert_eq!(peer.subscribed(5), 0);
            peer.event(5, 1);
            peer.event(5, 2);
        }),
        script(|peer| {
            peer.welcome(1);
            assert_eq!(peer.subscribed(9), 2);
            for (subscription, event) in [(9, 2), (5, 3), (9, 3), (9, 4)] {
                peer.event(subscription, event);
            }
        }),
    ]);
    let mut client = daemon.client();
    let session: SessionId = samples::session();
    let mut stream = opened(&mut client, session, EventId::ZERO, Role::Observer).unwrap();
    let seen: Vec<_> = (0..6).map(|_| next(&mut stream)).collect();
    assert_eq!(seen, ["1", "2", "Reconnecting(Broken)", "Reconnected", "3", "4"]);
    daemon.done();
}

#[test]
fn a_stream_that_the_daemon_ends_is_taken_up_again() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            peer.subscribed(1);
            peer.event(1, 1);
            let end = json!({ "subscription": 1, "reason": "shutdown", "resume_from": 1 });
            peer.send(&json!({ "method": "end", "params": end }));
            // Notices of the future and marks of an idle stream say nothing.
        }),
        script(|peer| {
            peer.welcome(1);
            assert_eq!(peer.subscribed(1), 1);
            peer.send(&json!({ "method": "of_the_future", "params": {} }));
            peer.send(&json!({ "method": "mark", "params": { "subscription": 1, "cursor": 1 } }));
            let end = json!({ "subscription": 1, "reason": "deleted", "resume_from": 1 });
            peer.send(&json!({ "method": "end", "params": end }));
        }),
    ]);
    let mut client = daemon.client();
    let mut stream =
        opened(&mut client, samples::session(), EventId::ZERO, Role::Observer).unwrap();
    let seen: Vec<_> = (0..3).map(|_| next(&mut stream)).collect();
    assert_eq!(seen, ["1", "Reconnecting(Stopped)", "Reconnected"]);
    assert_eq!(code_of(&stream.next(LONG).unwrap_err()), "unknown_session");
    daemon.done();
}

#[test]
fn a_cursor_of_another_store_is_not_used_on_this_one() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            peer.subscribed(1);
            peer.event(1, 1);
        }),
        script(|peer| {
            peer.welcome(2);
            assert_eq!(peer.subscribed(1), 1);
            assert_eq!(peer.subscribed(2), 0);
            peer.event(2, 1);
        }),
    ]);
    let mut client = daemon.client();
    let mut stream =
        opened(&mut client, samples::session(), EventId::ZERO, Role::Observer).unwrap();
    let seen: Vec<_> = (0..4).map(|_| next(&mut stream)).collect();
    assert_eq!(seen, ["1", "Reconnecting(Broken)", "OtherStore", "1"]);
    daemon.done();
}

#[test]
fn a_cursor_that_a_restored_store_has_not_reached_is_given_up() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            peer.subscribed(1);
            (1..=3).for_each(|id| peer.event(1, id));
        }),
        script(|peer| {
            peer.welcome(2);
            let asked = peer.asked();
            assert_eq!(asked.params["from"], 3);
            peer.refuse(&asked, &json!({ "code": "cursor_expired", "message": "no" }));
            assert_eq!(peer.subscribed(1), 0);
            peer.event(1, 1);
        }),
        script(|peer| {
            // The same store again: now a cursor that it refuses is a fault to be told.
            peer.welcome(2);
            let asked = peer.asked();
            peer.refuse(&asked, &json!({ "code": "cursor_expired", "message": "no" }));
        }),
    ]);
    let mut client = daemon.client();
    let mut stream =
        opened(&mut client, samples::session(), EventId::ZERO, Role::Observer).unwrap();
    let seen: Vec<_> = (0..7).map(|_| next(&mut stream)).collect();
    assert_eq!(
        seen,
        ["1", "2", "3", "Reconnecting(Broken)", "OtherStore", "1", "Reconnecting(Broken)"]
    );
    assert_eq!(code_of(&stream.next(LONG).unwrap_err()), "cursor_expired");
    daemon.done();
}

/// Answers what `attach` asks first.
fn view(peer: &mut Peer) {
    let asked = peer.asked();
    assert_eq!(asked.method, "session.view");
    let view = json!({ "session_id": samples::session(), "kind": "drill", "cursor": 1, "now": samples::at(0), "view": {} });
    peer.answer(&asked, &view);
}

/// Answers with a page of a log that goes up to `cursor`, its last event being the session's end.
fn page_of_log(peer: &mut Peer, ids: std::ops::RangeInclusive<u64>, cursor: u64) {
    let asked = peer.asked();
    assert_eq!(asked.method, "session.log");
    let name = |id| if id == cursor { "SESSION_ENDED" } else { "X" };
    let records: Vec<_> = ids.map(|id| samples::record(id, name(id), json!({}))).collect();
    let page = json!({ "session_id": samples::session(), "cursor": cursor, "records": records });
    peer.answer(&asked, &page);
}

/// What `attach` shows: the numbers of events, and the first words of notes.
fn attached(daemon: &Daemon) -> Vec<String> {
    let mut shown = Vec::new();
    let what =
        Followed { session: None, after: EventId::ZERO, role: Role::Observer, attached: false };
    to_the_end(&mut daemon.client(), what, into(&mut shown)).unwrap();
    shown
}

fn into(shown: &mut Vec<String>) -> impl FnMut(Told<'_>) -> Result<(), Failure> {
    move |told| {
        shown.push(match told {
            Told::Event(record) => record.event_id.to_string(),
            Told::Note(text) => text.split_whitespace().take(4).collect::<Vec<_>>().join(" "),
        });
        Ok(())
    }
}

#[test]
fn a_session_that_has_ended_is_shown_and_not_waited_for() {
    let daemon = Daemon::new(vec![script(|peer| {
        peer.welcome(1);
        view(peer);
        page_of_log(peer, 1..=3, 3);
        assert_eq!(peer.subscribed(1), 3);
    })]);
    assert_eq!(attached(&daemon), ["1", "2", "3"]);
    daemon.done();
}

#[test]
fn an_end_in_a_store_that_came_between_two_pages_is_not_taken_for_the_end_of_the_log() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            view(peer);
            page_of_log(peer, 1..=2, 4);
        }),
        script(|peer| {
            peer.welcome(2);
            page_of_log(peer, 3..=4, 4);
            assert_eq!(peer.subscribed(1), 2);
            assert_eq!(peer.subscribed(2), 0);
            (1..=3).for_each(|id| peer.event(2, id));
            peer.named(2, 4, "SESSION_ENDED");
        }),
    ]);
    let wanted = ["1", "2", "vosimd has another store", "1", "2", "3", "4"];
    assert_eq!(attached(&daemon), wanted, "the restored session is shown from its beginning");
    daemon.done();
}

/// A log of four events, of which two are told before a store of three comes in between; the
/// first question to that one is answered by `meanwhile`.
fn store_between_two_pages(meanwhile: fn(&mut Peer)) -> Daemon {
    Daemon::new(vec![
        script(move |peer| {
            peer.welcome(1);
            page_of_log(peer, 1..=2, 4);
        }),
        script(move |peer| {
            peer.welcome(2);
            meanwhile(peer);
            let asked = peer.asked();
            assert_eq!(asked.method, "session.log");
            assert_eq!(asked.params["session"], samples::session().to_string(), "a whole id");
            assert_eq!(asked.params["after"], 0);
            let records: Vec<_> = (1..=3).map(|id| samples::record(id, "X", json!({}))).collect();
            let session = samples::session();
            let page = json!({ "session_id": session, "cursor": 3, "records": records });
            peer.answer(&asked, &page);
        }),
    ])
}

#[test]
fn a_log_is_of_one_store() {
    let meanwhile: [fn(&mut Peer); 3] = [
        |peer| page_of_log(peer, 3..=4, 4),
        |peer| {
            let asked = peer.asked();
            let session = samples::session();
            peer.answer(&asked, &json!({ "session_id": session, "cursor": 1, "records": [] }));
        },
        |peer| {
            let asked = peer.asked();
            peer.refuse(&asked, &json!({ "code": "cursor_expired", "message": "no" }));
        },
    ];
    for meanwhile in meanwhile {
        let daemon = store_between_two_pages(meanwhile);
        let (mut shown, mut client) = (Vec::new(), daemon.client());
        past(&mut client, None, EventId::ZERO, Role::Candidate, into(&mut shown)).unwrap();
        assert_eq!(shown, ["1", "2", "vosimd has another store", "1", "2", "3"]);
        daemon.done();

        let daemon = store_between_two_pages(meanwhile);
        let (session, records) = whole(&mut daemon.client(), None, Role::Candidate).unwrap();
        let ids: Vec<_> = records.iter().map(|record| record.event_id.0).collect();
        assert_eq!((session, ids), (samples::session(), vec![1, 2, 3]));
        daemon.done();
    }
}

#[test]
fn a_log_whose_session_the_other_store_does_not_have_ends_in_that_refusal() {
    let unknown = |peer: &mut Peer| {
        let asked = peer.asked();
        peer.refuse(&asked, &json!({ "code": "unknown_session", "message": "no such session" }));
    };
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            page_of_log(peer, 1..=2, 4);
        }),
        script(move |peer| {
            peer.welcome(2);
            unknown(peer);
            unknown(peer);
        }),
    ]);
    let read = whole(&mut daemon.client(), None, Role::Candidate);
    assert_eq!(code_of(&read.unwrap_err()), "unknown_session");
    daemon.done();
}

#[test]
fn an_end_that_a_restored_store_does_not_have_is_not_taken_for_its_end() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            // Then it goes down, and comes back with an older store.
            page_of_log(peer, 1..=4, 4);
        }),
        script(|peer| {
            peer.welcome(2);
            let asked = peer.asked();
            assert_eq!(asked.params["from"], 4);
            peer.refuse(&asked, &json!({ "code": "cursor_expired", "message": "no" }));
            assert_eq!(peer.subscribed(1), 0);
            peer.event(1, 1);
            peer.named(1, 2, "SESSION_ENDED");
        }),
    ]);
    let mut client = daemon.client();
    let log = pages(&mut client, None, EventId::ZERO, Role::Observer, |_| Ok(()));
    let Pages { session, last, whole } = log.unwrap();
    assert!(whole);
    let store = client.store_id();
    client.disconnect();
    let mut stream = Stream::open_in(store, &mut client, session, last, Role::Observer).unwrap();
    assert!(stream.began_elsewhere());
    let seen: Vec<_> = (0..3).map(|_| next(&mut stream)).collect();
    assert_eq!(seen, ["OtherStore", "1", "2"]);
    daemon.done();
}

/// Some heads of sessions as a page carries them.
fn page(numbers: std::ops::Range<u8>) -> Value {
    let head = samples::sessions().sessions.remove(0);
    let id = |n: u8| SessionId(Uuid::from_bytes([n; 16]));
    let heads = numbers.map(|n| vosim_protocol::Head { session_id: id(n), ..head.clone() });
    serde_json::to_value(heads.collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_list_is_asked_for_until_all_sessions_are_there() {
    let daemon = Daemon::new(vec![script(|peer| {
        peer.welcome(1);
        // The last page begins with a session that a new one has pushed out of the page before.
        for (skip, numbers) in [(0, 0..3), (3, 3..5), (5, 4..6)] {
            let asked = peer.asked();
            assert_eq!(
                (asked.method.as_str(), &asked.params["skip"]),
                ("session.list", &json!(skip))
            );
            peer.answer(&asked, &json!({ "sessions": page(numbers), "total": 7 }));
        }
    })]);
    let list = crate::commands::sessions::pages(&mut daemon.client()).unwrap();
    let told: Vec<_> = list.sessions.iter().map(|head| head.session_id.0.as_bytes()[0]).collect();
    assert_eq!(told, [0, 1, 2, 3, 4, 5]);
    daemon.done();
}

#[test]
fn a_refused_hello_ends_the_call_but_not_the_frozen_methods() {
    let mismatch = || {
        json!({ "code": "protocol_mismatch", "message": "no", "data": {
            "daemon": [7, 8], "client": [1, 1],
        } })
    };
    let daemon = Daemon::new(vec![
        script(move |peer| {
            let hello = peer.asked();
            peer.refuse(&hello, &mismatch());
        }),
        script(move |peer| {
            let hello = peer.asked();
            peer.refuse(&hello, &mismatch());
            let shutdown = peer.asked();
            peer.answer(&shutdown, &json!({}));
        }),
    ]);
    let list = daemon.client().call::<service::List>(&ListParams::default());
    let failure = list.unwrap_err();
    assert_eq!(failure.exit(), Exit::Fixable);
    assert!(
        failure.text(Spelling::CommandLine).unwrap().message.contains("vosimd versions 7 to 8")
    );
    daemon.client().call::<Shutdown>(&Nothing {}).unwrap();
    daemon.done();
}

#[test]
fn a_daemon_that_says_nothing_is_not_waited_for_without_end() {
    let (held, release) = std::sync::mpsc::channel::<()>();
    let daemon = Daemon::new(vec![script(move |_| {
        release.recv().ok();
    })]);
    let soon = Duration::from_millis(30);
    let failure = daemon.client().call_for::<Status>(&Nothing {}, soon, |_| {}).unwrap_err();
    assert_eq!(code_of(&failure), "no_answer");
    drop(held);
    daemon.done();
}

#[test]
fn an_answer_that_cannot_be_read_is_named() {
    for answer in ["{\"id\":1,\"result\":{}}\n", "no json\n", "{\"id\":1}\n"] {
        let daemon = Daemon::new(vec![script(move |peer| {
            peer.asked();
            peer.asked();
            peer.stream.write_all(answer.as_bytes()).unwrap();
        })]);
        let failure = daemon.client().call::<Status>(&Nothing {}).unwrap_err();
        assert_eq!(code_of(&failure), "garbled_answer", "{answer}");
        daemon.done();
    }
}

#[test]
fn what_is_no_daemon_is_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let places = Places::in_folder(dir.path());
    let told = |places: &Places| {
        let mut client = Client::new(places.clone(), AutoStart::No);
        client.connect().unwrap_err().to_string()
    };
    assert!(told(&places).starts_with("the daemon is not running: nothing listens on"));
    drop(UnixListener::bind(&places.socket).unwrap());
    assert!(told(&places).contains("is left over from one that is gone"));
    std::fs::remove_file(&places.socket).unwrap();
    std::fs::write(&places.socket, "").unwrap();
    assert!(told(&places).starts_with("what is there is not a socket"));
    let mut long = places;
    long.socket = dir.path().join("x".repeat(120));
    assert!(told(&long).starts_with("the socket path has "));
}

#[test]
fn pauses_grow_to_two_seconds_and_stay_there() {
    let mut backoff = Backoff::default();
    let pauses: Vec<_> = (0..10).map(|_| backoff.next()).collect();
    assert!(pauses[0] <= Duration::from_millis(50) && pauses[0] >= Duration::from_millis(37));
    assert!(pauses.iter().all(|pause| *pause <= LONGEST_PAUSE));
    assert!(pauses[9] >= LONGEST_PAUSE * 3 / 4);
}

#[test]
fn an_attached_stream_says_so_and_hears_who_is_there() {
    let daemon = Daemon::new(vec![script(|peer| {
        peer.welcome(1);
        let asked = peer.asked();
        assert_eq!(
            (&asked.params["attach"], &asked.params["role"]),
            (&json!(true), &json!("candidate"))
        );
        let session = samples::session();
        peer.answer(
            &asked,
            &json!({
                "subscription": 3, "session_id": session, "kind": "interview", "after": 0,
            }),
        );
        for subscription in [7, 3] {
            let there = json!({
                "subscription": subscription, "candidates": 1, "observers": 2, "interviewers": 0,
            });
            peer.send(&json!({ "method": "presence", "params": there }));
        }
    })]);
    let mut client = daemon.client();
    let session = samples::session();
    let mut stream =
        Stream::attach(None, &mut client, session, EventId::ZERO, Role::Candidate).unwrap();
    match stream.next(LONG).unwrap() {
        Happening::Presence(there) => {
            assert_eq!((there.subscription, there.candidates, there.observers), (3, 1, 2));
        }
        other => panic!("{other:?}"),
    }
    daemon.done();
}

#[test]
fn what_is_typed_wakes_a_stream_and_a_mere_follower_is_not_attached() {
    let (keys, mut fingers) = std::os::unix::net::UnixStream::pair().unwrap();
    let (held, release) = std::sync::mpsc::channel::<()>();
    let daemon = Daemon::new(vec![script(move |peer| {
        peer.welcome(1);
        let asked = peer.asked();
        assert_eq!(asked.params["attach"], Value::Null);
        let session = samples::session();
        peer.answer(
            &asked,
            &json!({
                "subscription": 1, "session_id": session, "kind": "interview", "after": 0,
            }),
        );
        release.recv().ok();
    })]);
    let mut client = daemon.client();
    let session = samples::session();
    let mut stream = opened(&mut client, session, EventId::ZERO, Role::Observer).unwrap();
    fingers.write_all(b"x").unwrap();
    let woken = stream.next_or_typed(LONG, Some(std::os::fd::AsFd::as_fd(&keys))).unwrap();
    assert!(matches!(woken, Happening::Typed), "{woken:?}");
    drop(held);
    daemon.done();
}

#[test]
fn a_call_that_had_to_connect_again_takes_its_stream_along() {
    let daemon = Daemon::new(vec![
        script(|peer| {
            peer.welcome(1);
            peer.subscribed(1);
            peer.event(1, 1);
            // The call comes and the connection goes.
            peer.asked();
        }),
        script(|peer| {
            peer.welcome(1);
            let asked = peer.asked();
            peer.answer(&asked, &accepted());
            assert_eq!(peer.subscribed(4), 1);
            peer.event(4, 2);
        }),
    ]);
    let mut client = daemon.client();
    let mut stream =
        opened(&mut client, samples::session(), EventId::ZERO, Role::Candidate).unwrap();
    assert_eq!(next(&mut stream), "1");
    let hint = vosim_protocol::v1::drill::Command::Hint { confirm: false, level: None };
    call::command(stream.client(), None, &hint, vec![]).unwrap();
    let seen: Vec<_> = (0..3).map(|_| next(&mut stream)).collect();
    assert_eq!(seen, ["Reconnecting(Broken)", "Reconnected", "2"]);
    daemon.done();
}
