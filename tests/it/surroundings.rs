//! Whoever starts a daemon, and wherever its folders are: it is the same daemon, or says in one line why
//! there is none and what mends it.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};
use vosim_needs::has_root;
use vosim_protocol::paths::Holder;
use vosim_tests::{CORRECT, Ctl, Home, Ran, TestDaemon};

/// The daemon that holds the data of a home.
fn holder(home: &Home) -> Holder {
    fs::read_to_string(home.paths().lock).unwrap().trim().parse().unwrap()
}

/// Runs vosimctl behind a shell that has prepared something first.
fn ctl_after(home: &Home, first: &str, words: &[&str]) -> Ran {
    let script = format!("{first}\nexec \"$0\" \"$@\"");
    Ctl::program_by(home, &["sh", "-c", &script], "vosimctl", words).run()
}

fn about(pid: u32, file: &str) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/{file}")).unwrap()).into_owned()
}

/// A set of signals of a process.
fn signals(pid: u32, name: &str) -> u64 {
    let status = about(pid, "status");
    let set = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    u64::from_str_radix(set.trim_start_matches(':').trim(), 16).unwrap()
}

#[test]
fn a_daemon_keeps_nothing_of_the_process_that_started_it() {
    let home = Home::new();
    let heard = UnixDatagram::bind(home.path().join("notify")).unwrap();
    heard.set_nonblocking(true).unwrap();
    let first = "exec 9>\"$HOME/held\"; flock 9; umask 0; ulimit -S -n 256; cd \"$HOME/work\"
        echo 300 >/proc/$$/oom_score_adj
        export NOTIFY_SOCKET=\"$HOME/notify\" WATCHDOG_USEC=60000000 LISTEN_FDS=1 LISTEN_PID=$$
        exec chrt --idle 0 nice -n 5 env --ignore-signal=CHLD,USR1,ALRM --block-signal=TERM,CHLD,INT \"$0\" \"$@\"";
    ctl_after(&home, first, &["start", "--no-file"]).ok();
    let Holder { pid, .. } = holder(&home);
    let held = fs::File::open(home.path().join("held")).unwrap();
    held.try_lock().expect("what a shell had locked is free once the shell has gone");
    let open = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
    let open: Vec<_> = open.filter_map(|entry| fs::read_link(entry.path()).ok()).collect();
    assert!(!open.iter().any(|file| file.ends_with("held")), "{open:?}");
    let said = about(pid, "environ");
    for variable in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_FDS", "LISTEN_PID"] {
        assert!(!said.contains(variable), "{said}");
    }
    assert!(heard.recv(&mut [0; 64]).is_err(), "another unit was told that it is ready");
    assert!(about(pid, "status").contains("Umask:\t0077"));
    assert_eq!(fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), Path::new("/"));
    let bit = |signal: Signal| 1_u64 << (signal as i32 - 1);
    assert_eq!(signals(pid, "SigBlk"), bit(Signal::SIGXFSZ));
    for signal in [Signal::SIGCHLD, Signal::SIGUSR1, Signal::SIGALRM, Signal::SIGTERM] {
        assert_eq!(signals(pid, "SigIgn") & bit(signal), 0, "{signal}");
    }
    let limits = about(pid, "limits");
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    assert!(!files.contains(" 256 "), "what may be raised is raised: {files}");
    if has_root() {
        let stat = about(pid, "stat");
        let fields: Vec<_> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        assert_eq!(fields[16], "0", "its niceness: {stat}");
        assert_eq!(fields[38], "0", "its scheduling policy: {stat}");
        assert_eq!(about(pid, "oom_score_adj").trim(), "0");
    }
    // Children can be waited for, and it hears that it is to stop.
    home.file("a.py", CORRECT.text());
    let judged = ctl_after(&home, "", &["submit", "a.py"]);
    assert!(judged.ok().contains("12/12"), "{judged}");
    kill(Pid::from_raw(pid.cast_signed()), Signal::SIGTERM).unwrap();
    let gone = ctl_after(&home, "", &["daemon", "stop"]);
    gone.ok();
}

#[test]
fn who_starts_a_client_with_signals_ignored_or_blocked_sees_no_difference() {
    let home = Home::new();
    let prepared = "exec env --ignore-signal=CHLD,TERM --block-signal=CHLD,INT \"$0\" \"$@\"";
    // Nothing runs, so the client itself waits for a program.
    let schema = ctl_after(&home, prepared, &["schema", "show"]);
    assert!(schema.ok().contains("section"), "{schema}");
    let doctor = ctl_after(&home, prepared, &["doctor"]);
    assert!(doctor.stdout.contains("python") && !doctor.stdout.contains("FAIL"), "{doctor}");
}

#[test]
fn a_service_manager_that_has_gone_keeps_no_daemon_from_serving() {
    let home = Home::new();
    // Without a folder for the log, what it says can be heard here.
    fs::write(home.paths().state, "a file where the folder belongs").unwrap();
    let mut daemon = Ctl::program(&home, "vosimd", ["run"])
        .env("NOTIFY_SOCKET", home.path().join("gone"))
        .env("WATCHDOG_USEC", "60000000")
        .spawn();
    daemon.stderr.wait_for(|line| line.contains("the service manager could not be told"));
    Ctl::new(&home, ["start", "--no-file"]).run().ok();
    Ctl::new(&home, ["daemon", "stop"]).run().ok();
    let ended = daemon.end();
    assert_eq!(ended.status, 0, "{ended}");
    assert_eq!(ended.stderr.matches("there is no log file").count(), 1, "{ended}");
}

#[test]
fn a_socket_that_is_named_from_the_folder_one_is_in_stands_there() {
    let home = Home::new();
    let ctl = |words: [&str; 2]| {
        Ctl::program(&home, "vosimctl", words).env("VOSIM_SOCKET", "rel.sock").run()
    };
    ctl(["start", "--no-file"]).ok();
    assert_eq!(holder(&home).socket, home.work().join("rel.sock"));
    ctl(["status", "--json"]).ok();
    ctl(["daemon", "stop"]).ok();
    assert!(!home.work().join("rel.sock").exists());
}

#[test]
fn root_makes_no_folder_in_the_home_of_somebody_else() {
    if !has_root() {
        return;
    }
    let mut home = Home::new();
    let theirs = home.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    std::os::unix::fs::chown(&theirs, Some(61_234), Some(61_234)).unwrap();
    home.set("HOME", &theirs);
    for name in ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        home.unset(name);
    }
    for (program, words) in [("vosimctl", ["list"].as_slice()), ("vosimd", &["run"])] {
        let ran = Ctl::program(&home, program, words).run();
        assert_eq!(ran.status, 1, "{ran}");
        assert!(ran.stderr.contains("is in a folder of user 61234"), "{ran}");
        assert!(ran.stderr.contains("sudo -H"), "{ran}");
    }
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 0);
    // What was root's there before stays usable.
    fs::create_dir_all(theirs.join(".local/share/vosim")).unwrap();
    fs::create_dir_all(theirs.join(".local/state/vosim")).unwrap();
    for folder in [".local/share/vosim", ".local/state/vosim"] {
        fs::set_permissions(theirs.join(folder), Permissions::from_mode(0o700)).unwrap();
    }
    let ran = Ctl::program(&home, "vosimctl", ["list"]).run();
    assert!(!ran.stderr.contains("is in a folder of user"), "{ran}");
    Ctl::program(&home, "vosimctl", ["daemon", "stop"]).run();
}

/// The files of suites in the store.
fn suites(home: &Home) -> BTreeSet<PathBuf> {
    let shelves = fs::read_dir(home.paths().data.join("blobs")).unwrap().flatten();
    let files = shelves.flat_map(|shelf| fs::read_dir(shelf.path()).unwrap().flatten());
    let is_suite = |path: &PathBuf| fs::read(path).unwrap().starts_with(b"{\"cases\"");
    files.map(|file| file.path()).filter(is_suite).collect()
}

/// Spoils a file in each way, and sees that the next submission puts it back as it was.
fn comes_back(daemon: &mut TestDaemon, suite: &Path) {
    let before = fs::read(suite).unwrap();
    for spoil in [|path: &Path| fs::write(path, "{}"), |path: &Path| fs::remove_file(path)] {
        // What it has in memory would hide the loss.
        daemon.stop();
        spoil(suite).unwrap();
        daemon.start_again();
        let ran = daemon.ctl("submit --again a.py");
        assert!(ran.ok().contains("12/12"), "{ran}");
        assert_eq!(fs::read(suite).unwrap(), before);
    }
}

#[test]
fn a_suite_that_is_damaged_on_disk_is_written_anew_and_ends_no_judging() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", CORRECT.text());
    let embedded = suites(daemon.home());
    let path = embedded.first().unwrap();
    // It is needed for the draw, which the first submission asks for.
    fs::remove_file(path).unwrap();
    assert!(daemon.ctl("submit a.py").ok().contains("12/12"));
    // What was drawn is drawn again, and comes out as it did.
    let all = suites(daemon.home());
    let drawn: Vec<_> = all.difference(&embedded).collect();
    assert_eq!((all.len(), drawn.len()), (2, 1), "{all:?}");
    comes_back(&mut daemon, drawn[0]);
    assert_eq!(daemon.home().logs().matches("a damaged suite was written anew").count(), 3);
}

/// What a place is, and what a command comes to when it cannot be used.
const PLACES: [(&str, &str, bool); 3] = [
    ("data/vosim", "XDG_DATA_HOME", false),
    // A daemon without a log serves.
    ("state/vosim", "XDG_STATE_HOME", true),
    ("run/vosim", "XDG_RUNTIME_DIR", false),
];

/// How a disk can be, as options of a small one, and the words for it.
const DISKS: [(&str, &str); 2] =
    [("ro", "its file system is mounted read-only"), ("nr_inodes=1", "the disk is full")];

#[test]
fn a_disk_that_takes_nothing_is_named_at_every_place_with_what_mends_it() {
    if !has_root() {
        return;
    }
    for (place, variable, serves) in PLACES {
        for (options, cause) in DISKS {
            let home = Home::new();
            let at = home.path().join(place);
            fs::create_dir(&at).unwrap();
            fs::set_permissions(&at, Permissions::from_mode(0o700)).unwrap();
            let mounted = format!(
                "mount -t tmpfs -o {options},mode=700 tmpfs '{}' && exec \"$0\" \"$@\"",
                at.display()
            );
            // The daemon lives in the same mounts as the client that starts it.
            let both = format!("{mounted} && \"$0\" daemon stop");
            let both = both.replace("exec \"$0\"", "\"$0\"");
            let wrapper = ["unshare", "-m", "sh", "-c", &both];
            let ran = Ctl::program_by(&home, &wrapper, "vosimctl", ["list"]).run();
            assert_eq!(ran.status, i32::from(!serves), "{place} {options}: {ran}");
            assert!(ran.stderr.contains(cause), "{place} {options}: {ran}");
            assert!(!ran.stderr.contains("os error"), "{ran}");
            if !serves {
                assert!(ran.stderr.contains(variable), "{place} {options}: {ran}");
            }
            let wrapper = ["unshare", "-m", "sh", "-c", &mounted];
            let doctor = Ctl::program_by(&home, &wrapper, "vosimctl", ["doctor"]).run();
            let shown = doctor.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(!shown.contains("chmod"), "{place} {options}: {doctor}");
            assert!(shown.contains(cause), "{place} {options}: {doctor}");
        }
    }
}

#[test]
fn a_place_that_belongs_to_somebody_else_is_named_with_its_owner_and_the_way_back() {
    if !has_root() {
        return;
    }
    let as_ada = ["setpriv", "--reuid=61234", "--regid=61234", "--clear-groups"];
    for (place, variable) in [("data", "XDG_DATA_HOME"), ("config", "XDG_CONFIG_HOME")] {
        let home = Home::new();
        fs::create_dir(home.path().join("config/vosim")).unwrap();
        home.config("[log]\nlevel = \"info\"\n");
        let owned = home.system("chown").args(["-R", "61234:61234"]).arg(home.path()).status();
        assert!(owned.unwrap().success());
        let at = home.path().join(place);
        std::os::unix::fs::chown(&at, Some(0), Some(0)).unwrap();
        fs::set_permissions(&at, Permissions::from_mode(0o700)).unwrap();
        let program = home.path().join("vosimd");
        fs::copy(home.program("vosimd").get_program(), &program).unwrap();
        let mut command = home.system(as_ada[0]);
        let ran = command.args(&as_ada[1..]).arg(&program).arg("run").output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!((ran.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        let shown = at.display();
        assert!(said.contains(&format!("{shown} belongs to user 0")), "{said}");
        assert!(said.contains(&format!("sudo chown 61234 {shown}")), "{said}");
        assert!(said.contains(variable), "{said}");
        assert!(!said.contains("chmod") && !said.contains("os error"), "{said}");
        assert_eq!(at.metadata().unwrap().uid(), 0);
    }
}

#[test]
fn a_place_without_devices_is_told_as_one() {
    if !has_root() {
        return;
    }
    let home = Home::new();
    let bare = "mount -t tmpfs tmpfs /dev && exec \"$0\" \"$@\"";
    for words in ["list", "submit a.py", "doctor"] {
        let wrapper = ["unshare", "-m", "sh", "-c", bare];
        let words = words.split(' ').collect::<Vec<_>>();
        let ran = Ctl::program_by(&home, &wrapper, "vosimctl", words).run();
        assert!(ran.refused().contains("/dev/null is not there"), "{ran}");
        assert!(!ran.stderr.contains("panicked"), "{ran}");
    }
}

#[test]
fn a_client_of_another_pid_namespace_is_served_like_any_other() {
    if !has_root() {
        return;
    }
    let home = Home::new();
    ctl_after(&home, ":", &["list"]).ok();
    let apart = ["unshare", "--pid", "--fork"];
    Ctl::program_by(&home, &apart, "vosimctl", ["list"]).run().ok();
    ctl_after(&home, ":", &["daemon", "stop"]).ok();
}

#[test]
fn beside_a_proc_of_another_namespace_a_daemon_is_stopped_as_anywhere() {
    if !has_root() {
        return;
    }
    let home = Home::new();
    // The daemon's number is a small one here, and that of another process in what /proc shows.
    let both = "\"$0\" \"$@\" && \"$0\" daemon stop";
    let wrapper = ["unshare", "--pid", "--fork", "sh", "-c", both];
    let ran = Ctl::program_by(&home, &wrapper, "vosimctl", ["list"]).run();
    assert!(ran.ok().ends_with("vosimd has stopped.\n"), "{ran}");
}

#[test]
fn what_is_made_can_be_used_by_its_owner_whatever_mask_was_set() {
    for mask in ["777", "277", "022"] {
        let home = Home::new();
        ctl_after(&home, &format!("umask {mask}"), &["list"]).ok();
        let paths = home.paths();
        for (made, wanted) in [(paths.data, 0o700), (paths.state, 0o700), (paths.lock, 0o600)] {
            let mode = made.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, wanted, "{mask}: {} has the mode {mode:o}", made.display());
        }
        ctl_after(&home, "umask 777", &["daemon", "stop"]).ok();
    }
}

#[test]
fn who_starts_a_daemon_that_cannot_write_its_log_is_told_so_and_doctor_says_why() {
    type Spoil = fn(&Path);
    let spoils: [(Spoil, &str); 3] = [
        (|state| fs::create_dir(state.join("vosimd.log")).unwrap(), "it is a folder"),
        (|state| fs::set_permissions(state, Permissions::from_mode(0o755)).unwrap(), "mode 755"),
        (|state| mkfifo(&state.join("vosimd.log"), Mode::S_IRWXU).unwrap(), "nothing is behind it"),
    ];
    for (spoil, why) in spoils {
        let home = Home::new();
        let state = home.paths().state;
        fs::create_dir_all(&state).unwrap();
        fs::set_permissions(&state, Permissions::from_mode(0o700)).unwrap();
        spoil(&state);
        let ran = Ctl::program(&home, "vosimctl", ["list"]).run();
        ran.ok();
        assert!(ran.stderr.starts_with("Note: vosimd cannot write its log"), "{why}: {ran}");
        let said = fs::read_to_string(state.join("vosimd.stderr")).unwrap();
        assert!(said.contains("there is no log file"), "{why}: {said}");
        let doctor = Ctl::program(&home, "vosimctl", ["doctor"]).run();
        let shown = doctor.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains("FAIL log folder") && shown.contains(why), "{why}: {doctor}");
        Ctl::program(&home, "vosimctl", ["daemon", "stop"]).run().ok();
    }
}

#[test]
fn a_log_that_takes_no_line_is_told_with_each_command() {
    let home = Home::new();
    let state = home.paths().state;
    fs::create_dir_all(&state).unwrap();
    fs::set_permissions(&state, Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::symlink("/dev/full", state.join("vosimd.log")).unwrap();
    let list = || Ctl::program(&home, "vosimctl", ["list"]).run();
    list().ok();
    // The daemon's lines are written beside what it answers.
    let ran = (0..100).map(|_| list()).find(|ran| !ran.stderr.is_empty()).expect("a note");
    ran.ok();
    assert!(ran.stderr.starts_with("Note: vosimd cannot write its log: "), "{ran}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran}");
    Ctl::program(&home, "vosimctl", ["daemon", "stop"]).run().ok();
}

#[test]
fn doctor_sees_what_it_can_where_something_else_stands_in_the_place_of_the_socket() {
    let home = Home::new();
    let folder = home.path().join("run/vosim");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    fs::write(folder.join("vosimd.sock"), "a file").unwrap();
    let doctor = Ctl::new(&home, ["doctor"]).run();
    assert_eq!(doctor.status, 1, "{doctor}");
    for seen in ["not a socket", "data folder", "python", "sandbox"] {
        assert!(doctor.stdout.contains(seen), "{seen}: {doctor}");
    }
}

#[test]
fn doctor_names_what_keeps_somebody_from_the_socket_and_the_way_back() {
    if !has_root() {
        return;
    }
    let home = Home::new();
    let folder = home.path().join("run/vosim");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    for name in ["vosimctl", "vosimd"] {
        fs::copy(home.program(name).get_program(), home.path().join(name)).unwrap();
    }
    let owned = home.system("chown").args(["-R", "61234:61234"]).arg(home.path()).status();
    assert!(owned.unwrap().success());
    std::os::unix::fs::chown(&folder, Some(0), Some(0)).unwrap();
    let mut command = home.system("setpriv");
    command.args(["--reuid=61234", "--regid=61234", "--clear-groups"]);
    let ran = command.arg(home.path().join("vosimctl")).arg("doctor").output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&format!("sudo chown 61234 {}", folder.display())), "{said}");
    assert!(!said.contains("Restart it"), "{said}");
}

#[test]
fn a_part_of_the_store_that_belongs_to_somebody_else_is_named_and_is_no_damage() {
    if !has_root() {
        return;
    }
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.stop();
    let home = daemon.home();
    let data = home.paths().data;
    let program = home.path().join("vosimd");
    fs::copy(home.program("vosimd").get_program(), &program).unwrap();
    let shelf = fs::read_dir(data.join("blobs")).unwrap().flatten().next().unwrap().path();
    for at in [data.join("db-1"), data.join("blobs"), shelf] {
        let owned = home.system("chown").args(["-R", "61234:61234"]).arg(home.path()).status();
        assert!(owned.unwrap().success());
        std::os::unix::fs::chown(&at, Some(0), Some(0)).unwrap();
        let mut command = home.system("setpriv");
        command.args(["--reuid=61234", "--regid=61234", "--clear-groups"]);
        let ran = command.arg(&program).arg("run").output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(1), "{said}");
        let shown = at.display();
        assert!(said.contains(&format!("{shown} belongs to user 0")), "{said}");
        assert!(said.contains(&format!("sudo chown 61234 {shown}")), "{said}");
        assert!(!said.contains("restore") && !said.contains("getfacl"), "{said}");
    }
}

#[test]
fn doctor_is_quick_and_of_use_beside_a_daemon_that_was_stopped_by_a_signal() {
    let mut daemon = TestDaemon::start();
    let pid = daemon.pid();
    daemon.signal(Signal::SIGSTOP);
    let doctor = daemon.ctl("doctor");
    let shown = doctor.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(doctor.status, 1, "{doctor}");
    assert!(shown.contains(&format!("kill -CONT {pid}")), "{doctor}");
    assert!(shown.contains("data folder") && shown.contains("python"), "{doctor}");
    assert!(!shown.contains("vosimctl doctor") && !shown.contains("it answers"), "{doctor}");
    for command in ["status", "daemon status"] {
        let asked = Instant::now();
        let told = daemon.ctl(command);
        assert!(asked.elapsed() < Duration::from_secs(10), "{told}");
        let told = told.refused().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(&format!("kill -CONT {pid}")), "{told}");
    }
    daemon.signal(Signal::SIGCONT);
    assert!(daemon.stop().success());
}
