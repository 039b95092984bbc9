//! A bundle in a file: whole, changed anywhere, broken off, or no bundle at all.

use std::collections::BTreeMap;

use tempfile::TempDir;
use vosim_protocol::{Blob, Hash};

use super::*;

/// The golden interview as a bundle; all but one piece of its code has been deleted.
fn bundle() -> ReplayBundle {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/logs");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (log, spec) = (read("interview.jsonl"), read("interview.spec.json"));
    let lines: Vec<Vec<u8>> = log.lines().map(|line| line.as_bytes().to_vec()).collect();
    let session = EventRecord::from_bytes(&lines[0]).unwrap().session_id;
    let code = BTreeMap::new();
    kinds::replay_bundle(Kind::Interview, session, spec.as_bytes(), &lines, code).unwrap()
}

/// A folder with one file in it.
struct Shelf(TempDir);

impl Shelf {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn with(&self, bytes: impl AsRef<[u8]>) -> std::path::PathBuf {
        let path = self.0.path().join("b.json");
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn bundle(&self, bundle: &ReplayBundle) -> std::path::PathBuf {
        self.with(serde_json::to_vec_pretty(bundle).unwrap())
    }

    /// What a check says of these bytes, without the name of the file.
    fn checked(&self, bytes: impl AsRef<[u8]>) -> String {
        let file = self.with(bytes);
        match check(&file) {
            Ok(checked) => checked.sentence(&file),
            Err(error) => format!("{error:#}"),
        }
        .replace(&file.display().to_string(), "b.json")
    }

    /// What a replay finds in this bundle.
    fn replayed(&self, bundle: &ReplayBundle, verify: bool) -> String {
        let file = self.bundle(bundle);
        match replay(&file, verify, None) {
            Ok(report) => format!(
                "{} events, {} recomputed, chain {:?}, differs {:?}",
                report.events,
                report.recomputed,
                report.chain.map(|broken| broken.to_string()),
                report.differs.map(|differs| format!("{}: {}", differs.event_id, differs.reason)),
            ),
            Err(error) => format!("{error:#}").replace(&file.display().to_string(), "b.json"),
        }
    }
}

/// Edits records and chains them anew, as a forger would who knows how.
fn forged(edit: impl Fn(&mut Vec<EventRecord>)) -> ReplayBundle {
    let mut bundle = bundle();
    let records = bundle.records.iter().map(|line| EventRecord::from_bytes(line.as_bytes()));
    let mut records: Vec<_> = records.map(Result::unwrap).collect();
    edit(&mut records);
    let mut prev_hash = Hash::NONE;
    bundle.records.clear();
    for record in records {
        let (line, hash) = EventRecord { prev_hash, ..record }.seal();
        bundle.records.push(String::from_utf8(line).unwrap());
        prev_hash = hash;
    }
    bundle.head = prev_hash;
    bundle
}

#[test]
fn a_whole_bundle_is_told_from_a_log_and_checked() {
    let shelf = Shelf::new();
    let whole = bundle();
    let file = shelf.bundle(&whole);
    assert!(is_bundle(&file).unwrap());
    let checked = check(&file).unwrap();
    assert!(checked.good());
    assert_eq!(checked.json()["head"], whole.head.to_string());
    let told = [
        shelf.checked(serde_json::to_vec(&whole).unwrap()),
        shelf.replayed(&whole, false),
        shelf.replayed(&whole, true),
    ];
    insta::assert_snapshot!(told.join("\n"));
    for none in [whole.records.join("\n"), String::new(), "[]".to_owned(), "bundle".to_owned()] {
        assert!(!is_bundle(&shelf.with(&none)).unwrap(), "{none}");
    }
    assert!(is_bundle(Path::new("no such file")).is_err());
}

#[test]
fn one_changed_byte_of_a_record_names_its_event() {
    let shelf = Shelf::new();
    let whole = bundle();
    for place in 0..whole.records.len() {
        let record = EventRecord::from_bytes(whole.records[place].as_bytes()).unwrap();
        let mut changed = whole.clone();
        let line = &mut changed.records[place];
        let at = line.find(&record.event_type).unwrap();
        line.replace_range(at..=at, "Q");
        let checked = check(&shelf.bundle(&changed)).unwrap();
        assert!(!checked.good());
        let json = checked.json();
        assert_eq!(json["broken"]["event_id"], record.event_id.0, "{json}");
        assert!(json["head"].is_null(), "{json}");
    }
}

/// What is told of a bundle by a check and by a replay.
fn told(shelf: &Shelf, what: &str, bundle: &ReplayBundle) -> String {
    let checked = shelf.checked(serde_json::to_vec_pretty(bundle).unwrap());
    let replayed = shelf.replayed(bundle, true);
    format!("{what}\n  verify: {checked}\n  replay: {replayed}\n")
}

#[test]
fn what_a_bundle_tells_of_a_record_is_compared_with_it() {
    type Change = fn(&mut ReplayBundle);
    let shelf = Shelf::new();
    let changes: [(&str, Change); 10] = [
        ("timeline of event 7", |b| b.timeline[6].telling.late = true),
        ("transcript", |b| b.transcript[3].telling.late = true),
        ("code history", |b| b.code_history[0].bytes += 1),
        ("spec", |b| b.spec.push(' ')),
        ("notice", |b| b.notice.clear()),
        ("no longer withheld", |b| b.withheld.truncate(b.withheld.len() - 1)),
        ("other code", |b| b.code.extend([(b.withheld[0], Blob(b"another".to_vec()))])),
        ("without its last record", |b| b.records.truncate(b.records.len() - 1)),
        ("without records", |b| b.records.clear()),
        ("of another kind", |b| b.kind = Kind::Drill),
    ];
    let all: String = changes
        .into_iter()
        .map(|(what, change)| {
            let mut bundle = bundle();
            change(&mut bundle);
            told(&shelf, what, &bundle)
        })
        .collect();
    insta::assert_snapshot!(all);
}

#[test]
fn a_decision_that_was_forged_and_chained_anew_is_named() {
    type Edit = fn(&mut Vec<EventRecord>);
    let shelf = Shelf::new();
    let edits: [(&str, Edit); 4] = [
        ("level of the hint in event 35", |records| {
            records[34].payload["hint_level"] = 3.into();
        }),
        ("question of event 16", |records| records[15].payload["pool_index"] = 1.into()),
        ("time of event 21", |records| records[20].timestamp = records[19].timestamp),
        // Another message is another input: what followed from the one that was sent does not fit.
        ("message of event 13", |records| records[12].payload["text"] = "Hello.".into()),
    ];
    let all: String =
        edits.into_iter().map(|(what, edit)| told(&shelf, what, &forged(edit))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn a_replay_can_stop_before_what_was_changed() {
    let shelf = Shelf::new();
    let mut changed = bundle();
    changed.records[20] = changed.records[20].replacen("time_expired", "candidate_done", 1);
    let file = shelf.bundle(&changed);
    let until = |id| replay(&file, true, Some(EventId(id))).unwrap();
    assert_eq!((until(20).chain, until(20).differs, until(20).events), (None, None, 20));
    assert_eq!(until(21).chain.unwrap().event_id, EventId(21));
    assert_eq!(until(21).differs.unwrap().event_id, EventId(21));
    let none = replay(&file, true, Some(EventId::ZERO)).unwrap_err();
    assert_eq!(none.to_string(), "no event 0; the first is event 1");
}

#[test]
fn what_is_no_bundle_is_told_in_one_line() {
    let shelf = Shelf::new();
    let text = serde_json::to_string_pretty(&bundle()).unwrap();
    let evaluation = text.replacen("\"replay\"", "\"evaluation\"", 1);
    let newer = text.replacen("\"format\": 1", "\"format\": 9", 1);
    let unread = text.replacen("\\\"v\\\":1", "\"v\\\":1", 1);
    let half = &text[..text.len() / 2];
    let all =
        ["{}", "\u{0}", "", half, &evaluation, &newer, &unread].map(|text| shelf.checked(text));
    assert!(all.iter().all(|line| line.starts_with("b.json") && line.lines().count() == 1));
    insta::assert_snapshot!(all.join("\n"));
    assert!(replay(&shelf.with(half), true, None).is_err());
    assert!(check(shelf.0.path()).is_err(), "a folder");
}
