//! Lines against a small daemon: what is sent, and what is not.

use serde_json::{Value, json};
use vosim_protocol::v1::drill::Phase;
use vosim_protocol::{Blob, Kind};

use super::*;
use crate::client::peer::{Daemon, Peer, accepted, script};
use crate::intent::drill::Drilling;
use crate::intent::interview::{Intent, Interviewing};
use crate::render::interview::samples as interview;
use crate::render::samples;

fn did(text: &str, role: Role, client: &mut Client) -> Result<Step, Failure> {
    act::<Interviewing>(text, role, samples::session(), client)
}

/// A daemon that takes one command and is asked nothing else.
fn taking(check: impl FnOnce(&str, &Value) + Send + 'static) -> Daemon {
    Daemon::new(vec![script(move |peer: &mut Peer| {
        peer.welcome(1);
        let asked = peer.asked();
        assert_eq!(asked.params["session"], samples::session().to_string(), "a whole id");
        check(&asked.method, &asked.params);
        peer.answer(&asked, &accepted());
    })])
}

#[test]
fn each_role_does_its_own_part() {
    let acts = |role| Interviewing::may(role, &Intent::Hint);
    assert!(acts(Role::Candidate).is_ok());
    assert!(may_note(Role::Interviewer).is_ok());
    let all = [
        may_note(Role::Candidate),
        acts(Role::Interviewer),
        acts(Role::Observer),
        may_note(Role::Observer),
    ];
    let all = all.map(|told| told.unwrap_err().to_string());
    insta::assert_snapshot!(all.join("\n"), @"
    a candidate keeps no notes here; attach with --as interviewer
    an interviewer does not act in the session; /note TEXT keeps a note
    an observer only reads; attach with --as candidate to act
    an observer only reads; attach with --as candidate to act
    ");
}

#[test]
fn a_message_is_sent_as_it_was_typed() {
    let daemon = taking(|method, params| {
        assert_eq!((method, &params["command"]), ("session.do", &json!("say")));
        assert_eq!(params["args"], json!({ "text": "\u{1b}[31ma map" }));
    });
    let step = did("\u{1b}[31ma map", Role::Candidate, &mut daemon.client()).unwrap();
    let Step::Done(Answer::Accepted { what, .. }) = step else { panic!("{step:?}") };
    assert_eq!(what, "Your message");
    daemon.done();
}

#[test]
fn a_question_about_code_takes_the_file_along() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("my code");
    std::fs::write(&path, "x = 1\n").unwrap();
    let daemon = taking(|method, params| {
        assert_eq!((method, &params["command"]), ("session.do", &json!("ask")));
        let code = serde_json::to_value(Blob(b"x = 1\n".to_vec()).reference()).unwrap();
        assert_eq!(params["args"]["code"], code);
        assert_eq!(
            (&params["args"]["kind"], &params["args"]["question"]),
            (&json!("code"), &json!("why"))
        );
        assert_eq!(params["blobs"].as_array().unwrap().len(), 1);
    });
    let line = format!("/ask --code '{}' why", path.display());
    did(&line, Role::Candidate, &mut daemon.client()).unwrap();
    daemon.done();
}

#[test]
fn a_submission_without_a_name_is_the_watched_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.py");
    std::fs::write(&path, "x = 1\n").unwrap();
    let mut view = interview::view();
    view.watched.as_mut().unwrap().file_path = path.display().to_string();
    let unwatched = vosim_protocol::v1::interview::View { watched: None, ..view.clone() };
    let shown = path.display().to_string();
    let daemon = Daemon::new(vec![script(move |peer| {
        peer.welcome(1);
        peer.viewed(Kind::Interview, &view);
        let asked = peer.asked();
        assert_eq!(asked.params["command"], "submit");
        assert_eq!(asked.params["args"]["file_path"], shown);
        peer.answer(&asked, &accepted());
        // Where no file is watched either, nothing is sent.
        peer.viewed(Kind::Interview, &unwatched);
    })]);
    let mut client = daemon.client();
    did("/submit", Role::Candidate, &mut client).unwrap();
    let told = did("/submit", Role::Candidate, &mut client).unwrap_err();
    assert_eq!(told.to_string(), "no file was named, and none is watched");
    daemon.done();
}

#[test]
fn a_submission_without_a_name_is_the_file_that_was_judged_last() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.py");
    std::fs::write(&path, "x = 1\n").unwrap();
    let mut view = samples::view(Phase::AwaitingAction);
    view.history.last_mut().unwrap().file_path = path.display().to_string();
    let new = samples::view(Phase::ProblemPresented);
    let shown = path.display().to_string();
    let daemon = Daemon::new(vec![script(move |peer| {
        peer.welcome(1);
        peer.viewed(Kind::Drill, &view);
        let asked = peer.asked();
        assert_eq!(asked.params["command"], "submit");
        assert_eq!(asked.params["args"]["file_path"], shown);
        peer.answer(&asked, &accepted());
        // Where none was judged and none of the usual name is there, nothing is sent.
        peer.viewed(Kind::Drill, &new);
    })]);
    let mut client = daemon.client();
    let mut did = |text| act::<Drilling>(text, Role::Candidate, samples::session(), &mut client);
    did("/submit").unwrap();
    let told = did("/submit").unwrap_err();
    assert_eq!(told.to_string(), "the session knows of no file yet");
    daemon.done();
}

#[test]
fn a_note_goes_where_no_candidate_reads() {
    let daemon = Daemon::new(vec![script(|peer| {
        peer.welcome(1);
        let asked = peer.asked();
        assert_eq!(asked.method, "note.add");
        assert_eq!(asked.params["role"], "interviewer");
        assert_eq!(asked.params["text"], "clear about limits");
        let note = json!({
            "number": 4, "at": samples::at(3), "text": "clear about limits",
            "command_id": asked.params["command_id"],
        });
        peer.answer(&asked, &json!({ "session_id": samples::session(), "note": note }));
    })]);
    let mut client = daemon.client();
    let step = did("/note clear about limits", Role::Interviewer, &mut client).unwrap();
    let Step::Done(Answer::Noted(note)) = step else { panic!("{step:?}") };
    assert_eq!(note.number, 4);
    daemon.done();
}

#[test]
fn in_a_drill_what_is_typed_without_a_slash_answers() {
    let daemon = Daemon::new(vec![script(|peer| {
        peer.welcome(1);
        for command in ["say", "hint"] {
            let asked = peer.asked();
            assert_eq!(asked.params["command"], command);
            peer.answer(&asked, &accepted());
        }
    })]);
    let mut client = daemon.client();
    let mut did = |text| act::<Drilling>(text, Role::Candidate, samples::session(), &mut client);
    did("hello").unwrap();
    for typed in ["/ask", "/done", "/begin"] {
        assert_eq!(did(typed).unwrap_err().to_string(), format!("{typed} is not a command here"));
    }
    did("/hint").unwrap();
    daemon.done();
}

#[test]
fn what_is_wrong_here_is_not_sent() {
    // No daemon is there to be asked.
    let daemon = Daemon::new(vec![]);
    let mut client = daemon.client();
    for text in ["hello", "/done", "/submit a.py", "/note x"] {
        assert!(did(text, Role::Observer, &mut client).is_err(), "{text}");
    }
    assert!(matches!(did("/status", Role::Observer, &mut client), Ok(Step::Status)));
    assert!(matches!(did("/help", Role::Observer, &mut client), Ok(Step::Help)));
    assert!(matches!(did("/quit", Role::Observer, &mut client), Ok(Step::Quit)));
    daemon.done();
}
