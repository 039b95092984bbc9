//! Two terminals on one session see the same lines, through restarts of the daemon.

use nix::sys::signal::Signal;
use vosim_tests::{Following, TestDaemon, WRONG, command, params};

use crate::support::{assert_gapless, log, wait_for};

fn attach(daemon: &TestDaemon) -> Following {
    daemon.command(["attach", "--json"]).spawn()
}

/// The event ids of the lines so far.
fn ids(terminal: &Following) -> Vec<u64> {
    let id = |line: &String| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        record["event_id"].as_u64().unwrap()
    };
    terminal.stdout.seen().iter().map(id).collect()
}

#[test]
fn two_terminals_see_the_same_through_a_stop_and_a_kill_without_gap_or_repeat() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let mut terminals = [attach(&daemon), attach(&daemon)];
    let all_see = |terminals: &mut [Following; 2], event_type: &str| {
        for terminal in terminals {
            terminal.stdout.wait_for(|line| line.contains(event_type));
        }
    };
    all_see(&mut terminals, "SESSION_STARTED");
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    all_see(&mut terminals, "AGENT_RESPONSE");

    assert!(daemon.stop().success());
    daemon.start_again();
    daemon.ctl("hint").ok();
    all_see(&mut terminals, "HINT_GIVEN");

    daemon.kill();
    daemon.start_again();
    daemon.ctl("end").ok();
    all_see(&mut terminals, "SESSION_ENDED");

    let records = log(&daemon);
    assert_gapless(&records);
    let expected: Vec<u64> = records.iter().map(|record| record.event_id.0).collect();
    assert_eq!(ids(&terminals[0]), expected);
    assert_eq!(terminals[0].stdout.seen(), terminals[1].stdout.seen());
}

#[test]
fn a_terminal_goes_on_with_the_session_of_a_restored_store() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.ctl("backup copy.vosim").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    let mut terminal = attach(&daemon);
    terminal.stdout.wait_for(|line| line.contains("AGENT_RESPONSE"));
    assert!(daemon.stop().success());
    daemon.ctl("restore copy.vosim --yes").ok();
    daemon.start_again();
    terminal.stderr.wait_for(|line| line.contains("another store"));
    terminal.stdout.wait_for(|line| line.contains("SESSION_STARTED"));
    daemon.ctl("end").ok();
    terminal.stdout.wait_for(|line| line.contains("SESSION_ENDED"));
    let restored: Vec<u64> = log(&daemon).iter().map(|record| record.event_id.0).collect();
    assert!(ids(&terminal).ends_with(&restored), "{:?}", ids(&terminal));
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_drill_is_followed_in_sentences_and_ctrl_c_ends_well() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let mut terminal = daemon.command(["attach"]).spawn();
    terminal.stdout.wait_for(|line| line.contains("Attached now"));
    daemon.ctl("end").ok();
    terminal.stdout.wait_for(|line| line.contains("Outcome"));
    let ran = terminal.interrupt();
    assert_eq!(ran.status, 0, "{ran}");
    insta::assert_snapshot!("attach", ran);
}

#[test]
fn a_stopped_reader_holds_up_nobody_and_resumes_without_a_gap() {
    const SUBMISSIONS: u64 = 100;
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    wait_for(&daemon, "AGENT_RESPONSE");
    let mut slow = attach(&daemon);
    slow.stdout.wait_for(|line| line.contains("AGENT_RESPONSE"));
    let mut quick = attach(&daemon);
    slow.signal(Signal::SIGSTOP);

    // Far more than the kernel and the daemon keep for one reader.
    let mut wire = daemon.wire();
    let session = crate::support::current(&daemon);
    wire.subscribe(session, vosim_protocol::EventId::ZERO);
    wire.wait_for_event("AGENT_RESPONSE");
    for number in 0..SUBMISSIONS {
        wire.submit(session, &format!("no program {number}"));
        wire.wait_for_event("AGENT_RESPONSE");
    }
    wire.drill("end", &params(session, command(), serde_json::json!({}))).unwrap();
    quick.stdout.wait_for(|line| line.contains("SESSION_ENDED"));

    slow.signal(Signal::SIGCONT);
    slow.stdout.wait_for(|line| line.contains("SESSION_ENDED"));
    let last = ids(&quick).len() as u64;
    assert!(last >= 3 * SUBMISSIONS);
    assert_eq!(ids(&slow), (1..=last).collect::<Vec<_>>());
    assert_eq!(ids(&slow), ids(&quick));
}

// DECISIONS 31: the run belongs to the daemon.
#[test]
fn ctrl_c_stops_the_waiting_and_not_the_run() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let slow = format!("import time\ntime.sleep(1)\n{}", WRONG.text());
    daemon.home().file("slow.py", slow);
    let mut submit = daemon.command(["submit", "slow.py"]).spawn();
    submit.stdout.wait_for(|line| line.contains("Running evaluation"));
    let ran = submit.interrupt();
    assert_eq!(ran.status, 0, "{ran}");
    assert!(ran.stderr.contains("See the result with: vosimctl result"), "{ran}");
    wait_for(&daemon, "AGENT_RESPONSE");
    let result = daemon.ctl("result");
    assert!(result.ok().contains("5/12") && result.stdout.contains("Feedback:"), "{result}");
}
