//! An interviewer's notes are kept beside a session and leave with nothing of it.

use std::path::Path;

use vosim_protocol::v1::service::{
    Backup, DeleteParams, DeleteWhat, NOTE_MAX_BYTES, NoteAdd, NoteAddParams, NoteAdded, NoteList,
    NoteListParams, NoteListResult, PathParams, StoreCompact,
};
use vosim_protocol::{CommandId, ErrorCode, ErrorObject, EventId, Role, SessionId};
use vosim_tests::{TestDaemon, WRONG, Wire, command};

const SECRET: &str = "no-offer-from-me";

fn params(session: SessionId, id: CommandId, text: &str) -> NoteAddParams {
    NoteAddParams {
        session: Some(session.to_string()),
        command_id: id,
        role: Role::Interviewer,
        text: text.to_owned(),
        event_id: None,
    }
}

fn add(wire: &mut Wire, session: SessionId, text: &str) -> Result<NoteAdded, ErrorObject> {
    wire.ask::<NoteAdd>(&params(session, command(), text))
}

fn list(wire: &mut Wire, session: SessionId, after: u64) -> NoteListResult {
    let session = Some(session.to_string());
    wire.ask::<NoteList>(&NoteListParams { session, role: Role::Interviewer, after }).unwrap()
}

fn texts(wire: &mut Wire, session: SessionId) -> Vec<String> {
    list(wire, session, 0).notes.into_iter().map(|note| note.text).collect()
}

/// Every file below a folder that holds the secret.
fn holders(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holders(&path));
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn a_note_reaches_no_log_stream_view_or_export_of_the_candidate() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let session = crate::support::current(&daemon);
    let mut candidate = daemon.wire();
    candidate.attach(session, Role::Candidate);
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    daemon.ctl(&format!("note --event 2 {SECRET}")).ok();
    daemon.ctl("hint").ok();
    daemon.ctl("end").ok();
    daemon.ctl(&format!("note {SECRET}-after-the-end")).ok();
    let shown = daemon.ctl("notes");
    assert!(shown.ok().contains(&format!("(event 2) {SECRET}")), "{shown}");
    assert_eq!(daemon.ctl("notes --json").json().len(), 2);

    candidate.wait_for_event("SESSION_ENDED");
    for form in ["jsonl", "records"] {
        daemon.ctl(&format!("export --format {form} --output {form}.out")).ok();
    }
    for words in ["log --json", "status --json", "replay --verify --json", "verify", "list --json"]
    {
        let ran = daemon.ctl(words);
        assert!(!ran.ok().contains(SECRET), "{ran}");
    }
    let received = String::from_utf8_lossy(&candidate.received).into_owned();
    assert!(received.contains("HINT_GIVEN") && !received.contains(SECRET));
    // Only the database itself has it.
    for holder in holders(daemon.home().path()) {
        assert!(holder.contains("/db-"), "{holder}");
    }
}

#[test]
fn only_the_interviewer_keeps_and_reads_notes() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    for role in [Role::Candidate, Role::Observer] {
        let params = NoteAddParams { role, ..params(session, command(), "x") };
        let refused = wire.ask::<NoteAdd>(&params).unwrap_err();
        assert_eq!(refused.code, ErrorCode::RoleForbidden);
        assert!(refused.message.contains(role.name()) && !refused.next.is_empty(), "{refused}");
        let params = NoteListParams { session: None, role, after: 0 };
        let refused = wire.ask::<NoteList>(&params).unwrap_err();
        assert_eq!(refused.code, ErrorCode::RoleForbidden);
    }
    // Who names no role is the candidate.
    let refused = wire.call("note.list", serde_json::json!({})).unwrap_err();
    assert_eq!(refused.code, ErrorCode::RoleForbidden);
    assert_eq!(texts(&mut wire, session), [""; 0]);
}

#[test]
fn one_intention_is_one_note_and_what_cannot_be_kept_is_said() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let id = command();
    let first = wire.ask::<NoteAdd>(&params(session, id, "a")).unwrap();
    assert_eq!((first.note.number, first.replayed), (1, false));
    let again = wire.ask::<NoteAdd>(&params(session, id, "a")).unwrap();
    assert_eq!((again.note, again.replayed), (first.note, true));
    let other = wire.ask::<NoteAdd>(&params(session, id, "b")).unwrap_err();
    assert_eq!(other.code, ErrorCode::CommandIdReused);

    let largest = "\u{1b}".repeat(NOTE_MAX_BYTES / 4);
    add(&mut wire, session, &largest).unwrap();
    let refused = add(&mut wire, session, &"x".repeat(NOTE_MAX_BYTES + 1)).unwrap_err();
    assert_eq!(refused.code, ErrorCode::TooLarge);
    // They take six bytes each where they are kept.
    let refused = add(&mut wire, session, &"\u{1b}".repeat(NOTE_MAX_BYTES)).unwrap_err();
    assert_eq!(refused.code, ErrorCode::TooLarge);
    assert_eq!(add(&mut wire, session, " \n").unwrap_err().code, ErrorCode::InvalidInput);
    for event in [0, 3, u64::MAX] {
        let event_id = Some(EventId(event));
        let params = NoteAddParams { event_id, ..params(session, command(), "x") };
        assert_eq!(wire.ask::<NoteAdd>(&params).unwrap_err().code, ErrorCode::UnknownEvent);
    }
    let unknown = NoteAddParams { session: Some("ffff".to_owned()), ..params(session, id, "x") };
    assert_eq!(wire.ask::<NoteAdd>(&unknown).unwrap_err().code, ErrorCode::UnknownSession);
    assert_eq!(texts(&mut wire, session), ["a".to_owned(), largest]);
    // Seen on a terminal they are harmless.
    let shown = daemon.ctl("notes");
    assert!(!shown.ok().contains('\u{1b}'));
}

#[test]
fn notes_survive_a_kill_and_a_restored_backup_and_go_with_their_session() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let text = "x".repeat(20 * 1024);
    for _ in 0..40 {
        add(&mut wire, session, &text).unwrap();
    }
    daemon.kill();
    daemon.start_again();
    let mut wire = daemon.wire();
    // More than fits into one frame.
    let page = list(&mut wire, session, 0);
    assert!(page.notes.len() < 40 && page.last == 40);
    let shown = daemon.ctl(&format!("notes --json --session {session}"));
    assert_eq!(shown.json().len(), 40);
    add(&mut wire, session, SECRET).unwrap();
    wire.ask::<StoreCompact>(&vosim_protocol::v1::service::Nothing {}).unwrap();
    let path = daemon.home().work().join("copy.vosim").display().to_string();
    wire.ask::<Backup>(&PathParams { path }).unwrap();
    let what = DeleteWhat::Session;
    let delete = DeleteParams { session: session.to_string(), what };
    wire.ask::<vosim_protocol::v1::service::Delete>(&delete).unwrap();
    let gone = add(&mut wire, session, "late").unwrap_err();
    assert_eq!(gone.code, ErrorCode::UnknownSession);

    daemon.stop();
    daemon.ctl("restore copy.vosim --yes").ok();
    daemon.start_again();
    let mut wire = daemon.wire();
    assert_eq!(list(&mut wire, session, 40).notes[0].text, SECRET);
}
