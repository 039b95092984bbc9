//! What a released version has written or spoken must load forever.
//!
//! `VOSIM_FIXTURES=write` records what is missing from real sessions, and the description of the
//! protocol anew; then read the diff.

mod record;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use vosim_engine::{BundleError, check, kinds};
use vosim_protocol::message::{FromDaemon, Request, RequestId, Response};
use vosim_protocol::record::check_chain;
use vosim_protocol::v1::bundle::{EvaluationBundle, ReplayBundle};
use vosim_protocol::v1::service::{self as api, Method};
use vosim_protocol::v1::telling::{Entry, Telling};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{Blob, EventId, EventRecord, Kind, SessionId};

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
        let (session, spec, lines) = golden(kind);
        check_chain(lines.iter().map(Vec::as_slice)).unwrap();
        for line in &lines {
            let record = EventRecord::from_bytes(line).unwrap();
            assert_eq!(record.to_line(), *line, "a record reads back byte for byte");
        }
        let report = kinds::replay(kind, session, &spec, &lines, None, true).unwrap();
        assert_eq!(report.events, lines.len() as u64);
        assert_eq!(report.differs, None);
        assert!(report.recomputed > 0);
        assert!(
            ["done", "completed", "complete", "success"].contains(&report.phase.as_str()),
            "{}",
            report.phase
        );
        for id in 1..=report.events {
            let why = kinds::why(kind, session, &spec, &lines, EventId(id)).unwrap();
            assert!(why.is_some(), "event {id} is not explained");
        }
    }
}

/// A golden log with its spec.
fn golden(kind: Kind) -> (SessionId, Vec<u8>, Vec<Vec<u8>>) {
    let text = fixture(&format!("logs/{kind}.jsonl"));
    let lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let session = EventRecord::from_bytes(&lines[0]).unwrap().session_id;
    (session, fixture(&format!("logs/{kind}.spec.json")).into_bytes(), lines)
}

#[test]
fn logs_of_every_release_become_replay_bundles_that_read_back() {
    for kind in Kind::ALL {
        let (session, spec, lines) = golden(kind);
        let code = kinds::code(kind, &lines);
        // As after an erasure of all but the first one.
        let kept = BTreeMap::from([(code[0], Blob(b"kept".to_vec()))]);
        let bundle = kinds::replay_bundle(kind, session, &spec, &lines, kept).unwrap();
        assert_eq!(ReplayBundle::from_bytes(&bundle.to_line()).unwrap(), bundle);
        let records: Vec<_> = bundle.records.iter().map(String::as_bytes).collect();
        assert_eq!(records, lines);
        assert_eq!(check_chain(records.into_iter()).unwrap(), bundle.head);
        assert_eq!(bundle.spec.as_bytes(), spec);
        let named: BTreeSet<_> = code.iter().copied().collect();
        let there: BTreeSet<_> = bundle.code.keys().chain(&bundle.withheld).copied().collect();
        assert_eq!((bundle.code.len(), there), (1, named));
        assert_eq!(bundle.timeline.len(), lines.len());
        assert!(bundle.timeline.is_sorted_by_key(|entry| (entry.event_id, entry.offset_ms)));
        let says = |told: &Telling| told.line.is_some() || told.gist.is_some();
        assert!(bundle.timeline.iter().all(|entry| says(&entry.telling)));
        assert_eq!(bundle.code_history.len(), code.len());
        let mut verdicts =
            bundle.code_history.iter().filter_map(|version| version.verdict.as_ref());
        assert!(verdicts.any(|verdict| verdict.tests_failed == 0), "{kind}");
        let early = kinds::replay_bundle(kind, session, &spec, &lines[..5], BTreeMap::new());
        assert!(matches!(early, Err(BundleError::NotEnded)));
    }
}

/// A whole bundle of a golden log; all code has been deleted.
fn bundle_of(kind: Kind) -> ReplayBundle {
    let (session, spec, lines) = golden(kind);
    kinds::replay_bundle(kind, session, &spec, &lines, BTreeMap::new()).unwrap()
}

#[test]
fn a_bundle_that_was_changed_anywhere_is_found_by_the_event() {
    for kind in Kind::ALL {
        let whole = bundle_of(kind);
        let good = check::bundle(&whole);
        assert_eq!((good.broken, good.head), (None, Some(whole.head)));
        assert!(good.recomputed > 5 && good.records == whole.records.len() as u64);
        let last = EventId(good.records);

        let found = |change: &dyn Fn(&mut ReplayBundle)| {
            let mut changed = whole.clone();
            change(&mut changed);
            let broken = check::bundle(&changed).broken;
            broken.unwrap_or_else(|| panic!("{kind}: a change was not found")).event_id
        };
        // A digit of a time: what stands behind the record tells that it was another.
        let flip = |line: &mut String| *line = line.replacen(":00.", ":01.", 1);
        for place in 0..whole.records.len() {
            let mut line = whole.records[place].clone();
            flip(&mut line);
            if line == whole.records[place] {
                continue;
            }
            let event = found(&|bundle| bundle.records[place].clone_from(&line));
            assert_eq!(event, EventId(place as u64 + 1), "{kind}");
        }
        assert_eq!(found(&|bundle| drop(bundle.records.pop())), EventId(last.0 - 1));
        assert_eq!(found(&|bundle| bundle.spec.push(' ')), EventId(1));
        assert_eq!(found(&|bundle| bundle.timeline[4].telling.late = true), EventId(5));
        assert_eq!(found(&|bundle| bundle.timeline[2].offset_ms += 1), EventId(3));
        let said = whole.transcript[1].event_id;
        assert_eq!(found(&|bundle| drop(bundle.transcript.remove(1))), said);
        let version = whole.code_history[0].event_id;
        assert_eq!(found(&|bundle| bundle.code_history[0].bytes += 1), version);
        assert_eq!(found(&|bundle| bundle.withheld.clear()), version);
        let hash = whole.code_history[0].code_hash;
        let other = |bundle: &mut ReplayBundle| {
            bundle.code.insert(hash, Blob(b"other".to_vec()));
        };
        assert_eq!(found(&other), version);
        assert_eq!(found(&|bundle| bundle.notice.clear()), last);
    }
}

#[test]
fn only_interviews_have_an_evaluation_bundle_and_every_release_s_reads_back() {
    let (session, spec, lines) = golden(Kind::Drill);
    let refused = kinds::evaluation_bundle(Kind::Drill, session, &spec, &lines);
    assert!(matches!(refused, Err(BundleError::NoEvaluation { .. })));

    let (session, spec, lines) = golden(Kind::Interview);
    let bundle = kinds::evaluation_bundle(Kind::Interview, session, &spec, &lines).unwrap();
    assert_eq!(EvaluationBundle::from_bytes(&bundle.to_line()).unwrap(), bundle);
    assert_eq!(bundle.label, "rule-based, not calibrated");
    assert_eq!((bundle.sections.len(), bundle.exits.len(), bundle.terminated), (4, 4, None));
    // Two of the candidate, and the watched file at the end of its section.
    assert_eq!(bundle.submissions.len(), 3);
    assert!(bundle.submissions.iter().all(|submission| submission.verdict.is_some()));
    assert!(bundle.own_tests.iter().all(|run| run.told.is_some()) && !bundle.own_tests.is_empty());
    assert!(!bundle.hints.is_empty());
    assert_eq!((bundle.assistant.queries.len(), bundle.assistant.answers.len()), (1, 1));
    assert_eq!(bundle.pauses.len(), 1);
    assert!(bundle.pauses[0].until.is_some());
    for section in &bundle.sections {
        assert!(section.ended.is_some() && !section.coverage_flags.is_empty());
        let texts = |id| section.raw_transcript.iter().find(|entry| entry.event_id == id);
        // 001 7.1: no word of a summary that is not in the transcript.
        for sentence in &section.bounded_context_summary {
            assert!(texts(sentence.event_id).unwrap().text().contains(&sentence.text));
        }
        for asked in &section.followups {
            assert!(asked.selected < asked.presented);
            assert_eq!(texts(asked.presented).unwrap().text(), asked.question);
        }
        let coding = section.section_id == "build";
        assert_eq!(coding, !section.code_history.is_empty(), "{}", section.section_id);
    }
    assert!(bundle.sections.iter().any(|section| !section.followups.is_empty()));
    // What came in the grace stands in the section that it answers.
    let late = |entry: &Entry| entry.telling.late;
    assert!(bundle.sections[0].raw_transcript.iter().any(late));
    assert!(!bundle.sections[1].raw_transcript.iter().any(late));
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
                other => panic!("{other} was spoken and is known no more"),
            }
        };
    }
    one_of!(
        Hello,
        Status,
        Create,
        Do,
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
    let answer = |id: RequestId| {
        received.iter().find_map(|frame| match frame {
            FromDaemon::Response(response) if response.id.as_ref() == Some(&id) => Some(response),
            FromDaemon::Response(_) | FromDaemon::Notice(_) => None,
        })
    };
    let mut requests = 0;
    for line in fixture(&format!("frames/{kind}.sent.jsonl")).lines() {
        let request = Request::from_bytes(line.as_bytes()).unwrap();
        read_pair(&request, answer(request.id.clone()));
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
            api::SETTLED => drop(api::SettledNotice::from_json(params).unwrap()),
            api::END => drop(api::EndNotice::from_json(params).unwrap()),
            other => panic!("{other} was spoken and is known no more"),
        }
        notices += 1;
    }
    (requests, notices)
}

#[test]
fn everything_that_the_description_refers_to_stands_in_it() {
    let description = serde_json::to_value(api::describe()).unwrap();
    let mut references = Vec::new();
    collect(&description, &mut references);
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference}"));
        assert!(description.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    for kind in Kind::ALL {
        let commands = &description["kinds"][kind.name()]["commands"];
        for (name, command) in commands.as_object().unwrap() {
            let described = ["args", "result"].map(|part| command[part].is_object());
            assert_eq!(described, [true; 2], "{kind} {name}");
        }
    }
}

/// Every reference in a schema.
fn collect<'j>(json: &'j Json, references: &mut Vec<&'j str>) {
    match json {
        Json::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Json::as_str));
            fields.values().for_each(|field| collect(field, references));
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, references)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

#[test]
fn the_protocol_has_only_gained_since_its_last_release() {
    let old: Json = serde_json::from_str(&fixture("protocol.json")).unwrap();
    let new = serde_json::to_value(api::describe()).unwrap();
    let lost = additive(&old, &new);
    assert!(lost.is_empty(), "{lost:#?}");
}
