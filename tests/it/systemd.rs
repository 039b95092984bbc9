//! The user units under a real `systemd --user`: what `make install` puts there, a daemon that a
//! connection starts, and what becomes of it when it is killed, stopped or cannot start.

mod manager;

use std::fs;

use nix::sys::signal::Signal;
use vosim_protocol::wire::Json;
use vosim_tests::{CORRECT, RUN, Ran, TestDaemon};

use manager::{Manager, SERVICE, SOCKET, analyze, has_systemd, installed, make, wait_until};

/// The level that doctor names, as in `level B`.
fn level(ran: &Ran) -> String {
    let result: Json = serde_json::from_str(&ran.stdout).unwrap();
    let checks = result["checks"].as_array().unwrap();
    let sandbox = checks.iter().find(|check| check["name"] == "sandbox").unwrap();
    sandbox["found"].as_str().unwrap().split(':').next().unwrap().to_owned()
}

#[test]
fn the_units_that_are_installed_are_in_order_and_name_their_program() {
    if !has_systemd() {
        return;
    }
    let home = installed();
    let checked = analyze(&home, &["verify"]).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(checked.status.success() && said.is_empty(), "{said}");
    let read = home.system("systemd-analyze").args(["--user", "unit-paths"]).output().unwrap();
    let units = home.path().join(".local/share/systemd/user");
    let read = String::from_utf8(read.stdout).unwrap();
    assert!(read.lines().any(|line| line == units.to_str().unwrap()), "{read}");
}

#[test]
fn a_package_is_built_beside_and_taken_away_again() {
    let home = installed();
    let stage = home.path().join("stage");
    let staged = format!("DESTDIR={}", stage.display());
    let prefix = "PREFIX=/opt/two words 100%".to_owned();
    let ran = make(&home, "install-units", &[staged.clone(), prefix.clone()]);
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let units = stage.join("opt/two words 100%/share/systemd/user");
    let service = fs::read_to_string(units.join(SERVICE)).unwrap();
    let begin = "\nExecStart=\"/opt/two words 100%%/bin/vosimd\" run\n";
    assert!(service.contains(begin), "the unit knows nothing of DESTDIR: {service}");
    if has_systemd() {
        let unit = "/opt/two words 100%/share/systemd/user/vosimd.service";
        assert!(said.contains(&format!("systemctl --user link '{unit}'\n")), "{said}");
    }
    let ran = make(&home, "uninstall", &[staged, prefix]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(fs::read_dir(&units).unwrap().count(), 0);
    let kept = home.path().join(".local/share/systemd/user").join(SERVICE);
    assert!(kept.exists(), "what is installed elsewhere stays");
}

#[test]
fn units_that_systemd_uses_are_removed_once_they_are_disabled() {
    let Some(manager) = Manager::start() else { return };
    manager.enable();
    let refused = manager.make("uninstall");
    assert!(!refused.status.success());
    let said = String::from_utf8(refused.stderr).unwrap();
    let command = "systemctl --user disable --now vosimd.socket vosimd.service";
    assert!(said.contains(command), "{said}");
    let words: Vec<&str> = command.split(' ').skip(2).collect();
    manager.told(&words);
    let ran = manager.make("uninstall");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let local = manager.home().path().join(".local");
    for dir in [local.join("bin"), local.join("share/systemd/user")] {
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 0, "{}", dir.display());
    }
    manager.end();
}

#[test]
fn a_connection_starts_the_daemon_and_a_right_solution_passes_under_the_unit() {
    let Some(manager) = Manager::start() else { return };
    manager.enable();
    assert_eq!(manager.property(SERVICE, "ActiveState"), "inactive");
    manager.ctl("start --no-file").ok();
    assert_eq!(manager.daemon(), manager.property(SERVICE, "MainPID"));
    assert_eq!(manager.property(SERVICE, "ActiveState"), "active", "it has said that it is ready");

    manager.home().file("a.py", CORRECT.text());
    let ran = manager.ctl("submit a.py");
    assert!(ran.ok().contains("12/12"), "{ran}");

    let doctor = manager.ctl("doctor");
    let words: Vec<&str> = doctor.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains("started by systemd, as vosimd.service"), "{doctor}");
    let under = level(&manager.ctl("doctor --json --fresh"));
    let outside = level(&TestDaemon::start().ctl("doctor --json --fresh"));
    assert!(under.starts_with("level ") && under <= outside, "{under}, outside {outside}");

    let leaf = fs::read_to_string(manager.service_group().join("vosimd/cgroup.procs")).unwrap();
    assert!(!leaf.is_empty(), "the daemon has stepped aside for the groups of its runs");
    let around = fs::read_to_string(manager.service_group().join("cgroup.procs")).unwrap();
    assert_eq!(around, "");
    manager.end();
}

#[test]
fn a_daemon_that_was_killed_comes_back_with_its_session_and_its_times() {
    let Some(manager) = Manager::start() else { return };
    manager.enable();
    manager.ctl("start --no-file").ok();
    let log = manager.ctl("log --json").ok().to_owned();
    assert!(log.contains("\"timestamp\""), "{log}");

    // By itself.
    let first = manager.daemon();
    manager.signal(&first, Signal::SIGKILL);
    manager.wait_for(SERVICE, "NRestarts", "1");
    manager.wait_for(SERVICE, "ActiveState", "active");
    let second = manager.daemon();
    assert_ne!(first, second);
    assert_eq!(manager.ctl("log --json").ok(), log);

    // By the next connection, which waits until it is there.
    manager.edit("Restart=no");
    manager.signal(&second, Signal::SIGKILL);
    manager.wait_for(SERVICE, "ActiveState", "failed");
    assert_eq!(manager.ctl("log --json").ok(), log);
    assert_ne!(manager.daemon(), second);
    manager.ctl("end").ok();
    manager.end();
}

#[test]
fn a_stop_is_clean_and_the_next_connection_starts_again_as_often_as_one_likes() {
    let Some(manager) = Manager::start() else { return };
    manager.enable();
    manager.ctl("start --no-file").ok();
    // It has asked for its end by itself and was not killed after a wait.
    manager.told(&["stop", SERVICE]);
    for (name, value) in [("Result", "success"), ("ExecMainCode", "1"), ("ExecMainStatus", "0")] {
        assert_eq!(manager.property(SERVICE, name), value, "{name}");
    }
    // More often than systemd's own default allows in ten seconds.
    for _ in 0..8 {
        manager.ctl("list").ok();
        manager.ctl("daemon stop").ok();
    }
    assert_eq!(manager.ctl("list --json").json().len(), 1);
    assert_eq!(manager.property(SOCKET, "Result"), "success");
    manager.told(&["stop", SOCKET, SERVICE]);
    assert!(!manager.home().paths().socket.exists());
    manager.end();
}

#[test]
fn a_daemon_by_hand_gives_way_to_the_unit_and_is_refused_beside_it() {
    let Some(manager) = Manager::start() else { return };
    let by_hand = manager.program("vosimd", &RUN).spawn();
    wait_until("the daemon answers", || (manager.ctl("list").status == 0).then_some(()));
    manager.ctl("start --no-file").ok();
    manager.enable();
    assert_eq!(by_hand.end().status, 0, "its end was asked for");
    assert_eq!(manager.ctl("list --json").json().len(), 1, "its sessions go on");

    let refused = |told: &str| {
        let ran = manager.program("vosimd", &["run"]).run();
        assert_eq!((ran.status, ran.stderr.lines().count()), (1, 1), "{ran}");
        assert!(ran.stderr.contains(told), "{ran}");
    };
    refused("is in use by another vosimd: pid ");
    manager.told(&["stop", SERVICE]);
    refused("to run one by hand: systemctl --user stop vosimd.socket");
    manager.ctl("list").ok();
    manager.end();
}

#[test]
fn whoever_waits_for_a_daemon_that_cannot_start_is_told_why_and_need_only_mend_it() {
    let Some(manager) = Manager::start() else { return };
    manager.enable();
    manager.home().config("[log]\nlevel = \"loud\"\n");
    // The second request is one that daemons of all versions answer, whatever became of hello.
    for words in ["list", "daemon status"] {
        let ran = manager.ctl(words);
        assert!(ran.refused().contains("log.level takes"), "{ran}");
    }
    assert_eq!(manager.property(SERVICE, "NRestarts"), "0", "the same again would be no help");
    manager.home().config("");
    manager.ctl("list").ok();
    manager.end();
}

#[test]
fn a_daemon_that_hangs_is_replaced() {
    let Some(manager) = Manager::start() else { return };
    manager.edit("WatchdogSec=1\nLimitCORE=0");
    manager.enable();
    let first = manager.daemon();
    manager.signal(&first, Signal::SIGSTOP);
    manager.wait_for(SERVICE, "NRestarts", "1");
    assert_ne!(manager.daemon(), first);
    manager.end();
}
