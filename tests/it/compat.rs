//! What a released version has written or spoken must load forever.
//!
//! `VOSIM_FIXTURES=write` records what is missing from real sessions, and the description of the
//! protocol anew; then read the diff.

mod record;

use std::fs;
use std::path::{Path, PathBuf};

use vosim_engine::kinds;
use vosim_protocol::message::{FromDaemon, Request, Response};
use vosim_protocol::record::check_chain;
use vosim_protocol::v1::service::{self as api, Method};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{EventId, EventRecord, Kind};

use crate::schema::additive;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn fixture(name: &str) -> String {
    fs::read_to_string(fixtures().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn logs_of_every_release_load_and_every_decision_is_made_again() {
    record::missing();
    for kind in Kind::ALL {
        let text = fixture(&format!("logs/{kind}.jsonl"));
        let lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
        check_chain(lines.iter().map(Vec::as_slice)).unwrap();
        for line in &lines {
            let record = EventRecord::from_bytes(line).unwrap();
            assert_eq!(record.to_line(), *line, "a record reads back byte for byte");
        }
        let spec = fixture(&format!("logs/{kind}.spec.json"));
        let session = EventRecord::from_bytes(&lines[0]).unwrap().session_id;
        let report = kinds::replay(kind, session, spec.as_bytes(), &lines, None, true).unwrap();
        assert_eq!(report.events, lines.len() as u64);
        assert_eq!(report.differs, None);
        assert!(report.recomputed > 0);
        assert!(["done", "completed"].contains(&report.phase.as_str()), "{}", report.phase);
        for id in 1..=report.events {
            let why = kinds::why(kind, session, spec.as_bytes(), &lines, EventId(id)).unwrap();
            assert!(why.is_some(), "event {id} is not explained");
        }
    }
}

/// A request's parameters and its answer, read as their types.
fn read_as<M: Method>(params: &Json, response: Option<&Response>) {
    let object = if params.is_null() { serde_json::json!({}) } else { params.clone() };
    M::Params::from_json(object).unwrap_or_else(|error| panic!("{}: {error}", M::NAME));
    if let Some(Response { result: Some(result), .. }) = response {
        M::Result::from_json(result.clone()).unwrap_or_else(|error| panic!("{}: {error}", M::NAME));
    }
}

fn read_pair(request: &Request, response: Option<&Response>) {
    let Request { method, params, .. } = request;
    macro_rules! one_of {
        ($($method:ident),* $(,)?) => {
            match method.as_str() {
                $(api::$method::NAME => read_as::<api::$method>(params, response),)*
                command if command.starts_with("drill.") || command.starts_with("interview.") => {
                    read_command(params, response);
                }
                other => panic!("{other} was spoken and is known no more"),
            }
        };
    }
    one_of!(
        Hello,
        Status,
        Create,
        List,
        View,
        Log,
        Subscribe,
        Why,
        Replay,
        Verify,
        ProblemList,
        ProblemShow,
        StoreStatsGet,
    );
}

fn read_command(params: &Json, response: Option<&Response>) {
    api::CommandParams::from_json(params.clone()).unwrap();
    if let Some(Response { result: Some(result), .. }) = response {
        api::Accepted::from_json(result.clone()).unwrap();
    }
}

#[test]
fn frames_of_every_release_load_in_both_directions() {
    for kind in Kind::ALL {
        let (requests, notices) = frames(kind);
        assert!(requests > 10 && notices > 10, "{kind}: {requests} requests, {notices} notices");
    }
}

/// Reads all frames of a kind's fixture.
fn frames(kind: Kind) -> (u32, u32) {
    let received: Vec<FromDaemon> = fixture(&format!("frames/{kind}.received.jsonl"))
        .lines()
        .map(|line| FromDaemon::from_bytes(line.as_bytes()).unwrap())
        .collect();
    let answer = |id: u64| {
        received.iter().find_map(|frame| match frame {
            FromDaemon::Response(response) if response.id == Some(id) => Some(response),
            FromDaemon::Response(_) | FromDaemon::Notice(_) => None,
        })
    };
    let mut requests = 0;
    for line in fixture(&format!("frames/{kind}.sent.jsonl")).lines() {
        let request = Request::from_bytes(line.as_bytes()).unwrap();
        read_pair(&request, answer(request.id));
        requests += 1;
    }
    let mut notices = 0;
    for frame in &received {
        let FromDaemon::Notice(notice) = frame else { continue };
        let params = notice.params.clone();
        match notice.method.as_str() {
            api::EVENT => drop(api::EventNotice::from_json(params).unwrap()),
            api::PROGRESS => drop(api::ProgressNotice::from_json(params).unwrap()),
            api::PRESENCE => drop(api::PresenceNotice::from_json(params).unwrap()),
            api::MARK => drop(api::MarkNotice::from_json(params).unwrap()),
            api::END => drop(api::EndNotice::from_json(params).unwrap()),
            other => panic!("{other} was spoken and is known no more"),
        }
        notices += 1;
    }
    (requests, notices)
}

#[test]
fn the_protocol_has_only_gained_since_its_last_release() {
    let old: Json = serde_json::from_str(&fixture("protocol.json")).unwrap();
    let new = serde_json::to_value(api::describe()).unwrap();
    let lost = additive(&old, &new);
    assert!(lost.is_empty(), "{lost:#?}");
}
