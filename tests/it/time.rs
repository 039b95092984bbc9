//! Time as the daemon's clock tells it: through kills, reboots, sleep and a clock that is set.

use vosim_tests::{CORRECT, TestClock, WRONG};

use crate::support::{last, log};

#[test]
fn a_session_lasts_on_while_the_daemon_is_down() {
    let (mut daemon, mut clock) = TestClock::start_daemon("2026-01-05T23:30:00Z");
    daemon.ctl("start --no-file").ok();
    clock.advance(600);
    daemon.kill();
    clock.advance(332);
    daemon.start_again();
    // 000: the duration of its status screen.
    let status = daemon.command(["status"]).run();
    assert!(status.stdout.contains("Duration: 15m 32s"), "{}", status.stdout);
    assert!(status.stdout.contains("Started: 2026-01-05 23:30:00"), "{}", status.stdout);
    clock.advance(1);
    daemon.ctl("end").ok();
    clock.advance(86_400);
    let end = last(&log(&daemon), "SESSION_ENDED");
    assert_eq!(end["duration_seconds"], 933);
    let status = daemon.command(["status"]).run();
    assert!(status.stdout.contains("Duration: 15m 33s"), "an end is an end: {}", status.stdout);
}

#[test]
fn no_event_is_older_than_the_one_before_it_whatever_becomes_of_the_clock() {
    let (mut daemon, mut clock) = TestClock::start_daemon("2026-03-01T12:00:00Z");
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.home().file("b.py", CORRECT.text());
    clock.step(-3_600);
    daemon.ctl("submit a.py").ok();
    clock.sleep(30);
    daemon.ctl("hint").ok();
    daemon.kill();
    clock.reboot();
    clock.step(-86_400);
    daemon.start_again();
    daemon.ctl("submit b.py").ok();
    clock.step(7_200);
    daemon.ctl("end").ok();
    let records = log(&daemon);
    for pair in records.windows(2) {
        assert!(pair[0].timestamp <= pair[1].timestamp, "{pair:#?}");
    }
    daemon.ctl("replay --verify").ok();
    daemon.ctl("verify").ok();
}
