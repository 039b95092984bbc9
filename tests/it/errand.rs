//! The kind that only tests host, over a real socket: an agent and an interviewer on terminals of
//! their own, checks that take long, and a daemon that is killed in the middle of them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::json;
use vosim_protocol::v1::errand::WorkChecked;
use vosim_protocol::v1::service::{BlobGet, BlobGetParams, Create, CreateParams};
use vosim_protocol::{BlobRef, EventId, Kind, Role, SessionId, Wire as _};
use vosim_tests::{Terminal, TestDaemon, Wire, keys, new_session};

/// It begins, and ends when somebody lets it.
const CHECK: &str = "import pathlib, sys, time
here = pathlib.Path(__file__).parent
while not (here / 'go').exists():
    time.sleep(0.01)
print('the tests have run')
sys.exit(int((here / 'broken').exists()))
";

/// A folder with its checks, which the account that runs code may change.
fn folder(daemon: &TestDaemon) -> PathBuf {
    let folder = daemon.home().work().join("errand");
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
    fs::write(folder.join("tests.py"), CHECK).unwrap();
    fs::write(folder.join("style.py"), "print('in style')\n").unwrap();
    folder
}

fn give(daemon: &TestDaemon, wire: &mut Wire) -> (SessionId, PathBuf) {
    let folder = folder(daemon);
    let step = |name: &str, file: &str| json!({ "name": name, "language": "python", "file": file, "arguments": [] });
    let args = json!({
        "title": "Mend the cache", "folder": folder, "minutes": 60,
        "checks": [step("the tests", "tests.py"), step("the style", "style.py")],
    });
    let session_id = new_session();
    let kind = Kind::Errand;
    wire.ask::<Create>(&CreateParams { session_id, kind, beside: true, args }).unwrap();
    wire.subscribe(session_id, EventId::ZERO);
    (session_id, folder)
}

/// What a check wrote, from the bytes that its event names.
fn written(wire: &mut Wire, session: SessionId, output: BlobRef) -> String {
    let session = Some(session.to_string());
    let params = BlobGetParams { session, hash: output.hash, offset: 0, role: Role::Agent };
    String::from_utf8(wire.ask::<BlobGet>(&params).unwrap().part.0).unwrap()
}

#[test]
fn an_errand_goes_on_after_a_kill_in_the_middle_of_its_checks() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let (session, folder) = give(&daemon, &mut wire);
    daemon.ctl(&format!("use {session}")).ok();
    let mut agent = Terminal::start(daemon.home(), "attach --as agent");
    let mut interviewer = Terminal::start(daemon.home(), "attach --as interviewer");
    for terminal in [&agent, &interviewer] {
        terminal.shows("The errand: Mend the cache. Time for it: 1 h.");
    }
    daemon.home().file("fix.patch", "-old\n+new\n");
    daemon.home().file("notes.md", "It was the order.\n");
    agent.line("/hand-in fix.patch notes.md");
    for terminal in [&agent, &interviewer] {
        terminal.shows("Work 1 is handed in: 2 lines changed, 1 line of notes.");
    }

    // The shipped daemon has no model to talk to.
    agent.line("/ask Which order is meant?");
    interviewer.shows("There is no advice: the model failed");

    // Each role has commands of its own.
    agent.line("/check");
    agent.shows("The agent does not do this in a session: check. Ask as the interviewer");
    agent.types(keys::CTRL_U);
    interviewer.line("/check");
    for terminal in [&agent, &interviewer] {
        terminal.shows("The work is being checked: the tests (1 of 2)");
    }
    daemon.kill();
    daemon.start_again();
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    interviewer.shows("The work is being checked: the tests (1 of 2)");
    fs::write(folder.join("go"), "").unwrap();
    for terminal in [&agent, &interviewer] {
        terminal.shows("Work 1: all checks passed.");
    }
    let checked = WorkChecked::from_json(wire.wait_for_event("WORK_CHECKED").payload).unwrap();
    let said: Vec<_> =
        checked.steps.iter().map(|step| written(&mut wire, session, step.stdout)).collect();
    assert_eq!(said, ["the tests have run\n", "in style\n"]);

    interviewer.line("/send-back The notes say too little.");
    agent.shows("More is wanted: The notes say too little.");
    fs::write(folder.join("broken"), "").unwrap();
    agent.line("/hand-in fix.patch notes.md");
    interviewer.shows("Work 2 changes the same lines as the work before.");
    interviewer.line("/check");
    agent.shows("Work 2: the tests failed.");
    interviewer.line("/take");
    for mut terminal in [agent, interviewer] {
        terminal.shows("Work 2 is taken. The errand is over.");
        terminal.shows("done, handed in 2 times");
        terminal.types(keys::CTRL_C);
        assert!(terminal.end().success());
        assert!(terminal.text().contains("It is done; work was handed in 2 times."));
    }

    // Whatever knows no kind knows it.
    daemon.ctl(&format!("replay {session} --verify")).ok();
    daemon.ctl(&format!("replay {session} --speed max")).ok();
    daemon.ctl(&format!("export --session {session} --bundle replay -o errand.json")).ok();
    daemon.ctl("verify errand.json").ok();
    let list = daemon.ctl("list");
    let listed = list.ok();
    assert!(listed.contains("errand: Mend the cache"), "{listed}");
    insta::assert_snapshot!(daemon.ctl(&format!("log --session {session}")));
    insta::assert_snapshot!(daemon.ctl(&format!("why 4 --session {session}")));
}
